/* Chains of links from a constant. */
#include "verify/constant_functions.h"

#include "verify/words.h"

#include <stdlib.h>
#include <string.h>

static const struct function none = {.known = false};

struct function function_of(uint32_t offset)
{
	return (struct function){.known = true, .offset = offset};
}

struct function function_turned(struct function function)
{
	function.negative = !function.negative;
	return function;
}

struct function function_plus(struct function function, uint32_t number)
{
	uint32_t own = function.negative ? 0 - number : number; /* -(x - n) is -x + n */
	int last = function.count - 1;
	if (!function.known || number == 0)
		return function;
	if (last >= 0 && function.links[last].kind == LINK_PLUS) {
		function.links[last].number += own;
		function.count -= function.links[last].number == 0;
		return function;
	}
	if (function.count == FUNCTION_LINKS)
		return none;
	function.links[function.count].kind = LINK_PLUS;
	function.links[function.count++].number = own;
	return function;
}

struct function function_with(struct function function, enum link_kind kind, int number)
{
	if (!function.known || function.negative || function.count == FUNCTION_LINKS)
		return none;
	function.links[function.count].kind = kind;
	function.links[function.count++].number = (uint32_t)number;
	return function;
}

static bool same_links(const struct function *one, const struct function *other, int count)
{
	bool same = one->known && other->known && one->offset == other->offset;
	for (int i = 0; i < count; i++)
		same = same && one->links[i].kind == other->links[i].kind && one->links[i].number == other->links[i].number;
	return same;
}

bool function_alike(const struct function *one, const struct function *other)
{
	return one->negative == other->negative && one->count == other->count && same_links(one, other, one->count);
}

/* Takes the number away that is added last. */
static uint32_t take_number(struct function *function)
{
	if (function->count == 0 || function->links[function->count - 1].kind != LINK_PLUS)
		return 0;
	return function->links[--function->count].number;
}

/* x + a and less the lower bits of x + b, or both negative: the upper bits of x + b, and a - b. */
struct function function_sum(const struct function *one, const struct function *other)
{
	for (int turn = 0; turn < 2 && one->known && other->known; turn++) {
		struct function whole = turn ? *other : *one, low = turn ? *one : *other;
		if (low.count == 0 || low.links[low.count - 1].kind != LINK_LOW || low.negative == whole.negative)
			continue;
		struct function sum = low, inner = low;
		sum.links[low.count - 1].kind = LINK_HIGH;
		inner.count--;
		uint32_t more = take_number(&whole), moved = take_number(&inner);
		if (whole.count != inner.count || !same_links(&whole, &inner, whole.count))
			continue;
		sum.negative = false;
		sum = function_plus(sum, more - moved);
		sum.negative = sum.known && whole.negative;
		return sum;
	}
	return none;
}

struct function function_read(const char *text)
{
	static const char *const words[] = {" plus ", " shifted ", " low ", " high "};
	char *at;
	bool once = *text == '@';
	uint32_t number_of_it = (uint32_t)strtoul(text + once, &at, once ? 10 : 16);
	struct function function = function_of(number_of_it + (once ? FUNCTION_ONCE : 0));
	while (*at != '\0' && function.known) {
		int kind = 0;
		if (strcmp(at, " negative") == 0)
			return function_turned(function);
		while (kind < 4 && strncmp(at, words[kind], strlen(words[kind])) != 0)
			kind++;
		if (kind == 4 || function.count == FUNCTION_LINKS)
			return none;
		unsigned long number = strtoul(at + strlen(words[kind]), &at, 10);
		if (kind != LINK_PLUS && (number < 1 || number > 31))
			return none;
		function.links[function.count].kind = (enum link_kind)kind;
		function.links[function.count++].number = (uint32_t)number;
	}
	return function;
}

static struct arc turned(struct arc arc)
{
	return arc.span == WORDS_ALL ? arc : (struct arc){0 - arc.first - (uint32_t)arc.span, arc.span};
}

static struct arc all(void)
{
	return (struct arc){0, WORDS_ALL};
}

struct arc function_arc(const struct function *function, struct arc arc)
{
	for (int i = 0; i < function->count; i++) {
		uint32_t number = function->links[i].number;
		struct interval numbers = arc_numbers(arc, false);
		switch (function->links[i].kind) {
		case LINK_PLUS: arc.first += arc.span == WORDS_ALL ? 0 : number; break;
		case LINK_SHIFTED: arc = arc_of(numbers.least >> number, numbers.most >> number); break;
		case LINK_LOW: arc = arc_of(0, (INT64_C(1) << number) - 1); break;
		case LINK_HIGH: arc = arc_of(numbers.least >> number << number, numbers.most >> number << number); break;
		}
	}
	return function->negative ? turned(arc) : arc;
}

struct arc function_constant(const struct function *function, struct arc arc)
{
	arc = function->negative ? turned(arc) : arc;
	for (int i = function->count - 1; i >= 0 && arc.span < WORDS_ALL; i--) {
		uint32_t number = function->links[i].number;
		struct interval numbers = arc_numbers(arc, false);
		int64_t more = (INT64_C(1) << (number & 31)) - 1, highest = WORDS_ALL >> (number & 31);
		switch (function->links[i].kind) {
		case LINK_PLUS: arc.first -= number; break;
		case LINK_SHIFTED:
			numbers.most = numbers.most > highest ? highest : numbers.most;
			arc = numbers.least > numbers.most ? all() : arc_of(numbers.least << number, (numbers.most << number) + more);
			break;
		case LINK_LOW: return all();
		case LINK_HIGH: arc = arc.span + more >= WORDS_ALL ? all() : (struct arc){arc.first, arc.span + more}; break;
		}
	}
	return arc;
}

int function_ends(const struct function *function, uint32_t *low)
{
	int bits = 0;
	*low = 0;
	for (int i = 0; i < function->count; i++) {
		uint32_t number = function->links[i].number;
		bits = function->links[i].kind == LINK_PLUS ? bits : function->links[i].kind == LINK_HIGH ? (int)number : 0;
		*low = function->links[i].kind == LINK_PLUS ? *low + number : 0;
	}
	*low = function->negative ? 0 - *low : *low;
	return bits;
}
