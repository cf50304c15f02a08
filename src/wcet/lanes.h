/* How the words of a warp's threads differ from one another: the part of a value that depends on the thread's place in its warp.
 *
 * Requires: a flow of disassembled code and its uniformity.
 * Provides: of each register and predicate, before each access to memory, groups of lanes. In a group lane i has the word u + offset[i], u the
 *           same for the group, and in all groups a multiple of 2^aligned. With `aligned` 32 the words themselves are known.
 * Source:   [LANES]; the mnemonics' meaning: NVIDIA, CUDA Binary Utilities, instruction set reference.
 * Fails:    never: of what is not understood each lane is a group.
 */
#ifndef WCET_LANES_H
#define WCET_LANES_H

#include "wcet/uniformity.h"

#define LANES_BLOCKS 2000
#define LANES_FORMS 4000 /* different ones in a program */

struct lane_form {
	uint32_t offsets[THREADS_A_WARP];
	uint8_t groups[THREADS_A_WARP]; /* the least lane of the group */
	uint8_t aligned;
};

/* What is in a cell behind an instruction that writes it, of all that execute it together; as far as an address follows from it. */
struct lane_fact {
	int instruction, cell;
	const struct lane_form *form;
};

struct lanes {
	const struct lane_form **addresses; /* of an instruction: the one between its brackets; NULL: nothing is known, or nobody asked */
	struct lane_fact *facts;
	int fact_count;
};

void lanes_find(struct lanes *lanes, const struct flow *flow, const struct uniformity *uniformity, const bool *asked);

#endif
