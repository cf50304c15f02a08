#include "response/bounds/fp.h"

#include "base/plant.h"
#include "model/limits.h"
#include "model/rules.h"
#include "response/bounds/bound.h"
#include "response/load.h"
#include "response/start_delays.h"

#include <string.h>

struct kernel_of_task {
	struct arrivals arrivals;
	int level;
	int64_t dependency, makespan, waste, block, last;
	int stream;
	bool behind; /* a job may wait in its stream for another one that is complete later than dispatched */
};

struct server {
	const struct workload *w;
	struct kernel_of_task *kernels; /* one a segment */
	int count;
	bool one_slot;
	int64_t o_blk, tick, horizon;
	int tick_step, table;
	bool stops;
	struct arrival stop_model; /* as customers that go before everything, outermost ([V11]) */
	struct arrivals stop_arrivals;
	uint64_t assumptions;
	const char *reason;
};

/* ---- does it apply? */

static const char *not_one_kernel(const struct workload *w)
{
	for (int i = 0; i < w->segments->count; i++) {
		const struct segment *segment = &w->segments->items[i];
		if (segment->count != 1 || w->costs->operations[segment->first].place != PLACE_EXECUTION)
			return arena_format(w->arena, "%s is more than one kernel", segment->name);
		if (segment->number > 0 || segment->host_most > 0 || (i > 0 && w->segments->items[i - 1].task == segment->task))
			return arena_format(w->arena, "%s has a host segment before its kernel", segment->name);
	}
	return NULL;
}

static const char *obstacle(const struct workload *w)
{
	if (w->costs->domains->parted || w->costs->domains->items[0].several)
		return "kernels are in several partitions";
	if (w->runlist->context_count != 1 || w->runlist->sliced)
		return "contexts, or copies and kernels, take turns by time slices";
	const char *reason = not_one_kernel(w);
	return reason != NULL ? reason : applicable_shared_queues(w->arena, w->platform, w->set, w->runlist, 0);
}

/* Does a block, wherever it is, leave no room for any other? Then what drains is work that is charged anyway, and a higher level wastes
 * nothing. Only warps and block slots count here: what a block surely takes. */
static bool one_slot(const struct workload *w, const struct map *map)
{
	int64_t warps = platform_value(w->platform, PARAMETER_SM_WARPS), least = NONE;
	if (domain_sms(w->platform, w->set, &w->costs->domains->items[0]) != 1 || start_delays_exist(w->platform))
		return false;
	if (platform_value(w->platform, PARAMETER_SM_BLOCKS) == 1)
		return true;
	for (int i = 0; i < w->segments->count; i++) {
		const struct kernel_map *kernel = &map->kernels[w->segments->items[i].first];
		if (!kernel->is_kernel || !kernel->sized)
			return false;
		least = checked_min(least, kernel->occupancy.demand.warps);
	}
	return warps != NONE && least != NONE && checked_mul(2, least) > warps;
}

/* ---- numbers */

static int64_t take(struct server *server, const struct cost *cost)
{
	if (cost->reason != NULL && server->reason == NULL)
		server->reason = cost->reason;
	server->assumptions |= cost->assumptions;
	return cost->value;
}

static void fill(struct server *server, int index)
{
	const struct workload *w = server->w;
	const struct segment *segment = &w->segments->items[index];
	const struct operation_cost *cost = &w->costs->operations[segment->first];
	const struct arrival *arrival = &w->set->tasks[segment->task].arrival;
	struct kernel_of_task *kernel = &server->kernels[index];
	*kernel = (struct kernel_of_task){.arrivals = {arrival, arrival->jitter, true}, .level = cost->level};
	kernel->stream = w->set->operations[segment->first].stream;
	kernel->dependency = take(server, &cost->dependency);
	kernel->makespan = take(server, &cost->makespan);
	kernel->waste = take(server, &cost->waste);
	kernel->block = take(server, &cost->residence);
	kernel->last = (cost->grid || cost->whole) && !planted(PLANT_LAST) ? 0 : kernel->block;
	server->horizon = checked_max(server->horizon, checked_add(arrival->period, arrival->jitter));
}

static bool is_of_ticks(int64_t duration, int64_t tick)
{
	return duration != NONE && duration % tick == 0;
}

/* Does all that happens do so at multiples of the tick? What a kernel waits for has to be of whole ticks: [FP-TICK]. */
static bool runs_on_ticks(const struct server *server, int64_t tick)
{
	const struct platform *platform = server->w->platform;
	bool whole = !server->stops && !start_delays_exist(platform) && is_of_ticks(server->o_blk, tick) &&
		     is_of_ticks(platform_value(platform, PARAMETER_OVERHEAD_LAUNCH), tick);
	for (int i = 0; i < server->count; i++)
		whole = whole && is_of_ticks(server->kernels[i].dependency, tick);
	return whole;
}

/* Else time has none. */
static void set_tick(struct server *server)
{
	const struct workload *w = server->w;
	int64_t tick = platform_value(w->platform, PARAMETER_TIME_TICK);
	bool granted = tick != NONE && platform_grants(w->platform, ASSUMPTION_TICK) && runs_on_ticks(server, tick);
	server->tick = granted ? tick : NONE;
	server->tick_step = granted ? w->costs->parameter_steps[PARAMETER_TIME_TICK] : STEP_ABSENT;
	server->assumptions |= granted ? assumption_bit(ASSUMPTION_TICK) : 0;
}

static void set_stops(struct server *server)
{
	const struct workload *w = server->w;
	int64_t distance = platform_value(w->platform, PARAMETER_STOPS_DISTANCE);
	server->stops = platform_value(w->platform, PARAMETER_STOPS_LENGTH) != NONE && distance != NONE;
	if (!server->stops)
		return;
	take(server, &w->costs->stop);
	server->stop_model = (struct arrival){.kind = ARRIVAL_PERIODIC, .period = distance, .min_distance = NONE, .max_distance = NONE};
	server->stop_arrivals = (struct arrivals){&server->stop_model, 0, true};
	for (int i = 0; i < server->count; i++)
		server->kernels[i].last = 0; /* a stop delays the last block, too */
}

static void prepare(struct server *server, const struct map *map)
{
	const struct workload *w = server->w;
	server->kernels = arena_allocate(w->arena, (size_t)w->segments->count + 1, sizeof *server->kernels);
	server->count = w->segments->count;
	server->horizon = 1;
	for (int i = 0; i < server->count && server->reason == NULL; i++)
		fill(server, i);
	server->horizon = checked_min(checked_mul(server->horizon, LIMIT_HORIZON_PERIODS), NONE - 1);
	server->o_blk = platform_value(w->platform, PARAMETER_OVERHEAD_BLOCK);
	server->one_slot = one_slot(w, map);
	set_stops(server);
	set_tick(server);
}

/* ---- one level */

/* What a lower level may have begun just before: its longest block, and the dispatch under way. With a tick it began one before. */
static int64_t blocking(const struct server *server, int level)
{
	int64_t longest = 0;
	bool lower = false;
	for (int i = 0; i < server->count; i++) {
		lower |= server->kernels[i].level > level;
		if (server->kernels[i].level > level)
			longest = checked_max(longest, server->kernels[i].block);
	}
	if (!lower || planted(PLANT_BLOCKING))
		return 0;
	int64_t most = checked_add(longest, server->o_blk);
	return server->tick == NONE ? most : checked_max(0, checked_sub(most, server->tick));
}

/* What a job of a kernel costs one of `level`. In its o_dep, and while the last blocks of the job before it in its stream run, a lower
 * level may begin once more. */
static struct fp_cost cost_of(const struct server *server, int segment, int level)
{
	const struct kernel_of_task *kernel = &server->kernels[segment];
	bool gap = kernel->dependency > 0 || kernel->behind, higher = kernel->level < level;
	struct fp_cost cost = {segment, kernel->makespan, kernel->dependency, 0, 0, 0, 0};
	if (higher && !server->one_slot)
		cost.waste = kernel->waste;
	else
		cost.again = gap ? blocking(server, level) : 0;
	if (higher && server->one_slot)
		cost.broken = server->o_blk;
	return cost;
}

/* At the beginning of an interval, for the job that it begins with; where each of the level brings its own, none more. */
static int64_t blocking_once(const struct server *server, const struct kernel_of_task *own)
{
	bool each = true;
	for (int i = 0; i < server->count; i++)
		each &= server->kernels[i].level != own->level || server->kernels[i].behind;
	return own->dependency > 0 || each ? 0 : blocking(server, own->level);
}

static int64_t total(const struct fp_cost *cost)
{
	int64_t sum = checked_add(checked_add(cost->makespan, cost->dependency), checked_add(cost->waste, cost->again));
	return checked_add(sum, checked_add(cost->broken, cost->length));
}

static void add_load(const struct customer *customer, struct load *load)
{
	int64_t arrivals, window;
	arrivals_least_rate(customer->arrivals->model, &arrivals, &window);
	load_add(load, customer->cost, arrivals, window, 1);
}

static bool surely_below_one(const struct customer *customers, int count)
{
	int64_t shares = 0, arrivals, window;
	for (int i = 0; i < count; i++) {
		arrivals_least_rate(customers[i].arrivals->model, &arrivals, &window);
		shares = checked_add(shares, load_share(customers[i].cost, arrivals, window, 1));
	}
	return shares < LOAD_ONE;
}

/* NULL, or that the load of a level and those above is one or more, with the task that has most of it. */
static const char *overload(const struct server *server, const struct customer *customers, int count, const int *segments)
{
	struct arena *arena = server->w->arena;
	int tasks = count - server->stops;
	const char *most = NULL, *name = NULL, *reason = NULL;
	struct load sum, greatest;
	if (surely_below_one(customers, count))
		return NULL;
	load_init(&sum);
	load_init(&greatest);
	for (int i = 0; i < count; i++) {
		struct load one;
		load_init(&one);
		add_load(&customers[i], &one);
		add_load(&customers[i], &sum);
		if (mpq_cmp(one.sum, greatest.sum) > 0) {
			mpq_set(greatest.sum, one.sum);
			name = i < tasks ? server->w->segments->items[segments[i]].name : "the stops of the GPU";
		}
		load_finish(&one);
	}
	if (!load_below_one(&sum)) {
		most = load_text(&greatest, arena);
		reason = arena_format(arena,
			"the load, the sum of cost over period, of its priority level and those above is %s and has to be below 1; %s has "
			"%s of it",
			load_text(&sum, arena), name, most);
	}
	load_finish(&sum);
	load_finish(&greatest);
	return reason;
}

/* In which order customers come: the segment's own jobs, those of its stream, those of its level, those above. */
enum rank { RANK_OWN, RANK_STREAM, RANK_EQUAL, RANK_ABOVE, RANKS };

static enum rank rank_of(const struct server *server, int index, int other)
{
	const struct kernel_of_task *own = &server->kernels[index], *kernel = &server->kernels[other];
	if (kernel->level != own->level)
		return kernel->level < own->level ? RANK_ABOVE : RANKS;
	return other == index ? RANK_OWN : kernel->stream == own->stream ? RANK_STREAM : RANK_EQUAL;
}

/* Fills in what a segment's response is made of. ranks: of each, how many customers there are up to it. */
static const char *fill_level(const struct server *server, int index, struct fp_basis *basis, int *ranks)
{
	const struct kernel_of_task *own = &server->kernels[index];
	struct customer *customers = arena_allocate(server->w->arena, (size_t)server->count + 1, sizeof *customers);
	struct fp_cost *costs = arena_allocate(server->w->arena, (size_t)server->count + 1, sizeof *costs);
	int *segments = arena_allocate(server->w->arena, (size_t)server->count, sizeof *segments), count = 0;
	const char *reason = NULL;
	for (int rank = RANK_OWN; rank < RANKS; ranks[rank++] = count)
		for (int i = 0; i < server->count; i++)
			if (rank_of(server, index, i) == (enum rank)rank)
				segments[count++] = i;
	for (int i = 0; i < count; i++) {
		costs[i] = cost_of(server, segments[i], own->level);
		customers[i] = (struct customer){&server->kernels[segments[i]].arrivals, total(&costs[i]), 0};
		if (customers[i].cost == NONE)
			reason = "a cost does not fit 64 bits";
	}
	if (server->stops) {
		costs[count] = (struct fp_cost){.segment = NO_ID, .length = server->w->costs->stop.value};
		customers[count++] = (struct customer){&server->stop_arrivals, server->w->costs->stop.value, 0};
	}
	struct nonpreemptive level = {.ahead = customers,
		.ahead_count = ranks[RANK_STREAM],
		.until = customers + ranks[RANK_STREAM],
		.until_count = count - ranks[RANK_STREAM],
		.blocking = blocking_once(server, own),
		.last = own->last,
		.tick = server->tick == NONE ? 1 : server->tick,
		.horizon = server->horizon,
		.candidates = LIMIT_FP_CANDIDATES};
	*basis = (struct fp_basis){level, costs, count};
	return reason != NULL ? reason : overload(server, customers, count, segments);
}

/* o_dep, with the stops that may lie in it, the one under way as it begins among them. */
static int64_t dependency_time(const struct server *server, int64_t dependency)
{
	int64_t time = dependency, stop = server->w->costs->stop.value;
	if (!server->stops || dependency == 0)
		return dependency;
	for (int i = 0; i < LIMIT_ITERATIONS && time <= server->horizon; i++) {
		int64_t stops = arrivals_in_closed(&server->stop_arrivals, checked_add(time, stop), 1);
		int64_t next = checked_add(dependency, checked_mul(stops, stop));
		if (next <= time)
			return time;
		time = next;
	}
	return NONE;
}

/* The greatest distance, `most` at most, that no two releases are below. */
static int64_t least_distance(const struct arrivals *arrivals, int64_t most)
{
	int64_t least = 0;
	while (least < most) {
		int64_t middle = most - (most - least) / 2;
		if (arrivals_in(arrivals, middle) > 1)
			most = middle - 1;
		else
			least = middle;
	}
	return least;
}

/* How long after its release a job is at its engine, if those before it respond within `response`: [FP-EQUALS]. */
static int64_t ready_after(const struct server *server, int index, int64_t response, int64_t tick)
{
	const struct kernel_of_task *own = &server->kernels[index];
	int64_t behind = planted(PLANT_PLACE) ? 0 : response - least_distance(&own->arrivals, response);
	return checked_mul(checked_div_ceil(checked_add(dependency_time(server, own->dependency), behind), tick), tick);
}

/* Those of its level count until the job is at its engine, not until it begins; `value` where that is no less. */
static int64_t by_readiness(const struct server *server, int index, const int *ranks, int64_t value, struct fp_basis *basis)
{
	struct nonpreemptive level = basis->level;
	int equals = ranks[RANK_EQUAL] - ranks[RANK_OWN], customers = level.ahead_count + level.until_count;
	if (equals == 0 || ranks[RANK_STREAM] > ranks[RANK_OWN])
		return value;
	struct customer *ahead = arena_allocate(server->w->arena, (size_t)customers, sizeof *ahead);
	memcpy(ahead, level.ahead, (size_t)customers * sizeof *ahead);
	level.ahead = ahead;
	level.ahead_count = ranks[RANK_EQUAL];
	level.until = ahead + level.ahead_count;
	level.until_count = customers - level.ahead_count;
	level.candidates = LIMIT_FP_EQUALS / customers;
	int64_t response = 0;
	for (int round = 0; round < LIMIT_FP_ROUNDS; round++) {
		int64_t later = ready_after(server, index, response, level.tick);
		if (round > 0 && later == ahead[1].later) {
			basis->level = level;
			return response;
		}
		for (int i = 1; i < level.ahead_count; i++)
			ahead[i].later = later;
		response = nonpreemptive_response(&level);
		if (response >= value)
			break; /* NONE, too */
	}
	return value;
}

static int64_t response(const struct server *server, int index, const char **reason, struct fp_basis *basis)
{
	int ranks[RANKS];
	*reason = fill_level(server, index, basis, ranks);
	int64_t value = *reason == NULL ? nonpreemptive_response(&basis->level) : NONE;
	if (*reason == NULL && value == NONE)
		*reason = "the busy interval of its priority level grows beyond the horizon";
	return value == NONE ? NONE : by_readiness(server, index, ranks, value, basis);
}

/* ---- jobs behind others in their streams: where tasks share one, and where a task's next job may come before the last is complete */

static bool shares_stream(const struct server *server, int index)
{
	for (int i = 0; i < server->count; i++)
		if (i != index && server->kernels[i].stream == server->kernels[index].stream)
			return true;
	return false;
}

static bool overlaps(const struct server *server, int index)
{
	const char *reason;
	struct fp_basis basis;
	int64_t value = response(server, index, &reason, &basis);
	return value == NONE || arrivals_in(&server->kernels[index].arrivals, value) > 1;
}

/* Those that are taken to be never behind another have responses that say so, all together: no first job can break that. Where a block
 * leaves no room for any other, none begins in the tail of the job before. */
static void find_behind(struct server *server)
{
	if (server->one_slot || planted(PLANT_BEHIND))
		return;
	for (int i = 0; i < server->count; i++)
		server->kernels[i].behind = shares_stream(server, i);
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < server->count; i++) {
			struct kernel_of_task *kernel = &server->kernels[i];
			if (kernel->behind || kernel->dependency > 0 || blocking(server, kernel->level) == 0 || !overlaps(server, i))
				continue;
			kernel->behind = more = true;
		}
	}
}

/* ---- derivation */

static int table_of(const struct server *server)
{
	const struct workload *w = server->w;
	int *jitters = arena_allocate(w->arena, (size_t)server->count, sizeof *jitters);
	for (int i = 0; i < server->count; i++) {
		const struct task *task = &w->set->tasks[w->segments->items[i].task];
		jitters[i] = cost_given(w->derivation, task->arrival.jitter, "task:%s@jitter", task->id, NULL);
	}
	int step = derivation_integer(w->derivation, RULE_LEVELS, "gpu", server->count);
	for (int i = 0; i < server->count; i++) {
		const struct operation_cost *cost = &w->costs->operations[w->segments->items[i].first];
		derivation_input(w->derivation, "J", jitters[i]);
		derivation_input(w->derivation, "o_dep", cost->dependency.step);
		derivation_input(w->derivation, "M", cost->makespan.step);
		derivation_input(w->derivation, "W", cost->waste.step);
		derivation_input(w->derivation, "C", cost->residence.step);
	}
	return step;
}

static int derive(const struct server *server, int segment, int64_t value)
{
	const struct workload *w = server->w;
	int step = derivation_integer(w->derivation, RULE_FP, w->segments->items[segment].name, value);
	derivation_input(w->derivation, "levels", server->table);
	derivation_input(w->derivation, "m", cost_sms_step(w->platform, w->set, w->costs, 0));
	derivation_input(w->derivation, "o_blk", w->costs->parameter_steps[PARAMETER_OVERHEAD_BLOCK]);
	derivation_input(w->derivation, "tick", server->tick_step);
	derivation_input(w->derivation, "theta_int", server->stops ? w->costs->stop.step : STEP_ABSENT);
	derivation_input(w->derivation, "T_int", server->stops ? w->costs->parameter_steps[PARAMETER_STOPS_DISTANCE] : STEP_ABSENT);
	return step;
}

/* Returns one a segment; NULL where it does not apply. */
static const struct fp_basis *compute(const struct workload *w, const struct map *map, struct bound_answer *result)
{
	struct server *server = arena_allocate(w->arena, 1, sizeof *server); /* what is returned refers to it */
	struct fp_basis *basis = arena_allocate(w->arena, (size_t)w->segments->count + 1, sizeof *basis);
	server->w = w;
	struct applicable applicable = applicable_find(w->arena, w->platform, w->set, w->costs, w->runlist, BOUND_FP, 0);
	server->reason = applicable.reason != NULL ? applicable.reason : obstacle(w);
	server->assumptions = applicable.assumptions;
	if (server->reason == NULL)
		prepare(server, map);
	if (server->reason == NULL)
		server->reason = applicable_refuse(w->arena, w->platform, server->assumptions);
	if (server->reason == NULL) {
		find_behind(server);
		server->table = table_of(server);
	}
	for (int i = 0; i < w->segments->count; i++) {
		result[i] = (struct bound_answer){NONE, server->reason, STEP_ABSENT, server->assumptions};
		if (server->reason == NULL)
			result[i].value = response(server, i, &result[i].reason, &basis[i]);
		if (result[i].reason == NULL)
			result[i].step = derive(server, i, result[i].value);
	}
	return server->reason == NULL ? basis : NULL;
}

/* All segments at once, as there is a value only where there is a single context. */
void fp_compute(struct bounding *b, int context)
{
	if (context == 0)
		b->basis->fp = compute(b->work, b->map, b->answers[BOUND_FP]);
}

void fp_applies(struct applicability *a)
{
	applicable_need_hosts(a, a->context);
	applicable_need_queues(a, a->context);
	applicable_need_order(a, a->context);
}

/* ---- terms */

static struct term name_of(const struct fp_cost *cost)
{
	enum term_kind kind = cost->segment == NO_ID ? TERM_LEVEL_STOP : cost->waste > cost->makespan ? TERM_LEVEL_CUT : TERM_LEVEL_JOB;
	return (struct term){.kind = kind,
		.of = cost->segment,
		.n = {[FP_MAKESPAN] = cost->makespan,
			[FP_DEPENDENCY] = cost->dependency,
			[FP_WASTE] = cost->waste,
			[FP_AGAIN] = cost->again,
			[FP_BROKEN] = cost->broken}};
}

static void level_terms(const struct fp_basis *basis, int64_t response, struct terms *terms)
{
	struct term *names = arena_allocate(terms->arena, (size_t)basis->count + 1, sizeof *names);
	const struct term lower = {.kind = TERM_LEVEL_LOWER, .amount = basis->level.blocking};
	for (int i = 0; i < basis->count; i++)
		names[i] = name_of(&basis->costs[i]);
	nonpreemptive_terms(&basis->level, names, &lower, response, terms);
}

void fp_terms(const struct response *response, int segment, int64_t value, struct terms *terms)
{
	level_terms(&response->basis.fp[segment], value, terms_list(terms, (struct term){.kind = TERM_LEVEL, .amount = value}));
}
