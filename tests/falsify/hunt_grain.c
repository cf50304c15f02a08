/* Hunts for what happens between whole nanoseconds: each system is drawn, its bounds are held against the same system with all times a few
 * times as long, that is, run in halves, thirds or fifths of a nanosecond. And these may have no greater bounds: what follows from finer
 * time is true of coarse time. But for what rests on whole times of blocks ([WHOLE-NS]): VOL where no kernel has
 * scope grid, and COV, in H and CHAIN; and every bound beside threads on cores, as their times rest on the least of these bounds ([CORES]).
 *
 * usage: hunt_grain SYSTEMS SEED RUNS [PLANT]    RUNS 0: only the bounds of both are compared
 *
 * Systems: the falsifier's. Exit status 1: a bound was exceeded, or is greater in finer time; 2: no system was run. */
#include "hunts.h"

#include "input/validate.h"
#include "model/draft.h"

struct tally {
	int64_t systems, of[BOUND_COUNT];
	int64_t finer[BOUND_COUNT], excused[BOUND_COUNT]; /* greater in finer time */
	struct attacks attacks;
};

static void times(int64_t *value, int64_t factor)
{
	*value = checked_mul(*value, factor);
}

static void lengthen_operation(struct operation *operation, int64_t factor)
{
	times(&operation->wcet, factor);
	times(&operation->bcet, factor);
	times(&operation->span.longest, factor);
	for (int i = 0; i < operation->kernel.curve_count; i++)
		times(&DRAFT(operation->kernel.curve)[i], factor);
	for (int i = 0; i < operation->size_count; i++)
		times(&DRAFT(operation->sizes)[i].wcet, factor);
}

static void lengthen_task(struct task *task, int64_t factor)
{
	times(&task->arrival.period, factor);
	times(&task->arrival.jitter, factor);
	times(&task->arrival.min_distance, factor);
	times(&task->sched_runtime, factor), times(&task->sched_deadline, factor), times(&task->sched_period, factor);
	times(&task->arrival.max_distance, factor);
	times(&task->deadline, factor);
	times(&task->offset, factor);
	for (int i = 0; i < task->arrival.step_count; i++)
		times(&DRAFT(task->arrival.steps)[i].window, factor);
}

static void lengthen(struct falsify_case *of, int64_t factor)
{
	for (int i = 0; i < PARAMETER_COUNT; i++)
		if (of->platform->parameters[i].present && parameter_kinds[i].unit == UNIT_TIME)
			generate_set(of->platform, (enum parameter)i, checked_mul(of->platform->parameters[i].value, factor));
	for (int i = 0; i < of->set->application_count; i++)
		times(&DRAFT(of->set->applications)[i].timeslice, factor);
	for (int i = 0; i < of->set->operation_count; i++)
		lengthen_operation(&DRAFT(of->set->operations)[i], factor);
	for (int i = 0; i < of->set->hold_count; i++)
		times(&DRAFT(of->set->holds)[i].time, factor);
	for (int i = 0; i < of->set->core_count; i++)
		times(&DRAFT(of->set->cores)[i].blocking, factor), times(&DRAFT(of->set->cores)[i].submission, factor),
			times(&DRAFT(of->set->cores)[i].overrun, factor),
			times(&DRAFT(of->set->cores)[i].unit, of->set->cores[i].unit > 1 ? factor : 1);
	for (int i = 0; i < of->set->task_count; i++)
		lengthen_task(&DRAFT(of->set->tasks)[i], factor);
}

/* Has each context with kernels some of scope grid? */
static bool has_grids(const struct subject *subject)
{
	bool kernels[64] = {false}, grids[64] = {false}, all = true;
	for (int i = 0; i < subject->set->operation_count; i++) {
		const struct operation_cost *cost = &subject->costs->operations[i];
		if (cost->place == PLACE_EXECUTION && cost->context < 64) {
			kernels[cost->context] = true;
			grids[cost->context] |= cost->grid;
		}
	}
	for (int i = 0; i < 64; i++)
		all = all && kernels[i] == grids[i];
	return all;
}

static bool rests_on_whole_blocks(const struct subject *subject, int bound)
{
	if (bound == BOUND_VOL_P || bound == BOUND_VOL_C)
		return !has_grids(subject);
	return bound == BOUND_H || bound == BOUND_CHAIN || subject->set->core_count > 0;
}

/* The bounds of the coarse system are what the fine one is held against. */
static void compare(struct tally *tally, struct subject *fine, const struct subject *coarse, int64_t factor, int64_t index)
{
	for (int i = 0; i < coarse->set->task_count; i++)
		for (int b = 0; b < BOUND_COUNT; b++) {
			int64_t before = checked_mul(coarse->response->tasks[i].bounds[b].value, factor);
			int64_t *after = &fine->response->tasks[i].bounds[b].value;
			bool excused = rests_on_whole_blocks(coarse, b);
			if (before == NONE)
				continue;
			tally->of[b]++;
			if (*after > before && !excused && tally->finer[b]++ < HUNTS_SHOWN)
				printf("system %" PRId64 ": %s of %s is %" PRId64 " in time %" PRId64 " times as fine, where %" PRId64
				       " is allowed\n",
					index, bound_kinds[b].name, coarse->set->tasks[i].id, *after, factor, before);
			tally->excused[b] += *after > before && excused;
			*after = before;
		}
}

static void hunt_system(struct tally *tally, uint64_t seed, int64_t index, int runs)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(seed ^ UINT64_C(0x677261696e), (uint64_t)index);
	int64_t factor = DRAW_AMONG(&draw, 2, 3, 5);
	struct falsify_case coarse = generate_case(arena, seed, (uint64_t)index), fine = generate_case(arena, seed, (uint64_t)index);
	struct subject subject, before;
	struct hunt hunt;
	if (coarse.set != NULL) {
		lengthen(&fine, factor);
		subject_init(&before, arena, coarse.platform, coarse.set);
		subject_init(&subject, arena, fine.platform, fine.set);
		compare(tally, &subject, &before, factor, index);
		tally->systems++;
		if (runs > 0)
			hunts_draw(&tally->attacks, &hunt, &subject, &draw, index, runs);
	}
	arena_destroy(arena);
}

int main(int count, char **words)
{
	struct tally tally = {0};
	struct hunts_arguments arguments;
	if (!hunts_read(&arguments, count - 1, words + 1, "hunt_grain"))
		return 2;
	for (int64_t i = 0; i < arguments.systems; i++)
		hunt_system(&tally, arguments.seed, i, arguments.runs);
	int64_t finer = 0;
	printf("%" PRId64 " systems, %" PRId64 " runs, %" PRId64 " violations\n", tally.systems, tally.attacks.runs,
		tally.attacks.violations);
	for (int b = 0; b < BOUND_COUNT; b++) {
		printf("%s: of %" PRId64 " bounds %" PRId64 " are greater in finer time, %" PRId64 " that may be\n", bound_kinds[b].name,
			tally.of[b], tally.finer[b], tally.excused[b]);
		finer += tally.finer[b];
	}
	return tally.attacks.violations + finer > 0 ? 1 : tally.systems == 0 ? 2 : 0;
}
