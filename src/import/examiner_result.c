/* Results of cuda_scheduling_examiner: times of every block, in seconds with nine decimals.
 *
 * A double holds such a number of less than nine million seconds to far below a nanosecond, so that rounding it to whole nanoseconds gives
 * the number that was printed. The differences of two are a nanosecond more at most than the numbers before printing. */
#include "import/examiner.h"
#include "import/trace_readers.h"
#include "import/values.h"

#include <string.h>

#define MOST_SECONDS 9e6
#define PRINTING_ERROR 1 /* ns */

struct result {
	struct import_build *build;
	const char *path;
	const struct tree *root;
	int lane, kernels;
	int64_t iterations;
};

static void complain(const struct result *result, const char *where, const char *text)
{
	diagnose(result->build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, result->path, 0, "%s: %s", where, text);
}

static int64_t nanoseconds(const struct tree *value)
{
	bool number = value->kind == TREE_REAL || value->kind == TREE_INTEGER;
	if (!number || value->real < 0 || value->real > MOST_SECONDS)
		return NONE;
	return (int64_t)(value->real * 1e9 + 0.5);
}

/* The longest block; NONE with a complaint. */
static int64_t longest_block(const struct result *result, const struct tree *times, const char *where)
{
	int64_t longest = NONE;
	for (int i = 0; i + 1 < times->count; i += 2) {
		int64_t start = nanoseconds(&times->items[i]), end = nanoseconds(&times->items[i + 1]);
		if (start == NONE || end == NONE || end < start) {
			complain(result, where, "expected block_times of pairs of seconds, the end not before the start");
			return NONE;
		}
		longest = longest == NONE ? end - start : checked_max(longest, end - start);
	}
	return checked_add(longest, PRINTING_ERROR);
}

static bool check_blocks(
	const struct result *result, const struct tree *times, const struct tree *sms, const int64_t grid[3], const char *where)
{
	int64_t blocks = checked_mul(checked_mul(grid[0], grid[1]), grid[2]);
	bool pairs = times->kind == TREE_LIST && times->count > 0 && times->count % 2 == 0 && times->count / 2 == blocks;
	if (!pairs)
		complain(result, where, "expected two block_times for each block of block_count");
	else if (sms != NULL && (sms->kind != TREE_LIST || sms->count != blocks))
		complain(result, where, "expected a block_smids for each block");
	else
		return true;
	return false;
}

/* Older logs have the counts at the top only. */
static const struct tree *owner_of(const struct result *result, const struct tree *entry, const char *name)
{
	return tree_get(entry, name) != NULL ? entry : result->root;
}

static void read_kernel(struct result *result, const struct tree *entry, const char *where)
{
	struct import_build *build = result->build;
	const struct tree *times = tree_get(entry, "block_times");
	const char *fallback = tree_text(result->root, "benchmark_name", "kernel");
	struct import_item item = import_blank(OPERATION_KERNEL, tree_text(entry, "kernel_name", fallback));
	item.scope = SCOPE_BLOCK;
	if (!examiner_extents(build, owner_of(result, entry, "block_count"), "block_count", item.grid, result->path, where) ||
		!examiner_extents(build, owner_of(result, entry, "thread_count"), "thread_count", item.block, result->path, where) ||
		!check_blocks(result, times, tree_get(entry, "block_smids"), item.grid, where))
		return;
	item.shared_static = tree_count(build, entry, "shared_memory", result->path, where);
	item.shared_dynamic = item.shared_static != NONE ? 0 : NONE;
	trace_sample(build, &item, longest_block(result, times, where), "cuda_scheduling_examiner, longest block", result->path, 0);
	item.row = where;
	item.samples = times->count / 2;
	import_launch(build, result->lane, &item);
	result->kernels++;
}

void examiner_read_result(struct import_build *build, const char *path, const struct tree *root)
{
	struct result result = {.build = build, .path = path, .root = root};
	const struct tree *times = tree_get(root, "times");
	int64_t process = tree_count(build, root, "PID", path, "the result");
	if (times->kind != TREE_LIST) {
		complain(&result, "times", "expected a list");
		return;
	}
	const char *context =
		process == NONE ? "host"
				: arena_format(build->arena, "process%d",
					  trace_number(build, &build->processes, arena_format(build->arena, "%lld", (long long)process)));
	result.lane = import_lane(build, context, arena_format(build->arena, "b%d", build->run + 1));
	for (int i = 0; i < times->count; i++) {
		const struct tree *entry = &times->items[i];
		if (tree_get(entry, "block_times") != NULL)
			read_kernel(&result, entry, arena_format(build->arena, "times[%d]", i));
		result.iterations += tree_get(entry, "execute_times") != NULL;
	}
	if (result.iterations > 0)
		build->lanes[result.lane].jobs = result.iterations;
	if (result.kernels == 0 && build->diagnostics->errors == 0)
		diagnose(
			build->diagnostics, DIAGNOSTIC_IMPORT_IGNORED, path, 0, "no block_times: a benchmark without GPU work is left out");
}
