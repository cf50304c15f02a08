/* Hunts small systems of known phases against their exact worst cases: all states are visited, so that a bound that is a nanosecond too
 * small shows, also one that is so in a single order of what happens at one instant. The falsifier's own small systems (gpubound falsify
 * --exhaustive) have equal blocks and no overheads, several levels and tasks that share a stream at once too seldom for TT's special cases.
 *
 * usage: hunt_exact SYSTEMS SEED RUNS [PLANT] (RUNS is not used)
 *
 * Systems: one context, 1 to 3 tasks on 1 to 3 streams of 1 to 3 levels, 1 to 3 operations of up to 9 ns each, periods that are multiples
 * of one another, offsets up to three periods, overheads of 0 to 2 ns. Exit status 1: a bound is below the exact worst case; 2: TT had no
 * value in any system. */
#include "hunts.h"

#include "falsify/exact.h"
#include "falsify/yardstick.h"
#include "input/validate.h"
#include "model/draft.h"

#define STATES 60000

struct tally {
	int64_t followed, tasks, attained, least, below;
};

static int64_t small_number(struct draw *draw)
{
	return DRAW_AMONG(draw, 0, 0, 1, 2);
}

static void change_platform(struct platform *platform, struct draw *draw)
{
	bool none = draw_percent(draw, 50);
	generate_set(platform, PARAMETER_SM_COUNT, DRAW_AMONG(draw, 1, 1, 2, 3));
	generate_set(platform, PARAMETER_OVERHEAD_LAUNCH, none ? 0 : small_number(draw));
	generate_set(platform, PARAMETER_OVERHEAD_BLOCK, none ? 0 : small_number(draw));
	generate_set(platform, PARAMETER_OVERHEAD_DEPENDENCY, small_number(draw));
	generate_set(platform, PARAMETER_OVERHEAD_COPY, 0);
}

static void change_kernel(struct kernel *kernel, const struct platform *platform, struct draw *draw, bool single, int64_t threads)
{
	int64_t warps = draw_range(draw, 1, platform_value(platform, PARAMETER_SM_WARPS));
	kernel->blocks = kernel->grid[0] = single ? 1 : DRAW_AMONG(draw, 1, 1, 2, 3);
	kernel->threads = threads > 0 ? threads : warps * THREADS_A_WARP;
}

static void change_operations(struct taskset *set, const struct platform *platform, struct draw *draw)
{
	bool single = draw_percent(draw, 40), alike = draw_percent(draw, 50), exact = draw_percent(draw, 40);
	int64_t most = DRAW_AMONG(draw, 3, 5, 9), threads = platform_value(platform, PARAMETER_SM_WARPS) * THREADS_A_WARP;
	threads = alike ? DRAW_AMONG(draw, THREADS_A_WARP, threads) : 0;
	for (int i = 0; i < set->operation_count; i++) {
		struct operation *operation = &DRAFT(set->operations)[i];
		operation->wcet = draw_range(draw, 1, most);
		operation->bcet = exact ? operation->wcet : draw_range(draw, 0, operation->wcet);
		if (operation->kind == OPERATION_KERNEL)
			change_kernel(&operation->kernel, platform, draw, single, threads);
	}
}

static void change_tasks(struct taskset *set, struct draw *draw)
{
	int64_t base = draw_range(draw, 8, 33);
	bool jitter = draw_percent(draw, 40);
	int levels = (int)DRAW_AMONG(draw, 1, 2, 2, 3);
	for (int s = 0; s < set->stream_count; s++)
		DRAFT(set->streams)[s].level = (int)draw_range(draw, 0, levels - 1);
	for (int i = 0; i < set->task_count; i++) {
		struct task *task = &DRAFT(set->tasks)[i];
		task->arrival = (struct arrival){.kind = ARRIVAL_PERIODIC,
			.period = base * DRAW_AMONG(draw, 1, 1, 2, 3),
			.min_distance = NONE,
			.max_distance = NONE};
		task->arrival.jitter = jitter ? draw_range(draw, 0, checked_min(6, task->arrival.period)) : 0;
		task->offset =
			checked_min(120, draw_range(draw, 0, draw_percent(draw, 80) ? task->arrival.period : 3 * task->arrival.period));
	}
}

static struct falsify_case draw_case(struct arena *arena, uint64_t seed, uint64_t index)
{
	struct falsify_case drawn;
	struct draw draw = draw_start(seed ^ UINT64_C(0x6578616374), index);
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	uint64_t plain = index;
	while (generate_small_feature(seed, plain) != SMALL_PLAIN)
		plain += UINT64_C(1) << 32;
	drawn = generate_small(arena, seed, plain, 0);
	if (drawn.set == NULL)
		return drawn;
	change_platform(drawn.platform, &draw);
	change_operations(drawn.set, drawn.platform, &draw);
	change_tasks(drawn.set, &draw);
	return validate_taskset(drawn.platform, drawn.set, &diagnostics) ? drawn : (struct falsify_case){NULL, NULL};
}

static void show(const struct subject *subject, int64_t index, int task, enum bound bound, int64_t value, int64_t worst)
{
	struct output output = {0};
	printf("system %" PRId64 ": %s of %s is %" PRId64 ", its exact worst case %" PRId64 "\n", index, bound_kinds[bound].name,
		subject->set->tasks[task].id, value, worst);
	write_taskset(&output, subject->set, "./counterexample-platform.xml", NULL);
	write_platform(&output, subject->platform, NULL);
	fwrite(output.text, 1, output.length, stdout);
	output_finish(&output);
}

static void hold(struct tally *tally, const struct subject *subject, const struct exact_result *result, int64_t index)
{
	for (int i = 0; i < subject->set->task_count; i++)
		for (int b = 0; b < BOUND_COUNT; b++) {
			int64_t value = yardstick_value(subject, subject->response, i, b), worst = yardstick_worst(subject, result, i);
			if (value != NONE && value < worst && ++tally->below <= HUNTS_SHOWN)
				show(subject, index, i, (enum bound)b, value, worst);
			if (value == NONE || b != BOUND_TT)
				continue;
			tally->tasks++;
			tally->attained += value == worst;
			tally->least += value == yardstick_least(subject, subject->response, 0, i);
		}
}

static void hunt_system(struct tally *tally, struct exact *exact, uint64_t seed, int64_t index)
{
	struct arena *arena = arena_create();
	struct falsify_case drawn = draw_case(arena, seed, (uint64_t)index);
	struct subject subject;
	struct exact_result result;
	if (drawn.set != NULL) {
		subject_init(&subject, arena, drawn.platform, drawn.set);
		exact_run(exact, &result, arena, drawn.platform, drawn.set, subject.alone, STATES);
		if (result.refusal == NULL && !result.too_large) {
			tally->followed++;
			hold(tally, &subject, &result, index);
		}
	}
	arena_destroy(arena);
}

int main(int count, char **words)
{
	struct tally tally = {0};
	struct hunts_arguments arguments;
	if (!hunts_read(&arguments, count - 1, words + 1, "hunt_exact"))
		return 2;
	struct exact *exact = exact_create();
	for (int64_t i = 0; i < arguments.systems; i++)
		hunt_system(&tally, exact, arguments.seed, i);
	exact_destroy(exact);
	printf("%" PRId64 " systems followed, %" PRId64 " tasks with TT, %" PRId64 " attained, the least bound for %" PRId64 ", %" PRId64
	       " bounds below the exact worst case\n",
		tally.followed, tally.tasks, tally.attained, tally.least, tally.below);
	return tally.below > 0 ? 1 : tally.tasks == 0 ? 2 : 0;
}
