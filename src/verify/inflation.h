/* Inflated WCETs, derived again.
 *
 * Requires: residents.
 * Provides: for each operation its isolated and its inflated WCET as facts, and the factor between them.
 * Source:   [INFLATION], [COMPOSE], [ENVIRONMENT].
 * Fails:    a source that may be active without a factor that covers it, or an assumption that nobody grants: unknown.
 */
#ifndef VERIFY_INFLATION_H
#define VERIFY_INFLATION_H

#include "verify/fact.h"
#include "verify/resident.h"

struct inflated_fact {
	struct fact isolated, inflated;
	struct rational factor;
	bool has_apart; /* a block takes less while no other kernel of its context is on the chip */
	struct fact apart;
	struct rational most, most_apart; /* factors, whatever the two are; without `apart` the same */
	uint64_t most_assumptions;        /* of both */
};

struct inflated_fact *inflate_derive(struct check *check, const struct resident *residents);
/* As if copies on copy engines and work on the execution engine did not slow each other. */
struct inflated_fact *inflate_derive_engines_apart(struct check *check, const struct resident *residents);

#endif
