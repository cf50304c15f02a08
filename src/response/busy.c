#include "response/busy.h"

#include "base/plant.h"
#include "model/rules.h"
#include "response/applicable.h"

/* A serial problem while it is put together, with what its numbers rest on. */
struct problem {
	const struct workload *w;
	struct serial serial;
	int *from_segment; /* an item's segment */
	uint64_t assumptions;
	const char *reason;
};

static int operation_count(const struct workload *w)
{
	return w->set->operation_count;
}

/* Takes a cost into the problem: its number, its step; its reason ends the problem. */
static int64_t take(struct problem *problem, const struct cost *cost, int *step)
{
	if (cost->reason != NULL && problem->reason == NULL)
		problem->reason = cost->reason;
	problem->assumptions |= cost->assumptions;
	*step = cost->step;
	return cost->value;
}

/* ---- the cost of a segment */

enum part {
	PART_DEPENDENCY = 1,
	PART_TRANSFER = BUSY_TRANSFERS,
	PART_SERIAL_KERNEL = 4,
	PART_KERNEL = BUSY_KERNELS,
	PART_VOLUME = BUSY_VOLUME,
	PART_DISPATCHED = BUSY_DISPATCHED
};

static struct cost dilated(const struct workload *w, const struct cost *cost, int context, bool of_copies, const char *about)
{
	const struct context *of = &w->runlist->contexts[context];
	bool sliced = w->runlist->sliced && (!of_copies || w->runlist->copies_sliced);
	if (!sliced || cost->reason != NULL)
		return *cost;
	return of_copies ? runlist_dilate(w->derivation, about, cost, &w->runlist->copy_slice, &of->copy_gap)
			 : runlist_dilate(w->derivation, about, cost, &of->slice, &of->kernel_gap);
}

static struct cost kernel_cost(const struct workload *w, const struct operation_cost *operation, const char *about)
{
	struct cost parts[] = {operation->makespan, operation->waste};
	return operation->waste.value == 0 && operation->waste.reason == NULL ? operation->makespan
									      : cost_sum(w->derivation, RULE_SUM, about, parts, 2);
}

static struct cost dispatched_cost(const struct workload *w, const struct operation_cost *operation, const char *about)
{
	struct cost parts[] = {operation->dispatch, operation->tail};
	if (planted(PLANT_TAIL))
		return operation->dispatch;
	return cost_sum(w->derivation, RULE_SUM, about, parts, 2);
}

/* Adds to `parts` what one operation contributes; returns how many were added. */
static int operation_parts(const struct workload *w, const struct segment *segment, int index, int wanted, bool dilate, struct cost *parts)
{
	const struct operation_cost *operation = &w->costs->operations[index];
	const char *about = operation->name;
	int count = 0;
	if (wanted & PART_DEPENDENCY)
		parts[count++] = operation->dependency;
	if ((wanted & PART_TRANSFER) && operation->place == PLACE_COPY)
		parts[count++] = dilate ? dilated(w, &operation->transfer, segment->context, true, about) : operation->transfer;
	if (operation->place != PLACE_EXECUTION)
		return count;
	if (wanted & (PART_SERIAL_KERNEL | PART_KERNEL)) {
		struct cost kernel = kernel_cost(w, operation, about);
		parts[count++] = dilate && (wanted & PART_SERIAL_KERNEL) ? dilated(w, &kernel, segment->context, false, about) : kernel;
	}
	if (wanted & PART_DISPATCHED)
		parts[count++] = dispatched_cost(w, operation, about);
	if (wanted & PART_VOLUME)
		parts[count++] = operation->volume;
	return count;
}

static struct cost segment_cost(const struct workload *w, const struct segment *segment, int wanted, bool dilate)
{
	struct cost *parts = arena_allocate(w->arena, (size_t)segment->count * 4 + 1, sizeof *parts);
	int count = 0;
	for (int i = segment->first; i < segment->first + segment->count; i++)
		count += operation_parts(w, segment, i, wanted, dilate, parts + count);
	return count == 0 ? w->costs->zero : cost_sum(w->derivation, RULE_SUM, segment->name, parts, count);
}

struct cost busy_segment_cost(const struct workload *w, const struct segment *segment, enum busy_part part)
{
	return segment_cost(w, segment, (int)part, false);
}

int64_t busy_count(const struct workload *w, const struct segment *segment, enum place place)
{
	int64_t count = 0;
	for (int i = segment->first; i < segment->first + segment->count; i++)
		count += w->costs->operations[i].place == place;
	return count;
}

/* Kernels and copies by what they cost if neither slows the other, weighed: [ONCE]. */
static struct cost once_cost(const struct workload *w, const struct segment *segment)
{
	struct workload apart = *w;
	apart.costs = w->once->costs;
	struct cost waits = segment_cost(&apart, segment, PART_DEPENDENCY, false),
		    kernels = segment_cost(&apart, segment, PART_KERNEL, false),
		    copies = segment_cost(&apart, segment, PART_TRANSFER, false);
	const struct cost *all[] = {&waits, &kernels, &copies};
	struct cost cost = {0, NULL, STEP_ABSENT, w->once->assumptions};
	for (int i = 0; i < 3; i++) {
		if (all[i]->reason != NULL)
			return *all[i];
		cost.assumptions |= all[i]->assumptions;
	}
	cost.value = checked_add(rational_scale_up(kernels.value, w->once->kernels), rational_scale_up(copies.value, w->once->copies));
	cost.value = checked_add(cost.value, waits.value);
	if (cost.value == NONE)
		return cost_none("a sum of costs does not fit 64 bits");
	cost.step = derivation_integer(w->derivation, RULE_ONCE, segment->name, cost.value);
	derivation_input(w->derivation, "d", waits.step);
	derivation_input(w->derivation, "w", kernels.step);
	derivation_input(w->derivation, "v", copies.step);
	derivation_input(w->derivation, "y", w->once->kernels_step);
	derivation_input(w->derivation, "z", w->once->copies_step);
	return cost;
}

/* ---- items */

static struct serial_item *add_item(struct problem *problem, int segment_index)
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[segment_index];
	const struct task *task = &w->set->tasks[segment->task];
	struct serial_item *item = &problem->serial.items[problem->serial.item_count];
	problem->from_segment[problem->serial.item_count++] = segment_index;
	*item = (struct serial_item){.name = segment->name,
		.arrivals = {&task->arrival, 0, segment->number == 0 && segment->host_most == 0},
		.cost_step = STEP_ABSENT,
		.work_step = STEP_ABSENT,
		.volume_step = STEP_ABSENT,
		.kernels_step = STEP_ABSENT,
		.jitter_step = STEP_ABSENT,
		.lookback_step = STEP_ABSENT};
	item->period_step = cost_given(w->derivation, task->arrival.period, "task:%s@period", task->id, NULL);
	return item;
}

static void set_kernels(const struct workload *w, struct serial_item *item, int64_t count, const char *name)
{
	item->kernels = planted(PLANT_SWITCHES) ? 0 : count;
	item->kernels_step = derivation_integer(w->derivation, RULE_OPERATIONS, name, count);
}

static void add_volume_item(struct problem *problem, int index)
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	struct serial_item *item = add_item(problem, index);
	struct cost cost = segment_cost(w, segment, PART_DEPENDENCY | PART_TRANSFER, true);
	struct cost work = segment_cost(w, segment, PART_DISPATCHED, false), volume = segment_cost(w, segment, PART_VOLUME, false);
	item->cost = take(problem, &cost, &item->cost_step);
	item->work = take(problem, &work, &item->work_step);
	item->volume = take(problem, &volume, &item->volume_step);
	if (w->runlist->sliced)
		set_kernels(w, item, busy_count(w, segment, PLACE_EXECUTION), segment->name);
}

static void add_serial_item(struct problem *problem, int index)
{
	struct serial_item *item = add_item(problem, index);
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	struct cost cost = w->once != NULL ? once_cost(w, segment)
					   : segment_cost(w, segment, PART_DEPENDENCY | PART_TRANSFER | PART_SERIAL_KERNEL, true);
	item->cost = take(problem, &cost, &item->cost_step);
}

/* Of a segment as if kernels and copies did not slow each other. */
static struct cost costs_apart(const struct workload *w, const struct segment *segment, int wanted)
{
	struct workload apart = *w;
	apart.costs = apart.once->costs;
	return segment_cost(&apart, segment, wanted, false);
}

/* P-GPU: kernels in the group of their context; copies in another one where they take turns with kernels, else as they are. */
static void add_gpu_items(struct problem *problem, int index)
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	struct serial_item *item = add_item(problem, index);
	bool copies_sliced = w->runlist->copies_sliced;
	struct cost cost = w->once != NULL ? once_cost(w, segment)
					   : segment_cost(w, segment, PART_DEPENDENCY | (copies_sliced ? 0 : PART_TRANSFER), false);
	struct cost work = w->once != NULL ? costs_apart(w, segment, PART_KERNEL) : segment_cost(w, segment, PART_KERNEL, false);
	item->cost = take(problem, &cost, &item->cost_step);
	item->work = take(problem, &work, &item->work_step);
	item->group = segment->context;
	set_kernels(w, item, busy_count(w, segment, PLACE_EXECUTION), segment->name);
	if (!copies_sliced || busy_count(w, segment, PLACE_COPY) == 0)
		return;
	item = add_item(problem, index);
	struct cost transfer = segment_cost(w, segment, PART_TRANSFER, false);
	item->work = take(problem, &transfer, &item->work_step);
	item->group = w->runlist->context_count;
	set_kernels(w, item, busy_count(w, segment, PLACE_COPY), segment->name);
}

/* Charged once: kernels of each context take longer by what these copies may slow them. */
static void add_slowing(struct problem *problem, int index)
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	for (int i = 0; i < w->runlist->context_count && w->once != NULL && busy_count(w, segment, PLACE_COPY) > 0 && !planted(PLANT_SLICED);
		i++) {
		if (!w->runlist->contexts[i].kernels)
			continue;
		struct serial_item *item = add_item(problem, index);
		struct cost copies = costs_apart(w, segment, PART_TRANSFER), slowed = copies;
		slowed.value = rational_scale_up(copies.value, w->once->beside);
		slowed.step = derivation_integer(w->derivation, RULE_ONCE_BESIDE, segment->name, slowed.value);
		derivation_input(w->derivation, "v", copies.step);
		derivation_input(w->derivation, "s", w->once->beside_step);
		item->work = take(problem, &slowed, &item->work_step);
		item->group = i;
	}
}

/* ---- copies of other contexts on the engines that a context uses ([FOREIGN-COPIES]) */

static bool may_be_one(int engine, int other)
{
	return engine == other || engine == ENGINE_NONE || other == ENGINE_NONE;
}

/* [direction]: may its copies be on an engine that the context uses? */
static void find_shared(const struct workload *w, int context, bool shared[DIRECTION_COUNT])
{
	bool used[DIRECTION_COUNT] = {false};
	for (int i = 0; i < operation_count(w); i++)
		if (w->costs->operations[i].context == context && w->costs->operations[i].place == PLACE_COPY)
			used[w->set->operations[i].copy.direction] = true;
	for (int own = 0; own < DIRECTION_COUNT; own++)
		for (int other = 0; other < DIRECTION_COUNT; other++)
			shared[other] |= used[own] && may_be_one(w->platform->engine_of[own], w->platform->engine_of[other]);
}

struct cost busy_copies_on(const struct workload *w, const struct segment *segment, int engine)
{
	struct cost *parts = arena_allocate(w->arena, (size_t)segment->count + 1, sizeof *parts);
	int count = 0;
	for (int i = segment->first; i < segment->first + segment->count; i++)
		if (w->costs->operations[i].place == PLACE_COPY && w->costs->operations[i].engine == engine)
			parts[count++] = w->costs->operations[i].transfer;
	return count == 0 ? w->costs->zero : cost_sum(w->derivation, RULE_SUM, segment->name, parts, count);
}

static void add_foreign_copies(struct problem *problem, int index, const bool shared[DIRECTION_COUNT])
{
	const struct workload *w = problem->w;
	const struct segment *segment = &w->segments->items[index];
	struct cost *parts = arena_reserve(w->arena, (size_t)segment->count, sizeof *parts);
	int count = 0;
	for (int i = segment->first; i < segment->first + segment->count; i++)
		if (w->costs->operations[i].place == PLACE_COPY && shared[w->set->operations[i].copy.direction])
			parts[count++] = w->costs->operations[i].transfer;
	if (count == 0 || planted(PLANT_FOREIGN))
		return;
	struct cost cost = cost_sum(w->derivation, RULE_SUM, segment->name, parts, count);
	struct serial_item *item = add_item(problem, index);
	item->cost = take(problem, &cost, &item->cost_step);
	item->looks_back = true;
}

/* ---- groups and stops */

/* A stop that hits a slice is lost to its owner, be it a kernel's or a copy's: the dearer of the two. */
static struct cost dilated_stop(const struct workload *w, const struct cost *length, int context)
{
	const struct context *of = &w->runlist->contexts[context];
	struct cost kernel = of->kernels ? dilated(w, length, context, false, "platform:stops") : *length;
	struct cost copy = of->copies ? dilated(w, length, context, true, "platform:stops") : *length;
	if (kernel.reason != NULL || copy.reason != NULL)
		return kernel.reason != NULL ? kernel : copy;
	return kernel.value >= copy.value ? kernel : copy;
}

static void add_stops(struct problem *problem, int context)
{
	const struct workload *w = problem->w;
	const struct platform *platform = w->platform;
	struct serial *serial = &problem->serial;
	serial->stop_length = serial->stop_distance = NONE;
	serial->stop_length_step = serial->stop_distance_step = STEP_ABSENT;
	if (!platform->parameters[PARAMETER_STOPS_LENGTH].present || !platform->parameters[PARAMETER_STOPS_DISTANCE].present)
		return;
	struct cost length = w->costs->stop;
	if (context != NO_ID)
		length = dilated_stop(w, &length, context);
	serial->stop_length = take(problem, &length, &serial->stop_length_step);
	serial->stop_distance = platform_value(platform, PARAMETER_STOPS_DISTANCE);
	serial->stop_distance_step = w->costs->parameter_steps[PARAMETER_STOPS_DISTANCE];
}

static struct serial_group plain_group(const char *name)
{
	return (struct serial_group){
		.name = name, .g = 1, .slice = NONE, .slice_step = STEP_ABSENT, .gap_step = STEP_ABSENT, .g_step = STEP_ABSENT};
}

static void slice_group(
	struct problem *problem, struct serial_group *group, const struct cost *slice, const struct cost *gap, bool round_up)
{
	group->slice = take(problem, slice, &group->slice_step);
	group->gap = take(problem, gap, &group->gap_step);
	group->round_up = round_up;
}

static void volume_group(struct problem *problem, int context)
{
	const struct workload *w = problem->w;
	const struct context *of = &w->runlist->contexts[context];
	struct serial_group *group = &problem->serial.groups[0];
	*group = plain_group(of->name);
	group->g = applicable_nonempty_sms(w->platform, w->set, w->costs, context, &problem->assumptions);
	if (group->g == NONE) {
		problem->reason = "sm.count is not known";
		group->g = 1;
	}
	group->rest = applicable_rest(w->set, w->costs, context, group->g);
	group->g_step = derivation_named(w->derivation, RULE_NONEMPTY, rational_of(group->g), "application:%s", of->name, NULL);
	derivation_input(w->derivation, "m", w->costs->parameter_steps[PARAMETER_SM_COUNT]);
	derivation_input(w->derivation, "g", w->costs->parameter_steps[PARAMETER_DISPATCH_NONEMPTY]);
	if (w->runlist->sliced && of->kernels)
		slice_group(problem, group, &of->slice, &of->kernel_gap, true);
	problem->serial.group_count = 1;
}

/* A stop may also cost the rest of a slice, whoever owns it: one more switch for each slice it spans, one for the one it hits, and one for
 * each dispatch that begins again. */
static void gpu_stops(struct problem *problem)
{
	const struct runlist *runlist = problem->w->runlist;
	int64_t gap = 0, slice = NONE;
	add_stops(problem, NO_ID);
	for (int i = 0; i < problem->serial.group_count; i++) {
		gap = checked_max(gap, problem->serial.groups[i].slice == NONE ? 0 : problem->serial.groups[i].gap);
		slice = checked_min(slice, problem->serial.groups[i].slice);
	}
	if (problem->serial.stop_length == NONE || slice == NONE || runlist->theta.reason != NULL)
		return;
	int64_t slices = checked_add(checked_div_ceil(problem->serial.stop_length, slice), 1 + problem->w->costs->stop_breaks);
	int64_t length = checked_add(problem->serial.stop_length, checked_mul(slices, gap));
	int step = derivation_integer(problem->w->derivation, RULE_STOP_SLICED, "platform:stops", length);
	derivation_input(problem->w->derivation, "theta_int", problem->serial.stop_length_step);
	for (int i = 0; i < problem->serial.group_count; i++) {
		derivation_input(problem->w->derivation, "L", problem->serial.groups[i].slice_step);
		derivation_input(problem->w->derivation, "G", problem->serial.groups[i].gap_step);
	}
	problem->serial.stop_length = length;
	problem->serial.stop_length_step = step;
}

static void gpu_groups(struct problem *problem)
{
	const struct runlist *runlist = problem->w->runlist;
	for (int i = 0; i <= runlist->context_count; i++) {
		bool copies = i == runlist->context_count;
		struct serial_group *group = &problem->serial.groups[i];
		*group = plain_group(copies ? "copies" : runlist->contexts[i].name);
		group->gaps_only = problem->w->once != NULL;
		if (copies && runlist->copies_sliced)
			slice_group(problem, group, &runlist->copy_slice, &runlist->theta, false);
		else if (!copies && runlist->contexts[i].kernels)
			slice_group(problem, group, &runlist->contexts[i].slice, &runlist->contexts[i].switch_gap, false);
	}
	problem->serial.group_count = runlist->context_count + 1;
}

/* ---- problems */

static void start(struct problem *problem, const struct workload *w, size_t items)
{
	*problem = (struct problem){.w = w};
	problem->serial.items = arena_reserve(w->arena, items + 1, sizeof *problem->serial.items);
	problem->from_segment = arena_reserve(w->arena, items + 1, sizeof *problem->from_segment);
	problem->serial.groups = arena_allocate(w->arena, (size_t)w->runlist->context_count + 1, sizeof *problem->serial.groups);
}

static void build_context(struct problem *problem, const struct workload *w, enum bound bound, int context)
{
	bool shared[DIRECTION_COUNT] = {false};
	start(problem, w, (size_t)w->segments->count);
	if (w->runlist->copies_shared)
		find_shared(w, context, shared);
	if (bound == BOUND_VOL_P) {
		volume_group(problem, context);
	} else {
		problem->serial.groups[0] = plain_group(w->runlist->contexts[context].name);
		problem->serial.group_count = 1;
	}
	for (int i = 0; i < w->segments->count; i++) {
		if (w->segments->items[i].context != context) {
			if (w->runlist->copies_shared)
				add_foreign_copies(problem, i, shared);
		} else if (bound == BOUND_VOL_P) {
			add_volume_item(problem, i);
		} else {
			add_serial_item(problem, i);
		}
	}
	add_stops(problem, context);
}

static void build_gpu(struct problem *problem, const struct workload *w)
{
	start(problem, w, (size_t)w->segments->count * (size_t)(w->runlist->context_count + 2));
	gpu_groups(problem);
	for (int i = 0; i < w->segments->count; i++)
		add_gpu_items(problem, i);
	for (int i = 0; i < w->segments->count; i++)
		add_slowing(problem, i);
	gpu_stops(problem);
}

/* ---- solving: all problems of a bound together, from below, until no response changes */

/* Jitters and look-backs from the responses of the last round. of_context: which problem answers for a context. */
static void update(struct problem *problem, const struct busy *results, const int *of_context)
{
	const struct workload *w = problem->w;
	for (int i = 0; i < problem->serial.item_count; i++) {
		struct serial_item *item = &problem->serial.items[i];
		int segment = problem->from_segment[i];
		int64_t response = results[of_context[w->segments->items[segment].context]].value;
		item->arrivals.jitter = segment_jitter(w->segments, w->set, segment, response);
		item->lookback = item->looks_back ? response : 0;
	}
}

static bool solve_round(struct problem *problems, int count, struct busy *results, const int *of_context)
{
	bool changed = false;
	for (int i = 0; i < count; i++) {
		if (results[i].reason != NULL)
			continue;
		update(&problems[i], results, of_context);
		struct serial_result result = serial_solve(problems[i].w->arena, &problems[i].serial, results[i].value);
		changed |= result.value != results[i].value;
		results[i].value = result.value;
		results[i].reason = result.reason;
		results[i].dominant = result.dominant;
	}
	return changed;
}

#define ROUNDS 10000

static void solve(struct problem *problems, int count, struct busy *results, const int *of_context)
{
	int round = 0;
	while (solve_round(problems, count, results, of_context))
		if (++round == ROUNDS) {
			for (int i = 0; i < count; i++)
				results[i] = (struct busy){
					NONE, "responses and jitters did not converge within the limit of rounds", NULL, STEP_ABSENT, 0};
			return;
		}
}

/* A context whose copies are on another one's engines is counted by its response: what that rests on, the other one rests on, too. */
static void rest_on_others(const struct problem *problems, int count, struct busy *results, const int *of_context)
{
	const struct workload *w = problems[0].w;
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < count; i++)
			for (int j = 0; results[i].reason == NULL && j < problems[i].serial.item_count; j++) {
				int of = of_context[w->segments->items[problems[i].from_segment[j]].context];
				uint64_t all = results[i].assumptions | results[of].assumptions;
				more |= all != results[i].assumptions;
				results[i].assumptions = all;
			}
	}
}

/* The steps of the solved problems: every context's response is claimed first, then confirmed by its fixed point. */
static void derive(struct problem *problems, int count, struct busy *results, const int *of_context, enum bound bound)
{
	static const int rules[] = {[BOUND_VOL_P] = RULE_VOL_P, [BOUND_P] = RULE_P, [BOUND_P_GPU] = RULE_P_GPU};
	const struct workload *w = problems[0].w;
	int *claims = arena_allocate(w->arena, (size_t)count, sizeof *claims);
	const char **about = arena_allocate(w->arena, (size_t)count, sizeof *about);
	for (int i = 0; i < count; i++) {
		about[i] = bound == BOUND_P_GPU ? "gpu" : arena_format(w->arena, "application:%s", w->runlist->contexts[i].name);
		claims[i] =
			results[i].reason != NULL ? STEP_ABSENT : derivation_integer(w->derivation, RULE_CLAIM, about[i], results[i].value);
	}
	for (int i = 0; i < count; i++) {
		if (results[i].reason != NULL)
			continue;
		for (int j = 0; j < problems[i].serial.item_count; j++) {
			struct serial_item *item = &problems[i].serial.items[j];
			int segment = problems[i].from_segment[j], of = of_context[w->segments->items[segment].context];
			item->jitter_step =
				segment_jitter_step(w->segments, w->set, segment, results[of].value, claims[of], w->arena, w->derivation);
			item->lookback_step = item->looks_back ? claims[of] : STEP_ABSENT;
		}
		int rule = bound == BOUND_P_GPU && problems[i].w->once != NULL ? RULE_P_GPU_ONCE : rules[bound];
		results[i].step = serial_derive(w->derivation, &problems[i].serial, rule, about[i], results[i].value);
		derivation_input(w->derivation, "claim", claims[i]);
	}
}

/* A problem with a missing number, or a bound that does not apply, has its reason before anything is solved. */
static struct busy begin(const struct problem *problem, const struct applicable *applicable)
{
	const char *reason = applicable->reason != NULL ? applicable->reason : problem->reason;
	if (reason == NULL) /* what the costs rest on, as the makespan of a memset that runs as a kernel */
		reason = applicable_refuse(problem->w->arena, problem->w->platform, problem->assumptions);
	return (struct busy){reason == NULL ? 0 : NONE, reason, NULL, STEP_ABSENT, applicable->assumptions | problem->assumptions};
}

/* ---- kernels and copies charged once: the only problem is solved with each corner's weights, too, and the least counts */

static bool charges_once(const struct workload *w, enum bound bound)
{
	return bound == BOUND_P_GPU || (bound == BOUND_P && w->runlist->context_count == 1 && !w->runlist->sliced);
}

static void try_once(const struct workload *w, enum bound bound, struct problem *problem, struct busy *result, const int *of_context)
{
	struct applicable applicable = applicable_find(w->arena, w->platform, w->set, w->costs, w->runlist, bound, 0);
	for (int i = 0; i < w->corner_count && charges_once(w, bound); i++) {
		struct workload *other = arena_allocate(w->arena, 1, sizeof *other);
		struct problem weighed;
		*other = *w;
		other->once = &w->corners[i];
		if (bound == BOUND_P_GPU)
			build_gpu(&weighed, other);
		else
			build_context(&weighed, other, bound, 0);
		struct busy found = begin(&weighed, &applicable);
		if (found.reason == NULL)
			solve(&weighed, 1, &found, of_context);
		if (found.reason != NULL || (result->reason == NULL && found.value >= result->value))
			continue;
		*result = found;
		*problem = weighed;
	}
}

void busy_compute(const struct workload *w, enum bound bound, struct busy *result)
{
	int contexts = w->runlist->context_count, count = bound == BOUND_P_GPU ? 1 : contexts;
	struct problem *problems = arena_allocate(w->arena, (size_t)contexts + 1, sizeof *problems);
	struct busy *results = arena_allocate(w->arena, (size_t)contexts + 1, sizeof *results);
	int *of_context = arena_allocate(w->arena, (size_t)contexts + 1, sizeof *of_context);
	if (contexts == 0)
		return;
	for (int i = 0; i < count; i++) {
		struct applicable applicable = applicable_find(w->arena, w->platform, w->set, w->costs, w->runlist, bound, i);
		if (bound == BOUND_P_GPU)
			build_gpu(&problems[i], w);
		else
			build_context(&problems[i], w, bound, i);
		results[i] = begin(&problems[i], &applicable);
	}
	for (int i = 0; i < contexts; i++)
		of_context[i] = count == 1 ? 0 : i;
	solve(problems, count, results, of_context);
	if (count == 1)
		try_once(w, bound, &problems[0], &results[0], of_context);
	rest_on_others(problems, count, results, of_context);
	derive(problems, count, results, of_context, bound);
	for (int i = 0; i < contexts; i++)
		result[i] = results[of_context[i]];
}
