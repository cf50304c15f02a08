/* Amert et al., RTSS 2017: the kernels of figures 3, 5, 6, 7 and 8 run, and what the paper says it saw. */
#include "scene.h"
#include "unit/run.h"

#include <stdio.h>
#include <string.h>

#define SECONDS(s) ((int64_t)((s)*1000 + 0.5) * 1000000)

struct row {
	char experiment[16], kernel[16], stream[16], priority[16];
	double start, duration;
	long blocks, threads, shared, copy_in, copy_out;
};

static struct scene scene;
static char streams[SCENE_ITEMS][16], names[SCENE_ITEMS][16];

static int stream_of(const struct row *row)
{
	for (int s = 0; s < scene.set.stream_count; s++)
		if (strcmp(streams[s], row->stream) == 0)
			return s;
	strcpy(streams[scene.set.stream_count], row->stream);
	enum stream_kind kind = strcmp(row->stream, "NULL") == 0 ? STREAM_NULL : STREAM_BLOCKING;
	return scene_stream(&scene, 0, strcmp(row->priority, "high") == 0 ? 0 : 1, kind);
}

static void add(const struct row *row)
{
	int stream = stream_of(row);
	scene_task(&scene, SECONDS(row->start));
	if (row->copy_in > 0)
		scene_copy(&scene, stream, DIRECTION_H2D, row->copy_in);
	strcpy(names[scene.set.operation_count], row->kernel);
	struct operation *operation = scene_kernel(&scene, stream, row->blocks, row->threads, SECONDS(row->duration));
	operation->kernel.shared_static = row->shared;
	if (row->copy_out > 0)
		scene_copy(&scene, stream, DIRECTION_D2H, row->copy_out);
}

static void play(const char *experiment)
{
	char line[256];
	FILE *file = fopen(TABLES "/rtss2017.csv", "r");
	ck_assert_ptr_nonnull(file);
	memset(names, 0, sizeof names);
	scene_open(&scene, 2);
	scene_parameter(&scene, PARAMETER_SM_SHARED, 64 * 1024);
	scene_parameter(&scene, PARAMETER_SHARED_UNIT, 256);
	while (fgets(line, sizeof line, file) != NULL) {
		struct row row;
		if (sscanf(line, "%15[^,],%15[^,],%15[^,],%15[^,],%lf,%lf,%ld,%ld,%ld,%ld,%ld", row.experiment, row.kernel, row.stream,
			    row.priority, &row.start, &row.duration, &row.blocks, &row.threads, &row.shared, &row.copy_in,
			    &row.copy_out) == 11 &&
			strcmp(row.experiment, experiment) == 0)
			add(&row);
	}
	fclose(file);
	ck_assert_int_eq(scene_run(&scene), SIMULATE_DONE);
}

static int find(const char *kernel)
{
	for (int i = 0; i < SCENE_ITEMS; i++)
		if (strcmp(names[i], kernel) == 0)
			return i;
	ck_abort_msg("no kernel %s", kernel);
	return NO_ID;
}

/* So many blocks of the kernel began at this time, and so many of them on each SM (-1: any share). */
static void began(const char *kernel, double seconds, int blocks, int an_sm)
{
	int operation = find(kernel);
	ck_assert_msg(scene_blocks(&scene, operation, SECONDS(seconds), NO_ID) == blocks, "%s at %g s: %d blocks", kernel, seconds,
		scene_blocks(&scene, operation, SECONDS(seconds), NO_ID));
	for (int sm = 0; sm < 2 && an_sm >= 0; sm++)
		ck_assert_int_eq(scene_blocks(&scene, operation, SECONDS(seconds), sm), an_sm);
}

static int64_t copy_begin(const char *kernel)
{
	return scene_time(&scene, EVENT_BEGIN, find(kernel) + 1, 0);
}

START_TEST(figure_3)
{
	play("fig3");
	began("K1", 0, 4, 2); /* K4's blocks would fit beside them, but K1 is the head (X1) */
	began("K4", 0.2, 0, 0);
	began("K1", 1, 2, -1);
	began("K4", 1, 4, 2);
	began("K5", 1, 0, 0); /* the head now, but there is no shared memory left (R3) */
	began("K5", 2, 2, 1);
	began("K2", 2, 2, -1); /* enters when K1 is complete, and is dispatched at once */
	ck_assert_int_eq(copy_begin("K5"), SECONDS(3));
	ck_assert_int_gt(copy_begin("K2"), SECONDS(3)); /* behind K5's on the one copy engine */
	began("K6", 2.8, 2, -1);                        /* beside the copies */
	scene_close(&scene);
}
END_TEST

START_TEST(figure_5_null_stream)
{
	play("fig5");
	began("K1", 0, 4, 2);
	began("K1", 1, 2, 1);
	began("K2", 2, 1, -1); /* NULL: once K1 is complete (N1), though its blocks would fit at 1 s */
	began("K3", 3, 4, -1); /* launched after K2: waits for it (N2) */
	began("K4", 4, 4, -1);
	began("K5", 5, 1, -1); /* NULL: once K3 and K4 are complete */
	began("K6", 6, 2, -1);
	scene_close(&scene);
}
END_TEST

START_TEST(figure_6_starvation)
{
	play("fig6");
	began("K1", 0, 4, 2);
	for (int i = 0; i < 4; i++) {
		began("K2", 0.5 + 0.5 * i, 4, 2);
		began("K3", 2.5 + 0.5 * i, 4, 2);
	}
	began("K1", 4.5, 4, 2); /* the rest of the low-priority kernel comes last */
	scene_close(&scene);
}
END_TEST

START_TEST(figure_7_priorities)
{
	play("fig7");
	began("K1", 0, 4, 2);
	began("K3", 0.5, 4, 2);
	began("K3", 1, 4, 2);
	began("K1", 1.5, 4, 2);
	for (int i = 0; i < 2; i++) {
		began("K2", 2 + 0.5 * i, 4, 2); /* no priority is low priority: in order of launch */
		began("K4", 3 + 0.5 * i, 4, 2);
	}
	scene_close(&scene);
}
END_TEST

START_TEST(figure_8_no_cutting_ahead)
{
	play("fig8");
	began("K9", 0.7, 0, 0); /* fits, but high-priority K8 waits for 1024 threads on one SM (A2) */
	began("K9", 1, 0, 0);   /* K1 has ended on SM 0: 512 threads there, 512 on SM 1 */
	began("K8", 1.1, 1, -1);
	began("K9", 1.1, 1, -1);
	ck_assert_int_eq(scene_blocks(&scene, find("K8"), SECONDS(1.1), 1), 1);
	scene_close(&scene);
}
END_TEST

static Suite *suite_of_figures(void)
{
	Suite *suite = suite_create("rtss17");
	TCase *figures = tcase_create("figures");
	suite_add_tcase(suite, figures);
	tcase_add_test(figures, figure_3);
	tcase_add_test(figures, figure_5_null_stream);
	tcase_add_test(figures, figure_6_starvation);
	tcase_add_test(figures, figure_7_priorities);
	tcase_add_test(figures, figure_8_no_cutting_ahead);
	return suite;
}

int main(void)
{
	return run_suite(suite_of_figures());
}
