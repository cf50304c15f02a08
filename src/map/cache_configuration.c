/* A division of an SM into L1 and shared memory follows from what a kernel prefers and from what its blocks need. */
#include "map/cache_configuration.h"

#include "base/checked.h"
#include "base/plant.h"
#include "map/occupancy.h"

static bool is_stated(const struct kernel *kernel)
{
	return kernel->cache != CACHE_NONE || kernel->carveout != NONE;
}

/* Without a preference a block is admitted wherever it fits, but shared memory that is not there is divided off once nothing is resident.
 * Where each SM has a division of its own an idle one takes any. */
static bool needs_count(const struct platform *platform)
{
	return platform->per_sm_carveout != TERNARY_YES && occupancy_is_configurable(platform) && !planted(PLANT_UNPREFERRED);
}

static bool is_same_shared(const struct kernel *a, const struct kernel *b)
{
	return a->threads != NONE && b->threads != NONE &&
	       checked_add(a->shared_static, a->shared_dynamic) == checked_add(b->shared_static, b->shared_dynamic);
}

/* A preference for a part of the shared memory is raised to what all blocks that an SM holds need. */
static bool is_same_need(const struct kernel *a, const struct kernel *b)
{
	return is_same_shared(a, b) && a->threads == b->threads && a->registers == b->registers;
}

bool cache_configuration_is_same(const struct platform *platform, const struct kernel *a, const struct kernel *b)
{
	bool none = !is_stated(a) && (!needs_count(platform) || is_same_shared(a, b));
	bool all = a->carveout == 100 || (a->carveout == NONE && a->cache == CACHE_PREFER_SHARED);
	bool same = a->cache == b->cache && a->carveout == b->carveout;
	return same && (none || all || planted(PLANT_RAISED) || is_same_need(a, b));
}

bool cache_configuration_differs_from_drivers(const struct platform *platform, const struct kernel *kernel)
{
	return is_stated(kernel) || needs_count(platform);
}
