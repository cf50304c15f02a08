/* Words as functions of constants, as the verification reads them. Private to it.
 *
 * Provides: a constant of bank 0 and what was done to it, link by link; two that look alike are the same word. What a range of the word says of the
 *           constant, and of the constant of the word. */
#ifndef VERIFY_CONSTANT_FUNCTIONS_H
#define VERIFY_CONSTANT_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define WORDS_ALL INT64_C(4294967295)

struct arc {
	uint32_t first;
	int64_t span; /* first, first + 1, ..., first + span, modulo 2^32; WORDS_ALL: all */
};

#define FUNCTION_LINKS 12

enum link_kind { LINK_PLUS, LINK_SHIFTED, LINK_LOW, LINK_HIGH };

/* What the links make of the constant, or that with the other sign. */
struct function {
	bool known, negative;
	uint32_t offset;
	int count;
	struct {
		enum link_kind kind;
		uint32_t number;
	} links[FUNCTION_LINKS];
};

#define FUNCTION_ONCE                                                                                                                      \
	65536 /* and an instruction's number, instead of an offset: what it writes first, where a thread executes it once at most */

struct function function_of(uint32_t offset);
struct function function_turned(struct function function);
struct function function_plus(struct function function, uint32_t number);
struct function function_with(struct function function, enum link_kind kind, int number);
struct function function_sum(const struct function *one, const struct function *other); /* x + a less the lower bits of x + b; else none */
bool function_alike(const struct function *one, const struct function *other);          /* and known */
struct function function_read(const char *text); /* "@35 low 2", "0x220 plus 4294967295 shifted 9 negative"; not known: not so */
/* What the word can be if the constant is in the arc, and the constant if the word is. */
struct arc function_arc(const struct function *function, struct arc constant);
struct arc function_constant(const struct function *function, struct arc word);
int function_ends(const struct function *function, uint32_t *low); /* so many of its lower bits are those of low */

#endif
