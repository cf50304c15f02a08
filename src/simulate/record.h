/* A run's events, kept, and written in the formats that others read.
 *
 * Requires: an arena; a run whose observer is record_see.
 * Provides: the trace CSV of trace.h (one configuration an application), the JSON of Chrome's and Perfetto's trace viewers, a timeline in
 *           SVG, and a CSV with a row for each job.
 * Source:   gpubound-validate(1), trace format; Trace Event Format (Chromium project).
 * Fails:    never. Operations that had not ended are not in the trace CSV.
 */
#ifndef SIMULATE_RECORD_H
#define SIMULATE_RECORD_H

#include "base/output.h"
#include "simulate/simulate.h"

struct record {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	uint64_t seed;
	struct event *events;
	int count, capacity;
	int64_t end;         /* the last event's time */
	int64_t from, to;    /* what the timeline shows; to 0: up to the end */
	int plot;            /* px: how wide the times are */
	int64_t blocks_most; /* it leaves the SMs out where more blocks would be drawn; 0: never */
};

void record_init(struct record *record, struct arena *arena, const struct platform *platform, const struct taskset *set, uint64_t seed);
void record_see(void *context, const struct event *event); /* an observer; context: the record */

void record_write_trace(const struct record *record, struct output *output);
void record_write_chrome(const struct record *record, struct output *output);
void record_write_svg(const struct record *record, struct output *output);

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
};

struct activities record_activities(const struct record *record);

#endif
