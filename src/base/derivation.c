#include "base/derivation.h"

#include <assert.h>

void derivation_init(struct derivation *derivation, struct arena *arena)
{
	*derivation = (struct derivation){.arena = arena};
}

int derivation_step(struct derivation *derivation, int rule, const char *about, struct rational value)
{
	derivation->steps =
		arena_grow(derivation->arena, derivation->steps, &derivation->capacity, derivation->count + 1, sizeof(struct step));
	derivation->steps[derivation->count] = (struct step){rule, about, value, derivation->input_count, 0};
	return derivation->count++;
}

int derivation_integer(struct derivation *derivation, int rule, const char *about, int64_t value)
{
	return derivation_step(derivation, rule, about, rational_of(value));
}

void derivation_input(struct derivation *derivation, const char *role, int step)
{
	if (step == STEP_ABSENT)
		return;
	struct step *last = &derivation->steps[derivation->count - 1];
	assert(derivation->count > 0 && step < derivation->count - 1);
	derivation->inputs = arena_grow(
		derivation->arena, derivation->inputs, &derivation->input_capacity, derivation->input_count + 1, sizeof(struct step_input));
	derivation->inputs[derivation->input_count++] = (struct step_input){role, step};
	last->input_count++;
}

const struct step *derivation_get(const struct derivation *derivation, int step)
{
	return &derivation->steps[step];
}

const struct step_input *derivation_inputs(const struct derivation *derivation, int step)
{
	return derivation->inputs + derivation->steps[step].first_input;
}
