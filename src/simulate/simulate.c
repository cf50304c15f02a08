/* A run: jobs released, their operations issued, responses noted. */
#include "simulate/run.h"

#include "simulate/core_scheduler.h"
#include "simulate/data_flow.h"
#include "simulate/lingering.h"
#include "simulate/locks.h"

#include "base/assert.h"

#define WORK_LIMIT (INT64_C(1) << 46) /* ns of one block's work that the rates of machine/rates.c can count in fractions */

/* What a job's thread does: its host segments, or nothing but wait for its operations; or it is between two that it issues; or it waits for
 * a lock, takes it, hands it over; or what it issued is on its way to the GPU. */
enum thread { THREAD_HOST, THREAD_LINGERS, THREAD_WAITS, THREAD_TAKES, THREAD_RELEASES, THREAD_SUBMITS };

struct job {
	int task, index;
	int64_t number, nominal, actual;
	int next;        /* its next operation to issue, of the task */
	int outstanding; /* issued and not complete */
	int blocked_by;  /* the operation for which its thread waits inside a synchronous call, or NO_ID */
	int64_t host_begun;
	int64_t due;   /* it may linger until then; 0: not at all */
	bool amid;     /* it has issued something since its last host segment */
	int64_t ahead; /* on its core: what it is still to execute of a host segment that issues what is behind it one by one */
	enum thread thread;
	int64_t wakes;     /* when its timer rings; any other one was set before it changed its mind */
	int holds_by;      /* 1 + its host segment that holds the GPU while it issues what is behind it one by one; 0: none */
	int held;          /* number of the unit under a lock that it waits for or is in; 0: none */
	int64_t hand_over; /* host time of it that is left: between its operations and behind them */
	struct request request;
	struct job *after; /* idle, or waiting for its turn */
};

struct task_state {
	struct release release; /* the next one */
	int64_t issue;          /* from when on its job issues */
	bool lingers;           /* its jobs may begin before their releases, and issue one operation after the other (lingering.h) */
	bool busy;
	struct job *waiting, *last_waiting;
	struct core_thread thread; /* of a task with a core */
};

struct run {
	struct machine machine;
	const struct simulate_options *options;
	struct simulate_result *result;
	struct releases *releases;
	struct durations durations;
	struct random random, lingering;
	struct task_state *tasks;
	const bool *pauses;  /* by operation: its thread may take its time before it (lingering.h) */
	const bool *ordered; /* [task][task]: lingering_order */
	struct job **jobs;   /* by index */
	int job_count, job_capacity;
	struct job *idle;
	struct lock_state *locks;
	struct core_state *cores;
	struct data_flow *flow;
	int64_t left; /* jobs that are not complete, and tasks with a release to come */
};

/* ---- the observer */
static void tell(struct run *run, struct event event)
{
	const struct observer *observer = &run->options->observer;
	event.time = run->machine.now;
	if (observer->see != NULL && (observer->unseen >> event.kind & 1) == 0)
		observer->see(observer->context, &event);
}

static void tell_job(struct run *run, const struct job *job, enum event_kind kind, int operation)
{
	const struct task *task = &run->machine.set->tasks[job->task];
	tell(run, (struct event){.kind = kind,
			  .application = task->application,
			  .task = job->task,
			  .operation = operation,
			  .job = job->number,
			  .instance = NO_ID,
			  .nominal = job->nominal,
			  .start = job->actual,
			  .sm = NO_ID});
}

static const enum event_kind kinds[] = {
	[SIGHT_ISSUE] = EVENT_ISSUE,
	[SIGHT_READY] = EVENT_READY,
	[SIGHT_BEGIN] = EVENT_BEGIN,
	[SIGHT_DISPATCH] = EVENT_DISPATCH,
	[SIGHT_END] = EVENT_END,
	[SIGHT_BLOCK_BEGIN] = EVENT_BLOCK_BEGIN,
	[SIGHT_BLOCK_END] = EVENT_BLOCK_END,
	[SIGHT_SLICE_BEGIN] = EVENT_SLICE_BEGIN,
	[SIGHT_SLICE_END] = EVENT_SLICE_END,
	[SIGHT_STOP_BEGIN] = EVENT_STOP_BEGIN,
	[SIGHT_STOP_END] = EVENT_STOP_END,
};

/* The machine's sights that the observer need not be told. */
static unsigned unseen_sights(const struct observer *observer)
{
	unsigned unseen = 0;
	for (unsigned sight = 0; sight < sizeof kinds / sizeof *kinds; sight++)
		unseen |= (observer->unseen >> kinds[sight] & 1) << sight;
	return unseen;
}

static void see_machine(void *context, enum sight sight, const struct instance *instance, int place, const struct block *block)
{
	struct run *run = context;
	struct event event = {.kind = kinds[sight],
		.application = NO_ID,
		.task = NO_ID,
		.operation = NO_ID,
		.job = NO_ID,
		.instance = NO_ID,
		.sm = place};
	if (sight == SIGHT_SLICE_BEGIN || sight == SIGHT_SLICE_END)
		event.application = place;
	if (instance != NULL) {
		const struct work *work = instance->work;
		event.application = run->machine.set->streams[work->stream].application;
		event.task = work->task;
		event.operation = work->number;
		event.job = instance->job;
		event.instance = instance->number;
		event.blocks = work->blocks;
		event.threads = work->opaque ? (int64_t)work->shape.warps * THREADS_A_WARP : work->operation->kernel.threads;
	}
	if (block != NULL) {
		const struct context *of = &run->machine.contexts[instance->work->unit];
		event.slot = (int)(block - of->blocks) - place * run->machine.limits.blocks;
		event.block = block->index;
		event.start = block->start;
	}
	tell(run, event);
}

/* ---- jobs */
static struct job *create(struct run *run)
{
	struct job *job = run->idle;
	if (job != NULL) {
		int index = job->index;
		run->idle = job->after;
		*job = (struct job){.index = index};
		return job;
	}
	struct arena *arena = run->machine.arena;
	run->jobs = arena_grow(arena, run->jobs, &run->job_capacity, run->job_count + 1, sizeof *run->jobs);
	job = arena_allocate(arena, 1, sizeof *job);
	job->index = run->job_count;
	run->jobs[run->job_count++] = job;
	return job;
}

static void go_on(struct run *run, struct job *job);
static void leave_core(struct run *run, struct job *job);

static void complete(struct run *run, struct job *job)
{
	struct simulate_task *task = &run->result->tasks[job->task];
	struct task_state *state = &run->tasks[job->task];
	int64_t now = run->machine.now;
	task->completed++;
	task->response = checked_max(task->response, now - job->actual);
	if (now - job->nominal > task->nominal_response) {
		task->nominal_response = now - job->nominal;
		task->worst_job = job->number;
	}
	tell_job(run, job, EVENT_COMPLETE, NO_ID);
	leave_core(run, job);
	data_flow_complete(run->flow, job->task, job->index, now);
	job->after = run->idle;
	run->idle = job;
	run->left--;
	struct job *waiting = state->waiting;
	state->busy = waiting != NULL;
	if (waiting != NULL) {
		state->waiting = waiting->after;
		go_on(run, waiting);
	}
}

/* ---- threads on cores: timers behind those of the tasks are the cores', then come the jobs' */

static int timer_of(const struct run *run, const struct job *job)
{
	return run->machine.set->task_count + run->machine.set->core_count + job->index;
}

static struct core_state *core_of(const struct run *run, const struct job *job)
{
	int core = run->machine.set->tasks[job->task].core;
	return core == 0 ? NULL : &run->cores[core - 1];
}

static void await_core(struct run *run, const struct core_state *core)
{
	if (core->next != NONE)
		machine_timer(&run->machine, core->next, run->machine.set->task_count + (int)(core - run->cores));
}

static int64_t longest_often(struct random *random, int64_t most)
{
	return random_chance(random, 60) ? most : random_between(random, 0, most);
}

static void execute(struct run *run, struct job *job, int64_t time)
{
	const struct task *task = &run->machine.set->tasks[job->task];
	struct core_state *core = core_of(run, job);
	struct core_thread *thread = &run->tasks[job->task].thread;
	thread->owner = job;
	thread->blocking = longest_often(&run->random, run->machine.set->cores[task->core - 1].blocking);
	if (task_reserves(task))
		thread->order = random_below(&run->random, 4);
	if (run->machine.set->cores[task->core - 1].overrun > 0 && core->executes != thread)
		thread->overrun = longest_often(&run->random, run->machine.set->cores[task->core - 1].overrun);
	core_execute(core, run->machine.now, thread, time);
	await_core(run, core);
}

static void leave_core(struct run *run, struct job *job)
{
	struct core_state *core = core_of(run, job);
	if (core == NULL)
		return;
	core_leave(core, run->machine.now, &run->tasks[job->task].thread);
	await_core(run, core);
}

/* At once as often as at last: what meets whom turns on these most. */
static int64_t some_time(struct run *run, int64_t least, int64_t most)
{
	if (random_chance(&run->lingering, 70))
		return random_chance(&run->lingering, 50) ? least : most;
	return random_between(&run->lingering, least, most);
}

static void wake_at(struct run *run, struct job *job, int64_t time)
{
	job->wakes = time;
	machine_timer(&run->machine, time, timer_of(run, job));
}

static void begin_host(struct run *run, struct job *job, int operation)
{
	int64_t time = durations_next(&run->durations, operation, 1);
	if (core_of(run, job) == NULL ? run->options->late_hosts : run->options->kept_off)
		time *= random_between(&run->lingering, 1, 3);
	job->host_begun = run->machine.now;
	job->outstanding = 1;
	job->amid = false;
	tell_job(run, job, EVENT_BEGIN, operation);
	machine_hold(&run->machine, operation, 1);
	if (core_of(run, job) != NULL) {
		int64_t least = checked_max(1, run->durations.least[operation]); /* a call takes time there */
		int64_t first = run->tasks[job->task].lingers && time > 0 ? some_time(run, checked_min(least, time), time) : time;
		job->ahead = time - first;
		execute(run, job, first);
		return;
	}
	job->due = 0;
	if (run->tasks[job->task].lingers) {
		job->due = checked_add(run->machine.now, time);
		time = some_time(run, checked_min(run->durations.least[operation], time), time);
	}
	wake_at(run, job, checked_add(run->machine.now, time));
}

/* ---- units under a lock: host time, what is issued, host time again, all of it no more than the hold */

static struct lock_state *lock_of(struct run *run, const struct job *job)
{
	return &run->locks[run->machine.set->holds[job->held - 1].lock];
}

static void host_passes(struct run *run, struct job *job, enum thread thread, int64_t time)
{
	job->thread = thread;
	wake_at(run, job, run->machine.now + time);
}

/* As often as not all of the hold passes; before the operations, or behind them. */
static void hold_lock(struct run *run, struct job *job)
{
	int64_t most = run->machine.set->holds[job->held - 1].time;
	int64_t all = random_chance(&run->random, 70) ? most : random_between(&run->random, 0, most);
	int64_t before = random_chance(&run->random, 30) ? all : random_chance(&run->random, 50) ? 0 : random_between(&run->random, 0, all);
	job->hand_over = all - before;
	host_passes(run, job, THREAD_TAKES, before);
}

static void ask_for_lock(struct run *run, struct job *job, int hold)
{
	job->held = hold;
	job->thread = THREAD_WAITS;
	job->request = (struct request){.owner = job, .priority = run->machine.set->holds[hold - 1].priority};
	if (lock_take(lock_of(run, job), &job->request))
		hold_lock(run, job);
}

static void hand_over(struct run *run, struct job *job)
{
	struct request *next = lock_release(lock_of(run, job));
	job->held = 0;
	job->thread = THREAD_HOST;
	if (next != NULL)
		hold_lock(run, next->owner);
	go_on(run, job);
}

/* Is it not for the job now to issue this operation? It waits for what is outstanding, asks for a lock, or releases one. */
static bool lock_intervenes(struct run *run, struct job *job, int hold)
{
	if (hold == job->held && (hold == 0 || job->thread == THREAD_HOST))
		return false;
	if (job->thread != THREAD_HOST || job->outstanding > 0)
		return true;
	if (job->held != 0)
		host_passes(run, job, THREAD_RELEASES, job->hand_over);
	else
		ask_for_lock(run, job, hold);
	return true;
}

/* Does the thread take its time inside of a unit? While something is under way as long as it likes, until that is over for what it issues
 * to another stream; while nothing is, of what is left of the hold. */
static bool dawdles(struct run *run, struct job *job, int operation)
{
	const struct operation *next = run->machine.works[operation].operation;
	bool inside = job->held != 0 && job->next > 0 && next->hold == next[-1].hold, idle = job->outstanding == 0;
	if (inside && !idle && next->stream != next[-1].stream && random_chance(&run->random, 50))
		return true;
	int64_t most = idle ? job->hand_over : 1 + run->durations.most[operation - inside];
	if (!inside || !run->options->one_by_one || most == 0 || random_chance(&run->lingering, 60))
		return false;
	int64_t time = some_time(run, 1, most);
	job->hand_over -= idle ? time : 0;
	host_passes(run, job, THREAD_LINGERS, time);
	return true;
}

/* What it issued in a unit is over while its thread takes its time: from now on that is host time of the hold. */
static void cut_pause(struct run *run, struct job *job)
{
	int64_t now = run->machine.now, left = checked_min(job->wakes - now, job->hand_over);
	if (job->held == 0 || job->thread != THREAD_LINGERS || job->outstanding > 0)
		return;
	job->hand_over -= left;
	wake_at(run, job, now + left);
}

/* Does the thread take its time before it issues the next operation? It has until its job's release, or the end of its host segment, and is
 * done before its next job begins: jobs of a task issue one after the other (A-HOST). */
static bool lingers(struct run *run, struct job *job)
{
	if (core_of(run, job) != NULL) {
		if (job->ahead == 0 || random_chance(&run->lingering, 40))
			return false;
		int64_t part = some_time(run, 1, job->ahead);
		job->ahead -= part;
		job->thread = THREAD_LINGERS;
		execute(run, job, part);
		return true;
	}
	int64_t due = job->due - (run->tasks[job->task].issue == job->due);
	if (due <= run->machine.now || random_chance(&run->lingering, 40))
		return false;
	host_passes(run, job, THREAD_LINGERS, some_time(run, 1, due - run->machine.now));
	return true;
}

/* What a job issues to a stream is not parted there by another one (A-HOST): who is amid issuing does the rest of it at once, before. */
static void hurry_others(struct run *run, const struct job *job)
{
	int tasks = run->machine.set->task_count;
	for (int i = 0; i < run->job_count && run->options->one_by_one; i++) {
		struct job *other = run->jobs[i];
		bool amid = other != job && other->thread == THREAD_LINGERS && other->amid && other->held == 0;
		if (!amid || core_of(run, other) != NULL || !run->ordered[other->task * tasks + job->task])
			continue;
		other->thread = THREAD_HOST;
		other->wakes = NONE;
		other->due = 0;
		go_on(run, other);
	}
}

/* The segment that holds the GPU is over as its last operation is issued. */
static void stop_holding(struct run *run, struct job *job)
{
	if (job->holds_by > 0)
		machine_hold(&run->machine, job->holds_by - 1, -1);
	job->holds_by = 0;
}

/* Issues what may be issued: all up to a synchronous call, which returns as its operation is complete, or up to the next host segment, and
 * that one once everything before it is complete. */
static void go_on(struct run *run, struct job *job)
{
	const struct task *task = &run->machine.set->tasks[job->task];
	while (job->thread != THREAD_LINGERS && job->next < task->operation_count) {
		int operation = task->first_operation + job->next;
		bool host = run->machine.works[operation].kind == WORK_HOST;
		if (lock_intervenes(run, job, run->machine.works[operation].operation->hold))
			return;
		if (dawdles(run, job, operation) || (!host && run->pauses[operation] && lingers(run, job)))
			return;
		if (host)
			stop_holding(run, job);
		if (host && job->outstanding > 0)
			return;
		int count = task_launched(run->machine.set, task, job->next);
		job->next += count;
		if (host) {
			begin_host(run, job, operation);
			return;
		}
		job->outstanding += count;
		job->blocked_by = run->machine.works[operation].operation->copy.synchronous ? operation : NO_ID;
		if (job->blocked_by != NO_ID)
			job->due = 0;
		hurry_others(run, job);
		job->amid = true;
		machine_issue(&run->machine, operation, count, job->number, job);
		if (job->blocked_by != NO_ID) {
			stop_holding(run, job);
			return;
		}
	}
	if (job->thread == THREAD_LINGERS)
		return;
	stop_holding(run, job);
	if (lock_intervenes(run, job, 0))
		return;
	if (job->outstanding == 0)
		complete(run, job);
}

static void note(struct run *run, const struct job *job, int operation, int64_t ready)
{
	struct simulate_operation *noted = &run->result->operations[operation];
	noted->ended++;
	noted->response = checked_max(noted->response, run->machine.now - ready);
	noted->from_release = checked_max(noted->from_release, run->machine.now - job->nominal);
}

static void ended(void *context, struct instance *instance)
{
	struct run *run = context;
	struct job *job = instance->owner;
	struct simulate_operation *noted = &run->result->operations[instance->work->number];
	note(run, job, instance->work->number, instance->ready);
	if (instance->dispatched >= 0)
		noted->wait = checked_max(noted->wait, instance->dispatched - instance->ready);
	noted->longest = checked_max(noted->longest, instance->longest);
	job->outstanding--;
	cut_pause(run, job);
	bool returns = job->blocked_by == instance->work->number;
	if (returns)
		job->blocked_by = NO_ID;
	if (job->blocked_by == NO_ID && (returns || job->outstanding == 0))
		go_on(run, job);
}

/* The thread has the lock, or has handed it over; or it is time to issue the next operation. */
static bool end_of_pause(struct run *run, struct job *job)
{
	enum thread thread = job->thread;
	job->thread = THREAD_HOST;
	if (thread == THREAD_TAKES || thread == THREAD_LINGERS)
		go_on(run, job);
	else if (thread == THREAD_RELEASES)
		hand_over(run, job);
	return thread != THREAD_HOST;
}

/* What the segment issued is at the GPU; one that holds it did so until now. */
static void submitted(struct run *run, struct job *job, int operation)
{
	job->holds_by = operation + 1;
	job->thread = THREAD_HOST;
	job->outstanding = 0;
	go_on(run, job);
}

static void submit(struct run *run, struct job *job, int operation)
{
	const struct taskset *set = run->machine.set;
	int64_t most = taskset_submission(set, &set->tasks[job->task], &set->operations[operation]);
	if (run->options->late_launches && taskset_submits(set, &set->tasks[job->task], &set->operations[operation]))
		most = checked_add(most, random_between(&run->lingering, 0, 2 * run->durations.most[operation]));
	if (most > 0 && job->ahead == 0)
		host_passes(run, job, THREAD_SUBMITS, random_chance(&run->random, 60) ? most : random_between(&run->random, 0, most));
	else
		submitted(run, job, operation);
}

static void end_host(struct run *run, struct job *job)
{
	int operation = run->machine.set->tasks[job->task].first_operation + job->next - 1;
	if (job->thread == THREAD_SUBMITS) {
		submitted(run, job, operation);
		return;
	}
	if (end_of_pause(run, job))
		return;
	struct simulate_operation *noted = &run->result->operations[operation];
	noted->longest = checked_max(noted->longest, run->machine.now - job->host_begun);
	note(run, job, operation, job->host_begun);
	tell_job(run, job, EVENT_END, operation);
	submit(run, job, operation);
}

/* A thread whose segment is over, and which has no other one to execute, waits for the GPU or for its next job. */
static void core_event(struct run *run, int index)
{
	struct core_state *core = &run->cores[index];
	if (core->next != run->machine.now)
		return;
	struct core_thread *thread = core_ended(core, run->machine.now);
	if (thread != NULL) {
		struct job *job = thread->owner;
		end_host(run, job);
		if (!thread->busy && !task_spins(&run->machine.set->tasks[job->task]))
			core_leave(core, run->machine.now, thread);
		core_go_on(core, run->machine.now);
	}
	await_core(run, core);
}

/* ---- releases */
/* When its thread may begin to issue: behind the job before by the least distance, as that one is all issued at its release. */
static int64_t first_issue(struct run *run, struct task_state *state, const struct task *task, int64_t before)
{
	int64_t apart = task->arrival.min_distance == NONE ? 0 : task->arrival.min_distance;
	int64_t earliest = before == NONE ? state->release.nominal : checked_max(state->release.nominal, checked_add(before, apart));
	return state->lingers && task->core == 0 ? some_time(run, checked_min(earliest, state->release.actual), state->release.actual)
						 : state->release.actual;
}

/* Is there one? */
static bool schedule(struct run *run, int task)
{
	struct task_state *state = &run->tasks[task];
	struct releases *releases = &run->releases[task];
	int64_t before = releases->count == 0 ? NONE : releases->actual;
	if (!releases_next(releases, &run->options->releases, task, &state->release))
		return false;
	run->left++;
	state->issue = first_issue(run, state, &run->machine.set->tasks[task], before);
	machine_timer(&run->machine, state->issue, task);
	return true;
}

static void wait_for_turn(struct task_state *state, struct job *job)
{
	if (state->waiting == NULL)
		state->waiting = job;
	else
		state->last_waiting->after = job;
	state->last_waiting = job;
}

/* Its thread waits for a job before it has the next one: on its core, or for what it did under a lock, or holding the GPU. */
static bool has_one_thread(const struct run *run, const struct task *task)
{
	const struct taskset *set = run->machine.set;
	bool waits = task->core > 0, ranked = set->ranked && run->machine.runlist.used;
	for (int i = 0; i < task->operation_count && !waits; i++)
		waits = task_operation(set, task, i)->hold != 0 || (ranked && task_operation(set, task, i)->held);
	return waits;
}

static void release(struct run *run, int task)
{
	struct task_state *state = &run->tasks[task];
	struct job *job = create(run);
	job->task = task;
	job->blocked_by = NO_ID;
	job->number = run->result->tasks[task].released++;
	job->nominal = state->release.nominal;
	job->actual = state->release.actual;
	job->due = state->lingers && run->machine.set->tasks[task].core == 0 ? job->actual : 0;
	tell_job(run, job, EVENT_RELEASE, NO_ID);
	data_flow_release(run->flow, task, job->index, run->machine.now, !schedule(run, task));
	bool in_turn = run->options->jobs_in_turn || has_one_thread(run, &run->machine.set->tasks[task]);
	if (in_turn && state->busy)
		wait_for_turn(state, job);
	else {
		state->busy = true;
		go_on(run, job);
	}
}

static void ring(struct run *run, struct job *job)
{
	job->wakes = NONE;
	end_host(run, job);
}

static void timer(void *context, int number)
{
	struct run *run = context;
	int tasks = run->machine.set->task_count, cores = run->machine.set->core_count;
	if (number < tasks)
		release(run, number);
	else if (number < tasks + cores)
		core_event(run, number - tasks);
	else if (run->jobs[number - tasks - cores]->wakes == run->machine.now)
		ring(run, run->jobs[number - tasks - cores]);
}

static int64_t duration(void *context, const struct instance *instance, int residents)
{
	struct run *run = context;
	return durations_next(&run->durations, instance->work->number, residents);
}

/* ---- the run */
static int64_t longest_work(const struct run *run)
{
	int64_t longest = 0;
	for (int i = 0; i < run->machine.set->operation_count; i++)
		longest = checked_max(longest, run->durations.most[i]);
	return longest;
}

/* Why times would not fit; NULL: they do. */
static const char *too_long(const struct run *run)
{
	const struct machine *machine = &run->machine;
	const int64_t others[] = {
		machine->overhead_launch, machine->overhead_dependency, machine->runlist.switching, machine->switches.lateness};
	int64_t times = machine->switches.clients_pass ? LOOSE_MOST : 1, longest = checked_mul(longest_work(run), times);
	int64_t block = platform_value(machine->platform, PARAMETER_OVERHEAD_BLOCK);
	bool fits = longest < DURATION_LIMIT && (block == NONE || block < DURATION_LIMIT);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		fits &= others[i] < DURATION_LIMIT;
	if (!fits)
		return "a WCET, an overhead or a switch takes more than a year";
	if (run->options->interference != INTERFERENCE_OFF && longest >= WORK_LIMIT)
		return "a WCET of more than 19 hours is too long to be simulated with interference";
	return NULL;
}

static void set_rates(struct run *run)
{
	int percent[INTERFERER_COUNT];
	for (int source = 0; source < INTERFERER_COUNT; source++)
		percent[source] = run->options->interference == INTERFERENCE_FULL ? 100 : (int)random_below(&run->random, 101);
	if (run->options->interference != INTERFERENCE_OFF)
		machine_rate(&run->machine, percent);
}

static bool prepare(struct run *run, struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	const struct simulate_options *options = run->options;
	const struct observer *observer = &options->observer;
	const struct client client = {run, duration, ended, timer, observer->see == NULL ? NULL : see_machine, unseen_sights(observer)};
	struct refusal refusal;
	bool runs = machine_create(&run->machine, arena, platform, set, &options->switches, &client, options->seed, &refusal);
	run->result->refusal = refusal.text;
	run->result->refused_operation = refusal.operation;
	if (!runs)
		return false;
	random_seed(&run->random, options->seed, 1);
	random_seed(&run->lingering, options->seed, 3);
	durations_init(&run->durations, arena, &run->machine, &options->durations, options->seed);
	run->releases = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *run->releases);
	run->tasks = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *run->tasks);
	run->pauses = lingering_find(arena, set);
	run->ordered = lingering_order(arena, set);
	for (int t = 0; t < set->task_count; t++) {
		run->tasks[t].thread = core_thread_of(&set->tasks[t], set->tasks[t].core > 0 ? set->cores[set->tasks[t].core - 1].unit : 1);
		run->tasks[t].lingers = options->one_by_one && run->pauses[set->tasks[t].first_operation];
	}
	run->locks = locks_create(arena, set);
	run->cores = cores_create(arena, set);
	run->flow = data_flow_create(arena, set, options->seed, run->result->chains);
	releases_init(run->releases, arena, set, &options->releases, &run->random);
	set_rates(run);
	run->result->refusal = too_long(run);
	run->result->refused_operation = NO_ID;
	return run->result->refusal == NULL;
}

/* Jobs come faster than they end. */
static bool is_swamped(const struct run *run)
{
	return run->options->most_jobs > 0 && run->left - run->machine.set->task_count > run->options->most_jobs;
}

static enum simulate_status loop(struct run *run)
{
	int64_t most = run->options->most_events == 0 ? INT64_MAX : run->options->most_events;
	for (int t = 0; t < run->machine.set->task_count; t++)
		schedule(run, t);
	while (run->left > 0) {
		if (is_swamped(run)) {
			run->result->swamped = true;
			return SIMULATE_LIMIT;
		}
		if (run->machine.now >= TIME_LIMIT || run->machine.taken >= most || (run->options->stop != NULL && *run->options->stop))
			return SIMULATE_LIMIT;
		if (!machine_step(&run->machine))
			break; /* it stands still: result->drained says so */
	}
	return SIMULATE_DONE;
}

enum simulate_status simulate_run(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct simulate_options *options, struct simulate_result *result)
{
	assert(options->releases.jobs > 0 || options->releases.horizon > 0);
	struct run *run = arena_allocate(arena, 1, sizeof *run);
	run->options = options;
	run->result = result;
	*result = (struct simulate_result){.status = SIMULATE_REFUSED};
	result->tasks = arena_allocate(arena, (size_t)set->task_count + 1, sizeof *result->tasks);
	result->operations = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *result->operations);
	result->chains = arena_allocate(arena, (size_t)set->end_to_end_count + 1, sizeof *result->chains);
	if (!prepare(run, arena, platform, set))
		return result->status;
	result->refused_operation = NO_ID;
	result->status = loop(run);
	result->end = run->machine.now;
	result->events = run->machine.taken;
	result->block_events = run->machine.block_events;
	result->drained = run->left == 0;
	return result->status;
}
