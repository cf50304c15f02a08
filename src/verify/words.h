/* What instructions leave in registers, as the verification reads them. Private to it.
 *
 * Provides: sets of words that follow one another modulo 2^32; of a register such a set, and how it comes from a register's word at a
 *           loop's header; comparisons that predicates hold, within a block. What is not understood may be anything. */
#ifndef VERIFY_WORDS_H
#define VERIFY_WORDS_H

#include "model/program.h"
#include "verify/constant_functions.h"

enum come { COME_UNKNOWN, COME_PLUS, COME_LOGICAL, COME_POSITIVE, COME_TIMES }; /* + offset; >> by; >> by if not negative; << by */

struct word {
	struct arc arc;
	enum come come;
	int of, by;        /* the register at the header */
	struct arc offset; /* of COME_PLUS */
	int bits;          /* so many of the word's lower bits are those of low; the others of low are 0 */
	uint32_t low;
	struct function function; /* of a constant, which it is */
	int tied; /* 1 and a cell, until somebody writes that: this word and that cell's have the sum, or the difference, `apart`; or 0 */
	bool as_sum;
	uint32_t apart;
};

#define WORDS_CONSTANTS 32

struct constant {
	uint32_t offset;
	struct arc arc;
};

enum order { ORDER_LT, ORDER_LE, ORDER_GT, ORDER_GE, ORDER_EQ, ORDER_NE };

struct compared {
	bool known, signedness, says_true, says_false; /* what it says of the comparison when it is true, when it is false */
	enum order order;
	struct word sides[2];
	int cells[2]; /* that still hold them, or -1 */
};

#define WORDS_IMPLIED 8

/* If the predicate is true the cell's word is in the arc; or it is not true. */
struct implied {
	int predicate, cell;
	bool never;
	struct arc arc;
};

struct words {
	struct word cells[CELL_PREDICATE];
	struct compared predicates[CELL_COUNT - CELL_PREDICATE];
	struct constant constants[WORDS_CONSTANTS]; /* of which more is known than what is declared */
	int constant_count;
	struct implied implied[WORDS_IMPLIED];
	int implied_count;
	const struct program *program;
	const bool *once; /* of an instruction: what it writes first is taken for a constant; NULL: none is */
};

struct interval {
	int64_t least, most; /* least > most: empty */
};

struct arc arc_of(int64_t least, int64_t most);
bool arc_holds(struct arc outer, struct arc inner);
struct arc arc_join(struct arc one, struct arc other);
struct arc arc_plus(struct arc one, struct arc other);
struct interval arc_numbers(struct arc arc, bool as_signed);
struct word word_any(void);
struct word word_join(const struct word *one, const struct word *other);
struct word word_ending(struct word word, int bits, uint32_t low); /* with these lower bits; of the arc what has them */
bool word_never(const struct word *word);                          /* no word of the arc has these lower bits: nobody comes there with it */
bool word_ends(const struct word *word, int bits, uint32_t low);
bool word_holds(const struct word *outer, const struct word *inner);  /* in how it comes from the header; the arcs are not compared */
void words_clear(struct words *words, const struct program *program); /* nothing is known */
struct arc words_constant(const struct words *words, uint32_t offset);
void words_state_constant(struct words *words, uint32_t offset, struct arc arc);
void words_state_implied(struct words *words, const struct implied *implied);
const struct implied *words_implied(const struct words *words, int predicate, int cell); /* NULL: nothing is */
struct arc words_arc_implied(const struct words *words, const struct implied *implied);
void words_decide(struct words *words, int predicate, bool is_true); /* what a branch on the predicate says so */
void words_clear_predicates(struct words *words);
void words_overwritten(struct words *words, int cell); /* no predicate says anything of it any more */
void words_step(const struct program *program, const struct program_instruction *instruction, struct words *words);
enum order order_if(enum order order, bool holds);
enum order order_turned(enum order order);
struct interval order_numbers(enum order order, struct arc to, bool as_signed);
void words_assume(struct words *words, int predicate, bool is_true);
/* What was compared elsewhere, of cells that are not lost since. */
void words_assume_kept(struct words *words, const struct compared *c, bool is_true, const struct cells *lost);
int words_predicate(const char *name); /* P0, UP3: the cell, or -1 */

#endif
