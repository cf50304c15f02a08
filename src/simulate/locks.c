#include "simulate/locks.h"

struct lock_state *locks_create(struct arena *arena, const struct taskset *set)
{
	return arena_allocate(arena, (size_t)set->lock_count + 1, sizeof(struct lock_state));
}

bool lock_take(struct lock_state *lock, struct request *request)
{
	struct request **end = &lock->waiting;
	request->after = NULL;
	if (!lock->held) {
		lock->held = true;
		return true;
	}
	while (*end != NULL)
		end = &(*end)->after;
	*end = request;
	return false;
}

/* The first of the highest priority; where a lock goes by order of requests all have the same. */
struct request *lock_release(struct lock_state *lock)
{
	struct request **best = &lock->waiting;
	for (struct request **at = &lock->waiting; *at != NULL; at = &(*at)->after)
		if ((*at)->priority < (*best)->priority)
			best = at;
	struct request *next = *best;
	if (next != NULL)
		*best = next->after;
	lock->held = next != NULL;
	return next;
}
