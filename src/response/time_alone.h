/* How long a job may take though nothing else is there: a deadline below that is met by no analysis.
 *
 * Requires: a task set with the WCETs of all operations, what an SM holds of each kernel.
 * Provides: the greatest time that some run of one job alone has: on each stream of each segment all WCETs and stated overheads, one after
 *           another, as many blocks of a kernel at once as empty SMs hold; the operation with most of it.
 * Source:   [MODEL]. An overhead that nobody states counts as 0: no bound rests on this number, it is for advice.
 * Fails:    NONE if it does not fit 64 bits.
 */
#ifndef RESPONSE_TIME_ALONE_H
#define RESPONSE_TIME_ALONE_H

#include "map/map.h"
#include "response/workload.h"

struct time_alone {
	int64_t ns;    /* of a job */
	int operation; /* that takes most of it, in the task set; NO_ID: the job has only host segments */
	int64_t most;  /* ns: what it takes */
};

struct time_alone time_alone(const struct workload *workload, const struct map *map, int task);

#endif
