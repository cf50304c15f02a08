/* Work of which only its span is known: where the span is what it costs.
 *
 * Requires: costs and runlist.
 * Provides: for a bound and a context the assumptions that spans of its work rest on, or why one of them is no number for it.
 * Source:   [SPAN].
 */
#ifndef RESPONSE_KEPT_SPANS_H
#define RESPONSE_KEPT_SPANS_H

#include "response/applicable.h"

/* Those of the bound's context; of all, where the bound is one for all of them. */
void spans_need(struct applicability *a, enum bound bound);

#endif
