/* VOL-C of a report: [VOL-C]. */
#include "verify/engines.h"

uint64_t claimed_vol_c_needs(const struct work *work, int context, bool *applies)
{
	(void)applies;
	return bounds_needs_of_hosts(work, context) | bounds_needs_of_idle(work, context) | ASSUMED(WC_G);
}

struct claims claimed_vol_c_hold(struct work *work, const struct turns *turns)
{
	static const struct engines_claim vol_c = {.kind = CLAIMED_VOL_C, .runs = true};
	return engines_hold(work, &vol_c, turns);
}
