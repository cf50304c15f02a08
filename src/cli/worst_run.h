/* The run, of a few, in which a task's response is greatest.
 *
 * Requires: a validated platform and task set.
 * Provides: the greatest response of each task over a fixed list of runs, from the nominal release, and the options of gpubound simulate
 *           that repeat the run in which it was seen; a timeline of one of them around the job that has it, with the bound beside it. The
 *           same input gives the same runs. What was seen is below the worst case: nothing is proven by it.
 * Fails:    worst_runs_try: false with the reason where the machine cannot run the set.
 */
#ifndef CLI_WORST_RUN_H
#define CLI_WORST_RUN_H

#include "base/output.h"
#include "simulate/simulate.h"

struct worst_runs {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	int runs;              /* that were made */
	int64_t *seen;         /* [task] ns; 0: no job of it was complete */
	int *run_of;           /* [task] */
	int64_t *job_of;       /* [task] */
	bool *long_run;        /* [run] beyond the limit of a picture of simulate's */
	const char *reason;    /* where there is none */
	int refused_operation; /* that the reason is about, or NO_ID */
};

bool worst_runs_try(struct worst_runs *worst);

/* The options that make the run, separated by blanks. */
const char *worst_run_options(const struct worst_runs *worst, int run);

/* Draws around the task's worst job; *from and *to: what is drawn. bound NONE: there is none. */
void worst_run_draw(const struct worst_runs *worst, int task, int64_t bound, struct output *svg, int64_t *from, int64_t *to);

#endif
