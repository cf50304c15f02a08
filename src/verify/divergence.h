/* Which branches split a warp, as the verification sees it. Private to the verification.
 *
 * Provides: each parting with the block where its groups meet, the nearest that every path from the branch passes: by sets of what follows
 *           a block on every path. A fork, whose sides run one after the other and are entered from the branch only; or a loop's exit,
 *           all but one of whose ways lead straight to the meeting point outside.
 * Source:   [WCET-PARTING]; wcet/ipet.h says in which order a certificate's rows and columns stand.
 * Fails:    divergence_read is NULL for other branches, barriers between, and code without a BSYNC at the meeting point: nothing is bounded
 * there. */
#ifndef VERIFY_DIVERGENCE_H
#define VERIFY_DIVERGENCE_H

#include "verify/program_graph.h"
#include "verify/uniformity.h"

struct parting {
	int block, meets; /* meets: a block, or their number: the end */
	int loop;         /* of an exit: the innermost loop around the block; -1: a fork */
	int64_t groups;
	bool beside; /* of a fork: its sides are entered from elsewhere, too */
	bool counts; /* of a fork: its arrivals stand for the arrivals where it meets */
};

struct partings {
	struct parting *items;
	int count;
	int *at;        /* of a block: its parting, or -1 */
	bool *absorbed; /* of a way: it leads groups of a fork to where they meet */
	bool *alone;    /* of a block: groups go through it one by one, to the end or to their BSYNC */
	bool any_fork;
	int64_t tokens;    /* that can be on a stack at once */
	const int *levels; /* of a block: uniformity_read */
	struct uniformity_apart apart;
};

const struct partings *divergence_read(struct arena *arena, const struct code *code);

#endif
