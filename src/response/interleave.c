#include "response/interleave.h"

#include "base/plant.h"

/* All high ones stand before each medium one and before each low one, and all medium ones before each low one. */
int64_t interleave_turns(const struct round *round, enum interleave own, enum interleave other)
{
	int64_t low = round->entries[INTERLEAVE_LOW], medium = round->entries[INTERLEAVE_MEDIUM];
	if (!round->levels || other <= own || planted(PLANT_INTERLEAVED))
		return 1;
	if (own == INTERLEAVE_MEDIUM)
		return checked_add(medium, low > 0);
	return other == INTERLEAVE_MEDIUM ? low : checked_mul(low, checked_add(medium, 1));
}
