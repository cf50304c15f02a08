/* The factors of several sources made one.
 *
 * Requires: factors of at least 1.
 * Provides: the composed factor with its step. Each partial result is rounded up to a millionth, so that denominators stay small;
 *           one factor alone stays as it is.
 * Source:   [COMPOSE]. Every rule is sound only relative to A-COMPOSE; W13.
 * Fails:    a missing factor or one beyond 64 bits gives no value.
 */
#ifndef INTERFERENCE_COMPOSE_H
#define INTERFERENCE_COMPOSE_H

#include "interference/factors.h"

/* By the platform's rule. Several factors, and the rule is not COMPOSITION_JOINT, which composes nothing; or one, by any rule. */
struct factor compose_factors(
	struct derivation *derivation, const char *about, enum composition rule, const struct factor *items, int count);

/* min(composed, full): everything at once was measured, and no composition needs to exceed it. Either may be without value. */
struct factor compose_saturate(struct derivation *derivation, const char *about, struct factor composed, struct factor full);

#endif
