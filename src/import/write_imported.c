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
	struct output no_period, no_deadline, no_priority, no_wcet, no_shape, no_resources, no_cluster, late,
		in_parts; /* names, for the warnings */
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

static void add_origin(struct writer *writer, int item)
{
	if (writer->origin[item] == 0)
		write_origin(writer, writer->build->items[item]);
	writer->origin[item] = writer->origin[item] == 0 ? writer->origins : writer->origin[item];
}

/* Where a user gives times of blocks, or layers are named, operations are listed; so are those of branches, of which nobody knows how many
 * queues they take. */
static bool is_listed(const struct import_build *build, const struct import_lane *lane, const struct import_group *group)
{
	for (int i = group->from; i < group->to; i++)
		if (build->items[lane->job[i]]->kind == OPERATION_KERNEL && build->items[lane->job[i]]->scope == SCOPE_BLOCK)
			return true;
	return group->branched || lane->layered;
}

/* The group that begins with this operation and is written as one sequence; NULL: there is none. *next: of the groups, in order. */
static const struct import_group *sequence_at(const struct import_build *build, const struct import_lane *lane, int operation, int *next)
{
	while (*next < lane->group_count && lane->groups[*next].to <= operation)
		++*next;
	const struct import_group *group = *next < lane->group_count ? &lane->groups[*next] : NULL;
	return group != NULL && group->from == operation && !is_listed(build, lane, group) ? group : NULL;
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
		for (int k = 0, group = 0; k < build->lanes[i].job_count; k++) {
			const struct import_group *sequence = sequence_at(build, &build->lanes[i], k, &group);
			add_origin(writer, sequence != NULL ? sequence->span : build->lanes[i].job[k]);
			k = sequence != NULL ? sequence->to - 1 : k;
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

static const char *process_of(const struct import_lane *lane)
{
	return lane->process != NULL ? lane->process : lane->context;
}

/* A task that is on the CPU only has no stream. */
static bool is_on_cpu(const struct import_build *build, int lane)
{
	for (int i = 0; i < build->lanes[lane].job_count; i++)
		if (build->items[build->lanes[lane].job[i]]->kind != OPERATION_HOST)
			return false;
	return build->lanes[lane].job_count > 0;
}

static bool begins_context(const struct import_build *build, int lane)
{
	if (is_on_cpu(build, lane))
		return false;
	for (int i = 0; i < lane; i++)
		if (strcmp(process_of(&build->lanes[i]), process_of(&build->lanes[lane])) == 0)
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
	int contexts = count_contexts(build), lanes = 0;
	struct output text = {0};
	if (build->complete)
		return;
	for (int i = 0; i < build->lane_count; i++)
		lanes += !is_on_cpu(build, i);
	output_add(&text, "Declare what the platform model does not say (gpubound models MODEL shows it):");
	suggest_needed(build, &text, does(build, OPERATION_KERNEL), NEED_LAUNCHES);
	suggest_needed(build, &text, does(build, OPERATION_KERNEL), NEED_DISPATCHES);
	suggest_needed(build, &text, true, NEED_WORK);
	suggest_needed(build, &text, does(build, OPERATION_COPY) || does(build, OPERATION_MEMSET), NEED_COPIES);
	suggest_engines(build, &text);
	suggest(build, &text, lanes > contexts, "concurrent-kernels", "yes, where kernels of two streams run at once");
	suggest_needed(build, &text, contexts > 1, NEED_SLICES);
	suggest_needed(build, &text, contexts > 1, NEED_TURNS);
	if (build->limits != NULL)
		output_print(&text, "\n       What the input says of the GPU; the model has to say the same:%s", build->limits);
	output_add(&text,
		"\n       <interference from=\"all\" victim=\"any\" value=\"...\" source=\"...\" by=\"...\"/>  (where several streams "
		"or an integrated GPU share the memory)\n ");
	xml_comment(&writer->xml, text.text);
	output_finish(&text);
}

/* ---- applications */

/* The model holds a level in the place of CUDA's priority. */
static void write_stream(struct writer *writer, const struct import_lane *lane)
{
	struct stream stream = {.id = lane->stream_id, .level = lane->level > 0 ? lane->level : 0, .kind = lane->kind};
	xml_begin(&writer->xml, "stream");
	write_attributes(&writer->xml, ELEMENT_stream, &stream);
	xml_integer(&writer->xml, "cuda-priority", lane->cuda_priority);
	xml_attribute(&writer->xml, "partition", lane->partition);
	xml_end(&writer->xml);
}

/* That of this lane, if it is the first one there. */
static void write_partition(struct writer *writer, int lane)
{
	const struct import_lane *lanes = writer->build->lanes;
	for (int i = 0; i < lane; i++)
		if (lanes[i].partition != NULL && strcmp(lanes[i].partition, lanes[lane].partition) == 0)
			return;
	xml_begin(&writer->xml, "partition");
	xml_attribute(&writer->xml, "id", lanes[lane].partition);
	xml_attribute(&writer->xml, "kind", "green");
	xml_integer(&writer->xml, "size", lanes[lane].partition_sms);
	xml_end(&writer->xml);
}

/* That of the context which begins with this lane. */
static void write_application(struct writer *writer, int first)
{
	const struct import_build *build = writer->build;
	xml_begin(&writer->xml, "application");
	xml_attribute(&writer->xml, "id", name_id(build->arena, process_of(&build->lanes[first])));
	for (int i = first; i < build->lane_count; i++)
		if (strcmp(process_of(&build->lanes[i]), process_of(&build->lanes[first])) == 0 && !build->lanes[i].shares_stream)
			write_stream(writer, &build->lanes[i]);
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
	if (item->cluster == NONE && writer->build->unclustered != NULL)
		remember(&writer->no_cluster, id);
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

/* A launch, or a run of it, whose operations are listed: what it took as a whole, in words for a reader. */
static void begin_listed(struct writer *writer, const struct import_group *group)
{
	const struct import_item *span = writer->build->items[group->span];
	xml_comment(&writer->xml,
		arena_format(writer->build->arena,
			"one launch of a graph; from its first begin to its last end the longest of %" PRId64 " took %" PRId64
			"ns, gaps inside, without margin%s",
			span->samples, span->longest,
			group->branched ? "; its operations overlapped, or were in several streams: in place of it write <sequence "
					  "operations=\"...\" branches=\"...\" wcet=\"...\"/> with as many branches as "
					  "cudaGraphDebugDotPrint shows side by side"
					: ""));
	xml_begin(&writer->xml, "graph");
	xml_attribute(&writer->xml, "parallel", group->branched ? "true" : NULL);
}

/* What is in a sequence, for a reader: it is not listed. */
static void note_sequence(struct writer *writer, const struct import_lane *lane, const struct import_group *group, const char *id,
	const struct import_item *longest, bool within)
{
	int memsets = 0;
	struct output text = {0};
	for (int i = group->from; i < group->to; i++)
		memsets += writer->build->items[lane->job[i]]->kind == OPERATION_MEMSET;
	output_print(&text, "%s of a graph: %d kernels and %d memsets; the longest of them took %" PRId64 "ns, %s",
		within ? "in one launch" : "one launch", group->to - group->from - memsets, memsets, longest->longest,
		value_shorten(writer->build->arena, longest->name, VALUE_SHORT));
	output_add(&text, "; none was seen to begin before the one before it had ended");
	xml_comment(&writer->xml, text.text);
	output_finish(&text);
	if (group->mixed)
		remember(&writer->in_parts, id);
}

static void write_sequence(struct writer *writer, const struct import_lane *lane, const struct import_group *group, bool within)
{
	const struct import_build *build = writer->build;
	struct arena *arena = build->arena;
	const struct import_item *longest = build->items[lane->job[group->from]];
	for (int i = group->from; i < group->to; i++)
		longest = build->items[lane->job[i]]->longest > longest->longest ? build->items[lane->job[i]] : longest;
	int64_t span = wcet_of(build, build->items[group->span]), one = wcet_of(build, longest);
	struct operation operation = {.id = arena_format(arena, "graph-%d", ++writer->operations),
		.kind = OPERATION_KERNEL,
		.wcet = span,
		.bcet = NONE,
		.kernel = {.scope = SCOPE_GRID, .access = ACCESS_ANY, .footprint = NONE},
		.span = {.operations = group->to - group->from, .longest = one < span ? one : span, .branches = 1, .single = group->mixed}};
	note_sequence(writer, lane, group, operation.id, longest, within);
	write_operation_begin(&writer->xml, &operation, arena_format(arena, "o%d", writer->origin[group->span]), lane->stream_id, NULL);
	xml_end(&writer->xml);
}

/* What stands at this place of the job, and how many of its operations that are. *next: of the groups, *layer: of the layers, in order. */
static int write_at(struct writer *writer, const struct import_lane *lane, int i, bool within, int *next, int *layer)
{
	const struct import_build *build = writer->build;
	const struct import_group *sequence = sequence_at(build, lane, i, next);
	if (sequence != NULL) {
		write_sequence(writer, lane, sequence, within);
		return sequence->to - i;
	}
	const struct import_group *run = *next < lane->group_count && !within ? &lane->groups[*next] : NULL;
	if (lane->layered && build->items[lane->job[i]]->kind != OPERATION_HOST)
		xml_comment(&writer->xml, arena_format(build->arena, "layer of trtexec: %s", build->layers[(*layer)++].name));
	if (run != NULL && run->from == i)
		begin_listed(writer, run);
	write_operation(writer, lane, lane->job[i]);
	if (run != NULL && run->to == i + 1)
		xml_end(&writer->xml);
	return 1;
}

static void write_operations(struct writer *writer, const struct import_lane *lane)
{
	int group = 0, layer = 0, next = 0;
	for (int i = 0; i < lane->job_count;) {
		const struct import_graph *graph = next < lane->graph_count ? &lane->graphs[next] : NULL;
		if (graph != NULL && graph->from == i)
			xml_begin(&writer->xml, "graph");
		i += write_at(writer, lane, i, graph != NULL && graph->from <= i, &group, &layer);
		if (graph != NULL && graph->to == i) {
			xml_end(&writer->xml);
			next++;
		}
	}
}

static void note_period(struct writer *writer, const struct import_lane *lane, const char *id)
{
	struct output text = {0};
	remember(&writer->no_period, id);
	output_add(&text, "missing in <task>: period=\"...\", the distance of releases");
	if (lane->distance != NONE)
		output_print(&text, "; if none comes sooner than was seen: arrival=\"sporadic\" period=\"%" PRId64 "ns\"", lane->distance);
	xml_comment(&writer->xml, text.text);
	output_finish(&text);
}

static void note_lateness(struct writer *writer, const struct import_lane *lane, const char *id)
{
	struct arena *arena = writer->build->arena;
	remember(&writer->late, arena_format(arena, "%s by %" PRId64 "ns", id, lane->lateness));
	xml_comment(&writer->xml,
		arena_format(arena, "jobs were not released by this period alone: with jitter=\"%" PRId64 "ns\" it explains what was seen",
			lane->lateness));
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
	if (lane->curve == NULL && period == NULL)
		note_period(writer, lane, id);
	if (lane->lateness != NONE)
		note_lateness(writer, lane, id);
	if (deadline == NULL) {
		remember(&writer->no_deadline, id);
		xml_comment(xml, "missing in <task>: deadline=\"...\"; without it any response counts as proven");
	}
	if (lane->curve != NULL)
		write_curve(xml, lane->curve);
}

/* Each once, by the first task that runs there. */
static void write_cores(struct writer *writer)
{
	const struct import_lane *lanes = writer->build->lanes;
	for (int i = 0; i < writer->build->lane_count; i++) {
		bool seen = lanes[i].core == NULL;
		for (int k = 0; k < i && !seen; k++)
			seen = lanes[k].core != NULL && strcmp(lanes[k].core, lanes[i].core) == 0;
		if (seen)
			continue;
		xml_begin(&writer->xml, "core");
		xml_attribute(&writer->xml, "id", lanes[i].core);
		xml_end(&writer->xml);
	}
}

static void write_thread(struct writer *writer, const struct import_lane *lane, const char *id)
{
	xml_attribute(&writer->xml, "core", lane->core);
	xml_attribute(&writer->xml, "fifo-priority", lane->fifo);
	xml_attribute(&writer->xml, "sched-runtime", lane->runtime);
	xml_attribute(&writer->xml, "sched-deadline", lane->replenishment);
	xml_attribute(&writer->xml, "waiting", lane->suspends ? "suspend" : NULL);
	if (lane->core != NULL && lane->fifo == NULL && lane->runtime == NULL)
		remember(&writer->no_priority, id);
}

static void write_task(struct writer *writer, const struct import_lane *lane)
{
	const char *id = import_task_id(lane);
	if (lane->note != NULL)
		xml_comment(&writer->xml, lane->note);
	if (lane->observed != NULL)
		xml_comment(&writer->xml, lane->observed);
	xml_begin(&writer->xml, "task");
	xml_attribute(&writer->xml, "id", id);
	write_thread(writer, lane, id);
	write_arrival(writer, lane, id);
	write_operations(writer, lane);
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

static void say_clusters(struct writer *writer)
{
	struct output *names = &writer->no_cluster;
	if (names->length > 0)
		diagnose(writer->build->diagnostics, DIAGNOSTIC_IMPORT_CLUSTER, NULL, 0,
			"%s says nothing of thread-block clusters, which this GPU has and no bound covers: make sure that these have none, "
			"and say cluster=1 in a mapping: %s",
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
	say_missing(writer, &writer->no_priority,
		"tasks on a core for which the input has no priority from 1 to 99: write fifo-priority, the greatest first, into the "
		"output");
	say_missing(writer, &writer->late, "tasks whose jobs were released off their period: give jitter in a mapping, at least");
	say_missing(writer, &writer->no_wcet, "operations without duration: give wcet in a mapping, or import a trace as well");
	say_missing(writer, &writer->in_parts,
		"sequences of graphs with memsets or copies, whose launch reaches the GPU in parts, so that the span holds only while the "
		"host is ahead (A-FED): do with kernels what their memsets do, as probe/networks.cu does, and put copies before and behind "
		"the graph; memsets that stay have to run on the SMs (engine.memset)");
	say_missing(writer, &writer->no_shape, "kernels without grid or block: give them in a mapping, or import a trace as well");
	say_missing(writer, &writer->no_resources,
		"kernels of which registers, static and dynamic shared memory in bytes are not all known, so that their occupancy is not: "
		"import the SQLite export of nsys, which has all three, or ptxas or cuobjdump output for the first two, or give registers, "
		"shared-static and shared-dynamic in a mapping");
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
		if (build->lanes[i].partition != NULL)
			write_partition(&writer, i);
	for (int i = 0; i < build->lane_count; i++)
		if (begins_context(build, i))
			write_application(&writer, i);
	write_cores(&writer);
	for (int i = 0; i < build->lane_count; i++)
		if (build->lanes[i].job_count > 0)
			write_task(&writer, &build->lanes[i]);
	xml_end(&writer.xml);
	output_add(output, "\n");
	say_all_missing(&writer);
}
