/* How long a bound on COV's samples takes at twelve kernels, by weights from a linear program and by the closed form, and how they compare.
 */
#include "bench.h"
#include "response/cover_weights.h"

#include <stdio.h>

#define KERNELS 12
#define TARGET_NS 1000000

/* Blocks of twelve kernels in as many streams: warps, registers in units of 256, shared memory in KiB, blocks of the grid, us a block. */
static const struct {
	int64_t warps, registers, shared, blocks, time;
} rows[KERNELS] = {{8, 32, 0, 24, 300}, {24, 96, 0, 8, 1000}, {20, 80, 8, 12, 700}, {32, 64, 0, 6, 1200}, {4, 16, 12, 64, 90},
	{16, 64, 16, 20, 400}, {12, 72, 0, 18, 500}, {28, 84, 4, 7, 1100}, {10, 40, 24, 15, 650}, {6, 48, 0, 40, 200}, {18, 54, 6, 9, 800},
	{14, 84, 2, 14, 350}};

static const int64_t capacity[RESOURCE_COUNT] = {64, 32, 256, 64};

struct work {
	struct arena *arena;
	struct packing packing;
	struct weigher weigher;
	struct samples samples;
	int64_t weights[PACKING_KERNELS];
	int turn;
};

static void fill(struct work *work, struct arena *arena)
{
	struct packing *packing = &work->packing;
	*packing = (struct packing){.arena = arena, .count = KERNELS};
	for (int r = 0; r < RESOURCE_COUNT; r++)
		packing->capacity[r] = capacity[r];
	for (int g = 0; g < GROUP_COUNT; g++)
		for (int r = 0; r < RESOURCE_COUNT; r++)
			packing->full[g][r] = NONE;
	for (int i = 0; i < KERNELS; i++) {
		const int64_t demand[RESOURCE_COUNT] = {rows[i].warps, 1, rows[i].registers, rows[i].shared};
		struct packed *kernel = &packing->kernels[i];
		*kernel = (struct packed){.class = i, .stream = i, .most = rows[i].blocks - (i == 0)};
		for (int r = 0; r < RESOURCE_COUNT; r++) {
			kernel->left[r] = demand[r];
			if (demand[r] == 0)
				continue;
			int64_t full = capacity[r] - demand[r] + 1;
			packing->full[GROUP_OTHERS][r] = checked_min(packing->full[GROUP_OTHERS][r], full);
			packing->full[GROUP_OWN][r] = i == 0 ? full : packing->full[GROUP_OWN][r];
		}
	}
}

static void count(struct work *work, int64_t delta)
{
	for (int i = 0; i < KERNELS; i++) {
		int64_t each = checked_div_ceil(rows[i].time, delta);
		work->samples.certain[i] = i == 0 ? (rows[i].blocks - 1) * each : 0;
		work->samples.carried[i] = i == 0 ? 0 : rows[i].blocks * each;
	}
}

/* Level 0: what one block takes of a full SM, in 2^-20. */
static void closed_form(void *context)
{
	struct work *work = context;
	for (int i = 0; i < KERNELS; i++) {
		int64_t most = 0;
		for (int g = i == 0 ? GROUP_OWN : GROUP_OTHERS; g < GROUP_COUNT; g++)
			for (int r = 0; r < RESOURCE_COUNT; r++)
				if (work->packing.full[g][r] != NONE)
					most = checked_max(most, checked_mul_div_ceil(work->packing.kernels[i].left[r], WEIGHTS_UNIT,
									 work->packing.full[g][r]));
		work->weights[i] = checked_min(most, WEIGHTS_UNIT);
	}
}

static void from_nothing(void *context)
{
	struct work *work = context;
	struct arena *arena = arena_create();
	fill(work, arena);
	weights_open(&work->weigher, &work->packing, &(struct lp_limits){0, 100000});
	weights_solve(&work->weigher, &work->samples, work->weights);
	weights_close(&work->weigher);
	arena_destroy(arena);
}

/* The numbers of samples change from one solution to the next, as they do from delta to delta and from window to window. */
static void again(void *context)
{
	static const int64_t deltas[] = {100, 90, 300, 1000, 150, 350};
	struct work *work = context;
	count(work, deltas[work->turn++ % 6]);
	weights_solve(&work->weigher, &work->samples, work->weights);
}

static double samples_of(const struct work *work)
{
	return (double)weights_total(&work->packing, &work->samples, work->weights) / (double)WEIGHTS_UNIT;
}

static void compare(struct work *work)
{
	count(work, 300);
	closed_form(work);
	double closed = samples_of(work);
	weights_solve(&work->weigher, &work->samples, work->weights);
	printf("cover, 12 kernels, delta 300 us: closed form %.1f full SMs, level 1 %.1f\n", closed, samples_of(work));
}

static bool run(struct work *work)
{
	struct arena *arena = arena_create();
	fill(work, arena);
	weights_open(&work->weigher, &work->packing, &(struct lp_limits){0, 100000});
	printf("cover, 12 kernels: %d minimal full configurations\n", work->weigher.configurations.count);
	compare(work);
	bool met = bench_run("cover, 12 kernels, level 1, changed numbers", TARGET_NS, again, work);
	weights_close(&work->weigher);
	arena_destroy(arena);
	return met;
}

int main(void)
{
	struct work work = {NULL};
	struct arena *arena = arena_create();
	count(&work, 300);
	bool met = bench_run("cover, 12 kernels, level 1, from nothing", 0, from_nothing, &work);
	met &= run(&work);
	fill(&work, arena);
	met &= bench_run("cover, 12 kernels, closed form", TARGET_NS, closed_form, &work);
	arena_destroy(arena);
	return met ? 0 : 1;
}
