/* The three serial bounds: one busy interval a context, or one for the whole GPU.
 *
 * Requires: costs, segments, runlist.
 * Provides: for each bound and context the longest time from the release of a segment to its completion, jointly over all contexts where
 *           they depend on one another, or why the bound does not apply.
 * Source:   [VOL-P], [P], [P-GPU], [DILATION].
 */
#ifndef RESPONSE_BUSY_H
#define RESPONSE_BUSY_H

#include "response/once.h"
#include "response/response.h"
#include "response/runlist.h"
#include "response/segment.h"
#include "response/serial.h"

struct busy {
	int64_t value;        /* ns; NONE: none */
	const char *reason;   /* NULL with a value */
	const char *dominant; /* what contributes most, for the advice; may be NULL */
	int step;
	uint64_t assumptions;
};

struct cover_weights;

struct workload { /* all that a bound is computed from */
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	const struct costs *costs;
	const struct segments *segments;
	const struct runlist *runlist;
	struct derivation *derivation;
	struct diagnostics *diagnostics; /* NULL: nobody listens */
	int solver_iterations;           /* for each linear program */
	struct cover_weights **weights;  /* [context]: of COV as the first bound that uses it found them; NULL there: not yet */
	int without;                     /* enum refinement: left out */
	const struct once *corners;      /* of P and P-GPU */
	int corner_count;
	const struct once *once; /* costs of kernels and copies are these; NULL: `costs` */
};

/* result: one a context. */
void busy_compute(const struct workload *workload, enum bound bound, struct busy *result);

/* What one job's segment wants of an engine, without time slices. */
enum busy_part {
	BUSY_TRANSFERS = 2,
	BUSY_KERNELS = 8, /* makespans with drain waste */
	BUSY_VOLUME = 16,
	BUSY_DISPATCHED = 32 /* dispatcher time and last block */
};

struct cost busy_segment_cost(const struct workload *workload, const struct segment *segment, enum busy_part part);
struct cost busy_copies_on(const struct workload *workload, const struct segment *segment, int engine);
int64_t busy_count(const struct workload *workload, const struct segment *segment, enum place place);

#endif
