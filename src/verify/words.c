/* Arcs of words modulo 2^32, and the meaning of the mnemonics that count. */
#include "verify/words.h"

#include "base/checked.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- arcs */

struct arc arc_of(int64_t least, int64_t most)
{
	if (most == NONE || least == NONE || most < least || most - least >= WORDS_ALL)
		return (struct arc){0, WORDS_ALL};
	return (struct arc){(uint32_t)least, most - least};
}

bool arc_holds(struct arc outer, struct arc inner)
{
	return outer.span == WORDS_ALL || (int64_t)(uint32_t)(inner.first - outer.first) + inner.span <= outer.span;
}

struct arc arc_join(struct arc one, struct arc other)
{
	int64_t from_one = checked_max(one.span, (int64_t)(uint32_t)(other.first - one.first) + other.span);
	int64_t from_other = checked_max(other.span, (int64_t)(uint32_t)(one.first - other.first) + one.span);
	struct arc arc = from_one <= from_other ? (struct arc){one.first, from_one} : (struct arc){other.first, from_other};
	return arc.span >= WORDS_ALL ? (struct arc){0, WORDS_ALL} : arc;
}

struct arc arc_plus(struct arc one, struct arc other)
{
	int64_t span = one.span + other.span;
	return span >= WORDS_ALL ? (struct arc){0, WORDS_ALL} : (struct arc){one.first + other.first, span};
}

struct interval arc_numbers(struct arc arc, bool as_signed)
{
	int64_t least = as_signed ? (int64_t)(int32_t)arc.first : (int64_t)arc.first;
	int64_t lowest = as_signed ? INT32_MIN : 0, highest = as_signed ? INT32_MAX : WORDS_ALL;
	bool turns = least + arc.span > highest;
	return (struct interval){turns ? lowest : least, turns ? highest : least + arc.span};
}

static struct arc times(struct arc one, struct arc other)
{
	int64_t a = (int32_t)one.first, b = (int32_t)other.first;
	int64_t corners[] = {
		checked_mul(a, b), checked_mul(a + one.span, b), checked_mul(a, b + other.span), checked_mul(a + one.span, b + other.span)};
	int64_t least = corners[0], most = corners[0];
	for (int i = 0; i < 4; i++) {
		if (corners[i] == NONE)
			return arc_of(0, NONE);
		least = checked_min(least, corners[i]);
		most = checked_max(most, corners[i]);
	}
	return arc_of(least, most);
}

static bool only(struct arc arc, uint32_t number)
{
	return arc.span == 0 && arc.first == number;
}

/* ---- words */

static uint32_t lower(int bits, uint32_t of)
{
	return bits >= 32 ? of : of & (((uint32_t)1 << bits) - 1);
}

bool word_never(const struct word *word)
{
	return (int64_t)lower(word->bits, word->low - word->arc.first) > word->arc.span;
}

struct word word_ending(struct word word, int bits, uint32_t low)
{
	word.bits = bits < 0 ? 0 : bits > 32 ? 32 : bits;
	word.low = lower(word.bits, low);
	int64_t skipped = lower(word.bits, word.low - word.arc.first);
	int64_t behind = lower(word.bits, word.arc.first + (uint32_t)word.arc.span - word.low);
	if (word.arc.span < WORDS_ALL && skipped + behind <= word.arc.span)
		word.arc = (struct arc){word.arc.first + (uint32_t)skipped, word.arc.span - skipped - behind};
	if (word.arc.span == 0) {
		word.bits = 32;
		word.low = word.arc.first;
	}
	return word;
}

bool word_ends(const struct word *word, int bits, uint32_t low)
{
	return word->bits >= bits && lower(bits, word->low) == low;
}

static struct word word_of(struct arc arc)
{
	return word_ending((struct word){.arc = arc, .of = -1}, 0, 0);
}

struct word word_any(void)
{
	return word_of((struct arc){0, WORDS_ALL});
}

/* Both have the same lower bits, so many. */
static int alike(const struct word *one, const struct word *other)
{
	int bits = one->bits < other->bits ? one->bits : other->bits;
	while (lower(bits, one->low) != lower(bits, other->low))
		bits--;
	return bits;
}

struct word word_join(const struct word *one, const struct word *other)
{
	struct word both = *one;
	both.arc = arc_join(one->arc, other->arc);
	both.offset = arc_join(one->offset, other->offset);
	bool same = one->come == other->come && one->of == other->of && one->by == other->by;
	if (!same || (both.come == COME_PLUS && both.offset.span == WORDS_ALL))
		both = word_of(both.arc);
	both.tied = 0;
	both.function = function_alike(&one->function, &other->function) ? one->function : (struct function){.known = false};
	return word_ending(both, alike(one, other), one->low);
}

bool word_holds(const struct word *outer, const struct word *inner)
{
	return outer->come == inner->come && outer->of == inner->of && outer->by == inner->by && arc_holds(outer->offset, inner->offset);
}

/* What two arcs have in common, in one arc. */
static struct arc common(struct arc arc, struct arc with)
{
	if (arc.span == WORDS_ALL)
		return with;
	int64_t to_with = (uint32_t)(with.first - arc.first), to_arc = (uint32_t)(arc.first - with.first);
	bool begins = to_with <= arc.span, contained = to_arc <= with.span && to_arc > 0;
	struct arc from_with = {with.first, checked_min(with.span, arc.span - to_with)};
	struct arc from_arc = {arc.first, checked_min(arc.span, with.span - to_arc)};
	struct arc result = begins && contained ? arc_join(from_with, from_arc) : begins ? from_with : contained ? from_arc : arc;
	return arc_holds(arc, result) ? result : arc;
}

/* ---- constants */

static struct arc declared(const struct program *program, uint32_t offset)
{
	struct arc arc = {0, WORDS_ALL};
	for (int i = 0; i < program->word_count; i++)
		if (program->words[i].offset == (int64_t)offset)
			arc = arc_of(program->words[i].least, program->words[i].most);
	return arc;
}

void words_clear(struct words *words, const struct program *program)
{
	for (int cell = 0; cell < CELL_PREDICATE; cell++)
		words->cells[cell] = word_any();
	words_clear_predicates(words);
	words->constant_count = words->implied_count = 0;
	words->program = program;
	words->once = NULL;
}

struct arc words_constant(const struct words *words, uint32_t offset)
{
	for (int i = 0; i < words->constant_count; i++)
		if (words->constants[i].offset == offset)
			return words->constants[i].arc;
	return declared(words->program, offset);
}

void words_state_constant(struct words *words, uint32_t offset, struct arc arc)
{
	int at = 0;
	while (at < words->constant_count && words->constants[at].offset != offset)
		at++;
	if (at == WORDS_CONSTANTS)
		return;
	words->constant_count += at == words->constant_count;
	words->constants[at] = (struct constant){offset, arc};
}

/* Of the word what its function can be. */
static struct word fitted(const struct words *words, struct word word)
{
	uint32_t low;
	int bits = word.function.known ? function_ends(&word.function, &low) : 0;
	if (!word.function.known)
		return word;
	word.arc = common(word.arc, function_arc(&word.function, words_constant(words, word.function.offset)));
	return bits > word.bits ? word_ending(word, bits, low) : word_ending(word, word.bits, word.low);
}

/* ---- sums and products */

static bool passes_zero(struct arc arc)
{
	return arc.first == 0 || arc.first + arc.span > WORDS_ALL;
}

static struct word together(const struct word *one, const struct word *other)
{
	struct word sum = word_of(arc_plus(one->arc, other->arc));
	bool passes = passes_zero(one->arc),
	     other_passes = passes_zero(other->arc); /* of two that come so the step does not, or is narrower */
	bool other_steps = passes == other_passes ? one->arc.span >= other->arc.span : passes;
	const struct word *from = one->come == COME_PLUS && (other->come != COME_PLUS || other_steps) ? one : other;
	if (only(one->arc, 0))
		return *other;
	if (only(other->arc, 0))
		return *one;
	if (from->come != COME_PLUS)
		return sum;
	sum.offset = arc_plus(from->offset, from == one ? other->arc : one->arc);
	if (sum.offset.span == WORDS_ALL)
		return word_of(sum.arc);
	sum.come = COME_PLUS;
	sum.of = from->of;
	return sum;
}

static struct word plus(const struct words *words, const struct word *one, const struct word *other)
{
	struct word sum = word_ending(together(one, other), one->bits < other->bits ? one->bits : other->bits, one->low + other->low);
	const struct word *number = other->bits == 32 && (one->bits != 32 || one->function.known) ? other : one->bits == 32 ? one : NULL;
	const struct word *to = number == one ? other : one;
	sum.function = function_sum(&one->function, &other->function);
	if (number != NULL && !sum.function.known)
		sum.function = function_plus(to->function, number->low);
	sum.tied = number != NULL ? to->tied : 0;
	sum.as_sum = to->as_sum;
	sum.apart = to->apart + (number != NULL ? number->low : 0);
	return fitted(words, sum);
}

/* The register at the header itself, shifted so far already; -1: it is not. */
static int shifted_by(const struct word *word, bool left)
{
	if (word->come == COME_PLUS && only(word->offset, 0))
		return 0;
	bool right = word->come == COME_LOGICAL || word->come == COME_POSITIVE;
	return (left ? word->come == COME_TIMES : right) ? word->by : -1;
}

static struct word shifted(const struct word *word, enum come come, int by, struct arc arc)
{
	int before = shifted_by(word, come == COME_TIMES);
	struct word result = word_of(arc);
	if (before < 0 || before + by > 31)
		return result;
	result.come = word->come == COME_POSITIVE ? COME_POSITIVE : come;
	result.of = word->of;
	result.by = before + by;
	return result;
}

static struct word left(const struct word *word, int by)
{
	struct word moved = shifted(word, COME_TIMES, by, times(word->arc, (struct arc){(uint32_t)1 << by, 0}));
	return by == 0 ? *word : word_ending(moved, word->bits + by, word->low << by);
}

static struct word right(const struct words *words, const struct word *word, int by, bool as_signed)
{
	struct interval numbers = arc_numbers(word->arc, as_signed);
	int64_t unit = INT64_C(1) << by;
	struct arc arc = arc_of(checked_div_floor(numbers.least, unit), checked_div_floor(numbers.most, unit));
	struct word moved = shifted(word, as_signed ? COME_POSITIVE : COME_LOGICAL, by, arc);
	if (by == 0)
		return *word;
	moved = word_ending(moved, word->bits - by, word->low >> by);
	if (!as_signed || numbers.least >= 0)
		moved.function = function_with(word->function, LINK_SHIFTED, by);
	return fitted(words, moved);
}

static int log_of(struct arc arc)
{
	int by = 1;
	while (by < 31 && !only(arc, (uint32_t)1 << by))
		by++;
	return by < 31 ? by : 0;
}

/* The power of 2 that divides the word for sure. */
static int twos(const struct word *word)
{
	int count = 0;
	while (count < word->bits && (word->low >> count & 1) == 0)
		count++;
	return count;
}

static struct word product(const struct word *one, const struct word *other)
{
	if (only(one->arc, 1))
		return *other;
	if (only(other->arc, 1))
		return *one;
	if (log_of(other->arc) > 0)
		return left(one, log_of(other->arc));
	if (log_of(one->arc) > 0)
		return left(other, log_of(one->arc));
	int from_one = one->bits + twos(other), from_other = other->bits + twos(one);
	return word_ending(word_of(times(one->arc, other->arc)), from_one < from_other ? from_one : from_other, one->low * other->low);
}

/* ---- operands */

struct reading {
	const struct program *program;
	const struct program_instruction *instruction;
	const struct words *words;
};

static int count_of(const struct reading *r)
{
	return r->instruction->operand_count - r->instruction->written_count;
}

static const char *text_of(const struct reading *r, int index)
{
	return index < count_of(r) ? r->instruction->operands[r->instruction->written_count + index] : "";
}

static bool is_text(const struct reading *r, int index, const char *plain)
{
	const char *text = text_of(r, index);
	return strcmp(text, plain) == 0 || (text[0] == 'U' && strcmp(text + 1, plain) == 0);
}

/* A number and nothing behind it but what is allowed; -1: none. */
static int64_t number_at(const char *text, int base, const char *behind)
{
	char *end;
	if (*text < '0' || *text > '9')
		return -1;
	long long value = strtoll(text, &end, base);
	return (*end == '\0' || strcmp(end, behind) == 0) && value <= WORDS_ALL ? value : -1;
}

static int register_at(const char *text)
{
	bool uniform = *text == 'U';
	if (text[uniform] != 'R')
		return -1;
	int64_t number = number_at(text + uniform + 1, 10, ".reuse");
	return number < 0 || number >= (uniform ? 63 : 255) ? -1 : (int)number + (uniform ? CELL_UNIFORM : 0);
}

static int64_t constant_at(const char *text)
{
	if (strcmp(text, "c[0x0][RZ]") == 0)
		return 0;
	return strncmp(text, "c[0x0][0x", 9) == 0 ? number_at(text + 7, 16, "]") : -1;
}

static struct word constant_word(const struct words *words, int64_t offset)
{
	if (offset < 0)
		return word_any();
	struct word word = word_of(words_constant(words, (uint32_t)offset));
	word.function = function_of((uint32_t)offset);
	return word;
}

static struct word operand(const struct reading *r, int index)
{
	const char *text = text_of(r, index);
	bool minus = *text == '-', inverse = *text == '~';
	text += minus || inverse;
	int cell = register_at(text);
	int64_t number = strncmp(text, "0x", 2) == 0 ? number_at(text, 16, "") : number_at(text, 10, "");
	struct word word = cell >= 0 ? r->words->cells[cell] : constant_word(r->words, constant_at(text));
	if (strcmp(text, "RZ") == 0 || strcmp(text, "URZ") == 0)
		number = 0;
	if (number >= 0)
		word = word_of((struct arc){(uint32_t)number, 0});
	if (cell >= 0 && word.tied == 0) { /* to itself */
		word.tied = cell + 1;
		word.as_sum = false;
		word.apart = 0;
	}
	if (!minus && !inverse)
		return word;
	uint32_t last = word.arc.first + (uint32_t)word.arc.span;
	struct word turned =
		word.arc.span == WORDS_ALL ? word_any() : word_of((struct arc){(uint32_t)(0 - last - (inverse ? 1U : 0U)), word.arc.span});
	turned = word_ending(turned, word.bits, inverse ? ~word.low : 0 - word.low);
	turned.function = function_plus(function_turned(word.function), inverse ? 0 - 1U : 0);
	turned.tied = word.tied;
	turned.as_sum = !word.as_sum;
	turned.apart = 0 - word.apart - (inverse ? 1U : 0U);
	return fitted(r->words, turned);
}

static int amount(const struct reading *r, int index)
{
	struct arc arc = operand(r, index).arc;
	return arc.span == 0 && arc.first < 32 ? (int)arc.first : -1;
}

/* ---- mnemonics */

enum meaning {
	MEANS_COPY,
	MEANS_SUM2,
	MEANS_SUM3,
	MEANS_MULTIPLY_ADD,
	MEANS_SCALE,
	MEANS_ROUND,
	MEANS_LEFT,
	MEANS_RIGHT,
	MEANS_RIGHT_SIGNED,
	MEANS_LOGIC,
	MEANS_SELECT,
	MEANS_EXTREME,
	MEANS_EXTREME_UNSIGNED,
	MEANS_SPECIAL,
	MEANS_COUNT,
	MEANS_FIRST,
	MEANS_PAIR,
	MEANS_HALVES,
	MEANS_ZEROS
};

static const struct {
	const char *mnemonic;
	enum meaning meaning;
} meanings[] = {
	{"MOV", MEANS_COPY},
	{"UMOV", MEANS_COPY},
	{"LDC", MEANS_COPY},
	{"ULDC", MEANS_COPY},
	{"IADD3", MEANS_SUM3},
	{"UIADD3", MEANS_SUM3},
	{"VIADD", MEANS_SUM2},
	{"UVIADD", MEANS_SUM2},
	{"IMAD", MEANS_MULTIPLY_ADD},
	{"IMAD.U32", MEANS_MULTIPLY_ADD},
	{"UIMAD", MEANS_MULTIPLY_ADD},
	{"IMAD.MOV", MEANS_MULTIPLY_ADD},
	{"IMAD.MOV.U32", MEANS_MULTIPLY_ADD},
	{"IMAD.IADD", MEANS_MULTIPLY_ADD},
	{"IMAD.SHL", MEANS_MULTIPLY_ADD},
	{"IMAD.SHL.U32", MEANS_MULTIPLY_ADD},
	{"LEA", MEANS_SCALE},
	{"ULEA", MEANS_SCALE},
	{"LEA.HI", MEANS_ROUND},
	{"ULEA.HI", MEANS_ROUND},
	{"SHF.L.U32", MEANS_LEFT},
	{"USHF.L.U32", MEANS_LEFT},
	{"SHF.R.U32.HI", MEANS_RIGHT},
	{"USHF.R.U32.HI", MEANS_RIGHT},
	{"SHF.R.S32.HI", MEANS_RIGHT_SIGNED},
	{"USHF.R.S32.HI", MEANS_RIGHT_SIGNED},
	{"LOP3.LUT", MEANS_LOGIC},
	{"ULOP3.LUT", MEANS_LOGIC},
	{"SEL", MEANS_SELECT},
	{"USEL", MEANS_SELECT},
	{"IMNMX", MEANS_EXTREME},
	{"VIMNMX", MEANS_EXTREME},
	{"IMNMX.U32", MEANS_EXTREME_UNSIGNED},
	{"VIMNMX.U32", MEANS_EXTREME_UNSIGNED},
	{"S2R", MEANS_SPECIAL},
	{"S2UR", MEANS_SPECIAL},
	{"R2UR", MEANS_FIRST},
	{"POPC", MEANS_COUNT},
	{"UPOPC", MEANS_COUNT},
	{"LDC.64", MEANS_PAIR},
	{"ULDC.64", MEANS_PAIR},
	{"CS2R", MEANS_ZEROS},
	{"HFMA2.MMA", MEANS_HALVES},
};

static struct word scaled(const struct reading *r, bool is_left, int value, int by, int rest)
{
	struct word word = operand(r, value);
	int shift = amount(r, by);
	if (shift < 0 || (rest >= 0 && !is_text(r, rest, "RZ")))
		return word_any();
	return is_left ? left(&word, shift) : word;
}

static struct word logic(const struct reading *r)
{
	struct word words[2] = {operand(r, 0), operand(r, 1)};
	struct arc one = words[0].arc, other = words[1].arc;
	if (!is_text(r, 2, "RZ"))
		return word_any();
	if (strcmp(text_of(r, 3), "0x33") == 0 && other.span < WORDS_ALL)
		return word_of((struct arc){(uint32_t) ~(other.first + (uint32_t)other.span), other.span});
	if (strcmp(text_of(r, 3), "0xc0") != 0)
		return word_any();
	struct interval a = arc_numbers(one, false), b = arc_numbers(other, false);
	for (int turn = 0; turn < 2; turn++) { /* a mask of lower bits, above which there are none */
		int64_t mask = turn ? a.least : b.least;
		if (mask == (turn ? a.most : b.most) && (mask & (mask + 1)) == 0 && (turn ? b.most : a.most) <= mask)
			return words[turn];
	}
	struct arc best = arc_of(0, checked_min(a.most, b.most));
	struct function function = {.known = false};
	int cleared = 0;
	for (int turn = 0; turn < 2; turn++) { /* a mask of lower bits, or of upper ones */
		struct interval mask = turn ? a : b, kept = turn ? b : a;
		int64_t below = WORDS_ALL + 1 - mask.least, above = mask.least + 1;
		int bits = 1;
		while (bits < 31 && INT64_C(1) << bits != below && INT64_C(1) << bits != above)
			bits++;
		if (mask.least != mask.most || (below != INT64_C(1) << bits && above != INT64_C(1) << bits))
			continue;
		function = function_with(words[turn].function, above == INT64_C(1) << bits ? LINK_LOW : LINK_HIGH, bits);
		if (above == INT64_C(1) << bits)
			continue;
		struct arc masked = arc_of(kept.least / below * below, kept.most / below * below);
		best = masked.span <= best.span ? masked : best;
		cleared = bits > cleared ? bits : cleared;
	}
	struct word word = word_ending(word_of(best), cleared, 0);
	word.function = function;
	return fitted(r->words, word);
}

static struct word extreme(const struct reading *r, bool as_signed)
{
	struct interval a = arc_numbers(operand(r, 0).arc, as_signed), b = arc_numbers(operand(r, 1).arc, as_signed);
	bool least = is_text(r, 2, "PT"), most = strcmp(text_of(r, 2), "!PT") == 0 || strcmp(text_of(r, 2), "!UPT") == 0;
	int64_t low = most ? checked_max(a.least, b.least) : checked_min(a.least, b.least);
	return word_of(arc_of(low, least ? checked_min(a.most, b.most) : checked_max(a.most, b.most)));
}

static struct word special(const struct reading *r)
{
	const char *name = text_of(r, 0);
	bool thread = strncmp(name, "SR_TID.", 7) == 0, block = strncmp(name, "SR_CTAID.", 9) == 0;
	int axis = thread ? name[7] - 'X' : block ? name[9] - 'X' : -1;
	if (strcmp(name, "SR_LANEID") == 0)
		return word_of(arc_of(0, THREADS_A_WARP - 1));
	if (!r->program->shaped || axis < 0 || axis > 2)
		return word_any();
	if (thread)
		return word_of(arc_of(0, r->program->extents[axis] - 1));
	return word_of(arc_of(0, arc_numbers(declared(r->program, 12 + 4 * (uint32_t)axis), false).most - 1));
}

static struct word sum_of(const struct reading *r, int count)
{
	struct word sum = operand(r, 0);
	for (int i = 1; i < count; i++) {
		struct word more = operand(r, i);
		sum = plus(r->words, &sum, &more);
	}
	return sum;
}

/* A word and its upper bit: so a signed one is halved towards zero; if it is not negative it stays. */
static struct word round_of(const struct reading *r)
{
	struct word word = operand(r, 0), other = operand(r, 1);
	int cell = register_at(text_of(r, 0)), by = amount(r, 3);
	if (by > 0 && is_text(r, 2, "RZ") && (cell < 0 || cell != register_at(text_of(r, 1)))) { /* its upper bits, and a number */
		word = right(r->words, &word, 32 - by, false);
		return plus(r->words, &word, &other);
	}
	if (cell < 0 || cell != register_at(text_of(r, 1)) || !is_text(r, 2, "RZ") || strcmp(text_of(r, 3), "0x1") != 0)
		return word_any();
	return arc_numbers(word.arc, true).least >= 0 ? word : shifted(&word, COME_POSITIVE, 0, (struct arc){0, WORDS_ALL});
}

/* Of a half below 2^-13 its code: how often it has 2^-24 in it; -1: another text. Multiplied by 2^24 and divided by the power of 10,
 * without a rest. */
static int code_of_half(const char *text)
{
	unsigned __int128 scaled = 0, power = 1;
	bool behind = false;
	int digits = 0;
	while ((*text >= '0' && *text <= '9') || (*text == '.' && !behind)) {
		behind = behind || *text == '.';
		if (*text != '.') {
			scaled = scaled * 10 + (unsigned)(*text - '0');
			power *= behind ? 10 : 1;
			digits++;
		}
		text++;
		if (digits > 20)
			return -1;
	}
	int64_t exponent = strncmp(text, "e-", 2) == 0 ? number_at(text + 2, 10, "") : 0;
	if (digits == 0 || exponent < 0 || (exponent == 0 && *text != '\0'))
		return -1;
	for (; exponent > 0; exponent--) {
		if (power > (unsigned __int128)1 << 100)
			return -1;
		power *= 10;
	}
	scaled <<= 24;
	return scaled % power == 0 && scaled / power < 2048 ? (int)(scaled / power) : -1;
}

/* The product of -0 and 0, and two halves: the upper and the lower one of the word. */
static struct word halves(const struct reading *r)
{
	bool plain = count_of(r) == 4 && strcmp(text_of(r, 0), "-RZ") == 0 && strcmp(text_of(r, 1), "RZ") == 0 &&
		     strcmp(text_of(r, 2), "0") == 0;
	int code = plain ? code_of_half(text_of(r, 3)) : -1;
	return code >= 0 ? word_of((struct arc){(uint32_t)code, 0}) : word_any();
}

static struct word evaluate(const struct reading *r, enum meaning meaning, struct word *second)
{
	struct word one = operand(r, 0), other = operand(r, 1), third = operand(r, 2);
	switch (meaning) {
	case MEANS_COPY: return count_of(r) == 1 ? one : word_any();
	case MEANS_SUM2: return sum_of(r, 2);
	case MEANS_SUM3: return sum_of(r, 3);
	case MEANS_MULTIPLY_ADD: one = product(&one, &other); return plus(r->words, &one, &third);
	case MEANS_SCALE: one = scaled(r, true, 0, 2, -1); return plus(r->words, &one, &other);
	case MEANS_ROUND: return round_of(r);
	case MEANS_LEFT: return scaled(r, true, 0, 1, 2);
	case MEANS_RIGHT:
	case MEANS_RIGHT_SIGNED:
		if (!is_text(r, 0, "RZ") || amount(r, 1) < 0)
			return word_any();
		return right(r->words, &third, amount(r, 1), meaning == MEANS_RIGHT_SIGNED);
	case MEANS_LOGIC: return logic(r);
	case MEANS_SELECT: return word_ending(word_of(arc_join(one.arc, other.arc)), alike(&one, &other), one.low);
	case MEANS_EXTREME: return extreme(r, true);
	case MEANS_EXTREME_UNSIGNED: return extreme(r, false);
	case MEANS_SPECIAL: return special(r);
	case MEANS_COUNT: return word_of(arc_of(0, 32));
	case MEANS_FIRST:
		third = word_ending(word_of(one.arc), one.bits, one.low);
		third.function = one.function;
		return third;
	case MEANS_HALVES: return halves(r);
	case MEANS_PAIR:
		if (count_of(r) != 1 || constant_at(text_of(r, 0)) < 0)
			return word_any();
		*second = constant_word(r->words, constant_at(text_of(r, 0)) + 4);
		return one;
	default: /* MEANS_ZEROS */
		if (strcmp(text_of(r, 0), "SRZ") != 0)
			return word_any();
		*second = word_of(arc_of(0, 0));
		return *second;
	}
}

/* ---- comparisons */

int words_predicate(const char *name)
{
	bool uniform = *name == 'U';
	name += uniform;
	bool one = name[0] == 'P' && name[1] >= '0' && name[1] <= '6' && name[2] == '\0';
	return one ? (uniform ? CELL_UNIFORM_PREDICATE : CELL_PREDICATE) + name[1] - '0' : -1;
}

static const struct compared nothing = {.cells = {-1, -1}};

/* ISETP.GE.U32.AND P0, PT, R2, UR4, PT */
static struct compared compare(const struct reading *r)
{
	static const char orders[] = ".LT.LE.GT.GE.EQ.NE";
	struct compared result = nothing;
	const char *name = r->instruction->mnemonic + (r->instruction->mnemonic[0] == 'U');
	char word[4] = "";
	if (strncmp(name, "ISETP", 5) != 0 || strlen(name) < 8 || r->instruction->guard != NULL || r->instruction->written_count != 2 ||
		count_of(r) != 3)
		return nothing;
	memcpy(word, name + 5, 3);
	const char *found = strstr(orders, word), *rest = name + 8;
	result.signedness = strncmp(rest, ".U32", 4) != 0;
	rest += result.signedness ? 0 : 4;
	bool conjunction = strcmp(rest, ".AND") == 0;
	if (found == NULL || (!conjunction && strcmp(rest, ".OR") != 0))
		return nothing;
	bool alone = conjunction ? is_text(r, 2, "PT") : strcmp(text_of(r, 2), "!PT") == 0 || strcmp(text_of(r, 2), "!UPT") == 0;
	result.known = true;
	result.order = (enum order)((found - orders) / 3);
	result.says_true = alone || conjunction;
	result.says_false = alone || !conjunction;
	for (int i = 0; i < 2; i++) {
		result.sides[i] = operand(r, i);
		result.cells[i] = register_at(text_of(r, i));
	}
	return result;
}

/* ISETP.GE.U32.AND.EX P0, PT, R3, R5, PT, P1: the halves above those that P1 compares. If it lets less or greater halves pass, those that
 * cannot be so leave the matter to P1; and a predicate that is not so says it of P1 if the halves cannot be in the other order. */
static struct compared compare_above(const struct reading *r)
{
	static const char *const orders[] = {".LT", ".LE", ".GT", ".GE", ".EQ", ".NE"};
	const char *name = r->instruction->mnemonic + (r->instruction->mnemonic[0] == 'U');
	if (strncmp(name, "ISETP", 5) != 0 || r->instruction->guard != NULL || r->instruction->written_count != 2 || count_of(r) != 4 ||
		!is_text(r, 2, "PT") || words_predicate(text_of(r, 3)) < 0)
		return nothing;
	struct compared below = r->words->predicates[words_predicate(text_of(r, 3)) - CELL_PREDICATE];
	if (!below.known || !below.says_true || !below.says_false || below.signedness || strncmp(name + 5, orders[below.order], 3) != 0)
		return nothing;
	bool is_signed = strcmp(name + 8, ".AND.EX") == 0;
	if (!is_signed && strcmp(name + 8, ".U32.AND.EX") != 0)
		return nothing;
	struct interval a = arc_numbers(operand(r, 0).arc, is_signed), b = arc_numbers(operand(r, 1).arc, is_signed);
	bool may_be_less = a.least < b.most;
	bool may_be_greater = b.least < a.most;
	switch (below.order) {
	case ORDER_LT:
	case ORDER_LE:
		below.says_true = !may_be_less;
		below.says_false = !may_be_greater;
		break;
	case ORDER_GT:
	case ORDER_GE:
		below.says_true = !may_be_greater;
		below.says_false = !may_be_less;
		break;
	case ORDER_EQ: below.says_false = !may_be_less && !may_be_greater; break;
	default: below.says_true = !may_be_less && !may_be_greater; break;
	}
	return below;
}

/* LOP3.LUT P0, R6, R3, 0x3, RZ, 0xc0, !PT: is the result another word than 0? */
static struct compared differs_from_zero(const struct reading *r, const struct word *result)
{
	const char *with = text_of(r, 4);
	struct compared compared = nothing;
	if (r->instruction->guard != NULL || count_of(r) != 5 || (strcmp(with, "!PT") != 0 && strcmp(with, "!UPT") != 0))
		return nothing;
	compared.known = compared.says_true = compared.says_false = true;
	compared.order = ORDER_NE;
	compared.sides[0] = *result;
	compared.sides[1] = word_of((struct arc){0, 0});
	compared.cells[0] = register_at(r->instruction->operands[1]);
	return compared;
}

static struct compared moved(const struct reading *r)
{
	const char *name = r->instruction->mnemonic + (r->instruction->mnemonic[0] == 'U');
	bool plain = strcmp(name, "PLOP3.LUT") == 0 && r->instruction->guard == NULL && r->instruction->written_count == 2 &&
		     count_of(r) == 5 && is_text(r, 0, "PT") && is_text(r, 1, "PT") && strcmp(text_of(r, 3), "0x80") == 0;
	int from = plain ? words_predicate(text_of(r, 2)) : -1;
	return from >= 0 ? r->words->predicates[from - CELL_PREDICATE] : nothing;
}

void words_clear_predicates(struct words *words)
{
	for (int i = 0; i < CELL_COUNT - CELL_PREDICATE; i++)
		words->predicates[i] = nothing;
}

void words_overwritten(struct words *words, int cell)
{
	for (int i = 0; i < CELL_COUNT - CELL_PREDICATE; i++)
		for (int side = 0; side < 2; side++) {
			struct compared *compared = &words->predicates[i];
			if (compared->cells[side] == cell)
				compared->cells[side] = -1;
			if (compared->sides[side].tied == cell + 1)
				compared->sides[side].tied = 0;
		}
	for (int c = 0; c < CELL_PREDICATE; c++)
		if (words->cells[c].tied == cell + 1)
			words->cells[c].tied = 0;
}

static void store(struct words *words, int cell, struct word word, bool perhaps)
{
	words->cells[cell] = perhaps ? word_join(&words->cells[cell], &word) : word;
	words_overwritten(words, cell);
}

static struct arc assume(struct arc arc, enum order order, struct arc to, bool as_signed)
{
	struct interval within = order_numbers(order, to, as_signed);
	if (order != ORDER_NE)
		return within.least > within.most ? arc : common(arc, arc_of(within.least, within.most));
	if (to.span != 0 || arc.span == 0 || arc.span == WORDS_ALL)
		return arc;
	if (to.first == arc.first)
		return (struct arc){arc.first + 1, arc.span - 1};
	return (struct arc){arc.first, arc.span - (to.first == (uint32_t)(arc.first + (uint32_t)arc.span))};
}

/* ---- what a predicate implies */

const struct implied *words_implied(const struct words *words, int predicate, int cell)
{
	for (int i = 0; i < words->implied_count; i++)
		if (words->implied[i].predicate == predicate && words->implied[i].cell == cell)
			return &words->implied[i];
	return NULL;
}

void words_state_implied(struct words *words, const struct implied *implied)
{
	int at = 0;
	while (at < words->implied_count &&
		(words->implied[at].predicate != implied->predicate || words->implied[at].cell != implied->cell))
		at++;
	if (at == WORDS_IMPLIED)
		return;
	words->implied_count += at == words->implied_count;
	words->implied[at] = *implied;
}

struct arc words_arc_implied(const struct words *words, const struct implied *implied)
{
	return common(words->cells[implied->cell].arc, implied->arc);
}

/* PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0: of three true ones bit 7 of the table. -1: another instruction. */
static int constant_of(const struct reading *r)
{
	const char *name = r->instruction->mnemonic + (r->instruction->mnemonic[0] == 'U');
	bool plain = strcmp(name, "PLOP3.LUT") == 0 && r->instruction->guard == NULL && r->instruction->written_count == 2 &&
		     count_of(r) == 5 && strcmp(text_of(r, 0), "PT") == 0 && strcmp(text_of(r, 1), "PT") == 0 &&
		     strcmp(text_of(r, 2), "PT") == 0;
	int64_t table = plain ? number_at(text_of(r, 3), 16, "") : -1;
	return table < 0 ? -1 : (int)(table >> 7 & 1);
}

/* Behind the instruction, which writes its predicate, from the words before it. */
static void imply(const struct reading *r, struct implied *implied)
{
	static const char orders[] = ".LT.LE.GT.GE.EQ.NE";
	const struct words *words = r->words;
	const char *name = r->instruction->mnemonic, *found;
	char word[4] = "";
	implied->never = false;
	implied->arc = (struct arc){0, WORDS_ALL};
	bool first = r->instruction->written_count == 2 && words_predicate(r->instruction->operands[0]) == implied->predicate;
	if (!first || r->instruction->guard != NULL)
		return;
	if (constant_of(r) >= 0) {
		implied->never = constant_of(r) == 0;
		return;
	}
	if (strncmp(name, "ISETP", 5) != 0 || strlen(name) < 8 || count_of(r) != 3)
		return;
	bool is_signed = strcmp(name + 8, ".OR") == 0;
	memcpy(word, name + 5, 3);
	found = strstr(orders, word);
	if (found == NULL || (!is_signed && strcmp(name + 8, ".U32.OR") != 0) || register_at(text_of(r, 0)) != implied->cell)
		return;
	int other = words_predicate(text_of(r, 2));
	const struct implied *else_of = other >= 0 ? words_implied(words, other, implied->cell) : NULL;
	if (else_of == NULL)
		return;
	struct word held = words->cells[implied->cell], limit = operand(r, 1);
	held.arc = assume(held.arc, (enum order)((found - orders) / 3), limit.arc, is_signed);
	held = word_ending(held, held.bits, held.low);
	implied->arc = else_of->never ? held.arc : arc_join(held.arc, words_arc_implied(words, else_of));
}

static void imply_all(const struct reading *r, struct implied *implied)
{
	for (int i = 0; i < r->words->implied_count; i++) {
		int predicate = r->words->implied[i].predicate, cell = r->words->implied[i].cell;
		implied[i] = r->words->implied[i];
		if (cells_has(&r->instruction->writes, predicate) || cells_has(&r->instruction->may_write, predicate))
			imply(r, &implied[i]);
		else if (cells_has(&r->instruction->writes, cell) || cells_has(&r->instruction->may_write, cell))
			implied[i].arc = (struct arc){0, WORDS_ALL};
	}
}

void words_decide(struct words *words, int predicate, bool is_true)
{
	for (int i = 0; i < words->implied_count; i++) {
		struct implied *implied = &words->implied[i];
		struct word *word = &words->cells[implied->cell];
		if (implied->predicate != predicate)
			continue;
		if (!is_true) {
			implied->never = true;
			continue;
		}
		if (implied->never)
			continue;
		word->arc = words_arc_implied(words, implied);
		*word = word_ending(*word, word->bits, word->low);
	}
}

void words_step(const struct program *program, const struct program_instruction *instruction, struct words *words)
{
	struct reading r = {program, instruction, words};
	struct word first = word_any(), second = word_any();
	struct compared compared = compare(&r);
	struct implied implied[WORDS_IMPLIED];
	imply_all(&r, implied);
	int predicate = instruction->written_count > 0 ? words_predicate(instruction->operands[0]) : -1;
	bool tests = predicate >= 0 && instruction->written_count == 2 &&
		     strcmp(instruction->mnemonic + (instruction->mnemonic[0] == 'U'), "LOP3.LUT") == 0;
	int cell = instruction->written_count > tests ? register_at(instruction->operands[tests]) : -1;
	compared = compared.known ? compared : compare_above(&r);
	compared = compared.known ? compared : moved(&r);
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings && (cell >= 0 || tests); i++)
		if (strcmp(meanings[i].mnemonic, instruction->mnemonic) == 0)
			first = evaluate(&r, meanings[i].meaning, &second);
	if (tests)
		compared = differs_from_zero(&r, &first);
	ptrdiff_t number = instruction - program->instructions;
	if (words->once != NULL && words->once[number] && cell >= 0 && instruction->guard == NULL && !first.function.known) {
		first.function = function_of((uint32_t)(FUNCTION_ONCE + number));
		words_state_constant(words, first.function.offset, first.arc);
	}
	int tied = first.tied - 1; /* which is written here, or may be: the word was tied to the one before */
	if (tied >= 0 && (cells_has(&instruction->writes, tied) || cells_has(&instruction->may_write, tied)))
		first.tied = 0;
	for (int c = 0; c < CELL_COUNT; c++) {
		bool writes = cells_has(&instruction->writes, c), may = cells_has(&instruction->may_write, c);
		if (!writes && !may)
			continue;
		if (c >= CELL_PREDICATE)
			words->predicates[c - CELL_PREDICATE] = c == predicate ? compared : nothing;
		else if (writes)
			store(words, c, c == cell ? first : c == cell + 1 ? second : word_any(), instruction->guard != NULL);
		else
			store(words, c, word_any(), false);
	}
	memcpy(words->implied, implied, (size_t)words->implied_count * sizeof *implied);
}

enum order order_if(enum order order, bool holds)
{
	static const enum order not [] = {ORDER_GE, ORDER_GT, ORDER_LE, ORDER_LT, ORDER_NE, ORDER_EQ};
	return holds ? order : not [order];
}

enum order order_turned(enum order order)
{
	static const enum order turned[] = {ORDER_GT, ORDER_GE, ORDER_LT, ORDER_LE, ORDER_EQ, ORDER_NE};
	return turned[order];
}

struct interval order_numbers(enum order order, struct arc to, bool as_signed)
{
	struct interval all = arc_numbers((struct arc){0, WORDS_ALL}, as_signed), limit = arc_numbers(to, as_signed);
	if (order == ORDER_LT || order == ORDER_LE)
		all.most = limit.most - (order == ORDER_LT);
	else if (order == ORDER_GT || order == ORDER_GE)
		all.least = limit.least + (order == ORDER_GT);
	else if (order == ORDER_EQ)
		all = limit;
	return all;
}

/* The arc of a word from that of the one that it is tied to, or the other way round. */
static struct arc across(struct arc arc, bool as_sum, uint32_t apart)
{
	if (arc.span == WORDS_ALL)
		return arc;
	return (struct arc){as_sum ? apart - arc.first - (uint32_t)arc.span : arc.first + apart, arc.span};
}

static void cut(struct words *words, int cell, struct arc arc)
{
	struct word *word = &words->cells[cell];
	word->arc = common(word->arc, arc);
	*word = word_ending(*word, word->bits, word->low);
	if (!word->function.known)
		return;
	struct arc constant = words_constant(words, word->function.offset);
	words_state_constant(words, word->function.offset, common(constant, function_constant(&word->function, word->arc)));
}

/* The cell that the word is tied to, and what else is tied to that. */
static void cut_tied(struct words *words, const struct word *word, struct arc arc)
{
	int cell = word->tied - 1;
	if (cell < 0)
		return;
	cut(words, cell, across(arc, word->as_sum, word->as_sum ? word->apart : 0 - word->apart));
	for (int c = 0; c < CELL_PREDICATE; c++)
		if (words->cells[c].tied == word->tied)
			cut(words, c, across(words->cells[cell].arc, words->cells[c].as_sum, words->cells[c].apart));
}

/* What is said of the word, which the cell has if there is one, and of the constant of which it is a function. */
static void assume_of(struct words *words, int cell, enum order order, const struct word *word, const struct word *to, bool as_signed)
{
	struct word said = {.arc = assume(word->arc, order, to->arc, as_signed), .of = -1};
	if (cell >= 0) {
		words->cells[cell].arc = said.arc;
		words->cells[cell] = word_ending(words->cells[cell], words->cells[cell].bits, words->cells[cell].low);
	}
	said = word_ending(said, word->bits, word->low);
	cut_tied(words, word, said.arc);
	if (!word->function.known)
		return;
	struct arc constant = words_constant(words, word->function.offset);
	words_state_constant(words, word->function.offset, common(constant, function_constant(&word->function, said.arc)));
}

static void fit_all(struct words *words)
{
	for (int cell = 0; cell < CELL_PREDICATE; cell++)
		words->cells[cell] = fitted(words, words->cells[cell]);
}

void words_assume(struct words *words, int predicate, bool is_true)
{
	struct compared c = words->predicates[predicate - CELL_PREDICATE];
	if (!c.known || !(is_true ? c.says_true : c.says_false))
		return;
	enum order order = order_if(c.order, is_true);
	assume_of(words, c.cells[0], order, &c.sides[0], &c.sides[1], c.signedness);
	assume_of(words, c.cells[1], order_turned(order), &c.sides[1], &c.sides[0], c.signedness);
	fit_all(words);
}

void words_assume_kept(struct words *words, const struct compared *c, bool is_true, const struct cells *lost)
{
	if (!c->known || !(is_true ? c->says_true : c->says_false))
		return;
	for (int side = 0; side < 2; side++) {
		enum order order = order_if(c->order, is_true);
		int cell = c->cells[side] >= 0 && cells_has(lost, c->cells[side]) ? -1 : c->cells[side];
		struct word word = c->sides[side];
		word.tied = 0; /* in that block */
		word.arc = cell >= 0 ? words->cells[cell].arc : word.arc;
		assume_of(words, cell, side == 0 ? order : order_turned(order), &word, &c->sides[1 - side], c->signedness);
	}
	fit_all(words);
}
