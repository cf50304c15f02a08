/* FP: each task one kernel, all claimed responses put into their equations once: [FP-CLAIM]. */
#include "verify/claimed_bounds.h"
#include "verify/usable_sms.h"

#include "model/limits.h"

struct fp {
	struct work *work;
	struct check *check;
	int *steps;       /* [segment]; -1: the report claims none */
	int64_t *claimed; /* [segment]; NONE */
	struct arrivals_at *arrivals;
	bool *queues; /* [segment]: a job of it may be issued while another one of its stream is not complete */
	bool alone;   /* a block leaves no room for any other */
	struct fact tick;
	bool stops; /* each a customer that goes first, [V11] */
	struct arrival stop;
	struct arrivals_at stop_at;
	int64_t o_blk, horizon;
	uint64_t assumptions;
};

static const struct piece *kernel_of(const struct fp *p, int part)
{
	return &p->work->pieces[p->work->parts[part].first];
}

static bool structure_permits(const struct work *work)
{
	bool permitted = work->owner_count == 1 && !work->sharing->owners[0].several && !work->sliced && !bounds_queues_shared(work, 0);
	for (int i = 0; i < work->part_count; i++) {
		const struct part *part = &work->parts[i];
		permitted = permitted && part->count == 1 && work->pieces[part->first].runs == RUNS_ON_SMS;
		permitted = permitted && part->first == work->check->set->tasks[part->task].first_operation;
	}
	return permitted;
}

/* Two blocks never fit the chip together, by their warps or the block slots. */
static bool one_block_fills(const struct fp *p)
{
	const struct platform *platform = p->check->platform;
	int64_t warps = platform_value(platform, PARAMETER_SM_WARPS);
	if (sms_of_context(p->work, 0) != 1 || work_late(p->check))
		return false;
	if (platform_value(platform, PARAMETER_SM_BLOCKS) == 1)
		return true;
	for (int i = 0; i < p->work->part_count; i++) {
		const struct operation *operation = &p->check->set->operations[p->work->parts[i].first];
		if (operation->kind != OPERATION_KERNEL || checked_is_none(operation->kernel.threads) || checked_is_none(warps) ||
			2 * checked_div_ceil(operation->kernel.threads, THREADS_A_WARP) <= warps)
			return false;
	}
	return p->work->part_count > 0;
}

/* Nothing begins, ends or is waited for between two ticks. */
static bool all_on_ticks(const struct fp *p)
{
	const struct platform *platform = p->check->platform;
	int64_t tick = platform_value(platform, PARAMETER_TIME_TICK), launch = platform_value(platform, PARAMETER_OVERHEAD_LAUNCH);
	if (checked_is_none(tick) || !platform_grants(platform, ASSUMPTION_TICK) || work_late(p->check) || p->stops)
		return false;
	bool all = !checked_is_none(launch) && launch % tick == 0 && p->o_blk % tick == 0;
	for (int i = 0; i < p->work->part_count; i++)
		all = all && kernel_of(p, i)->dependency.value % tick == 0;
	return all;
}

static void prepare(struct fp *p)
{
	struct work *work = p->work;
	size_t parts = (size_t)work->part_count + 1;
	p->arrivals = arena_allocate(p->check->arena, parts, sizeof *p->arrivals);
	p->steps = arena_allocate(p->check->arena, parts, sizeof *p->steps);
	p->claimed = arena_allocate(p->check->arena, parts, sizeof *p->claimed);
	p->horizon = 1;
	for (int i = 0; i < work->part_count; i++) {
		const struct arrival *arrival = &p->check->set->tasks[work->parts[i].task].arrival;
		const struct piece *kernel = kernel_of(p, i);
		p->steps[i] = bounds_step(work, CLAIMED_FP, i, p->steps);
		p->claimed[i] = graph_integer(p->check, p->steps[i]);
		p->arrivals[i] = (struct arrivals_at){arrival, arrival->jitter, true};
		p->horizon = checked_max(p->horizon, checked_add(arrival->period, arrival->jitter));
		p->assumptions |= kernel->dependency.assumptions | kernel->makespan.assumptions | kernel->waste.assumptions |
				  kernel->residence.assumptions;
	}
	p->horizon = checked_min(checked_mul(p->horizon, LIMIT_HORIZON_PERIODS), NONE - 1);
	p->o_blk = platform_value(p->check->platform, PARAMETER_OVERHEAD_BLOCK);
	p->alone = one_block_fills(p);
	int64_t distance = platform_value(p->check->platform, PARAMETER_STOPS_DISTANCE);
	p->stops = !checked_is_none(platform_value(p->check->platform, PARAMETER_STOPS_LENGTH)) && !checked_is_none(distance);
	p->stop = (struct arrival){.kind = ARRIVAL_PERIODIC, .period = distance, .min_distance = NONE, .max_distance = NONE};
	p->stop_at = (struct arrivals_at){&p->stop, 0, true};
	p->assumptions |= p->stops ? work->stop.assumptions : 0;
	bool ticks = work->parameters[PARAMETER_TIME_TICK].node != NULL && all_on_ticks(p);
	p->tick = ticks ? work->parameters[PARAMETER_TIME_TICK] : FACT_UNKNOWN;
	p->assumptions |= ticks ? ASSUMED(TICK) : 0;
}

static int64_t blocked(const struct fp *p, int level)
{
	int64_t longest = -1, grain = checked_is_none(p->tick.value) ? 0 : p->tick.value;
	for (int i = 0; i < p->work->part_count; i++)
		if (kernel_of(p, i)->level > level)
			longest = checked_max(longest, kernel_of(p, i)->residence.value);
	return longest < 0 ? 0 : checked_max(0, checked_sub(checked_add(longest, p->o_blk), grain));
}

static int64_t cost_at(const struct fp *p, int index, int level)
{
	const struct piece *kernel = kernel_of(p, index);
	int64_t cost = checked_add(kernel->makespan.value, kernel->dependency.value);
	bool above = kernel->level < level;
	if (above && !p->alone)
		return checked_add(cost, kernel->waste.value);
	if (kernel->dependency.value > 0 || (p->queues[index] && !p->alone))
		cost = checked_add(cost, blocked(p, level));
	return above ? checked_add(cost, p->o_blk) : cost;
}

static int stream_of(const struct fp *p, int part)
{
	return p->check->set->operations[p->work->parts[part].first].stream;
}

static bool shares_stream(const struct fp *p, int index)
{
	for (int i = 0; i < p->work->part_count; i++)
		if (i != index && stream_of(p, i) == stream_of(p, index))
			return true;
	return false;
}

static bool is_equal(const struct fp *p, int index, int other)
{
	return other != index && kernel_of(p, other)->level == kernel_of(p, index)->level;
}

/* Does each job of the level have a blocking among its costs, so that the first one's stands for the interval's? */
static bool blocked_each(const struct fp *p, int index)
{
	bool each = kernel_of(p, index)->dependency.value > 0 || (p->queues[index] && !p->alone);
	for (int i = 0; i < p->work->part_count && kernel_of(p, index)->dependency.value == 0; i++)
		each = each && (!is_equal(p, index, i) || p->queues[i]);
	return each;
}

static struct server server_for(const struct fp *p, int index)
{
	const struct piece *own = kernel_of(p, index);
	size_t most = (size_t)p->work->part_count + 1;
	struct server server = {.ahead = arena_allocate(p->check->arena, most, sizeof(struct customer)),
		.until = arena_allocate(p->check->arena, most, sizeof(struct customer)),
		.ahead_count = 1,
		.blocking = blocked_each(p, index) ? 0 : blocked(p, own->level),
		.last = own->grid || own->whole || p->stops ? 0 : own->residence.value,
		.horizon = p->horizon,
		.tick = checked_is_none(p->tick.value) ? 1 : p->tick.value,
		.limit = LIMIT_FP_CANDIDATES};
	server.ahead[0] = (struct customer){&p->arrivals[index], cost_at(p, index, own->level), 0};
	if (p->stops)
		server.until[server.until_count++] = (struct customer){&p->stop_at, p->work->stop.value, 0};
	return server;
}

/* Kernels of its level: those of its stream count until it arrives, others as long as it has not begun; or, where the stream is its own
 * and `grace` is one, all of them for that long after it arrives. */
static int64_t response_with(const struct fp *p, int index, int64_t grace)
{
	struct server server = server_for(p, index);
	for (int i = 0; i < p->work->part_count; i++) {
		bool equal = is_equal(p, index, i), ahead = equal && (grace != NONE || stream_of(p, i) == stream_of(p, index));
		struct customer customer = {&p->arrivals[i], cost_at(p, i, kernel_of(p, index)->level), ahead && grace != NONE ? grace : 0};
		if (ahead)
			server.ahead[server.ahead_count++] = customer;
		else if (equal || kernel_of(p, i)->level < kernel_of(p, index)->level)
			server.until[server.until_count++] = customer;
	}
	if (grace != NONE)
		server.limit = LIMIT_FP_EQUALS / (server.ahead_count + server.until_count);
	return server_response(&server);
}

static bool goes_by_readiness(const struct fp *p, int index)
{
	bool equals = false;
	for (int i = 0; i < p->work->part_count; i++)
		equals |= is_equal(p, index, i);
	return equals && !shares_stream(p, index);
}

/* How long o_dep may take: it does not pass in stops, one of which may be under way already. */
static int64_t dependency_of(const struct fp *p, int index)
{
	int64_t alone = kernel_of(p, index)->dependency.value, longest = alone, stop = p->work->stop.value;
	bool grows = p->stops && alone > 0;
	for (int i = 0; grows; i++) {
		int64_t window = checked_add(longest, checked_add(stop, 1)), before = longest;
		if (i == LIMIT_ITERATIONS || longest > p->horizon)
			return NONE;
		longest = checked_max(before, checked_add(alone, checked_mul(bounds_arrivals(&p->stop_at, window), stop)));
		grows = longest > before;
	}
	return longest;
}

/* How far apart two releases are at least; no more than `enough`, as more is not asked for. */
static int64_t distance_of(const struct arrivals_at *arrivals, int64_t enough)
{
	int64_t apart = 0, too_far = checked_add(enough, 1);
	while (checked_sub(too_far, apart) > 1) {
		int64_t between = apart + (too_far - apart) / 2;
		bool one = bounds_arrivals(arrivals, between) <= 1;
		apart = one ? between : apart;
		too_far = one ? too_far : between;
	}
	return apart;
}

/* A job is at its engine o_dep after it is released, or after the one before it is complete, which was released a least distance earlier
 * and responds within `response`. */
static int64_t grace_of(const struct fp *p, int index, int64_t response, int64_t tick)
{
	int64_t waits = checked_sub(response, distance_of(&p->arrivals[index], response));
	return checked_mul(checked_div_ceil(checked_add(dependency_of(p, index), waits), tick), tick);
}

/* [FP-EQUALS]: as the claim places the job among those of its level, or without a place. */
static int64_t right_side(const struct fp *p, int index)
{
	int64_t right = response_with(p, index, NONE), tick = checked_is_none(p->tick.value) ? 1 : p->tick.value;
	if (right <= p->claimed[index] || !goes_by_readiness(p, index))
		return right;
	return checked_min(right, response_with(p, index, grace_of(p, index, p->claimed[index], tick)));
}

/* Who shares a stream with others; and who is released twice within its claimed response, and so makes others slower. */
static void find_queues(struct fp *p)
{
	p->queues = arena_allocate(p->check->arena, (size_t)p->work->part_count + 1, sizeof *p->queues);
	for (int i = 0; i < p->work->part_count; i++) {
		const struct piece *kernel = kernel_of(p, i);
		bool again = checked_is_none(p->claimed[i]) || bounds_arrivals(&p->arrivals[i], p->claimed[i]) > 1;
		bool slows = !p->alone && kernel->dependency.value == 0 && blocked(p, kernel->level) > 0;
		p->queues[i] = shares_stream(p, i) || (slows && again);
	}
}

/* ---- steps */

static struct fact table_of(struct fp *p)
{
	struct check *check = p->check;
	struct fact table = fact_make(check, RULE_LEVELS, "gpu", p->work->part_count);
	for (int i = 0; i < p->work->part_count; i++) {
		const struct task *task = &check->set->tasks[p->work->parts[i].task];
		const struct piece *kernel = kernel_of(p, i);
		fact_from(check, &table, "J", fact_given(check, task->arrival.jitter, "task:%s@jitter", task->id));
		fact_from(check, &table, "o_dep", kernel->dependency);
		fact_from(check, &table, "M", kernel->makespan);
		fact_from(check, &table, "W", kernel->waste);
		fact_from(check, &table, "C", kernel->residence);
	}
	return table;
}

static struct fact claim_of(struct fp *p, int index, struct fact table)
{
	struct check *check = p->check;
	const struct fact *parameters = p->work->parameters;
	struct fact claim = bounds_claim(check, RULE_FP, p->work->parts[index].about, p->steps[index]);
	bounds_bear(check, p->steps[index], "its response", right_side(p, index));
	fact_from(check, &claim, "levels", table);
	fact_from(check, &claim, "m", sms_fact_of_context(p->work, 0));
	fact_from(check, &claim, "o_blk", parameters[PARAMETER_OVERHEAD_BLOCK]);
	if (!checked_is_none(p->tick.value))
		fact_from(check, &claim, "tick", p->tick);
	if (p->stops) {
		fact_from(check, &claim, "theta_int", p->work->stop);
		fact_from(check, &claim, "T_int", parameters[PARAMETER_STOPS_DISTANCE]);
	}
	claim.assumptions = p->assumptions;
	return claim;
}

uint64_t claimed_fp_needs(const struct work *work, int context, bool *applies)
{
	uint64_t needs = bounds_needs_of_hosts(work, context) | bounds_needs_of_idle(work, context);
	*applies = *applies && structure_permits(work);
	return needs | bounds_needs_of_order(work, context, applies);
}

struct claims claimed_fp_hold(struct work *work, const struct turns *turns)
{
	struct check *check = work->check;
	struct fp p = {.work = work, .check = check};
	struct claims claims = claims_none(work);
	int first = bounds_begin(work, CLAIMED_FP, &p.assumptions);
	(void)turns; /* it is for a single context */
	if (first < 0)
		return claims;
	prepare(&p);
	find_queues(&p);
	bounds_require(check, p.assumptions, first);
	struct fact table = table_of(&p);
	for (int i = 0; i < work->part_count; i++)
		if (p.steps[i] >= 0)
			claims.of_part[i] = claim_of(&p, i, table);
	return claims;
}
