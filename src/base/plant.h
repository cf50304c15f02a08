/* Faults planted on purpose, so that tests can show that the falsifier finds them.
 *
 * Requires: nothing.
 * Provides: planted(), which is false in every build but a testing one, there too unless plant_set was called.
 * Source:   [PLANTS].
 */
#ifndef BASE_PLANT_H
#define BASE_PLANT_H

#include "config.h"

#include <stdbool.h>

enum plant {
#define PLANT(symbol, name, meaning, source) PLANT_##symbol,
#include "base/plants.def"
#undef PLANT
	PLANT_COUNT
};

struct plant_kind {
	const char *name, *meaning, *source;
};

extern const struct plant_kind plant_kinds[PLANT_COUNT];
int plant_find(const char *name); /* an enum plant, or -1 */

#ifdef GPUBOUND_TESTING
extern int plant_in_force;
void plant_set(int plant); /* an enum plant; -1: none. Before threads start. */
static inline bool planted(enum plant plant)
{
	return plant_in_force == (int)plant;
}
#else
static inline bool planted(enum plant plant)
{
	(void)plant;
	return false;
}
#endif

#endif
