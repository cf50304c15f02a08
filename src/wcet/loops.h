/* The loops of a program, reducible or not, and their bounds.
 *
 * Requires: a flow.
 * Provides: the forest of loops: a loop is a strongly connected part of the graph; the edges back to its header are cut, and what is
 *           still strongly connected are the loops in it. The header is the block through which the loop is entered; where several
 *           are (an irreducible loop), the first of them that has a bound. `passes`: how often, at most, control starts at an entry or
 *           comes back to the header in one execution; each pass takes each block that is in no inner loop at most once, and enters
 *           each inner loop at most once.
 * Source:   Steensgaard, Sequentializing program dependence graphs for irreducible programs, 1993 (the forest); Li and Malik, Performance
 *           analysis of embedded software using implicit path enumeration, DAC 1995 (bounds relative to entries).
 * Fails:    with diagnostics: a loop without a bound, a bound without a loop, nesting deeper than LOOP_DEPTH.
 */
#ifndef WCET_LOOPS_H
#define WCET_LOOPS_H

#include "wcet/flow.h"

#define LOOP_DEPTH 64

/* A stretch of `order`: blocks and, as ~number, loops, in an order that every pass follows. */
struct loop_items {
	int first, count;
};

struct loop {
	int header, parent; /* parent: NO_ID at the outermost level */
	int depth;
	int64_t bound, passes; /* passes NONE: beyond 64 bits */
	int64_t in_all;        /* how often it comes back at most each time that the loop around it is entered; 0: not known */
	bool uniform;
	bool natural;             /* entered through its header only */
	struct loop_items inside; /* what is directly in it */
};

struct loops {
	struct loop *items; /* an inner loop after the one around it */
	int count, capacity;
	int *of_block; /* the innermost loop of a block, or NO_ID */
	int *cut_by;   /* of an edge: the loop whose header it leads back to, or NO_ID */
	int *order;    /* the items of all loops */
	int order_count;
	struct loop_items outside; /* what is in no loop, and the outermost loops */
};

/* asked: of a block, words of constant bank 0 that the bound of its loop may follow from, for the message; NULL: of none. */
bool loops_find(struct loops *loops, const struct flow *flow, const char *const *asked, struct diagnostics *diagnostics);
bool loops_are_natural(const struct loops *loops);                  /* all of them */
bool loops_contain(const struct loops *loops, int loop, int block); /* loop NO_ID: the program */
bool loops_enters(const struct loops *loops, const struct flow *flow, int loop, int edge);
/* The innermost loop that holds both ends of an edge, NO_ID: none. */
int loops_around(const struct loops *loops, const struct flow *flow, int edge);

#endif
