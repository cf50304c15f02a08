/* Ranges over the graph, then each loop by itself: what comes back to the header, and how many steps its tests let pass. */
#include "wcet/loop_turns.h"

#include "base/plant.h"
#include "wcet/dominators.h"

#include <inttypes.h>
#include <string.h>

#define JOINS 4     /* of a value, until it may be any */
#define NARROWED 3  /* sweeps that make ranges smaller again */
#define WORDS 16384 /* of constant bank 0 */
#define ROUNDS 3    /* of what follows from the bounds of other loops */
#define SETTLED 100 /* sweeps that keep what follows from what is kept; then nothing is known */

/* Registers that come back to a loop's header moved, and how far in all its turns. */
struct moves {
	int64_t bound;
	bool any[CELL_PREDICATE], needed[CELL_PREDICATE];
	struct range sums[CELL_PREDICATE];
};

struct finder {
	const struct flow *flow;
	const struct program *program;
	struct loop_turns *turns;
	const struct cells *overwritten;
	struct range constant[CELL_PREDICATE]; /* of a uniform register: what all instructions that write it load; any */
	struct dominators before;
	struct registers *entry;  /* of a block */
	struct registers *inside; /* the same in one loop, from its header on */
	int *made_at;             /* of a block whose branch tests a predicate that it does not write: the block that made it; NO_ID */
	struct cells *between;    /* and what may be written from the end of that block on */
	unsigned char (*joins)[CELL_PREDICATE + FORMULA_CONSTANTS + 1 + IMPLICATIONS];
	struct registers known; /* at the entry, where any word may be anywhere */
	struct moves **moves;   /* of a block that is the header of a loop with a bound; NULL */
	bool *untrue;           /* of a header: its loop's bound was more than it had been taken for */
	bool *body;             /* of the loop */
	struct cells **written; /* of a block that is a loop's header: what the loop may write; NULL */
	bool *seen;             /* before a test, back to where its predicate is made */
	struct cells *need;     /* of a block: what is needed at its beginning */
	int *stack;
	int item_capacity, fact_capacity, constant_capacity, implied_capacity;
};

/* ---- blocks */

/* What another part of the warp may have written meanwhile. */
static void overwrite(const struct finder *finder, int block, struct registers *registers)
{
	const struct cells *cells = &finder->overwritten[block];
	for (int cell = CELL_UNIFORM; cell < CELL_PREDICATE; cell++)
		if (cells_has(cells, cell))
			registers->cells[cell] = value_of_range(range_join(registers->cells[cell].range, finder->constant[cell]));
	for (int cell = CELL_UNIFORM_PREDICATE; cell < CELL_COUNT; cell++)
		if (cells_has(cells, cell))
			registers->predicates[cell - CELL_PREDICATE].known = false;
	for (int cell = CELL_UNIFORM; cell < CELL_PREDICATE; cell++)
		if (cells_has(cells, cell))
			values_forget(registers, cell);
}

static bool is_clear(const struct cells *cells)
{
	uint64_t any = 0;
	for (int w = 0; w < CELL_WORDS; w++)
		any |= cells->words[w];
	return any == 0;
}

static void run_block(const struct finder *finder, int block, struct registers *registers)
{
	const struct program_block *of = &finder->program->blocks[block];
	bool alone = is_clear(&finder->overwritten[block]);
	for (int i = 0; i < CELL_COUNT - CELL_PREDICATE; i++)
		registers->predicates[i] = (struct comparison){.left_cell = NO_ID, .right_cell = NO_ID};
	values_forget_mirrors(registers);
	for (int i = of->first; i < of->first + of->count; i++) {
		if (!alone)
			overwrite(finder, block, registers);
		values_execute(finder->program, i, registers);
	}
	if (!alone)
		overwrite(finder, block, registers);
}

static const struct program_instruction *last_of(const struct finder *finder, int block)
{
	const struct program_block *of = &finder->program->blocks[block];
	return of->count > 0 ? &finder->program->instructions[of->first + of->count - 1] : NULL;
}

/* Where a branch or an end goes if its guard says yes; NO_ID: it is no such branch of two ways. */
static int taken_of(const struct finder *finder, int block)
{
	const struct flow *flow = finder->flow;
	const struct program_instruction *last = last_of(finder, block), *next = last + 1;
	if (flow_successors(flow, block) != 2 || last == NULL || last->guard == NULL ||
		next >= finder->program->instructions + finder->program->instruction_count || next->address != last->address + 16)
		return NO_ID;
	bool branch = (strcmp(last->mnemonic, "BRA") == 0 || strcmp(last->mnemonic, "CALL.REL.NOINC") == 0) && last->operand_count == 1;
	bool end = strcmp(last->mnemonic, "EXIT") == 0 && last->operand_count == 0;
	int one = flow->edges[flow->out[flow->first_out[block]]].to, other = flow->edges[flow->out[flow->first_out[block] + 1]].to;
	if ((!branch && !end) || one == other || (next->block != one && next->block != other))
		return NO_ID;
	int taken = next->block == one ? other : one;
	return end && taken != flow->block_count ? NO_ID : taken;
}

/* One side of a comparison in another block: of its register if nobody wrote it since, and of constants. */
static void refine_side(struct registers *registers, struct value *side, int *cell, const struct cells *written)
{
	if (*cell != NO_ID && cells_has(written, *cell) && !planted(PLANT_SAID_OF_OLD))
		*cell = NO_ID;
	if (*cell != NO_ID)
		side->range = registers->cells[*cell].range;
}

static void refine_kept(struct registers *registers, const struct comparison *comparison, bool holds, const struct cells *written)
{
	struct comparison left = *comparison, right = *comparison;
	left.right_cell = right.left_cell = NO_ID;
	left.right.formula = right.left.formula = 0;
	left.left.mirror.of = left.right.mirror.of = right.left.mirror.of = right.right.mirror.of = 0; /* they are of that block */
	refine_side(registers, &left.left, &left.left_cell, written);
	refine_side(registers, &right.right, &right.right_cell, written);
	values_refine(registers, &left, holds);
	values_refine(registers, &right, holds);
}

/* `entry`: what is known at the beginning of each block. */
static struct registers behind(
	const struct finder *finder, const struct registers *entry, const struct registers *at_end, int block, int to)
{
	struct registers registers = *at_end, made;
	bool negated;
	int taken = taken_of(finder, block), maker = finder->made_at[block];
	const struct comparison *comparison = taken != NO_ID ? values_guard(last_of(finder, block), &registers, &negated) : NULL;
	if (comparison != NULL)
		values_refine(&registers, comparison, (to == taken) != negated);
	if (taken != NO_ID)
		values_imply(&registers, last_of(finder, block), to == taken);
	if (maker != NO_ID && entry[maker].reached) {
		made = entry[maker];
		run_block(finder, maker, &made);
		comparison = values_guard(last_of(finder, block), &made, &negated);
		if (comparison != NULL)
			refine_kept(&registers, comparison, (to == taken) != negated, &finder->between[block]);
	}
	for (int i = 0; i < finder->known.implications->count; i++)
		registers.implied[i].range = values_implied(&registers, i);
	return registers;
}

/* ---- ranges over the whole program */

static bool join_constants(const struct finder *finder, struct registers *there, const struct registers *more, unsigned char *joins)
{
	bool changed = false;
	for (int i = 1; i < finder->known.formulas->constants; i++) {
		struct range both = range_join(there->constants[i], more->constants[i]);
		if (range_equal(both, there->constants[i]))
			continue;
		changed = true;
		there->constants[i] = joins != NULL && ++joins[CELL_PREDICATE + i] > JOINS ? finder->known.constants[i] : both;
	}
	return changed;
}

static bool join_implied(const struct finder *finder, struct registers *there, const struct registers *more, unsigned char *joins)
{
	bool changed = false;
	for (int i = 0; i < finder->known.implications->count; i++) {
		const struct implied *one = &there->implied[i], *other = &more->implied[i];
		struct implied both = {one->never && other->never, other->range};
		if (!one->never)
			both.range = other->never ? one->range : range_join(one->range, other->range);
		if (both.never == one->never && (both.never || range_equal(both.range, one->range)))
			continue;
		changed = true;
		if (joins != NULL && ++joins[CELL_PREDICATE + FORMULA_CONSTANTS + 1 + i] > JOINS)
			both.range = range_any;
		there->implied[i] = both;
	}
	return changed;
}

static bool join_cells(const struct finder *finder, struct registers *there, const struct registers *more, unsigned char *joins)
{
	if (!there->reached) {
		*there = *more;
		there->reached = true;
		return true;
	}
	bool changed = join_implied(finder, there, more, joins);
	changed |= join_constants(finder, there, more, joins);
	for (int cell = 0; cell < CELL_PREDICATE; cell++) {
		struct value both = value_join(&there->cells[cell], &more->cells[cell]);
		if (value_equal(&both, &there->cells[cell]))
			continue;
		changed = true;
		there->cells[cell] = both;
		if (joins != NULL && ++joins[cell] > JOINS) /* rests become less often than that by themselves */
			there->cells[cell] = (struct value){.range = range_any, .base = NO_ID, .rest = both.rest, .formula = both.formula};
	}
	return changed;
}

static bool is_back(const struct finder *finder, const struct flow_edge *edge, int header)
{
	return edge->to == header && edge->from != NO_ID && dominators_hold(&finder->before, header, edge->from);
}

/* Of all registers what they are when control comes back to the header, or comes to it from outside, by what is known in `states`. */
static struct registers arriving_all(
	const struct finder *finder, const struct registers *entry, const struct registers *states, int header, bool back)
{
	const struct flow *flow = finder->flow;
	struct registers all = {.reached = false};
	for (int i = flow->first_in[header]; i < flow->first_in[header + 1]; i++) {
		const struct flow_edge *edge = &flow->edges[flow->in[i]];
		if (is_back(finder, edge, header) != back || (edge->from != NO_ID && !states[edge->from].reached))
			continue;
		struct registers registers = finder->known;
		if (edge->from != NO_ID) {
			struct registers at_end = states[edge->from];
			run_block(finder, edge->from, &at_end);
			registers = behind(finder, entry, &at_end, edge->from, header);
		}
		join_cells(finder, &all, &registers, NULL);
	}
	return all;
}

static int64_t width(struct range range)
{
	return range.most - range.least;
}

/* What all turns may have moved a register by, where that says no less than what it is when control comes back; at
 * once, where ranges are made larger. */
static void limit_moved(const struct finder *finder, const struct registers *from, int header, bool widen, struct registers *back)
{
	const struct moves *moves = finder->moves[header];
	struct registers first = arriving_all(finder, from, from, header, false);
	for (int cell = 0; cell < CELL_PREDICATE && first.reached; cell++) {
		if (!moves->any[cell])
			continue;
		struct range own = first.cells[cell].range, range = range_add(own, moves->sums[cell]);
		bool less = width(range_join(own, range)) <= width(range_join(own, back->cells[cell].range));
		if (!range_is_any(range) && (widen || less)) {
			back->cells[cell].range = range;
			back->cells[cell] = value_fitted(back->cells[cell], back->cells[cell].rest);
		}
	}
}

/* From what was there, or from what follows from `from`, to `to`. */
static bool sweep(struct finder *finder, const struct registers *from, struct registers *to, bool widen)
{
	const struct flow *flow = finder->flow;
	bool changed = false;
	for (int b = 0; b < flow->block_count; b++) {
		if (!from[b].reached)
			continue;
		struct registers at_end = from[b];
		run_block(finder, b, &at_end);
		for (int i = flow->first_out[b]; i < flow->first_out[b + 1]; i++) {
			int next = flow->edges[flow->out[i]].to;
			if (next == flow->block_count)
				continue;
			struct registers registers = behind(finder, from, &at_end, b, next);
			bool moved = finder->moves[next] != NULL && is_back(finder, &flow->edges[flow->out[i]], next);
			if (moved)
				limit_moved(finder, from, next, widen, &registers);
			changed |= join_cells(finder, &to[next], &registers, widen ? finder->joins[next] : NULL);
		}
	}
	return changed;
}

static struct registers *apply(struct finder *finder, const struct registers *from)
{
	struct registers *to = arena_allocate(finder->flow->arena, (size_t)finder->flow->block_count, sizeof *to);
	to[0] = finder->known;
	sweep(finder, from, to, false);
	return to;
}

/* What does not follow from the rest may be any. */
static bool settle(struct finder *finder, struct registers *entry)
{
	const struct registers *next = apply(finder, entry);
	bool changed = false;
	for (int b = 0; b < finder->flow->block_count; b++) {
		for (int i = 0; i < finder->known.implications->count && entry[b].reached; i++) {
			const struct implied *kept = &entry[b].implied[i], *now = &next[b].implied[i];
			if (now->never || (!kept->never && range_within(now->range, kept->range)))
				continue;
			if (!kept->never && range_is_any(kept->range))
				continue;
			entry[b].implied[i] = (struct implied){false, range_any};
			changed = true;
		}
		for (int i = 1; i < finder->known.formulas->constants && entry[b].reached; i++) {
			if (range_within(next[b].constants[i], entry[b].constants[i]))
				continue;
			entry[b].constants[i] = finder->known.constants[i];
			changed = true;
		}
		for (int cell = 0; cell < CELL_PREDICATE && entry[b].reached; cell++) {
			if (range_within(next[b].cells[cell].range, entry[b].cells[cell].range) &&
				rest_within(next[b].cells[cell].rest, entry[b].cells[cell].rest) &&
				(entry[b].cells[cell].formula == 0 || entry[b].cells[cell].formula == next[b].cells[cell].formula))
				continue;
			entry[b].cells[cell] = value_of_range(range_any);
			changed = true;
		}
	}
	return changed;
}

/* Each block anew from those before it, in place, so that what is narrower at one is at those behind it at once. What no block of a loop
 * writes is at its header what it is when control comes to that from outside. */
static void narrow(const struct finder *finder, struct registers *entry)
{
	const struct flow *flow = finder->flow;
	for (int b = 1; b < flow->block_count; b++) {
		if (!entry[b].reached)
			continue;
		struct registers first = arriving_all(finder, entry, entry, b, false), all = first;
		for (int i = flow->first_in[b]; i < flow->first_in[b + 1]; i++) {
			const struct flow_edge *edge = &flow->edges[flow->in[i]];
			if (!is_back(finder, edge, b) || !entry[edge->from].reached)
				continue;
			struct registers at_end = entry[edge->from];
			run_block(finder, edge->from, &at_end);
			struct registers registers = behind(finder, entry, &at_end, edge->from, b);
			if (finder->moves[b] != NULL)
				limit_moved(finder, entry, b, false, &registers);
			join_cells(finder, &all, &registers, NULL);
		}
		for (int cell = 0; cell < CELL_PREDICATE && first.reached && finder->written[b] != NULL; cell++)
			if (!cells_has(finder->written[b], cell))
				all.cells[cell] = first.cells[cell];
		if (all.reached)
			entry[b] = all;
	}
}

static bool find_ranges(struct finder *finder)
{
	size_t blocks = (size_t)finder->flow->block_count;
	struct registers *entry = arena_allocate(finder->flow->arena, blocks, sizeof *entry);
	memset(finder->joins, 0, blocks * sizeof *finder->joins);
	entry[0] = finder->known;
	while (sweep(finder, entry, entry, true))
		;
	for (int i = 0; i < NARROWED; i++)
		narrow(finder, entry);
	finder->entry = entry;
	for (int i = 0; i < SETTLED; i++)
		if (!settle(finder, entry))
			return true;
	return false;
}

/* Uniform registers that only constants are loaded into, by instructions without more. */
static void find_constants(struct finder *finder)
{
	struct registers registers;
	bool any[CELL_PREDICATE] = {false};
	for (int cell = 0; cell < CELL_PREDICATE; cell++)
		finder->constant[cell] = range_any;
	for (int i = 0; i < finder->program->instruction_count; i++) {
		const struct program_instruction *instruction = &finder->program->instructions[i];
		if (instruction->block == NO_ID)
			continue;
		registers = finder->known;
		values_execute(finder->program, i, &registers);
		for (int cell = CELL_UNIFORM; cell < CELL_PREDICATE; cell++) {
			if (!cells_has(&instruction->writes, cell) && !cells_has(&instruction->may_write, cell))
				continue;
			finder->constant[cell] =
				any[cell] ? range_join(finder->constant[cell], registers.cells[cell].range) : registers.cells[cell].range;
			any[cell] = true;
		}
	}
}

/* ---- one loop */

/* What comes to the header again without passing it. */
static bool find_body(struct finder *finder, int header)
{
	const struct flow *flow = finder->flow;
	int depth = 0;
	memset(finder->body, 0, (size_t)flow->block_count * sizeof *finder->body);
	for (int i = flow->first_in[header]; i < flow->first_in[header + 1]; i++) {
		const struct flow_edge *edge = &flow->edges[flow->in[i]];
		if (!is_back(finder, edge, header))
			continue;
		if (!finder->body[edge->from] && edge->from != header)
			finder->stack[depth++] = edge->from;
		finder->body[edge->from] = finder->body[header] = true;
	}
	bool any = depth > 0 || finder->body[header];
	while (depth > 0) {
		int block = finder->stack[--depth];
		for (int i = flow->first_in[block]; i < flow->first_in[block + 1]; i++) {
			int from = flow->edges[flow->in[i]].from;
			if (from == NO_ID || finder->body[from])
				continue;
			finder->body[from] = true;
			finder->stack[depth++] = from;
		}
	}
	return any;
}

/* The ranges are the program's: those of the loop may only be larger. */
static void take_ranges(const struct finder *finder, int block, struct registers *registers)
{
	for (int cell = 0; cell < CELL_PREDICATE; cell++) {
		registers->cells[cell].range = finder->entry[block].cells[cell].range;
		registers->cells[cell].rest = finder->entry[block].cells[cell].rest;
		registers->cells[cell].formula = finder->entry[block].cells[cell].formula;
	}
	memcpy(registers->constants, finder->entry[block].constants, sizeof registers->constants);
	memcpy(registers->implied, finder->entry[block].implied, sizeof registers->implied);
}

static bool sweep_loop(struct finder *finder, int header)
{
	const struct flow *flow = finder->flow;
	bool changed = false;
	for (int b = 0; b < flow->block_count; b++) {
		if (!finder->body[b] || !finder->inside[b].reached)
			continue;
		struct registers at_end = finder->inside[b];
		run_block(finder, b, &at_end);
		for (int i = flow->first_out[b]; i < flow->first_out[b + 1]; i++) {
			int next = flow->edges[flow->out[i]].to;
			if (next == flow->block_count || next == header || !finder->body[next])
				continue;
			struct registers registers = behind(finder, finder->entry, &at_end, b, next);
			take_ranges(finder, next, &registers);
			changed |= join_cells(finder, &finder->inside[next], &registers, finder->joins[next]);
			take_ranges(finder, next, &finder->inside[next]);
		}
	}
	return changed;
}

static void follow_loop(struct finder *finder, int header)
{
	size_t blocks = (size_t)finder->flow->block_count;
	for (size_t b = 0; b < blocks; b++)
		finder->inside[b].reached = false;
	memset(finder->joins, 0, blocks * sizeof *finder->joins);
	struct registers *first = &finder->inside[header];
	*first = finder->entry[header];
	for (int cell = 0; cell < CELL_PREDICATE; cell++)
		first->cells[cell] = (struct value){.form = VALUE_MOVED, .base = cell};
	take_ranges(finder, header, first);
	while (sweep_loop(finder, header))
		;
}

/* What a register is when control comes back to the header, or comes to it from outside. */
static struct value arriving(const struct finder *finder, int header, int cell, bool back)
{
	struct registers all = arriving_all(finder, finder->entry, back ? finder->inside : finder->entry, header, back);
	return all.reached ? all.cells[cell] : value_of_range(range_any);
}

/* ---- how often a test lets pass */

struct test {
	int counter;
	enum relation relation; /* in which the tested stands to the limit where the loop goes on */
	bool is_signed;
	struct value tested, limit, again; /* again: the counter, as control comes back */
	struct range first;                /* the counter as the loop is entered */
	struct rest first_rest;
	struct range all; /* numbers of the type */
	bool last;        /* the tested one is the counter as control comes back, not only of the same form */
};

static int64_t steps(int64_t distance, int64_t step)
{
	return distance < 0 ? 0 : distance / step + 1;
}

/* Is every distance from the first word to the limit a multiple of the step? */
static bool meets(const struct test *test, struct range distance, int64_t size)
{
	struct rest from = rest_add(test->first_rest, rest_of(test->tested.offset.least - test->limit.range.least));
	bool exact = test->tested.offset.least == test->tested.offset.most;
	if (distance.least == distance.most)
		return distance.least % size == 0;
	return exact && (size & (size - 1)) == 0 && rest_within(from, (struct rest){__builtin_ctzll((uint64_t)size), 0});
}

static struct range first_tested(const struct test *test)
{
	struct range at = test->tested.offset;
	return range_from(test->first.least + at.least, test->first.most + at.most);
}

static bool goes_up(const struct test *test)
{
	return test->again.offset.least > 0;
}

static int64_t stride(const struct test *test)
{
	return goes_up(test) ? test->again.offset.least : -test->again.offset.most;
}

/* From the first one tested to the number that it is compared with, in the direction of the step. */
static struct range distances(const struct test *test)
{
	struct range first = first_tested(test);
	int64_t limit = test->limit.range.least;
	return range_as(
		goes_up(test) ? range_from(limit - first.most, limit - first.least) : range_from(first.least - limit, first.most - limit),
		false);
}

/* How far the first one tested is at most from the last one that passes. */
static int64_t room(const struct test *test)
{
	if (test->relation == RELATION_DIFFERENT)
		return distances(test).most - stride(test);
	struct range within = relation_range(test->relation, test->limit.range, test->is_signed);
	struct range first = range_as(first_tested(test), test->is_signed);
	return goes_up(test) ? within.most - checked_max(within.least, first.least) : checked_min(within.most, first.most) - within.least;
}

/* Until two are equal. */
static int64_t turns_to_equal(const struct test *test)
{
	int64_t step = test->again.offset.least, limit = test->limit.range.least;
	int64_t size = step < 0 ? -step : step;
	if (step != test->again.offset.most || step == 0 || limit != test->limit.range.most)
		return NONE;
	struct range distance = distances(test);
	if (distance.most - distance.least == RANGE_WORDS - 1) /* once around: nobody could wait for that */
		return NONE;
	return size == 1 || meets(test, distance, size) || planted(PLANT_MEETS_ANYHOW) ? steps(room(test), size) : NONE;
}

static int64_t turns_of_steps(const struct test *test)
{
	struct range step = test->again.offset, at = test->tested.offset;
	if (test->again.form != VALUE_MOVED || test->tested.form != VALUE_MOVED || (at.least != at.most && !test->last))
		return NONE;
	if (test->relation == RELATION_DIFFERENT)
		return turns_to_equal(test);
	struct range within = relation_range(test->relation, test->limit.range, test->is_signed);
	bool wraps = !planted(PLANT_NEVER_WRAPS);
	if (step.least > 0 && (!wraps || within.most + step.most <= test->all.most))
		return steps(room(test), step.least);
	if (step.most < 0 && (!wraps || within.least + step.least >= test->all.least))
		return steps(room(test), -step.most);
	return NONE;
}

/* Is the tested one the counter as it was, or as it is going to be? */
static bool is_counter(const struct test *test)
{
	const struct value *tested = &test->tested;
	bool before = tested->form == VALUE_MOVED && tested->offset.least == 0 && tested->offset.most == 0;
	bool after = tested->form == test->again.form && tested->shift == test->again.shift;
	return before || after;
}

/* What is halved, rounded down, each turn. */
static int64_t turns_of_halves(const struct test *test, struct range header)
{
	struct range within = relation_range(test->relation, test->limit.range, test->is_signed);
	bool halved = test->again.form == VALUE_HALVED, positive = range_as(header, true).least >= 0;
	bool zero = test->limit.range.least == 0 && test->limit.range.most == 0;
	int64_t turns = 0;
	if ((!halved && test->again.form != VALUE_SHIFTED) || test->again.shift < 1 || !is_counter(test))
		return NONE;
	if (halved && !positive && (!test->is_signed || test->tested.form != VALUE_MOVED))
		return NONE;
	if (test->relation == RELATION_DIFFERENT && zero && (!halved || positive))
		within = (struct range){1, UINT32_MAX};
	if (within.least < 1)
		return NONE;
	struct range most = range_as(test->first, false); /* of what is not negative */
	for (int64_t at = checked_min(within.most, most.most); at >= within.least; at >>= test->again.shift)
		turns++;
	return turns;
}

static int64_t turns_of_doubles(const struct test *test)
{
	struct range within = relation_range(test->relation, test->limit.range, test->is_signed);
	struct range first = range_as(test->first, test->is_signed);
	int64_t turns = 0, highest = test->all.most >> test->again.shift;
	if (test->again.form != VALUE_DOUBLED || test->again.shift < 1 || !is_counter(test) || test->relation == RELATION_DIFFERENT)
		return NONE;
	if (first.least < 1 || (within.most > highest && !planted(PLANT_NEVER_WRAPS)))
		return NONE;
	if (test->tested.form == VALUE_DOUBLED && first.most > highest) /* the first one tested may have lost its upper bits */
		return NONE;
	for (int64_t at = first.least; at <= within.most; at <<= test->again.shift)
		turns++;
	return turns;
}

/* Do all ways back to the header come from the block? */
static bool is_latch(const struct finder *finder, int header, int block)
{
	const struct flow *flow = finder->flow;
	for (int i = flow->first_in[header]; i < flow->first_in[header + 1]; i++)
		if (is_back(finder, &flow->edges[flow->in[i]], header) && flow->edges[flow->in[i]].from != block)
			return false;
	return true;
}

/* Of the loop that was followed last, whose inside is `inside`; false: the side is no counter. */
static bool read_test(const struct finder *finder, int header, const struct comparison *comparison, bool holds, bool swapped, bool latch,
	struct test *into)
{
	struct test test = {
		.relation = holds ? comparison->relation : relation_not(comparison->relation), .is_signed = comparison->is_signed};
	if (!(holds ? comparison->if_true : comparison->if_false))
		return false;
	test.relation = swapped ? relation_swapped(test.relation) : test.relation;
	test.tested = swapped ? comparison->right : comparison->left;
	test.limit = swapped ? comparison->left : comparison->right;
	test.all = test.is_signed ? range_any : (struct range){0, UINT32_MAX};
	test.counter = test.tested.base;
	test.last = latch && (swapped ? comparison->right_cell : comparison->left_cell) == test.counter;
	if (test.tested.form == VALUE_ANY)
		return false;
	test.again = arriving(finder, header, test.counter, true);
	struct value first = arriving(finder, header, test.counter, false);
	test.first = first.range;
	test.first_rest = first.rest;
	*into = test;
	return test.again.form != VALUE_ANY && test.again.base == test.counter;
}

static int64_t turns_of(const struct finder *finder, int header, const struct test *test)
{
	int64_t turns = turns_of_steps(test);
	turns = turns != NONE ? turns : turns_of_halves(test, finder->entry[header].cells[test->counter].range);
	return turns != NONE ? turns : turns_of_doubles(test);
}

/* Does every turn pass the block's end, and does one of its two ways leave the loop? `stays`: the other. */
static bool is_test(const struct finder *finder, int header, int block, int *stays)
{
	const struct flow *flow = finder->flow;
	int inside = 0;
	if (!finder->body[block] || taken_of(finder, block) == NO_ID)
		return false;
	for (int i = flow->first_out[block]; i < flow->first_out[block + 1]; i++) {
		int to = flow->edges[flow->out[i]].to;
		if (to == flow->block_count || !finder->body[to])
			continue;
		*stays = to;
		inside++;
	}
	for (int i = flow->first_in[header]; i < flow->first_in[header + 1]; i++) {
		const struct flow_edge *edge = &flow->edges[flow->in[i]];
		if (is_back(finder, edge, header) && !dominators_hold(&finder->before, block, edge->from))
			return false;
	}
	return inside == 1;
}

/* ---- where its predicate is made */

static bool writes_any(const struct program_instruction *instruction, const struct cells *cells)
{
	return cells_meet(&instruction->writes, cells) || cells_meet(&instruction->may_write, cells);
}

static void add_written(const struct finder *finder, int block, struct cells *cells)
{
	const struct program_block *of = &finder->program->blocks[block];
	cells_unite(cells, &finder->overwritten[block]);
	for (int i = of->first; i < of->first + of->count; i++) {
		cells_unite(cells, &finder->program->instructions[i].writes);
		cells_unite(cells, &finder->program->instructions[i].may_write);
	}
}

static bool block_writes(const struct finder *finder, int block, const struct cells *cells)
{
	const struct program_block *of = &finder->program->blocks[block];
	for (int i = of->first; i < of->first + of->count; i++)
		if (writes_any(&finder->program->instructions[i], cells))
			return true;
	return false;
}

/* The only block that, in the same turn, may have written last the predicate of the block's branch; NO_ID: there is no such one. */
static int find_compared(const struct finder *finder, int header, int block)
{
	const struct flow *flow = finder->flow;
	struct cells read = last_of(finder, block)->reads;
	int depth = 0, found = NO_ID;
	if (block_writes(finder, block, &read))
		return block;
	memset(finder->seen, 0, (size_t)flow->block_count * sizeof *finder->seen);
	finder->stack[depth++] = block;
	finder->seen[block] = true;
	while (depth > 0) {
		int at = finder->stack[--depth];
		if (at == header || cells_meet(&finder->overwritten[at], &read))
			return NO_ID;
		for (int i = flow->first_in[at]; i < flow->first_in[at + 1]; i++) {
			int from = flow->edges[flow->in[i]].from;
			if (from == NO_ID || finder->seen[from])
				continue;
			finder->seen[from] = true;
			if (!block_writes(finder, from, &read))
				finder->stack[depth++] = from;
			else if (found == NO_ID || planted(PLANT_TEST_OF_ANY_WAY))
				found = from;
			else
				return NO_ID;
		}
	}
	return found != NO_ID && !cells_meet(&finder->overwritten[found], &read) ? found : NO_ID;
}

/* The block that made the predicate of the block's branch, if it is another one, whatever the way there. */
static void find_made(struct finder *finder, int block)
{
	const struct flow *flow = finder->flow;
	int depth = 0, found = NO_ID;
	if (taken_of(finder, block) == NO_ID || block_writes(finder, block, &last_of(finder, block)->reads))
		return;
	struct cells read = last_of(finder, block)->reads, *between = &finder->between[block];
	memset(finder->seen, 0, (size_t)flow->block_count * sizeof *finder->seen);
	finder->stack[depth++] = block;
	finder->seen[block] = true;
	while (depth > 0) {
		int at = finder->stack[--depth];
		add_written(finder, at, between);
		for (int i = flow->first_in[at]; i < flow->first_in[at + 1]; i++) {
			int from = flow->edges[flow->in[i]].from;
			bool makes = from != NO_ID && block_writes(finder, from, &read);
			if (from == NO_ID || (makes && found != NO_ID && found != from))
				return;
			if (!makes && !finder->seen[from])
				finder->stack[depth++] = from;
			finder->seen[from] = true;
			found = makes ? from : found;
		}
	}
	bool kept = found != NO_ID && !cells_meet(&finder->overwritten[found], &read) && !cells_meet(between, &read);
	finder->made_at[block] = kept ? found : NO_ID;
}

/* ---- what is needed for it */

static void add_predicates(const struct finder *finder, int block, struct cells *need)
{
	const struct program_instruction *last = last_of(finder, block);
	if (last != NULL && last->decides && taken_of(finder, block) != NO_ID)
		cells_unite(need, &last->reads);
}

/* The predicates that are made there for branches of other blocks. */
static void add_made(const struct finder *finder, int block, struct cells *need)
{
	for (int b = 0; b < finder->flow->block_count; b++)
		if (finder->made_at[b] == block && !is_clear(&finder->need[b]))
			cells_unite(need, &last_of(finder, b)->reads);
}

_Static_assert(CELL_COUNT + FORMULA_CONSTANTS < 64 * CELL_WORDS, "constants behind the cells of a set");

static int needed_constant(int constant)
{
	return CELL_COUNT + constant;
}

/* The constants of which needed registers are functions: behind the cells in the set, as what tests say of them everywhere counts. */
static void add_constants(const struct finder *finder, int block, struct cells *need)
{
	const struct formulas *formulas = finder->known.formulas;
	for (int cell = 0; cell < CELL_PREDICATE && finder->entry[block].reached; cell++) {
		int formula = cells_has(need, cell) ? finder->entry[block].cells[cell].formula : 0;
		while (formulas->items[formula].of > 0)
			formula = formulas->items[formula].of;
		if (formula > 0)
			cells_add(need, needed_constant(formula));
	}
}

static void add_constant(const struct finder *finder, int offset, struct cells *need, bool *words)
{
	int constant = formulas_constant(finder->known.formulas, offset);
	if (words != NULL && offset < 4 * WORDS)
		words[offset / 4] = true;
	if (constant > 0)
		cells_add(need, needed_constant(constant));
}

/* Backwards through a block; predicates are known within it only. `words`: constants that are met. */
static struct cells need_before(struct finder *finder, int block, struct cells need, bool *words)
{
	const struct program_block *of = &finder->program->blocks[block];
	for (int i = of->first + of->count - 1; i >= of->first; i--) {
		const struct program_instruction *instruction = &finder->program->instructions[i];
		bool implies = values_implies(&finder->known, instruction, &need);
		int once = values_once(&finder->known, i);
		bool makes = once > 0 && cells_has(&need, needed_constant(once));
		if (!writes_any(instruction, &need) && !implies && !makes)
			continue;
		finder->turns->once[once] = once > 0 && (finder->turns->once[once] || words == NULL);
		for (int w = 0; w < CELL_WORDS && instruction->guard == NULL; w++)
			need.words[w] &= ~instruction->writes.words[w];
		if (once > 0)
			need.words[needed_constant(once) / 64] &= ~(UINT64_C(1) << needed_constant(once) % 64);
		if (!values_follow(instruction))
			continue;
		cells_unite(&need, &instruction->reads);
		for (int k = instruction->written_count; k < instruction->operand_count; k++) {
			int offset = values_constant_offset(instruction->operands[k]);
			bool pair = strstr(instruction->mnemonic, "LDC.64") != NULL;
			for (int half = 0; half <= pair && offset != NO_ID; half++)
				add_constant(finder, offset + 4 * half, &need, words);
		}
	}
	for (int cell = CELL_PREDICATE; cell < CELL_COUNT; cell++)
		need.words[cell / 64] &= ~(UINT64_C(1) << cell % 64);
	add_constants(finder, block, &need);
	return need;
}

/* Spreads over the program what the loop's test needs, and its counter. */
static void spread_need(struct finder *finder, const struct loop_turn *turn, bool *words)
{
	const struct flow *flow = finder->flow;
	bool changed = true;
	if (turn->counter != NO_ID)
		cells_add(&finder->need[turn->header], turn->counter);
	while (changed) {
		changed = false;
		for (int b = flow->block_count - 1; b >= 0; b--) {
			struct cells need = {{0}};
			for (int i = flow->first_out[b]; i < flow->first_out[b + 1]; i++)
				if (flow->edges[flow->out[i]].to < flow->block_count)
					cells_unite(&need, &finder->need[flow->edges[flow->out[i]].to]);
			if (!is_clear(&need) || b == turn->test)
				add_predicates(finder, b, &need);
			if (b == turn->compared)
				cells_unite(&need, &last_of(finder, turn->test)->reads);
			add_made(finder, b, &need);
			need = need_before(finder, b, need, words);
			struct cells before = finder->need[b];
			cells_unite(&finder->need[b], &need);
			changed |= memcmp(&before, &finder->need[b], sizeof before) != 0;
		}
	}
}

static void add_fact(struct finder *finder, struct value_fact **facts, int *count, int *capacity, struct value_fact fact)
{
	*facts = arena_grow(finder->flow->arena, *facts, capacity, *count + 1, sizeof **facts);
	(*facts)[(*count)++] = fact;
}

/* Of the loop that was followed last. */
static void keep_loop_facts(struct finder *finder, int header, struct value_fact **facts, int *count)
{
	int capacity = 0;
	*facts = NULL;
	*count = 0;
	for (int b = 0; b < finder->flow->block_count; b++)
		for (int cell = 0; cell < CELL_PREDICATE && finder->body[b] && b != header; cell++)
			if (finder->inside[b].reached && cells_has(&finder->need[b], cell) &&
				finder->inside[b].cells[cell].form != VALUE_ANY)
				add_fact(finder, facts, count, &capacity, (struct value_fact){b, cell, finder->inside[b].cells[cell]});
}

static bool says_anything(const struct value *value)
{
	return !range_is_any(value->range) || value->rest.bits > 0 || value->formula > 0;
}

static void keep_constants(struct finder *finder, int block)
{
	const struct registers *entry = &finder->entry[block];
	for (int i = 1; i < finder->known.formulas->constants && entry->reached; i++)
		if (cells_has(&finder->need[block], needed_constant(i)) && !range_equal(entry->constants[i], finder->known.constants[i]))
			add_fact(finder, &finder->turns->constants, &finder->turns->constant_count, &finder->constant_capacity,
				(struct value_fact){
					block, (int)finder->known.formulas->items[i].number, value_of_range(entry->constants[i])});
}

static bool is_needed(const struct finder *finder, int cell)
{
	bool any = false;
	for (int b = 0; b < finder->flow->block_count; b++)
		any = any || cells_has(&finder->need[b], cell);
	return any;
}

/* That a predicate is not true follows from that alone, whether its register is needed there or not. */
static void keep_implied(struct finder *finder, int block)
{
	const struct registers *entry = &finder->entry[block];
	for (int i = 0; i < finder->known.implications->count && entry->reached; i++) {
		int cell = finder->known.implications->cells[i];
		bool never = entry->implied[i].never, says = never || !range_is_any(entry->implied[i].range);
		if (!says || !(never ? is_needed(finder, cell) : cells_has(&finder->need[block], cell)))
			continue;
		finder->turns->implied = arena_grow(finder->flow->arena, finder->turns->implied, &finder->implied_capacity,
			finder->turns->implied_count + 1, sizeof *finder->turns->implied);
		finder->turns->implied[finder->turns->implied_count++] =
			(struct implied_fact){block, finder->known.implications->predicates[i] - CELL_PREDICATE, cell, entry->implied[i]};
	}
}

static void keep_ranges(struct finder *finder)
{
	for (int b = 1; b < finder->flow->block_count; b++)
		keep_implied(finder, b);
	for (int b = 1; b < finder->flow->block_count; b++)
		keep_constants(finder, b);
	for (int b = 1; b < finder->flow->block_count; b++)
		for (int cell = 0; cell < CELL_PREDICATE; cell++)
			if (finder->entry[b].reached && cells_has(&finder->need[b], cell) && says_anything(&finder->entry[b].cells[cell]))
				add_fact(finder, &finder->turns->facts, &finder->turns->fact_count, &finder->fact_capacity,
					(struct value_fact){b, cell, finder->entry[b].cells[cell]});
}

/* ---- all loops */

static bool is_declared(const struct program *program, int64_t offset)
{
	for (int i = 0; i < program->word_count; i++)
		if (program->words[i].offset == offset)
			return program->words[i].line > 0 || offset < 12; /* the block's extents are known */
	return false;
}

/* The words that are not declared, as a list; NULL: all are. */
static const char *ask(const struct finder *finder, const bool *words)
{
	const char *list = NULL;
	for (int i = 0; i < WORDS; i++)
		if (words[i] && !is_declared(finder->program, 4 * (int64_t)i))
			list = arena_format(
				finder->flow->arena, "%s%s0x%x", list != NULL ? list : "", list != NULL ? ", " : "", 4 * (unsigned)i);
	return list;
}

static const char *name_of(const struct finder *finder, int cell)
{
	bool uniform = cell >= CELL_UNIFORM;
	return arena_format(finder->flow->arena, uniform ? "UR%d" : "R%d", cell - (uniform ? CELL_UNIFORM : 0));
}

static const char *say(const struct finder *finder, const struct loop_turn *turn)
{
	struct value again = arriving(finder, turn->header, turn->counter, true);
	struct arena *arena = finder->flow->arena;
	const char *name = name_of(finder, turn->counter);
	unsigned address = (unsigned)last_of(finder, turn->test)->address;
	if (again.form == VALUE_DOUBLED)
		return arena_format(arena, "%s is multiplied by %d each turn, until the test at 0x%04x", name, 1 << again.shift, address);
	if (again.form != VALUE_MOVED)
		return arena_format(arena, "%s is divided by %d each turn, until the test at 0x%04x", name, 1 << again.shift, address);
	return arena_format(arena, "%s moves by %" PRId64 "%s%s each turn, until the test at 0x%04x", name, again.offset.least,
		again.offset.least != again.offset.most ? " to " : "",
		again.offset.least != again.offset.most ? arena_format(arena, "%" PRId64, again.offset.most) : "", address);
}

/* The comparison that the test goes by, by what is known in the loop that was followed last. */
static const struct comparison *compare(const struct finder *finder, const struct loop_turn *turn, struct registers *at_end, bool *negated)
{
	*at_end = finder->inside[turn->compared];
	run_block(finder, turn->compared, at_end);
	return values_guard(last_of(finder, turn->test), at_end, negated);
}

/* The side of it that lets the loop come back less often; its test. */
static int64_t try_test(const struct finder *finder, const struct loop_turn *turn, int stays, struct test *best, bool *swaps)
{
	int header = turn->header, block = turn->test;
	struct registers at_end;
	bool negated, latch = turn->compared == block && is_latch(finder, header, block);
	int64_t least = NONE;
	const struct comparison *comparison = compare(finder, turn, &at_end, &negated);
	for (int swapped = 0; swapped < 2 && comparison != NULL; swapped++) {
		struct test test;
		if (!read_test(finder, header, comparison, (stays == taken_of(finder, block)) != negated, swapped == 1, latch, &test))
			continue;
		int64_t turns = turns_of(finder, header, &test);
		if (turns >= least)
			continue;
		least = turns;
		*best = test;
		*swaps = swapped == 1;
	}
	return least;
}

static void find_loop(struct finder *finder, int header)
{
	struct loop_turn best = {.header = header, .bound = NONE, .within = NO_ID};
	bool words[WORDS] = {false};
	int stays = NO_ID;
	follow_loop(finder, header);
	size_t blocks = (size_t)finder->flow->block_count;
	struct cells *kept = finder->need;
	finder->need = arena_allocate(finder->flow->arena, blocks, sizeof *finder->need);
	for (int b = 0; b < finder->flow->block_count; b++) {
		if (!is_test(finder, header, b, &stays) || !finder->inside[b].reached)
			continue;
		struct loop_turn turn = {
			.header = header, .test = b, .compared = find_compared(finder, header, b), .counter = NO_ID, .within = NO_ID};
		if (turn.compared == NO_ID)
			continue;
		spread_need(finder, &turn, words);
		struct test test;
		bool swapped;
		turn.bound = try_test(finder, &turn, stays, &test, &swapped);
		turn.counter = turn.bound == NONE ? NO_ID : test.counter;
		best = turn.bound < best.bound ? turn : best;
	}
	const char *asked = ask(finder, words);
	if (best.bound == NONE || (best.bound > LOOP_TURNS_ASKED && asked != NULL) || best.bound > INT32_MAX) {
		finder->turns->asked[header] = asked;
		finder->need = kept;
		return;
	}
	memset(finder->need, 0, blocks * sizeof *finder->need);
	spread_need(finder, &best, NULL);
	best.says = say(finder, &best);
	keep_loop_facts(finder, header, &best.facts, &best.fact_count);
	for (size_t b = 0; b < blocks; b++)
		cells_unite(&kept[b], &finder->need[b]);
	finder->need = kept;
	finder->turns->items =
		arena_grow(finder->flow->arena, finder->turns->items, &finder->item_capacity, finder->turns->count + 1, sizeof best);
	finder->turns->items[finder->turns->count++] = best;
}

/* ---- what other loops have moved */

static int64_t bound_of(const struct finder *finder, int header)
{
	for (int i = 0; i < finder->turns->count; i++)
		if (finder->turns->items[i].header == header)
			return finder->turns->items[i].bound;
	return NONE;
}

static struct range sum_of_moves(struct range offset, int64_t bound)
{
	bound -= planted(PLANT_LAST_MOVE) && bound > 0;
	return range_from(checked_min(0, checked_mul(bound, offset.least)), checked_max(0, checked_mul(bound, offset.most)));
}

/* Of the loop that was followed last: whether there is a register at its header of which more is known so. */
static bool find_moves(struct finder *finder, int header)
{
	struct registers first = arriving_all(finder, finder->entry, finder->entry, header, false);
	struct registers back = arriving_all(finder, finder->entry, finder->inside, header, true);
	struct moves moves = {.bound = bound_of(finder, header)};
	bool any = false;
	if (moves.bound == NONE || moves.bound == 0 || !first.reached || !back.reached || finder->untrue[header] ||
		finder->moves[header] != NULL)
		return false;
	for (int cell = 0; cell < CELL_PREDICATE; cell++) {
		const struct value *value = &back.cells[cell];
		struct range range = first.cells[cell].range;
		if (value->form != VALUE_MOVED || value->base != cell || range_is_any(range))
			continue;
		moves.sums[cell] = sum_of_moves(value->offset, moves.bound);
		range = range_join(range, range_add(range, moves.sums[cell]));
		moves.any[cell] = width(range) < width(finder->entry[header].cells[cell].range);
		any = any || moves.any[cell];
	}
	if (any) {
		finder->moves[header] = arena_allocate(finder->flow->arena, 1, sizeof moves);
		*finder->moves[header] = moves;
	}
	return any;
}

/* Were bounds used that are not found with them? They are not used again. */
static bool drop_untrue(struct finder *finder)
{
	bool any = false;
	for (int b = 0; b < finder->flow->block_count; b++) {
		if (finder->moves[b] == NULL || bound_of(finder, b) <= finder->moves[b]->bound)
			continue;
		finder->moves[b] = NULL;
		finder->untrue[b] = any = true;
	}
	return any;
}

static bool is_listed(const struct program *program, int header)
{
	for (int i = 0; i < program->loop_count; i++)
		if (program->loops[i].header == header)
			return true;
	return false;
}

/* The bounds do not depend on memory, whoever writes it. */
static const struct program *with_bounds(const struct finder *finder)
{
	struct arena *arena = finder->flow->arena;
	struct program *program = arena_allocate(arena, 1, sizeof *program);
	*program = *finder->program;
	size_t count = (size_t)program->loop_count;
	program->loops = arena_allocate(arena, count + (size_t)finder->turns->count, sizeof *program->loops);
	if (count > 0)
		memcpy(program->loops, finder->program->loops, count * sizeof *program->loops);
	for (int i = 0; i < finder->turns->count; i++)
		program->loops[program->loop_count++] = (struct program_loop){.header = finder->turns->items[i].header,
			.bound = finder->turns->items[i].bound,
			.polls = true,
			.follows = true,
			.within = finder->turns->items[i].within,
			.in_all = finder->turns->items[i].in_all};
	return program;
}

/* ---- loops whose turns depend on the turn of the loop around them: [NESTED-TURNS] */

/* Can control come from the loop's blocks, `own`, to them again without passing the header of the loop around it, whose body is known? */
static bool enters_again(const struct finder *finder, const bool *own, int outer)
{
	const struct flow *flow = finder->flow;
	int depth = 0;
	memset(finder->seen, 0, (size_t)flow->block_count * sizeof *finder->seen);
	for (int b = 0; b < flow->block_count; b++)
		if (own[b]) {
			finder->seen[b] = true;
			finder->stack[depth++] = b;
		}
	while (depth > 0) {
		int at = finder->stack[--depth];
		for (int i = flow->first_out[at]; i < flow->first_out[at + 1]; i++) {
			int to = flow->edges[flow->out[i]].to;
			if (to == flow->block_count || to == outer || !finder->body[to])
				continue;
			if (own[to] && !own[at])
				return true;
			if (!finder->seen[to])
				finder->stack[depth++] = to;
			finder->seen[to] = true;
		}
	}
	return false;
}

static bool is_exact(struct range range)
{
	return range.least == range.most;
}

/* How often the test lets pass in all turns of the loop around it, which was followed last, if what is tested first (`begins`), or what it
 * is compared with, is `of`, a register at that loop's header and a number more; NONE: not known. */
static int64_t turns_in_all(
	const struct finder *finder, const struct loop_turn *outer, const struct test *test, bool begins, const struct value *of)
{
	if (of->form != VALUE_MOVED || !is_exact(of->offset) || (begins && !is_exact(test->tested.offset)))
		return NONE;
	struct value back = arriving(finder, outer->header, of->base, true),
		     first = arriving_all(finder, finder->entry, finder->entry, outer->header, false).cells[of->base];
	bool moves = back.form == VALUE_MOVED && back.base == of->base && back.offset.most != 0;
	if (!moves || (!is_exact(back.offset) && !planted(PLANT_STANDS_STILL)))
		return NONE;
	struct test all = *test, start = *test;
	*(begins ? &all.first : &all.limit.range) = range_add(finder->entry[outer->header].cells[of->base].range, of->offset);
	*(begins ? &start.first : &start.limit.range) = range_add(first.range, of->offset);
	struct range numbers = range_as(begins ? first_tested(&all) : all.limit.range, test->is_signed);
	numbers = test->relation == RELATION_DIFFERENT ? distances(&all) : numbers;
	int64_t step = back.offset.most, most = room(test), now = checked_min(most, room(&start)), sum = 0;
	if (width(numbers) + (step < 0 ? -step : step) >= RANGE_WORDS && !planted(PLANT_GOES_AROUND))
		return NONE;
	for (int64_t turn = 0; turn <= outer->bound; turn++) {
		sum += steps(checked_min(most, now), stride(test));
		now += begins == goes_up(test) ? -step : step;
	}
	return sum;
}

/* What it needs, and where registers come from in the loop around it, which was followed last. */
static void keep_nest(struct finder *finder, struct loop_turn *inner)
{
	struct loop_turn outer = {.header = inner->within, .test = NO_ID, .compared = NO_ID, .counter = inner->within_counter};
	struct cells *kept = finder->need;
	finder->need = arena_allocate(finder->flow->arena, (size_t)finder->flow->block_count, sizeof *finder->need);
	spread_need(finder, inner, NULL);
	spread_need(finder, &outer, NULL);
	keep_loop_facts(finder, inner->within, &inner->within_facts, &inner->within_fact_count);
	for (int b = 0; b < finder->flow->block_count; b++)
		cells_unite(&kept[b], &finder->need[b]);
	finder->need = kept;
	inner->says = arena_format(finder->flow->arena, "%s; at most %" PRId64 " times in all turns of the loop %s", inner->says,
		inner->in_all, finder->program->blocks[inner->within].id);
}

/* test: of the inner loop, by steps, with the right side tested if `swapped`. */
static void try_nest(struct finder *finder, struct loop_turn *inner, const struct loop_turn *outer, const struct test *test, bool swapped)
{
	struct registers at_end;
	bool negated;
	follow_loop(finder, outer->header);
	struct registers first = arriving_all(finder, finder->entry, finder->inside, inner->header, false);
	const struct comparison *comparison = compare(finder, inner, &at_end, &negated);
	if (!first.reached || comparison == NULL)
		return;
	for (int begins = 0; begins < 2; begins++) {
		const struct value *of = begins == 1 ? &first.cells[test->counter] : swapped ? &comparison->left : &comparison->right;
		int64_t in_all = turns_in_all(finder, outer, test, begins == 1, of);
		int64_t before = inner->within != NO_ID ? inner->in_all : checked_mul(inner->bound, outer->bound + 1);
		if (in_all >= before || in_all == 0)
			continue;
		inner->within = outer->header;
		inner->within_counter = of->base;
		inner->in_all = in_all;
	}
	if (inner->within != NO_ID)
		keep_nest(finder, inner);
}

static void find_nest(struct finder *finder, struct loop_turn *inner)
{
	struct test test;
	bool swapped, *own = arena_allocate(finder->flow->arena, (size_t)finder->flow->block_count, sizeof *own);
	int stays = NO_ID;
	find_body(finder, inner->header);
	memcpy(own, finder->body, (size_t)finder->flow->block_count * sizeof *own);
	follow_loop(finder, inner->header);
	if (!is_test(finder, inner->header, inner->test, &stays) || try_test(finder, inner, stays, &test, &swapped) != inner->bound ||
		turns_of_steps(&test) != inner->bound || test.relation == RELATION_EQUAL || inner->bound > LOOP_TURNS_ASKED)
		return;
	for (int i = 0; i < finder->turns->count; i++) {
		const struct loop_turn *outer = &finder->turns->items[i];
		if (outer == inner || outer->bound > LOOP_TURNS_ASKED || !find_body(finder, outer->header) || !finder->body[inner->header])
			continue;
		if (enters_again(finder, own, outer->header))
			continue;
		try_nest(finder, inner, outer, &test, swapped);
		return;
	}
}

static void find_nests(struct finder *finder)
{
	for (int i = 0; i < finder->turns->count; i++)
		find_nest(finder, &finder->turns->items[i]);
}

/* ---- words that are made once */

/* Can control come to the block again? */
static bool comes_again(struct finder *finder, int block)
{
	const struct flow *flow = finder->flow;
	int depth = 0;
	memset(finder->seen, 0, (size_t)flow->block_count * sizeof *finder->seen);
	finder->stack[depth++] = block;
	while (depth > 0) {
		int at = finder->stack[--depth];
		for (int i = flow->first_out[at]; i < flow->first_out[at + 1]; i++) {
			int to = flow->edges[flow->out[i]].to;
			if (to == block)
				return true;
			if (to == flow->block_count || finder->seen[to])
				continue;
			finder->seen[to] = true;
			finder->stack[depth++] = to;
		}
	}
	return false;
}

static bool begins(const struct program_instruction *instruction, const char *name)
{
	return strncmp(instruction->mnemonic + (instruction->mnemonic[0] == 'U'), name, strlen(name)) == 0;
}

/* Of which registers the lower bits are taken alone, moved by sums or not. */
static struct cells find_masked(const struct program *program)
{
	struct cells masked = {{0}};
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < program->instruction_count; i++) {
			const struct program_instruction *instruction = &program->instructions[i];
			bool sum = begins(instruction, "IADD3") || begins(instruction, "VIADD") || begins(instruction, "IMAD.IADD");
			if (values_mask(instruction) || (sum && writes_any(instruction, &masked)))
				cells_unite(&masked, &instruction->reads);
		}
	return masked;
}

/* What is outside of all loops is executed once in a thread. */
static void find_once(struct finder *finder)
{
	const struct program *program = finder->program;
	struct cells masked = find_masked(program);
	int again = NO_ID;
	for (int i = 0; i < program->instruction_count; i++) {
		const struct program_instruction *instruction = &program->instructions[i];
		bool constant = begins(instruction, "LDC") || begins(instruction, "MOV");
		if (instruction->block == NO_ID || instruction->block == again || instruction->guard != NULL || constant ||
			!cells_meet(&instruction->writes, &masked))
			continue;
		if (comes_again(finder, instruction->block))
			again = instruction->block;
		else
			values_add_once(&finder->known, i);
	}
}

static void find_written(struct finder *finder)
{
	for (int header = 0; header < finder->flow->block_count; header++) {
		if (!find_body(finder, header))
			continue;
		finder->written[header] = arena_allocate(finder->flow->arena, 1, sizeof **finder->written);
		for (int b = 0; b < finder->flow->block_count; b++)
			if (finder->body[b])
				add_written(finder, b, finder->written[header]);
	}
}

static void prepare(struct finder *finder)
{
	struct arena *arena = finder->flow->arena;
	size_t blocks = (size_t)finder->flow->block_count;
	finder->known.reached = true;
	for (int cell = 0; cell < CELL_PREDICATE; cell++)
		finder->known.cells[cell] = value_of_range(range_any);
	values_init(&finder->known, arena_allocate(arena, 1, sizeof(struct formulas)),
		arena_allocate(arena, 1, sizeof(struct implications)), finder->program);
	finder->before = dominators_find(finder->flow, true);
	finder->entry = arena_allocate(arena, blocks, sizeof *finder->entry);
	finder->inside = arena_allocate(arena, blocks, sizeof *finder->inside);
	finder->joins = arena_allocate(arena, blocks, sizeof *finder->joins);
	finder->moves = arena_allocate(arena, blocks, sizeof *finder->moves);
	finder->untrue = arena_allocate(arena, blocks, sizeof *finder->untrue);
	finder->body = arena_allocate(arena, blocks, sizeof *finder->body);
	finder->written = arena_allocate(arena, blocks, sizeof *finder->written);
	finder->seen = arena_allocate(arena, blocks, sizeof *finder->seen);
	finder->need = arena_allocate(arena, blocks, sizeof *finder->need);
	finder->stack = arena_allocate(arena, blocks + 1, sizeof *finder->stack);
	find_once(finder);
	find_constants(finder);
	find_written(finder);
	finder->made_at = arena_allocate(arena, blocks, sizeof *finder->made_at);
	finder->between = arena_allocate(arena, blocks, sizeof *finder->between);
	for (int b = 0; b < finder->flow->block_count; b++)
		finder->made_at[b] = NO_ID;
	for (int b = 0; b < finder->flow->block_count; b++)
		find_made(finder, b);
}

/* Ranges, by what is known of loops already, and all loops anew. Is more known of them now? */
static bool find_loops(struct finder *finder, bool more)
{
	size_t blocks = (size_t)finder->flow->block_count;
	bool any = false, ranges = false, moves = false;
	finder->turns->count = 0;
	memset(finder->turns->once, 0, sizeof finder->turns->once);
	memset(finder->turns->asked, 0, blocks * sizeof *finder->turns->asked);
	memset(finder->need, 0, blocks * sizeof *finder->need);
	for (int b = 0; b < (int)blocks; b++) {
		if (is_listed(finder->program, b) || !find_body(finder, b))
			continue;
		ranges = any ? ranges : find_ranges(finder);
		any = true;
		find_body(finder, b);
		if (!ranges)
			continue;
		find_loop(finder, b);
		moves |= more && find_moves(finder, b);
	}
	return moves;
}

/* Does what is stated of the register at the header rest on the loop's bound? */
static bool is_new_need(const struct finder *finder, int header, int cell, const struct registers *back)
{
	const struct moves *moves = finder->moves[header];
	return moves->any[cell] && !moves->needed[cell] && cells_has(&finder->need[header], cell) &&
	       !range_within(back->cells[cell].range, finder->entry[header].cells[cell].range);
}

static void spread_moved(struct finder *finder, int header, int cell)
{
	struct loop_turn moved = {.header = header, .test = NO_ID, .compared = NO_ID, .counter = cell};
	spread_need(finder, &moved, NULL);
}

static void need_moved(struct finder *finder)
{
	bool changed = true;
	while (changed) {
		changed = false;
		for (int b = 0; b < finder->flow->block_count; b++) {
			if (finder->moves[b] == NULL)
				continue;
			struct registers back = arriving_all(finder, finder->entry, finder->entry, b, true);
			for (int cell = 0; cell < CELL_PREDICATE; cell++) {
				if (!is_new_need(finder, b, cell, &back))
					continue;
				finder->moves[b]->needed[cell] = changed = true;
				spread_moved(finder, b, cell);
			}
		}
	}
}

/* Where registers come from in loops whose bounds others rest on. */
static void keep_moved(struct finder *finder)
{
	struct cells *kept = finder->need;
	need_moved(finder);
	for (int i = 0; i < finder->turns->count; i++) {
		struct loop_turn *turn = &finder->turns->items[i];
		if (finder->moves[turn->header] == NULL)
			continue;
		finder->need = arena_allocate(finder->flow->arena, (size_t)finder->flow->block_count, sizeof *finder->need);
		spread_need(finder, turn, NULL);
		for (int cell = 0; cell < CELL_PREDICATE; cell++)
			if (finder->moves[turn->header]->needed[cell])
				spread_moved(finder, turn->header, cell);
		find_body(finder, turn->header);
		follow_loop(finder, turn->header);
		keep_loop_facts(finder, turn->header, &turn->facts, &turn->fact_count);
		finder->need = kept;
	}
}

void loop_turns_find(struct loop_turns *turns, const struct flow *flow, const struct uniformity *uniformity)
{
	struct finder finder = {.flow = flow, .program = flow->program, .turns = turns, .overwritten = uniformity->overwritten};
	*turns = (struct loop_turns){
		.program = flow->program, .asked = arena_allocate(flow->arena, (size_t)flow->block_count, sizeof *turns->asked)};
	if (flow->program->instruction_count == 0 || flow->block_count > LOOP_TURNS_BLOCKS)
		return;
	prepare(&finder);
	bool more = true;
	for (int round = 0; more; round++) {
		more = find_loops(&finder, round < ROUNDS);
		more |= drop_untrue(&finder);
	}
	find_nests(&finder);
	keep_moved(&finder);
	keep_ranges(&finder);
	turns->program = with_bounds(&finder);
	turns->formulas = finder.known.formulas;
}

const char *loop_turns_say(const struct loop_turns *turns, int header)
{
	for (int i = 0; i < turns->count; i++)
		if (turns->items[i].header == header)
			return turns->items[i].says;
	return NULL;
}
