/* Accesses to memory: how many sectors of global and local memory, or passes of shared memory, one needs at most.
 *
 * Requires: a flow and its uniformity.
 * Provides: of each access what follows from the form of its address, else what the reading charges: as many as there are threads, or the declared
 *           degree of bank conflicts. The program with these numbers as instructions of classes sector and conflict. Facts that certify
 * them. Source:   [LANES]. Fails:    never.
 */
#ifndef WCET_ACCESSES_H
#define WCET_ACCESSES_H

#include "wcet/lanes.h"

#define SECTOR_BYTES 32

struct memory_access {
	int instruction;
	int64_t units;
	bool follows; /* from its address; else nothing is known of that */
};

struct accesses {
	const struct program *program; /* with what was found */
	struct memory_access *items;
	int count;
	struct lanes lanes;
};

void accesses_find(struct accesses *accesses, const struct flow *flow, const struct uniformity *uniformity);

#endif
