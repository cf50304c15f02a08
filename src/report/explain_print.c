/* The words of terms.def. */
#include "report/explain_print.h"

#include "base/checked.h"
#include "report/explain_terms.h"
#include "response/local_bounds.h"
#include "response/bounds/fp.h"
#include "response/bounds/tt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef const char *word_text(struct explanation *e, const struct term *term);

static const char *number(const struct explanation *e, int64_t value)
{
	return arena_format(e->arena, "%" PRId64, value);
}

static const char *amount(struct explanation *e, const struct term *term)
{
	return number(e, term->amount);
}

static const char *count(struct explanation *e, const struct term *term)
{
	return number(e, term->count);
}

static const char *each(struct explanation *e, const struct term *term)
{
	return number(e, term->each);
}

static const char *product(struct explanation *e, const struct term *term)
{
	return terms_product(e, term->count, term->each);
}

static const char *eta(struct explanation *e, const struct term *term)
{
	return term->window == NONE ? "it alone" : terms_count(e, &term->arrivals, term->window, term->early);
}

static const char *step(struct explanation *e, const struct term *term)
{
	return terms_step(e, term->step);
}

static const char *second(struct explanation *e, const struct term *term)
{
	return terms_step(e, term->second);
}

static const char *rounding(struct explanation *e, const struct term *term)
{
	(void)e;
	return term->up ? "ceil" : "floor";
}

static const char *task(struct explanation *e, const struct term *term)
{
	return e->report->set->tasks[term->of].id;
}

static const char *context(struct explanation *e, const struct term *term)
{
	return e->report->response->basis.runlist->contexts[term->of].name;
}

static const char *segment(struct explanation *e, const struct term *term)
{
	return terms_name(e->report->response->basis.segments->items[term->of].name);
}

static const char *kind(struct explanation *e, const struct term *term)
{
	(void)e;
	return term->copies ? "copies" : "kernels";
}

/* ---- of operations */

static const struct operation_cost *cost_of(const struct explanation *e, int operation)
{
	return &e->report->response->basis.costs->operations[operation];
}

static const char *name(struct explanation *e, const struct term *term)
{
	return terms_name(cost_of(e, term->of)->name);
}

static const char *also(struct explanation *e, const struct term *term)
{
	return terms_name(cost_of(e, term->also)->name);
}

static const char *last(struct explanation *e, const struct term *term)
{
	return term->also == term->of ? "" : arena_format(e->arena, " to %s", also(e, term));
}

#define STEP_OF(cost)                                                                                                                      \
	static const char *cost##_step(struct explanation *e, const struct term *term)                                                     \
	{                                                                                                                                  \
		return terms_step(e, cost_of(e, term->of)->cost.step);                                                                     \
	}
STEP_OF(makespan)
STEP_OF(residence)
STEP_OF(transfer)
STEP_OF(dependency)
STEP_OF(dispatch)
STEP_OF(tail)
STEP_OF(volume)
#undef STEP_OF

static const char *stop_step(struct explanation *e, const struct term *term)
{
	(void)term;
	return terms_step(e, e->report->response->basis.costs->stop.step);
}

static const char *distance_step(struct explanation *e, const struct term *term)
{
	(void)term;
	return terms_step(e, e->report->response->basis.costs->parameter_steps[PARAMETER_STOPS_DISTANCE]);
}

static const char *block_step(struct explanation *e, const struct term *term)
{
	(void)term;
	return terms_step(e, e->report->response->basis.costs->parameter_steps[PARAMETER_OVERHEAD_BLOCK]);
}

/* Of the work on lower levels of its context that whose block is the longest: whose end it waits for. NULL: there is none. */
static const struct operation_cost *longest_below(const struct explanation *e, const struct operation_cost *cost)
{
	const struct operation_cost *longest = NULL;
	for (int i = 0; i < e->report->set->operation_count; i++) {
		const struct operation_cost *other = cost_of(e, i);
		bool below = other->place == PLACE_EXECUTION && other->context == cost->context && other->level > cost->level;
		if (below && (longest == NULL || other->residence.value > longest->residence.value))
			longest = other;
	}
	return longest;
}

/* Whose blocks are most of what it costs those of lower levels: its own, or those of a lower level whose end it waits for. */
static const struct operation_cost *culprit_of(const struct explanation *e, const struct term *term)
{
	bool level = term->kind == TERM_LEVEL_CUT;
	const struct operation_cost *own = cost_of(e, level ? e->report->response->basis.segments->items[term->of].first : term->of),
				    *longest = longest_below(e, own);
	return longest != NULL && (level || term->n[1] > term->n[0]) ? longest : own;
}

/* M + W: what it costs those of lower levels. */
static const char *high(struct explanation *e, const struct term *term)
{
	const struct operation_cost *cost = cost_of(e, term->of), *longest = longest_below(e, cost);
	return arena_format(e->arena, "M%s + W%s, %" PRId64 " + %" PRId64 " = %" PRId64 "%s%s", terms_step(e, cost->makespan.step),
		terms_step(e, cost->waste.step), term->n[0], term->n[1], term->n[2],
		longest != NULL ? "; W is the drain of blocks whose end it waits for, at most one of " : "",
		longest != NULL ? terms_name(longest->name) : "");
}

static const char *culprit(struct explanation *e, const struct term *term)
{
	const struct operation_cost *of = culprit_of(e, term);
	if (of == cost_of(e, term->of))
		return name(e, term);
	return arena_format(e->arena, "blocks of %s whose end %s waits for", terms_name(of->name), name(e, term));
}

static const char *total(struct explanation *e, const struct term *term)
{
	const struct operation_cost *cost = cost_of(e, term->of);
	bool late = explain_is_late(e);
	return arena_format(e->arena, "%s, v%s + %s%s, %" PRId64 " + %" PRId64 " = %" PRId64, late ? "all blocks" : "N C",
		terms_step(e, cost->volume.step), late ? "B" : "C", terms_step(e, cost->tail.step), term->n[0], term->n[1], term->n[2]);
}

static const char *tail_symbol(struct explanation *e, const struct term *term)
{
	(void)term;
	return explain_is_late(e) ? "B" : "C";
}

static const char *waited(struct explanation *e, const struct term *term)
{
	(void)term;
	return explain_is_late(e) ? ", and what is waited at the head" : "";
}

static const char *assigned(struct explanation *e, const struct term *term)
{
	(void)term;
	return explain_is_late(e) ? ", from its assignment on" : "";
}

/* ---- how many arrive */

/* Those that are at an engine at some time of a closed window, `early` their response. */
static const char *there(struct explanation *e, const struct term *term)
{
	if (arrivals_in(&term->arrivals, checked_add(term->window, term->early)) == term->count)
		return eta(e, term);
	return arena_format(e->arena, "%s, and one that was there", terms_count(e, &term->arrivals, term->window, 1));
}

/* Outstanding at some time of a window, `early` their response, and no more of one job than n[3]. */
static const char *come(struct explanation *e, const struct term *term)
{
	int64_t reached = arrivals_in(&term->arrivals, checked_add(term->window, term->early)),
		in = arrivals_in(&term->arrivals, term->window), most = reached <= 1 ? reached : checked_min(checked_add(in, 1), reached);
	if (term->early > 0 && term->n[3] < most)
		return arena_format(e->arena, "%" PRId64 ", as it is of the same job", term->n[3]);
	if (term->early == 0 || reached <= 1 || reached == NONE)
		return eta(e, term);
	return arena_format(e->arena, "the less of %s, and %" PRId64 " + 1 = %" PRId64 " with %s", eta(e, term), in, in + 1,
		terms_count(e, &term->arrivals, term->window, 0));
}

/* ---- of one bound each */

/* FP: what a job costs. */
static const char *parts(struct explanation *e, const struct term *term)
{
	const struct response_basis *basis = &e->report->response->basis;
	const struct operation_cost *of = cost_of(e, basis->segments->items[term->of].first);
	const struct {
		const char *name;
		int step;
	} named[FP_PARTS] = {{"M", of->makespan.step}, {"o_dep", of->dependency.step}, {"W", of->waste.step},
		{"a block of a lower level that may begin once more", STEP_ABSENT},
		{"the dispatch of one that is broken off", STEP_ABSENT}};
	const char *sum = "", *names = "";
	for (int i = 0; i < FP_PARTS; i++) {
		const char *between = i == 0 ? "" : " + ";
		if (i > 0 && term->n[i] == 0)
			continue;
		sum = arena_format(e->arena, "%s%s%" PRId64, sum, between, term->n[i]);
		names = arena_format(e->arena, "%s%s%s%s", names, i == 0 ? "" : ", ", named[i].name, terms_step(e, named[i].step));
	}
	return arena_format(e->arena, "%s (%s)", sum, names);
}

/* TT: blocks one after another; from a latest time to the next; why the one before is not earlier. */
static const char *alike(struct explanation *e, const struct term *term)
{
	return term->count == 1 ? "" : arena_format(e->arena, ", %" PRId64 " one after another, %s", term->count, product(e, term));
}

static const char *path(struct explanation *e, const struct term *term)
{
	bool less = term->amount < 0;
	return arena_format(e->arena, "%" PRId64 " %c %" PRId64 " = %" PRId64, term->n[TT_BEFORE], less ? '-' : '+',
		less ? -term->amount : term->amount, term->n[TT_BY]);
}

static const char *text_of(struct explanation *e, const struct term *term);

static const char *because(struct explanation *e, const struct term *term)
{
	const char *text = "";
	for (int i = 0; term->because != NULL && i < term->because->count; i++)
		text = arena_format(e->arena, "%s; %s", text, text_of(e, &term->because->items[i]));
	return text;
}

static const char *below(struct explanation *e, const struct term *term)
{
	return terms_name(culprit_of(e, term)->name);
}

/* H: what each local bound says. */
static const char *least(struct explanation *e, const struct term *term)
{
	const char *text = "";
	for (int i = 0; i < LOCAL_KINDS; i++)
		if (!checked_is_none(term->n[i]))
			text = arena_format(e->arena, "%s%s%s %" PRId64, text, text[0] != '\0' ? ", " : "", local_names[i], term->n[i]);
	return text;
}

/* COV. */
static const char *weights(struct explanation *e, const struct term *term)
{
	(void)e;
	return term->up ? "found by a linear program, checked" : "level 0, a closed form";
}

static const char *samples(struct explanation *e, const struct term *term)
{
	return arena_format(e->arena,
		"%" PRId64 " * %" PRId64 " * %" PRId64 " = %" PRId64 ", blocks, samples of one, weight; ceil(%" PRId64 " / %" PRId64
		") = %" PRId64,
		term->n[0], term->n[1], term->n[2], term->amount, term->n[3], term->n[4], term->n[1]);
}

static const char *above(struct explanation *e, const struct term *term)
{
	(void)e;
	return term->up ? "which may pass it" : "of a higher level";
}

static const struct {
	const char *name;
	word_text *text;
} words[] = {
	{"M", makespan_step},
	{"B", tail_symbol},
	{"above", above},
	{"alike", alike},
	{"also", also},
	{"amount", amount},
	{"assigned", assigned},
	{"because", because},
	{"below", below},
	{"come", come},
	{"context", context},
	{"count", count},
	{"culprit", culprit},
	{"dependency", dependency_step},
	{"dispatch", dispatch_step},
	{"each", each},
	{"eta", eta},
	{"high", high},
	{"kind", kind},
	{"last", last},
	{"least", least},
	{"name", name},
	{"overhead.block", block_step},
	{"parts", parts},
	{"path", path},
	{"product", product},
	{"residence", residence_step},
	{"round", rounding},
	{"samples", samples},
	{"second", second},
	{"segment", segment},
	{"step", step},
	{"stop", stop_step},
	{"stops.distance", distance_step},
	{"tail", tail_step},
	{"task", task},
	{"there", there},
	{"total", total},
	{"transfer", transfer_step},
	{"volume", volume_step},
	{"waited", waited},
	{"weights", weights},
};

/* What stands for a name in braces. */
static const char *word(struct explanation *e, const struct term *term, const char *named, size_t length)
{
	if (named[0] >= '0' && named[0] <= '9')
		return number(e, term->n[strtol(named, NULL, 10)]);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i].name) == length && strncmp(words[i].name, named, length) == 0)
			return words[i].text(e, term);
	assert(false);
	return "";
}

static const char *text_of(struct explanation *e, const struct term *term)
{
	const char *at = term_rows[term->kind].text, *text = "";
	for (const char *open = strchr(at, '{'); open != NULL; open = strchr(at, '{')) {
		size_t length = strcspn(open, "}") - 1;
		text = arena_format(e->arena, "%s%.*s%s", text, (int)(open - at), at, word(e, term, open + 1, length));
		at = open + length + 2;
	}
	return arena_format(e->arena, "%s%s", text, at);
}

/* ---- whose it is, for report/shares.h */

static int task_of(const struct explanation *e, const struct term *term)
{
	const struct taskset *set = e->report->set;
	int operation = term->of, task = 0;
	switch (term_rows[term->kind].whose) {
	case WHOSE_TASK: return term->of;
	case WHOSE_SEGMENT: return e->report->response->basis.segments->items[term->of].task;
	case WHOSE_CULPRIT: operation = (int)(culprit_of(e, term) - cost_of(e, 0)); break;
	case WHOSE_OPERATION: break;
	default: return NO_ID;
	}
	while (operation >= set->tasks[task].first_operation + set->tasks[task].operation_count)
		task++;
	return task;
}

static void share_term(struct explanation *e, const struct term *term, int64_t value)
{
	enum whose whose = term_rows[term->kind].whose;
	const char *what = terms_short(e, text_of(e, term));
	int task = task_of(e, term);
	if (whose == WHOSE_RELEASE)
		shares_add_as(e->shares, SHARE_JITTER, "", value, "of the release");
	else if (whose == WHOSE_CONTEXT)
		shares_add_as(e->shares, SHARE_CONTEXT, context(e, term), value, what);
	else if (whose == WHOSE_OVERHEAD)
		shares_add_as(e->shares, SHARE_OVERHEAD, "", value, what);
	else if (task == NO_ID)
		shares_add_as(e->shares, SHARE_WAIT, "", value, what);
	else if (&e->report->set->tasks[task] == e->task)
		shares_add_as(e->shares, SHARE_OWN, "", value, what);
	else
		shares_add_as(e->shares, SHARE_TASK, e->report->set->tasks[task].id, value, what);
}

struct sharing {
	struct explanation *e;
	int64_t before; /* the arrival of the worst job */
};

static void share_part(void *data, const struct term *of, int64_t value)
{
	struct sharing *sharing = data;
	if (value < 0)
		sharing->before = checked_add(sharing->before, -value);
	else
		share_term(sharing->e, of, value);
}

/* What is before the arrival of the worst job is taken from what is served first. */
static void share_list(struct explanation *e, const struct terms *terms)
{
	struct sharing sharing = {e, 0};
	if (e->shares == NULL)
		return;
	int first = e->shares->count;
	terms_share(terms, share_part, &sharing);
	shares_take(e->shares, first, sharing.before);
}

/* Of the own jobs one is shared already: by what S of it is made of. */
static void share_stream(struct explanation *e, const struct term *heading)
{
	int64_t before = 0;
	int first = e->shares == NULL ? 0 : e->shares->count;
	for (int i = 0; i < heading->list->count && e->shares != NULL; i++) {
		const struct term *term = &heading->list->items[i];
		if (term->kind == TERM_STREAM_JOB || term->kind == TERM_HELD)
			share_term(e, term,
				checked_sub(term->amount, term->kind == TERM_STREAM_JOB && term->of == heading->of ? term->each : 0));
		if (term->kind == TERM_STREAM_ONE || term->kind == TERM_STREAM_LEFT)
			share_term(e, term, term->amount);
		if (term->kind == TERM_LATER)
			before = checked_sub(0, term->amount);
	}
	if (e->shares != NULL)
		shares_take(e->shares, first, before);
}

/* ---- lists */

static void print_list(struct explanation *e, const struct term *heading)
{
	struct listing listing = listing_of(e);
	const struct term_row *row = &term_rows[heading->kind];
	if (heading->list->count == 0)
		return;
	if (row->text[0] != '\0')
		explain_line(e, 4, "%s:", text_of(e, heading));
	explain_terms(e, heading->list);
	if (row->claim[0] == '\0')
		return;
	for (int i = 0; i < heading->list->count; i++)
		if (term_adds(&heading->list->items[i]))
			listing_add(&listing, heading->list->items[i].amount, "%s", text_of(e, &heading->list->items[i]));
	listing_print_all(&listing, 6, heading->amount == NONE ? listing.sum : heading->amount, row->claim);
	if (row->role == TERM_ROLE_PART || heading->kind == TERM_INTERVAL || (heading->kind == TERM_STREAM_JOBS && heading->latest))
		share_list(e, heading->list);
	if ((heading->kind == TERM_STREAM || heading->kind == TERM_STREAM_FOUND) && heading->latest)
		share_stream(e, heading);
}

/* Of several streams the latest one counts. The way along events is another form of what is printed, for shares. */
static void add_list(struct explanation *e, const struct term *heading)
{
	struct shares *shares = e->shares;
	if (heading->kind == TERM_WAY && shares == NULL)
		return;
	if (heading->kind == TERM_RUNS && !heading->latest)
		e->shares = NULL;
	print_list(e, heading);
	e->shares = shares;
}

/* o_dep stands in two of them only. */
static void print_note(struct explanation *e, const struct term *note)
{
	explain_line(e, 4, "%s", text_of(e, note));
	if (e->shares != NULL && (note->kind == TERM_LEAST_AFTER || note->kind == TERM_ONLY_DEPENDENCY))
		shares_add_as(e->shares, SHARE_OVERHEAD, "", note->kind == TERM_LEAST_AFTER ? note->each : note->amount, "o_dep");
}

void explain_terms(struct explanation *e, const struct terms *terms)
{
	for (int i = 0; i < terms->count; i++) {
		const struct term *term = &terms->items[i];
		if (term->list != NULL)
			add_list(e, term);
		else if (term_rows[term->kind].role == TERM_ROLE_NOTE)
			print_note(e, term);
	}
}
