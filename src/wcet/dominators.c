/* The nearest dominators, improved until nothing changes, in reverse postorder. */
#include "wcet/dominators.h"

struct walk {
	const struct flow *flow;
	bool forwards;
	int *rank, *order; /* postorder number of a node, and back */
	int count;
};

static int next_node(const struct walk *walk, int node, int i, bool along)
{
	const struct flow *flow = walk->flow;
	bool out = walk->forwards == along;
	int from = out ? flow->first_out[node] : flow->first_in[node], to = out ? flow->first_out[node + 1] : flow->first_in[node + 1];
	if (from + i >= to)
		return -2;
	const struct flow_edge *edge = &flow->edges[out ? flow->out[from + i] : flow->in[from + i]];
	return out ? edge->to : edge->from; /* NO_ID: the edge that enters the program */
}

static void number(struct walk *walk, int root)
{
	int nodes = walk->flow->block_count + 1, depth = 0;
	int *path = arena_allocate(walk->flow->arena, (size_t)nodes, sizeof *path);
	int *at = arena_allocate(walk->flow->arena, (size_t)nodes, sizeof *at);
	bool *seen = arena_allocate(walk->flow->arena, (size_t)nodes, sizeof *seen);
	path[depth++] = root;
	seen[root] = true;
	while (depth > 0) {
		int node = path[depth - 1], next = next_node(walk, node, at[node]++, true);
		if (next == -2) {
			walk->rank[node] = walk->count;
			walk->order[walk->count++] = node;
			depth--;
		} else if (next >= 0 && !seen[next]) {
			seen[next] = true;
			path[depth++] = next;
		}
	}
}

static int meet(const struct walk *walk, const int *nearest, int a, int b)
{
	while (a != b) {
		while (walk->rank[a] < walk->rank[b])
			a = nearest[a];
		while (walk->rank[b] < walk->rank[a])
			b = nearest[b];
	}
	return a;
}

static bool improve(const struct walk *walk, int *nearest, int node)
{
	int found = NO_ID, before;
	for (int i = 0; (before = next_node(walk, node, i, false)) != -2; i++)
		if (before >= 0 && nearest[before] != NO_ID)
			found = found == NO_ID ? before : meet(walk, nearest, before, found);
	bool changed = nearest[node] != found;
	nearest[node] = found;
	return changed;
}

struct dominators dominators_find(const struct flow *flow, bool forwards)
{
	size_t nodes = (size_t)flow->block_count + 1;
	struct walk walk = {
		flow, forwards, arena_allocate(flow->arena, nodes, sizeof(int)), arena_allocate(flow->arena, nodes, sizeof(int)), 0};
	struct dominators tree = {forwards ? 0 : flow->block_count, arena_allocate(flow->arena, nodes, sizeof(int)),
		arena_allocate(flow->arena, nodes, sizeof(int))};
	for (size_t i = 0; i < nodes; i++)
		tree.nearest[i] = NO_ID;
	number(&walk, tree.root);
	tree.nearest[tree.root] = tree.root;
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = walk.count - 2; i >= 0; i--)
			changed |= improve(&walk, tree.nearest, walk.order[i]);
	}
	for (int i = walk.count - 2; i >= 0; i--)
		tree.depth[walk.order[i]] = tree.depth[tree.nearest[walk.order[i]]] + 1;
	return tree;
}

bool dominators_hold(const struct dominators *tree, int above, int below)
{
	while (tree->depth[below] > tree->depth[above])
		below = tree->nearest[below];
	return below == above;
}
