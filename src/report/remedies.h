/* What a task without a bound, or with one above its deadline, is charged for whom, and what would change that.
 *
 * Requires: a report's results with the costs they rest on.
 * Provides: the operations that take most of what is charged where the task runs, and why more than their own times; then each standard
 *           remedy that fits the task set, in a line with the XML to write. Which of them is enough is for an analysis to say.
 * Source:   [SCOPE-GRID]; [SER-BW], [DRAIN], [DILATION].
 * Fails:    never.
 */
#ifndef REPORT_REMEDIES_H
#define REPORT_REMEDIES_H

#include "report/explain_parts.h"

void remedies_print(const struct explanation *e, int task);

#endif
