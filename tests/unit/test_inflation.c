/* Inflation: composition rules (W13 of [EXAMPLES]), look-up edges, missing factors, which sources count, monotonicity. */
#include "interference/compose.h"
#include "interference/inflation.h"
#include "model/rules.h"
#include "response/analysis.h"
#include "unit/run.h"

#include <string.h>

#define BIT(assumption) ((uint64_t)1 << ASSUMPTION_##assumption)
#define ANY NONE
#define ENTRIES 64

/* Two applications; streams 0 and 1 are the first one's, 2 and 3 the second's. One task an application, operations as a test adds them. */
static struct {
	struct arena *arena;
	struct platform platform;
	struct interference_entry entries[ENTRIES];
	struct taskset set;
	struct application applications[2];
	struct stream streams[4];
	struct task tasks[2];
	struct operation operations[16];
	struct kernel_map kernels[16];
	struct map map;
	struct derivation derivation;
	struct sm_position sms[4];
} fixture;

static void set_up(void)
{
	memset(&fixture, 0, sizeof fixture);
	fixture.arena = arena_create();
	derivation_init(&fixture.derivation, fixture.arena);
	fixture.platform = (struct platform){.interference = fixture.entries, .engine_of = {0, 1, 2, ENGINE_NONE, ENGINE_COMPUTE}};
	fixture.platform.parameters[PARAMETER_SM_COUNT] = (struct quantity){.present = true, .value = 4};
	fixture.platform.parameters[PARAMETER_SM_BLOCKS] = (struct quantity){.present = true, .value = 16};
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		fixture.platform.assumptions[i].status = assumption_kinds[i].by_default;
	fixture.applications[0].id = "a";
	fixture.applications[1].id = "b";
	for (int i = 0; i < 4; i++)
		fixture.streams[i].application = i / 2;
	fixture.tasks[0] = (struct task){.id = "t", .application = 0};
	fixture.tasks[1] = (struct task){.id = "u", .application = 1};
	fixture.set = (struct taskset){.applications = fixture.applications,
		.application_count = 2,
		.streams = fixture.streams,
		.stream_count = 4,
		.tasks = fixture.tasks,
		.task_count = 1,
		.operations = fixture.operations};
	fixture.map.kernels = fixture.kernels;
}

static void tear_down(void)
{
	arena_destroy(fixture.arena);
}

static struct interference_entry *add_entry(
	enum interferer source, enum access victim, int64_t footprint, int64_t count, int64_t num, int64_t den)
{
	struct interference_entry *entry = &fixture.entries[fixture.platform.interference_count++];
	*entry = (struct interference_entry){
		.source = source, .victim = victim, .footprint = footprint, .count = count, .factor = rational_make(num, den)};
	return entry;
}

static struct operation *add_operation(enum operation_kind kind, int stream)
{
	int index = fixture.set.operation_count++;
	struct operation *operation = &fixture.operations[index];
	*operation = (struct operation){.id = "op", .kind = kind, .stream = stream, .wcet = 100000};
	operation->kernel = (struct kernel){.footprint = NONE, .access = ACCESS_ANY};
	operation->copy = (struct copy){.bytes = 4096};
	fixture.kernels[index] = (struct kernel_map){.is_kernel = kind == OPERATION_KERNEL, .foreign_warps = NONE, .foreign_sms = NONE};
	fixture.tasks[0].operation_count = fixture.set.operation_count;
	return operation;
}

static void add_copy(int stream, enum direction direction)
{
	add_operation(OPERATION_COPY, stream)->copy.direction = direction;
}

/* The first operation's result. */
static struct inflated inflate_first(void)
{
	return inflation_compute(fixture.arena, &fixture.platform, &fixture.set, &fixture.map, &fixture.derivation)->operations[0];
}

/* ---- composition */

static const struct {
	enum composition composition;
	int64_t wcet;
	enum rule rule;
} compositions[] = {
	{COMPOSITION_MULTIPLICATIVE, 624000, RULE_COMPOSE_MULTIPLICATIVE},
	{COMPOSITION_ADDITIVE, 360000, RULE_COMPOSE_ADDITIVE},
	{COMPOSITION_MAXIMUM, 250000, RULE_COMPOSE_MAXIMUM},
};

/* A kernel beside copies of both directions on an integrated GPU, with the four factors of W13. */
static void set_up_w13(void)
{
	add_operation(OPERATION_KERNEL, 0);
	add_copy(1, DIRECTION_H2D);
	add_copy(1, DIRECTION_D2H);
	fixture.platform.integrated = true;
	add_entry(INTERFERER_H2D, ACCESS_ANY, ANY, ANY, 13, 10);
	add_entry(INTERFERER_D2H, ACCESS_ANY, ANY, ANY, 5, 2);
	add_entry(INTERFERER_CPU, ACCESS_ANY, ANY, ANY, 6, 5);
	add_entry(INTERFERER_OTHER, ACCESS_ANY, ANY, ANY, 8, 5);
}

START_TEST(w13)
{
	set_up_w13();
	fixture.platform.composition = compositions[_i].composition;
	struct inflated result = inflate_first();
	ck_assert_int_eq(result.wcet, compositions[_i].wcet);
	ck_assert_ptr_null(result.reason);
	ck_assert_uint_eq(result.assumptions, BIT(WCET) | BIT(CLOCK) | BIT(RATE) | BIT(STRESS) | BIT(COMPOSE));
	const struct step *inflate = derivation_get(&fixture.derivation, result.step);
	ck_assert_int_eq(inflate->rule, RULE_INFLATE);
	ck_assert_str_eq(inflate->about, "task:t/op:op");
	const struct step_input *inputs = derivation_inputs(&fixture.derivation, result.step);
	ck_assert_int_eq(inputs[0].step, result.isolated_step);
	ck_assert_str_eq(derivation_get(&fixture.derivation, inputs[0].step)->about, "task:t/op:op@wcet");
	const struct step *compose = derivation_get(&fixture.derivation, inputs[1].step);
	ck_assert_int_eq(compose->rule, compositions[_i].rule);
	ck_assert_int_eq(compose->input_count, 4);
	const struct step_input *first = derivation_inputs(&fixture.derivation, inputs[1].step);
	ck_assert_str_eq(derivation_get(&fixture.derivation, first->step)->about, "platform:interference/0");
}
END_TEST

START_TEST(joint)
{
	set_up_w13();
	add_entry(INTERFERER_ALL, ACCESS_ANY, ANY, ANY, 3, 1);
	struct inflated saturated = inflate_first();
	ck_assert_int_eq(saturated.wcet, 300000);
	ck_assert_uint_eq(saturated.assumptions & BIT(COMPOSE), 0);
	fixture.entries[4].factor = rational_of(7);
	ck_assert_int_eq(inflate_first().wcet, 624000);
	ck_assert_uint_ne(inflate_first().assumptions & BIT(COMPOSE), 0);
	fixture.platform.composition = COMPOSITION_JOINT;
	ck_assert_int_eq(inflate_first().wcet, 700000);
	fixture.platform.interference_count--;
	ck_assert_int_eq(inflate_first().wcet, NONE);
	ck_assert_ptr_nonnull(strstr(inflate_first().reason, "from=\"all\""));
}
END_TEST

START_TEST(joint_stands_in_for_a_missing_factor)
{
	set_up_w13();
	fixture.entries[1] =
		(struct interference_entry){.source = INTERFERER_ALL, .footprint = ANY, .count = ANY, .factor = rational_of(9)};
	ck_assert_int_eq(inflate_first().wcet, 900000);
}
END_TEST

START_TEST(composition_that_is_broken)
{
	set_up_w13();
	fixture.platform.assumptions[ASSUMPTION_COMPOSE].status = STATUS_BROKEN;
	ck_assert_int_eq(inflate_first().wcet, NONE);
	ck_assert_ptr_nonnull(strstr(inflate_first().reason, "A-COMPOSE"));
	add_entry(INTERFERER_ALL, ACCESS_ANY, ANY, ANY, 9, 1);
	ck_assert_int_eq(inflate_first().wcet, 900000);
	fixture.platform.assumptions[ASSUMPTION_STRESS].status = STATUS_BROKEN;
	ck_assert_int_eq(inflate_first().wcet, NONE);
	ck_assert_ptr_nonnull(strstr(inflate_first().reason, "A-STRESS"));
}
END_TEST

START_TEST(rounding_is_upward)
{
	add_operation(OPERATION_KERNEL, 0)->wcet = 999999;
	add_copy(1, DIRECTION_H2D);
	add_entry(INTERFERER_H2D, ACCESS_ANY, ANY, ANY, 4, 3);
	ck_assert_int_eq(inflate_first().wcet, 1333332); /* alone: exact */
	fixture.platform.integrated = true;
	add_entry(INTERFERER_CPU, ACCESS_ANY, ANY, ANY, 1, 1);
	add_entry(INTERFERER_OTHER, ACCESS_ANY, ANY, ANY, 1, 1);
	ck_assert_int_eq(inflate_first().wcet, 1333333); /* composed: 1.333334 */
	fixture.entries[1].factor = fixture.entries[2].factor = rational_make(1000000001, 1000000000);
	ck_assert_int_eq(inflate_first().wcet, 1333335); /* 1.333336, each product rounded up */
}
END_TEST

START_TEST(overflow_is_no_value)
{
	set_up_w13();
	fixture.operations[0].wcet = INT64_MAX / 2;
	ck_assert_int_eq(inflate_first().wcet, NONE);
	ck_assert_ptr_nonnull(strstr(inflate_first().reason, "64 bits"));
	fixture.operations[0].wcet = 1;
	for (int i = 0; i < 4; i++)
		fixture.entries[i].factor = rational_of(INT64_MAX / 2);
	for (int rule = 0; rule < 3; rule++) {
		fixture.platform.composition = compositions[rule].composition;
		ck_assert_int_eq(inflate_first().wcet, NONE);
		ck_assert_ptr_nonnull(strstr(inflate_first().reason, "64 bits"));
	}
}
END_TEST

/* ---- look-up */

static const struct {
	enum access access;
	int64_t footprint, count;
	int64_t percent; /* expected factor; NONE: none */
} lookups[] = {
	{ACCESS_READ, 0, 1, 120}, {ACCESS_READ, 4096, 1, 120}, {ACCESS_READ, 4097, 1, 230}, {ACCESS_READ, 8192, 1, 230},
	{ACCESS_READ, 8193, 1, NONE}, /* beyond the last point */
	{ACCESS_READ, ANY, 1, NONE},  /* unknown */
	{ACCESS_READ, 4096, 2, 150}, {ACCESS_READ, 4096, 15, 150}, {ACCESS_READ, 4096, 16, NONE}, {ACCESS_READ, 8192, 2, 260},
	{ACCESS_WRITE, 100, 99, 500}, /* measured worse at a smaller footprint: the larger one is raised */
	{ACCESS_WRITE, 5000, 1, 500}, {ACCESS_WRITE, ANY, ANY, NONE}, {ACCESS_COPY, ANY, ANY, 700}, {ACCESS_COMPUTE, ANY, 3, 100},
	{ACCESS_COMPUTE, ANY, ANY, NONE}, {ACCESS_ANY, 1, 1, NONE}, /* no entry for any access */
};

START_TEST(look_up)
{
	add_entry(INTERFERER_GPC, ACCESS_READ, 8192, 1, 23, 10);
	add_entry(INTERFERER_GPC, ACCESS_READ, 4096, 1, 12, 10);
	add_entry(INTERFERER_GPC, ACCESS_READ, 4096, 15, 15, 10);
	add_entry(INTERFERER_GPC, ACCESS_READ, 8192, 15, 26, 10);
	add_entry(INTERFERER_GPC, ACCESS_WRITE, 4096, ANY, 5, 1);
	add_entry(INTERFERER_GPC, ACCESS_WRITE, 8192, ANY, 3, 1);
	add_entry(INTERFERER_GPC, ACCESS_COPY, ANY, ANY, 7, 1);
	add_entry(INTERFERER_GPC, ACCESS_COMPUTE, ANY, 3, 1, 1);
	add_entry(INTERFERER_OUT, ACCESS_ANY, ANY, ANY, 9, 1);
	add_entry(INTERFERER_GPC, ACCESS_ANY, ANY, ANY, 1, 1)->is_copy = true;
	struct factors *factors = factors_prepare(fixture.arena, &fixture.platform, &fixture.derivation);
	struct victim victim = {false, lookups[_i].access, lookups[_i].footprint};
	struct factor factor = factors_find(factors, &victim, INTERFERER_GPC, lookups[_i].count);
	ck_assert_int_eq(rational_scale_up(100, factor.value), lookups[_i].percent);
	ck_assert_int_eq(factor.step == STEP_ABSENT, lookups[_i].percent == NONE);
	if (factor.step != STEP_ABSENT)
		ck_assert_int_eq(rational_compare(derivation_get(&fixture.derivation, factor.step)->value, factor.value), 0);
}
END_TEST

/* A declared factor wins over a smaller measured one that covers the demand more tightly, and is raised by a greater one. */
START_TEST(declared_comes_first)
{
	static const struct victim victim = {false, ACCESS_READ, 4096};
	struct interference_entry *model = add_entry(INTERFERER_GPC, ACCESS_READ, 4096, 1, 2, 1);
	add_entry(INTERFERER_GPC, ACCESS_ANY, ANY, ANY, 3, 1)->declared_by = "a user";
	struct factors *factors = factors_prepare(fixture.arena, &fixture.platform, &fixture.derivation);
	ck_assert_int_eq(rational_scale_up(1, factors_find(factors, &victim, INTERFERER_GPC, 1).value), 3);
	model->factor = rational_of(4);
	factors = factors_prepare(fixture.arena, &fixture.platform, &fixture.derivation);
	ck_assert_int_eq(rational_scale_up(1, factors_find(factors, &victim, INTERFERER_GPC, 1).value), 4);
}
END_TEST

START_TEST(raised_factor_is_derived)
{
	add_entry(INTERFERER_GPC, ACCESS_WRITE, 8192, ANY, 3, 1);
	add_entry(INTERFERER_GPC, ACCESS_WRITE, 4096, ANY, 5, 1);
	struct factors *factors = factors_prepare(fixture.arena, &fixture.platform, &fixture.derivation);
	struct victim victim = {false, ACCESS_WRITE, 5000};
	const struct step *step = derivation_get(&fixture.derivation, factors_find(factors, &victim, INTERFERER_GPC, 1).step);
	ck_assert_int_eq(step->rule, RULE_FACTOR);
	ck_assert_int_eq(step->input_count, 2);
	int steps = fixture.derivation.count;
	factors_find(factors, &victim, INTERFERER_GPC, 1);
	ck_assert_int_eq(fixture.derivation.count, steps);
}
END_TEST

/* ---- sources */

START_TEST(alone)
{
	add_operation(OPERATION_KERNEL, 0);
	add_copy(0, DIRECTION_H2D); /* its own stream: never at once */
	struct inflated result = inflate_first();
	ck_assert_int_eq(result.wcet, 100000);
	ck_assert_int_eq(result.step, result.isolated_step);
	ck_assert_uint_eq(result.assumptions, BIT(WCET) | BIT(CLOCK) | BIT(ONE));
}
END_TEST

static const struct {
	int stream;
	enum direction direction;
	const char *missing;
} copies[] = {
	{1, DIRECTION_H2D, "from=\"h2d\""},
	{2, DIRECTION_D2H, "from=\"d2h\""}, /* another application's */
	{2, DIRECTION_D2D, "from=\"d2d\""},
	{1, DIRECTION_PEER, "from=\"d2d\""},
	{1, DIRECTION_MEMSET, "from=\"memset\""},
};

START_TEST(copy_without_factor)
{
	add_operation(OPERATION_KERNEL, 0)->kernel.access = ACCESS_READ;
	add_copy(copies[_i].stream, copies[_i].direction);
	struct inflated result = inflate_first();
	ck_assert_int_eq(result.wcet, NONE);
	ck_assert_int_eq(result.step, STEP_ABSENT);
	ck_assert_ptr_nonnull(strstr(result.reason, copies[_i].missing));
	ck_assert_ptr_nonnull(strstr(result.reason, "victim=\"read\""));
}
END_TEST

static const struct {
	size_t flag; /* in struct kernel_map */
	enum interferer source;
} foreign[] = {
	{offsetof(struct kernel_map, foreign_sm), INTERFERER_SM},
	{offsetof(struct kernel_map, foreign_tpc), INTERFERER_TPC},
	{offsetof(struct kernel_map, foreign_gpc), INTERFERER_GPC},
	{offsetof(struct kernel_map, foreign_out), INTERFERER_OUT},
};

START_TEST(foreign_blocks)
{
	add_operation(OPERATION_KERNEL, 0);
	struct kernel_map *map = &fixture.kernels[0];
	map->beside_sm = map->beside_tpc = map->beside_gpc = map->beside_out = true; /* own blocks ask for nothing */
	ck_assert_int_eq(inflate_first().wcet, 100000);
	*(bool *)((char *)map + foreign[_i].flag) = true;
	ck_assert_int_eq(inflate_first().wcet, NONE);
	add_entry(foreign[_i].source, ACCESS_ANY, ANY, ANY, 2, 1);
	ck_assert_int_eq(inflate_first().wcet, 200000);
}
END_TEST

/* A kernel of another stream: blocks of so many warps, at most so many on an SM. */
static void add_foreign(int stream, int64_t blocks, int64_t warps, int64_t greatest)
{
	add_operation(OPERATION_KERNEL, stream)->kernel.blocks = blocks;
	struct kernel_map *kernel = &fixture.kernels[fixture.set.operation_count - 1];
	kernel->sized = true;
	kernel->occupancy.greatest = greatest;
	kernel->occupancy.demand.warps = kernel->occupancy.demand.staying = warps;
}

/* No more SMs are active than there are foreign blocks: kernels of 2 and of 3 blocks in one stream, of 1 block in a third, are 4 at most.
 */
START_TEST(as_many_as_blocks)
{
	add_operation(OPERATION_KERNEL, 0);
	fixture.set.merged_context = true;
	add_foreign(1, 2, 1, 8);
	add_foreign(1, 3, 1, 8);
	add_foreign(2, 1, 1, 8);
	fixture.platform.parameters[PARAMETER_SM_COUNT].value = 100;
	fixture.kernels[0].foreign_warps = 16;
	fixture.kernels[0].foreign_sm = fixture.kernels[0].foreign_out = true;
	add_entry(INTERFERER_SM, ACCESS_ANY, ANY, ANY, 1, 1);
	struct interference_entry *entry = add_entry(INTERFERER_OUT, ACCESS_ANY, ANY, 4, 2, 1);
	ck_assert_int_eq(inflate_first().wcet, 200000);
	entry->count = 3;
	ck_assert_int_eq(inflate_first().wcet, NONE);
}
END_TEST

/* ILP-ENV: beside a block of 8 warps 56 are left; of blocks of 20 and 24 warps two fit, where the closed form counts 3 + 2. */
START_TEST(what_fits_beside)
{
	add_operation(OPERATION_KERNEL, 0);
	fixture.set.merged_context = true;
	fixture.platform.parameters[PARAMETER_SM_WARPS] = (struct quantity){.present = true, .value = 64};
	add_foreign(1, 9, 20, 3);
	add_foreign(2, 9, 24, 2);
	fixture.kernels[0].sized = true;
	fixture.kernels[0].occupancy.demand.staying = 8;
	fixture.kernels[0].foreign_warps = 56;
	fixture.kernels[0].foreign_sm = true;
	add_entry(INTERFERER_SM, ACCESS_ANY, ANY, 5, 3, 1);
	add_entry(INTERFERER_SM, ACCESS_ANY, ANY, 2, 2, 1);
	ck_assert_int_eq(inflate_first().wcet, 200000);
}
END_TEST

/* A solver that gets no further leaves the closed form, and says so. */
START_TEST(nothing_proven_beside)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, fixture.arena);
	add_operation(OPERATION_KERNEL, 0);
	fixture.set.merged_context = true;
	fixture.platform.parameters[PARAMETER_SM_WARPS] = (struct quantity){.present = true, .value = 64};
	fixture.platform.parameters[PARAMETER_SM_BLOCKS].value = 33;
	for (int i = 0; i < 15; i++)
		add_foreign(1 + i % 3, 9, 5 + i % 4, 9);
	fixture.kernels[0].sized = true;
	fixture.kernels[0].occupancy.demand.staying = 8;
	fixture.kernels[0].foreign_warps = 56;
	fixture.kernels[0].foreign_sm = true;
	add_entry(INTERFERER_SM, ACCESS_ANY, ANY, 27, 3, 1);
	add_entry(INTERFERER_SM, ACCESS_ANY, ANY, 11, 2, 1);
	for (int stopped = 0; stopped < 2; stopped++) {
		struct inflation *inflation = inflation_compute_limited(fixture.arena, &fixture.platform, &fixture.set, &fixture.map,
			&fixture.derivation, stopped ? 1 : INFLATION_SOLVER_ITERATIONS, &diagnostics);
		ck_assert_int_eq(inflation->operations[0].wcet, stopped ? 300000 : 200000);
		ck_assert_int_eq(diagnostics_count(&diagnostics, DIAGNOSTIC_SOLVER_FALLBACK) > 0, stopped);
	}
}
END_TEST

/* Groups {0,1,2} and {3}; TPCs {0,1}, {2}, {3}: at most 2 others in a GPC, 1 in a TPC, 3 outside. */
START_TEST(greatest_counts)
{
	static const int64_t greatest[] = {5, 1, 2, 3};
	static const struct sm_position positions[] = {{0, 0}, {0, 0}, {0, 1}, {1, 2}};
	add_operation(OPERATION_KERNEL, 0);
	memcpy(fixture.sms, positions, sizeof positions);
	fixture.platform.sms = fixture.sms;
	fixture.platform.map_source = "a test";
	fixture.kernels[0].foreign_warps = 5;
	add_foreign(1, 100, 1, 100);
	*(bool *)((char *)&fixture.kernels[0] + foreign[_i].flag) = true;
	struct interference_entry *entry = add_entry(foreign[_i].source, ACCESS_ANY, ANY, greatest[_i], 2, 1);
	ck_assert_int_eq(inflate_first().wcet, 200000);
	entry->count--;
	ck_assert_int_eq(inflate_first().wcet, NONE);
}
END_TEST

/* Of one application, too: copies that run as kernels run at once. */
START_TEST(copying_streams_are_counted)
{
	add_operation(OPERATION_KERNEL, 2);
	add_copy(0, DIRECTION_H2D);
	add_copy(0, DIRECTION_H2D);
	struct interference_entry *entry = add_entry(INTERFERER_H2D, ACCESS_ANY, ANY, 1, 2, 1);
	ck_assert_int_eq(inflate_first().wcet, 200000);
	add_copy(1, DIRECTION_H2D);
	ck_assert_int_eq(inflate_first().wcet, NONE);
	entry->count = 2;
	ck_assert_int_eq(inflate_first().wcet, 200000);
	add_copy(3, DIRECTION_H2D);
	ck_assert_int_eq(inflate_first().wcet, NONE);
	entry->count = 3;
	ck_assert_int_eq(inflate_first().wcet, 200000);
}
END_TEST

START_TEST(integrated_needs_cpu_and_other_masters)
{
	add_operation(OPERATION_KERNEL, 0);
	ck_assert_int_eq(inflate_first().wcet, 100000);
	fixture.platform.integrated = true;
	ck_assert_int_eq(inflate_first().wcet, NONE);
	ck_assert_ptr_nonnull(strstr(inflate_first().reason, "cpu, other"));
	add_entry(INTERFERER_CPU, ACCESS_ANY, ANY, ANY, 5, 4);
	ck_assert_ptr_nonnull(strstr(inflate_first().reason, "from=\"other\""));
	add_entry(INTERFERER_OTHER, ACCESS_ANY, ANY, ANY, 1, 1);
	ck_assert_int_eq(inflate_first().wcet, 125000);
}
END_TEST

START_TEST(copies_are_slowed_by_kernels)
{
	add_copy(0, DIRECTION_H2D);
	add_copy(1, DIRECTION_H2D); /* the same engine: never at once */
	ck_assert_int_eq(inflate_first().wcet, 100000);
	add_operation(OPERATION_KERNEL, 2);
	add_entry(INTERFERER_EE, ACCESS_ANY, ANY, ANY, 9, 1); /* for kernels only */
	ck_assert_ptr_nonnull(strstr(inflate_first().reason, "victim=\"transfer\""));
	add_entry(INTERFERER_EE, ACCESS_ANY, ANY, ANY, 8, 5)->is_copy = true;
	ck_assert_int_eq(inflate_first().wcet, 160000);
	add_copy(2, DIRECTION_D2H);
	ck_assert_ptr_nonnull(strstr(inflate_first().reason, "from=\"d2h\""));
}
END_TEST

/* A memset on the execution engine is a kernel that writes, whose place the map does not know. */
START_TEST(memsets_that_run_as_kernels)
{
	add_operation(OPERATION_MEMSET, 0);
	ck_assert_int_eq(inflate_first().wcet, 100000);
	add_operation(OPERATION_KERNEL, 2); /* another context's: not at once */
	ck_assert_int_eq(inflate_first().wcet, 100000);
	ck_assert_uint_ne(inflate_first().assumptions & BIT(EXCL), 0);
	add_operation(OPERATION_KERNEL, 1);
	ck_assert_ptr_nonnull(strstr(inflate_first().reason, "sm, tpc, gpc, out"));
	ck_assert_ptr_nonnull(strstr(inflate_first().reason, "victim=\"write\""));
	for (int source = INTERFERER_SM; source <= INTERFERER_OUT; source++)
		add_entry((enum interferer)source, ACCESS_WRITE, 4096, ANY, 2, 1);
	ck_assert_int_eq(inflate_first().wcet, 1600000);
}
END_TEST

START_TEST(contexts_that_run_together)
{
	add_operation(OPERATION_KERNEL, 0);
	add_operation(OPERATION_KERNEL, 2);
	ck_assert_int_eq(inflate_first().wcet, 100000);
	fixture.platform.assumptions[ASSUMPTION_EXCL].status = STATUS_BROKEN;
	ck_assert_int_eq(inflate_first().wcet, NONE);
	ck_assert_ptr_nonnull(strstr(inflate_first().reason, "A-EXCL"));
	fixture.set.merged_context = true; /* then the map speaks of it */
	ck_assert_int_eq(inflate_first().wcet, 100000);
}
END_TEST

START_TEST(operations_that_are_not_inflated)
{
	add_operation(OPERATION_WAIT, 0)->wcet = NONE;
	ck_assert_int_eq(inflate_first().wcet, 0);
	fixture.operations[0] = (struct operation){.id = "h", .kind = OPERATION_HOST, .stream = NO_ID, .wcet = 7};
	ck_assert_int_eq(inflate_first().wcet, 7);
	ck_assert_uint_eq(inflate_first().assumptions, BIT(HOST_WCRT));
	fixture.operations[0] = (struct operation){.id = "p", .kind = OPERATION_COPY, .wcet = 7, .copy.direction = DIRECTION_PEER};
	ck_assert_int_eq(inflate_first().wcet, NONE);
	ck_assert_ptr_nonnull(strstr(inflate_first().reason, "engine.peer"));
}
END_TEST

/* ---- properties */

static uint64_t random_state;

static int64_t draw(int64_t below)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)((random_state >> 33) % (uint64_t)below);
}

static void draw_entry(void)
{
	static const int64_t points[] = {1, 2, 4, ANY};
	enum interferer sources[] = {INTERFERER_H2D, INTERFERER_D2H, INTERFERER_CPU, INTERFERER_OTHER, INTERFERER_ALL};
	int64_t den = 1 + draw(1000);
	add_entry(sources[draw(5)], draw(2) == 0 ? ACCESS_ANY : ACCESS_READ, points[draw(4)], points[draw(4)], den + draw(1000), den);
}

/* NONE is the greatest integer: no value is worse than any value. */
START_TEST(monotone)
{
	random_state = (uint64_t)_i;
	fixture.platform.composition = (enum composition)draw(4);
	fixture.platform.integrated = true;
	for (int64_t n = 4 + draw(24); n > 0; n--)
		draw_entry();
	struct operation *kernel = add_operation(OPERATION_KERNEL, 0);
	kernel->kernel.access = ACCESS_READ;
	kernel->kernel.footprint = 1 + draw(4);
	add_copy(1, DIRECTION_H2D);
	int64_t before = inflate_first().wcet;
	ck_assert_int_ge(before, 100000);
	switch (draw(4)) {
	case 0: add_copy(2, draw(2) == 0 ? DIRECTION_H2D : DIRECTION_D2H); break;
	case 1: kernel->kernel.footprint++; break;
	case 2: kernel->wcet++; break;
	default: {
		struct rational *factor = &fixture.entries[draw(fixture.platform.interference_count)].factor;
		*factor = rational_add(*factor, rational_make(1 + draw(9), 7));
	}
	}
	ck_assert_int_ge(inflate_first().wcet, before);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static void add_composition_tests(TCase *tests)
{
	tcase_add_loop_test(tests, w13, 0, COUNT(compositions));
	tcase_add_test(tests, joint);
	tcase_add_test(tests, joint_stands_in_for_a_missing_factor);
	tcase_add_test(tests, composition_that_is_broken);
	tcase_add_test(tests, rounding_is_upward);
	tcase_add_test(tests, overflow_is_no_value);
}

static void add_source_tests(TCase *tests)
{
	tcase_add_test(tests, alone);
	tcase_add_loop_test(tests, copy_without_factor, 0, COUNT(copies));
	tcase_add_loop_test(tests, foreign_blocks, 0, COUNT(foreign));
	tcase_add_loop_test(tests, greatest_counts, 0, COUNT(foreign));
	tcase_add_test(tests, as_many_as_blocks);
	tcase_add_test(tests, what_fits_beside);
	tcase_add_test(tests, nothing_proven_beside);
	tcase_add_test(tests, copying_streams_are_counted);
	tcase_add_test(tests, integrated_needs_cpu_and_other_masters);
	tcase_add_test(tests, copies_are_slowed_by_kernels);
	tcase_add_test(tests, memsets_that_run_as_kernels);
	tcase_add_test(tests, contexts_that_run_together);
	tcase_add_test(tests, operations_that_are_not_inflated);
}

int main(void)
{
	Suite *suite = suite_create("inflation");
	TCase *tests = tcase_create("inflation");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	add_composition_tests(tests);
	tcase_add_loop_test(tests, look_up, 0, COUNT(lookups));
	tcase_add_test(tests, raised_factor_is_derived);
	tcase_add_test(tests, declared_comes_first);
	add_source_tests(tests);
	tcase_add_loop_test(tests, monotone, 0, 2000);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
