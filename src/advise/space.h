/* The designs that are tried: what may change without changes of code, and what <freedom> adds.
 *
 * Requires: a task set that was read, and its text.
 * Provides: groups, which are tasks that share streams or events and stay together; a plan, which says of each group its context and its
 *           level, and of each context its slice; plans drawn from a seed (all of them: advise/regions.h).
 * Source:   gpubound-advise(1).
 * Fails:    never; more than ADVISE_GROUPS groups stay in their contexts.
 */
#ifndef ADVISE_SPACE_H
#define ADVISE_SPACE_H

#include "base/random.h"
#include "input/markup.h"
#include "model/taskset.h"

#define ADVISE_GROUPS 12
#define ADVISE_CHOICES 8
#define ADVISE_PARTITIONS 8
#define ADVISE_SIZES 16
#define KEPT (-1)

enum locking { LOCKING_KEPT, LOCKING_NONE, LOCKING_PRIORITY, LOCKING_FIFO };

/* What a design is; all KEPT, or 0, is the task set as it stands. */
struct plan {
	bool split;      /* contexts are those that follow; else the task set's */
	bool merged;     /* MPS makes one context of all */
	bool one_stream; /* each context has one stream */
	bool levels;     /* of streams, or of units under a lock by priority, are those that follow */
	enum locking locking;
	signed char context[ADVISE_GROUPS];  /* numbered as they occur */
	signed char level[ADVISE_GROUPS];    /* 0 is the highest of its context, or of the lock */
	signed char slice[ADVISE_GROUPS];    /* [context] in the list of slices; KEPT: the application's, or the platform's */
	signed char option[ADVISE_CHOICES];  /* [choice]; KEPT: none of them */
	signed char size[ADVISE_PARTITIONS]; /* [partition] in the list of its sizes; KEPT: the task set's */
};

struct group {
	int first_task;  /* by which it is called */
	int application; /* whose streams it has */
	int streams, only_stream;
	bool events;
};

struct choice { /* of <freedom>: one of its options, or of the values of a range, or none */
	int element, option_count;
	const char *target; /* of a range; else NULL */
	int64_t from, to;
};

struct sizes { /* of a partition, of which all WCETs are given; none where it has its SMs by their ids */
	int64_t of[ADVISE_SIZES];
	int count;
};

struct space {
	struct arena *arena;
	const struct taskset *set;
	const struct platform *platform;
	const char *text, *path;
	struct markup markup;
	struct group groups[ADVISE_GROUPS];
	int group_count;
	int *group_of; /* [task]; NO_ID: only host segments, or groups are too many */
	bool crowded;  /* groups are more than ADVISE_GROUPS: they stay where they are */
	const char *const *slices;
	int slice_count;
	bool kept_slice;  /* a context may have the platform's */
	bool threaded;    /* threads on cores issue work on the GPU: their tasks may not be under a lock */
	const char *hold; /* of a unit under a lock; NULL: nobody says, or threaded */
	bool contexts_free, priorities_free, streams_free, lock_free;
	struct choice choices[ADVISE_CHOICES];
	struct sizes sizes[ADVISE_PARTITIONS];
	int partition_count;       /* whose sizes are looked at */
	int choice_count, freedom; /* freedom: its element, or NO_ID */
	int64_t levels;            /* of priority that there are; at least 1 */
	struct plan stated;        /* the task set's own contexts and levels, in numbers */
};

void space_find(struct space *space, struct arena *arena, const struct platform *platform, const struct taskset *set, const char *text);

/* Are applications, streams and tasks where their ids say, in this text of the task set? Not where names have a prefix, or ids references
 * to characters. */
bool space_is_plain(const struct taskset *set, const struct markup *markup);

int64_t choice_value(const struct choice *choice, int number); /* of a range, ns */

int plan_contexts(const struct space *space, const struct plan *plan); /* how many the groups are in */
int plan_context(const struct space *space, const struct plan *plan, int group);
bool plan_resizes(const struct plan *plan);                                                 /* partitions have other sizes */
bool plan_is_stated(const struct plan *plan);                                               /* nothing differs from the task set */
bool plan_together(const struct space *space, const struct plan *plan, int one, int other); /* may kernels of two groups run at once? */

struct plan space_as_stated(const struct space *space); /* nothing changes */

/* Of the parts of plans. */
bool plan_compete(const struct plan *plan, int one, int other);               /* do levels of two groups say who is first? */
void plan_number_levels(const struct space *space, struct plan *plan);        /* levels without gaps among those that compete */
bool plan_sets_levels(const struct space *space, const struct plan *plan);    /* its levels are not those of the file */
bool plan_keeps_contexts(const struct space *space, const struct plan *plan); /* as the task set has them */
bool space_has_room(const struct space *space, const struct plan *plan);      /* partitions have no more SMs than there are */
bool space_may_share_streams(const struct space *space);                      /* may tasks of a process have one stream? */

struct plan space_draw(const struct space *space, struct random *random);
struct plan space_vary(const struct space *space, struct random *random, const struct plan *plan);

#endif
