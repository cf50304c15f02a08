/* JUnit XML for CI servers: a suite of tasks and, where there are chains, one of chains; a test case each. A bound above the deadline is
 * a failure, as is one that is conditional unless the user lets those pass; no bound is an error: neither passes; a task that is best
 * effort and has no bound is skipped. No standard defines the format; what is written is valid by the schema of Jenkins' xUnit plugin
 * (junit-10.xsd), which has no properties of a test case: its figures are its output. tests/render/junit.xsd has the part that is used. */
#include "render/render.h"
#include "write/xml_write.h"

#include <inttypes.h>
#include <string.h>

struct counts {
	int tests, failures, errors, skipped;
};

static bool fails(const struct render *render, const struct xml_element *result)
{
	const char *verdict = element_get(result, "verdict");
	return strcmp(verdict, "not-proven") == 0 || (strcmp(verdict, "conditional") == 0 && !render->pass_conditional);
}

static void count(const struct render *render, const char *kind, struct counts *counts)
{
	const struct xml_element *result = render_first(element_child(render->report->root, "results"), kind);
	for (; result != NULL; result = render_next(result)) {
		bool skipped = render_is_left_out(render, result);
		counts->tests++;
		counts->skipped += skipped;
		counts->failures += fails(render, result);
		counts->errors += strcmp(element_get(result, "verdict"), "no-bound") == 0 && !skipped;
	}
}

static void add_property(struct xml *xml, const char *name, const char *value)
{
	if (value == NULL)
		return;
	xml_begin(xml, "property");
	xml_attribute(xml, "name", name);
	xml_attribute(xml, "value", value);
	xml_end(xml);
}

/* What an auditor asks of a test run: which program on which files, by which assumptions. */
static void add_suite_properties(struct xml *xml, const struct render *render)
{
	const struct xml_element *root = render->report->root, *environment = element_child(root, "environment");
	struct output used = {0};
	xml_begin(xml, "properties");
	add_property(xml, "gpubound.version", element_get(environment, "version"));
	add_property(xml, "report.sha256", render->report->hash);
	const struct xml_element *input = render_first(element_child(root, "inputs"), "input");
	for (; input != NULL; input = render_next(input)) {
		const char *role = element_get(input, "role");
		add_property(xml, arena_format(render->arena, "%s.path", role), element_get(input, "path"));
		add_property(xml, arena_format(render->arena, "%s.sha256", role), element_get(input, "sha256"));
	}
	const struct xml_element *assumption = render_first(element_child(root, "assumptions"), "assumption");
	for (; assumption != NULL; assumption = render_next(assumption))
		if (strcmp(element_get(assumption, "used"), "true") == 0)
			output_print(&used, "%s%s", used.length > 0 ? " " : "", element_get(assumption, "id"));
	add_property(xml, "assumptions", used.length > 0 ? used.text : NULL);
	add_property(xml, "verdict", element_get(root, "verdict"));
	add_property(xml, "conditions", render_conditions(render));
	output_finish(&used);
	xml_end(xml);
}

static void add_case_output(struct xml *xml, const struct xml_element *result)
{
	static const char *const names[] = {
		"verdict", "best-effort", "requirement", "response", "deadline", "slack", "bound", "assumptions"};
	struct output text = {0};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (element_get(result, names[i]) != NULL)
			output_print(&text, "%s: %s\n", names[i], element_get(result, names[i]));
	xml_begin(xml, "system-out");
	xml_text(xml, text.text);
	xml_end(xml);
	output_finish(&text);
}

static void add_outcome(struct xml *xml, const struct render *render, const struct xml_element *result)
{
	const char *verdict = element_get(result, "verdict");
	bool errs = strcmp(verdict, "no-bound") == 0;
	if (!errs && !fails(render, result))
		return;
	bool skipped = render_is_left_out(render, result);
	xml_begin(xml, skipped ? "skipped" : errs ? "error" : "failure");
	xml_attribute(xml, "type", verdict);
	xml_attribute(xml, "message", render_verdict(render->arena, result));
	const struct xml_element *advice = element_child(result, "advice");
	if (advice != NULL)
		xml_text(xml, advice->text);
	xml_end(xml);
}

static void add_case(struct xml *xml, const struct render *render, const struct xml_element *result)
{
	xml_begin(xml, "testcase");
	xml_attribute(xml, "classname", arena_format(render->arena, "%s.%s", element_get(render->report->root, "taskset"), result->name));
	xml_attribute(xml, "name", element_get(result, "id"));
	xml_attribute(xml, "time", "0");
	add_outcome(xml, render, result);
	add_case_output(xml, result);
	xml_end(xml);
}

/* Of all suites together the schema counts none that were skipped. */
static void add_counts(struct xml *xml, const struct counts *counts, bool of_suite)
{
	xml_integer(xml, "tests", counts->tests);
	xml_integer(xml, "failures", counts->failures);
	xml_integer(xml, "errors", counts->errors);
	if (of_suite && counts->skipped > 0)
		xml_integer(xml, "skipped", counts->skipped);
	xml_attribute(xml, "time", "0");
}

static void add_suite(struct xml *xml, const struct render *render, const char *kind, const char *name)
{
	const struct xml_element *results = element_child(render->report->root, "results");
	struct counts counts = {0};
	count(render, kind, &counts);
	if (counts.tests == 0)
		return;
	xml_begin(xml, "testsuite");
	xml_attribute(xml, "name", arena_format(render->arena, "%s.%s", element_get(render->report->root, "taskset"), name));
	add_counts(xml, &counts, true);
	add_suite_properties(xml, render);
	for (const struct xml_element *result = render_first(results, kind); result != NULL; result = render_next(result))
		add_case(xml, render, result);
	xml_end(xml);
}

bool render_junit(const struct render *render, struct output *output)
{
	struct xml xml = {.output = output};
	struct counts all = {0};
	count(render, "task", &all);
	count(render, "chain", &all);
	output_add(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
	xml_begin(&xml, "testsuites");
	xml_attribute(&xml, "name", "gpubound");
	add_counts(&xml, &all, false);
	add_suite(&xml, render, "task", "tasks");
	add_suite(&xml, render, "chain", "chains");
	xml_end(&xml);
	output_add(output, "\n");
	return true;
}
