/* The interference table as a function: round up to a measured point, never beyond the last. */
#include "interference/factors.h"

#include "base/assert.h"
#include "model/rules.h"

struct point { /* one entry of the table, sorted by source */
	const struct interference_entry *entry;
	struct rational raised; /* the greatest factor of the points below it, itself included */
	int given, step;        /* of the entry's own factor, of the raised one; STEP_ABSENT: not yet used */
};

struct factors {
	const struct platform *platform;
	struct arena *arena;
	struct derivation *derivation;
	struct point *points;
	int first[INTERFERER_COUNT + 1]; /* points of source s: first[s] to first[s + 1] */
};

/* NONE stands for "any" in an entry and for "unknown" in a demand; as the greatest integer it covers all and is covered by itself. */
static bool below(const struct interference_entry *a, const struct interference_entry *b)
{
	return a->is_copy == b->is_copy && (a->is_copy || b->victim == ACCESS_ANY || a->victim == b->victim) &&
	       a->footprint <= b->footprint && a->count <= b->count;
}

static struct rational raise(const struct point *points, int from, int to, const struct interference_entry *entry)
{
	struct rational greatest = entry->factor;
	for (int i = from; i < to; i++)
		if (below(points[i].entry, entry))
			greatest = rational_max(greatest, points[i].entry->factor);
	return greatest;
}

static int collect(const struct platform *platform, enum interferer source, struct point *points, int count)
{
	for (int i = 0; i < platform->interference_count; i++) {
		const struct interference_entry *entry = &platform->interference[i];
		if (entry->source != source)
			continue;
		assert(!rational_is_none(entry->factor) && rational_compare(entry->factor, rational_of(1)) >= 0);
		points[count++] = (struct point){entry, entry->factor, STEP_ABSENT, STEP_ABSENT};
	}
	return count;
}

struct factors *factors_prepare(struct arena *arena, const struct platform *platform, struct derivation *derivation)
{
	struct factors *factors = arena_allocate(arena, 1, sizeof *factors);
	*factors = (struct factors){.platform = platform, .arena = arena, .derivation = derivation};
	factors->points = arena_allocate(arena, (size_t)platform->interference_count, sizeof *factors->points);
	for (int source = 0; source < INTERFERER_COUNT; source++) {
		int from = factors->first[source];
		int to = collect(platform, (enum interferer)source, factors->points, from);
		for (int i = from; i < to; i++)
			factors->points[i].raised = raise(factors->points, from, to, factors->points[i].entry);
		factors->first[source + 1] = to;
	}
	return factors;
}

static const char *about(const struct factors *factors, const struct point *point, const char *suffix)
{
	return arena_format(factors->arena, "platform:interference/%td%s", point->entry - factors->platform->interference, suffix);
}

static int given_step(struct factors *factors, struct point *point)
{
	if (point->given == STEP_ABSENT)
		point->given = derivation_step(factors->derivation, RULE_GIVEN, about(factors, point, ""), point->entry->factor);
	return point->given;
}

/* The step of a point's raised factor: its own number, or the maximum of the two where a smaller point was measured worse. */
static int point_step(struct factors *factors, struct point *point, enum interferer source)
{
	if (point->step != STEP_ABSENT)
		return point->step;
	point->step = given_step(factors, point);
	for (int i = factors->first[source]; rational_compare(point->entry->factor, point->raised) < 0; i++) {
		struct point *worse = &factors->points[i];
		if (!below(worse->entry, point->entry) || rational_compare(worse->entry->factor, point->raised) != 0)
			continue;
		int own = point->step, other = given_step(factors, worse);
		point->step = derivation_step(factors->derivation, RULE_FACTOR, about(factors, point, "@raised"), point->raised);
		derivation_input(factors->derivation, "f", own);
		derivation_input(factors->derivation, "f", other);
		break;
	}
	return point->step;
}

/* What the user declares of his own board stands before what the model measured on another one (which may raise it); among equals the
 * tighter. */
static bool preferred(const struct point *a, const struct point *b)
{
	bool a_declared = a->entry->declared_by != NULL, b_declared = b->entry->declared_by != NULL;
	return a_declared != b_declared ? a_declared : rational_compare(a->raised, b->raised) < 0;
}

bool factors_any(const struct factors *factors, enum interferer source)
{
	return factors->first[source] < factors->first[source + 1];
}

struct factor factors_find(struct factors *factors, const struct victim *victim, enum interferer source, int64_t count)
{
	const struct interference_entry demand = {.victim = victim->access, victim->footprint, source, count, victim->is_copy};
	struct point *best = NULL;
	for (int i = factors->first[source]; i < factors->first[source + 1]; i++) {
		struct point *point = &factors->points[i];
		if (below(&demand, point->entry) && (best == NULL || preferred(point, best)))
			best = point;
	}
	if (best == NULL)
		return (struct factor){RATIONAL_NONE, STEP_ABSENT};
	return (struct factor){best->raised, point_step(factors, best, source)};
}
