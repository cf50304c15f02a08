/* A program's control flow with its beginning and its ends as edges.
 *
 * Requires: a program.
 * Provides: edges 0 .. edge_count-1: the program's own with their numbers, then one from each block that may end the program to the node
 *           `block_count`, the end; last the one that enters block 0 from nowhere. Every block is reached, and reaches the end.
 * Fails:    with diagnostics: flow_build returns false.
 */
#ifndef WCET_FLOW_H
#define WCET_FLOW_H

#include "base/diagnostics.h"
#include "model/program.h"

#define FLOW_BLOCKS 10000
#define FLOW_EDGES 40000

struct flow_edge {
	int from, to;
};

struct flow {
	struct arena *arena;
	const struct program *program;
	int block_count; /* and the number of the node that is the end */
	struct flow_edge *edges;
	int edge_count;
	int *out, *first_out; /* edges by their block: out[first_out[v]] .. out[first_out[v + 1] - 1] */
	int *in, *first_in;   /* likewise, of block_count + 1 nodes */
};

bool flow_build(struct flow *flow, const struct program *program, struct arena *arena, struct diagnostics *diagnostics);

static inline int flow_entry(const struct flow *flow)
{
	return flow->edge_count - 1;
}

static inline int flow_successors(const struct flow *flow, int block)
{
	return flow->first_out[block + 1] - flow->first_out[block];
}

#endif
