/* When a bound may be used: the applicability matrix.
 *
 * Requires: costs and runlist; the platform's assumption register.
 * Provides: for a bound and a context the assumptions that it rests on there, or the first one that nobody vouches for.
 * Source:   [APPLICABLE], [V4], [V12].
 */
#ifndef RESPONSE_APPLICABLE_H
#define RESPONSE_APPLICABLE_H

#include "response/response.h"
#include "response/dilation.h"

struct applicable {
	const char *reason;   /* NULL: it applies */
	uint64_t assumptions; /* bit set */
	uint64_t missing;     /* those that the reason names, where it is that nobody vouches for them */
};

/* What every bound rests on. */
uint64_t applicable_always(const struct taskset *set);

/* The same while it is found: what a bound's row adds to. */
struct applicability {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	const struct costs *costs;
	const struct runlist *runlist;
	int context;
	struct applicable found;
};

void applicable_need(struct applicability *a, enum assumption assumption);
void applicable_need_thread(struct applicability *a, const struct task *task); /* what bounds the task's host segments */
void applicable_need_hosts(struct applicability *a, int context);              /* what comes behind host segments there; NO_ID: anywhere */
void applicable_need_queues(struct applicability *a, int context);             /* a queue for each stream that works */
void applicable_need_partitions(struct applicability *a, int context);         /* [PARTITIONS], where the context has any */
void applicable_need_order(struct applicability *a, int context);              /* kernels as a serial server of makespans: [SER], [DRAIN] */

struct applicable applicable_find(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct costs *costs, const struct runlist *runlist, enum bound bound, int context);

/* Does H rest on A-FIT there: it is granted, what orders kernels is not, and there is one context? [COV-BYPASS]. */
bool applicable_by_fit(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct costs *costs,
	const struct runlist *runlist, int context);

/* Has the task's thread a part in when its operations are issued? What that rests on: on nothing where it has none. */
bool applicable_has_host(const struct taskset *set, const struct task *task);
uint64_t applicable_hosts(const struct taskset *set, const struct task *task);

/* May the end of a slice, or a stop of a part of the chip, come between blocks of one kernel? At an instruction all of it stands still. */
bool applicable_parts_kernels(const struct platform *platform, bool sliced);

/* Why nothing may rest on all of these assumptions; NULL: each is granted. */
const char *applicable_refuse(struct arena *arena, const struct platform *platform, uint64_t assumptions);

/* g of A-WC(g) for a context: SMs that hold a block whenever a kernel waits. [A-WC-G]. */
int64_t applicable_nonempty_sms(
	const struct platform *platform, const struct taskset *set, const struct costs *costs, int context, uint64_t *assumptions);

/* Kernels of how many streams does the context have? Is their order known, up to a start delay: is A-ORDER in use, and about them? */
int applicable_kernel_streams(const struct taskset *set, const struct costs *costs, int context);
bool applicable_is_ordered(const struct platform *platform, const struct taskset *set, const struct costs *costs, int context);

/* What is added to a volume of the context before g divides it, so that it rounds up: g - 1 where it has blocks whose times need not be
 * whole, those of kernels of scope grid; else 0. [WHOLE-NS]. */
int64_t applicable_rest(const struct taskset *set, const struct costs *costs, int context, int64_t g);

/* Why streams of the context may wait for one another besides at the engines: the NULL stream, hardware queues. NULL: they do not. */
const char *applicable_shared_queues(
	struct arena *arena, const struct platform *platform, const struct taskset *set, const struct runlist *runlist, int context);

/* Do all kernels of a context ask for one configuration of L1 and shared memory? */
bool applicable_one_configuration(const struct platform *platform, const struct taskset *set, const struct costs *costs, int context);

#endif
