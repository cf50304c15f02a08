/* What time slices cost a context; [DILATION]. */
#include "verify/operation_cost.h"

#include <limits.h>

/* Where all is under locks an owner has the most that one of its units has. */
static void survey_unit(struct work *work, const struct part *part)
{
	struct owner *owner = &work->owners[part->context];
	int least = INT_MAX, greatest = INT_MIN, count = 0;
	bool *seen = arena_allocate(work->check->arena, (size_t)work->check->set->stream_count + 1, sizeof *seen);
	for (int i = part->first; i < part->first + part->count; i++) {
		const struct piece *piece = &work->pieces[i];
		bool *of = &seen[work->check->set->operations[i].stream];
		if (piece->runs != RUNS_ON_SMS)
			continue;
		count += !*of;
		*of = true;
		least = piece->level < least ? piece->level : least;
		greatest = piece->level > greatest ? piece->level : greatest;
	}
	owner->kernel_streams = count > owner->kernel_streams ? count : owner->kernel_streams;
	owner->levels |= least < greatest;
}

static void survey(struct work *work)
{
	const struct taskset *set = work->check->set;
	for (int s = 0; s < set->stream_count; s++) {
		struct owner *owner = &work->owners[work->sharing->of_stream[s]];
		bool kernels = false;
		struct listed list = lists_of(&work->check->of_stream, s);
		for (int k = 0; k < list.count; k++) {
			const struct piece *piece = &work->pieces[list.items[k]];
			kernels |= piece->runs == RUNS_ON_SMS;
			owner->copies |= piece->runs == RUNS_ON_COPY_ENGINE;
			owner->grids |= piece->runs == RUNS_ON_SMS && piece->grid;
		}
		owner->streams += list.count > 0;
		if (kernels && !set->locked) {
			owner->clients = owner->clients || (owner->client > 0 && owner->client != 1 + set->streams[s].application);
			owner->client = 1 + set->streams[s].application;
		}
		owner->kernel_streams += kernels && !set->locked;
		owner->kernels |= kernels;
	}
	for (int i = 0; i < work->owner_count; i++)
		work->owners[i].levels = work->levels_differ[i] && !set->locked;
	for (int i = 0; i < work->part_count && set->locked; i++)
		survey_unit(work, &work->parts[i]);
}

static struct fact slice_of(const struct work *work, int context)
{
	const struct taskset *set = work->check->set;
	const struct application *application = &set->applications[work->sharing->owners[context].process];
	if (set->merged_context || checked_is_none(application->timeslice))
		return work->parameters[PARAMETER_RUNLIST_TIMESLICE];
	return fact_given(work->check, application->timeslice, "application:%s@timeslice", application->id);
}

/* ---- work on the SMs that goes on with cold caches: a part of each of its slices serves nothing, [SPAN] */

static bool refills(const struct work *work, int context)
{
	const struct taskset *set = work->check->set;
	int found = 0;
	for (int i = 0; i < set->operation_count; i++)
		found += work->pieces[i].runs == RUNS_ON_SMS && (context == NO_ID || work->pieces[i].context == context);
	return found > 0 && work->parameters[PARAMETER_SWITCH_REFILL].node != NULL;
}

static struct fact switch_of(const struct work *work)
{
	struct fact theta = work->parameters[PARAMETER_RUNLIST_SWITCH], refill = work->parameters[PARAMETER_SWITCH_REFILL];
	if (!work->sliced || !refills(work, NO_ID))
		return theta;
	struct fact longer = fact_make(work->check, RULE_SWITCH_REFILL, "platform:runlist", checked_add(theta.value, refill.value));
	fact_from(work->check, &longer, "theta", theta);
	fact_from(work->check, &longer, "refill", refill);
	return longer;
}

static struct fact served_slice(const struct work *work, int context, struct fact slice)
{
	struct fact refill = work->parameters[PARAMETER_SWITCH_REFILL];
	if (!refills(work, context))
		return slice;
	if (slice.value <= refill.value)
		return FACT_UNKNOWN;
	struct fact served = fact_make(work->check, RULE_SLICE_REFILL, work->owners[context].about, checked_sub(slice.value, refill.value));
	fact_from(work->check, &served, "L", slice);
	fact_from(work->check, &served, "refill", refill);
	return served;
}

/* Omega: a slice ends with the longest block, unless it is cut at an instruction. */
static struct fact overrun_of(const struct work *work, int context)
{
	struct check *check = work->check;
	struct fact overrun = FACT_ZERO;
	if (check->platform->preemption == PREEMPTION_INSTRUCTION)
		return overrun;
	for (int pass = 0; pass < 2; pass++) {
		if (pass == 1)
			overrun = fact_make(check, RULE_OVERRUN, work->owners[context].about, overrun.value);
		struct listed list = lists_of(&work->of_context, context);
		for (int i = 0; i < list.count; i++) {
			const struct piece *piece = &work->pieces[list.items[i]];
			if (piece->runs != RUNS_ON_SMS)
				continue;
			if (operation_is_gang(&check->set->operations[list.items[i]]))
				return FACT_UNKNOWN; /* nothing says how long it goes on */
			overrun.value = checked_max(overrun.value, piece->residence.value);
			if (pass == 1)
				fact_from(check, &overrun, "C", piece->residence);
		}
	}
	return overrun;
}

/* ---- gaps: the sum of what is added, as inputs in their order */

struct gap {
	struct work *work;
	struct fact total;
};

static void add(struct gap *gap, const char *role, struct fact fact)
{
	gap->total.value = checked_add(gap->total.value, fact.value);
	fact_from(gap->work->check, &gap->total, role, fact);
}

static void add_turn(struct gap *gap, const struct owner *owner, bool of_copies)
{
	add(gap, "L", of_copies ? gap->work->parameters[PARAMETER_RUNLIST_COPY_TIMESLICE] : owner->turn);
	if (!of_copies)
		add(gap, "Omega", owner->overrun);
	add(gap, "theta", gap->work->theta);
}

/* So many turns between two of the own ones. */
static void add_turns(struct gap *gap, const struct owner *own, const struct owner *owner)
{
	const struct between *between = &gap->work->between;
	int64_t turns = between->levels ? between->turns[own->interleave][owner->interleave] : 1;
	for (int64_t i = 0; i < turns && owner->kernels; i++)
		add_turn(gap, owner, false);
	for (int64_t i = 0; i < turns && owner->copies && gap->work->copies_sliced; i++)
		add_turn(gap, owner, true);
}

/* Those of lower levels come in turn, one between two own ones: the longest of all, the first of equals. */
static void add_longest_below(struct gap *gap, const struct owner *own)
{
	const struct work *work = gap->work;
	const struct owner *longest = NULL;
	int64_t slice = work->parameters[PARAMETER_RUNLIST_COPY_TIMESLICE].value, most = 0;
	bool of_copies = false;
	for (int i = 0; i < 2 * work->owner_count; i++) {
		const struct owner *owner = &work->owners[i / 2];
		bool copies = i % 2 == 1, there = copies ? owner->copies && work->copies_sliced : owner->kernels;
		int64_t length = copies ? slice : checked_add(owner->turn.value, owner->overrun.value);
		if (!there || owner->interleave >= own->interleave || (longest != NULL && length <= most))
			continue;
		longest = owner, most = length, of_copies = copies;
	}
	if (longest != NULL)
		add_turn(gap, longest, of_copies);
}

static struct fact gap_of(struct work *work, int index, bool of_copies)
{
	struct owner *own = &work->owners[index];
	struct gap gap = {work, fact_make(work->check, work->between.levels ? RULE_INTERLEAVED_GAP : RULE_GAP, own->about, 0)};
	for (int i = 0; i < work->owner_count; i++) {
		bool below = work->between.levels && work->owners[i].interleave < own->interleave;
		if (i != index && !below)
			add_turns(&gap, own, &work->owners[i]);
	}
	if (own->streams > 1 && of_copies && own->kernels)
		add_turn(&gap, own, false);
	if (own->streams > 1 && !of_copies && own->copies && work->copies_sliced)
		add_turn(&gap, own, true);
	if (work->between.levels)
		add_longest_below(&gap, own);
	add(&gap, "theta", work->theta);
	if (!of_copies)
		add(&gap, "Omega", own->overrun);
	fact_settle(&gap.total);
	return gap.total;
}

static struct fact switch_gap_of(struct work *work, int index)
{
	struct owner *own = &work->owners[index];
	struct gap gap = {work, fact_make(work->check, RULE_SWITCH_GAP, own->about, 0)};
	add(&gap, "theta", work->theta);
	add(&gap, "Omega", own->overrun);
	fact_settle(&gap.total);
	return gap.total;
}

/* Is there a host segment in which the process, which has a priority, keeps those below it from the GPU? */
static bool keeps_gpu(const struct taskset *set, int process)
{
	for (int t = 0; t < set->task_count && set->ranked && !checked_is_none(set->applications[process].priority); t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++)
			if (set->tasks[t].application != NO_ID && taskset_context(set, set->tasks[t].application) == process &&
				set->operations[set->tasks[t].first_operation + i].held)
				return true;
	return false;
}

/* Entries of the execution engine's runlist; kernels and copies of a single stream are one, never both at once (A-ONE). A process has its
 * entries once, of however many owners it consists. */
static int entries(const struct work *work)
{
	const struct taskset *set = work->check->set;
	int count = 0;
	for (int p = 0; p < work->sharing->process_count; p++) {
		bool kernels = false, copies = false;
		int streams = 0;
		for (int i = 0; i < work->owner_count; i++) {
			const struct owner *owner = &work->owners[i];
			if (work->sharing->owners[i].process != p)
				continue;
			kernels = kernels || owner->kernels;
			copies = copies || (owner->copies && work->copies_sliced);
			streams += owner->streams;
		}
		count += kernels && copies && streams > 1 ? 2 : kernels || copies || keeps_gpu(set, p);
	}
	return count;
}

/* Of what levels the entries are: one a process, and one for copies that it has on this runlist. */
static void lay_out(struct work *work)
{
	const struct taskset *set = work->check->set;
	int entries[INTERLEAVE_COUNT] = {0};
	if (!set->interleaved || !work->sliced || work->ranked)
		return;
	for (int p = 0; p < work->sharing->process_count; p++) {
		bool copies = false;
		if (taskset_clients(set, p) == 0)
			continue;
		for (int i = 0; i < work->owner_count; i++)
			copies = copies || (work->sharing->owners[i].process == p && work->owners[i].copies);
		entries[set->applications[p].interleave] += copies && work->copies_sliced ? 2 : 1;
	}
	for (int i = 0; i < work->owner_count; i++)
		work->owners[i].interleave = set->applications[work->sharing->owners[i].process].interleave;
	work->between = interleave_count(work->check->arena, entries);
}

bool work_takes_turns_with_itself(const struct work *work, int hold)
{
	const struct taskset *set = work->check->set;
	for (int i = 0; i < set->operation_count; i++)
		for (int k = 0; k < set->operation_count && set->operations[i].hold != 0; k++)
			if (set->operations[k].hold == set->operations[i].hold && (hold == 0 || set->operations[i].hold == hold) &&
				work->pieces[i].runs == RUNS_ON_SMS && work->pieces[k].runs == RUNS_ON_COPY_ENGINE &&
				set->operations[i].stream != set->operations[k].stream)
				return true;
	return false;
}

void work_find_slices(struct work *work)
{
	const struct platform *platform = work->check->platform;
	work->owner_count = work->sharing->owner_count;
	work->owners = arena_allocate(work->check->arena, (size_t)work->owner_count + 1, sizeof *work->owners);
	for (int i = 0; i < work->owner_count; i++) {
		work->owners[i].name = work->sharing->owners[i].name;
		work->owners[i].about = arena_format(work->check->arena, "application:%s", work->owners[i].name);
	}
	survey(work);
	work->copies_sliced = platform->copy_runlist != COPY_RUNLIST_OWN;
	work->copies_shared = platform->copy_runlist != COPY_RUNLIST_SHARED || work->sharing->split;
	work->sliced =
		entries(work) > 1 && (!work->check->set->exclusive || (work->copies_sliced && work_takes_turns_with_itself(work, 0)));
	work->ranked = work->sliced && work->check->set->ranked;
	lay_out(work);
	work->theta = switch_of(work);
	for (int i = 0; i < work->owner_count && work->sliced; i++) {
		struct fact whole = slice_of(work, i);
		work->owners[i].slice = served_slice(work, i, whole);
		/* blocks that run out behind the slice may be those that find cold caches */
		work->owners[i].turn = platform->preemption == PREEMPTION_INSTRUCTION ? work->owners[i].slice : whole;
		work->owners[i].overrun = overrun_of(work, i);
	}
	for (int i = 0; i < work->owner_count && work->sliced; i++) {
		work->owners[i].kernel_gap = gap_of(work, i, false);
		work->owners[i].copy_gap = gap_of(work, i, true);
		work->owners[i].switch_gap = switch_gap_of(work, i);
	}
}

struct fact work_dilate(struct check *check, const char *about, struct fact x, int64_t turns, struct fact slice, struct fact gap)
{
	int64_t gaps = checked_add(checked_div_ceil(x.value, slice.value), checked_sub(turns, 1));
	int64_t value = checked_add(x.value, checked_mul(gaps, gap.value));
	struct fact dilated = fact_make(check, turns > 1 ? RULE_DILATE_PARTED : RULE_DILATE, about, value);
	fact_from(check, &dilated, "X", x);
	fact_from(check, &dilated, "L", slice);
	fact_from(check, &dilated, "G", gap);
	if (turns > 1)
		fact_from(check, &dilated, "k", fact_given(check, turns, "%s@operations", about));
	return dilated;
}
