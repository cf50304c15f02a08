/* ReqIF 1.2 (OMG formal/2016-07-01; the exchange format's namespace is that of 1.0) for DOORS, Polarion and the like: an object a task
 * and chain, one a requirement that the task set names, and the relation between them. Identifiers are the same in every run, so that
 * a second import replaces the first. */
#include "base/hash.h"
#include "render/render.h"
#include "write/xml_write.h"

#include <stdlib.h>
#include <string.h>

#define NO_DATE "1970-01-01T00:00:00Z" /* ReqIF demands dates; reports have one only where SOURCE_DATE_EPOCH fixes it */

struct reqif {
	struct xml xml;
	const struct render *render;
	const char *date;
};

/* The attributes of a result: its name in ReqIF and in the report. */
static const struct {
	const char *id, *long_name, *attribute;
} fields[] = {
	{"gpubound-a-verdict", "Verdict", "verdict"},
	{"gpubound-a-response", "Response bound (ns)", "response"},
	{"gpubound-a-deadline", "Deadline (ns)", "deadline"},
	{"gpubound-a-slack", "Slack (ns)", "slack"},
	{"gpubound-a-bound", "Bound", "bound"},
	{"gpubound-a-assumptions", "Assumptions", "assumptions"},
	{"gpubound-a-requirement", "Requirement", "requirement"},
};

#define FIELDS (sizeof fields / sizeof *fields)

/* ---- pieces */

static void begin_identified(struct reqif *r, const char *name, const char *id, const char *long_name)
{
	xml_begin(&r->xml, name);
	xml_attribute(&r->xml, "IDENTIFIER", id);
	xml_attribute(&r->xml, "LAST-CHANGE", r->date);
	xml_attribute(&r->xml, "LONG-NAME", long_name);
}

/* <OUTER><REF>id</REF></OUTER> */
static void add_reference(struct reqif *r, const char *outer, const char *reference, const char *id)
{
	xml_begin(&r->xml, outer);
	xml_element(&r->xml, reference, id);
	xml_end(&r->xml);
}

static void add_value(struct reqif *r, const char *definition, const char *value)
{
	if (value == NULL)
		return;
	xml_begin(&r->xml, "ATTRIBUTE-VALUE-STRING");
	xml_attribute(&r->xml, "THE-VALUE", value);
	add_reference(r, "DEFINITION", "ATTRIBUTE-DEFINITION-STRING-REF", definition);
	xml_end(&r->xml);
}

/* ---- identifiers: NCNames, unique in the file, the same in every run */

static const char *hashed(struct arena *arena, const char *prefix, const char *text)
{
	char hash[HASH_TEXT];
	hash_bytes(text, strlen(text), hash);
	return arena_format(arena, "gpubound-%s-%.32s", prefix, hash);
}

static const char *result_id(const struct reqif *r, const struct xml_element *result)
{
	const char *set = element_get(r->render->report->root, "taskset");
	return hashed(r->render->arena, result->name, arena_format(r->render->arena, "%s\n%s", set, element_get(result, "id")));
}

static const char *requirement_id(const struct reqif *r, const char *requirement)
{
	return hashed(r->render->arena, "requirement", requirement);
}

/* ---- results and requirements */

static const struct xml_element *first_result(const struct reqif *r)
{
	return element_child(r->render->report->root, "results")->first;
}

/* The next task or chain, this one included; streams serve no requirement. */
static const struct xml_element *skip_streams(const struct xml_element *result)
{
	while (result != NULL && element_is(result, "stream"))
		result = result->next;
	return result;
}

#define EACH_RESULT(r, result)                                                                                                             \
	(const struct xml_element *result = skip_streams(first_result(r)); result != NULL; result = skip_streams(result->next))

static void add_result_object(struct reqif *r, const struct xml_element *result)
{
	begin_identified(r, "SPEC-OBJECT", result_id(r, result), element_get(result, "id"));
	xml_begin(&r->xml, "VALUES");
	add_value(r, "gpubound-a-name", arena_format(r->render->arena, "%s %s", result->name, element_get(result, "id")));
	add_value(r, "gpubound-a-text", render_verdict(r->render->arena, result));
	for (size_t i = 0; i < FIELDS; i++)
		add_value(r, fields[i].id, element_get(result, fields[i].attribute));
	xml_end(&r->xml);
	add_reference(r, "TYPE", "SPEC-OBJECT-TYPE-REF", "gpubound-t-result");
	xml_end(&r->xml);
}

static void add_requirement_object(struct reqif *r, const char *requirement)
{
	begin_identified(r, "SPEC-OBJECT", requirement_id(r, requirement), requirement);
	xml_begin(&r->xml, "VALUES");
	add_value(r, "gpubound-a-foreign-id", requirement);
	xml_end(&r->xml);
	add_reference(r, "TYPE", "SPEC-OBJECT-TYPE-REF", "gpubound-t-requirement");
	xml_end(&r->xml);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Each requirement once, in the order of their names. */
static void add_requirement_objects(struct reqif *r)
{
	const char **names = NULL;
	int count = 0, capacity = 0;
	for
		EACH_RESULT(r, result)
		{
			if (element_get(result, "requirement") == NULL)
				continue;
			names = arena_grow(r->render->arena, names, &capacity, count + 1, sizeof *names);
			names[count++] = element_get(result, "requirement");
		}
	if (count > 0)
		qsort(names, (size_t)count, sizeof *names, by_text);
	for (int i = 0; i < count; i++)
		if (i == 0 || strcmp(names[i], names[i - 1]) != 0)
			add_requirement_object(r, names[i]);
}

static void add_objects(struct reqif *r)
{
	xml_begin(&r->xml, "SPEC-OBJECTS");
	for
		EACH_RESULT(r, result)
	add_result_object(r, result);
	add_requirement_objects(r);
	xml_end(&r->xml);
}

static void add_relation(struct reqif *r, const struct xml_element *result, const char *requirement)
{
	const char *name = arena_format(r->render->arena, "%s\n%s", result_id(r, result), requirement);
	const char *verdict = element_get(result, "verdict");
	begin_identified(r, "SPEC-RELATION", hashed(r->render->arena, "relation", name), NULL);
	add_reference(r, "TARGET", "SPEC-OBJECT-REF", requirement_id(r, requirement));
	add_reference(r, "SOURCE", "SPEC-OBJECT-REF", result_id(r, result));
	add_reference(r, "TYPE", "SPEC-RELATION-TYPE-REF",
		strcmp(verdict, "proven") == 0        ? "gpubound-t-proves"
		: strcmp(verdict, "conditional") == 0 ? "gpubound-t-proves-conditionally"
						      : "gpubound-t-does-not-prove");
	xml_end(&r->xml);
}

static void add_relations(struct reqif *r)
{
	xml_begin(&r->xml, "SPEC-RELATIONS");
	for
		EACH_RESULT(r, result)
	if (element_get(result, "requirement") != NULL)
		add_relation(r, result, element_get(result, "requirement"));
	xml_end(&r->xml);
}

/* Tools show what stands in a specification: the results in their order. */
static void add_specifications(struct reqif *r)
{
	const char *set = element_get(r->render->report->root, "taskset");
	xml_begin(&r->xml, "SPECIFICATIONS");
	begin_identified(r, "SPECIFICATION", hashed(r->render->arena, "specification", set),
		arena_format(r->render->arena, "Response-time bounds of %s on %s", set, element_get(r->render->report->root, "platform")));
	add_reference(r, "TYPE", "SPECIFICATION-TYPE-REF", "gpubound-t-specification");
	xml_begin(&r->xml, "CHILDREN");
	for
		EACH_RESULT(r, result)
		{
			begin_identified(r, "SPEC-HIERARCHY", hashed(r->render->arena, "place", result_id(r, result)), NULL);
			add_reference(r, "OBJECT", "SPEC-OBJECT-REF", result_id(r, result));
			xml_end(&r->xml);
		}
	xml_end(&r->xml);
	xml_end(&r->xml);
	xml_end(&r->xml);
}

/* ---- types */

static void add_definition(struct reqif *r, const char *id, const char *long_name)
{
	begin_identified(r, "ATTRIBUTE-DEFINITION-STRING", id, long_name);
	add_reference(r, "TYPE", "DATATYPE-DEFINITION-STRING-REF", "gpubound-d-text");
	xml_end(&r->xml);
}

static void add_result_type(struct reqif *r)
{
	begin_identified(r, "SPEC-OBJECT-TYPE", "gpubound-t-result", "gpubound result");
	xml_begin(&r->xml, "SPEC-ATTRIBUTES");
	add_definition(r, "gpubound-a-name", "ReqIF.Name");
	add_definition(r, "gpubound-a-text", "ReqIF.Text");
	for (size_t i = 0; i < FIELDS; i++)
		add_definition(r, fields[i].id, fields[i].long_name);
	xml_end(&r->xml);
	xml_end(&r->xml);
}

static void add_types(struct reqif *r)
{
	xml_begin(&r->xml, "SPEC-TYPES");
	add_result_type(r);
	begin_identified(r, "SPEC-OBJECT-TYPE", "gpubound-t-requirement", "requirement named by a task set");
	xml_begin(&r->xml, "SPEC-ATTRIBUTES");
	add_definition(r, "gpubound-a-foreign-id", "ReqIF.ForeignID");
	xml_end(&r->xml);
	xml_end(&r->xml);
	begin_identified(r, "SPEC-RELATION-TYPE", "gpubound-t-proves", "proves");
	xml_end(&r->xml);
	begin_identified(r, "SPEC-RELATION-TYPE", "gpubound-t-proves-conditionally", "proves conditionally");
	xml_end(&r->xml);
	begin_identified(r, "SPEC-RELATION-TYPE", "gpubound-t-does-not-prove", "does not prove");
	xml_end(&r->xml);
	begin_identified(r, "SPECIFICATION-TYPE", "gpubound-t-specification", "gpubound report");
	xml_end(&r->xml);
	xml_end(&r->xml);
}

static void add_datatypes(struct reqif *r)
{
	xml_begin(&r->xml, "DATATYPES");
	begin_identified(r, "DATATYPE-DEFINITION-STRING", "gpubound-d-text", "text");
	xml_attribute(&r->xml, "MAX-LENGTH", "65536");
	xml_end(&r->xml);
	xml_end(&r->xml);
}

static void add_header(struct reqif *r)
{
	const struct xml_element *root = r->render->report->root;
	const char *version = element_get(element_child(root, "environment"), "version");
	xml_begin(&r->xml, "THE-HEADER");
	xml_begin(&r->xml, "REQ-IF-HEADER");
	xml_attribute(&r->xml, "IDENTIFIER", hashed(r->render->arena, "report", r->render->report->hash));
	xml_element(&r->xml, "COMMENT", arena_format(r->render->arena, "SHA-256 of the report: %s", r->render->report->hash));
	xml_element(&r->xml, "CREATION-TIME", r->date);
	xml_element(&r->xml, "REQ-IF-TOOL-ID", arena_format(r->render->arena, "gpubound %s", version));
	xml_element(&r->xml, "REQ-IF-VERSION", "1.0");
	xml_element(&r->xml, "SOURCE-TOOL-ID", arena_format(r->render->arena, "gpubound %s", version));
	xml_element(&r->xml, "TITLE", arena_format(r->render->arena, "Response-time bounds of %s", element_get(root, "taskset")));
	xml_end(&r->xml);
	xml_end(&r->xml);
}

/* xs:dateTime, which the report's schema does not demand of its date. */
static bool is_date(const char *date)
{
	static const char pattern[] = "0000-00-00T00:00:00Z";
	if (date == NULL || strlen(date) != strlen(pattern))
		return false;
	for (size_t i = 0; i < strlen(pattern); i++)
		if (pattern[i] == '0' ? date[i] < '0' || date[i] > '9' : date[i] != pattern[i])
			return false;
	return true;
}

bool render_reqif(const struct render *render, struct output *output)
{
	const char *date = element_get(element_child(render->report->root, "environment"), "date");
	struct reqif r = {{.output = output}, render, is_date(date) ? date : NO_DATE};
	output_add(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
	xml_begin(&r.xml, "REQ-IF");
	xml_attribute(&r.xml, "xmlns", "http://www.omg.org/spec/ReqIF/20110401/reqif.xsd");
	add_header(&r);
	xml_begin(&r.xml, "CORE-CONTENT");
	xml_begin(&r.xml, "REQ-IF-CONTENT");
	add_datatypes(&r);
	add_types(&r);
	add_objects(&r);
	add_relations(&r);
	add_specifications(&r);
	xml_end(&r.xml);
	xml_end(&r.xml);
	xml_end(&r.xml);
	output_add(output, "\n");
	return true;
}
