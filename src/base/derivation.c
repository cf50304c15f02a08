#include "base/derivation.h"

#include <string.h>

void derivation_init(struct derivation *derivation, struct arena *arena)
{
	*derivation = (struct derivation){.arena = arena};
}

void derivation_init_mute(struct derivation *derivation)
{
	*derivation = (struct derivation){.mute = true};
}

static struct step *at(const struct derivation *derivation, int step)
{
	unsigned place = (unsigned)step;
	return &derivation->blocks[place / DERIVATION_BLOCK][place % DERIVATION_BLOCK];
}

static void add_block(struct derivation *derivation)
{
	int index = derivation->count / DERIVATION_BLOCK;
	derivation->blocks =
		arena_grow(derivation->arena, derivation->blocks, &derivation->capacity, index + 1, sizeof *derivation->blocks);
	derivation->blocks[index] = arena_reserve(derivation->arena, DERIVATION_BLOCK, sizeof(struct step));
}

int derivation_named(
	struct derivation *derivation, int rule, struct rational value, const char *format, const char *first, const char *second)
{
	if (derivation->mute)
		return 0;
	if (derivation->count % DERIVATION_BLOCK == 0)
		add_block(derivation);
	derivation->last = at(derivation, derivation->count);
	*derivation->last = (struct step){rule, 0, first, format, second, value, derivation->inputs};
	return derivation->count++;
}

int derivation_step(struct derivation *derivation, int rule, const char *about, struct rational value)
{
	return derivation_named(derivation, rule, value, NULL, about, NULL);
}

/* The inputs of a step stand together: where their block is full they all move on. */
void derivation_make_room(struct derivation *derivation)
{
	struct step *last = derivation->last;
	int size = last->input_count < DERIVATION_BLOCK / 2 ? DERIVATION_BLOCK : 4 * last->input_count;
	struct step_input *block = arena_reserve(derivation->arena, (size_t)size, sizeof *block);
	if (last->input_count > 0)
		memcpy(block, last->inputs, (size_t)last->input_count * sizeof *block);
	last->inputs = block;
	derivation->inputs = block + last->input_count;
	derivation->input_room = size - last->input_count;
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
