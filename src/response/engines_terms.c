/* H, CHAIN and VOL-C term by term: the runs of operations whose times add up to a chain's own, each with what it is made of; then the
 * stream. */
#include "response/engines.h"

#include "base/checked.h"

static bool by_window(const struct engines *engines, const struct chain_of_classes *chain, int first, int last, int64_t value)
{
	return engines->bound != BOUND_H && window_time(engines->classes, &engines->windows, chain, first, last, NONE) == value;
}

static int64_t time_of(const struct chain_of_classes *chain, int first, int last)
{
	return checked_sub(chain->completion[last + 1], chain->completion[first]);
}

/* Where the last run up to `last` begins. */
static int last_run(const struct engines *engines, const struct chain_of_classes *chain, int last)
{
	int first = 0;
	while (first < last && !by_window(engines, chain, first, last, time_of(chain, first, last)))
		first++;
	return first;
}

/* The operations `first` to `last`, as a term or a list. */
static struct term run_of(const struct engines *engines, const struct chain_of_classes *chain, int first, int last, enum term_kind kind)
{
	const struct class *items = &engines->classes->items[chain->first];
	return (struct term){
		.kind = kind, .of = items[first].operation, .also = items[last].operation, .amount = time_of(chain, first, last)};
}

static void add_run(
	const struct engines *engines, struct local *local, const struct chain_of_classes *chain, int first, int last, struct terms *terms)
{
	const struct class *class = &engines->classes->items[chain->first + first];
	int64_t time = time_of(chain, first, last);
	enum term_kind kind = engines->windows.volume ? TERM_RUN_VOLUME : TERM_RUN;
	if (class->place == PLACE_NOWHERE && first == last)
		terms_add(terms, run_of(engines, chain, first, last, TERM_ONLY_DEPENDENCY));
	else if (first < last || by_window(engines, chain, first, last, time))
		window_terms(engines->classes, &engines->windows, chain, first, last, time,
			terms_list(terms, run_of(engines, chain, first, last, kind)));
	else
		local_terms(local, class, terms);
}

/* Runs up to `last`, each added to the times of those before it, in `head`. */
static void add_runs(const struct engines *engines, struct local *local, const struct chain_of_classes *chain, int last,
	struct terms *terms, struct terms *head)
{
	if (last < 0)
		return;
	int first = last_run(engines, chain, last);
	add_runs(engines, local, chain, first - 1, terms, head);
	add_run(engines, local, chain, first, last, terms);
	terms_add(head, run_of(engines, chain, first, last, TERM_RUN_TIME));
}

/* ---- the stream server: (8.1), and with events: [EVENTS] */

static bool has_events(const struct classes *classes, int stream)
{
	for (int i = 0; i < classes->chain_count; i++)
		if (classes->chains[i].stream == stream && classes->chains[i].hold_count > 0)
			return true;
	return false;
}

static void add_holds(const struct classes *classes, const struct chain_of_classes *own, struct terms *terms)
{
	int64_t rest = own->completion[own->count];
	terms_add(terms, (struct term){.kind = TERM_HOLDS, .n = {own->response}});
	terms_add(terms, (struct term){.kind = TERM_HOLD_NONE, .n = {own->wait, rest, checked_add(own->wait, rest)}});
	for (int i = 0; i < own->hold_count; i++) {
		const struct class *class = &classes->items[own->first + own->holds[i].position];
		int64_t event = local_held(classes, own, i), after = own->holds[i].completion[own->count];
		terms_add(terms, (struct term){.kind = TERM_HOLD, .of = class->operation, .n = {event, after, checked_add(event, after)}});
	}
}

static void add_chain(const struct engines *engines, struct local *local, const struct chain_of_classes *chain, struct terms *terms)
{
	struct terms *runs = terms_list(terms, (struct term){.kind = TERM_RUNS, .amount = NONE}),
		     *head = terms_list(
			     terms, (struct term){.kind = TERM_HEAD, .of = chain->segment, .amount = chain->completion[chain->count]});
	add_runs(engines, local, chain, chain->count - 1, runs, head);
	if (has_events(engines->classes, chain->stream)) {
		add_holds(engines->classes, chain, terms);
		return;
	}
	if (chain->heads != NULL && chain->heads[chain->count] < checked_add(chain->wait, chain->completion[chain->count])) {
		window_jobs_terms(engines->classes, &engines->windows, chain, chain->response,
			terms_list(terms, (struct term){.kind = TERM_STREAM_JOBS, .amount = chain->response}));
		return;
	}
	local_stream_terms(engines->classes, chain, engines->rules.horizon, terms);
}

void engines_terms(const struct engines *engines, int segment, struct terms *terms)
{
	const struct classes *classes = engines->classes;
	struct local local;
	local_begin_round(&local, classes, &engines->rules);
	for (int i = 0; i < classes->chain_count; i++)
		if (classes->chains[i].segment == segment)
			add_chain(engines, &local, &classes->chains[i], terms);
}
