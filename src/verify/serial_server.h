/* Serial servers of a report: the claimed busy interval of a context, or of the GPU, put into its own equation.
 *
 * Requires: work; claims of all contexts, read from the report.
 * Provides: each context's claim as a fact, and whether it is at least the right side of its equation.
 * Source:   [VOL-P], [P], [P-GPU], [FOREIGN-COPIES], [ONCE]; [BUSY-CLAIM].
 * Fails:    a claim below the right side is a difference.
 */
#ifndef VERIFY_SERIAL_SERVER_H
#define VERIFY_SERIAL_SERVER_H

#include "verify/charged_once.h"

struct serial_claim;

struct item { /* what arrives, and what one arrival costs */
	int part, group;
	struct arrivals_at arrivals;
	struct fact period, jitter, cost, work, volume, kernels;
	bool looks_back;
	struct fact lookback;
	int64_t held; /* so much earlier still */
};

struct group { /* work that shares a time slice */
	struct fact g, slice, gap;
	int64_t share; /* g, 1 without */
	bool sliced, round_up, grids;
};

struct problem {
	const struct weighed *weighed; /* NULL: everything is slowed by everything */
	struct work *work;
	const struct serial_claim *of;
	int context;      /* NO_ID: all */
	unsigned engines; /* that it uses */
	struct item *items;
	int item_count, item_room;
	struct lists of_group; /* items */
	struct group *groups;
	int group_count;
	struct fact stop, distance;
	bool stops;
	const struct fact *claims;  /* [context] */
	const struct fact *of_part; /* [segment]: its own claim, or its context's */
	const int64_t *within;      /* [segment]: the value of that */
	const int *steps;           /* [segment]: of its own; -1: none */
	int only;                   /* a segment that counts once, and nothing else of its task; NO_ID: all count as they arrive */
};

/* What one of the bounds is, besides: a row for each is in the file of its name. */
struct serial_claim {
	enum claimed kind;
	bool whole;    /* one interval for all contexts */
	bool above;    /* an interval for each, in which others are, too, as `add` says */
	int rule_once; /* where kernels and copies are charged once */
	int rule_part; /* of a segment by itself */
	void (*add_groups)(struct problem *problem);
	void (*add)(struct problem *problem, int part);
	void (*add_slowing)(struct problem *problem, int part);                   /* NULL: nothing */
	struct fact (*lengthen)(const struct problem *problem, struct fact stop); /* a stop by what slices lose */
	bool (*charges_once)(const struct work *work);                            /* may it? NULL: it may not */
	bool (*permits)(const struct problem *problem);                           /* do the claims? NULL: whatever they are */
};

struct claims serial_server_hold(struct work *work, const struct serial_claim *of);

struct item *serial_server_item(struct problem *problem, int part);
struct fact serial_server_count(const struct work *work, const struct part *part, enum runs runs);
/* A stop in the slices of the problem's context. */
struct fact serial_server_stop(const struct problem *problem, struct fact stop);
/* A stop with what it costs in the slices of all groups. */
struct fact serial_server_sliced_stop(const struct problem *problem, struct fact stop);

#endif
