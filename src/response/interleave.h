/* The round of a runlist whose contexts have levels: how many turns of another entry may lie between two turns of an own one.
 *
 * Requires: how many entries of each level the round has, idle ones included.
 * Provides: that number; and of whom it is one for all of them together.
 * Source:   [BETWEEN].
 * Fails:    NONE on overflow.
 */
#ifndef RESPONSE_INTERLEAVE_H
#define RESPONSE_INTERLEAVE_H

#include "model/taskset.h"

struct round {
	bool levels;                       /* else each entry is in it once */
	int64_t entries[INTERLEAVE_COUNT]; /* with levels: of each */
};

/* Turns of one entry of this level in each gap. */
int64_t interleave_turns(const struct round *round, enum interleave own, enum interleave other);

/* Has of all entries of such levels only one a turn in each gap? */
static inline bool interleave_is_below(const struct round *round, enum interleave own, enum interleave other)
{
	return round->levels && other < own;
}

#endif
