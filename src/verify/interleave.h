/* How often others come between two turns of one context where contexts have interleave levels: counted in the list that is laid out.
 *
 * Requires: how many entries of each level there are.
 * Provides: for each pair of levels the most turns that one entry of the one has between two turns of an entry of the other.
 * Source:   [BETWEEN].
 * Fails:    never; LIMIT_ROUND bounds the list.
 */
#ifndef VERIFY_INTERLEAVE_H
#define VERIFY_INTERLEAVE_H

#include "model/taskset.h"

struct between {
	bool levels;                                       /* else each entry is in the round once */
	int64_t turns[INTERLEAVE_COUNT][INTERLEAVE_COUNT]; /* [own][other] */
};

struct between interleave_count(struct arena *arena, const int *entries);

#endif
