/* Applications and their streams; what of several streams the GPU must be able to do. */
#include "input/validate_rules.h"

#include <inttypes.h>
#include <stddef.h>

/* Does the operation run on the execution engine, as a kernel does? */
static bool runs_as_kernel(const struct platform *platform, const struct operation *operation)
{
	switch (operation->kind) {
	case OPERATION_KERNEL:
	case OPERATION_FRAGMENT: return true;
	case OPERATION_COPY:
	case OPERATION_MEMSET: return platform->engine_of[operation->copy.direction] == ENGINE_COMPUTE;
	default: return false;
	}
}

/* ---- priorities, slices, NULL streams */

static const char *priority_text(const struct validation *validation, const struct stream *stream)
{
	struct arena *arena = validation->diagnostics->arena;
	if (!stream->by_cuda)
		return arena_format(arena, "priority %d", stream->level);
	return arena_format(arena, "cuda-priority %d", stream->cuda);
}

static void hold_priority(const struct validation *validation, const struct stream *stream)
{
	const struct quantity *levels = &validation->platform->parameters[PARAMETER_QUEUES_PRIORITIES];
	if (levels->present && (stream->level >= levels->value || stream->level < 0))
		diagnose(validation->diagnostics, DIAGNOSTIC_PRIORITY_RANGE, validation->set->path, stream->line,
			"stream '%s' has %s; %s has the levels 0 (highest) to %" PRId64 ", which are cuda-priority %" PRId64 " to 0",
			stream->id, priority_text(validation, stream), validation->platform->id, levels->value - 1, 1 - levels->value);
	if (!levels->present && stream->level > 0)
		diagnose(validation->diagnostics, DIAGNOSTIC_PRIORITIES_UNDECLARED, validation->set->path, stream->line,
			"stream '%s' has %s, and nothing says how many levels %s has; add <declare name=\"queues.priorities\" "
			"value=\"...\" "
			"source=\"...\" by=\"...\"/>",
			stream->id, priority_text(validation, stream), validation->platform->id);
}

static bool has_priority(const struct stream *stream)
{
	return stream->stated || stream->by_cuda;
}

/* A stream whose priority was forgotten is at the other end of what CUDA makes of it. */
static void hold_stated(const struct validation *validation, const struct stream *stream)
{
	const struct taskset *set = validation->set;
	for (int i = 0; i < set->stream_count && !has_priority(stream); i++) {
		const struct stream *other = &set->streams[i];
		if (!has_priority(other) || taskset_context(set, other->application) != taskset_context(set, stream->application))
			continue;
		diagnose(validation->diagnostics, DIAGNOSTIC_PRIORITIES_MIXED, set->path, stream->line,
			other->stated
				? "stream '%s' has no priority beside '%s', which has one: it is taken to be of level 0, the highest, and "
				  "CUDA would make it the lowest"
				: "stream '%s' has no priority beside '%s', which has one: it is taken as CUDA has it, "
				  "cuda-priority=\"0\", "
				  "the lowest",
			stream->id, other->id);
		return;
	}
}

static void hold_one_kind(const struct validation *validation)
{
	const struct stream *level = NULL, *cuda = NULL;
	for (int i = 0; i < validation->set->stream_count; i++) {
		const struct stream *stream = &validation->set->streams[i];
		level = stream->stated ? stream : level;
		cuda = stream->by_cuda ? stream : cuda;
	}
	if (level != NULL && cuda != NULL)
		diagnose(validation->diagnostics, DIAGNOSTIC_PRIORITY_KINDS, validation->set->path, cuda->line,
			"stream '%s' has a cuda-priority, of which 0 is the lowest, and stream '%s' a priority, of which 0 is the highest; "
			"expected "
			"one of the two in all streams",
			cuda->id, level->id);
}

static void hold_timeslice(const struct validation *validation, const struct application *application)
{
	if (application->timeslice != NONE && validation->set->merged_context)
		diagnose(validation->diagnostics, DIAGNOSTIC_TIMESLICE_UNUSED, validation->set->path, application->line,
			"the timeslice of application '%s' has no effect: mps=\"merged\" makes one context of all applications",
			application->id);
}

static void hold_null_streams(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	int *first = arena_allocate(validation->diagnostics->arena, (size_t)set->application_count + 1, sizeof *first);
	for (int i = 0; i < set->stream_count; i++) {
		const struct stream *stream = &set->streams[i];
		if (stream->kind != STREAM_NULL)
			continue;
		if (first[stream->application] > 0)
			diagnose(validation->diagnostics, DIAGNOSTIC_NULL_STREAMS, set->path, stream->line,
				"stream '%s' is a second NULL stream of application '%s', beside '%s'", stream->id,
				set->applications[stream->application].id, set->streams[first[stream->application] - 1].id);
		else
			first[stream->application] = i + 1;
	}
}

static void hold_use(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	bool *used = arena_allocate(validation->diagnostics->arena, (size_t)set->stream_count + 1, sizeof *used);
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].stream != NO_ID)
			used[set->operations[i].stream] = true;
	for (int i = 0; i < set->stream_count; i++)
		if (!used[i])
			diagnose(validation->diagnostics, DIAGNOSTIC_STREAM_UNUSED, set->path, set->streams[i].line,
				"no operation uses stream '%s'; it counts as a stream that the program creates", set->streams[i].id);
}

void rules_streams(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	for (int i = 0; i < set->application_count; i++)
		hold_timeslice(validation, &set->applications[i]);
	for (int i = 0; i < set->stream_count; i++)
		hold_priority(validation, &set->streams[i]);
	for (int i = 0; i < set->stream_count; i++)
		hold_stated(validation, &set->streams[i]);
	hold_one_kind(validation);
	hold_null_streams(validation);
	hold_use(validation);
}

/* ---- concurrent kernels */

/* Kernels of the NULL stream and of a blocking stream never run together: [D-RULES] D10. */
static bool may_overlap(const struct stream *a, const struct stream *b)
{
	bool ordered = (a->kind == STREAM_NULL && b->kind == STREAM_BLOCKING) || (a->kind == STREAM_BLOCKING && b->kind == STREAM_NULL);
	return a != b && !ordered;
}

static void refuse_concurrency(const struct validation *validation, const struct operation *first, const struct operation *second)
{
	const struct platform *platform = validation->platform;
	if (platform->concurrent_kernels == TERNARY_NO)
		diagnose(validation->diagnostics, DIAGNOSTIC_CONCURRENT_KERNELS, validation->set->path, second->line,
			"'%s' and '%s' are in two streams of a context, but %s does not run kernels of several streams as the bounds "
			"assume",
			first->id, second->id, platform->id);
	else
		diagnose(validation->diagnostics, DIAGNOSTIC_CONCURRENT_KERNELS_UNDECLARED, validation->set->path, second->line,
			"'%s' and '%s' are in two streams of a context, and nothing says whether %s runs them concurrently; add <declare "
			"name=\"concurrent-kernels\" value=\"yes\" source=\"...\" by=\"...\"/> where it does",
			first->id, second->id, platform->id);
}

/* A context: the first operation on the execution engine in a stream of each kind. A second stream of a kind overlaps the first. */
struct context {
	const struct operation *first[3];
	bool refused;
};

static const struct operation *find_overlap(const struct taskset *set, const struct context *context, const struct stream *stream)
{
	for (int kind = 0; kind < 3; kind++)
		if (context->first[kind] != NULL && may_overlap(&set->streams[context->first[kind]->stream], stream))
			return context->first[kind];
	return NULL;
}

void rules_concurrency(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	if (validation->platform->concurrent_kernels == TERNARY_YES)
		return;
	struct context *contexts = arena_allocate(validation->diagnostics->arena, (size_t)set->application_count + 1, sizeof *contexts);
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		bool alone = operation->kind == OPERATION_FRAGMENT && platform_grants(validation->platform, ASSUMPTION_DRAW);
		if (operation->stream == NO_ID || alone || !runs_as_kernel(validation->platform, operation))
			continue;
		const struct stream *stream = &set->streams[operation->stream];
		struct context *context = &contexts[taskset_context(set, stream->application)];
		const struct operation *other = find_overlap(set, context, stream);
		if (other != NULL && !context->refused) {
			refuse_concurrency(validation, other, operation);
			context->refused = true;
		}
		if (context->first[stream->kind] == NULL)
			context->first[stream->kind] = operation;
	}
}
