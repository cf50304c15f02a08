/* Finds jobs and merges what a compiler says of kernels into what was launched. */
#include "import/plan.h"

#include "import/kernel_names.h"
#include "import/recorded.h"
#include "import/values.h"

#include <inttypes.h>
#include <string.h>

#define COMPARISONS INT64_C(1000000000) /* of names: seconds */

const char *import_task_id(const struct import_lane *lane)
{
	return lane->task != NULL ? lane->task : lane->stream_id;
}

bool import_has_shape(const struct import_item *item)
{
	return item->grid[0] != UNKNOWN_EXTENT && item->block[0] != UNKNOWN_EXTENT;
}

bool import_has_resources(const struct import_item *item)
{
	return item->registers != NONE && item->shared_static != NONE && item->shared_dynamic != NONE && import_has_shape(item);
}

/* ---- jobs */

/* The launches of one run, a part of the lane's. */
struct part {
	const struct import_launch *launches;
	int count;
};

static struct part next_part(const struct import_lane *lane, int from)
{
	struct part part = {lane->launches + from, 0};
	while (from + part.count < lane->launch_count && part.launches[part.count].run == part.launches[0].run)
		part.count++;
	return part;
}

static bool repeats(struct part part, int length)
{
	for (int i = length; i < part.count; i++)
		if (part.launches[i].item != part.launches[i - length].item)
			return false;
	return true;
}

/* How often the shortest sequence stands in the launches, one behind the other (the failure function of Knuth, Morris and Pratt). */
static int repetitions(struct import_build *build, struct part part)
{
	int *border = arena_allocate(build->arena, (size_t)part.count + 1, sizeof *border);
	for (int i = 1, k = 0; i < part.count; i++) {
		while (k > 0 && part.launches[i].item != part.launches[k].item)
			k = border[k - 1];
		k += part.launches[i].item == part.launches[k].item;
		border[i] = k;
	}
	int shortest = part.count - border[part.count > 0 ? part.count - 1 : 0];
	return part.count % shortest == 0 ? part.count / shortest : 1;
}

/* All runs are so many times one sequence, and all of the same one. */
static bool runs_agree(const struct import_lane *lane, int64_t jobs)
{
	struct part first = next_part(lane, 0), part;
	for (int from = 0; from < lane->launch_count; from += part.count) {
		part = next_part(lane, from);
		if (part.count != first.count || part.count % jobs != 0 || !repeats(part, (int)(part.count / jobs)))
			return false;
		for (int i = 0; i < part.count; i++)
			if (part.launches[i].item != first.launches[i].item)
				return false;
	}
	return true;
}

static void add_to_job(struct import_build *build, struct import_lane *lane, int *capacity, int item)
{
	lane->job = arena_grow(build->arena, lane->job, capacity, lane->job_count + 1, sizeof *lane->job);
	lane->job[lane->job_count++] = item;
}

/* Each item as often as the run with the most of it launched it in a job on average, rounded up; in the order of first launch. count and
 * most: a zero for each item, and zeros again at the end. */
static void count_job(struct import_build *build, struct import_lane *lane, int64_t jobs, int *count, int *most)
{
	int capacity = 0;
	struct part part;
	for (int from = 0; from < lane->launch_count; from += part.count) {
		part = next_part(lane, from);
		for (int i = 0; i < part.count; i++)
			count[part.launches[i].item]++;
		for (int i = 0; i < part.count; i++) {
			int item = part.launches[i].item;
			most[item] = count[item] > most[item] ? count[item] : most[item];
			count[item] = 0; /* the first of equal launches has the count of all */
		}
	}
	for (int i = 0; i < lane->launch_count; i++) {
		int item = lane->launches[i].item;
		int64_t times = checked_div_ceil(most[item], jobs);
		for (int64_t k = 0; k < times && lane->job_count <= JOB_OPERATIONS; k++)
			add_to_job(build, lane, &capacity, item);
		most[item] = 0;
	}
}

static void note_jobs(struct import_build *build, struct import_lane *lane, int64_t jobs, bool agree)
{
	struct part first = next_part(lane, 0);
	int times = repetitions(build, first);
	if (!agree)
		lane->note = arena_format(build->arena,
			"the launches are not %" PRId64
			" times one sequence in each file: every kernel stands as often as a job launches it on "
			"average, rounded up, in the order of first launch; a single job may launch more: check",
			jobs);
	else if (jobs == 1 && lane->jobs == NONE && times > 1)
		lane->note = arena_format(build->arena,
			"all %d launches stand as one job; they are %d times one sequence: if each is a job, say jobs=%d (option or "
			"mapping)",
			first.count, times, times);
	if (lane->note != NULL)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_JOBS, NULL, 0, "task '%s': %s", import_task_id(lane), lane->note);
}

/* Jobs that a recording shows are taken, unless the user says another number; whether each is one is for the user to say. */
static void note_recorded(struct import_build *build, const struct import_lane *lane)
{
	const struct recording *recording = build->recordings;
	if (lane->jobs == NONE && build->options->jobs == NONE)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_JOBS, NULL, 0, "task '%s': %s: how many jobs is this? confirm with --jobs%s",
			import_task_id(lane), lane->observed,
			recording == NULL || recording->prepared == NONE || build->options->after != NULL
				? ""
				: arena_format(build->arena,
					  "; its last graph was captured %" PRId64 "us after its first call: --after=%" PRId64
					  "us leaves out what prepared it",
					  checked_div_ceil(recording->prepared, 1000), checked_div_ceil(recording->prepared, 1000)));
	if (lane->job_count > JOB_OPERATIONS)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, NULL, 0,
			"task '%s': expected at most %d operations in a job; how many jobs the recording holds is what --jobs says",
			import_task_id(lane), JOB_OPERATIONS);
}

static void plan_lane(struct import_build *build, struct import_lane *lane, int *count, int *most)
{
	int64_t jobs = lane->jobs != NONE ? lane->jobs : build->options->jobs != NONE ? build->options->jobs : 1;
	if (lane->launch_count == 0)
		return;
	if (lane->job != NULL) {
		note_recorded(build, lane);
		return;
	}
	jobs = lane->one_job ? 1 : jobs;
	bool agree = lane->one_job || runs_agree(lane, jobs);
	if (agree) {
		int capacity = 0, length = lane->one_job ? lane->launch_count : (int)(next_part(lane, 0).count / jobs);
		for (int i = 0; i < length && i <= JOB_OPERATIONS; i++)
			add_to_job(build, lane, &capacity, lane->launches[i].item);
	} else {
		count_job(build, lane, jobs, count, most);
	}
	if (!lane->one_job)
		note_jobs(build, lane, jobs, agree);
	if (lane->job_count > JOB_OPERATIONS)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, NULL, 0,
			"task '%s': expected at most %d operations in a job; how many jobs the trace holds is what --jobs says",
			import_task_id(lane), JOB_OPERATIONS);
}

void import_plan_jobs(struct import_build *build)
{
	structure_find(build);
	int *count = arena_allocate(build->arena, (size_t)build->item_count + 1, sizeof *count);
	int *most = arena_allocate(build->arena, (size_t)build->item_count + 1, sizeof *most);
	for (int i = 0; i < build->lane_count; i++)
		plan_lane(build, &build->lanes[i], count, most);
}

/* ---- resources */

static bool counts(const struct import_build *build, const struct import_resource *resource)
{
	const char *wanted = build->options->architecture;
	return wanted == NULL || resource->architecture == NULL || strcmp(wanted, resource->architecture) == 0;
}

/* One architecture, and each kernel with one set of figures. */
static bool check_resources(struct import_build *build)
{
	const struct import_resource *first = NULL;
	for (int i = 0; i < build->resource_count; i++) {
		const struct import_resource *one = &build->resources[i];
		if (!counts(build, one))
			continue;
		if (first == NULL)
			first = one;
		if (first->architecture == NULL || one->architecture == NULL || strcmp(first->architecture, one->architecture) == 0)
			continue;
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_ARCHITECTURE, one->file, one->line,
			"expected one architecture; got %s and %s; choose with --architecture", first->architecture, one->architecture);
		return false;
	}
	if (first == NULL && build->resource_count > 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_ARCHITECTURE, build->resources[0].file, 0,
			"expected a kernel for %s; there is none", build->options->architecture);
	return first != NULL;
}

/* How sure two names are of one kernel. */
enum match { MATCH_NONE, MATCH_BASE, MATCH_NAME };

/* Of names, so that few of the many are compared letter by letter: templates' names may be long and begin alike. */
struct hashes {
	uint64_t whole, base;
};

static uint64_t hash_of(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (; text != NULL && *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

static struct hashes hashes_of(struct import_build *build, const char *symbol)
{
	struct hashes hashes = {hash_of(symbol), hash_of(name_base(build->row, symbol))};
	import_row_end(build);
	return hashes;
}

/* What is looked for: an item's names. */
struct wanted {
	const struct import_item *item;
	const char *base;
	uint64_t symbol, name, base_hash;
};

static struct wanted wanted_of(struct import_build *build, const struct import_item *item)
{
	const char *base = name_base(build->row, item->name);
	return (struct wanted){item, base, hash_of(item->symbol), hash_of(item->name), hash_of(base)};
}

static bool is_named(const struct wanted *wanted, const char *symbol, uint64_t hash)
{
	const struct import_item *item = wanted->item;
	return (item->symbol != NULL && wanted->symbol == hash && strcmp(item->symbol, symbol) == 0) ||
	       (wanted->name == hash && strcmp(item->name, symbol) == 0);
}

static enum match match_names(
	struct import_build *build, const struct wanted *wanted, const struct import_resource *resource, const struct hashes *hashes)
{
	if (!counts(build, resource))
		return MATCH_NONE;
	if (is_named(wanted, resource->symbol, hashes->whole))
		return MATCH_NAME;
	bool mangled = wanted->item->symbol != NULL || strncmp(wanted->item->name, "_Z", 2) == 0;
	bool alike = !mangled && wanted->base_hash == hashes->base && strcmp(wanted->base, name_base(build->row, resource->symbol)) == 0;
	return alike ? MATCH_BASE : MATCH_NONE;
}

static bool same_figures(const struct import_resource *a, const struct import_resource *b)
{
	return a->registers == b->registers && a->shared_static == b->shared_static;
}

/* The resource of an item: by its whole name, else by its base name where all of that name agree. */
static const struct import_resource *find_resource(struct import_build *build, const struct import_item *item, const struct hashes *hashes)
{
	const struct import_resource *found = NULL;
	struct wanted wanted = wanted_of(build, item);
	enum match best = MATCH_NONE;
	for (int i = 0; i < build->resource_count; i++) {
		const struct import_resource *one = &build->resources[i];
		enum match match = match_names(build, &wanted, one, &hashes[i]);
		if (match == MATCH_NONE || match < best)
			continue;
		if (match == best && !same_figures(found, one)) {
			diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_NAME, one->file, one->line,
				"kernel '%s' may be this one or that of %s:%ld, whose figures differ: neither is taken",
				value_shorten(build->arena, item->name, VALUE_SHORT), found->file, found->line);
			return NULL;
		}
		found = one;
		best = match;
	}
	if (best == MATCH_BASE)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_NAME, found->file, found->line,
			"kernel '%s' is taken to be '%s': only the last part of their names was compared",
			value_shorten(build->arena, item->name, VALUE_SHORT), value_shorten(build->arena, found->symbol, VALUE_SHORT));
	return found;
}

/* The driver gives a thread at least so many registers; seen on compute capability 9.0 (tests/import/fixtures/h200). */
#define REGISTERS_LEAST 16

static bool registers_differ(int64_t launched, int64_t compiled)
{
	return launched != NONE && launched != compiled && !(launched == REGISTERS_LEAST && compiled < REGISTERS_LEAST);
}

void import_split_shared(struct import_item *item, int64_t shared_static)
{
	if (!item->shared_sum || shared_static == NONE || shared_static > item->shared_dynamic)
		return;
	item->shared_static = shared_static;
	item->shared_dynamic -= shared_static;
	item->shared_sum = false;
}

static void merge_resource(struct import_build *build, struct import_item *item, const struct import_resource *found)
{
	import_split_shared(item, found->shared_static);
	bool differ = registers_differ(item->registers, found->registers) ||
		      (item->shared_static != NONE && item->shared_static != found->shared_static);
	if (differ) {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_CONTRADICTION, found->file, found->line,
			"kernel '%s' was launched with other registers or static shared memory than this build has: is it the same build?",
			value_shorten(build->arena, item->name, VALUE_SHORT));
		return;
	}
	if (item->registers == NONE || item->shared_static == NONE)
		item->figures = arena_format(build->arena, "%s:%ld", found->file, found->line);
	item->registers = item->registers != NONE ? item->registers : found->registers;
	item->shared_static = found->shared_static;
}

/* Without a trace the kernels themselves are what there is: one stream, each once. */
static void launch_resources(struct import_build *build)
{
	int lane = import_lane(build, "c1", "s1");
	build->lanes[lane].one_job = true;
	for (int i = 0; i < build->resource_count; i++) {
		const struct import_resource *one = &build->resources[i];
		struct import_item item = import_blank(OPERATION_KERNEL, one->symbol);
		if (!counts(build, one))
			continue;
		item.scope = SCOPE_BLOCK;
		item.measured = item.enlarge = false;
		item.symbol = one->symbol;
		item.lasting = true;
		item.source = "the compiler's figures";
		item.file = one->file;
		item.row = arena_format(build->arena, "%ld", one->line);
		import_launch(build, lane, &item);
	}
}

static int count_resources(const struct import_build *build)
{
	int count = 0;
	for (int i = 0; i < build->resource_count; i++)
		count += counts(build, &build->resources[i]);
	return count;
}

void import_plan_resources(struct import_build *build)
{
	if (build->resource_count == 0 || !check_resources(build))
		return;
	int launched = build->item_count > 0 ? build->item_count : count_resources(build);
	if ((int64_t)launched * build->resource_count > COMPARISONS) {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, NULL, 0,
			"expected fewer kernels: %d launched and %d compiled ones are too many to compare", launched,
			build->resource_count);
		return;
	}
	if (build->item_count == 0)
		launch_resources(build);
	struct hashes *hashes = arena_allocate(build->arena, (size_t)build->resource_count, sizeof *hashes);
	for (int i = 0; i < build->resource_count; i++)
		hashes[i] = hashes_of(build, build->resources[i].symbol);
	for (int i = 0; i < build->item_count; i++) {
		struct import_item *item = build->items[i];
		const struct import_resource *found = item->kind == OPERATION_KERNEL ? find_resource(build, item, hashes) : NULL;
		if (found != NULL)
			merge_resource(build, item, found);
		import_row_end(build);
	}
}
