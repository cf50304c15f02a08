/* H, CHAIN and VOL-C term by term: the runs of operations whose times add up to a chain's own, each with what it is made of; then the
 * stream. */
#include "response/engines.h"

#include "base/checked.h"
#include "response/several_jobs.h"

/* Operations of a chain one after another, and when each is complete, counted from where the first may go. */
struct way {
	const struct engines *engines;
	struct local *local;
	const struct chain_of_classes *chain;
	const int64_t *completion;
	int begin; /* the first */
};

static int64_t time_of(const struct way *way, int first, int last)
{
	return first == way->begin ? way->completion[last + 1] : checked_sub(way->completion[last + 1], way->completion[first]);
}

static bool by_window(const struct way *way, int first, int last)
{
	return way->engines->bound != BOUND_H &&
	       window_time(way->engines->classes, &way->engines->windows, way->chain, first, last, NONE) == time_of(way, first, last);
}

/* Where the last run up to `last` begins. */
static int last_run(const struct way *way, int last)
{
	int first = way->begin;
	while (first < last && !by_window(way, first, last))
		first++;
	return first;
}

/* The operations `first` to `last`, as a term or a list. */
static struct term run_of(const struct way *way, int first, int last, enum term_kind kind)
{
	const struct class *items = &way->engines->classes->items[way->chain->first];
	return (struct term){
		.kind = kind, .of = items[first].operation, .also = items[last].operation, .amount = time_of(way, first, last)};
}

static void add_run(const struct way *way, int first, int last, struct terms *terms)
{
	const struct engines *engines = way->engines;
	const struct class *class = &engines->classes->items[way->chain->first + first];
	enum term_kind kind = engines->windows.volume ? TERM_RUN_VOLUME : TERM_RUN;
	if (class->place == PLACE_NOWHERE && first == last)
		terms_add(terms, run_of(way, first, last, TERM_ONLY_DEPENDENCY));
	else if (first < last || by_window(way, first, last))
		window_terms(engines->classes, &engines->windows, way->chain, first, last, time_of(way, first, last),
			terms_list(terms, run_of(way, first, last, kind)));
	else
		local_terms(way->local, class, terms);
}

/* Runs up to `last`; each added to the times of those before it, in `head`, if that is asked for. */
static void add_runs(const struct way *way, int last, struct terms *terms, struct terms *head)
{
	if (last < way->begin)
		return;
	int first = last_run(way, last);
	add_runs(way, first - 1, terms, head);
	add_run(way, first, last, terms);
	if (head != NULL)
		terms_add(head, run_of(way, first, last, TERM_RUN_TIME));
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

/* Do its jobs, and what is before them on its stream, take less in one window than one behind another ([SEVERAL-JOBS])? */
static bool all_in_one_window(const struct chain_of_classes *chain)
{
	return chain->heads != NULL && chain->heads[chain->count] < checked_add(chain->wait, chain->completion[chain->count]);
}

static void add_stream(const struct way *way, bool latest, struct terms *terms)
{
	const struct classes *classes = way->engines->classes;
	const struct chain_of_classes *chain = way->chain;
	struct term stream = {.kind = TERM_STREAM, .of = chain->segment, .latest = latest};
	stream.amount = checked_add(chain->wait, chain->completion[chain->count]);
	if (all_in_one_window(chain)) {
		stream.kind = TERM_STREAM_JOBS;
		stream.amount = chain->response;
		several_jobs_terms(classes, &way->engines->windows, chain, chain->response, terms_list(terms, stream));
		return;
	}
	local_stream_terms(classes, chain, way->engines->rules.horizon, stream, terms);
}

/* ---- which way the latest comes: back along the events for which it waits */

/* The wait whose event holds up the operation at `position` longest. NULL: none does, but what is before it on the stream. */
static const struct hold *holding(const struct way *way, int position)
{
	const struct chain_of_classes *chain = way->chain;
	int64_t latest = checked_add(chain->wait, chain->completion[position + 1]);
	const struct hold *found = NULL;
	for (int i = 0; i < chain->hold_count; i++) {
		const struct hold *hold = &chain->holds[i];
		int64_t at = hold->position > position
				     ? 0
				     : checked_add(local_held(way->engines->classes, chain, i), hold->completion[position + 1]);
		found = at > latest ? hold : found;
		latest = checked_max(latest, at);
	}
	return found;
}

static const struct chain_of_classes *chain_with(const struct classes *classes, int class)
{
	int i = 0;
	while (class >= classes->chains[i].first + classes->chains[i].count)
		i++;
	return &classes->chains[i];
}

/* No more steps than waits: an event cannot wait for itself. */
static void add_way(const struct way *from, struct terms *terms)
{
	const struct classes *classes = from->engines->classes;
	struct way way = *from;
	int position = way.chain->count - 1;
	for (int i = 0; i < classes->count; i++) {
		const struct hold *hold = holding(&way, position);
		way.completion = hold == NULL ? way.chain->completion : hold->completion;
		way.begin = hold == NULL ? 0 : hold->position;
		add_runs(&way, position, terms, NULL);
		if (hold == NULL)
			add_stream(&way, true, terms);
		int record = hold == NULL ? NO_ID : classes->items[way.chain->first + hold->position].record;
		if (record == NO_ID)
			return;
		way.chain = chain_with(classes, record);
		position = record - way.chain->first;
	}
}

/* ---- a chain */

/* latest: no other chain of the segment is complete later. */
static void add_chain(const struct way *way, bool latest, struct terms *terms)
{
	const struct chain_of_classes *chain = way->chain;
	const struct classes *classes = way->engines->classes;
	bool events = has_events(classes, chain->stream);
	struct term runs = {.kind = TERM_RUNS, .amount = NONE, .latest = latest && !events && !all_in_one_window(chain)};
	struct term head = {.kind = TERM_HEAD, .of = chain->segment, .amount = chain->completion[chain->count]};
	struct terms *run_list = terms_list(terms, runs), *head_list = terms_list(terms, head);
	add_runs(way, chain->count - 1, run_list, head_list);
	if (events)
		add_holds(classes, chain, terms);
	if (events && latest)
		add_way(way, terms_list(terms, (struct term){.kind = TERM_WAY, .amount = NONE}));
	if (events)
		return;
	add_stream(way, latest, terms);
}

static int latest_chain(const struct classes *classes, int segment)
{
	int latest = NO_ID;
	for (int i = 0; i < classes->chain_count; i++)
		if (classes->chains[i].segment == segment &&
			(latest == NO_ID || classes->chains[i].response > classes->chains[latest].response))
			latest = i;
	return latest;
}

void engines_terms(const struct engines *engines, int segment, struct terms *terms)
{
	const struct classes *classes = engines->classes;
	struct local local;
	local_begin_round(&local, classes, &engines->rules);
	int latest = latest_chain(classes, segment);
	for (int i = 0; i < classes->chain_count; i++)
		if (classes->chains[i].segment == segment)
			add_chain(
				&(struct way){engines, &local, &classes->chains[i], classes->chains[i].completion, 0}, i == latest, terms);
}
