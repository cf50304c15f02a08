/* The graph's edges, sorted by their ends, and what every analysis of it needs: that nothing in it is unreachable or stuck. */
#include "wcet/flow.h"

static void list_edges(struct flow *flow)
{
	const struct program *program = flow->program;
	flow->edges = arena_allocate(flow->arena, (size_t)(program->edge_count + program->block_count + 1), sizeof *flow->edges);
	for (int i = 0; i < program->edge_count; i++)
		flow->edges[flow->edge_count++] = (struct flow_edge){program->edges[i].from, program->edges[i].to};
	for (int i = 0; i < program->block_count; i++)
		if (program->blocks[i].leaves)
			flow->edges[flow->edge_count++] = (struct flow_edge){i, program->block_count};
	flow->edges[flow->edge_count++] = (struct flow_edge){NO_ID, 0};
}

/* Edges sorted by one of their ends, those of one node in their order. */
static void sort(const struct flow *flow, bool by_source, int **items, int **first)
{
	int nodes = flow->block_count + 1;
	*items = arena_allocate(flow->arena, (size_t)flow->edge_count, sizeof **items);
	*first = arena_allocate(flow->arena, (size_t)nodes + 2, sizeof **first);
	int *count = *first + 1;
	for (int i = 0; i < flow->edge_count; i++) {
		int node = by_source ? flow->edges[i].from : flow->edges[i].to;
		if (node >= 0)
			count[node + 1]++;
	}
	for (int node = 1; node <= nodes; node++)
		count[node] += count[node - 1];
	for (int i = 0; i < flow->edge_count; i++) {
		int node = by_source ? flow->edges[i].from : flow->edges[i].to;
		if (node >= 0)
			(*items)[count[node]++] = i;
	}
}

/* Which nodes are reached from `start`, forwards or backwards. */
static bool *reach(const struct flow *flow, int start, bool forwards)
{
	bool *seen = arena_allocate(flow->arena, (size_t)flow->block_count + 1, sizeof *seen);
	int *stack = arena_allocate(flow->arena, (size_t)flow->block_count + 1, sizeof *stack), depth = 0;
	const int *items = forwards ? flow->out : flow->in, *first = forwards ? flow->first_out : flow->first_in;
	stack[depth++] = start;
	seen[start] = true;
	while (depth > 0) {
		int node = stack[--depth];
		for (int i = first[node]; i < first[node + 1]; i++) {
			int next = forwards ? flow->edges[items[i]].to : flow->edges[items[i]].from;
			if (next < 0 || seen[next])
				continue;
			seen[next] = true;
			stack[depth++] = next;
		}
	}
	return seen;
}

static void complain(const struct flow *flow, struct diagnostics *diagnostics, enum diagnostic_code code, int block, const char *what)
{
	const struct program_block *found = &flow->program->blocks[block];
	diagnose(diagnostics, code, flow->program->path, found->line, "expected a path %s block \"%s\"; there is none", what, found->id);
}

static bool check(const struct flow *flow, struct diagnostics *diagnostics)
{
	const bool *reached = reach(flow, 0, true), *ends = reach(flow, flow->block_count, false);
	int before = diagnostics->errors;
	for (int i = 0; i < flow->block_count; i++) {
		if (!reached[i])
			complain(flow, diagnostics, DIAGNOSTIC_BLOCK_UNREACHABLE, i, "from the entry to");
		else if (!ends[i])
			complain(flow, diagnostics, DIAGNOSTIC_BLOCK_STUCK, i, "to an end of the program from");
	}
	return diagnostics->errors == before;
}

bool flow_build(struct flow *flow, const struct program *program, struct arena *arena, struct diagnostics *diagnostics)
{
	*flow = (struct flow){.arena = arena, .program = program, .block_count = program->block_count};
	if (program->block_count > FLOW_BLOCKS || program->edge_count > FLOW_EDGES) {
		diagnose(diagnostics, DIAGNOSTIC_PROGRAM_TOO_LONG, program->path, 0,
			"expected at most %d blocks and %d edges; got %d and %d", FLOW_BLOCKS, FLOW_EDGES, program->block_count,
			program->edge_count);
		return false;
	}
	list_edges(flow);
	sort(flow, true, &flow->out, &flow->first_out);
	sort(flow, false, &flow->in, &flow->first_in);
	return check(flow, diagnostics);
}
