/* Reading the derivation of a report. */
#include "verify/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool parse_integer(const char *text, char **end, int64_t *value)
{
	errno = 0;
	*value = strtoll(text, end, 10);
	return errno == 0 && *end != text;
}

/* A digit, and no zero before others. */
static bool is_plain(const char *digits)
{
	return digits[0] != '0' || digits[1] < '0' || digits[1] > '9';
}

/* The schema says digits, and a slash with digits; in lowest terms, so that a number has one spelling. */
static struct rational parse_value(const char *text)
{
	int64_t num, den = 1;
	char *end;
	if (text == NULL || !parse_integer(text, &end, &num) || (*end == '/' && !parse_integer(end + 1, &end, &den)) || *end != '\0')
		return RATIONAL_NONE;
	struct rational value = rational_make(num, den);
	bool plain = is_plain(text + (*text == '-')) && !(*text == '-' && num == 0) && (strchr(text, '/') != NULL) == (den != 1);
	return value.num == num && value.den == den && plain ? value : RATIONAL_NONE;
}

int graph_number(const struct check *check, const struct xml_element *element, const char *attribute)
{
	const char *text = element_get(element, attribute);
	int64_t number;
	char *end;
	if (text == NULL || !parse_integer(text + 1, &end, &number) || number < 1 || number > check->graph.count)
		return -1;
	return (int)number - 1;
}

static bool read_inputs(struct check *check, struct graph_step *step, int index)
{
	step->inputs = arena_allocate(check->arena, (size_t)element_count(step->element, "from") + 1, sizeof *step->inputs);
	for (const struct xml_element *from = step->element->first; from != NULL; from = from->next) {
		int number = graph_number(check, from, "step");
		if (number < 0 || number >= index) {
			check_differs(check, from, element_get(step->element, "id"), "an earlier step", element_get(from, "step"));
			return false;
		}
		step->inputs[step->input_count++] = (struct graph_input){element_get(from, "role"), number};
	}
	return true;
}

static bool read_step(struct check *check, const struct xml_element *element, int index)
{
	struct graph_step *step = &check->graph.steps[index];
	const char *id = arena_format(check->arena, "s%d", index + 1), *value = element_get(element, "value");
	*step = (struct graph_step){.element = element,
		.rule = rule_find(element_get(element, "rule")),
		.about = element_get(element, "about"),
		.value = parse_value(value)};
	if (strcmp(element_get(element, "id"), id) != 0)
		check_differs(check, element, "step", id, element_get(element, "id"));
	else if (step->rule < 0)
		check_differs(check, element, id, "a rule of this program", element_get(element, "rule"));
	else if (rational_is_none(step->value))
		check_differs(check, element, id, "a value in lowest terms that fits 64 bits", value == NULL ? "nothing" : value);
	else
		return read_inputs(check, step, index);
	return false;
}

static void index_steps(struct check *check)
{
	struct graph *graph = &check->graph;
	const struct graph_step **items = arena_allocate(check->arena, (size_t)graph->count + 1, sizeof *items);
	graph->of_rule = arena_allocate(check->arena, RULE_COUNT, sizeof *graph->of_rule);
	for (int i = 0; i < graph->count; i++)
		graph->of_rule[graph->steps[i].rule].count++;
	for (int rule = 0; rule < RULE_COUNT; items += graph->of_rule[rule++].count)
		graph->of_rule[rule] = (struct steps_of_rule){items, graph->of_rule[rule].count, -1, false};
	for (int rule = 0; rule < RULE_COUNT; rule++)
		graph->of_rule[rule].count = 0;
	for (int i = 0; i < graph->count; i++) {
		struct steps_of_rule *of = &graph->of_rule[graph->steps[i].rule];
		of->first = of->count == 0 ? i : of->first;
		of->items[of->count++] = &graph->steps[i];
	}
}

bool graph_read(struct check *check)
{
	const struct xml_element *derivation = element_child(check->root, "derivation");
	struct graph *graph = &check->graph;
	int index = 0;
	bool good = true;
	graph->count = element_count(derivation, "step");
	graph->steps = arena_allocate(check->arena, (size_t)graph->count + 1, sizeof *graph->steps);
	for (const struct xml_element *step = derivation->first; step != NULL && good; step = step->next)
		good = read_step(check, step, index++);
	if (good)
		index_steps(check);
	return good;
}

static const char *about_of(const struct graph_step *step)
{
	return step->about == NULL ? "" : step->about;
}

static int compare_steps(const void *a, const void *b)
{
	const struct graph_step *one = *(const struct graph_step *const *)a, *other = *(const struct graph_step *const *)b;
	int order = strcmp(about_of(one), about_of(other));
	return order != 0 ? order : (one > other) - (one < other); /* all are of one array */
}

/* The first one about that, from `from` on; the number of all where there is none. */
static int lower_bound(const struct steps_of_rule *of, const char *about, const struct graph_step *from)
{
	int low = 0, high = of->count;
	while (low < high) {
		int middle = low + (high - low) / 2, order = strcmp(about_of(of->items[middle]), about);
		if (order < 0 || (order == 0 && of->items[middle] < from))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int graph_find(const struct check *check, int from, int rule, const char *about)
{
	const struct graph *graph = &check->graph;
	struct steps_of_rule *of = &graph->of_rule[rule];
	if (about == NULL)
		return of->first;
	if (!of->sorted)
		qsort(of->items, (size_t)of->count, sizeof *of->items, compare_steps);
	of->sorted = true;
	int at = lower_bound(of, about, graph->steps + from);
	return at < of->count && strcmp(about_of(of->items[at]), about) == 0 ? (int)(of->items[at] - graph->steps) : -1;
}

int graph_input(const struct check *check, int step, const char *role)
{
	for (int i = 0; step >= 0 && i < check->graph.steps[step].input_count; i++)
		if (strcmp(check->graph.steps[step].inputs[i].role, role) == 0)
			return check->graph.steps[step].inputs[i].step;
	return -1;
}

int64_t graph_integer(const struct check *check, int step)
{
	if (step < 0 || check->graph.steps[step].value.den != 1)
		return NONE;
	return check->graph.steps[step].value.num;
}

/* A step's inputs come before it. */
static void reach_all(struct graph *graph)
{
	for (int i = graph->count - 1; i >= 0; i--)
		for (int k = 0; graph->steps[i].carries && k < graph->steps[i].input_count; k++) {
			struct graph_step *input = &graph->steps[graph->steps[i].inputs[k].step];
			input->reached = input->carries = true;
		}
}

void graph_check_steps(struct check *check)
{
	reach_all(&check->graph);
	for (int i = 0; i < check->graph.count; i++) {
		const struct graph_step *step = &check->graph.steps[i];
		const char *where = element_get(step->element, "id");
		if (!step->reached)
			check_differs(check, step->element, where, "a step that a result rests on", "one that none rests on");
		inputs_compare_place(check, step, where);
	}
}
