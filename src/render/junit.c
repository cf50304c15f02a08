/* JUnit XML for CI servers: a suite of tasks and, where there are chains, one of chains; a test case each. A bound above the deadline is
 * a failure, no bound is an error: neither passes. No standard defines the format; what is written is valid by the schema of Jenkins'
 * xUnit plugin (junit-10.xsd), which has no properties of a test case: its figures are its output. tests/render/junit.xsd has the part
 * that is used. */
#include "render/render.h"
#include "report/xml_write.h"

#include <inttypes.h>
#include <string.h>

static int count_verdicts(const struct xml_element *results, const char *kind, const char *verdict)
{
	int count = 0;
	for (const struct xml_element *result = render_first(results, kind); result != NULL; result = render_next(result))
		count += strcmp(element_get(result, "verdict"), verdict) == 0;
	return count;
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
	output_finish(&used);
	xml_end(xml);
}

static void add_case_output(struct xml *xml, const struct xml_element *result)
{
	static const char *const names[] = {"verdict", "requirement", "response", "deadline", "slack", "bound", "assumptions"};
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
	if (strcmp(verdict, "proven") == 0)
		return;
	xml_begin(xml, strcmp(verdict, "no-bound") == 0 ? "error" : "failure");
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

static void add_counts(struct xml *xml, int tests, int failures, int errors)
{
	xml_integer(xml, "tests", tests);
	xml_integer(xml, "failures", failures);
	xml_integer(xml, "errors", errors);
	xml_attribute(xml, "time", "0");
}

static void add_suite(struct xml *xml, const struct render *render, const char *kind, const char *name)
{
	const struct xml_element *results = element_child(render->report->root, "results");
	int tests = element_count(results, kind);
	if (tests == 0)
		return;
	xml_begin(xml, "testsuite");
	xml_attribute(xml, "name", arena_format(render->arena, "%s.%s", element_get(render->report->root, "taskset"), name));
	add_counts(xml, tests, count_verdicts(results, kind, "not-proven"), count_verdicts(results, kind, "no-bound"));
	add_suite_properties(xml, render);
	for (const struct xml_element *result = render_first(results, kind); result != NULL; result = render_next(result))
		add_case(xml, render, result);
	xml_end(xml);
}

bool render_junit(const struct render *render, struct output *output)
{
	struct xml xml = {.output = output};
	const struct xml_element *results = element_child(render->report->root, "results");
	output_add(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
	xml_begin(&xml, "testsuites");
	xml_attribute(&xml, "name", "gpubound");
	add_counts(&xml, element_count(results, "task") + element_count(results, "chain"),
		count_verdicts(results, "task", "not-proven") + count_verdicts(results, "chain", "not-proven"),
		count_verdicts(results, "task", "no-bound") + count_verdicts(results, "chain", "no-bound"));
	add_suite(&xml, render, "task", "tasks");
	add_suite(&xml, render, "chain", "chains");
	xml_end(&xml);
	output_add(output, "\n");
	return true;
}
