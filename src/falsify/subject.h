/* A system under attack: the model, the analysis of it, and what a run of it may not exceed.
 *
 * Requires: a valid platform and task set in an arena that outlives the subject.
 * Provides: map, inflation, response and costs as the analyser computes them; the durations that the analysis allows.
 * Source:   [FALSIFIER].
 * Fails:    never.
 */
#ifndef FALSIFY_SUBJECT_H
#define FALSIFY_SUBJECT_H

#include "falsify/generate.h"
#include "response/operation_cost.h"
#include "response/response.h"

struct subject {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	struct map *map;
	struct inflation *inflation;
	struct response *response;
	struct costs *costs;
	int64_t *longest; /* by operation: the inflated WCET, with overhead.copy for a copy; the isolated one where there is none */
	int64_t *alone;   /* likewise before inflation; the machine slows overhead.copy too, so that less of it is given */
	bool apart;       /* blocks take less where no other kernel is beside them, and some makespan rests on that */
	int bounds;       /* values that some run may exceed, over all tasks */
};

void subject_init(struct subject *subject, struct arena *arena, const struct platform *platform, const struct taskset *set);

/* What a machine may break outside of the register, and only the bounds by volume bear: the registers of a block in one piece of the
 * whole SM; a dispatcher that idles, with which no makespan of scope grid was measured. The first they bear only where blocks do not begin
 * late: how late depends on which blocks fit an SM together. */
#define BROKEN_MACHINE (UINT64_C(1) << 63)
#define BROKEN_IDLING (UINT64_C(1) << 61)
/* Blocks that take their inflated WCETs whatever is beside them: only the bounds by volume bear that where subject.apart. */
#define BROKEN_PACE (UINT64_C(1) << 62)

/* What of these bounds by volume do not bear, either. */
uint64_t subject_breaks_volumes(const struct subject *subject);
#define BROKEN_MAKESPANS (BROKEN_MACHINE | BROKEN_IDLING | BROKEN_PACE)

/* Is a run that breaks these assumptions within what the bound promises? */
bool subject_promises(const struct subject *subject, const struct bound_value *value, enum bound bound, uint64_t broken);

#endif
