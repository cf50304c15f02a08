/* Which branches split a warp, what then runs once for each group, and where the groups meet.
 *
 * Requires: a flow and its loops; what is proved of its branches, or NULL; a warp's groups rejoin at the first block that all paths from
 *           the branch pass, as the stack of compute capability 2.0 to 5.2 sees to; elsewhere somebody must have declared it.
 * Provides: a list of the branches that can split: those that somebody says split, and those that nobody speaks of and that are not
 *           proved to keep a warp's threads together; of two kinds. A *fork*: what lies between the branch and the meeting point is
 *           entered through the branch, or through another fork around it with the same meeting point, and is without a way back to the
 *           branch: each side runs once, one after the other. A *loop exit*: all but one way lead straight to the meeting point outside of
 *           the loop, so that groups that leave wait there and nothing runs twice. Where groups do not wait for one another but all go
 *           straight to the end of the program, or to the BSYNC at which all threads of the branch meet, each goes there by itself.
 *           Closed-form costs of the stack.
 * Source:   seed 004, III and IV; [WCET-PARTING], W15.
 * Fails:    with diagnostics: other branches (divergence-unstructured), barriers where a warp may be split (barrier-divergent).
 */
#ifndef WCET_DIVERGENCE_H
#define WCET_DIVERGENCE_H

#include "wcet/uniformity.h"

struct fork {
	int block, meets; /* meets: a node, perhaps the end */
	int loop;         /* of a loop exit: the innermost loop around the block; NO_ID: a fork */
	bool beside;      /* what lies behind it is entered from elsewhere, too */
	int64_t groups;   /* at most, after one execution of a fork, or of all of one entry of the loop */
};

struct divergence {
	struct fork *forks;
	int fork_count;
	int *fork_at;    /* of a block: its number in forks, or NO_ID */
	bool *absorbed;  /* of an edge: it leads groups of a fork to their meeting point, and is no arrival of the warp */
	bool any_fork;   /* not only loop exits */
	bool *alone;     /* of a block: groups go through it to the end or to where they meet, each thread by itself */
	int64_t depth;   /* tokens on the stack at once, at most */
	bool *outermost; /* of a fork: is it the one whose warp arrives at the meeting point? */
};

bool divergence_find(struct divergence *divergence, const struct flow *flow, const struct loops *loops, const struct uniformity *uniformity,
	struct diagnostics *diagnostics);

/* A branch that never splits a warp: the compiler may have put an SSY before it all the same, whose token takes an entry. */
bool divergence_is_uniform(const struct divergence *divergence, const struct flow *flow, int block);

/* Cycles of the stack for so many divergences and so many tokens pushed in all: seed 004, IV; W15 is divergences = M, pushes = M + 1.
 * While they fit at once nothing is spilled; else a spill moves entries_a_spill tokens and brings them back, and the first comes with
 * the token after the depth-th. */
int64_t divergence_cycles(const struct divergence_cost *cost, int64_t divergences, int64_t pushes, int64_t depth);

#endif
