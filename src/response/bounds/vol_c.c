/* VOL-C: volume, for each chain of operations against everybody; no order: [VOL-C]. */
#include "response/engines.h"

#include "model/rules.h"

void vol_c_applies(struct applicability *a)
{
	applicable_need_hosts(a, a->context);
	applicable_need_queues(a, a->context);
	applicable_need(a, ASSUMPTION_WC_G);
}

static int64_t single(const struct engines_now *now, const struct chain_of_classes *chain, int position)
{
	return window_time(now->classes, now->windows, chain, position, position, NONE);
}

void vol_c_compute(struct bounding *b, int context)
{
	static const struct engines_bound vol_c = {BOUND_VOL_C, RULE_VOL_C, .volume = true, .runs = true, .single = single};
	engines_compute(b, &vol_c, context);
}

void vol_c_terms(const struct response *response, int segment, int64_t value, struct terms *terms)
{
	const struct response_basis *basis = &response->basis;
	(void)value; /* the classes have it */
	engines_terms(basis->engines[BOUND_VOL_C][basis->segments->items[segment].context], segment, terms);
}
