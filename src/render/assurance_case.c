/* A report as an argument. */
#include "render/assurance_case.h"

#include <string.h>

struct builder {
	const struct render *render;
	struct arena *arena;
	const struct xml_element *root;
	struct assurance_case graph;
	int counts[CASE_ASSUMPTION + 1];
	int *assumptions; /* [of the register]: node, or -1 */
};

static int add(struct builder *b, enum case_kind kind, const char *name, const char *text)
{
	static const char *const letters[] = {"G", "S", "Sn", "C", "A"};
	struct assurance_case *graph = &b->graph;
	graph->nodes = arena_grow(b->arena, graph->nodes, &graph->node_capacity, graph->node_count + 1, sizeof *graph->nodes);
	graph->nodes[graph->node_count] = (struct case_node){
		.kind = kind, .id = arena_format(b->arena, "%s%d", letters[kind], ++b->counts[kind]), .name = name, .text = text};
	return graph->node_count++;
}

static void join(struct builder *b, int from, int to, bool in_context)
{
	struct assurance_case *graph = &b->graph;
	graph->edges = arena_grow(b->arena, graph->edges, &graph->edge_capacity, graph->edge_count + 1, sizeof *graph->edges);
	graph->edges[graph->edge_count++] = (struct case_edge){from, to, in_context};
}

static int add_below(struct builder *b, int above, enum case_kind kind, const char *name, const char *text)
{
	int node = add(b, kind, name, text);
	join(b, above, node, kind == CASE_CONTEXT || kind == CASE_ASSUMPTION);
	return node;
}

static bool says(const struct xml_element *element, const char *attribute, const char *value)
{
	const char *text = element_get(element, attribute);
	return text != NULL && strcmp(text, value) == 0;
}

static bool is_shown(const struct xml_element *element)
{
	return says(element, "verdict", "proven") || says(element, "verdict", "conditional");
}

/* ---- what is taken for granted */

static const char *text_of(const struct xml_element *element, const char *child)
{
	const struct xml_element *found = element_child(element, child);
	return found != NULL ? found->text : NULL;
}

/* Those of the register on which some result rests. */
static void add_assumptions(struct builder *b)
{
	const struct xml_element *parent = element_child(b->root, "assumptions"), *of = render_first(parent, "assumption");
	int count = 0;
	b->assumptions = arena_allocate(b->arena, (size_t)element_count(parent, "assumption") + 1, sizeof *b->assumptions);
	for (; of != NULL; of = render_next(of)) {
		b->assumptions[count++] = -1;
		if (!says(of, "used", "true"))
			continue;
		int node = add(b, CASE_ASSUMPTION, element_get(of, "id"), text_of(of, "statement"));
		b->graph.nodes[node].who = text_of(of, "discharge");
		b->graph.nodes[node].unvouched = says(of, "status", "conditional");
		b->assumptions[count - 1] = node;
	}
}

static bool lists(const char *list, const char *id)
{
	size_t length = strlen(id);
	for (const char *at = list; at != NULL && *at != '\0'; at += strspn(at, " ")) {
		size_t word = strcspn(at, " ");
		if (word == length && strncmp(at, id, length) == 0)
			return true;
		at += word;
	}
	return false;
}

/* list: NULL: all, as of a chain, which rests on its tasks. */
static void assume(struct builder *b, int node, const char *list)
{
	const struct xml_element *of = render_first(element_child(b->root, "assumptions"), "assumption");
	for (int i = 0; of != NULL; of = render_next(of), i++) {
		if (b->assumptions[i] < 0 || (list != NULL && !lists(list, element_get(of, "id"))))
			continue;
		join(b, node, b->assumptions[i], true);
		if (b->graph.nodes[b->assumptions[i]].unvouched)
			b->graph.nodes[node].unvouched = true;
	}
}

/* ---- results */

static void support_result(struct builder *b, int goal, const struct xml_element *result)
{
	const char *bound = element_get(result, "bound"), *step = element_get(result, "step");
	const char *by = bound != NULL ? arena_format(b->arena, "by bound %s", bound) : "from the bounds of its tasks";
	int strategy = add_below(b, goal, CASE_STRATEGY, by,
		arena_format(b->arena,
			"Argument %s: the response is the value of step %s of the derivation, in which each number follows from its inputs "
			"by a "
			"rule that names its claim",
			by, step));
	int solution = add_below(b, strategy, CASE_SOLUTION, arena_format(b->arena, "step %s", step),
		arena_format(b->arena, "Step %s of the derivation in the report, with all steps that it rests on", step));
	b->graph.nodes[solution].hash = b->render->report->hash;
	assume(b, strategy, element_get(result, "assumptions"));
	b->graph.nodes[goal].unvouched = says(result, "verdict", "conditional");
}

static void add_result(struct builder *b, int above, const struct xml_element *result)
{
	if (element_is(result, "stream") || render_is_left_out(b->render, result))
		return;
	int goal = add_below(b, above, CASE_GOAL, arena_format(b->arena, "%s %s", result->name, element_get(result, "id")),
		arena_format(b->arena, "Of %s %s %s", result->name, element_get(result, "id"), render_verdict(b->arena, result)));
	bool bounded = is_shown(result) || (element_get(result, "deadline") == NULL && element_get(result, "step") != NULL);
	if (bounded) {
		support_result(b, goal, result);
		return;
	}
	b->graph.nodes[goal].undeveloped = true;
	b->graph.nodes[goal].text = arena_format(b->arena, "%s %s meets its deadline. Not shown: %s",
		element_is(result, "chain") ? "Chain" : "Task", element_get(result, "id"), render_verdict(b->arena, result));
}

/* ---- the numbers, and what they are of */

static int count_certificates(const struct xml_element *element)
{
	int count = element_is(element, "certificate");
	for (const struct xml_element *child = element->first; child != NULL; child = child->next)
		count += count_certificates(child);
	return count;
}

static void add_derivation(struct builder *b, int above)
{
	const struct xml_element *programs = element_child(b->root, "programs");
	int certificates = programs != NULL ? count_certificates(programs) : 0;
	int goal = add_below(
		b, above, CASE_GOAL, "derived", "Every number of the report follows from its inputs by the rules that the report lists");
	b->graph.nodes[goal].undeveloped = true;
	b->graph.nodes[goal].who = "whoever receives the report: gpubound accept derives every number again, by other code";
	int solution = add_below(b, goal, CASE_SOLUTION, "derivation",
		arena_format(b->arena, "The derivation in the report: %d steps by %d rules",
			element_count(element_child(b->root, "derivation"), "step"),
			element_count(element_child(b->root, "rules"), "rule")));
	b->graph.nodes[solution].hash = b->render->report->hash;
	if (certificates == 0)
		return;
	solution = add_below(b, goal, CASE_SOLUTION, "proofs of LPs",
		arena_format(b->arena, "%d certificates of linear programs in the report, which are evaluated exactly", certificates));
	b->graph.nodes[solution].hash = b->render->report->hash;
}

static const char *origin_text(struct builder *b, const struct xml_element *origin)
{
	static const char *const more[] = {"by", "file", "row", "samples"};
	const char *text = arena_format(b->arena, "%s: %s", element_get(origin, "kind"), element_get(origin, "source"));
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		if (element_get(origin, more[i]) != NULL)
			text = arena_format(b->arena, "%s; %s %s", text, more[i], element_get(origin, more[i]));
	return text;
}

static void add_inputs(struct builder *b, int above)
{
	int goal = add_below(b, above, CASE_GOAL, "inputs", "What task set and platform model say is true of the system that is built");
	b->graph.nodes[goal].undeveloped = true;
	b->graph.nodes[goal].who = "whoever answers for the system and for the platform model";
	const struct xml_element *input = render_first(element_child(b->root, "inputs"), "input");
	for (; input != NULL; input = render_next(input)) {
		int solution = add_below(b, goal, CASE_SOLUTION, element_get(input, "role"),
			arena_format(b->arena, "%s %s, %s bytes", element_get(input, "role"), element_get(input, "path"),
				element_get(input, "bytes")));
		b->graph.nodes[solution].hash = element_get(input, "sha256");
	}
	const struct xml_element *origin = render_first(element_child(b->root, "provenance"), "origin");
	for (; origin != NULL; origin = render_next(origin))
		add_below(b, goal, CASE_SOLUTION, arena_format(b->arena, "origin %s", element_get(origin, "id")), origin_text(b, origin));
}

/* ---- the root */

static void add_report(struct builder *b, int above)
{
	const struct xml_element *environment = element_child(b->root, "environment");
	const char *tool = arena_format(b->arena, "%s %s", element_get(environment, "tool"), element_get(environment, "version"));
	int context = add_below(b, above, CASE_CONTEXT, "report",
		arena_format(b->arena, "A report by %s; %s", tool,
			b->render->report->is_signed ? "signed; by whom is not checked here" : "not signed"));
	b->graph.nodes[context].hash = b->render->report->hash;
	if (element_get(environment, "source-sha256") != NULL) {
		context = add_below(b, above, CASE_CONTEXT, "program", arena_format(b->arena, "The sources of %s", tool));
		b->graph.nodes[context].hash = element_get(environment, "source-sha256");
	}
	const char *left_out = element_get(b->root, "left-out");
	if (left_out != NULL)
		add_below(b, above, CASE_CONTEXT, "best effort",
			arena_format(b->arena, "Tasks that need no bound and have none: %s", left_out));
}

struct assurance_case assurance_case_of(const struct render *render)
{
	struct builder b = {.render = render, .arena = render->arena, .root = render->report->root};
	const char *set = element_get(b.root, "taskset"), *platform = element_get(b.root, "platform");
	int top = add(&b, CASE_GOAL, "deadlines",
		arena_format(b.arena, "Every task and chain of %s on %s meets its deadline, however blocks are placed and timed", set,
			platform));
	b.graph.nodes[top].undeveloped = !is_shown(b.root);
	b.graph.nodes[top].unvouched = says(b.root, "verdict", "conditional");
	add_report(&b, top);
	add_assumptions(&b);
	int strategy = add_below(&b, top, CASE_STRATEGY, "each task and chain",
		"Argument over each task and each chain, whose response is bounded; over the numbers, and over what they are of");
	for (const struct xml_element *result = element_child(b.root, "results")->first; result != NULL; result = result->next)
		add_result(&b, strategy, result);
	add_derivation(&b, strategy);
	add_inputs(&b, strategy);
	return b.graph;
}
