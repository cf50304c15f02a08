/* How a job of known phases comes to be complete as late as TT says: its critical path.
 *
 * Requires: what TT was found with, and a job.
 * Provides: terms from the job's latest completion back to a release and on to its own release; each says its equation, before + term = after,
 *           and `before` is the `after` of the next one.
 * Source:   [TT]; explore/critical_path.h.
 * Fails:    where no single order has a time, the term is that time, and says so.
 */
#ifndef REPORT_EXPLAIN_WAITING_H
#define REPORT_EXPLAIN_WAITING_H

#include "report/explain_terms.h"
#include "response/bounds/tt.h"

void explain_waiting(struct listing *terms, const struct tt_basis *phases, const struct tt_job *job);

#endif
