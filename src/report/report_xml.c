/* The XML report: its parts in order. */
#include "base/hash.h"
#include "base/assert.h"
#include "report/xml_parts.h"

#include <string.h>

static void add_coverage(struct xml_report *x)
{
	const struct taskset *set = x->report->set;
	xml_begin(&x->xml, "coverage");
	xml_integer(&x->xml, "tasks-in", set->task_count);
	xml_integer(&x->xml, "tasks-out", x->tasks);
	xml_integer(&x->xml, "streams-in", set->stream_count);
	xml_integer(&x->xml, "streams-out", x->streams);
	xml_integer(&x->xml, "operations-in", set->operation_count);
	xml_integer(&x->xml, "operations-out", x->operations);
	xml_integer(&x->xml, "chains-in", set->end_to_end_count);
	xml_integer(&x->xml, "chains-out", x->end_to_end);
	xml_end(&x->xml);
}

static void add_parts(struct xml_report *x)
{
	static void (*const parts[])(struct xml_report *) = {
		xml_add_invocation,
		xml_add_inputs,
		xml_add_provenance,
		xml_add_declarations,
		xml_add_assumptions,
		xml_add_rules,
		xml_add_results,
		xml_add_slack,
		xml_add_kernels,
		xml_add_programs,
		xml_add_hazards,
		xml_add_channels,
		xml_add_diagnostics,
		add_coverage,
		xml_add_derivation,
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		parts[i](x);
}

/* The start tag, and all behind the environment: what two builds agree on. */
static void add_all(struct xml_report *x, struct arena *arena, struct output *tag, struct output *rest)
{
	const struct report *report = x->report;
	x->xml = (struct xml){.output = tag};
	xml_begin(&x->xml, "report");
	xml_attribute(&x->xml, "xmlns", "urn:gpubound:report:1");
	xml_attribute(&x->xml, "verdict", verdict_names[report->response->worst]);
	xml_attribute(&x->xml, "left-out", report_left_out(arena, report, " "));
	xml_attribute(&x->xml, "taskset", report->set->id);
	xml_attribute(&x->xml, "platform", report->platform->id);
	output_add(tag, ">");
	x->xml.in_tag = false;
	x->xml.output = rest;
	add_parts(x);
}

/* The start tag, and from the next line on everything from <invocation> to the end of <derivation>, as it is written: what is hashed. */
static void gather(struct output *all, const struct output *tag, const struct output *rest)
{
	output_add(all, tag->text + strspn(tag->text, " \n"));
	output_add(all, "\n");
	output_add(all, rest->text + strspn(rest->text, " \n"));
}

static void add_environment(struct xml_report *x, struct arena *arena, const struct output *tag, const struct output *rest)
{
	struct output all = {0}, lines = {0};
	char hash[HASH_TEXT];
	gather(&all, tag, rest);
	hash_bytes(all.text, all.length, hash);
	hash_lines(&lines, all.text, all.length);
	xml_add_environment(x, arena, hash, lines.text);
	output_finish(&all);
	output_finish(&lines);
}

void report_xml(struct output *output, const struct report *report)
{
	struct arena *arena = arena_create();
	struct xml_report x = {.report = report};
	struct output tag = {0}, rest = {0};
	assert(!report->derivation->mute);
	xml_number_steps(&x, arena);
	add_all(&x, arena, &tag, &rest);
	output_add(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
	output_add(output, tag.text);
	x.xml.output = output;
	add_environment(&x, arena, &tag, &rest);
	output_add(output, rest.text);
	xml_end(&x.xml);
	output_add(output, "\n");
	output_finish(&tag);
	output_finish(&rest);
	arena_destroy(arena);
}
