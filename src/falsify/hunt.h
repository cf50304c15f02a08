/* The hunt for a run of one system that exceeds one of its bounds.
 *
 * Requires: a subject, a generator of random numbers.
 * Provides: for each task and bound the greatest response seen within what the bound promises; the first violation, with the attack
 *           that shows it. The first half of the runs is drawn, the second climbs from the one that came closest to a bound.
 * Source:   [FALSIFIER].
 * Fails:    never.
 */
#ifndef FALSIFY_HUNT_H
#define FALSIFY_HUNT_H

#include "falsify/oracle.h"

struct violation {
	enum stage stage; /* STAGE_NONE: none */
	enum bound bound; /* of STAGE_RESPONSE */
	int task, operation;
	int64_t observed, allowed;
	const char *what; /* in the subject's arena */
	struct attack attack;
};

struct hunt {
	int64_t runs, events;
	int64_t limited;     /* runs that hit the limit of events */
	const char *refusal; /* the machine cannot run the system; NULL: it can */
	int64_t *observed;   /* by task and bound: the greatest response; in the subject's arena */
	struct violation violation;
};

void hunt_run(struct hunt *hunt, const struct subject *subject, struct draw *draw, int runs);

/* One run. False where it showed no violation. score: the greatest observed/bound in millionths. */
bool hunt_once(struct hunt *hunt, const struct subject *subject, const struct attack *attack, int64_t *score);

#endif
