/* cuda_scheduling_examiner: configurations. A benchmark is a task with a stream of its own; with processes it has a context of its own.
 *
 * Source: github.com/yalue/cuda_scheduling_examiner_mirror, README, src/parse_config.c and the benchmarks; a stream with a priority is
 * created non-blocking, one without is blocking. Spinning kernels have their duration in ns in additional_info: what a block spins at
 * least; other benchmarks do not say how long they take. */
#include "import/examiner.h"

#include "import/kernel_names.h"
#include "import/plan.h"
#include "import/values.h"

#include <string.h>

struct reader {
	struct import_build *build;
	const char *path;
	int benchmarks;
};

/* Where in the file: "benchmarks[2]". */
struct place {
	const char *where, *context;
	bool processes;
};

static void ignore(const struct reader *reader, const char *where, const char *text)
{
	diagnose(reader->build->diagnostics, DIAGNOSTIC_IMPORT_IGNORED, reader->path, 0, "%s: %s", where, text);
}

static int64_t number(const struct reader *reader, const struct tree *object, const char *name, const char *where)
{
	return tree_count(reader->build, object, name, reader->path, where);
}

bool examiner_extents(
	struct import_build *build, const struct tree *object, const char *name, int64_t extents[3], const char *path, const char *where)
{
	const struct tree *value = tree_get(object, name);
	extents[0] = UNKNOWN_EXTENT;
	extents[1] = extents[2] = 1;
	if (value == NULL || (value->kind == TREE_INTEGER && value->integer == 0))
		return true;
	bool list = value->kind == TREE_LIST;
	int count = list ? value->count : 1;
	for (int i = 0; i < count; i++) {
		const struct tree *one = list ? &value->items[i] : value;
		if (i == 3 || one->kind != TREE_INTEGER || one->integer < 1 || one->integer > INT32_MAX) {
			diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, path, 0,
				"%s: %s: expected a number of at least 1, or up to three of them", where, name);
			return false;
		}
		extents[i] = one->integer;
	}
	return true;
}

/* ---- work of one benchmark */

static struct import_item blank(const struct reader *reader, enum operation_kind kind, const char *name, const char *where)
{
	struct import_item item = import_blank(kind, arena_copy(reader->build->arena, name));
	item.scope = SCOPE_BLOCK;
	item.measured = false; /* the margin applies: a block spins at least so long */
	item.single = true;
	item.source = "cuda_scheduling_examiner, configuration, nominal";
	item.file = reader->path;
	item.row = where;
	return item;
}

/* A kernel of the benchmark, with counts of its own or those of `owner`. */
static void add_kernel(const struct reader *reader, int lane, const struct tree *owner, const struct tree *own, const char *name,
	int64_t duration, const char *where)
{
	struct import_build *build = reader->build;
	struct import_item item = blank(reader, OPERATION_KERNEL, name, where);
	examiner_extents(build, tree_get(own, "block_count") != NULL ? own : owner, "block_count", item.grid, reader->path, where);
	examiner_extents(build, tree_get(own, "thread_count") != NULL ? own : owner, "thread_count", item.block, reader->path, where);
	int64_t shared = number(reader, own, "shared_memory_size", where);
	item.shared_static = shared == NONE && duration != NONE ? 0 : shared; /* kernels that only spin have none */
	item.shared_dynamic = item.shared_static != NONE ? 0 : NONE;
	item.longest = duration;
	if (tree_get(own, "sm_mask") != NULL || tree_get(owner, "sm_mask") != NULL) {
		ignore(reader, where,
			"sm_mask: a part of the SMs cannot be said in a task set; the grid is left out, so that the analysis refuses");
		item.grid[0] = UNKNOWN_EXTENT;
	}
	import_launch(build, lane, &item);
}

/* Seconds in ns, rounded up. The double is the nearest to what is printed: so is that of whole ns divided, which tells whether they are
 * less. */
static int64_t nanoseconds_up(double seconds)
{
	int64_t whole = (int64_t)(seconds * 1e9);
	return (double)whole / 1e9 < seconds ? whole + 1 : whole;
}

/* A delay in seconds between launches, as a segment on the CPU. */
static void add_delay(const struct reader *reader, int lane, const struct tree *step, const char *where)
{
	const struct tree *delay = tree_get(step, "delay");
	struct import_item item = blank(reader, OPERATION_HOST, "delay", where);
	if (delay == NULL || delay->real == 0)
		return;
	if ((delay->kind != TREE_REAL && delay->kind != TREE_INTEGER) || delay->real < 0 || delay->real > 1e6) {
		diagnose(reader->build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, reader->path, 0, "%s: delay: expected seconds", where);
		return;
	}
	item.longest = nanoseconds_up(delay->real);
	import_launch(reader->build, lane, &item);
}

static void add_copy(
	const struct reader *reader, int lane, const struct tree *step, const char *name, enum direction direction, const char *where)
{
	struct import_item item = blank(reader, OPERATION_COPY, name, where);
	int64_t count = number(reader, step, name, where);
	item.direction = direction;
	if (count != NONE && count > 0)
		import_launch(reader->build, lane, &item);
}

static void add_memset(const struct reader *reader, int lane, const struct tree *parameters, const char *name, const char *where)
{
	struct import_item item = blank(reader, OPERATION_MEMSET, name, where);
	item.direction = DIRECTION_MEMSET;
	item.bytes = number(reader, parameters, "size", where);
	import_launch(reader->build, lane, &item);
}

/* ---- benchmarks that are several operations */

static void add_kernels(const struct reader *reader, int lane, const struct tree *benchmark, const struct tree *list, const char *where)
{
	for (int i = 0; i < list->count; i++) {
		const struct tree *step = &list->items[i];
		const char *place = arena_format(reader->build->arena, "%s.additional_info[%d]", where, i);
		add_delay(reader, lane, step, place);
		add_copy(reader, lane, step, "copy_in_count", DIRECTION_H2D, place);
		add_kernel(reader, lane, benchmark, step, tree_text(step, "kernel_label", "kernel"),
			number(reader, step, "duration", place), place);
		add_copy(reader, lane, step, "copy_out_count", DIRECTION_D2H, place);
	}
}

static void add_actions(const struct reader *reader, int lane, const struct tree *benchmark, const struct tree *list, const char *where)
{
	for (int i = 0; i < list->count; i++) {
		const struct tree *step = &list->items[i], *parameters = tree_get(step, "parameters");
		const char *place = arena_format(reader->build->arena, "%s.actions[%d]", where, i), *type = tree_text(step, "type", "");
		const char *label = tree_text(step, "label", type);
		add_delay(reader, lane, step, place);
		if (strcmp(type, "kernel") == 0)
			add_kernel(reader, lane, benchmark, parameters, label, number(reader, parameters, "duration", place), place);
		else if (strcmp(type, "memset") == 0)
			add_memset(reader, lane, parameters, label, place);
		else
			ignore(reader, place,
				arena_format(reader->build->arena, "'%s' is left out", value_shorten(reader->build->arena, type, 40)));
	}
}

/* ---- benchmarks */

/* How a benchmark's additional_info is to be read, by the name of its library. */
enum style { STYLE_SPIN, STYLE_SPIN_OBJECT, STYLE_KERNELS, STYLE_ACTIONS, STYLE_HOST, STYLE_CPU, STYLE_OTHER };

static const struct {
	const char *library;
	enum style style;
	bool null_stream;
} libraries[] = {
	{"timer_spin", STYLE_SPIN, false},
	{"timer_spin_default_stream", STYLE_SPIN, true},
	{"sharedmem_timer_spin", STYLE_SPIN_OBJECT, false},
	{"multikernel", STYLE_KERNELS, false},
	{"stream_action", STYLE_ACTIONS, false},
	{"task_host", STYLE_HOST, false},
	{"cpu_random_walk", STYLE_CPU, false},
	{"cpu_inorder_walk", STYLE_CPU, false},
};

/* "./bin/timer_spin.so": timer_spin. */
static const char *library_of(struct arena *arena, const char *filename)
{
	const char *slash = strrchr(filename, '/'), *base = slash != NULL ? slash + 1 : filename;
	return arena_format(arena, "%.*s", (int)strcspn(base, "."), base);
}

static enum style style_of(const char *library, bool *null_stream)
{
	*null_stream = false;
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		if (strcmp(libraries[i].library, library) != 0)
			continue;
		*null_stream = libraries[i].null_stream;
		return libraries[i].style;
	}
	return STYLE_OTHER;
}

static void set_priority(const struct reader *reader, struct import_lane *lane, const struct tree *benchmark, const char *where)
{
	const struct tree *priority = tree_get(benchmark, "stream_priority");
	if (priority == NULL)
		return;
	if (priority->kind != TREE_INTEGER || priority->integer < -1000 || priority->integer > 1000)
		diagnose(reader->build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, reader->path, 0,
			"%s: stream_priority: expected a whole number", where);
	else
		lane->level = (int)priority->integer; /* CUDA's, made a level when all are known */
	if (lane->kind != STREAM_NULL)
		lane->kind = STREAM_NON_BLOCKING;
	reader->build->levels = true;
}

/* The NULL stream of a context is one stream, whatever number of tasks use it. */
static void share_null_stream(struct import_build *build, int lane)
{
	build->lanes[lane].kind = STREAM_NULL;
	for (int i = 0; i < lane; i++) {
		if (build->lanes[i].kind != STREAM_NULL || strcmp(build->lanes[i].context, build->lanes[lane].context) != 0)
			continue;
		build->lanes[lane].task = build->lanes[lane].stream_id;
		build->lanes[lane].stream_id = build->lanes[i].stream_id;
		build->lanes[lane].shares_stream = true;
		return;
	}
}

static int add_lane(struct reader *reader, const struct tree *benchmark, const struct place *place, bool null_stream)
{
	struct import_build *build = reader->build;
	const struct tree *release = tree_get(benchmark, "release_time");
	int lane = import_lane(build, place->context, arena_format(build->arena, "b%d", ++reader->benchmarks));
	build->lanes[lane].one_job = true;
	if (null_stream)
		share_null_stream(build, lane);
	set_priority(reader, &build->lanes[lane], benchmark, place->where);
	const char *label = tree_text(benchmark, "label", tree_text(benchmark, "filename", ""));
	build->lanes[lane].note = arena_format(build->arena, "%s%s", value_shorten(build->arena, label, VALUE_SHORT),
		release != NULL ? ", released once, at a time of its own" : "");
	if (tree_get(benchmark, "mps_thread_percentage") != NULL)
		build->mps = "separate";
	return lane;
}

static void read_config(struct reader *reader, const struct tree *root, const char *where, const char *context, int depth);

static void read_benchmark(struct reader *reader, const struct tree *benchmark, const struct place *place, int depth)
{
	struct import_build *build = reader->build;
	const char *library = library_of(build->arena, tree_text(benchmark, "filename", "")), *where = place->where;
	const struct tree *info = tree_get(benchmark, "additional_info");
	bool null_stream;
	enum style style = style_of(library, &null_stream);
	if (*library == '\0')
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, reader->path, 0, "%s: expected a filename", where);
	if (style == STYLE_CPU)
		ignore(reader, where, "runs on the CPU only and is left out; what it does to the memory is a factor of interference");
	if (style == STYLE_HOST)
		read_config(reader, info, arena_format(build->arena, "%s.additional_info", where), place->context, depth + 1);
	if (style == STYLE_CPU || style == STYLE_HOST || *library == '\0')
		return;
	int lane = add_lane(reader, benchmark, place, null_stream);
	const struct tree *actions = tree_get(info, "actions");
	if (style == STYLE_KERNELS && info != NULL && info->kind == TREE_LIST)
		add_kernels(reader, lane, benchmark, info, where);
	else if (style == STYLE_ACTIONS && actions != NULL && actions->kind == TREE_LIST)
		add_actions(reader, lane, benchmark, actions, where);
	else if (style == STYLE_SPIN)
		add_kernel(reader, lane, benchmark, NULL, library, number(reader, benchmark, "additional_info", where), where);
	else if (style == STYLE_SPIN_OBJECT)
		add_kernel(reader, lane, benchmark, info, library, number(reader, info, "duration", where), where);
	else if (style == STYLE_OTHER)
		add_kernel(reader, lane, benchmark, NULL, library, NONE, where);
	else
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, reader->path, 0, "%s: expected a list of kernels in additional_info",
			where);
}

static void read_config(struct reader *reader, const struct tree *root, const char *where, const char *context, int depth)
{
	struct import_build *build = reader->build;
	const struct tree *list = tree_get(root, "benchmarks"), *processes = tree_get(root, "use_processes");
	if (list == NULL || list->kind != TREE_LIST || depth > 4) {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, reader->path, 0, "%s: expected a list of benchmarks",
			*where != '\0' ? where : "the configuration");
		return;
	}
	for (int i = 0; i < list->count && build->diagnostics->errors < DIAGNOSTICS_LIMIT; i++) {
		struct place place = {
			.where = arena_format(build->arena, "%s%sbenchmarks[%d]", where, *where != '\0' ? "." : "", i), .context = context};
		if (processes != NULL && processes->kind == TREE_BOOLEAN && processes->integer != 0)
			place.context = arena_format(build->arena, "%s%d", strcmp(context, "host") == 0 ? "process" : context, i + 1);
		read_benchmark(reader, &list->items[i], &place, depth);
	}
}

/* ---- priorities: CUDA's lower numbers are higher priorities; levels count from 0 */

static bool is_used(const struct import_build *build, int priority)
{
	for (int i = 0; i < build->lane_count; i++)
		if (build->lanes[i].level == priority)
			return true;
	return false;
}

static void number_levels(struct import_build *build)
{
	int *level = arena_allocate(build->arena, (size_t)build->lane_count + 1, sizeof *level);
	for (int i = 0; i < build->lane_count; i++)
		for (int priority = -1000; priority < build->lanes[i].level; priority++)
			level[i] += is_used(build, priority);
	for (int i = 0; i < build->lane_count; i++)
		build->lanes[i].level = level[i];
}

void import_read_examiner(struct import_build *build, const char *path)
{
	struct reader reader = {.build = build, .path = path};
	const struct tree *root = tree_read(build, path);
	if (root == NULL)
		return;
	if (tree_get(root, "times") != NULL) {
		examiner_read_result(build, path, root);
		return;
	}
	if (build->run > 0 || build->options->source_count > 1) {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, path, 0, "expected one configuration, or results only");
		return;
	}
	build->title = tree_text(root, "name", NULL);
	read_config(&reader, root, "", "host", 0);
	if (build->levels)
		number_levels(build);
}
