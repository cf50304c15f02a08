/* Bounds on one operation's response from its arrival at the engine, each by itself sound.
 *
 * Requires: classes with the jitters of the last round; A-HOL, A-WC, A-PRIO where there are levels, or A-FIT (kernels); what else takes
 *           turns on the engines, and stops.
 * Provides: kernels: SER-OPS (6.3), SER-BW (6.4), COV-OPS (6.6); copies: (7.1), (7.2), or (7.3) without A-CE.
 * Source:   [SER-OPS], [SER-BW], [COV-OPS], [COPY-OPS], [COPY-ANY], [WHO-WAS-THERE]; [V5], [V13].
 * Fails:    NONE where one does not apply or passes the horizon.
 */
#ifndef RESPONSE_LOCAL_BOUNDS_H
#define RESPONSE_LOCAL_BOUNDS_H

#include "response/context_operations.h"
#include "response/cover.h"

struct local_rules {
	bool fifo_copies;
	int64_t horizon;
	struct cover *cover; /* NULL: COV does not apply */
	bool passing;        /* A-FIT: COV is all there is for kernels */
	bool parted;         /* sequences may lose their turn inside: no window of one pending kernel is whole ([SPAN]) */
	const struct supply *kernels, *copies;
	int64_t *serial; /* [class]: SER-OPS where no round changes it; 0: not known yet. NULL: it is not kept */
};

struct local {
	const struct classes *classes;
	const struct local_rules *rules;
	int64_t window_of_level[CLASS_LEVELS];   /* SER-BW where no higher level is; -1: not yet computed this round */
	int64_t window_of_engine[CLASS_ENGINES]; /* (7.2) or (7.3); -1 */
};

void local_begin_round(struct local *local, const struct classes *classes, const struct local_rules *rules);
int64_t local_kernel(struct local *local, const struct class *class);
int64_t local_copy(struct local *local, const struct class *class);

enum local_kind { LOCAL_SER_OPS, LOCAL_SER_BW, LOCAL_COV, LOCAL_OPS, LOCAL_BW, LOCAL_KINDS }; /* OPS, BW: copies */
extern const char *const local_names[LOCAL_KINDS];

/* What each of them says of an operation, and what the least of them is the sum of. */
void local_terms(struct local *local, const struct class *class, struct terms *terms);
/* stream: of the list that is added, but for its kind. */
void local_stream_terms(
	const struct classes *classes, const struct chain_of_classes *own, int64_t horizon, struct term stream, struct terms *terms);

/* The stream server (8.1) with events: from a job's release until all that is before it on the stream of its chain is complete. */
int64_t local_stream_wait(const struct classes *classes, const struct chain_of_classes *own, int64_t horizon);

/* From a job's release until the event for which the chain waits there is complete. */
int64_t local_held(const struct classes *classes, const struct chain_of_classes *chain, int hold);

#endif
