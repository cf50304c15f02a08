/* H: operation by operation, each by the least of its local bounds: [H]. Where A-FIT is granted and order is not, by COV alone, in the form
 * in which kernels pass one another: [COV-BYPASS]. */
#include "response/engines.h"

#include "model/rules.h"

void h_applies(struct applicability *a)
{
	applicable_need_hosts(a, a->context);
	applicable_need_queues(a, a->context);
	if (applicable_by_fit(a->arena, a->platform, a->set, a->costs, a->runlist, a->context))
		applicable_need(a, ASSUMPTION_FIT);
	else
		applicable_need_order(a, a->context);
}

static bool passes(const struct workload *w, int context)
{
	return applicable_by_fit(w->arena, w->platform, w->set, w->costs, w->runlist, context);
}

void h_compute(struct bounding *b, int context)
{
	static const struct engines_bound h = {BOUND_H, RULE_H, .passes = passes, .single = engines_single};
	engines_compute(b, &h, context);
}

void h_terms(const struct response *response, int segment, int64_t value, struct terms *terms)
{
	const struct response_basis *basis = &response->basis;
	(void)value; /* the classes have it */
	engines_terms(basis->engines[BOUND_H][basis->segments->items[segment].context], segment, terms);
}
