/* Where in the inputs a number stands. */
#include "report/number_origin.h"

#include "model/frame.h"

#include <stdlib.h>
#include <string.h>

/* Is `text`, up to its end or the next '@' or '/', the id? */
static bool is_id(const char *text, const char *id)
{
	while (*id != '\0' && *id == *text)
		id++, text++;
	return *id == '\0' && (*text == '\0' || *text == '@' || *text == '/');
}

static const char *after(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);
	return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static const char *attribute_unit(const char *name)
{
	static const char *const times[] = {"wcet", "bcet", "period", "jitter", "deadline", "min-distance", "max-distance", "offset",
		"timeslice", "blocking", "submission", "sched-overrun", "sched-runtime", "sched-deadline", "sched-period", NULL};
	static const char *const sizes[] = {"shared-static", "shared-dynamic", "bytes", "footprint", NULL};
	const char *attribute = strchr(name, '@');
	for (int i = 0; attribute != NULL && times[i] != NULL; i++)
		if (strcmp(attribute + 1, times[i]) == 0)
			return "ns";
	for (int i = 0; attribute != NULL && sizes[i] != NULL; i++)
		if (strcmp(attribute + 1, sizes[i]) == 0)
			return "B";
	return "1";
}

static struct place in_taskset(const struct report *report, const char *name, long line, int origin)
{
	const struct taskset *set = report->set;
	bool known = origin >= 0 && origin < set->origin_count;
	return (struct place){set->path, line, known ? set->origins[origin].id : NULL, NULL, NULL, attribute_unit(name)};
}

/* What the task set declared stands in the task set, the rest in the platform model. */
static struct place on_platform(const struct report *report, long line, const char *source, const char *declared_by, const char *unit)
{
	return (struct place){declared_by != NULL ? report->set->path : report->platform_path, line, NULL, source, declared_by, unit};
}

static struct place find_platform(const struct report *report, const char *name)
{
	const struct platform *platform = report->platform;
	const char *index = after(name, "interference/");
	if (index != NULL) {
		long entry = strtol(index, NULL, 10);
		if (entry < 0 || entry >= platform->interference_count)
			return (struct place){0};
		const struct interference_entry *found = &platform->interference[entry];
		return on_platform(report, found->line, found->evidence, found->declared_by, "ratio");
	}
	int parameter = parameter_find(name);
	if (parameter < 0 || !platform->parameters[parameter].present)
		return on_platform(report, 0, NULL, NULL, "1");
	const struct quantity *found = &platform->parameters[parameter];
	const char *unit = units_symbol(parameter_kinds[parameter].unit);
	return on_platform(report, found->line, found->source, found->declared_by, *unit ? unit : "1");
}

static struct place find_task(const struct report *report, const char *name)
{
	const struct taskset *set = report->set;
	const char *operation = strstr(name, "/op:");
	for (int i = 0; operation != NULL && i < set->operation_count; i++)
		if (is_id(operation + 4, set->operations[i].id))
			return in_taskset(report, name, set->operations[i].line, set->operations[i].origin);
	for (int i = 0; operation == NULL && i < set->task_count; i++)
		if (is_id(name, set->tasks[i].id))
			return in_taskset(report, name, set->tasks[i].line, set->tasks[i].origin);
	return (struct place){0};
}

static struct place find_application(const struct report *report, const char *name)
{
	const struct taskset *set = report->set;
	for (int i = 0; i < set->application_count; i++)
		if (is_id(name, set->applications[i].id))
			return in_taskset(report, name, set->applications[i].line, NO_ID);
	return (struct place){0};
}

static struct place find_partition(const struct report *report, const char *name)
{
	const struct taskset *set = report->set;
	for (int i = 0; i < set->partition_count; i++)
		if (is_id(name, set->partitions[i].id))
			return in_taskset(report, name, set->partitions[i].line, NO_ID);
	return (struct place){0};
}

static struct place find_core(const struct report *report, const char *name)
{
	const struct taskset *set = report->set;
	for (int i = 0; i < set->core_count; i++)
		if (is_id(name, set->cores[i].id))
			return in_taskset(report, name, set->cores[i].line, NO_ID);
	return (struct place){0};
}

/* What the frame declared stands in it, the rest in the platform model. */
static struct place find_frame_number(const struct report *report, const struct frame *frame, const char *name)
{
	int parameter = parameter_find(name);
	if (parameter < 0 || !frame->platform->parameters[parameter].present)
		return (struct place){0};
	const struct quantity *found = &frame->platform->parameters[parameter];
	const char *file = found->declared_by != NULL ? frame->path : report->platform_path;
	return (struct place){file, found->line, NULL, found->source, found->declared_by, "1"};
}

static struct place find_shader(const struct frame *frame, const char *name)
{
	const char *branch = strstr(name, "/branch:");
	struct place place = {frame->path, 0, NULL, frame->source, NULL, "ns"};
	for (int i = 0; i < frame->shader_count; i++) {
		const struct shader *shader = &frame->shaders[i];
		if (!is_id(name, shader->id))
			continue;
		place.line = shader->line;
		for (int k = 0; branch != NULL && k < shader->branch_count; k++)
			if (is_id(branch + strlen("/branch:"), shader->branches[k].id))
				place.line = shader->branches[k].line;
	}
	return place;
}

static struct place find_frame(const struct report *report, const char *name)
{
	const struct taskset *set = report->set;
	for (int i = 0; i < set->operation_count; i++) {
		const struct frame *frame = set->operations[i].frame;
		if (frame == NULL || !is_id(name, frame->id))
			continue;
		const char *rest = name + strlen(frame->id), *shader = after(rest, "/shader:");
		return shader != NULL ? find_shader(frame, shader) : find_frame_number(report, frame, rest + 1);
	}
	return (struct place){0};
}

static struct place find_company(const struct report *report, const char *name)
{
	long index = strtol(name, NULL, 10);
	if (index < 0 || index >= report->set->company_count)
		return (struct place){0};
	struct place place = in_taskset(report, name, report->set->companies[index].line, report->set->companies[index].origin);
	place.unit = "ratio";
	return place;
}

static struct place find_chain(const struct report *report, const char *name)
{
	const struct taskset *set = report->set;
	for (int i = 0; i < set->end_to_end_count; i++)
		if (is_id(name, set->end_to_end[i].id))
			return in_taskset(report, name, set->end_to_end[i].line, NO_ID);
	return (struct place){0};
}

struct place about_find(const struct report *report, const char *about)
{
	static const struct {
		const char *prefix;
		struct place (*find)(const struct report *, const char *);
	} kinds[] = {{"platform:", find_platform}, {"task:", find_task}, {"application:", find_application}, {"partition:", find_partition},
		{"core:", find_core}, {"company:", find_company}, {"frame:", find_frame}, {"chain:", find_chain}};
	for (size_t i = 0; about != NULL && i < sizeof kinds / sizeof *kinds; i++) {
		const char *name = after(about, kinds[i].prefix);
		if (name != NULL)
			return kinds[i].find(report, name);
	}
	return (struct place){0};
}
