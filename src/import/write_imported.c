/* Writes the task set: what the model holds as the model, the times that a user stated as stated, and what is missing as comments. */
#include "import/write_imported.h"

#include "import/kernel_names.h"
#include "import/plan.h"
#include "import/values.h"
#include "write/write.h"

#include <inttypes.h>
#include <string.h>

struct writer {
	struct import_build *build;
	struct xml xml;
	int *origin; /* of an item: its number in the file, 0: none yet */
	int origins, operations;
	struct output no_period, no_deadline, no_wcet, no_shape, no_resources; /* names, for the warnings */
};

static const char *declared_by(const struct import_build *build, const char *otherwise)
{
	return build->options->by != NULL ? build->options->by : otherwise;
}

static void remember(struct output *list, const char *name)
{
	output_print(list, "%s%s", list->length > 0 ? ", " : "", name);
}

/* ---- origins */

static int64_t wcet_of(const struct import_build *build, const struct import_item *item)
{
	struct rational factor = rational_add(rational_of(1), build->options->margin);
	return item->longest == NONE || !item->enlarge ? item->longest : rational_scale_up(item->longest, factor);
}

static const char *percent(struct import_build *build)
{
	struct rational margin = rational_mul(build->options->margin, rational_of(100));
	if (margin.den == 1)
		return arena_format(build->arena, "%" PRId64 "%%", margin.num);
	return arena_format(build->arena, "%" PRId64 "/%" PRId64 "%%", margin.num, margin.den);
}

static const char *source_of(struct import_build *build, const struct import_item *item)
{
	struct output text = {0};
	output_print(&text, "%s: %s", item->source != NULL ? item->source : "import", value_shorten(build->arena, item->name, VALUE_SHORT));
	if (item->measured && item->longest != NONE)
		output_print(&text, "; measured, not proven: the longest of %" PRId64 " durations is %" PRId64 "ns, in this row",
			item->samples, item->longest);
	if (item->enlarge && item->longest != NONE)
		output_print(&text, "; %s margin added", percent(build));
	if (item->figures != NULL)
		output_print(&text, "; registers and shared memory from %s", item->figures);
	const char *copy = arena_copy(build->arena, text.text);
	output_finish(&text);
	return copy;
}

static void write_origin(struct writer *writer, const struct import_item *item)
{
	bool measured = item->measured && item->longest != NONE;
	struct origin origin = {.id = arena_format(writer->build->arena, "o%d", ++writer->origins),
		.kind = measured ? ORIGIN_MEASURED : ORIGIN_DECLARED,
		.source = source_of(writer->build, item),
		.file = item->file,
		.row = item->row,
		.by = measured ? NULL : declared_by(writer->build, "the imported file"),
		.samples = measured ? item->samples : NONE,
		.conditions = {[CONDITION_BOARD] = measured ? item->board : NULL},
		.clock_sm = NONE,
		.clock_memory = NONE};
	write_element(&writer->xml, "origin", ELEMENT_origin, &origin);
}

static void write_origins(struct writer *writer)
{
	struct import_build *build = writer->build;
	struct origin own = {.id = "import",
		.kind = ORIGIN_DECLARED,
		.source = "options and mapping of gpubound import: periods, deadlines, what no file says",
		.by = declared_by(build, "the user of gpubound import"),
		.samples = NONE,
		.clock_sm = NONE,
		.clock_memory = NONE};
	xml_begin(&writer->xml, "origins");
	write_element(&writer->xml, "origin", ELEMENT_origin, &own);
	for (int i = 0; i < build->lane_count; i++)
		for (int k = 0; k < build->lanes[i].job_count; k++) {
			int item = build->lanes[i].job[k];
			if (writer->origin[item] == 0)
				write_origin(writer, build->items[item]);
			writer->origin[item] = writer->origin[item] == 0 ? writer->origins : writer->origin[item];
		}
	xml_end(&writer->xml);
}

/* ---- what to declare */

static bool is_declared(const struct import_build *build, const char *name)
{
	size_t length = strlen(name);
	for (int i = 0; i < build->options->declaration_count; i++)
		if (strncmp(build->options->declarations[i], name, length) == 0 && build->options->declarations[i][length] == '=')
			return true;
	return false;
}

static void write_declarations(struct writer *writer)
{
	const struct import_options *options = writer->build->options;
	for (int i = 0; i < options->declaration_count; i++) {
		const char *text = options->declarations[i], *equals = strchr(text, '=');
		xml_begin(&writer->xml, "declare");
		xml_attribute(&writer->xml, "name", arena_format(writer->build->arena, "%.*s", (int)(equals - text), text));
		xml_attribute(&writer->xml, "value", equals + 1);
		xml_attribute(&writer->xml, "source", "option of gpubound import");
		xml_attribute(&writer->xml, "by", declared_by(writer->build, "the user of gpubound import"));
		xml_end(&writer->xml);
	}
}

static void suggest(const struct import_build *build, struct output *text, bool wanted, const char *name, const char *meaning)
{
	if (wanted && !is_declared(build, name))
		output_print(text, "\n       <declare name=\"%s\" value=\"...\" source=\"...\" by=\"...\"/>  (%s)", name, meaning);
}

static void suggest_needed(const struct import_build *build, struct output *text, bool wanted, enum parameter_need need)
{
	for (int i = 0; i < PARAMETER_COUNT; i++)
		suggest(build, text, wanted && parameter_kinds[i].need == need, parameter_kinds[i].name, parameter_kinds[i].meaning);
}

/* Which directions the copies have. */
static void suggest_engines(const struct import_build *build, struct output *text)
{
	bool used[DIRECTION_COUNT] = {false};
	for (int i = 0; i < build->item_count; i++)
		if (build->items[i]->kind == OPERATION_COPY || build->items[i]->kind == OPERATION_MEMSET)
			used[build->items[i]->direction] = true;
	for (int i = 0; i < DIRECTION_COUNT; i++)
		suggest(build, text, used[i], arena_format(build->arena, "engine.%s", direction_names[i]),
			"the number of the copy engine that serves them, or compute");
}

/* Does any job do work of this kind? */
static bool does(const struct import_build *build, enum operation_kind kind)
{
	for (int i = 0; i < build->lane_count; i++)
		for (int k = 0; k < build->lanes[i].job_count; k++)
			if (build->items[build->lanes[i].job[k]]->kind == kind)
				return true;
	return false;
}

static bool begins_context(const struct import_build *build, int lane)
{
	for (int i = 0; i < lane; i++)
		if (strcmp(build->lanes[i].context, build->lanes[lane].context) == 0)
			return false;
	return true;
}

static int count_contexts(const struct import_build *build)
{
	int count = 0;
	for (int i = 0; i < build->lane_count; i++)
		count += begins_context(build, i);
	return count;
}

/* As a comment, since the platform model may say it already. */
static void suggest_declarations(struct writer *writer)
{
	const struct import_build *build = writer->build;
	int contexts = count_contexts(build);
	struct output text = {0};
	if (build->complete)
		return;
	output_add(&text, "Declare what the platform model does not say (gpubound models MODEL shows it):");
	suggest_needed(build, &text, does(build, OPERATION_KERNEL), NEED_LAUNCHES);
	suggest_needed(build, &text, true, NEED_WORK);
	suggest_needed(build, &text, does(build, OPERATION_COPY) || does(build, OPERATION_MEMSET), NEED_COPIES);
	suggest_engines(build, &text);
	suggest(build, &text, build->lane_count > contexts, "concurrent-kernels", "yes, where kernels of two streams run at once");
	suggest_needed(build, &text, contexts > 1, NEED_SLICES);
	suggest_needed(build, &text, contexts > 1, NEED_TURNS);
	output_add(&text,
		"\n       <interference from=\"all\" victim=\"any\" value=\"...\" source=\"...\" by=\"...\"/>  (where several streams "
		"or an integrated GPU share the memory)\n ");
	xml_comment(&writer->xml, text.text);
	output_finish(&text);
}

/* ---- applications */

/* That of the context which begins with this lane. */
static void write_application(struct writer *writer, int first)
{
	const struct import_build *build = writer->build;
	xml_begin(&writer->xml, "application");
	xml_attribute(&writer->xml, "id", name_id(build->arena, build->lanes[first].context));
	for (int i = first; i < build->lane_count; i++) {
		const struct import_lane *lane = &build->lanes[i];
		struct stream stream = {.id = lane->stream_id, .level = lane->level > 0 ? lane->level : 0, .kind = lane->kind};
		if (strcmp(lane->context, build->lanes[first].context) == 0 && !lane->shares_stream)
			write_element(&writer->xml, "stream", ELEMENT_stream, &stream);
	}
	xml_end(&writer->xml);
}

/* ---- tasks */

static struct kernel kernel_of(const struct import_item *item)
{
	bool whole = import_has_resources(item);
	return (struct kernel){.scope = item->scope,
		.grid = {item->grid[0], item->grid[1], item->grid[2]},
		.block = {item->block[0], item->block[1], item->block[2]},
		.registers = whole ? item->registers : NONE,
		.shared_static = whole ? item->shared_static : NONE,
		.shared_dynamic = whole ? item->shared_dynamic : NONE,
		.carveout = NONE,
		.active_blocks = NONE,
		.access = item->access,
		.footprint = NONE};
}

/* What the model does not hold, as the analysis refuses it. */
static void write_kernel(struct writer *writer, const struct import_item *item, const char *id)
{
	xml_attribute(&writer->xml, "launch", item->launch);
	xml_integer(&writer->xml, "cluster", item->cluster);
	if (!import_has_resources(item) && item->scope == SCOPE_BLOCK)
		remember(&writer->no_resources, id);
	if (!import_has_shape(item) && item->scope == SCOPE_BLOCK)
		remember(&writer->no_shape, id);
}

static void know(struct output *text, const char *name, int64_t value, const char *unit)
{
	if (value != NONE)
		output_print(text, " %s=\"%" PRId64 "%s\"", name, value, unit);
}

/* Known figures that cannot stand as attributes as long as others are missing: an absent one would count as 0. */
static void note_resources(struct writer *writer, const struct import_item *item)
{
	struct output text = {0};
	if (item->kind != OPERATION_KERNEL || import_has_resources(item) || (item->registers == NONE && item->shared_static == NONE))
		return;
	output_add(&text, "missing in the next <kernel>, all three of registers, shared-static and shared-dynamic; known:");
	know(&text, "registers", item->registers, "");
	know(&text, "shared-static", item->shared_static, "B");
	know(&text, "shared-dynamic", item->shared_dynamic, "B");
	xml_comment(&writer->xml, text.text);
	output_finish(&text);
}

static void write_operation(struct writer *writer, const struct import_lane *lane, int index)
{
	const struct import_item *item = writer->build->items[index];
	struct arena *arena = writer->build->arena;
	bool host = item->kind == OPERATION_HOST, copy = item->kind == OPERATION_COPY;
	struct operation operation = {
		.id = arena_format(arena, "%s-%d", name_id(arena, name_base(arena, item->name)), ++writer->operations),
		.kind = item->kind,
		.wcet = wcet_of(writer->build, item),
		.bcet = host ? 0 : NONE,
		.kernel = kernel_of(item),
		.copy = {.direction = copy ? item->direction : DIRECTION_MEMSET,
			.bytes = item->bytes > 0 ? item->bytes : NONE,
			.pageable = copy && item->memory == NULL && item->pageable},
	};
	note_resources(writer, item);
	write_operation_begin(
		&writer->xml, &operation, arena_format(arena, "o%d", writer->origin[index]), host ? NULL : lane->stream_id, NULL);
	if (item->kind == OPERATION_KERNEL)
		write_kernel(writer, item, operation.id);
	xml_attribute(&writer->xml, "memory", host || item->kind == OPERATION_MEMSET ? NULL : item->memory);
	if (item->longest == NONE)
		remember(&writer->no_wcet, operation.id);
	xml_end(&writer->xml);
}

/* The times are the user's own texts. */
static void write_arrival(struct writer *writer, const struct import_lane *lane, const char *id)
{
	const struct import_options *options = writer->build->options;
	const char *period = lane->period != NULL ? lane->period : options->period;
	const char *deadline = lane->deadline != NULL ? lane->deadline : options->deadline;
	struct xml *xml = &writer->xml;
	xml_attribute(xml, "arrival", lane->arrival);
	xml_attribute(xml, "period", lane->curve == NULL ? period : NULL);
	xml_attribute(xml, "jitter", lane->jitter);
	xml_attribute(xml, "min-distance", lane->min_distance);
	xml_attribute(xml, "deadline", deadline);
	xml_attribute(xml, "offset", lane->offset);
	xml_attribute(xml, "requirement", lane->requirement);
	if (lane->curve == NULL && period == NULL) {
		remember(&writer->no_period, id);
		xml_comment(xml, "missing in <task>: period=\"...\", the distance of releases");
	}
	if (deadline == NULL) {
		remember(&writer->no_deadline, id);
		xml_comment(xml, "missing in <task>: deadline=\"...\"; without it there is no verdict");
	}
	if (lane->curve != NULL)
		write_curve(xml, lane->curve);
}

static void write_task(struct writer *writer, const struct import_lane *lane)
{
	const char *id = import_task_id(lane);
	if (lane->note != NULL)
		xml_comment(&writer->xml, lane->note);
	xml_begin(&writer->xml, "task");
	xml_attribute(&writer->xml, "id", id);
	write_arrival(writer, lane, id);
	for (int i = 0; i < lane->job_count; i++)
		write_operation(writer, lane, lane->job[i]);
	xml_end(&writer->xml);
}

static void write_head(struct writer *writer)
{
	const struct import_build *build = writer->build;
	const struct import_options *options = build->options;
	struct xml *xml = &writer->xml;
	xml_comment(xml, "Written by gpubound import. What was measured is no proof of a worst case.");
	xml_begin(xml, "taskset");
	xml_attribute(xml, "xmlns", "urn:gpubound:taskset:1");
	xml_attribute(xml, "id", options->id != NULL ? options->id : "imported");
	xml_attribute(xml, "platform", options->platform);
	xml_attribute(xml, "mps", build->mps);
	xml_attribute(xml, "origin", "import");
	if (options->platform == NULL)
		xml_comment(xml, "missing in <taskset>: platform=\"...\", a name that gpubound models lists, or a path");
	if (build->title != NULL)
		xml_element(xml, "title", value_shorten(build->arena, build->title, VALUE_SHORT));
}

/* ---- what is missing */

static void say_missing(struct writer *writer, struct output *names, const char *what)
{
	if (names->length > 0)
		diagnose(writer->build->diagnostics, DIAGNOSTIC_IMPORT_MISSING, NULL, 0, "%s: %s", what,
			value_shorten(writer->build->arena, names->text, 5 * VALUE_SHORT));
	output_finish(names);
}

static void say_all_missing(struct writer *writer)
{
	if (writer->build->options->platform == NULL)
		diagnose(writer->build->diagnostics, DIAGNOSTIC_IMPORT_MISSING, NULL, 0, "no platform: give --platform");
	say_missing(writer, &writer->no_period, "tasks without period: give --period, or period in a mapping");
	say_missing(writer, &writer->no_deadline, "tasks without deadline: give --deadline, or deadline in a mapping");
	say_missing(writer, &writer->no_wcet, "operations without duration: give wcet in a mapping, or import a trace as well");
	say_missing(writer, &writer->no_shape, "kernels without grid or block: give them in a mapping, or import a trace as well");
	say_missing(writer, &writer->no_resources,
		"kernels without registers or shared memory in bytes, so that their occupancy is unknown: import the SQLite export of "
		"nsys, "
		"or ptxas or cuobjdump output, or give registers, shared-static and shared-dynamic in a mapping");
}

void import_write_taskset(struct import_build *build, struct output *output)
{
	struct writer writer = {.build = build};
	writer.origin = arena_allocate(build->arena, (size_t)build->item_count + 1, sizeof *writer.origin);
	xml_start(&writer.xml, output);
	write_head(&writer);
	write_origins(&writer);
	write_declarations(&writer);
	suggest_declarations(&writer);
	for (int i = 0; i < build->lane_count; i++)
		if (begins_context(build, i))
			write_application(&writer, i);
	for (int i = 0; i < build->lane_count; i++)
		if (build->lanes[i].job_count > 0)
			write_task(&writer, &build->lanes[i]);
	xml_end(&writer.xml);
	output_add(output, "\n");
	say_all_missing(&writer);
}
