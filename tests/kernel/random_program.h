/* Random programs of blocks, diamonds and loops, and random paths through them.
 *
 * Requires: rand(); kind 0: without barriers, 1: with barriers that warps pass alike, 2: with barriers in both sides of diamonds as well;
 *           of 1 to most_warps warps.
 * Provides: a program with up to five turns a loop, and its costs to be declared; a path of one warp, that is what it issues. Loops with
 *           a barrier are uniform: all paths make the same turns there.
 */
#ifndef TESTS_KERNEL_RANDOM_PROGRAM_H
#define TESTS_KERNEL_RANDOM_PROGRAM_H

#include "warps/warps.h"

#define RANDOM_BLOCKS 60
#define RANDOM_LONGEST 4000 /* instructions of a path */

struct random_program {
	struct program *program;
	int turns[RANDOM_BLOCKS]; /* of uniform loops, the same for all warps; of others -1 */
	int last;
};

void random_program(struct random_program *subject, struct arena *arena, int kind, int most_warps);
struct warp_trace random_path(const struct random_program *subject, struct arena *arena);

#endif
