/* Inflation and responses, one after the other.
 *
 * Requires: a map; an empty derivation.
 * Provides: both, and the hazards that only a bound shows.
 * Source:   [INFLATION], and what response.h names.
 * Fails:    as these do.
 */
#ifndef RESPONSE_ANALYSIS_H
#define RESPONSE_ANALYSIS_H

#include "response/response.h"

struct analysis {
	struct inflation *inflation;
	struct response *response;
};

/* diagnostics: may be NULL. */
struct analysis analysis_compute(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	struct derivation *derivation, int solver_iterations, struct diagnostics *diagnostics);
/* What bounds take of the threads that issue work, of each task of which it matters. */
void analysis_hazards(const struct taskset *set, const struct response *response, struct diagnostics *diagnostics);

#endif
