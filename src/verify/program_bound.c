/* Costs, rows and composition of a program's bound. */
#include "verify/program_bound.h"

#include "verify/constants.h"
#include "verify/dual.h"
#include "verify/lanes.h"
#include "verify/loop_turns.h"
#include "verify/shared_units.h"
#include "verify/waits.h"

#include <string.h>

enum part { PART_CHAIN, PART_OTHERS, PART_SHARED, PART_CROSSED, PART_TURN, PART_TURN_SHARED, PART_COUNT };
static const char *const part_names[] = {"chain", "others", "shared", "crossed", "turn", "turn-shared"};
enum { FREE, ALIGNED, SERIAL };
static const char *const word_of[] = {"free", "aligned", "serial"};

struct prover {
	struct check *check;
	const struct code *code;
	const struct partings *partings;
	const int64_t *times; /* waits_read */
	struct divergence_cost divergence;
	const struct xml_element *element; /* of the report */
	const char *where;
	struct class_cost costs[CLASS_COUNT];
	bool used[CLASS_COUNT];
	int64_t warps, near;
	bool split;          /* is some unit a sub-partition's? */
	int64_t first_reads; /* for lines of constants, beyond what each reading is charged */
	int64_t crossing; /* how long an instruction of another sub-partition may keep a unit of the SM that became free while the slot was
			     not */
	int composition;
	int64_t parts[PART_COUNT];
	int64_t alone, by_age, by_turns, blocking;
	int64_t plain_age, plain_blocking, turns_own; /* but for what younger blocks take behind an issue slot; in turns, that */
	struct kept kept;                             /* by each block beside it */
};

/* ---- costs */

static const struct warp_pipeline *pipeline_of(const struct platform *platform, int class)
{
	for (int i = 0; i < platform->pipeline_count; i++)
		if (strcmp(platform->pipelines[i].class, class_names[class]) == 0)
			return &platform->pipelines[i];
	return NULL;
}

static struct class_cost cost_of(const struct prover *p, int class)
{
	const struct platform *platform = p->check->platform;
	struct class_cost cost = p->code->program->declared[class];
	const struct warp_pipeline *pipeline = pipeline_of(platform, class);
	if (cost.latency == NONE && pipeline != NULL) {
		int64_t lanes = THREADS_A_WARP;
		for (int c = 0; c < CLASS_COUNT; c++) {
			const struct warp_pipeline *other = p->used[c] ? pipeline_of(platform, c) : NULL;
			if (other != NULL && other->occupancy == NONE && pipeline->occupancy == NONE &&
				strcmp(other->group, pipeline->group) == 0)
				lanes = checked_min(lanes, other->lanes);
		}
		cost.occupancy = pipeline->occupancy == NONE ? checked_div_ceil(THREADS_A_WARP, lanes) : pipeline->occupancy;
		cost.latency = pipeline->latency;
		cost.partition = pipeline->partition;
		cost.group = pipeline->group;
	}
	cost.issue = cost.issue > 0 ? checked_max(cost.issue, cost.occupancy) : 0;
	cost.latency = cost.latency == NONE ? NONE : checked_max(cost.latency, checked_max(cost.issue, cost.occupancy));
	return cost;
}

static bool surely_one_unit(const struct prover *p, int one, int other)
{
	const char *a = p->costs[one].group, *b = p->costs[other].group;
	return one == other || (a != NULL && b != NULL && strcmp(a, b) == 0 && p->costs[one].partition == p->costs[other].partition);
}

/* A warp waits for a unit of the SM, another one has its slot for some other unit, and one of another sub-partition takes what it waits
 * for. */
static bool can_cross(const struct prover *p, int waits, int slot, int takes)
{
	const char *a = p->costs[waits].group, *b = p->costs[takes].group;
	bool may_be_one = a == NULL || b == NULL || strcmp(a, b) == 0;
	return !p->costs[waits].partition && !p->costs[takes].partition && may_be_one && !surely_one_unit(p, waits, slot);
}

/* May a launch begin, and take lines of constants away, while a kernel runs? */
static bool launches_overlap(const struct check *check)
{
	const struct taskset *set = check->set;
	bool overlap = set->application_count != 1 || set->stream_count != 1 || check->platform->parameters[PARAMETER_STOPS_LENGTH].present;
	for (int i = 0; i < set->operation_count; i++)
		overlap |= set->operations[i].graph != 0;
	return overlap;
}

/* Each reading is charged what one takes that finds its line, and each line once what bringing it takes. What the analysis refuses has no
 * bound here either. */
static void charge_first_reads(struct prover *p)
{
	struct class_cost *cost = &p->costs[CLASS_CONSTANT];
	if (!p->used[CLASS_CONSTANT] || cost->again == 0)
		return;
	int64_t alone = 0, lines = constants_read(p->check->arena, p->code->program, &alone);
	bool refused = lines == NONE || lines > cost->lines - constants_of_code(p->code->program) || launches_overlap(p->check);
	int64_t saved = cost->further > 0 ? checked_sub(cost->latency, cost->further) : 0;
	int64_t spared = cost->apart > 0 ? checked_mul(checked_sub(cost->latency, cost->apart), checked_max(0, alone - 1)) : 0;
	p->first_reads = refused ? INT64_MAX
				 : checked_sub(checked_mul(lines, cost->latency), checked_add(spared, checked_mul(saved, lines - alone)));
	cost->latency = checked_max(cost->again, cost->occupancy);
}

static void find_costs(struct prover *p)
{
	const struct program *program = p->code->program;
	int64_t parts = platform_value(p->check->platform, PARAMETER_SM_SUBPARTITIONS);
	bool split = false;
	for (int b = 0; b < program->block_count; b++)
		for (int c = 0; c < CLASS_COUNT; c++)
			p->used[c] |= program->blocks[b].counts[c] > 0;
	for (int c = 0; c < CLASS_COUNT; c++) {
		p->costs[c] = cost_of(p, c);
		split |= p->used[c] && p->costs[c].partition;
	}
	charge_first_reads(p);
	p->warps = checked_div_ceil(program->threads, THREADS_A_WARP);
	p->split = split;
	p->near = split && parts != NONE ? checked_div_ceil(p->warps, parts) : p->warps;
	for (int waits = 0; waits < CLASS_COUNT && parts != 1; waits++)
		for (int slot = 0; slot < CLASS_COUNT && p->used[waits]; slot++)
			for (int takes = 0; takes < CLASS_COUNT && p->used[slot]; takes++)
				if (p->used[takes] && can_cross(p, waits, slot, takes))
					p->crossing = checked_max(p->crossing, p->costs[takes].occupancy);
}

/* The longest that an instruction of the same kernel may be on the unit of this class. */
static int64_t longest_beside(const struct prover *p, int class, bool shared)
{
	int64_t longest = shared ? 0 : 1;
	for (int c = 0; c < CLASS_COUNT; c++) {
		bool same =
			p->costs[c].group == NULL || p->costs[class].group == NULL || strcmp(p->costs[c].group, p->costs[class].group) == 0;
		if (p->used[c] && same && !(shared && p->costs[c].partition))
			longest = checked_max(longest, p->costs[c].occupancy);
	}
	return longest;
}

static int64_t weight_of_class(const struct prover *p, enum part part, int class)
{
	bool shared = !p->costs[class].partition;
	switch (part) {
	case PART_CHAIN: return p->costs[class].latency;
	case PART_OTHERS: return p->costs[class].occupancy;
	case PART_SHARED: return shared ? p->costs[class].occupancy : 0;
	case PART_CROSSED: return checked_max(p->costs[class].occupancy, p->crossing);
	case PART_TURN: return longest_beside(p, class, false);
	default: return shared ? longest_beside(p, class, true) : 0;
	}
}

/* By how much instructions of a class weigh less together in a block, as some keep their unit for less. */
static int64_t less_of_spaced(const struct prover *p, enum part part, int block, int class)
{
	const struct class_cost *cost = &p->costs[class];
	int64_t least = part == PART_CROSSED ? p->crossing : 0;
	if (cost->spaced == 0 || (part != PART_OTHERS && part != PART_CROSSED))
		return 0;
	return checked_mul(waits_spaced(p->code, p->costs, p->partings->apart.parted, block, class),
		checked_sub(checked_max(cost->occupancy, least), checked_max(cost->spaced, least)));
}

static int64_t weight_of(const struct prover *p, enum part part, int block)
{
	const struct program *program = p->code->program;
	int64_t sum = part == PART_CHAIN ? p->times[block] : 0, rest[CLASS_COUNT];
	memcpy(rest, program->blocks[block].counts, sizeof rest);
	for (int i = 0; part == PART_CHAIN && program->instruction_count > 0 && i < program->blocks[block].count; i++)
		rest[program->instructions[program->blocks[block].first + i].class]--;
	for (int c = 0; c < CLASS_COUNT; c++)
		if (rest[c] > 0)
			sum = checked_add(
				sum, checked_sub(checked_mul(rest[c], weight_of_class(p, part, c)), less_of_spaced(p, part, block, c)));
	return p->partings->alone[block] ? checked_mul(sum, THREADS_A_WARP) : sum;
}

/* ---- parts and what is put together of them */

static bool has_facts(const struct prover *p, enum part part)
{
	return p->composition != ALIGNED || ((part == PART_OTHERS || part == PART_CROSSED) && p->near == p->warps);
}

static int64_t prove(const struct prover *p, enum part part, const struct xml_element *certificate)
{
	int count = p->code->program->block_count;
	int64_t *weights = arena_allocate(p->check->arena, (size_t)count + 1, sizeof *weights);
	bool own = part != PART_SHARED && part != PART_TURN_SHARED;
	for (int block = 0; block < count; block++)
		weights[block] = weight_of(p, part, block);
	return dual_prove(&(struct dual_program){p->check, p->where, p->code, p->partings, weights,
				  own ? p->divergence.cycles_a_divergence : 0, has_facts(p, part)},
		certificate);
}

/* Is there a class whose instructions would be shorter than what may cross them? */
static bool crosses(const struct prover *p)
{
	bool any = false;
	for (int c = 0; c < CLASS_COUNT; c++)
		any |= p->used[c] && (p->costs[c].spaced > 0 ? p->costs[c].spaced : p->costs[c].occupancy) < p->crossing;
	return any;
}

static void derive_part(struct prover *p, enum part part)
{
	bool needed = p->near < p->warps || (part != PART_SHARED && part != PART_TURN_SHARED);
	needed = part == PART_CROSSED ? crosses(p) : needed;
	const struct xml_element *element = element_child(p->element, part_names[part]);
	if (element == NULL || !needed) {
		if (needed || element != NULL)
			check_differs(p->check, p->element, p->where, needed ? part_names[part] : "no such part",
				needed ? "nothing" : part_names[part]);
		return;
	}
	p->parts[part] = prove(p, part, element_child(element, "certificate"));
	const char *where = arena_format(p->check->arena, "%s %s", p->where, part_names[part]);
	check_integer(p->check, element, where, "linear-program", p->parts[part]);
	check_integer(p->check, element, where, "cycles", p->parts[part]);
}

/* many * of + rest * shared */
static int64_t of_block(const struct prover *p, int64_t many, int64_t rest, enum part of, enum part shared)
{
	return checked_add(checked_mul(many, p->parts[of]), checked_mul(rest, p->parts[shared]));
}

/* How many barriers a warp of a block whose barriers are aligned comes to, at most. */
static int64_t barriers(const struct prover *p)
{
	const struct code *code = p->code;
	int64_t sum = 0;
	for (int b = 0; b < code->program->block_count; b++) {
		struct way around = {b, b, -1};
		sum = checked_add(sum, checked_mul(code->program->blocks[b].counts[CLASS_BARRIER], program_graph_most(code, &around)));
	}
	return checked_min(sum, INT32_MAX);
}

static void compose(struct prover *p)
{
	bool serial = p->composition == SERIAL, all = p->composition == ALIGNED && p->near == p->warps && p->code->program->fact_count > 0;
	int64_t times = serial ? p->warps : 1, rest = p->warps - p->near;
	int64_t own = of_block(p, all ? p->warps : p->near - 1, rest, PART_OTHERS, PART_SHARED);
	int64_t met = checked_min(p->warps, checked_mul(serial ? p->warps : barriers(p) + 1, p->near));
	enum part met_part = crosses(p) ? PART_CROSSED : PART_OTHERS;
	int64_t more = serial ? p->parts[PART_CROSSED] : checked_max(0, checked_sub(p->parts[PART_CROSSED], p->parts[PART_OTHERS]));
	more = crosses(p) ? checked_mul(serial ? p->warps : p->composition == FREE ? p->near - 1 : p->near, more) : 0;
	p->alone = serial ? checked_mul(p->warps, p->parts[PART_CHAIN]) : checked_add(p->parts[PART_CHAIN], own);
	p->alone = checked_add(p->alone, p->first_reads);
	p->by_age = of_block(p, met, p->warps - met, met_part, PART_SHARED);
	p->by_turns = checked_mul(times, of_block(p, p->near, rest, PART_TURN, PART_TURN_SHARED));
	p->plain_blocking = checked_mul(times, p->parts[PART_TURN]);
	p->blocking = checked_add(more, p->plain_blocking);
	p->turns_own = checked_min(more, checked_mul(p->near, p->plain_blocking));
	p->plain_age = of_block(p, met, p->warps - met, PART_OTHERS, PART_SHARED);
	p->kept = shared_units_kept_by_a_warp(p->code, p->costs, p->used, p->partings->count > 0);
	p->kept.share = rational_mul(p->kept.share, rational_of(p->warps));
	p->kept.at_once = checked_mul(p->kept.at_once, p->warps);
}

static void compare(struct prover *p)
{
	check_text(p->check, p->element, p->where, "path", check_recorded(p->check, p->code->program->path));
	check_text(p->check, p->element, p->where, "id", p->code->program->id);
	check_integer(p->check, p->element, p->where, "warps", p->warps);
	check_integer(p->check, p->element, p->where, "near", p->near);
	check_text(p->check, p->element, p->where, "composition", word_of[p->composition]);
	check_integer(p->check, p->element, p->where, "cycles", p->alone);
	check_integer(p->check, p->element, p->where, "first-reads", p->first_reads > 0 ? p->first_reads : NONE);
	check_integer(p->check, p->element, p->where, "by-age", p->by_age);
	check_integer(p->check, p->element, p->where, "by-turns", p->by_turns);
	check_integer(p->check, p->element, p->where, "blocking", p->blocking);
	check_integer(p->check, p->element, p->where, "plain-age", p->plain_age);
	check_integer(p->check, p->element, p->where, "plain-blocking", p->plain_blocking);
	check_rational(p->check, p->element, p->where, "share", p->kept.share);
	check_integer(p->check, p->element, p->where, "burst", p->kept.at_once);
	check_integer(p->check, p->element, p->where, "turns-own", p->turns_own);
}

/* Each claim of the file on which the bound rests stands in the report, in the file's order, and no other. */
static void compare_claims(struct check *check, const struct program *program, const struct xml_element *element)
{
	const struct xml_element *list = element_child(element, "claims"), *claim = list != NULL ? list->first : NULL;
	const char *where = arena_format(check->arena, "program %s claims", program->id);
	for (int i = 0; i < program->claim_count; i++) {
		if (!program_rests_on(program, &program->claims[i]))
			continue;
		if (claim == NULL) {
			check_differs(check, element, where, program->claims[i].says, "nothing");
			return;
		}
		check_text(check, claim, where, "kind", program->claims[i].kind);
		check_text(check, claim, where, "of", program->claims[i].of[0] != '\0' ? program->claims[i].of : NULL);
		if (strcmp(claim->text, program->claims[i].says) != 0)
			check_differs(check, claim, where, program->claims[i].says, claim->text);
		claim = claim->next;
	}
	if (claim != NULL)
		check_differs(check, claim, where, "no further claim", claim->text);
}

/* Declared, or the platform's where it has a stack, or barriers in code that shows where they are. */
static bool find_divergence(struct prover *p)
{
	const struct platform *platform = p->check->platform;
	const struct program *program = p->code->program;
	bool stack = platform->compute_capability >= 20 && platform->compute_capability <= 52;
	bool barriers = platform->compute_capability >= 70 && program->sass.file != NULL;
	if (p->partings->count == 0)
		return true;
	if (program->declared_divergence.source != NULL)
		p->divergence = program->declared_divergence;
	else if (stack || barriers)
		p->divergence = platform->divergence;
	return p->divergence.source != NULL && (p->partings->tokens <= p->divergence.depth || p->divergence.cycles_a_spill == 0);
}

/* Why it cannot be derived here; NULL: it can. */
static const char *read_code(struct prover *p, const struct program *read)
{
	const struct xml_element *turns = element_child(p->element, "turns"), *accesses = element_child(p->element, "accesses");
	const struct program *program = lanes_read(p->check, read, accesses);
	if (program == NULL)
		return "accesses to memory that it does not have";
	compare_claims(p->check, program, p->element);
	program = loop_turns_read(p->check, program, turns);
	if (program == NULL)
		return "bounds of loops that it does not have";
	p->code = program_graph_read(p->check->arena, program);
	p->partings = p->code == NULL ? NULL : divergence_read(p->check->arena, p->code);
	if (p->code == NULL)
		return "a loop that is entered beside its header, or too many blocks";
	if (p->partings == NULL)
		return "branches that split a warp in another way";
	loop_turns_check(p->check, p->code, p->partings->apart.others, turns);
	lanes_check(p->check, p->code, read, p->partings, accesses);
	return find_divergence(p) ? NULL : "a stack that may spill";
}

/* NULL: it cannot be derived here. */
static const struct prover *derive(struct check *check, const struct program *program, const struct xml_element *element)
{
	struct prover *p = arena_allocate(check->arena, 1, sizeof *p);
	*p = (struct prover){.check = check, .element = element, .where = arena_format(check->arena, "program %s", program->id)};
	const char *why = read_code(p, program);
	if (why != NULL) {
		diagnose(check->diagnostics, DIAGNOSTIC_NOT_CHECKED, check->path, element->line,
			"program %s: unchecked: expected a number that this program can derive again; found %s", program->id, why);
		return NULL;
	}
	find_costs(p);
	p->times = waits_read(p->check->arena, p->code, p->costs, p->partings->apart.parted);
	p->composition = program_graph_barriers(p->code, p->partings->levels, check->arena);
	for (int part = 0; part < PART_COUNT; part++)
		derive_part(p, (enum part)part);
	compose(p);
	compare(p);
	return p;
}

/* ---- the task set's */

static int64_t time_of(const struct check *check, int64_t cycles)
{
	const struct quantity *clock = &check->platform->parameters[PARAMETER_CLOCK_SM];
	struct rational ns = rational_div(rational_mul(rational_of(cycles), rational_of(1000000000)), clock->exact);
	return rational_is_none(ns) ? checked_mul_div_ceil(cycles, 1000000000, clock->value) : rational_ceil(ns);
}

/* Beside so many blocks more of the kernel. */
static int64_t cycles_among(const struct prover *p, int64_t more)
{
	struct kept kept = {rational_mul(p->kept.share, rational_of(more)), checked_mul(p->kept.at_once, more)};
	int64_t plain = checked_add(checked_mul(more, p->plain_age), p->plain_blocking);
	int64_t stretched = shared_units_kept_stretch(checked_add(p->alone, plain), kept);
	int64_t by_age = checked_add(p->alone, checked_add(checked_mul(more, p->by_age), p->blocking));
	int64_t by_turns = checked_add(p->alone, checked_add(checked_mul(more, p->by_turns), p->turns_own));
	return checked_max(checked_min(by_age, stretched), by_turns);
}

/* Whoever is served first, all other blocks of the launch may be on the SM before it ends. */
static int64_t cycles_after_all(const struct prover *p, int64_t others)
{
	return checked_add(p->alone, checked_mul(others, p->plain_age));
}

/* [WCET-LAUNCH], of so many blocks but one. */
static struct launch_time launch_of(const struct prover *p, int64_t others)
{
	const struct platform *platform = p->check->platform;
	int64_t slots = platform_value(platform, PARAMETER_SM_WARPS),
		parts = p->split ? platform_value(platform, PARAMETER_SM_SUBPARTITIONS) : 1;
	int64_t places = p->composition == SERIAL ? p->warps : checked_add(barriers(p), 1);
	int64_t near = checked_min(slots, checked_mul(places, checked_div_ceil(slots, parts == NONE ? 1 : parts)));
	enum part far = p->near < p->warps ? PART_SHARED : PART_OTHERS;
	int64_t full = checked_add(of_block(p, checked_sub(near, 1), checked_sub(slots, near), PART_OTHERS, far), p->alone);
	int64_t waited = checked_mul(p->composition == SERIAL ? p->warps : 1, p->parts[PART_CHAIN]);
	int64_t cycles[] = {
		waited, checked_mul(p->warps, p->parts[PART_OTHERS]), p->first_reads, checked_min(full, cycles_after_all(p, others))};
	for (int i = 0; i < 4; i++)
		cycles[i] = checked_is_none(cycles[i]) ? NONE : time_of(p->check, cycles[i]);
	return (struct launch_time){cycles[0], cycles[1], cycles[2], cycles[3]};
}

static int64_t blocks_held(const struct operation *operation, const struct resident *resident)
{
	return checked_max(1, checked_min(operation->kernel.blocks, resident->greatest));
}

static bool serves_in_turn(const struct prover *p, const struct operation *operation)
{
	return !platform_keeps_slots(p->check->platform) || operation->program->slots_in_turn;
}

/* With as many blocks of the kernel on the SM as there can be. */
static int64_t wcet_of(const struct prover *p, const struct operation *operation, const struct resident *resident)
{
	int64_t blocks = blocks_held(operation, resident);
	bool in_turn = serves_in_turn(p, operation);
	if (blocks > 1 && !in_turn && resident->mixes)
		return NONE;
	int64_t cycles = blocks > 1 ? cycles_after_all(p, operation->kernel.blocks - 1) : p->alone;
	cycles = blocks > 1 && in_turn ? checked_min(cycles, cycles_among(p, blocks - 1)) : cycles;
	return checked_is_none(cycles) ? NONE : checked_max(1, time_of(p->check, cycles));
}

/* The elements stand in the order in which operations first name the programs. */
static const struct prover *find_prover(struct check *check, int index, const struct prover **provers, const struct xml_element **next)
{
	const struct operation *operations = check->set->operations;
	for (int i = 0; i < index; i++)
		if (operations[i].program == operations[index].program)
			return provers[i];
	*next = check_next(*next, "program");
	if (*next == NULL) {
		check_differs(check, check->root, "programs", operations[index].program->path, "nothing");
		return NULL;
	}
	const struct prover *prover = derive(check, operations[index].program, *next);
	*next = (*next)->next;
	return prover;
}

struct code_times *program_bound_derive(struct check *check, const struct resident *residents)
{
	const struct xml_element *programs = element_child(check->root, "programs"), *next = programs == NULL ? NULL : programs->first;
	const struct prover **provers = arena_allocate(check->arena, (size_t)check->set->operation_count + 1, sizeof *provers);
	struct code_times *times = arena_allocate(check->arena, (size_t)check->set->operation_count + 1, sizeof *times);
	for (int t = 0; t < check->set->task_count; t++) {
		const struct task *task = &check->set->tasks[t];
		for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++) {
			const struct operation *operation = &check->set->operations[i];
			if (operation->program == NULL)
				continue;
			const char *about = arena_format(check->arena, "task:%s/op:%s@wcet", task->id, operation->id);
			provers[i] = find_prover(check, i, provers, &next);
			times[i].wcet = provers[i] != NULL ? wcet_of(provers[i], operation, &residents[i])
							   : graph_integer(check, graph_find(check, 0, RULE_PROGRAM, about));
			if (provers[i] != NULL && blocks_held(operation, &residents[i]) > 1 && !serves_in_turn(provers[i], operation))
				times[i].launch = launch_of(provers[i], operation->kernel.blocks - 1);
		}
	}
	if (next != NULL)
		check_differs(check, next, "programs", "no further program", next->name);
	return times;
}
