/* LOCK: the units under a lock of the whole GPU, all claimed responses put into their equations once: [LOCK-CLAIM]. */
#include "verify/claimed_bounds.h"

#include "model/limits.h"

struct units {
	struct work *work;
	struct check *check;
	struct arrivals_at *at;
	int *steps;               /* [segment]; -1: the report claims none */
	int64_t *cost, *response; /* [segment]; response: as claimed, NONE: there is none */
	struct fact *device;
	struct arrival stop;
	struct arrivals_at stop_at;
	bool stops, switches;
	int64_t horizon;
	uint64_t assumptions;
};

static const struct locked_unit *hold_of(const struct units *u, int part)
{
	const struct taskset *set = u->check->set;
	return &set->holds[set->operations[u->work->parts[part].first].hold - 1];
}

/* Kernels and copies take turns, or may. */
static bool alternates(const struct work *work)
{
	int kernels = 0, copies = 0;
	for (int i = 0; i < work->check->set->operation_count; i++) {
		kernels += work->pieces[i].runs == RUNS_ON_SMS;
		copies += work->pieces[i].runs == RUNS_ON_COPY_ENGINE;
	}
	return work->copies_sliced && kernels > 0 && copies > 0;
}

/* How often the runlist goes to another entry in a unit, at most: to its context once, and where kernels and copies are two entries to one
 * of these for each operation. */
static int64_t changes_of(const struct work *work, const struct part *part)
{
	int64_t own = 0;
	for (int i = part->first; i < part->first + part->count; i++)
		own += work->pieces[i].runs != RUNS_NOWHERE;
	return alternates(work) ? own : work->owner_count > 1;
}

/* Everything on the GPU is in units of one lock, and of each unit all is on one stream. */
static bool keeps_all_apart(const struct check *check)
{
	const struct taskset *set = check->set;
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		if (operation->stream == NO_ID)
			continue;
		if (operation->hold == 0 || set->holds[operation->hold - 1].lock != set->holds[0].lock)
			return false;
		for (int k = 0; k < i; k++)
			if (set->operations[k].hold == operation->hold && set->operations[k].stream != operation->stream)
				return false;
	}
	return set->hold_count > 0;
}

static void prepare(struct units *u)
{
	const struct work *work = u->work;
	size_t most = (size_t)work->part_count + 1;
	u->at = arena_allocate(u->check->arena, most, sizeof *u->at);
	u->cost = arena_allocate(u->check->arena, most, sizeof *u->cost);
	u->response = arena_allocate(u->check->arena, most, sizeof *u->response);
	u->steps = arena_allocate(u->check->arena, most, sizeof *u->steps);
	u->device = arena_allocate(u->check->arena, most, sizeof *u->device);
	u->horizon = 1;
	struct fact theta = work->parameters[PARAMETER_RUNLIST_SWITCH];
	for (int i = 0; i < work->part_count; i++) {
		const struct part *part = &work->parts[i];
		const struct task *task = &u->check->set->tasks[part->task];
		u->device[i] = bounds_cost(work, part, BOUNDS_DEPENDENCIES | BOUNDS_TRANSFERS | BOUNDS_KERNELS);
		int64_t changes = changes_of(work, part), change = changes == 0 ? 0 : checked_mul(changes, theta.value);
		u->switches = u->switches || changes > 0;
		u->cost[i] = checked_add(checked_add(hold_of(u, i)->time, change), u->device[i].value);
		u->steps[i] = bounds_step(work, CLAIMED_LOCK, i, u->steps);
		u->response[i] = graph_integer(u->check, u->steps[i]);
		u->at[i] = (struct arrivals_at){&task->arrival, bounds_lateness(work, i, &u->response[i - part->number]),
			part->number == 0 && part->host_most == 0};
		u->horizon = checked_max(u->horizon, checked_add(task->arrival.period, task->arrival.jitter));
		u->assumptions |= u->device[i].assumptions;
	}
	u->horizon = checked_min(checked_mul(u->horizon, LIMIT_HORIZON_PERIODS), NONE - 1);
	int64_t distance = platform_value(u->check->platform, PARAMETER_STOPS_DISTANCE);
	u->stops = !checked_is_none(platform_value(u->check->platform, PARAMETER_STOPS_LENGTH)) && !checked_is_none(distance);
	u->stop = (struct arrival){.kind = ARRIVAL_PERIODIC, .period = distance, .min_distance = NONE, .max_distance = NONE};
	u->stop_at = (struct arrivals_at){&u->stop, 0, true};
	u->assumptions |= u->stops ? work->stop.assumptions : 0;
}

static int64_t right_side(const struct units *u, int index)
{
	const struct work *work = u->work;
	size_t most = (size_t)work->part_count + 1;
	struct server server = {.ahead = arena_allocate(u->check->arena, most, sizeof(struct customer)),
		.until = arena_allocate(u->check->arena, most, sizeof(struct customer)),
		.last = u->stops ? 0 : u->cost[index],
		.horizon = u->horizon,
		.tick = 1,
		.limit = LIMIT_FP_CANDIDATES};
	server.ahead[server.ahead_count++] = (struct customer){&u->at[index], u->cost[index], 0};
	for (int i = 0; i < work->part_count; i++) {
		int own = hold_of(u, index)->priority, other = hold_of(u, i)->priority;
		struct customer customer = {&u->at[i], u->cost[i], 0};
		if (other > own)
			server.blocking = checked_max(server.blocking, u->cost[i]);
		else if (checked_is_none(u->at[i].jitter))
			return NONE; /* nobody knows how often it asks */
		else if (other < own)
			server.until[server.until_count++] = customer;
		else if (i != index)
			server.ahead[server.ahead_count++] = customer;
	}
	if (u->stops)
		server.until[server.until_count++] = (struct customer){&u->stop_at, work->stop.value, 0};
	return server_response(&server);
}

/* ---- steps */

static struct fact table_of(const struct units *u)
{
	struct check *check = u->check;
	struct fact table = fact_make(check, RULE_UNITS, "gpu", u->work->part_count);
	for (int i = 0; i < u->work->part_count; i++) {
		const struct part *part = &u->work->parts[i];
		const struct task *task = &check->set->tasks[part->task];
		fact_from(check, &table, "J", fact_given(check, task->arrival.jitter, "task:%s@jitter", task->id));
		fact_from(check, &table, "H", fact_given(check, hold_of(u, i)->time, "%s@hold", work_name(u->work, part, part->first)));
		fact_from(check, &table, "C", u->device[i]);
	}
	if (u->switches)
		fact_from(check, &table, "theta", u->work->parameters[PARAMETER_RUNLIST_SWITCH]);
	return table;
}

static struct fact claim_of(const struct units *u, int index, struct fact table)
{
	struct fact claim = bounds_claim(u->check, RULE_LOCK, u->work->parts[index].about, u->steps[index]);
	bounds_bear(u->check, u->steps[index], "its response", right_side(u, index));
	fact_from(u->check, &claim, "units", table);
	if (u->stops) {
		fact_from(u->check, &claim, "theta_int", u->work->stop);
		fact_from(u->check, &claim, "T_int", u->work->parameters[PARAMETER_STOPS_DISTANCE]);
	}
	claim.assumptions = u->assumptions;
	return claim;
}

uint64_t claimed_lock_needs(const struct work *work, int context, bool *applies)
{
	uint64_t needs =
		ASSUMED(LOCK) | bounds_needs_of_hosts(work, NO_ID) | (work->owner_count > 1 || alternates(work) ? ASSUMED(RUNLIST) : 0);
	(void)context; /* all of them */
	*applies = *applies && keeps_all_apart(work->check);
	for (int i = 0; i < work->owner_count; i++)
		needs |= bounds_needs_of_order(work, i, applies);
	return needs;
}

struct claims claimed_lock_hold(struct work *work, const struct turns *turns)
{
	struct check *check = work->check;
	struct units u = {.work = work, .check = check};
	struct claims claims = claims_none(work);
	int first = bounds_begin(work, CLAIMED_LOCK, &u.assumptions);
	(void)turns; /* nobody takes turns: one holder is there at a time */
	if (first < 0)
		return claims;
	prepare(&u);
	bounds_require(check, u.assumptions, first);
	struct fact table = table_of(&u);
	for (int i = 0; i < work->part_count; i++)
		if (u.steps[i] >= 0)
			claims.of_part[i] = claim_of(&u, i, table);
	return claims;
}
