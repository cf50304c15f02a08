/* How the machine behaves where the rules leave it a choice, or where a platform is known to break them.
 *
 * Requires: nothing.
 * Provides: one struct; zeroed it is the machine that keeps D1-D14 with the platform's own numbers, placement and granularity.
 * Source:   [D-RULES]; [V0], [A-WC-G]; [HW-RULES]; [SILICON] 10 to 12.
 * Fails:    never.
 */
#ifndef MACHINE_SWITCHES_H
#define MACHINE_SWITCHES_H

#include "placement/sm_limits.h"

/* Which waiting kernel gets the next block. */
enum dispatcher {
	DISPATCHER_STRICT, /* D3-D5: the head of the highest non-empty queue, as soon as its block fits */
	DISPATCHER_BYPASS, /* any kernel of the queues that `priorities` admits, drawn for each block; while some block fits, one is placed
			    */
	DISPATCHER_LAZY,   /* A-WC(g) only: fewer than g SMs hold a block: any waiting kernel, on an idle SM; else, as often as not, nothing
			    */
};

/* What stream priorities do (A-PRIO). */
enum priorities {
	PRIORITIES_KEPT,    /* D3: only the highest level that waits */
	PRIORITIES_IGNORED, /* one queue for all levels, in order of arrival */
	PRIORITIES_REDRAWN, /* the level whose head is served is drawn anew whenever a kernel arrives or leaves ([V4]) */
	PRIORITIES_ANY,     /* the level is drawn for every block */
};

/* Which SM, among those with room. The last four are adversaries: bounds hold for all of them. */
enum chooser {
	CHOOSER_PLATFORM,
	CHOOSER_MOST_ROOM,
	CHOOSER_ROUND_ROBIN,
	CHOOSER_FIRST,
	CHOOSER_LAST,
	CHOOSER_TIGHTEST, /* least room */
	CHOOSER_RANDOM,
};

/* Streams beyond the hardware queues share one (D12): work behind another stream's waits until that ... */
enum alias_hold { HOLD_DISPATCHED, HOLD_READY, HOLD_COMPLETE }; /* has all its blocks placed / is engine-ready / is complete */

/* Who has a hardware queue (A-QUEUE). */
enum queueing {
	QUEUEING_PLATFORM,    /* as the platform grants A-QUEUE or does not */
	QUEUEING_BY_WORK,     /* streams with kernels */
	QUEUEING_AT_CREATION, /* all streams of the context, as they were created */
};

/* What a graph's launch is beside its nodes' issue one by one ([GRAPHS]): three ways to be one item. */
enum graphs {
	GRAPHS_ISSUED, /* nothing: each node has the overheads of an operation, and the hardware queue is free behind the last kernel */
	GRAPHS_QUICK,  /* a node behind another one has no overheads: what it needs was prepared with the launch */
	GRAPHS_WHOLE,  /* it keeps its hardware queue until all nodes are complete */
	GRAPHS_APART,  /* it has a hardware queue, which is not that of its stream ([QUEUES]) */
};

/* When a context leaves the execution engine at the end of its slice. */
enum granularity {
	GRANULARITY_PLATFORM,    /* the platform's; block where it is unknown */
	GRANULARITY_BLOCK,       /* its resident blocks end first, nothing is placed meanwhile */
	GRANULARITY_INSTRUCTION, /* at once: its blocks freeze */
	GRANULARITY_KERNEL,      /* every kernel that has a block placed completes first */
};

/* Does a context keep its turn between two operations of a sequence (A-PENDING)? */
enum gaps { GAPS_PLATFORM, /* where the platform grants it */ GAPS_KEEP, GAPS_LOSE };

enum stop_mode { STOPS_NONE, STOPS_WHOLE, STOPS_HALF, STOPS_MIXED }; /* what one stop freezes: the chip, one half of it, either (drawn) */

struct switches {
	enum dispatcher dispatcher;
	int lazy_percent; /* DISPATCHER_LAZY, where nothing forces it: idles so often; 0: 50 */
	int starved_task; /* BYPASS and LAZY: 1 + the task whose kernels are served only where nobody else's can be; 0: none */
	enum priorities priorities;
	enum chooser chooser;
	const struct allocation_options *allocation; /* NULL: the platform's */
	bool launch_at_head;  /* o_launch begins when the kernel becomes the head, not when it is engine-ready; where nobody is head: no */
	bool cache_drain;     /* D11: a kernel of another cache configuration or carveout waits until its context's blocks are gone */
	enum alias_hold hold; /* D12 */
	enum queueing queueing;
	enum graphs graphs;
	enum gaps gaps;
	bool copies_unordered;   /* a copy engine serves waiting copies in any order, not FIFO (no A-CE) */
	bool contexts_unordered; /* it serves each context FIFO, but whichever it likes (D14: nobody says in which order) */
	bool shared_runlist;     /* copies take turns with kernels also where the platform does not know (COPY_RUNLIST_UNKNOWN) */
	enum granularity granularity;
	const int *slots; /* the runlist's round as applications; NULL: each once. An application may have several slots */
	int slot_count;
	bool slices_stand;    /* the slice's timer stands while the chip is stopped; else it runs on */
	enum stop_mode stops; /* of stops.length at stops.distance, from a random phase on */
	bool stops_drawn;     /* lengths up to the longest, distances from the least on, drawn */
	int64_t lateness;     /* ns: a placed block begins late by up to this, drawn ([SILICON] 10) */
	int64_t delay;        /* ns: A-ORDER: the strict dispatcher leaves room unused for up to this, and serves lower levels for up to
			       * this after a higher one became ready; drawn. A-WC(g) in no order: for the lazy one an SM holds its last
			       * block for so much longer, and for so long after a kernel came or was given its last block it idles */
	int64_t stall;        /* ns: A-ORDER: a block placed beside another one begins late by up to this, drawn */
	bool clients_pass; /* where kernels of several clients of an MPS server may meet nothing is said of what they do to one another (no
			    * A-MPS-ORDER): any of them is served, or nobody while a block is there, and blocks take longer */
	bool partitions_leak; /* kernels of partitions have all SMs, as those of the primary context (no A-PARTITION) */
	bool turns_stray; /* any entry of the runlist with work is next, one without keeps its turn before, and slices are up to three times
			   * as long (no A-RUNLIST, A-INTERLEAVE, A-PREEMPT) */
	bool runs_dry;    /* gaps in sequences launched one by one are up to twice what is left of these longer (no A-FED) */
	bool overheads_drawn; /* each launch, dispatch, dependency and switch takes up to the platform's number, drawn; else just that */
	bool turns_alone;     /* copies and kernels of the only context take turns, too, where copies share the runlist and it has
			       * several streams: from one operation of a stream to the next nothing is switched (theta is another's) */
	int leavers;          /* percent of the blocks of kernels without warps-stay: some of their warps end, and leave their room, before
			       * them */
	bool in_order;        /* ties go in order of cause; else each is drawn, that of a release with an end included */
};

#endif
