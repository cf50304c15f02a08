/* How long operations run alone, derived again.
 *
 * Requires: the task set as it was read; what an SM holds of each kernel.
 * Provides: a task set of its own with the WCET and the BCET of each operation: as stated, by its frame drawn again, or by its program's
 *           certificates; moved as the check says. The one that was read stays as it is.
 * Source:   verify/frame_bound.h, verify/program_bound.h, verify/slack.h.
 * Fails:    by differences, those of programs.
 */
#ifndef VERIFY_TIMES_OF_CODE_H
#define VERIFY_TIMES_OF_CODE_H

#include "verify/resident.h"

const struct taskset *timing_derive(struct check *check, const struct resident *residents);

#endif
