#include "response/bounds/lock.h"

#include "base/plant.h"
#include "model/limits.h"
#include "model/rules.h"
#include "response/bounds/bound.h"
#include "response/load.h"
#include "response/segment_cost.h"

struct held_unit { /* a segment */
	struct arrivals arrivals;
	struct arrivals present; /* as those whose copies may be there: released as much earlier as they take */
	int lock, priority;
	struct lock_customer cost;
	int hold_step, device_step, jitter_step;
	bool alternates; /* its kernels and copies take turns */
	struct cost kernels, transfers;
	int64_t total;
	const char *reason;
};

struct units {
	const struct workload *w;
	struct held_unit *items;
	struct cost *copies; /* [unit][engine]; of a unit, all that it has there */
	int engines;
	int64_t *responses;       /* [unit]; 0: not known yet */
	struct lock_basis *basis; /* one a unit */
	int count, table;
	int64_t horizon;
	bool changes; /* the runlist switches in some unit */
	bool stops;
	struct arrival stop_model; /* as customers that go before everything, outermost ([V11]) */
	struct arrivals stop_arrivals;
	uint64_t assumptions;
	const char *reason;
};

/* ---- numbers */

static int64_t take(struct units *units, const struct cost *cost)
{
	if (cost->reason != NULL && units->reason == NULL)
		units->reason = cost->reason;
	units->assumptions |= cost->assumptions;
	return cost->value;
}

/* May kernels and copies be entries of their own of a runlist? */
static bool are_apart(const struct taskset *set, const struct costs *costs, const struct runlist *runlist)
{
	bool kernels = false, copies = false;
	for (int i = 0; i < set->operation_count; i++) {
		kernels |= costs->operations[i].place == PLACE_EXECUTION;
		copies |= costs->operations[i].place == PLACE_COPY;
	}
	return runlist->copies_sliced && kernels && copies;
}

/* Switches of the runlist in a unit: between processes one, as the lock changes hands; where kernels and copies are entries of their own
 * one for each operation. */
static int64_t changes_of(const struct units *units, const struct segment *segment)
{
	const struct workload *w = units->w;
	bool apart = are_apart(w->set, w->costs, w->runlist);
	int64_t operations = 0;
	for (int i = segment->first; i < segment->first + segment->count; i++)
		operations += w->costs->operations[i].place != PLACE_NOWHERE;
	return apart ? operations : w->runlist->process_count > 1;
}

static bool alternates(const struct units *units, const struct segment *segment)
{
	const struct workload *w = units->w;
	const struct taskset one = {.operations = w->set->operations + segment->first, .operation_count = segment->count};
	struct costs costs = *w->costs;
	costs.operations += segment->first;
	return are_apart(w->set, w->costs, w->runlist) && dilation_alternating(&one, &costs) != NULL;
}

/* (floor(X / L) + k) (theta + Omega) of an entry: [P-GPU]. Planted: slices do not end. */
static int64_t turns_of(struct units *units, const struct cost *work, int64_t operations, const struct cost *slice, const struct cost *gap)
{
	int64_t time = take(units, work), length = take(units, slice), each = take(units, gap);
	if (units->reason != NULL)
		return 0;
	return checked_mul(checked_add(planted(PLANT_UNIT_TURNS) ? 0 : checked_div_floor(time, length), operations), each);
}

static int64_t turns_in(struct units *units, struct held_unit *unit, const struct segment *segment)
{
	const struct workload *w = units->w;
	const struct context *context = &w->runlist->contexts[segment->context];
	unit->kernels = segment_cost_of(w, segment, SEGMENT_KERNELS);
	unit->transfers = segment_cost_of(w, segment, SEGMENT_TRANSFERS);
	int64_t of_kernels =
		turns_of(units, &unit->kernels, segment_cost_count(w, segment, PLACE_EXECUTION), &context->slice, &context->switch_gap);
	int64_t of_copies =
		turns_of(units, &unit->transfers, segment_cost_count(w, segment, PLACE_COPY), &w->runlist->copy_slice, &w->runlist->theta);
	return checked_add(of_kernels, of_copies);
}

static int64_t change_of(struct units *units, const struct segment *segment)
{
	const struct workload *w = units->w;
	struct cost theta = cost_parameter(w->platform, w->costs, PARAMETER_RUNLIST_SWITCH);
	int64_t changes = changes_of(units, segment);
	if (changes == 0)
		return 0;
	units->changes = true;
	int64_t value = take(units, &theta);
	return planted(PLANT_THETA) ? 0 : checked_mul(changes, value);
}

/* All of it. Planted: what is on its first stream, before it comes to another one. */
static struct segment charged_part(const struct taskset *set, const struct segment *segment)
{
	struct segment part = *segment;
	const struct operation *first = &set->operations[part.first];
	for (int i = part.count - 1; i > 0 && planted(PLANT_UNIT_STREAM); i--)
		part.count = first[i].stream != first->stream ? i : part.count;
	return part;
}

/* Where copies beside kernels slow each other that is charged once, [ONCE], unless they take turns. */
static struct cost device_of(const struct workload *w, const struct segment *segment, bool turns)
{
	struct segment charged = charged_part(w->set, segment);
	struct cost least = segment_cost_of(w, &charged, SEGMENT_DEPENDENCIES | SEGMENT_TRANSFERS | SEGMENT_KERNELS);
	for (int i = 0; i < w->corner_count && w->set->exclusive && !turns && least.reason == NULL; i++) {
		struct workload weighed = *w;
		weighed.once = &w->corners[i];
		struct cost once = segment_cost_once(&weighed, &charged);
		least = once.reason == NULL && once.value < least.value ? once : least;
	}
	return least;
}

static void fill(struct units *units, int index)
{
	const struct workload *w = units->w;
	const struct segment *segment = &w->segments->items[index];
	const struct locked_unit *hold = &w->set->holds[w->set->operations[segment->first].hold - 1];
	const struct task *task = &w->set->tasks[segment->task];
	struct held_unit *unit = &units->items[index];
	*unit = (struct held_unit){.lock = hold->lock, .priority = hold->priority, .alternates = alternates(units, segment)};
	struct cost device = device_of(w, segment, unit->alternates);
	int64_t change = unit->alternates ? turns_in(units, unit, segment) : change_of(units, segment);
	unit->arrivals = (struct arrivals){&task->arrival, 0, segment->number == 0 && segment->host_most == 0};
	unit->present = (struct arrivals){&task->arrival, 0, false};
	unit->cost = (struct lock_customer){index, planted(PLANT_HANDED) ? 0 : hold->time, change, take(units, &device), 0};
	unit->total = checked_add(checked_add(unit->cost.hold, unit->cost.change), unit->cost.device);
	if (unit->total == NONE && units->reason == NULL)
		units->reason = "a cost does not fit 64 bits";
	unit->device_step = device.step;
	unit->hold_step = cost_given(w->derivation, hold->time, "%s@hold", w->costs->operations[segment->first].name, NULL);
	unit->jitter_step = cost_given(w->derivation, task->arrival.jitter, "task:%s@jitter", task->id, NULL);
	units->horizon = checked_max(units->horizon, checked_add(task->arrival.period, task->arrival.jitter));
}

static void set_stops(struct units *units)
{
	const struct workload *w = units->w;
	int64_t distance = platform_value(w->platform, PARAMETER_STOPS_DISTANCE);
	units->stops = platform_value(w->platform, PARAMETER_STOPS_LENGTH) != NONE && distance != NONE;
	if (!units->stops)
		return;
	take(units, &w->costs->stop);
	units->stop_model = (struct arrival){.kind = ARRIVAL_PERIODIC, .period = distance, .min_distance = NONE, .max_distance = NONE};
	units->stop_arrivals = (struct arrivals){&units->stop_model, 0, true};
}

/* ---- copies: other locks' units keep engines busy, in any order ([FOREIGN-COPIES]) */

static void set_copies(struct units *units)
{
	const struct workload *w = units->w;
	for (int i = 0; i < w->set->operation_count; i++)
		if (w->costs->operations[i].place == PLACE_COPY && w->costs->operations[i].engine >= units->engines)
			units->engines = w->costs->operations[i].engine + 1;
	if (w->set->exclusive)
		units->engines = 0;
	units->copies = arena_allocate(w->arena, (size_t)units->count * (size_t)units->engines + 1, sizeof *units->copies);
	for (int i = 0; i < units->count * units->engines; i++)
		units->copies[i] = segment_cost_copies_on(w, &w->segments->items[i / units->engines], i % units->engines);
}

static const struct cost *copies_of(const struct units *units, int index, int engine)
{
	return &units->copies[index * units->engines + engine];
}

static bool uses(const struct units *units, int lock, int engine)
{
	bool used = false;
	for (int i = 0; i < units->count; i++)
		used |= units->items[i].lock == lock && copies_of(units, i, engine)->value > 0;
	return used;
}

/* Of one under another lock, on engines that units of its own use. */
static int64_t foreign_copies(const struct units *units, int index, int other)
{
	int64_t sum = 0;
	for (int e = 0; e < units->engines && units->items[other].lock != units->items[index].lock && !planted(PLANT_FOREIGN); e++)
		if (uses(units, units->items[index].lock, e))
			sum = checked_add(sum, copies_of(units, other, e)->value);
	return sum;
}

/* ---- the release of a unit: what its task has before it, each unit within its own response ([SEGMENTS]) */

static int64_t jitter_of(const struct units *units, int index)
{
	const struct segments *segments = units->w->segments;
	return segment_jitter(segments, units->w->set, index, &units->responses[index - segments->items[index].number]);
}

/* Its thread waits for one job after the other: each unit of the task asks as it is released only where no job is released before the one
 * before is complete. */
static const char *thread_obstacle(const struct units *units, int index)
{
	const struct segments *segments = units->w->segments;
	int task = segments->items[index].task, first = index - segments->items[index].number;
	for (int i = first; i < units->count && segments->items[i].task == task; i++)
		if (units->items[i].reason != NULL)
			return units->items[i].reason;
	if (segment_thread_punctual(segments, units->w->set, first, &units->responses[first]) || planted(PLANT_LATE_REQUEST))
		return NULL;
	return arena_format(units->w->arena,
		"a job of %s may last until the next one is released, for which its thread asks for the lock late: a longer period, or "
		"less "
		"time under the lock",
		segments->items[index].name);
}

/* ---- one priority */

/* Does it go before the one that is looked at while that waits, or with it by order of requests? Planted: not of its own task. */
static bool counts(const struct units *units, int index, int other)
{
	bool own = other != index && units->w->segments->items[other].task == units->w->segments->items[index].task;
	bool same = units->items[other].lock == units->items[index].lock;
	return same && units->items[other].priority <= units->items[index].priority && !(own && planted(PLANT_OWN));
}

/* The longest unit of a lower priority; NULL: there is none. */
static const struct held_unit *blocking_of(const struct units *units, int index)
{
	const struct held_unit *longest = NULL;
	for (int i = 0; i < units->count && !planted(PLANT_BLOCKING); i++)
		if (units->items[i].lock == units->items[index].lock && units->items[i].priority > units->items[index].priority &&
			(longest == NULL || units->items[i].total > longest->total))
			longest = &units->items[i];
	return longest;
}

static const char *overload(const struct units *units, const struct customer *customers, int count)
{
	struct load sum;
	const char *reason = NULL;
	load_init(&sum);
	for (int i = 0; i < count; i++) {
		int64_t arrivals, window;
		arrivals_least_rate(customers[i].arrivals->model, &arrivals, &window);
		load_add(&sum, customers[i].cost, arrivals, window, 1);
	}
	if (!load_below_one(&sum))
		reason = arena_format(units->w->arena,
			"the load of the units under the lock, the sum of cost over period, of its priority and those above is %s and has "
			"to be "
			"below 1",
			load_text(&sum, units->w->arena));
	load_finish(&sum);
	return reason;
}

static void add_customer(const struct units *units, struct lock_basis *basis, struct customer *customers, int other)
{
	basis->customers[basis->count] = units->items[other].cost;
	customers[basis->count++] = (struct customer){&units->items[other].arrivals, units->items[other].total, 0};
}

/* NULL, or why one of them may be there nobody knows how often. */
static const char *add_foreign(const struct units *units, int index, struct lock_basis *basis, struct customer *customers)
{
	for (int i = 0; i < units->count; i++) {
		int64_t copies = foreign_copies(units, index, i);
		if (copies > 0 && units->items[i].reason != NULL)
			return units->items[i].reason;
		if (copies == 0)
			continue;
		basis->customers[basis->count] = (struct lock_customer){.segment = i, .copies = copies};
		customers[basis->count++] = (struct customer){&units->items[i].present, copies, 0};
		basis->foreign = true;
	}
	return NULL;
}

/* Itself first, then its equals, then who is above it, copies of other locks' units, and stops. NULL, or why there is no answer. */
static const char *fill_level(const struct units *units, int index, struct lock_basis *basis)
{
	struct arena *arena = units->w->arena;
	struct customer *customers = arena_allocate(arena, (size_t)units->count * 2 + 1, sizeof *customers);
	*basis = (struct lock_basis){.customers = arena_allocate(arena, (size_t)units->count * 2 + 1, sizeof *basis->customers)};
	const struct held_unit *own = &units->items[index];
	int ahead = 0;
	for (int above = 0; above < 2; above++) {
		if (above == 0)
			add_customer(units, basis, customers, index);
		for (int i = 0; i < units->count; i++)
			if (i != index && counts(units, index, i) && (units->items[i].priority < own->priority) == (above == 1))
				add_customer(units, basis, customers, i);
		ahead = above == 0 ? basis->count : ahead;
	}
	for (int i = 0; i < basis->count; i++)
		if (units->items[basis->customers[i].segment].reason != NULL)
			return units->items[basis->customers[i].segment].reason;
	const char *foreign = add_foreign(units, index, basis, customers);
	if (foreign != NULL)
		return foreign;
	if (units->stops) {
		int64_t length = units->w->costs->stop.value;
		basis->customers[basis->count] = (struct lock_customer){.segment = NO_ID, .length = length};
		customers[basis->count++] = (struct customer){&units->stop_arrivals, length, 0};
	}
	const struct held_unit *lower = blocking_of(units, index);
	if (lower != NULL)
		basis->lower = lower->cost;
	basis->level = (struct nonpreemptive){.ahead = customers,
		.ahead_count = ahead,
		.until = customers + ahead,
		.until_count = basis->count - ahead,
		.blocking = lower == NULL ? 0 : lower->total,
		.last = units->stops || basis->foreign ? 0 : own->total,
		.tick = 1,
		.horizon = units->horizon,
		.candidates = LIMIT_FP_CANDIDATES};
	return overload(units, customers, basis->count);
}

/* ---- all of them: each release is as late as the units before it, whose responses count all releases; least, from below */

static bool answer(struct units *units, int index)
{
	struct held_unit *unit = &units->items[index];
	if (unit->reason != NULL)
		return false;
	unit->reason = thread_obstacle(units, index);
	unit->arrivals.jitter = jitter_of(units, index);
	if (unit->reason == NULL)
		unit->reason = fill_level(units, index, &units->basis[index]);
	int64_t response = unit->reason == NULL ? nonpreemptive_response(&units->basis[index].level) : NONE;
	if (response == NONE && unit->reason == NULL)
		unit->reason = "the busy interval of its priority under the lock grows beyond the horizon";
	bool changed = response != units->responses[index];
	units->responses[index] = response;
	unit->present = (struct arrivals){unit->arrivals.model, checked_add(unit->arrivals.jitter, response), false};
	return changed;
}

#define ROUNDS 1000

static void solve(struct units *units)
{
	bool changed = true;
	for (int round = 0; changed; round++) {
		changed = false;
		for (int i = 0; i < units->count; i++)
			changed |= answer(units, i);
		for (int i = 0; i < units->count && changed && round == ROUNDS; i++)
			units->items[i].reason = "responses and releases of the units under the lock find no rest";
	}
}

/* ---- derivation */

static void derive_table(struct units *units)
{
	struct derivation *derivation = units->w->derivation;
	units->table = derivation_integer(derivation, RULE_UNITS, "gpu", units->count);
	for (int i = 0; i < units->count; i++) {
		derivation_input(derivation, "J", units->items[i].jitter_step);
		derivation_input(derivation, "H", units->items[i].hold_step);
		derivation_input(derivation, "C", units->items[i].device_step);
	}
	if (units->changes)
		derivation_input(derivation, "theta", units->w->costs->parameter_steps[PARAMETER_RUNLIST_SWITCH]);
	for (int i = 0; i < units->count; i++) {
		const struct held_unit *unit = &units->items[i];
		const struct runlist *runlist = units->w->runlist;
		if (!unit->alternates)
			continue;
		derivation_input(derivation, "X", unit->kernels.step);
		derivation_input(derivation, "L", runlist->contexts[units->w->segments->items[i].context].slice.step);
		derivation_input(derivation, "G", runlist->contexts[units->w->segments->items[i].context].switch_gap.step);
		derivation_input(derivation, "X", unit->transfers.step);
		derivation_input(derivation, "L", runlist->copy_slice.step);
		derivation_input(derivation, "G", runlist->theta.step);
	}
}

static int derive(const struct units *units, int index)
{
	const struct workload *w = units->w;
	int step = derivation_integer(w->derivation, RULE_LOCK, w->segments->items[index].name, units->responses[index]);
	derivation_input(w->derivation, "units", units->table);
	for (int i = 0; i < units->count * units->engines; i++)
		if (units->copies[i].value > 0 && units->items[i / units->engines].lock != units->items[index].lock &&
			uses(units, units->items[index].lock, i % units->engines))
			derivation_input(w->derivation, "e", units->copies[i].step);
	derivation_input(w->derivation, "theta_int", units->stops ? w->costs->stop.step : STEP_ABSENT);
	derivation_input(w->derivation, "T_int", units->stops ? w->costs->parameter_steps[PARAMETER_STOPS_DISTANCE] : STEP_ABSENT);
	return step;
}

static void prepare(struct units *units)
{
	const struct workload *w = units->w;
	units->items = arena_allocate(w->arena, (size_t)w->segments->count + 1, sizeof *units->items);
	units->responses = arena_allocate(w->arena, (size_t)w->segments->count + 1, sizeof *units->responses);
	units->basis = arena_allocate(w->arena, (size_t)w->segments->count + 1, sizeof *units->basis);
	units->count = w->segments->count;
	units->horizon = 1;
	for (int i = 0; i < units->count; i++)
		fill(units, i);
	units->horizon = checked_min(checked_mul(units->horizon, LIMIT_HORIZON_PERIODS), NONE - 1);
	set_stops(units);
	set_copies(units);
	if (units->reason == NULL)
		units->reason = applicable_refuse(w->arena, w->platform, units->assumptions);
}

/* A task of which some unit has no response has none: no step of it is used. */
static bool is_whole(const struct units *units, int index)
{
	for (int i = 0; i < units->count; i++)
		if (units->w->segments->items[i].task == units->w->segments->items[index].task && units->items[i].reason != NULL)
			return false;
	return true;
}

static const struct lock_basis *compute(const struct workload *w, struct bound_answer *result)
{
	struct units *units = arena_allocate(w->arena, 1, sizeof *units); /* what is returned refers to it */
	struct applicable applicable = applicable_find(w->arena, w->platform, w->set, w->costs, w->runlist, BOUND_LOCK, 0);
	*units = (struct units){.w = w, .reason = applicable.reason, .assumptions = applicable.assumptions};
	if (units->reason == NULL)
		prepare(units);
	if (units->reason == NULL) {
		solve(units);
		derive_table(units);
	}
	for (int i = 0; i < w->segments->count; i++) {
		const char *reason = units->reason != NULL ? units->reason : units->items[i].reason;
		result[i] = (struct bound_answer){NONE, reason, STEP_ABSENT, units->assumptions};
		if (reason == NULL)
			result[i].value = units->responses[i];
		if (reason == NULL && is_whole(units, i))
			result[i].step = derive(units, i);
	}
	return units->reason == NULL ? units->basis : NULL;
}

/* All segments at once: one lock, whatever contexts there are. */
void lock_compute(struct bounding *b, int context)
{
	if (context == 0)
		b->basis->lock = compute(b->work, b->answers[BOUND_LOCK]);
}

/* Where there are several locks each is to keep apart all that waits for one another: what is analysed as a context ([DOMAINS]). */
static const char *several_locks(const struct applicability *a)
{
	const struct taskset *set = a->set;
	const struct domains *domains = a->costs->domains;
	for (int s = 0; s < set->stream_count; s++)
		for (int other = 0; other < s; other++)
			if (domains->of_stream[s] == domains->of_stream[other] && set->lock_of[s] != set->lock_of[other] &&
				set->lock_of[s] != 0 && set->lock_of[other] != 0)
				return arena_format(a->arena,
					"streams %s and %s are under different locks and wait for one another: one lock for both, or a "
					"partition of SMs for each, with hardware queues and grid slots for all",
					set->streams[other].id, set->streams[s].id);
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].stream != NO_ID && set->lock_of[set->operations[i].stream] == 0)
			return arena_format(a->arena, "work on stream %s is under several locks, none of which keeps all of it apart",
				set->streams[set->operations[i].stream].id);
	return a->runlist->process_count == 1 && !a->runlist->sliced ? NULL : "several processes have locks of their own and take turns";
}

/* Turns of a unit's kernels and copies are counted where entries are served one after the other, and nobody stops them. */
static bool counts_turns(const struct applicability *a)
{
	bool stops = a->platform->parameters[PARAMETER_STOPS_LENGTH].present && a->platform->parameters[PARAMETER_STOPS_DISTANCE].present;
	return a->set->exclusive && !a->runlist->ranked && !a->runlist->round.levels && !stops;
}

static const char *obstacle(const struct applicability *a)
{
	const struct taskset *set = a->set;
	if (set->hold_count == 0)
		return "no work is done under a lock";
	const struct operation *outside = taskset_outside_lock(set);
	bool turns = are_apart(set, a->costs, a->runlist) && !counts_turns(a);
	const struct operation *turning = turns ? dilation_alternating(set, a->costs) : NULL;
	if (outside != NULL)
		return arena_format(a->arena, "%s is done on the GPU without a lock, so that none keeps it from anything", outside->id);
	if (turning != NULL)
		return arena_format(a->arena,
			"kernels and copies may take turns beside declared stops, priorities or levels of contexts, or other locks, and %s "
			"is on "
			"another stream than what is before it in its unit: all of the unit on one stream, or kernels and copies in units "
			"of "
			"their own, give a bound, and so does a copy-runlist of own where copies take no turns",
			turning->id);
	return set->exclusive ? NULL : several_locks(a);
}

void lock_applies(struct applicability *a)
{
	if (a->found.reason == NULL)
		a->found.reason = obstacle(a);
	applicable_need(a, ASSUMPTION_LOCK);
	if (a->runlist->process_count > 1 || are_apart(a->set, a->costs, a->runlist))
		applicable_need(a, a->set->interleaved && !planted(PLANT_UNIT_LEVELS) ? ASSUMPTION_INTERLEAVE : ASSUMPTION_RUNLIST);
	applicable_need_hosts(a, NO_ID);
	for (int i = 0; i < a->runlist->context_count; i++) {
		applicable_need_order(a, i);
		applicable_need_partitions(a, i);
	}
}

/* ---- terms */

static struct term name_of(const struct lock_customer *cost)
{
	return (struct term){.kind = cost->segment == NO_ID ? TERM_LEVEL_STOP
				     : cost->copies > 0     ? TERM_UNIT_COPIES
							    : TERM_UNIT,
		.of = cost->segment,
		.n = {[LOCK_HOLD] = cost->hold, [LOCK_CHANGE] = cost->change, [LOCK_DEVICE] = cost->device}};
}

void lock_terms(const struct response *response, int segment, int64_t value, struct terms *terms)
{
	const struct lock_basis *basis = &response->basis.lock[segment];
	struct terms *level = terms_list(terms, (struct term){.kind = TERM_LEVEL, .amount = value});
	struct term *names = arena_allocate(terms->arena, (size_t)basis->count + 1, sizeof *names);
	struct term lower = name_of(&basis->lower);
	lower.kind = TERM_UNIT_LOWER;
	lower.amount = basis->level.blocking;
	for (int i = 0; i < basis->count; i++)
		names[i] = name_of(&basis->customers[i]);
	nonpreemptive_terms(&basis->level, names, &lower, value, level);
}
