#include "simulate/core_scheduler.h"

struct core_state *cores_create(struct arena *arena, const struct taskset *set)
{
	struct core_state *cores = arena_allocate(arena, (size_t)set->core_count + 1, sizeof *cores);
	for (int i = 0; i < set->core_count; i++)
		cores[i].next = NONE;
	return cores;
}

/* A reservation that is new is one whose period is over. */
struct core_thread core_thread_of(const struct task *task, int64_t unit)
{
	const struct reservation reservation = {.runtime = task->sched_runtime,
		.deadline = task->sched_deadline,
		.period = task->sched_period,
		.unit = checked_max(1, unit),
		.until = task->sched_deadline - task->sched_period};
	return (struct core_thread){.priority = task->fifo, .reservation = reservation};
}

/* ---- reservations */

static bool reserves(const struct core_thread *thread)
{
	return thread->reservation.runtime > 0;
}

static int64_t next_runtime(const struct reservation *of)
{
	return of->until - of->deadline + of->period;
}

static void renew(struct reservation *of, int64_t now)
{
	of->left = of->runtime;
	of->until = checked_add(now, of->deadline);
}

/* A timer did at the instant that was due, also while the thread slept. */
static bool replenish(struct reservation *of, int64_t now)
{
	if (!of->throttled || of->due > now)
		return false;
	of->throttled = false;
	do {
		of->left += of->runtime;
		of->until = checked_add(of->until, of->period);
	} while (of->left <= 0);
	if (of->until < of->due)
		renew(of, of->due);
	return true;
}

/* Who is late goes on at once. */
static void throttle(struct reservation *of, int64_t now)
{
	of->throttled = true;
	of->due = checked_max(now, next_runtime(of));
	replenish(of, now);
}

/* Is more left than its share of the time to its deadline, in whole units? */
static bool exceeds_share(const struct reservation *of, int64_t now)
{
	int64_t time = (of->until - now) / of->unit, deadline = of->deadline / of->unit;
	return deadline > 0 && of->left / of->unit > checked_mul_div_floor(of->runtime / of->unit, time, deadline);
}

/* Its share, which Linux multiplies to 20 binary places. */
static int64_t revised(const struct reservation *of, int64_t now)
{
	if (of->unit == 1)
		return checked_mul_div_floor(of->runtime, of->until - now, of->deadline);
	int64_t density = checked_mul_div_floor(of->runtime, 1 << 20, of->deadline);
	return checked_mul_div_floor(density, of->until - now, 1 << 20);
}

static void wake(struct reservation *of, int64_t now)
{
	bool implicit = of->deadline == of->period;
	replenish(of, now);
	if (of->throttled)
		return;
	bool passed = of->until <= now, exceeds = !passed && exceeds_share(of, now);
	if (now >= next_runtime(of) || (implicit && exceeds))
		renew(of, now);
	else if (passed)
		of->left = 0;
	else if (exceeds)
		of->left = revised(of, now);
	if (of->left == 0)
		throttle(of, now);
}

/* ---- the core */

static void advance(struct core_state *core, int64_t now)
{
	struct core_thread *thread = core->executes;
	int64_t executed = now - core->since;
	bool exhausted = false;
	core->since = now;
	if (thread == NULL)
		return;
	if (thread->busy)
		thread->left = checked_max(0, thread->left - executed);
	if (reserves(thread)) {
		thread->reservation.left -= executed;
		exhausted = thread->reservation.left <= -thread->overrun;
		if (exhausted)
			throttle(&thread->reservation, now);
	}
	if ((thread->busy && thread->left == 0) || exhausted)
		core->blocked = checked_min(core->blocked, now); /* it was the thread's, and is over with its segment or its runtime */
}

/* Who executes rather, priorities and deadlines alone: < 0: a. */
static int rank(const struct core_thread *a, const struct core_thread *b)
{
	if (reserves(a) != reserves(b))
		return reserves(a) ? -1 : 1;
	int64_t first = reserves(a) ? a->reservation.until : b->priority, second = reserves(a) ? b->reservation.until : a->priority;
	return (first > second) - (first < second);
}

static bool is_before(const struct core_thread *a, const struct core_thread *b)
{
	int ranks = rank(a, b);
	return ranks < 0 || (ranks == 0 && a->order < b->order);
}

static struct core_thread *find_done(const struct core_state *core)
{
	struct core_thread *thread = core->ready;
	while (thread != NULL && !(thread->busy && thread->left == 0))
		thread = thread->after;
	return thread;
}

/* Is nobody of its priority or above ready, and nobody kept waiting by nobody's work? */
static bool may_block(const struct core_state *core, const struct core_thread *thread, int64_t now)
{
	for (const struct core_thread *other = core->ready; other != NULL; other = other->after)
		if (other != thread && !other->reservation.throttled && (rank(other, thread) <= 0 || core->executes == NULL))
			return false;
	return core->blocked <= now;
}

static void give_runtime(struct core_state *core, int64_t now)
{
	for (struct core_thread *thread = core->ready; thread != NULL; thread = thread->after)
		if (replenish(&thread->reservation, now) && may_block(core, thread, now))
			core->blocked = checked_add(now, thread->blocking);
}

static struct core_thread *find_first(const struct core_state *core)
{
	struct core_thread *first = NULL;
	for (struct core_thread *thread = core->ready; thread != NULL; thread = thread->after)
		if (!thread->reservation.throttled && (first == NULL || is_before(thread, first)))
			first = thread;
	return first;
}

static void stop_overrun(struct core_thread *thread, int64_t now)
{
	if (reserves(thread) && !thread->reservation.throttled && thread->reservation.left <= 0)
		throttle(&thread->reservation, now);
}

/* Who is preempted in an overrun is found to have no runtime. */
static void choose(struct core_state *core, int64_t now)
{
	if (core->blocked > now)
		return;
	struct core_thread *before = core->executes;
	core->executes = find_first(core);
	if (before != NULL && before != core->executes) {
		stop_overrun(before, now);
		core->executes = find_first(core);
	}
}

/* Who executes from now on, and until when at least. */
void core_go_on(struct core_state *core, int64_t now)
{
	choose(core, now);
	give_runtime(core, now);
	choose(core, now);
	core->next = core->blocked > now ? core->blocked : NONE;
	if (core->executes != NULL && core->executes->busy)
		core->next = checked_min(core->next, now + core->executes->left);
	if (core->executes != NULL && reserves(core->executes))
		core->next = checked_min(core->next, now + core->executes->reservation.left + core->executes->overrun);
	for (const struct core_thread *thread = core->ready; thread != NULL; thread = thread->after)
		if (thread->reservation.throttled)
			core->next = checked_min(core->next, thread->reservation.due);
	if (find_done(core) != NULL)
		core->next = now;
}

void core_execute(struct core_state *core, int64_t now, struct core_thread *thread, int64_t time)
{
	advance(core, now);
	core_go_on(core, now);
	thread->left = time;
	thread->busy = true;
	if (!thread->ready) {
		if (reserves(thread))
			wake(&thread->reservation, now);
		if (!thread->reservation.throttled && may_block(core, thread, now))
			core->blocked = checked_add(now, thread->blocking);
		thread->ready = true;
		thread->order = reserves(thread) ? thread->order : core->orders++;
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
	stop_overrun(thread, now);
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
