/* Each statement from those before it, one block at a time; nothing is searched for. */
#include "verify/loop_turns.h"

#include "base/checked.h"
#include "verify/words.h"

#include <stdlib.h>
#include <string.h>

struct stated {
	int cell;
	struct word word;
	const struct xml_element *element;
	bool turned; /* at a loop's header, and does not follow from what is stated where control comes back: from the loop's bound, then */
};

struct list {
	struct stated *items;
	int count, capacity;
};

struct limits;

struct judge {
	struct check *check;
	const struct code *code;
	const struct program *program;
	const struct cells *others;
	struct arc loaded[CELL_PREDICATE]; /* of a uniform register: what all that write it load */
	struct list *ranges, *comes;       /* of a block; comes: of the loop that is judged */
	struct list *constants;            /* of a block; their cells are offsets */
	struct implication {
		int block; /* -1: any, which nothing is stated of */
		struct implied implied;
		const struct xml_element *element;
	} * implied;
	int implied_count;
	int *maker;                     /* of a block: another one that made the predicate of its branch, on every way; -1 */
	struct cells *lost;             /* what may have been written since */
	struct limits *best;            /* of the loop that was judged last, by steps */
	const struct xml_element *turn; /* that is judged, or NULL */
	int loop, first_found;          /* of the loops: the one that is judged, the first one whose bound the report has found */
	bool *once;                     /* of an instruction that the report names so: no thread executes it twice */
	bool good;
};

static void wrong(struct judge *judge, const struct xml_element *element, const char *expected)
{
	if (judge->good)
		check_differs(judge->check, element, "bound of a loop", expected, element->name);
	judge->good = false;
}

/* ---- what the report says */

static int block_named(const struct program *program, const char *name)
{
	for (int b = 0; b < program->block_count && name != NULL; b++)
		if (strcmp(program->blocks[b].id, name) == 0)
			return b;
	return -1;
}

static int cell_named(const char *name)
{
	bool uniform = name[0] == 'U';
	char *end;
	if (name[uniform] != 'R')
		return -1;
	long number = strtol(name + uniform + 1, &end, 10);
	return *end != '\0' || number < 0 || number >= (uniform ? 63 : 255) ? -1 : (int)number + (uniform ? CELL_UNIFORM : 0);
}

static int64_t number_of(const struct xml_element *element, const char *name)
{
	const char *text = element_get(element, name);
	return text == NULL ? 0 : strtoll(text, NULL, 10);
}

static bool is_loop_of(const struct program *program, int header)
{
	for (int l = 0; l < program->loop_count; l++)
		if (program->loops[l].header == header)
			return true;
	return false;
}

/* The loops stand in the order of their elements. */
static bool read_nests(struct check *check, struct program *program, const struct xml_element *turns)
{
	int loop = program->loop_count - element_count(turns, "turn");
	for (const struct xml_element *turn = turns->first; turn != NULL; turn = turn->next) {
		const struct xml_element *nest = element_is(turn, "turn") ? element_child(turn, "nest") : NULL;
		loop += element_is(turn, "turn");
		if (nest == NULL)
			continue;
		struct program_loop *own = &program->loops[loop - 1];
		own->within = block_named(program, element_get(nest, "within"));
		own->in_all = number_of(nest, "in-all");
		if (own->within < 0 || own->in_all <= 0 || own->within == own->header || !is_loop_of(program, own->within)) {
			check_differs(check, nest, "bound of a loop", "the header of another loop", element_get(nest, "within"));
			return false;
		}
	}
	return true;
}

const struct program *loop_turns_read(struct check *check, const struct program *program, const struct xml_element *turns)
{
	if (turns == NULL)
		return program;
	int found = element_count(turns, "turn");
	struct program *with = arena_allocate(check->arena, 1, sizeof *with);
	*with = *program;
	with->loops = arena_allocate(check->arena, (size_t)(program->loop_count + found), sizeof *with->loops);
	for (int l = 0; l < program->loop_count; l++)
		with->loops[l] = program->loops[l];
	for (const struct xml_element *turn = turns->first; turn != NULL; turn = turn->next) {
		if (!element_is(turn, "turn"))
			continue;
		int header = block_named(program, element_get(turn, "header"));
		if (header < 0 || is_loop_of(with, header)) {
			check_differs(check, turn, "bound of a loop", "a header without a bound", element_get(turn, "header"));
			return NULL;
		}
		with->loops[with->loop_count++] = (struct program_loop){.header = header, .bound = number_of(turn, "bound"), .polls = true};
	}
	return read_nests(check, with, turns) ? with : NULL;
}

/* Is the block among those that control can come to from it? */
static bool comes_twice(const struct judge *judge, int block)
{
	const struct code *code = judge->code;
	int count = judge->program->block_count;
	bool *after = arena_allocate(judge->check->arena, (size_t)count, sizeof *after), changed = true;
	while (changed && !after[block]) {
		changed = false;
		for (int i = 0; i < code->way_count; i++) {
			const struct way *way = &code->ways[i];
			bool follows = way->from == block || (way->from >= 0 && after[way->from]);
			if (!follows || way->to >= count || after[way->to])
				continue;
			after[way->to] = changed = true;
		}
	}
	return after[block];
}

static int block_of(const struct judge *judge, int64_t number)
{
	return number >= 0 && number < judge->program->instruction_count ? judge->program->instructions[number].block : NO_ID;
}

static void add_once(struct judge *judge, const struct xml_element *element)
{
	int block = block_of(judge, number_of(element, "at"));
	if (block == NO_ID || comes_twice(judge, block))
		wrong(judge, element, "an instruction that no thread executes twice");
	else
		judge->once[number_of(element, "at")] = true;
}

static void need_once(struct judge *judge, const struct xml_element *element, int64_t number)
{
	if (block_of(judge, number) == NO_ID || !judge->once[number])
		wrong(judge, element, "an instruction that the report has once");
}

static void add(struct judge *judge, struct list *lists, const struct xml_element *element, struct word word)
{
	const char *name = element_get(element, "register"), *offset = element_get(element, "offset");
	int block = block_named(judge->program, element_get(element, "block"));
	bool once = element_get(element, "at") != NULL;
	int cell = once             ? FUNCTION_ONCE + (int)number_of(element, "at")
		   : offset != NULL ? (int)strtol(offset, NULL, 16)
		   : name != NULL   ? cell_named(name)
				    : -1;
	if (once)
		need_once(judge, element, number_of(element, "at"));
	if (block < 0 || cell < 0) {
		wrong(judge, element, "a block and a register of the program");
		return;
	}
	struct list *list = &lists[block];
	list->items = arena_grow(judge->check->arena, list->items, &list->capacity, list->count + 1, sizeof *list->items);
	list->items[list->count++] = (struct stated){cell, word, element, false};
}

static struct word range_stated(struct judge *judge, const struct xml_element *element)
{
	struct word word = word_any();
	int64_t modulus = number_of(element, "modulus");
	int bits = 0;
	word.arc = arc_of(number_of(element, "least"), number_of(element, "most"));
	while (bits < 31 && INT64_C(1) << bits < modulus)
		bits++;
	if (modulus > 0 && modulus != INT64_C(1) << bits)
		wrong(judge, element, "a power of 2");
	const char *function = element_get(element, "function");
	word.function = function != NULL ? function_read(function) : word.function;
	if (function != NULL && !word.function.known)
		wrong(judge, element, "a function of a constant");
	else if (function != NULL && word.function.offset >= FUNCTION_ONCE)
		need_once(judge, element, word.function.offset - FUNCTION_ONCE);
	return word_ending(word, bits, (uint32_t)number_of(element, "rest"));
}

static void add_implied(struct judge *judge, const struct xml_element *element)
{
	struct implication *one = &judge->implied[judge->implied_count++];
	one->element = element;
	one->block = block_named(judge->program, element_get(element, "block"));
	one->implied.predicate = words_predicate(element_get(element, "predicate"));
	one->implied.cell = cell_named(element_get(element, "register"));
	one->implied.never = element_get(element, "least") == NULL;
	one->implied.arc = arc_of(number_of(element, "least"), number_of(element, "most"));
	bool own = one->implied.cell >= 0 && one->implied.cell < CELL_UNIFORM && one->implied.predicate >= 0 &&
		   one->implied.predicate < CELL_UNIFORM_PREDICATE;
	if (one->block < 1 || !own) /* the beginning, where nothing is known, is block 0; others may write uniform ones */
		wrong(judge, element, "a block, a predicate and a register of the program");
}

static struct word come_stated(struct judge *judge, const struct xml_element *element)
{
	static const char *const words[] = {"", "moved", "shifted", "halved", "doubled"};
	struct word word = word_any();
	for (int i = COME_PLUS; i <= COME_TIMES; i++)
		if (strcmp(words[i], element_get(element, "form")) == 0)
			word.come = (enum come)i;
	word.of = cell_named(element_get(element, "of"));
	word.by = (int)number_of(element, "shift");
	if (word.come == COME_PLUS)
		word.offset = arc_of(number_of(element, "least"), number_of(element, "most"));
	if (word.of < 0 || word.by < 0 || word.by > 31 || word.offset.span == WORDS_ALL)
		wrong(judge, element, "a register at the header");
	return word;
}

/* ---- a block */

static void interfere(const struct judge *judge, int block, struct words *words)
{
	const struct cells *others = &judge->others[block];
	for (int cell = CELL_UNIFORM; cell < CELL_COUNT; cell++) {
		if (!cells_has(others, cell) || (cell >= CELL_PREDICATE && cell < CELL_UNIFORM_PREDICATE))
			continue;
		if (cell < CELL_PREDICATE) {
			struct word word = word_any();
			word.arc = arc_join(words->cells[cell].arc, judge->loaded[cell]);
			words->cells[cell] = word;
		} else
			words->predicates[cell - CELL_PREDICATE].known = false;
		words_overwritten(words, cell);
	}
}

/* What is stated at the block's beginning, then its instructions. */
static void begin(const struct judge *judge, int block, struct words *words)
{
	words_clear(words, judge->program);
	words->once = judge->once;
	for (int i = 0; i < judge->constants[block].count; i++)
		words_state_constant(words, (uint32_t)judge->constants[block].items[i].cell, judge->constants[block].items[i].word.arc);
	for (int own = 0; own < 2; own++) /* pairs that are stated anywhere, then what is stated here */
		for (int i = 0; i < judge->implied_count; i++) {
			struct implied implied = judge->implied[i].implied, any = implied;
			any.never = false;
			any.arc = (struct arc){0, WORDS_ALL};
			if (own == 0 || judge->implied[i].block == block)
				words_state_implied(words, own == 0 ? &any : &implied);
		}
	for (int i = 0; i < judge->ranges[block].count; i++)
		words->cells[judge->ranges[block].items[i].cell] = judge->ranges[block].items[i].word;
	if (judge->turn == NULL)
		return;
	bool header = judge->program->loops[judge->loop].header == block;
	for (int cell = 0; cell < CELL_PREDICATE && header; cell++) {
		words->cells[cell].come = COME_PLUS;
		words->cells[cell].of = cell;
	}
	for (int i = 0; i < judge->comes[block].count && !header; i++) {
		const struct stated *stated = &judge->comes[block].items[i];
		struct word *word = &words->cells[stated->cell];
		word->come = stated->word.come;
		word->of = stated->word.of;
		word->by = stated->word.by;
		word->offset = stated->word.offset;
	}
}

static void execute(const struct judge *judge, int block, struct words *words)
{
	const struct program_block *of = &judge->program->blocks[block];
	begin(judge, block, words);
	interfere(judge, block, words);
	for (int i = of->first; i < of->first + of->count; i++) {
		words_step(judge->program, &judge->program->instructions[i], words);
		interfere(judge, block, words);
	}
}

/* Of a block with two ways that a predicate decides: the block (or their number, the end) where it goes on if the guard says so; -1. */
static int guarded_way(const struct judge *judge, int block, int *predicate, bool *wanted)
{
	const struct program_block *of = &judge->program->blocks[block];
	const struct code *code = judge->code;
	int last = of->first + of->count - 1, first_way = code->first_out[block];
	if (of->count == 0 || code->first_out[block + 1] - first_way != 2 || last + 1 >= judge->program->instruction_count)
		return -1;
	const struct program_instruction *branch = &judge->program->instructions[last], *next = branch + 1;
	bool jumps =
		branch->operand_count == 1 && (strcmp(branch->mnemonic, "BRA") == 0 || strcmp(branch->mnemonic, "CALL.REL.NOINC") == 0);
	bool ends = strcmp(branch->mnemonic, "EXIT") == 0 && branch->operand_count == 0;
	if (branch->guard == NULL || (!jumps && !ends) || next->address - branch->address != 16)
		return -1;
	*wanted = branch->guard[0] != '!';
	*predicate = words_predicate(branch->guard + !*wanted);
	int ways[] = {code->ways[code->out[first_way]].to, code->ways[code->out[first_way + 1]].to};
	if (*predicate < 0 || ways[0] == ways[1] || (next->block != ways[0] && next->block != ways[1]))
		return -1;
	int goes = next->block == ways[0] ? ways[1] : ways[0];
	return ends && goes != judge->program->block_count ? -1 : goes;
}

static bool touches(const struct judge *judge, int block, int predicate)
{
	const struct program_block *of = &judge->program->blocks[block];
	bool any = false;
	for (int i = of->first; i < of->first + of->count; i++)
		any = any || cells_has(&judge->program->instructions[i].writes, predicate) ||
		      cells_has(&judge->program->instructions[i].may_write, predicate);
	return any;
}

static struct words along(const struct judge *judge, const struct words *at_end, const struct way *way)
{
	struct words words = *at_end;
	int predicate;
	bool wanted;
	int goes = guarded_way(judge, way->from, &predicate, &wanted);
	if (goes < 0)
		return words;
	bool is_true = (way->to == goes) == wanted;
	words_assume(&words, predicate, is_true);
	words_decide(&words, predicate, is_true);
	if (judge->maker[way->from] >= 0) {
		struct words made;
		execute(judge, judge->maker[way->from], &made);
		words_assume_kept(&words, &made.predicates[predicate - CELL_PREDICATE], is_true, &judge->lost[way->from]);
	}
	return words;
}

/* Does the block write the predicate, or another part of the warp there? */
static bool disturbs(const struct judge *judge, int block, int predicate)
{
	return cells_has(&judge->others[block], predicate) || touches(judge, block, predicate);
}

/* From the branch back to where its predicate is written: one block, from which on nothing touches it, and never the beginning. */
static int find_maker(struct judge *judge, int test, int predicate, bool *behind, int *waiting)
{
	const struct code *code = judge->code;
	int maker = -1, count = 0;
	memset(behind, 0, (size_t)judge->program->block_count * sizeof *behind);
	behind[test] = true;
	waiting[count++] = test;
	for (int done = 0; done < count; done++) {
		int block = waiting[done];
		if (disturbs(judge, block, predicate))
			return -1;
		for (int i = code->first_in[block]; i < code->first_in[block + 1]; i++) {
			int from = code->ways[code->in[i]].from;
			if (from < 0)
				return -1;
			if (touches(judge, from, predicate)) {
				if (maker >= 0 && maker != from)
					return -1;
				maker = from;
			} else if (!behind[from]) {
				behind[from] = true;
				waiting[count++] = from;
			}
		}
	}
	return maker >= 0 && !cells_has(&judge->others[maker], predicate) ? maker : -1;
}

static void find_makers(struct judge *judge)
{
	size_t blocks = (size_t)judge->program->block_count;
	bool *behind = arena_allocate(judge->check->arena, blocks, sizeof *behind), wanted;
	int *waiting = arena_allocate(judge->check->arena, blocks, sizeof *waiting), predicate;
	judge->maker = arena_allocate(judge->check->arena, blocks, sizeof *judge->maker);
	judge->lost = arena_allocate(judge->check->arena, blocks, sizeof *judge->lost);
	for (int test = 0; test < (int)blocks; test++) {
		bool tests = guarded_way(judge, test, &predicate, &wanted) >= 0;
		judge->maker[test] = tests ? find_maker(judge, test, predicate, behind, waiting) : -1;
		for (int b = 0; b < (int)blocks && judge->maker[test] >= 0; b++) {
			const struct program_block *of = &judge->program->blocks[b];
			if (!behind[b])
				continue;
			cells_unite(&judge->lost[test], &judge->others[b]);
			for (int i = of->first; i < of->first + of->count; i++) {
				cells_unite(&judge->lost[test], &judge->program->instructions[i].writes);
				cells_unite(&judge->lost[test], &judge->program->instructions[i].may_write);
			}
		}
	}
}

/* ---- statements follow */

static void check_way(struct judge *judge, const struct words *at_end, const struct way *way)
{
	struct words words = along(judge, at_end, way);
	const struct list *list = judge->turn == NULL ? &judge->ranges[way->to] : &judge->comes[way->to];
	for (int i = 0; i < list->count; i++) {
		struct stated *stated = &list->items[i];
		const struct word *word = &words.cells[stated->cell];
		if (word_never(word))
			continue;
		bool alike = word_ends(word, stated->word.bits, stated->word.low) &&
			     (!stated->word.function.known || function_alike(&stated->word.function, &word->function));
		bool in_arc = arc_holds(stated->word.arc, word->arc), found = way->closes >= judge->first_found;
		if (judge->turn == NULL && !in_arc)
			stated->turned = found;
		if (judge->turn == NULL ? !alike || (!in_arc && !found) : !word_holds(&stated->word, word))
			wrong(judge, stated->element, "what follows from the blocks before it");
	}
	for (int i = 0; i < judge->implied_count && judge->turn == NULL; i++) {
		const struct implied *stated = &judge->implied[i].implied, *found = words_implied(&words, stated->predicate, stated->cell);
		if (judge->implied[i].block != way->to || (found != NULL && found->never))
			continue;
		if (found == NULL || stated->never || !arc_holds(stated->arc, words_arc_implied(&words, found)))
			wrong(judge, judge->implied[i].element, "what follows from the blocks before it");
	}
	for (int i = 0; i < judge->constants[way->to].count && judge->turn == NULL; i++) {
		const struct stated *stated = &judge->constants[way->to].items[i];
		if (!arc_holds(stated->word.arc, words_constant(&words, (uint32_t)stated->cell)))
			wrong(judge, stated->element, "what follows from the blocks before it");
	}
}

static void check_statements(struct judge *judge)
{
	const struct code *code = judge->code;
	for (int b = 0; b < judge->program->block_count; b++) {
		if (judge->turn != NULL && !program_graph_is_inside(code, judge->loop, b))
			continue;
		struct words words;
		execute(judge, b, &words);
		for (int i = code->first_out[b]; i < code->first_out[b + 1]; i++) {
			const struct way *way = &code->ways[code->out[i]];
			bool inside =
				judge->turn == NULL || (program_graph_is_inside(code, judge->loop, way->to) && way->closes != judge->loop);
			if (way->to < judge->program->block_count && inside)
				check_way(judge, &words, way);
		}
	}
}

static void read_loaded(struct judge *judge)
{
	bool any[CELL_PREDICATE] = {false};
	for (int cell = 0; cell < CELL_PREDICATE; cell++)
		judge->loaded[cell] = (struct arc){0, WORDS_ALL};
	for (int i = 0; i < judge->program->instruction_count; i++) {
		const struct program_instruction *instruction = &judge->program->instructions[i];
		struct words words;
		if (instruction->block == NO_ID)
			continue;
		words_clear(&words, judge->program);
		words_step(judge->program, instruction, &words);
		for (int cell = CELL_UNIFORM; cell < CELL_PREDICATE; cell++) {
			if (!cells_has(&instruction->writes, cell) && !cells_has(&instruction->may_write, cell))
				continue;
			judge->loaded[cell] = any[cell] ? arc_join(judge->loaded[cell], words.cells[cell].arc) : words.cells[cell].arc;
			any[cell] = true;
		}
	}
}

/* ---- the bound of a loop */

/* The counter as control comes back to the header, or to it from outside. */
static struct word counter_coming(struct judge *judge, int counter, bool back)
{
	const struct code *code = judge->code;
	int header = judge->program->loops[judge->loop].header;
	struct word all = word_any();
	bool any = false;
	for (int i = code->first_in[header]; i < code->first_in[header + 1]; i++) {
		const struct way *way = &code->ways[code->in[i]];
		struct word word = word_any();
		if ((way->closes == judge->loop) != back)
			continue;
		if (way->from >= 0) {
			struct words words;
			execute(judge, way->from, &words);
			words = along(judge, &words, way);
			word = words.cells[counter];
		}
		all = any ? word_join(&all, &word) : word;
		any = true;
	}
	return all;
}

struct limits {
	enum order order;
	bool signedness;
	int side; /* of the comparison: the tested one */
	struct word tested, limit, again, first;
	struct arc at_header;
	bool is_again; /* the tested word is the one with which control comes back */
};

/* Of all words that the first one can be: does the step, a power of 2, divide what is between it and the limit? */
static bool is_reached(const struct limits *l, uint32_t step)
{
	int bits = 0;
	while (bits < 31 && (uint32_t)1 << bits < step)
		bits++;
	uint32_t low = l->limit.arc.first - l->tested.offset.first;
	return step == 1 || (step == (uint32_t)1 << bits && l->tested.offset.span == 0 && word_ends(&l->first, bits, low & (step - 1)));
}

static int64_t by_steps(const struct limits *l)
{
	struct interval all = arc_numbers((struct arc){0, WORDS_ALL}, l->signedness),
			within = order_numbers(l->order, l->limit.arc, l->signedness);
	int64_t least = (int32_t)l->again.offset.first, most = least + l->again.offset.span;
	struct arc begins = arc_plus(l->first.arc, l->tested.offset);
	if (l->tested.come != COME_PLUS || (l->tested.offset.span > 0 && !l->is_again))
		return NONE;
	if (l->order == ORDER_NE) {
		uint32_t step = least > 0 ? (uint32_t)least : (uint32_t)-least, end = l->limit.arc.first;
		struct arc left = {least > 0 ? end - begins.first - (uint32_t)begins.span : begins.first - end, begins.span};
		if (least != most || least == 0 || l->limit.arc.span > 0)
			return NONE;
		int64_t farthest = begins.span == WORDS_ALL ? WORDS_ALL : arc_numbers(left, false).most;
		return begins.span == 0 ? (farthest % step == 0 ? farthest / step : NONE) : (is_reached(l, step) ? farthest / step : NONE);
	}
	struct interval from = arc_numbers(begins, l->signedness);
	if (least > 0 && within.most + most <= all.most) {
		from.least = checked_max(from.least, within.least);
		return from.least > within.most ? 0 : (within.most - from.least) / least + 1;
	}
	if (most < 0 && within.least + least >= all.least) {
		from.most = checked_min(from.most, within.most);
		return from.most < within.least ? 0 : (from.most - within.least) / -most + 1;
	}
	return NONE;
}

/* Is the tested word the counter's, before the turn moves it or afterwards? */
static bool is_of_counter(const struct limits *l)
{
	return (l->tested.come == COME_PLUS && l->tested.offset.span == 0 && l->tested.offset.first == 0) ||
	       (l->tested.come == l->again.come && l->tested.by == l->again.by);
}

static int64_t by_factors(const struct limits *l)
{
	struct interval within = order_numbers(l->order, l->limit.arc, l->signedness), first = arc_numbers(l->first.arc, l->signedness);
	bool positive = arc_numbers(l->at_header, true).least >= 0, zero = l->limit.arc.span == 0 && l->limit.arc.first == 0;
	int64_t turns = 0;
	if (l->again.by < 1 || !is_of_counter(l))
		return NONE;
	if (l->again.come == COME_TIMES) {
		int64_t highest = arc_numbers((struct arc){0, WORDS_ALL}, l->signedness).most;
		if (l->order == ORDER_NE || first.least < 1 || within.most > highest >> l->again.by)
			return NONE;
		if (l->tested.come != COME_PLUS && first.most > highest >> l->again.by)
			return NONE;
		for (int64_t at = first.least; at <= within.most; at <<= l->again.by)
			turns++;
		return turns;
	}
	bool signed_halves = l->again.come == COME_POSITIVE;
	if (signed_halves && !positive && (!l->signedness || l->tested.come != COME_PLUS))
		return NONE;
	if (l->order == ORDER_NE && zero && (!signed_halves || positive))
		within = (struct interval){1, WORDS_ALL};
	if (within.least < 1)
		return NONE;
	for (int64_t at = checked_min(within.most, arc_numbers(l->first.arc, false).most); at >= within.least; at >>= l->again.by)
		turns++;
	return turns;
}

/* The block's end is passed in every turn, and one of its two ways leaves the loop. -1: not so; else the block where it stays. */
static int stays_at(const struct judge *judge, int test)
{
	const struct code *code = judge->code;
	int stays = -1, count = 0;
	for (int i = 0; i < code->way_count; i++) {
		const struct way *way = &code->ways[i];
		if (way->closes == judge->loop && !program_graph_is_above(code, test, way->from))
			return -1;
		if (way->from == test && program_graph_is_inside(code, judge->loop, way->to)) {
			stays = way->to;
			count++;
		}
	}
	return count == 1 && program_graph_is_inside(code, judge->loop, test) ? stays : -1;
}

static bool comes_back_from(const struct judge *judge, int test)
{
	bool only = true;
	for (int i = 0; i < judge->code->way_count; i++)
		if (judge->code->ways[i].closes == judge->loop)
			only = only && judge->code->ways[i].from == test;
	return only;
}

/* Is the predicate at the test's end what it was at the end of `compared`, in the same turn, on every way there? */
static bool is_kept(const struct judge *judge, int compared, int test, int predicate)
{
	const struct code *code = judge->code;
	bool *behind = arena_allocate(judge->check->arena, (size_t)judge->program->block_count, sizeof *behind), changed = true;
	if (cells_has(&judge->others[compared], predicate))
		return false;
	behind[test] = true;
	while (changed) {
		changed = false;
		for (int i = 0; i < code->way_count; i++) {
			const struct way *way = &code->ways[i];
			if (way->to >= judge->program->block_count || !behind[way->to] || way->from == compared ||
				(way->from >= 0 && behind[way->from]))
				continue;
			if (way->from < 0)
				return false;
			behind[way->from] = changed = true;
		}
	}
	for (int b = 0; b < judge->program->block_count; b++)
		if (behind[b] && (b == judge->program->loops[judge->loop].header || touches(judge, b, predicate) ||
					 cells_has(&judge->others[b], predicate)))
			return false;
	return true;
}

static int64_t by_comparison(struct judge *judge, const struct compared *c, bool is_true, int test, int counter)
{
	int64_t best = NONE;
	for (int side = 0; side < 2; side++) {
		enum order order = order_if(c->order, is_true);
		struct limits l = {side == 0 ? order : order_turned(order), c->signedness, side, c->sides[side], c->sides[1 - side],
			.at_header = {0, WORDS_ALL}, .is_again = comes_back_from(judge, test) && c->cells[side] == counter};
		if (l.tested.come == COME_UNKNOWN || l.tested.of != counter)
			continue;
		l.again = counter_coming(judge, counter, true);
		l.first = counter_coming(judge, counter, false);
		for (int i = 0; i < judge->ranges[judge->program->loops[judge->loop].header].count; i++) {
			const struct stated *stated = &judge->ranges[judge->program->loops[judge->loop].header].items[i];
			l.at_header = stated->cell == counter ? stated->word.arc : l.at_header;
		}
		if (l.again.come == COME_UNKNOWN || l.again.of != counter)
			continue;
		int64_t turns = l.again.come == COME_PLUS ? by_steps(&l) : by_factors(&l);
		if (turns < best)
			*judge->best = l;
		best = checked_min(best, turns);
	}
	return best;
}

static void check_bound(struct judge *judge)
{
	int test = block_named(judge->program, element_get(judge->turn, "test")), counter = cell_named(element_get(judge->turn, "counter"));
	int stays = test < 0 || counter < 0 ? -1 : stays_at(judge, test), predicate, goes = -1;
	int64_t turns = NONE;
	bool wanted;
	if (stays >= 0)
		goes = guarded_way(judge, test, &predicate, &wanted);
	const char *named = element_get(judge->turn, "compared");
	int compared = named == NULL ? test : block_named(judge->program, named);
	if (goes >= 0 && compared >= 0 && (compared == test || is_kept(judge, compared, test, predicate))) {
		struct words words;
		execute(judge, compared, &words);
		const struct compared *c = &words.predicates[predicate - CELL_PREDICATE];
		bool is_true = (stays == goes) == wanted;
		if (c->known && (is_true ? c->says_true : c->says_false))
			turns = by_comparison(judge, c, is_true, compared, counter);
	}
	if (turns == NONE || turns > judge->program->loops[judge->loop].bound)
		wrong(judge, judge->turn, "a bound that its test shows");
}

/* Ranges at the header that rest on the bound: what comes from outside, moved by no turn or up to all of them. */
static void check_turned(struct judge *judge)
{
	const struct program_loop *loop = &judge->program->loops[judge->loop];
	const struct list *list = &judge->ranges[loop->header];
	for (int i = 0; i < list->count; i++) {
		const struct stated *stated = &list->items[i];
		if (!stated->turned)
			continue;
		struct word first = counter_coming(judge, stated->cell, false), again = counter_coming(judge, stated->cell, true);
		int64_t least = (int32_t)again.offset.first, most = least + again.offset.span;
		struct arc all = arc_of(checked_min(0, checked_mul(least, loop->bound)), checked_max(0, checked_mul(most, loop->bound)));
		first.arc = arc_plus(first.arc, all);
		first = word_ending(first, stated->word.bits, stated->word.low);
		if (again.come != COME_PLUS || again.of != stated->cell || !arc_holds(stated->word.arc, first.arc))
			wrong(judge, stated->element, "what follows from the blocks before it, and from the loop's bound");
	}
}

/* What is stated of the loop `judge->loop`, by which it is judged from here on. */
static void read_comes(struct judge *judge, const struct xml_element *element)
{
	judge->turn = element;
	judge->comes = arena_allocate(judge->check->arena, (size_t)judge->program->block_count, sizeof *judge->comes);
	for (const struct xml_element *from = element->first; from != NULL; from = from->next)
		if (element_is(from, "from"))
			add(judge, judge->comes, from, come_stated(judge, from));
	if (judge->good)
		check_statements(judge);
}

/* ---- the turns of a loop in all turns of the loop around it: [NESTED-TURNS] */

/* From a way out of the inner loop on, to a way into it, without the outer one's header: then it may be entered twice in a turn. */
static bool is_entered_again(const struct judge *judge, int inner, int outer)
{
	const struct code *code = judge->code;
	int blocks = judge->program->block_count, header = judge->program->loops[outer].header;
	bool *left = arena_allocate(judge->check->arena, (size_t)blocks, sizeof *left), changed = true;
	while (changed) {
		changed = false;
		for (int i = 0; i < code->way_count; i++) {
			const struct way *way = &code->ways[i];
			if (way->from < 0 || way->to >= blocks || way->to == header || left[way->to])
				continue;
			bool inside = program_graph_is_inside(code, inner, way->from), to = program_graph_is_inside(code, inner, way->to);
			if (left[way->from] && to)
				return true;
			if (left[way->from] || (inside && !to))
				left[way->to] = changed = true;
		}
	}
	return false;
}

/* The word in the last of the turns that let the loop come back, if it begins at once with the words `first` and is compared with `limit`:
 * how far it may be from the first one tested. With "different", the distance less a step. */
static int64_t distance_at_most(const struct limits *l, struct arc first, struct arc limit)
{
	struct arc tested = arc_plus(first, l->tested.offset);
	int64_t least = (int32_t)l->again.offset.first;
	if (l->order == ORDER_NE) {
		struct arc apart = {
			least > 0 ? limit.first - tested.first - (uint32_t)tested.span : tested.first - limit.first, tested.span};
		return arc_numbers(apart, false).most - (least > 0 ? least : -least);
	}
	struct interval numbers = arc_numbers(tested, l->signedness), passes = order_numbers(l->order, limit, l->signedness);
	return least > 0 ? passes.most - numbers.least : numbers.most - passes.least;
}

/* In so many turns that come back, of `outer` and one, are there at least so many of the inner loop's, one number after the other? */
static int64_t count_all(int64_t outer, int64_t most, int64_t start, int64_t moves, int64_t step)
{
	int64_t sum = 0;
	for (int64_t needed = 0; needed <= most; needed += step) {
		int64_t turns = moves < 0 ? (start < needed ? 0 : (start - needed) / -moves + 1)
					  : outer + 1 - (start >= needed ? 0 : (needed - start + moves - 1) / moves);
		sum += checked_max(0, checked_min(turns, outer + 1));
	}
	return sum;
}

/* The words of a register at the loop's header: all that are stated. */
static struct arc stated_at_header(const struct judge *judge, int cell)
{
	const struct list *list = &judge->ranges[judge->program->loops[judge->loop].header];
	struct arc arc = {0, WORDS_ALL};
	for (int i = 0; i < list->count; i++)
		arc = list->items[i].cell == cell ? list->items[i].word.arc : arc;
	return arc;
}

/* What is tested first (`begins`), or what it is compared with, in each turn of the outer loop, which is judged, is `of`. */
static int64_t count_by(struct judge *judge, const struct limits *l, const struct word *of, bool begins, int counter, int64_t outer)
{
	if (of->come != COME_PLUS || of->of != counter || of->offset.span > 0 || (begins && l->tested.offset.span > 0) ||
		(!begins && l->order == ORDER_NE))
		return NONE;
	struct word again = counter_coming(judge, counter, true), first = counter_coming(judge, counter, false);
	int64_t move = (int32_t)again.offset.first, step = (int32_t)l->again.offset.first;
	if (again.come != COME_PLUS || again.of != counter || again.offset.span > 0 || move == 0)
		return NONE;
	struct arc all = arc_plus(stated_at_header(judge, counter), of->offset), start = arc_plus(first.arc, of->offset);
	struct arc tested = begins ? arc_plus(all, l->tested.offset) : all;
	if (l->order == ORDER_NE)
		tested.first = step > 0 ? l->limit.arc.first - tested.first - (uint32_t)tested.span : tested.first - l->limit.arc.first;
	struct interval numbers = arc_numbers(tested, l->order != ORDER_NE && l->signedness);
	if (numbers.most - numbers.least + (move < 0 ? -move : move) > WORDS_ALL)
		return NONE;
	int64_t most = distance_at_most(l, l->first.arc, l->limit.arc);
	int64_t at_first = begins ? distance_at_most(l, start, l->limit.arc) : distance_at_most(l, l->first.arc, start);
	int64_t size = step > 0 ? step : -(step + l->again.offset.span);
	return count_all(outer, most, checked_min(most, at_first), begins == (step > 0) ? -move : move, size);
}

#define NEST_TURNS 65536 /* of either loop, at most */

static void check_nest(struct judge *judge, const struct xml_element *nest)
{
	const struct program_loop *loops = judge->program->loops;
	int inner = judge->loop, outer = 0, counter = cell_named(element_get(nest, "counter"));
	int test = block_named(judge->program, element_get(judge->turn, "test")), own = cell_named(element_get(judge->turn, "counter"));
	const char *named = element_get(judge->turn, "compared");
	int compared = named == NULL ? test : block_named(judge->program, named), predicate;
	struct limits l = *judge->best;
	int64_t least = NONE;
	bool wanted;
	while (loops[outer].header != loops[inner].within)
		outer++;
	bool fits = outer >= judge->first_found && counter >= 0 && program_graph_is_inside(judge->code, outer, loops[inner].header) &&
		    loops[inner].bound <= NEST_TURNS && loops[outer].bound <= NEST_TURNS && l.again.come == COME_PLUS &&
		    l.order != ORDER_EQ && !is_entered_again(judge, inner, outer);
	if (!fits) {
		wrong(judge, nest, "a loop that is entered once in a turn of a loop with a bound");
		return;
	}
	struct word begins = word_any();
	struct words words;
	judge->loop = outer;
	read_comes(judge, nest);
	for (int i = 0, any = 0; judge->good && i < judge->code->way_count; i++) {
		const struct way *way = &judge->code->ways[i];
		if (way->to != loops[inner].header || way->closes == inner)
			continue;
		execute(judge, way->from, &words);
		words = along(judge, &words, way);
		begins = any++ > 0 ? word_join(&begins, &words.cells[own]) : words.cells[own];
	}
	if (judge->good) {
		guarded_way(judge, test, &predicate, &wanted);
		execute(judge, compared, &words);
		const struct word *limit = &words.predicates[predicate - CELL_PREDICATE].sides[1 - l.side];
		least = checked_min(count_by(judge, &l, &begins, true, counter, loops[outer].bound),
			count_by(judge, &l, limit, false, counter, loops[outer].bound));
	}
	if (least == NONE || least > loops[inner].in_all)
		wrong(judge, nest, "turns that the counter of the loop around it shows");
	judge->loop = inner;
}

static void check_turn(struct judge *judge, const struct xml_element *turn)
{
	read_comes(judge, turn);
	if (judge->good)
		check_bound(judge);
	if (judge->good)
		check_turned(judge);
	if (judge->good && element_child(turn, "nest") != NULL)
		check_nest(judge, element_child(turn, "nest"));
}

void loop_turns_check(struct check *check, const struct code *code, const struct cells *others, const struct xml_element *turns)
{
	const struct program *program = code->program;
	struct judge judge = {.check = check, .code = code, .program = program, .others = others, .good = true};
	if (turns == NULL)
		return;
	struct limits best = {0}; /* of no loop yet */
	judge.best = &best;
	judge.loop = judge.first_found = program->loop_count - element_count(turns, "turn");
	judge.ranges = arena_allocate(check->arena, (size_t)program->block_count, sizeof *judge.ranges);
	judge.once = arena_allocate(check->arena, (size_t)program->instruction_count, sizeof *judge.once);
	judge.constants = arena_allocate(check->arena, (size_t)program->block_count, sizeof *judge.constants);
	judge.implied = arena_allocate(check->arena, (size_t)element_count(turns, "implied"), sizeof *judge.implied);
	for (const struct xml_element *once = turns->first; once != NULL; once = once->next)
		if (element_is(once, "once"))
			add_once(&judge, once);
	for (const struct xml_element *range = turns->first; range != NULL; range = range->next) {
		if (element_is(range, "implied"))
			add_implied(&judge, range);
		if (element_is(range, "range"))
			add(&judge, judge.ranges, range, range_stated(&judge, range));
		if (element_is(range, "constant"))
			add(&judge, judge.constants, range, range_stated(&judge, range));
	}
	for (struct list *first = judge.ranges; first != NULL; first = first == judge.ranges ? judge.constants : NULL)
		if (first->count > 0)
			wrong(&judge, first->items[0].element, "nothing that is known at the beginning");
	read_loaded(&judge);
	find_makers(&judge);
	if (judge.good)
		check_statements(&judge);
	for (const struct xml_element *turn = turns->first; turn != NULL && judge.good; turn = turn->next)
		if (element_is(turn, "turn")) {
			check_turn(&judge, turn);
			judge.loop++;
		}
}
