/* Disassembled code of one function.
 *
 * Requires: the text of `cuobjdump -sass` or `nvdisasm`, compute capability 7.0 or newer.
 * Provides: its instructions by address, each with its class and what it does to the flow of control; then the blocks and edges of what
 *           can be reached from the first. Beside its own class an instruction with a constant among its operands counts as a read of
 *           one, and an access to shared memory as a further pass for each word of a bank, and each 128 bytes, beyond the first. A branch
 * that names a condition anywhere may go on as well. BSYNC goes where the BSSYs of its register that reach it say. Of a block that begins
 * with a BSYNC the block of its BSSY, where that is one and no BREAK takes threads from the register: there threads wait for one another
 * that went apart after the BSSY. Source:   CUDA Binary Utilities; the text alone is the contract: a line is an address in a comment, a
 * predicate, a mnemonic, operands and a semicolon. Fails:    with diagnostics: no such function, or two; a line that cannot be read, a gap
 * between addresses, another target than the platform's, other code than the binary's; unknown mnemonics (all of them in one list); control
 * flow that the text does not show (indirect branches, calls, returns, moves of reconvergence registers to others, BSYNC of a moved one,
 * barriers of a part of a block or under a predicate); waits for others, whatever class the program gives them.
 */
#ifndef INPUT_SASS_H
#define INPUT_SASS_H

#include "input/read_program.h"

#define SASS_SYNCS 4096        /* BSSYs of a function, its subroutines' copies included */
#define SASS_DEPTH 8           /* calls within calls */
#define SASS_MOST 400000       /* instructions of a function, the copies included */
#define SASS_SYNC_REGISTERS 32 /* B0 to B15 are known */
#define SASS_LINE_BYTES 128    /* of the instruction cache */
#define SASS_TARGET_LEAST 70   /* instructions of 16 bytes, BSSY and BSYNC */

/* Why an instruction is refused wherever it is reached. */
struct sass_refusal {
	const char *base;
	bool waits;      /* for others; else control is not shown */
	const char *why; /* NULL: it is not modelled */
};

enum sass_flow { SASS_NEXT, SASS_BRANCH, SASS_EXIT, SASS_SET_SYNC, SASS_SYNC, SASS_MOVE_SYNC, SASS_CALL, SASS_RETURN, SASS_REFUSED };

struct sass_instruction {
	int64_t address;
	const char *mnemonic; /* with suffixes */
	const char *operands;
	const char *guard; /* "!P0", or NULL */
	bool conditional;
	enum sass_flow flow;
	const struct sass_refusal *refusal; /* of SASS_REFUSED */
	int class;
	bool constant, polls; /* an operand is a constant; what it reads may depend on other warps and blocks */
	int width;            /* words of an access, of a thread: passes in shared memory without bank conflicts */
	enum program_space space;
	uint64_t code[2]; /* its encoding, as far as the text shows it: code_count of them */
	int code_count;
	const char *label; /* of the target: ".L_x_1", or NULL */
	int64_t target;    /* an address, or NONE */
	int sync_register; /* of BSSY, BSYNC and BREAK, the one that BMOV writes; else -1 */
	int sync_from;     /* the one that BMOV reads and clears; else -1 */
	long line;         /* of the text */
	struct program_place place;
	int next, to; /* what follows it in the text, and the target, of the same copy; -1: none. Of a return `to` is behind its call */
	int copy;     /* 0: the function itself, else the number of the copy of a subroutine */
	int caller;   /* of a copy: the call for which it was made */
};

struct sass {
	struct sass_instruction *instructions;
	int count, capacity, copies;
	struct names labels; /* to the number of the instruction that follows */
	int target;          /* 90 for sm_90 */
	long line;           /* where the function begins */
};

/* NULL: nothing is known against it. */
const struct sass_refusal *sass_refusal_of(const char *mnemonic);

/* One instruction, from behind its address; false: it cannot be read. */
bool sass_read_instruction(struct arena *arena, const char *at, const char *end, struct sass_instruction *instruction);

bool sass_scan(struct reader *reader, const struct xml_element *element, const char *text, const char *function, struct sass *sass);
bool sass_classify(struct reader *reader, const struct xml_element *root, const struct xml_element *element, struct sass *sass);
/* Targets; copies of subroutines for each call of one, behind the function. */
bool sass_link(struct reader *reader, const struct xml_element *element, struct sass *sass);
/* What follows each instruction that is reached: successors[first[i]] to successors[first[i + 1] - 1]. */
struct sass_ways {
	int *successors, *first;
	int count, capacity;
};

/* The number of the first return of a copy that may lead elsewhere than behind its call; -1: none. */
int sass_stray_return(struct arena *arena, const struct sass *sass, const struct sass_ways *ways);
void sass_find_cells(struct arena *arena, const struct sass_instruction *from, struct program_instruction *instruction);
bool sass_build(struct reader *reader, const struct xml_element *element, const struct sass *sass, struct program_reader *state);

#define CUBIN_LIMIT (256 * 1024 * 1024)

/* Is the binary, files->cubin_bytes long, one for the target, with the function in as many instructions, and with these encodings where the
 * text shows them? */
bool cubin_check(struct reader *reader, const struct xml_element *element, const char *bytes, const struct program_sass *files,
	const struct sass *sass);

/* All of it for the <sass> element; false after diagnostics. */
bool read_sass(struct reader *reader, const struct xml_element *root, struct program_reader *state);

#endif
