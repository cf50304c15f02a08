/* The results of a report, derived again: tasks, streams, end-to-end flows, the verdicts, the coverage.
 *
 * Requires: work.
 * Provides: every attribute of every result compared with what follows from the inputs and the claimed numbers that hold; every task,
 *           stream, chain and operation of the task set exactly once.
 * Source:   [RESULTS], [SEGMENTS], [END-TO-END]; Davare et al., DAC 2007.
 * Fails:    by differences. A bound that this program does not know is not checked, and said to be so.
 */
#ifndef VERIFY_RESULTS_H
#define VERIFY_RESULTS_H

#include "verify/claimed_bounds.h"

void results_compare(struct work *work);

#endif
