/* What VOL-P, P and P-GPU share: the claimed busy interval put into its own equation. */
#include "verify/serial_server.h"

struct fact serial_server_count(const struct work *work, const struct part *part, enum runs runs)
{
	return fact_make(work->check, RULE_OPERATIONS, part->about, bounds_operations(work, part, runs));
}

/* ---- items */

struct item *serial_server_item(struct problem *problem, int index)
{
	struct work *work = problem->work;
	const struct part *part = &work->parts[index];
	const struct task *task = &work->check->set->tasks[part->task];
	problem->items =
		arena_grow(work->check->arena, problem->items, &problem->item_room, problem->item_count + 1, sizeof *problem->items);
	struct item *item = &problem->items[problem->item_count++];
	*item = (struct item){.part = index};
	item->period = fact_given(work->check, task->arrival.period, "task:%s@period", task->id);
	item->jitter = bounds_jitter(work, index, problem->of_part);
	item->arrivals = (struct arrivals_at){&task->arrival, item->jitter.value, part->number == 0 && part->host_most == 0};
	return item;
}

/* The copy engines by the first direction that they serve, as a set: there are no more than directions. */
static unsigned engine_set(const struct work *work, const struct piece *piece)
{
	unsigned set = 0;
	for (int d = 0; d < DIRECTION_COUNT && set == 0 && piece->runs == RUNS_ON_COPY_ENGINE; d++)
		set = work->check->platform->engine_of[d] == piece->engine ? 1u << d : 0;
	return set;
}

static unsigned engines_of(const struct work *work, int context)
{
	struct listed list = lists_of(&work->of_context, context);
	unsigned set = 0;
	for (int i = 0; i < list.count; i++)
		set |= engine_set(work, &work->pieces[list.items[i]]);
	return set;
}

static struct fact *add_fact(struct check *check, struct fact *facts, int *room, int count, struct fact fact)
{
	facts = arena_grow(check->arena, facts, room, count + 1, sizeof *facts);
	facts[count] = fact;
	return facts;
}

/* Another context's copies on engines that this one uses, too; [FOREIGN-COPIES]. */
static void add_foreign(struct problem *problem, int index)
{
	struct work *work = problem->work;
	const struct part *part = &work->parts[index];
	struct fact *facts = NULL;
	int count = 0, room = 0;
	for (int i = part->first; i < part->first + part->count; i++)
		if ((engine_set(work, &work->pieces[i]) & problem->engines) != 0)
			facts = add_fact(work->check, facts, &room, count++, work->pieces[i].transfer);
	if (count == 0)
		return;
	struct item *item = serial_server_item(problem, index);
	item->cost = fact_sum(work->check, part->about, facts, count);
	item->looks_back = true;
	item->lookback = problem->of_part[index];
}

/* ---- stops */

/* A stop that hits a slice is lost to its owner, a kernel's or a copy's: the dearer. */
struct fact serial_server_stop(const struct problem *problem, struct fact stop)
{
	const struct work *work = problem->work;
	int context = problem->context;
	const struct owner *owner = &work->owners[context];
	struct fact kernel = owner->kernels ? bounds_dilated(work, stop, 1, context, false, "platform:stops") : stop;
	struct fact copy = owner->copies ? bounds_dilated(work, stop, 1, context, true, "platform:stops") : stop;
	if (checked_is_none(kernel.value) || checked_is_none(copy.value))
		return FACT_UNKNOWN;
	return kernel.value >= copy.value ? kernel : copy;
}

/* theta_int + (ceil(theta_int / min L) + 1 + k) max G; [P-GPU] */
struct fact serial_server_sliced_stop(const struct problem *problem, struct fact stop)
{
	struct check *check = problem->work->check;
	int64_t slice = NONE, gap = 0;
	for (int i = 0; i < problem->group_count; i++) {
		slice = problem->groups[i].sliced ? checked_min(slice, problem->groups[i].slice.value) : slice;
		gap = problem->groups[i].sliced ? checked_max(gap, problem->groups[i].gap.value) : gap;
	}
	if (checked_is_none(slice))
		return stop;
	int64_t turns = checked_add(checked_div_ceil(stop.value, slice), 1 + problem->work->redone);
	struct fact longer = fact_make(check, RULE_STOP_SLICED, "platform:stops", checked_add(stop.value, checked_mul(turns, gap)));
	fact_from(check, &longer, "theta_int", stop);
	for (int i = 0; i < problem->group_count; i++) {
		if (!problem->groups[i].sliced)
			continue;
		fact_from(check, &longer, "L", problem->groups[i].slice);
		fact_from(check, &longer, "G", problem->groups[i].gap);
	}
	return longer;
}

static void add_stops(struct problem *problem)
{
	const struct work *work = problem->work;
	problem->stop = work->stop;
	problem->distance = work->parameters[PARAMETER_STOPS_DISTANCE];
	problem->stops = !checked_is_none(work->parameters[PARAMETER_STOPS_LENGTH].value) && !checked_is_none(problem->distance.value);
	if (!problem->stops)
		return;
	problem->stop = problem->of->lengthen(problem, problem->stop);
}

static void build(struct problem *problem)
{
	struct work *work = problem->work;
	bool others = problem->of->whole || problem->of->above, all = others || work->copies_shared;
	struct listed own = all ? (struct listed){NULL, work->part_count} : lists_of(&work->parts_of_context, problem->context);
	problem->engines = problem->context == NO_ID ? 0 : engines_of(work, problem->context);
	problem->groups = arena_allocate(work->check->arena, (size_t)work->owner_count + 2, sizeof *problem->groups);
	problem->of->add_groups(problem);
	for (int k = 0; k < own.count; k++) {
		int i = all ? k : own.items[k];
		if (others || work->parts[i].context == problem->context)
			problem->of->add(problem, i);
		else if (problem->engines != 0)
			add_foreign(problem, i);
	}
	for (int i = 0; i < work->part_count && problem->of->add_slowing != NULL; i++)
		problem->of->add_slowing(problem, i);
	int *groups = arena_allocate(work->check->arena, (size_t)problem->item_count + 1, sizeof *groups);
	for (int i = 0; i < problem->item_count; i++)
		groups[i] = problem->items[i].group;
	problem->of_group = lists_make(work->check->arena, problem->group_count, groups, problem->item_count);
	add_stops(problem);
}

/* ---- the right side */

static int64_t jobs(const struct problem *problem, const struct item *item, int64_t delta)
{
	const struct part *parts = problem->work->parts;
	if (problem->only != NO_ID && parts[item->part].task == parts[problem->only].task)
		return item->part == problem->only ? 1 : 0;
	return bounds_arrivals(
		&item->arrivals, item->looks_back ? checked_add(delta, checked_add(item->lookback.value, item->held)) : delta);
}

static int64_t time_of_group(const struct problem *problem, int index, int64_t delta)
{
	const struct group *group = &problem->groups[index];
	int64_t volume = 0, work = 0, switches = 0;
	struct listed list = lists_of(&problem->of_group, index);
	for (int i = 0; i < list.count; i++) {
		const struct item *item = &problem->items[list.items[i]];
		volume = checked_add(volume, checked_mul(jobs(problem, item, delta), item->volume.value));
		work = checked_add(work, checked_mul(jobs(problem, item, delta), item->work.value));
		switches = checked_add(switches, checked_mul(jobs(problem, item, delta), item->kernels.value));
	}
	bool part = problem->only != NO_ID; /* parts of an interval, rounded up, add up to no less than the whole */
	int64_t x = checked_add(work_spread(volume, group->share, group->grids || part), work);
	int64_t counted = problem->weighed != NULL && problem->of->whole ? 0 : x; /* else it is in the items' costs */
	if (!group->sliced)
		return counted;
	if (part && !group->round_up) /* shares of gaps: no less together than the gaps of full slices */
		return checked_add(checked_add(counted, checked_mul_div_ceil(x, group->gap.value, group->slice.value)),
			checked_mul(switches, group->gap.value));
	int64_t slices = group->round_up ? checked_div_ceil(x, group->slice.value) : checked_div_floor(x, group->slice.value);
	return checked_add(counted, checked_mul(checked_add(slices, switches), group->gap.value));
}

static int64_t right_side(const struct problem *problem, int64_t delta)
{
	int64_t sum = 0;
	if (problem->stops)
		sum = checked_mul(checked_div_ceil(delta, problem->distance.value), problem->stop.value);
	for (int i = 0; i < problem->item_count; i++)
		sum = checked_add(sum, checked_mul(jobs(problem, &problem->items[i], delta), problem->items[i].cost.value));
	for (int i = 0; i < problem->group_count; i++)
		sum = checked_add(sum, time_of_group(problem, i, delta));
	return sum;
}

/* ---- the step */

static void add_group_inputs(struct problem *problem, int index, struct fact *fix)
{
	struct check *check = problem->work->check;
	const struct group *group = &problem->groups[index];
	fact_from(check, fix, "g", group->g);
	if (group->sliced) {
		fact_from(check, fix, "L", group->slice);
		fact_from(check, fix, "G", group->gap);
	}
	struct listed list = lists_of(&problem->of_group, index);
	for (int i = 0; i < list.count; i++) {
		const struct item *item = &problem->items[list.items[i]];
		const struct {
			const char *role;
			struct fact fact;
		} inputs[] = {{"T", item->period}, {"J", item->jitter}, {"A", item->lookback}, {"e", item->cost}, {"x", item->work},
			{"v", item->volume}, {"k", item->kernels}};
		for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++)
			fact_from(check, fix, inputs[k].role, inputs[k].fact);
	}
}

static struct fact fix_of(struct problem *problem, struct fact claim, const char *about)
{
	struct check *check = problem->work->check;
	struct fact fix = fact_make(
		check, problem->weighed != NULL ? problem->of->rule_once : claimed_kinds[problem->of->kind].rule, about, claim.value);
	for (int i = 0; i < problem->group_count; i++)
		add_group_inputs(problem, i, &fix);
	if (problem->stops) {
		fact_from(check, &fix, "theta_int", problem->stop);
		fact_from(check, &fix, "T_int", problem->distance);
	}
	fact_from(check, &fix, "claim", claim);
	return fix;
}

/* ---- a claim: the value that the report gives is the one that the equation must bear */

static struct fact read_claim(struct check *check, int step, const char *about)
{
	if (step < 0)
		return FACT_UNKNOWN;
	struct fact claim = fact_make(check, RULE_CLAIM, about, graph_integer(check, step));
	fact_bind(&claim, graph_input(check, step, "claim"));
	return claim;
}

/* ---- weights */

static bool is_weighed(const struct check *check, int step)
{
	int cost = graph_input(check, step, "e");
	return cost >= 0 && check->graph.steps[cost].rule == RULE_ONCE;
}

static void build_weighed(struct problem *problem, int step)
{
	struct work *work = problem->work;
	const struct work *apart = work_derive(work->check, work->residents, inflate_derive_engines_apart(work->check, work->residents));
	struct weighed *weighed = arena_allocate(work->check->arena, 1, sizeof *weighed);
	*weighed = charged_once_claimed(work, apart, graph_input(work->check, step, "e"));
	problem->weighed = weighed;
	build(problem);
}

/* Of the tasks whose segments have claims of their own each has to bear its right side, and no two jobs may be there together. */
static void hold_parts(struct problem *problem, struct fact fix, struct fact *of_part)
{
	struct work *work = problem->work;
	struct check *check = work->check;
	for (int i = 0; i < work->part_count; i++) {
		const struct part *part = &work->parts[i];
		if (problem->steps[i] < 0 || (!problem->of->whole && part->context != problem->context))
			continue;
		const struct fact *claim = &problem->of_part[i];
		struct fact own = fact_make(check, problem->of->rule_part, part->about, claim->value);
		const char *where = arena_format(check->arena, "step s%d (%s)", problem->steps[i] + 1, part->about);
		fact_from(check, &own, "D", fix);
		fact_from(check, &own, "claim", *claim);
		fact_bind(&own, problem->steps[i]);
		problem->only = i;
		int64_t right = right_side(problem, claim->value);
		problem->only = NO_ID;
		if (!bounds_jobs_apart(work, part->task, problem->within))
			check_differs(check, check->graph.steps[problem->steps[i]].element, where,
				"no value, as jobs of the task may overlap", "one");
		else if (claim->value < 1 || checked_is_none(right) || right > claim->value)
			check_differs(check, check->graph.steps[problem->steps[i]].element, where,
				arena_format(check->arena, "at least the equation's right side, %lld", (long long)right),
				arena_format(check->arena, "%lld", (long long)claim->value));
		of_part[i] = own;
	}
}

static struct fact hold(struct work *work, const struct problem *all, int context, int step, const char *about, struct fact *of_part)
{
	struct check *check = work->check;
	struct problem problem = *all;
	const struct serial_claim *of = all->of;
	const struct fact *claims = all->claims;
	problem.context = context;
	const char *where = arena_format(check->arena, "step s%d (%s, %s)", step + 1, claimed_kinds[of->kind].name, about);
	bool applies;
	if (of->charges_once != NULL && of->charges_once(work) && is_weighed(check, step))
		build_weighed(&problem, step);
	else
		build(&problem);
	struct fact claim = claims[context == NO_ID ? 0 : context], fix = fix_of(&problem, claim, about);
	uint64_t needs = bounds_needs(work, of->kind, context == NO_ID ? 0 : context, &applies);
	fix.assumptions |= needs;
	fact_bind(&fix, step);
	int64_t right = right_side(&problem, claim.value);
	applies = applies && (of->permits == NULL || of->permits(&problem));
	if (!applies)
		check_differs(check, check->graph.steps[step].element, where, "no bound, as it does not apply here", "one");
	else if (claim.value < 1 || checked_is_none(right) || right > claim.value)
		check_differs(check, check->graph.steps[step].element, where,
			checked_is_none(right) ? "no value, as an input of the equation is not known"
					       : arena_format(check->arena, "at least the equation's right side, %lld", (long long)right),
			arena_format(check->arena, "%lld", (long long)claim.value));
	bounds_require(check, fix.assumptions, step);
	for (int i = 0; i < work->part_count; i++)
		if (of->whole || work->parts[i].context == context)
			of_part[i] = fix;
	hold_parts(&problem, fix, of_part);
	return fix;
}

/* Those of a task's segments that have a step of their own, one behind the other: all of them or none. */
static void find_parts(struct work *work, const struct serial_claim *of, const int *intervals, int *steps, struct fact *of_part)
{
	struct check *check = work->check;
	for (int i = 0; i < work->part_count; i++) {
		const struct part *part = &work->parts[i];
		bool first = part->number == 0;
		steps[i] = -1;
		if (intervals[of->whole ? 0 : part->context] < 0)
			continue; /* a part of no interval: nobody would hold its number to its equation */
		if (first || steps[i - 1] >= 0)
			steps[i] = graph_find(check, first ? 0 : steps[i - 1] + 1, of->rule_part, part->about);
		if (steps[i] >= 0)
			of_part[i] = read_claim(check, steps[i], part->about);
		else if (!first && steps[i - 1] >= 0)
			check_differs(check, check->graph.steps[steps[i - 1]].element, part->about, "a step of each segment of the task",
				"not all of them");
	}
}

/* Of contexts that share a copy engine the other one's response is in the equation: all that it rests on, by way of a third one, too,
 * carries this one. */
static void carry(const struct work *work, struct fact *of_owner)
{
	unsigned *engines = arena_allocate(work->check->arena, (size_t)work->owner_count + 1, sizeof *engines);
	for (int i = 0; i < work->owner_count; i++)
		engines[i] = engines_of(work, i);
	for (bool changed = work->copies_shared; changed;) {
		uint64_t carried[DIRECTION_COUNT] = {0};
		changed = false;
		for (int i = 0; i < work->owner_count; i++)
			for (int d = 0; d < DIRECTION_COUNT; d++)
				carried[d] |= (engines[i] >> d & 1) != 0 ? of_owner[i].assumptions : 0;
		for (int i = 0; i < work->owner_count; i++) {
			uint64_t before = of_owner[i].assumptions;
			for (int d = 0; d < DIRECTION_COUNT; d++)
				of_owner[i].assumptions |= (engines[i] >> d & 1) != 0 ? carried[d] : 0;
			changed |= of_owner[i].assumptions != before;
		}
	}
}

struct claims serial_server_hold(struct work *work, const struct serial_claim *of)
{
	struct check *check = work->check;
	bool whole = of->whole;
	int count = whole ? 1 : work->owner_count;
	struct claims claims = claims_none(work);
	struct fact *claimed = arena_allocate(check->arena, (size_t)count + 1, sizeof *claimed);
	int *steps = arena_allocate(check->arena, (size_t)count + 1, sizeof *steps);
	for (int i = 0; i < count; i++) {
		const char *about = whole ? "gpu" : work->owners[i].about;
		steps[i] = work->owner_count == 0 ? -1 : graph_find(check, 0, claimed_kinds[of->kind].rule, about);
		if (steps[i] < 0 && whole && work->owner_count > 0)
			steps[i] = graph_find(check, 0, of->rule_once, about);
		claimed[i] = read_claim(check, steps[i], about);
	}
	struct fact *of_part = arena_allocate(check->arena, (size_t)work->part_count + 1, sizeof *of_part);
	int *part_steps = arena_allocate(check->arena, (size_t)work->part_count + 1, sizeof *part_steps);
	for (int i = 0; i < work->part_count; i++)
		of_part[i] = claimed[whole ? 0 : work->parts[i].context];
	find_parts(work, of, steps, part_steps, of_part);
	int64_t *within = arena_allocate(check->arena, (size_t)work->part_count + 1, sizeof *within);
	for (int i = 0; i < work->part_count; i++)
		within[i] = of_part[i].value;
	const struct problem all = {
		.work = work, .of = of, .claims = claimed, .of_part = of_part, .within = within, .steps = part_steps, .only = NO_ID};
	for (int i = 0; i < count; i++)
		claims.of_owner[i] = FACT_UNKNOWN;
	for (int i = 0; i < count; i++)
		if (steps[i] >= 0)
			claims.of_owner[i] =
				hold(work, &all, whole ? NO_ID : i, steps[i], whole ? "gpu" : work->owners[i].about, claims.of_part);
	if (!whole && !of->above)
		carry(work, claims.of_owner);
	for (int i = 0; i < work->part_count; i++)
		claims.of_part[i].assumptions |= claims.of_owner[whole ? 0 : work->parts[i].context].assumptions;
	return claims;
}
