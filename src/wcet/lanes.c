/* Forms of registers, forwards from the entry, until nothing changes; [LANES]. */
#include "wcet/lanes.h"

#include "base/plant.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ALL 32       /* bits of a word: the words are known */
#define UNKNOWN 0    /* the form of which each lane is a group */
#define NOT_YET (-1) /* nobody comes there, as far as is found */

struct finder {
	const struct flow *flow;
	const struct program *program;
	const struct uniformity *uniformity;
	struct lane_form **forms; /* each once */
	int form_count, form_capacity;
	int (*states)[CELL_COUNT];  /* at the beginning of a block: numbers of forms */
	struct lane_form places[3]; /* of a thread in its block: x, y, z */
};

/* ---- forms */

static struct lane_form form_of(uint32_t word, uint8_t aligned)
{
	struct lane_form form = {.aligned = aligned};
	for (int i = 0; i < THREADS_A_WARP; i++)
		form.offsets[i] = word;
	return form;
}

static struct lane_form unknown(void)
{
	struct lane_form form = {.aligned = 0};
	for (int i = 0; i < THREADS_A_WARP; i++)
		form.groups[i] = (uint8_t)i;
	return form;
}

static uint32_t low_bits(int count)
{
	return count >= ALL ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

static int zeros_below(uint32_t word)
{
	int count = 0;
	while (count < ALL && (word >> count & 1) == 0)
		count++;
	return count;
}

static int least(int one, int other)
{
	return one < other ? one : other;
}

/* Lanes stay together that were in one group before, and have the same key. */
static void part(struct lane_form *form, const uint32_t *keys)
{
	uint8_t before[THREADS_A_WARP];
	memcpy(before, form->groups, sizeof before);
	for (int i = 0; i < THREADS_A_WARP; i++) {
		int first = 0;
		while (first < i && (before[first] != before[i] || keys[first] != keys[i]))
			first++;
		form->groups[i] = (uint8_t)first;
	}
}

/* Where words are known all lanes are one group. Else of a group's offsets what is a multiple of 2^aligned in the first is u's. */
static struct lane_form in_order(struct lane_form form)
{
	for (int i = 0; i < THREADS_A_WARP && form.aligned >= ALL; i++)
		form.groups[i] = 0;
	for (int i = THREADS_A_WARP - 1; i >= 0 && form.aligned < ALL; i--)
		form.offsets[i] -= form.offsets[form.groups[i]] & ~low_bits(form.aligned);
	return form;
}

/* Together only where both are. */
static void refine(struct lane_form *form, const struct lane_form *by)
{
	uint32_t keys[THREADS_A_WARP];
	for (int i = 0; i < THREADS_A_WARP; i++)
		keys[i] = by->groups[i];
	part(form, keys);
}

/* Where lanes of a group read the same. */
static void refine_equal(struct lane_form *form, const struct lane_form *by)
{
	refine(form, by);
	part(form, by->offsets);
}

/* What any function of words makes of them that are read: the same where they are the same. */
static struct lane_form opaque(const struct lane_form *form)
{
	struct lane_form result = form_of(0, 0);
	refine_equal(&result, form);
	return result;
}

static struct lane_form add(const struct lane_form *one, const struct lane_form *other)
{
	struct lane_form sum = *one;
	if (one->aligned >= ALL) /* known words part nobody */
		memcpy(sum.groups, other->groups, sizeof sum.groups);
	else if (other->aligned < ALL)
		refine(&sum, other);
	for (int i = 0; i < THREADS_A_WARP; i++)
		sum.offsets[i] += other->offsets[i];
	sum.aligned = (uint8_t)least(one->aligned, other->aligned);
	return sum;
}

static struct lane_form times(const struct lane_form *form, uint32_t factor)
{
	struct lane_form product = *form;
	for (int i = 0; i < THREADS_A_WARP; i++)
		product.offsets[i] *= factor;
	product.aligned = (uint8_t)least(ALL, form->aligned + zeros_below(factor));
	return product;
}

static bool is_number(const struct lane_form *form, uint32_t *number)
{
	*number = form->offsets[0];
	bool same = form->aligned >= ALL;
	for (int i = 1; i < THREADS_A_WARP; i++)
		same &= form->offsets[i] == form->offsets[0];
	return same;
}

static struct lane_form multiply(const struct lane_form *one, const struct lane_form *other)
{
	uint32_t number;
	if (is_number(one, &number))
		return times(other, number);
	if (is_number(other, &number))
		return times(one, number);
	struct lane_form product = opaque(one);
	refine_equal(&product, other);
	return product;
}

/* The bits below `aligned` are the offset's, those above the group's. Else nothing is known of bits. */
static bool has_bits(const struct lane_form *form)
{
	bool within = true;
	for (int i = 0; i < THREADS_A_WARP; i++)
		within &= (form->offsets[i] & ~low_bits(form->aligned)) == 0;
	return within;
}

static struct lane_form shift_right(const struct lane_form *form, int by, bool is_signed)
{
	struct lane_form result = *form;
	if (by == 0)
		return result;
	if (!has_bits(form))
		return opaque(form);
	for (int i = 0; i < THREADS_A_WARP; i++) {
		uint32_t word = form->offsets[i], sign = form->aligned >= ALL && is_signed && word >> 31 != 0 ? ~(UINT32_MAX >> by) : 0;
		result.offsets[i] = by >= ALL ? 0 : word >> by | sign;
	}
	result.aligned = (uint8_t)(form->aligned >= ALL ? ALL : form->aligned > by ? form->aligned - by : 0);
	return result;
}

/* A function of three words bit by bit: bit 4a + 2b + c of the table. Bits of the result are known where all are on which they depend. */
struct bits {
	uint32_t known, word[THREADS_A_WARP];
};

static bool depends(unsigned table, unsigned known, unsigned at)
{
	bool first = (table >> at & 1) != 0, differs = false;
	for (unsigned other = 0; other < 8; other++)
		if (((other ^ at) & known) == 0)
			differs |= ((table >> other & 1) != 0) != first;
	return differs;
}

static struct bits apply_table(const struct lane_form *operands, unsigned table)
{
	struct bits result = {.known = UINT32_MAX};
	for (int i = 0; i < THREADS_A_WARP; i++)
		for (int bit = 0; bit < ALL; bit++) {
			unsigned at = 0, known = 0;
			for (int k = 0; k < 3; k++) {
				at = at << 1 | (operands[k].offsets[i] >> bit & 1);
				known = known << 1 | (bit < operands[k].aligned);
			}
			if (depends(table, known, at))
				result.known &= ~(UINT32_C(1) << bit);
			result.word[i] |= (table >> at & 1) << bit;
		}
	return result;
}

static struct lane_form bitwise(const struct lane_form *given, unsigned table)
{
	struct lane_form operands[3], result = form_of(0, 0);
	for (int k = 0; k < 3; k++)
		operands[k] = has_bits(&given[k]) ? given[k] : opaque(&given[k]);
	struct bits bits = apply_table(operands, table);
	result.aligned = (uint8_t)zeros_below(~bits.known);
	for (int k = 0; k < 3; k++) { /* above, the same where the words are the same that are read there */
		uint32_t above[THREADS_A_WARP];
		for (int i = 0; i < THREADS_A_WARP; i++)
			above[i] = operands[k].offsets[i] & ~low_bits(result.aligned);
		if (operands[k].aligned < ALL)
			refine(&result, &operands[k]);
		part(&result, above);
	}
	for (int i = 0; i < THREADS_A_WARP; i++)
		result.offsets[i] = bits.word[i] & low_bits(result.aligned);
	return in_order(result);
}

/* One or the other, all lanes of a group the same one. */
static struct lane_form join(const struct lane_form *one, const struct lane_form *other)
{
	struct lane_form both = *one;
	uint32_t difference[THREADS_A_WARP], all = 0;
	for (int i = 0; i < THREADS_A_WARP; i++) {
		difference[i] = one->offsets[i] - other->offsets[i];
		all |= difference[i];
	}
	both.aligned = (uint8_t)least(least(one->aligned, other->aligned), zeros_below(all));
	if (both.aligned < ALL) {
		refine(&both, other);
		part(&both, difference);
	}
	return both;
}

/* ---- numbers of forms */

static int number_of(struct finder *finder, const struct lane_form *given)
{
	struct lane_form ordered = in_order(*given), *form = &ordered;
	for (int i = finder->form_count - 1; i >= 0; i--)
		if (memcmp(finder->forms[i], form, sizeof *form) == 0)
			return i;
	if (finder->form_count == LANES_FORMS)
		return UNKNOWN;
	struct arena *arena = finder->flow->arena;
	finder->forms = arena_grow(arena, finder->forms, &finder->form_capacity, finder->form_count + 1, sizeof *finder->forms);
	finder->forms[finder->form_count] = arena_allocate(arena, 1, sizeof *form);
	*finder->forms[finder->form_count] = *form;
	return finder->form_count++;
}

static bool is_uniform_cell(int cell)
{
	return (cell >= CELL_UNIFORM && cell < CELL_PREDICATE) || cell >= CELL_UNIFORM_PREDICATE;
}

static struct lane_form form_at(const struct finder *finder, const int *state, int cell)
{
	return is_uniform_cell(cell) ? form_of(0, 0) : *finder->forms[state[cell] == NOT_YET ? UNKNOWN : state[cell]];
}

/* ---- operands */

static bool is_zero(const char *at)
{
	return strncmp(at, "RZ", 2) == 0 || strncmp(at, "URZ", 3) == 0 || strcmp(at, "SRZ") == 0;
}

static struct lane_form constant(const struct finder *finder, int64_t offset)
{
	for (int i = 0; i < finder->program->word_count; i++)
		if (finder->program->words[i].offset == offset && finder->program->words[i].least == finder->program->words[i].most)
			return form_of((uint32_t)finder->program->words[i].least, ALL);
	return form_of(0, 0);
}

/* A register, a number or a constant, with a sign or without; false: something else. */
static bool operand(const struct finder *finder, const int *state, const char *at, struct lane_form *form)
{
	bool minus = *at == '-', inverted = *at == '~', uniform;
	char *end;
	at += minus || inverted;
	uniform = at[0] == 'U';
	if (is_zero(at))
		*form = form_of(0, ALL);
	else if (strncmp(at, "c[", 2) == 0) {
		long offset = strncmp(at, "c[0x0][0x", 9) == 0 ? strtol(at + 7, &end, 16) : -1;
		*form = strchr(at, 'R') == NULL && offset >= 0 && strcmp(end, "]") == 0 ? constant(finder, offset) : form_of(0, 0);
		if (strchr(at, 'R') != NULL)
			return false;
	} else if (at[uniform] == 'R' && isdigit((unsigned char)at[uniform + 1])) {
		long number = strtol(at + uniform + 1, &end, 10);
		if ((*end != '\0' && strcmp(end, ".reuse") != 0) || number >= (uniform ? 63 : 255))
			return false;
		*form = form_at(finder, state, (uniform ? CELL_UNIFORM : 0) + (int)number);
	} else if (isdigit((unsigned char)*at)) {
		unsigned long long number = strtoull(at, &end, 0);
		if (*end != '\0' || number > UINT32_MAX)
			return false;
		*form = form_of((uint32_t)number, ALL);
	} else
		return false;
	if (minus || inverted)
		*form = times(form, UINT32_MAX);
	if (inverted) {
		struct lane_form one = form_of(UINT32_MAX, ALL);
		*form = add(form, &one);
	}
	return true;
}

static bool named(const char *mnemonic, const char *base)
{
	size_t length = strlen(base);
	return strncmp(mnemonic, base, length) == 0 && (mnemonic[length] == '\0' || mnemonic[length] == '.');
}

static bool number_operand(const char *at, long *number)
{
	char *end;
	*number = isdigit((unsigned char)*at) ? strtol(at, &end, 0) : -1;
	return *number >= 0 && *end == '\0';
}

/* ---- instructions */

struct step {
	const struct finder *finder;
	const struct program_instruction *instruction;
	const int *state;
	struct lane_form sources[3];
};

static bool take(struct step *step, int count)
{
	int first = step->instruction->written_count;
	if (first + count > step->instruction->operand_count)
		return false;
	for (int k = 0; k < count; k++)
		if (!operand(step->finder, step->state, step->instruction->operands[first + k], &step->sources[k]))
			return false;
	return true;
}

static bool sum_of(struct step *step, int count, struct lane_form *result)
{
	if (!take(step, count))
		return false;
	*result = step->sources[0];
	for (int k = 1; k < count; k++)
		*result = add(result, &step->sources[k]);
	return true;
}

static bool shift_of(struct step *step, struct lane_form *result)
{
	const struct program_instruction *instruction = step->instruction;
	int first = instruction->written_count;
	bool left = strcmp(instruction->mnemonic, "SHF.L.U32") == 0, is_signed = strcmp(instruction->mnemonic, "SHF.R.S32.HI") == 0;
	long by;
	if ((!left && !is_signed && strcmp(instruction->mnemonic, "SHF.R.U32.HI") != 0) || first + 3 > instruction->operand_count ||
		!number_operand(instruction->operands[first + 1], &by) || by > 31 ||
		!operand(step->finder, step->state, instruction->operands[left ? first : first + 2], &step->sources[0]))
		return false;
	*result = left ? times(&step->sources[0], UINT32_C(1) << by) : shift_right(&step->sources[0], (int)by, is_signed);
	return true;
}

static bool lea_of(struct step *step, struct lane_form *result)
{
	int first = step->instruction->written_count;
	long by;
	if (!take(step, 2) || first + 2 >= step->instruction->operand_count ||
		!number_operand(step->instruction->operands[first + 2], &by) || by > 31)
		return false;
	struct lane_form shifted = times(&step->sources[0], UINT32_C(1) << by);
	*result = add(&shifted, &step->sources[1]);
	return true;
}

static bool table_of(struct step *step, struct lane_form *result)
{
	int first = step->instruction->written_count;
	long table;
	if (!take(step, 3) || first + 3 >= step->instruction->operand_count ||
		!number_operand(step->instruction->operands[first + 3], &table) || table > 255)
		return false;
	*result = bitwise(step->sources, (unsigned)table);
	return true;
}

static bool place_of(const struct step *step, struct lane_form *result)
{
	const struct program_instruction *instruction = step->instruction;
	static const char *const names[] = {"SR_TID.X", "SR_TID.Y", "SR_TID.Z"};
	if (instruction->operand_count != 2)
		return false;
	for (int k = 0; k < 3; k++)
		if (strcmp(instruction->operands[1], names[k]) == 0) {
			*result = step->finder->places[k];
			return true;
		}
	*result = form_of(0, ALL);
	for (int i = 0; i < THREADS_A_WARP; i++)
		result->offsets[i] = (uint32_t)i;
	return strcmp(instruction->operands[1], "SR_LANEID") == 0;
}

static bool choice_of(struct step *step, struct lane_form *result)
{
	int first = step->instruction->written_count;
	const char *by = first + 2 < step->instruction->operand_count ? step->instruction->operands[first + 2] : "";
	by += *by == '!';
	if (!take(step, 2) || by[0] != 'P' || !isdigit((unsigned char)by[1]) || by[2] != '\0')
		return false;
	struct lane_form decides = form_at(step->finder, step->state, CELL_PREDICATE + by[1] - '0'), both;
	both = join(&step->sources[0], &step->sources[1]);
	if (both.aligned < ALL)
		refine_equal(&both, &decides);
	*result = both;
	return true;
}

/* The word that it writes to the first register. false: nothing is known but what it reads. */
static bool understand(struct step *step, struct lane_form *result)
{
	const char *mnemonic = step->instruction->mnemonic;
	bool high = strstr(mnemonic, ".HI") != NULL || strstr(mnemonic, ".X") != NULL;
	if (named(mnemonic, "S2R"))
		return place_of(step, result);
	if (named(mnemonic, "SHF"))
		return shift_of(step, result);
	if (named(mnemonic, "LOP3"))
		return table_of(step, result);
	if (strcmp(mnemonic, "SEL") == 0)
		return choice_of(step, result);
	if (strcmp(mnemonic, "MOV") == 0 || strcmp(mnemonic, "LDC") == 0 || strcmp(mnemonic, "LDC.64") == 0)
		return sum_of(step, 1, result);
	if (high)
		return false;
	if (named(mnemonic, "IADD3"))
		return sum_of(step, 3, result);
	if (strcmp(mnemonic, "IADD") == 0 || strcmp(mnemonic, "VIADD") == 0)
		return sum_of(step, 2, result);
	if (named(mnemonic, "LEA"))
		return lea_of(step, result);
	if (!named(mnemonic, "IMAD") || !take(step, 3))
		return false;
	struct lane_form product = multiply(&step->sources[0], &step->sources[1]);
	*result = add(&product, &step->sources[2]);
	return true;
}

static int written_register(const struct program_instruction *instruction)
{
	for (int i = 0; i < instruction->written_count; i++)
		if (instruction->operands[i][0] == 'R' && isdigit((unsigned char)instruction->operands[i][1]))
			return atoi(instruction->operands[i] + 1);
	return NO_ID;
}

/* What is a function of what it reads, and nothing else, is the same for lanes that read the same. */
static struct lane_form by_reads(const struct finder *finder, const struct program_instruction *instruction, const int *state)
{
	struct lane_form result = form_of(0, 0);
	if (instruction->origin == ORIGIN_THREAD)
		return unknown();
	for (int cell = 0; cell < CELL_COUNT && (instruction->origin == ORIGIN_OPERANDS || instruction->guard != NULL); cell++)
		if (cells_has(&instruction->reads, cell)) {
			struct lane_form read = form_at(finder, state, cell);
			refine_equal(&result, &read);
		}
	return result;
}

/* Under a predicate a lane has what it had or what is written, and lanes of one group that read the same predicate do alike. */
static struct lane_form guarded(const struct finder *finder, const struct program_instruction *instruction, const int *state, int cell,
	const struct lane_form *written)
{
	struct lane_form before = form_at(finder, state, cell), both = join(written, &before);
	const char *name = instruction->guard + (*instruction->guard == '!');
	bool uniform = *name == 'U';
	if (uniform || planted(PLANT_LANE_GUARD))
		return planted(PLANT_LANE_GUARD) ? *written : both;
	struct lane_form decides =
		name[0] == 'P' && isdigit((unsigned char)name[1]) ? form_at(finder, state, CELL_PREDICATE + name[1] - '0') : unknown();
	if (both.aligned < ALL)
		refine_equal(&both, &decides);
	return both;
}

static void execute(struct finder *finder, int number, int *state)
{
	const struct program_instruction *instruction = &finder->program->instructions[number];
	struct step step = {finder, instruction, state, {{{0}, {0}, 0}}};
	struct lane_form rest = by_reads(finder, instruction, state), first = rest;
	int next[CELL_COUNT], target = written_register(instruction);
	if (target != NO_ID && !understand(&step, &first))
		first = rest;
	bool forgets = instruction->joins && finder->uniformity->split[instruction->block];
	for (int cell = 0; cell < CELL_COUNT; cell++) {
		next[cell] = forgets || cells_has(&finder->uniformity->merged[number], cell) ? UNKNOWN : state[cell];
		if (cells_has(&instruction->writes, cell)) {
			struct lane_form written = cell == target ? first : rest;
			if (instruction->guard != NULL)
				written = guarded(finder, instruction, state, cell, &written);
			next[cell] = number_of(finder, &written);
		}
		if (cells_has(&instruction->may_write, cell))
			next[cell] = UNKNOWN;
	}
	memcpy(state, next, sizeof next);
}

/* ---- places of threads */

/* One form for all warps of the block: of lanes that are in each warp as far apart as in the first, as aligned as all warps leave it. */
static struct lane_form place_form(const struct program *program, int axis)
{
	int64_t x = program->extents[0], y = program->extents[1], of[THREADS_A_WARP] = {0};
	struct lane_form form = form_of(0, ALL);
	for (int64_t thread = 0; thread < program->threads; thread++) {
		int lane = (int)(thread % THREADS_A_WARP);
		of[lane] = axis == 0 ? thread % x : axis == 1 ? thread / x % y : thread / (x * y);
		if (thread < THREADS_A_WARP)
			form.offsets[lane] = (uint32_t)of[lane];
		uint32_t differences[THREADS_A_WARP], all = 0;
		if (lane != THREADS_A_WARP - 1 && thread != program->threads - 1)
			continue;
		for (int i = 0; i < THREADS_A_WARP; i++) {
			differences[i] = i <= lane ? (uint32_t)of[i] - form.offsets[i] : (uint32_t)of[0] - form.offsets[0];
			all |= differences[i];
		}
		form.aligned = (uint8_t)least(form.aligned, zeros_below(all));
		part(&form, differences);
	}
	return in_order(form);
}

/* ---- states */

static void run_block(struct finder *finder, int block, int *state)
{
	const struct program_block *of = &finder->program->blocks[block];
	for (int i = of->first; i < of->first + of->count; i++)
		execute(finder, i, state);
}

static bool join_states(struct finder *finder, int *there, const int *more)
{
	bool changed = false;
	for (int cell = 0; cell < CELL_COUNT; cell++) {
		if (there[cell] == more[cell])
			continue;
		int now = more[cell];
		if (there[cell] != NOT_YET) {
			struct lane_form both = join(finder->forms[there[cell]], finder->forms[more[cell]]);
			now = number_of(finder, &both);
		}
		changed |= now != there[cell];
		there[cell] = now;
	}
	return changed;
}

static void find_states(struct finder *finder)
{
	const struct flow *flow = finder->flow;
	bool *waiting = arena_allocate(flow->arena, (size_t)flow->block_count, sizeof *waiting);
	for (int b = 0; b < flow->block_count; b++)
		for (int cell = 0; cell < CELL_COUNT; cell++)
			finder->states[b][cell] = b == 0 ? UNKNOWN : NOT_YET;
	waiting[0] = true;
	for (bool more = true; more;) {
		more = false;
		for (int b = 0; b < flow->block_count; b++) {
			int state[CELL_COUNT];
			if (!waiting[b])
				continue;
			waiting[b] = false;
			memcpy(state, finder->states[b], sizeof state);
			run_block(finder, b, state);
			for (int i = flow->first_out[b]; i < flow->first_out[b + 1]; i++) {
				int to = flow->edges[flow->out[i]].to;
				if (to < flow->block_count && join_states(finder, finder->states[to], state))
					waiting[to] = more = true;
			}
		}
	}
}

/* ---- addresses */

/* One term of an address: R2, R2.64, R4.X4, UR4, 0x10, -0x10, RZ. */
static bool add_term(const struct finder *finder, const int *state, const char *term, struct lane_form *sum)
{
	char name[24];
	uint32_t scale = 1;
	const char *suffix = strchr(term, '.');
	size_t length = suffix != NULL ? (size_t)(suffix - term) : strlen(term);
	struct lane_form form;
	if (length == 0 || length >= sizeof name)
		return false;
	memcpy(name, term, length);
	name[length] = '\0';
	if (suffix != NULL && suffix[1] == 'X')
		scale = (uint32_t)strtoul(suffix + 2, NULL, 10);
	else if (suffix != NULL && strcmp(suffix, ".64") != 0 && strcmp(suffix, ".U32") != 0)
		return false;
	if (!operand(finder, state, name, &form))
		return false;
	form = times(&form, scale);
	*sum = add(sum, &form);
	return true;
}

static bool address_of(const struct finder *finder, const struct program_instruction *instruction, const int *state, struct lane_form *form)
{
	const char *at = NULL;
	for (int i = 0; i < instruction->operand_count; i++)
		if (strchr(instruction->operands[i], '[') != NULL && strncmp(instruction->operands[i], "c[", 2) != 0)
			at = strrchr(instruction->operands[i], '[') + 1;
	*form = form_of(0, ALL);
	while (at != NULL && *at != ']') {
		char term[24];
		size_t length = strcspn(at, "+]");
		if (length >= sizeof term || at[length] == '\0')
			return false;
		memcpy(term, at, length);
		term[length] = '\0';
		if (!add_term(finder, state, term, form))
			return false;
		at += length + (at[length] == '+');
	}
	return at != NULL;
}

static bool is_wanted(const struct finder *finder, int number, const struct cells *wanted)
{
	const struct program_instruction *instruction = &finder->program->instructions[number];
	bool any = false;
	for (int w = 0; w < CELL_WORDS; w++)
		any |= (instruction->writes.words[w] & wanted->words[w]) != 0;
	return any;
}

/* Cells from which addresses may follow, wherever they are written. */
static struct cells find_wanted(const struct finder *finder, const bool *asked)
{
	struct cells wanted = {{0}};
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < finder->program->instruction_count; i++) {
			const struct program_instruction *instruction = &finder->program->instructions[i];
			if (instruction->block == NO_ID || (!asked[i] && !is_wanted(finder, i, &wanted)))
				continue;
			for (int w = 0; w < CELL_WORDS; w++) {
				more |= (instruction->reads.words[w] & ~wanted.words[w]) != 0;
				wanted.words[w] |= instruction->reads.words[w];
			}
		}
	}
	return wanted;
}

static void keep_facts(struct finder *finder, struct lanes *lanes, int number, const int *state, const struct cells *wanted, int *capacity)
{
	const struct program_instruction *instruction = &finder->program->instructions[number];
	for (int cell = 0; cell < CELL_COUNT; cell++) {
		if (is_uniform_cell(cell) || !cells_has(&instruction->writes, cell) || !cells_has(wanted, cell) || state[cell] == UNKNOWN)
			continue;
		lanes->facts = arena_grow(finder->flow->arena, lanes->facts, capacity, lanes->fact_count + 1, sizeof *lanes->facts);
		lanes->facts[lanes->fact_count++] = (struct lane_fact){number, cell, finder->forms[state[cell]]};
	}
}

static void keep(struct finder *finder, struct lanes *lanes, const bool *asked)
{
	const struct program *program = finder->program;
	struct cells wanted = find_wanted(finder, asked);
	int state[CELL_COUNT], capacity = 0;
	for (int b = 0; b < program->block_count; b++) {
		const struct program_block *of = &program->blocks[b];
		memcpy(state, finder->states[b], sizeof state);
		for (int i = of->first; i < of->first + of->count; i++) {
			struct lane_form address;
			if (asked[i] && address_of(finder, &program->instructions[i], state, &address)) {
				int form = number_of(finder, &address); /* it may move the forms' places */
				lanes->addresses[i] = finder->forms[form];
			}
			execute(finder, i, state);
			keep_facts(finder, lanes, i, state, &wanted, &capacity);
		}
	}
}

void lanes_find(struct lanes *lanes, const struct flow *flow, const struct uniformity *uniformity, const bool *asked)
{
	struct finder finder = {.flow = flow, .program = flow->program, .uniformity = uniformity};
	*lanes = (struct lanes){.facts = NULL};
	if (flow->program->instruction_count == 0)
		return;
	lanes->addresses = arena_allocate(flow->arena, (size_t)flow->program->instruction_count, sizeof *lanes->addresses);
	if (flow->block_count > LANES_BLOCKS)
		return;
	struct lane_form none = unknown();
	number_of(&finder, &none);
	finder.states = arena_allocate(flow->arena, (size_t)flow->block_count, sizeof *finder.states);
	for (int axis = 0; axis < 3; axis++)
		finder.places[axis] = place_form(flow->program, axis);
	find_states(&finder);
	keep(&finder, lanes, asked);
}
