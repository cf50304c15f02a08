/* Factors looked up in the platform's interference table.
 *
 * Requires: a validated table: every factor is at least 1.
 * Provides: for a victim, a source and the source's size the factor of the tightest measured point that covers them: victim class,
 *           footprint and count are rounded up to the next point. A point is raised to the greatest factor measured at any point
 *           below it, so that a larger victim or source never gets a smaller factor (A-RATE).
 *           A point that the task set declares stands before a tighter one of the model.
 * Source:   [INFLATION]: rounded up to a measured point.
 * Fails:    beyond the last measured point there is no factor; nothing is extrapolated.
 */
#ifndef INTERFERENCE_FACTORS_H
#define INTERFERENCE_FACTORS_H

#include "base/derivation.h"
#include "model/platform.h"

struct victim {
	bool is_copy; /* on a copy engine; the class does not matter then */
	enum access access;
	int64_t footprint; /* bytes; NONE: unknown, only an entry for any footprint covers it */
};

struct factor {
	struct rational value; /* no value: not known */
	int step;
};

struct factors;

struct factors *factors_prepare(struct arena *arena, const struct platform *platform, struct derivation *derivation);

/* Has any victim a factor for the source? */
bool factors_any(const struct factors *factors, enum interferer source);

/* count: of the source, as interference_entry.count; NONE: unknown, only an entry for any count covers it. */
struct factor factors_find(struct factors *factors, const struct victim *victim, enum interferer source, int64_t count);

#endif
