/* OMG's Structured Assurance Case Metamodel 2.2, as XMI: a package of artifacts (evidence, and who discharges assumptions) and one of the
 * argument. Identifiers are those of the assurance case, so that a later import replaces an earlier one. */
#include "render/assurance_case.h"
#include "write/xml_write.h"

#include <string.h>

#define XMI "http://www.omg.org/spec/XMI/20131001"
#define SACM "http://www.omg.org/spec/SACM/2.2"

static void begin_element(struct xml *xml, const char *element, const char *type, const char *prefix, const char *id)
{
	struct output whole = {0};
	output_print(&whole, "%s%s", prefix, id);
	xml_begin(xml, element);
	xml_attribute(xml, "xmi:type", type);
	xml_attribute(xml, "xmi:id", whole.text);
	output_finish(&whole);
}

static void add_string(struct xml *xml, const char *element, const char *content)
{
	xml_begin(xml, element);
	xml_attribute(xml, "lang", "en");
	xml_attribute(xml, "content", content);
	xml_end(xml);
}

/* <ELEMENT><value lang content/></ELEMENT>: a MultiLangString. */
static void add_strings(struct xml *xml, const char *element, const char *content)
{
	xml_begin(xml, element);
	add_string(xml, "value", content);
	xml_end(xml);
}

static void add_tag(struct xml *xml, const char *key, const char *content)
{
	if (content == NULL)
		return;
	xml_begin(xml, "taggedValue");
	add_strings(xml, "content", content);
	add_strings(xml, "key", key);
	xml_end(xml);
}

/* What every model element has: a name, a description, and what else is known of it. */
static void add_common(struct xml *xml, const struct case_node *node)
{
	add_string(xml, "name", node->name);
	xml_begin(xml, "description");
	add_strings(xml, "content", node->text);
	xml_end(xml);
	add_tag(xml, "sha256", node->hash);
	add_tag(xml, node->kind == CASE_ASSUMPTION ? "discharged-by" : "shown-by", node->who);
	add_tag(xml, "gsn", node->id);
}

/* ---- artifacts */

static bool is_artifact(const struct case_node *node)
{
	return node->kind == CASE_SOLUTION || node->kind == CASE_CONTEXT;
}

static void add_artifacts(struct xml *xml, const struct assurance_case *graph)
{
	begin_element(xml, "artifactPackage", "sacm:ArtifactPackage", "", "artifacts");
	add_string(xml, "name", "evidence");
	for (int i = 0; i < graph->node_count; i++) {
		const struct case_node *node = &graph->nodes[i];
		if (!is_artifact(node))
			continue;
		begin_element(xml, "artifactElement", "sacm:Artifact", "artifact-", node->id);
		add_common(xml, node);
		xml_end(xml);
	}
	xml_end(xml);
}

/* ---- the argument */

static void add_reference(struct xml *xml, const struct case_node *node)
{
	struct output artifact = {0};
	begin_element(xml, "argumentationElement", "sacm:ArtifactReference", "", node->id);
	output_print(&artifact, "artifact-%s", node->id);
	xml_attribute(xml, "referencedArtifactElement", artifact.text);
	add_string(xml, "name", node->name);
	xml_end(xml);
	output_finish(&artifact);
}

static void add_claim(struct xml *xml, const struct case_node *node)
{
	begin_element(xml, "argumentationElement", "sacm:Claim", "", node->id);
	xml_attribute(xml, "assertionDeclaration",
		node->kind == CASE_ASSUMPTION ? "assumed"
		: node->undeveloped           ? "needsSupport"
					      : "asserted");
	add_common(xml, node);
	if (node->unvouched)
		add_tag(xml, "condition", "nobody vouches for this, or for what it rests on");
	xml_end(xml);
}

static void add_node(struct xml *xml, const struct case_node *node)
{
	if (is_artifact(node)) {
		add_reference(xml, node);
	} else if (node->kind == CASE_STRATEGY) {
		begin_element(xml, "argumentationElement", "sacm:ArgumentReasoning", "", node->id);
		add_common(xml, node);
		xml_end(xml);
	} else {
		add_claim(xml, node);
	}
}

/* The ids of what supports a node, or is in its context, which is of one kind or another; *any: there are some. */
static void list_sources(struct output *list, const struct assurance_case *graph, int node, bool in_context, bool artifacts)
{
	for (int i = 0; i < graph->edge_count; i++) {
		const struct case_edge *edge = &graph->edges[i];
		const struct case_node *to = &graph->nodes[edge->to];
		if (edge->from == node && edge->in_context == in_context && to->kind != CASE_STRATEGY && is_artifact(to) == artifacts)
			output_print(list, "%s%s", list->length > 0 ? " " : "", to->id);
	}
}

/* One relationship: what stands below `below`, for the claim `target`. */
static void add_relationship(struct xml *xml, const struct assurance_case *graph, int below, int target, bool in_context, bool artifacts)
{
	static const char *const types[2][2] = {
		{"sacm:AssertedInference", "sacm:AssertedEvidence"}, {"sacm:AssertedContext", "sacm:AssertedArtifactContext"}};
	static const char *const names[2][2] = {{"inference", "evidence"}, {"context", "artifact-context"}};
	const struct case_node *from = &graph->nodes[below];
	struct output sources = {0}, prefix = {0};
	list_sources(&sources, graph, below, in_context, artifacts);
	if (sources.length > 0) {
		output_print(&prefix, "%s-", names[in_context][artifacts]);
		begin_element(xml, "argumentationElement", types[in_context][artifacts], prefix.text, from->id);
		xml_attribute(xml, "assertionDeclaration", "asserted");
		xml_attribute(xml, "isCounter", "false");
		xml_attribute(xml, "source", sources.text);
		xml_attribute(xml, "target", graph->nodes[target].id);
		xml_attribute(xml, "reasoning", from->kind == CASE_STRATEGY ? from->id : NULL);
		add_string(xml, "name", names[in_context][artifacts]);
		xml_end(xml);
	}
	output_finish(&sources);
	output_finish(&prefix);
}

/* The claim that a strategy is about: SACM's reasoning stands on the relationship, not between claims. */
static int claim_above(const struct assurance_case *graph, const int *above, int node)
{
	return graph->nodes[node].kind == CASE_STRATEGY ? above[node] : node;
}

static void add_argument(struct xml *xml, const struct assurance_case *graph, const int *above)
{
	begin_element(xml, "argumentPackage", "sacm:ArgumentPackage", "", "argument");
	add_string(xml, "name", "argument");
	for (int i = 0; i < graph->node_count; i++)
		add_node(xml, &graph->nodes[i]);
	for (int i = 0; i < graph->node_count; i++)
		for (int kind = 0; kind < 4 && (graph->nodes[i].kind == CASE_GOAL || graph->nodes[i].kind == CASE_STRATEGY); kind++)
			add_relationship(xml, graph, i, claim_above(graph, above, i), kind / 2 == 1, kind % 2 == 1);
	xml_end(xml);
}

bool render_sacm(const struct render *render, struct output *output)
{
	const struct assurance_case graph = assurance_case_of(render);
	int *above = arena_allocate(render->arena, (size_t)graph.node_count + 1, sizeof *above);
	struct xml xml;
	for (int i = 0; i < graph.edge_count; i++)
		if (!graph.edges[i].in_context)
			above[graph.edges[i].to] = graph.edges[i].from;
	xml_start(&xml, output);
	xml_begin(&xml, "sacm:AssuranceCasePackage");
	xml_attribute(&xml, "xmlns:xmi", XMI);
	xml_attribute(&xml, "xmlns:sacm", SACM);
	xml_attribute(&xml, "xmi:version", "2.5.1");
	xml_attribute(&xml, "xmi:id", "case");
	xml_attribute(&xml, "gid", arena_format(render->arena, "gpubound-%s", render->report->hash));
	add_string(&xml, "name", arena_format(render->arena, "Response-time bounds of %s", element_get(render->report->root, "taskset")));
	add_artifacts(&xml, &graph);
	add_argument(&xml, &graph, above);
	xml_end(&xml);
	output_add(output, "\n");
	return true;
}
