/* Kernel files of Orion: Name,Profile,Memory_footprint,SM_usage,Duration.
 *
 * Source: github.com/eth-easl/orion, artifact_evaluation/example. Durations are ns, one figure a kernel. Profile 1 is compute-bound, 0
 * memory-bound, -1 unknown; which memory operation is not said, so the latter are "any". SM_usage is an estimate that may exceed the SMs of
 * the device: not taken. A file is one inference: one job of a task named after the file. */
#include "import/csv_rows.h"
#include "import/kernel_names.h"
#include "import/values.h"

#include <string.h>

struct orion {
	struct import_build *build;
	const char *path;
	int lane, name, profile, duration;
};

static bool read_row(void *context, const struct csv_row *row)
{
	struct orion *orion = context;
	struct import_build *build = orion->build;
	const char *name = csv_cell(row, orion->name), *profile = csv_cell(row, orion->profile);
	if (*name == '\0' || *csv_cell(row, orion->duration) == '\0') {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, orion->path, row->line, "expected a name and a duration");
		return false;
	}
	struct import_item item = import_blank(OPERATION_KERNEL, arena_copy(build->row, name));
	item.longest = value_duration(build, csv_cell(row, orion->duration), "ns", "Duration", orion->path, row->line);
	item.access = strcmp(profile, "1") == 0 ? ACCESS_COMPUTE : ACCESS_ANY;
	item.source = "Orion, duration of a whole kernel, one figure for each";
	item.file = orion->path;
	item.row = arena_format(build->row, "%ld", row->line);
	item.samples = 1;
	item.single = true;
	return import_launch(build, orion->lane, &item);
}

/* "dir/resnet50_4_fwd.csv": resnet50_4_fwd. */
static const char *task_name(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path, *dot = strrchr(base, '.');
	return name_id(arena, dot != NULL && dot > base ? arena_format(arena, "%.*s", (int)(dot - base), base) : base);
}

void import_read_orion(struct import_build *build, const char *path)
{
	static const char *const words[] = {"Name", "Profile", "Duration", NULL};
	struct csv_file file = {.build = build, .path = path};
	file.bytes = import_read_bytes(build, path, false, &file.length);
	if (file.bytes == NULL)
		return;
	if (!csv_open(&file, words)) {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, path, 0,
			"expected a header Name,Profile,Memory_footprint,SM_usage,Duration");
		return;
	}
	struct orion orion = {build, path, import_lane(build, "server", arena_format(build->arena, "f%d", build->run + 1)),
		csv_column(&file, "Name"), csv_column(&file, "Profile"), csv_column(&file, "Duration")};
	build->lanes[orion.lane].one_job = true;
	build->lanes[orion.lane].task = task_name(build->arena, path);
	if (orion.name < 0 || orion.profile < 0 || orion.duration < 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_COLUMN, path, file.line, "expected columns Name, Profile and Duration");
	else
		csv_rows(&file, read_row, &orion);
}
