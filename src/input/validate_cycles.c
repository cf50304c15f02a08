/* Circles of operations that wait for each other, found on the graph of what must be complete before an operation can be.
 *
 * An operation follows the one before it in its stream, in its task; a host segment follows all earlier operations of its task and
 * precedes all later ones, as the NULL stream does for the blocking streams ([D-RULES] D1, D10); what is behind a synchronous call
 * follows it; a wait follows the record of its event, in whatever task. The operations of different tasks in one stream are in no fixed
 * order and add no edge. */
#include "input/validate_rules.h"

#include <stddef.h>

#define CIRCLE_NAMES 12 /* operations that the message names */

struct edge {
	int from, next; /* next edge into the same operation, -1: none */
};

struct graph {
	struct arena *arena;
	int count;
	int *into; /* first edge into an operation, -1: none */
	int *out_degree;
	struct edge *edges;
	int edge_count, edge_capacity;
};

static void add_edge(struct graph *graph, int from, int to)
{
	if (from < 0 || from == to)
		return;
	graph->edges = arena_grow(graph->arena, graph->edges, &graph->edge_capacity, graph->edge_count + 1, sizeof *graph->edges);
	graph->edges[graph->edge_count] = (struct edge){from, graph->into[to]};
	graph->into[to] = graph->edge_count++;
	graph->out_degree[from]++;
}

/* ---- edges inside a task */

struct walk {
	int *last_of_stream; /* the latest operation of a stream in this task, -1: none */
	int *open;           /* streams with an operation since the last barrier for it */
	int open_count;
	int host, null; /* the latest barriers, -1: none */
	int call;       /* the latest synchronous call, -1: none */
};

static bool is_ordered_by_null(const struct taskset *set, int stream)
{
	return set->streams[stream].kind == STREAM_BLOCKING;
}

/* A barrier follows what it orders; those streams then stand behind it. */
static void pass_barrier(struct graph *graph, const struct taskset *set, struct walk *walk, int operation, bool host)
{
	int kept = 0;
	for (int i = 0; i < walk->open_count; i++) {
		int stream = walk->open[i];
		if (!host && !is_ordered_by_null(set, stream)) {
			walk->open[kept++] = stream;
			continue;
		}
		add_edge(graph, walk->last_of_stream[stream], operation);
		walk->last_of_stream[stream] = -1;
	}
	walk->open_count = kept;
}

static void add_operation(struct graph *graph, const struct taskset *set, struct walk *walk, int index)
{
	int stream = set->operations[index].stream;
	add_edge(graph, walk->host, index);
	add_edge(graph, walk->call, index);
	walk->call = set->operations[index].copy.synchronous ? index : walk->call;
	if (stream == NO_ID) {
		pass_barrier(graph, set, walk, index, true);
		add_edge(graph, walk->null, index);
		walk->host = index;
		walk->null = -1;
		return;
	}
	bool null = set->streams[stream].kind == STREAM_NULL;
	if (null)
		pass_barrier(graph, set, walk, index, false);
	if (null || is_ordered_by_null(set, stream))
		add_edge(graph, walk->null, index);
	if (null) {
		walk->null = index;
		return;
	}
	if (walk->last_of_stream[stream] < 0)
		walk->open[walk->open_count++] = stream;
	add_edge(graph, walk->last_of_stream[stream], index);
	walk->last_of_stream[stream] = index;
}

static void add_task(struct graph *graph, const struct taskset *set, const struct task *task, struct walk *walk)
{
	walk->host = walk->null = walk->call = -1;
	for (int i = 0; i < task->operation_count; i++)
		add_operation(graph, set, walk, task->first_operation + i);
	for (int i = 0; i < walk->open_count; i++)
		walk->last_of_stream[walk->open[i]] = -1;
	walk->open_count = 0;
}

static struct graph build_graph(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	struct arena *arena = validation->diagnostics->arena;
	size_t count = (size_t)set->operation_count + 1, streams = (size_t)set->stream_count + 1;
	struct graph graph = {.arena = arena, .count = set->operation_count};
	graph.into = arena_allocate(arena, count, sizeof *graph.into);
	graph.out_degree = arena_allocate(arena, count, sizeof *graph.out_degree);
	for (size_t i = 0; i < count; i++)
		graph.into[i] = -1;
	struct walk walk = {arena_allocate(arena, streams, sizeof(int)), arena_allocate(arena, streams, sizeof(int)), 0, -1, -1, -1};
	for (size_t i = 0; i < streams; i++)
		walk.last_of_stream[i] = -1;
	for (int i = 0; i < set->task_count; i++)
		add_task(&graph, set, &set->tasks[i], &walk);
	return graph;
}

/* A wait before the record of its own job waits for nothing and is another rule's. */
static void add_events(struct graph *graph, const struct taskset *set)
{
	int *record_of = arena_allocate(graph->arena, (size_t)set->event_count + 1, sizeof *record_of);
	int *task_of = arena_allocate(graph->arena, (size_t)set->operation_count + 1, sizeof *task_of);
	for (int i = 0; i < set->task_count; i++)
		for (int k = 0; k < set->tasks[i].operation_count; k++)
			task_of[set->tasks[i].first_operation + k] = i;
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind == OPERATION_RECORD && set->operations[i].event != NO_ID)
			record_of[set->operations[i].event] = i + 1;
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		if (operation->kind != OPERATION_WAIT || operation->event == NO_ID)
			continue;
		int record = record_of[operation->event] - 1;
		if (record >= 0 && (record < i || task_of[record] != task_of[i]))
			add_edge(graph, record, i);
	}
}

/* ---- the search */

/* Takes away, again and again, what nothing follows; what remains is on a circle or leads to one. */
static bool *find_stuck(struct graph *graph)
{
	bool *stuck = arena_allocate(graph->arena, (size_t)graph->count + 1, sizeof *stuck);
	int *leaves = arena_allocate(graph->arena, (size_t)graph->count + 1, sizeof *leaves), leaf_count = 0;
	for (int i = 0; i < graph->count; i++) {
		stuck[i] = true;
		if (graph->out_degree[i] == 0)
			leaves[leaf_count++] = i;
	}
	while (leaf_count > 0) {
		int leaf = leaves[--leaf_count];
		stuck[leaf] = false;
		for (int edge = graph->into[leaf]; edge >= 0; edge = graph->edges[edge].next)
			if (--graph->out_degree[graph->edges[edge].from] == 0)
				leaves[leaf_count++] = graph->edges[edge].from;
	}
	return stuck;
}

/* Of each stuck operation one that follows it and is stuck too. */
static int *find_successors(const struct graph *graph, const bool *stuck)
{
	int *successor = arena_allocate(graph->arena, (size_t)graph->count + 1, sizeof *successor);
	for (int i = graph->count - 1; i >= 0; i--)
		for (int edge = stuck[i] ? graph->into[i] : -1; edge >= 0; edge = graph->edges[edge].next)
			if (stuck[graph->edges[edge].from])
				successor[graph->edges[edge].from] = i;
	return successor;
}

/* An operation on a circle: as many steps as there are operations surely end on one. */
static int reach_circle(const struct graph *graph, const int *successor, int operation)
{
	for (int i = 0; i < graph->count; i++)
		operation = successor[operation];
	return operation;
}

/* The wait of the circle that stands first. Each circle has one: all other edges lead from earlier operations of a task to later ones. */
static int first_wait(const struct taskset *set, const int *successor, int start)
{
	int first = -1, operation = start;
	do {
		if (set->operations[operation].kind == OPERATION_WAIT && (first < 0 || operation < first))
			first = operation;
		operation = successor[operation];
	} while (operation != start);
	return first >= 0 ? first : start;
}

static const char *name_circle(const struct graph *graph, const struct taskset *set, const int *successor, int start)
{
	const char *text = arena_format(graph->arena, "'%s'", set->operations[start].id);
	int operation = successor[start], named = 1;
	for (; operation != start && named < CIRCLE_NAMES; operation = successor[operation], named++)
		text = arena_format(graph->arena, "%s -> '%s'", text, set->operations[operation].id);
	return arena_format(graph->arena, operation == start ? "%s -> '%s'" : "%s -> ... -> '%s'", text, set->operations[start].id);
}

void rules_event_cycles(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	if (set->event_count == 0)
		return;
	struct graph graph = build_graph(validation);
	add_events(&graph, set);
	const bool *stuck = find_stuck(&graph);
	int any = 0;
	while (any < graph.count && !stuck[any])
		any++;
	if (any == graph.count)
		return;
	const int *successor = find_successors(&graph, stuck);
	int start = first_wait(set, successor, reach_circle(&graph, successor, any));
	diagnose(validation->diagnostics, DIAGNOSTIC_EVENT_CYCLE, set->path, set->operations[start].line,
		"these operations wait for each other in a circle: %s", name_circle(&graph, set, successor, start));
}
