/* Who may be active beside an operation, and how many of each source.
 *
 * Requires: residents.
 * Provides: for an operation each source that may be active, with the greatest number of it; the assumptions by which others are not.
 * Source:   [ENVIRONMENT].
 * Fails:    a number that is not known is NONE: any.
 */
#ifndef VERIFY_ENVIRONMENT_H
#define VERIFY_ENVIRONMENT_H

#include "verify/reachable.h"
#include "verify/fact.h"
#include "verify/resident.h"

struct source {
	bool active;
	int64_t size; /* NONE: unknown */
};

struct environment {
	struct check *check;
	const struct resident *residents;
	bool engines_apart;       /* as if copies on copy engines and work on the execution engine did not slow each other */
	int64_t chip;             /* SMs */
	int64_t ring[RING_COUNT]; /* other SMs of the same TPC, GPC, of other GPCs; blocks beside one on its SM */
	struct besides besides;
	struct counts *counts;     /* of streams */
	struct company *companies; /* [stream] */
	bool fallback;             /* the report says that a solver proved nothing */
};

struct environment environment_of(struct check *check, const struct resident *residents, bool engines_apart);
/* Is it work on the execution engine: no copy on a copy engine? */
bool environment_computes(const struct platform *platform, const struct operation *operation);
/* sources: by enum interferer. blocks: the fact that says how many are beside it on its SM, where it matters. */
uint64_t environment_find(const struct environment *environment, const char *about, int index, struct source *sources, struct fact *blocks);

#endif
