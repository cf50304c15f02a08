/* The task set. */
#include "write/write.h"

#include <inttypes.h>
#include <stdio.h>

static void write_origins(struct xml *xml, const struct taskset *set)
{
	xml_begin(xml, "origins");
	for (int i = 0; i < set->origin_count; i++)
		write_element(xml, "origin", ELEMENT_origin, &set->origins[i]);
	xml_end(xml);
}

/* By its SMs where these are stated, else by how many there are. */
static void write_partition(struct xml *xml, const struct partition *partition)
{
	struct partition shown = *partition;
	struct output members = {0};
	for (int sm = 0; sm < 64 * PARTITION_WORDS && partition->members != NULL; sm++)
		if ((partition->members[sm / 64] >> (sm % 64) & 1) != 0)
			output_print(&members, "%s%d", members.length > 0 ? " " : "", sm);
	shown.size = partition->members != NULL ? NONE : partition->size;
	xml_begin(xml, "partition");
	write_attributes(xml, ELEMENT_partition, &shown);
	xml_attribute(xml, "sms", members.text);
	xml_end(xml);
	output_finish(&members);
}

static void write_stream(struct xml *xml, const struct taskset *set, const struct stream *stream)
{
	xml_begin(xml, "stream");
	write_attributes(xml, ELEMENT_stream, stream);
	xml_attribute(xml, "partition", stream->partition > 0 ? set->partitions[stream->partition - 1].id : NULL);
	xml_end(xml);
}

static void write_application(struct xml *xml, const struct taskset *set, int application)
{
	xml_begin(xml, "application");
	write_attributes(xml, ELEMENT_application, &set->applications[application]);
	for (int i = 0; i < set->stream_count; i++)
		if (set->streams[i].application == application)
			write_stream(xml, set, &set->streams[i]);
	xml_end(xml);
}

/* An element with one attribute, which refers to another. */
static void write_reference(struct xml *xml, const char *name, const char *attribute, const char *value)
{
	xml_begin(xml, name);
	xml_attribute(xml, attribute, value);
	xml_end(xml);
}

/* ---- operations */

void write_operation_begin(struct xml *xml, const struct operation *operation, const char *origin, const char *stream, const char *event)
{
	bool sequence = operation->span.operations > 0;
	xml_begin(xml, sequence ? "sequence" : operation_names[operation->kind]);
	write_attributes(xml, ELEMENT_operation, operation);
	xml_attribute(xml, "origin", origin);
	xml_attribute(xml, "stream", stream);
	xml_attribute(xml, "event", event);
	if (sequence)
		write_attributes(xml, ELEMENT_sequence, operation);
	else if (operation->kind == OPERATION_KERNEL)
		write_attributes(xml, ELEMENT_kernel, &operation->kernel);
	xml_attribute(xml, "launch", operation->span.gang ? "cooperative" : NULL);
	if (operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET)
		write_attributes(xml, ELEMENT_transfer, &operation->copy);
	if (operation->kind == OPERATION_FRAGMENT)
		write_attributes(xml, ELEMENT_fragment, operation);
	if (event != NULL)
		return;
	struct operation shown = *operation;
	shown.wcet = operation->size_count > 0 ? NONE : operation->wcet;
	write_attributes(xml, ELEMENT_work, &shown);
	if (operation->kind == OPERATION_HOST)
		write_attributes(xml, ELEMENT_host, operation);
}

static const char *origin_id(const struct taskset *set, int origin, int enclosing)
{
	return origin != enclosing ? set->origins[origin].id : NULL;
}

static void write_sizes(struct xml *xml, const struct taskset *set, const struct operation *operation)
{
	for (int i = 0; i < operation->size_count; i++) {
		const struct sized_time *time = &operation->sizes[i];
		struct output gpcs = {0};
		for (int k = 0; k < time->gpc_count; k++)
			output_print(&gpcs, "%s%" PRId64, k > 0 ? " " : "", time->gpcs[k]);
		xml_begin(xml, "at");
		write_attributes(xml, ELEMENT_at, time);
		xml_attribute(xml, "gpcs", gpcs.text);
		xml_attribute(xml, "origin", origin_id(set, time->origin, operation->origin));
		xml_end(xml);
		output_finish(&gpcs);
	}
}

static void write_operation(struct xml *xml, const struct taskset *set, const struct operation *operation, int enclosing)
{
	write_operation_begin(xml, operation, origin_id(set, operation->origin, enclosing),
		operation->stream != NO_ID ? set->streams[operation->stream].id : NULL,
		operation->event != NO_ID ? set->events[operation->event] : NULL);
	if (operation->program_name != NULL)
		write_reference(xml, "program", "file", operation->program_name);
	write_sizes(xml, set, operation);
	for (int i = 0; i < operation->kernel.curve_count; i++) {
		xml_begin(xml, "resident");
		xml_integer(xml, "blocks", i + 1);
		write_number(xml, "wcet", operation->kernel.curve[i], UNIT_TIME);
		xml_end(xml);
	}
	xml_end(xml);
}

/* ---- tasks */

void write_curve(struct xml *xml, const struct arrival *arrival)
{
	xml_begin(xml, "arrival-curve");
	write_number(xml, "horizon", arrival->period, UNIT_TIME);
	for (int i = 0; i < arrival->step_count; i++)
		write_element(xml, "step", ELEMENT_step, &arrival->steps[i]);
	xml_end(xml);
}

/* A period that stands rounded down is not whole: half a nanosecond more says as much as the model has of that. A curve contains the
 * jitter. */
static void write_task_head(struct xml *xml, const struct taskset *set, const struct task *task)
{
	bool curve = task->arrival.kind == ARRIVAL_CURVE;
	struct task shown = *task;
	char period[40];
	shown.arrival.jitter = curve ? NONE : task->arrival.jitter;
	if (!task_reserves(task))
		shown.sched_runtime = shown.sched_deadline = shown.sched_period = NONE;
	snprintf(period, sizeof period, "%" PRId64 "%sns", task->arrival.period, task->arrival.rounded ? ".5" : "");
	write_attributes(xml, ELEMENT_task, &shown);
	xml_attribute(xml, "origin", origin_id(set, task->origin, 0));
	xml_attribute(xml, "core", task->core > 0 ? set->cores[task->core - 1].id : NULL);
	xml_attribute(xml, "arrival", arrival_names[task->arrival.kind]);
	xml_attribute(xml, "period", curve ? NULL : period);
	if (curve)
		write_curve(xml, &task->arrival);
}

/* The end of the unit under a lock that was open, and the beginning of the next; 0: none. A priority is stated where the lock asks for it.
 */
static void change_unit(struct xml *xml, const struct taskset *set, int before, int hold)
{
	if (before == hold)
		return;
	if (before != 0)
		xml_end(xml);
	if (hold == 0)
		return;
	const struct locked_unit *unit = &set->holds[hold - 1];
	xml_begin(xml, "locked");
	xml_attribute(xml, "lock", set->locks[unit->lock].id);
	write_attributes(xml, ELEMENT_locked, unit);
	if (set->locks[unit->lock].protocol == LOCK_PRIORITY && unit->priority == 0)
		xml_integer(xml, "priority", 0);
}

static void write_task(struct xml *xml, const struct taskset *set, const struct task *task)
{
	xml_begin(xml, "task");
	write_task_head(xml, set, task);
	int held = 0;
	for (int i = 0, count; i < task->operation_count; i += count) {
		change_unit(xml, set, held, task_operation(set, task, i)->hold);
		held = task_operation(set, task, i)->hold;
		bool graph = task_operation(set, task, i)->graph != 0;
		count = task_launched(set, task, i);
		if (graph)
			xml_begin(xml, "graph");
		for (int j = i; j < i + count; j++)
			write_operation(xml, set, task_operation(set, task, j), task->origin);
		if (graph)
			xml_end(xml);
	}
	change_unit(xml, set, held, 0);
	xml_end(xml);
}

static void write_end_to_end(struct xml *xml, const struct taskset *set, const struct end_to_end *flow)
{
	xml_begin(xml, "chain");
	write_attributes(xml, ELEMENT_chain, flow);
	for (int i = 0; i < flow->task_count; i++) {
		const struct handover handover = end_to_end_handover(flow, i);
		xml_begin(xml, "member");
		xml_attribute(xml, "task", set->tasks[flow->tasks[i]].id);
		write_attributes(xml, ELEMENT_member, &handover);
		xml_end(xml);
	}
	xml_end(xml);
}

static void write_company(struct xml *xml, const struct taskset *set, const struct measured_company *company)
{
	xml_begin(xml, "company");
	xml_attribute(xml, "of", set->operations[company->operation].id);
	write_attributes(xml, ELEMENT_company, company);
	xml_attribute(xml, "origin", origin_id(set, company->origin, 0));
	for (int i = 0; i < company->task_count; i++) {
		xml_begin(xml, "beside");
		xml_attribute(xml, "task", set->tasks[company->tasks[i].task].id);
		write_attributes(xml, ELEMENT_beside, &company->tasks[i]);
		xml_end(xml);
	}
	xml_end(xml);
}

void write_taskset(struct output *output, const struct taskset *set, const char *platform, const char *title)
{
	struct xml xml;
	xml_start(&xml, output);
	xml_begin(&xml, "taskset");
	xml_attribute(&xml, "xmlns", "urn:gpubound:taskset:1");
	xml_attribute(&xml, "id", set->id);
	xml_attribute(&xml, "platform", platform);
	xml_attribute(&xml, "origin", set->origins[0].id);
	xml_attribute(&xml, "mps", set->merged_context ? "merged" : NULL);
	xml_attribute(&xml, "best-effort-contexts", set->best_effort_slices ? "slices" : NULL);
	xml_element(&xml, "title", title != NULL ? title : set->title);
	write_origins(&xml, set);
	for (int i = 0; i < set->partition_count; i++)
		write_partition(&xml, &set->partitions[i]);
	for (int i = 0; i < set->application_count; i++)
		write_application(&xml, set, i);
	for (int i = 0; i < set->event_count; i++)
		write_reference(&xml, "event", "id", set->events[i]);
	for (int i = 0; i < set->lock_count; i++)
		write_element(&xml, "lock", ELEMENT_lock, &set->locks[i]);
	for (int i = 0; i < set->core_count; i++)
		write_element(&xml, "core", ELEMENT_core, &set->cores[i]);
	for (int i = 0; i < set->task_count; i++)
		write_task(&xml, set, &set->tasks[i]);
	for (int i = 0; i < set->end_to_end_count; i++)
		write_end_to_end(&xml, set, &set->end_to_end[i]);
	for (int i = 0; i < set->company_count; i++)
		write_company(&xml, set, &set->companies[i]);
	xml_end(&xml);
	output_add(output, "\n");
}
