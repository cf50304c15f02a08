/* Block, kernel and copy WCETs inflated by what may run beside them.
 *
 * Requires: a map; the platform's interference table with the task set's declarations in it.
 * Provides: for each operation its inflated WCET with the derivation: which sources can be active, each one's factor, how they are
 *           composed; of a kernel of scope block also its WCET while no other kernel is beside it.
 * Source:   [INFLATION], [COMPOSE].
 * Fails:    an operation whose factor is not known for a source that may be active has no WCET (NONE) and a reason.
 */
#ifndef INTERFERENCE_INFLATION_H
#define INTERFERENCE_INFLATION_H

#include "base/derivation.h"
#include "base/diagnostics.h"
#include "map/map.h"

struct inflated {
	int64_t wcet; /* ns, inflated, rounded up; NONE: unknown */
	struct rational factor;
	const char *reason;   /* why there is none; NULL where there is one */
	int step;             /* the step that derives wcet */
	int isolated_step;    /* the step of the given isolated WCET */
	uint64_t assumptions; /* bit set: relied on (1 << enum assumption) */
	bool has_apart;       /* a block of a kernel takes less while no other kernel of its context is on the chip: */
	int64_t apart;        /* ns, below wcet */
	int apart_step;
	uint64_t apart_assumptions;
	struct rational most, most_apart; /* factors, whatever wcet and apart are; without apart the same */
	uint64_t most_assumptions;        /* of both factors */
};

struct surroundings;

struct inflation {
	struct inflated *operations; /* one an operation of the task set, in its order */
	const char **names;          /* [operation]: "task:T/op:O", for all that is said of them; NULL: nobody has put them together */
	const struct surroundings *surroundings; /* NULL: nobody has asked */
};

struct inflation *inflation_compute(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	struct derivation *derivation);

#define INFLATION_SOLVER_ITERATIONS 100000

/* The same with a limit for the solver of integer programs; diagnostics: solver-fallback where it proved nothing. */
struct inflation *inflation_compute_limited(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct map *map, struct derivation *derivation, int solver_iterations, struct diagnostics *diagnostics);

/* As if nothing on the execution engine slowed copies on copy engines, nor these anything there: for bounds that charge for both. with: the
 * same as they do, which has the names, and who may be beside whom. */
struct inflation *inflation_compute_engines_apart(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct map *map, const struct inflation *with, struct derivation *derivation);

#endif
