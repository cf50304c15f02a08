#include "response/analysis.h"

#include "response/arrival.h"
#include "response/cores.h"

/* Of a task without a core nothing but A-HOST says when its thread issues a job that is released before the one before it is complete. */
static bool rests_on_its_thread(const struct task *task, int64_t response)
{
	const struct arrivals nominal = {&task->arrival, 0, false};
	bool overlaps = response == NONE ? task->best_effort : arrivals_in(&nominal, response) > 1;
	return task->core <= 0 && overlaps;
}

void analysis_hazards(const struct taskset *set, const struct response *response, struct diagnostics *diagnostics)
{
	for (int i = 0; i < set->task_count; i++)
		if (rests_on_its_thread(&set->tasks[i], response->tasks[i].response))
			diagnose(diagnostics, DIAGNOSTIC_HAZARD_JOBS_OVERLAP, set->path, set->tasks[i].line,
				"task '%s' may be released again before its job is complete: its thread must issue the next job without "
				"waiting for that "
				"(A-HOST)",
				set->tasks[i].id);
}

struct analysis analysis_compute(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	struct derivation *derivation, int solver_iterations, struct diagnostics *diagnostics)
{
	if (set->core_count > 0)
		set = cores_settle(arena, platform, set, map, solver_iterations);
	struct inflation *inflation = inflation_compute_limited(arena, platform, set, map, derivation, solver_iterations, diagnostics);
	struct response *response =
		response_compute_limited(arena, platform, set, map, inflation, derivation, solver_iterations, diagnostics);
	return (struct analysis){inflation, response};
}
