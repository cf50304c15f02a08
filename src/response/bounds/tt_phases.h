/* May tasks of known phases be explored, and how are their operations served?
 *
 * Requires: the classes of one context without time slices, every segment a chain on one stream.
 * Provides: the hyperperiod; whether blocks are followed one by one, in how many slots; which segments share a stream; or why there can be no
 *           bound.
 * Source:   [TT].
 * Fails:    a phase that is not known, operations on no engine, streams shared by tasks of several segments: the reason.
 */
#ifndef RESPONSE_BOUNDS_TT_PHASES_H
#define RESPONSE_BOUNDS_TT_PHASES_H

#include "response/context_operations.h"
#include "response/workload.h"

struct tt_phases {
	const struct workload *w;
	const struct map *map;
	const struct classes *classes;
	int64_t hyperperiod;
	int64_t slots; /* blocks on the GPU at once, where they are followed one by one; 0: kernels are served whole, by makespan */
	bool levels;
	int64_t pool; /* so many blocks of whatever kernels always find room, where kernels of one level are served whole; 0: not known */
	bool *shared; /* [segment]: its stream has operations of other tasks, too */
};

static inline const struct task *tt_phases_task(const struct tt_phases *phases, int segment)
{
	return &phases->w->set->tasks[phases->w->segments->items[segment].task];
}

/* NULL: they may. */
const char *tt_phases_find(struct tt_phases *phases);

#endif
