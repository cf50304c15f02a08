/* Locks of host threads: who holds one, and who waits for it.
 *
 * Requires: a task set whose units under locks are in `holds`.
 * Provides: requests, in the order in which they come, and who is next by the lock's protocol.
 * Source:   [LOCK], A-LOCK.
 */
#ifndef SIMULATE_LOCKS_H
#define SIMULATE_LOCKS_H

#include "base/memory.h"
#include "model/taskset.h"

struct request {
	void *owner;
	int priority;
	struct request *after; /* in the order of their coming */
};

struct lock_state {
	bool held;
	struct request *waiting;
};

struct lock_state *locks_create(struct arena *arena, const struct taskset *set);

/* Is it granted at once? Else the request waits, and is whose lock_release gives. */
bool lock_take(struct lock_state *lock, struct request *request);

/* The next holder's request; NULL: nobody waits, the lock is free. */
struct request *lock_release(struct lock_state *lock);

#endif
