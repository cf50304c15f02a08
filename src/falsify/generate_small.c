/* Small systems, drawn so that every state of them can be visited (falsify/exact.h). */
#include "falsify/generate_parts.h"

#include "input/validate.h"
#include "model/draft.h"

#define BLOCKS_MOST 8 /* in one job of each task */
#define LONGEST 4

struct small_draw {
	struct arena *arena;
	struct draw *draw;
	struct platform *platform;
	struct taskset *set;
	enum small_feature feature;
	bool kernels_only; /* a task is one kernel: what FP needs */
	int64_t blocks;    /* that may still be drawn */
	int64_t work;      /* ns: all operations one after another, roughly */
};

static void set_parameter(struct small_draw *d, enum parameter parameter, int64_t value)
{
	d->platform->parameters[parameter] =
		(struct quantity){.present = true, .value = value, .exact = rational_of(value), .source = "drawn", .line = 0};
}

static int64_t parameter(const struct small_draw *d, enum parameter parameter)
{
	return platform_value(d->platform, parameter);
}

static void draw_overheads(struct small_draw *d)
{
	set_parameter(d, PARAMETER_OVERHEAD_LAUNCH, DRAW_AMONG(d->draw, 0, 1));
	set_parameter(d, PARAMETER_OVERHEAD_BLOCK, DRAW_AMONG(d->draw, 0, 1));
	set_parameter(d, PARAMETER_OVERHEAD_DEPENDENCY, DRAW_AMONG(d->draw, 0, 1));
	set_parameter(d, PARAMETER_OVERHEAD_COPY, DRAW_AMONG(d->draw, 0, 1));
}

/* A-ORDER and nothing that says more. */
static void draw_delays(struct small_draw *d)
{
	static const enum assumption stronger[] = {ASSUMPTION_HOL, ASSUMPTION_PRIO, ASSUMPTION_WC};
	int64_t delay = DRAW_AMONG(d->draw, 0, 1, 1, 2);
	set_parameter(d, PARAMETER_OVERHEAD_LAUNCH, 0);
	set_parameter(d, PARAMETER_OVERHEAD_BLOCK, 0);
	set_parameter(d, PARAMETER_DISPATCH_DELAY, delay);
	set_parameter(d, PARAMETER_DISPATCH_STALL, delay == 0 ? 1 : DRAW_AMONG(d->draw, 0, 1, 2));
	d->platform->assumptions[ASSUMPTION_ORDER].status = STATUS_ASSUMED;
	d->platform->assumptions[stronger[draw_range(d->draw, 0, 2)]].status = STATUS_UNSTATED;
}

/* Factors by source, the same for all other SMs; each SM a TPC of one GPC. overhead.copy would be slowed, too; a launch that is over while
 * others run lets more run at once. */
static void draw_factors(struct small_draw *d)
{
	static const enum interferer blocks[] = {INTERFERER_SM, INTERFERER_GPC, INTERFERER_H2D, INTERFERER_D2H};
	static const enum interferer copies[] = {INTERFERER_EE, INTERFERER_H2D, INTERFERER_D2H};
	struct platform *platform = d->platform;
	int64_t sms = parameter(d, PARAMETER_SM_COUNT), kernels = DRAW_AMONG(d->draw, 1, 1, 2), both = DRAW_AMONG(d->draw, 2, 2, 3);
	platform->composition = (enum composition)DRAW_AMONG(
		d->draw, COMPOSITION_MAXIMUM, COMPOSITION_MAXIMUM, COMPOSITION_ADDITIVE, COMPOSITION_MULTIPLICATIVE);
	platform->interference_count = 0;
	platform->interference = arena_allocate(d->arena, 7, sizeof *platform->interference);
	for (int i = 0; i < 7; i++) {
		int64_t factor = i < 2 ? kernels : draw_percent(d->draw, 75) ? both : 1;
		DRAFT(platform->interference)
		[platform->interference_count++] = (struct interference_entry){.victim = ACCESS_ANY,
			.footprint = NONE,
			.source = i < 4 ? blocks[i] : copies[i - 4],
			.count = NONE,
			.is_copy = i >= 4,
			.factor = rational_of(factor),
			.evidence = "drawn"};
	}
	platform->sms = arena_allocate(d->arena, (size_t)sms, sizeof *platform->sms);
	for (int i = 0; i < sms; i++)
		DRAFT(platform->sms)[i] = (struct sm_position){0, i, NO_ID};
	platform->map_source = "drawn";
	platform->gpc_count = 1;
	set_parameter(d, PARAMETER_OVERHEAD_COPY, 0);
	set_parameter(d, PARAMETER_OVERHEAD_LAUNCH, 0);
}

/* Everything is granted, nothing interferes: what is measured is the analysis, not what it may rely on. But for the systems in which it is
 * just that. */
static void draw_platform(struct small_draw *d)
{
	static const enum assumption granted[] = {
		ASSUMPTION_HOL, ASSUMPTION_PRIO, ASSUMPTION_WC, ASSUMPTION_FRAG, ASSUMPTION_CE, ASSUMPTION_RUNLIST};
	struct platform *platform = d->platform;
	*platform =
		(struct platform){.path = "drawn.xml", .id = "drawn", .name = "drawn", .architecture = "drawn", .compute_capability = 62};
	platform->divergence = (struct divergence_cost){NONE, NONE, NONE, NONE, NULL};
	int64_t warps = DRAW_AMONG(d->draw, 2, 4, 4), sms = DRAW_AMONG(d->draw, 1, 2, 2, 3);
	set_parameter(d, PARAMETER_SM_COUNT, sms);
	set_parameter(d, PARAMETER_SM_WARPS, warps);
	set_parameter(d, PARAMETER_SM_BLOCKS, checked_min(warps, DRAW_AMONG(d->draw, 1, 2, 4)));
	set_parameter(d, PARAMETER_SM_SUBPARTITIONS, 1);
	set_parameter(d, PARAMETER_REGISTER_UNIT, 256);
	set_parameter(d, PARAMETER_SM_REGISTERS, 65536);
	set_parameter(d, PARAMETER_SHARED_UNIT, 256);
	set_parameter(d, PARAMETER_SM_SHARED, 65536);
	set_parameter(d, PARAMETER_BLOCK_THREADS, warps * THREADS_A_WARP);
	set_parameter(d, PARAMETER_COPY_ENGINES, 2);
	set_parameter(d, PARAMETER_QUEUES_HARDWARE, 32);
	set_parameter(d, PARAMETER_QUEUES_GRIDS, 32);
	set_parameter(d, PARAMETER_QUEUES_PRIORITIES, 3);
	draw_overheads(d);
	platform->engine_source = "drawn";
	platform->engine_of[DIRECTION_H2D] = 0;
	platform->engine_of[DIRECTION_D2H] = (int)DRAW_AMONG(d->draw, 0, 1);
	platform->engine_of[DIRECTION_D2D] = platform->engine_of[DIRECTION_MEMSET] = ENGINE_COMPUTE;
	platform->engine_of[DIRECTION_PEER] = ENGINE_NONE;
	platform->copy_runlist = COPY_RUNLIST_OWN;
	platform->preemption = PREEMPTION_BLOCK;
	platform->concurrent_kernels = platform->per_sm_carveout = TERNARY_YES;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		platform->assumptions[i] = (struct assumption_state){.status = assumption_kinds[i].by_default};
	for (size_t i = 0; i < sizeof granted / sizeof *granted; i++)
		platform->assumptions[granted[i]].status = STATUS_ASSUMED;
	platform->composition = COMPOSITION_JOINT;
	platform->interference = arena_allocate(d->arena, 2, sizeof *platform->interference);
	for (int i = 0; i < 2; i++)
		DRAFT(platform->interference)
	[platform->interference_count++] = (struct interference_entry){.victim = ACCESS_ANY,
		.footprint = NONE,
		.source = INTERFERER_ALL,
		.count = NONE,
		.is_copy = i == 1,
		.factor = rational_of(1),
		.evidence = "drawn"};
	if (d->feature == SMALL_DELAYS)
		draw_delays(d);
	if (d->feature == SMALL_FACTORS)
		draw_factors(d);
}

static void draw_streams(struct small_draw *d, int levels)
{
	struct taskset *set = d->set;
	set->applications = arena_allocate(d->arena, 1, sizeof *set->applications);
	DRAFT(set->applications)[set->application_count++] = (struct application){.id = "a", .timeslice = NONE, .priority = NONE};
	int count = (int)DRAW_AMONG(d->draw, 1, 2, 2, 3, 3, 3);
	set->streams = arena_allocate(d->arena, (size_t)count, sizeof *set->streams);
	for (int i = 0; i < count; i++)
		DRAFT(set->streams)
	[set->stream_count++] = (struct stream){
		.id = arena_format(d->arena, "s%d", i), .level = (int)draw_range(d->draw, 0, levels - 1), .kind = STREAM_BLOCKING};
}

/* Two, and each stream in one of them. */
static void draw_partitions(struct small_draw *d)
{
	struct taskset *set = d->set;
	int64_t sms = checked_max(2, parameter(d, PARAMETER_SM_COUNT));
	set_parameter(d, PARAMETER_SM_COUNT, sms);
	set_parameter(d, PARAMETER_OVERHEAD_BLOCK, 0);
	d->platform->assumptions[ASSUMPTION_PARTITION].status = STATUS_ASSUMED;
	d->platform->copy_runlist = COPY_RUNLIST_OWN;
	set->partitions = arena_allocate(d->arena, 2, sizeof *set->partitions);
	for (int64_t left = sms; set->partition_count < 2; left -= set->partitions[set->partition_count++].size)
		DRAFT(set->partitions)
	[set->partition_count] = (struct partition){.id = set->partition_count == 0 ? "p0" : "p1",
		.kind = PARTITION_GREEN,
		.size = set->partition_count == 1 ? left : draw_range(d->draw, 1, left - 1)};
	for (int i = 0; i < set->stream_count; i++) {
		DRAFT(set->streams)[i].kind = STREAM_NON_BLOCKING;
		DRAFT(set->streams)[i].partition = 1 + (i == 1 ? 1 : i == 0 ? 0 : (int)draw_range(d->draw, 0, 1));
	}
}

static void draw_kernel(struct small_draw *d, struct operation *operation)
{
	int64_t blocks = checked_min(d->blocks, DRAW_AMONG(d->draw, 1, 1, 2, 2, 3, 4));
	int64_t warps = draw_range(d->draw, 1, parameter(d, PARAMETER_SM_WARPS));
	operation->kind = OPERATION_KERNEL;
	operation->kernel = (struct kernel){.scope = SCOPE_BLOCK,
		.grid = {blocks, 1, 1},
		.blocks = blocks,
		.block = {warps * THREADS_A_WARP, 1, 1},
		.threads = warps * THREADS_A_WARP,
		.registers = 8,
		.warps_stay = true,
		.carveout = NONE,
		.active_blocks = NONE,
		.footprint = NONE};
	d->blocks -= blocks;
	int64_t waves = checked_div_ceil(blocks, parameter(d, PARAMETER_SM_COUNT));
	d->work += parameter(d, PARAMETER_OVERHEAD_LAUNCH) + blocks * parameter(d, PARAMETER_OVERHEAD_BLOCK) + operation->wcet * waves;
	if (d->feature == SMALL_DELAYS)
		d->work += waves * (parameter(d, PARAMETER_DISPATCH_DELAY) + parameter(d, PARAMETER_DISPATCH_STALL));
}

static void draw_copy(struct small_draw *d, struct operation *operation)
{
	operation->kind = OPERATION_COPY;
	operation->copy = (struct copy){.direction = (enum direction)DRAW_AMONG(d->draw, DIRECTION_H2D, DIRECTION_D2H), .bytes = NONE};
	operation->wcet = checked_min(operation->wcet, LONGEST - parameter(d, PARAMETER_OVERHEAD_COPY));
	operation->bcet = checked_min(operation->bcet, operation->wcet);
	d->work += operation->wcet + parameter(d, PARAMETER_OVERHEAD_COPY);
}

static void draw_operation(struct small_draw *d, struct task *task, int stream)
{
	struct operation *operation = &DRAFT(d->set->operations)[d->set->operation_count];
	*operation = (struct operation){.id = arena_format(d->arena, "o%d", d->set->operation_count),
		.stream = stream,
		.event = NO_ID,
		.wcet = draw_range(d->draw, 1, LONGEST)};
	operation->bcet = draw_percent(d->draw, 50) ? operation->wcet : draw_range(d->draw, 1, operation->wcet);
	if (d->blocks > 0 && (d->kernels_only || draw_percent(d->draw, 65)))
		draw_kernel(d, operation);
	else
		draw_copy(d, operation);
	if (d->feature == SMALL_FACTORS) /* what is slowed need not be done on a whole ns */
		operation->bcet = checked_min(operation->bcet, operation->wcet - 1);
	d->work += parameter(d, PARAMETER_OVERHEAD_DEPENDENCY);
	d->set->operation_count++;
	task->operation_count++;
}

static void draw_tasks(struct small_draw *d)
{
	struct taskset *set = d->set;
	int tasks = (int)checked_max(set->stream_count, DRAW_AMONG(d->draw, 1, 2, 2, 3));
	set->tasks = arena_allocate(d->arena, (size_t)tasks, sizeof *set->tasks);
	set->operations = arena_allocate(d->arena, (size_t)tasks * 3, sizeof *set->operations);
	for (int i = 0; i < tasks; i++) {
		int stream = i < set->stream_count ? i : (int)draw_range(d->draw, 0, set->stream_count - 1);
		struct task *task = &DRAFT(set->tasks)[set->task_count];
		*task = (struct task){.id = arena_format(d->arena, "t%d", set->task_count++),
			.deadline = NONE,
			.offset = NONE,
			.first_operation = set->operation_count};
		for (int64_t count = d->kernels_only ? 1 : DRAW_AMONG(d->draw, 1, 1, 2, 2, 3); count > 0; count--)
			draw_operation(d, task, stream);
	}
}

/* Periods from one to two and a half times the work of all, so that some bounds have a value and some have none. */
static void draw_arrivals(struct small_draw *d, bool phased)
{
	d->work += d->feature == SMALL_FACTORS ? d->work / 2 : 0;
	for (int i = 0; i < d->set->task_count; i++) {
		struct arrival *arrival = &DRAFT(d->set->tasks)[i].arrival;
		*arrival = (struct arrival){
			.period = checked_max(2, d->work * draw_range(d->draw, 4, 10) / 4), .min_distance = NONE, .max_distance = NONE};
		arrival->kind = draw_percent(d->draw, 30) ? ARRIVAL_SPORADIC : ARRIVAL_PERIODIC;
		if (draw_percent(d->draw, 30))
			arrival->jitter = draw_range(d->draw, 1, arrival->period / 2);
	}
	if (phased)
		generate_phases(d->draw, d->set);
}

enum small_feature generate_small_feature(uint64_t seed, uint64_t index)
{
	struct draw draw = draw_start(seed ^ UINT64_C(0x66656174757265), index);
	return (enum small_feature)DRAW_AMONG(&draw, SMALL_PLAIN, SMALL_PLAIN, SMALL_PLAIN, SMALL_PLAIN, SMALL_DELAYS, SMALL_FACTORS);
}

struct falsify_case generate_small(struct arena *arena, uint64_t seed, uint64_t index, uint64_t attempt)
{
	return generate_small_with(arena, generate_small_feature(seed, index), seed, index, attempt);
}

struct falsify_case generate_small_with(struct arena *arena, enum small_feature feature, uint64_t seed, uint64_t index, uint64_t attempt)
{
	struct falsify_case made = {arena_allocate(arena, 1, sizeof *made.platform), arena_allocate(arena, 1, sizeof *made.set)};
	struct draw draw = draw_start(seed ^ attempt * UINT64_C(0x736d616c6c), index);
	struct small_draw d = {.arena = arena, .draw = &draw, .platform = made.platform, .set = made.set, .blocks = BLOCKS_MOST};
	d.feature = feature;
	bool phased = draw_percent(&draw, 20) && d.feature != SMALL_DELAYS; /* TT does not know of delays */
	d.kernels_only = draw_percent(&draw, 25);
	*made.set = (struct taskset){.path = "drawn.xml", .id = "drawn", .platform_name = "drawn.xml"};
	made.set->origins = arena_allocate(arena, 1, sizeof *made.set->origins);
	DRAFT(made.set->origins)
	[made.set->origin_count++] = (struct origin){.id = "falsifier",
		.kind = ORIGIN_DECLARED,
		.source = "drawn",
		.by = "gpubound falsify",
		.samples = NONE,
		.clock_sm = NONE,
		.clock_memory = NONE};
	draw_platform(&d);
	draw_streams(&d, (int)DRAW_AMONG(&draw, 1, 1, 2, 3));
	if (d.feature == SMALL_PARTITIONS)
		draw_partitions(&d);
	draw_tasks(&d);
	draw_arrivals(&d, phased);
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	return validate_taskset(made.platform, made.set, &diagnostics) ? made : (struct falsify_case){NULL, NULL};
}
