/* A run under way: what the files of this folder share.
 *
 * Requires: a machine that was created for the run's set.
 * Provides: when jobs are released, how long things take, and the run that ties them to the machine.
 */
#ifndef SIMULATE_RUN_H
#define SIMULATE_RUN_H

#include "machine/machine.h"
#include "simulate/simulate.h"

#define TIME_LIMIT (INT64_C(1) << 61)     /* ns: no release at or after; a run ends here */
#define DURATION_LIMIT (INT64_C(1) << 55) /* ns: of anything that takes time, so that times can be added up to the limit unchecked */

/* The releases of one task (release.c). */
struct releases {
	const struct task *task;
	struct random *random;
	int64_t phase, first_jitter;
	int64_t count;   /* given out so far */
	int64_t nominal; /* of the last one */
	int64_t actual;
	int64_t *history; /* arrival curve: the last `curve_count` actual releases, by number modulo that */
	int64_t curve_count;
};

struct release {
	int64_t nominal, actual;
};

void releases_init(
	struct releases *all, struct arena *arena, const struct taskset *set, const struct release_options *options, struct random *random);
/* The task's next release; false: there is none any more. */
bool releases_next(struct releases *releases, const struct release_options *options, int task, struct release *release);

/* How long an operation takes (execution_times.c). */
struct durations {
	const struct duration_options *options;
	const struct taskset *set;
	int64_t *least, *most; /* by operation */
	struct random random;
	int64_t drawn; /* so far */
};

void durations_init(struct durations *durations, struct arena *arena, const struct machine *machine, const struct duration_options *options,
	uint64_t seed);
int64_t durations_next(struct durations *durations, int operation, int residents);

#endif
