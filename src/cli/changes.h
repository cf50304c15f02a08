/* The options --set and --scale: what if a number were another one. */
#ifndef CLI_CHANGES_H
#define CLI_CHANGES_H

#include "cli/arguments.h"

/* Both, as a report records them, in the order in which they were given. */
const char *const *changes_given(const struct arguments *arguments, int *count);

#endif
