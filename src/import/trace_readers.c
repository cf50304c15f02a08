/* What the readers of traces have in common. */
#include "import/trace_readers.h"

#include "import/values.h"

#include <inttypes.h>
#include <string.h>

int trace_lane(struct import_build *build, const char *context, const char *stream)
{
	int before = build->lane_count;
	int lane = import_lane(build, arena_format(build->row, "c%s", context), arena_format(build->row, "s%s", stream));
	if (build->lane_count > before && strcmp(stream, DEFAULT_STREAM) == 0)
		build->lanes[lane].kind = STREAM_NULL;
	return lane;
}

#define NAMES 1024

int trace_number(struct import_build *build, struct trace_names *names, const char *text)
{
	for (int i = 0; i < names->count; i++)
		if (strcmp(names->items[i], text) == 0)
			return i + 1;
	if (names->count == NAMES) {
		if (diagnostics_count(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT) == 0)
			diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, NULL, 0, "expected at most %d processes or threads", NAMES);
		return NAMES;
	}
	names->items = arena_grow(build->arena, names->items, &names->capacity, names->count + 1, sizeof *names->items);
	names->items[names->count++] = arena_copy(build->arena, text);
	return names->count;
}

static const struct {
	const char *word;
	enum direction direction;
} directions[] = {
	{"HtoD", DIRECTION_H2D},
	{"Host-to-Device", DIRECTION_H2D},
	{"HtoA", DIRECTION_H2D},
	{"Host-to-Array", DIRECTION_H2D},
	{"DtoH", DIRECTION_D2H},
	{"Device-to-Host", DIRECTION_D2H},
	{"AtoH", DIRECTION_D2H},
	{"Array-to-Host", DIRECTION_D2H},
	{"DtoD", DIRECTION_D2D},
	{"Device-to-Device", DIRECTION_D2D},
	{"AtoA", DIRECTION_D2D},
	{"AtoD", DIRECTION_D2D},
	{"DtoA", DIRECTION_D2D},
	{"PtoP", DIRECTION_PEER},
	{"Peer-to-Peer", DIRECTION_PEER},
};

enum trace_work trace_classify(const char *name, struct import_item *item)
{
	if (name[0] != '[')
		return TRACE_KERNEL;
	if (strstr(name, "memset") != NULL) {
		item->kind = OPERATION_MEMSET;
		item->direction = DIRECTION_MEMSET;
		return TRACE_TRANSFER;
	}
	if (strstr(name, "HtoH") != NULL || strstr(name, "Host-to-Host") != NULL)
		return TRACE_HOST;
	for (size_t i = 0; strstr(name, "memcpy") != NULL && i < sizeof directions / sizeof *directions; i++) {
		if (strstr(name, directions[i].word) == NULL)
			continue;
		item->kind = OPERATION_COPY;
		item->direction = directions[i].direction;
		if (strstr(name, "Unified Memory") != NULL)
			item->memory = "managed";
		return TRACE_TRANSFER;
	}
	return TRACE_UNKNOWN;
}

void trace_sample(struct import_build *build, struct import_item *item, int64_t duration, const char *source, const char *path, long row)
{
	item->longest = duration;
	item->samples = duration != NONE;
	item->source = source;
	item->file = path;
	item->row = arena_format(build->arena, "%ld", row); /* details of ncu need it for several rows */
}

const char *trace_board(struct import_build *build, const char *device)
{
	char *board = arena_copy(build->arena, device);
	char *number = strrchr(board, '(');
	if (number != NULL && number > board && number[-1] == ' ' && number[1 + strspn(number + 1, "0123456789")] == ')')
		number[-1] = '\0';
	return *board == '\0' ? NULL : board;
}

static bool declares(const struct import_options *options, const char *name)
{
	size_t length = strlen(name);
	for (int i = 0; i < options->declaration_count; i++)
		if (strncmp(options->declarations[i], name, length) == 0 && options->declarations[i][length] == '=')
			return true;
	return false;
}

static bool is_known(int64_t value)
{
	return value != NONE && value > 0;
}

const char *trace_on(struct import_build *build, const struct trace_gpu gpus[TRACE_DEVICES], int64_t device, const char *path)
{
	if (device < 0 || device >= TRACE_DEVICES)
		return NULL;
	const struct trace_gpu *gpu = &gpus[device];
	const struct platform *model = build->options->model;
	if (model == NULL || diagnostics_count(build->diagnostics, DIAGNOSTIC_IMPORT_PLATFORM) > 0)
		return gpu->board;
	const char *board = gpu->board != NULL ? gpu->board : "a GPU without a name";
	int64_t sms = platform_value(model, PARAMETER_SM_COUNT);
	int major = model->compute_capability / 10, minor = model->compute_capability % 10;
	if (is_known(gpu->major) && gpu->minor != NONE && (gpu->major != major || gpu->minor != minor))
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_PLATFORM, path, 0,
			"this was recorded on %s, of compute capability %" PRId64 ".%" PRId64
			"; expected the GPU of %s, which has %d.%d: times on one GPU bound nothing on another",
			board, gpu->major, gpu->minor, model->id, major, minor);
	else if (is_known(gpu->sms) && sms != NONE && gpu->sms != sms &&
		 !declares(build->options, parameter_kinds[PARAMETER_SM_COUNT].name))
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_PLATFORM, path, 0,
			"this was recorded on %s, which has %" PRId64 " SMs; expected the GPU of %s, which has %" PRId64
			": times on one GPU bound nothing on another; a board of this model with other SMs is declared: -d "
			"sm.count=%" PRId64,
			board, gpu->sms, model->id, sms, gpu->sms);
	return gpu->board;
}

void trace_limit(struct output *text, enum parameter parameter, int64_t value, const char *what)
{
	const struct parameter_kind *kind = &parameter_kinds[parameter];
	if (value != NONE && value > 0)
		output_print(text, "\n       <declare name=\"%s\" value=\"%" PRId64 "%s\" source=\"%s\" by=\"...\"/>", kind->name, value,
			kind->unit == UNIT_BYTES ? "B" : "", what);
}

void trace_note_unshaped(struct import_build *build, const char *name, const char *path, long row)
{
	diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_UNSUPPORTED, path, row,
		"'%s' has no grid; if it is a CUDA graph in one row, trace with --cuda-graph-trace=node: its kernels and copies are "
		"scheduled one "
		"by one",
		value_shorten(build->arena, name, VALUE_SHORT));
}

void trace_note_rounded(struct import_build *build, const char *way, const char *path, long row)
{
	if (diagnostics_count(build->diagnostics, DIAGNOSTIC_IMPORT_SHARED_ROUNDED) == 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_SHARED_ROUNDED, path, row,
			"shared memory is rounded here and was left out, and with it what an SM holds of the kernels; bytes: %s", way);
}
