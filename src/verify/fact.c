/* Facts, their steps, and the comparison with the report's steps. */
#include "verify/fact.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define ANY_STEP (-1)

struct child {
	const char *role;
	struct node *node;
};

struct node {
	int rule;
	const char *about;
	struct rational value;
	struct child *children;
	int count, capacity;
	bool unchecked; /* taken from the report with all that it rests on */
	int only;       /* the one step that it may be; ANY_STEP */
	int *compared;  /* the step of the report that it was last found equal or unequal to; ANY_STEP */
};

static struct node *make(struct check *check, int rule, const char *about, struct rational value)
{
	struct node *node = arena_allocate(check->arena, 1, sizeof *node);
	int *compared = arena_allocate(check->arena, 1, sizeof *compared);
	*compared = ANY_STEP;
	*node = (struct node){.rule = rule, .about = about, .value = value, .only = ANY_STEP, .compared = compared};
	return node;
}

static void add(struct check *check, struct node *node, const char *role, struct node *input)
{
	if (node == NULL || input == NULL) /* a zero that needs no step */
		return;
	node->children = arena_grow(check->arena, node->children, &node->capacity, node->count + 1, sizeof *node->children);
	node->children[node->count++] = (struct child){role, input};
}

struct fact fact_given(struct check *check, int64_t value, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const char *about = arena_format_list(check->arena, format, arguments);
	va_end(arguments);
	return fact_make(check, RULE_GIVEN, about, value);
}

struct fact fact_make(struct check *check, int rule, const char *about, int64_t value)
{
	return (struct fact){value, make(check, rule, about, rational_of(value)), 0};
}

void fact_from(struct check *check, struct fact *fact, const char *role, struct fact input)
{
	add(check, fact->node, role, input.node);
	fact->assumptions |= input.assumptions;
	if (checked_is_none(input.value))
		fact->value = NONE;
}

void fact_settle(struct fact *fact)
{
	fact->node->value = rational_of(fact->value);
}

struct fact fact_sum(struct check *check, const char *about, const struct fact *parts, int count)
{
	int64_t sum = 0;
	if (count == 0)
		return FACT_ZERO;
	for (int i = 0; i < count; i++)
		sum = checked_add(sum, parts[i].value);
	struct fact fact = fact_make(check, RULE_SUM, about, sum);
	for (int i = 0; i < count; i++)
		fact_from(check, &fact, "c", parts[i]);
	return fact;
}

struct factor factor_make(struct check *check, int rule, const char *about, struct rational value)
{
	return (struct factor){value, make(check, rule, about, value)};
}

void factor_from(struct check *check, struct node *node, const char *role, struct node *input)
{
	add(check, node, role, input);
}

void fact_bind(struct fact *fact, int step)
{
	if (fact->node != NULL)
		fact->node->only = step;
}

struct fact fact_unchecked(struct check *check, int step)
{
	const struct graph_step *of = &check->graph.steps[step];
	struct fact fact = {graph_integer(check, step), make(check, of->rule, of->about == NULL ? "" : of->about, of->value), 0};
	fact.node->unchecked = true;
	fact.node->only = step;
	return fact;
}

/* ---- comparison */

static const char *text_of(struct check *check, struct rational value)
{
	return value.den == 1 ? arena_format(check->arena, "%" PRId64, value.num)
			      : arena_format(check->arena, "%" PRId64 "/%" PRId64, value.num, value.den);
}

static const char *name_of(struct check *check, int index)
{
	const struct graph_step *step = &check->graph.steps[index];
	return arena_format(
		check->arena, "step s%d (%s, %s)", index + 1, rule_kinds[step->rule].name, step->about == NULL ? "" : step->about);
}

static bool same_head(struct check *check, const struct node *node, int index)
{
	const struct graph_step *step = &check->graph.steps[index];
	const char *about = step->about == NULL ? "" : step->about;
	bool same = step->rule == node->rule && strcmp(about, node->about) == 0, permitted = node->only == ANY_STEP || node->only == index;
	if (same && permitted && !rational_is_none(node->value) && rational_compare(step->value, node->value) == 0)
		return true;
	const char *name = name_of(check, index);
	if (!same)
		check_differs(check, step->element, name, arena_format(check->arena, "%s of %s", rule_kinds[node->rule].name, node->about),
			arena_format(check->arena, "%s of %s", rule_kinds[step->rule].name, about));
	else if (!permitted)
		check_differs(check, step->element, name, arena_format(check->arena, "s%d", node->only + 1),
			arena_format(check->arena, "s%d", index + 1));
	else
		check_differs(check, step->element, name,
			rational_is_none(node->value) ? "no value that the inputs give" : text_of(check, node->value),
			text_of(check, step->value));
	return false;
}

static void compare_inputs(struct check *check, const struct node *node, int index)
{
	const struct graph_step *step = &check->graph.steps[index];
	if (step->input_count != node->count) {
		check_differs(check, step->element, name_of(check, index), arena_format(check->arena, "%d inputs", node->count),
			arena_format(check->arena, "%d", step->input_count));
		return;
	}
	for (int i = 0; i < node->count; i++) {
		const struct graph_input *input = &step->inputs[i];
		if (strcmp(input->role, node->children[i].role) == 0)
			fact_compare(check, node->children[i].node, input->step, step->element, NULL);
		else
			check_differs(check, step->element, name_of(check, index),
				arena_format(check->arena, "%s as input %d", node->children[i].role, i + 1), input->role);
	}
}

void fact_compare(struct check *check, const struct node *node, int index, const struct xml_element *from, const char *where)
{
	if (node == NULL || index < 0) {
		if ((node == NULL) != (index < 0))
			check_differs(check, from, where == NULL ? "a step's input" : where, node == NULL ? "no step" : "a step",
				node == NULL ? "a step" : "none");
		return;
	}
	if (*node->compared == index)
		return;
	*node->compared = index;
	check->graph.steps[index].reached = true;
	check->graph.steps[index].carries = check->graph.steps[index].carries || node->unchecked;
	if (same_head(check, node, index) && !node->unchecked)
		compare_inputs(check, node, index);
}
