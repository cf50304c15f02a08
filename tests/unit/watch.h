/* A second opinion on a run: sees its events, keeps its own books, and says which rule was broken. It shares nothing with the machine. */
#ifndef TESTS_UNIT_WATCH_H
#define TESTS_UNIT_WATCH_H

#include "scene.h"

#define WATCH_SMS 8
#define WATCH_ENGINES 4
#define WATCH_INSTANCES 16384

enum watch_state { WATCH_ISSUED, WATCH_READY, WATCH_DISPATCHED, WATCH_ENDED };

struct watched {
	enum watch_state state;
	int operation, context, level;
	int64_t ready_order, blocks, begun, ended;
};

struct watch_sm {
	int64_t warps, blocks, shared;
};

struct watch {
	const struct platform *platform;
	const struct taskset *set;
	const struct switches *switches;
	struct watched instances[WATCH_INSTANCES]; /* by number */
	int64_t count, readies;
	struct watch_sm sms[4][WATCH_SMS]; /* by context */
	int64_t copying[5]
		       [WATCH_ENGINES]; /* the instance on the engine, + 1; [1 + context] where copies take turns with kernels, else [0] */
	int64_t now, releases, completions;
	uint64_t hash; /* of all events */
	int slice;     /* the application whose slice it is, + 1; -1: nobody's was seen to begin */
	bool stopped[2];
	bool instant;       /* nothing takes time but blocks: what could be done now must be done now */
	int64_t slowest;    /* a block takes at most so many times its WCET; copies and host segments, too */
	const char *broken; /* the rule; NULL: none so far */
};

void watch_init(struct watch *watch, const struct scene *scene);
void watch_see(void *context, const struct event *event); /* the observer */
void watch_finish(struct watch *watch, const struct simulate_result *result);

#endif
