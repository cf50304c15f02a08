/* The analysis of a system, as pipeline_run does it, without files. */
#include "falsify/subject.h"

#include "response/analysis.h"
#include "response/start_delays.h"
#include "timing/sizes.h"

static int64_t longest_of(const struct subject *subject, int operation)
{
	const struct operation *of = &subject->set->operations[operation];
	int64_t inflated = subject->inflation->operations[operation].wcet;
	int64_t overhead = platform_value(subject->platform, PARAMETER_OVERHEAD_COPY);
	int64_t wcet = inflated == NONE ? of->wcet : inflated;
	bool transfer = subject->costs->operations[operation].place == PLACE_COPY;
	return transfer && overhead != NONE ? checked_add(wcet, overhead) : wcet;
}

static int64_t alone_of(const struct subject *subject, int operation)
{
	const struct inflated *inflated = &subject->inflation->operations[operation];
	int64_t wcet = subject->set->operations[operation].wcet, overhead = platform_value(subject->platform, PARAMETER_OVERHEAD_COPY);
	if (subject->costs->operations[operation].place != PLACE_COPY || overhead == NONE)
		return wcet;
	bool slowed = inflated->wcet != NONE && !rational_is_none(inflated->factor);
	return checked_add(wcet, slowed ? rational_scale_down(overhead, rational_div(rational_of(1), inflated->factor)) : overhead);
}

static int count_bounds(const struct subject *subject)
{
	int count = 0;
	for (int i = 0; i < subject->set->task_count; i++)
		for (int j = 0; j < BOUND_COUNT; j++)
			count += subject->response->tasks[i].bounds[j].value != NONE;
	return count;
}

void subject_init(struct subject *subject, struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	struct derivation derivation;
	derivation_init_mute(&derivation);
	*subject = (struct subject){.arena = arena, .platform = platform, .set = set};
	const struct taskset *timed = sizes_take_all(arena, platform, set); /* the machine takes what the generator drew */
	subject->map = map_build(arena, platform, set);
	struct analysis analysis = analysis_compute(arena, platform, timed, subject->map, &derivation, RESPONSE_SOLVER_ITERATIONS, NULL);
	subject->inflation = analysis.inflation;
	subject->response = analysis.response;
	subject->costs = costs_compute(arena, platform, timed, subject->map, subject->inflation, &derivation);
	subject->longest = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *subject->longest);
	subject->alone = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *subject->alone);
	for (int i = 0; i < set->operation_count; i++) {
		subject->longest[i] = longest_of(subject, i);
		subject->alone[i] = alone_of(subject, i);
		subject->apart |= subject->inflation->operations[i].has_apart;
	}
	subject->apart |= subject->response->paced;
	subject->bounds = count_bounds(subject);
}

/* Blocks of whole kernels are counted by the slots that an SM has, and what is late by what fits an SM together: both rest on
 * sub-partitions, where the platform states them. */
uint64_t subject_breaks_volumes(const struct subject *subject)
{
	bool slots = start_delays_exist(subject->platform);
	for (int i = 0; i < subject->set->operation_count; i++)
		slots |= subject->costs->operations[i].place == PLACE_EXECUTION && subject->costs->operations[i].grid;
	return slots ? BROKEN_MACHINE : 0;
}

bool subject_promises(const struct subject *subject, const struct bound_value *value, enum bound bound, uint64_t broken)
{
	bool by_volume = bound == BOUND_VOL_P || bound == BOUND_VOL_C;
	uint64_t breaks = by_volume ? subject_breaks_volumes(subject) : BROKEN_MAKESPANS;
	if (subject->set->core_count > 0) /* then it rests on the least bounds of other tasks, whichever these are */
		breaks = subject_breaks_volumes(subject) | BROKEN_MAKESPANS;
	if ((broken & breaks) != 0)
		return false;
	return value->value != NONE && (value->assumptions & broken) == 0;
}
