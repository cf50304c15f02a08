/* Every operation's WCET, inflated by what its environment may do to it. */
#include "interference/inflation.h"

#include "interference/company.h"
#include "interference/compose.h"
#include "interference/environment.h"
#include "interference/factors.h"
#include "interference/frame_steps.h"
#include "interference/host_response.h"

#include "base/plant.h"
#include "model/rules.h"

#include <string.h>

#define BIT(assumption) ((uint64_t)1 << ASSUMPTION_##assumption)

struct inflater {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	struct derivation *derivation;
	struct factors *factors;
	const struct surroundings *surroundings;
	struct diagnostics *diagnostics; /* NULL: nobody listens */
	struct inflation *inflation;
	bool engines_apart;         /* copies on copy engines and the execution engine do not meet */
	uint64_t granted;           /* assumptions of the platform */
	bool any[INTERFERER_COUNT]; /* has any victim a factor for this source? */
};

/* The factors of one operation's active sources, and which of them nobody measured. */
struct found {
	struct factor items[INTERFERER_COUNT], full;
	int count;
	enum interferer missing[INTERFERER_COUNT];
	int missing_count;
};

static struct victim victim_of(const struct platform *platform, const struct operation *operation)
{
	if (operation->kind == OPERATION_KERNEL)
		return (struct victim){false, operation->kernel.access, operation->kernel.footprint};
	if (operation->kind == OPERATION_FRAGMENT)
		return (struct victim){false, ACCESS_ANY, NONE};
	if (!environment_is_compute(platform, operation))
		return (struct victim){true, ACCESS_ANY, operation->copy.bytes};
	enum access access = environment_direction(operation) == DIRECTION_MEMSET ? ACCESS_WRITE : ACCESS_COPY;
	return (struct victim){false, access, operation->copy.bytes};
}

static void find_factors(
	const struct inflater *inflater, const struct victim *victim, const struct environment *environment, struct found *found)
{
	found->count = found->missing_count = 0;
	found->full = factors_find(inflater->factors, victim, INTERFERER_ALL, environment->count[INTERFERER_ALL]);
	for (int source = 0; source < INTERFERER_COUNT; source++) {
		if (!environment->active[source])
			continue;
		struct factor factor = {RATIONAL_NONE, STEP_ABSENT};
		if (inflater->any[source])
			factor = factors_find(inflater->factors, victim, (enum interferer)source, environment->count[source]);
		if (rational_is_none(factor.value))
			found->missing[found->missing_count++] = (enum interferer)source;
		else
			found->items[found->count++] = factor;
	}
}

/* ---- reasons */

static const char *victim_name(const struct victim *victim)
{
	return victim->is_copy ? "transfer" : access_names[victim->access];
}

static const char *list_missing(struct arena *arena, const enum interferer *missing, int count)
{
	const char *list = interferer_names[missing[0]];
	for (int i = 1; i < count; i++)
		list = arena_format(arena, "%s, %s", list, interferer_names[missing[i]]);
	return list;
}

/* What the user has to declare. */
static const char *explain_missing(const struct inflater *inflater, const struct victim *victim, const enum interferer *missing, int count)
{
	const char *size =
		victim->footprint == NONE ? "any footprint" : arena_format(inflater->arena, "%lld B", (long long)victim->footprint);
	return arena_format(inflater->arena,
		"no factor covers interference from %s on %s of %s; declare <interference from=\"%s\" victim=\"%s\" value=\"...\" "
		"source=\"...\" "
		"by=\"...\"/>%s",
		list_missing(inflater->arena, missing, count), victim_name(victim), size, interferer_names[missing[0]], victim_name(victim),
		count > 1 ? " and one for each of the others" : "");
}

/* The first assumption of the set that nothing may rest on, as a reason; NULL: all are granted. */
static const char *refuse_assumptions(const struct inflater *inflater, uint64_t assumptions)
{
	uint64_t refused = assumptions & ~inflater->granted;
	if (refused == 0)
		return NULL;
	enum assumption first = assumption_take(&refused);
	return arena_format(inflater->arena, "%s is not granted: %s", assumption_kinds[first].id, assumption_kinds[first].statement);
}

/* ---- one operation */

/* The platform's rule over the single factors; no value where one is missing or the rule does not hold. A joint table composes nothing
 * but a source that is alone. */
static struct factor compose_single(const struct inflater *inflater, const char *about, const struct found *found)
{
	enum composition rule = inflater->platform->composition;
	bool alone = found->count == 1;
	if (found->missing_count > 0 || (!alone && (rule == COMPOSITION_JOINT || !platform_grants(inflater->platform, ASSUMPTION_COMPOSE))))
		return (struct factor){RATIONAL_NONE, STEP_ABSENT};
	return compose_factors(inflater->derivation, about, rule, found->items, found->count);
}

static const char *explain_factor(const struct inflater *inflater, const struct victim *victim, const struct found *found)
{
	static const enum interferer all[] = {INTERFERER_ALL};
	if (found->count > 1 && inflater->platform->composition == COMPOSITION_JOINT)
		return explain_missing(inflater, victim, all, 1);
	if (found->missing_count > 0)
		return explain_missing(inflater, victim, found->missing, found->missing_count);
	const char *refused = found->count > 1 ? refuse_assumptions(inflater, BIT(COMPOSE)) : NULL;
	return refused != NULL ? refused : "the composed interference factor exceeds 64 bits";
}

/* F of [COMPOSE]. A measurement of everything at once, where there is one, caps it and stands in for it: it needs no composition
 * rule and no single factors. */
static struct factor compose(
	const struct inflater *inflater, const char *about, const struct victim *victim, const struct found *found, struct inflated *result)
{
	struct factor single = compose_single(inflater, about, found);
	struct factor factor = compose_saturate(inflater->derivation, about, single, found->full);
	if (rational_is_none(factor.value))
		result->reason = explain_factor(inflater, victim, found);
	else if (found->count > 1 && !rational_is_none(single.value) &&
		 (rational_is_none(found->full.value) || rational_compare(single.value, found->full.value) < 0))
		result->assumptions |= BIT(COMPOSE);
	return factor;
}

/* How many blocks were taken to be beside it, where a program said so. */
static int beside_step(const struct inflater *inflater, const char *about, int index, const struct reachable *reachable)
{
	const struct operation *operation = &inflater->set->operations[index];
	if (!reachable->asked)
		return STEP_ABSENT;
	if (!reachable->proven && inflater->diagnostics != NULL)
		diagnose(inflater->diagnostics, DIAGNOSTIC_SOLVER_FALLBACK, inflater->set->path, operation->line,
			"kernel '%s': how many blocks may be beside one of its blocks is not proven by the solver: %lld, by the closed "
			"form",
			operation->id, (long long)reachable->closed);
	return derivation_integer(inflater->derivation, RULE_BESIDE, about, reachable->beside);
}

static void apply_factor(
	const struct inflater *inflater, const char *about, int64_t isolated, struct factor factor, int beside, struct inflated *result)
{
	int64_t wcet = rational_scale_up(isolated, factor.value);
	if (wcet == NONE) {
		result->reason = "the inflated WCET exceeds 64 bits of nanoseconds";
		return;
	}
	result->wcet = wcet;
	result->factor = factor.value;
	result->step = derivation_integer(inflater->derivation, RULE_INFLATE, about, wcet);
	derivation_input(inflater->derivation, "C", result->isolated_step);
	derivation_input(inflater->derivation, "F", factor.step);
	derivation_input(inflater->derivation, "q", beside);
}

static void keep_isolated(const struct operation *operation, struct inflated *result)
{
	result->wcet = operation->wcet;
	result->factor = result->most = result->most_apart = rational_of(1);
	result->step = result->isolated_step;
}

/* The same while blocks of no other kernel are on the chip, where that makes a difference: A-RATE, instant by instant. */
static void inflate_apart(
	const struct inflater *inflater, const char *about, int index, const struct environment *environment, struct inflated *result)
{
	static const enum interferer rings[] = {INTERFERER_SM, INTERFERER_TPC, INTERFERER_GPC, INTERFERER_OUT};
	const struct operation *operation = &inflater->set->operations[index];
	struct environment apart = *environment;
	struct victim victim = victim_of(inflater->platform, operation);
	struct found found;
	struct inflated other = *result;
	bool beside = false;
	for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
		beside |= environment->active[rings[i]];
		apart.active[rings[i]] = false;
	}
	if (!beside || (inflater->set->streams[operation->stream].partition > 0 && !planted(PLANT_PARTITION_APART)))
		return; /* those of other partitions stay */
	find_factors(inflater, &victim, &apart, &found);
	if (found.count + found.missing_count == 0) {
		keep_isolated(operation, &other);
	} else {
		const char *of = derivation_is_read(inflater->derivation) ? arena_format(inflater->arena, "%s@apart", about) : about;
		struct factor factor = compose(inflater, of, &victim, &found, &other);
		if (!rational_is_none(factor.value) && rational_scale_up(operation->wcet, factor.value) < result->wcet)
			apply_factor(inflater, of, operation->wcet, factor, STEP_ABSENT, &other);
	}
	result->has_apart = other.wcet < result->wcet;
	result->most_apart = result->has_apart ? other.factor : result->most;
	result->most_assumptions |= result->has_apart ? other.assumptions & BIT(COMPOSE) : 0;
	result->apart = other.wcet;
	result->apart_step = other.step;
	result->apart_assumptions = other.assumptions;
}

/* Where engines are apart: copy engines idle, or the execution engine. room: for one that differs from what is kept. */
static const struct environment *environment_of(const struct inflater *inflater, int index, struct environment *room)
{
	if (!inflater->engines_apart)
		return surroundings_of(inflater->surroundings, index);
	if (environment_is_compute(inflater->platform, &inflater->set->operations[index]))
		return surroundings_of_idle(inflater->surroundings, index);
	*room = *surroundings_of(inflater->surroundings, index);
	room->active[INTERFERER_EE] = false;
	return room;
}

/* A sequence beside tasks that it was measured beside: all of its span, whatever sources they are. */
static void inflate_in_company(const struct inflater *inflater, const char *about, int index, struct inflated *result)
{
	struct environment environment = *surroundings_of(inflater->surroundings, index);
	struct company_question asked = {inflater->arena, inflater->platform, inflater->set, inflater->derivation, about, index};
	struct factor factor = company_factor(&asked, &environment, &result->reason);
	result->assumptions = environment.assumptions | BIT(WCET) | BIT(CLOCK);
	if (result->reason != NULL)
		return;
	keep_isolated(&inflater->set->operations[index], result);
	if (factor.step == STEP_ABSENT)
		return;
	result->assumptions |= BIT(COMPANY);
	apply_factor(inflater, about, result->wcet, factor, STEP_ABSENT, result);
}

/* An operation on the GPU. Without a source its isolated WCET stands as it is. */
static void inflate(const struct inflater *inflater, const char *about, int index, struct inflated *result)
{
	const struct operation *operation = &inflater->set->operations[index];
	struct victim victim = victim_of(inflater->platform, operation);
	struct environment room;
	const struct environment *environment = environment_of(inflater, index, &room);
	struct found found;
	find_factors(inflater, &victim, environment, &found);
	result->assumptions = environment->assumptions | BIT(WCET) | BIT(CLOCK);
	if (found.count + found.missing_count == 0 || planted(PLANT_FACTOR)) {
		keep_isolated(operation, result);
		return;
	}
	result->assumptions |= BIT(RATE) | BIT(STRESS);
	struct factor factor = compose(inflater, about, &victim, &found, result);
	if (result->reason != NULL)
		return;
	result->most = result->most_apart = factor.value;
	result->most_assumptions = result->assumptions;
	int beside = beside_step(inflater, about, index, &environment->reachable);
	apply_factor(inflater, about, operation->wcet, factor, beside, result);
	if (result->reason == NULL && operation->kind == OPERATION_KERNEL && operation->kernel.scope == SCOPE_BLOCK)
		inflate_apart(inflater, about, index, environment, result);
}

/* Why there is nothing to inflate; NULL: there is. */
static const char *reject(const struct inflater *inflater, const struct operation *operation)
{
	if (operation->wcet == NONE)
		return operation->frame != NULL     ? "the bound of its frame does not fit 64 bits"
		       : operation->program != NULL ? "the bound of its program does not fit 64 bits"
						    : "no isolated WCET is given";
	if ((operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET) &&
		inflater->platform->engine_of[environment_direction(operation)] == ENGINE_NONE)
		return arena_format(inflater->arena, "nothing says which engine serves %s; declare engine.%s",
			direction_names[environment_direction(operation)], direction_names[environment_direction(operation)]);
	return NULL;
}

/* An assumption that nothing may rest on takes the result with it. */
static void hold_assumptions(const struct inflater *inflater, struct inflated *result)
{
	const char *refused = refuse_assumptions(inflater, result->assumptions);
	if (refused != NULL)
		*result = (struct inflated){NONE, RATIONAL_NONE, refused, STEP_ABSENT, result->isolated_step, result->assumptions};
}

static void inflate_operation(const struct inflater *inflater, int index, struct inflated *result)
{
	const struct operation *operation = &inflater->set->operations[index];
	if (operation->kind == OPERATION_WAIT || operation->kind == OPERATION_RECORD) {
		*result = (struct inflated){0, rational_of(1), NULL, STEP_ABSENT, STEP_ABSENT, 0};
		return;
	}
	*result = (struct inflated){NONE, RATIONAL_NONE, reject(inflater, operation), STEP_ABSENT, STEP_ABSENT, 0};
	if (result->reason != NULL)
		return;
	const char *about = inflater->inflation->names[index];
	int rule = operation->program != NULL ? RULE_PROGRAM : RULE_GIVEN;
	result->isolated_step = operation->batches != NULL ? frame_steps_derive(inflater->arena, inflater->derivation, operation,
								     arena_format(inflater->arena, "%s@wcet", about))
							   : derivation_named(inflater->derivation, rule, rational_of(operation->wcet),
								     "%s@wcet", about, NULL);
	if (operation->kind == OPERATION_HOST) {
		host_response_find(inflater->arena, inflater->set, index, inflater->derivation, result);
	} else if (taskset_has_company(inflater->set, index)) {
		inflate_in_company(inflater, about, index, result);
	} else {
		inflate(inflater, about, index, result);
	}
	hold_assumptions(inflater, result);
}

struct inflation *inflation_compute(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	struct derivation *derivation)
{
	return inflation_compute_limited(arena, platform, set, map, derivation, INFLATION_SOLVER_ITERATIONS, NULL);
}

static void inflate_all(const struct inflater *inflater)
{
	const struct taskset *set = inflater->set;
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++) {
			int index = set->tasks[t].first_operation + i;
			inflate_operation(inflater, index, &inflater->inflation->operations[index]);
		}
}

static const char **name_operations(struct arena *arena, const struct taskset *set)
{
	const char **names = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *names);
	for (int t = 0; t < set->task_count; t++) {
		const char *task = arena_format(arena, "task:%s/op:", set->tasks[t].id);
		size_t length = strlen(task);
		for (int i = 0; i < set->tasks[t].operation_count; i++) {
			const char *id = task_operation(set, &set->tasks[t], i)->id;
			size_t size = strlen(id) + 1;
			char *name = arena_reserve(arena, length + size, 1);
			memcpy(name, task, length);
			memcpy(name + length, id, size);
			names[set->tasks[t].first_operation + i] = name;
		}
	}
	return names;
}

/* apart_from: engines are apart, as they are not in that one; NULL: they meet. */
static struct inflation *compute(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	struct derivation *derivation, int solver_iterations, struct diagnostics *diagnostics, const struct inflation *apart_from)
{
	const struct lp_limits limits = {0, solver_iterations};
	struct inflation *inflation = arena_allocate(arena, 1, sizeof *inflation);
	inflation->operations = arena_reserve(arena, (size_t)set->operation_count, sizeof *inflation->operations);
	inflation->names = apart_from != NULL ? apart_from->names : name_operations(arena, set);
	inflation->surroundings = apart_from != NULL ? apart_from->surroundings : surroundings_create(arena, platform, set, map, &limits);
	struct inflater inflater = {arena, platform, set, derivation, factors_prepare(arena, platform, derivation), inflation->surroundings,
		diagnostics, inflation, apart_from != NULL, platform_granted(platform)};
	for (int source = 0; source < INTERFERER_COUNT; source++)
		inflater.any[source] = factors_any(inflater.factors, (enum interferer)source);
	inflate_all(&inflater);
	return inflation;
}

struct inflation *inflation_compute_limited(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct map *map, struct derivation *derivation, int solver_iterations, struct diagnostics *diagnostics)
{
	return compute(arena, platform, set, map, derivation, solver_iterations, diagnostics, NULL);
}

struct inflation *inflation_compute_engines_apart(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct map *map, const struct inflation *with, struct derivation *derivation)
{
	return compute(arena, platform, set, map, derivation, INFLATION_SOLVER_ITERATIONS, NULL, with);
}
