/* A run's events, kept, and written in the formats that others read.
 *
 * Requires: an arena; a run whose observer is run_record_see.
 * Provides: the trace CSV of trace.h (one configuration an application), the JSON of Chrome's and Perfetto's trace viewers, a timeline in
 *           SVG, and a CSV with a row for each job.
 * Source:   gpubound-validate(1), trace format; Trace Event Format (Chromium project).
 * Fails:    never. Operations that had not ended are not in the trace CSV.
 */
#ifndef SIMULATE_RUN_RECORD_H
#define SIMULATE_RUN_RECORD_H

#include "base/output.h"
#include "simulate/simulate.h"

/* A job that the timeline is about: its response beside its bound. */
struct record_mark {
	bool drawn;
	int task;
	int64_t release, response, bound; /* release: nominal; bound NONE: there is none */
};

struct kept_event; /* what an event says that does not follow from the set, in half the bytes */

#define RECORD_PART 4096

struct run_record {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	uint64_t seed;
	struct kept_event **parts; /* by number / RECORD_PART: what is kept is never moved */
	int count, part_count, part_capacity;
	int64_t *blocks, *threads; /* by operation: those of its events */
	int64_t end;               /* the last event's time */
	int64_t from, to;          /* what the timeline shows; to 0: up to the end */
	int plot;                  /* px: how wide the times are */
	int64_t blocks_most;       /* it leaves the SMs out where more blocks would be drawn; 0: never */
	int rows_most;             /* of tasks, of streams, of contexts; 0: all */
	struct record_mark marked;
};

void run_record_init(
	struct run_record *record, struct arena *arena, const struct platform *platform, const struct taskset *set, uint64_t seed);
void run_record_see(void *context, const struct event *event);             /* an observer; context: the record */
struct event run_record_event(const struct run_record *record, int index); /* as it was seen */

void run_record_write_trace(const struct run_record *record, struct output *output);
void run_record_write_chrome(const struct run_record *record, struct output *output);
void run_record_write_svg(const struct run_record *record, struct output *output);

/* An operation, from the events about it. */
struct activity {
	int operation, task, application, engine; /* engine: copies; NO_ID else */
	int64_t instance, job, blocks, threads;   /* instance: NO_ID for host segments */
	int64_t ready, begin, end;                /* -1: not seen; ready of a host segment: its begin */
	int64_t order;                            /* among those that became ready */
};

struct activities {
	struct activity *items; /* by begin of the instance: issue, or begin of a host segment */
	int count;
	int issued; /* of these, not host segments: by instance, 0 to here */
};

struct activities run_record_activities(const struct run_record *record);

#endif
