/* Serial servers: busy intervals of contexts, or of the whole GPU, solved jointly where they depend on one another.
 *
 * Requires: costs, segments, runlist; a bound that says what is in each interval.
 * Provides: for each context the longest time from the release of a segment to its completion, or why the bound does not apply.
 * Source:   [VOL-P], [P], [P-GPU], [FOREIGN-COPIES], [ONCE].
 * Fails:    a cost that is not known, a load of one or more, too many rounds: the reason.
 */
#ifndef RESPONSE_SERIAL_SERVER_H
#define RESPONSE_SERIAL_SERVER_H

#include "response/busy_interval.h"
#include "response/workload.h"

/* A busy interval while it is put together, with what its numbers rest on. */
struct serial_problem {
	const struct workload *w;
	struct busy_interval serial;
	int item_room;
	int64_t *parts; /* [segment]: what it has by itself; NONE of a task's first: they are not told apart */
	uint64_t assumptions;
	const char *reason;
};

struct serial_bound {
	enum bound bound;
	int rule, rule_once; /* of its fixed point; where kernels and copies are charged once */
	int rule_part;       /* of a segment behind others of its task */
	bool whole;          /* one interval for all contexts */
	void (*build)(struct serial_problem *problem, const struct workload *workload, int context);
	bool (*charges_once)(const struct workload *workload); /* may it? NULL: it may not */
	/* Why a context has no value with these responses, nor with greater ones; or NULL. */
	const char *(*obstacle)(const struct workload *workload, int context, const int64_t *responses);
};

/* result: one a context. */
void serial_server_compute(const struct workload *workload, const struct serial_bound *bound, struct bound_answer *result);

void serial_server_terms(const struct response *response, enum bound bound, int segment, int64_t value, struct terms *terms);

/* For `build`: begins a problem of so many groups; takes a cost into it, its number and its step: its reason ends the problem. */
void serial_server_start(struct serial_problem *problem, const struct workload *workload, int groups);
int64_t serial_server_take(struct serial_problem *problem, const struct cost *cost, int *step);

struct busy_interval_item *serial_server_add_item(struct serial_problem *problem, int segment);
void serial_server_set_operations(const struct workload *workload, struct busy_interval_item *item, int64_t count, const char *name);

/* All segments of the context by `add`, copies of other contexts on its engines, and stops. */
void serial_server_add_context(struct serial_problem *problem, int context, void (*add)(struct serial_problem *problem, int segment));
void serial_server_add_sliced_stops(struct serial_problem *problem); /* of the whole GPU, with what the groups' slices lose: [STOPS] */

struct busy_interval_group serial_server_plain_group(const char *name);
void serial_server_slice_group(
	struct serial_problem *problem, struct busy_interval_group *group, const struct cost *slice, const struct cost *gap, bool round_up);

#endif
