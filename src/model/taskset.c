#include "model/taskset.h"

#include <stddef.h>
#include <string.h>

/* Names as they stand in XML; each list ends with NULL. */
const char *const origin_names[] = {"measured", "proven", "declared", NULL};
const char *const stream_names[] = {"blocking", "non-blocking", "null", NULL};
const char *const interleave_names[] = {"low", "medium", "high", NULL};
const char *const partition_names[] = {"green", "mps", "mask", "mig", NULL};
const char *const arrival_names[] = {"periodic", "sporadic", "curve", NULL};
const char *const operation_names[] = {"copy", "memset", "kernel", "fragment", "host", "wait", "record", NULL};
const char *const scope_names[] = {"block", "grid", NULL};
const char *const cache_names[] = {"none", "prefer-shared", "prefer-l1", "equal", NULL};
const char *const kernel_memory_names[] = {"device", "managed", "zero-copy", NULL};
const char *const end_to_end_names[] = {"reaction", "age", NULL};
const char *const handover_names[] = {"register", "queue", NULL};
const char *const overflow_names[] = {"none", "oldest", NULL};

const char *const lock_names[] = {"priority", "fifo", NULL};

const struct operation *taskset_outside_lock(const struct taskset *set)
{
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		if (operation->stream != NO_ID && operation->hold == 0)
			return operation;
	}
	return NULL;
}

bool taskset_is_apart(const struct taskset *set, int stream)
{
	bool apart = true;
	for (int s = 0; s < set->stream_count; s++)
		apart = apart && (s == stream || taskset_keeps_apart(set, stream, s));
	return apart;
}

/* Operations of a unit stand together; what is before an earlier one of the same stream was with that. */
static const bool *find_together(struct arena *arena, const struct taskset *set)
{
	bool *together = NULL;
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *own = &set->operations[i], *other = own - 1;
		for (int k = i; own->hold != 0 && k > 0 && other->hold == own->hold && other->stream != own->stream; k--, other--) {
			if (together == NULL)
				together = arena_allocate(arena, (size_t)set->stream_count * (size_t)set->stream_count, sizeof *together);
			together[own->stream * set->stream_count + other->stream] = true;
			together[other->stream * set->stream_count + own->stream] = true;
		}
	}
	return together;
}

static int lock_of(const struct taskset *set, int stream)
{
	int found = 0;
	for (int i = 0; i < set->operation_count && set->locked; i++) {
		const struct operation *operation = &set->operations[i];
		if (operation->stream != stream)
			continue;
		int lock = set->holds[operation->hold - 1].lock + 1;
		if (found != 0 && found != lock)
			return 0;
		found = lock;
	}
	return found;
}

static bool is_in(const struct taskset *set, const struct task *task, int context)
{
	return task->application != NO_ID && taskset_context(set, task->application) == context;
}

bool taskset_holds(const struct taskset *set, int context)
{
	bool holds = false;
	for (int t = 0; t < set->task_count && set->applications[context].priority != NONE; t++)
		for (int i = 0; i < set->tasks[t].operation_count && is_in(set, &set->tasks[t], context); i++)
			holds |= task_operation(set, &set->tasks[t], i)->held;
	return holds;
}

/* The first application that names its server; itself where it names none. */
static int context_of(const struct taskset *set, int application)
{
	const char *server = set->applications[application].server;
	for (int i = 0; i <= application && server != NULL; i++)
		if (set->applications[i].server != NULL && strcmp(set->applications[i].server, server) == 0)
			return i;
	return application;
}

int taskset_contexts(const struct taskset *set)
{
	int greatest = 0;
	for (int i = 0; i < set->application_count; i++)
		greatest = taskset_context(set, i) > greatest ? taskset_context(set, i) : greatest;
	return 1 + greatest;
}

int taskset_clients(const struct taskset *set, int context)
{
	int count = 0;
	for (int i = 0; i < set->application_count; i++)
		count += taskset_context(set, i) == context;
	return count;
}

/* Who issues to a stream, or records and waits for an event. */
struct use {
	int owner, segment; /* the task that did last, and in which segment; 0: none did */
	bool shared;        /* tasks do */
	bool several;       /* a segment does several times: what another task issues there may part it */
};

/* Launches one by one, or a frame's draws: another thread's call may come between. */
static bool takes_several_calls(const struct operation *operation)
{
	return operation->span.single || operation->kind == OPERATION_FRAGMENT;
}

static void note_use(struct use *use, int owner, int segment, bool calls)
{
	use->shared |= use->owner != 0 && use->owner != owner;
	use->several |= use->segment == segment || calls;
	use->owner = owner;
	use->segment = segment;
}

/* Is all work on the GPU issued by threads on cores that say when it is there, with nothing in it that another thread may part or order? */
static bool find_submits(struct arena *arena, const struct taskset *set)
{
	bool all = true;
	int segment = 0, works = 0;
	if (set->core_count == 0)
		return false;
	struct use *streams = arena_allocate(arena, (size_t)set->stream_count + 1, sizeof *streams);
	struct use *events = arena_allocate(arena, (size_t)set->event_count + 1, sizeof *events);
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		segment++;
		for (int i = 0; i < task->operation_count; i++) {
			const struct operation *operation = task_operation(set, task, i);
			segment += operation->kind == OPERATION_HOST;
			if (operation->kind == OPERATION_HOST)
				continue;
			works++;
			note_use(&streams[operation->stream], 1 + t, segment, takes_several_calls(operation));
			if (operation->event != NO_ID)
				note_use(&events[operation->event], 1 + t, segment, false);
			all = all && task->core > 0 && set->cores[task->core - 1].submission != NONE;
		}
	}
	for (int i = 0; i < set->stream_count; i++)
		all = all && !(streams[i].shared && streams[i].several) && !(streams[i].owner != 0 && set->streams[i].kind == STREAM_NULL);
	for (int i = 0; i < set->event_count; i++)
		all = all && !events[i].shared;
	return all && works > 0;
}

void taskset_settle(struct arena *arena, struct taskset *set)
{
	int *lock = arena_allocate(arena, (size_t)set->stream_count + 1, sizeof *lock);
	set->locked = set->hold_count > 0 && taskset_outside_lock(set) == NULL;
	set->together = find_together(arena, set);
	set->exclusive = set->locked;
	for (int i = 0; i < set->hold_count; i++)
		set->exclusive = set->exclusive && set->holds[i].lock == set->holds[0].lock;
	for (int s = 0; s < set->stream_count; s++)
		lock[s] = lock_of(set, s);
	set->lock_of = lock;
	int *context = arena_allocate(arena, (size_t)set->application_count + 1, sizeof *context);
	for (int i = 0; i < set->application_count; i++)
		context[i] = context_of(set, i);
	set->context_of = context;
	set->submits = find_submits(arena, set);
	set->ranked = set->interleaved = set->served = false;
	for (int i = 0; i < set->application_count; i++) {
		set->served |= taskset_context(set, i) != i;
		set->ranked |= set->applications[i].priority != NONE;
		set->interleaved |= set->applications[taskset_context(set, i)].interleave != set->applications[0].interleave;
	}
	for (int i = 0; i < set->operation_count; i++)
		set->host_memory |= set->operations[i].kernel.memory != KERNEL_MEMORY_DEVICE;
}

bool taskset_counts_dispatches(const struct taskset *set)
{
	bool counts = false;
	for (int i = 0; i < set->operation_count; i++)
		counts |= set->operations[i].kind == OPERATION_KERNEL && set->operations[i].kernel.scope == SCOPE_BLOCK;
	for (int i = 1; i < set->stream_count; i++)
		counts |= set->streams[i].level != set->streams[0].level;
	return counts;
}

int64_t kernel_warps(const struct kernel *kernel)
{
	return checked_div_ceil(kernel->threads, THREADS_A_WARP);
}

const struct program *taskset_new_program(const struct taskset *set, int operation)
{
	const struct program *program = set->operations[operation].program;
	for (int i = 0; i < operation; i++)
		if (set->operations[i].program == program)
			return NULL;
	return program;
}

static bool has_phases(const struct taskset *set)
{
	bool found = false;
	for (int i = 0; i < set->task_count; i++)
		found |= set->tasks[i].offset != NONE;
	return found;
}

static bool has_reservations(const struct taskset *set)
{
	bool found = false;
	for (int i = 0; i < set->task_count; i++)
		found |= set->tasks[i].core > 0 && task_reserves(&set->tasks[i]);
	return found;
}

static bool has_submission(const struct taskset *set)
{
	bool found = false;
	for (int i = 0; i < set->task_count; i++)
		found |= task_submits(set, &set->tasks[i]);
	return found;
}

bool taskset_concerns(const struct taskset *set, enum assumption assumption)
{
	bool queues = false;
	for (int i = 0; i < set->end_to_end_count && assumption == ASSUMPTION_DATA; i++)
		queues |= end_to_end_has_queue(&set->end_to_end[i]);
	if (assumption == ASSUMPTION_INTERLEAVE)
		return set->interleaved;
	if (assumption == ASSUMPTION_MPS || assumption == ASSUMPTION_MPS_ORDER)
		return set->served;
	if (assumption == ASSUMPTION_PHASES)
		return has_phases(set);
	if (assumption == ASSUMPTION_SUBMIT)
		return has_submission(set);
	if (assumption == ASSUMPTION_DEADLINE)
		return has_reservations(set);
	return assumption == ASSUMPTION_CORE ? set->core_count > 0 : assumption != ASSUMPTION_DATA || queues;
}

static bool has_thread(const struct taskset *set, const struct task *task)
{
	bool found = false;
	for (int i = 0; i < task->operation_count; i++)
		found |= task_operation(set, task, i)->kind == OPERATION_HOST || task_returns(set, task, i);
	return found;
}

const char *taskset_discharges(const struct taskset *set, enum assumption assumption)
{
	bool found = false;
	if (assumption == ASSUMPTION_HOST && set->submits)
		return "[SUBMISSION]";
	for (int t = 0; t < set->task_count && assumption == ASSUMPTION_HOST_WCRT; t++) {
		bool thread = has_thread(set, &set->tasks[t]);
		if (thread && set->tasks[t].core == 0)
			return NULL;
		found |= thread;
	}
	return found ? "[CORES]" : NULL;
}
