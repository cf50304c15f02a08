/* The machine's placement: the rules of sub-partitions case by case, and the quick structures against slow ones on random runs. */
#include "papers/chips.h"
#include "unit/run.h"

#include <string.h>

static uint64_t random_state;

static int draw(int from, int to)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return from + (int)((random_state >> 33) % (uint64_t)(to - from + 1));
}

static const struct built hopper_sm = {.sms = 5,
	.warps = 64,
	.blocks = 32,
	.parts = 4,
	.registers = 65536,
	.register_unit = 256,
	.shared = 228 * 1024,
	.shared_unit = 128,
	.placement = PLACEMENT_MOST_ROOM};

static void open(struct bench *bench, const struct allocation_options *options)
{
	struct bench plain;
	bench_open(&plain, &hopper_sm);
	bench_open_platform(bench, plain.platform, plain.arena, options);
}

/* [HOPPER] P4: residents of so many warps, and the room they leave for w warps. */
static const struct {
	int residents[4], warps, room;
} fragments[] = {
	{{1, 12}, 17, 2},
	{{13}, 17, 3},
	{{2, 12}, 25, 1},
	{{1, 12}, 25, 2},
	{{10, 4, 19}, 31, 0},
	{{10, 19}, 31, 1},
	{{2, 8}, 6, 8},
	{{0}, 6, 10},
};

START_TEST(sub_partitions)
{
	struct bench bench;
	struct sm *sm;
	struct shape shapes[5];
	open(&bench, NULL);
	sm = &bench.chip.sms[0];
	for (int i = 0; i < 4 && fragments[_i].residents[i] > 0; i++) {
		struct kernel kernel = bench_kernel(1, 32 * fragments[_i].residents[i]);
		ck_assert(shape_init(&shapes[i], &bench.limits, &kernel));
		ck_assert_int_ge(sm_take(sm, &bench.limits, &shapes[i]), 0);
	}
	struct kernel kernel = bench_kernel(1, 32 * fragments[_i].warps);
	ck_assert(shape_init(&shapes[4], &bench.limits, &kernel));
	ck_assert_int_eq(sm_room(sm, &bench.limits, &shapes[4]), fragments[_i].room);
	bench_close(&bench);
}
END_TEST

static struct kernel random_kernel(void)
{
	struct kernel kernel = bench_kernel(draw(1, 40), draw(1, 1024));
	kernel.registers = draw(0, 1) ? draw(16, 64) : NONE;
	kernel.shared_dynamic = draw(0, 1) ? draw(0, 60000) : 0;
	return kernel;
}

/* What sm_room promises is what sm_take gives, one block after the other, however memory is allocated. */
START_TEST(room_is_kept)
{
	const struct allocation_options options[] = {{ALLOCATION_PARTITIONS, ALLOCATION_FUNGIBLE},
		{ALLOCATION_FUNGIBLE, ALLOCATION_FIRST_FIT}, {ALLOCATION_FIRST_FIT, ALLOCATION_BEST_FIT},
		{ALLOCATION_WORST_FIT, ALLOCATION_WORST_FIT}, {ALLOCATION_FUNGIBLE, ALLOCATION_FUNGIBLE}};
	struct bench bench;
	struct shape shapes[200];
	int count = 0, taken = 0;
	random_state = (uint64_t)_i;
	open(&bench, &options[_i]);
	struct sm *sm = &bench.chip.sms[0];
	while (count < 200) {
		struct kernel kernel = random_kernel();
		if (!shape_init(&shapes[count], &bench.limits, &kernel))
			continue;
		const struct shape *shape = &shapes[count++];
		int room = sm_room(sm, &bench.limits, shape), slot = 0;
		for (int i = 0; i < draw(1, 4) && (slot = sm_take(sm, &bench.limits, shape)) >= 0; i++, taken++) {
			ck_assert_int_ge(room, 1);
			ck_assert_int_eq(sm_room(sm, &bench.limits, shape), --room);
		}
		if (slot < 0)
			ck_assert_int_eq(room, 0);
		for (int s = 0; s < bench.limits.blocks; s++)
			if ((sm->slots_free >> s & 1) == 0 && draw(0, 3) == 0)
				sm_release(sm, &bench.limits, s);
	}
	ck_assert_int_gt(taken, 100);
	bench_close(&bench);
}
END_TEST

/* Contiguous pieces: five of 45 KB, the second and fourth leave; 93 KB are free, and 81 KB do not fit ([SILICON] 12). */
START_TEST(holes)
{
	struct span used[] = {{0, 45}, {90, 45}, {180, 45}};
	ck_assert_int_eq(span_room(used, 3, 228, 81), 0);
	ck_assert_int_eq(span_room(used, 3, 228, 45), 2);
	ck_assert_int_eq(span_room(used, 3, 228, 3), 31);
	ck_assert_int_eq(span_place(used, 3, 228, 3, ALLOCATION_FIRST_FIT), 45);
	ck_assert_int_eq(span_place(used, 3, 228, 3, ALLOCATION_BEST_FIT), 225);
	ck_assert_int_eq(span_place(used, 3, 228, 3, ALLOCATION_WORST_FIT), 45);
	ck_assert_int_eq(span_place(used, 3, 228, 46, ALLOCATION_FIRST_FIT), -1);
}
END_TEST

/* The most room by a walk over all SMs. */
static int slow_choice(const struct bench *bench, const struct shape *shape)
{
	int best = NO_ID, most = 0;
	for (int rank = 0; rank < bench->limits.sm_count; rank++) {
		int sm = bench->limits.order[rank], room = sm_room(&bench->chip.sms[sm], &bench->limits, shape);
		if (room > most) {
			most = room;
			best = sm;
		}
	}
	return best;
}

#define KERNELS 6

/* Kernels that take turns at the head, blocks that leave at random. */
START_TEST(levels_against_a_walk)
{
	struct bench bench;
	struct shape shapes[KERNELS];
	struct room rooms[KERNELS];
	struct dispatch *dispatches[KERNELS];
	int placed = 0;
	random_state = (uint64_t)_i + 99;
	open(&bench, NULL);
	for (int k = 0; k < KERNELS; k++) {
		struct kernel kernel;
		do
			kernel = random_kernel();
		while (!shape_init(&shapes[k], &bench.limits, &kernel));
		room_init(&rooms[k], bench.arena, &bench.chip, &shapes[k]);
		dispatches[k] = placement_begin(&bench.placer, &rooms[k], (int64_t[3]){100000, 1, 1});
	}
	for (int step = 0; step < 3000; step++) {
		int k = draw(0, KERNELS - 1), sm;
		for (int i = draw(1, 5); i > 0; i--) {
			sm = placement_choose(&bench.placer, dispatches[k]);
			ck_assert_int_eq(sm, slow_choice(&bench, &shapes[k]));
			placed += sm != NO_ID && placement_place(&bench.placer, dispatches[k], sm) >= 0;
		}
		sm = draw(0, hopper_sm.sms - 1);
		for (int slot = 0; slot < bench.limits.blocks; slot++)
			if ((bench.chip.sms[sm].slots_free >> slot & 1) == 0 && draw(0, 2) == 0)
				placement_release(&bench.placer, sm, slot);
	}
	ck_assert_int_gt(placed, 1000);
	bench_close(&bench);
}
END_TEST

/* The reason of a choice. */
START_TEST(reasons)
{
	struct bench bench;
	struct built built = {.sms = 4, .warps = 64, .blocks = 32, .placement = PLACEMENT_MOST_ROOM};
	const struct {
		int64_t before[3]; /* one block of so many warps each, on SM 0, 1, 2 */
		int64_t warps;
		enum decision decision;
	} cases[] = {
		{{0}, 4, DECISION_TIE},
		{{4, 0, 0}, 5, DECISION_SAME_SM},
		{{4, 4, 4}, 4, DECISION_MOST_ROOM},
		{{60, 60, 60}, 8, DECISION_ONLY_FIT},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct shape shape;
		struct room room;
		uint64_t set[1];
		struct kernel kernel = bench_kernel(1, 32 * cases[i].warps);
		bench_open(&bench, &built);
		for (int s = 0; s < 3; s++)
			for (int64_t left = cases[i].before[s]; left > 0; left -= 32) {
				struct kernel one = bench_kernel(1, 32 * (left < 32 ? left : 32));
				struct shape *resident = arena_allocate(bench.arena, 1, sizeof *resident);
				ck_assert(shape_init(resident, &bench.limits, &one));
				ck_assert_int_ge(chip_take(&bench.chip, s, resident), 0);
			}
		ck_assert(shape_init(&shape, &bench.limits, &kernel));
		room_init(&room, bench.arena, &bench.chip, &shape);
		struct dispatch *dispatch = placement_begin(&bench.placer, &room, kernel.grid);
		int sm = placement_choose(&bench.placer, dispatch);
		enum decision decision = placement_explain(&bench.placer, dispatch, sm);
		ck_assert_msg(decision == cases[i].decision, "case %d: %s", (int)i, decision_names[decision]);
		ck_assert_int_eq(placement_permitted(&bench.placer, dispatch, set),
			cases[i].decision == DECISION_ONLY_FIT || cases[i].decision == DECISION_MOST_ROOM ? 1 : 4);
		ck_assert(set_has(set, sm));
		bench_close(&bench);
	}
}
END_TEST

/* The shared-memory configurations of rule 7 at the boundaries that were probed: threads, dynamic bytes, KB. */
static const struct {
	int64_t threads, shared, carveout;
	int kib;
} targets[] = {
	{480, 0, NONE, 32},
	{481, 0, NONE, 16},
	{736, 0, NONE, 16},
	{737, 0, NONE, 8},
	{32, 0, 3, 32},
	{32, 0, 14, 32},
	{32, 0, 28, 64},
	{32, 0, 43, 100},
	{32, 0, 57, 132},
	{32, 0, 71, 164},
	{32, 0, 86, 228},
	{1024, 0, 100, 228},
	/* a preference with shared memory: KB of tests/silicon/traces/carveout.csv.gz */
	{480, 2660, 14, 64},
	{352, 21588, 14, 32},
	{288, 7641, 28, 100},
	{640, 24361, 28, 64},
	{480, 8130, 14, 32},
	{224, 28635, 71, 164},
	{96, 14570, 71, 196},
	{128, 9369, 71, 196},
	{96, 17000, 0, 32},
};

/* With the configurations of its shared memory. */
static void open_hopper(struct bench *bench)
{
	static int64_t bytes[] = {8 * 1024, 16 * 1024, 32 * 1024, 64 * 1024, 100 * 1024, 132 * 1024, 164 * 1024, 196 * 1024, 228 * 1024};
	struct bench plain;
	bench_open(&plain, &hopper_sm);
	plain.platform->placement = PLACEMENT_HOPPER;
	plain.platform->carveouts = bytes;
	plain.platform->carveout_count = 9;
	plain.platform->parameters[PARAMETER_SHARED_RESERVED] = (struct quantity){.present = true, .value = 1024, .source = "test"};
	bench_open_platform(bench, plain.platform, plain.arena, NULL);
}

START_TEST(hopper_targets)
{
	struct bench bench;
	struct shape shape;
	open_hopper(&bench);
	struct kernel kernel = bench_kernel(1, targets[_i].threads);
	kernel.shared_dynamic = targets[_i].shared;
	kernel.carveout = targets[_i].carveout;
	ck_assert(shape_init(&shape, &bench.limits, &kernel));
	ck_assert_int_eq(shape.target, targets[_i].kib * 8);
	bench_close(&bench);
}
END_TEST

/* A stated preference: as many blocks as the own configuration holds, and no larger one. Columns: KB of the SM; what is refused. */
START_TEST(hopper_admission)
{
	static const struct {
		int64_t shared, carveout;
		int kib[3];
		bool admitted[3];
	} cases[] = {
		{0, NONE, {16, 32, 228}, {false, true, true}},      /* B = 32 blocks of 1 KB */
		{0, 28, {16, 32, 100}, {false, true, false}},       /* at most its 64 KB */
		{57338, 71, {100, 132, 196}, {false, true, false}}, /* two blocks fit its 164 KB */
		{57338, 100, {164, 196, 228}, {false, false, true}},
	};
	struct bench bench;
	struct shape shape;
	open_hopper(&bench);
	struct kernel kernel = bench_kernel(1, 32);
	kernel.shared_dynamic = cases[_i].shared;
	kernel.carveout = cases[_i].carveout;
	ck_assert(shape_init(&shape, &bench.limits, &kernel));
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(shape_admits(&shape, cases[_i].kib[i] * 8), cases[_i].admitted[i]);
	bench_close(&bench);
}
END_TEST

/* An SM that the kernel at the head refills at once keeps its configuration; for a kernel that comes later it is chosen anew. */
START_TEST(kept_configuration)
{
	static const int64_t carveouts[] = {8 * 1024, 16 * 1024, 32 * 1024, 228 * 1024};
	struct bench plain, bench;
	struct shape shapes[2];
	struct room rooms[2];
	bench_open(&plain, &hopper_sm);
	plain.platform->placement = PLACEMENT_HOPPER;
	plain.platform->carveouts = carveouts;
	plain.platform->carveout_count = 4;
	plain.platform->parameters[PARAMETER_SHARED_RESERVED] = (struct quantity){.present = true, .value = 1024, .source = "test"};
	bench_open_platform(&bench, plain.platform, plain.arena, NULL);
	for (int k = 0; k < 2; k++) {
		struct kernel kernel = bench_kernel(1, k == 0 ? 64 : 1024); /* 32 KB, 8 KB */
		ck_assert(shape_init(&shapes[k], &bench.limits, &kernel));
		room_init(&rooms[k], bench.arena, &bench.chip, &shapes[k]);
	}
	struct sm *sm = &bench.chip.sms[0];
	struct dispatch *small = placement_begin(&bench.placer, &rooms[0], (int64_t[3]){2, 1, 1});
	placement_place(&bench.placer, small, 0);
	ck_assert_int_eq(sm->configuration, 32 * 8);
	struct dispatch *large = _i == 0 ? placement_begin(&bench.placer, &rooms[1], (int64_t[3]){1, 1, 1}) : NULL;
	placement_release(&bench.placer, 0, 0);
	if (_i == 1)
		large = placement_begin(&bench.placer, &rooms[1], (int64_t[3]){1, 1, 1});
	placement_place(&bench.placer, large, 0);
	ck_assert_int_eq(sm->configuration, _i == 0 ? 32 * 8 : 8 * 8);
	ck_assert_int_eq(placement_place(&bench.placer, small, 0) >= 0, _i == 0);
	bench_close(&bench);
}
END_TEST

#define HOPPERS 300

static int permitted_below; /* blocks that went to an SM while another had more room */

static int draw_seed(int seed)
{
	random_state = (uint64_t)seed * 77;
	return draw(10, 64);
}

/* What Hopper's rules choose they permit (P9 to P12, P17): on chips of drawn GPCs, two groups of single pairs among them, whose SMs have
 * unequal room, kernels in whole layers and rests, one beside the other, blocks leaving. */
START_TEST(hopper_permits)
{
	struct sm_position positions[64];
	struct bench plain, bench;
	struct built built = hopper_sm;
	int sms = draw_seed(_i), below = 0, asked = 0;
	built.sms = sms;
	bench_open(&plain, &built);
	for (int sm = 0, gpc = 0; sm < sms; gpc++)
		for (int more = draw(2, 14); more > 0 && sm < sms; more--, sm++)
			positions[sm] = (struct sm_position){gpc, sm / 2, sms - sm <= 4};
	for (int sm = 0; sm < sms; sm++)
		plain.platform->gpc_count = positions[sm].gpc + 1;
	plain.platform->sms = positions;
	plain.platform->placement = PLACEMENT_HOPPER;
	bench_open_platform(&bench, plain.platform, plain.arena, NULL);
	struct shape shapes[30];
	struct room rooms[30];
	uint64_t set[2];
	for (int k = 0; k < 30; k++) {
		struct kernel kernel;
		do
			kernel = random_kernel();
		while (!shape_init(&shapes[k], &bench.limits, &kernel));
		room_init(&rooms[k], bench.arena, &bench.chip, &shapes[k]);
		int64_t blocks = draw(1, 5 * sms);
		struct dispatch *dispatch = placement_begin(&bench.placer, &rooms[k], (int64_t[3]){blocks, 1, 1});
		for (int sm; dispatch->placed < blocks && (sm = placement_choose(&bench.placer, dispatch)) != NO_ID; asked++) {
			below += rooms[k].of[sm] < room_greatest(&rooms[k]);
			ck_assert_int_ge(placement_permitted(&bench.placer, dispatch, set), 1);
			ck_assert_msg(set_has(set, sm), "kernel %d, block %d: SM %d of room %d is not permitted, where %d is the most", k,
				(int)dispatch->placed, sm, rooms[k].of[sm], room_greatest(&rooms[k]));
			if (placement_place(&bench.placer, dispatch, sm) < 0)
				break;
		}
		placement_end(&bench.placer, dispatch);
		for (int sm = 0; sm < sms; sm++)
			for (int slot = 0; slot < bench.limits.blocks; slot++)
				if ((bench.chip.sms[sm].slots_free >> slot & 1) == 0 && draw(0, k % 3) == 0)
					placement_release(&bench.placer, sm, slot);
	}
	ck_assert_int_gt(asked, 100);
	permitted_below += below;
	if (_i == HOPPERS - 1)
		ck_assert_int_gt(permitted_below, 100);
	bench_close(&bench);
}
END_TEST

START_TEST(round_robin)
{
	struct bench bench;
	struct built built = {.sms = 4, .warps = 64, .blocks = 32, .placement = PLACEMENT_ROUND_ROBIN};
	static const int first[] = {0, 1, 2, 3, 0, 1};
	int sms[6];
	bench_open(&bench, &built);
	bench_launch_warps(&bench, 6, 20, sms);
	ck_assert_mem_eq(sms, first, sizeof first);
	bench_launch_warps(&bench, 1, 31, sms);
	bench_launch_warps(&bench, 1, 31, sms + 1);
	ck_assert_int_eq(sms[0], 2);
	ck_assert_int_eq(sms[1], 3);
	bench_launch_warps(&bench, 2, 24, sms + 2); /* SM 0 and 1 have 24 left, 2 and 3 have 13 */
	ck_assert_int_eq(sms[2], 0);
	ck_assert_int_eq(sms[3], 1);
	bench_close(&bench);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("placement");
	TCase *rules = tcase_create("rules");
	tcase_add_loop_test(rules, sub_partitions, 0, (int)(sizeof fragments / sizeof *fragments));
	tcase_add_loop_test(rules, room_is_kept, 0, 5);
	tcase_add_test(rules, holes);
	tcase_add_loop_test(rules, levels_against_a_walk, 0, 4);
	tcase_add_test(rules, reasons);
	tcase_add_loop_test(rules, hopper_admission, 0, 4);
	tcase_add_loop_test(rules, hopper_targets, 0, (int)(sizeof targets / sizeof *targets));
	tcase_add_loop_test(rules, kept_configuration, 0, 2);
	tcase_add_loop_test(rules, hopper_permits, 0, HOPPERS);
	tcase_add_test(rules, round_robin);
	suite_add_tcase(suite, rules);
	return run_suite(suite);
}
