#include "response/analysis.h"

#include "response/cores.h"

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
