/* TT term by term: the critical path of the worst job of a hyperperiod, from its latest completion back to a release, and from there to its
 * own. Each term leads from a latest time to the next one; links without time of their own are notes of the term behind them. */
#include "explore/critical_path.h"
#include "response/bounds/bound.h"
#include "response/bounds/tt.h"
#include "response/terms.h"

struct path {
	const struct response_basis *basis;
	const struct tt_basis *tt;
	struct terms *terms, *because; /* because: NULL: none */
	int64_t by;                    /* what the next term leads to */
};

static const struct tt_job *job_of(const struct path *path, int number)
{
	const struct tt_job *job = NULL;
	tt_operation(path->tt, number, &job);
	return job;
}

static const struct operation_cost *cost_of(const struct path *path, int number)
{
	const struct tt_job *job;
	return &path->basis->costs->operations[tt_operation(path->tt, number, &job)];
}

static bool by_blocks(const struct path *path, int number)
{
	return path->tt->blocks || cost_of(path, number)->place == PLACE_COPY;
}

static const struct cost *time_of(const struct path *path, int number)
{
	const struct operation_cost *cost = cost_of(path, number);
	return cost->place == PLACE_COPY ? &cost->transfer : path->tt->blocks ? &cost->block : &cost->makespan;
}

/* Of an operation and of another one, -1: none; each with the release of its job. */
static struct term of(const struct path *path, int number, int other)
{
	const struct tt_job *job, *jobs;
	struct term term = {.of = tt_operation(path->tt, number, &job), .step = STEP_ABSENT, .count = 1};
	term.n[TT_RELEASE] = job->release;
	if (other < 0)
		return term;
	term.also = tt_operation(path->tt, other, &jobs);
	term.n[TT_RELEASE_ALSO] = jobs->release;
	return term;
}

/* Nothing for no time. */
static void add(struct path *path, struct term term, enum term_kind kind, int64_t amount)
{
	term.kind = kind;
	term.amount = amount;
	term.n[TT_BY] = path->by;
	term.n[TT_BEFORE] = path->by = checked_sub(path->by, amount);
	term.because = path->because;
	terms_add(path->terms, term);
	path->because = amount != 0 ? NULL : path->because;
}

static void note(struct path *path, struct term term, enum term_kind kind, int64_t before)
{
	if (path->because == NULL)
		path->because = arena_allocate(path->terms->arena, 1, sizeof *path->because);
	path->because->arena = path->terms->arena;
	term.kind = kind;
	term.n[TT_BEFORE] = before;
	terms_add(path->because, term);
}

/* ---- links */

/* Links that follow each other and say the same: blocks one after another. */
static int alike(const struct explore_critical_path *trace, int from)
{
	const struct explore_link *links = trace->links, *first = &links[from];
	int count = 1;
	while (from + count < trace->count && links[from + count].cause == first->cause && links[from + count].job == first->job &&
		links[from + count].term == first->term && first->term != 0 && first->cause <= EXPLORE_DISPATCH)
		count++;
	return count;
}

static void add_served(struct path *path, const struct explore_link *link, enum term_kind kind, int step, int count)
{
	struct term term = of(path, link->job, -1);
	term.step = step;
	term.count = count;
	term.each = link->term;
	add(path, term, kind, checked_mul(count, link->term));
}

static void add_host(struct path *path, int64_t host, int number)
{
	add(path, of(path, number, -1), TERM_TT_HOST, host);
}

/* After the o_dep, or with it if that is nothing. */
static void add_arrival(struct path *path, const struct explore_link *link, enum term_kind with, enum term_kind without)
{
	int64_t dependency = cost_of(path, link->job)->dependency.value;
	if (dependency == 0)
		note(path, of(path, link->job, link->other), without, 0);
	add(path, of(path, link->job, link->other), with, dependency);
	add_host(path, checked_sub(link->term, dependency), link->job);
}

static void add_stopped(struct path *path, const struct explore_link *link)
{
	struct term term = of(path, link->other, link->job);
	const struct cost *makespan = time_of(path, link->other);
	term.step = makespan->step;
	term.n[TT_MAKESPAN] = makespan->value;
	term.n[TT_CUT_OFF] = checked_sub(link->term, makespan->value);
	add(path, term, TERM_TT_STOPPED, link->term);
}

/* A latest release. */
static void add_release(struct path *path, const struct explore_link *link)
{
	const struct tt_job *job = job_of(path, link->job);
	const struct segment *segment = &path->basis->segments->items[job->segment];
	int64_t jitter = path->tt->classes->chains[job->segment].arrivals.model->jitter, latest = checked_add(job->release, jitter);
	if (checked_sub(path->by, latest) > segment->host_most)
		add(path, of(path, link->job, -1), TERM_TT_ARRIVES, cost_of(path, link->job)->dependency.value);
	add_host(path, checked_sub(path->by, latest), link->job);
	add(path, (struct term){.of = segment->task}, TERM_TT_JITTER, jitter);
}

static void add_hull(struct path *path, const struct explore_link *link)
{
	struct term term = of(path, link->job, -1);
	term.n[TT_LEAST] = link->least;
	add(path, term, TERM_TT_HULL, link->term);
}

static void add_link(struct path *path, const struct explore_link *link, int count)
{
	const int *steps = path->basis->costs->parameter_steps;
	bool blocks = by_blocks(path, link->job);
	switch (link->cause) {
	case EXPLORE_SERVED: add_served(path, link, blocks ? TERM_TT_TIME : TERM_TT_MAKESPAN, time_of(path, link->job)->step, count); break;
	case EXPLORE_PIECE: add_served(path, link, TERM_TT_BLOCK, cost_of(path, link->job)->block.step, count); break;
	case EXPLORE_DISPATCH: add_served(path, link, TERM_TT_DISPATCH, steps[PARAMETER_OVERHEAD_BLOCK], count); break;
	case EXPLORE_LAUNCH: add_served(path, link, TERM_TT_LAUNCH, steps[PARAMETER_OVERHEAD_LAUNCH], count); break;
	case EXPLORE_FREE: note(path, of(path, link->job, link->other), TERM_TT_FREE, link->before); break;
	case EXPLORE_NEXT: note(path, of(path, link->job, link->other), TERM_TT_NEXT, link->before); break;
	case EXPLORE_FOLLOWS: add_arrival(path, link, TERM_TT_FOLLOWS_AFTER, TERM_TT_FOLLOWS); break;
	case EXPLORE_TURN: add_arrival(path, link, TERM_TT_TURN_AFTER, TERM_TT_TURN); break;
	case EXPLORE_STOPPED: add_stopped(path, link); break;
	case EXPLORE_DRAINED: add(path, of(path, link->job, -1), TERM_TT_DRAINED, link->term); break;
	case EXPLORE_RELEASED: add_release(path, link); break;
	case EXPLORE_HULL: add_hull(path, link); break;
	}
}

/* From the worst job's own begin to the nominal release at which the path ends; -1: to time 0. */
static void add_begin(struct path *path, int64_t begin, int number)
{
	int64_t amount = checked_sub(path->by, begin);
	if (number < 0)
		add(path, (struct term){.of = NO_ID}, TERM_TT_FROM_ZERO, amount);
	else
		add(path, of(path, number, -1), TERM_TT_FROM, amount);
}

static void add_path(struct path *path, const struct tt_job *job, int64_t begin)
{
	struct explore_critical_path trace = explore_critical_path(path->terms->arena, path->tt->explore, job->last, job->complete);
	int last = -1;
	if (trace.count == 0)
		add(path, (struct term){.of = NO_ID}, TERM_TT_UNKNOWN, path->by);
	for (int i = 0, count; i < trace.count; i += count) {
		const struct explore_link *link = &trace.links[i];
		count = alike(&trace, i);
		if (link->orders > 1)
			note(path, (struct term){.of = NO_ID}, TERM_TT_ORDERS, link->orders);
		add_link(path, link, count);
		last = link->cause == EXPLORE_RELEASED ? link->job : -1;
	}
	add_begin(path, begin, last);
}

void tt_terms(const struct response *response, int segment, int64_t value, struct terms *terms)
{
	const struct tt_basis *tt = response->basis.tt;
	if (tt->worst[segment] == NO_ID)
		return;
	const struct tt_job *job = &tt->jobs[tt->worst[segment]];
	int64_t host = response->basis.segments->items[segment].host_most;
	terms_add(terms, (struct term){.kind = TERM_TT_WORST, .n = {tt->hyperperiod, job->release, job->complete, host, value}});
	terms_add(terms, (struct term){.kind = TERM_TT_BACK});
	struct terms list = {.arena = terms->arena};
	struct path path = {&response->basis, tt, &list, NULL, job->complete};
	add_path(&path, job, checked_add(job->release, host));
	if (path.because != NULL)
		terms_add(terms, (struct term){.kind = TERM_TT_BEGIN, .because = path.because});
	*terms_list(terms, (struct term){.kind = TERM_TT_PATH, .amount = value}) = list;
}
