/* The derivation of every number in a report: a graph of steps.
 *
 * Requires: an arena; the meaning of the rules is the caller's (model/rules.def).
 * Provides: steps in an order in which each refers only to earlier ones. A step has a rule, a value, and inputs, each in a named
 *           role, and it can be re-derived from these inputs alone. A step without inputs is given: its `about` says where in the
 *           inputs it stands. Who derives does not ask whether somebody is going to read it, but where a step's inputs would have
 *           to be looked for.
 * Fails:    never.
 */
#ifndef BASE_DERIVATION_H
#define BASE_DERIVATION_H

#include "base/assert.h"
#include "base/memory.h"
#include "base/rational.h"

#define STEP_ABSENT (-1)

struct step_input {
	const char *role; /* the symbol in the rule's equation */
	int step;
};

struct step {
	int rule, input_count;
	const char *about;           /* what the value is the value of: "task:SFM", "task:SFM/op:k1@wcet", "platform:sm.warps" */
	const char *format, *second; /* NULL once `about` is put together of these */
	struct rational value;
	const struct step_input *inputs;
};

#define DERIVATION_BLOCK 512

struct derivation {
	struct arena *arena;
	struct step **blocks; /* of so many steps */
	int count, capacity;
	struct step *last;         /* NULL: there is none */
	struct step_input *inputs; /* where the next one goes */
	int input_room;
	bool mute;
};

void derivation_init(struct derivation *derivation, struct arena *arena);

/* One that nobody is going to read: it keeps no steps, and all have the number 0. */
void derivation_init_mute(struct derivation *derivation);

static inline bool derivation_is_read(const struct derivation *derivation)
{
	return !derivation->mute;
}

/* Adds a step and returns its number. Give its inputs afterwards with derivation_input, before the next step is added. `about` is
 * kept, not copied. */
int derivation_step(struct derivation *derivation, int rule, const char *about, struct rational value);
static inline int derivation_integer(struct derivation *derivation, int rule, const char *about, int64_t value)
{
	return derivation->mute ? 0 : derivation_step(derivation, rule, about, rational_of(value));
}

void derivation_make_room(struct derivation *derivation); /* for derivation_input */

/* STEP_ABSENT adds nothing. */
static inline void derivation_input(struct derivation *derivation, const char *role, int step)
{
	if (step == STEP_ABSENT || derivation->mute)
		return;
	assert(derivation->last != NULL && step < derivation->count - 1);
	if (derivation->input_room == 0)
		derivation_make_room(derivation);
	*derivation->inputs++ = (struct step_input){role, step};
	derivation->input_room--;
	derivation->last->input_count++;
}

/* The same; `about` is put together when somebody asks: a format with one %s or two and the texts, which are kept, not copied. */
int derivation_named(
	struct derivation *derivation, int rule, struct rational value, const char *format, const char *first, const char *second);

const struct step *derivation_get(const struct derivation *derivation, int step);
int derivation_rule(const struct derivation *derivation, int step);
int derivation_input_count(const struct derivation *derivation, int step);
const struct step_input *derivation_inputs(const struct derivation *derivation, int step); /* input_count of them */

#endif
