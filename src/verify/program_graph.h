/* A program's graph as the verification sees it: loops by dominance, places of barriers, limits of ways. Private to the verification.
 *
 * Provides: ways with their numbers: the program's edges, the ends of blocks that leave in their order, the entry. `above`: which blocks
 *           every path to a block passes. A way back leads to a block above its beginning; the loop of a header is what comes to its ways
 *           back without passing it.
 * Fails:    program_graph_read is NULL where a loop is entered other than through its header, or above CODE_BLOCKS blocks. */
#ifndef VERIFY_PROGRAM_GRAPH_H
#define VERIFY_PROGRAM_GRAPH_H

#include "base/memory.h"
#include "model/program.h"

#define CODE_BLOCKS 2000 /* what is kept of a block is a set of blocks */

struct way {
	int from, to; /* from -1: the entry; to: the number of blocks at an end */
	int closes;   /* the loop, as the program lists them, to whose header it leads back; -1 */
};

struct code {
	const struct program *program;
	struct way *ways;
	int way_count;
	int *out, *first_out, *in, *first_in; /* ways by their blocks, in the order of their numbers */
	uint64_t *above;                      /* of a block: `words` of them */
	int words;
	bool *inside; /* of loop l and block b: [l * blocks + b] */
};

const struct code *program_graph_read(struct arena *arena, const struct program *program);
/* Keeps of a set of blocks those that another one has, and one that stays; true: it has become smaller. */
bool program_graph_narrow(uint64_t *set, const uint64_t *by, int words, int kept);
bool program_graph_is_above(const struct code *code, int above, int block);
bool program_graph_is_inside(const struct code *code, int loop, int block);
int64_t program_graph_most(const struct code *code, const struct way *way); /* how often a warp takes it at most; NONE: beyond 64 bits */
int program_graph_loop_around(const struct code *code, int block);          /* the innermost, or -1 */

/* 0: no barriers; 1: all warps come to each in the same turns of the loops around it; 2: that is not known. levels: of a block 2 where all
 * threads of a block that come to its end go the same way. */
int program_graph_barriers(const struct code *code, const int *levels, struct arena *arena);

#endif
