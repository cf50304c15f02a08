/* CUDA graphs that are more than a sequence on one stream: refused.
 *
 * A graph is launched into a stream as one item: all of its nodes are complete before anything behind it in that stream begins. Of kernels,
 * copies and memsets that stand one behind the other on that stream, this is true whether they are launched as a graph or by themselves
 * ([GRAPHS]). Of nodes on other streams, on the host, or that touch events, it is not. */
#include "input/reader.h"

#include <string.h>

struct node { /* what a graph may not have; an attribute's value, or NULL: the element itself */
	const char *element, *call;
	enum diagnostic_code code;
	const char *expected;
};

static const struct node nodes[] = {
	{"host", NULL, DIAGNOSTIC_UNSUPPORTED_GRAPH_HOST,
		"no host node in a graph, which keeps its stream from all other work meanwhile: put <host> between two graphs"},
	{"record", NULL, DIAGNOSTIC_UNSUPPORTED_GRAPH_EVENT, "no event in a graph: record it behind the graph, or part the graph there"},
	{"wait", NULL, DIAGNOSTIC_UNSUPPORTED_GRAPH_EVENT, "no event in a graph: wait before the graph, or part the graph there"},
	{"fragment", NULL, DIAGNOSTIC_UNSUPPORTED_GRAPH_NODE, "kernels, copies and memsets in a graph"},
	{"locked", NULL, DIAGNOSTIC_UNSUPPORTED_GRAPH_NODE, "no unit under a lock in a graph: put the graph into the unit"},
	{"copy", "synchronous", DIAGNOSTIC_UNSUPPORTED_GRAPH_CALL,
		"call=\"asynchronous\" in a graph, into which no synchronous call can be captured: put <host> behind the graph"},
	{"memset", "synchronous", DIAGNOSTIC_UNSUPPORTED_GRAPH_CALL,
		"call=\"asynchronous\" in a graph, into which no synchronous call can be captured: put <host> behind the graph"},
};

static bool says(const struct xml_element *element, const char *attribute, const char *value)
{
	const char *said = element_get(element, attribute);
	return said != NULL && strcmp(said, value) == 0;
}

static bool is_refused(const struct xml_element *element, const struct node *node)
{
	return element_is(element, node->element) && (node->call == NULL || says(element, "call", node->call));
}

static void refuse_node(struct reader *reader, const struct xml_element *element)
{
	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
		if (is_refused(element, &nodes[i]))
			diagnose(reader->diagnostics, nodes[i].code, reader->path, element->line, "expected %s; got <%s id=\"%s\">",
				nodes[i].expected, element->name, element_get(element, "id"));
	if (element_is(element, "sequence") && !says(element, "launch", "single"))
		COMPLAIN(reader, element, UNSUPPORTED_GRAPH_NODE,
			"expected launch=\"single\" of a sequence in a graph, whose launch reaches the GPU in parts, or the span of all of "
			"the "
			"graph as one <sequence>; got <sequence id=\"%s\">",
			element_get(element, "id"));
}

/* stream: of the nodes before, NULL: there are none. Of the nodes behind those of this graph, too. */
static const char *refuse_nodes(struct reader *reader, const struct xml_element *graph, const char *stream)
{
	for (const struct xml_element *element = graph->first; element != NULL; element = element->next) {
		if (element_is(element, "graph")) {
			stream = refuse_nodes(reader, element, stream);
			continue;
		}
		refuse_node(reader, element);
		const char *own = element_get(element, "stream");
		if (stream != NULL && own != NULL && strcmp(own, stream) != 0)
			COMPLAIN(reader, element, UNSUPPORTED_GRAPH_STREAMS,
				"expected all of a graph on the stream into which it is launched, \"%s\"; got <%s id=\"%s\"> on \"%s\": "
				"make a "
				"graph of each stream's part, with <record> and <wait> between them",
				stream, element->name, element_get(element, "id"), own);
		stream = stream == NULL ? own : stream;
	}
	return stream;
}

void refuse_graph(struct reader *reader, const struct xml_element *graph)
{
	refuse_nodes(reader, graph, NULL);
}

/* What a sequence lists is what its span does not bound: [SPAN]. */
void refuse_sequence(struct reader *reader, const struct xml_element *sequence)
{
	for (const struct xml_element *element = sequence->first; element != NULL; element = element->next)
		if (!element_is(element, "at"))
			COMPLAIN(reader, element, UNSUPPORTED_SEQUENCE_NODE,
				"expected kernels, and memsets and copies that run on the SMs, in a sequence; got <%s> in \"%s\": part the "
				"sequence there",
				element->name, element_get(sequence, "id"));
}

/* What a unit under a lock may not have: what its hold time says nothing of, or what waits for others that wait for the lock. */
static const struct node of_units[] = {
	{"host", NULL, DIAGNOSTIC_LOCK_HOST,
		"no host segment while a lock is held: its time belongs into hold, or the lock is released before"},
	{"locked", NULL, DIAGNOSTIC_LOCK_NESTED, "no lock taken while one is held: one lock for both, or one unit behind the other"},
	{"fragment", NULL, DIAGNOSTIC_LOCK_HOST, "kernels, sequences, copies and memsets while a lock is held"},
	{"copy", "synchronous", DIAGNOSTIC_LOCK_HOST,
		"call=\"asynchronous\" while a lock is held, all of which is seen to be complete at its end"},
	{"memset", "synchronous", DIAGNOSTIC_LOCK_HOST,
		"call=\"asynchronous\" while a lock is held, all of which is seen to be complete at its end"},
};

/* Who waits for an event of others while a lock is held may wait for somebody who waits for the lock. */
static void refuse_wait(struct reader *reader, const struct xml_element *locked, const struct xml_element *wait)
{
	const char *event = element_get(wait, "event");
	for (const struct xml_element *element = locked->first; element != wait; element = element->next)
		if (element_is(element, "record") && event != NULL && says(element, "event", event))
			return;
	COMPLAIN(reader, wait, LOCK_WAIT,
		"expected no wait while a lock is held but for an event that the same unit records before: another one's record may need "
		"the "
		"lock; wait before it is taken; got <%s>",
		wait->name);
}

void refuse_locked(struct reader *reader, const struct xml_element *locked)
{
	for (const struct xml_element *element = locked->first; element != NULL; element = element->next) {
		if (element_is(element, "wait"))
			refuse_wait(reader, locked, element);
		for (size_t i = 0; i < sizeof of_units / sizeof *of_units; i++)
			if (is_refused(element, &of_units[i]))
				diagnose(reader->diagnostics, of_units[i].code, reader->path, element->line, "expected %s; got <%s>",
					of_units[i].expected, element->name);
	}
}
