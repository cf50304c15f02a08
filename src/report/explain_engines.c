/* H, CHAIN and VOL-C: from the operations of a chain to its response. */
#include "report/explain_engines.h"

#include "base/checked.h"
#include "response/segment.h"

#include <inttypes.h>

const struct operation_cost *explain_cost(const struct view *view, const struct class *class)
{
	return &view->e->report->response->basis.costs->operations[class->operation];
}

const char *explain_there(const struct view *view, const struct class *class, int64_t window)
{
	if (arrivals_in(&class->arrivals, checked_add(window, class->response)) == class_there(class, window))
		return terms_count(view->e, &class->arrivals, window, class->response);
	return arena_format(view->e->arena, "%s, and one that was there", terms_count(view->e, &class->arrivals, window, 1));
}

const char *explain_name(const struct view *view, const struct class *class)
{
	return terms_name(explain_cost(view, class)->name);
}

/* Of the work on lower levels of its context that whose block is the longest: what it cuts off, and waits for. NULL: there is none. */
const struct operation_cost *explain_longest_below(const struct costs *costs, int operations, const struct operation_cost *cost)
{
	const struct operation_cost *longest = NULL;
	for (int i = 0; i < operations; i++) {
		const struct operation_cost *other = &costs->operations[i];
		bool below = other->place == PLACE_EXECUTION && other->context == cost->context && other->level > cost->level;
		if (below && (longest == NULL || other->residence.value > longest->residence.value))
			longest = other;
	}
	return longest;
}

static const struct operation_cost *longest_below(const struct view *view, const struct class *class)
{
	const struct report *report = view->e->report;
	return explain_longest_below(report->response->basis.costs, report->set->operation_count, explain_cost(view, class));
}

const char *explain_culprit(const struct view *view, const struct class *class, int64_t each)
{
	const char *name = explain_name(view, class);
	const struct operation_cost *longest = longest_below(view, class);
	if (each != class->high || class->high - class->makespan <= class->makespan || longest == NULL)
		return name;
	return arena_format(view->e->arena, "blocks of %s that %s cuts off and does again", terms_name(longest->name), name);
}

const char *explain_high(const struct view *view, const struct class *class)
{
	const struct operation_cost *cost = explain_cost(view, class);
	const struct operation_cost *longest = longest_below(view, class);
	return arena_format(view->e->arena, "M%s + W%s, %" PRId64 " + %" PRId64 " = %" PRId64 "%s%s",
		terms_step(view->e, cost->makespan.step), terms_step(view->e, cost->waste.step), class->makespan,
		class->high - class->makespan, class->high,
		longest != NULL ? "; W is the drain of what it cuts off, at most a block of " : "",
		longest != NULL ? terms_name(longest->name) : "");
}

static const char *segment_name(const struct view *view, const struct chain_of_classes *chain)
{
	return terms_name(view->e->report->response->basis.segments->items[chain->segment].name);
}

const char *explain_lower(const struct view *view, int level)
{
	const struct classes *classes = view->engines->classes;
	const struct response_basis *basis = &view->e->report->response->basis;
	const struct class *longest = NULL;
	int64_t most = classes->lower_block[level];
	for (int i = 0; i < classes->count; i++) {
		const struct class *class = &classes->items[i];
		if (class->place == PLACE_EXECUTION && class->level > level && (longest == NULL || class->block > longest->block))
			longest = class;
	}
	if (longest == NULL)
		return "";
	return arena_format(view->e->arena,
		"a block of %s, the longest of lower levels, C%s, and its dispatch, o_blk%s: %" PRId64 " + %" PRId64 " = %" PRId64,
		explain_name(view, longest), terms_step(view->e, explain_cost(view, longest)->residence.step),
		terms_step(view->e, basis->costs->parameter_steps[PARAMETER_OVERHEAD_BLOCK]), longest->block, most - longest->block, most);
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

/* Of a segment behind others of its task: what these leave open ([SEGMENTS]). */
static void print_release(const struct view *view, const struct chain_of_classes *chain)
{
	const struct segments *segments = view->e->report->response->basis.segments;
	const struct segment *of = &segments->items[chain->segment];
	int64_t own = view->e->report->set->tasks[of->task].arrival.jitter, sum = own;
	const char *text = arena_format(view->e->arena, "%" PRId64, own);
	if ((of->number == 0 && of->host_most == 0) || chain->arrivals.jitter == NONE)
		return;
	text = arena_format(view->e->arena, "%s + %" PRId64 " - %" PRId64, text, of->host_most, of->host_least);
	sum += of->host_most - of->host_least;
	for (int i = 0; i < of->number; i++) {
		int before = chain->segment - of->number + i;
		int64_t least = segments->items[before].least, response = segment_response(view, before);
		if (response <= least)
			continue;
		text = arena_format(view->e->arena, "%s + %" PRId64 " - %" PRId64, text, response, least);
		sum += response - least;
	}
	explain_line(view->e, 4,
		"release of this part of %s: %s = %" PRId64 ": of the task, and the most less the least of what is before it",
		segment_name(view, chain), text, sum);
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
				explain_line(view->e, 4, "%s: comes in any number, as nothing bounds it", explain_name(view, class));
			else
				explain_line(view->e, 4,
					"%s: J = %" PRId64 " + %" PRId64 " + %" PRId64 " + %" PRId64 " - %" PRId64 " = %" PRId64
					", R = %" PRId64 ", T = %" PRId64,
					explain_name(view, class), chain->arrivals.jitter, wait, chain->completion[i], class->dependency,
					class->early, class->arrivals.jitter, class->response, class->arrivals.model->period);
		}
	}
}

/* ---- one chain: the runs of operations whose times add up to its own */

static bool by_window(const struct view *view, const struct chain_of_classes *chain, int first, int last, int64_t value)
{
	const struct engines *engines = view->engines;
	return engines->bound != BOUND_H && window_time(engines->classes, &engines->windows, chain, first, last, NONE) == value;
}

/* Where the last run up to `last` begins; its time. */
static int last_run(const struct view *view, const struct chain_of_classes *chain, int last)
{
	for (int first = 0; first < last; first++)
		if (by_window(view, chain, first, last, checked_sub(chain->completion[last + 1], chain->completion[first])))
			return first;
	return last;
}

static void print_run(struct view *view, const struct chain_of_classes *chain, int first, int last)
{
	const struct class *class = &view->engines->classes->items[chain->first + first];
	int64_t time = checked_sub(chain->completion[last + 1], chain->completion[first]);
	if (class->place == PLACE_NOWHERE && first == last)
		explain_line(view->e, 4, "%s: %" PRId64 " ns, o_dep", explain_name(view, class), time);
	else if (first < last || by_window(view, chain, first, last, time))
		explain_run(view, chain, first, last, time);
	else
		explain_operation(view, class);
}

static void print_runs(struct view *view, const struct chain_of_classes *chain)
{
	int *begins = arena_allocate(view->e->arena, (size_t)chain->count + 1, sizeof *begins), count = 0;
	struct terms terms = terms_of(view->e);
	for (int last = chain->count - 1; last >= 0; last = begins[count++] - 1)
		begins[count] = last_run(view, chain, last);
	for (int i = count - 1, last; i >= 0; i--) {
		last = i > 0 ? begins[i - 1] - 1 : chain->count - 1;
		print_run(view, chain, begins[i], last);
		const struct class *items = &view->engines->classes->items[chain->first];
		terms_add(&terms, checked_sub(chain->completion[last + 1], chain->completion[begins[i]]), "%s%s%s",
			explain_name(view, &items[begins[i]]), last > begins[i] ? " to " : "",
			last > begins[i] ? explain_name(view, &items[last]) : "");
	}
	explain_line(view->e, 2, "%s, from the head of its stream to completion:", segment_name(view, chain));
	terms_print(&terms, 8, "S", false);
}

/* ---- the stream server: (8.1), and with events: [EVENTS] */

static bool has_events(const struct classes *classes, int stream)
{
	for (int i = 0; i < classes->chain_count; i++)
		if (classes->chains[i].stream == stream && classes->chains[i].hold_count > 0)
			return true;
	return false;
}

static void print_holds(const struct view *view, const struct chain_of_classes *own)
{
	int64_t rest = own->completion[own->count];
	explain_line(view->e, 2,
		"Complete on its stream at most %" PRId64 " ns after its release, the greatest of what follows ([EVENTS]):", own->response);
	explain_line(view->e, 4, "what is before it on the stream, and S: %" PRId64 " + %" PRId64 " = %" PRId64, own->wait, rest,
		checked_add(own->wait, rest));
	for (int i = 0; i < own->hold_count; i++) {
		const struct class *class = &view->engines->classes->items[own->first + own->holds[i].position];
		int64_t event = local_held(view->engines->classes, own, i), after = own->holds[i].completion[own->count];
		explain_line(view->e, 4, "the event for which %s waits, and what is behind it: %" PRId64 " + %" PRId64 " = %" PRId64,
			explain_name(view, class), event, after, checked_add(event, after));
	}
}

static void print_stream(struct view *view, const struct chain_of_classes *own)
{
	const struct classes *classes = view->engines->classes;
	struct customer *customers = arena_allocate(view->e->arena, (size_t)classes->chain_count, sizeof *customers);
	const char **names = arena_allocate(view->e->arena, (size_t)classes->chain_count, sizeof *names);
	int count = 0;
	if (has_events(classes, own->stream)) {
		print_holds(view, own);
		return;
	}
	for (int i = 0; i < classes->chain_count; i++) {
		const struct chain_of_classes *chain = &classes->chains[i];
		if (chain->stream != own->stream)
			continue;
		names[count] = arena_format(view->e->arena, "jobs of %s, S each", segment_name(view, chain));
		customers[count++] = (struct customer){&chain->arrivals, chain->completion[chain->count]};
	}
	struct level level = {.ahead = customers,
		.ahead_count = count,
		.tick = 1,
		.horizon = view->engines->rules.horizon,
		.candidates = EXPLAIN_CANDIDATES,
		.engine = ENGINE_NONE};
	explain_line(view->e, 2, "Its stream serves one job after another, [STREAM] (8.1):");
	explain_level(view->e, &level, names, "", own->response, "the bound", false);
}

int explain_next_segment(const struct explanation *e, int from)
{
	const struct segments *segments = e->report->response->basis.segments;
	while (from < segments->count && &e->report->set->tasks[segments->items[from].task] != e->task)
		from++;
	return from;
}

void explain_engines(struct explanation *e, int segment)
{
	int context = e->report->response->basis.segments->items[segment].context;
	struct view view = {.e = e, .engines = e->report->response->basis.engines[e->result->winner][context]};
	const struct classes *classes = view.engines == NULL ? NULL : view.engines->classes;
	if (classes == NULL)
		return;
	local_begin_round(&view.local, classes, &view.engines->rules);
	print_jitters(&view);
	for (int i = 0; i < classes->chain_count; i++)
		if (classes->chains[i].segment == segment) {
			print_runs(&view, &classes->chains[i]);
			print_stream(&view, &classes->chains[i]);
		}
}
