/* The worked examples of [EXAMPLES] and of the review that are runs, and corners of the rules D1-D14. */
#include "run.h"
#include "scene.h"

#define WARPS(n) ((n)*THREADS_A_WARP)

static struct scene scene;

static int alone(int stream, int64_t start, int64_t blocks, int64_t threads, int64_t wcet)
{
	scene_task(&scene, start);
	scene_kernel(&scene, stream, blocks, threads, wcet);
	return scene.set.operation_count - 1;
}

static int plain_stream(void)
{
	return scene_stream(&scene, 0, 0, STREAM_NON_BLOCKING);
}

static void run_it(void)
{
	ck_assert_int_eq(scene_run(&scene), SIMULATE_DONE);
	ck_assert(scene.result.drained);
}

START_TEST(w4_graham_tight)
{
	scene_open(&scene, 3);
	alone(plain_stream(), 0, 6, WARPS(64), 1);
	int b = alone(plain_stream(), 0, 1, WARPS(64), 3);
	run_it();
	ck_assert_int_eq(scene.result.operations[b].response, 5);
	scene_close(&scene);
}
END_TEST

START_TEST(w5_head_of_line)
{
	scene_open(&scene, 2);
	int k1 = alone(plain_stream(), 0, 3, WARPS(40), 10), k2 = alone(plain_stream(), 0, 2, WARPS(32), 4);
	run_it();
	ck_assert_int_eq(scene_blocks(&scene, k1, 0, NO_ID), 2);
	ck_assert_int_eq(scene_blocks(&scene, k2, 10, NO_ID), 2);
	ck_assert_int_eq(scene.result.operations[k1].response, 20);
	ck_assert_int_eq(scene.result.operations[k2].response, 14);
	scene_close(&scene);
}
END_TEST

START_TEST(w6_drain_waste)
{
	static const int64_t durations[] = {20, 18, 20, 18, 20, 20, 1, 20, 20};
	scene_open(&scene, 2);
	int low = alone(scene_stream(&scene, 0, 1, STREAM_NON_BLOCKING), 0, 8, WARPS(32), 20);
	int high = alone(scene_stream(&scene, 0, 0, STREAM_NON_BLOCKING), 19, 1, WARPS(64), 1);
	scene.options.switches.chooser = CHOOSER_FIRST;
	scene.options.durations = (struct duration_options){DURATIONS_EXPLICIT, NULL, durations, 9};
	run_it();
	ck_assert_int_eq(scene.result.operations[low].response, 58);
	ck_assert_int_eq(scene.result.operations[high].response, 20);
	scene_close(&scene);
}
END_TEST

START_TEST(w8_shorter_block_longer_makespan)
{
	static const int64_t warps[] = {16, 64, 32, 32, 64}, durations[] = {3, 2, 1, 2, 1};
	for (int shortened = 0; shortened < 2; shortened++) {
		scene_open(&scene, 2);
		for (int i = 0; i < 5; i++)
			alone(plain_stream(), 0, 1, WARPS(warps[i]), i == 1 && shortened ? 1 : durations[i]);
		run_it();
		ck_assert_int_eq(scene.result.end, shortened ? 4 : 3);
		scene_close(&scene);
	}
}
END_TEST

START_TEST(w12_chain)
{
	scene_open(&scene, 2);
	scene.platform.engine_of[DIRECTION_H2D] = scene.platform.engine_of[DIRECTION_D2H] = 0;
	int s1 = plain_stream(), s2 = plain_stream();
	scene_task(&scene, 0);
	scene_copy(&scene, s1, DIRECTION_H2D, 3);
	scene_kernel(&scene, s1, 4, WARPS(32), 10);
	scene_copy(&scene, s1, DIRECTION_D2H, 2);
	scene_task(&scene, 0);
	scene_copy(&scene, s2, DIRECTION_H2D, 2);
	scene_kernel(&scene, s2, 2, WARPS(32), 6);
	scene_copy(&scene, s2, DIRECTION_D2H, 1);
	run_it();
	ck_assert_int_eq(scene.result.tasks[0].response, 15);
	ck_assert_int_eq(scene.result.tasks[1].response, 20); /* its copy after the other's, its kernel behind it, its copy out at 19 */
	scene_close(&scene);
}
END_TEST

START_TEST(w17_head_of_line_titan_v)
{
	scene_open(&scene, 80);
	int s1 = plain_stream();
	scene_task(&scene, 0);
	scene_kernel(&scene, s1, 161, 768, 500000000);
	scene_kernel(&scene, s1, 1, 256, 500000000);
	int k2 = alone(plain_stream(), 100000000, 1, 1024, 500000000), k4 = alone(plain_stream(), 200000000, 1, 512, 500000000);
	run_it();
	ck_assert_int_eq(scene_blocks(&scene, 0, 0, NO_ID), 160);
	ck_assert_int_eq(scene_blocks(&scene, 0, 500000000, NO_ID), 1);
	ck_assert_int_eq(scene_blocks(&scene, k2, 500000000, NO_ID), 1);
	ck_assert_int_eq(scene_blocks(&scene, k4, 500000000, NO_ID), 1);
	ck_assert_int_eq(scene_blocks(&scene, 1, 1000000000, NO_ID), 1);
	ck_assert_int_eq(scene.result.end, 1500000000);
	scene_close(&scene);
}
END_TEST

START_TEST(w18_all_at_once)
{
	scene_open(&scene, 8);
	for (int i = 0; i < 4; i++)
		alone(plain_stream(), 0, 8, WARPS(8), 1000000);
	run_it();
	ck_assert_int_eq(scene.result.end, 1000000);
	scene_close(&scene);
}
END_TEST

/* [SILICON] 7: with one SM taken by a memset, two of 132 blocks meet on one SM, and the kernel takes twice as long. */
START_TEST(same_sm_takes_twice)
{
	static int64_t curve[] = {1000, 2000};
	for (int beside = 0; beside < 2; beside++) {
		scene_open(&scene, 132);
		if (beside)
			alone(plain_stream(), 0, 1, WARPS(64), 1500);
		int victim = alone(plain_stream(), 0, 132, 1024, 2000);
		scene.operations[victim].kernel.curve = curve;
		scene.operations[victim].kernel.curve_count = 2;
		scene.options.durations.mode = DURATIONS_CURVE;
		run_it();
		ck_assert_int_eq(scene.result.operations[victim].response, beside ? 2000 : 1000);
		scene_close(&scene);
	}
}
END_TEST

/* [V1]: slices of 2 and 1, four blocks of 1, 2, 2, 2 on two slots; the other context, always with work, goes first. What
 * a slice leaves at its end decides: blocks that run end in the drain and no new one begins, all freeze, or kernels
 * complete (the other context's 100 blocks, too). */
START_TEST(v1_ends_of_slices)
{
	static const int64_t durations[] = {1, 1, 2, 2, 1, 2};
	static const int64_t ends[] = {[GRANULARITY_BLOCK] = 7, [GRANULARITY_INSTRUCTION] = 6, [GRANULARITY_KERNEL] = 103};
	for (enum granularity granularity = GRANULARITY_BLOCK; granularity <= GRANULARITY_KERNEL; granularity++) {
		scene_open(&scene, 1);
		scene.set.application_count = 2;
		scene.applications[0].timeslice = 2;
		scene.applications[1].timeslice = 1;
		scene.options.switches.granularity = granularity;
		scene.options.durations = (struct duration_options){DURATIONS_EXPLICIT, NULL, durations, 6};
		int kernel = alone(scene_stream(&scene, 0, 0, STREAM_NON_BLOCKING), 0, 4, WARPS(32), 2);
		alone(scene_stream(&scene, 1, 0, STREAM_NON_BLOCKING), 0, 100, WARPS(64), 1);
		run_it();
		ck_assert_int_eq(scene_end(&scene, kernel), ends[granularity]);
		scene_close(&scene);
	}
}
END_TEST

static Suite *suite_of_simulate(void)
{
	Suite *suite = suite_create("simulate");
	TCase *examples = tcase_create("examples");
	suite_add_tcase(suite, examples);
	tcase_add_test(examples, w4_graham_tight);
	tcase_add_test(examples, w5_head_of_line);
	tcase_add_test(examples, w6_drain_waste);
	tcase_add_test(examples, w8_shorter_block_longer_makespan);
	tcase_add_test(examples, w12_chain);
	tcase_add_test(examples, w17_head_of_line_titan_v);
	tcase_add_test(examples, w18_all_at_once);
	tcase_add_test(examples, same_sm_takes_twice);
	tcase_add_test(examples, v1_ends_of_slices);
	return suite;
}

int main(void)
{
	return run_suite(suite_of_simulate());
}
