/* What one job of a segment costs.
 *
 * Requires: costs and segments of a workload.
 * Provides: the sum of what its operations cost at an engine, as a step of the derivation; or why there is none.
 * Source:   [SER], [VOLUME], [DILATION], [ONCE].
 * Fails:    a cost that is not known, overflow: the reason.
 */
#ifndef RESPONSE_SEGMENT_COST_H
#define RESPONSE_SEGMENT_COST_H

#include "response/workload.h"

enum segment_part { /* a sum of these */
	SEGMENT_DEPENDENCIES = 1,
	SEGMENT_TRANSFERS = 2,
	SEGMENT_KERNELS = 4, /* makespans with drain waste */
	SEGMENT_VOLUME = 8,
	SEGMENT_DISPATCHED = 16, /* dispatcher time and last block */
	SEGMENT_DILATED = 32     /* each in time slices, where there are any */
};

struct cost segment_cost_of(const struct workload *workload, const struct segment *segment, int parts);
struct cost segment_cost_copies_on(const struct workload *workload, const struct segment *segment, int engine);
int64_t segment_cost_count(const struct workload *workload, const struct segment *segment, enum place place);

/* Of workload->once: as if kernels and copies did not slow each other; and those weighed, with the dependencies. */
struct cost segment_cost_apart(const struct workload *workload, const struct segment *segment, int parts);
struct cost segment_cost_once(const struct workload *workload, const struct segment *segment);

/* How many gaps between slices a sum of such parts has in it. */
struct gaps_lost segment_cost_gaps(const struct workload *workload, const struct segment *segment, int parts);
int64_t segment_cost_gaps_in(const struct workload *workload, int64_t cost, int context, bool of_copies);

/* A cost of a context in its time slices. */
struct cost segment_cost_dilate(const struct workload *workload, const struct cost *cost, int context, bool of_copies, const char *about);

#endif
