/* Numbers that follow one another modulo 2^32. */
#include "wcet/ranges.h"

#include "base/checked.h"

#define HALF INT64_C(2147483648)

const struct range range_any = {-HALF, HALF - 1};

struct range range_from(int64_t least, int64_t most)
{
	if (least == NONE || most == NONE || most < least || checked_sub(most, least) >= RANGE_WORDS - 1)
		return range_any;
	int64_t turns = checked_div_floor(least + HALF, RANGE_WORDS);
	return (struct range){least - turns * RANGE_WORDS, most - turns * RANGE_WORDS};
}

bool range_equal(struct range one, struct range other)
{
	return one.least == other.least && one.most == other.most;
}

bool range_is_any(struct range range)
{
	return range_equal(range, range_any);
}

bool range_within(struct range inner, struct range outer)
{
	bool within = range_is_any(outer);
	for (int64_t turn = -RANGE_WORDS; turn <= RANGE_WORDS; turn += RANGE_WORDS)
		within |= inner.least + turn >= outer.least && inner.most + turn <= outer.most;
	return within;
}

struct range range_join(struct range one, struct range other)
{
	struct range best = range_any;
	for (int64_t turn = -RANGE_WORDS; turn <= RANGE_WORDS; turn += RANGE_WORDS) {
		struct range both = range_from(checked_min(one.least, other.least + turn), checked_max(one.most, other.most + turn));
		if (both.most - both.least < best.most - best.least)
			best = both;
	}
	return best;
}

struct range range_as(struct range range, bool is_signed)
{
	struct range all = is_signed ? range_any : (struct range){0, RANGE_WORDS - 1};
	if (range.most < all.least)
		range = (struct range){range.least + RANGE_WORDS, range.most + RANGE_WORDS};
	return range.least >= all.least && range.most <= all.most ? range : all;
}

struct range range_add(struct range one, struct range other)
{
	return range_from(one.least + other.least, one.most + other.most);
}

struct range range_multiply(struct range one, struct range other)
{
	int64_t least = NONE, most = -NONE;
	for (int i = 0; i < 4; i++) {
		int64_t product = checked_mul(i % 2 == 0 ? one.least : one.most, i / 2 == 0 ? other.least : other.most);
		if (product == NONE)
			return range_any;
		least = checked_min(least, product);
		most = checked_max(most, product);
	}
	return range_from(least, most);
}

bool range_is_exactly(struct range range, int64_t number)
{
	return range.least == number && range.most == number;
}

/* ---- rests */

static struct rest rest_from(int bits, uint64_t number)
{
	bits = bits < 0 ? 0 : bits > 32 ? 32 : bits;
	return (struct rest){bits, (uint32_t)(number & ((UINT64_C(1) << bits) - 1))};
}

/* By which power of 2 it can be divided. */
static int zeros_of(uint32_t number)
{
	return number == 0 ? 32 : __builtin_ctz(number);
}

struct rest rest_of(int64_t number)
{
	return rest_from(32, (uint64_t)number);
}

bool rest_equal(struct rest one, struct rest other)
{
	return one.bits == other.bits && one.number == other.number;
}

bool rest_within(struct rest inner, struct rest outer)
{
	return inner.bits >= outer.bits && rest_equal(rest_from(outer.bits, inner.number), outer);
}

struct rest rest_join(struct rest one, struct rest other)
{
	int bits = (int)checked_min(checked_min(one.bits, other.bits), zeros_of(one.number ^ other.number));
	return rest_from(bits, one.number);
}

struct rest rest_add(struct rest one, struct rest other)
{
	return rest_from((int)checked_min(one.bits, other.bits), (uint64_t)one.number + other.number);
}

struct rest rest_multiply(struct rest one, struct rest other)
{
	int bits = (int)checked_min(one.bits + zeros_of(other.number), other.bits + zeros_of(one.number));
	return rest_from((int)checked_min(bits, one.bits + other.bits), (uint64_t)one.number * other.number);
}

struct rest rest_shift_right(struct rest rest, int by)
{
	return rest_from(rest.bits - by, (uint64_t)rest.number >> by);
}

struct range range_fit(struct range range, struct rest rest)
{
	int64_t unit = INT64_C(1) << rest.bits;
	int64_t least = checked_round_up(range.least - rest.number, unit) + rest.number;
	int64_t most = checked_round_down(range.most - rest.number, unit) + rest.number;
	return least > most || range_is_any(range) ? range : range_from(least, most);
}

/* ---- what a comparison leaves */

enum relation relation_not(enum relation relation)
{
	static const enum relation nots[] = {
		RELATION_GREATER_EQUAL, RELATION_GREATER, RELATION_LESS_EQUAL, RELATION_LESS, RELATION_DIFFERENT, RELATION_EQUAL};
	return nots[relation];
}

enum relation relation_swapped(enum relation relation)
{
	static const enum relation swapped[] = {
		RELATION_GREATER, RELATION_GREATER_EQUAL, RELATION_LESS, RELATION_LESS_EQUAL, RELATION_EQUAL, RELATION_DIFFERENT};
	return swapped[relation];
}

struct range relation_range(enum relation relation, struct range to, bool is_signed)
{
	struct range all = is_signed ? range_any : (struct range){0, RANGE_WORDS - 1}, as = range_as(to, is_signed);
	switch (relation) {
	case RELATION_LESS: return (struct range){all.least, as.most - 1};
	case RELATION_LESS_EQUAL: return (struct range){all.least, as.most};
	case RELATION_GREATER: return (struct range){as.least + 1, all.most};
	case RELATION_GREATER_EQUAL: return (struct range){as.least, all.most};
	case RELATION_EQUAL: return as;
	default: return all;
	}
}

/* Of a range what lies in [least, most], in one piece; as it was, if nothing does. */
struct range range_narrow(struct range range, struct range within)
{
	struct range result = range;
	bool any = false;
	for (int64_t turn = -RANGE_WORDS; turn <= RANGE_WORDS; turn += RANGE_WORDS) {
		int64_t least = checked_max(range.least + turn, within.least), most = checked_min(range.most + turn, within.most);
		if (least > most)
			continue;
		result = any ? range_join(result, range_from(least, most)) : range_from(least, most);
		any = true;
	}
	return range_within(result, range) ? result : range;
}

/* Without a number that is its end. */
static struct range without(struct range range, struct range number)
{
	for (int64_t turn = -RANGE_WORDS; turn <= RANGE_WORDS; turn += RANGE_WORDS) {
		if (number.least != number.most || range.least == range.most || range_is_any(range))
			return range;
		if (number.least + turn == range.least)
			return range_from(range.least + 1, range.most);
		if (number.least + turn == range.most)
			return range_from(range.least, range.most - 1);
	}
	return range;
}

struct range range_narrow_to(struct range range, enum relation relation, struct range to, bool is_signed)
{
	if (relation == RELATION_DIFFERENT)
		return without(range, to);
	return range_narrow(range, relation_range(relation, to, is_signed));
}
