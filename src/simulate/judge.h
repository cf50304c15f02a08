/* Compares a recorded configuration with what a placement policy predicts.
 *
 * Requires: limits; configurations in the order of recording, for the policy keeps its state from one to the next.
 * Provides: counts of what was predicted, permitted and fitting; how late blocks begin.
 * Source:   gpubound-validate(1); [HOPPER] P13 (times from a block's end to the next one's begin).
 * Fails:    never; a block that the model would not admit counts as inconsistent.
 */
#ifndef SIMULATE_JUDGE_H
#define SIMULATE_JUDGE_H

#include "simulate/delays.h"
#include "simulate/trace_replay.h"

struct counts {
	int64_t configurations, kernels, held;
	int64_t consistent, exact_set, exact_block; /* held kernels */
	int64_t blocks, blocks_consistent;
	int64_t permitted, fitting; /* SMs, summed over the blocks */
	int64_t round_robin_exact_set;
};

void counts_add(struct counts *counts, const struct counts *more);

/* The GPU, or a partition of its SMs, which is a machine of its own ([PARTITIONS]). */
struct judged {
	const uint64_t *members; /* NULL: all SMs */
	struct chip late, early; /* who surely has left is gone; who may have left is gone */
	struct placer placer, round_robin;
	int64_t last_decided; /* of the block before, in the configuration under way */
	struct judged *next;
};

struct judge {
	struct arena *arena;
	const struct sm_limits *limits;
	const struct replay_registers *registers;
	int64_t carveout;   /* for kernels of which the trace does not say it; NONE: the default preference */
	struct judged *all; /* those of which a kernel came so far */
	struct sm *saved;
	struct delays *delays; /* NULL: nobody asks */
	int64_t promised;      /* how late blocks may begin; NONE: nobody says */
};

void judge_init(struct judge *judge, struct arena *arena, const struct sm_limits *limits, const struct replay_registers *registers,
	int64_t carveout);
void judge_configuration(struct judge *judge, const struct trace_replay *replay, struct counts *counts);

#endif
