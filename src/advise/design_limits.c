/* Runs that every design has: a task alone; others that come just before it and take their turns, or hold the lock; and what the GPU can
 * carry in the long run. */
#include "advise/design_limits.h"

#include "response/applicable.h"

#include <string.h>

#define LOAD_UNIT INT64_C(1000000000) /* loads are in this unit, rounded down */
#define SLACK_MOST 99000              /* a hundredfold: slack/slack.h looks no further */

struct strand { /* what a task has on one stream */
	int task, group;
	int64_t sum, kernels, kernel; /* times of all its operations, of its kernels, and of the longest kernel */
	int64_t first;                /* of the kernel with which the task's work on the GPU begins; 0: it begins otherwise, or elsewhere */
	int64_t load, kernel_load;    /* the first two by the period; 0 without a period or a deadline */
};

struct limits {
	struct arena *arena;
	const struct space *space;
	int task;
	struct strand *strands;
	int count;
	int64_t hosts;           /* of `task` */
	int64_t change;          /* of processes, at most */
	int64_t *shortest_slice; /* [slice] rounded down */
	int64_t *longest_slice;  /* [slice] rounded up */
	bool free_phases; /* any work may come at any time, and all take turns: no phases, no core that tasks share, no contexts by priority
			   */
	int always, turns; /* assumptions that somebody answers for: of each bound, and of those beside other processes */
};

/* Alone on its SM, one block, where there are times of blocks. */
static int64_t alone(const struct operation *operation)
{
	bool curve = operation->kind == OPERATION_KERNEL && operation->kernel.curve != NULL;
	int64_t time = curve ? operation->kernel.curve[0] : operation->wcet;
	return checked_is_none(time) || operation->event != NO_ID ? 0 : time;
}

static int64_t load_of(const struct task *task, int64_t time)
{
	bool counts = task->arrival.kind != ARRIVAL_CURVE && !checked_is_none(task->deadline) && !task->best_effort;
	int64_t period = checked_add(task->arrival.period, task->arrival.rounded);
	int64_t load = counts && period > 0 ? checked_mul_div_floor(time, LOAD_UNIT, period) : 0;
	return checked_is_none(load) ? 0 : load;
}

static void add_strand(struct limits *limits, int t, int stream)
{
	const struct taskset *set = limits->space->set;
	struct strand strand = {.task = t, .group = limits->space->group_of[t]};
	bool begun = false;
	for (int i = 0; i < set->tasks[t].operation_count; i++) {
		const struct operation *operation = task_operation(set, &set->tasks[t], i);
		int64_t time = operation->stream == stream ? alone(operation) : 0;
		strand.first = !begun && operation->kind == OPERATION_KERNEL ? time : strand.first;
		begun |= operation->stream != NO_ID;
		strand.sum = checked_add(strand.sum, time);
		if (operation->kind != OPERATION_KERNEL)
			continue;
		strand.kernels = checked_add(strand.kernels, time);
		strand.kernel = checked_max(strand.kernel, time);
	}
	strand.load = load_of(&set->tasks[t], strand.sum);
	strand.kernel_load = load_of(&set->tasks[t], strand.kernels);
	if (strand.sum > 0 && !checked_is_none(strand.sum))
		limits->strands[limits->count++] = strand;
}

static int count_given(const struct platform *platform, uint64_t assumptions)
{
	int count = 0;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		count += (assumptions >> i & 1) && platform->assumptions[i].status != STATUS_HOLDS;
	return count;
}

static void read_slices(struct limits *limits)
{
	const struct space *space = limits->space;
	limits->shortest_slice = arena_allocate(limits->arena, (size_t)space->slice_count + 1, sizeof *limits->shortest_slice);
	limits->longest_slice = arena_allocate(limits->arena, (size_t)space->slice_count + 1, sizeof *limits->longest_slice);
	for (int i = 0; i < space->slice_count; i++) {
		struct rational slice = RATIONAL_NONE;
		units_parse(space->slices[i], UNIT_TIME, RATIONAL_NONE, &slice);
		bool known = !rational_is_none(slice);
		limits->shortest_slice[i] = known ? rational_floor(slice) : 0;
		limits->longest_slice[i] = known ? rational_ceil(slice) : INT64_MAX;
	}
}

struct limits *limits_find(struct arena *arena, const struct space *space, int task)
{
	const struct taskset *set = space->set;
	struct limits *limits = arena_allocate(arena, 1, sizeof *limits);
	*limits = (struct limits){.arena = arena, .space = space, .task = task, .free_phases = true};
	limits->strands = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *limits->strands);
	for (int t = 0; t < set->task_count; t++)
		for (int s = 0; s < set->stream_count; s++)
			add_strand(limits, t, s);
	for (int t = 0; t < set->task_count; t++)
		limits->free_phases &= checked_is_none(set->tasks[t].offset) && set->tasks[t].core == 0 && !set->ranked;
	for (int i = 0; task != NO_ID && i < set->tasks[task].operation_count; i++) {
		const struct operation *operation = task_operation(set, &set->tasks[task], i);
		limits->hosts = checked_add(limits->hosts, operation->kind == OPERATION_HOST ? alone(operation) : 0);
	}
	limits->always = count_given(space->platform, applicable_always(set));
	limits->turns = count_given(space->platform, assumption_bit(ASSUMPTION_EXCL));
	int64_t change = platform_value(space->platform, PARAMETER_RUNLIST_SWITCH);
	limits->change = checked_is_none(change) ? 0 : change;
	read_slices(limits);
	return limits;
}

/* ---- one plan, or many */

struct view { /* what of a plan is given */
	const struct limits *limits;
	const struct plan *plan;
	int groups, slices;
	bool sequence; /* processes take turns: no lock, no MPS */
};

/* Of the process, or the shortest that one may have (most: the longest). */
static int64_t slice_of(const struct view *view, int context, bool most)
{
	const struct limits *limits = view->limits;
	const struct space *space = limits->space;
	const int64_t *of = most ? limits->longest_slice : limits->shortest_slice;
	int64_t kept = platform_value(space->platform, PARAMETER_RUNLIST_TIMESLICE);
	for (int g = 0; g < space->group_count && !view->plan->split; g++) {
		int64_t own = space->set->applications[taskset_context(space->set, space->groups[g].application)].timeslice;
		if (space->stated.context[g] == context && !checked_is_none(own))
			kept = own;
	}
	if (checked_is_none(kept))
		kept = most ? INT64_MAX : 0;
	if (context < view->slices)
		return view->plan->slice[context] == KEPT ? kept : of[view->plan->slice[context]];
	for (int i = 0; i < space->slice_count; i++)
		kept = most == (of[i] > kept) ? of[i] : kept;
	for (int a = 0; a < space->set->application_count; a++) {
		int64_t slice = space->set->applications[a].timeslice;
		kept = !checked_is_none(slice) && most == (slice > kept) ? slice : kept;
	}
	return kept;
}

static int64_t grown(int64_t time, int64_t thousandths)
{
	return checked_mul_div_floor(time, 1000 + thousandths, 1000);
}

static bool is_given(const struct view *view, int group)
{
	return group != NO_ID && group < view->groups;
}

static int context_of(const struct view *view, int group)
{
	return plan_context(view->limits->space, view->plan, group);
}

/* [DESIGN-LIMITS] (turns): each other process is reached before each own turn, and has a turn while a kernel that comes with it is not
 * done; before each turn there is a switch. Own turns: of a slice each where slices end at instructions, else one. */
static int64_t others_turns(const struct view *view, const struct strand *own, int64_t grows)
{
	const struct limits *limits = view->limits;
	int64_t longest[ADVISE_GROUPS] = {0}, sum = 0;
	if (!view->sequence || !limits->free_phases || !is_given(view, own->group) || own->kernel == 0)
		return 0;
	int context = context_of(view, own->group);
	bool cut = limits->space->platform->preemption == PREEMPTION_INSTRUCTION; /* else all blocks of a kernel may be in its first turn */
	int64_t turns = cut ? checked_div_ceil(grown(own->kernel, grows), checked_max(slice_of(view, context, true), 1)) : 1;
	for (int i = 0; i < limits->count; i++) {
		const struct strand *other = &limits->strands[i];
		if (is_given(view, other->group) && context_of(view, other->group) != context)
			longest[context_of(view, other->group)] = checked_max(longest[context_of(view, other->group)], other->first);
	}
	int64_t most = 0;
	for (int c = 0; c < ADVISE_GROUPS; c++) {
		int64_t slice = slice_of(view, c, false), work = grown(longest[c], grows);
		if (work == 0 || slice <= 0)
			continue;
		int64_t its = checked_min(turns, checked_div_ceil(work, slice));
		sum = checked_add(sum, checked_add(checked_min(work, checked_mul(turns, slice)), checked_mul(its, limits->change)));
		most = checked_max(most, its);
	}
	sum = checked_add(sum, checked_mul(most, limits->change));
	return checked_is_none(sum) ? 0 : sum;
}

/* Is there a lock of the plan's own round each task's GPU work? */
static bool is_locked(const struct view *view)
{
	bool locked = view->plan->locking == LOCKING_FIFO || view->plan->locking == LOCKING_PRIORITY;
	return view->groups == ALL_GIVEN && locked && view->limits->space->set->lock_count == 0;
}

/* The longest strand of a task. */
static int64_t longest_strand(const struct limits *limits, int task)
{
	int64_t longest = 0;
	for (int i = 0; i < limits->count; i++)
		if (limits->strands[i].task == task)
			longest = checked_max(longest, limits->strands[i].sum);
	return longest;
}

/* [DESIGN-LIMITS] (lock): who asked before is served before, and who has the lock keeps it. */
static int64_t others_units(const struct view *view, const struct strand *own, int64_t grows)
{
	const struct limits *limits = view->limits;
	const struct space *space = limits->space;
	int64_t before = 0, other = 0;
	if (!is_locked(view) || !limits->free_phases || own->group == NO_ID)
		return 0;
	for (int t = 0; t < space->set->task_count; t++) {
		int64_t unit = grown(longest_strand(limits, t), grows);
		if (t == own->task || space->group_of[t] == NO_ID)
			continue;
		bool higher = view->plan->level[space->group_of[t]] < view->plan->level[own->group];
		if (view->plan->locking == LOCKING_FIFO || (higher && view->slices >= 0))
			before = checked_add(before, unit);
		else
			other = checked_max(other, unit);
	}
	return checked_add(before, other);
}

static int64_t time_of(const struct view *view, const struct strand *own, int64_t grows)
{
	return checked_add(grown(own->sum, grows), checked_max(others_turns(view, own, grows), others_units(view, own, grows)));
}

static int64_t least_response(const struct view *view)
{
	int64_t most = 0;
	for (int i = 0; i < view->limits->count; i++)
		if (view->limits->strands[i].task == view->limits->task)
			most = checked_max(most, time_of(view, &view->limits->strands[i], 0));
	return checked_max(most, view->limits->hosts);
}

/* ---- slack */

/* What must be served one after the other by the SMs, or under the lock, in the long run: [DESIGN-LIMITS] (load). */
static int64_t long_run_load(const struct view *view)
{
	const struct limits *limits = view->limits;
	const struct space *space = limits->space;
	int64_t of_stream[ADVISE_GROUPS] = {0}, of_context[ADVISE_GROUPS] = {0}, sum = 0;
	for (int s = 0; s < space->set->task_count && is_locked(view); s++)
		sum = checked_add(sum, load_of(&space->set->tasks[s], longest_strand(limits, s)));
	for (int i = 0; i < limits->count && view->sequence; i++) {
		const struct strand *strand = &limits->strands[i];
		if (!is_given(view, strand->group))
			continue;
		int context = context_of(view, strand->group);
		of_stream[context] = checked_add(of_stream[context], view->plan->one_stream ? strand->kernel_load : 0);
		of_context[context] = checked_max(of_context[context], checked_max(of_stream[context], strand->kernel_load));
	}
	for (int c = 0; c < ADVISE_GROUPS; c++)
		sum = checked_add(sum, of_context[c]);
	return checked_is_none(sum) ? 0 : sum;
}

static bool fits(const struct view *view, const struct strand *own, int64_t grows)
{
	int64_t deadline = view->limits->space->set->tasks[own->task].deadline;
	int64_t time = time_of(view, own, grows);
	return checked_is_none(time) || time <= deadline;
}

static int64_t most_slack(const struct view *view)
{
	const struct limits *limits = view->limits;
	int64_t load = long_run_load(view), most = SLACK_MOST + 1;
	if (load > 0)
		most = checked_min(most, checked_sub(checked_mul_div_floor(LOAD_UNIT, 1000, load), 1000));
	for (int i = 0; i < limits->count; i++) {
		const struct task *task = &limits->space->set->tasks[limits->strands[i].task];
		int64_t below = -1000, above = most;
		if (checked_is_none(task->deadline) || task->best_effort || fits(view, &limits->strands[i], most))
			continue;
		while (above - below > 1) {
			int64_t middle = below + (above - below) / 2;
			*(fits(view, &limits->strands[i], middle) ? &below : &above) = middle;
		}
		most = below;
	}
	return most > SLACK_MOST ? NONE : most;
}

/* ---- all of it */

/* [DESIGN-LIMITS] (vouched): where streams are not given, each process has one, if it may: no kernels meet there. */
static struct plan apart_if_free(const struct view *view)
{
	struct plan plan = *view->plan;
	bool may = view->slices < 0 && !plan.merged && plan.locking == LOCKING_KEPT && space_may_share_streams(view->limits->space);
	plan.one_stream |= may;
	return plan;
}

static int least_vouched(const struct view *view, const struct plan *apart)
{
	const struct limits *limits = view->limits;
	struct arena *arena = arena_create();
	const char *measures[DESIGN_MEASURES];
	bool used[ADVISE_GROUPS] = {false};
	int processes = 0;
	for (int i = 0; i < limits->count; i++)
		if (limits->strands[i].kernel > 0 && is_given(view, limits->strands[i].group))
			used[context_of(view, limits->strands[i].group)] = true;
	for (int c = 0; c < ADVISE_GROUPS; c++)
		processes += used[c];
	int count = limits->always + (processes > 1 ? limits->turns : 0);
	if (view->groups == ALL_GIVEN)
		count += design_measures(arena, limits->space, apart, measures);
	arena_destroy(arena);
	return count;
}

struct appraisal limits_of(const struct limits *limits, const struct plan *plan, int groups, int slices)
{
	const struct space *space = limits->space;
	struct view view = {limits, plan, groups, slices, false};
	bool unlocked = plan->locking == LOCKING_NONE || (plan->locking == LOCKING_KEPT && space->set->hold_count == 0);
	view.sequence = !plan->merged && (groups != ALL_GIVEN ? space->set->hold_count == 0 : unlocked);
	struct plan apart = apart_if_free(&view);
	bool company = groups == ALL_GIVEN && design_adds_company(space, &apart);
	return (struct appraisal){.done = true,
		.verdict = company ? VERDICT_CONDITIONAL : VERDICT_PROVEN,
		.vouched = least_vouched(&view, &apart),
		.slack = most_slack(&view),
		.response = limits->task == NO_ID ? NONE : least_response(&view)};
}
