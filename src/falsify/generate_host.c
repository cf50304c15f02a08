/* What the other generators leave out of the host's side: synchronous calls, graphs, and streams without work that may hold hardware
 * queues. */
#include "falsify/generate_parts.h"

#include "input/validate.h"
#include "model/draft.h"

static bool is_valid(struct arena *arena, const struct falsify_case *of)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	return validate_taskset(of->platform, of->set, &diagnostics);
}

static int draw_stream(struct draw *draw, const struct taskset *set, int application)
{
	int count = 0, chosen = NO_ID;
	for (int i = 0; i < set->stream_count; i++)
		if (set->streams[i].application == application && draw_range(draw, 0, count++) == 0)
			chosen = i;
	return chosen;
}

void generate_insert(struct arena *arena, struct taskset *set, int task, int at, const struct operation *operation)
{
	struct operation *operations = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *operations);
	for (int i = 0; i < set->operation_count; i++)
		operations[i < at ? i : i + 1] = set->operations[i];
	operations[at] = *operation;
	for (int t = task + 1; t < set->task_count; t++)
		DRAFT(set->tasks)[t].first_operation++;
	for (int i = 0; i < set->company_count; i++)
		DRAFT(set->companies)[i].operation += set->companies[i].operation >= at;
	DRAFT(set->tasks)[task].operation_count++;
	set->operations = operations;
	set->operation_count++;
}

/* A copy before all else that the task does, on any stream of its application: what its thread waits for shows best there. */
static void insert_call(struct arena *arena, struct draw *draw, struct taskset *set, int task)
{
	int at = set->tasks[task].first_operation;
	int64_t wcet = set->operations[at].wcet;
	struct operation call = {.id = arena_format(arena, "c%d", set->operation_count),
		.kind = OPERATION_COPY,
		.stream = draw_stream(draw, set, set->tasks[task].application),
		.event = NO_ID,
		.wcet = wcet == NONE ? 1 : checked_max(1, wcet),
		.copy = {.direction = draw_percent(draw, 50) ? DIRECTION_H2D : DIRECTION_D2H, .bytes = NONE, .synchronous = true}};
	call.bcet = draw_percent(draw, 50) ? call.wcet : 0;
	generate_insert(arena, set, task, at, &call);
}

/* Some copies and memsets become synchronous; not where the call would return while what is before it may still run. */
void generate_calls(struct arena *arena, struct draw *draw, struct falsify_case *of)
{
	for (int t = 0; t < of->set->task_count; t++)
		if (of->set->tasks[t].operation_count > 0 && draw_percent(draw, 25))
			insert_call(arena, draw, of->set, t);
	for (int i = 0; i < of->set->operation_count; i++) {
		struct operation *operation = &DRAFT(of->set->operations)[i];
		if ((operation->kind != OPERATION_COPY && operation->kind != OPERATION_MEMSET) || draw_percent(draw, 30))
			continue;
		operation->copy.synchronous = true;
		operation->copy.synchronous = is_valid(arena, of);
	}
}

/* Anywhere among the others, which go one further. */
static void insert_stream(struct arena *arena, struct draw *draw, struct taskset *set)
{
	int at = (int)draw_range(draw, 0, set->stream_count);
	struct stream *streams = arena_allocate(arena, (size_t)set->stream_count + 1, sizeof *streams);
	for (int i = 0; i < set->stream_count; i++)
		streams[i < at ? i : i + 1] = set->streams[i];
	streams[at] = (struct stream){.id = arena_format(arena, "i%d", set->stream_count),
		.application = (int)draw_range(draw, 0, set->application_count - 1),
		.kind = draw_percent(draw, 70) ? STREAM_BLOCKING : STREAM_NON_BLOCKING};
	for (int i = 0; i < set->operation_count; i++)
		DRAFT(set->operations)[i].stream += DRAFT(set->operations)[i].stream >= at;
	set->streams = streams;
	set->stream_count++;
}

/* About as many queues as streams, so that it matters who has one. */
static void draw_idle(struct arena *arena, struct draw *draw, struct falsify_case *of)
{
	int used = of->set->stream_count;
	for (int64_t more = draw_range(draw, 1, 4); more > 0; more--)
		insert_stream(arena, draw, of->set);
	generate_set(of->platform, PARAMETER_QUEUES_HARDWARE, draw_range(draw, used > 1 ? used : 2, of->set->stream_count + 1));
	if (draw_percent(draw, 40))
		of->platform->assumptions[ASSUMPTION_QUEUE].status = STATUS_ASSUMED;
}

void generate_host(struct arena *arena, struct draw *draw, struct falsify_case *of)
{
	if (draw_percent(draw, 80))
		generate_calls(arena, draw, of);
	if (draw_percent(draw, 60))
		draw_idle(arena, draw, of);
}

/* ---- graphs */

static bool may_be_node(const struct operation *operation)
{
	bool node = !operation_is_span(operation) || operation->span.single;
	bool work =
		(operation->kind == OPERATION_KERNEL && node) || operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET;
	return work && !operation->copy.synchronous;
}

/* Of two nodes or more, as a rule, one behind the other or behind what is issued by itself. */
static int draw_graphs(struct draw *draw, struct taskset *set)
{
	int graphs = 0;
	for (int t = 0; t < set->task_count; t++) {
		struct operation *operations = DRAFT(set->operations) + set->tasks[t].first_operation;
		for (int i = 0; i < set->tasks[t].operation_count; i++) {
			struct operation *at = &operations[i], *before = i > 0 ? at - 1 : NULL;
			bool joins = before != NULL && before->graph != 0 && before->stream == at->stream;
			if (!may_be_node(at))
				continue;
			if (joins && draw_percent(draw, 75))
				at->graph = graphs;
			else if (draw_percent(draw, 80))
				at->graph = ++graphs;
		}
	}
	return graphs;
}

/* As a rule there are hardware queues enough; now and then about as many as streams and graphs. */
void generate_graphs(struct draw *draw, struct falsify_case *of)
{
	int graphs = draw_graphs(draw, of->set);
	if (graphs > 0 && draw_percent(draw, 25))
		generate_set(of->platform, PARAMETER_QUEUES_HARDWARE, draw_range(draw, 2, of->set->stream_count + graphs + 1));
}
