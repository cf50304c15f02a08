/* Cores of the CPU: which thread executes, by fixed priorities, preemptively; above these are threads with a reservation, by their
 * deadlines, each as long as it has runtime (hard CBS: SCHED_DEADLINE of Linux).
 *
 * Requires: told of each thread when it has a host segment to execute, and when it leaves its core; a timer for each core.
 * Provides: when to look at a core again, and then the thread whose segment is over, if it is. What may not be preempted begins just before a
 *           thread becomes ready or is given runtime, if no thread of its priority or a higher one was; it is work of the thread that was
 *           executing, as long as that has runtime, or nobody's.
 * Source:   [CORES], A-CORE, A-DEADLINE.
 */
#ifndef SIMULATE_CORE_SCHEDULER_H
#define SIMULATE_CORE_SCHEDULER_H

#include "base/memory.h"
#include "model/taskset.h"

struct reservation {
	int64_t runtime, deadline, period; /* 0: there is none */
	int64_t unit;                      /* whole ones are compared at a wake-up */
	int64_t left, until;               /* so much of the runtime, up to this absolute deadline; below 0: taken off the next one */
	bool throttled;                    /* its thread waits for runtime, */
	int64_t due;                       /* which is there then */
};

struct core_thread {
	int priority; /* of its task; the greatest first */
	struct reservation reservation;
	int64_t blocking;          /* what is not preempted where it is given runtime */
	int64_t overrun;           /* how long it goes on when its runtime is used up, unless another one preempts it, or it leaves */
	bool ready;                /* it wants the core: it has a segment to execute, or spins */
	bool busy;                 /* it has a segment to execute, */
	int64_t left;              /* of which so many ns are left */
	int64_t order;             /* of equal priorities or deadlines the least first: who was ready first, or by chance */
	struct core_thread *after; /* of those that are ready on the core */
	void *owner;
};

struct core_state {
	struct core_thread *ready, *executes;
	int64_t since;   /* the instant up to which what was executed is counted */
	int64_t blocked; /* until then nothing is preempted */
	int64_t next;    /* the instant at which something happens there; NONE: nothing does */
	int64_t orders;
};

struct core_state *cores_create(struct arena *arena, const struct taskset *set);
/* unit: its core's. */
struct core_thread core_thread_of(const struct task *task, int64_t unit);

/* The thread has a segment of so long to execute; nothing is preempted for its `blocking` from now on, if that may be. */
void core_execute(struct core_state *core, int64_t now, struct core_thread *thread, int64_t time);
/* The thread leaves the core to others. */
void core_leave(struct core_state *core, int64_t now, struct core_thread *thread);

/* To be asked at core->next: whose segment is over, NULL if nobody's. Then the thread executes another one, leaves, or spins; and behind
 * that core_go_on. */
struct core_thread *core_ended(struct core_state *core, int64_t now);
void core_go_on(struct core_state *core, int64_t now);

#endif
