#include "response/dilation.h"

#include "base/plant.h"
#include "model/rules.h"

struct builder {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	const struct costs *costs;
	struct derivation *derivation;
	struct runlist *runlist;
};

static struct cost parameter(const struct builder *b, enum parameter which)
{
	return cost_parameter(b->platform, b->costs, which);
}

static const char *about(const struct builder *b, int context)
{
	return arena_format(b->arena, "application:%s", b->runlist->contexts[context].name);
}

/* ---- what the contexts have */

static void survey_stream(const struct builder *b, int stream, bool *used, bool *kernels)
{
	*used = *kernels = false;
	for (int i = 0; i < b->set->operation_count; i++)
		if (b->set->operations[i].stream == stream) {
			*used = true;
			*kernels |= b->costs->operations[i].place == PLACE_EXECUTION;
		}
}

static void survey_operations(const struct builder *b)
{
	for (int i = 0; i < b->set->operation_count; i++) {
		const struct operation_cost *cost = &b->costs->operations[i];
		if (cost->context == NO_ID)
			continue;
		b->runlist->contexts[cost->context].kernels |= cost->place == PLACE_EXECUTION;
		b->runlist->contexts[cost->context].copies |= cost->place == PLACE_COPY;
		const struct operation *of = &b->set->operations[i];
		b->runlist->contexts[cost->context].graphs +=
			of->graph != 0 && !planted(PLANT_PREPARED) && (i == 0 || of[-1].graph != of->graph);
		b->runlist->contexts[cost->context].graphs += of->span.operations > 0 ? (int)of->span.branches : 0;
	}
}

/* Under locks those streams are there together that one unit has kernels on. */
static void survey_units(const struct builder *b)
{
	const struct operation *operations = b->set->operations;
	for (int i = 0, streams = 0; i < b->set->operation_count; i++) {
		const struct operation_cost *own = &b->costs->operations[i];
		streams = i > 0 && operations[i].hold == operations[i - 1].hold ? streams : 0;
		bool found = own->place != PLACE_EXECUTION;
		for (int k = i - 1; k >= 0 && operations[k].hold == operations[i].hold && !found; k--) {
			const struct operation_cost *other = &b->costs->operations[k];
			found = other->place == PLACE_EXECUTION && operations[k].stream == operations[i].stream;
			b->runlist->contexts[own->context].levels |= other->place == PLACE_EXECUTION && other->level != own->level;
		}
		streams += !found;
		if (own->context != NO_ID && streams > b->runlist->contexts[own->context].kernel_streams)
			b->runlist->contexts[own->context].kernel_streams = streams;
	}
}

static void survey(const struct builder *b)
{
	int *level = arena_allocate(b->arena, (size_t)b->runlist->context_count, sizeof *level);
	int *client = arena_allocate(b->arena, (size_t)b->runlist->context_count, sizeof *client); /* the last one with kernels */
	for (int s = 0; s < b->set->stream_count; s++) {
		const struct stream *stream = &b->set->streams[s];
		int index = b->costs->domains->of_stream[s];
		struct context *context = &b->runlist->contexts[index];
		bool used, kernels;
		survey_stream(b, s, &used, &kernels);
		context->streams += used;
		context->declared++;
		bool beside = kernels && !b->set->locked;
		context->levels |= beside && context->kernel_streams > 0 && level[index] != stream->level;
		context->clients |= beside && context->kernel_streams > 0 && client[index] != stream->application;
		level[index] = kernels ? stream->level : level[index];
		client[index] = kernels ? stream->application : client[index];
		context->kernel_streams += beside;
	}
	survey_operations(b);
	if (b->set->locked)
		survey_units(b);
}

static void add_up(const struct builder *b)
{
	for (int p = 0; p < b->runlist->process_count;
		p++) /* a NULL stream each client; queues have to be more than streams, which allows for one */
		b->runlist->processes[p].declared = taskset_clients(b->set, p) > 0 ? taskset_clients(b->set, p) - 1 : 0;
	for (int i = 0; i < b->runlist->context_count; i++) {
		const struct context *context = &b->runlist->contexts[i];
		struct context *process = &b->runlist->processes[context->process];
		process->streams += context->streams;
		process->declared += context->declared;
		process->graphs += context->graphs;
		process->kernel_streams += context->kernel_streams;
		process->kernels |= context->kernels;
		process->copies |= context->copies;
	}
}

/* ---- slices and overruns */

static struct cost slice_of(const struct builder *b, int context)
{
	const struct application *application = &b->set->applications[b->runlist->contexts[context].process];
	if (b->set->merged_context || application->timeslice == NONE)
		return parameter(b, PARAMETER_RUNLIST_TIMESLICE);
	int step = cost_given(b->derivation, application->timeslice, "application:%s@timeslice", application->id, NULL);
	return (struct cost){application->timeslice, NULL, step, 0};
}

/* Has the context, NO_ID: any, work on the SMs that finds its caches cold when it goes on? */
static bool refills(const struct builder *b, int context)
{
	bool any = false;
	for (int i = 0; i < b->set->operation_count; i++)
		any |= b->costs->operations[i].place == PLACE_EXECUTION && (context == NO_ID || b->costs->operations[i].context == context);
	return any && b->platform->parameters[PARAMETER_SWITCH_REFILL].present && !planted(PLANT_REFILL);
}

/* theta and the refill that takes as much of the slice behind it; or a slice without that. */
static struct cost with_refill(const struct builder *b, const struct cost *of, int rule, const char *role, const char *name)
{
	struct cost refill = parameter(b, PARAMETER_SWITCH_REFILL);
	bool slice = rule == RULE_SLICE_REFILL;
	if (of->reason != NULL)
		return *of;
	if (slice && of->value <= refill.value)
		return cost_none(arena_format(b->arena, "the time slice of %s is no longer than switch.refill", name));
	struct cost cost = {slice ? of->value - refill.value : checked_add(of->value, refill.value), NULL, STEP_ABSENT, of->assumptions};
	if (cost.value == NONE)
		return cost_none("runlist.switch and switch.refill do not fit 64 bits");
	cost.step = derivation_integer(b->derivation, rule, name, cost.value);
	derivation_input(b->derivation, role, of->step);
	derivation_input(b->derivation, "refill", refill.step);
	return cost;
}

/* What refills caches is in the slice, but where that ends at a block's boundary maybe behind it. */
static void set_slice(const struct builder *b, struct context *context, int index)
{
	context->slice = context->turn = slice_of(b, index);
	if (!refills(b, index))
		return;
	context->slice = with_refill(b, &context->slice, RULE_SLICE_REFILL, "L", about(b, index));
	if (b->platform->preemption == PREEMPTION_INSTRUCTION)
		context->turn = context->slice;
}

/* Omega: where a slice ends at a block boundary, the longest block. */
static struct cost overrun_of(const struct builder *b, int context)
{
	struct cost worst = b->costs->zero;
	if (b->platform->preemption == PREEMPTION_INSTRUCTION || planted(PLANT_OVERRUN))
		return worst;
	for (int i = 0; i < b->set->operation_count; i++) {
		const struct operation_cost *cost = &b->costs->operations[i];
		if (cost->context != context || cost->place != PLACE_EXECUTION)
			continue;
		if (operation_is_gang(&b->set->operations[i]))
			return cost_none(arena_format(b->arena,
				"%s has gangs of blocks or kernels that overlap: how long it goes on behind the end of a slice is not "
				"known where "
				"slices end at blocks",
				cost->name));
		if (cost->residence.reason != NULL)
			return cost->residence;
		worst.value = checked_max(worst.value, cost->residence.value);
		worst.assumptions |= cost->residence.assumptions;
	}
	worst.step = derivation_integer(b->derivation, RULE_OVERRUN, about(b, context), worst.value);
	for (int i = 0; i < b->set->operation_count; i++)
		if (b->costs->operations[i].context == context && b->costs->operations[i].place == PLACE_EXECUTION)
			derivation_input(b->derivation, "C", b->costs->operations[i].residence.step);
	return worst;
}

/* ---- gaps */

struct sum { /* of a gap, while it is put together */
	struct arena *arena;
	struct cost total;
	struct {
		const char *role;
		int step;
	} * inputs;
	int count, capacity;
	struct gap of;
	int turn_room;
};

static void add(struct sum *sum, const char *role, const struct cost *cost)
{
	if (sum->total.reason == NULL && cost->reason != NULL)
		sum->total.reason = cost->reason;
	sum->total.value = checked_add(sum->total.value, cost->value);
	sum->total.assumptions |= cost->assumptions;
	if (sum->total.reason != NULL) /* there will be no step */
		return;
	sum->inputs = arena_grow(sum->arena, sum->inputs, &sum->capacity, sum->count + 1, sizeof *sum->inputs);
	sum->inputs[sum->count].role = role;
	sum->inputs[sum->count++].step = cost->step;
}

static void add_switch(const struct builder *b, struct sum *sum)
{
	add(sum, "theta", &b->runlist->theta);
	sum->of.switches = checked_add(sum->of.switches, b->runlist->theta.value);
}

static void note_turn(const struct builder *b, struct sum *sum, const struct context *context, bool copies, int64_t length)
{
	struct gap *of = &sum->of;
	int index = (int)(context - b->runlist->contexts);
	of->turns = arena_grow(sum->arena, of->turns, &sum->turn_room, of->count + 1, sizeof *of->turns);
	of->turns[of->count++] = (struct gap_turn){index, copies, length};
}

static void add_kernel_turn(const struct builder *b, struct sum *sum, const struct context *context)
{
	note_turn(b, sum, context, false, checked_add(context->turn.value, context->overrun.value));
	add(sum, "L", &context->turn);
	add(sum, "Omega", &context->overrun);
	add_switch(b, sum);
}

static void add_copy_turn(const struct builder *b, struct sum *sum, const struct context *context)
{
	note_turn(b, sum, context, true, b->runlist->copy_slice.value);
	add(sum, "L", &b->runlist->copy_slice);
	add_switch(b, sum);
}

/* The turns of another context: its kernels' and, where copies are sliced, its copies'. */
static void add_turns(const struct builder *b, struct sum *sum, const struct context *context, enum interleave own)
{
	int64_t times = interleave_turns(&b->runlist->round, own, context->level);
	for (int64_t i = 0; i < times && context->kernels; i++)
		add_kernel_turn(b, sum, context);
	for (int64_t i = 0; i < times && context->copies && b->runlist->copies_sliced; i++)
		add_copy_turn(b, sum, context);
}

/* [BETWEEN]: of all entries of lower levels one has one turn, the longest. */
static void add_lower_turn(const struct builder *b, struct sum *sum, enum interleave own)
{
	const struct context *longest = NULL;
	bool of_copies = false;
	int64_t most = -1;
	for (int i = 0; i < b->runlist->context_count; i++) {
		const struct context *context = &b->runlist->contexts[i];
		int64_t kernels = checked_add(context->turn.value, context->overrun.value), copies = b->runlist->copy_slice.value;
		bool sliced = context->copies && b->runlist->copies_sliced;
		if (!interleave_is_below(&b->runlist->round, own, context->level))
			continue;
		if (context->kernels && (context->turn.reason != NULL || context->overrun.reason != NULL))
			kernels = NONE;
		if (context->kernels && kernels > most)
			longest = context, of_copies = false, most = kernels;
		if (sliced && (b->runlist->copy_slice.reason != NULL ? NONE : copies) > most)
			longest = context, of_copies = true, most = b->runlist->copy_slice.reason != NULL ? NONE : copies;
	}
	if (longest != NULL && of_copies)
		add_copy_turn(b, sum, longest);
	else if (longest != NULL)
		add_kernel_turn(b, sum, longest);
}

/* [DILATION] (9.1), [BETWEEN]: others' slices, overruns and switches, then the own switch and, at a block boundary, the own drain. A
 * context's own copies are another entry of the runlist unless it has a single stream, in which nothing overlaps (A-ONE). */
static struct cost gap_of(const struct builder *b, int index, bool of_copies, struct gap *made_of)
{
	const struct context *own = &b->runlist->contexts[index];
	struct sum sum = {.arena = b->arena};
	for (int i = 0; i < b->runlist->context_count; i++)
		if (i != index && !interleave_is_below(&b->runlist->round, own->level, b->runlist->contexts[i].level))
			add_turns(b, &sum, &b->runlist->contexts[i], own->level);
	if (own->streams > 1 && of_copies && own->kernels)
		add_kernel_turn(b, &sum, own);
	if (own->streams > 1 && !of_copies && own->copies && b->runlist->copies_sliced)
		add_copy_turn(b, &sum, own);
	add_lower_turn(b, &sum, own->level);
	if (!planted(PLANT_THETA))
		add_switch(b, &sum);
	if (!of_copies && !planted(PLANT_DRAIN)) {
		add(&sum, "Omega", &own->overrun);
		sum.of.drain = own->overrun.value;
	}
	if (sum.total.reason != NULL)
		return cost_none(sum.total.reason);
	*made_of = sum.of;
	made_of->length = sum.total.value;
	sum.total.step = derivation_integer(
		b->derivation, b->runlist->round.levels ? RULE_INTERLEAVED_GAP : RULE_GAP, about(b, index), sum.total.value);
	for (int i = 0; i < sum.count; i++)
		derivation_input(b->derivation, sum.inputs[i].role, sum.inputs[i].step);
	return sum.total;
}

static struct cost switch_gap_of(const struct builder *b, int index)
{
	const struct cost *theta = &b->runlist->theta, *overrun = &b->runlist->contexts[index].overrun;
	if (theta->reason != NULL || overrun->reason != NULL)
		return cost_none(theta->reason != NULL ? theta->reason : overrun->reason);
	struct cost gap = {checked_add(planted(PLANT_THETA) ? 0 : theta->value, overrun->value), NULL, STEP_ABSENT, overrun->assumptions};
	gap.step = derivation_integer(b->derivation, RULE_SWITCH_GAP, about(b, index), gap.value);
	derivation_input(b->derivation, "theta", theta->step);
	derivation_input(b->derivation, "Omega", overrun->step);
	return gap;
}

/* How many entries the runlist of the execution engine may have. A context that has copies alone wants it where its threads hold it. */
static int entries(const struct taskset *set, const struct runlist *runlist)
{
	int count = 0;
	for (int i = 0; i < runlist->process_count; i++) {
		const struct context *context = &runlist->processes[i];
		bool copies = context->copies && runlist->copies_sliced;
		count += context->kernels + copies;
		if (!context->kernels && !copies && set->ranked && taskset_holds(set, i))
			count++;
		if (context->streams <= 1 && context->kernels && copies)
			count--; /* never both at once */
	}
	return count;
}

const struct operation *dilation_alternating(const struct taskset *set, const struct costs *costs)
{
	const struct operation *operations = set->operations;
	for (int i = 1; i < set->operation_count; i++)
		for (int k = i - 1; k >= 0 && operations[i].hold != 0 && operations[k].hold == operations[i].hold; k--)
			if (operations[k].stream != operations[i].stream && costs->operations[k].place != costs->operations[i].place &&
				costs->operations[k].place != PLACE_NOWHERE && costs->operations[i].place != PLACE_NOWHERE)
				return &operations[i];
	return NULL;
}

/* Each process has an entry, whether it has work or not, and another one for copies that are on this runlist. */
static void lay_out(const struct builder *b)
{
	struct runlist *runlist = b->runlist;
	runlist->round.levels = runlist->sliced && b->set->interleaved && !runlist->ranked;
	for (int i = 0; i < runlist->process_count && runlist->round.levels; i++) {
		if (taskset_clients(b->set, i) == 0)
			continue;
		bool copies = runlist->processes[i].copies && runlist->copies_sliced;
		runlist->round.entries[b->set->applications[i].interleave] += 1 + copies;
	}
	for (int i = 0; i < runlist->context_count && runlist->round.levels; i++)
		runlist->contexts[i].level = b->set->applications[runlist->contexts[i].process].interleave;
}

struct runlist *dilation_build(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct costs *costs,
	struct derivation *derivation)
{
	struct runlist *runlist = arena_allocate(arena, 1, sizeof *runlist);
	struct builder builder = {arena, platform, set, costs, derivation, runlist}, *b = &builder;
	runlist->context_count = costs->context_count;
	runlist->contexts = arena_allocate(arena, (size_t)costs->context_count + 1, sizeof *runlist->contexts);
	runlist->process_count = costs->domains->process_count;
	runlist->processes = arena_allocate(arena, (size_t)runlist->process_count + 1, sizeof *runlist->processes);
	runlist->theta = parameter(b, PARAMETER_RUNLIST_SWITCH);
	runlist->copy_slice = parameter(b, PARAMETER_RUNLIST_COPY_TIMESLICE);
	runlist->copies_sliced = platform->copy_runlist != COPY_RUNLIST_OWN;
	runlist->copies_shared = costs->domains->parted ? !planted(PLANT_PARTITION_COPIES) : platform->copy_runlist != COPY_RUNLIST_SHARED;
	for (int i = 0; i < runlist->context_count; i++) {
		runlist->contexts[i].name = costs->domains->items[i].name;
		runlist->contexts[i].process = costs->domains->items[i].process;
	}
	survey(b);
	add_up(b);
	bool turns = !set->exclusive || (runlist->copies_sliced && dilation_alternating(set, costs) != NULL);
	runlist->sliced = entries(set, runlist) > 1 && turns;
	runlist->ranked = runlist->sliced && set->ranked;
	lay_out(b);
	if (runlist->sliced && refills(b, NO_ID))
		runlist->theta = with_refill(b, &runlist->theta, RULE_SWITCH_REFILL, "theta", "platform:runlist");
	for (int i = 0; i < runlist->context_count && runlist->sliced; i++) {
		set_slice(b, &runlist->contexts[i], i);
		runlist->contexts[i].overrun = overrun_of(b, i);
	}
	for (int i = 0; i < runlist->context_count && runlist->sliced; i++) {
		runlist->contexts[i].kernel_gap = gap_of(b, i, false, &runlist->contexts[i].kernel_turns);
		runlist->contexts[i].copy_gap = gap_of(b, i, true, &runlist->contexts[i].copy_turns);
		runlist->contexts[i].switch_gap = switch_gap_of(b, i);
	}
	return runlist;
}

/* turns: into how many pieces it may be parted, each of which fills its last slice less than wholly. */
static struct cost dilate(struct derivation *derivation, int rule, const char *name, const struct cost *work, int64_t turns,
	const struct cost *const parts[2])
{
	const struct cost *slice = parts[0], *gap = parts[1], *all[] = {work, slice, gap};
	static const char *const roles[] = {"X", "L", "G"};
	for (int i = 0; i < 3; i++)
		if (all[i]->reason != NULL)
			return cost_none(all[i]->reason);
	int64_t gaps = checked_mul(checked_add(checked_div_ceil(work->value, slice->value), turns - 1), gap->value);
	struct cost dilated = {
		checked_add(work->value, gaps), NULL, STEP_ABSENT, work->assumptions | slice->assumptions | gap->assumptions};
	if (dilated.value == NONE)
		return cost_none("a cost with its time slices does not fit 64 bits");
	int count = rule == RULE_DILATE ? STEP_ABSENT : cost_given(derivation, turns, "%s@operations", name, NULL);
	dilated.step = derivation_integer(derivation, rule, name, dilated.value);
	for (int i = 0; i < 3; i++)
		derivation_input(derivation, roles[i], all[i]->step);
	derivation_input(derivation, "k", count);
	return dilated;
}

struct cost dilation_apply(
	struct derivation *derivation, const char *name, const struct cost *work, const struct cost *slice, const struct cost *gap)
{
	return dilate(derivation, RULE_DILATE, name, work, 1, (const struct cost *const[]){slice, gap});
}

struct cost dilation_apply_parted(struct derivation *derivation, const char *name, const struct cost *work, int64_t turns,
	const struct cost *slice, const struct cost *gap)
{
	return dilate(derivation, RULE_DILATE_PARTED, name, work, turns, (const struct cost *const[]){slice, gap});
}
