/* Hunts systems in which kernels pass one another while no room is left (A-FIT): H by COV's bypass form. The falsifier's own systems show
 * few of them, as only some have neither order nor another context.
 *
 * usage: hunt_bypass SYSTEMS SEED RUNS [PLANT]    RUNS 0: only what H gains over VOL-C
 *
 * Systems: one context, 2 to 6 streams of 1 to 3 levels, kernels of 1 to 6 blocks, 1 to 4 SMs, now and then copies, jitter, stops and large
 * overheads; A-FIT granted, A-HOL not, the rest or a part. Exit status 1: a bound was exceeded; 2: no system at all had H by A-FIT. */
#include "hunts.h"
#include "model/draft.h"

struct tally {
	int64_t drawn, passing, tasks, without, less;
	double ratios, least;
	struct attacks attacks;
	struct closeness h;
};

static void suit(struct platform *platform, struct draw *draw)
{
	bool little = draw_percent(draw, 70);
	for (int i = 0; i < HUNTS_OVERHEADS && little; i++)
		generate_set(platform, hunts_overheads[i], draw_range(draw, 0, 1));
	hunts_without_map(platform);
	generate_set(platform, PARAMETER_SM_COUNT, DRAW_AMONG(draw, 1, 1, 2, 2, 3, 4));
	generate_set(platform, PARAMETER_SM_WARPS, DRAW_AMONG(draw, 4, 6, 8, 12, 16));
	generate_set(platform, PARAMETER_SM_BLOCKS, DRAW_AMONG(draw, 2, 4, 16, 16));
	generate_set(platform, PARAMETER_SM_SUBPARTITIONS, 1);
	generate_set(platform, PARAMETER_SM_REGISTERS, 65536);
	generate_set(platform, PARAMETER_BLOCK_THREADS, 1024);
	hunts_queues(platform);
	if (draw_percent(draw, 80))
		hunts_without_stops(platform);
	hunts_assume(platform, draw, 100);
	platform->assumptions[ASSUMPTION_HOL].status = platform->assumptions[ASSUMPTION_ORDER].status = STATUS_UNSTATED;
	static const enum assumption parts[] = {ASSUMPTION_PRIO, ASSUMPTION_WC, ASSUMPTION_FRAG, ASSUMPTION_CE};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (draw_percent(draw, i < 2 ? 70 : 30))
			platform->assumptions[parts[i]].status = STATUS_UNSTATED;
}

/* Periods so long that something is bounded, and blocks of a tenth to all of an SM. */
static void suit_tasks(const struct platform *platform, struct taskset *set, struct draw *draw)
{
	int64_t warps = platform_value(platform, PARAMETER_SM_WARPS), longer = DRAW_AMONG(draw, 1, 1, 2, 3);
	for (int i = 0; i < set->operation_count; i++) {
		struct kernel *kernel = &DRAFT(set->operations)[i].kernel;
		if (set->operations[i].kind != OPERATION_KERNEL || kernel->scope != SCOPE_BLOCK)
			continue;
		kernel->threads = THREADS_A_WARP * draw_range(draw, 1, draw_percent(draw, 60) ? warps : checked_max(1, warps / 3));
		kernel->registers = 8;
		kernel->cache = CACHE_NONE;
		kernel->carveout = NONE;
		kernel->blocks = kernel->grid[0] = draw_range(draw, 1, 6);
	}
	for (int i = 0; i < set->task_count; i++)
		if (set->tasks[i].arrival.kind != ARRIVAL_CURVE)
			DRAFT(set->tasks)[i].arrival.period = checked_mul(set->tasks[i].arrival.period, longer);
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw)
{
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = DRAW_AMONG(draw, 3, 4, 6, 10, 60, 200),
		.applications = 1,
		.streams = (int)draw_range(draw, 2, 6),
		.levels = (int)draw_range(draw, 1, 3),
		.simple = draw_percent(draw, 60),
		.copies = draw_percent(draw, 25),
		.hosts = draw_percent(draw, 10),
		.jitter = draw_percent(draw, 30),
		.shared = draw_percent(draw, 15)};
	struct falsify_case drawn = hunts_case(arena);
	generate_platform(&profile, drawn.platform);
	suit(drawn.platform, draw);
	generate_taskset(&profile, drawn.platform, drawn.set);
	suit_tasks(drawn.platform, drawn.set, draw);
	return drawn;
}

static bool rests_on_fit(const struct bound_value *value)
{
	return value->value != NONE && (value->assumptions & assumption_bit(ASSUMPTION_FIT)) != 0;
}

static void compare(struct tally *tally, const struct bound_value *h, const struct bound_value *volume)
{
	tally->tasks++;
	if (volume->value == NONE) {
		tally->without++;
		return;
	}
	int64_t least = checked_min(h->value, volume->value);
	tally->less += h->value < volume->value;
	tally->ratios += (double)h->value / (double)volume->value;
	tally->least += (double)least / (double)volume->value;
}

static void hunt_system(struct tally *tally, uint64_t seed, int64_t index, int runs)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(seed, (uint64_t)index);
	struct falsify_case drawn = draw_case(arena, &draw);
	struct subject subject;
	struct hunt hunt;
	bool passing = false;
	subject_init(&subject, arena, drawn.platform, drawn.set);
	tally->drawn++;
	for (int i = 0; i < drawn.set->task_count; i++) {
		const struct bound_value *bounds = subject.response->tasks[i].bounds;
		if (!rests_on_fit(&bounds[BOUND_H]))
			continue;
		passing = true;
		compare(tally, &bounds[BOUND_H], &bounds[BOUND_VOL_C]);
	}
	tally->passing += passing;
	if (passing && runs > 0) {
		hunts_draw(&tally->attacks, &hunt, &subject, &draw, index, runs);
		for (int i = 0; i < drawn.set->task_count; i++)
			hunts_compare(&tally->h, &subject, &hunt, i, BOUND_H);
	}
	arena_destroy(arena);
}

int main(int count, char **words)
{
	struct tally tally = {.attacks.shows = true};
	struct hunts_arguments arguments;
	if (!hunts_read(&arguments, count - 1, words + 1, "hunt_bypass"))
		return 2;
	for (int64_t i = 0; i < arguments.systems; i++)
		hunt_system(&tally, arguments.seed, i, arguments.runs);
	double both = (double)checked_max(1, tally.tasks - tally.without);
	printf("%" PRId64 " systems, %" PRId64 " with H by A-FIT, %" PRId64 " runs\n"
	       "H of their tasks: %" PRId64 " seen, mean observed/bound %.3f, attained %" PRId64 "; %" PRId64 " violations\n"
	       "%" PRId64 " tasks: %" PRId64 " without VOL-C; of the others H is less for %" PRId64
	       ", mean H/VOL-C %.3f, mean of the less of the two to VOL-C %.3f\n",
		tally.drawn, tally.passing, tally.attacks.runs, tally.h.seen, hunts_mean(&tally.h), tally.h.attained,
		tally.attacks.violations, tally.tasks, tally.without, tally.less, tally.ratios / both, tally.least / both);
	return tally.attacks.violations > 0 ? 1 : tally.passing == 0 ? 2 : 0;
}
