/* Collects the work that the readers find. */
#include "import/build.h"

#include "import/kernel_names.h"
#include "import/plan.h"

#include <string.h>

#define BUCKETS 65536
#define LANES 1024 /* streams; they are found one by one */

struct import_item import_blank(enum operation_kind kind, const char *name)
{
	struct import_item item = {.kind = kind, .name = name, .scope = SCOPE_GRID, .measured = true, .enlarge = true};
	item.registers = item.shared_static = item.shared_dynamic = item.cluster = item.bytes = item.longest = NONE;
	return item;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x100000001b3); /* FNV-1a, a word at a time */
}

static uint64_t hash_of(const struct import_item *item)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (const char *c = item->name; *c != '\0'; c++)
		hash = mix(hash, (unsigned char)*c);
	for (int i = 0; i < 3; i++)
		hash = mix(mix(hash, (uint64_t)item->grid[i]), (uint64_t)item->block[i]);
	return mix(hash, (uint64_t)item->bytes);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Of one name and shape. Resources count too: a launch with more shared memory is another kernel to an SM. */
static bool same_item(const struct import_item *a, const struct import_item *b)
{
	return a->kind == b->kind && strcmp(a->name, b->name) == 0 && same_text(a->symbol, b->symbol) && a->scope == b->scope &&
	       memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0 &&
	       a->registers == b->registers && a->shared_static == b->shared_static && a->shared_dynamic == b->shared_dynamic &&
	       a->shared_rounded == b->shared_rounded && a->shared_sum == b->shared_sum && a->cluster == b->cluster &&
	       same_text(a->launch, b->launch) && same_text(a->memory, b->memory) && a->access == b->access &&
	       a->direction == b->direction && a->pageable == b->pageable && a->bytes == b->bytes && a->measured == b->measured &&
	       a->enlarge == b->enlarge;
}

#ifdef __SANITIZE_ADDRESS__
#define ROWS_TOGETHER 1 /* what is used after its row should be seen */
#else
#define ROWS_TOGETHER 1024
#endif

#define ROWS_A_REPORT 16384 /* between two looks at the clock */

void import_row_end(struct import_build *build)
{
	const struct import_options *options = build->options;
	if (++build->rows_read % ROWS_A_REPORT == 0 && options->progress != NULL)
		options->progress(options->progress_context, build->rows_read);
	if (++build->rows_since < ROWS_TOGETHER)
		return;
	arena_destroy(build->row);
	build->row = arena_create();
	build->rows_since = 0;
}

void import_finish(struct import_build *build)
{
	arena_destroy(build->row);
	for (int i = 0; i < build->file_count; i++)
		memory_free(build->files[i]);
	memory_free(build->resources);
}

/* Its texts may be of the row. */
static struct import_item *keep_item(struct import_build *build, const struct import_item *item)
{
	struct import_item *copy = arena_allocate(build->arena, 1, sizeof *copy);
	*copy = *item;
	if (!item->lasting) {
		copy->name = arena_copy(build->arena, item->name);
		copy->symbol = arena_copy(build->arena, item->symbol);
	}
	copy->row = arena_copy(build->arena, item->row);
	copy->board = arena_copy(build->arena, item->board);
	copy->figures = arena_copy(build->arena, item->figures);
	return copy;
}

static int add_item(struct import_build *build, const struct import_item *item)
{
	build->items = arena_grow(build->arena, build->items, &build->item_capacity, build->item_count + 1, sizeof *build->items);
	build->items[build->item_count] = keep_item(build, item);
	return build->item_count++;
}

/* A list of one bucket: items by their numbers. */
struct entry {
	struct entry *next;
	int item;
};

static int find_item(struct import_build *build, const struct import_item *item)
{
	if (item->single)
		return add_item(build, item);
	if (build->buckets == NULL)
		build->buckets = arena_allocate(build->arena, BUCKETS, sizeof *build->buckets);
	struct entry **bucket = (struct entry **)&build->buckets[hash_of(item) % BUCKETS];
	for (struct entry *entry = *bucket; entry != NULL; entry = entry->next)
		if (same_item(build->items[entry->item], item))
			return entry->item;
	struct entry *entry = arena_allocate(build->arena, 1, sizeof *entry);
	*entry = (struct entry){*bucket, add_item(build, item)};
	*bucket = entry;
	return entry->item;
}

/* Durations of the same work: the longest counts. A launch without a duration counts as none. */
static void merge_durations(struct import_build *build, struct import_item *to, const struct import_item *from)
{
	if (from->longest == NONE)
		return;
	if (to->longest == NONE || from->longest > to->longest) {
		to->longest = from->longest;
		to->file = from->file;
		to->row = arena_copy(build->arena, from->row);
		to->source = from->source;
		to->board = same_text(to->board, from->board) ? to->board : arena_copy(build->arena, from->board);
	}
	to->samples += from->samples;
}

int import_item(struct import_build *build, const struct import_item *item)
{
	int before = build->item_count, number = find_item(build, item);
	if (number < before)
		merge_durations(build, build->items[number], item);
	return number;
}

static bool is_beyond(struct import_build *build, const char *path)
{
	if (++build->rows <= IMPORT_ROWS)
		return false;
	if (build->rows == IMPORT_ROWS + 1)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, path, 0, "expected at most %d launches in all files", IMPORT_ROWS);
	return true;
}

bool import_append(struct import_build *build, int lane, int item)
{
	struct import_lane *to = &build->lanes[lane];
	if (is_beyond(build, build->items[item]->file))
		return false;
	to->launches = arena_grow(build->arena, to->launches, &to->launch_capacity, to->launch_count + 1, sizeof *to->launches);
	to->launches[to->launch_count++] = (struct import_launch){item, build->run};
	return true;
}

bool import_launch(struct import_build *build, int lane, const struct import_item *item)
{
	if (item->single && build->lanes[lane].launch_count >= JOB_OPERATIONS) { /* they are one job, and each is kept */
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, item->file, 0, "expected at most %d operations in a job",
			JOB_OPERATIONS);
		return false;
	}
	return import_append(build, lane, import_item(build, item));
}

/* Beyond the limit all go to the last one; the import has failed then. */
int import_lane(struct import_build *build, const char *context, const char *stream)
{
	for (int i = 0; i < build->lane_count; i++)
		if (strcmp(build->lanes[i].context, context) == 0 && strcmp(build->lanes[i].stream, stream) == 0)
			return i;
	if (build->lane_count == LANES) {
		if (diagnostics_count(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT) == 0)
			diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, NULL, 0, "expected at most %d streams", LANES);
		return LANES - 1;
	}
	build->lanes = arena_grow(build->arena, build->lanes, &build->lane_capacity, build->lane_count + 1, sizeof *build->lanes);
	build->lanes[build->lane_count] = (struct import_lane){.context = arena_copy(build->arena, context),
		.stream = arena_copy(build->arena, stream),
		.stream_id = name_id(build->arena, arena_format(build->arena, "%s-%s", context, stream)),
		.jobs = NONE,
		.cuda_priority = NONE,
		.lateness = NONE,
		.distance = NONE};
	return build->lane_count++;
}

void import_resource(struct import_build *build, const struct import_resource *resource)
{
	if (build->resource_count == IMPORT_RESOURCES) {
		if (!build->resources_beyond)
			diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, resource->file, resource->line,
				"expected at most %d compiled kernels in all files", IMPORT_RESOURCES);
		build->resources_beyond = true;
		return;
	}
	if (build->resource_count == build->resource_capacity) { /* not in the arena, where all that they grew out of would stay */
		build->resource_capacity = build->resource_capacity == 0 ? ROWS_TOGETHER : 2 * build->resource_capacity;
		build->resources = memory_resize(build->resources, (size_t)build->resource_capacity * sizeof *build->resources);
	}
	build->resources[build->resource_count++] = *resource;
}

bool import_figure(struct import_build *build, const struct import_item *item)
{
	if (++build->rows > IMPORT_ROWS) {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, item->file, 0, "expected at most %d launches in all files",
			IMPORT_ROWS);
		return false;
	}
	build->figures = arena_grow(build->arena, build->figures, &build->figure_capacity, build->figure_count + 1, sizeof *build->figures);
	build->figures[build->figure_count++] = keep_item(build, item);
	return true;
}

bool import_device(struct import_build *build, const char *device, const char *path, long line)
{
	const char *wanted = build->options->device;
	if (wanted != NULL)
		return strcmp(device, wanted) == 0;
	if (build->device == NULL)
		build->device = arena_copy(build->arena, device);
	if (strcmp(device, build->device) == 0)
		return true;
	if (diagnostics_count(build->diagnostics, DIAGNOSTIC_IMPORT_DEVICES) == 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_DEVICES, path, line,
			"expected one device; got '%s' and '%s'; choose one with --device", build->device, device);
	return false;
}
