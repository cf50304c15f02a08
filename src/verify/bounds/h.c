/* H of a report: [H], [COV-BYPASS]. */
#include "verify/engines.h"

uint64_t claimed_h_needs(const struct work *work, int context, bool *applies)
{
	uint64_t needs = bounds_needs_of_hosts(work, context) | bounds_needs_of_idle(work, context);
	return needs | (bounds_passing(work, context) ? ASSUMED(FIT) : bounds_needs_of_order(work, context, applies));
}

struct claims claimed_h_hold(struct work *work, const struct turns *turns)
{
	static const struct engines_claim h = {.kind = CLAIMED_H, .local = true, .may_pass = true};
	return engines_hold(work, &h, turns);
}
