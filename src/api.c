/* The public interface, on top of the pipeline. */
#include "gpubound.h"

#include "config.h"
#include "pipeline.h"

#include <errno.h>
#include <stddef.h>

struct gpubound {
	struct pipeline pipeline;
	struct pipeline_options options;
	const char **assume;
	int assume_capacity;
	bool used, analysed;
};

const char *gpubound_version(void)
{
	return GPUBOUND_VERSION;
}

struct gpubound *gpubound_create(void)
{
	struct gpubound *bound = memory_allocate(sizeof *bound);
	*bound = (struct gpubound){0};
	pipeline_init(&bound->pipeline);
	return bound;
}

void gpubound_destroy(struct gpubound *bound)
{
	if (bound == NULL)
		return;
	pipeline_finish(&bound->pipeline);
	memory_free(bound);
}

bool gpubound_assume(struct gpubound *bound, const char *id)
{
	struct pipeline_options *options = &bound->options;
	if (assumption_find(id) < 0)
		return false;
	bound->assume =
		arena_grow(bound->pipeline.arena, bound->assume, &bound->assume_capacity, options->assume_count + 1, sizeof *bound->assume);
	bound->assume[options->assume_count++] = arena_copy(bound->pipeline.arena, id);
	options->assume = bound->assume;
	return true;
}

bool gpubound_analyze(struct gpubound *bound, const char *path, const char *platform)
{
	if (bound->used)
		return false;
	bound->used = true;
	bound->options.platform = arena_copy(bound->pipeline.arena, platform);
	bound->analysed = pipeline_run(&bound->pipeline, arena_copy(bound->pipeline.arena, path), &bound->options);
	return bound->analysed;
}

/* ---- results */

static enum gpubound_verdict public_verdict(enum verdict verdict)
{
	static const enum gpubound_verdict verdicts[] = {
		[VERDICT_PROVEN] = GPUBOUND_PROVEN, [VERDICT_NOT_PROVEN] = GPUBOUND_NOT_PROVEN, [VERDICT_NO_BOUND] = GPUBOUND_NO_BOUND};
	return verdicts[verdict];
}

enum gpubound_verdict gpubound_verdict(const struct gpubound *bound)
{
	return bound->analysed ? public_verdict(bound->pipeline.response->worst) : GPUBOUND_NO_BOUND;
}

int gpubound_task_count(const struct gpubound *bound)
{
	return bound->analysed ? bound->pipeline.set->task_count : 0;
}

int gpubound_stream_count(const struct gpubound *bound)
{
	return bound->analysed ? bound->pipeline.set->stream_count : 0;
}

/* NULL: out of range. */
static const struct response_of *task_result(const struct gpubound *bound, int task)
{
	return task >= 0 && task < gpubound_task_count(bound) ? &bound->pipeline.response->tasks[task] : NULL;
}

static const struct response_of *stream_result(const struct gpubound *bound, int stream)
{
	return stream >= 0 && stream < gpubound_stream_count(bound) ? &bound->pipeline.response->streams[stream] : NULL;
}

const char *gpubound_task_id(const struct gpubound *bound, int task)
{
	return task_result(bound, task) != NULL ? bound->pipeline.set->tasks[task].id : NULL;
}

const char *gpubound_stream_id(const struct gpubound *bound, int stream)
{
	return stream_result(bound, stream) != NULL ? bound->pipeline.set->streams[stream].id : NULL;
}

static int64_t response_of(const struct response_of *result)
{
	return result != NULL ? result->response : GPUBOUND_NONE;
}

static int64_t deadline_of(const struct response_of *result)
{
	return result != NULL ? result->deadline : GPUBOUND_NONE;
}

static enum gpubound_verdict verdict_of(const struct response_of *result)
{
	return result != NULL ? public_verdict(result->verdict) : GPUBOUND_NO_BOUND;
}

static const char *bound_of(const struct response_of *result)
{
	return result != NULL && result->winner >= 0 ? bound_kinds[result->winner].name : NULL;
}

#define RESULTS(kind)                                                                                                                      \
	int64_t gpubound_##kind##_response(const struct gpubound *bound, int index)                                                        \
	{                                                                                                                                  \
		return response_of(kind##_result(bound, index));                                                                           \
	}                                                                                                                                  \
	int64_t gpubound_##kind##_deadline(const struct gpubound *bound, int index)                                                        \
	{                                                                                                                                  \
		return deadline_of(kind##_result(bound, index));                                                                           \
	}                                                                                                                                  \
	enum gpubound_verdict gpubound_##kind##_verdict(const struct gpubound *bound, int index)                                           \
	{                                                                                                                                  \
		return verdict_of(kind##_result(bound, index));                                                                            \
	}                                                                                                                                  \
	const char *gpubound_##kind##_bound(const struct gpubound *bound, int index)                                                       \
	{                                                                                                                                  \
		return bound_of(kind##_result(bound, index));                                                                              \
	}

RESULTS(task)
RESULTS(stream)

/* False: nobody could read it back. */
static bool add_xml(struct output *output, const struct report *report)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	bool added = pipeline_write_xml(&diagnostics, output, report);
	arena_destroy(arena);
	errno = added ? errno : EFBIG;
	return added;
}

static bool add_format(struct output *output, const struct report *report, enum gpubound_format format)
{
	switch (format) {
	case GPUBOUND_TEXT: report_text(output, report, false); break;
	case GPUBOUND_XML: return add_xml(output, report);
	case GPUBOUND_CSV:
		report_csv_header(output);
		report_csv(output, report);
		break;
	}
	return true;
}

bool gpubound_write(const struct gpubound *bound, enum gpubound_format format, const char *path)
{
	struct output output = {0};
	if (!bound->analysed) {
		errno = EINVAL;
		return false;
	}
	struct report report = pipeline_report(&bound->pipeline, &bound->options, NULL, 0);
	bool written = add_format(&output, &report, format) && output_write(&output, path);
	int error = errno;
	output_finish(&output);
	errno = error;
	return written;
}

/* ---- diagnostics */

int gpubound_diagnostic_count(const struct gpubound *bound)
{
	return bound->pipeline.diagnostics.count;
}

static const struct diagnostic *diagnostic_at(const struct gpubound *bound, int index)
{
	return index >= 0 && index < gpubound_diagnostic_count(bound) ? &bound->pipeline.diagnostics.items[index] : NULL;
}

enum gpubound_level gpubound_diagnostic_level(const struct gpubound *bound, int diagnostic)
{
	static const enum gpubound_level levels[] = {[LEVEL_NOTE] = GPUBOUND_NOTE,
		[LEVEL_HAZARD] = GPUBOUND_HAZARD,
		[LEVEL_WARNING] = GPUBOUND_WARNING,
		[LEVEL_ERROR] = GPUBOUND_ERROR};
	const struct diagnostic *item = diagnostic_at(bound, diagnostic);
	return item != NULL ? levels[diagnostic_kinds[item->code].level] : GPUBOUND_NOTE;
}

const char *gpubound_diagnostic_code(const struct gpubound *bound, int diagnostic)
{
	const struct diagnostic *item = diagnostic_at(bound, diagnostic);
	return item != NULL ? diagnostic_kinds[item->code].slug : NULL;
}

const char *gpubound_diagnostic_text(const struct gpubound *bound, int diagnostic)
{
	const struct diagnostic *item = diagnostic_at(bound, diagnostic);
	return item != NULL ? item->text : NULL;
}

const char *gpubound_diagnostic_file(const struct gpubound *bound, int diagnostic)
{
	const struct diagnostic *item = diagnostic_at(bound, diagnostic);
	return item != NULL ? item->file : NULL;
}

long gpubound_diagnostic_line(const struct gpubound *bound, int diagnostic)
{
	const struct diagnostic *item = diagnostic_at(bound, diagnostic);
	return item != NULL ? item->line : 0;
}
