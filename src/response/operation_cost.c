#include "response/operation_cost.h"

#include "base/assert.h"
#include "base/plant.h"
#include "base/refinement.h"
#include "model/rules.h"
#include "response/applicable.h"
#include "response/start_delays.h"
#include "response/response.h"

#include <limits.h>

struct builder {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	const struct map *map;
	const struct inflation *inflation;
	struct derivation *derivation;
	struct costs *costs;
	bool delayed;          /* blocks may begin late */
	struct levels *levels; /* [context] */
};

struct levels { /* of a context's work on the execution engine */
	int least, greatest;
	int streams;
	bool ordered; /* up to a start delay */
};

struct cost cost_none(const char *reason)
{
	return (struct cost){NONE, reason, STEP_ABSENT, 0};
}

int cost_given(struct derivation *derivation, int64_t value, const char *format, const char *first, const char *second)
{
	return derivation_named(derivation, RULE_GIVEN, rational_of(value), format, first, second);
}

int cost_host(const struct costs *costs, const struct taskset *set, int operation, struct derivation *derivation, const char *task)
{
	const struct operation *host = &set->operations[operation];
	int step = costs->operations[operation].host_step;
	return step != STEP_ABSENT ? step : cost_given(derivation, host->wcet, "%s/op:%s@wcet", task, host->id);
}

/* ---- parameters */

static const char *const unknown_parameters[PARAMETER_COUNT] = {
#define PARAMETER(symbol, name, ...) name " is not known: <declare name=\"" name "\" value=... source=... by=.../>",
#include "model/parameters.def"
#undef PARAMETER
};

struct cost cost_parameter(const struct platform *platform, const struct costs *costs, enum parameter which)
{
	if (!platform->parameters[which].present)
		return cost_none(unknown_parameters[which]);
	return (struct cost){platform->parameters[which].value, NULL, costs->parameter_steps[which], 0};
}

/* How many SMs are in a set, as a number of the platform, or of the partition. */
static struct cost count_of(const struct platform *platform, const struct costs *costs, const struct sm_set *sms)
{
	if (sms->partition == 0)
		return cost_parameter(platform, costs, PARAMETER_SM_COUNT);
	return (struct cost){sms->size, NULL, costs->partition_steps[sms->partition - 1], 0};
}

int cost_sms_step(const struct platform *platform, const struct taskset *set, const struct costs *costs, int context)
{
	int smallest = costs->domains->items[context].smallest;
	struct sm_set sms = smallest == NO_ID ? sm_set_of_chip(platform) : sm_set_of_stream(platform, set, smallest);
	return sms.partition == 0 ? costs->parameter_steps[PARAMETER_SM_COUNT] : costs->partition_steps[sms.partition - 1];
}

static struct cost sms_of(const struct builder *b, const struct operation *operation)
{
	struct sm_set sms = sm_set_of_stream(b->platform, b->set, operation->stream);
	return count_of(b->platform, b->costs, &sms);
}

static struct cost parameter(const struct builder *b, enum parameter which)
{
	return cost_parameter(b->platform, b->costs, which);
}

static void give_parameters(const struct builder *b)
{
	for (int i = 0; i < PARAMETER_COUNT; i++) {
		int64_t value = platform_value(b->platform, (enum parameter)i);
		b->costs->parameter_steps[i] =
			value == NONE ? STEP_ABSENT : cost_given(b->derivation, value, "platform:%s", parameter_kinds[i].name, NULL);
	}
	b->costs->partition_steps = arena_allocate(b->arena, (size_t)b->set->partition_count + 1, sizeof *b->costs->partition_steps);
	for (int i = 0; i < b->set->partition_count; i++) {
		const struct partition *partition = &b->set->partitions[i];
		b->costs->partition_steps[i] = cost_given(b->derivation, partition->size, "partition:%s@sms", partition->id, NULL);
	}
}

/* ---- combining: the first reason wins, assumptions add up */

struct cost cost_sum(struct derivation *derivation, int rule, const char *about, const struct cost *parts, int count)
{
	struct cost sum = {0, NULL, STEP_ABSENT, 0};
	for (int i = 0; i < count; i++) {
		if (parts[i].reason != NULL)
			return cost_none(parts[i].reason);
		sum.value = checked_add(sum.value, parts[i].value);
		sum.assumptions |= parts[i].assumptions;
	}
	if (sum.value == NONE)
		return cost_none("a sum of costs does not fit 64 bits");
	sum.step = derivation_integer(derivation, rule, about, sum.value);
	for (int i = 0; i < count; i++)
		derivation_input(derivation, "c", parts[i].step);
	return sum;
}

struct part {
	const char *role;
	struct cost cost;
};

/* A derived cost: value computed by the caller from parts that all exist; NONE is an overflow. */
static struct cost derive(const struct builder *b, int rule, const char *about, int64_t value, const struct part *parts, int count)
{
	struct cost cost = {value, NULL, STEP_ABSENT, 0};
	for (int i = 0; i < count; i++) {
		if (parts[i].cost.reason != NULL)
			return cost_none(parts[i].cost.reason);
		cost.assumptions |= parts[i].cost.assumptions;
	}
	if (value == NONE)
		return cost_none("a cost does not fit 64 bits");
	cost.step = derivation_integer(b->derivation, rule, about, value);
	for (int i = 0; i < count; i++)
		derivation_input(b->derivation, parts[i].role, parts[i].cost.step);
	return cost;
}

/* ---- where an operation runs */

static enum place place_of(const struct platform *platform, const struct operation *operation)
{
	if (operation->kind == OPERATION_KERNEL || operation->kind == OPERATION_FRAGMENT)
		return PLACE_EXECUTION;
	if (operation->kind != OPERATION_COPY && operation->kind != OPERATION_MEMSET)
		return PLACE_NOWHERE;
	return platform->engine_of[operation->copy.direction] == ENGINE_COMPUTE ? PLACE_EXECUTION : PLACE_COPY;
}

static const char *name_of(const struct builder *b, int task, int operation)
{
	if (b->inflation->names != NULL)
		return b->inflation->names[operation];
	return arena_format(b->arena, "task:%s/op:%s", b->set->tasks[task].id, b->set->operations[operation].id);
}

/* ---- kernels */

struct kernel_parts {
	struct cost wcet, residence, launch, o_blk, blocks, slots_least, slots_greatest;
	struct cost apart; /* no value: no less than wcet */
};

static struct cost slots(
	const struct builder *b, const char *about, int rule, int64_t an_sm, int64_t total, struct cost sms, const char *unknown)
{
	if (total == NONE)
		return cost_none(unknown);
	struct cost n = {an_sm, NULL, derivation_integer(b->derivation, rule, about, an_sm), 0};
	struct part parts[] = {{"m", sms}, {"n", n}};
	return derive(b, RULE_SLOTS, about, total, parts, 2);
}

/* Slots of work whose resources nobody states: as many as an SM has block slots, and as few as one an SM. */
static void unsized_slots(const struct builder *b, const char *about, struct cost m, struct kernel_parts *parts)
{
	struct cost n = parameter(b, PARAMETER_SM_BLOCKS);
	struct part both[] = {{"m", m}, {"n", n}};
	parts->slots_least = m;
	parts->slots_greatest = derive(b, RULE_SLOTS, about, checked_mul(m.value, n.value), both, 2);
}

/* Of a kernel of scope grid with N blocks no more than N slots are ever taken, alone as well as beside others: [SCOPE-GRID]. */
static struct cost no_more_than_blocks(const struct builder *b, const char *about, struct cost slots, struct cost blocks)
{
	if (slots.reason != NULL || blocks.reason != NULL || blocks.value >= slots.value)
		return slots;
	struct part parts[] = {{"Q", slots}, {"N", blocks}};
	return derive(b, RULE_SLOTS_TAKEN, about, planted(PLANT_TAKEN) ? 1 : blocks.value, parts, 2);
}

/* ---- what blocks that begin late add: [START-DELAYS], [VOLUME-LATE] */

static struct cost delay(const struct builder *b, enum plant left_out)
{
	struct cost delay = parameter(b, PARAMETER_DISPATCH_DELAY);
	delay.value = planted(left_out) && delay.reason == NULL ? 0 : delay.value;
	delay.assumptions = start_delays_replace_order(b->platform) ? assumption_bit(ASSUMPTION_ORDER) : 0;
	return delay;
}

static struct cost residence(const struct builder *b, int index, const char *about, struct cost wcet)
{
	if (!b->delayed)
		return wcet;
	bool company = start_delays_meet_company(b->platform, b->set, b->map, index);
	struct part parts[] = {{"C", wcet}, {"delta", delay(b, PLANT_DELAY)}, {"sigma", parameter(b, PARAMETER_DISPATCH_STALL)}};
	int64_t sum = checked_add(wcet.value, parts[1].cost.value), stall = planted(PLANT_STALL) ? 0 : parts[2].cost.value;
	return derive(b, RULE_RESIDENCE, about, company ? checked_add(sum, stall) : sum, parts, company ? 3 : 2);
}

/* A block from its assignment to its end: what counts in full of the one of a kernel that ends last, in a volume. */
static struct cost tail(const struct builder *b, int index, const char *about, struct cost wcet)
{
	if (!b->delayed || planted(PLANT_UNBEGUN) || !start_delays_meet_company(b->platform, b->set, b->map, index))
		return wcet;
	struct part parts[] = {{"C", wcet}, {"sigma", parameter(b, PARAMETER_DISPATCH_STALL)}};
	return derive(b, RULE_TAIL, about, checked_add(wcet.value, parts[1].cost.value), parts, 2);
}

/* For how long a block keeps others from its SM: its residence. Planted: without what comes before its first instruction, or after its end.
 */
static int64_t held(const struct builder *b, const struct operation_cost *cost)
{
	if (planted(PLANT_UNBEGUN))
		return checked_add(cost->block.value, parameter(b, PARAMETER_DISPATCH_DELAY).value);
	return planted(PLANT_VACATED) ? cost->tail.value : cost->residence.value;
}

/* o + delta + waves C; without delays o + waves C. */
static struct cost makespan(
	const struct builder *b, int rule, int delayed_rule, const char *about, int64_t value, struct part *parts, int count)
{
	if (!b->delayed)
		return derive(b, rule, about, value, parts, count);
	parts[count] = (struct part){"delta", delay(b, PLANT_RESUME)};
	return derive(b, delayed_rule, about, checked_add(value, parts[count].cost.value), parts, count + 1);
}

static uint64_t conservation(const struct builder *b)
{
	return start_delays_replace_order(b->platform) ? assumption_bit(ASSUMPTION_ORDER) : assumption_bit(ASSUMPTION_WC);
}

static bool without_overheads(const struct builder *b, int index)
{
	const struct operation *operation = &b->set->operations[index];
	return planted(PLANT_NODES) && operation->graph != 0 && index > 0 && operation[-1].graph == operation->graph;
}

static void find_parts(const struct builder *b, int index, const char *about, struct kernel_parts *parts)
{
	const struct operation *operation = &b->set->operations[index];
	const struct kernel_map *map = &b->map->kernels[index];
	const struct inflated *inflated = &b->inflation->operations[index];
	*parts = (struct kernel_parts){
		.wcet = {inflated->wcet, inflated->reason, inflated->step, inflated->assumptions},
		.residence =
			residence(b, index, about, (struct cost){inflated->wcet, inflated->reason, inflated->step, inflated->assumptions}),
		.apart = {inflated->has_apart && refined(REFINEMENT_APART) ? inflated->apart : NONE, NULL, inflated->apart_step,
			inflated->apart_assumptions},
		.launch = planted(PLANT_LAUNCH) || without_overheads(b, index) ? b->costs->zero : parameter(b, PARAMETER_OVERHEAD_LAUNCH),
		.o_blk = planted(PLANT_BLOCK) ? b->costs->zero : parameter(b, PARAMETER_OVERHEAD_BLOCK),
	};
	if (operation->kind == OPERATION_KERNEL && operation->kernel.blocks != NONE)
		parts->blocks = (struct cost){
			operation->kernel.blocks, NULL, cost_given(b->derivation, operation->kernel.blocks, "%s@blocks", about, NULL), 0};
	else
		parts->blocks =
			cost_none(arena_format(b->arena, "the number of blocks of %s is not known, and each may begin late", about));
	struct cost sms = sms_of(b, operation);
	if (map->is_kernel && map->sized) {
		const char *unknown = "the platform does not state all limits of an SM that this kernel needs";
		parts->slots_least = slots(b, about, RULE_OCCUPANCY_LEAST, map->occupancy.least, map->slots_least, sms, unknown);
		parts->slots_greatest =
			slots(b, about, RULE_OCCUPANCY_GREATEST, map->occupancy.greatest, map->slots_greatest, sms, unknown);
	} else {
		unsized_slots(b, about, sms, parts);
	}
	if (operation->kind == OPERATION_KERNEL && operation->kernel.scope == SCOPE_GRID) {
		parts->slots_greatest = no_more_than_blocks(b, about, parts->slots_greatest, parts->blocks);
		parts->slots_least = no_more_than_blocks(b, about, parts->slots_least, parts->blocks);
	}
}

/* Dispatching a wave hides behind the blocks of the wave before but for one block's dispatch: [WAVES]. */
static int64_t wait_for_wave(const struct builder *b, const struct kernel_parts *p, int64_t block)
{
	int64_t slots = planted(PLANT_OVERLAP) ? p->slots_least.value : checked_sub(p->slots_least.value, 1);
	if (b->delayed || !refined(REFINEMENT_WAVES))
		return block;
	return checked_max(0, checked_sub(block, checked_mul(slots, p->o_blk.value)));
}

/* (6.1). While a kernel is the first and not fully dispatched only its own blocks are on the chip, so that others slow its last wave
 * only: [BEHIND]. */
static struct cost makespan_of_blocks(const struct builder *b, const char *about, const struct kernel_parts *p, struct cost dispatch)
{
	int64_t n = p->blocks.value, held = p->residence.value, waves = checked_div_ceil(n, p->slots_least.value);
	struct part parts[6] = {{"o", dispatch}, {"N", p->blocks}, {"Q", p->slots_least}, {"C", p->residence}, {"o_blk", p->o_blk}};
	bool apart = p->apart.value != NONE && (waves >= 2 || planted(PLANT_APART)) && !b->delayed;
	int64_t before = apart ? p->apart.value : held, last = apart && planted(PLANT_APART) ? before : held;
	int64_t time = checked_add(checked_mul(checked_sub(waves, 1), wait_for_wave(b, p, before)), last);
	if (planted(PLANT_CEILING))
		time = checked_max(held, checked_mul_div_ceil(n, held, p->slots_least.value));
	bool delayed = b->delayed;
	if (!apart)
		return makespan(b, RULE_MAKESPAN, RULE_MAKESPAN_DELAYED, about, checked_add(dispatch.value, time), parts, delayed ? 4 : 5);
	parts[5] = (struct part){"A", p->apart};
	return derive(b, RULE_MAKESPAN_APART, about, checked_add(dispatch.value, time), parts, 6);
}

/* [WCET-LAUNCH] is of a launch that has all SMs in one piece, at full speed, behind whatever is before it in the one stream. */
static bool is_in_one_piece(const struct builder *b, int index)
{
	const struct taskset *set = b->set;
	const struct operation *operation = &set->operations[index];
	bool one = set->application_count == 1 && !b->platform->parameters[PARAMETER_STOPS_LENGTH].present && operation->graph == 0 &&
		   b->inflation->operations[index].wcet == operation->wcet;
	for (int i = 0; i < set->operation_count; i++)
		one &= place_of(b->platform, &set->operations[i]) != PLACE_EXECUTION || set->operations[i].stream == operation->stream;
	return one;
}

static struct cost given_by_program(const struct builder *b, const char *about, const char *what, int64_t value)
{
	return (struct cost){value, value == NONE ? "a time from a program does not fit 64 bits" : NULL,
		value == NONE ? STEP_ABSENT
			      : derivation_named(b->derivation, RULE_PROGRAM, rational_of(value),
					arena_format(b->arena, "%s@%s", about, what), NULL, NULL),
		0};
}

static void launch_in_any_order(
	const struct builder *b, int index, const char *about, const struct kernel_parts *p, struct operation_cost *cost)
{
	const struct launch_time *launch = &b->set->operations[index].kernel.launch;
	if (launch->latency == 0 || !start_delays_replace_order(b->platform) || !is_in_one_piece(b, index) || cost->makespan.reason != NULL)
		return;
	struct cost sms = sms_of(b, &b->set->operations[index]), delta = delay(b, PLANT_DELAY),
		    sigma = parameter(b, PARAMETER_DISPATCH_STALL);
	int64_t others = checked_sub(p->blocks.value, 1), late = checked_add(delta.value, sigma.value);
	int64_t waits = checked_mul_div_ceil(others, checked_add(launch->latency, late), p->slots_least.value);
	int64_t works = checked_mul_div_ceil(others, launch->work, sms.value);
	int64_t waves = p->blocks.value > p->slots_least.value ? checked_add(checked_add(waits, works), launch->once) : 0;
	int64_t value = checked_add(checked_add(cost->dispatch.value, waves), checked_add(launch->last, late));
	if (value >= cost->makespan.value)
		return;
	struct part parts[] = {{"o", cost->dispatch}, {"N", p->blocks}, {"Q", p->slots_least}, {"m", sms},
		{"latency", given_by_program(b, about, "latency", launch->latency)},
		{"work", given_by_program(b, about, "work", launch->work)}, {"once", given_by_program(b, about, "once", launch->once)},
		{"last", given_by_program(b, about, "last", launch->last)}, {"delta", delta}, {"sigma", sigma}};
	cost->makespan = derive(b, RULE_MAKESPAN_LAUNCH, about, value, parts, 10);
	cost->makespan.assumptions |= conservation(b) | assumption_bit(ASSUMPTION_SM);
	cost->whole = true;
}

static struct cost volume_of_blocks(
	const struct builder *b, const char *about, const struct kernel_parts *p, const struct operation_cost *cost)
{
	int64_t n = p->blocks.value, all = checked_mul(n, held(b, cost));
	struct part volume[3] = {{"N", p->blocks}, {"C", p->wcet}};
	if (!b->delayed)
		return derive(b, RULE_VOLUME, about, checked_mul(n - 1, p->wcet.value), volume, 2);
	volume[1] = (struct part){"R", p->residence};
	volume[2] = (struct part){"B", cost->tail};
	return derive(b, RULE_VOLUME_DELAYED, about, checked_sub(all, cost->tail.value), volume, 3);
}

static void block_kernel(const struct builder *b, const char *about, const struct kernel_parts *p, struct operation_cost *cost)
{
	int64_t n = p->blocks.value;
	struct part dispatch[] = {{"o_launch", p->launch}, {"N", p->blocks}, {"o_blk", p->o_blk}};
	cost->dispatch = derive(b, RULE_DISPATCH, about, checked_add(p->launch.value, checked_mul(n, p->o_blk.value)), dispatch, 3);
	cost->makespan = makespan_of_blocks(b, about, p, cost->dispatch);
	cost->makespan.assumptions |= conservation(b) | assumption_bit(ASSUMPTION_SM);
	cost->volume = volume_of_blocks(b, about, p, cost);
}

/* Amounts alone decide how many slots a kernel finds: none is lost to a hole, nor to shared memory that an SM has given to its L1. */
static bool amounts_decide(const struct builder *b, const struct kernel_map *map)
{
	bool shares_none = map->is_kernel && map->sized && map->occupancy.demand.shared == 0;
	bool configured = occupancy_is_configurable(b->platform) && !shares_none && !planted(PLANT_CONFIGURED);
	return platform_grants(b->platform, ASSUMPTION_FRAG) && !configured;
}

/* What comes late comes on top of the block times that the makespan had in it: as often as there are blocks. */
static struct cost volume_of_grid(
	const struct builder *b, const char *about, const struct kernel_parts *p, const struct operation_cost *cost)
{
	int64_t c = p->wcet.value, all = checked_mul(p->slots_greatest.value, c);
	struct part parts[] = {{"Qmax", p->slots_greatest}, {"C", p->wcet}, {"N", p->blocks}, {"R", p->residence}, {"B", cost->tail}};
	if (!b->delayed)
		return derive(b, RULE_VOLUME_GRID, about, checked_sub(all, c), parts, 2);
	int64_t late = checked_mul(p->blocks.value, checked_sub(held(b, cost), c));
	return derive(b, RULE_VOLUME_GRID_DELAYED, about, checked_sub(checked_add(all, late), cost->tail.value), parts, 5);
}

/* The dispatcher works within the makespan, and no longer than o_blk for each block where their number is known. */
static struct cost dispatch_of_grid(const struct builder *b, const char *about, const struct kernel_parts *p)
{
	int64_t c = p->wcet.value, blocks = checked_mul(p->blocks.value, p->o_blk.value);
	struct part within[] = {{"o_launch", p->launch}, {"C", p->wcet}};
	struct part each[] = {{"o_launch", p->launch}, {"N", p->blocks}, {"o_blk", p->o_blk}};
	if (p->blocks.reason == NULL && p->o_blk.reason == NULL && blocks != NONE && c != NONE && blocks < c)
		return derive(b, RULE_DISPATCH, about, checked_add(p->launch.value, blocks), each, 3);
	return derive(b, RULE_DISPATCH_GRID, about, checked_add(p->launch.value, c), within, 2);
}

/* [SCOPE-GRID]: alone the measured makespan holds, and wherever there are as many slots as then; where others leave
 * fewer, the blocks, at most Qmax at a time for C in all, run on Qmin slots. */
static void grid_kernel(
	const struct builder *b, const char *about, const struct kernel_parts *p, bool mixes, bool fungible, struct operation_cost *cost)
{
	int64_t c = p->wcet.value;
	cost->dispatch = dispatch_of_grid(b, about, p);
	int64_t volume = checked_sub(checked_mul(p->slots_greatest.value, c), c);
	cost->volume = volume_of_grid(b, about, p, cost);
	bool same = p->slots_least.value == p->slots_greatest.value;
	uint64_t amounts = platform_grants(b->platform, ASSUMPTION_FRAG) ? assumption_bit(ASSUMPTION_FRAG) : 0; /* Qmin counts on them */
	if (!mixes || fungible || same) {
		struct part alone[3] = {{"o_launch", p->launch}, {"C", p->residence}};
		int64_t value = checked_add(p->launch.value, p->residence.value);
		cost->makespan = makespan(b, RULE_MAKESPAN_GRID, RULE_MAKESPAN_GRID_DELAYED, about, value, alone, 2);
		if (mixes)
			cost->makespan.assumptions |= conservation(b) | amounts | (fungible ? 0 : assumption_bit(ASSUMPTION_SM));
		return;
	}
	/* delays come on top of the block times that the makespan had in it: as many as there are blocks */
	int64_t extra = checked_mul(p->blocks.value, checked_sub(p->residence.value, c));
	struct part mixed[7] = {{"o_launch", p->launch}, {"Qmax", p->slots_greatest}, {"Qmin", p->slots_least}, {"C", p->wcet},
		{"N", p->blocks}, {"R", p->residence}};
	bool delayed = b->delayed;
	if (delayed)
		volume = checked_sub(checked_add(checked_mul(p->slots_greatest.value, c), extra), p->residence.value);
	int64_t spread = checked_add(checked_div_ceil(volume, p->slots_least.value), p->residence.value);
	cost->makespan = makespan(
		b, RULE_MAKESPAN_MIXED, RULE_MAKESPAN_MIXED_DELAYED, about, checked_add(p->launch.value, spread), mixed, delayed ? 6 : 4);
	cost->makespan.assumptions |= conservation(b) | assumption_bit(ASSUMPTION_SM) | amounts;
}

/* The longest of a sequence's kernels, slowed by no more than all of it together is; the whole span where nobody knows it. */
static struct cost longest_of_span(const struct builder *b, int index, const char *about, struct cost whole)
{
	const struct operation *operation = &b->set->operations[index];
	int64_t longest = operation->span.longest;
	bool beside = taskset_has_company(b->set, index); /* its factor is of the whole span: all it adds may be in one operation */
	if (operation->span.operations == 0 || longest == NONE || b->delayed || beside)
		return whole;
	struct cost least = {operation->wcet, NULL, cost_given(b->derivation, operation->wcet, "%s@wcet", about, NULL), 0};
	struct cost one = {longest, NULL, cost_given(b->derivation, longest, "%s@longest", about, NULL), 0};
	struct part parts[] = {{"C", whole}, {"c", least}, {"l", one}};
	return derive(b, RULE_LONGEST, about, checked_add(checked_sub(whole.value, operation->wcet), longest), parts, 3);
}

/* How often the runlist may take the turn away while it is served in one piece ([SPAN]). */
static int64_t turns_of(const struct builder *b, const struct operation *operation)
{
	bool kept = platform_grants(b->platform, ASSUMPTION_PENDING) || planted(PLANT_GAPS);
	return kept ? 1 : checked_max(1, operation->span.operations);
}

static void execution_cost(const struct builder *b, int index, const char *about, struct operation_cost *cost)
{
	const struct operation *operation = &b->set->operations[index];
	const struct kernel_map *map = &b->map->kernels[index];
	struct kernel_parts parts;
	find_parts(b, index, about, &parts);
	cost->grid = operation->kind != OPERATION_KERNEL || operation->kernel.scope == SCOPE_GRID;
	cost->block = parts.wcet;
	cost->residence = longest_of_span(b, index, about, parts.residence);
	cost->turns = turns_of(b, operation);
	cost->tail = tail(b, index, about, parts.wcet);
	if (!cost->grid) {
		block_kernel(b, about, &parts, cost);
		launch_in_any_order(b, index, about, &parts, cost);
	} else
		grid_kernel(b, about, &parts,
			map->is_kernel ? map->mixes : operation->kind != OPERATION_FRAGMENT && !taskset_is_apart(b->set, operation->stream),
			amounts_decide(b, map), cost);
	if (operation->kind == OPERATION_FRAGMENT)
		cost->volume = cost_none("fragment work is not made of blocks whose times could be added up");
	if (map->occupancy.rests_on_registers)
		cost->makespan.assumptions |= assumption_bit(ASSUMPTION_FRAG_REGISTERS);
	if (!cost->grid && platform_grants(b->platform, ASSUMPTION_FRAG)) /* (6.7) is left out, also for one kernel alone: V9 */
		cost->makespan.assumptions |= assumption_bit(ASSUMPTION_FRAG);
}

static void copy_cost(const struct builder *b, int index, const char *about, struct operation_cost *cost)
{
	const struct inflated *inflated = &b->inflation->operations[index];
	struct cost parts[] = {
		parameter(b, PARAMETER_OVERHEAD_COPY), {inflated->wcet, inflated->reason, inflated->step, inflated->assumptions}};
	cost->engine = b->platform->engine_of[b->set->operations[index].copy.direction];
	cost->transfer = cost_sum(b->derivation, RULE_SUM, about, parts, 2);
}

/* ---- which levels a context has */

static void find_levels(struct builder *b)
{
	b->levels = arena_allocate(b->arena, (size_t)b->costs->context_count + 1, sizeof *b->levels);
	for (int i = 0; i < b->costs->context_count; i++)
		b->levels[i] = (struct levels){INT_MAX, INT_MIN, applicable_kernel_streams(b->set, b->costs, i),
			applicable_is_ordered(b->platform, b->set, b->costs, i)};
	for (int i = 0; i < b->set->operation_count; i++) {
		const struct operation_cost *cost = &b->costs->operations[i];
		if (cost->place != PLACE_EXECUTION)
			continue;
		struct levels *levels = &b->levels[cost->context];
		levels->least = cost->level < levels->least ? cost->level : levels->least;
		levels->greatest = cost->level > levels->greatest ? cost->level : levels->greatest;
	}
}

/* ---- drain waste: the longest block of any lower level of the context, [DRAIN] */

static bool is_below(const struct builder *b, int index, int of)
{
	const struct operation_cost *other = &b->costs->operations[index], *cost = &b->costs->operations[of];
	return other->place == PLACE_EXECUTION && other->context == cost->context && other->level > cost->level &&
	       !taskset_keeps_apart(b->set, b->set->operations[index].stream, b->set->operations[of].stream);
}

static int count_below(const struct builder *b, int index)
{
	const struct operation_cost *cost = &b->costs->operations[index];
	int count = 0;
	for (int i = 0; i < b->set->operation_count && b->levels[cost->context].greatest > cost->level; i++)
		count += is_below(b, i, index);
	return count;
}

static void waste(const struct builder *b, int index, const char *about)
{
	struct operation_cost *cost = &b->costs->operations[index];
	struct cost worst = {0, NULL, STEP_ABSENT, 0};
	int below = count_below(b, index), count = 0;
	if (below == 0) { /* without a lower level there is no waste, and no step */
		cost->waste = worst;
		return;
	}
	struct part *parts = arena_reserve(b->arena, (size_t)below + 1, sizeof *parts);
	for (int i = 0; i < b->set->operation_count; i++) {
		const struct operation_cost *other = &b->costs->operations[i];
		if (!is_below(b, i, index))
			continue;
		worst.value = checked_max(worst.value, other->residence.value);
		parts[count++] = (struct part){"C", other->residence};
	}
	struct cost o_blk = parameter(b, PARAMETER_OVERHEAD_BLOCK);
	worst.value = checked_max(worst.value, o_blk.value);
	parts[count++] = (struct part){"o_blk", o_blk};
	if (planted(PLANT_WASTE))
		worst.value = 0;
	cost->waste = derive(b, RULE_WASTE, about, worst.value, parts, count);
}

/* ---- dispatches broken off: where levels differ, each arrival may cost one more o_blk. Makespans have it in the drain waste. */

static bool has_other_level(const struct builder *b, const struct operation_cost *cost)
{
	return b->levels[cost->context].least != b->levels[cost->context].greatest;
}

static void dispatch_again(const struct builder *b, int index, const char *about)
{
	struct operation_cost *cost = &b->costs->operations[index];
	if (!has_other_level(b, cost) || planted(PLANT_AGAIN))
		return;
	struct part parts[] = {{"o", cost->dispatch}, {"o_blk", parameter(b, PARAMETER_OVERHEAD_BLOCK)}};
	cost->dispatch = derive(b, RULE_DISPATCH_AGAIN, about, checked_add(parts[0].cost.value, parts[1].cost.value), parts, 2);
}

/* ---- where blocks begin late a kernel waits when it comes to the head, and another one that goes on when its last block is assigned. It
 * need not be charged for that where its stream is the only one, or where the order is known and no level is below its own. */

static void dispatch_late(const struct builder *b, int index, const char *about)
{
	struct operation_cost *cost = &b->costs->operations[index];
	const struct levels *levels = &b->levels[cost->context];
	if (!b->delayed)
		return;
	struct cost delta = delay(b, PLANT_FRESH);
	struct part parts[] = {{"o", cost->dispatch}, {"delta", delta}, {"delta", delta}};
	bool alone = levels->streams <= 1 || (levels->ordered && cost->level == levels->greatest) || planted(PLANT_RETURNS);
	int64_t waits = alone ? delta.value : checked_add(delta.value, delta.value);
	cost->dispatch = derive(b, RULE_DISPATCH_DELAYED, about, checked_add(cost->dispatch.value, waits), parts, alone ? 2 : 3);
}

static void operation_cost(const struct builder *b, int task, int index)
{
	const struct operation *operation = &b->set->operations[index];
	struct operation_cost *cost = &b->costs->operations[index];
	const char *about = name_of(b, task, index);
	*cost = (struct operation_cost){.name = about,
		.place = place_of(b->platform, operation),
		.engine = ENGINE_NONE,
		.context = NO_ID,
		.turns = 1,
		.host_step = operation->kind == OPERATION_HOST && b->set->tasks[task].core > 0 ? b->inflation->operations[index].step
											       : STEP_ABSENT};
	cost->dependency =
		planted(PLANT_DEPENDENCY) || without_overheads(b, index) ? b->costs->zero : parameter(b, PARAMETER_OVERHEAD_DEPENDENCY);
	if (operation->kind == OPERATION_HOST)
		return;
	cost->context = b->costs->domains->of_stream[operation->stream];
	cost->level = b->set->streams[operation->stream].level;
	if (cost->place == PLACE_EXECUTION)
		execution_cost(b, index, about, cost);
	else if (cost->place == PLACE_COPY)
		copy_cost(b, index, about, cost);
}

typedef void visitor(const struct builder *b, int task, int index);

static void for_each_operation(const struct builder *b, visitor *visit)
{
	for (int t = 0; t < b->set->task_count; t++)
		for (int i = 0; i < b->set->tasks[t].operation_count; i++)
			visit(b, t, b->set->tasks[t].first_operation + i);
}

static void operation_waste(const struct builder *b, int task, int index)
{
	if (b->costs->operations[index].place != PLACE_EXECUTION)
		return;
	(void)task;
	waste(b, index, b->costs->operations[index].name);
	dispatch_again(b, index, b->costs->operations[index].name);
	dispatch_late(b, index, b->costs->operations[index].name);
}

/* Contexts with work of the execution engine, or their partitions with some, as each has a dispatcher; one at least. */
static int dispatching_contexts(const struct builder *b)
{
	const struct taskset *set = b->set;
	bool *seen = arena_allocate(b->arena, (size_t)set->partition_count + (size_t)b->costs->domains->process_count + 1, sizeof *seen);
	int count = 0;
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		if (place_of(b->platform, operation) != PLACE_EXECUTION)
			continue;
		int partition = set->streams[operation->stream].partition;
		bool *of = &seen[partition > 0 ? partition - 1 : set->partition_count + taskset_context_of(set, operation->stream)];
		count += !*of;
		*of = true;
	}
	return count > 1 && !planted(PLANT_FROZEN) ? count : 1;
}

/* theta_int, and the dispatch and the delay of each context that a stop of a part of the chip breaks off: those of contexts that are not on
 * the chip stand where the ends of their slices left them. */
static struct cost stop_cost(const struct builder *b)
{
	struct cost length = parameter(b, PARAMETER_STOPS_LENGTH), o_blk = parameter(b, PARAMETER_OVERHEAD_BLOCK);
	struct cost delta = parameter(b, PARAMETER_DISPATCH_DELAY);
	if (length.reason != NULL || planted(PLANT_AGAIN))
		return length;
	if (o_blk.reason != NULL || (b->delayed && delta.reason != NULL))
		return o_blk.reason != NULL ? o_blk : delta;
	int contexts = dispatching_contexts(b), count = 1;
	bool delayed = b->delayed;
	struct part *parts = arena_allocate(b->arena, (size_t)contexts * 2 + 1, sizeof *parts);
	int64_t again = checked_add(o_blk.value, delayed ? delta.value : 0);
	parts[0] = (struct part){"theta_int", length};
	for (int i = 0; i < contexts; i++) {
		parts[count++] = (struct part){"o_blk", o_blk};
		if (delayed)
			parts[count++] = (struct part){"delta", delta};
	}
	int64_t sum = checked_add(length.value, checked_mul(contexts, again));
	b->costs->stop_breaks = again > 0 ? contexts : 0;
	return derive(b, delayed ? RULE_STOP_DELAYED : RULE_STOP, "platform:stops", sum, parts, count);
}

struct costs *costs_compute(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct inflation *inflation, struct derivation *derivation)
{
	struct costs *costs = arena_allocate(arena, 1, sizeof *costs);
	struct builder builder = {arena, platform, set, map, inflation, derivation, costs, start_delays_exist(platform), NULL};
	costs->operations = arena_reserve(arena, (size_t)set->operation_count + 1, sizeof *costs->operations);
	costs->domains = map->domains;
	costs->context_count = map->domains->count;
	give_parameters(&builder);
	costs->zero = (struct cost){0, NULL, STEP_ABSENT, 0};
	costs->stop = stop_cost(&builder);
	for (int i = 0; i < set->task_count && !costs->hosts; i++)
		costs->hosts = applicable_has_host(set, &set->tasks[i]);
	for_each_operation(&builder, operation_cost);
	find_levels(&builder);
	for_each_operation(&builder, operation_waste);
	return costs;
}
