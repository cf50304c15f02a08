/* Words of registers as ranges modulo 2^32. */
#include "wcet/registers.h"

#include "base/checked.h"
#include "base/plant.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- values */

struct value value_of_range(struct range range)
{
	return value_fitted((struct value){.range = range, .base = NO_ID}, (struct rest){0, 0});
}

struct value value_fitted(struct value value, struct rest rest)
{
	value.range = range_fit(value.range, rest);
	value.rest = value.range.least == value.range.most ? rest_of(value.range.least) : rest;
	return value;
}

bool value_equal(const struct value *one, const struct value *other)
{
	return range_equal(one->range, other->range) && one->form == other->form && one->base == other->base &&
	       one->shift == other->shift && range_equal(one->offset, other->offset) && rest_equal(one->rest, other->rest) &&
	       one->formula == other->formula;
}

struct value value_join(const struct value *one, const struct value *other)
{
	struct value both = *one;
	both.range = range_join(one->range, other->range);
	both.rest = rest_join(one->rest, other->rest);
	both.offset = range_join(one->offset, other->offset);
	both.formula = one->formula == other->formula ? one->formula : 0;
	both.mirror.of = 0;
	bool alike = one->form == other->form && one->base == other->base && one->shift == other->shift;
	if (alike && !(both.form == VALUE_MOVED && range_is_any(both.offset)))
		return both;
	return (struct value){.range = both.range, .base = NO_ID, .rest = both.rest, .formula = both.formula};
}

/* With a formula, and of the range what the formula can be. */
static struct value with_formula(struct value value, int formula, const struct registers *registers)
{
	value.formula = formula;
	if (formula == 0)
		return value;
	struct rest rest = formulas_rest(registers->formulas, formula);
	value.range = range_narrow(value.range, formulas_range(registers->formulas, formula, registers->constants));
	return value_fitted(value, rest.bits > value.rest.bits ? rest : value.rest);
}

static bool has_zero(struct range range)
{
	return range.most >= 0 && (range.least <= 0 || range.most >= RANGE_WORDS);
}

/* Of two that come from the header which is the step: the one that cannot be 0, else the narrower one. */
static bool is_step(struct range range, struct range than)
{
	if (has_zero(range) != has_zero(than))
		return !has_zero(range);
	return range.most - range.least <= than.most - than.least;
}

static struct value moved(const struct value *one, const struct value *other)
{
	struct range range = range_add(one->range, other->range);
	bool first = one->form == VALUE_MOVED && (other->form != VALUE_MOVED || is_step(other->range, one->range));
	const struct value *moved = first ? one : other;
	const struct value *rest = moved == one ? other : one;
	if (range_is_exactly(one->range, 0) || range_is_exactly(other->range, 0))
		return range_is_exactly(one->range, 0) ? *other : *one;
	if (moved->form != VALUE_MOVED)
		return value_of_range(range);
	struct range offset = range_add(moved->offset, rest->range);
	if (range_is_any(offset))
		return value_of_range(range);
	return (struct value){.range = range, .form = VALUE_MOVED, .base = moved->base, .offset = offset};
}

static struct mirror mirror_plus(struct mirror mirror, uint32_t number)
{
	mirror.more += number;
	return mirror;
}

static struct mirror mirror_turned(struct mirror mirror)
{
	return (struct mirror){mirror.of, !mirror.negative, 0 - mirror.more};
}

/* Of x + n, or of x, the x. */
static int without_number(const struct formulas *formulas, int formula, uint32_t *number)
{
	bool plus = formulas->items[formula].step == FORMULA_PLUS;
	*number = plus ? formulas->items[formula].number : 0;
	return plus ? formulas->items[formula].of : formula;
}

/* x + a less the lower bits of x + b: x + b with these cleared, and a - b. */
static int cleared_of_moved(struct formulas *formulas, int whole, int less)
{
	const struct formula *negative = &formulas->items[less], *low = &formulas->items[negative->of];
	uint32_t more, moved;
	if (whole == 0 || negative->step != FORMULA_NEGATIVE || low->step != FORMULA_LOW ||
		without_number(formulas, whole, &more) != without_number(formulas, low->of, &moved))
		return 0;
	return formulas_plus(formulas, formulas_high(formulas, low->of, (int)low->number), planted(PLANT_MOVED_REST) ? 0 : more - moved);
}

static int sum_of_formulas(struct formulas *formulas, int one, int other)
{
	int sum = formulas_sum(formulas, one, other), pairs[][2] = {{one, other}, {other, one}};
	for (int i = 0; i < 2 && sum == 0 && one > 0 && other > 0; i++) {
		sum = cleared_of_moved(formulas, pairs[i][0], pairs[i][1]);
		int less = formulas_negative(formulas, pairs[i][0]), low = formulas_negative(formulas, pairs[i][1]);
		if (sum == 0)
			sum = formulas_negative(formulas, cleared_of_moved(formulas, less, low));
	}
	return sum;
}

static struct value add(const struct registers *registers, const struct value *one, const struct value *other)
{
	struct formulas *formulas = registers->formulas;
	struct value sum = value_fitted(moved(one, other), rest_add(one->rest, other->rest));
	bool second = other->rest.bits == 32, first = one->rest.bits == 32 && (!second || one->formula == 0), number = first || second;
	const struct value *more = first ? one : other, *to = first ? other : one;
	int formula = sum_of_formulas(formulas, one->formula, other->formula);
	if (number) {
		sum.mirror = mirror_plus(to->mirror, more->rest.number);
		formula = formula > 0 ? formula : formulas_plus(formulas, to->formula, more->rest.number);
	}
	return with_formula(sum, formula, registers);
}

static struct value shifted(const struct value *value, enum value_form form, int shift, struct range range)
{
	bool plain = value->form == VALUE_MOVED && range_is_exactly(value->offset, 0);
	bool right = form != VALUE_DOUBLED && (value->form == VALUE_SHIFTED || value->form == VALUE_HALVED);
	if (!plain && value->form != form && !right)
		return value_of_range(range);
	if (right && value->form == VALUE_HALVED)
		form = VALUE_HALVED;
	int sum = plain ? shift : value->shift + shift;
	return sum > 31 ? value_of_range(range) : (struct value){.range = range, .form = form, .base = value->base, .shift = sum};
}

static int power_of(struct range range)
{
	for (int i = 1; i < 31; i++)
		if (range_is_exactly(range, INT64_C(1) << i))
			return i;
	return 0;
}

static struct value product(const struct value *one, const struct value *other)
{
	struct range range = range_multiply(one->range, other->range);
	if (range_is_exactly(one->range, 1) || range_is_exactly(other->range, 1))
		return range_is_exactly(one->range, 1) ? *other : *one;
	if (power_of(other->range) > 0)
		return shifted(one, VALUE_DOUBLED, power_of(other->range), range);
	return power_of(one->range) > 0 ? shifted(other, VALUE_DOUBLED, power_of(one->range), range) : value_of_range(range);
}

static struct value multiply(const struct value *one, const struct value *other)
{
	return value_fitted(product(one, other), rest_multiply(one->rest, other->rest));
}

static struct value shift_left(const struct value *value, int64_t by)
{
	struct value power = value_of_range(range_from(INT64_C(1) << by, INT64_C(1) << by));
	return by == 0 ? *value : multiply(value, &power);
}

static struct value shift_right(const struct registers *registers, const struct value *value, int64_t by, bool is_signed)
{
	struct range as = range_as(value->range, is_signed);
	int64_t unit = INT64_C(1) << by;
	struct range range = range_from(checked_div_floor(as.least, unit), checked_div_floor(as.most, unit));
	if (by == 0)
		return *value;
	struct value result = shifted(value, is_signed ? VALUE_HALVED : VALUE_SHIFTED, (int)by, range);
	int formula = !is_signed || as.least >= 0 ? formulas_shifted(registers->formulas, value->formula, (int)by) : 0;
	return with_formula(value_fitted(result, rest_shift_right(value->rest, (int)by)), formula, registers);
}

static struct value both_bits(const struct registers *registers, const struct value *one, const struct value *other)
{
	struct range a = range_as(one->range, false), b = range_as(other->range, false);
	struct value lower = value_of_range(range_from(0, checked_min(a.most, b.most)));
	if (range_is_exactly(b, b.most) && (b.most & (b.most + 1)) == 0 && a.most <= b.most) /* all bits that it can have are kept */
		return *one;
	for (int i = 1; i < 32; i++) {
		if (range_is_exactly(b, (INT64_C(1) << i) - 1)) /* the lower bits of one are kept */
			return with_formula(lower, formulas_low(registers->formulas, one->formula, i), registers);
		if (range_is_exactly(b, RANGE_WORDS - (INT64_C(1) << i))) { /* the upper ones */
			struct value upper = value_of_range(range_from(a.least & b.least, a.most & b.least));
			return with_formula(
				value_fitted(upper, (struct rest){i, 0}), formulas_high(registers->formulas, one->formula, i), registers);
		}
	}
	return lower;
}

/* ---- operands */

int values_constant_offset(const char *operand)
{
	char *end;
	if (strncmp(operand, "c[0x0][", 7) != 0)
		return NO_ID;
	if (strcmp(operand + 7, "RZ]") == 0)
		return 0;
	if (!isdigit((unsigned char)operand[7]))
		return NO_ID;
	long offset = strtol(operand + 7, &end, 16);
	return (strcmp(end, "]") == 0 || strcmp(end, "].reuse") == 0) && offset % 4 == 0 && offset < 65536 ? (int)offset : NO_ID;
}

static struct range word_range(const struct program *program, int64_t offset)
{
	for (int i = 0; i < program->word_count; i++)
		if (program->words[i].offset == offset)
			return range_from(program->words[i].least, program->words[i].most);
	return range_any;
}

/* R12, UR4, with or without ".reuse"; NO_ID: another operand. */
static int register_of(const char *at)
{
	int uniform = *at == 'U';
	char *end;
	if (at[uniform] != 'R' || !isdigit((unsigned char)at[uniform + 1]))
		return NO_ID;
	long number = strtol(at + uniform + 1, &end, 10);
	if (*end != '\0' && strcmp(end, ".reuse") != 0)
		return NO_ID;
	return number < (uniform ? 63 : 255) ? (uniform ? CELL_UNIFORM : 0) + (int)number : NO_ID;
}

static bool is_zero(const char *at)
{
	return strcmp(at, "RZ") == 0 || strcmp(at, "URZ") == 0 || strcmp(at, "RZ.reuse") == 0;
}

/* An immediate; false: another operand, such as a number with a point. */
static bool number_of(const char *at, int64_t *number)
{
	char *end;
	bool hex = strncmp(at, "0x", 2) == 0;
	if (!isdigit((unsigned char)*at))
		return false;
	*number = strtoll(at, &end, hex ? 16 : 10);
	return *end == '\0' && *number < RANGE_WORDS;
}

static struct value constant_value(const struct program *program, int offset, const struct registers *registers)
{
	int constant = formulas_constant(registers->formulas, offset);
	struct value value = value_of_range(constant > 0 ? registers->constants[constant] : word_range(program, offset));
	value.formula = constant;
	return value;
}

static struct value operand_value(const struct program *program, const char *at, const struct registers *registers)
{
	bool negated = *at == '-', inverted = *at == '~';
	int64_t number = 0;
	at += negated || inverted;
	int cell = register_of(at), offset = values_constant_offset(at);
	struct value value = value_of_range(range_any);
	if (cell != NO_ID) {
		value = registers->cells[cell];
		value.mirror = value.mirror.of > 0 ? value.mirror : (struct mirror){.of = cell + 1};
	} else if (offset != NO_ID)
		value = constant_value(program, offset, registers);
	else if (is_zero(at) || number_of(at, &number))
		value = value_of_range(range_from(number, number));
	if (!negated && !inverted)
		return value;
	struct rest rest = rest_add(rest_multiply(value.rest, rest_of(-1)), rest_of(-inverted));
	struct value turned = value_fitted(value_of_range(range_from(-value.range.most - inverted, -value.range.least - inverted)), rest);
	turned.mirror = mirror_plus(mirror_turned(value.mirror), 0U - inverted);
	return with_formula(turned,
		formulas_plus(registers->formulas, formulas_negative(registers->formulas, value.formula), 0U - inverted), registers);
}

/* ---- instructions */

/* What one instruction works on. */
struct step {
	const struct program *program;
	const struct program_instruction *instruction;
	const struct registers *before;
	int sources; /* the first operand that is read */
};

static struct value source(const struct step *step, int index)
{
	index += step->sources;
	if (index >= step->instruction->operand_count)
		return value_of_range(range_any);
	return operand_value(step->program, step->instruction->operands[index], step->before);
}

static bool source_is(const struct step *step, int index, const char *text)
{
	index += step->sources;
	return index < step->instruction->operand_count && strcmp(step->instruction->operands[index], text) == 0;
}

static bool source_is_zero(const struct step *step, int index)
{
	return source_is(step, index, "RZ") || source_is(step, index, "URZ");
}

/* The same for uniform registers: UIADD3. */
static bool is(const struct step *step, const char *mnemonic)
{
	const char *own = step->instruction->mnemonic;
	return strcmp(own, mnemonic) == 0 || (own[0] == 'U' && strcmp(own + 1, mnemonic) == 0);
}

static bool shift_amount(const struct step *step, int index, int64_t *amount)
{
	struct value value = source(step, index);
	*amount = value.range.least;
	return value.range.least == value.range.most && *amount >= 0 && *amount < 32;
}

static struct value sum(const struct step *step, int count)
{
	struct value result = source(step, 0);
	for (int i = 1; i < count; i++) {
		struct value more = source(step, i);
		result = add(step->before, &result, &more);
	}
	return result;
}

static struct value multiply_add(const struct step *step)
{
	struct value one = source(step, 0), other = source(step, 1), third = source(step, 2);
	struct value product = multiply(&one, &other);
	return add(step->before, &product, &third);
}

static struct value scaled_add(const struct step *step)
{
	struct value value = source(step, 0), other = source(step, 1);
	int64_t amount;
	if (!shift_amount(step, 2, &amount))
		return value_of_range(range_any);
	value = shift_left(&value, amount);
	return add(step->before, &value, &other);
}

/* LEA.HI R6, R8, R8, RZ, 0x1: a word and its upper bit, by which a signed number is halved towards zero. LEA.HI R6, R8, 0x1, RZ, 0x18: the
 * upper 24 bits of a word, and a number. */
static struct value round_to_zero(const struct step *step)
{
	struct value value = source(step, 0), other = source(step, 1);
	int64_t amount;
	const char *const *operands = step->instruction->operands + step->sources;
	bool same = step->sources + 4 <= step->instruction->operand_count && register_of(operands[0]) != NO_ID &&
		    register_of(operands[0]) == register_of(operands[1]);
	if (!same && source_is_zero(step, 2) && shift_amount(step, 3, &amount) && amount > 0) {
		value = shift_right(step->before, &value, 32 - amount, false);
		return add(step->before, &value, &other);
	}
	if (!same || !source_is_zero(step, 2) || !source_is(step, 3, "0x1"))
		return value_of_range(range_any);
	return range_as(value.range, true).least >= 0 ? value : shifted(&value, VALUE_HALVED, 0, range_any);
}

/* "1.78813934326171875e-07", a half of 2^-24 times the number 3, whose code is 3; false: it is no such half, or not below 2^-13, from where
 * on codes are others. The digits as a whole number are divided by 5 as often as there are decimals, what is left moves by powers of 2. */
static bool small_half(const char *at, int64_t *code)
{
	char *end;
	int64_t digits = 0;
	long shift = 24;
	bool point = false, any = isdigit((unsigned char)*at);
	for (; (isdigit((unsigned char)*at) || (*at == '.' && !point)) && digits < INT64_MAX / 10 - 1; at++) {
		if (*at != '.')
			digits = digits * 10 + (*at - '0');
		point = point || *at == '.';
		shift -= *at != '.' && point;
	}
	long exponent = strncmp(at, "e-", 2) == 0 && isdigit((unsigned char)at[2]) ? strtol(at + 2, &end, 10) : 0;
	if (!any || exponent > 100 || *(exponent > 0 ? end : at) != '\0')
		return false;
	shift -= exponent;
	for (long fives = 24 - shift; fives > 0; fives--) {
		if (digits % 5 != 0)
			return false;
		digits /= 5;
	}
	for (; shift < 0; shift++) {
		if (digits % 2 != 0)
			return false;
		digits /= 2;
	}
	*code = digits;
	return digits == 0 || (digits < 2048 >> shift && shift < 11 && (*code = digits << shift) < 2048);
}

/* HFMA2.MMA R4, -RZ, RZ, 0, 5.9604644775390625e-08: two halves, of which the second is the lower one of the word; the compiler loads small
 * numbers so. */
static struct value halves(const struct step *step)
{
	const struct program_instruction *instruction = step->instruction;
	int64_t code;
	if (instruction->operand_count != step->sources + 4 || !source_is(step, 0, "-RZ") || !source_is(step, 1, "RZ") ||
		!source_is(step, 2, "0") || !small_half(instruction->operands[step->sources + 3], &code))
		return value_of_range(range_any);
	return value_of_range(range_from(code, code));
}

static struct value shift(const struct step *step, bool left, bool is_signed)
{
	struct value value = source(step, left ? 0 : 2);
	int64_t amount;
	if (!source_is_zero(step, left ? 2 : 0) || !shift_amount(step, 1, &amount))
		return value_of_range(range_any);
	return left ? shift_left(&value, amount) : shift_right(step->before, &value, amount, is_signed);
}

static struct value logic(const struct step *step)
{
	struct value one = source(step, 0), other = source(step, 1);
	if (source_is_zero(step, 2) && source_is(step, 3, "0xc0")) {
		struct value either = both_bits(step->before, &one, &other), turned = both_bits(step->before, &other, &one);
		return range_within(either.range, turned.range) ? either : turned;
	}
	if (source_is_zero(step, 2) && source_is(step, 3, "0x33"))
		return value_of_range(range_from(-other.range.most - 1, -other.range.least - 1));
	return value_of_range(range_any);
}

static struct value extreme(const struct step *step, bool is_signed)
{
	struct value one = source(step, 0), other = source(step, 1);
	struct range a = range_as(one.range, is_signed), b = range_as(other.range, is_signed);
	if (source_is(step, 2, "PT") || source_is(step, 2, "UPT"))
		return value_of_range(range_from(checked_min(a.least, b.least), checked_min(a.most, b.most)));
	if (source_is(step, 2, "!PT") || source_is(step, 2, "!UPT"))
		return value_of_range(range_from(checked_max(a.least, b.least), checked_max(a.most, b.most)));
	return value_of_range(range_from(checked_min(a.least, b.least), checked_max(a.most, b.most)));
}

static struct value special(const struct step *step)
{
	static const char *const threads[] = {"SR_TID.X", "SR_TID.Y", "SR_TID.Z"};
	static const char *const blocks[] = {"SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z"};
	for (int i = 0; i < 3 && step->program->shaped; i++) {
		if (source_is(step, 0, threads[i]))
			return value_of_range(range_from(0, step->program->extents[i] - 1));
		if (source_is(step, 0, blocks[i]))
			return value_of_range(range_from(0, word_range(step->program, 12 + 4 * i).most - 1));
	}
	if (source_is(step, 0, "SR_LANEID"))
		return value_of_range(range_from(0, THREADS_A_WARP - 1));
	return value_of_range(range_any);
}

/* What the first register of the result is, any if it is not understood. */
static struct value result(const struct step *step)
{
	struct value one = source(step, 0), other = source(step, 1);
	if (is(step, "MOV"))
		return step->instruction->operand_count == 2 ? one : value_of_range(range_any);
	if (is(step, "IADD3"))
		return sum(step, 3);
	if (is(step, "VIADD"))
		return sum(step, 2);
	if (is(step, "IMAD") || is(step, "IMAD.U32") || is(step, "IMAD.MOV.U32") || is(step, "IMAD.IADD") || is(step, "IMAD.SHL.U32") ||
		is(step, "IMAD.MOV") || is(step, "IMAD.SHL"))
		return multiply_add(step);
	if (is(step, "LEA"))
		return scaled_add(step);
	if (is(step, "LEA.HI"))
		return round_to_zero(step);
	if (strcmp(step->instruction->mnemonic, "HFMA2.MMA") == 0)
		return halves(step);
	if (is(step, "SHF.L.U32"))
		return shift(step, true, false);
	if (is(step, "SHF.R.U32.HI"))
		return shift(step, false, false);
	if (is(step, "SHF.R.S32.HI"))
		return shift(step, false, true);
	if (is(step, "LOP3.LUT"))
		return logic(step);
	if (is(step, "SEL"))
		return value_fitted(value_of_range(range_join(one.range, other.range)), rest_join(one.rest, other.rest));
	if (is(step, "IMNMX") || is(step, "VIMNMX"))
		return extreme(step, true);
	if (is(step, "IMNMX.U32") || is(step, "VIMNMX.U32"))
		return extreme(step, false);
	if (is(step, "LDC"))
		return step->instruction->operand_count == 2 ? one : value_of_range(range_any);
	if (strcmp(step->instruction->mnemonic, "S2R") == 0 || strcmp(step->instruction->mnemonic, "S2UR") == 0)
		return special(step);
	if (strcmp(step->instruction->mnemonic, "R2UR") == 0)
		return with_formula(value_fitted(value_of_range(one.range), one.rest), one.formula, step->before);
	if (is(step, "POPC"))
		return value_of_range(range_from(0, 32));
	return value_of_range(range_any);
}

/* Of two words that are loaded, or made zero, at once the second. */
static struct value second_result(const struct step *step)
{
	int at = step->sources;
	if (step->instruction->operand_count != at + 1)
		return value_of_range(range_any);
	int offset = values_constant_offset(step->instruction->operands[at]);
	if (is(step, "LDC.64") && offset != NO_ID)
		return constant_value(step->program, offset + 4, step->before);
	return strcmp(step->instruction->mnemonic, "CS2R") == 0 && source_is(step, 0, "SRZ") ? value_of_range(range_from(0, 0))
											     : value_of_range(range_any);
}

static bool is_pair(const struct step *step)
{
	return is(step, "LDC.64") || strcmp(step->instruction->mnemonic, "CS2R") == 0;
}

static struct value first_of_pair(const struct step *step)
{
	if (strcmp(step->instruction->mnemonic, "CS2R") == 0)
		return second_result(step);
	return step->instruction->operand_count == 2 ? source(step, 0) : value_of_range(range_any);
}

/* ---- predicates */

static int predicate_of(const char *at)
{
	int uniform = *at == 'U';
	if (at[uniform] != 'P' || at[uniform + 1] < '0' || at[uniform + 1] > '6' || at[uniform + 2] != '\0')
		return NO_ID;
	return (uniform ? CELL_UNIFORM_PREDICATE : CELL_PREDICATE) + at[uniform + 1] - '0';
}

static bool relation_of(const char *mnemonic, enum relation *relation, bool *is_signed, bool *conjunction)
{
	static const char *const words[] = {".LT", ".LE", ".GT", ".GE", ".EQ", ".NE"};
	const char *at = strncmp(mnemonic, "ISETP", 5) == 0 ? mnemonic + 5 : strncmp(mnemonic, "UISETP", 6) == 0 ? mnemonic + 6 : "";
	int found = NO_ID;
	for (int i = 0; i < 6; i++)
		if (strncmp(at, words[i], 3) == 0)
			found = i;
	if (found == NO_ID)
		return false;
	*relation = (enum relation)found;
	*is_signed = strncmp(at + 3, ".U32", 4) != 0;
	at += 3 + (*is_signed ? 0 : 4);
	*conjunction = strcmp(at, ".AND") == 0 || strcmp(at, ".AND.EX") == 0;
	return *conjunction || strcmp(at, ".OR") == 0;
}

static int still_in(const struct step *step, int index)
{
	return register_of(step->instruction->operands[step->sources + index]);
}

static struct comparison compare(const struct step *step)
{
	struct comparison result = {.left_cell = NO_ID, .right_cell = NO_ID};
	bool conjunction;
	if (!relation_of(step->instruction->mnemonic, &result.relation, &result.is_signed, &conjunction) || step->sources != 2 ||
		step->instruction->operand_count != 5 || step->instruction->guard != NULL ||
		strstr(step->instruction->mnemonic, ".EX") != NULL)
		return result;
	bool alone = conjunction ? source_is(step, 2, "PT") || source_is(step, 2, "UPT")
				 : source_is(step, 2, "!PT") || source_is(step, 2, "!UPT");
	result.known = true;
	result.if_true = alone || conjunction;
	result.if_false = alone || !conjunction;
	result.left = source(step, 0);
	result.right = source(step, 1);
	result.left_cell = still_in(step, 0);
	result.right_cell = still_in(step, 1);
	return result;
}

/* ISETP.GE.U32.AND.EX P0, PT, R3, R5, PT, P1: of 64-bit words the upper halves, if P1 compares the lower ones so. The result says of the
 * lower halves what it says of the words if the upper ones are equal, or if no order of theirs can bring about that result without P1. */
static struct comparison compare_upper(const struct step *step)
{
	const struct program_instruction *instruction = step->instruction;
	struct comparison none = {.left_cell = NO_ID, .right_cell = NO_ID};
	enum relation relation;
	bool is_signed, conjunction;
	int lower = instruction->operand_count == 6 ? predicate_of(instruction->operands[5]) : NO_ID;
	if (lower == NO_ID || !relation_of(instruction->mnemonic, &relation, &is_signed, &conjunction) || step->sources != 2 ||
		strstr(instruction->mnemonic, ".EX") == NULL || instruction->guard != NULL ||
		!(source_is(step, 2, "PT") || source_is(step, 2, "UPT")))
		return none;
	struct comparison result = step->before->predicates[lower - CELL_PREDICATE];
	if (!result.known || !result.if_true || !result.if_false || result.is_signed || result.relation != relation)
		return none;
	struct range left = range_as(source(step, 0).range, is_signed), right = range_as(source(step, 1).range, is_signed);
	bool never_less = left.least >= right.most, never_greater = left.most <= right.least;
	bool less = relation == RELATION_LESS || relation == RELATION_LESS_EQUAL;
	bool greater = relation == RELATION_GREATER || relation == RELATION_GREATER_EQUAL, equal = never_less && never_greater;
	bool any = planted(PLANT_UPPER_WORD_IGNORED);
	result.if_true = any || (less ? never_less : greater ? never_greater : relation == RELATION_EQUAL || equal);
	result.if_false = any || (less ? never_greater : greater ? never_less : relation == RELATION_DIFFERENT || equal);
	return result;
}

/* LOP3.LUT P0, R6, R3, 0x3, RZ, 0xc0, !PT: the predicate says that the result is not 0. */
static struct comparison nonzero(const struct step *step, const struct value *written)
{
	struct comparison none = {.left_cell = NO_ID, .right_cell = NO_ID};
	const struct program_instruction *instruction = step->instruction;
	if (!is(step, "LOP3.LUT") || instruction->guard != NULL || step->sources != 2 || instruction->operand_count != 7 ||
		!(source_is(step, 4, "!PT") || source_is(step, 4, "!UPT")))
		return none;
	return (struct comparison){.known = true,
		.if_true = true,
		.if_false = true,
		.relation = RELATION_DIFFERENT,
		.left = *written,
		.right = value_of_range(range_from(0, 0)),
		.left_cell = register_of(instruction->operands[1]),
		.right_cell = NO_ID};
}

/* PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0: a predicate is moved. */
static struct comparison move(const struct step *step)
{
	const struct program_instruction *instruction = step->instruction;
	struct comparison none = {.left_cell = NO_ID, .right_cell = NO_ID};
	if (!is(step, "PLOP3.LUT") || instruction->guard != NULL || step->sources != 2 || instruction->operand_count != 7 ||
		!source_is(step, 3, "0x80"))
		return none;
	bool plain = (source_is(step, 0, "PT") || source_is(step, 0, "UPT")) && (source_is(step, 1, "PT") || source_is(step, 1, "UPT"));
	int from = predicate_of(instruction->operands[4]);
	return plain && from != NO_ID ? step->before->predicates[from - CELL_PREDICATE] : none;
}

void values_forget(struct registers *registers, int cell)
{
	for (int i = 0; i < CELL_PREDICATE; i++)
		if (registers->cells[i].mirror.of == cell + 1 && !planted(PLANT_MIRROR_OF_OLD))
			registers->cells[i].mirror.of = 0;
	for (int i = 0; i < CELL_COUNT - CELL_PREDICATE; i++) {
		struct comparison *predicate = &registers->predicates[i];
		predicate->left_cell = predicate->left_cell == cell ? NO_ID : predicate->left_cell;
		predicate->right_cell = predicate->right_cell == cell ? NO_ID : predicate->right_cell;
		if (predicate->left.mirror.of == cell + 1)
			predicate->left.mirror.of = 0;
		if (predicate->right.mirror.of == cell + 1)
			predicate->right.mirror.of = 0;
	}
}

void values_forget_mirrors(struct registers *registers)
{
	for (int i = 0; i < CELL_PREDICATE; i++)
		registers->cells[i].mirror.of = 0;
}

static void write(struct registers *registers, int cell, const struct value *value, bool weakly)
{
	struct value *to = &registers->cells[cell];
	*to = weakly ? value_join(to, value) : *value;
	values_forget(registers, cell);
}

static void write_predicates(const struct step *step, struct registers *registers)
{
	const struct program_instruction *instruction = step->instruction;
	struct comparison compared = compare(step), moved = move(step);
	compared = compared.known ? compared : compare_upper(step);
	for (int cell = CELL_PREDICATE; cell < CELL_COUNT; cell++)
		if (cells_has(&instruction->writes, cell) || cells_has(&instruction->may_write, cell))
			registers->predicates[cell - CELL_PREDICATE] = (struct comparison){.left_cell = NO_ID, .right_cell = NO_ID};
	int first = instruction->written_count > 0 ? predicate_of(instruction->operands[0]) : NO_ID;
	if (first != NO_ID && (compared.known || moved.known))
		registers->predicates[first - CELL_PREDICATE] = compared.known ? compared : moved;
}

/* PLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0: false; 0x80: true. */
static bool is_constant(const struct step *step, int predicate, bool *is_true)
{
	const struct program_instruction *instruction = step->instruction;
	int64_t table;
	if (!is(step, "PLOP3.LUT") || instruction->guard != NULL || step->sources != 2 || instruction->operand_count != 7 ||
		predicate_of(instruction->operands[0]) != predicate || !number_of(instruction->operands[5], &table))
		return false;
	*is_true = (table >> 7 & 1) != 0;
	return source_is(step, 0, "PT") && source_is(step, 1, "PT") && source_is(step, 2, "PT");
}

/* ISETP.NE.OR P0, PT, R6, RZ, P0, of which R6 is the cell: the comparison, and the predicate that is true else. */
static bool is_either(const struct step *step, int predicate, int cell, struct comparison *comparison, int *other)
{
	const struct program_instruction *instruction = step->instruction;
	bool conjunction;
	if (!relation_of(instruction->mnemonic, &comparison->relation, &comparison->is_signed, &conjunction) || conjunction ||
		step->sources != 2 || instruction->operand_count != 5 || instruction->guard != NULL)
		return false;
	*other = predicate_of(instruction->operands[4]);
	return predicate_of(instruction->operands[0]) == predicate && register_of(instruction->operands[2]) == cell && *other != NO_ID;
}

static int find_implication(const struct implications *implications, int predicate, int cell)
{
	for (int i = 0; i < implications->count; i++)
		if (implications->predicates[i] == predicate && implications->cells[i] == cell)
			return i;
	return NO_ID;
}

struct range values_implied(const struct registers *registers, int implication)
{
	return range_narrow(registers->cells[registers->implications->cells[implication]].range, registers->implied[implication].range);
}

/* Before the instruction what is known of its predicate behind it. */
static struct implied imply(const struct step *step, int implication)
{
	const struct registers *before = step->before;
	int predicate = before->implications->predicates[implication], cell = before->implications->cells[implication], other;
	struct implied any = {false, range_any};
	struct comparison comparison;
	bool is_true;
	if (is_constant(step, predicate, &is_true))
		return is_true ? any : (struct implied){true, range_any};
	if (!is_either(step, predicate, cell, &comparison, &other))
		return any;
	int old = find_implication(before->implications, other, cell);
	if (old == NO_ID)
		return any;
	struct range range = range_narrow_to(before->cells[cell].range, comparison.relation, source(step, 1).range, comparison.is_signed);
	range = range_fit(range, before->cells[cell].rest);
	bool alone = before->implied[old].never || planted(PLANT_OTHER_PREDICATE);
	return (struct implied){false, alone ? range : range_join(range, values_implied(before, old))};
}

static bool may_write(const struct program_instruction *instruction, int cell)
{
	return cells_has(&instruction->writes, cell) || cells_has(&instruction->may_write, cell);
}

static void imply_all(const struct step *step, struct implied *implied)
{
	const struct implications *implications = step->before->implications;
	const struct program_instruction *instruction = step->instruction;
	for (int i = 0; i < implications->count; i++) {
		int predicate = implications->predicates[i], cell = implications->cells[i];
		implied[i] = step->before->implied[i];
		if (may_write(instruction, predicate))
			implied[i] = imply(step, i);
		else if (may_write(instruction, cell))
			implied[i].range = range_any;
	}
}

bool values_mask(const struct program_instruction *instruction)
{
	bool mask = false;
	int64_t number;
	for (int k = instruction->written_count; k < instruction->operand_count; k++)
		mask = mask || (number_of(instruction->operands[k], &number) && number > 0 && (number & (number + 1)) == 0);
	const char *name = instruction->mnemonic + (instruction->mnemonic[0] == 'U');
	return mask && strncmp(name, "LOP3", 4) == 0;
}

int values_once(const struct registers *registers, int instruction)
{
	return formulas_constant(registers->formulas, VALUES_ONCE + instruction);
}

void values_add_once(struct registers *registers, int instruction)
{
	formulas_add_constant(registers->formulas, VALUES_ONCE + instruction);
	int constant = values_once(registers, instruction);
	if (constant > 0)
		registers->constants[constant] = range_any;
}

void values_execute(const struct program *program, int number, struct registers *registers)
{
	const struct program_instruction *instruction = &program->instructions[number];
	struct registers *before = registers;
	struct step step = {program, instruction, before, instruction->written_count};
	struct value any = value_of_range(range_any), value = any, second = any;
	int predicate = instruction->written_count > 0 ? predicate_of(instruction->operands[0]) : NO_ID;
	int place = predicate != NO_ID && instruction->written_count > 1 && is(&step, "LOP3.LUT"); /* of the register in the result */
	int first = instruction->written_count > place ? register_of(instruction->operands[place]) : NO_ID;
	bool pair = is_pair(&step), weakly = instruction->guard != NULL && !planted(PLANT_ALWAYS_COUNTED);
	if (first != NO_ID || place > 0) {
		value = pair ? first_of_pair(&step) : result(&step);
		second = pair ? second_result(&step) : any;
	}
	int once = first != NO_ID && instruction->guard == NULL && value.formula == 0 ? values_once(registers, number) : 0;
	if (once > 0) {
		value.formula = once;
		registers->constants[once] = value.range;
	}
	if (value.mirror.of > 0 && may_write(instruction, value.mirror.of - 1))
		value.mirror.of = 0; /* of a word that is there no more */
	struct implied implied[IMPLICATIONS];
	imply_all(&step, implied);
	write_predicates(&step, registers);
	for (int cell = 0; cell < CELL_PREDICATE; cell++) {
		bool writes = cells_has(&instruction->writes, cell);
		if (writes)
			write(registers, cell, cell == first ? &value : pair && cell == first + 1 ? &second : &any, weakly);
		else if (cells_has(&instruction->may_write, cell))
			write(registers, cell, &any, false);
	}
	if (place > 0)
		registers->predicates[predicate - CELL_PREDICATE] = nonzero(&step, &value);
	memcpy(registers->implied, implied, (size_t)registers->implications->count * sizeof *implied);
}

/* ---- what a branch says */

const struct comparison *values_guard(const struct program_instruction *instruction, const struct registers *registers, bool *negated)
{
	const char *guard = instruction->guard;
	if (guard == NULL)
		return NULL;
	*negated = *guard == '!';
	int cell = predicate_of(guard + *negated);
	return cell != NO_ID && registers->predicates[cell - CELL_PREDICATE].known ? &registers->predicates[cell - CELL_PREDICATE] : NULL;
}

static struct range mirrored(struct range range, struct mirror mirror)
{
	return mirror.negative ? range_from(mirror.more - range.most, mirror.more - range.least)
			       : range_from(range.least + mirror.more, range.most + mirror.more);
}

static void narrow_cell(struct registers *registers, int cell, struct range range)
{
	struct value *in = &registers->cells[cell];
	in->range = range_narrow(in->range, range);
	*in = value_fitted(*in, in->rest);
	if (in->formula > 0)
		formulas_narrow(registers->formulas, in->formula, in->range, registers->constants);
}

/* What is known of a word that was compared is known of the register that it mirrors, and so of all that mirror this one. */
static void narrow_mirrored(struct registers *registers, struct mirror mirror, struct range range)
{
	if (mirror.of == 0)
		return;
	struct mirror back = {mirror.of, mirror.negative, mirror.negative ? mirror.more : 0 - mirror.more};
	narrow_cell(registers, mirror.of - 1, mirrored(range, back));
	struct range own = registers->cells[mirror.of - 1].range;
	for (int cell = 0; cell < CELL_PREDICATE; cell++)
		if (registers->cells[cell].mirror.of == mirror.of)
			narrow_cell(registers, cell, mirrored(own, registers->cells[cell].mirror));
}

/* Though another word be in the register by now, the constants are what they were. */
static void narrow_value(struct registers *registers, int cell, const struct value *value, struct range range)
{
	struct value *in = &registers->cells[cell == NO_ID ? 0 : cell];
	if (cell != NO_ID) {
		in->range = range;
		*in = value_fitted(*in, in->rest);
	}
	if (value->formula > 0)
		formulas_narrow(registers->formulas, value->formula, range_fit(range, value->rest), registers->constants);
	narrow_mirrored(registers, value->mirror, range_fit(range, value->rest));
}

void values_refine(struct registers *registers, const struct comparison *comparison, bool holds)
{
	struct comparison c = *comparison; /* a part of the registers */
	enum relation relation = holds ? c.relation : relation_not(c.relation);
	if (!(holds ? c.if_true : c.if_false))
		return;
	if (c.left_cell != NO_ID || c.left.formula > 0 || c.left.mirror.of > 0)
		narrow_value(registers, c.left_cell, &c.left, range_narrow_to(c.left.range, relation, c.right.range, c.is_signed));
	if (c.right_cell != NO_ID || c.right.formula > 0 || c.right.mirror.of > 0)
		narrow_value(registers, c.right_cell, &c.right,
			range_narrow_to(c.right.range, relation_swapped(relation), c.left.range, c.is_signed));
	for (int cell = 0; cell < CELL_PREDICATE; cell++)
		registers->cells[cell] = with_formula(registers->cells[cell], registers->cells[cell].formula, registers);
}

static void add_constants(struct formulas *formulas, const struct program_instruction *instruction)
{
	bool pair = strstr(instruction->mnemonic, "LDC.64") != NULL;
	for (int k = instruction->written_count; k < instruction->operand_count; k++) {
		const char *operand = instruction->operands[k];
		int offset = values_constant_offset(operand + (*operand == '-' || *operand == '~'));
		if (offset == NO_ID)
			continue;
		formulas_add_constant(formulas, offset);
		if (pair)
			formulas_add_constant(formulas, offset + 4);
	}
}

void values_imply(struct registers *registers, const struct program_instruction *branch, bool guard_holds)
{
	const struct implications *implications = registers->implications;
	bool negated = branch->guard[0] == '!', is_true = guard_holds != negated;
	int predicate = predicate_of(branch->guard + negated);
	for (int i = 0; i < implications->count; i++) {
		if (implications->predicates[i] != predicate)
			continue;
		int cell = implications->cells[i];
		if (!is_true)
			registers->implied[i].never = true;
		else if (!registers->implied[i].never)
			narrow_value(registers, cell, &registers->cells[cell], values_implied(registers, i));
	}
}

bool values_implies(const struct registers *registers, const struct program_instruction *instruction, const struct cells *cells)
{
	const struct implications *implications = registers->implications;
	bool any = false;
	for (int i = 0; i < implications->count; i++)
		any = any || (cells_has(cells, implications->cells[i]) && cells_has(&instruction->writes, implications->predicates[i]));
	return any;
}

static void add_implication(struct implications *implications, int predicate, int cell)
{
	if (find_implication(implications, predicate, cell) != NO_ID || implications->count == IMPLICATIONS)
		return;
	implications->predicates[implications->count] = predicate;
	implications->cells[implications->count++] = cell;
}

/* Tests of two predicates, of which one is made here. */
static void add_implications(
	struct implications *implications, const struct program *program, const struct program_instruction *instruction)
{
	struct step step = {program, instruction, NULL, instruction->written_count};
	struct comparison comparison;
	int other, predicate = instruction->written_count > 0 ? predicate_of(instruction->operands[0]) : NO_ID;
	int cell = instruction->operand_count > 2 ? register_of(instruction->operands[2]) : NO_ID;
	if (predicate == NO_ID || cell == NO_ID || cell >= CELL_UNIFORM || !is_either(&step, predicate, cell, &comparison, &other) ||
		predicate >= CELL_UNIFORM_PREDICATE || other >= CELL_UNIFORM_PREDICATE)
		return;
	add_implication(implications, predicate, cell);
	add_implication(implications, other, cell);
}

void values_init(struct registers *registers, struct formulas *formulas, struct implications *implications, const struct program *program)
{
	formulas_init(formulas);
	for (int i = 0; i < program->instruction_count; i++) {
		if (program->instructions[i].block == NO_ID || !values_follow(&program->instructions[i]))
			continue;
		add_constants(formulas, &program->instructions[i]);
		add_implications(implications, program, &program->instructions[i]);
	}
	registers->formulas = formulas;
	for (int i = 1; i < formulas->constants; i++)
		registers->constants[i] = word_range(program, formulas->items[i].number);
	registers->implications = implications;
	for (int i = 0; i < IMPLICATIONS; i++)
		registers->implied[i].range = range_any;
}

bool values_follow(const struct program_instruction *instruction)
{
	static const char *const followed[] = {
		"MOV", "IADD3", "VIADD", "IMAD", "LEA", "SHF", "LOP3", "SEL", "IMNMX", "VIMNMX", "LDC", "ISETP", "PLOP3", "R2UR", NULL};
	const char *name = instruction->mnemonic + (instruction->mnemonic[0] == 'U');
	for (int i = 0; followed[i] != NULL; i++)
		if (strncmp(name, followed[i], strlen(followed[i])) == 0)
			return true;
	return false;
}
