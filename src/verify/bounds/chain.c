/* CHAIN of a report: [CHAIN]. */
#include "verify/engines.h"

uint64_t claimed_chain_needs(const struct work *work, int context, bool *applies)
{
	uint64_t needs = bounds_needs_of_hosts(work, context) | bounds_needs_of_idle(work, context);
	return needs | bounds_needs_of_order(work, context, applies);
}

struct claims claimed_chain_hold(struct work *work, const struct turns *turns)
{
	static const struct engines_claim of_chains = {.kind = CLAIMED_CHAIN, .runs = true, .local = true};
	return engines_hold(work, &of_chains, turns);
}
