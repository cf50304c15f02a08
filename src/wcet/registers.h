/* What disassembled code computes in registers, as far as the bounds of loops need it.
 *
 * Requires: a program's instructions.
 * Provides: of each register, after each instruction, a range of the word that every thread has there; and, in a loop, how it comes from a
 *           register's word at the loop's header. A predicate is known within a block: the comparison that made it.
 *           A range means: the word is an integer of it, modulo 2^32; so a sum cannot leave it by wrapping around.
 * Source:   the mnemonics' meaning: NVIDIA, CUDA Binary Utilities, instruction set reference; [LOOP-TURNS].
 * Fails:    never: what is not understood may be any word.
 */
#ifndef WCET_REGISTERS_H
#define WCET_REGISTERS_H

#include "model/program.h"
#include "wcet/formulas.h"
#include "wcet/ranges.h"

enum value_form {
	VALUE_ANY,
	VALUE_MOVED,   /* the register's word and an offset */
	VALUE_SHIFTED, /* shifted to the right by `shift`, as an unsigned number; so is a signed one that is not negative */
	VALUE_HALVED,  /* shifted to the right by `shift` if it is not negative as a signed number; else any */
	VALUE_DOUBLED, /* shifted to the left by `shift` */
};

/* In a block, until that register is written: the word is its word, or less it, and a number more. */
struct mirror {
	int of; /* the register's number and 1; 0: of none */
	bool negative;
	uint32_t more;
};

struct value {
	struct range range;
	enum value_form form;
	int base; /* a register, at the loop's header */
	int shift;
	struct range offset;
	struct rest rest;
	int formula; /* of constants; 0: none */
	struct mirror mirror;
};

struct comparison {
	bool known;
	bool if_true, if_false; /* the predicate says that it holds if it is true, that it does not if it is false */
	bool is_signed;
	enum relation relation;
	struct value left, right;
	int left_cell, right_cell; /* that still have these values; NO_ID */
};

#define IMPLICATIONS 8
#define VALUES_ONCE                                                                                                                        \
	65536 /* and an instruction's number: in the place of a constant's offset, the word that it writes first, once in a thread */

struct implications { /* pairs of which something is known: of a register, if the predicate is true */
	int predicates[IMPLICATIONS], cells[IMPLICATIONS], count;
};

struct implied {
	bool never;         /* the predicate is not true */
	struct range range; /* in which the register is, if it is */
};

struct registers {
	bool reached;
	struct value cells[CELL_PREDICATE];
	struct comparison predicates[CELL_COUNT - CELL_PREDICATE];
	struct formulas *formulas;                     /* of the program */
	struct range constants[FORMULA_CONSTANTS + 1]; /* what they can be in a thread that comes there */
	const struct implications *implications;       /* of the program */
	struct implied implied[IMPLICATIONS];
};

struct value value_of_range(struct range range);
/* The value with the rest, and of its range what leaves it. */
struct value value_fitted(struct value value, struct rest rest);
bool value_equal(const struct value *one, const struct value *other);
struct value value_join(const struct value *one, const struct value *other);

/* The register may have another word now. */
void values_forget(struct registers *registers, int cell);
/* Another block begins: of registers that are others' mirrors in this one nothing is said any more. */
void values_forget_mirrors(struct registers *registers);
/* Is the result followed? Else it may be any, whatever is read. */
bool values_follow(const struct program_instruction *instruction);
/* What an instruction leaves in registers. */
void values_execute(const struct program *program, int number, struct registers *registers);
/* Of a branch on a predicate, which way is taken if the predicate is true: the comparison of the guard, and whether it is negated. NULL:
 * not known. */
const struct comparison *values_guard(const struct program_instruction *instruction, const struct registers *registers, bool *negated);
/* The constants of the program, as they are declared. */
void values_init(struct registers *registers, struct formulas *formulas, struct implications *implications, const struct program *program);
/* Does it take lower bits of a word alone? */
bool values_mask(const struct program_instruction *instruction);
/* The instruction is executed once at most in each thread: what it writes into its first register is as good as a constant. */
void values_add_once(struct registers *registers, int instruction);
/* The constant that the instruction makes so; 0: none. */
int values_once(const struct registers *registers, int instruction);
/* Of the register if the predicate is true. */
struct range values_implied(const struct registers *registers, int implication);
/* What the guard's predicate says on a way of a branch, as it is true or not. */
void values_imply(struct registers *registers, const struct program_instruction *branch, bool guard_holds);
/* Does the instruction write the predicate of an implication of a register in the set? */
bool values_implies(const struct registers *registers, const struct program_instruction *instruction, const struct cells *cells);
/* The values on the way on which the comparison holds, or does not. */
void values_refine(struct registers *registers, const struct comparison *comparison, bool holds);
/* The constant's offset in bank 0 that an operand names, c[0x0][0x220]; NO_ID: another operand. */
int values_constant_offset(const char *operand);

#endif
