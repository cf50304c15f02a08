/* A configuration of a trace in the order in which the machine must have decided it.
 *
 * Requires: a configuration whose kernels are whole.
 * Provides: the blocks by the time of their decision and by their end; which kernels were held; the check that no SM of the platform
 *           held more than it can.
 * Source:   gpubound-validate(1), trace format (held); [HOPPER] P13 (blocks are dispatched in index order; begins are up to 200 ns apart).
 * Fails:    trace_replay_check says which row no machine of this platform can have made.
 */
#ifndef SIMULATE_TRACE_REPLAY_H
#define SIMULATE_TRACE_REPLAY_H

#include "placement/placement.h"
#include "simulate/trace.h"

struct trace_replay {
	const struct trace_configuration *trace;
	int *kernel_of;   /* by block */
	int64_t *decided; /* by block: it was given its SM no later than this */
	int *by_decision; /* blocks; ties in the order of launch and index */
	int *by_end;      /* blocks */
	bool *held;       /* by kernel: no block of its partition ended before its last one began */
	struct kernel *kernels;
	struct shape *shapes; /* by kernel, with the default carveout preference */
};

/* registers: of a thread by variant, where the trace does not say. */
struct replay_registers {
	int64_t of[16];
	int count;
};

/* carveout: the preference of kernels for which the trace has none; NONE: the default one. */
struct kernel trace_replay_kernel(const struct trace_kernel *traced, const struct replay_registers *registers, int64_t carveout);

void trace_replay_init(struct trace_replay *replay, struct arena *arena, const struct trace_configuration *trace);
bool trace_replay_check(const struct trace_replay *replay, struct arena *arena, const struct sm_limits *limits,
	const struct replay_registers *registers, struct diagnostics *diagnostics);

#endif
