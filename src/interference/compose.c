/* Composition rules: multiplicative, additive, maximum, and the cap by a joint measurement. */
#include "interference/compose.h"

#include "base/assert.h"
#include "model/rules.h"

#include <stddef.h>

#define MILLION 1000000

/* Partial results are in millionths; NONE absorbs in all three. */
static int64_t multiply(int64_t partial, struct rational factor)
{
	return rational_scale_up(partial, factor);
}

static int64_t add(int64_t partial, struct rational factor)
{
	return checked_add(partial, checked_sub(rational_scale_up(MILLION, factor), MILLION));
}

static int64_t raise(int64_t partial, struct rational factor)
{
	return checked_max(partial, rational_scale_up(MILLION, factor));
}

static const struct {
	enum rule rule;
	int64_t (*fold)(int64_t partial, struct rational factor);
} rules[] = {
	[COMPOSITION_MULTIPLICATIVE] = {RULE_COMPOSE_MULTIPLICATIVE, multiply},
	[COMPOSITION_ADDITIVE] = {RULE_COMPOSE_ADDITIVE, add},
	[COMPOSITION_MAXIMUM] = {RULE_COMPOSE_MAXIMUM, raise},
};

struct factor compose_factors(
	struct derivation *derivation, const char *about, enum composition rule, const struct factor *items, int count)
{
	assert(count >= 1);
	if (count == 1)
		return items[0];
	assert((size_t)rule < sizeof rules / sizeof *rules);
	int64_t partial = MILLION;
	for (int i = 0; i < count; i++)
		partial = rules[rule].fold(partial, items[i].value);
	struct rational value = rational_make(partial, MILLION);
	if (rational_is_none(value))
		return (struct factor){RATIONAL_NONE, STEP_ABSENT};
	int step = derivation_step(derivation, rules[rule].rule, about, value);
	for (int i = 0; i < count; i++)
		derivation_input(derivation, "f", items[i].step);
	return (struct factor){value, step};
}

static struct factor use_joint(struct derivation *derivation, const char *about, struct factor full)
{
	int step = derivation_step(derivation, RULE_COMPOSE_JOINT, about, full.value);
	derivation_input(derivation, "F_full", full.step);
	return (struct factor){full.value, step};
}

struct factor compose_saturate(struct derivation *derivation, const char *about, struct factor composed, struct factor full)
{
	if (rational_is_none(full.value))
		return composed;
	if (rational_is_none(composed.value))
		return use_joint(derivation, about, full);
	struct rational value = rational_min(composed.value, full.value);
	int step = derivation_step(derivation, RULE_COMPOSE_SATURATED, about, value);
	derivation_input(derivation, "F", composed.step);
	derivation_input(derivation, "F_full", full.step);
	return (struct factor){value, step};
}
