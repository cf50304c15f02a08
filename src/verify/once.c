/* Weights of kernels and copies, and what a job costs by them. */
#include "verify/once.h"

struct fact weighed_cost(const struct weighed *weighed, const struct part *part)
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

struct fact weighed_beside(const struct weighed *weighed, const struct part *part)
{
	struct check *check = weighed->apart->check;
	struct fact copies = bounds_cost(weighed->apart, part, BOUNDS_TRANSFERS);
	struct fact slowed = fact_make(check, RULE_ONCE_BESIDE, part->about, rational_scale_up(copies.value, weighed->beside.value));
	fact_from(check, &slowed, "v", copies);
	factor_from(check, slowed.node, "s", weighed->beside.node);
	return slowed;
}

/* ---- the corners of y >= 1, z >= 1, y / F + z / F' >= 1 */

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

struct weighed weighed_corner(struct work *work, const struct work *apart, bool first)
{
	struct check *check = work->check;
	struct rational one = rational_of(1), y = one, z = one;
	struct rational blocks = greatest_of(work, apart, RUNS_ON_SMS), copies = greatest_of(work, apart, RUNS_ON_COPY_ENGINE);
	struct rational shares = rational_add(rational_div(one, blocks), rational_div(one, copies));
	if (!rational_is_none(shares) && rational_compare(shares, one) < 0) {
		if (first)
			z = rational_sub(copies, rational_div(copies, blocks));
		else
			y = rational_sub(blocks, rational_div(blocks, copies));
	}
	uint64_t assumptions = 0;
	for (int i = 0; i < check->set->operation_count; i++)
		assumptions |= work->inflated[i].most_assumptions | apart->inflated[i].most_assumptions;
	if (rational_is_none(shares))
		y = z = RATIONAL_NONE;
	struct rational beside = rational_sub(copies, rational_div(copies, blocks));
	return (struct weighed){apart, factor_make(check, RULE_ONCE_WEIGHT, "gpu:kernels", y),
		factor_make(check, RULE_ONCE_WEIGHT, "gpu:copies", z), factor_make(check, RULE_ONCE_WEIGHT, "gpu:beside", beside),
		assumptions};
}
