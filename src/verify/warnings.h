/* What reading the inputs warned of: numbers measured under other conditions, declarations that override a model.
 *
 * Requires: the inputs, read again, and what that said.
 * Provides: a difference for each warning, note and hazard of theirs that the report leaves out or says otherwise. What comes behind
 *           them there is of the analysis, and prose.
 * Source:   doc/formats.md, Report.
 */
#ifndef VERIFY_WARNINGS_H
#define VERIFY_WARNINGS_H

#include "verify/check.h"

void warnings_compare(struct check *check, const struct diagnostics *reading);

#endif
