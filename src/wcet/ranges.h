/* Sets of words as ranges of integers modulo 2^32.
 *
 * Requires: nothing.
 * Provides: a range means: the word is an integer of it, modulo 2^32; so a sum cannot leave it by wrapping around. What a comparison leaves of one.
 *           Besides what a word leaves, divided by a power of 2: that divides 2^32, so wrapping around changes nothing of it, either.
 * Source:   [LOOP-TURNS].
 * Fails:    never: what has no range may be any word.
 */
#ifndef WCET_RANGES_H
#define WCET_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#define RANGE_WORDS INT64_C(4294967296)

struct range {
	int64_t least, most; /* least from -2^31 to 2^31 - 1, most - least < 2^32 */
};

struct rest {
	int bits; /* divided by 2^bits the word leaves the number; 32: it is the number */
	uint32_t number;
};

enum relation { RELATION_LESS, RELATION_LESS_EQUAL, RELATION_GREATER, RELATION_GREATER_EQUAL, RELATION_EQUAL, RELATION_DIFFERENT };

extern const struct range range_any;
struct range range_from(int64_t least, int64_t most); /* NONE: any */
bool range_is_any(struct range range);
bool range_is_exactly(struct range range, int64_t number);
bool range_equal(struct range one, struct range other);
bool range_within(struct range inner, struct range outer);
struct range range_join(struct range one, struct range other);
/* As a signed or unsigned number. */
struct range range_as(struct range range, bool is_signed);
struct range range_add(struct range one, struct range other);
struct range range_multiply(struct range one, struct range other);
/* Of a range what lies in `within`, in one piece; as it was, if nothing does. */
struct range range_narrow(struct range range, struct range within);
/* What is in the relation to a number of `to`. */
struct range range_narrow_to(struct range range, enum relation relation, struct range to, bool is_signed);
/* Of a range what leaves the rest; as it was, if nothing does. */
struct range range_fit(struct range range, struct rest rest);
struct rest rest_of(int64_t number);
bool rest_equal(struct rest one, struct rest other);
bool rest_within(struct rest inner, struct rest outer);
struct rest rest_join(struct rest one, struct rest other);
struct rest rest_add(struct rest one, struct rest other);
struct rest rest_multiply(struct rest one, struct rest other);
struct rest rest_shift_right(struct rest rest, int by);
enum relation relation_not(enum relation relation);
enum relation relation_swapped(enum relation relation);
/* What a number is that is in the relation to one of the range, as it is signed or not; least > most: none is. */
struct range relation_range(enum relation relation, struct range to, bool is_signed);

#endif
