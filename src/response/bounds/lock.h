/* LOCK: work that is done under one lock of the whole GPU, or of partitions.
 *
 * Requires: a workload all of whose work on the GPU is done under one lock, or that of each domain of a process under one, of each unit on
 *           one stream; A-LOCK.
 * Provides: for each segment, which is a unit under the lock, the longest time from its release, when it asks for the lock, until it has
 *           handed the lock over, over all jobs of a busy interval of its priority, or why there is none.
 * Source:   [LOCK].
 * Fails:    a busy interval past the horizon, or a load of one or more: no bound for that unit, nor for those that rest on it.
 */
#ifndef RESPONSE_BOUNDS_LOCK_H
#define RESPONSE_BOUNDS_LOCK_H

#include "response/nonpreemptive_server.h"

struct lock_customer { /* what a job of a segment costs: held by the host, a switch of contexts, and on the device */
	int segment;   /* NO_ID: a stop */
	int64_t hold, change, device, length;
	int64_t copies; /* of a unit under another lock, on engines that both use: nothing else of it */
};

/* What a segment's value was found with, for whoever wants its terms. */
struct lock_basis {
	struct nonpreemptive level; /* ahead: its own jobs, then those of its priority; until: higher priorities, copies of other locks'
				       units, and stops */
	struct lock_customer *customers;
	int count;
	bool foreign;               /* there are copies of other locks' units */
	struct lock_customer lower; /* what B is */
};

/* The parts of what a job costs, as its term has them. */
enum lock_part { LOCK_HOLD, LOCK_CHANGE, LOCK_DEVICE, LOCK_PARTS };

#endif
