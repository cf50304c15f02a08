/* The XML report: its parts in order. */
#include "report/xml_parts.h"

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
	xml_integer(&x->xml, "chains-in", set->chain_count);
	xml_integer(&x->xml, "chains-out", x->chains);
	xml_end(&x->xml);
}

static void add_parts(struct xml_report *x)
{
	static void (*const parts[])(struct xml_report *) = {
		xml_add_environment,
		xml_add_invocation,
		xml_add_inputs,
		xml_add_provenance,
		xml_add_declarations,
		xml_add_assumptions,
		xml_add_rules,
		xml_add_results,
		xml_add_kernels,
		xml_add_hazards,
		xml_add_channels,
		xml_add_diagnostics,
		add_coverage,
		xml_add_derivation,
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		parts[i](x);
}

void report_xml(struct output *output, const struct report *report)
{
	struct arena *arena = arena_create();
	struct xml_report x = {.xml = {.output = output}, .report = report};
	xml_number_steps(&x, arena);
	output_add(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
	xml_begin(&x.xml, "report");
	xml_attribute(&x.xml, "xmlns", "urn:gpubound:report:1");
	xml_attribute(&x.xml, "verdict", verdict_names[report->response->worst]);
	xml_attribute(&x.xml, "taskset", report->set->id);
	xml_attribute(&x.xml, "platform", report->platform->id);
	add_parts(&x);
	xml_end(&x.xml);
	output_add(output, "\n");
	arena_destroy(arena);
}
