/* Which SMs a kernel may use.
 *
 * Requires: a validated platform and task set.
 * Provides: the SMs on which kernels of a stream may have blocks: those of its partition, else all of the chip; how many a set has, which
 *           they are or may be, whether two have none in common. Who asks about the chip itself asks the platform.
 * Source:   [MODEL], [PARTITIONS].
 * Fails:    where nobody states how many SMs the chip has, the size of a set of all of them is NONE.
 */
#ifndef MODEL_SM_SET_H
#define MODEL_SM_SET_H

#include "base/memory.h"
#include "model/taskset.h"

struct sm_set {
	int64_t chip;            /* SMs that the chip has; ids are below that; NONE: nobody states it */
	int64_t size;            /* SMs in the set; NONE: all of an unknown number */
	const uint64_t *members; /* a bit an id, 64 a word; NULL: all SMs of the chip, or some nobody knows of a partition */
	int partition;           /* 1 + its place in the task set; 0: the set is no partition */
};

/* The SMs of the chip whose ids are listed. */
struct sm_set sm_set_of(struct arena *arena, const struct platform *platform, const int *sms, int count);

static inline struct sm_set sm_set_of_chip(const struct platform *platform)
{
	int64_t count = platform_value(platform, PARAMETER_SM_COUNT);
	return (struct sm_set){count, count, NULL, 0};
}

static inline struct sm_set sm_set_of_stream(const struct platform *platform, const struct taskset *set, int stream)
{
	struct sm_set sms = sm_set_of_chip(platform);
	int partition = set->streams[stream].partition;
	if (partition == 0)
		return sms;
	const struct partition *of = &set->partitions[partition - 1];
	return (struct sm_set){sms.chip, of->size, of->members, partition};
}

/* How many SMs kernels of the task have in all, and copies and memsets that run as kernels; 0: it has none; NONE: not known. */
int64_t sm_set_size_of_task(const struct platform *platform, const struct taskset *set, const struct task *task);

/* Two partitions are. */
bool sm_set_is_disjoint(const struct sm_set *a, const struct sm_set *b);
bool sm_set_is_equal(const struct sm_set *a, const struct sm_set *b);

static inline bool sm_set_is_chip(const struct sm_set *set)
{
	return set->members == NULL && set->partition == 0;
}

/* The next of ranges as in "0-13 16 18-19", each a whole number or two; text goes on behind it. False: there is none, *text is at what is
 * no range, or at the end. */
bool sm_range_next(const char **text, int64_t *first, int64_t *last);

/* May the SM be in the set? */
static inline bool sm_set_has(const struct sm_set *set, int64_t sm)
{
	return set->members == NULL || (set->members[sm / 64] >> (sm % 64) & 1) != 0;
}

#endif
