/* TT: tasks of known phases, their lines of operations laid out and explored again: a closed set of states, [TT-CLAIM]. */
#include "model/limits.h"
#include "verify/bounds/tt_orders.h"
#include "verify/claimed_bounds.h"
#include "verify/usable_sms.h"

enum { ON_SMS, ON_COPIES };

struct timetable {
	struct work *work;
	struct check *check;
	int64_t hyperperiod, slots; /* slots 0: kernels are served whole */
	int64_t room;               /* then, of one level: so many blocks fit whatever they are; 0: not known */
	int64_t until, enough;      /* jobs that are nominally released before `until` are followed; those before `enough` tell of all */
	bool levels;
	struct orders orders;
	int *line_of;    /* [part] */
	int *last_visit; /* [part]: the number of its last visit among those of a job */
	uint64_t assumptions;
};

static const struct task *task_of(const struct timetable *t, int part)
{
	return &t->check->set->tasks[t->work->parts[part].task];
}

static int stream_of(const struct timetable *t, int part)
{
	return t->check->set->operations[t->work->parts[part].first].stream;
}

/* ---- may it be explored? */

static bool in_phase(struct timetable *t)
{
	t->hyperperiod = 1;
	for (int i = 0; i < t->work->part_count; i++) {
		const struct task *task = task_of(t, i);
		if (task->arrival.kind != ARRIVAL_PERIODIC || checked_is_none(task->offset))
			return false;
		t->hyperperiod = checked_multiple(t->hyperperiod, task->arrival.period);
		if (checked_is_none(t->hyperperiod))
			return false;
	}
	return true;
}

/* Is the part's stream another task's, too? */
static bool in_common(const struct timetable *t, int part)
{
	for (int i = 0; i < t->work->part_count; i++)
		if (stream_of(t, i) == stream_of(t, part) && task_of(t, i) != task_of(t, part))
			return true;
	return false;
}

/* Its job is one part, and ready for its stream before the next one may be. */
static bool in_turn(const struct timetable *t, int part)
{
	const struct part *of = &t->work->parts[part];
	int64_t spread = checked_add(task_of(t, part)->arrival.jitter, checked_sub(of->host_most, of->host_least));
	bool only = of->number == 0 && (part + 1 == t->work->part_count || t->work->parts[part + 1].task != of->task);
	return only && spread <= task_of(t, part)->arrival.period;
}

static bool laid_out_simply(const struct timetable *t)
{
	const struct taskset *set = t->check->set;
	for (int i = 0; i < t->work->part_count; i++) {
		const struct part *part = &t->work->parts[i];
		if (in_common(t, i) && !in_turn(t, i))
			return false;
		for (int o = part->first; o < part->first + part->count; o++) {
			const struct piece *piece = &t->work->pieces[o];
			if (set->operations[o].stream != stream_of(t, i) || piece->runs == RUNS_NOWHERE ||
				(piece->runs == RUNS_ON_COPY_ENGINE && piece->engine == ENGINE_NONE))
				return false;
		}
	}
	return true;
}

static bool alike(const struct kernel *a, const struct kernel *b)
{
	return a->threads == b->threads && a->registers == b->registers &&
	       a->shared_static + a->shared_dynamic == b->shared_static + b->shared_dynamic && a->cache == b->cache &&
	       a->carveout == b->carveout;
}

/* With levels kernels of several blocks are served whole. */
static bool in_single_blocks(const struct timetable *t)
{
	for (int o = 0; o < t->check->set->operation_count; o++)
		if (t->work->pieces[o].runs == RUNS_ON_SMS && t->check->set->operations[o].kernel.blocks != 1)
			return false;
	return true;
}

/* Every kernel's blocks are known, and none waits for a grid slot. */
static bool blocks_known(const struct timetable *t)
{
	int64_t grids = platform_value(t->check->platform, PARAMETER_QUEUES_GRIDS);
	for (int o = 0; o < t->check->set->operation_count; o++) {
		const struct operation *operation = &t->check->set->operations[o];
		if (t->work->pieces[o].runs == RUNS_ON_SMS &&
			(operation->kind != OPERATION_KERNEL || operation->kernel.scope != SCOPE_BLOCK ||
				checked_is_none(operation->kernel.blocks) || operation->kernel.blocks > LIMIT_TT_PIECES))
			return false;
	}
	return !checked_is_none(grids) && grids >= t->work->owners[0].kernel_streams;
}

/* Of all kernels together, where they are alike; else 0. */
static int64_t slots_of_all(const struct timetable *t)
{
	const struct operation *first = NULL;
	int64_t slots = 0;
	for (int o = 0; o < t->check->set->operation_count; o++) {
		const struct operation *operation = &t->check->set->operations[o];
		const struct resident *resident = &t->work->residents[o];
		if (t->work->pieces[o].runs != RUNS_ON_SMS)
			continue;
		if (checked_is_none(resident->slots_least) || resident->slots_least != resident->slots_greatest)
			return 0;
		if (first != NULL && (resident->slots_least != slots || !alike(&first->kernel, &operation->kernel)))
			return 0;
		first = operation;
		slots = resident->slots_least;
	}
	return slots;
}

/* So many blocks never fill all SMs for another one: the slots, or one an SM, since an empty SM holds any block. */
static int64_t room_for_any(const struct timetable *t, int64_t slots)
{
	int64_t sms = sms_of_context(t->work, 0);
	if (slots > 0)
		return checked_min(slots, LIMIT_TT_SLOTS);
	return checked_is_none(sms) || !bounds_one_configuration(t->work, 0) ? 0 : checked_min(sms, LIMIT_TT_SLOTS);
}

static void serve(struct timetable *t)
{
	const struct platform *platform = t->check->platform;
	bool quick = platform_value(platform, PARAMETER_OVERHEAD_LAUNCH) == 0 && platform_value(platform, PARAMETER_OVERHEAD_BLOCK) == 0;
	t->levels = t->work->owners[0].levels;
	if (!blocks_known(t))
		return;
	int64_t slots = slots_of_all(t);
	t->slots = quick && slots <= LIMIT_TT_SLOTS && (!t->levels || in_single_blocks(t)) ? slots : 0;
	t->room = t->levels || t->slots > 0 ? 0 : room_for_any(t, slots);
}

static bool permitted(struct timetable *t)
{
	const struct platform *platform = t->check->platform;
	bool stops = !checked_is_none(platform_value(platform, PARAMETER_STOPS_LENGTH)) &&
		     !checked_is_none(platform_value(platform, PARAMETER_STOPS_DISTANCE));
	if (stops || t->work->owner_count != 1 || t->work->sharing->owners[0].several || t->work->sliced ||
		bounds_queues_shared(t->work, 0) || !in_phase(t) || !laid_out_simply(t))
		return false;
	serve(t);
	return true;
}

/* ---- lines */

static struct visit visit_of(struct timetable *t, int operation)
{
	const struct piece *piece = &t->work->pieces[operation];
	const struct operation *of = &t->check->set->operations[operation];
	const struct fact *time = piece->runs == RUNS_ON_COPY_ENGINE ? &piece->transfer : t->slots == 0 ? &piece->makespan : &piece->block;
	return (struct visit){.station = piece->runs == RUNS_ON_COPY_ENGINE ? ON_COPIES + piece->engine : ON_SMS,
		.level = t->levels ? piece->level : 0,
		.pieces = piece->runs == RUNS_ON_SMS && (t->slots != 0 || t->room != 0) ? of->kernel.blocks : 1,
		.least = checked_min(of->bcet, time->value),
		.most = time->value,
		.block = piece->residence.value,
		.rest = piece->grid || piece->whole ? 0 : piece->residence.value,
		.release = NONE,
		.delay_most = piece->dependency.value,
		.stream_delay = piece->dependency.value};
}

/* The number of a part's stream among those of its task. */
static int nth_stream(const struct timetable *t, int first, int part)
{
	int number = 0;
	for (int i = first; i < part; i++) {
		if (stream_of(t, i) == stream_of(t, part))
			return nth_stream(t, first, i);
		number = nth_stream(t, first, i) >= number ? nth_stream(t, first, i) + 1 : number;
	}
	return number;
}

static int last_part(const struct timetable *t, int first)
{
	int last = first;
	while (last + 1 < t->work->part_count && t->work->parts[last + 1].task == t->work->parts[first].task)
		last++;
	return last;
}

static void add_part(struct timetable *t, struct line *line, int first, int index, int64_t release)
{
	const struct part *part = &t->work->parts[index], *before = index == first ? NULL : part - 1;
	int64_t host_least = checked_sub(part->host_least, before == NULL ? 0 : before->host_least);
	int64_t host_most = checked_sub(part->host_most, before == NULL ? 0 : before->host_most);
	for (int o = part->first; o < part->first + part->count; o++) {
		struct visit *visit = &line->visits[line->count++];
		*visit = visit_of(t, o);
		visit->stream = nth_stream(t, first, index);
		line->streams = visit->stream >= line->streams ? visit->stream + 1 : line->streams;
		visit->issued_before = o > part->first;
		if (visit->issued_before)
			continue;
		visit->delay_least = host_least;
		visit->delay_most = checked_add(visit->delay_most, host_most);
		if (before != NULL)
			continue;
		visit->release = release;
		visit->late = checked_add(host_most, task_of(t, index)->arrival.jitter);
		visit->delay_most = checked_add(visit->stream_delay, visit->late);
	}
}

static int64_t released(const struct timetable *t, int part, int64_t job)
{
	return checked_add(task_of(t, part)->offset, checked_mul(job, task_of(t, part)->arrival.period));
}

/* Of the part's task, nominally released before an instant. */
static int64_t jobs_until(const struct timetable *t, int part, int64_t instant)
{
	const struct task *task = task_of(t, part);
	int64_t jobs = instant > task->offset ? (instant - task->offset) / task->arrival.period : 0;
	return jobs + (instant > released(t, part, jobs));
}

static int visits_of_job(const struct timetable *t, int first)
{
	int each = 0;
	for (int i = first; i <= last_part(t, first); i++)
		each += t->work->parts[i].count;
	return each;
}

static void add_line(struct timetable *t, int first)
{
	int last = last_part(t, first);
	int64_t jobs = jobs_until(t, first, t->until);
	struct line *line = &t->orders.lines[t->orders.line_count];
	line->visits = arena_allocate(t->check->arena, (size_t)(jobs * visits_of_job(t, first)) + 1, sizeof *line->visits);
	line->common = in_common(t, first) ? 1 + stream_of(t, first) : 0;
	for (int64_t n = 0; n < jobs; n++)
		for (int i = first; i <= last; i++)
			add_part(t, line, first, i, released(t, first, n));
	for (int i = first, position = -1; i <= last; i++) {
		t->line_of[i] = t->orders.line_count;
		position += t->work->parts[i].count;
		t->last_visit[i] = position;
	}
	t->orders.line_count++;
}

static void lay_out(struct timetable *t)
{
	struct arena *arena = t->check->arena;
	int copy_engines = 0;
	t->line_of = arena_allocate(arena, (size_t)t->work->part_count + 1, sizeof *t->line_of);
	t->last_visit = arena_allocate(arena, (size_t)t->work->part_count + 1, sizeof *t->last_visit);
	t->orders = (struct orders){.width = LIMIT_TT_STATES, .total = LIMIT_TT_TOTAL, .common_count = t->check->set->stream_count};
	t->orders.lines = arena_allocate(arena, (size_t)t->work->part_count + 1, sizeof *t->orders.lines);
	for (int i = 0; i < t->work->part_count; i = last_part(t, i) + 1)
		add_line(t, i);
	for (int o = 0; o < t->check->set->operation_count; o++)
		if (t->work->pieces[o].runs == RUNS_ON_COPY_ENGINE && t->work->pieces[o].engine >= copy_engines)
			copy_engines = t->work->pieces[o].engine + 1;
	t->orders.station_count = copy_engines + 1;
	t->orders.stations = arena_allocate(arena, (size_t)copy_engines + 1, sizeof *t->orders.stations);
	int kernel_slots = t->slots > 0 ? (int)t->slots : t->room > 0 ? (int)t->room + 2 : 1;
	enum station_rule whole = t->levels ? STATION_GATE : STATION_WHOLE, single = t->levels ? STATION_LEVELS : STATION_FIFO;
	t->orders.stations[ON_SMS] = (struct station){t->slots == 0 ? whole : single, kernel_slots, 0,
		platform_value(t->check->platform, PARAMETER_OVERHEAD_BLOCK),
		platform_value(t->check->platform, PARAMETER_OVERHEAD_LAUNCH)};
	for (int e = 0; e < copy_engines; e++)
		t->orders.stations[ON_COPIES + e] = (struct station){STATION_FIFO, 1, kernel_slots + e, 0, 0};
	t->orders.slot_count = kernel_slots + copy_engines;
}

/* ---- responses */

static int64_t completed(const struct timetable *t, int part, int64_t job)
{
	int first = part - t->work->parts[part].number;
	return t->orders.lines[t->line_of[part]].visits[job * visits_of_job(t, first) + t->last_visit[part]].latest;
}

/* Is no job that is released before an instant still there then? */
static bool nothing_left(const struct timetable *t, int64_t instant)
{
	for (int i = 0; i < t->work->part_count; i++)
		for (int64_t n = jobs_until(t, i, instant); n-- > 0;) {
			int64_t done = completed(t, i, n);
			if (checked_is_none(done) || done > instant)
				return false;
		}
	return true;
}

/* A release from which everything repeats: all phases have begun, nothing is left, nor is it a hyperperiod later. */
static bool repeats_from(struct timetable *t, int64_t instant)
{
	int64_t again = checked_add(instant, t->hyperperiod);
	if (checked_is_none(again) || again > t->until)
		return false;
	for (int i = 0; i < t->work->part_count; i++)
		if (task_of(t, i)->offset - task_of(t, i)->arrival.period >= instant)
			return false;
	t->enough = again;
	return nothing_left(t, instant) && nothing_left(t, again);
}

static bool repeats(struct timetable *t)
{
	int64_t earliest = NONE;
	for (int i = 0; i < t->work->part_count; i++)
		for (int64_t n = 0; n < jobs_until(t, i, checked_sub(t->until, t->hyperperiod - 1)); n++)
			if (released(t, i, n) < earliest && repeats_from(t, released(t, i, n)))
				earliest = released(t, i, n);
	t->enough = checked_add(earliest, t->hyperperiod);
	return !checked_is_none(earliest);
}

/* No part of a job begins before the one of the job before is done. */
static bool one_after_another(const struct timetable *t)
{
	for (int i = 0; i < t->work->part_count; i++)
		for (int64_t n = 0; t->work->parts[i].number > 0 && n < jobs_until(t, i, t->enough); n++)
			if (completed(t, i, n) > released(t, i, n + 1))
				return false;
	return true;
}

static bool explored_until(struct timetable *t, int64_t until)
{
	int64_t visits = 0;
	for (int i = 0; i < t->work->part_count; i++)
		visits = checked_add(visits, checked_mul(jobs_until(t, i, until), t->work->parts[i].count));
	if (checked_is_none(until) || visits > LIMIT_TT_JOBS)
		return false;
	t->until = until;
	lay_out(t);
	return tt_orders_explore(t->check->arena, &t->orders) && repeats(t) && one_after_another(t);
}

/* A hyperperiod from the first release, else two from where all phases have begun. */
static bool explored(struct timetable *t)
{
	int64_t first = NONE, begun = 0;
	for (int i = 0; i < t->work->part_count; i++) {
		first = checked_min(first, task_of(t, i)->offset);
		begun = checked_max(begun, task_of(t, i)->offset - task_of(t, i)->arrival.period);
	}
	return explored_until(t, checked_add(first, t->hyperperiod)) ||
	       explored_until(t, checked_add(begun, checked_mul(2, t->hyperperiod)));
}

static int64_t response_of(const struct timetable *t, int part)
{
	int64_t worst = 0;
	if (last_part(t, part) != part)
		return 0;
	for (int64_t n = 0; n < jobs_until(t, part, t->enough); n++) {
		int64_t from = checked_add(released(t, part, n), t->work->parts[part].host_most);
		worst = checked_max(worst, checked_sub(completed(t, part, n), from));
	}
	return worst;
}

/* ---- steps */

static struct fact table_of(struct timetable *t)
{
	struct check *check = t->check;
	struct fact table = fact_make(check, RULE_TIMETABLE, "gpu", t->hyperperiod);
	for (int i = 0; i < t->work->part_count; i++)
		fact_from(check, &table, "O", fact_given(check, task_of(t, i)->offset, "task:%s@offset", task_of(t, i)->id));
	for (int i = 0; i < t->work->part_count; i++)
		for (int o = t->work->parts[i].first; o < t->work->parts[i].first + t->work->parts[i].count; o++) {
			const struct piece *piece = &t->work->pieces[o];
			fact_from(check, &table, "o_dep", piece->dependency);
			if (piece->runs == RUNS_ON_COPY_ENGINE)
				fact_from(check, &table, "C", piece->transfer);
			else if (t->slots == 0)
				fact_from(check, &table, "M", piece->makespan);
			else
				fact_from(check, &table, "C", piece->block);
			t->assumptions |= piece->dependency.assumptions | piece->transfer.assumptions | piece->makespan.assumptions |
					  piece->block.assumptions | piece->waste.assumptions | piece->volume.assumptions |
					  piece->dispatch.assumptions;
		}
	return table;
}

uint64_t claimed_tt_needs(const struct work *work, int context, bool *applies)
{
	uint64_t needs = ASSUMED(PHASES) | bounds_needs_of_hosts(work, context) | bounds_needs_of_idle(work, context);
	*applies = *applies && (!work_late(work->check) || !work->owners[context].kernels);
	return needs | bounds_needs_of_order(work, context, applies);
}

struct claims claimed_tt_hold(struct work *work, const struct turns *turns)
{
	struct check *check = work->check;
	struct timetable t = {.work = work, .check = check};
	struct claims claims = claims_none(work);
	int first = bounds_begin(work, CLAIMED_TT, &t.assumptions);
	(void)turns; /* it is for a single context */
	if (first < 0)
		return claims;
	t.assumptions |= work->owners[0].copies ? ASSUMED(CE) : 0;
	if (!permitted(&t) || !explored(&t)) {
		bounds_refuse(check, CLAIMED_TT, first);
		return claims;
	}
	int *steps = arena_allocate(check->arena, (size_t)work->part_count + 1, sizeof *steps);
	struct fact table = table_of(&t);
	bounds_require(check, t.assumptions, first);
	for (int i = 0; i < work->part_count; i++) {
		steps[i] = bounds_step(work, CLAIMED_TT, i, steps);
		if (steps[i] < 0)
			continue;
		bounds_bear(check, steps[i], "the latest completion in any state", response_of(&t, i));
		claims.of_part[i] = bounds_claim(check, RULE_TT, work->parts[i].about, steps[i]);
		fact_from(check, &claims.of_part[i], "jobs", table);
		claims.of_part[i].assumptions = t.assumptions;
	}
	return claims;
}
