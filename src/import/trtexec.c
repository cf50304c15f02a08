/* Layer profiles of TensorRT: trtexec --exportProfile.
 *
 * Source: github.com/NVIDIA/TensorRT, samples/common/sampleReporting.cpp: a list, {"count": iterations}, then for each layer in the order
 * of its execution name, timeMs (of all iterations), averageMs, since 8.5 medianMs, percentage. A layer is one kernel or several, which the
 * file does not say. There is no maximum in it, so that nothing in it is a WCET: it only gives names to the operations of a trace. */
#include "base/duration_text.h"
#include "import/json_files.h"
#include "import/plan.h"
#include "import/values.h"

#include <inttypes.h>

#define MOST_MILLISECONDS 1e9

static void complain(struct import_build *build, const char *path, int index, const char *expected)
{
	diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, path, 0, "element %d: expected %s, as trtexec --exportProfile writes it",
		index, expected);
}

static bool is_time(const struct tree *value)
{
	return value != NULL && (value->kind == TREE_REAL || value->kind == TREE_INTEGER) && value->real >= 0 &&
	       value->real < MOST_MILLISECONDS;
}

/* One that took no time did not run. */
static void read_layer(struct import_build *build, const char *path, const struct tree *element, int index)
{
	const char *name = tree_text(element, "name", "");
	const struct tree *all = tree_get(element, "timeMs"), *mean = tree_get(element, "averageMs");
	if (*name == '\0' || !is_time(all) || !is_time(mean)) {
		complain(build, path, index, "a layer with name, timeMs and averageMs");
		return;
	}
	if (all->real == 0)
		return;
	build->layers = arena_grow(build->arena, build->layers, &build->layer_capacity, build->layer_count + 1, sizeof *build->layers);
	build->layers[build->layer_count++] =
		(struct import_layer){value_shorten(build->arena, name, VALUE_SHORT), (int64_t)(mean->real * 1e6), path};
}

void import_read_trtexec(struct import_build *build, const char *path)
{
	const struct tree *root = tree_read(build, path);
	if (root == NULL)
		return;
	bool profile = root->kind == TREE_LIST && root->count > 0 && tree_get(&root->items[0], "count") != NULL;
	if (!profile)
		complain(build, path, 0, "a list that begins with the number of iterations, {\"count\": 100}");
	for (int i = 1; profile && i < root->count && build->diagnostics->errors < DIAGNOSTICS_LIMIT; i++)
		read_layer(build, path, &root->items[i], i);
	if (profile && build->layer_count == 0 && build->diagnostics->errors == 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, path, 0, "expected layers that took time; there are none");
}

/* ---- beside a trace */

static int count_operations(const struct import_build *build, const struct import_lane *lane)
{
	int count = 0;
	for (int i = 0; i < lane->job_count; i++)
		count += build->items[lane->job[i]]->kind != OPERATION_HOST;
	return count;
}

/* A mean above the longest of all durations: this is not what was traced. */
static void hold_against(struct import_build *build, const struct import_lane *lane)
{
	for (int i = 0, layer = 0; i < lane->job_count; i++) {
		const struct import_item *item = build->items[lane->job[i]];
		if (item->kind == OPERATION_HOST)
			continue;
		const struct import_layer *one = &build->layers[layer++];
		if (item->longest == NONE || one->mean <= item->longest)
			continue;
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_CONTRADICTION, one->path, 0,
			"layer '%s' took %s on average, but the longest of the traced '%s' took %s: is it the same engine, at the same "
			"clocks?",
			one->name, duration_exact(build->arena, one->mean), value_shorten(build->arena, item->name, VALUE_SHORT),
			duration_exact(build->arena, item->longest));
	}
}

void import_plan_layers(struct import_build *build)
{
	struct import_lane *found = NULL;
	int lanes = 0;
	for (int i = 0; i < build->lane_count; i++) {
		if (count_operations(build, &build->lanes[i]) != build->layer_count)
			continue;
		found = &build->lanes[i];
		lanes++;
	}
	if (build->layer_count == 0)
		return;
	if (lanes != 1) {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_NAME, build->layers[0].path, 0,
			"expected one task with as many operations a job as there are layers that took time, %d; %d have: which operation "
			"belongs "
			"to which layer is in no file, so that the names are left out",
			build->layer_count, lanes);
		return;
	}
	found->layered = true;
	hold_against(build, found);
}
