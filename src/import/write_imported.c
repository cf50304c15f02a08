/* Writes the task set. */
#include "import/write_imported.h"

#include "import/kernel_names.h"
#include "import/plan.h"
#include "import/values.h"

#include <inttypes.h>
#include <string.h>

struct writer {
	struct import_build *build;
	struct output *output;
	int *origin; /* of an item: its number in the file, 0: none yet */
	int origins, operations;
	bool kernels, copies;
	struct output no_period, no_deadline, no_wcet, no_shape, no_resources, no_cluster, late; /* names, for the warnings */
};

static void attribute(struct output *output, const char *name, const char *value)
{
	if (value == NULL)
		return;
	output_print(output, " %s=\"", name);
	output_add_xml(output, value);
	output_add(output, "\"");
}

static void number(struct output *output, const char *name, int64_t value, const char *unit)
{
	if (value != NONE)
		output_print(output, " %s=\"%" PRId64 "%s\"", name, value, unit);
}

/* A comment may not hold two dashes, nor end with one; what is not ASCII is made sure to be characters of XML. */
static void comment(struct output *output, const char *indent, const char *text)
{
	output_print(output, "%s<!-- ", indent);
	while (*text != '\0') {
		size_t length = 0;
		while ((unsigned char)text[length] >= 0x80)
			length++;
		struct output run = {0};
		output_add_bytes(&run, text, length > 0 ? length : 1);
		if (length > 0 || (unsigned char)*text < ' ')
			output_add_xml(output, run.text);
		else
			output_add(output, run.text);
		output_finish(&run);
		if (text[0] == '-' && (text[1] == '-' || text[1] == '\0'))
			output_add(output, " ");
		text += length > 0 ? length : 1;
	}
	output_add(output, " -->\n");
}

static void extents(struct output *output, const char *name, const int64_t e[3])
{
	if (e[0] == UNKNOWN_EXTENT)
		return;
	output_print(output, " %s=\"%" PRId64, name, e[0]);
	if (e[1] != 1 || e[2] != 1)
		output_print(output, "x%" PRId64, e[1]);
	if (e[2] != 1)
		output_print(output, "x%" PRId64, e[2]);
	output_add(output, "\"");
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

static void write_origin(struct writer *writer, const struct import_item *item, int number_of_origin)
{
	struct output *output = writer->output;
	bool measured = item->measured && item->longest != NONE;
	output_print(output, "    <origin id=\"o%d\" kind=\"%s\"", number_of_origin, measured ? "measured" : "declared");
	attribute(output, "source", source_of(writer->build, item));
	attribute(output, "file", item->file);
	attribute(output, "row", item->row);
	if (measured) {
		number(output, "samples", item->samples, "");
		attribute(output, "board", item->board);
	} else {
		attribute(output, "by", writer->build->options->by != NULL ? writer->build->options->by : "the imported file");
	}
	output_add(output, "/>\n");
}

static void write_origins(struct writer *writer)
{
	struct import_build *build = writer->build;
	output_add(writer->output, "  <origins>\n    <origin id=\"import\" kind=\"declared\"");
	attribute(writer->output, "source", "options and mapping of gpubound import: periods, deadlines, what no file says");
	attribute(writer->output, "by", build->options->by != NULL ? build->options->by : "the user of gpubound import");
	output_add(writer->output, "/>\n");
	for (int i = 0; i < build->lane_count; i++)
		for (int k = 0; k < build->lanes[i].job_count; k++) {
			int item = build->lanes[i].job[k];
			if (writer->origin[item] != 0)
				continue;
			writer->origin[item] = ++writer->origins;
			write_origin(writer, build->items[item], writer->origins);
		}
	output_add(writer->output, "  </origins>\n");
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
		output_add(writer->output, "  <declare");
		attribute(writer->output, "name", arena_format(writer->build->arena, "%.*s", (int)(equals - text), text));
		attribute(writer->output, "value", equals + 1);
		attribute(writer->output, "source", "option of gpubound import");
		attribute(writer->output, "by", options->by != NULL ? options->by : "the user of gpubound import");
		output_add(writer->output, "/>\n");
	}
}

static void suggest(struct writer *writer, bool wanted, const char *name, const char *meaning)
{
	if (wanted && !is_declared(writer->build, name))
		output_print(
			writer->output, "       <declare name=\"%s\" value=\"...\" source=\"...\" by=\"...\"/>  (%s)\n", name, meaning);
}

static void suggest_needed(struct writer *writer, bool wanted, enum parameter_need need)
{
	for (int i = 0; i < PARAMETER_COUNT; i++)
		suggest(writer, wanted && parameter_kinds[i].need == need, parameter_kinds[i].name, parameter_kinds[i].meaning);
}

/* Which directions the copies have. */
static void suggest_engines(struct writer *writer)
{
	struct import_build *build = writer->build;
	bool used[DIRECTION_COUNT] = {false};
	for (int i = 0; i < build->item_count; i++)
		if (build->items[i]->kind == OPERATION_COPY || build->items[i]->kind == OPERATION_MEMSET)
			used[build->items[i]->direction] = true;
	for (int i = 0; i < DIRECTION_COUNT; i++)
		suggest(writer, used[i], arena_format(build->arena, "engine.%s", direction_names[i]),
			"the number of the copy engine that serves them, or compute");
}

static int count_contexts(const struct import_build *build)
{
	int count = 0;
	for (int i = 0; i < build->lane_count; i++) {
		bool seen = false;
		for (int k = 0; k < i; k++)
			seen = seen || strcmp(build->lanes[k].context, build->lanes[i].context) == 0;
		count += !seen;
	}
	return count;
}

/* As a comment, since the platform model may say it already. */
static void suggest_declarations(struct writer *writer)
{
	int contexts = count_contexts(writer->build);
	bool several = contexts > 1;
	if (writer->build->complete)
		return;
	output_add(writer->output, "  <!-- Declare what the platform model does not say (gpubound models MODEL shows it):\n");
	suggest_needed(writer, writer->kernels, NEED_LAUNCHES);
	suggest_needed(writer, true, NEED_WORK);
	suggest_needed(writer, writer->copies, NEED_COPIES);
	suggest_engines(writer);
	suggest(writer, writer->build->lane_count > contexts, "concurrent-kernels", "yes, where kernels of two streams run at once");
	suggest_needed(writer, several, NEED_SLICES);
	suggest_needed(writer, several, NEED_TURNS);
	if (writer->build->limits != NULL)
		output_print(
			writer->output, "       What the input says of the GPU; the model has to say the same:\n%s", writer->build->limits);
	output_add(writer->output,
		"       <interference from=\"all\" victim=\"any\" value=\"...\" source=\"...\" by=\"...\"/>  (where several streams or an "
		"integrated GPU share the memory)\n  -->\n");
}

/* ---- applications */

static void write_applications(struct writer *writer)
{
	struct import_build *build = writer->build;
	bool *done = arena_allocate(build->arena, (size_t)build->lane_count + 1, sizeof *done);
	for (int i = 0; i < build->lane_count; i++) {
		if (done[i])
			continue;
		output_add(writer->output, "  <application");
		attribute(writer->output, "id", name_id(build->arena, build->lanes[i].context));
		output_add(writer->output, ">\n");
		for (int k = i; k < build->lane_count; k++) {
			const struct import_lane *lane = &build->lanes[k];
			if (strcmp(lane->context, build->lanes[i].context) != 0)
				continue;
			done[k] = true;
			if (lane->shares_stream)
				continue;
			output_add(writer->output, "    <stream");
			attribute(writer->output, "id", lane->stream_id);
			if (lane->level > 0)
				number(writer->output, "priority", lane->level, "");
			number(writer->output, "cuda-priority", lane->cuda_priority, "");
			if (lane->kind != STREAM_BLOCKING)
				attribute(writer->output, "kind", stream_names[lane->kind]);
			output_add(writer->output, "/>\n");
		}
		output_add(writer->output, "  </application>\n");
	}
}

/* ---- tasks */

static void write_kernel(struct writer *writer, const struct import_item *item, const char *id)
{
	struct output *output = writer->output;
	attribute(output, "scope", scope_names[item->scope]);
	extents(output, "grid", item->grid);
	extents(output, "block", item->block);
	if (import_has_resources(item)) {
		number(output, "registers", item->registers, "");
		number(output, "shared-static", item->shared_static, "B");
		number(output, "shared-dynamic", item->shared_dynamic, "B");
	} else if (item->scope == SCOPE_BLOCK) {
		remember(&writer->no_resources, id);
	}
	if (!import_has_shape(item) && item->scope == SCOPE_BLOCK)
		remember(&writer->no_shape, id);
	if (item->access != ACCESS_ANY)
		attribute(output, "access", access_names[item->access]);
	attribute(output, "memory", item->memory);
	attribute(output, "launch", item->launch);
	number(output, "cluster", item->cluster, "");
	if (item->cluster == NONE && writer->build->unclustered != NULL)
		remember(&writer->no_cluster, id);
	writer->kernels = true;
}

/* Known figures that cannot stand as attributes as long as others are missing: an absent one would count as 0. */
static void note_resources(struct writer *writer, const struct import_item *item)
{
	struct output text = {0};
	if (item->kind != OPERATION_KERNEL || import_has_resources(item) || (item->registers == NONE && item->shared_static == NONE))
		return;
	output_add(&text, "missing in the next <kernel>, all three of registers, shared-static and shared-dynamic; known:");
	number(&text, "registers", item->registers, "");
	number(&text, "shared-static", item->shared_static, "B");
	number(&text, "shared-dynamic", item->shared_dynamic, "B");
	output_print(writer->output, "    <!-- %s -->\n", text.text);
	output_finish(&text);
}

static void write_operation(struct writer *writer, const struct import_lane *lane, int index)
{
	const struct import_item *item = writer->build->items[index];
	struct output *output = writer->output;
	struct arena *arena = writer->build->arena;
	const char *id = arena_format(arena, "%s-%d", name_id(arena, name_base(arena, item->name)), ++writer->operations);
	note_resources(writer, item);
	output_print(output, "    <%s", operation_names[item->kind]);
	attribute(output, "id", id);
	output_print(output, " origin=\"o%d\"", writer->origin[index]);
	if (item->kind == OPERATION_HOST)
		output_add(output, " bcet=\"0ns\"");
	else
		attribute(output, "stream", lane->stream_id);
	if (item->kind == OPERATION_KERNEL)
		write_kernel(writer, item, id);
	if (item->kind == OPERATION_COPY) {
		attribute(output, "direction", direction_names[item->direction]);
		attribute(output, "memory", item->memory != NULL ? item->memory : item->pageable ? "pageable" : NULL);
	}
	if (item->kind != OPERATION_KERNEL && item->bytes != NONE && item->bytes > 0)
		number(output, "bytes", item->bytes, "B");
	writer->copies |= item->kind == OPERATION_COPY || item->kind == OPERATION_MEMSET;
	number(output, "wcet", wcet_of(writer->build, item), "ns");
	if (item->longest == NONE)
		remember(&writer->no_wcet, id);
	output_add(output, "/>\n");
}

/* What a graph launch took as a whole has no place in a task set yet: words for a reader. */
static void open_graph(struct writer *writer, const struct import_group *group)
{
	comment(writer->output, "    ",
		arena_format(writer->build->arena,
			"one launch of a graph; from its first begin to its last end the longest of %" PRId64 " took %" PRId64
			"ns, gaps inside, without margin%s",
			group->samples, group->longest,
			group->branched ? "; its operations overlapped, or were in several streams: more than a sequence" : ""));
	output_print(writer->output, "    <graph%s>\n", group->branched ? " parallel=\"true\"" : "");
}

static void write_operations(struct writer *writer, const struct import_lane *lane)
{
	int group = 0, layer = 0;
	for (int i = 0; i < lane->job_count; i++) {
		if (lane->layered && writer->build->items[lane->job[i]]->kind != OPERATION_HOST)
			comment(writer->output, "    ",
				arena_format(writer->build->arena, "layer of trtexec: %s", writer->build->layers[layer++].name));
		if (group < lane->group_count && lane->groups[group].from == i)
			open_graph(writer, &lane->groups[group]);
		write_operation(writer, lane, lane->job[i]);
		if (group < lane->group_count && lane->groups[group].to == i + 1) {
			output_add(writer->output, "    </graph>\n");
			group++;
		}
	}
}

static void write_arrival(struct writer *writer, const struct import_lane *lane, const char *id, const char *period, const char *deadline)
{
	struct output *output = writer->output;
	attribute(output, "arrival", lane->arrival);
	attribute(output, "period", lane->curve == NULL ? period : NULL);
	attribute(output, "jitter", lane->jitter);
	attribute(output, "min-distance", lane->min_distance);
	attribute(output, "deadline", deadline);
	attribute(output, "offset", lane->offset);
	attribute(output, "requirement", lane->requirement);
	if (lane->lateness != NONE)
		remember(&writer->late, arena_format(writer->build->arena, "%s by %" PRId64 "ns", id, lane->lateness));
	if (lane->curve == NULL && period == NULL)
		remember(&writer->no_period, id);
	if (deadline == NULL)
		remember(&writer->no_deadline, id);
}

static void write_task(struct writer *writer, const struct import_lane *lane)
{
	struct import_build *build = writer->build;
	struct output *output = writer->output;
	const char *id = import_task_id(lane);
	const char *period = lane->period != NULL ? lane->period : build->options->period;
	const char *deadline = lane->deadline != NULL ? lane->deadline : build->options->deadline;
	if (lane->note != NULL)
		comment(output, "  ", lane->note);
	if (lane->observed != NULL)
		comment(output, "  ", lane->observed);
	output_add(output, "  <task");
	attribute(output, "id", id);
	write_arrival(writer, lane, id, period, deadline);
	output_add(output, ">\n");
	if (lane->curve == NULL && period == NULL)
		comment(output, "    ",
			lane->distance == NONE ? "missing in <task>: period=\"...\", the distance of releases"
					       : arena_format(build->arena,
							 "missing in <task>: period=\"...\", the distance of releases; if none comes "
							 "sooner than was seen: "
							 "arrival=\"sporadic\" period=\"%" PRId64 "ns\"",
							 lane->distance));
	if (lane->lateness != NONE)
		comment(output, "    ",
			arena_format(build->arena,
				"jobs were not released by this period alone: with jitter=\"%" PRId64 "ns\" it explains what was seen",
				lane->lateness));
	if (deadline == NULL)
		comment(output, "    ", "missing in <task>: deadline=\"...\"; without it there is no verdict");
	if (lane->curve != NULL)
		output_add(output, lane->curve);
	write_operations(writer, lane);
	output_add(output, "  </task>\n");
}

static void write_head(struct writer *writer)
{
	const struct import_options *options = writer->build->options;
	output_add(writer->output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	output_add(writer->output, "<!-- Written by gpubound import. What was measured is no proof of a worst case. -->\n");
	output_add(writer->output, "<taskset xmlns=\"urn:gpubound:taskset:1\"");
	attribute(writer->output, "id", options->id != NULL ? options->id : "imported");
	attribute(writer->output, "platform", options->platform);
	attribute(writer->output, "mps", writer->build->mps);
	output_add(writer->output, " origin=\"import\">\n");
	if (options->platform == NULL)
		comment(writer->output, "  ", "missing in <taskset>: platform=\"...\", a name that gpubound models lists, or a path");
	if (writer->build->title != NULL) {
		output_add(writer->output, "  <title>");
		output_add_xml(writer->output, value_shorten(writer->build->arena, writer->build->title, VALUE_SHORT));
		output_add(writer->output, "</title>\n");
	}
}

/* ---- what is missing */

static void say_missing(struct writer *writer, struct output *names, const char *what)
{
	if (names->length > 0)
		diagnose(writer->build->diagnostics, DIAGNOSTIC_IMPORT_MISSING, NULL, 0, "%s: %s", what,
			value_shorten(writer->build->arena, names->text, 5 * VALUE_SHORT));
	output_finish(names);
}

static void say_clusters(struct writer *writer)
{
	struct output *names = &writer->no_cluster;
	if (names->length > 0)
		diagnose(writer->build->diagnostics, DIAGNOSTIC_IMPORT_CLUSTER, NULL, 0,
			"%s says nothing of thread-block clusters, which this GPU has and no bound covers: make sure that these have none, "
			"and "
			"say cluster=1 in a mapping: %s",
			writer->build->unclustered, value_shorten(writer->build->arena, names->text, 5 * VALUE_SHORT));
	output_finish(names);
}

static void say_all_missing(struct writer *writer)
{
	say_clusters(writer);
	if (writer->build->options->platform == NULL)
		diagnose(writer->build->diagnostics, DIAGNOSTIC_IMPORT_MISSING, NULL, 0, "no platform: give --platform");
	say_missing(writer, &writer->no_period, "tasks without period: give --period, or period in a mapping");
	say_missing(writer, &writer->no_deadline, "tasks without deadline: give --deadline, or deadline in a mapping");
	say_missing(writer, &writer->late, "tasks whose jobs were released off their period: give jitter in a mapping, at least");
	say_missing(writer, &writer->no_wcet, "operations without duration: give wcet in a mapping, or import a trace as well");
	say_missing(writer, &writer->no_shape, "kernels without grid or block: give them in a mapping, or import a trace as well");
	say_missing(writer, &writer->no_resources,
		"kernels without registers or shared memory in bytes, so that their occupancy is unknown: import the SQLite export of "
		"nsys, "
		"or ptxas or cuobjdump output, or give registers, shared-static and shared-dynamic in a mapping");
}

/* The tasks are written before the head's comments, which depend on them. */
void import_write_taskset(struct import_build *build, struct output *output)
{
	struct output tasks = {0};
	struct writer writer = {.build = build, .output = output};
	writer.origin = arena_allocate(build->arena, (size_t)build->item_count + 1, sizeof *writer.origin);
	write_head(&writer);
	write_origins(&writer);
	writer.output = &tasks;
	write_applications(&writer);
	for (int i = 0; i < build->lane_count; i++)
		if (build->lanes[i].job_count > 0)
			write_task(&writer, &build->lanes[i]);
	writer.output = output;
	write_declarations(&writer);
	suggest_declarations(&writer);
	output_add(output, tasks.text != NULL ? tasks.text : "");
	output_add(output, "</taskset>\n");
	output_finish(&tasks);
	say_all_missing(&writer);
}
