#include "response/segment_cost.h"

#include "base/plant.h"
#include "model/rules.h"

static bool is_sliced(const struct workload *w, bool of_copies)
{
	return w->runlist->sliced && (!of_copies || w->runlist->copies_sliced);
}

struct cost segment_cost_dilate(const struct workload *w, const struct cost *cost, int context, bool of_copies, const char *about)
{
	const struct context *of = &w->runlist->contexts[context];
	if (!is_sliced(w, of_copies) || cost->reason != NULL)
		return *cost;
	return of_copies ? dilation_apply(w->derivation, about, cost, &w->runlist->copy_slice, &of->copy_gap)
			 : dilation_apply(w->derivation, about, cost, &of->slice, &of->kernel_gap);
}

/* Of a sequence each operation may fill a slice by less than an ns more than the last one left: [SPAN]. */
static struct cost dilated_kernel(const struct workload *w, const struct cost *cost, int context, int index)
{
	const struct operation_cost *operation = &w->costs->operations[index];
	const struct context *of = &w->runlist->contexts[context];
	if (!w->runlist->sliced || operation->turns == 1 || cost->reason != NULL)
		return segment_cost_dilate(w, cost, context, false, operation->name);
	return dilation_apply_parted(w->derivation, operation->name, cost, operation->turns, &of->slice, &of->kernel_gap);
}

int64_t segment_cost_gaps_in(const struct workload *w, int64_t cost, int context, bool of_copies)
{
	const struct cost *slice = of_copies ? &w->runlist->copy_slice : &w->runlist->contexts[context].slice;
	return is_sliced(w, of_copies) ? checked_div_ceil(cost, slice->value) : 0;
}

/* With those of [SPAN], as dilated_kernel has them. */
static int64_t kernel_gaps(const struct workload *w, const struct operation_cost *operation, int64_t kernel, int context)
{
	return checked_add(segment_cost_gaps_in(w, kernel, context, false), w->runlist->sliced ? operation->turns - 1 : 0);
}

struct gaps_lost segment_cost_gaps(const struct workload *w, const struct segment *segment, int wanted)
{
	struct gaps_lost lost = {0};
	for (int i = segment->first; i < segment->first + segment->count && (wanted & SEGMENT_DILATED) != 0; i++) {
		const struct operation_cost *of = &w->costs->operations[i];
		int64_t kernel = checked_add(of->makespan.value, of->waste.value), copy = of->transfer.value;
		if ((wanted & SEGMENT_KERNELS) && of->place == PLACE_EXECUTION)
			lost.kernels = checked_add(lost.kernels, kernel_gaps(w, of, kernel, segment->context));
		if ((wanted & SEGMENT_TRANSFERS) && of->place == PLACE_COPY)
			lost.copies = checked_add(lost.copies, segment_cost_gaps_in(w, copy, segment->context, true));
	}
	return lost;
}

static struct cost kernel_cost(const struct workload *w, const struct operation_cost *operation, const char *about)
{
	struct cost parts[] = {operation->makespan, operation->waste};
	return operation->waste.value == 0 && operation->waste.reason == NULL ? operation->makespan
									      : cost_sum(w->derivation, RULE_SUM, about, parts, 2);
}

static struct cost dispatched_cost(const struct workload *w, const struct operation_cost *operation, const char *about)
{
	struct cost parts[] = {operation->dispatch, operation->tail};
	if (planted(PLANT_TAIL))
		return operation->dispatch;
	return cost_sum(w->derivation, RULE_SUM, about, parts, 2);
}

/* Adds to `parts` what one operation contributes; returns how many were added. */
static int operation_parts(const struct workload *w, const struct segment *segment, int index, int wanted, struct cost *parts)
{
	const struct operation_cost *operation = &w->costs->operations[index];
	const char *about = operation->name;
	bool dilate = (wanted & SEGMENT_DILATED) != 0;
	int count = 0;
	if (wanted & SEGMENT_DEPENDENCIES)
		parts[count++] = operation->dependency;
	if ((wanted & SEGMENT_TRANSFERS) && operation->place == PLACE_COPY)
		parts[count++] = dilate ? segment_cost_dilate(w, &operation->transfer, segment->context, true, about) : operation->transfer;
	if (operation->place != PLACE_EXECUTION)
		return count;
	if (wanted & SEGMENT_KERNELS) {
		struct cost kernel = kernel_cost(w, operation, about);
		parts[count++] = dilate ? dilated_kernel(w, &kernel, segment->context, index) : kernel;
	}
	if (wanted & SEGMENT_DISPATCHED)
		parts[count++] = dispatched_cost(w, operation, about);
	if (wanted & SEGMENT_VOLUME)
		parts[count++] = operation->volume;
	return count;
}

struct cost segment_cost_of(const struct workload *w, const struct segment *segment, int wanted)
{
	struct cost *parts = arena_reserve(w->arena, (size_t)segment->count * 4 + 1, sizeof *parts);
	int count = 0;
	for (int i = segment->first; i < segment->first + segment->count; i++)
		count += operation_parts(w, segment, i, wanted, parts + count);
	return count == 0 ? w->costs->zero : cost_sum(w->derivation, RULE_SUM, segment->name, parts, count);
}

struct cost segment_cost_copies_on(const struct workload *w, const struct segment *segment, int engine)
{
	struct cost *parts = arena_reserve(w->arena, (size_t)segment->count + 1, sizeof *parts);
	int count = 0;
	for (int i = segment->first; i < segment->first + segment->count; i++)
		if (w->costs->operations[i].place == PLACE_COPY && w->costs->operations[i].engine == engine)
			parts[count++] = w->costs->operations[i].transfer;
	return count == 0 ? w->costs->zero : cost_sum(w->derivation, RULE_SUM, segment->name, parts, count);
}

int64_t segment_cost_count(const struct workload *w, const struct segment *segment, enum place place)
{
	int64_t count = 0;
	for (int i = segment->first; i < segment->first + segment->count; i++)
		count = checked_add(count, w->costs->operations[i].place == place ? w->costs->operations[i].turns : 0);
	return count;
}

struct cost segment_cost_apart(const struct workload *w, const struct segment *segment, int wanted)
{
	struct workload apart = *w;
	apart.costs = apart.once->costs;
	return segment_cost_of(&apart, segment, wanted);
}

/* Kernels and copies by what they cost if neither slows the other, weighed: [ONCE]. */
struct cost segment_cost_once(const struct workload *w, const struct segment *segment)
{
	struct cost waits = segment_cost_apart(w, segment, SEGMENT_DEPENDENCIES), kernels = segment_cost_apart(w, segment, SEGMENT_KERNELS),
		    copies = segment_cost_apart(w, segment, SEGMENT_TRANSFERS);
	const struct cost *all[] = {&waits, &kernels, &copies};
	struct cost cost = {0, NULL, STEP_ABSENT, w->once->assumptions};
	for (int i = 0; i < 3; i++) {
		if (all[i]->reason != NULL)
			return *all[i];
		cost.assumptions |= all[i]->assumptions;
	}
	cost.value = checked_add(rational_scale_up(kernels.value, w->once->kernels), rational_scale_up(copies.value, w->once->copies));
	cost.value = checked_add(cost.value, waits.value);
	if (cost.value == NONE)
		return cost_none("a sum of costs does not fit 64 bits");
	cost.step = derivation_integer(w->derivation, RULE_ONCE, segment->name, cost.value);
	derivation_input(w->derivation, "d", waits.step);
	derivation_input(w->derivation, "w", kernels.step);
	derivation_input(w->derivation, "v", copies.step);
	derivation_input(w->derivation, "y", w->once->kernels_step);
	derivation_input(w->derivation, "z", w->once->copies_step);
	return cost;
}
