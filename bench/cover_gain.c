/* What each level of COV gains over the closed form, on random task sets.
 *
 * usage: cover_gain [SETS [SEED]]    1000 sets of seed 1 unless said otherwise; the same numbers print the same table but for the times
 *
 * A set: 3 to 12 kernels of 1 to 32 warps, 16 to 96 registers and up to 48 KiB of shared memory, in 3 to 10 streams of one level, on 2 to
 * 20 SMs of compute capability 6.2; resources fungible, no overheads. For each kernel: the delay of its last block's dispatch plus that
 * block, by level 0, 1 and by ILP-COV with branch and bound; each level takes the least of its own and those before. For each task: the
 * analyser's least bound with level 0 alone and with all that it uses. */
#include "../tests/unit/platforms.h"
#include "base/derivation.h"
#include "falsify/draw.h"
#include "lp/branch.h"
#include "response/cover.h"
#include "response/response.h"
#include "response/segment.h"
#include "response/cover_weights.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_KERNELS 12
#define MOST_COLUMNS 3000
#define MOST_NODES 200

enum level { LEVEL_0, LEVEL_1, LEVEL_ILP, LEVEL_COUNT };
static const char *const level_labels[] = {"level 0, closed form", "level 1, LP over what fits", "ILP-COV, branch and bound"};

struct tally {
	long count, lower, better;
	double ratios, least;
	int64_t time; /* ns */
};

struct gain {
	struct tally levels[LEVEL_COUNT], tasks;
	long sets, skipped;
};

/* ---- a set */

struct drawn {
	struct arena *arena;
	struct platform platform;
	struct taskset set;
	struct application application;
	struct stream streams[MOST_KERNELS];
	struct task tasks[MOST_KERNELS];
	struct operation operations[MOST_KERNELS];
	struct origin origin;
};

static void draw_platform(struct drawn *d, struct draw *draw)
{
	static const enum parameter zero[] = {
		PARAMETER_OVERHEAD_LAUNCH, PARAMETER_OVERHEAD_BLOCK, PARAMETER_OVERHEAD_DEPENDENCY, PARAMETER_OVERHEAD_COPY};
	d->platform = make_platform(62);
	set_parameter(&d->platform, PARAMETER_SM_COUNT, DRAW_AMONG(draw, 2, 2, 4, 6, 8, 20));
	set_parameter(&d->platform, PARAMETER_QUEUES_HARDWARE, 32);
	set_parameter(&d->platform, PARAMETER_QUEUES_GRIDS, 32);
	for (size_t i = 0; i < sizeof zero / sizeof *zero; i++)
		set_parameter(&d->platform, zero[i], 0);
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		d->platform.assumptions[i].status = STATUS_ASSUMED;
	d->platform.per_sm_carveout = TERNARY_YES;
	d->platform.copy_runlist = COPY_RUNLIST_OWN;
	static struct interference_entry none = {.footprint = NONE, .source = INTERFERER_ALL, .count = NONE, .factor = {1, 1}};
	d->platform.interference = &none;
	d->platform.interference_count = 1;
	d->platform.composition = COMPOSITION_JOINT;
}

static void draw_kernel(struct drawn *d, struct draw *draw, int index, int stream)
{
	int64_t warps = draw_percent(draw, 50) ? draw_range(draw, 1, 32) : DRAW_AMONG(draw, 4, 8, 16, 20, 24, 32);
	int64_t shared = draw_percent(draw, 60) ? 0 : 1024 * draw_range(draw, 1, 48),
		sms = platform_value(&d->platform, PARAMETER_SM_COUNT);
	int64_t registers = checked_min(8 * draw_range(draw, 2, 12), 32768 / (32 * ((warps + 3) / 4 * 4)) / 8 * 8);
	int64_t blocks = draw_percent(draw, 50) ? draw_range(draw, 1, 2 * sms) : draw_range(draw, 1, 12 * sms);
	int64_t wcet = 1000 * draw_range(draw, 100, 5000);
	d->operations[index] = (struct operation){.id = arena_format(d->arena, "k%d", index),
		.kind = OPERATION_KERNEL,
		.stream = stream,
		.event = NO_ID,
		.wcet = wcet,
		.bcet = wcet / 2,
		.kernel = make_kernel(blocks, 32 * warps, registers, shared)};
}

static void draw_set(struct drawn *d, struct draw *draw)
{
	int kernels = (int)draw_range(draw, 3, MOST_KERNELS), streams = (int)draw_range(draw, 3, checked_min(10, kernels));
	d->application = (struct application){.id = "a", .timeslice = NONE};
	d->origin = (struct origin){.id = "o", .kind = ORIGIN_DECLARED, .source = "drawn", .by = "bench", .samples = NONE};
	for (int i = 0; i < streams; i++)
		d->streams[i] = (struct stream){.id = arena_format(d->arena, "s%d", i), .kind = STREAM_NON_BLOCKING};
	for (int i = 0; i < kernels; i++) {
		draw_kernel(d, draw, i, i < streams ? i : (int)draw_range(draw, 0, streams - 1));
		d->tasks[i] = (struct task){.id = arena_format(d->arena, "t%d", i),
			.arrival = {.period = 1000000 * draw_range(draw, 1000, 4000), .min_distance = NONE},
			.deadline = NONE,
			.offset = NONE,
			.first_operation = i,
			.operation_count = 1};
	}
	d->set = (struct taskset){.path = "drawn",
		.id = "drawn",
		.title = "drawn",
		.applications = &d->application,
		.application_count = 1,
		.streams = d->streams,
		.stream_count = streams,
		.tasks = d->tasks,
		.task_count = kernels,
		.operations = d->operations,
		.operation_count = kernels,
		.origins = &d->origin,
		.origin_count = 1};
}

/* ---- one kernel by every level */

static int64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void count_samples(
	const struct packing *packing, const struct cover *cover, const struct class *own, int64_t delta, struct samples *samples)
{
	*samples = (struct samples){{0}, {0}};
	for (int i = 0; i < packing->count; i++) {
		const struct class *class = &cover->classes->items[packing->kernels[i].class];
		int64_t each = checked_div_ceil(class->block, delta);
		samples->certain[i] = i == 0 ? (own->blocks - 1) * each : 0;
		samples->carried[i] = i == 0 ? 0 : class->blocks * each;
	}
}

static int64_t by_weights(struct weigher *weigher, const struct cover *cover, const struct class *own)
{
	int64_t least = NONE, weights[PACKING_KERNELS];
	for (int i = 0; i < cover->delta_count; i++) {
		struct samples samples;
		count_samples(weigher->packing, cover, own, cover->deltas[i], &samples);
		if (!weights_solve(weigher, &samples, weights))
			continue;
		int64_t total = weights_total(weigher->packing, &samples, weights);
		least = checked_min(least, checked_mul(cover->deltas[i], checked_div_floor(total, cover->sms * WEIGHTS_UNIT)));
	}
	return least;
}

/* Columns: configurations, then for each kernel of another stream whether it is the one; rows: kernels, streams. */
static struct lp program(const struct weigher *weigher, const struct samples *samples, struct arena *arena)
{
	const struct packing *packing = weigher->packing;
	struct lp lp;
	lp_init(&lp, arena);
	for (int c = 0; c < weigher->configurations.count; c++) {
		const unsigned char *blocks = &weigher->configurations.blocks[c * packing->count];
		int64_t most = NONE;
		for (int i = 0; i < packing->count; i++)
			if (blocks[i] > 0)
				most = checked_min(most, (samples->certain[i] + samples->carried[i]) / blocks[i]);
		lp_column(&lp, 1, most);
	}
	for (int i = 0; i < packing->count; i++) {
		int chosen = lp_column(&lp, 0, 1);
		lp_row(&lp, LP_AT_MOST, samples->certain[i]);
		for (int c = 0; c < weigher->configurations.count; c++)
			if (weigher->configurations.blocks[c * packing->count + i] > 0)
				lp_entry(&lp, c, weigher->configurations.blocks[c * packing->count + i]);
		if (samples->carried[i] > 0)
			lp_entry(&lp, chosen, -samples->carried[i]);
	}
	for (int i = 1; i < packing->count; i++) {
		if (packing->kernels[i - 1].stream != packing->kernels[i].stream)
			lp_row(&lp, LP_AT_MOST, 1);
		lp_entry(&lp, weigher->configurations.count + i, 1);
	}
	return lp;
}

static int64_t by_integers(const struct weigher *weigher, const struct cover *cover, const struct class *own, struct arena *arena)
{
	int64_t least = NONE;
	for (int i = 0; i < cover->delta_count; i++) {
		struct samples samples;
		count_samples(weigher->packing, cover, own, cover->deltas[i], &samples);
		if (cover->deltas[i] < 1000)
			continue; /* samples by the million: nothing is left of the integers */
		struct lp lp = program(weigher, &samples, arena);
		struct lp_integer bound = lp_branch(&lp, &(struct lp_limits){0, 10000}, MOST_NODES);
		least = checked_min(least, checked_mul(cover->deltas[i], checked_div_floor(bound.value, cover->sms)));
	}
	return least;
}

static void record(struct tally *tally, int64_t value, int64_t closed, int64_t time)
{
	double ratio = (double)value / (double)closed;
	tally->count++;
	tally->lower += value < closed;
	tally->ratios += ratio;
	tally->least = tally->count == 1 || ratio < tally->least ? ratio : tally->least;
	tally->time += time;
}

static void measure_kernel(struct gain *gain, struct cover *cover, int index, struct arena *arena)
{
	const struct class *own = &cover->classes->items[index];
	int64_t start = now(), least = cover_delay(cover, own, &cover->closed[index], 0, false), closed = least + own->block;
	int64_t times[LEVEL_COUNT] = {now() - start}, values[LEVEL_COUNT] = {closed};
	struct packing packing;
	struct weigher weigher;
	if (!packing_build(&packing, arena, cover->platform, cover->map, cover->classes, index))
		return;
	bool open = weights_open(&weigher, &packing, &(struct lp_limits){0, 100000});
	if (!open || weigher.configurations.count > MOST_COLUMNS) {
		gain->skipped++;
		if (open)
			weights_close(&weigher);
		return;
	}
	for (int level = LEVEL_1; level < LEVEL_COUNT; level++) {
		start = now();
		int64_t delay = level == LEVEL_ILP ? by_integers(&weigher, cover, own, arena) : by_weights(&weigher, cover, own);
		least = checked_min(least, delay);
		values[level] = least + own->block;
		times[level] = now() - start;
	}
	weights_close(&weigher);
	for (int level = 1; level < LEVEL_COUNT; level++)
		gain->levels[level].better += values[level] < values[level - 1];
	for (int level = 0; level < LEVEL_COUNT; level++)
		record(&gain->levels[level], values[level], closed, times[level]);
}

static void measure(struct gain *gain, struct drawn *d)
{
	struct derivation derivation;
	derivation_init(&derivation, d->arena);
	struct map *map = map_build(d->arena, &d->platform, &d->set);
	struct inflation *inflation = inflation_compute(d->arena, &d->platform, &d->set, map, &derivation);
	struct costs *costs = costs_compute(d->arena, &d->platform, &d->set, map, inflation, &derivation);
	struct runlist *runlist = dilation_build(d->arena, &d->platform, &d->set, costs, &derivation);
	struct segments *segments = segments_build(d->arena, &d->set, costs);
	const char *reason = NULL;
	uint64_t assumptions = 0;
	struct classes *classes = classes_build(d->arena, &d->platform, &d->set, costs, segments, runlist, 0, &reason, &assumptions);
	const struct supply alone = {.stop_length = NONE};
	struct cover *cover =
		reason != NULL ? NULL : cover_build(d->arena, &d->platform, &d->set, map, 0, classes, &alone, NONE - 1, false);
	if (cover == NULL) {
		fprintf(stderr, "a set without COV: %s\n", reason);
		return;
	}
	gain->sets++;
	for (int i = 0; i < classes->count; i++)
		measure_kernel(gain, cover, i, d->arena);
	struct response *closed = response_compute_limited(d->arena, &d->platform, &d->set, map, inflation, &derivation, 1, NULL);
	int64_t start = now();
	struct response *sharp = response_compute(d->arena, &d->platform, &d->set, map, inflation, &derivation);
	int64_t time = now() - start;
	for (int i = 0; i < d->set.task_count; i++)
		if (closed->tasks[i].response != NONE)
			record(&gain->tasks, sharp->tasks[i].response, closed->tasks[i].response, i == 0 ? time : 0);
}

static void print_row(const char *label, const struct tally *tally, long per)
{
	printf("| %-28s | %7.1f %% | %7ld | %9.3f | %9.3f | %12.1f us |\n", label, 100.0 * (double)tally->lower / (double)tally->count,
		tally->better, tally->ratios / (double)tally->count, tally->least, (double)tally->time / (double)per / 1000);
}

int main(int count, char **words)
{
	long sets = count > 1 ? strtol(words[1], NULL, 10) : 1000;
	uint64_t seed = count > 2 ? strtoull(words[2], NULL, 10) : 1;
	struct gain gain = {0};
	for (long i = 0; i < sets; i++) {
		struct draw draw = draw_start(seed, (uint64_t)i);
		struct drawn drawn = {.arena = arena_create()};
		draw_platform(&drawn, &draw);
		draw_set(&drawn, &draw);
		measure(&gain, &drawn);
		arena_destroy(drawn.arena);
	}
	printf("%ld sets of seed %llu, %ld kernels, %ld more with over %d configurations\n\n", gain.sets, (unsigned long long)seed,
		gain.levels[0].count, gain.skipped, MOST_COLUMNS);
	printf("| %-28s | %9s | %7s | %9s | %9s | %15s |\n|---|---|---|---|---|---|\n", "", "lower in", "than L-1", "mean", "least",
		"time");
	for (int level = 0; level < LEVEL_COUNT; level++)
		print_row(level_labels[level], &gain.levels[level], gain.levels[level].count);
	print_row("task, least bound", &gain.tasks, gain.sets);
	return gain.sets == 0;
}
