/* Which streams wait for one another, said again from the inputs: the contexts of the analysis.
 *
 * Requires: a validated platform and task set.
 * Provides: for each stream its owner. A process is one owner unless its partitions have nothing in common but copy engines: no task, no
 *           event, no NULL stream, a hardware queue and a grid slot for each stream, one cache configuration, and nobody takes turns.
 * Source:   [DOMAINS].
 * Fails:    never: what is not known is shared.
 */
#ifndef VERIFY_SHARING_H
#define VERIFY_SHARING_H

#include "verify/check.h"

struct share_of_process { /* an owner */
	int process;
	const char *name;
	bool parted, beside; /* its process has work in partitions; kernels of the primary context beside kernels of those */
	bool several;        /* kernels on more than one set of SMs */
	bool crowded;        /* kernels of its process may have to wait for a grid slot, or for the configuration of the chip */
	int narrowest;       /* the first stream with kernels on the fewest SMs; NO_ID: it has no kernels */
};

struct sharing {
	struct share_of_process *owners;
	int owner_count, process_count;
	int *of_stream;
	bool split;  /* some process has more than one */
	bool parted; /* some process has work in partitions */
};

struct sharing *sharing_find(struct check *check);

#endif
