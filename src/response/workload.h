/* What bounds are computed from, and what a bound says. */
#ifndef RESPONSE_WORKLOAD_H
#define RESPONSE_WORKLOAD_H

#include "response/charged_once.h"
#include "response/response.h"
#include "response/dilation.h"
#include "response/segment.h"

struct busy_interval;

struct bound_answer {       /* of a context, or of a segment */
	int64_t value;      /* ns; NONE: none */
	const char *reason; /* NULL with a value */
	int step;
	uint64_t assumptions;
	const struct busy_interval *serial; /* of which it is the fixed point; NULL: of none */
	int64_t *responses;                 /* of a context: [segment] of the task set; those of its own are its */
	int *steps;
	int64_t jitter; /* H, CHAIN, VOL-C: of the segment's release, by their own responses */
	int jitter_step;
};

struct cover_weights;
struct classes_built;

struct workload { /* all that a bound is computed from */
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	const struct costs *costs;
	const struct segments *segments;
	const struct runlist *runlist;
	struct derivation *derivation;
	struct diagnostics *diagnostics;    /* NULL: nobody listens */
	int solver_iterations;              /* for each linear program */
	struct cover_weights **weights;     /* [context]: of COV as the first bound that uses it found them; NULL there: not yet */
	struct classes_built *built;        /* [context]: classes_by_makespan */
	const struct charged_once *corners; /* of P and P-GPU */
	int corner_count;
	const struct charged_once *once; /* costs of kernels and copies are these; NULL: `costs` */
};

#endif
