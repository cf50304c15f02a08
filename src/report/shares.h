/* What a task's response is made of, and who is to blame for each part.
 *
 * Requires: a finished analysis with its derivation; a task that has a bound.
 * Provides: the terms of report_explain, each with whose work it is; their values add up to the response. A term that several share
 *           (block time over all SMs, full SMs) is parted in the ratio in which they enter it. What precedes the arrival of the worst job
 *           is taken from what is served first.
 * Source:   the equations that report_explain prints.
 * Fails:    never: what no term says is a part of its own, SHARE_WAIT.
 */
#ifndef REPORT_SHARES_H
#define REPORT_SHARES_H

#include "report/report.h"

enum share_kind {
	SHARE_JITTER,   /* the release's */
	SHARE_HOST,     /* own segments on the CPU */
	SHARE_OWN,      /* own work on the GPU, earlier jobs' included */
	SHARE_TASK,     /* another task's work */
	SHARE_CONTEXT,  /* turns of another context */
	SHARE_OVERHEAD, /* launches, dispatch, switches, stops */
	SHARE_WAIT,     /* what is before it on its stream, events */
};

struct share {
	enum share_kind kind;
	const char *of; /* the task or the context; "" for others */
	const char *what;
	int64_t value;
};

struct shares {
	struct arena *arena;
	const struct taskset *set;
	const struct task *task;
	struct share *items;
	int count, capacity;
	int64_t sum;
};

struct shares report_shares(struct arena *arena, const struct report *report, int task);

/* Its parts, `what` unused, the greatest first; the greatest term of one; how a reader is told whose it is. In the arena of the shares. */
struct shares shares_parts(const struct shares *shares);
const struct share *shares_greatest(const struct shares *shares, const struct share *part);
const char *shares_name(struct arena *arena, const struct share *part);

/* As XML: <shares><task><part><term/></part></task></shares>, parts and terms by what they cost, the least of them as one. */
void report_shares_xml(struct output *output, struct arena *arena, const struct report *report);

/* ---- for report/explain*.c */

void shares_add_as(struct shares *shares, enum share_kind kind, const char *of, int64_t value, const char *what);
void shares_take(struct shares *shares, int first, int64_t value); /* from `first` on, in their order, then from those before it */
/* What is left, which no term says; less than nothing is taken: of what an event holds up a part may pass while its stream waits. */
void shares_fill(struct shares *shares, int first, int64_t value, const char *what);

#endif
