/* The option --assume: ids of assumptions. */
#ifndef CLI_ASSUME_H
#define CLI_ASSUME_H

#include "cli/arguments.h"

bool assume_check(const struct arguments *arguments); /* false after a usage error: there is no such assumption */

#endif
