/* Which kernels an SM, or the whole chip, need not be configured anew between: see doc/theory/machine.md [CONFIGURATIONS]. */
#ifndef GPUBOUND_MAP_CACHE_CONFIGURATION_H
#define GPUBOUND_MAP_CACHE_CONFIGURATION_H

#include "model/platform.h"
#include "model/taskset.h"

/* Do both surely get the same division of L1 and shared memory? */
bool cache_configuration_is_same(const struct platform *platform, const struct kernel *a, const struct kernel *b);

/* Does the kernel ask for a division that one of the driver's own kernels, for copies and memsets, need not have? */
bool cache_configuration_differs_from_drivers(const struct platform *platform, const struct kernel *kernel);

#endif
