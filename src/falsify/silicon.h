/* Recorded block traces against the bounds: a chip may break a bound as well as a simulation.
 *
 * Requires: a trace (gpubound-validate(1), trace format), the platform it was recorded on.
 * Provides: for each configuration, whose kernels were launched together, the time in which some block was resident, against the volume
 *           of all blocks over the g SMs that the platform states (VOL) and against makespans and drain waste (P), as if the platform
 *           vouched for every assumption. Every kernel's WCET is its longest recorded block. Where the platform states no overhead,
 *           SILICON_LAUNCH a kernel is charged.
 * Source:   [V0], [TEN-TESTS] 10.
 * Fails:    false with a diagnostic where the trace is refused, or a limit of the SMs is not known.
 */
#ifndef FALSIFY_SILICON_H
#define FALSIFY_SILICON_H

#include "base/output.h"
#include "falsify/subject.h"
#include "simulate/trace.h"

#define SILICON_LAUNCH 5000 /* ns: above every gap between two launches on an idle H200 in the recordings */

struct silicon {
	int64_t configurations, above_volume, above_serial;
	int64_t volume_observed, volume_allowed; /* the greatest ratio; allowed 0: none */
	int64_t serial_observed, serial_allowed;
};

/* Adds a line to `output` for each configuration above a bound. registers: of a thread by variant, where the trace does not say. */
bool silicon_check(
	struct silicon *silicon, struct output *output, struct diagnostics *diagnostics, const char *path, const struct platform *platform);
void silicon_summarise(struct output *output, const char *path, const struct silicon *silicon);

#endif
