/* What is analysed as a context: the parts of a process's work that wait for one another.
 *
 * Requires: a validated platform and task set.
 * Provides: for each stream its domain. A process without partitions is one domain, and so is one in which anything but copy engines could
 *           make work of one partition wait for work of another: a task or an event, a NULL stream, a hardware queue or a grid slot that
 *           they may share, a cache configuration of the whole chip, or turns that entries of the runlist take. Else each partition is one,
 *           and streams of the primary context are another, which has copies alone.
 * Source:   [DOMAINS].
 * Fails:    never: what is unknown joins.
 */
#ifndef MAP_DOMAINS_H
#define MAP_DOMAINS_H

#include "model/sm_set.h"

struct domain {
	int process; /* a context of the task set (taskset_context) */
	const char *name;
	bool parted;  /* its process has work in partitions */
	bool beside;  /* its process has kernels of the primary context and of partitions */
	bool several; /* it has kernels on more than one set of SMs */
	bool crowded; /* kernels of its process may wait for one another for a grid slot, or a configuration of the whole chip */
	int smallest; /* a stream with kernels, of those with the fewest SMs; NO_ID: it has none */
};

struct domains {
	struct domain *items;
	int count;
	int *of_stream;
	int process_count;
	bool parted; /* some process has more than one */
};

struct domains *domains_find(struct arena *arena, const struct platform *platform, const struct taskset *set);

/* Grids that may be resident at once; where nobody states it, the least of any GPU of the compute capability. */
int64_t domains_resident_grids(const struct platform *platform);

/* The fewest SMs that a kernel of it may use; NONE: not known. Without kernels those of the chip. */
int64_t domain_sms(const struct platform *platform, const struct taskset *set, const struct domain *domain);

#endif
