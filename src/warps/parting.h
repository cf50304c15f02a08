/* Threads of warps that part and meet, instruction by instruction, as compute capability 7.0 and later do it.
 *
 * Requires: a program with instructions; threads of a warp at most 32.
 * Provides: one run of a block. Threads of a warp that go the same way at a branch stay together, others part; those that passed a BSSY
 *           together wait for one another at its BSYNC, as far as they have not ended; at a WARPSYNC parts of a warp may meet. Parts of a
 *           warp and warps are run in any order. An instruction makes of what it reads something that depends on nothing else, or
 *           anything, as its origin says; uniform cells are one a warp. Ways back lead to lower numbers, a loop lies between their ends.
 *           Where one is taken more than `turns` times an entry the run is none of the program, and ends.
 * Source:   NVIDIA, CUDA C++ Programming Guide, independent thread scheduling; [UNIFORM].
 * Fails:    false: longer than `most` instructions, or ended; what was recorded until then holds.
 */
#ifndef WARPS_PARTING_H
#define WARPS_PARTING_H

#include "base/memory.h"
#include "model/program.h"

#define PARTING_WARPS 4
#define PARTING_THREADS 8 /* of a warp: enough to part */
#define PARTING_BARRIERS 200

struct parting_run {
	const struct program *program;
	unsigned (*draw)(void); /* any number */
	int warps, turns;
	long most;
	/* Called with what a part of a warp has in a cell that an instruction wrote: of the lanes of the mask. NULL: nobody asks. */
	void (*wrote)(void *context, int instruction, int cell, uint32_t mask, const uint64_t *values);
	void *context;
	/* The outcome. */
	bool *divided;                                 /* of a block: threads that came to its end together went different ways */
	bool *unlike;                                  /* of a block: threads that came to its end in one turn of each loop around it did */
	long issued[PARTING_WARPS];                    /* instructions of each warp, each once for every part that executes it */
	int barriers[PARTING_WARPS][PARTING_BARRIERS]; /* the blocks whose barriers a warp came to */
	int barrier_count[PARTING_WARPS];
};

bool parting_run(struct parting_run *run, struct arena *arena);

#endif
