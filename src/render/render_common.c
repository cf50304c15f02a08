/* What the forms of a report share. */
#include "render/render.h"

#include <string.h>

const struct xml_element *render_first(const struct xml_element *parent, const char *name)
{
	return element_child(parent, name);
}

const struct xml_element *render_next(const struct xml_element *child)
{
	const struct xml_element *next = child->next;
	while (next != NULL && !element_is(next, child->name))
		next = next->next;
	return next;
}

/* "1502672 ns"; NULL: "none" */
static const char *time_of(struct arena *arena, const char *ns)
{
	return ns != NULL ? arena_format(arena, "%s ns", ns) : "none";
}

/* Why there is no bound: every reason once, in their order. */
static const char *reasons(struct arena *arena, const struct xml_element *result)
{
	const char *own = element_get(result, "reason"), *list = own != NULL ? own : "";
	for (const struct xml_element *bound = render_first(result, "bound"); bound != NULL; bound = render_next(bound)) {
		const char *reason = element_get(bound, "reason");
		if (reason != NULL)
			list = arena_format(arena, "%s%s%s: %s", list, *list != '\0' ? "; " : "", element_get(bound, "name"), reason);
	}
	return list;
}

static bool is_best_effort(const struct xml_element *result)
{
	const char *said = element_get(result, "best-effort");
	return said != NULL && strcmp(said, "true") == 0;
}

bool render_is_left_out(const struct render *render, const struct xml_element *result)
{
	return element_get(render->report->root, "left-out") != NULL && is_best_effort(result) &&
	       strcmp(element_get(result, "verdict"), "no-bound") == 0;
}

const char *render_conditions(const struct render *render)
{
	const char *list = NULL;
	const struct xml_element *of = render_first(element_child(render->report->root, "assumptions"), "assumption");
	for (; of != NULL; of = render_next(of))
		if (strcmp(element_get(of, "used"), "true") == 0 && strcmp(element_get(of, "status"), "conditional") == 0)
			list = arena_format(
				render->arena, "%s%s%s", list != NULL ? list : "", list != NULL ? " " : "", element_get(of, "id"));
	return list;
}

const char *render_verdict(struct arena *arena, const struct xml_element *result)
{
	const char *verdict = element_get(result, "verdict"), *deadline = element_get(result, "deadline");
	const char *response = time_of(arena, element_get(result, "response"));
	if (strcmp(verdict, "no-bound") == 0)
		return arena_format(arena, "%snothing bounds the response: %s",
			is_best_effort(result) ? "best effort, needs no bound; " : "", reasons(arena, result));
	bool conditional = strcmp(verdict, "conditional") == 0;
	const char *only = conditional ? "only if assumptions hold for which nobody vouches, " : "";
	if (deadline == NULL)
		return arena_format(arena, "%sthe response is at most %s; there is no deadline", only, response);
	if (conditional || strcmp(verdict, "proven") == 0)
		return arena_format(arena, "%sthe response is at most %s, within the deadline of %s ns", only, response, deadline);
	return arena_format(arena, "the bound of the response is %s, above the deadline of %s ns", response, deadline);
}
