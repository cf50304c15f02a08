/* Slack: inputs that move, and reports of them that are verified. */
#include "verify/slack.h"

#include "model/limits.h"
#include "verify/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define THOUSAND 1000

/* ---- moving */

/* Up, and never to nothing. */
static int64_t grown(int64_t wcet, int64_t by)
{
	bool nothing = checked_is_none(wcet) || wcet == 0;
	return nothing ? wcet : checked_max(1, checked_div_ceil(checked_mul(wcet, THOUSAND + by), THOUSAND));
}

static void grow(const struct check *check, struct operation *operation)
{
	struct kernel *kernel = &operation->kernel;
	int64_t by = check->movement.by, *curve = arena_allocate(check->arena, (size_t)kernel->curve_count + 1, sizeof *curve);
	for (int i = 0; i < kernel->curve_count; i++)
		curve[i] = grown(kernel->curve[i], by);
	kernel->curve = kernel->curve_count == 0 ? kernel->curve : curve;
	kernel->launch = (struct launch_time){0}; /* known of the program as it is */
	operation->wcet = grown(operation->wcet, by);
	operation->bcet = checked_min(operation->bcet, operation->wcet);
	operation->span.longest = grown(operation->span.longest, by);
	operation->batches = NULL; /* a given number now */
}

void slack_move_inputs(const struct check *check, struct task *tasks, struct operation *operations)
{
	const struct movement *movement = &check->movement;
	if (movement->what == MOVING_NOTHING)
		return;
	struct task *task = &tasks[movement->task];
	bool all = movement->what == MOVING_ALL_WCETS;
	if (movement->what == MOVING_PERIOD) {
		task->arrival.period = checked_sub(task->arrival.period, movement->by);
		return;
	}
	int first = all ? 0 : task->first_operation, count = all ? check->set->operation_count : task->operation_count;
	for (int i = first; i < first + count; i++)
		grow(check, &operations[i]);
}

/* ---- a witness */

enum standing { STANDING_PROVEN, STANDING_NOT_PROVEN, STANDING_UNKNOWN };

static bool same_changes(const struct check *check, const struct check *other)
{
	int count, others;
	const char *const *changes = inputs_changes(check, &count), *const *changed = inputs_changes(other, &others);
	bool same = count == others;
	for (int i = 0; i < count && same; i++)
		same = strcmp(changes[i], changed[i]) == 0;
	return same;
}

static bool same_inputs(const struct check *check, const struct check *other)
{
	if (!same_changes(check, other))
		return false;
	const struct xml_element *one = element_child(check->root, "inputs")->first, *two = element_child(other->root, "inputs")->first;
	for (; one != NULL && two != NULL; one = one->next, two = two->next)
		if (strcmp(element_get(one, "sha256"), element_get(two, "sha256")) != 0)
			return false;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (check->platform->assumptions[i].status != other->platform->assumptions[i].status)
			return false;
	return one == two;
}

/* Is the deadline met, under conditions or without? */
static bool is_met(const char *verdict)
{
	return strcmp(verdict, "proven") == 0 || strcmp(verdict, "conditional") == 0;
}

static const char *verdict_in(const struct check *check, int task)
{
	const struct xml_element *element = check_next(element_child(check->root, "results")->first, "task");
	for (int i = 0; i < task && element != NULL; i++)
		element = check_next(element->next, "task");
	return element == NULL ? "" : element_get(element, "verdict");
}

static enum standing read_witness(
	struct check *check, struct arena *arena, const struct input_folders *folders, const struct movement *movement, const char *text)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	struct check moved = {.arena = arena, .diagnostics = &diagnostics, .path = check->path, .movement = *movement};
	moved.root = xml_read(arena, &diagnostics, "report", folders->schemas, check->path, text, strlen(text));
	if (moved.root == NULL || element_child(moved.root, "sensitivity") != NULL)
		return STANDING_UNKNOWN;
	if (!verify_check(&moved, folders) || !same_inputs(check, &moved))
		return STANDING_UNKNOWN;
	const char *now = verdict_in(check, movement->task), *then = verdict_in(&moved, movement->task);
	bool as_good = strcmp(now, "proven") == 0 ? strcmp(then, "proven") == 0 : is_met(then); /* proven is not kept by a condition */
	return as_good ? STANDING_PROVEN : STANDING_NOT_PROVEN;
}

/* Of options what changes results, however many; the operand is not among them. */
static const char *const *options_of(const struct check *check, struct arena *arena, int *count)
{
	const struct xml_element *invocation = element_child(check->root, "invocation");
	const char **arguments = arena_allocate(arena, (size_t)element_count(invocation, "argument") + 1, sizeof *arguments);
	*count = 0;
	for (const struct xml_element *argument = invocation->first; argument != NULL; argument = argument->next)
		if (strncmp(argument->text, "--", 2) == 0 && strcmp(argument->text, "--slack") != 0)
			arguments[(*count)++] = argument->text;
	return arguments;
}

static enum standing stand(
	struct check *check, const struct input_folders *folders, const struct verify_options *options, const struct movement *movement)
{
	static const enum verify_moved of[] = {[MOVING_ALL_WCETS] = VERIFY_MOVED_ALL_WCETS,
		[MOVING_OWN_WCETS] = VERIFY_MOVED_OWN_WCETS,
		[MOVING_PERIOD] = VERIFY_MOVED_PERIOD};
	struct arena *arena = arena_create();
	struct verify_request request = {.folders = folders,
		.taskset = check->taskset_path,
		.platform = check->platform_path,
		.task = movement->task,
		.moved = of[movement->what],
		.by = movement->by};
	request.arguments = options_of(check, arena, &request.argument_count);
	const char *text = options->witness(options->context, arena, &request);
	enum standing standing = text == NULL ? STANDING_UNKNOWN : read_witness(check, arena, folders, movement, text);
	arena_destroy(arena);
	return standing;
}

/* ---- figures */

struct figure {
	const char *name;
	enum moving what;
	bool proven;   /* now */
	int64_t limit; /* the farthest that is searched, on the side of the other verdict */
};

/* A period that others' phases or events refer to, or a curve's, does not move by itself. */
static bool moves_alone(const struct taskset *set, const struct task *task)
{
	int first = task->first_operation, last = first + task->operation_count - 1;
	for (int i = first; i <= last; i++)
		for (int k = 0; k < set->operation_count && set->operations[i].event != NO_ID; k++)
			if ((k < first || k > last) && set->operations[k].event == set->operations[i].event)
				return false;
	return task->arrival.kind != ARRIVAL_CURVE && checked_is_none(task->offset);
}

static struct figure figure_of(const struct check *check, int task, enum moving what)
{
	static const char *const names[] = {[MOVING_ALL_WCETS] = "all-wcets", [MOVING_OWN_WCETS] = "own-wcets", [MOVING_PERIOD] = "period"};
	const struct arrival *arrival = &check->set->tasks[task].arrival;
	int64_t nearest = checked_is_none(arrival->min_distance) ? 1 : arrival->min_distance;
	struct figure figure = {names[what], what, is_met(verdict_in(check, task)), NONE};
	if (what != MOVING_PERIOD)
		figure.limit = figure.proven ? LIMIT_SLACK_GROWTH : 1 - THOUSAND;
	else if (moves_alone(check->set, &check->set->tasks[task]))
		figure.limit =
			figure.proven ? arrival->period - nearest : checked_sub(0, checked_mul(arrival->period, LIMIT_SLACK_PERIODS));
	if (figure.limit == 0)
		figure.limit = NONE;
	return figure;
}

/* NONE: absent, or beyond 64 bits; check_integer then finds another spelling. */
static int64_t number_of(const struct xml_element *element, const char *name)
{
	const char *text = element_get(element, name);
	errno = 0;
	long long value = text == NULL ? 0 : strtoll(text, NULL, 10);
	return text == NULL || errno != 0 ? NONE : value;
}

static const char *text_of(struct check *check, int64_t value)
{
	return checked_is_none(value) ? "nothing" : arena_format(check->arena, "%lld", (long long)value);
}

/* At the figure proven; one unit further not, as far as the limit is. */
static bool compare_figure(struct check *check, const struct input_folders *folders, const struct verify_options *options,
	const struct xml_element *element, const char *where, int task, const struct figure *figure)
{
	int64_t found = number_of(element, figure->name);
	bool absent = checked_is_none(found);
	const char *place = arena_format(check->arena, "%s %s", where, figure->name), *expected = NULL;
	struct movement at = {figure->what, task, absent ? figure->limit : found}, further = at;
	further.by = checked_add(at.by, 1);
	check_integer(check, element, where, figure->name, found);
	if (checked_is_none(figure->limit))
		expected = absent ? NULL : "nothing, as there is nothing to search";
	else if (!absent && (figure->proven ? found < 0 || found >= figure->limit : found >= 0 || found < figure->limit))
		expected = "a figure inside the search's limits, on the side where the verdict flips";
	else if (stand(check, folders, options, &at) != (absent && !figure->proven ? STANDING_NOT_PROVEN : STANDING_PROVEN))
		expected = absent ? "a figure, as the verdict flips before the search's limit" : "a figure at which the task is proven";
	else if (!absent && stand(check, folders, options, &further) != STANDING_NOT_PROVEN)
		expected = "the greatest figure at which the task is proven";
	if (expected != NULL)
		check_differs(check, element, place, expected, text_of(check, found));
	return expected == NULL && !absent;
}

static const struct xml_element *task_element(const struct check *check, int task)
{
	const struct xml_element *element = element_child(check->root, "results")->first;
	for (int i = 0; i < task; i++)
		element = element->next;
	return element;
}

int slack_compare(struct check *check, const struct input_folders *folders, const struct verify_options *options)
{
	const struct xml_element *parent = element_child(check->root, "sensitivity"), *element = parent == NULL ? NULL : parent->first;
	int good = 0;
	if (parent == NULL || check->diagnostics->errors > 0) /* what is wrong without it is said; nothing can be built on that */
		return 0;
	if (options->witness == NULL) {
		diagnose(check->diagnostics, DIAGNOSTIC_NOT_CHECKED, check->path, parent->line,
			"sensitivity: unchecked: expected a report without slack; found figures, and nobody to analyse moved inputs");
		return 0;
	}
	for (int i = 0; i < check->set->task_count; i++) {
		const char *where = arena_format(check->arena, "slack %s", check->set->tasks[i].id);
		if (element == NULL) {
			check_differs(check, parent, where, "figures", "nothing");
			return good;
		}
		check_text(check, element, where, "task", check->set->tasks[i].id);
		check_text(check, element, where, "deadline", element_get(task_element(check, i), "slack"));
		for (int what = MOVING_ALL_WCETS; what <= MOVING_PERIOD; what++) {
			struct figure figure = figure_of(check, i, (enum moving)what);
			good += compare_figure(check, folders, options, element, where, i, &figure);
		}
		element = element->next;
	}
	if (element != NULL)
		check_differs(check, element, "sensitivity", "no further task", element_get(element, "task"));
	return good;
}
