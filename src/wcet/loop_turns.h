/* How often loops of disassembled code come back, from what the code computes.
 *
 * Requires: a flow, its uniformity.
 * Provides: for loops whose header no <loop> names a bound, where one follows from a test that every turn passes: a register that it
 *           compares moves by at least so much in each turn, and the test lets no more such steps pass. With what certifies it: ranges
 *           of registers at the beginnings of blocks, and how registers come from those at the header. The program with these bounds
 *           added; of a loop whose turns depend on the turn of the loop around it, how many they are in all turns of that one. For
 *           the others which words of constant bank 0 would have to be declared.
 * Source:   [LOOP-TURNS], [NESTED-TURNS].
 * Fails:    never: what is not found has no bound. Nothing is found above LOOP_TURNS_BLOCKS blocks.
 */
#ifndef WCET_LOOP_TURNS_H
#define WCET_LOOP_TURNS_H

#include "wcet/uniformity.h"
#include "wcet/registers.h"

#define LOOP_TURNS_BLOCKS 2000
/* Above so many turns the words that a bound may follow from are asked for, and it counts only if they are declared. */
#define LOOP_TURNS_ASKED 65536

struct value_fact { /* at the beginning of a block */
	int block, cell;
	struct value value;
};

struct implied_fact { /* at the beginning of a block; P0 is predicate 0 */
	int block, predicate, cell;
	struct implied implied;
};

struct loop_turn {
	int header, test; /* blocks; the test is at the end of its block */
	int compared;     /* the block that makes the test's predicate: that of the test, or one before it */
	int counter;      /* the register at the header from which the tested one comes */
	int64_t bound;
	const char *says; /* for a reader */
	struct value_fact *facts;
	int fact_count;
	int within;         /* the header of a loop around it, on whose turn its turns depend; NO_ID */
	int within_counter; /* the register at that header */
	int64_t in_all;     /* how often it comes back at most each time that that loop is entered */
	struct value_fact *within_facts;
	int within_fact_count;
};

struct loop_turns {
	const struct program *program; /* with the bounds that were found */
	struct loop_turn *items;
	int count;
	struct value_fact *facts, *constants; /* ranges; of constants, whose cell is an offset */
	int fact_count, constant_count, implied_count;
	struct implied_fact *implied;
	const struct formulas *formulas;
	bool once[FORMULA_CONSTANTS + 1]; /* of a formula: a bound needs what its instruction makes, once in a thread */
	const char **asked;               /* of a block: words that its loop may follow from, "0x220, 0xc"; NULL: none */
};

/* Why the loop with that header has its bound; NULL: somebody gave it. */
const char *loop_turns_say(const struct loop_turns *turns, int header);
void loop_turns_find(struct loop_turns *turns, const struct flow *flow, const struct uniformity *uniformity);

#endif
