/* The terms of a segment's bound; of H, CHAIN and VOL-C first the jitters that it rests on. */
#include "report/explain_print.h"
#include "report/explain_terms.h"

#include "base/checked.h"
#include "response/engines.h"

#include <inttypes.h>

struct view { /* of one context under one bound */
	struct explanation *e;
	const struct engines *engines;
};

static const char *name_of(const struct view *view, const struct class *class)
{
	return terms_name(view->e->report->response->basis.costs->operations[class->operation].name);
}

/* ---- jitters: what is before an operation on its way */

/* The greatest of its streams'. */
static int64_t segment_response(const struct view *view, int segment)
{
	const struct classes *classes = view->engines->classes;
	int64_t most = 0;
	for (int i = 0; i < classes->chain_count; i++)
		if (classes->chains[i].segment == segment)
			most = checked_max(most, classes->chains[i].response);
	return most;
}

/* Of a segment behind others of its task: what these leave open ([SEGMENTS]). Nothing where one of them has no bound: its operations come
 * in any number then, which their own lines say. */
static void print_release(const struct view *view, const struct chain_of_classes *chain)
{
	const struct segments *segments = view->e->report->response->basis.segments;
	const struct taskset *set = view->e->report->set;
	const struct segment *of = &segments->items[chain->segment];
	int64_t *before = arena_allocate(view->e->arena, (size_t)of->number + 1, sizeof *before);
	for (int i = 0; i < of->number; i++)
		before[i] = segment_response(view, chain->segment - of->number + i);
	int64_t sum = segment_jitter(segments, set, chain->segment, before);
	const char *text = arena_format(view->e->arena, "%" PRId64, set->tasks[of->task].arrival.jitter);
	if ((of->number == 0 && of->host_most == 0) || chain->arrivals.jitter == NONE || sum == NONE)
		return;
	for (int i = 1; i < of->number + 2; i++) {
		const struct release_part part = segment_release_part(segments, set, chain->segment, i, before);
		if (i == 1 || part.most > part.least)
			text = arena_format(view->e->arena, "%s + %" PRId64 " - %" PRId64, text, part.most, part.least);
	}
	explain_line(view->e, 4,
		"release of this part of %s: %s = %" PRId64 ": of the task, and the most less the least of what is before it",
		terms_name(segments->items[chain->segment].name), text, sum);
}

static void print_jitters(const struct view *view)
{
	const struct classes *classes = view->engines->classes;
	explain_line(view->e, 2,
		"Operations at the engines: J, the jitter with which one arrives there, is that of the release, + the wait in the stream "
		"or for events, + those before it, bounded like what follows, + o_dep, - the least that those before take; R is from there "
		"to completion; T is the period:");
	for (int c = 0; c < classes->chain_count; c++) {
		const struct chain_of_classes *chain = &classes->chains[c];
		print_release(view, chain);
		for (int i = 0; i < chain->count; i++) {
			const struct class *class = &classes->items[chain->first + i];
			int64_t wait = checked_sub(checked_sub(class->reach, class->dependency), chain->completion[i]);
			if (class->arrivals.jitter == NONE)
				explain_line(view->e, 4, "%s: comes in any number, as nothing bounds it", name_of(view, class));
			else
				explain_line(view->e, 4,
					"%s: J = %" PRId64 " + %" PRId64 " + %" PRId64 " + %" PRId64 " - %" PRId64 " = %" PRId64
					", R = %" PRId64 ", T = %" PRId64,
					name_of(view, class), chain->arrivals.jitter, wait, chain->completion[i], class->dependency,
					class->early, class->arrivals.jitter, class->response, class->arrivals.model->period);
		}
	}
}

int explain_next_segment(const struct explanation *e, int from)
{
	const struct segments *segments = e->report->response->basis.segments;
	while (from < segments->count && &e->report->set->tasks[segments->items[from].task] != e->task)
		from++;
	return from;
}

void explain_bound(struct explanation *e, int segment)
{
	const struct response *response = e->report->response;
	int context = response->basis.segments->items[segment].context;
	const struct view view = {.e = e, .engines = response->basis.engines[e->result->winner][context]};
	struct terms terms = {.arena = e->arena};
	if (view.engines != NULL)
		print_jitters(&view);
	response_terms(response, (enum bound)e->result->winner, segment, e->value, &terms);
	explain_terms(e, &terms);
}
