/* Functions of constants: each once, in a table. */
#include "wcet/formulas.h"

#include "base/checked.h"
#include "base/plant.h"

void formulas_init(struct formulas *formulas)
{
	formulas->count = formulas->constants = 1;
}

int formulas_constant(const struct formulas *formulas, int offset)
{
	for (int i = 1; i < formulas->constants; i++)
		if (formulas->items[i].number == (uint32_t)offset)
			return i;
	return 0;
}

void formulas_add_constant(struct formulas *formulas, int offset)
{
	if (formulas_constant(formulas, offset) > 0 || formulas->constants > FORMULA_CONSTANTS)
		return;
	formulas->items[formulas->count++] = (struct formula){.step = FORMULA_CONSTANT, .number = (uint32_t)offset};
	formulas->constants = formulas->count;
}

static int apply(struct formulas *formulas, enum formula_step step, int of, uint32_t number)
{
	struct formula *items = formulas->items;
	for (int i = formulas->constants; i < formulas->count && of > 0; i++)
		if (items[i].step == step && items[i].of == of && items[i].number == number)
			return i;
	bool behind = items[of].step == FORMULA_NEGATIVE; /* which is the last step */
	if (of == 0 || behind || formulas->count == FORMULAS || items[of].depth == FORMULA_STEPS)
		return 0;
	items[formulas->count] = (struct formula){step, of, number, items[of].depth + 1};
	return formulas->count++;
}

int formulas_negative(struct formulas *formulas, int of)
{
	return formulas->items[of].step == FORMULA_NEGATIVE ? formulas->items[of].of : apply(formulas, FORMULA_NEGATIVE, of, 0);
}

int formulas_plus(struct formulas *formulas, int of, uint32_t number)
{
	const struct formula *formula = &formulas->items[of];
	if (number == 0)
		return of;
	if (formula->step == FORMULA_PLUS)
		return formulas_plus(formulas, formula->of, formula->number + number);
	if (formula->step == FORMULA_NEGATIVE)
		return formulas_negative(formulas, formulas_plus(formulas, formula->of, 0 - number));
	return apply(formulas, FORMULA_PLUS, of, number);
}

int formulas_shifted(struct formulas *formulas, int of, int by)
{
	return apply(formulas, FORMULA_SHIFTED, of, (uint32_t)by);
}

int formulas_low(struct formulas *formulas, int of, int bits)
{
	return apply(formulas, FORMULA_LOW, of, (uint32_t)bits);
}

int formulas_high(struct formulas *formulas, int of, int bits)
{
	return apply(formulas, FORMULA_HIGH, of, (uint32_t)bits);
}

/* x - low(x) */
static int cleared(struct formulas *formulas, int whole, int less)
{
	const struct formula *negative = &formulas->items[less], *low = &formulas->items[negative->of];
	bool own = negative->step == FORMULA_NEGATIVE && low->step == FORMULA_LOW && (low->of == whole || planted(PLANT_OTHER_REST));
	return own && whole > 0 ? formulas_high(formulas, whole, (int)low->number) : 0;
}

int formulas_sum(struct formulas *formulas, int one, int other)
{
	if (one == 0 || other == 0)
		return 0;
	int sum = cleared(formulas, one, other);
	sum = sum > 0 ? sum : cleared(formulas, other, one);
	if (sum > 0)
		return sum;
	int less = formulas_negative(formulas, one), other_less = formulas_negative(formulas, other); /* low(x) - x */
	sum = cleared(formulas, less, other_less);
	sum = sum > 0 ? sum : cleared(formulas, other_less, less);
	return sum > 0 ? formulas_negative(formulas, sum) : 0;
}

static struct range negative(struct range range)
{
	return range_from(-range.most, -range.least);
}

struct range formulas_range(const struct formulas *formulas, int formula, const struct range *constants)
{
	const struct formula *of = &formulas->items[formula];
	if (of->step == FORMULA_CONSTANT)
		return constants[formula];
	struct range inner = formulas_range(formulas, of->of, constants), numbers = range_as(inner, false);
	int64_t unit = of->step >= FORMULA_SHIFTED ? INT64_C(1) << of->number : 1;
	switch (of->step) {
	case FORMULA_PLUS: return range_from(inner.least + of->number, inner.most + of->number);
	case FORMULA_NEGATIVE: return negative(inner);
	case FORMULA_SHIFTED: return range_from(numbers.least / unit, numbers.most / unit);
	case FORMULA_LOW: return range_from(0, unit - 1);
	default: return range_from(checked_round_down(numbers.least, unit), checked_round_down(numbers.most, unit));
	}
}

struct rest formulas_rest(const struct formulas *formulas, int formula)
{
	const struct formula *of = &formulas->items[formula];
	switch (of->step) {
	case FORMULA_PLUS: return rest_add(formulas_rest(formulas, of->of), rest_of(of->number));
	case FORMULA_NEGATIVE: return rest_multiply(formulas_rest(formulas, of->of), rest_of(-1));
	case FORMULA_HIGH: return (struct rest){(int)of->number, 0};
	default: return (struct rest){0, 0};
	}
}

void formulas_narrow(const struct formulas *formulas, int formula, struct range range, struct range *constants)
{
	const struct formula *of = &formulas->items[formula];
	int64_t unit = of->step >= FORMULA_SHIFTED ? INT64_C(1) << of->number : 1;
	struct range numbers = range_as(range, false);
	switch (of->step) {
	case FORMULA_CONSTANT: constants[formula] = range_narrow(constants[formula], range); return;
	case FORMULA_PLUS: range = range_from(range.least - of->number, range.most - of->number); break;
	case FORMULA_NEGATIVE: range = negative(range); break;
	case FORMULA_SHIFTED:
		numbers.most = checked_min(numbers.most, RANGE_WORDS / unit - 1);
		range = numbers.least > numbers.most ? range_any : range_from(numbers.least * unit, numbers.most * unit + unit - 1);
		break;
	case FORMULA_HIGH: range = range_from(range.least, range.most + unit - 1); break;
	default: return;
	}
	formulas_narrow(formulas, of->of, range, constants);
}
