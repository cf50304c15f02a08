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
	int count;
	int64_t *host_of_task; /* the sum of all host segments' responses, per task */
	int *of_context;       /* [context]: so many segments */
	int *stream_place;     /* [stream]: of the streams of its context that have operations, in the task set's order */
	int *streams_of;       /* [context]: so many of them */
};

struct segments *segments_build(struct arena *arena, const struct taskset *set, const struct costs *costs);

/* Jitter of a segment's release when each earlier segment of its task responds within `response`; the step takes that response from
 * `claim`, which the fixed point that contains the segment has to confirm. */
int64_t segment_jitter(const struct segments *segments, const struct taskset *set, int segment, int64_t response);
int segment_jitter_step(const struct segments *segments, const struct taskset *set, int segment, int64_t response, int claim,
	struct arena *arena, struct derivation *derivation);

#endif
