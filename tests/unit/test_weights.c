/* Weights of blocks for COV: W7 of [EXAMPLES] with its table, and random SMs against every configuration there is. */
#include "lp/glpk.h"
#include "response/cover_weights.h"
#include "unit/run.h"

#include <stdlib.h>
#include <string.h>

static const struct lp_limits no_limits = {0, 0};

/* Kernels by hand: warps of a block, shared memory, blocks, stream, level; the first one waits. */
struct row {
	int64_t warps, shared, blocks;
	int stream, level;
	bool leave; /* all of its warps but one may have left */
};

struct bench {
	struct arena *arena;
	struct platform platform;
	struct map map;
	struct classes classes;
	struct class items[PACKING_KERNELS];
	struct kernel_map kernels[PACKING_KERNELS];
	int *of_stream[PACKING_KERNELS], of_stream_count[PACKING_KERNELS];
	struct packing packing;
};

static void set(struct platform *platform, enum parameter parameter, int64_t value)
{
	platform->parameters[parameter] = (struct quantity){.present = true, .value = value};
}

static bool bench_open(struct bench *bench, const struct row *rows, int count, int64_t warps, int64_t blocks, int64_t shared)
{
	memset(bench, 0, sizeof *bench);
	bench->arena = arena_create();
	set(&bench->platform, PARAMETER_SM_WARPS, warps);
	set(&bench->platform, PARAMETER_SM_BLOCKS, blocks);
	set(&bench->platform, PARAMETER_SM_SHARED, shared);
	set(&bench->platform, PARAMETER_SHARED_UNIT, 1);
	bench->map.kernels = bench->kernels;
	bench->classes = (struct classes){
		.items = bench->items, .count = count, .of_stream = bench->of_stream, .of_stream_count = bench->of_stream_count};
	for (int i = 0; i < count; i++) {
		int stream = rows[i].stream;
		bench->items[i] = (struct class){.operation = i,
			.stream = stream,
			.level = rows[i].level,
			.place = PLACE_EXECUTION,
			.blocks = rows[i].blocks,
			.block = 1};
		bench->kernels[i].occupancy.demand =
			(struct demand){.warps = rows[i].warps, .staying = rows[i].leave ? 1 : rows[i].warps, .shared = rows[i].shared};
		int64_t by_shared = rows[i].shared == 0 ? blocks : shared / rows[i].shared;
		bench->kernels[i].occupancy.greatest =
			checked_min(checked_min(blocks, by_shared), rows[i].leave ? warps - rows[i].warps + 1 : warps / rows[i].warps);
		if (bench->of_stream[stream] == NULL)
			bench->of_stream[stream] = arena_allocate(bench->arena, PACKING_KERNELS, sizeof(int));
		bench->of_stream[stream][bench->of_stream_count[stream]++] = i;
		bench->classes.stream_count = stream >= bench->classes.stream_count ? stream + 1 : bench->classes.stream_count;
	}
	return packing_build(&bench->packing, bench->arena, &bench->platform, &bench->map, &bench->classes, 0);
}

/* ---- W7: an SM of 64 warps, A of 24 in 4 blocks, B of 20 in 12; heads A and B; a kernel like B waits with a single block */

static const struct row w7[] = {{20, 0, 1, 0, 0, false}, {24, 0, 4, 1, 0, false}, {20, 0, 12, 2, 0, false}};
static const struct samples w7_samples = {{0}, {0, 4, 12}};

static bool has(const struct configurations *found, int a, int b)
{
	for (int i = 0; i < found->count; i++)
		if (found->blocks[3 * i] == 0 && found->blocks[3 * i + 1] == a && found->blocks[3 * i + 2] == b)
			return true;
	return false;
}

START_TEST(W7_table)
{
	struct bench bench;
	struct weigher weigher;
	int64_t weights[PACKING_KERNELS];
	ck_assert(bench_open(&bench, w7, 3, 64, 32, 1));
	ck_assert(weights_open(&weigher, &bench.packing, &no_limits));
	ck_assert_int_eq(weigher.configurations.count, 3);
	ck_assert(has(&weigher.configurations, 2, 0) && has(&weigher.configurations, 1, 1) && has(&weigher.configurations, 0, 3));
	ck_assert(weights_solve(&weigher, &w7_samples, weights));
	ck_assert_int_eq(weights_total(&bench.packing, &w7_samples, weights) / WEIGHTS_UNIT, 6);
	ck_assert_int_eq(weights_finish(&weigher, &w7_samples, weights), 3);
	ck_assert(weights[1] == 2 && weights[2] == 1); /* pi = (2/3, 1/3), 20/3 samples weighed */
	ck_assert_int_eq(weights_total(&bench.packing, &w7_samples, weights), 20);
	weights_close(&weigher);
	arena_destroy(bench.arena);
}
END_TEST

/* (2/3, 1/3) is valid; (3/5, 3/10) weighs 9/10 somewhere and (1/2, 1/2) is valid, too. */
static const struct {
	int64_t a, b, unit, lightest;
} w7_weights[] = {{2, 1, 3, 3}, {6, 3, 10, 9}, {1, 1, 2, 2}, {24, 20, 41, 44}, {0, 0, 1, 0}, {5, 0, 5, 0}};

START_TEST(W7_certificates)
{
	struct bench bench;
	struct weigher weigher;
	unsigned char blocks[PACKING_KERNELS];
	ck_assert(bench_open(&bench, w7, 3, 64, 32, 1));
	weights_open(&weigher, &bench.packing, &no_limits);
	int64_t weights[] = {0, w7_weights[_i].a, w7_weights[_i].b};
	ck_assert_int_eq(weights_lightest(&weigher, weights, blocks), w7_weights[_i].lightest);
	weights_close(&weigher);
	arena_destroy(bench.arena);
}
END_TEST

/* ILP-COV of ilp_cov_example: 6 disjoint full configurations; the certified bound on it is the linear program's, rounded down. */
START_TEST(W7_integer_program)
{
	static const int64_t factors[2][3] = {{2, 1, 0}, {0, 1, 3}}, right[] = {4, 12};
	struct arena *arena = arena_create();
	struct lp lp;
	lp_init(&lp, arena);
	for (int i = 0; i < 3; i++)
		lp_column(&lp, 1, 16);
	for (int i = 0; i < 2; i++) {
		lp_row(&lp, LP_AT_MOST, right[i]);
		for (int j = 0; j < 3; j++)
			lp_entry(&lp, j, factors[i][j]);
	}
	ck_assert_int_eq(lp_bound(&lp, &no_limits).value, 6);
	arena_destroy(arena);
}
END_TEST

/* ---- random SMs */

struct all { /* tries every configuration, without any of the packing's short cuts */
	const struct bench *bench;
	const struct row *rows;
	const int64_t *weights;
	int count;
	int64_t capacity[3], lightest;
	int64_t blocks[PACKING_KERNELS];
};

static bool has_room(const struct all *all, const int64_t *used, int head)
{
	const int64_t next[] = {all->rows[head].warps, 1, all->rows[head].shared};
	for (int r = 0; r < 3; r++)
		if (used[r] + next[r] > all->capacity[r])
			return false;
	return true;
}

static bool may_head(const struct all *all, int head)
{
	if (head == 0)
		return true;
	if (all->rows[head].stream == all->rows[0].stream)
		return false;
	return all->blocks[0] > 0 ? all->rows[head].level < all->rows[0].level : all->rows[head].level <= all->rows[0].level;
}

static int64_t weigh_all(const struct all *all)
{
	int64_t sum = 0;
	for (int i = 0; i < all->count; i++) {
		int number = NO_ID;
		for (int k = 0; k < all->bench->packing.count; k++)
			number = all->bench->packing.kernels[k].class == i ? k : number;
		sum += number == NO_ID ? 0 : all->blocks[i] * all->weights[number];
	}
	return sum;
}

static void try_all(struct all *all, int from)
{
	int64_t used[3] = {0, 0, 0}, there[3] = {0, 0, 0}; /* with all their warps, with what is left of them at least */
	for (int i = 0; i < all->count; i++) {
		const struct row *row = &all->rows[i];
		const int64_t each[] = {row->warps, 1, row->shared}, left[] = {row->leave ? 1 : row->warps, 1, row->shared};
		for (int r = 0; r < 3; r++) {
			used[r] += all->blocks[i] * each[r];
			there[r] += all->blocks[i] * left[r];
		}
	}
	for (int r = 0; r < 3; r++)
		if (there[r] > all->capacity[r])
			return;
	if (from < all->count) {
		bool taken = all->rows[from].stream == all->rows[0].stream && from > 0;
		for (int i = 0; i < from; i++)
			taken |= all->blocks[i] > 0 && all->rows[i].stream == all->rows[from].stream;
		int64_t most = taken ? 0 : from == 0 ? all->rows[0].blocks - 1 : all->rows[from].blocks;
		for (all->blocks[from] = 0; all->blocks[from] <= most; all->blocks[from]++)
			try_all(all, from + 1);
		all->blocks[from] = 0;
		return;
	}
	for (int head = 0; head < all->count; head++)
		if (may_head(all, head) && !has_room(all, used, head))
			all->lightest = checked_min(all->lightest, weigh_all(all));
}

static int64_t lightest_of_all(
	const struct bench *bench, const struct row *rows, int count, const int64_t *weights, const int64_t *capacity)
{
	struct all all = {.bench = bench, .rows = rows, .weights = weights, .count = count, .lightest = NONE};
	memcpy(all.capacity, capacity, sizeof all.capacity);
	try_all(&all, 0);
	return all.lightest;
}

static int draw_rows(struct row *rows, const int64_t *capacity)
{
	int count = 2 + rand() % 4, streams = 2 + rand() % 4;
	for (int i = 0; i < count; i++) {
		rows[i] = (struct row){1 + rand() % capacity[0], rand() % 2 * (1 + rand() % capacity[2]), 1 + rand() % 5, rand() % streams,
			0, rand() % 3 == 0};
		if (i == 0)
			rows[i].stream = 0;
		rows[i].level = rows[i].stream % 3;
	}
	if (rand() % 3 == 0)
		rows[0].blocks = 1;
	return count;
}

static void check_finished(struct weigher *weigher, const struct bench *bench, const struct row *rows, int count, const int64_t *capacity)
{
	struct samples samples = {{0}, {0}};
	int64_t weights[PACKING_KERNELS];
	for (int i = 0; i < bench->packing.count; i++) {
		samples.certain[i] = i == 0 || rand() % 3 == 0 ? rand() % 50 : 0;
		samples.carried[i] = i == 0 ? 0 : rand() % 50;
	}
	ck_assert(weights_solve(weigher, &samples, weights));
	ck_assert_int_ge(lightest_of_all(bench, rows, count, weights, capacity), WEIGHTS_UNIT);
	int64_t before = weights_total(&bench->packing, &samples, weights), unit = weights_finish(weigher, &samples, weights);
	ck_assert_int_ge(lightest_of_all(bench, rows, count, weights, capacity), unit);
	ck_assert_int_le(weights_total(&bench->packing, &samples, weights) * WEIGHTS_UNIT, before * unit + before * unit / 4096);
	for (int i = 0; i < bench->packing.count; i++) {
		if (weights[i] == 0)
			continue;
		weights[i]--;
		ck_assert_int_lt(lightest_of_all(bench, rows, count, weights, capacity), unit);
		weights[i]++;
	}
}

/* What a solver might say: anything. */
static void check_garbage(
	const struct weigher *weigher, const struct bench *bench, const struct row *rows, int count, const int64_t *capacity)
{
	int64_t weights[PACKING_KERNELS];
	for (int i = 0; i < bench->packing.count; i++)
		weights[i] = rand() % 4 == 0 ? 0 : rand() % (WEIGHTS_UNIT + 1);
	if (weights_raise(weigher, weights))
		ck_assert_int_ge(lightest_of_all(bench, rows, count, weights, capacity), WEIGHTS_UNIT);
}

START_TEST(random_sms)
{
	int tried = 0;
	srand(5);
	for (int i = 0; i < 1500; i++) {
		struct bench bench;
		struct weigher weigher;
		struct row rows[PACKING_KERNELS];
		int64_t capacity[] = {2 + rand() % 11, 1 + rand() % 8, 1 + rand() % 12};
		int count = draw_rows(rows, capacity);
		if (!bench_open(&bench, rows, count, capacity[0], capacity[1], capacity[2])) {
			arena_destroy(bench.arena);
			continue;
		}
		ck_assert(weights_open(&weigher, &bench.packing, &no_limits));
		check_finished(&weigher, &bench, rows, count, capacity);
		check_garbage(&weigher, &bench, rows, count, capacity);
		int64_t weights[PACKING_KERNELS];
		unsigned char blocks[PACKING_KERNELS];
		for (int k = 0; k < bench.packing.count; k++)
			weights[k] = 1 + rand() % 100;
		ck_assert_int_eq(weights_lightest(&weigher, weights, blocks), lightest_of_all(&bench, rows, count, weights, capacity));
		tried++;
		weights_close(&weigher);
		arena_destroy(bench.arena);
	}
	ck_assert_int_gt(tried, 1000);
}
END_TEST

/* A solver that gets no iterations says nothing that is used. */
START_TEST(stopped)
{
	struct bench bench;
	struct weigher weigher;
	int64_t weights[PACKING_KERNELS];
	ck_assert(bench_open(&bench, w7, 3, 64, 32, 1));
	weights_open(&weigher, &bench.packing, &(struct lp_limits){0, 1});
	ck_assert(!weights_solve(&weigher, &w7_samples, weights));
	weights_close(&weigher);
	arena_destroy(bench.arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("weights");
	TCase *tests = tcase_create("weights");
	tcase_add_test(tests, W7_table);
	tcase_add_loop_test(tests, W7_certificates, 0, (int)(sizeof w7_weights / sizeof *w7_weights));
	tcase_add_test(tests, W7_integer_program);
	tcase_add_test(tests, random_sms);
	tcase_add_test(tests, stopped);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
