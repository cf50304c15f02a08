/* The time of one block of a kernel, alone on its SM, from its program.
 *
 * Requires: a program and its platform.
 * Provides: an upper bound in cycles and, where the clock is known, in time. A warp issues in order, and its next instruction waits
 *           for the latency of the one before; a warp that is ready waits only while another warp's instruction keeps the unit or the
 *           issue slot; barriers release when all warps came.
 *           Chain: the warp that ends last, and before a barrier the warp that came last, never wait for anything but their own
 *           latencies and other warps' occupancy. Without barriers: chain + (W - 1) * others; with barriers that all warps pass in the
 *           same turns of all loops ("aligned") the chain changes warps only where the program is at the same place: chain + W * others,
 *           the chain without flow facts, which hold for one warp and not for a path pieced together. Else at any time some warp
 *           makes progress: W * chain.
 * Source:   Graham's argument for list schedules (theory.md 6.2); seeds 001 IV and 002; ipet.h, divergence.h.
 * Fails:    with diagnostics: false. One block alone: what co-resident blocks, caches and memory add is not in it, but for what the
 *           declared costs contain.
 */
#ifndef KERNEL_WCET_H
#define KERNEL_WCET_H

#include "kernel/closed_form.h"
#include "kernel/costs.h"
#include "kernel/ipet.h"

enum wcet_composition { WCET_FREE, WCET_ALIGNED, WCET_SERIAL };

struct wcet {
	struct flow flow;
	struct loops loops;
	struct divergence divergence;
	struct costs costs;
	int64_t warps;
	enum wcet_composition composition;
	struct ipet_result chain, others, pushes; /* latencies; occupancies; tokens of the stack, solved only where they may spill */
	int64_t chain_closed, others_closed;      /* by the closed form; NONE where a warp can split */
	int64_t chain_cycles, others_cycles;      /* the lesser of both, spills included */
	int64_t spill_cycles;
	int64_t cycles;
	int64_t time; /* ns, rounded up; NONE: no clock */
};

extern const char *const composition_texts[]; /* the formulas */

bool wcet_find(struct wcet *wcet, const struct program *program, const struct platform *platform, struct arena *arena,
	const struct lp_limits *limits, struct diagnostics *diagnostics);

#endif
