#include "response/kept_spans.h"

#include "base/plant.h"
#include "response/bounds/bound.h"
#include "response/start_delays.h"

static bool is_span_of(const struct taskset *set, const struct costs *costs, int index, int context)
{
	return costs->operations[index].context == context && operation_is_span(&set->operations[index]);
}

static void refuse(struct applicability *a, const char *format, const char *name)
{
	if (a->found.reason == NULL)
		a->found.reason = arena_format(a->arena, format, name);
}

/* Interrupted other than all at once, or slowed in some of its blocks: not as it was measured. */
static void hold_whole(struct applicability *a, int index, bool sliced)
{
	const struct operation *operation = &a->set->operations[index];
	const char *name = a->costs->operations[index].name;
	bool gang = operation_is_gang(operation), late = start_delays_exist(a->platform);
	bool parted = applicable_parts_kernels(a->platform, sliced);
	int64_t slow = a->costs->operations[index].block.value; /* NONE: no factor is known, which is another reason */
	bool beside = taskset_has_company(a->set, index), slowed = !beside && slow != NONE && slow > operation->wcet;
	if (parted && beside)
		refuse(a,
			"%s was measured beside a company, of which the factor is one of its whole span, and is interrupted other than all "
			"of "
			"it at an instruction",
			name);
	if (parted && gang)
		refuse(a,
			"%s has gangs of blocks or kernels that overlap, and is interrupted other than all of it at an instruction: its "
			"span is no "
			"bound then; slices that end at instructions and no stops, a lock, or plain=\"true\" where it is so, give one",
			name);
	if (slowed && gang)
		refuse(a,
			"%s has gangs of blocks or kernels that overlap, and a factor slows its blocks: its span times that is no bound; a "
			"span "
			"that was measured beside what slows it, or plain=\"true\" where it is so, gives one",
			name);
	if ((parted || slowed) && late)
		refuse(a, "blocks may begin late each time that %s is interrupted or slowed, and nobody knows how many it has", name);
}

/* A copy of another stream before a branch, in a queue that they share, lets other operations of it overlap than in the measurement. */
static void hold_queues(struct applicability *a, const char *name, int context)
{
	if (applicable_shared_queues(a->arena, a->platform, a->set, a->runlist, context) != NULL)
		refuse(a,
			"operations of %s may overlap, and streams may share a hardware queue, in which others' work holds one of them up "
			"and "
			"not another: linear=\"true\" where each begins when the one before is complete, or more hardware queues than "
			"streams and branches, give a bound",
			name);
	applicable_need_queues(a, context);
}

/* Of a unit under a lock, are there other streams, with kernels? */
static bool shares_unit(const struct applicability *a, int index, bool kernels)
{
	const struct operation *own = &a->set->operations[index];
	bool shares = false;
	for (int i = 0; i < a->set->operation_count && own->hold != 0; i++)
		shares |= a->set->operations[i].hold == own->hold && a->set->operations[i].stream != own->stream &&
			  (!kernels || a->costs->operations[i].place == PLACE_EXECUTION);
	return shares;
}

static void hold_span(struct applicability *a, enum bound bound, int index, int context)
{
	const struct operation *operation = &a->set->operations[index];
	const char *name = a->costs->operations[index].name;
	bool sliced = a->runlist->sliced && (bound != BOUND_LOCK || shares_unit(a, index, false)); /* else nobody else has work */
	if (bound != BOUND_LOCK && a->runlist->contexts[context].kernel_streams > 1)
		refuse(a,
			"of %s only the span alone is known, and kernels of other streams of its context mix with it: a context of its "
			"own, all "
			"in one stream, a lock, or its kernels listed one by one, give a bound",
			name);
	if (bound == BOUND_LOCK && shares_unit(a, index, true))
		refuse(a,
			"of %s only the span alone is known, and kernels of other streams of its unit mix with it: all of them on one "
			"stream, a unit of its own, or its kernels listed one by one, give a bound",
			name);
	if (bound == BOUND_VOL_P || bound == BOUND_VOL_C || bound == BOUND_TT)
		refuse(a, "of %s only the span is known: it has no volume of blocks", name);
	hold_whole(a, index, sliced);
	if (sliced && operation_overlaps(operation))
		refuse(a,
			"operations of %s may overlap, and gaps between them pass in others' turns, after which other ones may overlap "
			"than "
			"in the measurement: linear=\"true\" where each begins when the one before is complete, or a lock, gives a bound",
			name);
	if (a->costs->domains->items[context].parted && operation_overlaps(operation))
		refuse(a,
			"operations of %s may overlap, and beside partitions of SMs nobody knows how many grid slots they hold: "
			"linear=\"true\" "
			"where each begins when the one before is complete gives a bound",
			name);
	if (operation_overlaps(operation) && (bound != BOUND_LOCK || shares_unit(a, index, false)))
		hold_queues(a, name, context);
	if (operation->span.single && !planted(PLANT_UNSAID_FED))
		applicable_need(a, ASSUMPTION_FED);
	if (sliced && operation->span.operations > 1 && platform_grants(a->platform, ASSUMPTION_PENDING))
		applicable_need(a, ASSUMPTION_PENDING);
	else if (bound == BOUND_H && a->costs->operations[index].turns > 1 && sliced)
		refuse(a, "each gap inside of %s may lose the turn: CHAIN, P and P-GPU count that; A-PENDING, where it holds, mends it",
			name);
}

static bool has_spans(const struct taskset *set)
{
	for (int i = 0; i < set->operation_count; i++)
		if (operation_is_span(&set->operations[i]))
			return true;
	return false;
}

void spans_need(struct applicability *a, enum bound bound)
{
	if (!has_spans(a->set))
		return;
	for (int context = 0; context < a->runlist->context_count; context++)
		for (int i = 0; i < a->set->operation_count &&
				(bound == BOUND_P_GPU || bound == BOUND_P_PRIO || bound == BOUND_LOCK || context == a->context);
			i++)
			if (is_span_of(a->set, a->costs, i, context))
				hold_span(a, bound, i, context);
}
