/* A small system as a machine of states: what it may do next, one instant at a time.
 *
 * Requires: a valid platform and task set.
 * Provides: the states that follow a state. Time is a step of 1 ns; within an instant everything that is due, or may be, happens in every
 *           order: releases by period, jitter and phase, the end of each block and copy anywhere from its BCET to its longest time,
 *           arrivals at the engines, dispatches, each on every SM with room. A job may be tagged, to see when it is complete.
 *           Where bounds rest on A-ORDER the dispatcher does whatever that permits: it leaves room unused and goes on with lower levels for
 *           up to dispatch.delay, and the first instruction of a block beside another one comes up to dispatch.stall late.
 *           Where they rest on A-FIT any kernel that waits gets the next block, as long as one of them fits.
 *           Blocks and copies progress as the platform's factors let them beside what is there, in whole parts of a ns; one that would be
 *           done within the next ns is done now.
 *           Partitions have SMs of their own, and each has its own head: A-PARTITION (a) to (c), as stated.
 *           A job may work on several streams, what it has on one being a line, and wait for events that it recorded itself.
 *           Written from gpubound-machine(7), D1 to D9, and A-ORDER and A-RATE as stated, apart from src/machine/ and src/placement/;
 * tests/unit/test_exact.c holds the two against each other. Source:   [D-RULES], [EXACT-WORST], [START-DELAYS]. Fails:    small_init
 * returns why a system cannot be followed; small_next returns false where a queue outgrows its room.
 */
#ifndef FALSIFY_SMALL_H
#define FALSIFY_SMALL_H

#include "base/memory.h"
#include "model/taskset.h"

#define SMALL_TASKS 3
#define SMALL_STREAMS 3
#define SMALL_LINES 6
#define SMALL_HOLDS 7 /* all together */
#define SMALL_WORK 32 /* operations, all together */
#define SMALL_ENGINES 2
#define SMALL_SMS 3
#define SMALL_SLOTS 4    /* blocks an SM */
#define SMALL_GHOSTS 4   /* blocks that have left an SM less than a delay ago */
#define SMALL_DELAY 3    /* ns: dispatch.delay, dispatch.stall */
#define SMALL_UNITS 62   /* of work and stall, in one block or copy */
#define SMALL_LONGEST 15 /* ns: a block, a copy, an overhead */
#define SMALL_PERIOD 100 /* ns: period and jitter */
#define SMALL_JOBS 7     /* in a stream at once */
#define SMALL_ROOM 64    /* states that follow one */

/* What is active beside a block, or a copy: a set. */
enum small_beside {
	BESIDE_SM = 1, /* another kernel's block on its SM; of a copy: any block */
	BESIDE_ELSEWHERE = 2,
	BESIDE_H2D = 4,
	BESIDE_D2H = 8,
	BESIDE_D2D = 16,
	BESIDE_MEMSET = 32,
	BESIDE_SETS = 64
};

struct small_operation {
	bool copy;
	uint8_t engine, warps, blocks;
	uint8_t least, longest;     /* units of work, `units` a ns */
	uint8_t source;             /* of a copy: the small_beside that it is to others */
	uint8_t rates[BESIDE_SETS]; /* units that it progresses in 1 ns */
	uint8_t waits, records;     /* before it, behind it: sets of the waits of the task set */
};

struct small_line {                     /* what a task has on one stream */
	int task, stream, first, count; /* of `order` */
};

struct small_task {
	int period, jitter, offset; /* offset: NO_ID: any phase */
	bool sporadic;
};

struct small {
	struct small_operation *operations;
	struct small_task tasks[SMALL_TASKS];
	struct small_line lines[SMALL_LINES];
	uint8_t order[SMALL_WORK]; /* operations, line by line */
	int levels[SMALL_STREAMS];
	int parts[SMALL_STREAMS]; /* the partition of each stream; 0: all are of the whole GPU */
	int sm_parts[SMALL_SMS];  /* and of each SM: SMs of one stand together; NO_ID: nobody's */
	int task_count, line_count, order_count, stream_count, engine_count, sm_count, warps, slots;
	int launch, block, dependency; /* overheads */
	int delay, stall;              /* A-ORDER; 0 where bounds rest on A-HOL, A-PRIO and A-WC */
	int units;                     /* of work in 1 ns; 1: nothing slows anything */
	bool phased;                   /* phases are known */
	bool passing;                  /* A-FIT: any kernel that waits may get the next block, and one of them does if it fits */
};

enum small_phase { SMALL_NOTHING, SMALL_DEPENDS, SMALL_WAITS, SMALL_RUNS };

struct small_stream {
	uint8_t jobs[SMALL_JOBS]; /* 1 + line, the oldest first; 0: none */
	uint8_t operation, phase; /* of the oldest job */
	uint8_t timer;            /* o_dep or o_launch that is left; of a copy: its work so far */
	uint8_t placed, ended;    /* blocks */
};

/* Nothing but bytes, so that equal states are equal memory. */
struct small_state {
	int8_t clocks[SMALL_TASKS];    /* ns since the nominal release that is to come next; below 0: until then; SMALL_UNSTARTED */
	uint8_t tags[SMALL_STREAMS];   /* 1 + the tagged job's place in each stream, 0: none there, or not any more */
	uint8_t recorded[SMALL_HOLDS]; /* records that are complete and that this wait has still to see */
	struct small_stream streams[SMALL_STREAMS];
	uint8_t kernels[SMALL_STREAMS];               /* 1 + stream of those that wait for a block, in order of arrival */
	uint8_t copies[SMALL_ENGINES][SMALL_STREAMS]; /* likewise; the first one runs */
	uint8_t current, due;                         /* 1 + the stream whose block the dispatcher prepares; ns left */
	/* 1 + units + 64 * stream, descending, then ghosts: 1 + ns since + 4 * warps; SMs likewise. The units are those of work so far and
	 * of the longest stall, so that a block that comes late begins with fewer. */
	uint8_t blocks[SMALL_SMS][SMALL_SLOTS + SMALL_GHOSTS];
	uint8_t waited[SMALL_STREAMS]; /* ns since its kernel is engine-ready, up to 1 + delay; only where lower levels are */
	uint8_t headed;                /* 1 + stream of the head + 4 * ns for which it has been, up to delay */
};

#define SMALL_UNSTARTED INT8_MIN

enum small_kind { SMALL_TICK, SMALL_RELEASE, SMALL_END, SMALL_READY, SMALL_PLACE };

struct small_step {
	struct small_state state;
	enum small_kind kind;
	int late;      /* SMALL_RELEASE: ns since the nominal one */
	int task;      /* SMALL_RELEASE: whose job, which is the last of its stream in `state`; SMALL_END: the oldest of the stream */
	int operation; /* what ends, is ready or gets a block */
	bool complete; /* the tagged job is complete: `state` has no tag any more */
};

/* NULL: it can be followed. longest: of a block or copy beside nothing, by operation. */
const char *small_init(
	struct small *small, struct arena *arena, const struct platform *platform, const struct taskset *set, const int64_t *longest);
void small_begin(const struct small *small, struct small_state *state);
/* False: a queue is full. Steps that lead to the same state are one. */
bool small_next(const struct small *small, const struct small_state *state, struct small_step *steps, int *count);
bool small_is_tagged(const struct small_state *state);
bool small_is_idle(const struct small *small, const struct small_state *state); /* no job is there */
/* The newest job of the task is the tagged one from now on. */
void small_tag(const struct small *small, struct small_state *state, int task);

#endif
