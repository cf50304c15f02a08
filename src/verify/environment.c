/* Sources by who is in other streams, and how many of each there can be. */
#include "verify/environment.h"

#include "verify/inflation.h"

#include <string.h>

struct beside { /* in other streams: work on the execution engine in the context, in others */
	bool context, elsewhere;
	bool blocks; /* in the context: blocks that may be on the chip beside others */
	bool frames; /* in the context: fragment work that is not, by A-DRAW */
};

/* The largest group's other members, and all SMs outside the smallest group. False: some SM's group is not known. */
static bool measure(struct check *check, int64_t sms, bool gpc, int64_t *others, int64_t *outside)
{
	const struct platform *platform = check->platform;
	int64_t *members = arena_allocate(check->arena, (size_t)sms + 1, sizeof *members), least = sms, greatest = 0;
	if (platform->sms == NULL || platform->map_source == NULL)
		return false;
	for (int64_t i = 0; i < sms; i++) {
		int group = gpc ? platform->sms[i].gpc : platform->sms[i].tpc;
		if (group < 0 || group >= sms)
			return false;
		members[group]++;
	}
	for (int64_t i = 0; i < sms; i++) {
		greatest = checked_max(greatest, members[i]);
		least = members[i] == 0 ? least : checked_min(least, members[i]);
	}
	*others = greatest - 1;
	*outside = sms - least;
	return true;
}

static void activate(struct source *source, int64_t size)
{
	source->size = source->active ? checked_add(source->size, size) : size;
	source->active = true;
}

bool environment_computes(const struct platform *platform, const struct operation *operation)
{
	if (resident_is_transfer(operation))
		return resident_engine(platform, operation) < 0;
	return operation->kind == OPERATION_KERNEL || operation->kind == OPERATION_FRAGMENT;
}

static enum direction direction_of(const struct operation *operation)
{
	return operation->kind == OPERATION_MEMSET ? DIRECTION_MEMSET : operation->copy.direction;
}

static bool has_engine_alone(const struct platform *platform, const struct operation *operation)
{
	return operation->kind == OPERATION_FRAGMENT && platform_grants(platform, ASSUMPTION_DRAW);
}

/* Streams that have such work at all: a stream's others are all but itself. */
struct counts {
	int *computing, *blocks, *frames; /* [context] */
	int elsewhere;                    /* of all contexts that have work on the execution engine */
	int64_t copying[DIRECTION_COUNT];
};

struct company {       /* of a stream's operations: the same for all of them */
	int in_stream; /* operations */
	bool computing, blocks, frames, copying[DIRECTION_COUNT];
	int64_t copies_beside[DIRECTION_COUNT]; /* other streams with such copies */
	struct beside beside;
};

static void survey(const struct check *check, int stream, struct company *company)
{
	struct listed list = lists_of(&check->of_stream, stream);
	company->in_stream = list.count;
	for (int k = 0; k < list.count; k++) {
		const struct operation *operation = &check->set->operations[list.items[k]];
		bool computes = environment_computes(check->platform, operation), alone = has_engine_alone(check->platform, operation);
		company->computing |= computes;
		company->blocks |= computes && !alone;
		company->frames |= computes && alone;
		if (resident_is_transfer(operation))
			company->copying[direction_of(operation)] = true;
	}
}

static void count(struct counts *counts, const struct company *company, int context)
{
	counts->computing[context] += company->computing;
	counts->blocks[context] += company->blocks;
	counts->frames[context] += company->frames;
	counts->elsewhere += company->computing;
	for (int d = 0; d < DIRECTION_COUNT; d++)
		counts->copying[d] += company->copying[d];
}

/* Of a stream those that no lock keeps from being there at once. */
static void find_unlocked(const struct check *check, struct company *companies, int stream)
{
	const struct taskset *set = check->set;
	struct company *of = &companies[stream];
	for (int s = 0; s < set->stream_count; s++) {
		const struct company *other = &companies[s];
		bool same = taskset_context_of(set, s) == taskset_context_of(set, stream);
		if (s == stream || resident_apart(check, stream, s))
			continue;
		of->beside.context |= same && other->computing;
		of->beside.elsewhere |= !same && other->computing;
		of->beside.blocks |= same && other->blocks;
		of->beside.frames |= same && other->frames;
		for (int d = 0; d < DIRECTION_COUNT; d++)
			of->copies_beside[d] += other->copying[d];
	}
}

static struct company *find_companies(struct check *check, struct counts *counts)
{
	const struct taskset *set = check->set;
	size_t contexts = (size_t)set->application_count + 1;
	struct company *companies = arena_allocate(check->arena, (size_t)set->stream_count + 1, sizeof *companies);
	*counts = (struct counts){arena_allocate(check->arena, contexts, sizeof(int)), arena_allocate(check->arena, contexts, sizeof(int)),
		arena_allocate(check->arena, contexts, sizeof(int)), 0, {0}};
	for (int s = 0; s < set->stream_count; s++) {
		survey(check, s, &companies[s]);
		count(counts, &companies[s], taskset_context_of(set, s));
	}
	for (int s = 0; s < set->stream_count; s++) {
		int context = taskset_context_of(set, s);
		if (set->locked) {
			find_unlocked(check, companies, s);
			continue;
		}
		for (int d = 0; d < DIRECTION_COUNT; d++)
			companies[s].copies_beside[d] = counts->copying[d] - companies[s].copying[d];
		companies[s].beside = (struct beside){counts->computing[context] - companies[s].computing > 0,
			counts->elsewhere - counts->computing[context] > 0, counts->blocks[context] - companies[s].blocks > 0,
			counts->frames[context] - companies[s].frames > 0};
	}
	return companies;
}

static void add_copies(const struct environment *environment, const struct operation *victim, struct source *sources)
{
	static const enum interferer of[DIRECTION_COUNT] = {
		INTERFERER_H2D, INTERFERER_D2H, INTERFERER_D2D, INTERFERER_D2D, INTERFERER_MEMSET};
	const struct platform *platform = environment->check->platform;
	int engine = resident_is_transfer(victim) ? resident_engine(platform, victim) : ENGINE_NONE;
	const struct company *company = &environment->companies[victim->stream];
	bool apart = environment->engines_apart && environment_computes(platform, victim);
	for (int d = 0; d < DIRECTION_COUNT; d++) {
		int64_t count = company->copies_beside[d];
		bool absent = apart && platform->engine_of[d] >= 0;
		if (count > 0 && !absent && (engine < 0 || platform->engine_of[d] != engine))
			activate(&sources[of[d]], count);
	}
}

static bool says_fallback(const struct check *check)
{
	const struct xml_element *diagnostics = element_child(check->root, "diagnostics");
	const char *slug = diagnostic_kinds[DIAGNOSTIC_SOLVER_FALLBACK].slug;
	for (const struct xml_element *item = diagnostics == NULL ? NULL : diagnostics->first; item != NULL; item = item->next)
		if (element_get(item, "code") != NULL && strcmp(element_get(item, "code"), slug) == 0)
			return true;
	return false;
}

struct environment environment_of(struct check *check, const struct resident *residents, bool engines_apart)
{
	int64_t sms = platform_value(check->platform, PARAMETER_SM_COUNT), rest = checked_sub(sms, 1), unused;
	struct environment environment = {check, residents, engines_apart, sms,
		{checked_sub(platform_value(check->platform, PARAMETER_SM_BLOCKS), 1), rest, rest, rest}, reachable_sum(check, residents),
		arena_allocate(check->arena, 1, sizeof *environment.counts), NULL, says_fallback(check)};
	environment.companies = find_companies(check, environment.counts);
	if (checked_is_none(sms))
		return environment;
	measure(check, sms, false, &environment.ring[RING_TPC], &unused);
	measure(check, sms, true, &environment.ring[RING_GPC], &environment.ring[RING_OUT]);
	return environment;
}

/* The number that the report says it used: the exact one, or the closed form where its solver proved nothing. */
static struct fact take_beside(const struct environment *environment, const char *about, const struct neighbours *neighbours)
{
	struct check *check = environment->check;
	struct fact fact = {neighbours->closed, NULL, 0};
	if (!neighbours->asked)
		return fact;
	int64_t claimed = graph_integer(check, graph_find(check, 0, RULE_BESIDE, about));
	bool closed = claimed == neighbours->closed && environment->fallback;
	return fact_make(check, RULE_BESIDE, about, closed ? claimed : neighbours->most);
}

/* The fact that says how many are beside it on its SM. */
static struct fact add_blocks(const struct environment *environment, const char *about, int index, bool any, struct source *sources)
{
	static const enum interferer of[RING_COUNT] = {INTERFERER_SM, INTERFERER_TPC, INTERFERER_GPC, INTERFERER_OUT};
	const struct resident *resident = &environment->residents[index];
	struct neighbours neighbours = {.chip = NONE};
	struct fact beside = {NONE, NULL, 0};
	if (!any && resident->foreign[RING_SM]) {
		neighbours = reachable_find(environment->check, environment->residents, &environment->besides, index);
		beside = take_beside(environment, about, &neighbours);
	}
	for (int ring = 0; ring < RING_COUNT; ring++) {
		int64_t size = environment->ring[ring];
		if (!any)
			size = checked_min(size, ring == RING_SM ? beside.value : checked_min(neighbours.chip, resident->foreign_sms));
		if (any || resident->foreign[ring])
			activate(&sources[of[ring]], size);
	}
	return beside;
}

uint64_t environment_find(const struct environment *environment, const char *about, int index, struct source *sources, struct fact *blocks)
{
	const struct check *check = environment->check;
	const struct operation *victim = &check->set->operations[index];
	const struct company *company = &environment->companies[victim->stream];
	struct beside beside = company->beside;
	uint64_t assumptions = 0;
	add_copies(environment, victim, sources);
	if (environment_computes(check->platform, victim)) {
		bool any = !environment->residents[index].is_kernel && beside.blocks && !has_engine_alone(check->platform, victim);
		*blocks = add_blocks(environment, about, index, any, sources);
		assumptions |= beside.elsewhere ? ASSUMED(EXCL) : 0;
		bool apart = has_engine_alone(check->platform, victim) ? beside.context : beside.frames;
		assumptions |= apart ? ASSUMED(DRAW) : 0;
	} else if ((beside.context || beside.elsewhere) && !environment->engines_apart) {
		activate(&sources[INTERFERER_EE], environment->chip);
	}
	if (check->platform->integrated) {
		activate(&sources[INTERFERER_CPU], NONE);
		activate(&sources[INTERFERER_OTHER], NONE);
	}
	assumptions |= check->set->host_memory ? ASSUMED(HOST_MEMORY) : 0;
	return assumptions | (company->in_stream > 1 ? ASSUMED(ONE) : 0);
}
