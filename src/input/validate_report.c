/* What a report says twice it says the same: steps, values, verdicts, counts. */
#include "input/read_report.h"

#include "base/checked.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct check {
	struct diagnostics *diagnostics;
	const char *path;
	const struct xml_element **steps; /* step sN is steps[N - 1] */
	int step_count;
	bool good;
};

#define CONTRADICTS(check, element, ...)                                                                                                   \
	((check)->good = false, diagnose((check)->diagnostics, DIAGNOSTIC_REPORT_INCONSISTENT, (check)->path, (element)->line, __VA_ARGS__))

/* The schema permits whole numbers of up to 19 digits; NONE: absent, or too large for the program to have written it. */
static int64_t number(const struct xml_element *element, const char *name)
{
	const char *text = element_get(element, name);
	if (text == NULL)
		return NONE;
	errno = 0;
	long long value = strtoll(text, NULL, 10);
	return errno == 0 ? value : NONE;
}

/* ---- steps */

/* The schema says "s" and a number without leading zeros; NULL: there is no such step. */
static const struct xml_element *find_step(const struct check *check, const char *id)
{
	errno = 0;
	long index = strtol(id + 1, NULL, 10);
	return errno == 0 && index >= 1 && index <= check->step_count ? check->steps[index - 1] : NULL;
}

static void check_step(struct check *check, const struct xml_element *step, int index)
{
	const char *id = element_get(step, "id");
	if (strtol(id + 1, NULL, 10) != index + 1)
		CONTRADICTS(check, step, "expected the step s%d here; got \"%s\"", index + 1, id);
	check->steps[index] = step;
	check->step_count = index; /* so far: what a step refers to stands before it */
	for (const struct xml_element *from = step->first; from != NULL; from = from->next)
		if (find_step(check, element_get(from, "step")) == NULL)
			CONTRADICTS(check, from, "expected an earlier step; got \"%s\"", element_get(from, "step"));
}

static void check_steps(struct check *check, struct arena *arena, const struct xml_element *derivation)
{
	int count = element_count(derivation, "step"), index = 0;
	check->steps = arena_allocate(arena, (size_t)count + 1, sizeof *check->steps);
	for (const struct xml_element *step = derivation->first; step != NULL; step = step->next)
		check_step(check, step, index++);
	check->step_count = count;
}

/* ---- results */

/* A value and the step that derives it: both or neither, and the same. */
static void check_value(struct check *check, const struct xml_element *element, const char *name)
{
	const char *value = element_get(element, name), *id = element_get(element, "step");
	if (value == NULL || id == NULL) {
		if (value != NULL || id != NULL)
			CONTRADICTS(check, element, "expected \"%s\" and \"step\" together; got one of them", name);
		return;
	}
	const struct xml_element *step = find_step(check, id);
	const char *derived = step != NULL ? element_get(step, "value") : NULL;
	if (derived == NULL || strcmp(derived, value) != 0)
		CONTRADICTS(check, element, "expected the value of step %s (%s) as %s; got %s", id, derived != NULL ? derived : "none",
			name, value);
}

/* Whether what is met is met under a condition is for `verify` to say: that takes the inputs. */
static const char *expected_verdict(int64_t response, int64_t deadline, const char *verdict)
{
	if (checked_is_none(response))
		return "no-bound";
	bool met = checked_is_none(deadline) || response <= deadline;
	return !met ? "not-proven" : strcmp(verdict, "conditional") == 0 ? verdict : "proven";
}

static void check_verdict(struct check *check, const struct xml_element *result)
{
	int64_t response = number(result, "response"), deadline = number(result, "deadline"), slack = number(result, "slack");
	const char *verdict = element_get(result, "verdict"), *expected = expected_verdict(response, deadline, verdict);
	if (strcmp(verdict, expected) != 0)
		CONTRADICTS(check, result, "expected the verdict %s, as response and deadline say; got %s", expected, verdict);
	if (slack != checked_sub(deadline, response))
		CONTRADICTS(check, result, "expected slack to be deadline less response");
}

/* The bound that won is one of the bounds. */
static void check_winner(struct check *check, const struct xml_element *result)
{
	const char *winner = element_get(result, "bound");
	for (const struct xml_element *child = result->first; child != NULL && winner != NULL; child = child->next)
		if (element_is(child, "bound") && strcmp(element_get(child, "name"), winner) == 0)
			winner = NULL;
	if (winner != NULL)
		CONTRADICTS(check, result, "expected the bound that won among the bounds; \"%s\" is not there", winner);
}

static int grade(const char *verdict)
{
	static const char *const grades[] = {"proven", "conditional", "not-proven", "no-bound"};
	int found = 0;
	while (strcmp(grades[found], verdict) != 0)
		found++;
	return found;
}

static int check_result(struct check *check, const struct xml_element *result)
{
	check_value(check, result, "response");
	check_verdict(check, result);
	if (!element_is(result, "chain"))
		check_winner(check, result);
	for (const struct xml_element *child = result->first; child != NULL; child = child->next) {
		if (element_is(child, "bound"))
			check_value(check, child, "value");
		else if (element_is(child, "operation"))
			check_value(check, child, "inflated");
	}
	return element_is(result, "stream") ? 0 : grade(element_get(result, "verdict")); /* a stream says what its tasks say */
}

static bool is_left_out(const struct xml_element *result)
{
	const char *best_effort = element_get(result, "best-effort");
	return best_effort != NULL && strcmp(best_effort, "true") == 0 && strcmp(element_get(result, "verdict"), "no-bound") == 0;
}

/* Ids of the tasks that the verdict of the whole goes without; NULL: none is, or nothing else is there. */
static const char *left_out_of(struct check *check, const struct xml_element *results)
{
	const char *list = NULL;
	bool others = false;
	for (const struct xml_element *result = results->first; result != NULL; result = result->next) {
		bool left_out = element_is(result, "task") && is_left_out(result);
		others |= element_is(result, "task") && !left_out;
		if (left_out)
			list = list == NULL ? element_get(result, "id")
					    : arena_format(check->diagnostics->arena, "%s %s", list, element_get(result, "id"));
	}
	return others ? list : NULL;
}

static void check_results(struct check *check, const struct xml_element *root, const struct xml_element *results)
{
	int worst = 0, said = grade(element_get(root, "verdict"));
	const char *left_out = left_out_of(check, results), *named = element_get(root, "left-out");
	for (const struct xml_element *result = results->first; result != NULL; result = result->next) {
		int verdict = check_result(check, result);
		if (left_out == NULL || !is_left_out(result))
			worst = verdict > worst ? verdict : worst;
	}
	if ((left_out == NULL) != (named == NULL) || (named != NULL && strcmp(named, left_out) != 0))
		CONTRADICTS(check, root, "expected left-out to name the tasks that are best effort and have no bound (%s); got %s",
			left_out != NULL ? left_out : "none, or there is nothing else", named != NULL ? named : "none");
	if (said != worst)
		CONTRADICTS(check, root, "expected the worst verdict of all tasks and chains; got %s", element_get(root, "verdict"));
}

/* ---- coverage */

static int count_operations(const struct xml_element *results)
{
	int count = 0;
	for (const struct xml_element *result = results->first; result != NULL; result = result->next)
		count += element_count(result, "operation");
	return count;
}

static void check_count(struct check *check, struct arena *arena, const struct xml_element *coverage, const char *what, int counted)
{
	int64_t in = number(coverage, arena_format(arena, "%s-in", what)), out = number(coverage, arena_format(arena, "%s-out", what));
	if (in != counted || out != counted)
		CONTRADICTS(check, coverage, "expected %d %s, as many as the results hold", counted, what);
}

bool report_is_consistent(struct arena *arena, struct diagnostics *diagnostics, const char *path, const struct xml_element *root)
{
	struct check check = {.diagnostics = diagnostics, .path = path, .good = true};
	const struct xml_element *results = element_child(root, "results"), *coverage = element_child(root, "coverage");
	check_steps(&check, arena, element_child(root, "derivation"));
	check_results(&check, root, results);
	check_count(&check, arena, coverage, "tasks", element_count(results, "task"));
	check_count(&check, arena, coverage, "streams", element_count(results, "stream"));
	check_count(&check, arena, coverage, "chains", element_count(results, "chain"));
	check_count(&check, arena, coverage, "operations", count_operations(results));
	return check.good;
}
