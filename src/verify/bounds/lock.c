/* LOCK: the units under a lock of the whole GPU, or under locks of partitions, all claimed responses put into their equations once:
 * [LOCK-CLAIM]. */
#include "verify/charged_once.h"
#include "verify/inflation.h"

#include "model/limits.h"

struct units {
	struct work *work;
	struct check *check;
	struct arrivals_at *at;
	int *steps;               /* [segment]; -1: the report claims none */
	int64_t *cost, *response; /* [segment]; response: as claimed, NONE: there is none */
	bool *punctual;           /* [segment]: its task's thread asks as a job is released, as the one before is complete */
	struct fact *device;
	struct fact *copies;         /* [segment][engine] */
	int engines;                 /* 0: nobody else's copies are there */
	struct arrivals_at *present; /* [segment]: as often as its copies may still be there */
	struct arrival stop;
	struct arrivals_at stop_at;
	bool stops, switches;
	struct fact *entries; /* [segment][kernels, copies]: what each has, of one that takes turns with itself; else unknown */
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
	return alternates(work) ? own : work->sharing->process_count > 1;
}

/* Of an owner, and of a stream, all is under one lock. */
static bool keeps_owners_apart(const struct work *work)
{
	const struct taskset *set = work->check->set;
	int *lock = arena_allocate(work->check->arena, (size_t)(work->owner_count + set->stream_count) + 1, sizeof *lock);
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		if (operation->stream == NO_ID)
			continue;
		int own = set->holds[operation->hold - 1].lock + 1;
		int *places[] = {&lock[work->sharing->of_stream[operation->stream]], &lock[work->owner_count + operation->stream]};
		for (int k = 0; k < 2; k++) {
			if (*places[k] != 0 && *places[k] != own)
				return false;
			*places[k] = own;
		}
	}
	return work->sharing->process_count == 1 && !work->sliced;
}

static bool has_several_locks(const struct taskset *set)
{
	for (int i = 1; i < set->hold_count; i++)
		if (set->holds[i].lock != set->holds[0].lock)
			return true;
	return false;
}

/* Everything on the GPU is in units under locks. Where one takes turns with itself nothing else may: not contexts by their priority or
 * level, nor those of other locks, and nobody stops them. */
static bool keeps_all_apart(const struct work *work)
{
	const struct taskset *set = work->check->set;
	const struct platform *platform = work->check->platform;
	bool stops = !checked_is_none(platform_value(platform, PARAMETER_STOPS_LENGTH)) &&
		     !checked_is_none(platform_value(platform, PARAMETER_STOPS_DISTANCE));
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].stream != NO_ID && set->operations[i].hold == 0)
			return false;
	if (alternates(work) && work_takes_turns_with_itself(work, 0) &&
		(has_several_locks(set) || work->ranked || work->between.levels || stops))
		return false;
	return set->hold_count > 0 && (!has_several_locks(set) || keeps_owners_apart(work));
}

/* ---- copies of units under other locks, which are there as long as these are */

static struct fact copies_on(const struct units *u, int index, int engine)
{
	const struct part *part = &u->work->parts[index];
	struct fact *transfers = arena_allocate(u->check->arena, (size_t)part->count + 1, sizeof *transfers);
	int count = 0;
	for (int i = part->first; i < part->first + part->count; i++)
		if (u->work->pieces[i].runs == RUNS_ON_COPY_ENGINE && u->work->pieces[i].engine == engine)
			transfers[count++] = u->work->pieces[i].transfer;
	return count == 0 ? FACT_ZERO : fact_sum(u->check, part->about, transfers, count);
}

static void find_copies(struct units *u)
{
	const struct work *work = u->work;
	for (int i = 0; i < u->check->set->operation_count && has_several_locks(u->check->set); i++)
		if (work->pieces[i].runs == RUNS_ON_COPY_ENGINE)
			u->engines = work->pieces[i].engine >= u->engines ? work->pieces[i].engine + 1 : u->engines;
	u->copies = arena_allocate(u->check->arena, (size_t)work->part_count * (size_t)u->engines + 1, sizeof *u->copies);
	u->present = arena_allocate(u->check->arena, (size_t)work->part_count + 1, sizeof *u->present);
	for (int i = 0; i < work->part_count; i++) {
		u->present[i] = (struct arrivals_at){u->at[i].model, checked_add(u->at[i].jitter, u->response[i]), false};
		for (int e = 0; e < u->engines; e++)
			u->copies[i * u->engines + e] = copies_on(u, i, e);
	}
}

/* Has the unit copies on the engine, which some unit of the other one's lock uses, too? */
static bool hinders(const struct units *u, int other, int engine, int index)
{
	int lock = hold_of(u, index)->lock;
	if (hold_of(u, other)->lock == lock || u->copies[other * u->engines + engine].value == 0)
		return false;
	for (int i = 0; i < u->work->part_count; i++)
		if (hold_of(u, i)->lock == lock && u->copies[i * u->engines + engine].value > 0)
			return true;
	return false;
}

static int64_t hindered_by(const struct units *u, int other, int index)
{
	int64_t sum = 0;
	for (int e = 0; e < u->engines; e++)
		sum = hinders(u, other, e, index) ? checked_add(sum, u->copies[other * u->engines + e].value) : sum;
	return sum;
}

/* ---- kernels and copies of one unit, by turns */

static bool turns_in(const struct units *u, int index)
{
	return alternates(u->work) && work_takes_turns_with_itself(u->work, u->check->set->operations[u->work->parts[index].first].hold);
}

/* An entry's turns end with its slices, or as one of its operations is complete. */
static int64_t turns_of(struct units *u, int index, bool of_copies)
{
	const struct work *work = u->work;
	const struct part *part = &work->parts[index];
	struct fact *entry = &u->entries[index * 2 + of_copies];
	*entry = bounds_cost(work, part, of_copies ? BOUNDS_TRANSFERS : BOUNDS_KERNELS);
	struct fact slice = of_copies ? work->parameters[PARAMETER_RUNLIST_COPY_TIMESLICE] : work->owners[part->context].slice;
	struct fact gap = of_copies ? work->theta : work->owners[part->context].switch_gap;
	int64_t operations = bounds_operations(work, part, of_copies ? RUNS_ON_COPY_ENGINE : RUNS_ON_SMS);
	u->assumptions |= entry->assumptions | slice.assumptions | gap.assumptions;
	return checked_mul(checked_add(checked_div_floor(entry->value, slice.value), operations), gap.value);
}

/* By weights of kernels and copies where the report charges once what these do to each other, [ONCE]; the third of what the table has of
 * each unit. */
static struct fact device_of(const struct units *u, int index, int table, const struct work **apart)
{
	struct check *check = u->check;
	const struct part *part = &u->work->parts[index];
	const struct graph_step *of = table < 0 ? NULL : &check->graph.steps[table];
	int cost = of == NULL || of->input_count <= index * 3 + 2 ? -1 : of->inputs[index * 3 + 2].step;
	bool may = check->set->exclusive && !u->work->sharing->parted && check->set->company_count == 0 && !turns_in(u, index);
	if (cost < 0 || check->graph.steps[cost].rule != RULE_ONCE || !may)
		return bounds_cost(u->work, part, BOUNDS_DEPENDENCIES | BOUNDS_TRANSFERS | BOUNDS_KERNELS);
	if (*apart == NULL)
		*apart = work_derive(check, u->work->residents, inflate_derive_engines_apart(check, u->work->residents));
	struct weighed weighed = charged_once_claimed(u->work, *apart, cost);
	return charged_once_cost(&weighed, part);
}

static void prepare(struct units *u, int first)
{
	const struct work *work = u->work, *apart = NULL;
	int table = graph_input(u->check, first, "units");
	size_t most = (size_t)work->part_count + 1;
	u->at = arena_allocate(u->check->arena, most, sizeof *u->at);
	u->cost = arena_allocate(u->check->arena, most, sizeof *u->cost);
	u->response = arena_allocate(u->check->arena, most, sizeof *u->response);
	u->steps = arena_allocate(u->check->arena, most, sizeof *u->steps);
	u->punctual = arena_allocate(u->check->arena, most, sizeof *u->punctual);
	u->device = arena_allocate(u->check->arena, most, sizeof *u->device);
	u->entries = arena_allocate(u->check->arena, 2 * most, sizeof *u->entries);
	u->horizon = 1;
	struct fact theta = work->parameters[PARAMETER_RUNLIST_SWITCH];
	for (int i = 0; i < work->part_count; i++) {
		const struct part *part = &work->parts[i];
		const struct task *task = &u->check->set->tasks[part->task];
		u->device[i] = device_of(u, i, table, &apart);
		bool turns = turns_in(u, i);
		int64_t changes = turns ? 0 : changes_of(work, part), change = changes == 0 ? 0 : checked_mul(changes, theta.value);
		u->switches = u->switches || changes > 0;
		for (int k = 0; k < 2 && turns; k++)
			change = checked_add(change, turns_of(u, i, k == 1));
		u->cost[i] = checked_add(checked_add(hold_of(u, i)->time, change), u->device[i].value);
		u->steps[i] = bounds_step(work, CLAIMED_LOCK, i, u->steps);
		u->response[i] = graph_integer(u->check, u->steps[i]);
		u->at[i] = (struct arrivals_at){&task->arrival, bounds_lateness(work, i, &u->response[i - part->number]),
			part->number == 0 && part->host_most == 0};
		u->horizon = checked_max(u->horizon, checked_add(task->arrival.period, task->arrival.jitter));
		u->assumptions |= u->device[i].assumptions;
	}
	for (int i = 0; i < work->part_count; i++)
		u->punctual[i] = bounds_thread_punctual(u->work, u->work->parts[i].task, u->response);
	u->horizon = checked_min(checked_mul(u->horizon, LIMIT_HORIZON_PERIODS), NONE - 1);
	int64_t distance = platform_value(u->check->platform, PARAMETER_STOPS_DISTANCE);
	u->stops = !checked_is_none(platform_value(u->check->platform, PARAMETER_STOPS_LENGTH)) && !checked_is_none(distance);
	u->stop = (struct arrival){.kind = ARRIVAL_PERIODIC, .period = distance, .min_distance = NONE, .max_distance = NONE};
	u->stop_at = (struct arrivals_at){&u->stop, 0, true};
	u->assumptions |= u->stops ? work->stop.assumptions : 0;
	find_copies(u);
}

static int64_t right_side(const struct units *u, int index)
{
	const struct work *work = u->work;
	size_t most = (size_t)work->part_count * 2 + 1;
	struct server server = {.ahead = arena_allocate(u->check->arena, most, sizeof(struct customer)),
		.until = arena_allocate(u->check->arena, most, sizeof(struct customer)),
		.last = u->stops ? 0 : u->cost[index],
		.horizon = u->horizon,
		.tick = 1,
		.limit = LIMIT_FP_CANDIDATES};
	server.ahead[server.ahead_count++] = (struct customer){&u->at[index], u->cost[index], 0};
	if (!u->punctual[index])
		return NONE;
	for (int i = 0; i < work->part_count; i++) {
		int own = hold_of(u, index)->priority, other = hold_of(u, i)->priority;
		struct customer customer = {&u->at[i], u->cost[i], 0};
		int64_t copies = hindered_by(u, i, index);
		if (copies > 0 && !u->punctual[i])
			return NONE;
		if (copies > 0) {
			server.until[server.until_count++] = (struct customer){&u->present[i], copies, 0};
			server.last = 0; /* they may come until its copies are done */
		}
		if (hold_of(u, i)->lock != hold_of(u, index)->lock)
			continue;
		if (other > own)
			server.blocking = checked_max(server.blocking, u->cost[i]);
		else if (!u->punctual[i])
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
	for (int i = 0; i < 2 * u->work->part_count; i++) {
		const struct owner *owner = &u->work->owners[u->work->parts[i / 2].context];
		if (!turns_in(u, i / 2))
			continue;
		fact_from(check, &table, "X", u->entries[i]);
		fact_from(check, &table, "L", i % 2 == 1 ? u->work->parameters[PARAMETER_RUNLIST_COPY_TIMESLICE] : owner->slice);
		fact_from(check, &table, "G", i % 2 == 1 ? u->work->theta : owner->switch_gap);
	}
	return table;
}

static struct fact claim_of(const struct units *u, int index, struct fact table)
{
	struct fact claim = bounds_claim(u->check, RULE_LOCK, u->work->parts[index].about, u->steps[index]);
	bounds_bear(u->check, u->steps[index], "its response", right_side(u, index));
	fact_from(u->check, &claim, "units", table);
	for (int i = 0; i < u->work->part_count * u->engines; i++)
		if (hinders(u, i / u->engines, i % u->engines, index))
			fact_from(u->check, &claim, "e", u->copies[i]);
	if (u->stops) {
		fact_from(u->check, &claim, "theta_int", u->work->stop);
		fact_from(u->check, &claim, "T_int", u->work->parameters[PARAMETER_STOPS_DISTANCE]);
	}
	claim.assumptions = u->assumptions;
	return claim;
}

uint64_t claimed_lock_needs(const struct work *work, int context, bool *applies)
{
	uint64_t runlist = work->check->set->interleaved ? ASSUMED(INTERLEAVE) : ASSUMED(RUNLIST);
	uint64_t needs =
		ASSUMED(LOCK) | bounds_needs_of_hosts(work, NO_ID) | (work->sharing->process_count > 1 || alternates(work) ? runlist : 0);
	(void)context; /* all of them */
	*applies = *applies && keeps_all_apart(work);
	for (int i = 0; i < work->owner_count; i++) {
		const struct share_of_process *of = &work->sharing->owners[i];
		needs |= bounds_needs_of_order(work, i, applies) | (of->parted ? ASSUMED(PARTITION) : 0);
		needs |= of->parted && work->sharing->split ? bounds_needs_of_idle(work, i) : 0;
		*applies = *applies && !of->beside && !(of->parted && of->several && of->crowded);
	}
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
	prepare(&u, first);
	bounds_require(check, u.assumptions, first);
	struct fact table = table_of(&u);
	for (int i = 0; i < work->part_count; i++)
		if (u.steps[i] >= 0)
			claims.of_part[i] = claim_of(&u, i, table);
	return claims;
}
