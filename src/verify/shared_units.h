/* What warps of a kernel can keep of the units that an SM shares, in the long run and at once.
 *
 * Requires: a program's code; what its instructions cost, of which classes it has any; whether its warps may split.
 * Provides: for the instructions that keep such a unit for longer than the shortest of the program: the greatest share of a warp's time in
 *           any of its blocks, or of a single instruction's latency where warps may split, and the most that lies between two ends of
 *           blocks, or instructions.
 * Source:   [WCET-BESIDE].
 * Fails:    never; the share has no value beyond 64 bits.
 */
#ifndef VERIFY_SHARED_UNITS_H
#define VERIFY_SHARED_UNITS_H

#include "verify/program_graph.h"

struct kept {
	struct rational share;
	int64_t at_once;
};

struct kept shared_units_kept_by_a_warp(const struct code *code, const struct class_cost *costs, const bool *used, bool splits);

/* The greatest whole t with t <= cycles + of_all.at_once + t of_all.share; NONE: there is no greatest. */
int64_t shared_units_kept_stretch(int64_t cycles, struct kept of_all);

#endif
