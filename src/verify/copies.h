/* How long a block takes when copies slow it only while they run: found again from what the report claims of responses.
 *
 * Requires: inflated WCETs of copies; a report whose steps name claimed responses of tasks.
 * Provides: e of (5.2) and the claims that it takes; later, whether what a report proves of a task is what it claimed.
 * Source:   [COPIES-BESIDE].
 * Fails:    NONE where a claim is missing or the equation has no solution.
 */
#ifndef VERIFY_COPIES_H
#define VERIFY_COPIES_H

#include "verify/inflate.h"

struct copies_slowing { /* a block */
	int victim;
	struct fact isolated;
	struct rational busy, idle; /* factors */
};

/* The value alone. */
int64_t copies_residence(struct check *check, const struct inflated_fact *inflated, const struct copies_slowing *slowing);
/* The inputs o_copy, R and c of its step, and what the claims rest on. */
void copies_add_inputs(struct check *check, const struct inflated_fact *inflated, int victim, struct fact *fact);

/* least: of the task's bounds as verified. together: the victims' context may not have the chip to itself, or stops stretch blocks. */
void copies_hold_claim(struct check *check, const struct task *task, struct fact least, bool together);

#endif
