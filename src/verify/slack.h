/* Slack figures of a report.
 *
 * Requires: a report whose results were found good; who writes reports of inputs that have moved.
 * Provides: each figure compared: at it the task is proven, by a report of the moved inputs that is verified in full against inputs moved
 *           here; one unit further the analysis does not prove it, or there is no further. Of a figure that is absent, that the verdict is
 *           the same at the limit of the search.
 * Source:   the search's limits: gpubound-analyze(1), --slack.
 * Fails:    by differences; without a witness the figures are unchecked.
 */
#ifndef VERIFY_SLACK_H
#define VERIFY_SLACK_H

#include "verify/check.h"
#include "verify/verify.h"

/* How many figures were found good. */
int slack_compare(struct check *check, const struct input_folders *folders, const struct verify_options *options);

/* Moves tasks and operations, which are the caller's own, as the check says. */
void slack_move_inputs(const struct check *check, struct task *tasks, struct operation *operations);

/* verify.c: a report's text against the inputs, moved or not; false: it was refused. */
bool verify_check(struct check *check, const struct input_folders *folders);

#endif
