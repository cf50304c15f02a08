/* Looks at a run as it happens: does each stage of the analysis hold, so that a violation names the stage that is wrong?
 *
 * Requires: a subject, the attack's broken assumptions.
 * Provides: an observer. It checks the capacity of every SM (machine); that an SM holds no more blocks of a kernel than the map's
 *           greatest occupancy, and blocks of two kernels only where the map lets them meet (map); that while kernels are outstanding
 *           no more time passes than their makespans and drain waste (serial) and their volume over g (volume). The last three only
 *           for a single context, the two sums without stops.
 * Source:   [KW], [SER], [DRAIN], [VOLUME], [FALSIFIER].
 * Fails:    never; the first violation is kept.
 */
#ifndef FALSIFY_ORACLE_H
#define FALSIFY_ORACLE_H

#include "falsify/attack.h"

enum stage { STAGE_NONE, STAGE_MACHINE, STAGE_MAP, STAGE_INTERFERENCE, STAGE_SERIAL, STAGE_VOLUME, STAGE_RESPONSE, STAGE_CHAIN };
extern const char *const stage_names[];

struct oracle {
	const struct subject *subject;
	bool sms, serial, volume; /* what is checked */
	bool partitions;          /* the machine allocates registers as the map counts them */
	int64_t g;
	int64_t sm_count;
	int64_t warps_most, blocks_most, shared_most;
	int64_t *warps, *blocks, *shared; /* by SM */
	int *of_kernel;                   /* blocks by SM and operation */
	int outstanding;
	int64_t start, serial_sum, volume_sum, rest_sum;
	enum stage stage; /* STAGE_NONE: nothing wrong so far */
	const char *what;
	int operation;
	int64_t time, observed, allowed;
};

/* What oracle_see has no use for. */
#define ORACLE_UNSEEN (~(1u << EVENT_READY | 1u << EVENT_END | 1u << EVENT_BLOCK_BEGIN | 1u << EVENT_BLOCK_END))

void oracle_init(struct oracle *oracle, struct arena *arena, const struct subject *subject, const struct attack *attack);
void oracle_see(void *oracle, const struct event *event);

#endif
