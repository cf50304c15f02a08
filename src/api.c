/* The public interface, on top of the pipeline. */
#include "gpubound.h"

#include "base/assert.h"
#include "base/file.h"
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

struct gpubound_models {
	struct arena *arena;
	struct input_folders folders;
	struct input_kept *kept;
};

struct gpubound_models *gpubound_models_create(void)
{
	struct arena *arena = arena_create();
	struct gpubound_models *models = arena_allocate(arena, 1, sizeof *models);
	*models = (struct gpubound_models){arena, input_find_folders(arena), input_kept_create(false)};
	return models;
}

void gpubound_models_destroy(struct gpubound_models *models)
{
	if (models == NULL)
		return;
	input_kept_destroy(models->kept);
	arena_destroy(models->arena);
}

struct gpubound *gpubound_create_with(struct gpubound_models *models)
{
	struct gpubound *bound = memory_allocate(sizeof *bound);
	*bound = (struct gpubound){0};
	pipeline_init_in(&bound->pipeline, models == NULL ? NULL : &models->folders);
	bound->options.wishes.kept = models == NULL ? NULL : models->kept;
	return bound;
}

struct gpubound *gpubound_create(void)
{
	return gpubound_create_with(NULL);
}

void gpubound_destroy(struct gpubound *bound)
{
	if (bound == NULL)
		return;
	pipeline_finish(&bound->pipeline);
	memory_free(bound);
}

static bool refuse(int error)
{
	errno = error;
	return false;
}

bool gpubound_assume(struct gpubound *bound, const char *id)
{
	if (bound == NULL || id == NULL || bound->used || assumption_find(id) < 0)
		return refuse(EINVAL);
	struct input_wishes *wishes = &bound->options.wishes;
	bound->assume =
		arena_grow(bound->pipeline.arena, bound->assume, &bound->assume_capacity, wishes->assume_count + 1, sizeof *bound->assume);
	bound->assume[wishes->assume_count++] = arena_copy(bound->pipeline.arena, id);
	wishes->assume = bound->assume;
	return true;
}

struct analysis_request {
	struct gpubound *bound;
	const char *path;
	bool analysed;
};

static void analyze(void *context)
{
	struct analysis_request *request = context;
	request->analysed = pipeline_run(&request->bound->pipeline, request->path, &request->bound->options);
}

bool gpubound_analyze(struct gpubound *bound, const char *path, const char *platform)
{
	if (bound == NULL || path == NULL || bound->used)
		return refuse(EINVAL);
	struct fault fault;
	struct analysis_request request = {bound, arena_copy(bound->pipeline.arena, path), false};
	bound->used = true;
	bound->options.wishes.platform = arena_copy(bound->pipeline.arena, platform);
	if (!fault_catch(analyze, &request, &fault)) {
		diagnose(&bound->pipeline.diagnostics, DIAGNOSTIC_INTERNAL, request.path, 0, "%s:%d: this should hold: %s", fault.file,
			fault.line, fault.condition);
		return refuse(ENOTRECOVERABLE);
	}
	bound->analysed = request.analysed;
	return request.analysed || refuse(EINVAL);
}

/* ---- results */

static enum gpubound_verdict public_verdict(enum verdict verdict)
{
	static const enum gpubound_verdict verdicts[] = {[VERDICT_PROVEN] = GPUBOUND_PROVEN,
		[VERDICT_CONDITIONAL] = GPUBOUND_CONDITIONAL,
		[VERDICT_NOT_PROVEN] = GPUBOUND_NOT_PROVEN,
		[VERDICT_NO_BOUND] = GPUBOUND_NO_BOUND};
	return verdicts[verdict];
}

enum gpubound_verdict gpubound_verdict(const struct gpubound *bound)
{
	return bound != NULL && bound->analysed ? public_verdict(bound->pipeline.response->worst) : GPUBOUND_NO_BOUND;
}

int gpubound_task_count(const struct gpubound *bound)
{
	return bound != NULL && bound->analysed ? bound->pipeline.set->task_count : 0;
}

int gpubound_stream_count(const struct gpubound *bound)
{
	return bound != NULL && bound->analysed ? bound->pipeline.set->stream_count : 0;
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

struct write_request {
	const struct gpubound *bound;
	struct output output;
	enum gpubound_format format;
	int error; /* 0: made */
};

static void make(void *context)
{
	struct write_request *request = context;
	struct report report = pipeline_report(&request->bound->pipeline, &request->bound->options, NULL, 0);
	request->error = add_format(&request->output, &report, request->format) ? 0 : EFBIG;
}

bool gpubound_write(const struct gpubound *bound, enum gpubound_format format, const char *path)
{
	struct write_request request = {.bound = bound, .format = format};
	struct fault fault;
	if (bound == NULL || path == NULL || !bound->analysed || (unsigned)format > GPUBOUND_XML)
		return refuse(EINVAL);
	if (file_opened(&bound->pipeline.diagnostics, path) != NULL)
		return refuse(EEXIST);
	if (!fault_catch(make, &request, &fault))
		request.error = ENOTRECOVERABLE;
	bool written = request.error == 0 ? output_write(&request.output, path) : refuse(request.error);
	int error = errno;
	output_finish(&request.output);
	errno = error;
	return written;
}

/* ---- diagnostics */

int gpubound_diagnostic_count(const struct gpubound *bound)
{
	return bound != NULL ? bound->pipeline.diagnostics.count : 0;
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
