/* The operations of a context at the engines, with the jitter and the response that a report claims for each.
 *
 * Requires: work of a context whose every segment is on one stream; what else takes turns; claims read from the report.
 * Provides: for these claims, held fixed: bounds on a run of operations (C.1), (V.3), on one operation (6.3), (6.4), (6.6), (7.1)-(7.3),
 *           and on a stream's jobs (8.1). Each is monotone in all claims, so claims that are nowhere below these values bound the truth.
 * Source:   theory.md 6-8; theory-review.md 3.3, 4, V5, V7, V13.
 * Fails:    NONE past the horizon, or where one does not apply.
 */
#ifndef VERIFY_ENGINES_H
#define VERIFY_ENGINES_H

#include "verify/turns.h"

#define ENGINES_DELTAS 12

struct class
{ /* an operation of a segment */
	int operation, part;
	int stream, level, engine;
	enum runs runs;
	int64_t dependency, block, makespan, high, volume, dispatch, blocks, least;
	struct arrivals_at arrivals; /* at its engine, with the claimed jitter */
	int64_t response;            /* claimed: from the stream's head, o_dep included */
	bool grid;                   /* `block` bounds all of its blocks together */
};

struct line_of_classes { /* a segment */
	int first, count, stream;
	struct arrivals_at arrivals; /* of its releases, with the claimed jitter */
	int64_t response;            /* claimed: from release */
	int64_t *done;               /* Z_l: from the stream's head to the completion of l operations */
};

struct cover { /* of (6.6): level 0, and the weights that the report claims */
	int64_t sms, deltas[ENGINES_DELTAS];
	int delta_count;
	int64_t *own;            /* [class]: weight of its own blocks while it waits */
	int64_t *resident;       /* [class]: most of its blocks on the chip */
	int64_t **weight;        /* [level][class]: while a kernel of that level waits; NULL: there is none */
	struct weights *claimed; /* [class] */
};

struct weights;

struct engines {
	struct work *work;
	enum claimed kind;
	struct class *classes;
	int count;
	int context;
	struct line_of_classes *lines; /* one a segment; of other contexts' without operations */
	int **kernels, **copies;       /* [stream]: its classes, dearest first; -1 ends */
	int levels;
	int64_t *high;   /* [class]: of its classes */
	int64_t *lower;  /* [level]: C_low + o_blk, 0 without a lower level */
	int64_t *served; /* [level]: in order, by a level that none is above, whoever asks; 0: not known yet */
	int64_t g, horizon, launch, dispatch, delay; /* delay: delta of A-ORDER */
	bool fifo;
	struct service kernels_by, copies_by;
	struct cover *cover; /* NULL: COV does not apply */
};

/* Kernels of a stream of a higher level that are at the engine at some time of a closed window which begins when one of a lower level
 * comes: each costs `each[class]`, NULL: one. doc/theory.md, who was there. */
int64_t engines_above(const struct engines *engines, int stream, int64_t window, const int64_t *each);
int64_t engines_run(const struct engines *engines, const struct line_of_classes *line, int first, int last);
/* The most that one other stream's copies and kernels of the same level can cost these operations, each meeting at most one of them, in
 * the order of the stream; NONE: no less than counting by engine says. doc/theory.md, chains in order. */
int64_t engines_in_order(const struct engines *engines, const struct class *own, int count, int stream, int64_t window);
int64_t engines_kernel(const struct engines *engines, int class);
int64_t engines_copy(const struct engines *engines, int class);
int64_t engines_stream(const struct engines *engines, int stream);

struct cover *cover_make(const struct engines *engines); /* NULL: it does not apply */
/* The greatest delay of the dispatch of the last block, when higher levels arrive in a closed window; after_lower: it begins when no block of
 * a lower level is left. */
int64_t cover_at(const struct engines *engines, const struct class *own, int64_t window, bool after_lower);

#endif
