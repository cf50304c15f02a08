/* What the other generators leave out of the host's side: synchronous calls, and streams without work that may hold hardware queues. */
#include "falsify/generate_parts.h"

#include "input/validate.h"

static bool is_valid(struct arena *arena, const struct falsify_case *of)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	return validate_taskset(of->platform, of->set, &diagnostics);
}

/* Some copies and memsets become synchronous; not where the call would return while what is before it may still run. */
static void draw_calls(struct arena *arena, struct draw *draw, struct falsify_case *of)
{
	for (int i = 0; i < of->set->operation_count; i++) {
		struct operation *operation = &of->set->operations[i];
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
		set->operations[i].stream += set->operations[i].stream >= at;
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
		draw_calls(arena, draw, of);
	if (draw_percent(draw, 60))
		draw_idle(arena, draw, of);
}
