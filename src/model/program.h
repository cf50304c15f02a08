/* A kernel's program as its author states it, or as it was disassembled: a control-flow graph of basic blocks, and what bounds its paths.
 *
 * Requires: validated input (src/input); immutable afterwards.
 * Provides: blocks with their warp instructions by class, edges, loop bounds, flow facts, divergent branches, declared costs. Block 0 is
 *           the entry. All counts are per warp and per execution of the program.
 * Source:   seeds 002 and 004; schema/program-1.xsd; gpubound-program(5).
 */
#ifndef MODEL_PROGRAM_H
#define MODEL_PROGRAM_H

#include "model/platform.h"

enum instruction_class {
#define INSTRUCTION_CLASS(symbol, name, meaning) CLASS_##symbol,
#include "model/instruction_classes.def"
#undef INSTRUCTION_CLASS
	CLASS_COUNT
};

extern const char *const class_names[]; /* ends with NULL */

/* An instruction of disassembled code, to be named in a message. */
struct program_example {
	const char *mnemonic; /* NULL: there is none */
	long line;            /* of the disassembly */
};

/* A line of the source from which an instruction was compiled. */
struct program_place {
	const char *file; /* NULL: not known */
	long line;
};

/* What holds a value: registers, uniform registers and both kinds of predicates, in one numbering. */
#define CELL_UNIFORM 256           /* UR0; below: R0 to R254 */
#define CELL_PREDICATE 320         /* P0 to P6 */
#define CELL_UNIFORM_PREDICATE 328 /* UP0 to UP6 */
#define CELL_COUNT 336
#define CELL_WORDS 6

struct cells {
	uint64_t words[CELL_WORDS];
};

/* What the values are made of that an instruction writes. */
enum program_origin {
	ORIGIN_OPERANDS, /* a function of what it reads */
	ORIGIN_WARP,     /* the same for all threads that execute it together */
	ORIGIN_THREAD,   /* any */
};

/* What memory an instruction accesses by an address of each thread. */
enum program_space { SPACE_NONE, SPACE_GLOBAL, SPACE_LOCAL, SPACE_SHARED };
extern const char *const space_names[];

#define SCOREBOARDS 6 /* of a warp */

/* Of disassembled code. Those of a block follow one another. */
struct program_instruction {
	const char *mnemonic, *guard; /* guard: "!P0", or NULL */
	const char **operands;
	int operand_count, written_count; /* written_count: the first so many operands are written */
	int block;                        /* NO_ID: facts say that it is never reached */
	struct cells reads;               /* at most; of a branch or a conditional end they say where it goes */
	struct cells writes;              /* unless the guard forbids it */
	struct cells may_write;           /* besides */
	bool decides;                     /* it is such a branch or end */
	enum program_origin origin;
	bool joins;        /* WARPSYNC: threads that went apart may go on together behind it */
	const int *set_by; /* of BSYNC: the instructions whose BSSY it may wait for; else NULL */
	int set_by_count;
	int64_t address;
	long line; /* of the disassembly */
	enum program_space space;
	int bytes;     /* of an access, a thread */
	int64_t units; /* sectors, or passes of shared memory, that are charged unless its addresses are known */
	int copy;      /* 0: the function itself, else the number of the copy of a subroutine */
	struct program_place place;
	int class;
	bool encoded;  /* the text shows its encoding, and so the next two */
	int waits_for; /* the scoreboards that must be clear before it issues, as bits */
	int sets;      /* the scoreboard that is set until its result is there; SCOREBOARDS: none */
	int holds;     /* the one that is set until its operands are read; SCOREBOARDS: none */
	int stall;     /* cycles until the warp's next instruction */
};

/* The instructions of a block that come from one line of the source. */
struct program_part {
	struct program_place place;
	int64_t instructions, counts[CLASS_COUNT], spared[CLASS_COUNT]; /* counts, spared: as a block's */
};

struct program_block {
	const char *id;
	int first, count;            /* of disassembled code: its instructions */
	int64_t counts[CLASS_COUNT]; /* instructions a warp issues in one execution */
	int64_t spared[CLASS_COUNT]; /* cycles by which these take less together than their latencies; [WCET-WAITS] */
	int64_t spaced[CLASS_COUNT]; /* how many of these are spaced from the next one; [WCET-SPACED] */
	bool leaves;                 /* the program may end after it */
	bool rejoins;                /* of disassembled code: threads that went apart after the end of block `set_at` wait here */
	int set_at;
	struct program_example *examples; /* of each class, the first instruction; NULL: the graph is the author's */
	struct program_part *parts;       /* of disassembled code that names lines of its source */
	int part_count;
	struct program_example polls; /* the first that reads what other warps or blocks may write meanwhile */
	long line;
};

struct program_edge {
	int from, to;
	long line;
};

/* Control comes back to `header`, from inside of the loop, at most `bound` times each time the loop is entered from outside. */
struct program_loop {
	int header;
	int64_t bound;
	bool uniform;   /* every warp of a block makes the same number of turns */
	bool polls;     /* the bound holds whatever others write to memory meanwhile */
	bool follows;   /* it is not stated but follows from the code, if the loop is entered by its header only */
	int within;     /* with in_all: the header of the loop around it */
	int64_t in_all; /* how often it comes back at most in all turns of that loop, each time that one is entered; 0: not known */
	long line;
};

/* A loop of disassembled code that is entered through its header only: one of as many as the compiler made of the line of the source to
 * which its branch back belongs, the last of several. */
struct program_copy {
	int header;
	struct program_place place;
};

/* The sum over terms of factor * count is at most, or equals, the right side. */
struct program_term {
	int block, edge; /* edge: NO_ID where the block is counted */
	int64_t factor;
};

struct program_fact {
	bool equal;
	int64_t right;
	struct program_term *terms;
	int term_count;
	long line;
};

/* The threads of a warp may split into so many groups there; 1: they never do. */
struct program_branch {
	int block;
	int64_t paths;
	long line;
};

/* What an instruction of a class costs. */
struct class_cost {
	int64_t latency;   /* cycles until the warp's next instruction; NONE: not known */
	int64_t occupancy; /* cycles for which it keeps its unit from other warps */
	bool partition;    /* the unit serves the warps of one sub-partition; else all of the SM */
	const char *group; /* classes of one group share a unit; NULL: with any class */
	const char *source;
	const char *by; /* who declared it; NULL: the platform model */
	int64_t least;  /* cycles that pass at least until the warp's next instruction; 0: 1 */
	/* Cycles until the warp's next instruction that does not wait for the result, which is there after the latency while at most so
	 * many of the class are under way in the warp; 0: it waits for each. */
	int64_t issue, under_way;
	/* Of constants: what a reading takes of a line that is there, where the latency is what bringing one takes, and how many lines
	 * stay; 0: the latency. */
	int64_t again, lines;
	int64_t further; /* what bringing each line adds that follows another one; 0: the latency */
	int64_t apart;   /* likewise of each but the first that follows none */
	bool by_stall;   /* of one that sets no scoreboard the encoding says when the next one issues, but for ... */
	int64_t beyond;  /* so many cycles more, at most; [WCET-WAITS] says of which */
	int64_t spaced;  /* the occupancy of one that says so and is spaced; 0: as of the others */
};

/* Stall counts of instructions that are spaced from the next one. 15 may stand for less. */
#define SPACED_FIRST 4
#define SPACED_LAST 14

/* A word of constant bank 0, where the launch's shape and the kernel's arguments are: as an unsigned number of 32 bits from least to most.
 */
struct program_word {
	int64_t offset, least, most;
	long line; /* of the file that declares it; 0: the launch's shape says so */
};

struct program_sass {
	const char *file, *hash, *cubin, *cubin_hash, *function; /* NULL: the graph is the author's */
	int64_t bytes, cubin_bytes;                              /* the lengths of both files */
	int64_t conflicts;                                       /* degree of bank conflicts; NONE: not declared */
};

/* What the author says and nobody checked, for a reader: the bound rests on it. */
struct program_claim {
	const char *kind; /* the element, or "unlisted" */
	const char *of;   /* the block, class or mnemonic; "" where it is the whole program */
	const char *says;
};

struct program {
	const char *path, *hash; /* the file it came from */
	int64_t bytes;
	const char *id, *title, *platform_name;
	int64_t threads;       /* of a block */
	int64_t extents[3];    /* of a block */
	bool unlisted_diverge; /* branches that the file does not list split as far as they can; else they never do */
	bool slots_in_turn;    /* declared: slots and units go to older blocks, or to who has waited longest */
	struct program_sass sass;
	struct program_block *blocks;
	struct program_edge *edges;
	struct program_loop *loops;
	struct program_fact *facts;
	struct program_branch *branches;
	struct program_word *words; /* each offset once */
	int word_count;
	bool shaped;                 /* the words of the launch's shape are among them */
	struct program_copy *copies; /* in the order of headers; none where no line of the source is known */
	int copy_count;
	int block_count, edge_count, loop_count, fact_count, branch_count;
	struct program_instruction *instructions; /* of disassembled code; else none */
	int instruction_count;
	struct class_cost declared[CLASS_COUNT];    /* latency NONE: not declared */
	struct divergence_cost declared_divergence; /* all NONE, source NULL: not declared */
	const char *divergence_by;
	struct program_claim *claims; /* as the file states them, before facts take blocks away */
	int claim_count;
};

static inline bool cells_has(const struct cells *cells, int cell)
{
	return (cells->words[cell / 64] >> cell % 64 & 1) != 0;
}

static inline void cells_add(struct cells *cells, int cell)
{
	cells->words[cell / 64] |= UINT64_C(1) << cell % 64;
}

static inline void cells_unite(struct cells *cells, const struct cells *more)
{
	for (int w = 0; w < CELL_WORDS; w++)
		cells->words[w] |= more->words[w];
}

/* How many of them are registers of each thread. */
static inline int cells_registers(const struct cells *cells)
{
	int count = 0;
	for (int cell = 0; cell < CELL_UNIFORM; cell++)
		count += cells_has(cells, cell);
	return count;
}

/* Is any cell in both? */
static inline bool cells_meet(const struct cells *one, const struct cells *other)
{
	bool any = false;
	for (int w = 0; w < CELL_WORDS; w++)
		any |= (one->words[w] & other->words[w]) != 0;
	return any;
}

struct program *program_with_blocks(const struct program *of, struct arena *arena);      /* a copy with blocks and parts of its own */
int64_t program_warps(const struct program *program);                                    /* of a block */
bool program_places_equal(struct program_place one, struct program_place other);         /* both known */
bool program_rests_on(const struct program *program, const struct program_claim *claim); /* false: a cost of a class that it does not use */

#endif
