/* Reads results of cuda_scheduling_examiner.
 *
 * Times are seconds with nine decimals. A double holds such a number of less than nine million seconds to far below a nanosecond, so that
 * rounding to whole nanoseconds gives the number that was printed. */
#include "simulate/examiner_trace.h"

#include "base/json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NESTING 32
#define MOST_SECONDS 9e6
#define MOST_THREADS 65536

struct launch {
	int64_t launched, first, last; /* when its launch returned; the begin of its first block, the end of its last */
	struct trace_kernel kernel;
	struct trace_block *blocks;
};

struct examiner_group {
	char name[TRACE_NAME_MOST];
	const char *path;
	struct launch *launches;
	int launch_count, launch_capacity;
	int64_t blocks; /* of all */
};

/* A file under way. */
struct reading {
	struct examiner *examiner;
	struct examiner_group *group;
	const char *path, *at; /* at: how far lines were counted */
	long line;
	int stream;
};

void examiner_init(struct examiner *examiner, struct arena *arena, struct diagnostics *diagnostics)
{
	*examiner = (struct examiner){.arena = arena, .diagnostics = diagnostics};
}

int examiner_count(const struct examiner *examiner)
{
	return examiner->group_count;
}

/* ---- one file */

static bool complain(const struct reading *reading, const char *text)
{
	diagnose(reading->examiner->diagnostics, DIAGNOSTIC_TRACE_INCOMPLETE, reading->path, reading->line, "%s", text);
	return false;
}

/* jansson keeps no lines: that of the next kernel is where its key stands next in the text. */
static void count_lines(struct reading *reading)
{
	const char *key = strstr(reading->at, "\"block_times\"");
	for (; key != NULL && reading->at <= key; reading->at++)
		reading->line += *reading->at == '\n';
}

static int64_t nanoseconds(const struct tree *value)
{
	bool number = value->kind == TREE_REAL || value->kind == TREE_INTEGER;
	return number && value->real >= 0 && value->real <= MOST_SECONDS ? (int64_t)(value->real * 1e9 + 0.5) : NONE;
}

static int64_t whole(const struct tree *value, int64_t least, int64_t most)
{
	bool fine = value != NULL && value->kind == TREE_INTEGER && value->integer >= least && value->integer <= most;
	return fine ? value->integer : NONE;
}

/* A number, or a list of up to three. */
static bool read_extents(const struct tree *value, int64_t most, int64_t extents[3])
{
	extents[0] = extents[1] = extents[2] = 1;
	if (value == NULL || value->kind != TREE_LIST) {
		extents[0] = whole(value, 1, most);
		return extents[0] != NONE;
	}
	for (int i = 0; i < value->count && i < 3; i++)
		if ((extents[i] = whole(&value->items[i], 1, most)) == NONE)
			return false;
	return value->count >= 1 && value->count <= 3;
}

/* Older results have the counts at the top only. */
static const struct tree *either(const struct tree *entry, const struct tree *root, const char *name)
{
	const struct tree *value = tree_get(entry, name);
	return value != NULL ? value : tree_get(root, name);
}

static bool read_shape(const struct reading *reading, const struct tree *root, const struct tree *entry, struct trace_kernel *kernel)
{
	int64_t threads[3];
	const struct tree *shared = tree_get(entry, "shared_memory");
	if (!read_extents(either(entry, root, "block_count"), TRACE_BLOCKS_MOST, kernel->grid))
		return complain(reading, "expected a block_count of at least 1, or a list of up to three");
	if (!read_extents(either(entry, root, "thread_count"), MOST_THREADS, threads))
		return complain(reading, "expected a thread_count of at least 1, or a list of up to three");
	kernel->blocks = checked_mul(checked_mul(kernel->grid[0], kernel->grid[1]), kernel->grid[2]);
	kernel->threads = checked_mul(checked_mul(threads[0], threads[1]), threads[2]);
	kernel->shared_static = shared == NULL ? 0 : whole(shared, 0, INT32_MAX);
	if (kernel->shared_static == NONE)
		return complain(reading, "expected shared_memory in whole bytes");
	if (kernel->blocks > TRACE_BLOCKS_MOST || kernel->threads > MOST_THREADS)
		return complain(reading, "a grid of too many blocks, or blocks of too many threads");
	return true;
}

static bool read_block(const struct reading *reading, const struct tree *times, const struct tree *sm, struct launch *launch, int index)
{
	int64_t begin = nanoseconds(&times[0]), end = nanoseconds(&times[1]), on = whole(sm, 0, INT32_MAX);
	if (begin == NONE || end == NONE || end < begin)
		return complain(reading, "expected block_times of pairs of seconds, no end before its begin");
	if (on == NONE)
		return complain(reading, "expected block_smids of whole numbers");
	launch->blocks[index] = (struct trace_block){.begin = begin, .end = end, .sm = (int)on, .line = reading->line};
	launch->first = index == 0 ? begin : checked_min(launch->first, begin);
	launch->last = checked_max(launch->last, end);
	return true;
}

static bool read_blocks(const struct reading *reading, const struct tree *entry, struct launch *launch)
{
	const struct tree *times = tree_get(entry, "block_times"), *sms = tree_get(entry, "block_smids");
	int64_t blocks = launch->kernel.blocks;
	if (times->kind != TREE_LIST || times->count != 2 * blocks || sms == NULL || sms->kind != TREE_LIST || sms->count != blocks)
		return complain(reading, "expected two block_times and one of block_smids for each block of block_count");
	launch->blocks = arena_allocate(reading->examiner->arena, (size_t)blocks, sizeof *launch->blocks);
	for (int i = 0; i < blocks; i++)
		if (!read_block(reading, &times->items[2 * i], &sms->items[i], launch, i))
			return false;
	return true;
}

static bool read_kernel(struct reading *reading, const struct tree *root, const struct tree *entry)
{
	const struct tree *stamps = tree_get(entry, "cuda_launch_times");
	struct examiner_group *group = reading->group;
	count_lines(reading);
	struct launch launch = {
		.kernel = {.stream = reading->stream, .registers = NONE, .carveout = NONE, .path = reading->path, .line = reading->line}};
	if (!read_shape(reading, root, entry, &launch.kernel) || !read_blocks(reading, entry, &launch))
		return false;
	launch.launched = stamps != NULL && stamps->kind == TREE_LIST && stamps->count >= 2 ? nanoseconds(&stamps->items[1]) : NONE;
	if (launch.launched == NONE)
		return complain(reading, "expected cuda_launch_times of two seconds or more");
	group->blocks += launch.kernel.blocks;
	if (group->launch_count == TRACE_KERNELS_MOST || group->blocks > TRACE_BLOCKS_MOST)
		return complain(reading, "a scenario of too many kernels or blocks");
	group->launches = arena_grow(
		reading->examiner->arena, group->launches, &group->launch_capacity, group->launch_count + 1, sizeof *group->launches);
	group->launches[group->launch_count++] = launch;
	return true;
}

static struct examiner_group *group_of(struct examiner *examiner, const char *scenario, const char *path)
{
	char name[TRACE_NAME_MOST] = "";
	for (int i = 0; scenario[i] != '\0' && i < TRACE_NAME_MOST - 1; i++)
		name[i] = isalnum((unsigned char)scenario[i]) ? scenario[i] : '-';
	for (int i = 0; i < examiner->group_count; i++)
		if (strcmp(examiner->groups[i].name, name) == 0)
			return &examiner->groups[i];
	examiner->groups = arena_grow(
		examiner->arena, examiner->groups, &examiner->group_capacity, examiner->group_count + 1, sizeof *examiner->groups);
	struct examiner_group *group = &examiner->groups[examiner->group_count++];
	*group = (struct examiner_group){.path = path};
	memcpy(group->name, name, sizeof name);
	return group;
}

bool examiner_add(struct examiner *examiner, const char *path, const char *bytes, size_t length)
{
	struct json_error error;
	struct arena *arena = arena_create();
	const struct tree *root = json_parse(arena, bytes, length, NESTING, &error), *times = tree_get(root, "times");
	const char *scenario = tree_text(root, "scenario_name", NULL);
	struct reading reading = {.examiner = examiner, .path = path, .at = bytes, .line = 1, .stream = examiner->file_count++};
	bool fine = root != NULL;
	if (!fine)
		diagnose(examiner->diagnostics, DIAGNOSTIC_TRACE_MALFORMED, path, error.line, "expected JSON; %s", error.text);
	else if (times == NULL || times->kind != TREE_LIST || scenario == NULL || scenario[0] == '\0')
		fine = complain(&reading, "expected an object with scenario_name and a list times, a result of cuda_scheduling_examiner");
	else
		reading.group = group_of(examiner, scenario, path);
	for (int i = 0; fine && i < times->count; i++)
		if (tree_get(&times->items[i], "block_times") != NULL)
			fine = read_kernel(&reading, root, &times->items[i]);
	arena_destroy(arena);
	return fine;
}

/* ---- a scenario */

static int by_launch(const void *a, const void *b)
{
	const struct launch *x = a, *y = b;
	if (x->launched != y->launched)
		return x->launched < y->launched ? -1 : 1;
	return x->kernel.stream < y->kernel.stream ? -1 : x->kernel.stream > y->kernel.stream;
}

static int by_begin(const void *a, const void *b)
{
	const struct trace_block *x = *(const struct trace_block *const *)a, *y = *(const struct trace_block *const *)b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Times since the configuration's first block, and tickets in the order of begins. */
static void relate_blocks(struct arena *arena, struct trace_configuration *configuration)
{
	struct trace_block **order = arena_allocate(arena, (size_t)configuration->block_count, sizeof *order);
	for (int i = 0; i < configuration->block_count; i++)
		order[i] = &configuration->blocks[i];
	qsort(order, (size_t)configuration->block_count, sizeof *order, by_begin);
	int64_t base = order[0]->begin;
	for (int i = 0; i < configuration->block_count; i++) {
		order[i]->ticket = i;
		order[i]->begin -= base;
		order[i]->end -= base;
	}
}

static void configure(const struct examiner *examiner, const struct launch *launches, int count, struct trace_configuration *configuration)
{
	int64_t blocks = 0;
	for (int k = 0; k < count; k++)
		blocks += launches[k].kernel.blocks;
	configuration->kernels = arena_allocate(examiner->arena, (size_t)count, sizeof *configuration->kernels);
	configuration->blocks = arena_allocate(examiner->arena, (size_t)blocks, sizeof *configuration->blocks);
	for (int k = 0; k < count; k++) {
		struct trace_kernel *kernel = &configuration->kernels[configuration->kernel_count++];
		*kernel = launches[k].kernel;
		kernel->first_block = configuration->block_count;
		memcpy(configuration->blocks + configuration->block_count, launches[k].blocks,
			(size_t)kernel->blocks * sizeof *configuration->blocks);
		configuration->block_count += (int)kernel->blocks;
	}
	relate_blocks(examiner->arena, configuration);
}

/* launches of one configuration, from `start` on: up to where the GPU was idle. */
static int together(const struct launch *launches, const int64_t *later, int count, int start)
{
	int64_t end = 0;
	int next = start;
	do
		end = checked_max(end, launches[next++].last);
	while (next < count && later[next] <= end);
	return next - start;
}

struct examiner_scenario examiner_scenario(const struct examiner *examiner, int index)
{
	struct examiner_group *group = &examiner->groups[index];
	struct examiner_scenario scenario = {.path = group->path};
	int count = group->launch_count;
	int64_t *later = arena_allocate(examiner->arena, (size_t)count + 1, sizeof *later); /* the earliest begin from a launch on */
	memcpy(scenario.name, group->name, sizeof scenario.name);
	if (count > 0)
		qsort(group->launches, (size_t)count, sizeof *group->launches, by_launch);
	for (int i = count - 1; i >= 0; i--)
		later[i] = i == count - 1 ? group->launches[i].first : checked_min(group->launches[i].first, later[i + 1]);
	scenario.configurations = arena_allocate(examiner->arena, (size_t)count + 1, sizeof *scenario.configurations);
	for (int i = 0, size; i < count; i += size) {
		struct trace_configuration *configuration = &scenario.configurations[scenario.configuration_count];
		size = together(group->launches, later, count, i);
		memcpy(configuration->experiment, group->name, sizeof group->name);
		configuration->configuration = scenario.configuration_count++;
		configuration->mode = 1;
		configuration->line = group->launches[i].kernel.line;
		configure(examiner, group->launches + i, size, configuration);
	}
	return scenario;
}
