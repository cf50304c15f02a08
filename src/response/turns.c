#include "response/turns.h"

#include "base/plant.h"
#include "model/rules.h"
#include "response/applicable.h"
#include "response/segment_cost.h"

struct builder {
	const struct workload *w;
	bool volume;
	struct bound_answer *const *answers;
	const struct bound_answer *segments; /* [segment]: of H; NULL: nobody may rest on them */
	uint64_t conditions;                 /* that H may rest on */
	struct turns *turns;
	struct {
		const char *role;
		int step;
	} * inputs; /* of the step, which is made last */
	int input_count;
};

static void input(struct builder *b, const char *role, int step)
{
	b->inputs[b->input_count].role = role;
	b->inputs[b->input_count++].step = step;
}

/* ---- how long a context's jobs are there: its least serial bound; for a bound by volumes, the one that rests on no order either */

static const struct bound_answer *least_bound(const struct builder *b, int context)
{
	static const enum bound kinds[] = {BOUND_VOL_P, BOUND_P, BOUND_P_GPU};
	const struct bound_answer *least = NULL;
	for (int i = 0; i < (b->volume ? 1 : 3); i++) {
		const struct bound_answer *busy = &b->answers[kinds[i]][context];
		if (busy->reason == NULL && (least == NULL || busy->value < least->value))
			least = busy;
	}
	return least;
}

/* May its kernels' makespans be added up? Where P, or P-GPU, has a value for it. */
static const struct bound_answer *ordered_by(const struct builder *b, int context)
{
	const struct bound_answer *p = &b->answers[BOUND_P][context], *gpu = &b->answers[BOUND_P_GPU][context];
	return p->reason == NULL ? p : gpu->reason == NULL ? gpu : NULL;
}

/* ---- the same of a segment, by H where that is less and asks for no condition of its own */

struct stay {
	int64_t response, jitter; /* NONE: nobody says */
	const struct bound_answer *by;
	bool own; /* of the segment */
};

static struct stay stay_in_context(const struct builder *b, int index)
{
	const struct workload *w = b->w;
	const struct bound_answer *bound = b->turns->bound[w->segments->items[index].context];
	if (bound == NULL)
		return (struct stay){NONE, NONE, NULL, false};
	const int64_t *response = &bound->responses[index], *before = response - w->segments->items[index].number;
	return (struct stay){*response, segment_jitter(w->segments, w->set, index, before), bound, false};
}

static struct stay stay_of(const struct builder *b, int index)
{
	struct stay stay = stay_in_context(b, index);
	const struct bound_answer *own = b->segments == NULL ? NULL : &b->segments[index];
	if (own == NULL || own->reason != NULL || (platform_conditions(b->w->platform, own->assumptions) & ~b->conditions) != 0)
		return stay;
	if (checked_add(own->value, own->jitter) >= checked_add(stay.response, stay.jitter))
		return stay;
	return (struct stay){own->value, own->jitter, own, true};
}

static bool all_by_segment(const struct builder *b, int context)
{
	bool all = b->segments != NULL;
	for (int i = 0; i < b->w->segments->count && all; i++)
		all = b->w->segments->items[i].context != context || stay_of(b, i).own;
	return all;
}

/* ---- items */

static bool fill(struct builder *b, struct demand_item *item, int index)
{
	const struct workload *w = b->w;
	const struct segment *segment = &w->segments->items[index];
	const struct task *task = &w->set->tasks[segment->task];
	const struct stay stay = stay_of(b, index);
	*item = (struct demand_item){.task = segment->task, .context = segment->context, .engine = ENGINE_NONE};
	if (stay.by == NULL)
		return false;
	item->lookback = stay.response;
	item->arrivals = (struct arrivals){&task->arrival, stay.jitter, segment->number == 0 && segment->host_most == 0};
	return true;
}

static void add_inputs(struct builder *b, int index, const char *role, const struct cost *work)
{
	const struct workload *w = b->w;
	const struct segment *segment = &w->segments->items[index];
	const struct task *task = &w->set->tasks[segment->task];
	const struct stay stay = stay_of(b, index);
	input(b, "T", cost_given(w->derivation, task->arrival.period, "task:%s@period", task->id, NULL));
	input(b, "J",
		stay.own ? stay.by->jitter_step
			 : segment_jitter_step(w->segments, w->set, index, stay.by->responses, stay.by->steps, w->arena, w->derivation));
	input(b, "A", stay.own ? stay.by->step : stay.by->steps[index]);
	input(b, role, work->step);
	b->turns->assumptions |= stay.by->assumptions | work->assumptions;
}

static bool add_kernels(struct builder *b, struct demand_item *item, int index)
{
	const struct workload *w = b->w;
	const struct segment *segment = &w->segments->items[index];
	int64_t count = segment_cost_count(w, segment, PLACE_EXECUTION);
	if (count == 0 || !fill(b, item, index))
		return false;
	struct cost work = segment_cost_of(w, segment, b->volume ? SEGMENT_DISPATCHED : SEGMENT_KERNELS);
	item->work = work.value;
	item->turns = count;
	add_inputs(b, index, "x", &work);
	if (b->volume) {
		struct cost volume = segment_cost_of(w, segment, SEGMENT_VOLUME);
		item->volume = volume.value;
		input(b, "v", volume.step);
	}
	return true;
}

static bool add_transfers(struct builder *b, struct demand_item *item, int index)
{
	const struct workload *w = b->w;
	const struct segment *segment = &w->segments->items[index];
	int64_t count = segment_cost_count(w, segment, PLACE_COPY);
	if (count == 0 || !fill(b, item, index))
		return false;
	struct cost work = segment_cost_of(w, segment, SEGMENT_TRANSFERS);
	item->work = work.value;
	item->turns = count;
	add_inputs(b, index, "x", &work);
	return true;
}

/* ---- entries */

static struct entry *open_entry(struct builder *b, int context, bool copies, const struct cost *slice)
{
	struct entry *entry = &b->turns->entries.items[b->turns->entries.count++];
	*entry = (struct entry){.context = context,
		.copies = copies,
		.level = b->w->runlist->contexts[context].level,
		.slice = slice->value,
		.turn = slice->value,
		.sms = 1};
	input(b, "L", slice->step);
	return entry;
}

static void add_items(struct builder *b, struct entry *entry)
{
	const struct segments *segments = b->w->segments;
	struct demand_item *items = arena_allocate(b->w->arena, (size_t)segments->count + 1, sizeof *items);
	for (int i = 0; i < segments->count; i++)
		if (segments->items[i].context == entry->context)
			entry->count += entry->copies ? add_transfers(b, &items[entry->count], i) : add_kernels(b, &items[entry->count], i);
	entry->items = items;
	supply_settle(entry);
}

/* [LEFT-BEHIND]: is it pending whenever a job of it is there, and are its turns then whole slices, one a round? */
static bool is_prompt(const struct builder *b, const struct entry *entry)
{
	const struct workload *w = b->w;
	if (entry->turn != entry->slice || w->runlist->round.levels || w->set->ranked ||
		w->platform->parameters[PARAMETER_STOPS_LENGTH].present)
		return false;
	for (int i = 0; i < w->set->operation_count; i++) {
		const struct operation_cost *cost = &w->costs->operations[i];
		bool apart = cost->place != PLACE_EXECUTION || cost->turns != 1 || cost->dependency.value != 0 ||
			     w->set->operations[i].hold != 0;
		if (cost->context == entry->context && apart && !planted(PLANT_LEFT_BEHIND))
			return false;
	}
	return true;
}

/* Of work that goes on with cold caches: how long a turn is, and what is left to be refilled where another stream's work has begun, too, or
 * a stop has used up the slice. */
static void set_refill(struct builder *b, struct entry *entry, const struct context *of)
{
	const struct quantity *refill = &b->w->platform->parameters[PARAMETER_SWITCH_REFILL];
	bool stops = b->w->platform->parameters[PARAMETER_STOPS_LENGTH].present;
	entry->turn = of->turn.value;
	if (of->turn.step != of->slice.step)
		input(b, "L", of->turn.step);
	if (!refill->present || planted(PLANT_REFILL) || (of->kernel_streams <= 1 && !stops))
		return;
	entry->refill = platform_value(b->w->platform, PARAMETER_SWITCH_REFILL);
	input(b, "refill", b->w->costs->parameter_steps[PARAMETER_SWITCH_REFILL]);
}

static void add_kernel_entry(struct builder *b, int context)
{
	const struct workload *w = b->w;
	const struct context *of = &w->runlist->contexts[context];
	struct entry *entry = open_entry(b, context, false, &of->slice);
	const struct bound_answer *order = ordered_by(b, context);
	bool by_segment = all_by_segment(b, context);
	set_refill(b, entry, of);
	entry->prompt = is_prompt(b, entry);
	entry->overrun = of->overrun.value;
	input(b, "Omega", of->overrun.step);
	b->turns->assumptions |= of->overrun.assumptions;
	entry->unknown = !by_segment && (b->turns->bound[context] == NULL || (!b->volume && order == NULL));
	if (entry->unknown)
		return;
	if (b->volume) {
		entry->sms = applicable_nonempty_sms(w->platform, w->set, w->costs, context, &b->turns->assumptions);
		entry->rest = applicable_rest(w->set, w->costs, context, entry->sms);
		int step = derivation_named(w->derivation, RULE_NONEMPTY, rational_of(entry->sms), "application:%s", of->name, NULL);
		derivation_input(w->derivation, "m", cost_sms_step(w->platform, w->set, w->costs, context));
		derivation_input(w->derivation, "g", w->costs->parameter_steps[PARAMETER_DISPATCH_NONEMPTY]);
		input(b, "g", step);
	} else if (order != NULL) {
		b->turns->assumptions |= order->assumptions;
	}
	add_items(b, entry);
}

static void add_copy_entry(struct builder *b, int context)
{
	struct entry *entry = open_entry(b, context, true, &b->w->runlist->copy_slice);
	entry->unknown = b->turns->bound[context] == NULL && !all_by_segment(b, context);
	if (!entry->unknown)
		add_items(b, entry);
}

static void add_entries(struct builder *b)
{
	const struct runlist *runlist = b->w->runlist;
	input(b, "theta", runlist->theta.step);
	b->turns->entries.theta = runlist->theta.value;
	b->turns->entries.round = runlist->round;
	for (int i = 0; i < runlist->context_count; i++) {
		if (runlist->contexts[i].kernels)
			add_kernel_entry(b, i);
		if (runlist->contexts[i].copies && runlist->copies_sliced)
			add_copy_entry(b, i);
	}
}

/* ---- copies on engines that contexts share: one item a segment and engine */

static void add_shared_copies(struct builder *b, int index, int engine)
{
	const struct workload *w = b->w;
	struct entries *entries = &b->turns->entries;
	struct demand_item *item = &entries->copies[entries->copy_count];
	struct cost work = segment_cost_copies_on(w, &w->segments->items[index], engine);
	if (work.value == 0 && work.reason == NULL)
		return;
	bool known = fill(b, item, index);
	item->engine = engine;
	item->work = known ? work.value : NONE;
	entries->copy_count++;
	if (known)
		add_inputs(b, index, "e", &work);
}

static void add_copies(struct builder *b)
{
	const struct workload *w = b->w;
	int *engines = &b->turns->engines;
	for (int i = 0; i < w->set->operation_count; i++)
		if (w->costs->operations[i].place == PLACE_COPY && w->costs->operations[i].engine >= *engines)
			*engines = w->costs->operations[i].engine + 1;
	b->turns->entries.copies = arena_allocate(w->arena, (size_t)w->set->operation_count + 1, sizeof *b->turns->entries.copies);
	for (int engine = 0; engine < *engines; engine++)
		for (int i = 0; i < w->segments->count; i++)
			add_shared_copies(b, i, engine);
}

static bool shares_copies(const struct runlist *runlist)
{
	return runlist->copies_shared && runlist->context_count > 1;
}

static void find_bounds(struct builder *b)
{
	const struct runlist *runlist = b->w->runlist;
	*b->turns = (struct turns){.step = STEP_ABSENT};
	b->turns->bound = arena_allocate(b->w->arena, (size_t)runlist->context_count + 1, sizeof *b->turns->bound);
	for (int i = 0; i < runlist->context_count; i++)
		b->turns->bound[i] = least_bound(b, i);
}

static void build(struct builder *b)
{
	const struct workload *w = b->w;
	struct turns *turns = b->turns;
	size_t contexts = (size_t)w->runlist->context_count + 1, inputs = (size_t)w->set->operation_count * 18 + contexts * 10;
	b->inputs = arena_allocate(w->arena, inputs, sizeof *b->inputs);
	turns->entries.items = arena_allocate(w->arena, 2 * contexts, sizeof *turns->entries.items);
	if (w->runlist->sliced)
		add_entries(b);
	if (shares_copies(w->runlist))
		add_copies(b);
	turns->step = derivation_integer(w->derivation, RULE_TURNS, "gpu", turns->entries.count);
	for (int i = 0; i < b->input_count; i++)
		derivation_input(w->derivation, b->inputs[i].role, b->inputs[i].step);
}

const struct turns *turns_build(const struct workload *w, bool volume, struct bound_answer *const *answers)
{
	struct builder b = {.w = w, .volume = volume, .answers = answers, .turns = arena_allocate(w->arena, 1, sizeof *b.turns)};
	find_bounds(&b);
	if (w->runlist->sliced || shares_copies(w->runlist))
		build(&b);
	return b.turns;
}

const struct turns *turns_shorten(const struct workload *w, const struct turns *serial, struct bound_answer *const *answers)
{
	struct builder b = {.w = w,
		.answers = answers,
		.segments = answers[BOUND_H],
		.conditions = serial->assumptions,
		.turns = arena_allocate(w->arena, 1, sizeof *b.turns)};
	if (platform_grants(w->platform, ASSUMPTION_CE))
		b.conditions |= assumption_bit(ASSUMPTION_CE); /* CHAIN has it anyway */
	bool shorter = false;
	find_bounds(&b);
	for (int i = 0; i < w->segments->count && serial->step != STEP_ABSENT && !shorter; i++)
		shorter = stay_of(&b, i).own;
	if (!shorter)
		return serial;
	build(&b);
	return b.turns;
}

/* ---- one context */

static const struct entry *entry_of(const struct turns *turns, int context, bool copies)
{
	for (int i = 0; i < turns->entries.count; i++)
		if (turns->entries.items[i].context == context && turns->entries.items[i].copies == copies)
			return &turns->entries.items[i];
	return NULL;
}

const char *turns_supply(const struct workload *w, const struct turns *turns, int context, struct supply *kernels, struct supply *copies)
{
	const struct platform *platform = w->platform;
	const struct context *of = &w->runlist->contexts[context];
	bool stops = platform->parameters[PARAMETER_STOPS_LENGTH].present && platform->parameters[PARAMETER_STOPS_DISTANCE].present;
	*kernels = (struct supply){.context = context,
		.stop_length = stops ? w->costs->stop.value : NONE,
		.stop_distance = stops ? platform_value(platform, PARAMETER_STOPS_DISTANCE) : NONE};
	if (stops && w->costs->stop.reason != NULL)
		return w->costs->stop.reason;
	*copies = *kernels;
	if (turns->step == STEP_ABSENT)
		return NULL;
	kernels->entries = copies->entries = &turns->entries;
	supply_settle_copies(w->arena, copies, turns->engines);
	if (w->runlist->sliced && of->kernels && of->kernel_gap.reason != NULL)
		return of->kernel_gap.reason;
	if (w->runlist->sliced && w->runlist->copies_sliced && of->copies && of->copy_gap.reason != NULL)
		return of->copy_gap.reason;
	kernels->own = copies->none = entry_of(turns, context, false);
	copies->own = kernels->none = entry_of(turns, context, true);
	if (of->streams > 1) /* else they are never there together (A-ONE) */
		kernels->none = copies->none = NULL;
	return NULL;
}
