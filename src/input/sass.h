/* Disassembled code of one function.
 *
 * Requires: the text of `cuobjdump -sass` or `nvdisasm`, compute capability 7.0 or newer.
 * Provides: its instructions by address, each with its class and what it does to the flow of control; then the blocks and edges of what
 *           can be reached from the first. A branch that names a condition anywhere may go on as well. BSYNC goes where the BSSYs of
 *           its register that reach it say. Of a block that begins with a BSYNC the block of its BSSY, where that is one and no BREAK
 *           takes threads from the register: there threads wait for one another that went apart after the BSSY.
 * Source:   CUDA Binary Utilities; the text alone is the contract: a line is an address in a comment, a predicate, a mnemonic, operands
 *           and a semicolon.
 * Fails:    with diagnostics: no such function, a line that cannot be read, unknown mnemonics (all of them in one list), control flow that
 * the text does not show (indirect branches, calls, returns, moves of reconvergence registers to others, BSYNC of a moved one, barriers of
 * a part of a block).
 */
#ifndef INPUT_SASS_H
#define INPUT_SASS_H

#include "input/read_program.h"

#define SASS_SYNCS 64          /* BSSYs of a function */
#define SASS_SYNC_REGISTERS 32 /* B0 to B15 are known */

enum sass_flow { SASS_NEXT, SASS_BRANCH, SASS_EXIT, SASS_SET_SYNC, SASS_SYNC, SASS_MOVE_SYNC, SASS_REFUSED };

struct sass_instruction {
	int64_t address;
	const char *mnemonic; /* with suffixes */
	const char *operands;
	bool conditional;
	enum sass_flow flow;
	int class;
	const char *label; /* of the target: ".L_x_1", or NULL */
	int64_t target;    /* an address, or NONE */
	int sync_register; /* of BSSY, BSYNC and BREAK, the one that BMOV writes; else -1 */
	int sync_from;     /* the one that BMOV reads and clears; else -1 */
	long line;         /* of the text */
};

struct sass_label {
	const char *name;
	int instruction; /* that follows it */
};

struct sass {
	struct sass_instruction *instructions;
	int count, capacity;
	struct names labels; /* to the number of the instruction that follows */
};

/* What the program says of mnemonics. */
struct sass_class {
	const char *name;
	int class;
};

bool sass_scan(struct reader *reader, const struct xml_element *element, const char *text, const char *function, struct sass *sass);
bool sass_classify(
	struct reader *reader, const struct xml_element *element, const struct sass_class *own, int own_count, struct sass *sass);
bool sass_build(struct reader *reader, const struct xml_element *element, const struct sass *sass, struct program_reader *state);

/* All of it for the <sass> element; false after diagnostics. */
bool read_sass(struct reader *reader, const struct xml_element *root, struct program_reader *state);

#endif
