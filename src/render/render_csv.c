/* A report's results as analyze --format=csv prints them. */
#include "render/render.h"

#include <string.h>

static void add_field(struct output *output, const char *value, const char *end)
{
	output_add_csv(output, value != NULL ? value : "");
	output_add(output, end);
}

static void add_row(struct output *output, const struct xml_element *result)
{
	bool task = !element_is(result, "stream"); /* or chain */
	add_field(output, result->name, ",");
	add_field(output, task ? element_get(result, "id") : "", ",");
	add_field(output, task ? "" : element_get(result, "id"), ",");
	add_field(output, element_get(result, "response"), ",");
	add_field(output, element_get(result, "deadline"), ",");
	add_field(output, element_get(result, "verdict"), ",");
	add_field(output, element_get(result, element_is(result, "chain") ? "kind" : "bound"), "\n");
}

bool render_csv(const struct render *render, struct output *output)
{
	const struct xml_element *results = element_child(render->report->root, "results");
	output_add(output, "kind,task,stream,response_ns,deadline_ns,verdict,bound\n");
	for (const struct xml_element *result = results->first; result != NULL; result = result->next)
		add_row(output, result);
	return true;
}
