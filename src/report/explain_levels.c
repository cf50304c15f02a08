/* FP: a busy interval of a priority level. */
#include "report/explain_engines.h"

#include "base/checked.h"
#include "response/priority.h"
#include "response/segment.h"

#include <inttypes.h>

static const char *add_part(struct explanation *e, const char *text, int64_t part)
{
	return part == 0 ? text : arena_format(e->arena, "%s + %" PRId64, text, part);
}

/* What a job costs, with its parts. */
static const char *cost_text(struct explanation *e, const struct priority_cost *cost)
{
	const struct response_basis *basis = &e->report->response->basis;
	const struct segment *segment = cost->segment == NO_ID ? NULL : &basis->segments->items[cost->segment];
	if (segment == NULL)
		return arena_format(e->arena, "stops, each%s", terms_step(e, basis->costs->stop.step));
	const struct operation_cost *of = &basis->costs->operations[segment->first];
	int64_t parts[] = {cost->makespan, cost->dependency, cost->waste, cost->again, cost->broken}, sum = 0;
	const char *names = arena_format(e->arena, "M%s%s%s%s%s%s%s", terms_step(e, of->makespan.step),
		cost->dependency > 0 ? ", o_dep" : "", cost->dependency > 0 ? terms_step(e, of->dependency.step) : "",
		cost->waste > 0 ? ", W" : "", cost->waste > 0 ? terms_step(e, of->waste.step) : "",
		cost->again > 0 ? ", a block of a lower level that may begin once more" : "",
		cost->broken > 0 ? ", the dispatch of one that is broken off" : "");
	const char *text = arena_format(e->arena, "%" PRId64, cost->makespan);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		sum += parts[i];
		text = i > 0 ? add_part(e, text, parts[i]) : text;
	}
	const struct operation_cost *longest = explain_longest_below(basis->costs, e->report->set->operation_count, of);
	if (cost->waste > cost->makespan && longest != NULL)
		return arena_format(e->arena, "blocks of %s that jobs of %s cut off, each %" PRId64 " = %s (%s)", terms_name(longest->name),
			terms_name(segment->name), sum, text, names);
	return arena_format(e->arena, "jobs of %s, each %" PRId64 " = %s (%s)", terms_name(segment->name), sum, text, names);
}

/* What of lower levels is in the way once. */
static const char *lower_text(struct explanation *e, const struct level *level)
{
	return arena_format(e->arena, "B: the longest block of lower levels and the dispatch under way, %" PRId64, level->blocking);
}

void explain_levels(struct explanation *e, int segment)
{
	const struct priority_basis *all = e->report->response->basis.priority, *basis = all == NULL ? NULL : &all[segment];
	if (basis == NULL)
		return;
	const char **names = arena_allocate(e->arena, (size_t)basis->count + 1, sizeof *names);
	for (int i = 0; i < basis->count; i++)
		names[i] = cost_text(e, &basis->costs[i]);
	explain_level(e, &basis->level, names, lower_text(e, &basis->level), e->value, "the bound", true);
}
