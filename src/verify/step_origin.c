/* Where a step without inputs says that its number stands. */
#include "verify/inputs.h"

#include "input/names.h"
#include "model/frame.h"

#include <stdlib.h>
#include <string.h>

struct place { /* NULL, 0: not said */
	const char *file, *origin, *source, *declared_by, *unit;
	long line;
};

static const char *rest_of(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);
	return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* Does the name begin with this id, as far as the next '/' or '@'? */
static bool names(const char *name, const char *id)
{
	size_t length = strlen(id);
	return strncmp(name, id, length) == 0 && (name[length] == '\0' || name[length] == '/' || name[length] == '@');
}

static const char *unit_of(const char *about)
{
	static const struct {
		const char *attribute, *unit;
	} units[] = {{"wcet", "ns"}, {"bcet", "ns"}, {"period", "ns"}, {"jitter", "ns"}, {"deadline", "ns"}, {"min-distance", "ns"},
		{"max-distance", "ns"}, {"offset", "ns"}, {"timeslice", "ns"}, {"blocking", "ns"}, {"submission", "ns"},
		{"sched-overrun", "ns"}, {"sched-runtime", "ns"}, {"sched-deadline", "ns"}, {"sched-period", "ns"}, {"shared-static", "B"},
		{"shared-dynamic", "B"}, {"bytes", "B"}, {"footprint", "B"}};
	const char *attribute = strchr(about, '@');
	for (size_t i = 0; attribute != NULL && i < sizeof units / sizeof *units; i++)
		if (strcmp(attribute + 1, units[i].attribute) == 0)
			return units[i].unit;
	return "1";
}

static struct place of_taskset(const struct check *check, const char *about, long line, int origin)
{
	return (struct place){
		check->taskset_path, origin == NO_ID ? NULL : check->set->origins[origin].id, NULL, NULL, unit_of(about), line};
}

struct places {
	struct names operations, tasks, applications, frames; /* frames: by an operation that draws one */
};

/* Of several things with one id the first counts. */
static const struct places *places_of(struct check *check)
{
	const struct taskset *set = check->set;
	if (check->places != NULL)
		return check->places;
	struct places *places = check->places = arena_allocate(check->arena, 1, sizeof *places);
	names_init(&places->operations, check->arena);
	names_init(&places->tasks, check->arena);
	names_init(&places->applications, check->arena);
	names_init(&places->frames, check->arena);
	for (int i = 0; i < set->operation_count; i++) {
		names_add(&places->operations, set->operations[i].id, i);
		if (set->operations[i].frame != NULL)
			names_add(&places->frames, set->operations[i].frame->id, i);
	}
	for (int i = 0; i < set->task_count; i++)
		names_add(&places->tasks, set->tasks[i].id, i);
	for (int i = 0; i < set->application_count; i++)
		names_add(&places->applications, set->applications[i].id, i);
	return places;
}

/* The thing whose id the name begins with, as far as the next '/' or '@', which no id has; -1: there is none. */
static int find_name(struct check *check, const struct names *names, const char *name)
{
	return names_find(names, arena_format(check->arena, "%.*s", (int)strcspn(name, "/@"), name));
}

static struct place of_task(struct check *check, const char *about, const char *name)
{
	const struct taskset *set = check->set;
	const struct places *places = places_of(check);
	const char *operation = strstr(name, "/op:");
	int i = operation != NULL ? find_name(check, &places->operations, operation + 4) : find_name(check, &places->tasks, name);
	if (i < 0)
		return (struct place){.unit = "1"};
	return operation != NULL ? of_taskset(check, about, set->operations[i].line, set->operations[i].origin)
				 : of_taskset(check, about, set->tasks[i].line, set->tasks[i].origin);
}

static struct place of_application(struct check *check, const char *about, const char *name)
{
	int i = find_name(check, &places_of(check)->applications, name);
	return i < 0 ? (struct place){.unit = "1"} : of_taskset(check, about, check->set->applications[i].line, NO_ID);
}

static struct place of_partition(const struct check *check, const char *about, const char *name)
{
	for (int i = 0; i < check->set->partition_count; i++) {
		const char *rest = rest_of(name, check->set->partitions[i].id);
		if (rest != NULL && *rest == '@')
			return of_taskset(check, about, check->set->partitions[i].line, NO_ID);
	}
	return (struct place){.unit = "1"};
}

static struct place of_chain(const struct check *check, const char *about, const char *name)
{
	for (int i = 0; i < check->set->end_to_end_count; i++)
		if (names(name, check->set->end_to_end[i].id))
			return of_taskset(check, about, check->set->end_to_end[i].line, NO_ID);
	return (struct place){0};
}

static struct place of_core(const struct check *check, const char *about, const char *name)
{
	for (int i = 0; i < check->set->core_count; i++)
		if (names(name, check->set->cores[i].id))
			return of_taskset(check, about, check->set->cores[i].line, NO_ID);
	return (struct place){.unit = "1"};
}

/* What was declared stands in the task set. */
static struct place of_platform(const struct check *check, const char *name)
{
	const struct platform *platform = check->platform;
	const char *entry = rest_of(name, "interference/");
	int index = entry == NULL ? -1 : atoi(entry), parameter = parameter_find(name);
	struct place place = {.unit = "1", .file = check->platform_path};
	if (index >= 0 && index < platform->interference_count) {
		const struct interference_entry *found = &platform->interference[index];
		place = (struct place){NULL, NULL, found->evidence, found->declared_by, "ratio", found->line};
	} else if (parameter >= 0) {
		const struct quantity *found = &platform->parameters[parameter];
		const char *unit = units_symbol(parameter_kinds[parameter].unit);
		place = (struct place){NULL, NULL, found->source, found->declared_by, *unit == '\0' ? "1" : unit, found->line};
	}
	place.file = place.declared_by != NULL ? check->taskset_path : check->platform_path;
	return place;
}

/* "ID@PARAMETER", "ID/shader:S@wcet", "ID/shader:S/branch:B@wcet". */
static struct place of_frame(struct check *check, const char *name)
{
	int drawing = find_name(check, &places_of(check)->frames, name);
	if (drawing < 0)
		return (struct place){0};
	const struct frame *frame = check->set->operations[drawing].frame;
	const char *rest = name + strlen(frame->id), *shader = rest_of(rest, "/shader:"), *branch = strstr(rest, "/branch:");
	if (shader == NULL) {
		int parameter = *rest == '@' ? parameter_find(rest + 1) : -1;
		if (parameter < 0)
			return (struct place){0};
		const struct quantity *found = &frame->platform->parameters[parameter];
		bool declared = found->declared_by != NULL;
		return (struct place){declared ? check_recorded(check, frame->path) : check->platform_path, NULL, found->source,
			found->declared_by, "1", found->line};
	}
	struct place place = {check_recorded(check, frame->path), NULL, frame->source, NULL, "ns", 0};
	for (int i = 0; i < frame->shader_count; i++) {
		const struct shader *of = &frame->shaders[i];
		for (int k = 0; k < of->branch_count && names(shader, of->id); k++)
			place.line = branch != NULL && names(branch + 8, of->branches[k].id) ? of->branches[k].line : place.line;
		place.line = branch == NULL && names(shader, of->id) ? of->line : place.line;
	}
	return place;
}

static struct place of_company(const struct check *check, const char *about, const char *name)
{
	for (int i = 0; i < check->set->company_count; i++) {
		if (atoi(name) != i)
			continue;
		struct place place = of_taskset(check, about, check->set->companies[i].line, check->set->companies[i].origin);
		place.unit = "ratio";
		return place;
	}
	return (struct place){0};
}

static struct place find_place(struct check *check, const char *about)
{
	const char *name;
	if ((name = rest_of(about, "task:")) != NULL)
		return of_task(check, about, name);
	if ((name = rest_of(about, "application:")) != NULL)
		return of_application(check, about, name);
	if ((name = rest_of(about, "core:")) != NULL)
		return of_core(check, about, name);
	if ((name = rest_of(about, "partition:")) != NULL)
		return of_partition(check, about, name);
	if ((name = rest_of(about, "platform:")) != NULL)
		return of_platform(check, name);
	if ((name = rest_of(about, "chain:")) != NULL && strpbrk(name, "@") != NULL)
		return of_chain(check, about, name);
	if ((name = rest_of(about, "company:")) != NULL)
		return of_company(check, about, name);
	if ((name = rest_of(about, "frame:")) != NULL && strpbrk(name, "@") != NULL)
		return of_frame(check, name);
	return (struct place){0};
}

void inputs_compare_place(struct check *check, const struct graph_step *step, const char *where)
{
	struct place place = {0};
	const struct rule_kind *rule = &rule_kinds[step->rule];
	const char *at = NULL;
	if (step->input_count == 0 && step->about != NULL)
		place = find_place(check, step->about);
	if (place.file != NULL)
		at = place.line > 0 ? arena_format(check->arena, "%s:%ld", place.file, place.line) : place.file;
	check_text(check, step->element, where, "unit", rule->unit == STEP_UNIT_ANY ? place.unit : step_unit_name(rule->unit));
	check_text(check, step->element, where, "at", at);
	check_text(check, step->element, where, "origin", place.origin);
	check_text(check, step->element, where, "source", place.source);
	check_text(check, step->element, where, "declared-by", place.declared_by);
}
