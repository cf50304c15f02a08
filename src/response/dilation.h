/* Time slices: what a context loses to the others.
 *
 * Requires: costs.
 * Provides: what each context has, and each process, which is the contexts that its partitions are analysed as ([DOMAINS]) and takes turns as
 *           one: only a process of one context takes turns at all. For each context its slice, the gap between two of its slices on the
 * execution engine and, where copies share the runlist of kernels, for its copies; the loss of one switch; whether anything is sliced at
 * all. Source:   [DILATION], [V1], [BETWEEN]; [HW-SLICES] (TX2: copies are sliced against kernels); [P-GPU]. Fails:    NONE and a reason,
 * where a slice or the switch time is not known.
 */
#ifndef RESPONSE_DILATION_H
#define RESPONSE_DILATION_H

#include "response/gap.h"
#include "response/interleave.h"
#include "response/operation_cost.h"

struct context {
	const char *name;
	bool kernels, copies;   /* it has such work */
	int streams, declared;  /* that operations are on; with the idle ones, and the NULL streams of merged applications but one */
	int graphs;             /* and branches of sequences: each may hold a hardware queue besides its stream's ([QUEUES]) */
	int kernel_streams;     /* with work on the execution engine */
	int process;            /* which shares its queues and grid slots */
	enum interleave level;  /* of its entries */
	bool levels;            /* of different priority among them */
	bool clients;           /* kernels of several clients of an MPS server may meet in it (A-MPS-ORDER) */
	struct cost slice;      /* L: what a turn that ends with it serves at least */
	struct cost turn;       /* the longest that one is, its overrun aside */
	struct cost overrun;    /* Omega: 0 when preempted at an instruction */
	struct cost kernel_gap; /* G of its kernels */
	struct cost copy_gap;   /* G of its copies, where they are sliced */
	struct cost switch_gap; /* theta + Omega */
	struct gap kernel_turns, copy_turns; /* what the two gaps are made of; nothing where a part is not known */
};

struct runlist {
	struct context *contexts;
	int context_count;
	struct context *processes; /* what the contexts of each have together: streams, declared, graphs, kernel_streams, kernels, copies */
	int process_count;
	bool sliced;        /* more than one entry may want the execution engine */
	struct round round; /* how entries follow one another */
	bool ranked;        /* and of several the context of the highest priority has it */
	bool copies_sliced; /* copies take turns with kernels, or may do so */
	bool copies_shared; /* contexts compete for copy engines, or may do so */
	struct cost copy_slice, theta;
};

struct runlist *dilation_build(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct costs *costs,
	struct derivation *derivation);

/* Of the units under locks the first operation that may be there with one of its unit's at another place, kernels or copies; NULL: there is
 * none. */
const struct operation *dilation_alternating(const struct taskset *set, const struct costs *costs);

/* X + ceil(X / L) G, for X > 0. */
struct cost dilation_apply(
	struct derivation *derivation, const char *about, const struct cost *work, const struct cost *slice, const struct cost *gap);

/* X + (ceil(X / L) + k - 1) G: X parted into k pieces, none of which fills its last slice. */
struct cost dilation_apply_parted(struct derivation *derivation, const char *about, const struct cost *work, int64_t turns,
	const struct cost *slice, const struct cost *gap);

#endif
