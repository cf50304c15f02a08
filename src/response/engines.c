#include "response/engines.h"

#include "base/plant.h"
#include "base/refinement.h"
#include "model/limits.h"
#include "model/rules.h"
#include "response/advice.h"
#include "response/applicable.h"
#include "response/nonpreemptive_server.h"
#include "response/open_segments.h"
#include "response/several_jobs.h"

#include <string.h>

#define ROUNDS 2000
/* where streams wait for one another responses can feed on one another, a little each round */
#define EVENT_ROUNDS 200
#define EVENT_PERIODS 40

struct iteration {
	const struct workload *w;
	const struct turns *turns;
	const struct engines_bound *of;
	int context;
	bool passing; /* by A-FIT: no makespans */
	struct classes *classes;
	struct window_rules windows;
	struct local_rules rules;
	struct local local;
	struct engines_now now;
	int round;
	bool changed, *moved; /* in this round: anything; [chain] */
	bool *chain_moved;    /* of the chain that is looked at */
	int64_t *stream_grown;
	int64_t raised;    /* so many values so far */
	int64_t *grown;    /* [stream]: as one of its operations' was raised, or changed, last */
	int64_t *released; /* [stream]: as a jitter of its chains' releases was */
	int64_t given_up;  /* as a chain was */
	int64_t *segment;  /* [segment]: R, the greatest of its chains' */
	int64_t *runs;     /* [position]: from there to the operation that is looked at */
	int *order;        /* of the chains: those with most releases first, as they are the first for which there may be no bound */
};

static bool raise(struct iteration *it, int64_t *value, int64_t to)
{
	if (to > *value) {
		*value = to;
		it->changed = *it->chain_moved = true;
		*it->stream_grown = ++it->raised;
	}
	return to != NONE;
}

static void open_segment(struct iteration *it, int segment, const char *otherwise)
{
	const struct open_rules rules = {it->w, it->classes, it->of->volume || it->passing, it->rules.fifo_copies, &it->windows.copies};
	int place = it->w->segments->items[segment].place;
	const struct siblings *of = &it->classes->siblings[place];
	for (int i = 0; i < of->count; i = i + it->classes->chains[it->classes->items[of->first + i].chain].count)
		open_chain(&rules, &it->classes->chains[it->classes->items[of->first + i].chain], otherwise);
	it->segment[place] = NONE;
}

/* No value from here on: the others have to do without. Nor for the task's other segments, as what it has is in the report, and it has
 * nothing. */
static void give_up(struct iteration *it, struct chain_of_classes *chain, const char *otherwise)
{
	const struct segments *segments = it->w->segments;
	it->given_up = ++it->raised;
	open_segment(it, chain->segment, otherwise);
	for (int i = 0; i < it->classes->chain_count; i++) {
		struct chain_of_classes *other = &it->classes->chains[i];
		if (other->open != NULL || segments->items[other->segment].task != segments->items[chain->segment].task)
			continue;
		open_segment(it, other->segment, otherwise);
		other->open = chain->open;
	}
	it->changed = true;
}

/* ---- whose responses grow, and what is charged most on their way */

static bool by_volume(const struct iteration *it)
{
	return it->of->volume || it->passing;
}

/* Does it meet operations of the chain at an engine, and is it no lower there, or counted whatever its level? */
static bool meets(const struct iteration *it, const struct chain_of_classes *chain, const struct class *class)
{
	for (int i = 0; i < chain->count; i++) {
		const struct class *own = &it->classes->items[chain->first + i];
		if (own->place == class->place &&
			(own->place == PLACE_COPY ? own->engine == class->engine : by_volume(it) || class->level <= own->level))
			return true;
	}
	return false;
}

static int64_t charged(const struct iteration *it, const struct class *class)
{
	if (class->place == PLACE_COPY)
		return class->block;
	return by_volume(it) ? checked_div_ceil(class_total(class), checked_max(1, it->windows.g)) : class->high;
}

static int64_t instances(const struct class *class)
{
	const struct arrival *model = class->arrivals.model;
	return model->kind == ARRIVAL_CURVE ? model->steps[model->step_count - 1].count : 1;
}

static const char *grows(const struct iteration *it, const struct chain_of_classes *chain)
{
	const struct class *most = NULL;
	const char *name = it->w->segments->items[chain->segment].name;
	struct rational greatest = rational_of(0);
	for (int i = 0; i < it->classes->count; i++) {
		const struct class *class = &it->classes->items[i];
		int64_t each = checked_mul(charged(it, class), instances(class));
		struct rational load = rational_make(each, class->arrivals.model->period);
		if (!meets(it, chain, class) || rational_is_none(load) || rational_compare(load, greatest) <= 0)
			continue;
		greatest = load;
		most = class;
	}
	if (most == NULL)
		return arena_format(it->w->arena, "responses and jitters of %s grow beyond the horizon", name);
	return arena_format(it->w->arena,
		"responses and jitters of %s grow beyond the horizon: most of what is charged where it runs is of %s, %s every %s%s", name,
		it->w->costs->operations[most->operation].name,
		advice_milliseconds(it->w->arena, checked_mul(charged(it, most), instances(most))),
		advice_milliseconds(it->w->arena, most->arrivals.model->period), it->w->runlist->sliced ? ", besides others' turns" : "");
}

/* ---- one operation, one chain */

int64_t engines_single(const struct engines_now *now, const struct chain_of_classes *chain, int position)
{
	const struct class *class = &now->classes->items[chain->first + position];
	int64_t local = class->place == PLACE_COPY ? local_copy(now->local, class) : local_kernel(now->local, class);
	return checked_add(local, class->dependency);
}

/* From the stream's head to completion of a single operation. */
static int64_t single(struct iteration *it, const struct chain_of_classes *chain, int position)
{
	const struct class *class = &it->classes->items[chain->first + position];
	return class->place == PLACE_NOWHERE ? class->dependency : it->of->single(&it->now, chain, position);
}

/* The least of the ways to complete the operation from an event on: by itself, or with those before it. */
static int64_t complete(const int64_t *done, int from, int position, const int64_t *runs)
{
	int64_t best = NONE;
	for (int i = from; i <= position; i++)
		best = checked_min(best, checked_add(done[i], runs[i]));
	return best;
}

static bool advance(struct iteration *it, struct chain_of_classes *chain, int position)
{
	int64_t *runs = it->runs;
	struct class *class = &it->classes->items[chain->first + position];
	runs[position] = single(it, chain, position);
	int64_t *done = chain->completion, best = checked_add(done[position], runs[position]);
	if (it->of->runs)
		best = window_complete(it->classes, &it->windows, chain, position, best, runs);
	bool ok = raise(it, &class->response, runs[position]) && raise(it, &done[position + 1], best);
	for (int i = 0; i < chain->hold_count && ok && chain->holds[i].position <= position; i++) {
		done = chain->holds[i].completion;
		int from = it->of->runs ? chain->holds[i].position : position;
		ok = raise(it, &done[position + 1], complete(done, from, position, runs));
	}
	return ok;
}

/* The longest window in which no operation of another stream comes twice. */
static int64_t lone_length(const struct iteration *it, int stream)
{
	int64_t lone = NONE - 1;
	for (int i = 0; i < it->classes->chain_count; i++) {
		struct chain_of_classes *chain = &it->classes->chains[i];
		if (chain->stream == stream)
			continue;
		if (checked_max(it->grown[chain->stream], it->given_up) >= chain->once_known) {
			chain->once = window_lone_length(it->classes, chain);
			chain->once_known = it->raised + 1;
		}
		lone = checked_min(lone, chain->once);
	}
	return lone;
}

static bool advance_chain(struct iteration *it, struct chain_of_classes *chain)
{
	bool alone = !it->classes->siblings[chain->place].apart;
	if (it->of->runs)
		chain->lone = alone ? lone_length(it, chain->stream) : 0;
	for (int i = 0; i < chain->count; i++)
		if (!advance(it, chain, i))
			return false;
	return true;
}

/* ---- jitters: of a segment's release from its task's earlier segments; of an operation from its chain ([VOL-C]) */

/* Responses of the segments of a task, which have the places behind its first one's. */
static const int64_t *of_task(const struct iteration *it, const struct segment *segment)
{
	return &it->segment[segment->place - segment->number];
}

static int64_t release_jitter(const struct iteration *it, const struct chain_of_classes *chain)
{
	const struct segments *segments = it->w->segments;
	return segment_jitter(segments, it->w->set, chain->segment, of_task(it, &segments->items[chain->segment]));
}

static int64_t head_behind_events(const struct iteration *it, const struct chain_of_classes *chain, int position, int64_t latest)
{
	for (int i = 0; i < chain->hold_count && chain->holds[i].position <= position; i++) {
		int64_t held = local_held(it->classes, chain, i);
		latest = checked_max(latest, checked_add(held, chain->holds[i].completion[position]));
	}
	return latest;
}

/* From release until an operation of the chain, or what is behind its last one, may go to its engine: when all that is before it on the
 * stream is complete, or the last event for which the stream was held. */
static inline int64_t head(const struct iteration *it, const struct chain_of_classes *chain, int position)
{
	int64_t latest = checked_add(chain->wait, chain->completion[position]);
	if (chain->heads != NULL)
		return checked_min(latest, chain->heads[position]);
	return chain->hold_count == 0 ? latest : head_behind_events(it, chain, position, latest);
}

static bool spread(struct iteration *it, struct chain_of_classes *chain)
{
	int64_t jitter = chain->arrivals.jitter;
	bool ok = raise(it, &chain->arrivals.jitter, release_jitter(it, chain));
	it->released[chain->stream] = chain->arrivals.jitter > jitter ? it->raised : it->released[chain->stream];
	for (int i = 0; i < chain->count && ok; i++) {
		struct class *class = &it->classes->items[chain->first + i];
		int64_t late = head(it, chain, i);
		bool at_release = i == 0 && late == 0 && chain->arrivals.at_release && class->dependency == 0;
		if (at_release != class->arrivals.at_release)
			it->grown[chain->stream] = ++it->raised;
		class->arrivals.at_release = at_release;
		ok = raise(it, &class->reach, checked_add(late, class->dependency));
		jitter = checked_add(chain->arrivals.jitter, checked_sub(class->reach, class->early));
		ok = ok && raise(it, &class->arrivals.jitter, planted(PLANT_GATHERED) ? chain->arrivals.jitter : jitter);
	}
	return ok;
}

/* What they are computed from: of the own stream when jobs are released, of the others all. */
static bool heads_are_known(const struct iteration *it, const struct chain_of_classes *chain)
{
	int64_t last = checked_max(it->given_up, it->released[chain->stream]);
	for (int s = 0; s < it->classes->stream_count && last < chain->heads_known; s++)
		last = s == chain->stream ? last : checked_max(last, it->grown[s]);
	return last < chain->heads_known;
}

/* Where a job may wait for its stream: all that it waits for, and the job, in one window. */
static void find_heads(struct iteration *it, struct chain_of_classes *chain)
{
	if (heads_are_known(it, chain))
		return;
	int64_t *heads = it->of->runs && chain->wait > 0 ? it->runs : NULL;
	chain->heads_known = heads != NULL ? it->raised + 1 : 0;
	if (heads != NULL && !several_jobs_heads(it->classes, &it->windows, chain, heads))
		heads = NULL;
	if (heads != NULL && chain->heads == NULL)
		chain->heads = arena_allocate(it->w->arena, (size_t)chain->count + 1, sizeof *chain->heads);
	if (heads == NULL)
		chain->heads = NULL;
	else
		memcpy(chain->heads, heads, ((size_t)chain->count + 1) * sizeof *heads);
}

static bool serve(struct iteration *it, struct chain_of_classes *chain)
{
	bool waits = raise(it, &chain->wait, local_stream_wait(it->classes, chain, it->rules.horizon));
	find_heads(it, chain);
	return (waits || chain->heads != NULL) && raise(it, &chain->response, head(it, chain, chain->count)) &&
	       raise(it, &it->segment[chain->place], chain->response);
}

/* Is a stream that serves this chain alone surely overloaded? Jobs that wait for one another, in one window, take as much in each round. */
static bool outruns(const struct iteration *it, const struct chain_of_classes *chain)
{
	bool together = it->of->runs && chain->count <= LIMIT_WHOLE_RUNS;
	if (together && it->round > 0)
		return false;
	struct customer alone = {
		&chain->arrivals, together ? several_jobs_own(it->classes, &it->windows, chain) : chain->completion[chain->count]};
	return nonpreemptive_outgrows(&alone, 1);
}

typedef bool step_of_round(struct iteration *it, struct chain_of_classes *chain);

static bool advance_alone(struct iteration *it, struct chain_of_classes *chain)
{
	return advance_chain(it, chain) && !outruns(it, chain);
}

static void for_each(struct iteration *it, step_of_round *step, const int *order)
{
	for (int i = 0; i < it->classes->chain_count; i++) {
		int index = order == NULL ? i : order[i];
		struct chain_of_classes *chain = &it->classes->chains[index];
		it->chain_moved = &it->moved[index];
		it->stream_grown = &it->grown[chain->stream];
		if (chain->open == NULL && !step(it, chain))
			give_up(it, chain, grows(it, chain));
	}
}

/* ---- how long jobs are there: [ONE-JOB] */

static void find_presence(struct iteration *it)
{
	const struct segments *segments = it->w->segments;
	for (int i = 0; i < segments->count; i++) {
		const struct segment *last = &segments->items[i];
		if (last->context != it->context || (i + 1 < segments->count && segments->items[i + 1].number > 0))
			continue;
		bool apart = planted(PLANT_CROWD) || segment_jobs_apart(segments, it->w->set, i, of_task(it, last));
		for (const struct segment *segment = last - last->number; segment <= last; segment++) {
			struct presence *presence = &it->classes->presence[segment->place];
			presence->response = it->segment[segment->place];
			presence->one_job = apart;
		}
	}
}

/* Values only grow, and one that passes the horizon is given up for ever. */
static void round_of(struct iteration *it)
{
	it->changed = false;
	memset(it->moved, 0, (size_t)it->classes->chain_count * sizeof *it->moved);
	local_begin_round(&it->local, it->classes, &it->rules);
	find_presence(it);
	for_each(it, advance_alone, it->order);
	for_each(it, serve, NULL);
	for_each(it, spread, NULL);
}

static bool is_more_frequent(const struct chain_of_classes *a, const struct chain_of_classes *b)
{
	int64_t count_a, window_a, count_b, window_b;
	arrivals_rate(a->arrivals.model, &count_a, &window_a);
	arrivals_rate(b->arrivals.model, &count_b, &window_b);
	return (__int128)count_a * window_b > (__int128)count_b * window_a;
}

static void set_order(struct iteration *it)
{
	const struct chain_of_classes *chains = it->classes->chains;
	it->order = arena_allocate(it->w->arena, (size_t)it->classes->chain_count + 1, sizeof *it->order);
	it->moved = arena_allocate(it->w->arena, (size_t)it->classes->chain_count + 1, sizeof *it->moved);
	it->grown = arena_allocate(it->w->arena, (size_t)it->classes->stream_count + 1, sizeof *it->grown);
	it->released = arena_allocate(it->w->arena, (size_t)it->classes->stream_count + 1, sizeof *it->released);
	for (int i = 0; i < it->classes->chain_count; i++) {
		int at = i;
		for (; at > 0 && is_more_frequent(&chains[i], &chains[it->order[at - 1]]); at--)
			it->order[at] = it->order[at - 1];
		it->order[at] = i;
	}
}

/* Those that still move when there have been enough rounds have no value, and the others are tried again. */
static void give_up_moving(struct iteration *it)
{
	for (int i = 0; i < it->classes->chain_count; i++)
		if (it->moved[i])
			give_up(it, &it->classes->chains[i], "responses and jitters did not converge within the limit of rounds");
}

static void iterate(struct iteration *it)
{
	it->now = (struct engines_now){it->w, it->classes, &it->windows, &it->local};
	if (it->of->runs)
		window_keep(it->classes, &it->windows);
	do {
		for (it->round = 0; it->round < (it->classes->several == NULL ? ROUNDS : EVENT_ROUNDS); it->round++) {
			round_of(it);
			if (!it->changed)
				return;
		}
		give_up_moving(it);
	} while (true);
}

/* ---- the start */

static int64_t horizon(const struct taskset *set, int64_t periods)
{
	int64_t longest = 1;
	for (int i = 0; i < set->task_count; i++)
		longest = checked_max(longest, checked_add(set->tasks[i].arrival.period, set->tasks[i].arrival.jitter));
	int64_t limit = checked_mul(longest, periods);
	return limit == NONE ? NONE - 1 : limit;
}

static const char *prepare(struct iteration *it, const struct map *map, uint64_t *assumptions)
{
	const struct workload *w = it->w;
	const struct platform *platform = w->platform;
	bool fifo = platform_grants(platform, ASSUMPTION_CE);
	it->windows = (struct window_rules){.volume = it->of->volume,
		.g = 1,
		.fifo_copies = fifo,
		.in_order = refined(REFINEMENT_ORDER),
		.horizon = horizon(w->set, it->classes->several == NULL ? LIMIT_HORIZON_PERIODS : EVENT_PERIODS)};
	const char *reason = turns_supply(w, it->turns, it->context, &it->windows.kernels, &it->windows.copies);
	it->rules = (struct local_rules){.fifo_copies = fifo,
		.horizon = it->windows.horizon,
		.kernels = &it->windows.kernels,
		.copies = &it->windows.copies,
		.passing = it->passing,
		.parted = it->classes->parted && w->runlist->sliced,
		.serial = arena_allocate(w->arena, (size_t)it->classes->count + 1, sizeof *it->rules.serial)};
	*assumptions |= it->turns->assumptions;
	*assumptions |= fifo ? assumption_bit(ASSUMPTION_CE) : 0;
	if (it->windows.volume)
		it->windows.g = applicable_nonempty_sms(platform, w->set, w->costs, it->context, assumptions);
	it->windows.rest = applicable_rest(w->set, w->costs, it->context, it->windows.g);
	int64_t grids = platform_value(platform, PARAMETER_QUEUES_GRIDS);
	if (!it->windows.volume && grids != NONE &&
		grids >= w->runlist->processes[w->runlist->contexts[it->context].process].kernel_streams &&
		applicable_one_configuration(platform, w->set, w->costs, it->context))
		it->rules.cover = cover_build(
			w->arena, platform, w->set, map, it->context, it->classes, &it->windows.kernels, it->windows.horizon, it->passing);
	if (it->rules.cover != NULL && platform_grants(platform, ASSUMPTION_FRAG))
		*assumptions |= assumption_bit(ASSUMPTION_FRAG);
	if (reason == NULL && it->passing && it->rules.cover == NULL)
		reason = "COV where kernels pass one another (A-FIT) counts blocks of kernels of one cache configuration, each with a grid "
			 "slot";
	return reason == NULL && it->windows.g == NONE ? "sm.count is not known" : reason;
}

/* ---- COV once more with lighter weights, chosen for the arrivals that the first solution found; from below again, as a least fixed point
 * is */

static void tell_failures(const struct iteration *it, int failed)
{
	const struct workload *w = it->w;
	if (failed > 0 && w->diagnostics != NULL)
		diagnose(w->diagnostics, DIAGNOSTIC_SOLVER_FALLBACK, w->set->path, 0,
			"the linear solver has no weights for %d kernel%s: COV counts by its closed form there (level 0)", failed,
			failed == 1 ? "" : "s");
}

/* Weights are valid whatever arrives, so H and CHAIN share them. */
static bool find_weights(struct iteration *it)
{
	const struct workload *w = it->w;
	struct cover *cover = it->rules.cover;
	const struct lp_limits limits = {0, w->solver_iterations};
	int failed = 0;
	if (w->weights[it->context] == NULL) {
		cover_sharpen(w->arena, cover, &limits, &failed);
		tell_failures(it, failed);
		w->weights[it->context] = cover->sharp;
	}
	cover->sharp = w->weights[it->context];
	bool any = false;
	for (int i = 0; i < it->classes->count; i++)
		any |= cover->sharp[i].unit > 0;
	return any;
}

/* H looks at no windows. */
static void build_classes(struct iteration *it, const char **reason, uint64_t *assumptions)
{
	const struct workload *w = it->w;
	if (it->of->volume || it->passing) {
		it->classes = classes_by_volume(w, it->context, reason, assumptions);
	} else {
		const struct classes_built *built = classes_by_makespan(w, it->context);
		*reason = built->reason;
		*assumptions |= built->assumptions;
		it->classes = built->reason == NULL ? classes_again(built->classes) : NULL;
	}
}

static void solve(struct iteration *it)
{
	const struct workload *w = it->w;
	const char *reason; /* none: it was built before */
	uint64_t same = 0;
	bool found = it->rules.cover != NULL && w->weights[it->context] != NULL;
	if (!found)
		iterate(it);
	if (it->rules.cover == NULL || it->passing || (!find_weights(it) && !found))
		return;
	build_classes(it, &reason, &same);
	it->rules.cover->classes = it->classes;
	memset(it->segment, 0, (size_t)w->segments->of_context[it->context] * sizeof *it->segment);
	iterate(it);
}

/* ---- derivation: each chain's response from the costs and jitters of everything that shares the engines with it */

static const char *name_of(const struct iteration *it, int index)
{
	return it->w->costs->operations[it->classes->items[index].operation].name;
}

/* Does the kernel's response rest on weights that a linear program proposed? Then they are in the derivation: whoever checks it has to
 * see that they are valid, not how they were found. */
static int cover_step(struct iteration *it, int index)
{
	const struct class *class = &it->classes->items[index];
	struct cover *cover = it->rules.cover;
	if (cover == NULL || class->place != PLACE_EXECUTION || cover->sharp[index].unit == 0)
		return STEP_ABSENT;
	if (it->classes->chains[class->chain].open != NULL)
		return STEP_ABSENT;
	cover->closed_only = true;
	int64_t without = single(it, &it->classes->chains[class->chain], class->position);
	cover->closed_only = false;
	if (without <= class->response)
		return STEP_ABSENT;
	const struct cover_weights *sharp = &cover->sharp[index];
	int *steps = arena_allocate(it->w->arena, (size_t)it->classes->count, sizeof *steps), count = 0;
	for (int i = 0; i < it->classes->count; i++)
		if (cover_meets(cover, class, i))
			steps[count++] = derivation_step(
				it->w->derivation, RULE_COVER_WEIGHT, name_of(it, i), rational_make(sharp->of[i], sharp->unit));
	int step = derivation_integer(it->w->derivation, RULE_COVER, name_of(it, index), sharp->unit);
	for (int i = 0; i < count; i++)
		derivation_input(it->w->derivation, "pi", steps[i]);
	return step;
}

static int table_step(struct iteration *it)
{
	struct derivation *derivation = it->w->derivation;
	const struct costs *costs = it->w->costs;
	if (!derivation_is_read(derivation))
		return 0;
	int *claims = arena_allocate(it->w->arena, (size_t)it->classes->count * 2 + 1, sizeof *claims);
	int *covers = arena_allocate(it->w->arena, (size_t)it->classes->count + 1, sizeof *covers);
	local_begin_round(&it->local, it->classes, &it->rules);
	for (int i = 0; i < it->classes->count; i++) {
		const struct class *class = &it->classes->items[i];
		const char *about = name_of(it, i);
		bool open = it->classes->chains[class->chain].open != NULL;
		claims[2 * i] = open ? derivation_integer(derivation, RULE_OPEN, about, 0)
				     : derivation_integer(derivation, RULE_CLAIM_JITTER, about, class->arrivals.jitter);
		claims[2 * i + 1] = open ? STEP_ABSENT : derivation_integer(derivation, RULE_CLAIM_RESPONSE, about, class->response);
		covers[i] = cover_step(it, i);
	}
	int step = derivation_integer(derivation, RULE_ENGINES, "gpu", it->classes->count);
	derivation_input(derivation, "turns", it->turns->step);
	for (int i = 0; i < it->classes->count; i++) {
		const struct operation_cost *cost = &costs->operations[it->classes->items[i].operation];
		if (i == 0)
			derivation_input(derivation, "o_dep", cost->dependency.step);
		derivation_input(derivation, claims[2 * i + 1] == STEP_ABSENT ? "open" : "J", claims[2 * i]);
		derivation_input(derivation, "R", claims[2 * i + 1]);
		if (cost->place == PLACE_COPY)
			derivation_input(derivation, "C", cost->transfer.step);
		if (cost->place != PLACE_EXECUTION)
			continue;
		bool volume = it->windows.volume || it->passing;
		derivation_input(derivation, "C", volume ? cost->tail.step : cost->residence.step);
		derivation_input(derivation, volume ? "v" : "M", volume ? cost->volume.step : cost->makespan.step);
		derivation_input(derivation, volume ? "o" : "W", volume ? cost->dispatch.step : cost->waste.step);
		derivation_input(derivation, "pi", covers[i]);
	}
	return step;
}

static bool any_closed(const struct iteration *it)
{
	bool any = false;
	for (int i = 0; i < it->classes->chain_count; i++)
		any |= it->classes->chains[i].open == NULL;
	return any;
}

/* The rules refer to the supplies beside them. */
static const struct engines *keep_engines(const struct iteration *it)
{
	struct engines *engines = arena_allocate(it->w->arena, 1, sizeof *engines);
	*engines = (struct engines){it->of->bound, it->classes, it->windows, it->rules};
	engines->rules.kernels = &engines->windows.kernels;
	engines->rules.copies = &engines->windows.copies;
	if (engines->rules.cover != NULL)
		engines->rules.cover->supply = &engines->windows.kernels;
	return engines;
}

static void derive_chain(struct iteration *it, const struct chain_of_classes *chain, int table, struct bound_answer *result)
{
	struct derivation *derivation = it->w->derivation;
	const char *about = it->w->segments->items[chain->segment].name;
	result->reason = chain->open;
	if (chain->open != NULL)
		return;
	int jitter = derivation_integer(derivation, RULE_CLAIM_JITTER, about, chain->arrivals.jitter);
	result->jitter = chain->arrivals.jitter;
	result->jitter_step = jitter;
	result->value = it->segment[chain->place];
	result->step = derivation_integer(derivation, it->of->rule, about, result->value);
	derivation_input(derivation, "engines", table);
	derivation_input(derivation, "J", jitter);
	derivation_input(derivation, "m", cost_sms_step(it->w->platform, it->w->set, it->w->costs, it->context));
	derivation_input(derivation, "theta_int", it->w->costs->stop.step);
	derivation_input(derivation, "T_int", it->w->costs->parameter_steps[PARAMETER_STOPS_DISTANCE]);
}

static void derive(struct iteration *it, struct bound_answer *result)
{
	int table = any_closed(it) ? table_step(it) : STEP_ABSENT;
	for (int i = 0; i < it->classes->chain_count; i++) {
		const struct chain_of_classes *chain = &it->classes->chains[i];
		if (chain->first == it->classes->siblings[chain->place].first)
			derive_chain(it, chain, table, &result[chain->segment]);
	}
}

static const char *begin(struct iteration *it, const struct map *map, uint64_t *assumptions)
{
	const struct workload *w = it->w;
	struct applicable applicable = applicable_find(w->arena, w->platform, w->set, w->costs, w->runlist, it->of->bound, it->context);
	const char *reason = applicable.reason;
	*assumptions = applicable.assumptions;
	if (reason != NULL)
		return reason;
	it->passing = it->of->passes != NULL && it->of->passes(w, it->context);
	build_classes(it, &reason, assumptions);
	if (reason == NULL)
		reason = prepare(it, map, assumptions);
	return reason != NULL ? reason : applicable_refuse(w->arena, w->platform, *assumptions);
}

void engines_compute(struct bounding *b, const struct engines_bound *of, int context)
{
	const struct workload *w = b->work;
	const struct turns *turns = of->volume ? b->by_volume : of->shorter ? b->shorter : b->by_makespan;
	struct iteration it = {.w = w, .turns = turns, .of = of, .context = context};
	struct bound_answer *result = b->answers[of->bound];
	uint64_t assumptions;
	it.segment = arena_allocate(w->arena, (size_t)w->segments->of_context[context] + 1, sizeof *it.segment);
	const char *reason = begin(&it, b->map, &assumptions);
	for (int i = 0; i < w->segments->count; i++)
		if (w->segments->items[i].context == context)
			result[i] = (struct bound_answer){NONE, reason, STEP_ABSENT, assumptions, NULL};
	if (reason != NULL)
		return;
	it.runs = arena_allocate(w->arena, (size_t)it.classes->count + 1, sizeof *it.runs);
	set_order(&it);
	solve(&it);
	derive(&it, result);
	b->basis->engines[of->bound][context] = keep_engines(&it);
}
