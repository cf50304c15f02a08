/* CHAIN: as H, and whole runs of a chain's operations at once, which each foreign instance delays only once: [CHAIN]. */
#include "response/engines.h"

#include "model/rules.h"

void chain_applies(struct applicability *a)
{
	applicable_need_hosts(a, a->context);
	applicable_need_queues(a, a->context);
	applicable_need_order(a, a->context);
}

static int64_t single(const struct engines_now *now, const struct chain_of_classes *chain, int position)
{
	int64_t local = engines_single(now, chain, position);
	return checked_min(local, window_time(now->classes, now->windows, chain, position, position, local));
}

void chain_compute(struct bounding *b, int context)
{
	static const struct engines_bound of_chains = {BOUND_CHAIN, RULE_CHAIN, .runs = true, .shorter = true, .single = single};
	engines_compute(b, &of_chains, context);
}

void chain_terms(const struct response *response, int segment, int64_t value, struct terms *terms)
{
	const struct response_basis *basis = &response->basis;
	(void)value; /* the classes have it */
	engines_terms(basis->engines[BOUND_CHAIN][basis->segments->items[segment].context], segment, terms);
}
