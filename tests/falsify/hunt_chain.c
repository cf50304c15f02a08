/* Hunts systems of chains in which a refinement lowers a bound, and says what it gains.
 *
 * usage: hunt_chain order|once|apart SYSTEMS SEED RUNS [PLANT]    RUNS 0: only the tables
 *
 * order: foreign operations in the order of their streams. once: what slows only some of the time, with factors of interference from 1
 * to 3. apart: of that only what slows a kernel's last wave. Systems: one context, 2 to 4 streams of 1 or 2 levels with a task each, some
 * with two, of 1 to 5 operations: kernels of 1 to 3 blocks (once: 1 to 9) and copies on two engines; 1 or 2 SMs, all assumptions granted,
 * overheads of 0 or 1 ns. Those in which nothing is lower are not run; small ones are run in all ways, too. Exit status 1: a bound was
 * exceeded; 2: nothing was ever lower. */
#include "../unit/platforms.h"
#include "hunts.h"
#include "base/refinement.h"
#include "response/analysis.h"
#include "model/draft.h"

#include <string.h>

#define MOST_OPERATIONS 5
#define MOST_TASKS 6

struct gain { /* of tasks with so many operations; bounds with the refinement, relative to those without */
	int64_t tasks, lower, least_lower, h_none;
	double ratios, h_ratios, least;
};

struct refined {                     /* one bound of all tasks, and the least */
	int64_t tasks, lower, alone; /* alone: without the refinement there is none */
	double ratios, least;
};

struct tally {
	bool once;
	int without;
	struct refined bounds[BOUND_COUNT + 1];
	struct gain gains[MOST_OPERATIONS + 1];
	int64_t drawn, lowered;
	struct attacks attacks;
	struct closeness chain;
};

/* One factor for everything at once, or one a source, composed. */
static void draw_factors(struct platform *platform, struct draw *draw, struct arena *arena, bool once)
{
	static const enum interferer blocks[] = {INTERFERER_SM, INTERFERER_TPC, INTERFERER_GPC, INTERFERER_OUT, INTERFERER_H2D,
		INTERFERER_D2H},
				     copies[] = {INTERFERER_EE, INTERFERER_H2D, INTERFERER_D2H};
	bool joint = !once || draw_percent(draw, 30);
	int block_count = joint ? 1 : 6, copy_count = joint ? 1 : 3;
	platform->composition = joint ? COMPOSITION_JOINT : hunts_composition(draw);
	platform->interference = arena_allocate(arena, (size_t)(block_count + copy_count), sizeof *platform->interference);
	for (int i = 0; i < block_count + copy_count; i++)
		DRAFT(platform->interference)
	[platform->interference_count++] = (struct interference_entry){.victim = ACCESS_ANY,
		.footprint = NONE,
		.source = joint             ? INTERFERER_ALL
			  : i < block_count ? blocks[i]
					    : copies[i - block_count],
		.count = NONE,
		.is_copy = i >= block_count,
		.factor = once ? rational_make(DRAW_AMONG(draw, 4, 5, 6, 8, 12), 4) : rational_of(1)};
}

static void draw_platform(struct platform *platform, struct draw *draw, struct arena *arena, bool once)
{
	*platform = make_platform(62);
	set_parameter(platform, PARAMETER_SM_COUNT, draw_range(draw, 1, 2));
	set_parameter(platform, PARAMETER_SM_WARPS, DRAW_AMONG(draw, 1, 2, 4));
	hunts_queues(platform);
	set_parameter(platform, PARAMETER_COPY_ENGINES, 2);
	bool overhead = draw_percent(draw, 30);
	for (int i = 0; i < HUNTS_OVERHEADS; i++)
		set_parameter(platform, hunts_overheads[i], overhead);
	hunts_assume(platform, draw, 100);
	platform->engine_source = "drawn";
	platform->engine_of[DIRECTION_H2D] = 0;
	platform->engine_of[DIRECTION_D2H] = 1;
	platform->per_sm_carveout = TERNARY_YES;
	platform->concurrent_kernels = TERNARY_YES;
	platform->copy_runlist = COPY_RUNLIST_OWN;
	draw_factors(platform, draw, arena, once);
}

static void draw_operation(struct operation *operation, struct draw *draw, int64_t scale, int stream, int64_t warps, int64_t blocks)
{
	int64_t wcet = draw_percent(draw, 50) ? 1 : draw_range(draw, 1, scale);
	*operation = (struct operation){.kind = OPERATION_KERNEL, .stream = stream, .event = NO_ID, .wcet = wcet};
	operation->bcet = draw_percent(draw, 60) ? wcet : draw_range(draw, 0, wcet);
	if (draw_percent(draw, 60)) {
		operation->kernel = make_kernel(blocks, THREADS_A_WARP * draw_range(draw, 1, warps), 8, 0);
		return;
	}
	operation->kind = OPERATION_COPY;
	operation->copy = (struct copy){.direction = draw_percent(draw, 50) ? DIRECTION_H2D : DIRECTION_D2H, .bytes = NONE};
}

static void draw_task(struct taskset *set, struct draw *draw, struct arena *arena, int stream, bool small, bool once, int64_t warps)
{
	struct task *task = &DRAFT(set->tasks)[set->task_count];
	int count = (int)(small ? draw_range(draw, 1, 3) : draw_range(draw, 1, MOST_OPERATIONS));
	int64_t scale = small ? 3 : DRAW_AMONG(draw, 4, 10, 30), work = 0;
	*task = (struct task){.id = arena_format(arena, "t%d", set->task_count),
		.deadline = NONE,
		.offset = NONE,
		.first_operation = set->operation_count,
		.operation_count = count};
	for (int i = 0; i < count; i++) {
		struct operation *operation = &DRAFT(set->operations)[set->operation_count++];
		int64_t blocks = once && !small ? draw_range(draw, 1, 9) : DRAW_AMONG(draw, 1, 1, 2, 3);
		draw_operation(operation, draw, scale, stream, warps, blocks);
		operation->id = arena_format(arena, "o%d", set->operation_count);
		work += operation->wcet * (operation->kind == OPERATION_KERNEL ? operation->kernel.blocks : 1);
	}
	task->arrival = (struct arrival){.period = work * set->stream_count * DRAW_AMONG(draw, 2, 4, 6, 8, 12, 20) / 4 + 1,
		.min_distance = NONE,
		.max_distance = NONE};
	if (draw_percent(draw, 20))
		task->arrival.jitter = draw_range(draw, 0, task->arrival.period);
	set->task_count++;
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool small, bool once)
{
	struct falsify_case drawn = hunts_case(arena);
	struct taskset *set = drawn.set;
	draw_platform(drawn.platform, draw, arena, once);
	hunts_one_context(arena, set, (int)draw_range(draw, 2, small ? 2 : 4), MOST_TASKS, MOST_TASKS * MOST_OPERATIONS);
	bool levels = draw_percent(draw, 25);
	for (int i = 0; i < set->stream_count && levels; i++)
		DRAFT(set->streams)[i].level = (int)draw_range(draw, 0, 1);
	for (int i = 0; i < set->stream_count; i++)
		draw_task(set, draw, arena, i, small, once, platform_value(drawn.platform, PARAMETER_SM_WARPS));
	if (!small && draw_percent(draw, 25))
		draw_task(set, draw, arena, 0, small, once, platform_value(drawn.platform, PARAMETER_SM_WARPS));
	return drawn;
}

/* ---- what it gains */

static int64_t least(const struct response_of *task)
{
	int64_t value = NONE;
	for (int i = 0; i < BOUND_COUNT; i++)
		value = checked_min(value, task->bounds[i].value);
	return value;
}

static void compare(struct gain *gain, const struct response_of *with, const struct response_of *without)
{
	int64_t chain = with->bounds[BOUND_CHAIN].value, before = without->bounds[BOUND_CHAIN].value, h = with->bounds[BOUND_H].value;
	if (chain == NONE || before == NONE)
		return;
	double ratio = (double)chain / (double)before;
	gain->tasks++;
	gain->lower += chain < before;
	gain->least_lower += least(with) < least(without);
	gain->ratios += ratio;
	gain->least = gain->least == 0 || ratio < gain->least ? ratio : gain->least;
	gain->h_none += h == NONE;
	gain->h_ratios += h == NONE ? 0 : (double)chain / (double)h;
}

static bool refine(struct refined *refined, int64_t with, int64_t without)
{
	double ratio = (double)with / (double)without;
	if (with == NONE)
		return false;
	refined->alone += without == NONE;
	if (without == NONE)
		return true;
	refined->tasks++;
	refined->lower += with < without;
	refined->ratios += ratio;
	refined->least = refined->least == 0 || ratio < refined->least ? ratio : refined->least;
	return with < without;
}

static bool is_lowered(struct tally *tally, const struct subject *subject)
{
	struct derivation derivation;
	bool lowered = false;
	derivation_init_mute(&derivation);
	refinements_leave_out(tally->without);
	struct response *without =
		response_compute(subject->arena, subject->platform, subject->set, subject->map, subject->inflation, &derivation);
	refinements_leave_out(0);
	for (int i = 0; i < subject->set->task_count; i++) {
		const struct response_of *mine = &subject->response->tasks[i], *other = &without->tasks[i];
		for (int j = 0; j < BOUND_COUNT; j++)
			lowered |= refine(&tally->bounds[j], mine->bounds[j].value, other->bounds[j].value);
		refine(&tally->bounds[BOUND_COUNT], least(mine), least(other));
		compare(&tally->gains[subject->set->tasks[i].operation_count], mine, other);
	}
	return lowered;
}

static void print_gains(const struct tally *tally)
{
	printf("operations    tasks  CHAIN lower  by the mean  best  least bound lower  CHAIN/H\n");
	for (int i = 1; i <= MOST_OPERATIONS; i++) {
		const struct gain *gain = &tally->gains[i];
		double tasks = gain->tasks == 0 ? 1 : (double)gain->tasks;
		printf("%10d %8" PRId64 " %10.1f %% %11.3f %5.2f %16.1f %% %8.3f\n", i, gain->tasks, 100 * (double)gain->lower / tasks,
			gain->ratios / tasks, gain->least, 100 * (double)gain->least_lower / tasks,
			gain->h_ratios / (gain->tasks == gain->h_none ? 1 : (double)(gain->tasks - gain->h_none)));
	}
}

static void print_bounds(const struct tally *tally)
{
	printf("bound       tasks   lower     mean  best  none without\n");
	for (int i = 0; i <= BOUND_COUNT; i++) {
		const struct refined *of = &tally->bounds[i];
		double tasks = of->tasks == 0 ? 1 : (double)of->tasks;
		printf("%-8s %8" PRId64 " %5.1f %% %8.3f %5.2f %13" PRId64 "\n", i == BOUND_COUNT ? "least" : bound_kinds[i].name,
			of->tasks, 100 * (double)of->lower / tasks, of->ratios / tasks, of->least, of->alone);
	}
}

/* ---- attacks */

static void hunt_system(struct tally *tally, uint64_t seed, int64_t index, int runs)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(seed, (uint64_t)index);
	bool small = draw_percent(&draw, 40);
	struct falsify_case drawn = draw_case(arena, &draw, small, tally->once);
	struct subject subject;
	struct hunt hunt;
	subject_init(&subject, arena, drawn.platform, drawn.set);
	tally->drawn++;
	bool lowered = is_lowered(tally, &subject);
	tally->lowered += lowered;
	if (lowered && runs > 0) {
		bool bad = hunts_draw(&tally->attacks, &hunt, &subject, &draw, index, runs);
		for (int i = 0; i < drawn.set->task_count; i++)
			hunts_compare(&tally->chain, &subject, &hunt, i, BOUND_CHAIN);
		if (!bad && small)
			hunts_exhaust(&tally->attacks, &hunt, &subject, index);
	}
	arena_destroy(arena);
}

int main(int count, char **words)
{
	struct tally tally = {0};
	struct hunts_arguments arguments;
	bool known = count > 1 && (strcmp(words[1], "order") == 0 || strcmp(words[1], "once") == 0 || strcmp(words[1], "apart") == 0);
	if (!hunts_read(&arguments, known ? count - 2 : 0, words + 2, "hunt_chain order|once|apart"))
		return 2;
	tally.once = strcmp(words[1], "order") != 0;
	tally.without = strcmp(words[1], "apart") == 0 ? REFINEMENT_APART
			: tally.once                   ? REFINEMENT_APART | REFINEMENT_ONCE
						       : REFINEMENT_ORDER;
	for (int64_t i = 0; i < arguments.systems; i++)
		hunt_system(&tally, arguments.seed, i, arguments.runs);
	if (!tally.once)
		print_gains(&tally);
	print_bounds(&tally);
	printf("%" PRId64 " systems, %" PRId64 " with lower bounds (%" PRId64 " of them in all ways), %" PRId64 " runs\n"
	       "CHAIN of their tasks: %" PRId64 " seen, mean observed/bound %.3f, attained %" PRId64 "; %" PRId64 " violations\n",
		tally.drawn, tally.lowered, tally.attacks.exhausted, tally.attacks.runs, tally.chain.seen, hunts_mean(&tally.chain),
		tally.chain.attained, tally.attacks.violations);
	return tally.attacks.violations > 0 ? 1 : tally.lowered == 0 ? 2 : 0;
}
