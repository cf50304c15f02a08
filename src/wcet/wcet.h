/* The time of one block of a kernel from its program, alone on its SM and beside other blocks.
 *
 * Requires: a program and its platform.
 * Provides: an upper bound in cycles and, where the clock is known, in time. A warp issues in order, and its next instruction waits
 *           for the latency of the one before; a warp that is ready waits only while another warp's instruction keeps the unit or the
 *           issue slot; barriers release when all warps came. Of W warps at most N = ceil(W / P) are in one of P sub-partitions where
 *           units are the sub-partitions'; else N = W.
 *           Chain: the warp that ends last, and before a barrier the warp that came last, never wait for anything but their own
 *           latencies and other warps' occupancy: all of it of warps of the same sub-partition ("others"), of the rest what they take of
 *           units that the SM shares ("shared"). Without barriers: chain + (N - 1) * others + (W - N) * shared; with barriers that all
 *           warps pass in the same turns of all loops ("aligned") the chain changes warps only where the program is at the same place:
 *           the same, paths without flow facts, which hold for one warp and not for a path pieced together; with some where N = W,
 *           chain + W * others, facts in others. Else at any time some warp makes progress: W * chain.
 *           Beside r - 1 more blocks of this or other kernels, whenever they begin and end, in whose places others may follow, the greater
 *           of two. Units serve older blocks first: each that began before delays the block by at most what its warps occupy, and of
 *           the younger ones an instruction that has begun may be in the way once an instruction. Units serve who has waited longest:
 *           each warp beside it is served before each of its instructions at most once, a turn. In both an instruction of its own or of
 *           an older block that takes the issue slot counts for at least as long as a younger one of another sub-partition may then
 *           keep the unit of the SM that the chain waits for ("crossed"); by age, if that is less, all that the younger ones can issue
 *           to such units in the time that the block takes is charged in place of it ("supply").
 *           Whatever the order, but beside blocks in whose places none follows: all that the others' warps occupy.
 * Source:   Graham's argument for list schedules ([KW]); seeds 001 IV and 002; ipet.h, divergence.h; [WCET].
 * Fails:    with diagnostics: false. What caches and memory add is not in it, but for what the declared costs contain.
 */
#ifndef WCET_WCET_H
#define WCET_WCET_H

#include "wcet/accesses.h"
#include "wcet/instruction_costs.h"
#include "wcet/ipet.h"
#include "wcet/loop_turns.h"
#include "wcet/shared_units.h"

enum wcet_composition { WCET_FREE, WCET_ALIGNED, WCET_SERIAL };

/* The greatest sum of some weight along a path. */
struct wcet_part {
	bool solved; /* else it is not needed */
	struct ipet_result program;
	int64_t cycles; /* the lesser of both, spills included */
};

/* What a block of some kernel on the same SM adds; NONE: beyond 64 bits. */
struct wcet_neighbour {
	int64_t by_age, by_turns; /* as the units serve older blocks first, or who has waited longest */
	int64_t blocking;         /* with by_age, once for all neighbours of the kernel; what `own` is included */
	int64_t own, turns_own; /* its instructions keep units of the SM from the block's warps while others of the block issue; in turns */
	/* As by_age and blocking, but for what younger blocks take behind an issue slot; that is then in `supply`, by instructions that
	 * are longer than any of the two kernels. */
	int64_t plain_age, plain_blocking;
	struct shared_units supply;
	/* For more than one: its kernel; how long its instructions keep such a unit, and its own do at least; its warps' instructions met
	 * in the chain's sub-partition; such turns of its warps along the chain; its warps there */
	const struct wcet *of;
	int64_t crossing, least, met, turn_crossed, near;
};

struct wcet {
	struct flow flow;
	struct loops loops;
	struct loop_turns turns;
	struct uniformity uniformity;
	struct accesses accesses;
	struct program *charged; /* with the sectors and passes that were found, and what the warp does not wait for */
	struct divergence divergence;
	struct instruction_costs costs;
	int64_t warps, near; /* near: in one sub-partition, at most */
	bool apart;          /* may there be more than one sub-partition? */
	enum wcet_composition composition;
	struct wcet_part chain, others, shared; /* shared: only where near < warps */
	struct wcet_part crossed;               /* others beside a block of this kernel, where that is more; [WCET-BESIDE] */
	struct wcet_part turn, turn_shared;     /* what one warp of another block of this kernel takes, where issue is fair */
	struct wcet_part pushes;                /* tokens of the stack, solved only where they may spill */
	int64_t spill_cycles;
	int64_t cycles;             /* alone */
	struct wcet_neighbour self; /* another block of this kernel */
	int64_t most;               /* blocks of this size that the warps and the slots of an SM can hold; NONE: not known */
	int64_t time;               /* ns, rounded up; NONE: no clock */
};

const char *wcet_formula(const struct wcet *wcet); /* how the bound is put together */

bool wcet_find(struct wcet *wcet, const struct program *program, const struct platform *platform, struct arena *arena,
	const struct lp_limits *limits, struct diagnostics *diagnostics);

/* With the costs that instructions have where the classes of other programs are on the SM as well; NULL: no others. */
bool wcet_find_among(struct wcet *wcet, const struct program *program, const bool *also, const struct platform *platform,
	struct arena *arena, const struct lp_limits *limits, struct diagnostics *diagnostics);

/* Beside other blocks, by whom the units serve first: the older block, or the warp that has waited longest. */
struct wcet_orders {
	int64_t age, turns;
};

/* With so many blocks of the kernel on the SM, itself included, the greater of both; and in ns, NONE: no clock, or beyond 64 bits. */
struct wcet_orders wcet_orders_resident(const struct wcet *wcet, int64_t blocks);
int64_t wcet_resident(const struct wcet *wcet, int64_t blocks);

/* Whoever is served first, with so many blocks of the kernel in all, before it, beside it or in their places, itself included. */
int64_t wcet_any_order(const struct wcet *wcet, int64_t blocks);

/* With so many at most of a launch's `grid` blocks on the SM at a time; in_turn: units serve by age or by waiting time. */
int64_t wcet_of_launch(const struct wcet *wcet, int64_t blocks, int64_t grid, bool in_turn);

/* What a launch of so many blocks takes in any order: of each block what it waits for its own latencies, and
 * what its warps keep; once what lines of constants take; what is left when its last block has come. [WCET-LAUNCH] */
struct wcet_launch {
	int64_t latency, work, once, last;
};
struct wcet_launch wcet_launch(const struct wcet *wcet, const struct platform *platform, int64_t grid);
int64_t wcet_time(int64_t cycles, const struct platform *platform);

/* What one block of another kernel on the same SM adds to one of this; the cycles beside all of these. */
struct wcet_neighbour wcet_neighbour_of(
	const struct wcet *wcet, const struct wcet *other, const struct lp_limits *limits, struct diagnostics *diagnostics);
struct wcet_orders wcet_orders_beside(const struct wcet *wcet, const struct wcet_neighbour *neighbours, int count);
int64_t wcet_beside(const struct wcet *wcet, const struct wcet_neighbour *neighbours, int count);
int64_t wcet_beside_any_order(const struct wcet *wcet, const struct wcet_neighbour *neighbours, int count); /* no others follow */

#endif
