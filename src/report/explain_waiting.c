#include "report/explain_waiting.h"

#include "base/checked.h"
#include "explore/critical_path.h"
#include "response/context_operations.h"

#include <inttypes.h>

struct path {
	struct listing *terms;
	struct explanation *e;
	const struct tt_basis *phases;
	const struct explore_critical_path *trace;
	const char *reasons; /* of links without time of their own, for the term after them */
	int64_t by;          /* what the next term leads to */
};

static const struct operation_cost *cost_of(const struct path *path, int number)
{
	const struct tt_job *job;
	return &path->e->report->response->basis.costs->operations[tt_operation(path->phases, number, &job)];
}

static const struct tt_job *job_of(const struct path *path, int number)
{
	const struct tt_job *job = NULL;
	tt_operation(path->phases, number, &job);
	return job;
}

static const char *name_of(const struct path *path, int number)
{
	return arena_format(
		path->e->arena, "%s (released at %" PRId64 ")", terms_name(cost_of(path, number)->name), job_of(path, number)->release);
}

/* "M of SFM/op:k [3] (released at 0)" */
static const char *term_of(const struct path *path, const char *symbol, int number, int step)
{
	return arena_format(path->e->arena, "%s of %s%s (released at %" PRId64 ")", symbol, terms_name(cost_of(path, number)->name),
		terms_step(path->e, step), job_of(path, number)->release);
}

static const struct task *task_of(const struct path *path, int number)
{
	return &path->e->report->set->tasks[path->e->report->response->basis.segments->items[job_of(path, number)->segment].task];
}

static const struct segment *segment_of(const struct path *path, int number)
{
	return &path->e->report->response->basis.segments->items[job_of(path, number)->segment];
}

/* "before + term = by", and why the time before is no later. */
static void add(struct path *path, int64_t term, const char *what)
{
	int64_t before = checked_sub(path->by, term);
	const char *hulls = path->reasons == NULL ? "" : path->reasons;
	if (term != 0)
		listing_add(path->terms, term, "%s%s: %" PRId64 " %c %" PRId64 " = %" PRId64, what, hulls, before, term < 0 ? '-' : '+',
			term < 0 ? -term : term, path->by);
	path->reasons = term != 0 ? NULL : path->reasons;
	path->by = before;
}

static void reason(struct path *path, const char *text)
{
	path->reasons = arena_format(path->e->arena, "%s; %s", path->reasons == NULL ? "" : path->reasons, text);
}

static struct cost time_of(const struct path *path, int number)
{
	const struct operation_cost *cost = cost_of(path, number);
	return cost->place == PLACE_COPY ? cost->transfer : path->phases->blocks ? cost->block : cost->makespan;
}

static const char *symbol_of(const struct path *path, int number)
{
	return cost_of(path, number)->place == PLACE_COPY || path->phases->blocks ? "C" : "M";
}

/* Links that follow each other and say the same: blocks one after another. */
static int64_t alike(const struct path *path, int from)
{
	const struct explore_link *links = path->trace->links, *first = &links[from];
	int64_t count = 1;
	while (from + count < path->trace->count && links[from + count].cause == first->cause && links[from + count].job == first->job &&
		links[from + count].term == first->term && first->term != 0 && first->cause <= EXPLORE_DISPATCH)
		count++;
	return count;
}

static void add_alike(struct path *path, int64_t count, int64_t each, const char *what)
{
	struct arena *arena = path->e->arena;
	const char *many =
		count == 1 ? "" : arena_format(arena, ", %" PRId64 " one after another, %s", count, terms_product(path->e, count, each));
	add(path, checked_mul(count, each), arena_format(arena, "%s%s", what, many));
}

static void add_dependency(struct path *path, int number, const char *what)
{
	const struct cost *dependency = &cost_of(path, number)->dependency;
	add(path, dependency->value, arena_format(path->e->arena, "o_dep%s, %s", terms_step(path->e, dependency->step), what));
}

static void add_host(struct path *path, int64_t host, int number)
{
	add(path, host, arena_format(path->e->arena, "host segments before %s", name_of(path, number)));
}

static void add_arrival(struct path *path, const struct explore_link *link, const char *what)
{
	const struct cost *dependency = &cost_of(path, link->job)->dependency;
	if (dependency->value == 0)
		reason(path, what);
	add_dependency(path, link->job, what);
	add_host(path, checked_sub(link->term, dependency->value), link->job);
}

static void add_stopped(struct path *path, const struct explore_link *link)
{
	struct cost makespan = time_of(path, link->other);
	int64_t wasted = checked_sub(link->term, makespan.value);
	add(path, link->term,
		arena_format(path->e->arena,
			"%s comes while %s is there, at a higher priority: M%s and %" PRId64
			" for what is cut off, a block under way or a dispatch, %" PRId64 " + %" PRId64 " = %" PRId64,
			name_of(path, link->other), name_of(path, link->job), terms_step(path->e, makespan.step), wasted, makespan.value,
			wasted, link->term));
}

/* A latest release, and from the worst job's nominal release to the nominal one there. */
static void add_release(struct path *path, const struct explore_link *link)
{
	struct arena *arena = path->e->arena;
	const struct task *task = task_of(path, link->job);
	const struct tt_job *job = job_of(path, link->job);
	int64_t rest = checked_sub(path->by, checked_add(job->release, task->arrival.jitter)),
		host = segment_of(path, link->job)->host_most;
	if (rest > host)
		add_dependency(path, link->job, arena_format(arena, "%s arrives after its release", name_of(path, link->job)));
	add_host(path, checked_sub(path->by, checked_add(job->release, task->arrival.jitter)), link->job);
	add(path, task->arrival.jitter, arena_format(arena, "release jitter: so much later task:%s is released", task->id));
}

static void add_begin(struct path *path, const struct tt_job *worst, int number)
{
	int64_t host = path->e->report->response->basis.segments->items[worst->segment].host_most;
	int64_t begin = checked_add(worst->release, host);
	const char *to =
		number < 0 ? "time 0" : arena_format(path->e->arena, "the nominal release of %s", terms_name(cost_of(path, number)->name));
	add(path, checked_sub(path->by, begin),
		arena_format(path->e->arena, "from the worst job's own release, and its host segments, to %s", to));
}

static const char *order_text(const struct path *path, const struct explore_link *link)
{
	return arena_format(path->e->arena, "in this order %s comes before %s, and something of the two happens by %" PRId64,
		name_of(path, link->job), name_of(path, link->other), link->before);
}

static void add_next(struct path *path, const struct explore_link *link)
{
	if (link->term == 0)
		reason(path, order_text(path, link));
	else
		add(path, link->term, order_text(path, link));
}

static void add_engine(struct path *path, const struct explore_link *link, int64_t count)
{
	const struct costs *costs = path->e->report->response->basis.costs;
	int step = time_of(path, link->job).step;
	const char *symbol = symbol_of(path, link->job);
	if (link->cause == EXPLORE_PIECE) {
		symbol = "C of a block";
		step = cost_of(path, link->job)->block.step;
	} else if (link->cause == EXPLORE_DISPATCH) {
		symbol = "o_blk of a block";
		step = costs->parameter_steps[PARAMETER_OVERHEAD_BLOCK];
	} else if (link->cause == EXPLORE_LAUNCH) {
		symbol = "o_launch";
		step = costs->parameter_steps[PARAMETER_OVERHEAD_LAUNCH];
	}
	add_alike(path, count, link->term, term_of(path, symbol, link->job, step));
}

static void add_link(struct path *path, const struct explore_link *link, int64_t count)
{
	struct arena *arena = path->e->arena;
	const char *name = name_of(path, link->job);
	switch (link->cause) {
	case EXPLORE_SERVED:
	case EXPLORE_PIECE:
	case EXPLORE_DISPATCH:
	case EXPLORE_LAUNCH: add_engine(path, link, count); break;
	case EXPLORE_FREE:
		reason(path, arena_format(arena, "%s finds room when %s leaves it, by %" PRId64, name, name_of(path, link->other),
				     link->before));
		break;
	case EXPLORE_NEXT: add_next(path, link); break;
	case EXPLORE_FOLLOWS:
		add_arrival(path, link, arena_format(arena, "%s arrives when %s is complete", name, name_of(path, link->other)));
		break;
	case EXPLORE_TURN:
		add_arrival(path, link, arena_format(arena, "%s arrives when it is released and the stream is free", name));
		break;
	case EXPLORE_STOPPED: add_stopped(path, link); break;
	case EXPLORE_DRAINED:
		add(path, link->term, arena_format(arena, "a block of a lower priority, under way, and a dispatch, before %s", name));
		break;
	case EXPLORE_RELEASED: add_release(path, link); break;
	case EXPLORE_HULL:
		add(path, link->term,
			arena_format(arena,
				"the end of the interval from %" PRId64 " to %" PRId64
				" in a merged state, which no single order has, for %s",
				link->least, link->by, name));
		break;
	}
}

void explain_waiting(struct listing *terms, const struct tt_basis *phases, const struct tt_job *job)
{
	struct explanation *e = terms->e;
	struct explore_critical_path trace = explore_critical_path(e->arena, phases->explore, job->last, job->complete);
	struct path path = {.terms = terms, .e = e, .phases = phases, .trace = &trace, .by = job->complete};
	int last = -1;
	explain_line(e, 2,
		"From this completion back, each with the latest time before it, + the term, = the latest time after it; a time is that of "
		"a state of "
		"the exploration, the latest of all orders that lead to the state (their hull):");
	if (trace.count == 0)
		add(&path, path.by, "no order that has it was found again");
	for (int i = 0; i < trace.count;) {
		int64_t count = alike(&path, i);
		const struct explore_link *link = &trace.links[i];
		if (link->orders > 1)
			reason(&path, arena_format(e->arena, "the latest of %d orders up to here", link->orders));
		add_link(&path, link, count);
		last = link->cause == EXPLORE_RELEASED ? link->job : -1;
		i += (int)count;
	}
	add_begin(&path, job, last);
	if (path.reasons != NULL)
		explain_line(e, 2, "To begin with%s.", path.reasons);
}
