/* What each operation costs, what each context loses to the others, and how tasks are cut at their host segments: derived again.
 *
 * Requires: inflated WCETs.
 * Provides: facts for each operation: where it runs, makespan, drain waste, volume, dispatcher time, time on a copy engine; for each
 *           context: slice, overrun, gaps; for each task: its segments.
 * Source:   [KW], [WAVES], [BEHIND], [DRAIN], [BROKEN-OFF], [VOLUME], [SCOPE-GRID], [START-DELAYS], [SEGMENTS], [DILATION].
 * Fails:    what the platform does not state is unknown, and so is what depends on it.
 */
#ifndef VERIFY_OPERATION_COST_H
#define VERIFY_OPERATION_COST_H

#include "verify/inflation.h"
#include "verify/interleave.h"
#include "verify/sharing.h"

enum runs { RUNS_NOWHERE, RUNS_ON_SMS, RUNS_ON_COPY_ENGINE };

struct piece { /* an operation */
	enum runs runs;
	int engine;  /* of a copy */
	int context; /* its owner; NO_ID: a host segment */
	int level;
	bool grid;     /* its WCET is the whole grid's */
	bool whole;    /* its makespan is that of a launch in any order: nobody knows when its last block comes */
	int64_t turns; /* operations of a sequence of which each may lose the turn; else 1 */
	struct fact dependency, block, residence, makespan, waste, volume, dispatch, transfer;
	struct fact assigned; /* residence: a block with what A-ORDER adds; assigned: without what may pass before its assignment */
};

struct owner { /* a context, which is a process or a part of it that waits for nothing of the rest */
	const char *name, *about;
	bool kernels, copies, levels;
	int client;   /* 1 + an application that has kernels in it */
	bool clients; /* applications that are not one have kernels in it that may meet */
	bool grids;   /* of some kernel only the makespan is known: its blocks need not take whole ns */
	int streams, kernel_streams;
	enum interleave interleave;
	struct fact slice, turn, overrun, kernel_gap, copy_gap, switch_gap;
};

struct part { /* a segment of a task: what is between two host segments, or up to a call that blocks the thread */
	int task, context, number;
	int first, count;              /* operations */
	int64_t host_most, host_least; /* of the host segments before it */
	int64_t least;                 /* it takes no less */
	const char *about;             /* "task:ID" */
};

struct work {
	struct check *check;
	const struct resident *residents;
	const struct inflated_fact *inflated;
	struct piece *pieces;
	struct fact parameters[PARAMETER_COUNT];
	struct fact stop;        /* what one stop costs */
	struct fact theta;       /* of a switch, with what refills caches */
	int redone;              /* dispatches that a stop may break off and that take time */
	struct sharing *sharing; /* who the owners are */
	struct owner *owners;
	int owner_count;
	bool sliced, copies_sliced, copies_shared;
	bool ranked;            /* contexts have priorities, and several want the execution engine */
	struct between between; /* how their turns follow one another */
	bool *levels_differ;    /* [context]: of what it has on SMs */
	int *lowest;            /* [context]: the greatest level of what it has on SMs */
	struct part *parts;
	int part_count;
	struct lists of_context, streams_of_context; /* operations; streams */
	struct lists parts_of_context, parts_of_task;
};

struct work *work_derive(struct check *check, const struct resident *residents, const struct inflated_fact *inflated);

void work_find_slices(struct work *work); /* second stage of work_derive */
/* Of this unit under a lock, 0: of any, may a copy and a kernel be there at once? */
bool work_takes_turns_with_itself(const struct work *work, int hold);

/* Do bounds rest on A-ORDER, in place of A-HOL, A-PRIO and A-WC? It says less than these together. */
bool work_delayed(const struct check *check);
/* May blocks begin late? Also where the platform has numbers for it and nobody knows the order. */
bool work_late(const struct check *check);

/* Block time on so many SMs, in ns: between two of them only where blocks are not whole. */
static inline int64_t work_spread(int64_t volume, int64_t sms, bool grids)
{
	return grids ? checked_div_ceil(volume, sms) : checked_div_floor(volume, sms);
}

/* X + (ceil(X / L) + turns - 1) G. */
struct fact work_dilate(struct check *check, const char *about, struct fact x, int64_t turns, struct fact slice, struct fact gap);

/* How long a host segment takes. */
struct fact work_host(const struct work *work, int task, int operation);

const char *work_name(const struct work *work, const struct part *part, int operation); /* "task:T/op:O" */

#endif
