/* Programs for tests, written as edges between one-letter blocks.
 *
 * Requires: "ab bc cb cd": edges; the first letter of all is 'a', the entry; blocks are 'a' up to the greatest letter.
 * Provides: a program whose block i has `weights[i]` instructions of class int32 (1 where weights is NULL); loops "b3 c0": header and
 * bound.
 */
#ifndef TESTS_KERNEL_BUILD_H
#define TESTS_KERNEL_BUILD_H

#include "base/memory.h"
#include "model/program.h"

struct program *build_program(struct arena *arena, const char *edges, const char *loops, const int64_t *weights);
struct program *build_empty(struct arena *arena, int blocks);
void build_edge(struct program *program, int from, int to);
void build_loop(struct program *program, int header, int64_t bound);
void build_finish(struct arena *arena, struct program *program); /* marks the blocks that end the program */

#endif
