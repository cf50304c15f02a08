/* What the parts of the small machine ask of each other; nobody else includes this. */
#ifndef FALSIFY_SMALL_PARTS_H
#define FALSIFY_SMALL_PARTS_H

#include "falsify/small.h"

/* The rates of all operations and the unit that makes them whole, from the platform's factors. NULL, or why that cannot be. */
const char *small_rate(struct small *small, const struct platform *platform, const struct taskset *set);

#endif
