/* VOL-P, P and P-GPU: the claimed busy interval put into its own equation. */
#include "verify/bounds.h"

struct item { /* what arrives, and what one arrival costs */
	int part, group;
	struct arrivals_at arrivals;
	struct fact period, jitter, cost, work, volume, kernels;
	bool looks_back;
	struct fact lookback;
};

struct group { /* work that shares a time slice */
	struct fact g, slice, gap;
	int64_t share; /* g, 1 without */
	bool sliced, round_up;
};

/* Kernels and copies that slow each other are charged once: what each costs alone, by weights with y / F + z / F' >= 1. */
struct weighed {
	const struct work *apart;
	struct factor kernels, copies; /* y, z */
	struct factor beside;          /* F' (1 - 1 / F) */
	uint64_t assumptions;          /* of F and F' */
};

struct problem {
	const struct weighed *weighed; /* NULL: everything is slowed by everything */
	struct work *work;
	enum claimed kind;
	int context; /* NO_ID: all */
	struct item *items;
	int item_count;
	struct group *groups;
	int group_count;
	struct fact stop, distance;
	bool stops;
	const struct fact *claims; /* [context] */
};

/* ---- what a segment costs */

enum cost {
	COST_DEPENDENCY = 1,
	COST_TRANSFER = BOUNDS_TRANSFERS,
	COST_KERNEL = BOUNDS_KERNELS,
	COST_DISPATCHED = BOUNDS_DISPATCHED,
	COST_VOLUME = BOUNDS_VOLUMES,
	DILATED = 32
};

static struct fact dilated(const struct work *work, struct fact x, int context, bool of_copies, const char *about)
{
	const struct owner *owner = &work->owners[context];
	if (!work->sliced || (of_copies && !work->copies_sliced))
		return x;
	return work_dilate(work->check, about, x, of_copies ? work->parameters[PARAMETER_RUNLIST_COPY_TIMESLICE] : owner->slice,
		of_copies ? owner->copy_gap : owner->kernel_gap);
}

/* M + max(W, o_blk), M where no lower level is. */
static struct fact kernel_cost(const struct work *work, const struct piece *piece, const char *about)
{
	struct fact both[] = {piece->makespan, piece->waste};
	return piece->waste.value == 0 ? piece->makespan : fact_sum(work->check, about, both, 2);
}

static int add_operation(const struct work *work, const struct part *part, int index, int wanted, struct fact *facts)
{
	const struct piece *piece = &work->pieces[index];
	const char *about = work_name(work, part, index);
	bool dilate = wanted & DILATED;
	int count = 0;
	if (wanted & COST_DEPENDENCY)
		facts[count++] = piece->dependency;
	if ((wanted & COST_TRANSFER) && piece->runs == RUNS_ON_COPY_ENGINE)
		facts[count++] = dilate ? dilated(work, piece->transfer, part->context, true, about) : piece->transfer;
	if (piece->runs != RUNS_ON_SMS)
		return count;
	if (wanted & COST_KERNEL) {
		struct fact kernel = kernel_cost(work, piece, about);
		facts[count++] = dilate ? dilated(work, kernel, part->context, false, about) : kernel;
	}
	if (wanted & COST_DISPATCHED) {
		struct fact both[] = {piece->dispatch, piece->block};
		facts[count++] = fact_sum(work->check, about, both, 2);
	}
	if (wanted & COST_VOLUME)
		facts[count++] = piece->volume;
	return count;
}

static struct fact cost_of(const struct work *work, const struct part *part, int wanted)
{
	struct fact *facts = arena_allocate(work->check->arena, (size_t)part->count * 5 + 1, sizeof *facts);
	int count = 0;
	for (int i = part->first; i < part->first + part->count; i++)
		count += add_operation(work, part, i, wanted, facts + count);
	return fact_sum(work->check, part->about, facts, count);
}

struct fact bounds_cost(const struct work *work, const struct part *part, enum bounds_cost what)
{
	return cost_of(work, part, (int)what);
}

int64_t bounds_operations(const struct work *work, const struct part *part, enum runs runs)
{
	int64_t count = 0;
	for (int i = part->first; i < part->first + part->count; i++)
		count += work->pieces[i].runs == runs;
	return count;
}

static struct fact weighed_cost(const struct weighed *weighed, const struct part *part)
{
	const struct work *work = weighed->apart;
	struct check *check = work->check;
	struct fact waits = cost_of(work, part, COST_DEPENDENCY), kernels = cost_of(work, part, COST_KERNEL),
		    copies = cost_of(work, part, COST_TRANSFER);
	int64_t both = checked_add(
		rational_scale_up(kernels.value, weighed->kernels.value), rational_scale_up(copies.value, weighed->copies.value));
	struct fact cost = fact_make(check, RULE_ONCE, part->about, checked_add(both, waits.value));
	fact_from(check, &cost, "d", waits);
	fact_from(check, &cost, "w", kernels);
	fact_from(check, &cost, "v", copies);
	factor_from(check, cost.node, "y", weighed->kernels.node);
	factor_from(check, cost.node, "z", weighed->copies.node);
	cost.assumptions |= weighed->assumptions;
	return cost;
}

static struct fact operations_of(const struct work *work, const struct part *part, enum runs runs)
{
	return fact_make(work->check, RULE_OPERATIONS, part->about, bounds_operations(work, part, runs));
}

/* ---- jitter of a segment's release: what lies before it in its task, theory.md 8.3 */

static struct fact least_of(const struct work *work, const struct part *part)
{
	struct check *check = work->check;
	struct fact least = fact_make(check, RULE_LEAST, part->about, part->least);
	for (int i = part->first; i < part->first + part->count; i++)
		fact_from(check, &least, "b", fact_given(check, check->set->operations[i].bcet, "%s@bcet", work_name(work, part, i)));
	return least;
}

struct fact bounds_jitter(const struct work *work, int index, struct fact claim)
{
	struct check *check = work->check;
	const struct part *part = &work->parts[index];
	const struct task *task = &check->set->tasks[part->task];
	struct fact release = fact_given(check, task->arrival.jitter, "task:%s@jitter", task->id);
	int64_t value = checked_add(task->arrival.jitter, checked_sub(part->host_most, part->host_least));
	if (part->first == task->first_operation)
		return release;
	for (int i = index - part->number; i < index; i++)
		value = checked_add(value, checked_max(0, checked_sub(claim.value, work->parts[i].least)));
	struct fact jitter = fact_make(check, RULE_JITTER, part->about, value);
	fact_from(check, &jitter, "Jr", release);
	for (int i = task->first_operation; i < part->first; i++) {
		const struct operation *host = &check->set->operations[i];
		if (host->kind != OPERATION_HOST)
			continue;
		fact_from(check, &jitter, "C", fact_given(check, host->wcet, "%s@wcet", work_name(work, part, i)));
		fact_from(check, &jitter, "b", fact_given(check, host->bcet, "%s@bcet", work_name(work, part, i)));
	}
	for (int i = index - part->number; i < index; i++) {
		fact_from(check, &jitter, "P", claim);
		fact_from(check, &jitter, "l", least_of(work, &work->parts[i]));
	}
	return jitter;
}

/* ---- items */

static struct item *add_item(struct problem *problem, int index)
{
	struct work *work = problem->work;
	const struct part *part = &work->parts[index];
	const struct task *task = &work->check->set->tasks[part->task];
	struct item *item = &problem->items[problem->item_count++];
	struct fact claim = problem->claims[problem->kind == CLAIMED_P_GPU ? 0 : part->context];
	*item = (struct item){.part = index};
	item->period = fact_given(work->check, task->arrival.period, "task:%s@period", task->id);
	item->jitter = bounds_jitter(work, index, claim);
	item->arrivals = (struct arrivals_at){&task->arrival, item->jitter.value, part->number == 0 && part->host_most == 0};
	return item;
}

static bool uses_engine(const struct work *work, int context, int engine)
{
	for (int i = 0; i < work->check->set->operation_count; i++) {
		const struct piece *piece = &work->pieces[i];
		if (piece->context == context && piece->runs == RUNS_ON_COPY_ENGINE && piece->engine == engine)
			return true;
	}
	return false;
}

/* Another context's copies on engines that this one uses, too; doc/theory.md 3. */
static void add_foreign(struct problem *problem, int index)
{
	struct work *work = problem->work;
	const struct part *part = &work->parts[index];
	struct fact *facts = arena_allocate(work->check->arena, (size_t)part->count + 1, sizeof *facts);
	int count = 0;
	for (int i = part->first; i < part->first + part->count; i++)
		if (work->pieces[i].runs == RUNS_ON_COPY_ENGINE && uses_engine(work, problem->context, work->pieces[i].engine))
			facts[count++] = work->pieces[i].transfer;
	if (count == 0)
		return;
	struct item *item = add_item(problem, index);
	item->cost = fact_sum(work->check, part->about, facts, count);
	item->looks_back = true;
	item->lookback = problem->claims[part->context];
}

static void add_own(struct problem *problem, int index)
{
	struct work *work = problem->work;
	const struct part *part = &work->parts[index];
	struct item *item = add_item(problem, index);
	if (problem->kind == CLAIMED_P) {
		item->cost = problem->weighed != NULL ? weighed_cost(problem->weighed, part)
						      : cost_of(work, part, COST_DEPENDENCY | COST_TRANSFER | COST_KERNEL | DILATED);
		return;
	}
	item->cost = cost_of(work, part, COST_DEPENDENCY | COST_TRANSFER | DILATED);
	item->work = cost_of(work, part, COST_DISPATCHED);
	item->volume = cost_of(work, part, COST_VOLUME);
	if (work->sliced)
		item->kernels = operations_of(work, part, RUNS_ON_SMS);
}

static void add_for_gpu(struct problem *problem, int index)
{
	struct work *work = problem->work;
	const struct part *part = &work->parts[index];
	struct item *item = add_item(problem, index);
	item->cost = problem->weighed != NULL ? weighed_cost(problem->weighed, part)
					      : cost_of(work, part, COST_DEPENDENCY | (work->copies_sliced ? 0 : COST_TRANSFER));
	item->work = cost_of(problem->weighed != NULL ? problem->weighed->apart : work, part, COST_KERNEL);
	item->kernels = operations_of(work, part, RUNS_ON_SMS);
	item->group = part->context;
	if (!work->copies_sliced || bounds_operations(work, part, RUNS_ON_COPY_ENGINE) == 0)
		return;
	item = add_item(problem, index);
	item->work = cost_of(work, part, COST_TRANSFER);
	item->kernels = operations_of(work, part, RUNS_ON_COPY_ENGINE);
	item->group = work->owner_count;
}

/* Charged once: what the copies of a segment may add to the time of each context's kernels. */
static void add_slowing(struct problem *problem, int index)
{
	struct work *work = problem->work;
	const struct weighed *weighed = problem->weighed;
	const struct part *part = &work->parts[index];
	if (weighed == NULL || bounds_operations(work, part, RUNS_ON_COPY_ENGINE) == 0)
		return;
	for (int i = 0; i < work->owner_count; i++) {
		if (!work->owners[i].kernels)
			continue;
		struct item *item = add_item(problem, index);
		struct fact copies = cost_of(weighed->apart, part, COST_TRANSFER);
		item->work = fact_make(work->check, RULE_ONCE_BESIDE, part->about, rational_scale_up(copies.value, weighed->beside.value));
		fact_from(work->check, &item->work, "v", copies);
		factor_from(work->check, item->work.node, "s", weighed->beside.node);
		item->group = i;
	}
}

/* ---- groups and stops */

static void add_groups(struct problem *problem)
{
	struct work *work = problem->work;
	if (problem->kind != CLAIMED_P_GPU) {
		struct group *group = &problem->groups[problem->group_count++];
		*group = (struct group){.share = 1};
		if (problem->kind != CLAIMED_VOL_P)
			return;
		const struct owner *owner = &work->owners[problem->context];
		group->g = bounds_nonempty(work, problem->context);
		group->share = group->g.value;
		group->sliced = group->round_up = work->sliced && owner->kernels;
		group->slice = owner->slice;
		group->gap = owner->kernel_gap;
		return;
	}
	for (int i = 0; i < work->owner_count; i++) {
		const struct owner *owner = &work->owners[i];
		problem->groups[problem->group_count++] =
			(struct group){.share = 1, .sliced = owner->kernels, .slice = owner->slice, .gap = owner->switch_gap};
	}
	problem->groups[problem->group_count++] = (struct group){.share = 1,
		.sliced = work->copies_sliced,
		.slice = work->parameters[PARAMETER_RUNLIST_COPY_TIMESLICE],
		.gap = work->parameters[PARAMETER_RUNLIST_SWITCH]};
}

/* A stop that hits a slice is lost to its owner, a kernel's or a copy's: the dearer. */
static struct fact dilated_stop(const struct work *work, struct fact stop, int context)
{
	const struct owner *owner = &work->owners[context];
	struct fact kernel = owner->kernels ? dilated(work, stop, context, false, "platform:stops") : stop;
	struct fact copy = owner->copies ? dilated(work, stop, context, true, "platform:stops") : stop;
	if (checked_is_none(kernel.value) || checked_is_none(copy.value))
		return FACT_UNKNOWN;
	return kernel.value >= copy.value ? kernel : copy;
}

/* theta_int + (ceil(theta_int / min L) + 1) max G; doc/theory.md 1 */
static struct fact sliced_stop(const struct problem *problem, struct fact stop)
{
	struct check *check = problem->work->check;
	int64_t slice = NONE, gap = 0;
	for (int i = 0; i < problem->group_count; i++) {
		slice = problem->groups[i].sliced ? checked_min(slice, problem->groups[i].slice.value) : slice;
		gap = problem->groups[i].sliced ? checked_max(gap, problem->groups[i].gap.value) : gap;
	}
	if (checked_is_none(slice))
		return stop;
	int64_t turns = checked_add(checked_div_ceil(stop.value, slice), 1);
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
	problem->stops = !checked_is_none(problem->stop.value) && !checked_is_none(problem->distance.value);
	if (!problem->stops)
		return;
	problem->stop =
		problem->kind == CLAIMED_P_GPU ? sliced_stop(problem, problem->stop) : dilated_stop(work, problem->stop, problem->context);
}

static void build(struct problem *problem)
{
	struct work *work = problem->work;
	size_t most = (size_t)(work->part_count * (2 + work->owner_count)) + 1;
	problem->items = arena_allocate(work->check->arena, most, sizeof *problem->items);
	problem->groups = arena_allocate(work->check->arena, (size_t)work->owner_count + 2, sizeof *problem->groups);
	add_groups(problem);
	for (int i = 0; i < work->part_count; i++) {
		if (problem->kind == CLAIMED_P_GPU)
			add_for_gpu(problem, i);
		else if (work->parts[i].context == problem->context)
			add_own(problem, i);
		else if (work->copies_shared)
			add_foreign(problem, i);
	}
	for (int i = 0; i < work->part_count && problem->kind == CLAIMED_P_GPU; i++)
		add_slowing(problem, i);
	add_stops(problem);
}

/* ---- the right side */

static int64_t jobs(const struct item *item, int64_t delta)
{
	return bounds_arrivals(&item->arrivals, item->looks_back ? checked_add(delta, item->lookback.value) : delta);
}

static int64_t time_of_group(const struct problem *problem, int index, int64_t delta)
{
	const struct group *group = &problem->groups[index];
	int64_t volume = 0, work = 0, switches = 0;
	for (int i = 0; i < problem->item_count; i++) {
		const struct item *item = &problem->items[i];
		if (item->group != index)
			continue;
		volume = checked_add(volume, checked_mul(jobs(item, delta), item->volume.value));
		work = checked_add(work, checked_mul(jobs(item, delta), item->work.value));
		switches = checked_add(switches, checked_mul(jobs(item, delta), item->kernels.value));
	}
	int64_t x = checked_add(checked_div_floor(volume, group->share), work);
	int64_t counted = problem->weighed != NULL && problem->kind == CLAIMED_P_GPU ? 0 : x; /* else it is in the items' costs */
	if (!group->sliced)
		return counted;
	int64_t slices = group->round_up ? checked_div_ceil(x, group->slice.value) : checked_div_floor(x, group->slice.value);
	return checked_add(counted, checked_mul(checked_add(slices, switches), group->gap.value));
}

static int64_t right_side(const struct problem *problem, int64_t delta)
{
	int64_t sum = 0;
	if (problem->stops)
		sum = checked_mul(checked_div_ceil(delta, problem->distance.value), problem->stop.value);
	for (int i = 0; i < problem->item_count; i++)
		sum = checked_add(sum, checked_mul(jobs(&problem->items[i], delta), problem->items[i].cost.value));
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
	for (int i = 0; i < problem->item_count; i++) {
		const struct item *item = &problem->items[i];
		const struct {
			const char *role;
			struct fact fact;
		} inputs[] = {{"T", item->period}, {"J", item->jitter}, {"A", item->lookback}, {"e", item->cost}, {"x", item->work},
			{"v", item->volume}, {"k", item->kernels}};
		for (size_t k = 0; item->group == index && k < sizeof inputs / sizeof *inputs; k++)
			fact_from(check, fix, inputs[k].role, inputs[k].fact);
	}
}

static struct fact fix_of(struct problem *problem, struct fact claim, const char *about)
{
	struct check *check = problem->work->check;
	bool gpu_once = problem->weighed != NULL && problem->kind == CLAIMED_P_GPU;
	struct fact fix = fact_make(check, gpu_once ? RULE_P_GPU_ONCE : claimed_kinds[problem->kind].rule, about, claim.value);
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

/* ---- weights: the corners of y >= 1, z >= 1, y / F + z / F' >= 1 */

static bool is_weighed(const struct check *check, enum claimed kind, int step)
{
	int cost = graph_input(check, step, "e");
	return kind != CLAIMED_VOL_P && cost >= 0 && check->graph.steps[cost].rule == RULE_ONCE;
}

static struct rational greatest_of(const struct work *work, const struct work *apart, enum runs runs)
{
	struct rational greatest = rational_of(1);
	for (int i = 0; i < work->check->set->operation_count; i++) {
		const struct inflated_fact *with = &work->inflated[i], *without = &apart->inflated[i];
		if (work->pieces[i].runs != runs)
			continue;
		greatest = rational_max(greatest, rational_div(with->most, without->most));
		if (runs == RUNS_ON_SMS)
			greatest = rational_max(greatest, rational_div(with->most_apart, without->most_apart));
	}
	return greatest;
}

/* first: y = 1, else z = 1. */
static struct weighed corner(struct work *work, const struct work *apart, bool first)
{
	struct check *check = work->check;
	struct rational one = rational_of(1), y = one, z = one;
	struct rational blocks = greatest_of(work, apart, RUNS_ON_SMS), copies = greatest_of(work, apart, RUNS_ON_COPY_ENGINE);
	struct rational shares = rational_add(rational_div(one, blocks), rational_div(one, copies));
	if (!rational_is_none(shares) && rational_compare(shares, one) < 0) {
		if (first)
			z = rational_sub(copies, rational_div(copies, blocks));
		else
			y = rational_sub(blocks, rational_div(blocks, copies));
	}
	uint64_t assumptions = 0;
	for (int i = 0; i < check->set->operation_count; i++)
		assumptions |= work->inflated[i].most_assumptions | apart->inflated[i].most_assumptions;
	if (rational_is_none(shares))
		y = z = RATIONAL_NONE;
	struct rational beside = rational_sub(copies, rational_div(copies, blocks));
	return (struct weighed){apart, factor_make(check, RULE_ONCE_WEIGHT, "gpu:kernels", y),
		factor_make(check, RULE_ONCE_WEIGHT, "gpu:copies", z), factor_make(check, RULE_ONCE_WEIGHT, "gpu:beside", beside),
		assumptions};
}

static void build_weighed(struct problem *problem, int64_t claim)
{
	struct work *work = problem->work;
	const struct work *apart = work_derive(work->check, work->residents, inflate_derive_engines_apart(work->check, work->residents));
	const struct problem empty = *problem;
	for (int i = 0; i < 2; i++) {
		struct weighed *weighed = arena_allocate(work->check->arena, 1, sizeof *weighed);
		*weighed = corner(work, apart, i == 0);
		*problem = empty;
		problem->weighed = weighed;
		build(problem);
		if (right_side(problem, claim) == claim)
			return;
	}
}

static struct fact hold(struct work *work, enum claimed kind, int context, int step, const struct fact *claims, const char *about)
{
	struct check *check = work->check;
	struct problem problem = {.work = work, .kind = kind, .context = context, .claims = claims};
	const char *where = arena_format(check->arena, "step s%d (%s, %s)", step + 1, claimed_kinds[kind].name, about);
	bool applies, once = is_weighed(check, kind, step);
	if (once && (kind == CLAIMED_P_GPU || (work->owner_count == 1 && !work->sliced)))
		build_weighed(&problem, claims[context == NO_ID ? 0 : context].value);
	else
		build(&problem);
	struct fact claim = claims[context == NO_ID ? 0 : context], fix = fix_of(&problem, claim, about);
	uint64_t needs = bounds_needs(work, kind, context == NO_ID ? 0 : context, &applies);
	fix.assumptions |= needs;
	fact_bind(&fix, step);
	int64_t right = right_side(&problem, claim.value);
	if (!applies)
		check_differs(check, check->graph.steps[step].element, where, "no bound, as it does not apply here", "one");
	else if (claim.value < 1 || checked_is_none(right) || right > claim.value)
		check_differs(check, check->graph.steps[step].element, where,
			checked_is_none(right) ? "no value, as an input of the equation is not known"
					       : arena_format(check->arena, "at least the equation's right side, %lld", (long long)right),
			arena_format(check->arena, "%lld", (long long)claim.value));
	bounds_require(check, fix.assumptions, step);
	return fix;
}

struct claims bounds_serial(struct work *work, enum claimed kind)
{
	struct check *check = work->check;
	bool whole = kind == CLAIMED_P_GPU;
	int count = whole ? 1 : work->owner_count;
	struct claims claims = {arena_allocate(check->arena, (size_t)work->part_count + 1, sizeof(struct fact)),
		arena_allocate(check->arena, (size_t)work->owner_count + 1, sizeof(struct fact))};
	struct fact *claimed = arena_allocate(check->arena, (size_t)count + 1, sizeof *claimed);
	int *steps = arena_allocate(check->arena, (size_t)count + 1, sizeof *steps);
	for (int i = 0; i < count; i++) {
		const char *about = whole ? "gpu" : work->owners[i].about;
		steps[i] = work->owner_count == 0 ? -1 : graph_find(check, 0, claimed_kinds[kind].rule, about);
		if (steps[i] < 0 && kind == CLAIMED_P_GPU && work->owner_count > 0)
			steps[i] = graph_find(check, 0, RULE_P_GPU_ONCE, about);
		claimed[i] = read_claim(check, steps[i], about);
	}
	for (int i = 0; i < count; i++)
		claims.of_owner[i] =
			steps[i] < 0 ? FACT_UNKNOWN
				     : hold(work, kind, whole ? NO_ID : i, steps[i], claimed, whole ? "gpu" : work->owners[i].about);
	for (int i = 0; i < work->part_count; i++)
		claims.of_part[i] = claims.of_owner[whole ? 0 : work->parts[i].context];
	return claims;
}
