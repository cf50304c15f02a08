/* The bounds that a report claims: each context's or operation's claimed numbers put into the equations once.
 *
 * Requires: work.
 * Provides: for each bound and each segment the claimed response as a fact, whose step has all that the equation takes, and whether the
 *           equation holds: a claim x is accepted iff the right side at x, with all other claims as they stand, is at most x. Any such x
 *           bounds the least solution. The assumptions that the bound rests on there, each of which somebody has to grant.
 * Source:   [VOL-P], [P], [P-GPU], [H], [CHAIN], [VOL-C], [FP], [TT], [LOCK], [APPLICABLE]; [FOREIGN-COPIES]; [BUSY-CLAIM].
 * Fails:    a claim that does not hold, or a bound that does not apply, is a difference.
 */
#ifndef VERIFY_CLAIMED_BOUNDS_H
#define VERIFY_CLAIMED_BOUNDS_H

#include "verify/operation_cost.h"

enum claimed {
	CLAIMED_VOL_P,
	CLAIMED_P,
	CLAIMED_P_GPU,
	CLAIMED_P_PRIO,
	CLAIMED_VOL_C,
	CLAIMED_H,
	CLAIMED_CHAIN,
	CLAIMED_FP,
	CLAIMED_TT,
	CLAIMED_LOCK,
	CLAIMED_COUNT
};

int claimed_find(const char *name); /* -1: not known here */

struct claims {
	struct fact *of_part;  /* [segment]: value NONE: the report claims none */
	struct fact *of_owner; /* [context]: serial bounds */
	struct fact *jitters;  /* [segment]: of its release, by bounds that claim one of their own */
};

struct claims claims_none(const struct work *work); /* until they are read */

struct turns;

struct claimed_kind { /* with the functions of bounds/FILE.c */
	const char *name;
	int rule;
	bool volume, serial; /* without order; a whole context at once */
	bool shorter;        /* may rest on H of other contexts */
	/* What it needs, besides what all bounds do; *applies, true before: false where its structure alone forbids it. */
	uint64_t (*needs)(const struct work *work, int context, bool *applies);
	struct claims (*hold)(struct work *work, const struct turns *turns); /* turns: NULL for those of whole contexts */
};

extern const struct claimed_kind claimed_kinds[CLAIMED_COUNT];

#define CLAIMED(file)                                                                                                                      \
	uint64_t claimed_##file##_needs(const struct work *work, int context, bool *applies);                                              \
	struct claims claimed_##file##_hold(struct work *work, const struct turns *turns);
CLAIMED(vol_p)
CLAIMED(p)
CLAIMED(p_gpu)
CLAIMED(p_prio)
CLAIMED(vol_c)
CLAIMED(h)
CLAIMED(chain)
CLAIMED(fp)
CLAIMED(tt)
CLAIMED(lock)
#undef CLAIMED

/* A result lists all bounds, each once, in the table's order, with a value or the reason why it has none. */
void bounds_compare_list(struct check *check, const struct xml_element *result, const char *where);

/* Is it A-FIT that H rests on? Nothing orders the kernels of the only context. */
bool bounds_passing(const struct work *work, int context);
/* For `needs`: of host segments before work, NO_ID: of any context; of queues to spare; of what makes kernels a serial server. */
uint64_t bounds_needs_of_hosts(const struct work *work, int context);
uint64_t bounds_needs_of_idle(const struct work *work, int context);
uint64_t bounds_needs_of_order(const struct work *work, int context, bool *applies);
/* What the bound needs in a context; *applies: false where its structure alone forbids it. */
uint64_t bounds_needs(const struct work *work, enum claimed kind, int context, bool *applies);
/* Every assumption has to be granted; says at the step which one is not. */
void bounds_require(struct check *check, uint64_t assumptions, int step);
/* The first step of a bound that no context has for itself, and what that needs; -1: the report claims none, or it does not apply, which is
 * a difference. */
int bounds_begin(const struct work *work, enum claimed kind, uint64_t *needs);
/* A difference: the report has a bound that does not apply. */
void bounds_refuse(struct check *check, enum claimed kind, int step);
/* The step of a segment, those of the segments before it known; those of a task are in their order, and behind one that has none, -1, no
 * later one has any. */
int bounds_step(const struct work *work, enum claimed kind, int part, const int *steps);
/* A number as the report claims it at one of its steps, no other. */
struct fact bounds_claim(struct check *check, int rule, const char *about, int step);
/* A claim has to be no less than its right side at all claims: [JOINT]. */
void bounds_bear(struct check *check, int step, const char *what, int64_t right);
/* g of A-WC(g), with what it rests on. */
struct fact bounds_nonempty(const struct work *work, int context);
/* Is A-ORDER in use, and about the kernels of the context? */
bool bounds_ordered(const struct work *work, int context);
bool bounds_one_configuration(const struct work *work, int context);

struct arrivals_at { /* somewhere on their way */
	const struct arrival *model;
	int64_t jitter;
	bool at_release; /* the least distance holds there only, [V7] */
};

int64_t bounds_arrivals(const struct arrivals_at *at, int64_t window); /* eta, in a half-open window */
/* The first length above `length` of a closed window at which its arrivals may grow. */
int64_t bounds_next_arrival(const struct arrivals_at *at, int64_t length);

/* What one job of a segment wants of an engine; wanted: a set. */
enum bounds_cost {
	BOUNDS_DEPENDENCIES = 1,
	BOUNDS_TRANSFERS = 2,
	BOUNDS_KERNELS = 4,
	BOUNDS_DISPATCHED = 8,
	BOUNDS_VOLUMES = 16,
	BOUNDS_DILATED = 32 /* in time slices, where there are any */
};
struct fact bounds_cost(const struct work *work, const struct part *part, int wanted);
struct fact bounds_dilated(const struct work *work, struct fact x, int64_t turns, int context, bool of_copies, const char *about);
int64_t bounds_operations(const struct work *work, const struct part *part, enum runs runs);
/* How late a segment's release may be: its job, the host, and each segment before it by what it may take longer than its least. before:
 * their responses, in order. */
int64_t bounds_lateness(const struct work *work, int part, const int64_t *before);
/* The same where segments respond within the claims, [segment]. */
struct fact bounds_jitter(const struct work *work, int part, const struct fact *claims);
/* Is no job of the task released before all of the one before is complete, its segments each within so much, [segment]? [ONE-JOB] */
bool bounds_jobs_apart(const struct work *work, int task, const int64_t *within);
/* The same of a thread that serves one job after the other: what the host does behind the last segment included. [LOCK], [P-PRIO] */
bool bounds_thread_punctual(const struct work *work, int task, const int64_t *within);

struct customer {
	const struct arrivals_at *arrivals;
	int64_t cost;
	int64_t grace; /* of those ahead: so long after the one that is looked at it may arrive */
};

/* A server without preemption: of `ahead` those go first that arrived before the one that is looked at, or within their grace after it,
 * itself among them; of `until` those that arrive before it is wholly begun. [SER-BW] (6.4), [COPY-OPS] (7.2), [STREAM] (8.1). */
struct server {
	struct customer *ahead, *until;
	int ahead_count, until_count;
	int64_t blocking, last, horizon, tick;
	const struct service *service; /* NULL: it is there always */
	int engine;
	int64_t from;  /* the one that is looked at comes so much after the window begins, at least */
	int64_t limit; /* of arrivals that are tried; beyond, there is no response */
};

int64_t server_response(const struct server *server);

/* May the streams of the context wait for one another besides at the engines? */
int bounds_kernel_streams(const struct work *work, int context); /* of its whole process, which shares its grid slots */
bool bounds_queues_shared(const struct work *work, int context);

#endif
