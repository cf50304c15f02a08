#include "response/advice.h"

#include "map/map.h"
#include "response/busy_interval.h"
#include "response/time_alone.h"
#include "response/whole_kernels.h"

#include <string.h>

/* The context of a task's GPU work, or NO_ID. */
static int context_of(const struct workload *w, int task)
{
	for (int i = 0; i < w->segments->count; i++)
		if (w->segments->items[i].task == task)
			return w->segments->items[i].context;
	return NO_ID;
}

static bool is_load(const char *reason)
{
	return reason != NULL && strncmp(reason, "the load", 8) == 0;
}

/* Without any bound: a number that all bounds need and that somebody can declare; else what P lacks, as H and CHAIN lack it too; else what
 * these two alone lack of what somebody could declare, as they need no total load below one; else the load, of all contexts where they take
 * turns. */
static const char *without_bound(const struct workload *w, const struct response_of *result, int task)
{
	const char *serial = result->bounds[BOUND_P].reason, *chain = result->bounds[BOUND_CHAIN].reason, *reason = serial;
	const char *volume = result->bounds[BOUND_VOL_P].reason;
	if (volume != NULL && strstr(volume, "declare <") != NULL)
		reason = volume;
	else if (is_load(serial) && chain != NULL && strncmp(chain, "streams may share", 17) == 0)
		reason = chain;
	else if (is_load(serial) && is_load(result->bounds[BOUND_P_GPU].reason))
		reason = result->bounds[BOUND_P_GPU].reason;
	for (int i = 0; i < BOUND_COUNT && reason == NULL; i++)
		reason = result->bounds[i].reason;
	if (is_load(reason))
		return arena_format(w->arena, "no bound: %s; --explain %s says who is charged what, and what would give a bound", reason,
			w->set->tasks[task].id);
	return arena_format(w->arena, "no bound: %s", reason != NULL ? reason : "no analysis applies");
}

/* Of the context's kernels the one of which an SM may have the smallest part of its blocks, where others have left holes. NO_ID: none. */
static int most_fragmented(const struct workload *w, const struct map *map, int context)
{
	int most = NO_ID;
	for (int i = 0; i < w->set->operation_count; i++) {
		const struct occupancy *own = &map->kernels[i].occupancy, *other = &map->kernels[most == NO_ID ? i : most].occupancy;
		bool known = map->kernels[i].is_kernel && own->least != NONE && own->whole != NONE && own->least < own->whole;
		if (known && w->costs->operations[i].context == context &&
			(most == NO_ID || checked_mul(own->whole, other->least) > checked_mul(other->whole, own->least)))
			most = i;
	}
	return most;
}

/* What A-FRAG would be worth is worth a look where nobody grants it, kernels of several streams mix and it changes how many blocks there
 * are. */
static const char *add_fragments(const struct workload *w, const struct map *map, int context, const char *advice)
{
	bool mixed = context != NO_ID && w->runlist->contexts[context].streams > 1;
	int kernel = !mixed || platform_grants(w->platform, ASSUMPTION_FRAG) ? NO_ID : most_fragmented(w, map, context);
	if (kernel == NO_ID)
		return advice;
	const struct occupancy *occupancy = &map->kernels[kernel].occupancy;
	return arena_format(w->arena,
		"%s; others may leave an SM in holes that hold %lld block%s of %s in place of %lld: --assume A-FRAG shows what it is worth "
		"if they "
		"do not",
		advice, (long long)occupancy->least, occupancy->least == 1 ? "" : "s", w->set->operations[kernel].id,
		(long long)occupancy->whole);
}

const char *advice_milliseconds(struct arena *arena, int64_t ns)
{
	char behind[] = ".000000";
	size_t length = sizeof behind - 1;
	int64_t rest = ns % 1000000;
	for (size_t i = length; --i > 0; rest /= 10)
		behind[i] = (char)('0' + rest % 10);
	while (behind[length - 1] == '0')
		behind[--length] = '\0';
	return arena_format(arena, "%lld%s ms", (long long)(ns / 1000000), length == 1 ? "" : behind);
}

/* ---- whose work contributes most, by the terms of the busy interval: of overhead nobody's */

struct tally {
	int64_t *tasks, *contexts;
};

static void add_share(void *data, const struct term *of, int64_t value)
{
	const struct tally *tally = data;
	enum whose whose = term_rows[of->kind].whose;
	int64_t *share = whose == WHOSE_TASK ? &tally->tasks[of->of] : whose == WHOSE_CONTEXT ? &tally->contexts[of->of] : NULL;
	if (share != NULL)
		*share = checked_add(*share, value);
}

static void raise(struct dominant *dominant, int64_t *most, enum whose whose, const int64_t *shares, int count)
{
	for (int i = 0; i < count; i++) {
		if (shares[i] <= *most)
			continue;
		*most = shares[i];
		*dominant = (struct dominant){whose, i};
	}
}

static struct dominant find_dominant(const struct workload *w, const struct busy_interval *serial)
{
	struct dominant dominant = {WHOSE_NOBODY, NO_ID};
	struct arena *arena = arena_create();
	struct terms terms = {.arena = arena};
	int tasks = w->set->task_count, contexts = w->runlist->context_count;
	struct tally tally = {
		arena_allocate(arena, (size_t)tasks + 1, sizeof(int64_t)), arena_allocate(arena, (size_t)contexts + 1, sizeof(int64_t))};
	int64_t most = 0;
	busy_interval_evaluate(serial, serial->length, &terms);
	terms_share(&terms, add_share, &tally);
	raise(&dominant, &most, WHOSE_TASK, tally.tasks, tasks);
	raise(&dominant, &most, WHOSE_CONTEXT, tally.contexts, contexts);
	arena_destroy(arena);
	return dominant;
}

/* It is known of busy intervals of whole contexts; of the other bounds --explain adds it up. */
static struct dominant dominant_of(struct advisor *advisor, int bound, int context)
{
	const struct workload *w = advisor->workload;
	const struct busy_interval *serial = advisor->basis->serial[bound][context];
	if (serial == NULL)
		return (struct dominant){WHOSE_NOBODY, NO_ID};
	if (advisor->dominant[bound] == NULL)
		advisor->dominant[bound] = arena_allocate(w->arena, (size_t)w->runlist->context_count, sizeof(struct dominant));
	struct dominant *dominant = &advisor->dominant[bound][context];
	if (dominant->whose == WHOSE_NOBODY)
		*dominant = find_dominant(w, serial);
	return *dominant;
}

static const char *above_deadline(struct advisor *advisor, const struct response_of *result, int task, int context)
{
	const struct workload *w = advisor->workload;
	const struct dominant dominant = dominant_of(advisor, result->winner, context);
	const char *excess = advice_milliseconds(w->arena, checked_sub(result->response, result->deadline));
	if (dominant.whose == WHOSE_NOBODY)
		return arena_format(w->arena,
			"%s above the deadline; --explain %s says what contributes most, and by how much what has to change", excess,
			w->set->tasks[task].id);
	if (dominant.whose == WHOSE_CONTEXT)
		return arena_format(w->arena,
			"%s above the deadline; turns of application:%s contribute most: a shorter slice of that, or a longer one of its "
			"own",
			excess, w->runlist->contexts[dominant.of].name);
	if (dominant.of == task)
		return arena_format(w->arena,
			"%s above the deadline; its own work contributes most: shorten it, or give it fewer blocks or a longer slice",
			excess);
	return arena_format(w->arena, "%s above the deadline; task:%s contributes most to its busy interval: shorten that, %s", excess,
		w->set->tasks[dominant.of].id,
		context_of(w, dominant.of) != context
			? "or the time slice of its context"
			: "give the two their own contexts with time slices, or a priority that the platform vouches for");
}

/* What no declaration changes: kernels of which only the whole time is known, beside other streams'. */
static const char *add_whole(const struct workload *w, const struct map *map, int context, const char *advice)
{
	const struct whole_kernel worst =
		context == NO_ID ? (struct whole_kernel){NO_ID, 0} : whole_kernels_worst(w->platform, w->set, w->costs, map, context);
	if (worst.operation == NO_ID)
		return advice;
	return arena_format(w->arena,
		"%s; whatever numbers are declared, '%s' is charged %lld times its time, as only the whole kernel's is known and it is "
		"beside those of other streams: times of blocks, a process of its own with slices, or one stream for all of them change "
		"that",
		advice, w->set->operations[worst.operation].id, (long long)worst.times);
}

/* A deadline that no analysis could prove, with the numbers; NULL: it is none. */
static const char *impossible(const struct workload *w, const struct map *map, int64_t deadline, int task)
{
	const struct time_alone alone = time_alone(w, map, task);
	if (deadline == NONE || alone.ns == NONE || alone.ns <= deadline || alone.operation == NO_ID)
		return NULL;
	return arena_format(w->arena,
		"the deadline of %s cannot be met, whatever is declared: by its WCETs and the overheads a job takes %s alone, %s of it "
		"'%s'; "
		"it needs a later deadline, or less work",
		advice_milliseconds(w->arena, deadline), advice_milliseconds(w->arena, alone.ns), advice_milliseconds(w->arena, alone.most),
		w->set->operations[alone.operation].id);
}

static const char *add_impossible(const struct workload *w, const char *advice, const char *impossible)
{
	return impossible == NULL ? advice : arena_format(w->arena, "%s; besides, %s", advice, impossible);
}

const char *advice_for_task(struct advisor *advisor, const struct response_of *result, int task)
{
	const struct workload *w = advisor->workload;
	const struct map *map = advisor->map;
	int context = context_of(w, task);
	const char *never = impossible(w, map, result->deadline, task);
	const char *advice =
		result->winner >= 0 ? NULL : add_whole(w, map, context, add_fragments(w, map, context, without_bound(w, result, task)));
	if (result->winner < 0)
		return add_impossible(w, advice, never);
	if (never != NULL)
		return never;
	if (context == NO_ID)
		return arena_format(w->arena, "its host segments alone exceed the deadline by %s",
			advice_milliseconds(w->arena, checked_sub(result->response, result->deadline)));
	advice = above_deadline(advisor, result, task, context);
	return add_whole(w, map, context, add_fragments(w, map, context, advice));
}
