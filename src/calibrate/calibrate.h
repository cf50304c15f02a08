/* A platform model from what probe/ recorded on the user's own board.
 *
 * Requires: recordings of one board at one clock (recording.h); a margin; perhaps a platform model of the same compute capability for what
 *           no program can measure (allocation units, sub-partitions, shared-memory configurations, the placement policy).
 * Provides: the model. Each number names its recording, how many samples it is the greatest of, that greatest, and the margin. Each
 *           assumption that was looked for is broken, or held in N of N; what was not looked for is listed.
 * Source:   issue "on the user's own board"; [SILICON] 1, 5, 10 to 13 for what the tests look for; [V0] for A-WC.
 * Fails:    with diagnostics: recordings that are cut off, of several boards, of clocks that moved, of too few samples, or that contradict
 *           each other. Nothing is averaged away, and no model is written then.
 */
#ifndef CALIBRATE_CALIBRATE_H
#define CALIBRATE_CALIBRATE_H

#include "base/diagnostics.h"
#include "base/output.h"
#include "model/platform.h"

struct calibrate_options {
	const char *const *paths;
	int path_count;
	const char *id;
	struct rational margin; /* times and factors are enlarged by this share of them */
	int64_t samples;        /* fewer than so many for a greatest are too few */
	int64_t least_warps;    /* configurations with smaller blocks are left out of the
				   search for broken assumptions; 0: none */
	const struct platform *base;
	bool own; /* state what was measured here where the base states something worse, too */
};

/* What comes of it: the model; what bounds can rest on, as text; all of it as a page of HTML. */
struct calibrate_results {
	struct output model, uses, page;
};

/* False: with diagnostics; the results are empty. */
bool calibrate_run(
	struct arena *arena, struct diagnostics *diagnostics, const struct calibrate_options *options, struct calibrate_results *results);

#endif
