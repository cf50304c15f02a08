#include "simulate/core_scheduler.h"

struct core_state *cores_create(struct arena *arena, const struct taskset *set)
{
	struct core_state *cores = arena_allocate(arena, (size_t)set->core_count + 1, sizeof *cores);
	for (int i = 0; i < set->core_count; i++)
		cores[i].next = NONE;
	return cores;
}

static void advance(struct core_state *core, int64_t now)
{
	struct core_thread *thread = core->executes;
	if (thread != NULL && thread->busy) {
		thread->left = checked_max(0, thread->left - (now - core->since));
		if (thread->left == 0)
			core->blocked = checked_min(core->blocked, now); /* it was the thread's, and is over with its segment */
	}
	core->since = now;
}

static bool is_before(const struct core_thread *a, const struct core_thread *b)
{
	return a->priority > b->priority || (a->priority == b->priority && a->order < b->order);
}

static struct core_thread *find_done(const struct core_state *core)
{
	struct core_thread *thread = core->ready;
	while (thread != NULL && !(thread->busy && thread->left == 0))
		thread = thread->after;
	return thread;
}

/* Who executes from now on, and until when at least. */
void core_go_on(struct core_state *core, int64_t now)
{
	if (core->blocked <= now) {
		core->executes = core->ready;
		for (struct core_thread *thread = core->ready; thread != NULL; thread = thread->after)
			if (is_before(thread, core->executes))
				core->executes = thread;
	}
	core->next = core->blocked > now ? core->blocked : NONE;
	if (core->executes != NULL && core->executes->busy)
		core->next = checked_min(core->next, now + core->executes->left);
	if (find_done(core) != NULL)
		core->next = now;
}

/* Is nobody of its priority or above ready, and nobody kept waiting by nobody's work? */
static bool may_block(const struct core_state *core, const struct core_thread *thread, int64_t now)
{
	for (const struct core_thread *other = core->ready; other != NULL; other = other->after)
		if (other->priority >= thread->priority || core->executes == NULL)
			return false;
	return core->blocked <= now;
}

void core_execute(struct core_state *core, int64_t now, struct core_thread *thread, int64_t time, int64_t blocking)
{
	advance(core, now);
	core_go_on(core, now);
	thread->left = time;
	thread->busy = true;
	if (!thread->ready) {
		if (may_block(core, thread, now))
			core->blocked = checked_add(now, blocking);
		thread->ready = true;
		thread->order = core->orders++;
		thread->after = core->ready;
		core->ready = thread;
	}
	core_go_on(core, now);
}

void core_leave(struct core_state *core, int64_t now, struct core_thread *thread)
{
	struct core_thread **at = &core->ready;
	if (!thread->ready)
		return;
	advance(core, now);
	while (*at != thread)
		at = &(*at)->after;
	*at = thread->after;
	thread->ready = false;
	if (core->executes == thread) {
		core->executes = NULL;
		core->blocked = checked_min(core->blocked, now);
	}
	core_go_on(core, now);
}

struct core_thread *core_ended(struct core_state *core, int64_t now)
{
	advance(core, now);
	struct core_thread *thread = find_done(core);
	if (thread != NULL)
		thread->busy = false;
	else
		core_go_on(core, now);
	return thread;
}
