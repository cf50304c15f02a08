/* Weights of kernels and copies, and what a job costs by them. */
#include "verify/charged_once.h"

struct fact charged_once_cost(const struct weighed *weighed, const struct part *part)
{
	const struct work *work = weighed->apart;
	struct check *check = work->check;
	struct fact waits = bounds_cost(work, part, BOUNDS_DEPENDENCIES), kernels = bounds_cost(work, part, BOUNDS_KERNELS),
		    copies = bounds_cost(work, part, BOUNDS_TRANSFERS);
	int64_t both = checked_add(
		rational_scale_up(kernels.value, weighed->kernels.value), rational_scale_up(copies.value, weighed->copies.value));
	struct fact cost = fact_make(check, RULE_ONCE, part->about, checked_add(both, waits.value));
	fact_from(check, &cost, "d", waits);
	fact_from(check, &cost, "w", kernels);
	fact_from(check, &cost, "v", copies);
	factor_from(check, cost.node, "y", weighed->kernels.node);
	factor_from(check, cost.node, "z", weighed->copies.node);
	cost.assumptions |= weighed->assumptions;
	return cost;
}

struct fact charged_once_beside(const struct weighed *weighed, const struct part *part)
{
	struct check *check = weighed->apart->check;
	struct fact copies = bounds_cost(weighed->apart, part, BOUNDS_TRANSFERS);
	struct fact slowed = fact_make(check, RULE_ONCE_BESIDE, part->about, rational_scale_up(copies.value, weighed->beside.value));
	fact_from(check, &slowed, "v", copies);
	factor_from(check, slowed.node, "s", weighed->beside.node);
	return slowed;
}

/* ---- F, F', and the weights that the report claims: any y >= 1, z >= 1 with y / F + z / F' >= 1 prove a bound */

static struct rational greatest_of(const struct work *work, const struct work *apart, enum runs runs)
{
	struct rational greatest = rational_of(1);
	for (int i = 0; i < work->check->set->operation_count; i++) {
		const struct inflated_fact *with = &work->inflated[i], *without = &apart->inflated[i];
		if (work->pieces[i].runs != runs)
			continue;
		greatest = rational_max(greatest, rational_div(with->most, without->most));
		if (runs == RUNS_ON_SMS)
			greatest = rational_max(greatest, rational_div(with->most_apart, without->most_apart));
	}
	return greatest;
}

static struct factor claimed_weight(struct check *check, int cost, const char *role, const char *about)
{
	int step = graph_input(check, cost, role);
	return factor_make(check, RULE_ONCE_WEIGHT, about, step < 0 ? RATIONAL_NONE : check->graph.steps[step].value);
}

static bool is_weight(struct rational weight)
{
	return !rational_is_none(weight) && rational_compare(weight, rational_of(1)) >= 0;
}

struct weighed charged_once_claimed(struct work *work, const struct work *apart, int cost)
{
	struct check *check = work->check;
	struct rational blocks = greatest_of(work, apart, RUNS_ON_SMS), copies = greatest_of(work, apart, RUNS_ON_COPY_ENGINE);
	struct factor y = claimed_weight(check, cost, "y", "gpu:kernels"), z = claimed_weight(check, cost, "z", "gpu:copies");
	struct rational shares = rational_add(rational_div(y.value, blocks), rational_div(z.value, copies));
	if (!is_weight(y.value) || !is_weight(z.value) || !is_weight(shares))
		check_differs(check, check->graph.steps[cost].element,
			arena_format(check->arena, "step s%d (%s)", cost + 1, rule_kinds[RULE_ONCE].name),
			"weights y and z of at least 1 with y / F + z / F' of at least 1", "less");
	uint64_t assumptions = 0;
	for (int i = 0; i < check->set->operation_count; i++)
		assumptions |= work->inflated[i].most_assumptions | apart->inflated[i].most_assumptions;
	struct rational beside = rational_sub(copies, rational_div(copies, blocks));
	return (struct weighed){apart, y, z, factor_make(check, RULE_ONCE_WEIGHT, "gpu:beside", beside), assumptions};
}
