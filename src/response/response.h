/* Response-time bounds and verdicts.
 *
 * Requires: map and inflation of the same task set.
 * Provides: for each task and each stream every bound's value or why it does not apply, the least of them, the verdict, the
 *           assumptions it rests on, and the derivation.
 * Source:   doc/theory/README.md; [APPLICABLE], [RESULTS].
 * Fails:    overflow, divergence and utilisation of one or more are "no bound" with the reason.
 */
#ifndef RESPONSE_RESPONSE_H
#define RESPONSE_RESPONSE_H

#include "base/diagnostics.h"
#include "interference/inflation.h"
#include "response/terms.h"

enum bound {
#define BOUND(symbol, name, file, scope, meaning, source) BOUND_##symbol,
#include "response/bounds/bounds.def"
#undef BOUND
	BOUND_COUNT
};

struct bound_kind {
	const char *name, *meaning, *source;
};

extern const struct bound_kind bound_kinds[BOUND_COUNT];

/* From the best to the worst. Conditional: proven, if assumptions hold that nobody vouches for or that are known to be broken. */
enum verdict { VERDICT_PROVEN, VERDICT_CONDITIONAL, VERDICT_NOT_PROVEN, VERDICT_NO_BOUND, VERDICT_COUNT };
extern const char *const verdict_names[]; /* "proven", "conditional", "not-proven", "no-bound" */
bool verdict_meets(enum verdict verdict); /* is there a bound, no later than the deadline, conditional or not? */

struct bound_value {
	int64_t value;        /* ns from the actual release, of TT from the nominal one; NONE: does not apply or diverges */
	const char *reason;   /* why there is none; NULL where there is one */
	int step;             /* root of its derivation, STEP_ABSENT without value */
	uint64_t assumptions; /* bit set: relied on (1 << enum assumption) */
};

/* A bound's value, from the nominal release. */
int64_t bound_from_nominal(enum bound bound, const struct task *task, int64_t value);

struct response_of { /* a task or a stream */
	struct bound_value bounds[BOUND_COUNT];
	int64_t response; /* ns from the nominal release: R + Jr; NONE: no bound */
	int64_t deadline; /* NONE: none given */
	enum verdict verdict;
	int winner; /* an enum bound: the least; where that is conditional, the least of the others if it meets the deadline. -1: none */
	int step;   /* derives `response` */
	uint64_t assumptions; /* of the winner */
	const char *advice;   /* what dominates and what would help; NULL where proven */
};

struct link_result { /* a task of a chain */
	/* of the queue before it; NONE: it reads a register */
	int64_t backlog; /* values at most, if none is written over; NONE: it may grow without end */
	int64_t delay;   /* ns: until the nominal release of the job that takes a value, or a newer one; NONE: no bound */
	/* what it adds to the chain's bound, ns; NONE: the bound is no sum over tasks */
	int64_t wait;     /* until a job comes that reads what is new */
	int64_t passed;   /* for jobs that pass one another */
	int64_t response; /* the task's */
	int wait_step, passed_step;
};

struct end_to_end_result {
	int64_t response;   /* ns: data age and reaction time; NONE: no bound */
	const char *reason; /* why there is none */
	enum verdict verdict;
	int step;
	struct link_result *links; /* by task of the chain; of those behind a reason nothing is found */
	uint64_t assumptions;
};

struct busy_interval;
struct engines;
struct segments;
struct costs;
struct runlist;
struct fp_basis;
struct tt_basis;
struct lock_basis;

/* What the bounds were found with: see response/engines.h, segment.h, operation_cost.h, dilation.h, bounds/fp.h and bounds/tt.h. */
struct response_basis {
	const struct segments *segments;
	const struct costs *costs;
	const struct runlist *runlist;
	const struct busy_interval **serial[BOUND_COUNT]; /* [bound][context]; NULL there: it is another kind of bound, or does not apply */
	const struct engines **engines[BOUND_COUNT];      /* likewise */
	const struct fp_basis *fp;                        /* [segment], of FP; NULL: it does not apply */
	const struct tt_basis *tt;                        /* of TT, likewise */
	const struct lock_basis *lock;                    /* [segment], of LOCK; NULL: it does not apply */
};

struct response {
	struct end_to_end_result *end_to_end; /* one a flow */
	struct response_of *tasks;            /* one a task, in the task set's order */
	struct response_of *streams;          /* one a stream: the worst response over all jobs' operations on it */
	enum verdict worst;                   /* of tasks and end-to-end flows but for those left out */
	bool *left_out;                       /* [task]: best effort and without a bound; where nothing else is, none is left out */
	struct response_basis basis;
	bool paced; /* some bound does not hold of operations that take their inflated WCETs whatever runs beside them */
};

struct response *response_compute(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct inflation *inflation, struct derivation *derivation);

#define RESPONSE_SOLVER_ITERATIONS 100000

/* The same with a limit for the solver of linear programs; diagnostics: solver-fallback where it had nothing to offer. */
struct response *response_compute_limited(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct map *map, const struct inflation *inflation, struct derivation *derivation, int solver_iterations,
	struct diagnostics *diagnostics);

/* What the value of one segment under a bound is made of; of TT the critical path of the worst job. */
void response_terms(const struct response *response, enum bound bound, int segment, int64_t value, struct terms *terms);

#endif
