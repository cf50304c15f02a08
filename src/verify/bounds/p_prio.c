/* P-PRIO of a report: [P-PRIO]. */
#include "verify/thread_claims.h"
#include "verify/serial_server.h"

/* The lower, the earlier; best effort comes last. */
static int64_t turn_of(const struct work *work, int context)
{
	int64_t priority = work->check->set->applications[work->sharing->owners[context].process].priority;
	return checked_is_none(priority) ? INT64_MAX : priority;
}

static bool goes_first(const struct work *work, int context, int before)
{
	return turn_of(work, context) < turn_of(work, before);
}

static bool keeps(const struct work *work, const struct part *part, int operation)
{
	const struct operation *of = &work->check->set->operations[operation];
	return of->kind == OPERATION_HOST && of->held && turn_of(work, part->context) != INT64_MAX;
}

/* How long a thread keeps the GPU: its last host segments, too. */
static uint64_t needs_of_keepers(const struct work *work)
{
	const struct taskset *set = work->check->set;
	uint64_t needs = 0;
	for (int i = 0; i < work->part_count; i++) {
		const struct task *task = &set->tasks[work->parts[i].task];
		for (int k = 0; k < task->operation_count; k++)
			if (keeps(work, &work->parts[i], task->first_operation + k))
				needs |= threads_needs(set, work->parts[i].task);
	}
	return needs;
}

uint64_t claimed_p_prio_needs(const struct work *work, int context, bool *applies)
{
	bool shared = work->check->platform->copy_runlist == COPY_RUNLIST_SHARED;
	uint64_t needs = bounds_needs_of_hosts(work, NO_ID) | needs_of_keepers(work);
	*applies = *applies && work->ranked;
	for (int i = 0; i < work->owner_count; i++) {
		if (!goes_first(work, context, i))
			needs |= bounds_needs_of_order(work, i, applies);
		else if (work->owners[i].copies && !shared)
			*applies = false;
		*applies = *applies && !work->sharing->owners[i].parted;
	}
	return needs;
}

/* ---- host segments around a segment's operations in which the thread keeps the GPU */

struct keeping {
	int from, to; /* operations; none: from == to */
};

static struct keeping keeping_until(const struct work *work, const struct part *part)
{
	struct keeping keeping = {part->first, part->first};
	while (keeping.from > work->check->set->tasks[part->task].first_operation && keeps(work, part, keeping.from - 1))
		keeping.from--;
	return keeping;
}

static struct keeping keeping_since(const struct work *work, const struct part *part)
{
	const struct task *task = &work->check->set->tasks[part->task];
	int end = task->first_operation + task->operation_count;
	struct keeping keeping = {part->first + part->count, part->first + part->count};
	while (keeping.to < end && keeps(work, part, keeping.to))
		keeping.to++;
	if (keeping.to < end && work->check->set->operations[keeping.to].kind != OPERATION_HOST) /* the next segment's */
		keeping.to = keeping.from;
	return keeping;
}

static bool keeps_at_end(const struct work *work, int task)
{
	bool found = false;
	for (int i = 0; i < work->part_count; i++) {
		struct keeping keeping = keeping_since(work, &work->parts[i]);
		found = found || (work->parts[i].task == task && keeping.to > keeping.from);
	}
	return found;
}

static int64_t time_of(const struct work *work, const struct part *part, struct keeping keeping)
{
	int64_t time = 0;
	for (int i = keeping.from; i < keeping.to; i++)
		time = checked_add(time, work_host(work, part->task, i).value);
	return time;
}

/* ---- costs */

static struct fact disturbance(const struct work *work)
{
	int64_t longest = 0;
	for (int i = 0; i < work->owner_count; i++)
		longest = checked_max(longest, work->owners[i].overrun.value);
	struct fact fact =
		fact_make(work->check, RULE_PREEMPTION, "gpu", checked_add(checked_add(work->theta.value, work->theta.value), longest));
	fact_from(work->check, &fact, "theta", work->theta);
	for (int i = 0; i < work->owner_count; i++)
		fact_from(work->check, &fact, "Omega", work->owners[i].overrun);
	return fact;
}

/* cost: NULL, none besides. */
static struct fact disturbing(
	const struct work *work, const struct part *part, const struct fact *cost, struct keeping keeping, bool first, int64_t arrivals)
{
	struct fact each = disturbance(work);
	int64_t value = cost == NULL ? 0 : cost->value, count = checked_add(arrivals, keeping.to > keeping.from ? 1 : 0);
	if (first)
		value = checked_add(value, time_of(work, part, keeping));
	struct fact fact = fact_make(work->check, RULE_PREEMPTING, part->about, checked_add(value, checked_mul(count, each.value)));
	if (cost != NULL)
		fact_from(work->check, &fact, "e", *cost);
	for (int i = keeping.from; i < keeping.to && first; i++)
		fact_from(work->check, &fact, "C", work_host(work, part->task, i));
	fact_from(work->check, &fact, "k", fact_make(work->check, RULE_OPERATIONS, part->about, count));
	fact_from(work->check, &fact, "G", each);
	return fact;
}

static void add_one(struct problem *problem, int index)
{
	struct work *work = problem->work;
	const struct part *part = &work->parts[index];
	bool first = goes_first(work, part->context, problem->context);
	struct keeping since = keeping_since(work, part);
	bool behind = !first && keeps_at_end(work, part->task) && since.to == since.from;
	int64_t copies = work->copies_sliced ? bounds_operations(work, part, RUNS_ON_COPY_ENGINE) : 0;
	int64_t arrivals = checked_add(bounds_operations(work, part, RUNS_ON_SMS), copies);
	struct fact cost = bounds_cost(work, part, BOUNDS_DEPENDENCIES | (work->copies_sliced ? 0 : BOUNDS_TRANSFERS));
	struct item *item = serial_server_item(problem, index);
	item->cost = disturbing(work, part, &cost, keeping_until(work, part), first, checked_add(arrivals, behind ? 1 : 0));
	item->work = bounds_cost(work, part, BOUNDS_KERNELS);
	item->group = part->context;
	if (copies > 0) {
		item = serial_server_item(problem, index);
		item->work = bounds_cost(work, part, BOUNDS_TRANSFERS);
		item->group = work->owner_count;
	}
	if (since.to == since.from)
		return;
	item = serial_server_item(problem, index);
	item->cost = disturbing(work, part, NULL, since, first, 0);
	item->looks_back = true;
	item->lookback = problem->of_part[index];
	item->held = time_of(work, part, since);
}

static void add(struct problem *problem, int index)
{
	if (!goes_first(problem->work, problem->context, problem->work->parts[index].context))
		add_one(problem, index);
}

/* ---- slices count where several entries have one priority */

static bool takes_turns(const struct work *work, int context)
{
	int found = 0;
	for (int i = 0; i < work->owner_count; i++)
		if (turn_of(work, i) == turn_of(work, context))
			found += (work->owners[i].kernels ? 1 : 0) + (work->owners[i].copies && work->copies_sliced ? 1 : 0);
	return found >= 2;
}

static void add_groups(struct problem *problem)
{
	struct work *work = problem->work;
	struct group copies = {.share = 1};
	for (int i = 0; i < work->owner_count; i++) {
		const struct owner *owner = &work->owners[i];
		bool turns = !goes_first(work, problem->context, i) && takes_turns(work, i);
		struct group group = {.share = 1};
		if (turns && owner->kernels)
			group = (struct group){.share = 1, .sliced = true, .slice = owner->slice, .gap = owner->switch_gap};
		if (turns && owner->copies && work->copies_sliced)
			copies = (struct group){.share = 1,
				.sliced = true,
				.slice = work->parameters[PARAMETER_RUNLIST_COPY_TIMESLICE],
				.gap = work->theta};
		problem->groups[problem->group_count++] = group;
	}
	problem->groups[problem->group_count++] = copies;
}

/* Whose thread keeps the GPU it serves one job after the other: none is released before the one before is complete. */
static bool permits(const struct problem *problem)
{
	const struct work *work = problem->work;
	bool all = true;
	for (int t = 0; t < work->check->set->task_count; t++) {
		struct listed parts = lists_of(&work->parts_of_task, t);
		bool kept = false;
		for (int i = 0; i < work->check->set->tasks[t].operation_count && parts.count > 0; i++)
			kept = kept || task_operation(work->check->set, &work->check->set->tasks[t], i)->held;
		bool counts = kept && !goes_first(work, problem->context, work->parts[parts.items[0]].context);
		all = all && (!counts || bounds_thread_punctual(work, t, problem->within));
	}
	return all;
}

struct claims claimed_p_prio_hold(struct work *work, const struct turns *turns)
{
	static const struct serial_claim p_prio = {.kind = CLAIMED_P_PRIO,
		.above = true,
		.rule_once = RULE_P_PRIO,
		.rule_part = RULE_P_PRIO_PART,
		.add_groups = add_groups,
		.add = add,
		.lengthen = serial_server_sliced_stop,
		.permits = permits};
	(void)turns; /* they are found from the bounds of contexts that take turns, and these do not */
	return serial_server_hold(work, &p_prio);
}
