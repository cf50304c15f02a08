/* Words as functions of constants, which no instruction writes: what a test says of one of them it says of the constant, and of all others.
 *
 * Requires: a program's instructions.
 * Provides: a formula for a constant of bank 0 and what is made of it by adding a number, negating, shifting to the right without sign, taking
 *           the lower bits or clearing them. The word of a register that has one is that function of the constant, in each thread. x less
 * its lower bits is x with these cleared. Source:   [LOOP-TURNS]. Fails:    never: 0 is no formula, and what is made of it is none.
 */
#ifndef WCET_FORMULAS_H
#define WCET_FORMULAS_H

#include "wcet/ranges.h"

#define FORMULAS 512
#define FORMULA_CONSTANTS 32 /* the first ones, from 1 on; of other constants none is made */
#define FORMULA_STEPS 8

enum formula_step { FORMULA_CONSTANT, FORMULA_PLUS, FORMULA_NEGATIVE, FORMULA_SHIFTED, FORMULA_LOW, FORMULA_HIGH };

struct formula {
	enum formula_step step; /* applied to another one, with a number; a constant: its offset */
	int of;
	uint32_t number;
	int depth;
};

struct formulas {
	struct formula items[FORMULAS];
	int count, constants; /* with 0, which is none */
};

void formulas_init(struct formulas *formulas);
void formulas_add_constant(struct formulas *formulas, int offset);
int formulas_constant(const struct formulas *formulas, int offset);
int formulas_plus(struct formulas *formulas, int of, uint32_t number);
int formulas_negative(struct formulas *formulas, int of);
int formulas_shifted(struct formulas *formulas, int of, int by);
int formulas_low(struct formulas *formulas, int of, int bits);
int formulas_high(struct formulas *formulas, int of, int bits);
/* Of two, as far as it is one of these. */
int formulas_sum(struct formulas *formulas, int one, int other);
/* `constants`: of each constant, from 1 on. */
struct range formulas_range(const struct formulas *formulas, int formula, const struct range *constants);
struct rest formulas_rest(const struct formulas *formulas, int formula);
/* What the constant can be if the formula's word is in the range. */
void formulas_narrow(const struct formulas *formulas, int formula, struct range range, struct range *constants);

#endif
