#include "verify/thread_claims.h"

#include "verify/claimed_bounds.h"
#include "verify/reserved_threads.h"

#include <inttypes.h>
#include <string.h>

/* ---- what is claimed */

static int64_t claim_of(struct check *check, int rule, const char *about)
{
	int step = graph_find(check, 0, rule, about);
	return step < 0 ? NONE : graph_integer(check, step);
}

/* Assumptions that a result lists. */
static uint64_t listed_assumptions(const struct check *check, const struct xml_element *element)
{
	const char *list = element_get(element, "assumptions");
	uint64_t found = 0;
	for (char *id = list == NULL ? NULL : strtok(arena_format(check->arena, "%s", list), " "); id != NULL; id = strtok(NULL, " "))
		for (int i = 0; i < ASSUMPTION_COUNT; i++)
			found |= strcmp(assumption_kinds[i].id, id) == 0 ? assumption_bit((enum assumption)i) : 0;
	return found;
}

static const struct task *user_of(const struct taskset *set, int operation)
{
	const struct task *task = set->tasks;
	while (operation >= task->first_operation + task->operation_count)
		task++;
	return task;
}

/* Does the job issue this to the stream without a host segment since what it issued there before? */
static bool follows_there(const struct taskset *set, int before, int operation)
{
	bool host = before < user_of(set, operation)->first_operation;
	for (int i = before; i < operation && !host; i++)
		host = set->operations[i].stream == NO_ID;
	return !host;
}

/* Is it work of which each part has a call of its own? */
static bool comes_in_parts(const struct operation *operation)
{
	return operation->kind == OPERATION_FRAGMENT || (operation->span.operations > 0 && operation->span.single);
}

/* Has each operation on the GPU a thread on a core that states its submission, is none between two calls by which another task issues to
 * its stream, and does no task wait for another one's event? Within a stream, and with an event, each operation has the one before it in
 * the file. */
static bool all_submitted(struct check *check, const struct taskset *set)
{
	int places = set->stream_count + set->event_count, work = 0;
	int *last = arena_allocate(check->arena, (size_t)places + 1, sizeof *last); /* 1 + its number; 0: none */
	bool *parted = arena_allocate(check->arena, (size_t)places + 1, sizeof *parted);
	bool *met = arena_allocate(check->arena, (size_t)places + 1, sizeof *met);
	bool good = true;
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		if (operation->stream == NO_ID)
			continue;
		const struct task *task = user_of(set, i);
		int used[2] = {operation->stream, operation->event == NO_ID ? NO_ID : set->stream_count + operation->event};
		for (int k = 0; k < 2 && used[k] != NO_ID; k++) {
			int before = last[used[k]] - 1;
			met[used[k]] |= before >= 0 && user_of(set, before) != task;
			parted[used[k]] |= k == 1 || comes_in_parts(operation) || (before >= 0 && follows_there(set, before, i));
			last[used[k]] = 1 + i;
		}
		good = good && task->core > 0 && !checked_is_none(set->cores[task->core - 1].submission) &&
		       set->streams[operation->stream].kind != STREAM_NULL;
		work++;
	}
	for (int i = 0; i < places; i++)
		good = good && !(met[i] && parted[i]);
	return good && work > 0;
}

const struct taskset *threads_claimed(struct check *check)
{
	const struct taskset *set = check->set;
	struct taskset *claimed = arena_allocate(check->arena, 1, sizeof *claimed);
	struct core_times *times = arena_allocate(check->arena, 1, sizeof *times);
	int64_t *delays = arena_allocate(check->arena, (size_t)set->operation_count + 1, sizeof *delays);
	int64_t *responses = arena_allocate(check->arena, (size_t)set->task_count + 1, sizeof *responses);
	const struct xml_element *element = check_next(element_child(check->root, "results")->first, "task");
	bool claims = false; /* anything of a thread: of a job, or of a host segment */
	if (set->core_count == 0)
		return set;
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		responses[t] = claim_of(check, RULE_CLAIM_TASK, arena_format(check->arena, "task:%s", task->id));
		if (element != NULL && task->core > 0)
			times->assumptions |= listed_assumptions(check, element);
		element = element == NULL ? NULL : check_next(element->next, "task");
		claims |= task->core > 0 && !checked_is_none(responses[t]);
		for (int i = task->first_operation; i < task->first_operation + task->operation_count && task->core > 0; i++) {
			if (set->operations[i].kind != OPERATION_HOST)
				continue;
			delays[i] = checked_sub(claim_of(check, task_reserves(task) ? RULE_RESERVED_RESPONSE : RULE_HOST_RESPONSE,
							arena_format(check->arena, "task:%s/op:%s", task->id, set->operations[i].id)),
				set->operations[i].wcet);
			claims |= !checked_is_none(delays[i]);
		}
	}
	claims |= times->assumptions != 0;
	for (int t = 0; t < set->task_count && claims; t++)
		times->assumptions |= task_reserves(&set->tasks[t]) ? ASSUMED(DEADLINE) : 0;
	times->delays = delays;
	times->responses = responses;
	*claimed = *set;
	claimed->core_times = times;
	claimed->submits = all_submitted(check, set);
	return claimed;
}

uint64_t threads_issue(const struct taskset *set)
{
	return set->submits ? ASSUMED(SUBMIT) | ASSUMED(CORE) | set->core_times->assumptions : ASSUMED(HOST);
}

/* Is L in one of its segments: one directly before work, a record or a wait? */
static bool is_submitted(const struct taskset *set, const struct task *task)
{
	bool before = false, found = false;
	for (int i = 0; i < task->operation_count; i++) {
		bool host = task_operation(set, task, i)->kind == OPERATION_HOST;
		found = found || (before && !host);
		before = host;
	}
	return found && !checked_is_none(set->cores[task->core - 1].submission);
}

uint64_t threads_needs(const struct taskset *set, int task)
{
	if (set->tasks[task].core == 0)
		return ASSUMED(HOST_WCRT);
	return ASSUMED(CORE) | set->core_times->assumptions | (is_submitted(set, &set->tasks[task]) ? ASSUMED(SUBMIT) : 0);
}

/* ---- a host segment: [CORES] */

/* The thread's response as it is claimed, if it is, and what it executes of a job: returned. */
static int64_t read_job(struct check *check, struct fact *time, int index)
{
	const struct task *task = &check->set->tasks[index];
	int64_t response = check->set->core_times->responses[index], executed = task_spins(task) ? response : 0;
	if (checked_is_none(response) && task_reserves(task))
		return NONE;
	fact_from(check, time, "R", fact_make(check, RULE_CLAIM_TASK, arena_format(check->arena, "task:%s", task->id), response));
	for (int i = 0; i < task->operation_count; i++) {
		const struct operation *host = task_operation(check->set, task, i);
		if (host->kind != OPERATION_HOST || task_spins(task))
			continue;
		executed = checked_add(executed, host->wcet);
		fact_from(check, time, "c", fact_given(check, host->wcet, "task:%s/op:%s@wcet", task->id, host->id));
	}
	return executed;
}

/* What jobs of the task, of so much each, execute in a window that begins and ends somewhere. */
static int64_t of_jobs(const struct taskset *set, int index, int64_t executed, int64_t window)
{
	const struct task *task = &set->tasks[index];
	const struct arrivals_at releases = {&task->arrival, task->arrival.jitter, true};
	int64_t reach = checked_add(window, checked_max(0, checked_sub(set->core_times->responses[index], executed)));
	return checked_is_none(reach) ? NONE : checked_mul(executed, bounds_arrivals(&releases, reach));
}

/* Another thread with no lower priority is on the core, in a window that begins and ends somewhere in the segment. */
static int64_t others(struct check *check, struct fact *time, int index, int64_t window)
{
	int64_t executed = read_job(check, time, index), most = of_jobs(check->set, index, executed, window);
	if (task_reserves(&check->set->tasks[index])) {
		reserved_given(check, time, index);
		most = checked_min(most, reserved_most(check->set, index, window));
	}
	return most;
}

/* In a reservation there is no other thread: the time follows from the thread's own. */
static int64_t in_reservation(struct check *check, struct fact *time, int index, int64_t wcet)
{
	const struct taskset *set = check->set;
	const struct task *task = &set->tasks[index];
	int64_t executed = read_job(check, time, index);
	reserved_given(check, time, index);
	bool overruns = set->cores[task->core - 1].overrun > 0;
	int64_t span = checked_add(task->sched_period, overruns ? reserved_lag(set, task->core) : 0);
	bool never_out = task->sched_period == task->sched_deadline &&
			 of_jobs(set, index, executed, span) <= task->sched_runtime - (overruns ? 1 : 0);
	const struct arrivals_at releases = {&task->arrival, task->arrival.jitter, true};
	bool one_each = task->operation_count == 1 && bounds_arrivals(&releases, task->sched_period) < 2 &&
			(wcet < task->sched_runtime || (wcet == task->sched_runtime && task->sched_deadline == task->sched_period));
	int64_t late = set->cores[task->core - 1].blocking, waits = reserved_anew(set, index, wcet);
	if (never_out || (one_each && bounds_arrivals(&releases, checked_add(task->sched_period, late)) < 2))
		waits = 0;
	return reserved_time(set, index, wcet, one_each ? checked_min(waits, late) : waits);
}

struct fact threads_host(struct check *check, int task_index, int index, struct fact isolated)
{
	const struct taskset *set = check->set;
	const struct task *task = &set->tasks[task_index];
	struct fact time = isolated;
	time.assumptions = threads_needs(set, task_index);
	if (task->core == 0)
		return time;
	const struct core *core = &set->cores[task->core - 1];
	int64_t claim = taskset_host_time(set, &set->operations[index]), needed = checked_add(core->blocking, set->operations[index].wcet);
	bool launches = index + 1 < task->first_operation + task->operation_count && set->operations[index + 1].stream != NO_ID;
	int64_t submission = launches && !checked_is_none(core->submission) ? core->submission : 0;
	int64_t executing = checked_sub(claim, submission); /* from its begin to its end on the core */
	if (checked_is_none(claim) || !reserved_room(set, task->core))
		return FACT_UNKNOWN;
	struct fact derived = fact_make(check, task_reserves(task) ? RULE_RESERVED_RESPONSE : RULE_HOST_RESPONSE,
		arena_format(check->arena, "task:%s/op:%s", task->id, set->operations[index].id), claim);
	reserved_all(check, &derived, task->core);
	fact_from(check, &derived, "B", fact_given(check, core->blocking, "core:%s@blocking", core->id));
	fact_from(check, &derived, "C", isolated);
	if (launches && !checked_is_none(core->submission))
		fact_from(check, &derived, "L", fact_given(check, core->submission, "core:%s@submission", core->id));
	if (task_reserves(task))
		needed = in_reservation(check, &derived, task_index, set->operations[index].wcet);
	for (int i = 0; i < set->task_count && !task_reserves(task); i++)
		if (i != task_index && set->tasks[i].core == task->core &&
			(task_reserves(&set->tasks[i]) || set->tasks[i].fifo >= task->fifo))
			needed = checked_add(needed, others(check, &derived, i, executing));
	needed = checked_add(needed, submission);
	if (needed > claim)
		derived.value = needed;
	fact_settle(&derived);
	derived.assumptions = time.assumptions;
	return derived;
}

/* ---- at the end: the claims are no less than what follows from them, and no job is released before the one before is complete */

/* Of a host segment, or of the task: what other threads on its core rest on. */
static bool claims_anything(const struct taskset *set, const struct task *task)
{
	bool found = task->core > 0 && !checked_is_none(set->core_times->responses[task - set->tasks]);
	for (int i = task->first_operation; i < task->first_operation + task->operation_count && task->core > 0; i++)
		found |= set->operations[i].kind == OPERATION_HOST && !checked_is_none(set->core_times->delays[i]);
	return found;
}

void threads_hold(struct check *check, const struct xml_element *element, const char *where, int index, int64_t response)
{
	const struct taskset *set = check->set;
	const struct task *task = &set->tasks[index];
	if (!claims_anything(set, task))
		return;
	const struct arrivals_at releases = {&task->arrival, task->arrival.jitter, true};
	int64_t claim = set->core_times->responses[index];
	if (checked_is_none(response) || bounds_arrivals(&releases, response) > 1)
		check_differs(check, element, where, "no time of its host segments, as its jobs may overlap", "some");
	else if (response > claim)
		check_differs(check, element, where, arena_format(check->arena, "%" PRId64 " claimed of it, or more", response),
			arena_format(check->arena, "%" PRId64, claim));
}
