/* Reads all files, plans, writes: the stages of an import. */
#include "import/import.h"

#include "import/build.h"
#include "import/plan.h"
#include "import/write_imported.h"

#include <string.h>

const struct import_format import_formats[] = {
#define FORMAT(name, several, alone, meaning) {#name, meaning, several, alone, import_read_##name},
#include "import/formats.def"
#undef FORMAT
	{NULL, NULL, false, false, NULL},
};

const struct import_format *import_find_format(const char *name)
{
	for (const struct import_format *format = import_formats; format->name != NULL; format++)
		if (strcmp(format->name, name) == 0)
			return format;
	return NULL;
}

static void read_all(struct import_build *build)
{
	for (build->run = 0; build->run < build->options->source_count; build->run++) {
		const struct import_source *source = &build->options->sources[build->run];
		source->format->read(build, source->path);
	}
}

/* What no file says, from an option. */
static void apply_registers(struct import_build *build)
{
	for (int i = 0; i < build->item_count; i++)
		if (build->items[i]->kind == OPERATION_KERNEL && build->items[i]->registers == NONE)
			build->items[i]->registers = build->options->registers;
}

static void check_ids(struct import_build *build)
{
	for (int i = 0; i < build->lane_count; i++)
		for (int k = 0; k < i; k++)
			if (strcmp(import_task_id(&build->lanes[i]), import_task_id(&build->lanes[k])) == 0)
				diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_MAPPING, build->options->mapping, 0,
					"expected an id for each task; two are '%s'", import_task_id(&build->lanes[i]));
}

bool import_run(struct arena *arena, struct diagnostics *diagnostics, const struct import_options *options, struct output *taskset,
	struct output *platform)
{
	struct import_build build = {
		.arena = arena, .row = arena_create(), .diagnostics = diagnostics, .options = options, .platform = platform};
	read_all(&build);
	if (diagnostics->errors == 0 && build.changed != NULL) {
		output_add_bytes(taskset, build.changed, build.changed_length);
		import_finish(&build);
		return true;
	}
	if (diagnostics->errors == 0)
		import_plan_figures(&build);
	if (diagnostics->errors == 0)
		import_plan_resources(&build);
	if (diagnostics->errors == 0 && options->mapping != NULL)
		import_read_mapping(&build, options->mapping);
	if (diagnostics->errors == 0)
		apply_registers(&build);
	if (diagnostics->errors == 0 && build.item_count == 0 && build.layer_count > 0)
		diagnose(diagnostics, DIAGNOSTIC_IMPORT_NO_MAXIMUM, build.layers[0].path, 0,
			"expected a trace or a recording of the same program beside this file, which has means and no maximum: a mean is "
			"no WCET");
	else if (diagnostics->errors == 0 && build.item_count == 0)
		diagnose(diagnostics, DIAGNOSTIC_IMPORT_FORMAT, options->sources[0].path, 0, "expected GPU work; there is none");
	if (diagnostics->errors == 0)
		import_plan_jobs(&build);
	if (diagnostics->errors == 0)
		import_plan_layers(&build);
	if (diagnostics->errors == 0)
		check_ids(&build);
	if (diagnostics->errors == 0)
		import_write_taskset(&build, taskset);
	import_finish(&build);
	return diagnostics->errors == 0;
}
