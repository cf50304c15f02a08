/* The costs of operations; tasks cut into segments. */
#include "verify/claimed_bounds.h"
#include "verify/usable_sms.h"

#define PARAMETER(work, name) ((work)->parameters[PARAMETER_##name])

static void give_parameters(struct work *work)
{
	for (int i = 0; i < PARAMETER_COUNT; i++) {
		int64_t value = platform_value(work->check->platform, (enum parameter)i);
		work->parameters[i] =
			checked_is_none(value) ? FACT_UNKNOWN : fact_given(work->check, value, "platform:%s", parameter_kinds[i].name);
	}
}

const char *work_name(const struct work *work, const struct part *part, int operation)
{
	return arena_format(work->check->arena, "%s/op:%s", part->about, work->check->set->operations[operation].id);
}

/* ---- kernels */

/* Q = sum of n over all SMs. */
static struct fact slots(struct work *work, const char *about, struct fact m, struct fact n)
{
	int64_t total = checked_mul(m.value, n.value);
	struct fact q = fact_make(work->check, RULE_SLOTS, about, total);
	fact_from(work->check, &q, "m", m);
	fact_from(work->check, &q, "n", n);
	return q;
}

static void find_slots(
	struct work *work, const char *about, const struct resident *resident, struct fact m, struct fact *most, struct fact *least)
{
	if (resident->is_kernel && resident->sized) {
		*most = slots(work, about, m, fact_make(work->check, RULE_OCCUPANCY_GREATEST, about, resident->greatest));
		*least = slots(work, about, m, fact_make(work->check, RULE_OCCUPANCY_LEAST, about, resident->least));
	} else {
		*most = slots(work, about, m, PARAMETER(work, SM_BLOCKS));
		*least = m;
	}
}

/* ---- order up to a start delay, [START-DELAYS] */

static bool in_time(const struct check *check)
{
	return platform_grants_all(check->platform, ASSUMED(HOL) | ASSUMED(PRIO) | ASSUMED(WC));
}

bool work_delayed(const struct check *check)
{
	return !in_time(check) && platform_grants(check->platform, ASSUMPTION_ORDER);
}

/* What the task set declares holds whoever denies it; what the model states, where nobody does. */
static bool is_some(const struct check *check, enum parameter time)
{
	const struct quantity *stated = &check->platform->parameters[time];
	bool denied = in_time(check) && stated->declared_by == NULL;
	return stated->present && stated->value != 0 && !denied;
}

bool work_late(const struct check *check)
{
	return work_delayed(check) || is_some(check, PARAMETER_DISPATCH_DELAY) || is_some(check, PARAMETER_DISPATCH_STALL);
}

static bool too_much(const struct platform *platform, enum parameter of_an_sm, int64_t one, int64_t other)
{
	int64_t most = platform_value(platform, of_an_sm), sum = checked_add(one, other);
	return !checked_is_none(most) && !checked_is_none(sum) && sum > most;
}

static bool fit_together(const struct platform *platform, const struct resident *own, const struct resident *other)
{
	if (!other->is_kernel || !other->sized)
		return true;
	return platform_value(platform, PARAMETER_SM_BLOCKS) != 1 && !too_much(platform, PARAMETER_SM_WARPS, own->warps, other->warps) &&
	       !too_much(platform, PARAMETER_SM_SHARED, own->shared, other->shared) &&
	       !too_much(platform, PARAMETER_SM_REGISTERS, checked_mul(own->warps, own->warp_registers),
		       checked_mul(other->warps, other->warp_registers));
}

/* May a block come to an SM on which there is another one? Not where no two blocks that can meet fit together; to the SMs of a span, in
 * which its own blocks' late begins are, only where another stream has work on them. */
static bool comes_beside(const struct work *work, int index)
{
	const struct check *check = work->check;
	const struct operation *operation = &check->set->operations[index];
	const struct resident *own = &work->residents[index];
	bool span = operation_is_span(operation);
	bool beside = !span && (!own->is_kernel || !own->sized || (own->greatest != 1 && operation->kernel.blocks != 1));
	for (int s = 0; s < check->set->stream_count && !beside; s++) {
		struct listed list = lists_of(&check->of_stream, s);
		if (list.count == 0 || !resident_mix(check, operation->stream, s))
			continue;
		for (int k = 0; k < list.count && !beside; k++) {
			const struct resident *other = &work->residents[list.items[k]];
			beside = other->on_sms && (span || fit_together(check->platform, own, other));
		}
	}
	return beside;
}

static struct fact delta_of(const struct work *work)
{
	struct fact delta = PARAMETER(work, DISPATCH_DELAY);
	delta.assumptions |= work_delayed(work->check) ? ASSUMED(ORDER) : 0;
	return delta;
}

static struct fact residence_of(struct work *work, const char *about, bool beside, struct fact c)
{
	if (!work_late(work->check))
		return c;
	struct fact delta = delta_of(work), sigma = PARAMETER(work, DISPATCH_STALL);
	int64_t value = checked_add(c.value, delta.value);
	struct fact residence = fact_make(work->check, RULE_RESIDENCE, about, beside ? checked_add(value, sigma.value) : value);
	fact_from(work->check, &residence, "C", c);
	fact_from(work->check, &residence, "delta", delta);
	if (beside)
		fact_from(work->check, &residence, "sigma", sigma);
	return residence;
}

/* From a block's assignment to its end. */
static struct fact assigned_of(struct work *work, const char *about, bool beside, struct fact c)
{
	if (!work_late(work->check) || !beside)
		return c;
	struct fact both[] = {c, PARAMETER(work, DISPATCH_STALL)};
	struct fact assigned = fact_make(work->check, RULE_TAIL, about, checked_add(both[0].value, both[1].value));
	fact_from(work->check, &assigned, "C", both[0]);
	fact_from(work->check, &assigned, "sigma", both[1]);
	return assigned;
}

/* The blocks of a kernel that comes late, each for its residence, but for what one of them is there from its assignment on. */
static struct fact late_volume(struct work *work, const char *about, struct fact n, const struct piece *piece)
{
	int64_t others = checked_mul(checked_sub(n.value, 1), piece->residence.value);
	struct fact volume = fact_make(
		work->check, RULE_VOLUME_DELAYED, about, checked_add(others, checked_sub(piece->residence.value, piece->assigned.value)));
	fact_from(work->check, &volume, "N", n);
	fact_from(work->check, &volume, "R", piece->residence);
	fact_from(work->check, &volume, "B", piece->assigned);
	return volume;
}

static struct fact late_volume_of_grid(struct work *work, const char *about, struct fact n, struct fact most, const struct piece *piece)
{
	int64_t c = piece->block.value, each = checked_sub(piece->residence.value, c);
	int64_t value = checked_add(checked_mul(most.value, c), checked_mul(n.value, each));
	struct fact volume = fact_make(work->check, RULE_VOLUME_GRID_DELAYED, about, checked_sub(value, piece->assigned.value));
	fact_from(work->check, &volume, "Qmax", most);
	fact_from(work->check, &volume, "C", piece->block);
	fact_from(work->check, &volume, "N", n);
	fact_from(work->check, &volume, "R", piece->residence);
	fact_from(work->check, &volume, "B", piece->assigned);
	return volume;
}

/* A kernel may wait so long once more, when it comes to the head. */
static void delay_makespan(struct work *work, struct fact *makespan)
{
	struct fact delta = delta_of(work);
	int64_t value = checked_add(makespan->value, delta.value);
	if (!work_late(work->check))
		return;
	fact_from(work->check, makespan, "delta", delta);
	makespan->value = value;
	fact_settle(makespan);
}

/* (6.1) and the volume of all blocks but the last. */
static void cost_of_blocks(
	struct work *work, const char *about, struct fact n, struct fact least, const struct inflated_fact *of, struct piece *piece)
{
	struct fact c = of->inflated;
	struct check *check = work->check;
	bool delayed = work_late(check);
	struct fact o_launch = PARAMETER(work, OVERHEAD_LAUNCH), o_blk = PARAMETER(work, OVERHEAD_BLOCK);
	piece->dispatch = fact_make(check, RULE_DISPATCH, about, checked_add(o_launch.value, checked_mul(n.value, o_blk.value)));
	fact_from(check, &piece->dispatch, "o_launch", o_launch);
	fact_from(check, &piece->dispatch, "N", n);
	fact_from(check, &piece->dispatch, "o_blk", o_blk);
	int64_t waves = checked_div_ceil(n.value, least.value);
	bool apart = of->has_apart && waves >= 2 && !delayed; /* those behind slow the last wave only */
	int64_t step = apart ? of->apart.value : piece->residence.value;
	if (!delayed) /* all other blocks of a wave are dispatched while this one runs */
		step = checked_max(0, checked_add(checked_sub(step, checked_mul(least.value, o_blk.value)), o_blk.value));
	int64_t before = checked_mul(checked_sub(waves, 1), step);
	piece->makespan = fact_make(check,
		apart     ? RULE_MAKESPAN_APART
		: delayed ? RULE_MAKESPAN_DELAYED
			  : RULE_MAKESPAN,
		about, checked_add(piece->dispatch.value, checked_add(before, piece->residence.value)));
	fact_from(check, &piece->makespan, "o", piece->dispatch);
	fact_from(check, &piece->makespan, "N", n);
	fact_from(check, &piece->makespan, "Q", least);
	fact_from(check, &piece->makespan, "C", piece->residence);
	if (!delayed)
		fact_from(check, &piece->makespan, "o_blk", o_blk);
	if (apart)
		fact_from(check, &piece->makespan, "A", of->apart);
	delay_makespan(work, &piece->makespan);
	piece->makespan.assumptions |= (work_delayed(check) ? ASSUMED(ORDER) : ASSUMED(WC)) | ASSUMED(SM);
	if (delayed) {
		piece->volume = late_volume(work, about, n, piece);
		return;
	}
	piece->volume = fact_make(check, RULE_VOLUME, about, checked_sub(checked_mul(n.value, c.value), c.value));
	fact_from(check, &piece->volume, "N", n);
	fact_from(check, &piece->volume, "C", c);
}

/* A kernel has no more blocks at once than it has. */
static struct fact taken(struct check *check, const char *about, struct fact slots, struct fact n)
{
	if (checked_is_none(n.value) || checked_is_none(slots.value) || slots.value <= n.value)
		return slots;
	struct fact fact = fact_make(check, RULE_SLOTS_TAKEN, about, n.value);
	fact_from(check, &fact, "Q", slots);
	fact_from(check, &fact, "N", n);
	return fact;
}

/* [SCOPE-GRID] */
static void cost_of_grid(struct work *work, const char *about, struct fact n, struct fact most, struct fact least, struct fact c,
	bool mixes, bool configured, struct piece *piece)
{
	struct check *check = work->check;
	struct fact o_launch = PARAMETER(work, OVERHEAD_LAUNCH), r = piece->residence;
	most = taken(check, about, most, n);
	least = taken(check, about, least, n);
	int64_t volume = checked_sub(checked_mul(most.value, c.value), c.value);
	bool fungible = platform_grants(check->platform, ASSUMPTION_FRAG);
	bool spread = mixes && (!fungible || configured) && least.value != most.value, delayed = work_late(check);
	int rules[2][2] = {{RULE_MAKESPAN_GRID, RULE_MAKESPAN_GRID_DELAYED}, {RULE_MAKESPAN_MIXED, RULE_MAKESPAN_MIXED_DELAYED}};
	struct fact o_blk = PARAMETER(work, OVERHEAD_BLOCK);
	int64_t served = checked_mul(n.value, o_blk.value);
	bool counted = !checked_is_none(served) && !checked_is_none(c.value) && served < c.value;
	piece->dispatch = counted ? fact_make(check, RULE_DISPATCH, about, checked_add(o_launch.value, served))
				  : fact_make(check, RULE_DISPATCH_GRID, about, checked_add(o_launch.value, c.value));
	fact_from(check, &piece->dispatch, "o_launch", o_launch);
	fact_from(check, &piece->dispatch, counted ? "N" : "C", counted ? n : c);
	if (counted)
		fact_from(check, &piece->dispatch, "o_blk", o_blk);
	piece->volume = fact_make(check, RULE_VOLUME_GRID, about, volume);
	fact_from(check, &piece->volume, "Qmax", most);
	fact_from(check, &piece->volume, "C", c);
	if (delayed)
		piece->volume = late_volume_of_grid(work, about, n, most, piece);
	/* (Qmax - 1) C + (N - 1) (R - C): all blocks but the last, each as late as it may be */
	int64_t late = delayed ? checked_mul(checked_sub(n.value, 1), checked_sub(r.value, c.value)) : 0;
	int64_t value = checked_add(o_launch.value, r.value);
	if (spread)
		value = checked_add(value, checked_div_ceil(checked_add(volume, late), least.value));
	piece->makespan = fact_make(check, rules[spread][delayed], about, value);
	fact_from(check, &piece->makespan, "o_launch", o_launch);
	if (spread) {
		fact_from(check, &piece->makespan, "Qmax", most);
		fact_from(check, &piece->makespan, "Qmin", least);
	}
	fact_from(check, &piece->makespan, "C", spread ? c : r);
	if (spread && delayed) {
		fact_from(check, &piece->makespan, "N", n);
		fact_from(check, &piece->makespan, "R", r);
	}
	delay_makespan(work, &piece->makespan);
	uint64_t conserving = work_delayed(check) ? ASSUMED(ORDER) : ASSUMED(WC);
	if (mixes)
		piece->makespan.assumptions |= conserving | (fungible ? ASSUMED(FRAG) : 0) | (configured || !fungible ? ASSUMED(SM) : 0);
}

/* May an SM hold fewer blocks because another kernel left it with less shared memory? Not of a kernel that is known to need none. */
static bool may_be_configured(const struct work *work, const struct resident *resident)
{
	bool known = resident->is_kernel && resident->sized;
	return !(known && resident->shared == 0) && resident_configurable(work->check->platform);
}

/* Of a sequence: what each of its operations may do, and the longest of them, which is slowed no more than all together ([SPAN]). */
static void span_of(struct work *work, const char *about, const struct operation *operation, struct fact whole, struct piece *piece)
{
	const struct measured_span *span = &operation->span;
	struct check *check = work->check;
	if (span->operations > 1 && !platform_grants(check->platform, ASSUMPTION_PENDING))
		piece->turns = span->operations;
	if (span->operations < 1 || checked_is_none(span->longest) || work_late(check) ||
		taskset_has_company(check->set, (int)(operation - check->set->operations)))
		return;
	int64_t slowed = checked_sub(whole.value, operation->wcet);
	piece->residence = fact_make(check, RULE_LONGEST, about, checked_add(span->longest, slowed));
	fact_from(check, &piece->residence, "C", whole);
	fact_from(check, &piece->residence, "c", fact_given(check, operation->wcet, "%s@wcet", about));
	fact_from(check, &piece->residence, "l", fact_given(check, span->longest, "%s@longest", about));
}

/* Are there streams that no lock keeps apart from it? */
static bool has_others(const struct check *check, int stream)
{
	for (int s = 0; s < check->set->stream_count; s++)
		if (s != stream && !resident_apart(check, stream, s))
			return true;
	return false;
}

/* Is the launch served in one piece, at full speed, with all SMs to itself, and are its program's times those of any order? */
static bool launched_apart(const struct work *work, int index)
{
	const struct check *check = work->check;
	const struct operation *operation = &check->set->operations[index];
	bool quiet = check->set->application_count == 1 && !check->platform->parameters[PARAMETER_STOPS_LENGTH].present;
	bool plain = operation->graph == 0 && work->inflated[index].inflated.value == operation->wcet;
	for (int i = 0; i < check->set->operation_count; i++)
		if (check->set->operations[i].stream != operation->stream && work->residents[i].on_sms)
			return false;
	return quiet && plain && operation->kernel.launch.latency > 0 && work_delayed(check);
}

/* [WCET-LAUNCH]: latencies are waited for on all slots at once, work is done on all SMs at once, until the last block has come. */
static void cost_of_launch(struct work *work, const char *about, const struct operation *operation, struct fact n, struct fact least,
	struct fact m, struct piece *piece)
{
	static const char *const names[] = {"latency", "work", "once", "last"};
	struct check *check = work->check;
	const int64_t values[] = {operation->kernel.launch.latency, operation->kernel.launch.work, operation->kernel.launch.once,
		operation->kernel.launch.last};
	struct fact delta = delta_of(work), sigma = PARAMETER(work, DISPATCH_STALL), of[4];
	int64_t before = checked_sub(n.value, 1), late = checked_add(delta.value, sigma.value);
	int64_t waits = checked_div_ceil(checked_mul(before, checked_add(values[0], late)), least.value);
	int64_t works = checked_div_ceil(checked_mul(before, values[1]), m.value);
	int64_t until = n.value <= least.value ? 0 : checked_add(checked_add(waits, works), values[2]);
	int64_t value = checked_add(checked_add(piece->dispatch.value, until), checked_add(values[3], late));
	if (checked_is_none(value) || checked_is_none(piece->makespan.value) || value >= piece->makespan.value)
		return;
	for (int i = 0; i < 4; i++)
		of[i] = fact_make(check, RULE_PROGRAM, arena_format(check->arena, "%s@%s", about, names[i]), values[i]);
	piece->makespan = fact_make(check, RULE_MAKESPAN_LAUNCH, about, value);
	fact_from(check, &piece->makespan, "o", piece->dispatch);
	fact_from(check, &piece->makespan, "N", n);
	fact_from(check, &piece->makespan, "Q", least);
	fact_from(check, &piece->makespan, "m", m);
	for (int i = 0; i < 4; i++)
		fact_from(check, &piece->makespan, names[i], of[i]);
	fact_from(check, &piece->makespan, "delta", delta);
	fact_from(check, &piece->makespan, "sigma", sigma);
	piece->makespan.assumptions |= ASSUMED(ORDER) | ASSUMED(SM);
	piece->whole = true;
}

static void cost_on_sms(struct work *work, const char *about, int index, struct piece *piece)
{
	const struct operation *operation = &work->check->set->operations[index];
	const struct resident *resident = &work->residents[index];
	struct fact most, least, n = FACT_UNKNOWN;
	bool kernel = operation->kind == OPERATION_KERNEL;
	bool fragment = operation->kind == OPERATION_FRAGMENT;
	bool mixes = kernel ? resident->mixes : !fragment && has_others(work->check, operation->stream);
	piece->grid = !kernel || operation->kernel.scope == SCOPE_GRID;
	piece->block = work->inflated[index].inflated;
	bool beside = work_late(work->check) && comes_beside(work, index);
	piece->residence = residence_of(work, about, beside, piece->block);
	piece->assigned = assigned_of(work, about, beside, piece->block);
	struct fact whole = piece->residence;
	find_slots(work, about, resident, sms_fact_of_stream(work, operation->stream), &most, &least);
	if (kernel && !checked_is_none(operation->kernel.blocks))
		n = fact_given(work->check, operation->kernel.blocks, "%s@blocks", about);
	if (piece->grid)
		cost_of_grid(work, about, n, most, least, piece->block, mixes, may_be_configured(work, resident), piece);
	else
		cost_of_blocks(work, about, n, least, &work->inflated[index], piece);
	if (!piece->grid && launched_apart(work, index))
		cost_of_launch(work, about, operation, n, least, sms_fact_of_stream(work, operation->stream), piece);
	span_of(work, about, operation, whole, piece);
	if (fragment)
		piece->volume = FACT_UNKNOWN; /* not made of blocks whose times could be added up */
	if (!piece->grid && platform_grants(work->check->platform, ASSUMPTION_FRAG))
		piece->makespan.assumptions |= ASSUMED(FRAG);
	piece->makespan.assumptions |= resident->rests_on_parts ? ASSUMED(FRAG_REGISTERS) : 0;
}

static void cost_operation(struct work *work, const struct task *task, int index)
{
	struct check *check = work->check;
	const struct operation *operation = &check->set->operations[index];
	struct piece *piece = &work->pieces[index];
	const char *about = arena_format(check->arena, "task:%s/op:%s", task->id, operation->id);
	*piece = (struct piece){.engine = ENGINE_NONE, .context = NO_ID, .turns = 1};
	piece->dependency = PARAMETER(work, OVERHEAD_DEPENDENCY);
	if (operation->kind == OPERATION_HOST)
		return;
	piece->context = work->sharing->of_stream[operation->stream];
	piece->level = check->set->streams[operation->stream].level;
	if (resident_is_transfer(operation))
		piece->runs = resident_engine(check->platform, operation) == ENGINE_COMPUTE ? RUNS_ON_SMS : RUNS_ON_COPY_ENGINE;
	else if (operation->kind == OPERATION_KERNEL || operation->kind == OPERATION_FRAGMENT)
		piece->runs = RUNS_ON_SMS;
	if (piece->runs == RUNS_ON_SMS)
		cost_on_sms(work, about, index, piece);
	if (piece->runs != RUNS_ON_COPY_ENGINE)
		return;
	struct fact both[] = {PARAMETER(work, OVERHEAD_COPY), work->inflated[index].inflated};
	piece->engine = resident_engine(check->platform, operation);
	piece->transfer = fact_sum(check, about, both, 2);
}

/* ---- who is in which context */

static void list_operations(struct work *work)
{
	const struct taskset *set = work->check->set;
	struct arena *arena = work->check->arena;
	int *contexts = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *contexts);
	int *first =
		arena_allocate(arena, (size_t)work->sharing->owner_count + 1, sizeof *first); /* 1 + an operation on SMs; 0: none yet */
	work->levels_differ = arena_allocate(arena, (size_t)work->sharing->owner_count + 1, sizeof *work->levels_differ);
	work->lowest = arena_allocate(arena, (size_t)work->sharing->owner_count + 1, sizeof *work->lowest);
	for (int i = 0; i < set->operation_count; i++) {
		const struct piece *piece = &work->pieces[i];
		contexts[i] = piece->context;
		if (piece->runs != RUNS_ON_SMS)
			continue;
		work->lowest[piece->context] = piece->level > work->lowest[piece->context] ? piece->level : work->lowest[piece->context];
		first[piece->context] = first[piece->context] == 0 ? 1 + i : first[piece->context];
		work->levels_differ[piece->context] |= work->pieces[first[piece->context] - 1].level != piece->level;
	}
	work->of_context = lists_make(arena, work->sharing->owner_count, contexts, set->operation_count);
	int *of_streams = arena_allocate(arena, (size_t)set->stream_count + 1, sizeof *of_streams);
	for (int s = 0; s < set->stream_count; s++)
		of_streams[s] = work->sharing->of_stream[s];
	work->streams_of_context = lists_make(arena, work->sharing->owner_count, of_streams, set->stream_count);
}

static void list_parts(struct work *work)
{
	const struct taskset *set = work->check->set;
	struct arena *arena = work->check->arena;
	int *contexts = arena_allocate(arena, (size_t)work->part_count + 1, sizeof *contexts);
	int *tasks = arena_allocate(arena, (size_t)work->part_count + 1, sizeof *tasks);
	for (int i = 0; i < work->part_count; i++) {
		contexts[i] = work->parts[i].context;
		tasks[i] = work->parts[i].task;
	}
	work->parts_of_context = lists_make(arena, work->sharing->owner_count, contexts, work->part_count);
	work->parts_of_task = lists_make(arena, set->task_count, tasks, work->part_count);
}

/* ---- drain waste: the longest block of any lower level of the context, [DRAIN], [V5] */

static bool drains_for(const struct work *work, int lower, int index)
{
	const struct operation *operations = work->check->set->operations;
	return work->pieces[lower].runs == RUNS_ON_SMS && work->pieces[lower].level > work->pieces[index].level &&
	       !resident_apart(work->check, operations[lower].stream, operations[index].stream);
}

static void waste(struct work *work, const struct task *task, int index)
{
	struct check *check = work->check;
	struct piece *piece = &work->pieces[index];
	const char *about = arena_format(check->arena, "task:%s/op:%s", task->id, check->set->operations[index].id);
	struct fact o_blk = PARAMETER(work, OVERHEAD_BLOCK);
	int64_t most = o_blk.value;
	bool any = false;
	if (piece->runs != RUNS_ON_SMS)
		return;
	piece->waste = FACT_ZERO;
	if (!work->levels_differ[piece->context])
		return;
	struct listed list = lists_of(&work->of_context, piece->context);
	for (int i = 0; i < list.count; i++) {
		if (!drains_for(work, list.items[i], index))
			continue;
		most = checked_max(most, work->pieces[list.items[i]].residence.value);
		any = true;
	}
	piece->waste = any ? fact_make(check, RULE_WASTE, about, most) : FACT_ZERO;
	for (int i = 0; i < list.count && any; i++)
		if (drains_for(work, list.items[i], index))
			fact_from(check, &piece->waste, "C", work->pieces[list.items[i]].residence);
	if (any)
		fact_from(check, &piece->waste, "o_blk", o_blk);
}

/* ---- where levels differ an arrival may break off a dispatch under way; [V5] */

static void dispatch_again(struct work *work, const struct task *task, int index)
{
	struct check *check = work->check;
	struct piece *piece = &work->pieces[index];
	struct fact o_blk = PARAMETER(work, OVERHEAD_BLOCK), once = piece->dispatch;
	if (piece->runs != RUNS_ON_SMS || !work->levels_differ[piece->context])
		return;
	const char *about = arena_format(check->arena, "task:%s/op:%s", task->id, check->set->operations[index].id);
	piece->dispatch = fact_make(check, RULE_DISPATCH_AGAIN, about, checked_add(once.value, o_blk.value));
	fact_from(check, &piece->dispatch, "o", once);
	fact_from(check, &piece->dispatch, "o_blk", o_blk);
}

/* ---- what a volume is charged for room that is left unused though nobody was there: when a kernel comes to the head, and when one comes
 * back to it behind this one. Nobody does where this one's stream is the only one with kernels, or where an order is kept that has
 * nothing below. */

static void wait_for_head(struct work *work, const struct task *task, int index)
{
	struct check *check = work->check;
	struct piece *piece = &work->pieces[index];
	if (piece->runs != RUNS_ON_SMS || !work_late(check))
		return;
	bool streams = work->owners[piece->context].kernel_streams > 1, below = work->lowest[piece->context] > piece->level;
	const char *about = arena_format(check->arena, "task:%s/op:%s", task->id, check->set->operations[index].id);
	struct fact delta = delta_of(work), before = piece->dispatch;
	bool again = streams && (below || !bounds_ordered(work, piece->context));
	int64_t value = checked_add(before.value, delta.value);
	piece->dispatch = fact_make(check, RULE_DISPATCH_DELAYED, about, again ? checked_add(value, delta.value) : value);
	fact_from(check, &piece->dispatch, "o", before);
	fact_from(check, &piece->dispatch, "delta", delta);
	if (again)
		fact_from(check, &piece->dispatch, "delta", delta);
}

/* The dispatchers that have kernels, one of each process and of each of its partitions; 1 where none has. */
static int owners_of_kernels(const struct work *work)
{
	const struct taskset *set = work->check->set;
	bool *has = arena_allocate(work->check->arena, (size_t)(set->application_count + set->partition_count) + 1, sizeof *has);
	int count = 0;
	for (int i = 0; i < set->operation_count; i++) {
		int stream = set->operations[i].stream;
		if (work->pieces[i].runs != RUNS_ON_SMS)
			continue;
		int partition = set->streams[stream].partition, at = taskset_context_of(set, stream);
		if (partition > 0)
			at = set->application_count - 1 + partition;
		count += has[at] ? 0 : 1;
		has[at] = true;
	}
	return count == 0 ? 1 : count;
}

/* So may a stop of a part of the chip, one of each context: a dispatch that its slice's end interrupted is not done either. */
static struct fact stop_of(struct work *work)
{
	struct fact theta = PARAMETER(work, STOPS_LENGTH), o_blk = PARAMETER(work, OVERHEAD_BLOCK);
	if (checked_is_none(theta.value) || checked_is_none(o_blk.value))
		return checked_is_none(theta.value) ? theta : o_blk;
	struct fact delta = PARAMETER(work, DISPATCH_DELAY);
	bool delayed = work_late(work->check);
	int64_t lost = checked_add(o_blk.value, delayed ? delta.value : 0), value = theta.value;
	int owners = owners_of_kernels(work);
	for (int i = 0; i < owners; i++)
		value = checked_add(value, lost);
	struct fact stop = fact_make(work->check, delayed ? RULE_STOP_DELAYED : RULE_STOP, "platform:stops", value);
	fact_from(work->check, &stop, "theta_int", theta);
	for (int i = 0; i < owners; i++) {
		fact_from(work->check, &stop, "o_blk", o_blk);
		if (delayed)
			fact_from(work->check, &stop, "delta", delta);
	}
	work->redone = lost > 0 ? owners : 0;
	return stop;
}

/* ---- segments */

/* Operations of one stream follow one another; streams may overlap. sums: room for one a stream. */
static int64_t least_time(const struct taskset *set, const struct part *part, int64_t *sums)
{
	int64_t least = 0;
	for (int i = part->first; i < part->first + part->count; i++)
		sums[set->operations[i].stream] = 0;
	for (int i = part->first; i < part->first + part->count; i++)
		sums[set->operations[i].stream] = checked_add(sums[set->operations[i].stream], set->operations[i].bcet);
	for (int i = part->first; i < part->first + part->count; i++) {
		int64_t sum = sums[set->operations[i].stream];
		least = checked_is_none(sum) ? least : checked_max(least, sum);
	}
	return least;
}

static void cut(struct work *work, int index, int64_t *sums)
{
	const struct taskset *set = work->check->set;
	const struct task *task = &set->tasks[index];
	int64_t most = 0, least = 0;
	int number = 0, last = task->first_operation + task->operation_count;
	for (int i = task->first_operation; i < last; i++) {
		const struct operation *operation = &set->operations[i];
		if (operation->kind == OPERATION_HOST) {
			most = checked_add(most, taskset_host_time(set, operation));
			least = checked_add(least, operation->bcet);
			continue;
		}
		struct part *part = &work->parts[work->part_count++];
		*part = (struct part){index, work->pieces[i].context, number++, i, 0, most, least, 0,
			arena_format(work->check->arena, "task:%s", task->id)};
		bool blocked = false;       /* the thread waits for what was issued last */
		int hold = operation->hold; /* a lock is taken and released with nothing outstanding */
		for (; i < last && set->operations[i].kind != OPERATION_HOST && set->operations[i].hold == hold && !blocked; i++) {
			part->count++;
			blocked = set->operations[i].copy.synchronous;
		}
		part->least = least_time(set, part, sums);
		i--;
	}
}

struct work *work_derive(struct check *check, const struct resident *residents, const struct inflated_fact *inflated)
{
	const struct taskset *set = check->set;
	struct work *work = arena_allocate(check->arena, 1, sizeof *work);
	*work = (struct work){.check = check, .residents = residents, .inflated = inflated};
	work->pieces = arena_allocate(check->arena, (size_t)set->operation_count + 1, sizeof *work->pieces);
	work->parts = arena_allocate(check->arena, (size_t)set->operation_count + 1, sizeof *work->parts);
	int64_t *sums = arena_allocate(check->arena, (size_t)set->stream_count + 1, sizeof *sums);
	give_parameters(work);
	work->sharing = sharing_find(check);
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++)
			cost_operation(work, &set->tasks[t], set->tasks[t].first_operation + i);
	list_operations(work);
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++)
			waste(work, &set->tasks[t], set->tasks[t].first_operation + i);
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++)
			dispatch_again(work, &set->tasks[t], set->tasks[t].first_operation + i);
	for (int t = 0; t < set->task_count; t++)
		cut(work, t, sums);
	list_parts(work);
	work_find_slices(work);
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++)
			wait_for_head(work, &set->tasks[t], set->tasks[t].first_operation + i);
	work->stop = stop_of(work);
	return work;
}
