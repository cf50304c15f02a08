/* SARIF 2.1.0 (OASIS, 2020) for viewers of code findings: hazards, other diagnostics, and deadlines that are not proven, at their lines
 * of the task set. */
#include "render/render.h"

#include "base/late.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define json_array LATE(JANSSON, json_array)
#define json_array_append_new LATE(JANSSON, json_array_append_new)
#define json_array_get LATE(JANSSON, json_array_get)
#define json_array_size LATE(JANSSON, json_array_size)
#define json_delete LATE(JANSSON, json_delete)
#define json_dumps LATE(JANSSON, json_dumps)
#define json_integer LATE(JANSSON, json_integer)
#define json_object LATE(JANSSON, json_object)
#define json_object_get LATE(JANSSON, json_object_get)
#define json_object_set_new LATE(JANSSON, json_object_set_new)
#define json_set_alloc_funcs LATE(JANSSON, json_set_alloc_funcs)
#define json_string LATE(JANSSON, json_string)
#define json_string_value LATE(JANSSON, json_string_value)
#define json_true LATE(JANSSON, json_true)

struct sarif {
	const struct render *render;
	json_t *results, *rules; /* the rules that results name, each once */
};

/* JSON takes only UTF-8, which a valid report is. */
static void set_text(json_t *object, const char *name, const char *value)
{
	if (value != NULL)
		json_object_set_new(object, name, json_string(value));
}

static json_t *text_object(const char *text)
{
	json_t *object = json_object();
	set_text(object, "text", text);
	return object;
}

/* ---- where */

/* A path as a relative or absolute URI reference (RFC 3986): what is not unreserved is percent-encoded. */
static const char *uri(struct arena *arena, const char *path)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
	struct output output = {0};
	if (path[0] == '/')
		output_add(&output, "file://");
	for (const char *c = path; *c != '\0'; c++)
		if (strchr(plain, *c) != NULL)
			output_add_bytes(&output, c, 1);
		else
			output_print(&output, "%%%02X", (unsigned char)*c);
	const char *text = arena_copy(arena, output.text != NULL ? output.text : "");
	output_finish(&output);
	return text;
}

static json_t *artifact_location(const struct sarif *sarif, const char *path)
{
	json_t *location = json_object();
	set_text(location, "uri", uri(sarif->render->arena, path));
	return location;
}

static void set_location(const struct sarif *sarif, json_t *result, const char *path, const char *line)
{
	if (path == NULL)
		return;
	json_t *place = json_object(), *location = json_object(), *locations = json_array();
	json_object_set_new(place, "artifactLocation", artifact_location(sarif, path));
	long number = line != NULL ? strtol(line, NULL, 10) : 0;
	if (number > 0) {
		json_t *region = json_object();
		json_object_set_new(region, "startLine", json_integer(number));
		json_object_set_new(place, "region", region);
	}
	json_object_set_new(location, "physicalLocation", place);
	json_array_append_new(locations, location);
	json_object_set_new(result, "locations", locations);
}

/* ---- what */

static const struct diagnostic_kind *find_kind(const char *slug)
{
	for (int i = 0; i < DIAGNOSTIC_COUNT; i++)
		if (strcmp(diagnostic_kinds[i].slug, slug) == 0)
			return &diagnostic_kinds[i];
	return NULL;
}

/* Index of the rule, which is added where it is new. meaning, remedy: NULL where this program does not know the code. */
static size_t rule_index(struct sarif *sarif, const char *id, const char *meaning, const char *remedy)
{
	size_t index;
	json_t *known;
	json_array_foreach(sarif->rules, index, known) if (strcmp(json_string_value(json_object_get(known, "id")), id) == 0) return index;
	json_t *rule = json_object();
	set_text(rule, "id", id);
	if (meaning != NULL)
		json_object_set_new(rule, "shortDescription", text_object(meaning));
	if (remedy != NULL)
		json_object_set_new(rule, "help", text_object(remedy));
	json_array_append_new(sarif->rules, rule);
	return index;
}

static json_t *add_result(
	struct sarif *sarif, const char *id, const char *meaning, const char *remedy, const char *level, const char *message)
{
	json_t *result = json_object();
	set_text(result, "ruleId", id);
	json_object_set_new(result, "ruleIndex", json_integer((json_int_t)rule_index(sarif, id, meaning, remedy)));
	set_text(result, "level", level);
	json_object_set_new(result, "message", text_object(message));
	json_array_append_new(sarif->results, result);
	return result;
}

/* SARIF knows no hazards: they are warnings. */
static const char *sarif_level(const char *level)
{
	return strcmp(level, "hazard") == 0 ? "warning" : level;
}

static void add_diagnostics(struct sarif *sarif, const struct xml_element *list)
{
	for (const struct xml_element *item = list->first; item != NULL; item = item->next) {
		const char *code = element_get(item, "code");
		const struct diagnostic_kind *kind = find_kind(code);
		json_t *result = add_result(sarif, code, kind != NULL ? kind->meaning : NULL, kind != NULL ? kind->remedy : NULL,
			sarif_level(element_get(item, "level")), item->text);
		set_location(sarif, result, element_get(item, "file"), element_get(item, "line"));
	}
}

static const char *taskset_path(const struct sarif *sarif)
{
	const struct xml_element *input = render_first(element_child(sarif->render->report->root, "inputs"), "input");
	while (input != NULL && strcmp(element_get(input, "role"), "taskset") != 0)
		input = render_next(input);
	return input != NULL ? element_get(input, "path") : NULL;
}

static void set_properties(json_t *result, const struct xml_element *of)
{
	static const char *const names[] = {"requirement", "response", "deadline", "slack", "bound", "assumptions", "step"};
	json_t *properties = json_object();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		set_text(properties, names[i], element_get(of, names[i]));
	json_object_set_new(result, "properties", properties);
}

static void add_verdict(struct sarif *sarif, const struct xml_element *of)
{
	struct arena *arena = sarif->render->arena;
	const char *verdict = element_get(of, "verdict");
	bool bounded = strcmp(verdict, "no-bound") != 0, conditional = strcmp(verdict, "conditional") == 0;
	if (strcmp(verdict, "proven") == 0)
		return;
	const char *message = arena_format(arena, "%s %s: %s", of->name, element_get(of, "id"), render_verdict(arena, of));
	json_t *result = add_result(sarif, verdict,
		conditional ? "A deadline is met only if assumptions hold for which nobody vouches, or that are known to be broken."
		: bounded   ? "The bound of a response is above its deadline."
			    : "Nothing bounds a response.",
		conditional ? "The report's assumptions with the status conditional say what has to be shown."
		: bounded   ? "The report's advice and derivation say what contributes most."
			    : "The message names what each bound would need.",
		render_is_left_out(sarif->render, of) ? "note"
		: conditional                         ? "warning"
						      : "error",
		message);
	set_location(sarif, result, taskset_path(sarif), element_get(of, "line"));
	set_properties(result, of);
}

static void add_verdicts(struct sarif *sarif)
{
	const struct xml_element *of = element_child(sarif->render->report->root, "results")->first;
	for (; of != NULL; of = of->next)
		if (!element_is(of, "stream")) /* a stream says what its tasks say */
			add_verdict(sarif, of);
}

/* ---- the run */

static json_t *tool(struct sarif *sarif)
{
	json_t *tool = json_object(), *driver = json_object();
	set_text(driver, "name", "gpubound");
	set_text(driver, "version", element_get(element_child(sarif->render->report->root, "environment"), "version"));
	json_object_set_new(driver, "rules", sarif->rules);
	json_object_set_new(tool, "driver", driver);
	return tool;
}

static json_t *artifacts(struct sarif *sarif)
{
	json_t *list = json_array();
	const struct xml_element *input = render_first(element_child(sarif->render->report->root, "inputs"), "input");
	for (; input != NULL; input = render_next(input)) {
		json_t *artifact = json_object(), *hashes = json_object();
		json_object_set_new(artifact, "location", artifact_location(sarif, element_get(input, "path")));
		json_object_set_new(artifact, "length", json_integer(strtoll(element_get(input, "bytes"), NULL, 10)));
		set_text(hashes, "sha-256", element_get(input, "sha256"));
		json_object_set_new(artifact, "hashes", hashes);
		json_array_append_new(list, artifact);
	}
	return list;
}

/* The analysis ended with a verdict, whatever it is: that the verdict is bad is what the results say. */
static json_t *invocations(struct sarif *sarif)
{
	json_t *list = json_array(), *invocation = json_object(), *words = json_array();
	const struct xml_element *word = element_child(sarif->render->report->root, "invocation")->first;
	for (; word != NULL; word = word->next)
		json_array_append_new(words, json_string(word->text));
	json_object_set_new(invocation, "arguments", words);
	json_object_set_new(invocation, "executionSuccessful", json_true());
	json_array_append_new(list, invocation);
	return list;
}

static json_t *build(struct sarif *sarif)
{
	json_t *log = json_object(), *runs = json_array(), *run = json_object();
	add_verdicts(sarif);
	add_diagnostics(sarif, element_child(sarif->render->report->root, "hazards"));
	add_diagnostics(sarif, element_child(sarif->render->report->root, "diagnostics"));
	json_object_set_new(run, "tool", tool(sarif));
	json_object_set_new(run, "invocations", invocations(sarif));
	json_object_set_new(run, "artifacts", artifacts(sarif));
	set_text(run, "columnKind", "unicodeCodePoints");
	json_object_set_new(run, "results", sarif->results);
	json_array_append_new(runs, run);
	set_text(log, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	set_text(log, "version", "2.1.0");
	json_object_set_new(log, "runs", runs);
	return log;
}

bool render_sarif(const struct render *render, struct output *output)
{
	json_set_alloc_funcs(memory_allocate, memory_free);
	struct sarif sarif = {render, json_array(), json_array()};
	json_t *log = build(&sarif);
	char *text = json_dumps(log, JSON_INDENT(2)); /* objects keep the order in which they were filled */
	output_add(output, text);
	output_add(output, "\n");
	memory_free(text);
	json_delete(log);
	return true;
}
