/* Tasks cut at their host segments, and behind their synchronous calls: what the GPU sees of a job.
 *
 * Requires: costs.
 * Provides: for each task its GPU segments in order, each with the operations between two such cuts, the response that the CPU side
 *           gives for the host segments before and after, and the jitter of its release from bounds on what lies before.
 * Source:   [SEGMENTS], [V2], [V7].
 */
#ifndef RESPONSE_SEGMENT_H
#define RESPONSE_SEGMENT_H

#include "response/arrival.h"
#include "response/operation_cost.h"

struct segment {
	int task, context;
	int first, count;              /* operations of the task set */
	int number;                    /* of the segments of its task */
	int place;                     /* of the segments of its context */
	int64_t host_most, host_least; /* of all host segments of the task before this one */
	int64_t least;                 /* no job's segment is done earlier after its release than this */
	const char *name;              /* "task:SFM" */
};

struct segments {
	struct segment *items;
	const struct costs *costs;
	int count;
	int *of_task;          /* [task]: its first one; those of a task are up to the first one of the next */
	int64_t *host_of_task; /* the sum of all host segments' responses, per task */
	int *of_context;       /* [context]: so many segments */
	int *stream_place;     /* [stream]: of the streams of its context that have operations, in the task set's order */
	int *streams_of;       /* [context]: so many of them */
};

struct segments *segments_build(struct arena *arena, const struct taskset *set, const struct costs *costs);

/* What a segment's release may come late by is the most less the least: of its job's release (part 0), of the host segments before it (1),
 * of the earlier segments of its task (2 to its number + 1), whose responses are `before`, in order. */
struct release_part {
	int64_t most, least;
};

struct release_part segment_release_part(
	const struct segments *segments, const struct taskset *set, int segment, int part, const int64_t *before);

/* The sum of these. */
int64_t segment_jitter(const struct segments *segments, const struct taskset *set, int segment, const int64_t *before);

/* The same with a response for each segment of the task set; its step takes them from `claims[segment]`, which the fixed points that
 * contain the segments have to confirm. */
int segment_jitter_step(const struct segments *segments, const struct taskset *set, int segment, const int64_t *responses,
	const int *claims, struct arena *arena, struct derivation *derivation);

/* Is no job of the task released before all segments of the one before are complete? last: the task's last segment; responses: of its
 * segments, in order. [ONE-JOB] */
bool segment_jobs_apart(const struct segments *segments, const struct taskset *set, int last, const int64_t *responses);

/* Is a thread that serves one job after the other there for each as that is released: is the one before complete by then, host segments
 * behind its last operation included? first: the task's first segment; responses: of its segments, in order. [LOCK], [P-PRIO] */
bool segment_thread_punctual(const struct segments *segments, const struct taskset *set, int first, const int64_t *responses);

#endif
