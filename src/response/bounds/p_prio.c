/* P-PRIO: contexts by priority, each with those above it as one serial server: [P-PRIO]. */
#include "response/bounds/bound.h"

#include "base/plant.h"
#include "model/rules.h"
#include "response/segment_cost.h"
#include "response/serial_server.h"

static int64_t rank_of(const struct taskset *set, const struct runlist *runlist, int context)
{
	return set->applications[runlist->contexts[context].process].priority; /* NONE, the lowest, is the greatest number */
}

static bool is_above(const struct taskset *set, const struct runlist *runlist, int context, int other)
{
	return rank_of(set, runlist, other) < rank_of(set, runlist, context);
}

static bool counts(const struct taskset *set, const struct runlist *runlist, int context, int other)
{
	return rank_of(set, runlist, other) <= rank_of(set, runlist, context);
}

static bool is_held(const struct taskset *set, int task, int index)
{
	const struct task *of = &set->tasks[task];
	bool inside = index >= of->first_operation && index < of->first_operation + of->operation_count;
	return inside && set->operations[index].held && set->applications[taskset_context(set, of->application)].priority != NONE;
}

/* ---- when it applies */

/* How long a thread holds the GPU is known by what bounds its host segments, the last ones too, behind which it issues nothing. */
static void need_threads_that_hold(struct applicability *a)
{
	for (int t = 0; t < a->set->task_count; t++)
		for (int i = 0; i < a->set->operation_count; i++)
			if (is_held(a->set, t, i) && !planted(PLANT_UNSAID_HOSTS))
				applicable_need_thread(a, &a->set->tasks[t]);
}

/* Copies of those below keep a copy engine, which nobody takes from them. */
static void need_no_copies_below(struct applicability *a)
{
	for (int i = 0; i < a->runlist->context_count && a->found.reason == NULL; i++)
		if (is_above(a->set, a->runlist, i, a->context) && a->runlist->contexts[i].copies &&
			a->platform->copy_runlist != COPY_RUNLIST_SHARED && !planted(PLANT_FOREIGN))
			a->found.reason = arena_format(a->arena,
				"copies of application:%s, of lower priority, may keep a copy engine: <declare name=\"copy-runlist\" "
				"value=\"shared\" .../> where they leave it with the kernels",
				a->runlist->contexts[i].name);
}

void p_prio_applies(struct applicability *a)
{
	if (!a->runlist->ranked) {
		if (a->found.reason == NULL)
			a->found.reason = "no application has a priority, or one context alone is there: the other bounds are for that";
		return;
	}
	applicable_need_hosts(a, NO_ID);
	need_threads_that_hold(a);
	for (int i = 0; i < a->runlist->context_count; i++) {
		if (counts(a->set, a->runlist, a->context, i))
			applicable_need_order(a, i);
		if (a->costs->domains->items[i].parted && a->found.reason == NULL)
			a->found.reason = "partitions of SMs beside priorities of contexts are not modelled";
	}
	need_no_copies_below(a);
}

/* ---- host segments that hold the GPU: those right before a segment, and those right behind one before which none is ([P-PRIO]) */

struct held_block {
	int first, count; /* operations */
};

static struct held_block held_before(const struct workload *w, const struct segment *segment)
{
	struct held_block block = {segment->first, 0};
	while (is_held(w->set, segment->task, block.first - 1)) {
		block.first--;
		block.count++;
	}
	return block;
}

static struct held_block held_behind(const struct workload *w, const struct segment *segment)
{
	const struct task *task = &w->set->tasks[segment->task];
	struct held_block block = {segment->first + segment->count, 0};
	while (is_held(w->set, segment->task, block.first + block.count))
		block.count++;
	int next = block.first + block.count;
	bool before_another = next < task->first_operation + task->operation_count && w->set->operations[next].kind != OPERATION_HOST;
	return before_another ? (struct held_block){block.first, 0} : block;
}

/* Does a job of the segment's task hold the GPU behind some operations of it? */
static bool task_holds_behind(const struct workload *w, int index)
{
	bool holds = false;
	for (int i = 0; i < w->segments->count; i++)
		holds |= w->segments->items[i].task == w->segments->items[index].task && held_behind(w, &w->segments->items[i]).count > 0;
	return holds;
}

static int64_t time_of(const struct workload *w, struct held_block block)
{
	int64_t time = 0;
	for (int i = block.first; i < block.first + block.count; i++)
		time = checked_add(time, taskset_host_time(w->set, &w->set->operations[i]));
	return time;
}

/* ---- what a job costs those below */

/* What comes and wants the GPU may find a change under way, ends somebody's turn behind blocks that run out, and is changed to; as it is
 * done somebody else is changed to. */
static struct cost preemption_of(const struct workload *w)
{
	const struct cost *theta = &w->runlist->theta;
	struct cost each = *theta;
	int64_t overrun = 0;
	for (int i = 0; i < w->runlist->context_count && each.reason == NULL; i++) {
		const struct cost *of = &w->runlist->contexts[i].overrun;
		overrun = checked_max(overrun, of->value);
		each.reason = of->reason;
		each.assumptions |= of->assumptions;
	}
	if (each.reason != NULL)
		return cost_none(each.reason);
	each.value = checked_add(planted(PLANT_THETA) ? theta->value : checked_mul(2, theta->value), overrun);
	each.step = derivation_integer(w->derivation, RULE_PREEMPTION, "gpu", each.value);
	derivation_input(w->derivation, "theta", theta->step);
	for (int i = 0; i < w->runlist->context_count; i++)
		derivation_input(w->derivation, "Omega", w->runlist->contexts[i].overrun.step);
	return each;
}

/* cost, NULL: none; the block's time where it holds somebody off; what the pieces cost that come, the block among them. */
static struct cost preempting(const struct workload *w, const struct segment *segment, const struct cost *cost, struct held_block block,
	bool holds_off, int64_t pieces)
{
	const struct cost each = preemption_of(w);
	int64_t held = holds_off && !planted(PLANT_HOLDING) ? time_of(w, block) : 0, count = checked_add(pieces, block.count > 0);
	if (cost != NULL && cost->reason != NULL)
		return *cost;
	if (each.reason != NULL)
		return each;
	if (held == NONE)
		return cost_none(arena_format(
			w->arena, "%s holds the GPU for nobody knows how long: a host segment of it has no bound", segment->name));
	struct cost sum = {.assumptions = each.assumptions | (cost == NULL ? 0 : cost->assumptions)};
	sum.value = checked_add(checked_add(cost == NULL ? 0 : cost->value, held), checked_mul(count, each.value));
	if (sum.value == NONE)
		return cost_none("a cost does not fit 64 bits");
	int *hosts = arena_allocate(w->arena, (size_t)block.count + 1, sizeof *hosts);
	int number = derivation_integer(w->derivation, RULE_OPERATIONS, segment->name, count);
	for (int i = 0; i < block.count; i++)
		hosts[i] = cost_host(w->costs, w->set, block.first + i, w->derivation, segment->name);
	sum.step = derivation_integer(w->derivation, RULE_PREEMPTING, segment->name, sum.value);
	derivation_input(w->derivation, "e", cost == NULL ? STEP_ABSENT : cost->step);
	for (int i = 0; i < block.count && holds_off; i++)
		derivation_input(w->derivation, "C", hosts[i]);
	derivation_input(w->derivation, "k", number);
	derivation_input(w->derivation, "G", each.step);
	return sum;
}

/* ---- the problem */

static void add_kernels(struct serial_problem *problem, int index, bool above)
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	bool sliced = w->runlist->copies_sliced;
	int64_t pieces =
		checked_add(segment_cost_count(w, segment, PLACE_EXECUTION), sliced ? segment_cost_count(w, segment, PLACE_COPY) : 0);
	struct cost cost = segment_cost_of(w, segment, SEGMENT_DEPENDENCIES | (sliced ? 0 : SEGMENT_TRANSFERS));
	if (!above && task_holds_behind(w, index) && held_behind(w, segment).count == 0)
		pieces = checked_add(pieces, 1); /* the job before may still hold the GPU as this one comes */
	struct cost all = preempting(w, segment, &cost, held_before(w, segment), above, planted(PLANT_SWITCHES) ? 0 : pieces);
	struct cost work = segment_cost_of(w, segment, SEGMENT_KERNELS);
	struct busy_interval_item *item = serial_server_add_item(problem, index);
	item->cost = serial_server_take(problem, &all, &item->cost_step);
	item->work = serial_server_take(problem, &work, &item->work_step);
	item->group = segment->context;
}

static void add_copies(struct serial_problem *problem, int index)
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	if (!w->runlist->copies_sliced || segment_cost_count(w, segment, PLACE_COPY) == 0)
		return;
	struct cost transfer = segment_cost_of(w, segment, SEGMENT_TRANSFERS);
	struct busy_interval_item *item = serial_server_add_item(problem, index);
	item->work = serial_server_take(problem, &transfer, &item->work_step);
	item->group = w->runlist->context_count;
}

/* What a job holds behind its last operation, though it was released long before. */
static void add_held(struct serial_problem *problem, int index, bool above)
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	struct held_block block = held_behind(w, segment);
	if (block.count == 0 || planted(PLANT_HANDED))
		return;
	struct cost cost = preempting(w, segment, NULL, block, above, 0);
	struct busy_interval_item *item = serial_server_add_item(problem, index);
	item->cost = serial_server_take(problem, &cost, &item->cost_step);
	item->looks_back = true;
	item->held = time_of(w, block);
}

/* Only where several entries have one priority does a slice that ends change anything. */
static bool share(const struct workload *w, int context)
{
	int entries = 0;
	for (int i = 0; i < w->runlist->context_count; i++)
		if (rank_of(w->set, w->runlist, i) == rank_of(w->set, w->runlist, context))
			entries += w->runlist->contexts[i].kernels + (w->runlist->contexts[i].copies && w->runlist->copies_sliced);
	return entries > 1;
}

static void add_groups(struct serial_problem *problem, int context)
{
	const struct workload *w = problem->w;
	const struct runlist *runlist = w->runlist;
	bool copies_share = false;
	for (int i = 0; i < runlist->context_count; i++) {
		bool sharing = counts(w->set, runlist, context, i) && share(w, i);
		problem->serial.groups[i] = serial_server_plain_group(runlist->contexts[i].name);
		if (sharing && runlist->contexts[i].kernels)
			serial_server_slice_group(
				problem, &problem->serial.groups[i], &runlist->contexts[i].slice, &runlist->contexts[i].switch_gap, false);
		copies_share |= sharing && runlist->contexts[i].copies && runlist->copies_sliced;
	}
	problem->serial.groups[runlist->context_count] = serial_server_plain_group("copies");
	if (copies_share)
		serial_server_slice_group(
			problem, &problem->serial.groups[runlist->context_count], &runlist->copy_slice, &runlist->theta, false);
	problem->serial.group_count = runlist->context_count + 1;
}

static void build(struct serial_problem *problem, const struct workload *w, int context)
{
	serial_server_start(problem, w, w->runlist->context_count + 1);
	add_groups(problem, context);
	for (int i = 0; i < w->segments->count && problem->reason == NULL; i++) {
		int other = w->segments->items[i].context;
		bool above = is_above(w->set, w->runlist, context, other);
		if (!counts(w->set, w->runlist, context, other))
			continue;
		add_kernels(problem, i, above);
		add_copies(problem, i);
		add_held(problem, i, above);
	}
	serial_server_add_sliced_stops(problem);
}

/* Who gives the GPU back has seen that the work is complete: a thread that serves one job after the other. It is there for a job as that is
 * released only where the one before is complete by then. */
static const char *late_thread(const struct workload *w, int context, const int64_t *responses)
{
	const struct segments *segments = w->segments;
	for (int i = 0; i < segments->count && !planted(PLANT_LATE_REQUEST); i++) {
		const struct segment *of = &segments->items[i];
		const struct task *task = &w->set->tasks[of->task];
		bool holds = false;
		for (int k = task->first_operation; k < task->first_operation + task->operation_count; k++)
			holds |= w->set->operations[k].held;
		if (holds && of->number == 0 && counts(w->set, w->runlist, context, of->context) &&
			!segment_thread_punctual(segments, w->set, i, &responses[i]))
			return arena_format(w->arena,
				"a job of %s may last until the next one is released, for which its thread is late to hold the GPU: a "
				"longer period, or less time on the GPU",
				of->name);
	}
	return NULL;
}

void p_prio_compute(struct bounding *b, int context)
{
	static const struct serial_bound p_prio = {
		BOUND_P_PRIO, RULE_P_PRIO, RULE_P_PRIO, RULE_P_PRIO_PART, false, build, NULL, late_thread};
	(void)context; /* all of them, as they may rest on one another */
	serial_server_compute(b->work, &p_prio, b->answers[BOUND_P_PRIO]);
}

void p_prio_terms(const struct response *response, int segment, int64_t value, struct terms *terms)
{
	serial_server_terms(response, BOUND_P_PRIO, segment, value, terms);
}
