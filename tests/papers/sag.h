/* Job sets of the schedule-abstraction tool (https://github.com/SAG-org/schedule_abstraction-main): files of jobs, of precedence, of
 * results. */
#ifndef TESTS_PAPERS_SAG_H
#define TESTS_PAPERS_SAG_H

#include "explore/explore.h"

struct sag_job {
	int64_t task, number, release_least, release_most, cost_least, cost_most, deadline, priority;
};

struct sag {
	struct sag_job *jobs;
	int count;
	struct explore explore;
};

/* One engine of `slots` processors that serves by priority, ties by task and job. precedence: a path, or NULL. Exits on a file that is not
 * what it should be. */
struct sag sag_read(struct arena *arena, const char *jobs, const char *precedence, int slots);
int sag_find(const struct sag *sag, int64_t task, int64_t number); /* -1: none */

#endif
