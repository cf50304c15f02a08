/* An index of identifiers: from a name to the number of the thing it names, in constant time, so that large inputs stay fast. */
#ifndef INPUT_NAMES_H
#define INPUT_NAMES_H

#include "base/memory.h"

#include <stdbool.h>

struct names {
	struct arena *arena;
	struct name_entry *entries; /* a power of two; at most half of them in use */
	int capacity, count;
};

void names_init(struct names *names, struct arena *arena);
bool names_add(struct names *names, const char *name, int number);      /* false: it is there already; keeps the pointer */
int names_find(const struct names *names, const char *name);            /* -1: not there */
const char *names_nearest(const struct names *names, const char *name); /* what a mistyped name meant; NULL: none, or too many names */

#endif
