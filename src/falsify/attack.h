/* One run's choices: all that the machine, the releases and the durations leave open.
 *
 * Requires: a subject.
 * Provides: attacks drawn from a seed, and small changes of one; which assumptions the machine then breaks. A machine that breaks what
 *           the platform grants is drawn too: bounds that do not rest on it have to hold.
 * Source:   [FALSIFIER]; machine/switches.h.
 * Fails:    never.
 */
#ifndef FALSIFY_ATTACK_H
#define FALSIFY_ATTACK_H

#include "falsify/draw.h"
#include "falsify/subject.h"
#include "simulate/simulate.h"

#define ATTACK_DURATIONS 48
#define ATTACK_JOBS 6
/* Assumptions about what is beside a block: without these single blocks and whole kernels take times of which nothing is said. */
#define ATTACK_NEIGHBOURS                                                                                                                  \
	(assumption_bit(ASSUMPTION_MPS_ORDER) | assumption_bit(ASSUMPTION_PARTITION) | assumption_bit(ASSUMPTION_MORE_SMS) |               \
		assumption_bit(ASSUMPTION_FED))
#define ATTACK_TASKS 64 /* with releases of their own; the others have those of the first */

struct attack {
	struct simulate_options options; /* its pointers are set by attack_options */
	struct allocation_options allocation;
	uint64_t broken; /* bit set: assumptions that this machine does not keep */
	uint64_t longer; /* likewise: what rests on these takes longer, operations by A-MORE-SMS three times as long */
	bool inflated;   /* durations up to the inflated WCETs; else the run slows blocks by the factors itself */
	bool own_allocation;
	int64_t durations[ATTACK_DURATIONS];
	int64_t phases[ATTACK_TASKS], jitters[ATTACK_TASKS * ATTACK_JOBS];
};

void attack_draw(struct attack *attack, struct draw *draw, const struct subject *subject);
void attack_change(struct attack *attack, struct draw *draw, const struct subject *subject); /* one choice differs */

/* What simulate_run takes; points into the attack and the subject. */
/* All that it breaks. */
uint64_t attack_broken(const struct attack *attack, const struct subject *subject);
struct simulate_options attack_options(const struct attack *attack, const struct subject *subject);

/* The choices in words, for a reader; in the arena. */
const char *attack_describe(const struct attack *attack, struct arena *arena);

#endif
