/* Which factor covers each source, and what they make together. */
#include "verify/inflation.h"
#include "verify/thread_claims.h"

#include "verify/company.h"
#include "verify/environment.h"
#include "verify/frame_bound.h"

#define MILLION 1000000

struct inflater {
	struct check *check;
	struct environment environment;
	struct node **entries, **raised; /* of the table's entries */
	struct rational *highest;        /* [entry]: raised */
	struct inflated_fact *facts;
};

/* ---- factors: the table is rounded up to a measured point; [INFLATION] */

static bool covers(const struct interference_entry *wide, const struct interference_entry *narrow)
{
	bool class = wide->is_copy == narrow->is_copy && (wide->is_copy || wide->victim == ACCESS_ANY || wide->victim == narrow->victim);
	return class && wide->source == narrow->source && narrow->footprint <= wide->footprint && narrow->count <= wide->count;
}

/* A larger victim or source never has a smaller factor. */
static struct rational raised_of(const struct platform *platform, const struct interference_entry *entry)
{
	struct rational greatest = entry->factor;
	for (int i = 0; i < platform->interference_count; i++)
		if (covers(entry, &platform->interference[i]))
			greatest = rational_max(greatest, platform->interference[i].factor);
	return greatest;
}

static struct node *entry_node(struct inflater *inflater, int index)
{
	struct check *check = inflater->check;
	if (inflater->entries[index] == NULL)
		inflater->entries[index] = factor_make(check, RULE_GIVEN, arena_format(check->arena, "platform:interference/%d", index),
			check->platform->interference[index].factor)
						   .node;
	return inflater->entries[index];
}

static struct factor raised_factor(struct inflater *inflater, int index)
{
	struct check *check = inflater->check;
	const struct interference_entry *table = check->platform->interference;
	struct rational raised = inflater->highest[index];
	if (rational_compare(raised, table[index].factor) == 0)
		return (struct factor){raised, entry_node(inflater, index)};
	if (inflater->raised[index] != NULL)
		return (struct factor){raised, inflater->raised[index]};
	int worse = 0;
	while (!covers(&table[index], &table[worse]) || rational_compare(table[worse].factor, raised) != 0)
		worse++;
	struct factor factor =
		factor_make(check, RULE_FACTOR, arena_format(check->arena, "platform:interference/%d@raised", index), raised);
	factor_from(check, factor.node, "f", entry_node(inflater, index));
	factor_from(check, factor.node, "f", entry_node(inflater, worse));
	inflater->raised[index] = factor.node;
	return factor;
}

/* What the user declared comes first, then the tightest. */
static struct factor look_up(struct inflater *inflater, struct interference_entry demand, enum interferer source, int64_t size)
{
	const struct platform *platform = inflater->check->platform;
	int best = -1;
	demand.source = source;
	demand.count = size;
	for (int i = 0; i < platform->interference_count; i++) {
		const struct interference_entry *entry = &platform->interference[i];
		if (!covers(entry, &demand))
			continue;
		bool declared = entry->declared_by != NULL;
		bool best_declared = best >= 0 && platform->interference[best].declared_by != NULL;
		if (best < 0 || (declared && !best_declared) ||
			(declared == best_declared && rational_compare(inflater->highest[i], inflater->highest[best]) < 0))
			best = i;
	}
	return best < 0 ? (struct factor){RATIONAL_NONE, NULL} : raised_factor(inflater, best);
}

/* ---- composition; partial results are whole millionths */

static int64_t fold(enum composition rule, int64_t partial, struct rational factor)
{
	int64_t millionths = rational_scale_up(MILLION, factor);
	switch (rule) {
	case COMPOSITION_MULTIPLICATIVE: return rational_scale_up(partial, factor);
	case COMPOSITION_ADDITIVE: return checked_add(partial, checked_sub(millionths, MILLION));
	default: return checked_max(partial, millionths);
	}
}

static struct factor compose(struct check *check, const char *about, const struct factor *factors, int count)
{
	static const int rules[] = {RULE_COMPOSE_MULTIPLICATIVE, RULE_COMPOSE_ADDITIVE, RULE_COMPOSE_MAXIMUM};
	enum composition rule = check->platform->composition;
	int64_t partial = MILLION;
	if (count == 1)
		return factors[0];
	if (rule == COMPOSITION_JOINT || !platform_grants(check->platform, ASSUMPTION_COMPOSE))
		return (struct factor){RATIONAL_NONE, NULL};
	for (int i = 0; i < count; i++)
		partial = fold(rule, partial, factors[i].value);
	struct factor composed = factor_make(check, rules[rule], about, rational_make(partial, MILLION));
	for (int i = 0; i < count; i++)
		factor_from(check, composed.node, "f", factors[i].node);
	return checked_is_none(partial) ? (struct factor){RATIONAL_NONE, NULL} : composed;
}

/* A measurement of everything at once caps the composition and stands in for it. */
static struct factor cap(struct check *check, const char *about, struct factor composed, struct factor full)
{
	if (rational_is_none(full.value))
		return composed;
	if (rational_is_none(composed.value)) {
		struct factor joint = factor_make(check, RULE_COMPOSE_JOINT, about, full.value);
		factor_from(check, joint.node, "F_full", full.node);
		return joint;
	}
	struct factor least = factor_make(check, RULE_COMPOSE_SATURATED, about, rational_min(composed.value, full.value));
	factor_from(check, least.node, "F", composed.node);
	factor_from(check, least.node, "F_full", full.node);
	return least;
}

static struct interference_entry victim_of(const struct platform *platform, const struct operation *operation)
{
	struct interference_entry victim = {.victim = operation->kernel.access, .footprint = operation->kernel.footprint};
	if (operation->kind == OPERATION_KERNEL)
		return victim;
	if (operation->kind == OPERATION_FRAGMENT)
		return (struct interference_entry){.victim = ACCESS_ANY, .footprint = NONE};
	victim.footprint = operation->copy.bytes;
	victim.is_copy = !environment_computes(platform, operation);
	victim.victim = victim.is_copy ? ACCESS_ANY : operation->kind == OPERATION_MEMSET ? ACCESS_WRITE : ACCESS_COPY;
	return victim;
}

/* The factor of all active sources together; *composed: it rests on a composition rule. No node and 1: nothing is active. */
static struct factor factor_of(struct inflater *inflater, const char *about, int index, const struct source *sources, bool *composed)
{
	struct check *check = inflater->check;
	struct interference_entry victim = victim_of(check->platform, &check->set->operations[index]);
	struct factor found[INTERFERER_COUNT], single = {RATIONAL_NONE, NULL};
	int count = 0, active = 0;
	for (int s = 0; s < INTERFERER_COUNT; s++) {
		if (!sources[s].active)
			continue;
		active++;
		found[count] = look_up(inflater, victim, (enum interferer)s, sources[s].size);
		count += !rational_is_none(found[count].value);
	}
	if (active == 0)
		return (struct factor){rational_of(1), NULL};
	if (count == active)
		single = compose(check, about, found, count);
	struct factor full = look_up(inflater, victim, INTERFERER_ALL, checked_sub(inflater->environment.chip, victim.is_copy ? 0 : 1));
	*composed = count > 1 && !rational_is_none(single.value) &&
		    (rational_is_none(full.value) || rational_compare(single.value, full.value) < 0);
	return cap(check, about, single, full);
}

/* ---- one operation */

/* A block of a kernel while none of another one is on the chip: what its sources without those of other kernels make of it. */
static void derive_apart(struct inflater *inflater, const char *about, int index, const struct source *sources, struct inflated_fact *of)
{
	struct check *check = inflater->check;
	const struct operation *operation = &check->set->operations[index];
	const char *name = arena_format(check->arena, "%s@apart", about);
	struct source others[INTERFERER_COUNT];
	bool composed = false, blocks = false;
	if (operation->kind != OPERATION_KERNEL || operation->kernel.scope != SCOPE_BLOCK || checked_is_none(of->inflated.value))
		return;
	if (check->set->streams[operation->stream].partition > 0)
		return; /* other partitions never leave the chip to it */
	for (int s = 0; s < INTERFERER_COUNT; s++) {
		bool ring = s == INTERFERER_SM || s == INTERFERER_TPC || s == INTERFERER_GPC || s == INTERFERER_OUT;
		others[s] = ring ? (struct source){false, 0} : sources[s];
		blocks |= ring && sources[s].active;
	}
	struct factor factor = blocks ? factor_of(inflater, name, index, others, &composed) : (struct factor){RATIONAL_NONE, NULL};
	if (rational_is_none(factor.value) || rational_scale_up(of->isolated.value, factor.value) >= of->inflated.value)
		return;
	of->apart = of->isolated;
	of->apart.assumptions = of->inflated.assumptions | (composed ? ASSUMED(COMPOSE) : 0);
	if (factor.node != NULL) {
		struct fact fact = fact_make(check, RULE_INFLATE, name, rational_scale_up(of->isolated.value, factor.value));
		fact_from(check, &fact, "C", of->isolated);
		factor_from(check, fact.node, "F", factor.node);
		of->apart.value = fact.value;
		of->apart.node = fact.node;
	}
	of->has_apart = true;
	of->most_apart = factor.value;
	of->most_assumptions |= of->apart.assumptions & ASSUMED(COMPOSE);
}

static void inflate(struct inflater *inflater, const char *about, int index, struct inflated_fact *of)
{
	struct source sources[INTERFERER_COUNT] = {{false, 0}};
	bool composed = false;
	struct fact blocks = {NONE, NULL, 0};
	of->inflated.assumptions =
		environment_find(&inflater->environment, about, index, sources, &blocks) | ASSUMED(WCET) | ASSUMED(CLOCK);
	struct factor factor = factor_of(inflater, about, index, sources, &composed);
	of->factor = of->most = of->most_apart = factor.value;
	if (factor.node == NULL && !rational_is_none(factor.value)) {
		of->inflated.value = of->isolated.value;
		of->inflated.node = of->isolated.node;
		return;
	}
	of->inflated.assumptions |= ASSUMED(RATE) | ASSUMED(STRESS) | (composed ? ASSUMED(COMPOSE) : 0);
	if (rational_is_none(factor.value))
		return;
	of->most_assumptions = of->inflated.assumptions;
	struct fact fact = fact_make(inflater->check, RULE_INFLATE, about, rational_scale_up(of->isolated.value, factor.value));
	fact_from(inflater->check, &fact, "C", of->isolated);
	factor_from(inflater->check, fact.node, "F", factor.node);
	if (blocks.node != NULL)
		fact_from(inflater->check, &fact, "q", blocks);
	of->inflated.value = fact.value;
	of->inflated.node = fact.node;
	if (checked_is_none(fact.value))
		of->factor = RATIONAL_NONE;
	derive_apart(inflater, about, index, sources, of);
}

/* A sequence that was measured beside tasks. */
static void inflate_in_company(struct inflater *inflater, const char *about, int index, struct inflated_fact *of)
{
	struct check *check = inflater->check;
	struct source sources[INTERFERER_COUNT] = {{false, 0}};
	struct fact blocks = {NONE, NULL, 0};
	of->inflated.assumptions =
		environment_find(&inflater->environment, about, index, sources, &blocks) | ASSUMED(WCET) | ASSUMED(CLOCK);
	bool others = sources[INTERFERER_CPU].active || sources[INTERFERER_OTHER].active;
	struct factor factor = others ? (struct factor){RATIONAL_NONE, NULL} : company_measured(check, about, index);
	of->factor = factor.value;
	of->most = of->most_apart = rational_of(1);
	if (rational_is_none(factor.value))
		return;
	struct fact fact = factor.node == NULL ? of->isolated
					       : fact_make(check, RULE_INFLATE, about, rational_scale_up(of->isolated.value, factor.value));
	of->inflated.assumptions |= factor.node != NULL ? ASSUMED(COMPANY) : 0;
	of->inflated.value = fact.value;
	of->inflated.node = fact.node;
	if (factor.node == NULL)
		return;
	fact_from(check, &fact, "C", of->isolated);
	factor_from(check, fact.node, "F", factor.node);
}

static void derive_operation(struct inflater *inflater, const struct task *task, int index, struct inflated_fact *of)
{
	struct check *check = inflater->check;
	const struct operation *operation = &check->set->operations[index];
	const char *about = arena_format(check->arena, "task:%s/op:%s", task->id, operation->id);
	*of = (struct inflated_fact){FACT_UNKNOWN, FACT_UNKNOWN, RATIONAL_NONE};
	if (operation->kind == OPERATION_WAIT || operation->kind == OPERATION_RECORD) {
		*of = (struct inflated_fact){FACT_ZERO, FACT_ZERO, rational_of(1)};
		return;
	}
	if (checked_is_none(operation->wcet) ||
		(resident_is_transfer(operation) && resident_engine(check->platform, operation) == ENGINE_NONE))
		return;
	const char *about_wcet = arena_format(check->arena, "%s@wcet", about);
	of->isolated = operation->batches != NULL   ? frame_fact(check, operation, about_wcet)
		       : operation->program != NULL ? fact_make(check, RULE_PROGRAM, about_wcet, operation->wcet)
						    : fact_given(check, operation->wcet, "%s", about_wcet);
	if (operation->kind == OPERATION_HOST) {
		of->inflated = threads_host(check, (int)(task - check->set->tasks), index, of->isolated);
		of->factor = rational_of(1);
	} else if (taskset_has_company(check->set, index)) {
		inflate_in_company(inflater, about, index, of);
	} else {
		inflate(inflater, about, index, of);
	}
	if (!platform_grants_all(check->platform, of->inflated.assumptions))
		*of = (struct inflated_fact){of->isolated, FACT_UNKNOWN, RATIONAL_NONE};
}

static void derive_all(struct inflater *inflater)
{
	const struct taskset *set = inflater->check->set;
	for (int t = 0; t < set->task_count; t++)
		for (int i = set->tasks[t].first_operation; i < set->tasks[t].first_operation + set->tasks[t].operation_count; i++)
			derive_operation(inflater, &set->tasks[t], i, &inflater->facts[i]);
}

static struct inflated_fact *derive(struct check *check, const struct resident *residents, bool engines_apart)
{
	const struct taskset *set = check->set;
	size_t entries = (size_t)check->platform->interference_count + 1;
	struct inflated_fact *facts = arena_allocate(check->arena, (size_t)set->operation_count + 1, sizeof *facts);
	struct inflater inflater = {check, environment_of(check, residents, engines_apart),
		arena_allocate(check->arena, entries, sizeof(struct node *)), arena_allocate(check->arena, entries, sizeof(struct node *)),
		arena_allocate(check->arena, entries, sizeof(struct rational)), facts};
	for (int i = 0; i < check->platform->interference_count; i++)
		inflater.highest[i] = raised_of(check->platform, &check->platform->interference[i]);
	derive_all(&inflater);
	return facts;
}

struct inflated_fact *inflate_derive(struct check *check, const struct resident *residents)
{
	return derive(check, residents, false);
}

struct inflated_fact *inflate_derive_engines_apart(struct check *check, const struct resident *residents)
{
	return derive(check, residents, true);
}
