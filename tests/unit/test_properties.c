/* What must hold of the bounds of any system: more work, more jitter, shorter periods, more streams, fewer SMs never lower one; times a
 * factor k they are k times as great; the order in which streams are listed changes nothing. On drawn systems. */
#include "base/random.h"
#include "unit/run.h"
#include "unit/systems.h"

#define TASKS 4
#define OPERATIONS 3
#define SYSTEMS 150

struct drawn_operation {
	bool kernel;
	int64_t blocks, slots, wcet;
};

struct drawn_task {
	int64_t period, jitter;
	int level, operations;
	struct drawn_operation of[OPERATIONS];
};

struct drawn {                 /* a system as drawn, before it is built */
	int sms, tasks, first; /* first: that is listed; the others follow round */
	int64_t launch, block, dependency, scale;
	bool fungible, stops;
	struct drawn_task of[TASKS + 1];
};

static struct drawn draw_system(struct random *random)
{
	struct drawn drawn = {.sms = (int)random_between(random, 2, 4), .tasks = (int)random_between(random, 1, TASKS), .scale = 1};
	drawn.launch = random_between(random, 0, 2);
	drawn.block = random_between(random, 0, 1);
	drawn.dependency = random_between(random, 0, 2);
	drawn.fungible = random_chance(random, 50);
	drawn.stops = random_chance(random, 12);
	bool single = random_chance(random, 33);
	for (int i = 0; i <= TASKS; i++) {
		struct drawn_task *task = &drawn.of[i];
		*task = (struct drawn_task){random_between(random, 100, 400), random_between(random, 0, 30),
			(int)random_between(random, 0, 1), single ? 1 : (int)random_between(random, 1, OPERATIONS), {{0}}};
		for (int k = 0; k < OPERATIONS; k++)
			task->of[k] = (struct drawn_operation){single || random_chance(random, 67), random_between(random, 1, 6),
				random_between(random, 1, 2), random_between(random, 1, 8)};
	}
	return drawn;
}

static void build(struct system *s, const struct drawn *drawn)
{
	system_init(s, drawn->sms);
	system_parameter(s, PARAMETER_QUEUES_HARDWARE, 32);
	system_parameter(s, PARAMETER_OVERHEAD_LAUNCH, drawn->launch * drawn->scale);
	system_parameter(s, PARAMETER_OVERHEAD_BLOCK, drawn->block * drawn->scale);
	system_parameter(s, PARAMETER_OVERHEAD_DEPENDENCY, drawn->dependency * drawn->scale);
	s->platform.assumptions[ASSUMPTION_FRAG].status = drawn->fungible ? STATUS_HOLDS : STATUS_BROKEN;
	if (drawn->stops) {
		system_parameter(s, PARAMETER_STOPS_LENGTH, 5 * drawn->scale);
		system_parameter(s, PARAMETER_STOPS_DISTANCE, 90 * drawn->scale);
	}
	system_application(s, NONE);
	for (int i = 0; i < drawn->tasks; i++) {
		const struct drawn_task *task = &drawn->of[(i + drawn->first) % drawn->tasks];
		int stream = system_stream(s, 0, task->level);
		system_task(s, task->period * drawn->scale, task->jitter * drawn->scale);
		for (int k = 0; k < task->operations; k++) {
			const struct drawn_operation *of = &task->of[k];
			if (of->kernel)
				system_kernel(s, stream, of->blocks, of->slots, of->slots, of->wcet * drawn->scale);
			else
				system_operation(s, OPERATION_COPY, stream, 0, of->wcet * drawn->scale);
		}
	}
}

static void bounds_of(const struct drawn *drawn, int64_t bounds[TASKS + 1][BOUND_COUNT])
{
	struct system s;
	build(&s, drawn);
	struct response *r = system_analyze(&s);
	for (int i = 0; i < drawn->tasks; i++)
		for (int k = 0; k < BOUND_COUNT; k++)
			bounds[(i + drawn->first) % drawn->tasks][k] = system_bound(r, i, (enum bound)k);
	system_finish(&s);
}

/* No bound of any task is below what it was; NONE is above all. */
static void hold_not_below(const struct drawn *drawn, int64_t before[TASKS + 1][BOUND_COUNT], const char *what, int seed)
{
	int64_t after[TASKS + 1][BOUND_COUNT];
	bounds_of(drawn, after);
	for (int i = 0; i < drawn->tasks; i++)
		for (int k = 0; k < BOUND_COUNT; k++)
			ck_assert_msg(i >= TASKS || before[i][k] == 0 || after[i][k] >= before[i][k],
				"system %d: %s lowers %s of t%d from %lld to %lld", seed, what, bound_kinds[k].name, i,
				(long long)before[i][k], (long long)after[i][k]);
}

static void change_each_task(const struct drawn *drawn, int64_t before[TASKS + 1][BOUND_COUNT], int seed)
{
	for (int i = 0; i < drawn->tasks; i++) {
		struct drawn more = *drawn;
		more.of[i].jitter += 7;
		hold_not_below(&more, before, "jitter", seed);
		more = *drawn;
		more.of[i].period -= 9;
		hold_not_below(&more, before, "a shorter period", seed);
		for (int k = 0; k < drawn->of[i].operations; k++) {
			more = *drawn;
			more.of[i].of[k].blocks++;
			hold_not_below(&more, before, "a block", seed);
			more = *drawn;
			more.of[i].of[k].wcet++;
			hold_not_below(&more, before, "a longer block", seed);
		}
	}
}

START_TEST(monotone)
{
	for (int seed = 0; seed < SYSTEMS; seed++) {
		struct random random;
		random_seed(&random, (uint64_t)seed, 0);
		struct drawn drawn = draw_system(&random), more;
		int64_t before[TASKS + 1][BOUND_COUNT] = {{0}};
		bounds_of(&drawn, before);
		change_each_task(&drawn, before, seed);
		more = drawn;
		more.sms--;
		hold_not_below(&more, before, "one SM less", seed);
		more = drawn;
		more.dependency++;
		hold_not_below(&more, before, "o_dep", seed);
		more = drawn;
		more.tasks++;
		hold_not_below(&more, before, "one stream more", seed);
	}
}
END_TEST

/* P and FP have no division; what VOL rounds down to a ns is less then. What COV samples is finer, but it rounds down to samples of 1 ns,
 * too: up to one for each kernel of a task, of which there are two at most. */
static bool is_scaled(enum bound bound, int64_t before, int64_t after)
{
	if (before == NONE || after == NONE)
		return before == after;
	if (bound == BOUND_VOL_P || bound == BOUND_VOL_C)
		return after >= 1000 * before;
	return bound == BOUND_H || bound == BOUND_CHAIN ? after <= 1000 * (before + 2) : after == 1000 * before;
}

START_TEST(scaled)
{
	for (int seed = 0; seed < SYSTEMS; seed++) {
		struct random random;
		random_seed(&random, (uint64_t)seed, 0);
		struct drawn drawn = draw_system(&random);
		int64_t before[TASKS + 1][BOUND_COUNT], after[TASKS + 1][BOUND_COUNT];
		bounds_of(&drawn, before);
		drawn.scale = 1000;
		bounds_of(&drawn, after);
		for (int i = 0; i < drawn.tasks; i++)
			for (int k = 0; k < BOUND_COUNT; k++)
				ck_assert_msg(is_scaled((enum bound)k, before[i][k], after[i][k]),
					"system %d: %s of t%d is %lld, times 1000 %lld", seed, bound_kinds[k].name, i,
					(long long)before[i][k], (long long)after[i][k]);
	}
}
END_TEST

START_TEST(listed_in_any_order)
{
	for (int seed = 0; seed < SYSTEMS; seed++) {
		struct random random;
		random_seed(&random, (uint64_t)seed, 0);
		struct drawn drawn = draw_system(&random);
		int64_t before[TASKS + 1][BOUND_COUNT], after[TASKS + 1][BOUND_COUNT];
		bounds_of(&drawn, before);
		for (drawn.first = 1; drawn.first < drawn.tasks; drawn.first++) {
			bounds_of(&drawn, after);
			for (int i = 0; i < drawn.tasks; i++)
				for (int k = 0; k < BOUND_COUNT; k++)
					ck_assert_msg(before[i][k] == after[i][k], "system %d from %d on: %s of t%d %lld, %lld", seed,
						drawn.first, bound_kinds[k].name, i, (long long)before[i][k], (long long)after[i][k]);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("properties");
	TCase *cases = tcase_create("bounds");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, monotone);
	tcase_add_test(cases, scaled);
	tcase_add_test(cases, listed_in_any_order);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
