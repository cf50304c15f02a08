/* What a file may say and is refused by a code of its own: what is not modelled; lines as messages propose them, not filled in. */
#include "input/reader.h"

#include <stdlib.h>
#include <string.h>

/* An element, an attribute of it (NULL: the element itself) and the value that is refused; NULL: any value but "1". */
static const struct refusal {
	const char *element, *attribute, *value;
	enum diagnostic_code code;
	const char *expected;
} refusals[] = {
	{"taskset", "mig", "true", DIAGNOSTIC_UNSUPPORTED_MIG, "a whole GPU: partitions (MIG) are not modelled"},
	{"partition", "kind", "mig", DIAGNOSTIC_UNSUPPORTED_MIG,
		"a partition of another kind: an instance of MIG is a GPU of its own, with a platform model and a task set of its own, "
		"as in examples/thor-mig.xml"},
	{"taskset", "mps", "separate", DIAGNOSTIC_UNSUPPORTED_MPS, "mps=\"off\" or \"merged\": MPS with separate contexts is not modelled"},
	{"kernel", "launch", "device", DIAGNOSTIC_UNSUPPORTED_DYNAMIC_PARALLELISM, "launch=\"host\": dynamic parallelism is not modelled"},
	{"kernel", "launch", "programmatic", DIAGNOSTIC_UNSUPPORTED_PROGRAMMATIC_LAUNCH,
		"launch=\"host\": programmatic dependent launch is not modelled but inside of a <sequence>"},
	{"copy", "memory", "managed", DIAGNOSTIC_UNSUPPORTED_MANAGED_MEMORY,
		"memory=\"pinned\" or \"pageable\": managed memory is not modelled"},
	{"graph", "parallel", "true", DIAGNOSTIC_UNSUPPORTED_PARALLEL_GRAPH,
		"a graph in one sequence: parallel branches are not modelled but by the span of a <sequence>"},
	{"graph", "own-priority", "true", DIAGNOSTIC_UNSUPPORTED_OWN_PRIORITY,
		"kernels with the priority of the stream into which their graph is launched: priorities of nodes are not modelled"},
	{"kernel", "own-priority", "true", DIAGNOSTIC_UNSUPPORTED_OWN_PRIORITY,
		"a kernel with its stream's priority: priorities of launches are not modelled"},
};

static bool refused(const struct xml_element *element, const struct refusal *refusal)
{
	if (!element_is(element, refusal->element))
		return false;
	if (refusal->attribute == NULL)
		return true;
	const char *value = element_get(element, refusal->attribute);
	if (value == NULL)
		return false;
	return refusal->value != NULL ? strcmp(value, refusal->value) == 0 : strcmp(value, "1") != 0;
}

static const char *got(struct reader *reader, const struct xml_element *element, const struct refusal *refusal)
{
	if (refusal->attribute == NULL)
		return arena_format(reader->arena, "<%s>", element->name);
	return arena_format(reader->arena, "%s=\"%s\"", refusal->attribute, element_get(element, refusal->attribute));
}

void refuse_unmodelled(struct reader *reader, const struct xml_element *element)
{
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
		if (refused(element, &refusals[i]))
			diagnose(reader->diagnostics, refusals[i].code, reader->path, element->line, "expected %s; got %s",
				refusals[i].expected, got(reader, element, &refusals[i]));
	for (const struct xml_element *child = element->first; child != NULL; child = child->next)
		refuse_unmodelled(reader, child);
}

void refuse_unfilled(struct reader *reader, const struct xml_element *element)
{
	for (int i = 0; i < element->attribute_count; i++)
		if (strcmp(element->attributes[i].value, "...") == 0)
			COMPLAIN(reader, element, UNFILLED, "expected what %s of <%s> is; got the \"...\" of a line to be filled in",
				element->attributes[i].name, element->name);
	for (const struct xml_element *child = element->first; child != NULL; child = child->next)
		refuse_unfilled(reader, child);
}
