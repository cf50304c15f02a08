/* The task set as XML. */
#include "falsify/write_system.h"

#include <inttypes.h>

static void add_id(struct output *output, const char *name, const char *id)
{
	output_print(output, " %s=\"", name);
	output_add_xml(output, id);
	output_add(output, "\"");
}

static void add_number(struct output *output, const char *name, int64_t value, enum unit unit)
{
	if (value != NONE)
		output_print(output, " %s=\"%" PRId64 "%s\"", name, value, units_symbol(unit));
}

static void add_application(struct output *output, const struct taskset *set, int index)
{
	output_add(output, "  <application");
	add_id(output, "id", set->applications[index].id);
	add_number(output, "timeslice", set->applications[index].timeslice, UNIT_TIME);
	output_add(output, ">");
	for (int i = 0; i < set->stream_count; i++) {
		const struct stream *stream = &set->streams[i];
		if (stream->application != index)
			continue;
		output_add(output, "\n    <stream");
		add_id(output, "id", stream->id);
		output_print(output, " priority=\"%d\" kind=\"%s\"/>", stream->level, stream_names[stream->kind]);
	}
	output_add(output, "\n  </application>\n");
}

/* ---- operations */

static void add_shape(struct output *output, const struct kernel *kernel)
{
	if (kernel->blocks != NONE)
		output_print(output, " grid=\"%" PRId64 "x%" PRId64 "x%" PRId64 "\"", kernel->grid[0], kernel->grid[1], kernel->grid[2]);
	if (kernel->threads != NONE)
		output_print(output, " block=\"%" PRId64 "\"", kernel->threads);
	add_number(output, "registers", kernel->registers, UNIT_COUNT);
	output_print(output, " shared-static=\"%" PRId64 "B\" shared-dynamic=\"%" PRId64 "B\" cache=\"%s\" access=\"%s\"",
		kernel->shared_static, kernel->shared_dynamic, cache_names[kernel->cache], access_names[kernel->access]);
	add_number(output, "carveout", kernel->carveout, UNIT_COUNT);
	add_number(output, "active-blocks", kernel->active_blocks, UNIT_COUNT);
	add_number(output, "footprint", kernel->footprint, UNIT_BYTES);
}

static void add_sequence(struct output *output, const struct operation *operation)
{
	const struct measured_span *span = &operation->span;
	add_number(output, "operations", span->operations, UNIT_COUNT);
	add_number(output, "longest", span->longest, UNIT_TIME);
	add_number(output, "branches", span->branches, UNIT_COUNT);
	output_print(output, " plain=\"%s\" launch=\"%s\" access=\"%s\"", span->plain ? "true" : "false", span->single ? "single" : "graph",
		access_names[operation->kernel.access]);
	add_number(output, "footprint", operation->kernel.footprint, UNIT_BYTES);
	output_add(output, "/>\n");
}

static void add_kernel(struct output *output, const struct kernel *kernel, bool gang)
{
	output_print(output, " scope=\"%s\"%s", scope_names[kernel->scope], gang ? " launch=\"cooperative\"" : "");
	add_shape(output, kernel);
	output_add(output, kernel->curve_count > 0 ? ">\n" : "/>\n");
	for (int i = 0; i < kernel->curve_count; i++)
		output_print(output, "      <resident blocks=\"%d\" wcet=\"%" PRId64 "ns\"/>\n", i + 1, kernel->curve[i]);
	output_add(output, kernel->curve_count > 0 ? "    </kernel>\n" : "");
}

static void add_transfer(struct output *output, const struct operation *operation)
{
	if (operation->kind == OPERATION_COPY)
		output_print(output, " direction=\"%s\" memory=\"%s\" call=\"%s\"", direction_names[operation->copy.direction],
			operation->copy.pageable ? "pageable" : "pinned", operation->copy.synchronous ? "synchronous" : "asynchronous");
	else if (operation->copy.synchronous)
		output_add(output, " call=\"synchronous\"");
	add_number(output, "bytes", operation->copy.bytes, UNIT_BYTES);
	output_add(output, "/>\n");
}

static void add_operation(struct output *output, const struct taskset *set, const struct operation *operation)
{
	bool sequence = operation->span.operations > 0;
	output_print(output, "    <%s", sequence ? "sequence" : operation_names[operation->kind]);
	add_id(output, "id", operation->id);
	if (operation->stream != NO_ID)
		add_id(output, "stream", set->streams[operation->stream].id);
	if (operation->kind == OPERATION_WAIT || operation->kind == OPERATION_RECORD) {
		add_id(output, "event", set->events[operation->event]);
		output_add(output, "/>\n");
		return;
	}
	add_number(output, "wcet", operation->wcet, UNIT_TIME);
	add_number(output, "bcet", operation->bcet, UNIT_TIME);
	if (sequence)
		add_sequence(output, operation);
	else if (operation->kind == OPERATION_KERNEL)
		add_kernel(output, &operation->kernel, operation->span.gang);
	else if (operation->kind == OPERATION_HOST || operation->kind == OPERATION_FRAGMENT)
		output_add(output, "/>\n");
	else
		add_transfer(output, operation);
}

/* ---- tasks */

static void add_curve(struct output *output, const struct arrival *arrival)
{
	output_print(output, "    <arrival-curve horizon=\"%" PRId64 "ns\">", arrival->period);
	for (int i = 0; i < arrival->step_count; i++)
		output_print(output, "<step window=\"%" PRId64 "ns\" count=\"%" PRId64 "\"/>", arrival->steps[i].window,
			arrival->steps[i].count);
	output_add(output, "</arrival-curve>\n");
}

static void add_arrival(struct output *output, const struct arrival *arrival)
{
	output_print(output, " arrival=\"%s\"", arrival_names[arrival->kind]);
	if (arrival->kind == ARRIVAL_CURVE)
		return;
	add_number(output, "period", arrival->period, UNIT_TIME);
	add_number(output, "jitter", arrival->jitter, UNIT_TIME);
	add_number(output, "min-distance", arrival->min_distance, UNIT_TIME);
}

/* The end of the unit that was open, and the beginning of the next. */
static void open_unit(struct output *output, const struct taskset *set, int before, int hold)
{
	if (before != 0 && before != hold)
		output_add(output, "    </locked>\n");
	if (hold == 0 || before == hold)
		return;
	const struct locked_unit *unit = &set->holds[hold - 1];
	output_add(output, "    <locked");
	add_id(output, "lock", set->locks[unit->lock].id);
	add_number(output, "hold", unit->time, UNIT_TIME);
	if (set->locks[unit->lock].protocol == LOCK_PRIORITY)
		output_print(output, " priority=\"%d\"", unit->priority);
	output_add(output, ">\n");
}

static void add_task(struct output *output, const struct taskset *set, const struct task *task)
{
	output_add(output, "  <task");
	add_id(output, "id", task->id);
	add_arrival(output, &task->arrival);
	add_number(output, "deadline", task->deadline, UNIT_TIME);
	add_number(output, "offset", task->offset, UNIT_TIME);
	output_add(output, task->best_effort ? " best-effort=\"true\">\n" : ">\n");
	if (task->arrival.kind == ARRIVAL_CURVE)
		add_curve(output, &task->arrival);
	for (int i = 0, count, held = 0; i < task->operation_count; i += count) {
		open_unit(output, set, held, task_operation(set, task, i)->hold);
		held = task_operation(set, task, i)->hold;
		bool graph = task_operation(set, task, i)->graph != 0;
		count = task_launched(set, task, i);
		output_add(output, graph ? "    <graph>\n" : "");
		for (int j = i; j < i + count; j++)
			add_operation(output, set, task_operation(set, task, j));
		output_add(output, graph ? "    </graph>\n" : "");
	}
	open_unit(output, set, task->operation_count > 0 ? task_operation(set, task, task->operation_count - 1)->hold : 0, 0);
	output_add(output, "  </task>\n");
}

static void add_end_to_end(struct output *output, const struct taskset *set, const struct end_to_end *flow)
{
	output_add(output, "  <chain");
	add_id(output, "id", flow->id);
	output_print(output, " kind=\"%s\"", end_to_end_names[flow->kind]);
	add_number(output, "deadline", flow->deadline, UNIT_TIME);
	output_add(output, ">");
	for (int i = 0; i < flow->task_count; i++) {
		output_add(output, "<member");
		add_id(output, "task", set->tasks[flow->tasks[i]].id);
		output_add(output, "/>");
	}
	output_add(output, "</chain>\n");
}

void write_taskset(struct output *output, const struct taskset *set, const char *platform, const char *title)
{
	title = title != NULL ? title : set->title;
	output_add(output, "<taskset xmlns=\"urn:gpubound:taskset:1\"");
	add_id(output, "id", set->id);
	add_id(output, "platform", platform);
	output_print(output, " origin=\"falsifier\"%s>\n", set->merged_context ? " mps=\"merged\"" : "");
	if (title != NULL) {
		output_add(output, "  <title>");
		output_add_xml(output, title);
		output_add(output, "</title>\n");
	}
	output_add(output, "  <origins><origin id=\"falsifier\" kind=\"declared\" source=\"drawn\" by=\"gpubound falsify\"/></origins>\n");
	for (int i = 0; i < set->application_count; i++)
		add_application(output, set, i);
	for (int i = 0; i < set->event_count; i++) {
		output_add(output, "  <event");
		add_id(output, "id", set->events[i]);
		output_add(output, "/>\n");
	}
	for (int i = 0; i < set->lock_count; i++) {
		output_add(output, "  <lock");
		add_id(output, "id", set->locks[i].id);
		output_print(output, " protocol=\"%s\"/>\n", lock_names[set->locks[i].protocol]);
	}
	for (int i = 0; i < set->task_count; i++)
		add_task(output, set, &set->tasks[i]);
	for (int i = 0; i < set->end_to_end_count; i++)
		add_end_to_end(output, set, &set->end_to_end[i]);
	output_add(output, "</taskset>\n");
}
