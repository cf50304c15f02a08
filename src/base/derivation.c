#include "base/derivation.h"

#include <assert.h>
#include <string.h>

void derivation_init(struct derivation *derivation, struct arena *arena)
{
	*derivation = (struct derivation){.arena = arena};
}

static struct step *at(const struct derivation *derivation, int step)
{
	return &derivation->blocks[step / DERIVATION_BLOCK][step % DERIVATION_BLOCK];
}

static void add_block(struct derivation *derivation)
{
	int index = derivation->count / DERIVATION_BLOCK;
	derivation->blocks = arena_grow(derivation->arena, derivation->blocks, &derivation->capacity, index + 1, sizeof *derivation->blocks);
	derivation->blocks[index] = arena_reserve(derivation->arena, DERIVATION_BLOCK, sizeof(struct step));
}

int derivation_named(struct derivation *derivation, int rule, struct rational value, const char *format, const char *first, const char *second)
{
	if (derivation->count % DERIVATION_BLOCK == 0)
		add_block(derivation);
	*at(derivation, derivation->count) = (struct step){rule, 0, first, format, second, value, derivation->inputs};
	return derivation->count++;
}

int derivation_step(struct derivation *derivation, int rule, const char *about, struct rational value)
{
	return derivation_named(derivation, rule, value, NULL, about, NULL);
}

int derivation_integer(struct derivation *derivation, int rule, const char *about, int64_t value)
{
	return derivation_step(derivation, rule, about, rational_of(value));
}

/* The inputs of a step stand together: where their block is full they all move on. */
static void make_room(struct derivation *derivation, struct step *last)
{
	int size = last->input_count < DERIVATION_BLOCK / 2 ? DERIVATION_BLOCK : 4 * last->input_count;
	struct step_input *block = arena_reserve(derivation->arena, (size_t)size, sizeof *block);
	if (last->input_count > 0)
		memcpy(block, last->inputs, (size_t)last->input_count * sizeof *block);
	last->inputs = block;
	derivation->inputs = block + last->input_count;
	derivation->input_room = size - last->input_count;
}

void derivation_input(struct derivation *derivation, const char *role, int step)
{
	if (step == STEP_ABSENT)
		return;
	assert(derivation->count > 0 && step < derivation->count - 1);
	struct step *last = at(derivation, derivation->count - 1);
	if (derivation->input_room == 0)
		make_room(derivation, last);
	*derivation->inputs++ = (struct step_input){role, step};
	derivation->input_room--;
	last->input_count++;
}

const struct step *derivation_get(const struct derivation *derivation, int step)
{
	struct step *of = at(derivation, step);
	if (of->format != NULL)
		of->about = arena_format(derivation->arena, of->format, of->about, of->second);
	of->format = NULL;
	return of;
}

int derivation_rule(const struct derivation *derivation, int step)
{
	return at(derivation, step)->rule;
}

int derivation_input_count(const struct derivation *derivation, int step)
{
	return at(derivation, step)->input_count;
}

const struct step_input *derivation_inputs(const struct derivation *derivation, int step)
{
	return at(derivation, step)->inputs;
}
