/* The rules a schema cannot say: a case without fault, and one change for each rule that must be found, and alone. */
#include "input/validate.h"
#include "unit/run.h"

#include <string.h>

#define SMS 8

static struct arena *arena;
static struct platform gpu;
static struct taskset set;

static struct application applications[2];
static struct stream streams[4];
static struct task tasks[3];
static struct operation operations[10];
static struct end_to_end flow;
static struct origin origin;
static struct sm_position positions[SMS];
static struct curve_step steps[3];
static struct interference_entry factors[5];
static int order[SMS], flow_members[2];
static int64_t carveouts[2], curve[4];
static const char *events[2];

enum { COPY, KERNEL, RECORD, WAIT, SECOND, CLEAR, HOST, OTHER, AGAIN, LAST };

static void state(enum parameter parameter, int64_t value)
{
	gpu.parameters[parameter] =
		(struct quantity){.present = true, .value = value, .exact = rational_of(value), .source = "test", .line = 3};
}

static void declare(enum parameter parameter, int64_t value)
{
	state(parameter, value);
	gpu.parameters[parameter].declared_by = "somebody";
	gpu.parameters[parameter].line = 4;
}

static void forget(enum parameter parameter)
{
	gpu.parameters[parameter].present = false;
}

static const struct {
	enum parameter parameter;
	int64_t value;
} numbers[] = {
	{PARAMETER_SM_COUNT, SMS},
	{PARAMETER_SM_WARPS, 64},
	{PARAMETER_SM_BLOCKS, 32},
	{PARAMETER_SM_SUBPARTITIONS, 4},
	{PARAMETER_SM_REGISTERS, 65536},
	{PARAMETER_SM_SHARED, 98304},
	{PARAMETER_REGISTER_UNIT, 256},
	{PARAMETER_SHARED_UNIT, 256},
	{PARAMETER_SHARED_RESERVED, 0},
	{PARAMETER_BLOCK_THREADS, 1024},
	{PARAMETER_BLOCK_REGISTERS, 65536},
	{PARAMETER_BLOCK_SHARED, 49152},
	{PARAMETER_BLOCK_SHARED_OPTIN, 98304},
	{PARAMETER_THREAD_REGISTERS, 255},
	{PARAMETER_QUEUES_PRIORITIES, 2},
	{PARAMETER_COPY_ENGINES, 1},
	{PARAMETER_OVERHEAD_LAUNCH, 5000},
	{PARAMETER_OVERHEAD_BLOCK, 100},
	{PARAMETER_OVERHEAD_DEPENDENCY, 1000},
	{PARAMETER_OVERHEAD_COPY, 1000},
	{PARAMETER_RUNLIST_TIMESLICE, 1024000},
	{PARAMETER_RUNLIST_SWITCH, 200000},
	{PARAMETER_STOPS_LENGTH, 1000},
	{PARAMETER_STOPS_DISTANCE, 1000000},
};

static void fill_platform(void)
{
	memset(&gpu, 0, sizeof gpu);
	gpu.path = "gpu.xml", gpu.id = "gpu", gpu.compute_capability = 72, gpu.integrated = true, gpu.map_source = "test";
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		state(numbers[i].parameter, numbers[i].value);
	for (int i = 0; i < SMS; i++) {
		positions[i] = (struct sm_position){.gpc = i / 2, .tpc = i / 2, .ring = NO_ID};
		order[i] = SMS - 1 - i;
	}
	carveouts[0] = 0, carveouts[1] = 98304;
	gpu.sms = positions, gpu.gpc_count = SMS / 2, gpu.order = order, gpu.carveouts = carveouts, gpu.carveout_count = 2;
	gpu.engine_of[DIRECTION_MEMSET] = ENGINE_COMPUTE;
	gpu.engine_of[DIRECTION_PEER] = ENGINE_NONE;
	gpu.copy_runlist = COPY_RUNLIST_OWN, gpu.concurrent_kernels = TERNARY_YES;
	for (int i = 0; i < 5; i++)
		factors[i] = (struct interference_entry){.footprint = NONE, .count = NONE, .factor = rational_make(5, 4), .line = 7 + i};
	factors[0].source = INTERFERER_CPU;
	factors[1].source = INTERFERER_CPU, factors[1].is_copy = true;
	factors[2].source = INTERFERER_GPC, factors[2].declared_by = "somebody";
	factors[3].source = INTERFERER_OTHER;
	factors[4].source = INTERFERER_OTHER, factors[4].is_copy = true;
	gpu.interference = factors, gpu.interference_count = 5;
}

static struct operation operation(const char *id, enum operation_kind kind, int stream, long line)
{
	struct operation op = {.id = id, .kind = kind, .stream = stream, .event = NO_ID, .wcet = 1000, .line = line};
	op.kernel = (struct kernel){.grid = {4, 4, 1},
		.blocks = 16,
		.threads = 256,
		.registers = 32,
		.warps_stay = true,
		.carveout = NONE,
		.active_blocks = NONE,
		.footprint = NONE};
	op.copy = (struct copy){.direction = kind == OPERATION_MEMSET ? DIRECTION_MEMSET : DIRECTION_H2D, .bytes = 4096};
	if (kind == OPERATION_WAIT || kind == OPERATION_RECORD)
		op.event = 0, op.wcet = 0;
	return op;
}

static void fill_operations(void)
{
	operations[COPY] = operation("copy", OPERATION_COPY, 0, 20);
	operations[KERNEL] = operation("kernel", OPERATION_KERNEL, 0, 21);
	operations[RECORD] = operation("record", OPERATION_RECORD, 0, 22);
	operations[WAIT] = operation("wait", OPERATION_WAIT, 1, 23);
	operations[SECOND] = operation("second", OPERATION_KERNEL, 1, 24);
	operations[CLEAR] = operation("clear", OPERATION_MEMSET, 2, 25);
	operations[HOST] = operation("host", OPERATION_HOST, NO_ID, 26);
	operations[OTHER] = operation("other", OPERATION_KERNEL, 3, 27);
	operations[AGAIN] = operation("again", OPERATION_KERNEL, 0, 28);
	operations[LAST] = operation("last", OPERATION_KERNEL, 1, 29);
	operations[LAST].kernel.scope = SCOPE_GRID;
}

static struct task task(const char *id, int application, int first, int count)
{
	struct arrival arrival = {.kind = ARRIVAL_PERIODIC, .period = 1000000, .jitter = 10, .min_distance = NONE, .max_distance = NONE};
	return (struct task){.id = id,
		.application = application,
		.arrival = arrival,
		.deadline = 1000000,
		.offset = NONE,
		.first_operation = first,
		.operation_count = count,
		.line = 10 + first};
}

static void fill_set(void)
{
	memset(&set, 0, sizeof set);
	fill_operations();
	applications[0] = (struct application){"a", NONE, NONE, 5};
	applications[1] = (struct application){"b", 1024000, NONE, 6};
	streams[0] = (struct stream){"s0", 0, 0, STREAM_BLOCKING, 7};
	streams[1] = (struct stream){"s1", 0, 1, STREAM_NON_BLOCKING, 8};
	streams[2] = (struct stream){"null", 0, 0, STREAM_NULL, 9};
	streams[3] = (struct stream){"s3", 1, 0, STREAM_BLOCKING, 9};
	tasks[0] = task("t0", 0, COPY, 6), tasks[1] = task("t1", 1, HOST, 2), tasks[2] = task("t2", 0, AGAIN, 2);
	steps[0] = (struct curve_step){1000, 2}, steps[1] = (struct curve_step){1500, 3}, steps[2] = (struct curve_step){4000, 5};
	events[0] = "e0", events[1] = "e1";
	flow_members[0] = 0, flow_members[1] = 1;
	flow = (struct end_to_end){.id = "c", .deadline = 5000000, .tasks = flow_members, .task_count = 2, .line = 40};
	origin = (struct origin){.id = "o", .kind = ORIGIN_MEASURED, .file = "f", .samples = 10, .line = 2};
	set = (struct taskset){.path = "set.xml",
		.origins = &origin,
		.origin_count = 1,
		.applications = applications,
		.application_count = 2,
		.streams = streams,
		.stream_count = 4,
		.events = events,
		.event_count = 1,
		.tasks = tasks,
		.task_count = 3,
		.operations = operations,
		.operation_count = 10,
		.end_to_end = &flow,
		.end_to_end_count = 1};
}

/* ---- the changes */

static void make_curve(void)
{
	tasks[1].arrival.kind = ARRIVAL_CURVE, tasks[1].arrival.steps = steps, tasks[1].arrival.step_count = 3,
	tasks[1].arrival.period = 4000;
}

static void make_resident(int count)
{
	operations[KERNEL].kernel.curve = curve, operations[KERNEL].kernel.curve_count = count;
}

/* Sub-partitions hold 8 warps of 200 registers, hence one block of five; the whole SM's registers two. */
static void make_two_by_amounts(enum assumption_status status)
{
	operations[KERNEL].kernel.threads = 160, operations[KERNEL].kernel.registers = 200;
	gpu.assumptions[ASSUMPTION_FRAG].status = status;
	make_resident(1);
}

/* The first task's copy comes last but one, on the NULL stream, which non-blocking ones do not wait for. */
static void make_call(int before)
{
	operations[CLEAR].copy.synchronous = true;
	tasks[0].operation_count = 7, tasks[1].first_operation = OTHER, tasks[1].operation_count = 1;
	operations[HOST] = operation("behind", OPERATION_KERNEL, 0, 26);
	operations[SECOND].stream = before;
}

static void make_least(int assumption, int64_t value)
{
	static struct least_value least;
	least = (struct least_value){assumption, PARAMETER_OVERHEAD_COPY, value, "test", 5};
	gpu.leasts = &least, gpu.least_count = 1, gpu.assumptions[ASSUMPTION_CE].status = STATUS_ASSUMED;
}

/* Two partitions, of the first two streams; sets of SMs, 0: two of them that nobody knows. */
static struct partition partitions[2];
static uint64_t members[2][PARTITION_WORDS];

static void make_partitions(enum partition_kind kind, uint64_t first, uint64_t second, enum partition_kind other)
{
	const uint64_t of[] = {first, second};
	const enum partition_kind kinds[] = {kind, other};
	for (int i = 0; i < 2; i++) {
		members[i][0] = of[i];
		partitions[i] = (struct partition){
			i == 0 ? "p" : "q", kinds[i], of[i] == 0 ? 2 : __builtin_popcountll(of[i]), of[i] == 0 ? NULL : members[i], 3};
		streams[i].partition = 1 + i;
	}
	set.partitions = partitions, set.partition_count = 2;
}

/* Both applications are clients of one MPS server. */
static void serve(void)
{
	static const int together[] = {0, 0};
	applications[0].server = applications[1].server = "m";
	set.context_of = together;
	applications[1].timeslice = NONE;
}

/* Two tasks of one period that wait for each other. */
static void make_circle(void)
{
	set.event_count = 2;
	operations[COPY] = operation("w1", OPERATION_WAIT, 0, 20), operations[COPY].event = 1;
	operations[AGAIN] = operation("w0", OPERATION_WAIT, 1, 28);
	operations[LAST] = operation("r1", OPERATION_RECORD, 1, 29), operations[LAST].event = 1;
}

/* The same through a host segment and the NULL stream instead of one stream. */
static void make_wide_circle(void)
{
	make_circle();
	streams[1].kind = STREAM_BLOCKING, operations[LAST].stream = 2;
	operations[KERNEL].kind = OPERATION_HOST, operations[KERNEL].stream = NO_ID, operations[COPY].stream = 1;
}

#define CASES                                                                                                                              \
	CASE(PARAMETER_RANGE, state(PARAMETER_REGISTER_UNIT, 0))                                                                           \
	CASE(PARAMETER_RANGE, state(PARAMETER_COPY_ENGINES, 1001))                                                                         \
	CASE(PARAMETER_RANGE, declare(PARAMETER_RUNLIST_TIMESLICE, 0))                                                                     \
	CASE(PARAMETER_CONTRADICTION, (state(PARAMETER_BLOCK_THREADS, 2049), gpu.compute_capability = 13))                                 \
	CASE(PARAMETER_CONTRADICTION, declare(PARAMETER_DISPATCH_NONEMPTY, SMS + 1))                                                       \
	CASE(PARAMETER_CONTRADICTION, state(PARAMETER_STOPS_DISTANCE, 1000))                                                               \
	CASE(PARAMETER_CONTRADICTION, state(PARAMETER_BLOCK_SHARED_OPTIN, 49151))                                                          \
	CASE(STOPS_INCOMPLETE, forget(PARAMETER_STOPS_DISTANCE))                                                                           \
	CASE(STOPS_INCOMPLETE, forget(PARAMETER_STOPS_LENGTH))                                                                             \
	CASE(PARAMETER_BELOW, make_least(ASSUMPTION_CE, 1001))                                                                             \
	CASE(PARAMETER_BELOW, make_least(NO_ID, 1001))                                                                                     \
	CASE(CAPABILITY_EXCEEDED, state(PARAMETER_SM_WARPS, 65))                                                                           \
	CASE(CAPABILITY_EXCEEDED, (state(PARAMETER_QUEUES_HARDWARE, 2), gpu.compute_capability = 29))                                      \
	CASE(CARVEOUTS, carveouts[1] = 65536)                                                                                              \
	CASE(ENGINE_NUMBER, gpu.engine_of[DIRECTION_D2H] = 1)                                                                              \
	CASE(FACTOR_REPEATED, factors[2] = factors[0])                                                                                     \
	CASE(FACTOR_SENSELESS, factors[2].source = INTERFERER_EE)                                                                          \
	CASE(FACTOR_SENSELESS, factors[2].is_copy = true)                                                                                  \
	CASE(STREAM_UNUSED, operations[CLEAR].stream = 0)                                                                                  \
	CASE(NULL_STREAMS, streams[0].kind = STREAM_NULL)                                                                                  \
	CASE(PRIORITY_RANGE, streams[1].level = 2)                                                                                         \
	CASE(PRIORITY_KINDS, (streams[0].stated = streams[1].stated = streams[2].stated = streams[3].by_cuda = true))                      \
	CASE(PRIORITIES_MIXED, streams[1].stated = true)                                                                                   \
	CASE(PRIORITIES_UNDECLARED, forget(PARAMETER_QUEUES_PRIORITIES))                                                                   \
	CASE(CONCURRENT_KERNELS, gpu.concurrent_kernels = TERNARY_NO)                                                                      \
	CASE(CONCURRENT_KERNELS_UNDECLARED, gpu.concurrent_kernels = TERNARY_UNKNOWN)                                                      \
	CASE(PARTITION_SMS, make_partitions(0, UINT64_C(1) << SMS, 0, 0))                                                                  \
	CASE(PARTITION_OVERLAP, make_partitions(0, 3, 2, PARTITION_MASK))                                                                  \
	CASE(PARTITION_TOO_MANY, (make_partitions(0, 0, 0, 0), partitions[0].size = SMS))                                                  \
	CASE(PARTITION_GRANULARITY, (make_partitions(0, 3, 12, 0), state(PARAMETER_PARTITION_UNIT, SMS - 1)))                              \
	CASE(PARTITION_MASK, (make_partitions(PARTITION_MASK, 3, 12, 0), gpu.compute_capability = 90))                                     \
	CASE(PARTITION_MPS, make_partitions(PARTITION_MPS, 3, 12, 0))                                                                      \
	CASE(PARTITION_STREAM, (make_partitions(0, 3, 12, 0), streams[2].partition = 1))                                                   \
	CASE(PARTITION_STREAM, (make_partitions(0, 3, 12, 0), streams[3].partition = 1))                                                   \
	CASE(KERNEL_LIMIT_UNKNOWN, (make_partitions(0, 3, 12, 0), forget(PARAMETER_SM_COUNT)))                                             \
	CASE(MPS_SERVER, (serve(), applications[1].timeslice = 1000))                                                                      \
	CASE(MPS_SERVER, (serve(), set.merged_context = true))                                                                             \
	CASE(INTERLEAVE, (set.merged_context = true, applications[1].timeslice = NONE, applications[1].interleave = INTERLEAVE_HIGH))      \
	CASE(TIMESLICE_UNUSED, set.merged_context = true)                                                                                  \
	CASE(JITTER_TOO_LARGE, tasks[1].arrival.jitter = 1000000001)                                                                       \
	CASE(BEST_EFFORT, tasks[2].best_effort = true)                                                                                     \
	CASE(BEST_EFFORT, (tasks[2].best_effort = true, tasks[2].deadline = NONE, tasks[2].requirement = "SYS-1"))                         \
	CASE(BEST_EFFORT, (tasks[0].best_effort = true, tasks[0].deadline = NONE))                                                         \
	CASE(DEADLINE_ZERO, tasks[2].deadline = 0)                                                                                         \
	CASE(MIN_DISTANCE_ALONE,                                                                                                           \
		(tasks[1].arrival.kind = ARRIVAL_SPORADIC, tasks[1].arrival.jitter = 0, tasks[1].arrival.min_distance = 999999))           \
	CASE(MIN_DISTANCE_IDLE,                                                                                                            \
		(tasks[1].arrival.kind = ARRIVAL_SPORADIC, tasks[1].arrival.jitter = 1, tasks[1].arrival.min_distance = 999998))           \
	CASE(MIN_DISTANCE, (tasks[1].arrival.kind = ARRIVAL_SPORADIC, tasks[1].arrival.min_distance = 1000001))                            \
	CASE(OFFSET_BEYOND_PERIOD, tasks[1].offset = 1000000)                                                                              \
	CASE(CURVE_HORIZON, (make_curve(), tasks[1].arrival.period = 3999))                                                                \
	CASE(CURVE_HORIZON, (make_curve(), tasks[1].arrival.period = 4001))                                                                \
	CASE(CURVE_INCONSISTENT, (make_curve(), steps[1].count = 5))                                                                       \
	CASE(CURVE_TOO_LONG, (make_curve(), tasks[1].arrival.step_count = 1025))                                                           \
	CASE(WCET_ZERO, operations[HOST].wcet = 0)                                                                                         \
	CASE(BCET_ABOVE_WCET, operations[OTHER].bcet = 1001)                                                                               \
	CASE(COPY_NO_ENGINE, operations[COPY].copy.direction = DIRECTION_PEER)                                                             \
	CASE(BYTES_ZERO, operations[CLEAR].copy.bytes = 0)                                                                                 \
	CASE(COPY_TOO_FAST, operations[COPY].copy.bytes = 1000001)                                                                         \
	CASE(FOOTPRINT_ZERO, operations[KERNEL].kernel.footprint = 0)                                                                      \
	CASE(KERNEL_GRID, operations[OTHER].kernel.grid[1] = 65536)                                                                        \
	CASE(KERNEL_GRID, operations[OTHER].kernel.blocks = (operations[OTHER].kernel.scope = SCOPE_GRID, NONE))                           \
	CASE(KERNEL_THREADS, operations[OTHER].kernel.threads = 1025)                                                                      \
	CASE(KERNEL_REGISTERS, operations[OTHER].kernel.registers = 256)                                                                   \
	CASE(KERNEL_REGISTERS, (state(PARAMETER_BLOCK_REGISTERS, 8191), tasks[0].line = 1))                                                \
	CASE(KERNEL_SHARED, operations[OTHER].kernel.shared_static = 49153)                                                                \
	CASE(KERNEL_SHARED, (state(PARAMETER_BLOCK_SHARED_OPTIN, 65536), operations[OTHER].kernel.shared_dynamic = 65537))                 \
	CASE(KERNEL_FITS_NO_SM, (state(PARAMETER_SHARED_RESERVED, 1), operations[OTHER].kernel.shared_dynamic = 98304))                    \
	CASE(KERNEL_FITS_NO_SM,                                                                                                            \
		(operations[OTHER].kernel.threads = 544, operations[OTHER].kernel.registers = 129, forget(PARAMETER_BLOCK_REGISTERS)))     \
	CASE(KERNEL_LIMIT_UNKNOWN, forget(PARAMETER_SM_BLOCKS))                                                                            \
	CASE(ACTIVE_BLOCKS, operations[KERNEL].kernel.active_blocks = 17)                                                                  \
	CASE(CURVE_SHORT, (operations[KERNEL].kernel.threads = 384, make_resident(4)))                                                     \
	CASE(CURVE_SHORT, make_two_by_amounts(STATUS_ASSUMED))                                                                             \
	CASE(EVENT_NEVER_RECORDED, operations[RECORD] = operation("host2", OPERATION_HOST, NO_ID, 22))                                     \
	CASE(EVENT_RECORDED_TWICE, operations[AGAIN] = operation("twice", OPERATION_RECORD, 0, 28))                                        \
	CASE(EVENT_UNUSED, set.event_count = 2)                                                                                            \
	CASE(EVENT_ACROSS_APPLICATIONS, operations[OTHER] = operation("wait", OPERATION_WAIT, 3, 27))                                      \
	CASE(EVENT_ACROSS_PERIODS, (operations[AGAIN] = operation("wait", OPERATION_WAIT, 0, 28), tasks[2].arrival.period = 7))            \
	CASE(WAIT_BEFORE_RECORD, (operations[COPY] = operation("w", OPERATION_WAIT, 1, 20)))                                               \
	CASE(SYNCHRONOUS_BESIDE, make_call(1))                                                                                             \
	CASE(EVENT_CYCLE, make_circle())                                                                                                   \
	CASE(EVENT_CYCLE, (make_circle(), operations[COPY].stream = 2))                                                                    \
	CASE(EVENT_CYCLE, make_wide_circle())                                                                                              \
	CASE(CHAIN_DEADLINE, flow.deadline = NONE)                                                                                         \
	CASE(NO_DEADLINE, tasks[2].deadline = NONE)                                                                                        \
	CASE(MAX_DISTANCE, (tasks[1].arrival.kind = ARRIVAL_SPORADIC, tasks[1].arrival.max_distance = 999999))                             \
	CASE(CHAIN_MEMBER_REPEATED, flow_members[1] = 0)                                                                                   \
	CASE(ORIGIN_INCOMPLETE, origin.file = NULL)                                                                                        \
	CASE(ORIGIN_INCOMPLETE, origin.samples = 0)                                                                                        \
	CASE(ORIGIN_INCOMPLETE, origin.kind = ORIGIN_DECLARED)                                                                             \
	CASE(ORIGIN_INCOMPLETE, origin.source = PLACEHOLDER_SOURCE)                                                                        \
	CASE(EVIDENCE_STALE, (gpu.conditions[0] = "one", origin.conditions[0] = "another"))                                                \
	CASE(KERNEL_REGISTERS_MISSING, operations[LAST].kernel.registers = 0)                                                              \
	CASE(INTERFERENCE_UNDECLARED, factors[0].source = INTERFERER_SM)                                                                   \
	CASE(OVERHEAD_UNDECLARED, forget(PARAMETER_OVERHEAD_BLOCK))                                                                        \
	CASE(RUNLIST_UNDECLARED, forget(PARAMETER_RUNLIST_TIMESLICE))                                                                      \
	CASE(RUNLIST_UNDECLARED, gpu.copy_runlist = COPY_RUNLIST_SHARED)                                                                   \
	CASE(KERNEL_REGISTERS_MISSING, operations[OTHER].kernel.registers = NONE)

/* Changes that break no rule. */
#define FINE                                                                                                                               \
	FINE_CASE((make_curve(), steps[1] = (struct curve_step){2000, 4}))                                                                 \
	FINE_CASE((set.merged_context = true, applications[1].timeslice = NONE, forget(PARAMETER_RUNLIST_SWITCH)))                         \
	FINE_CASE((serve(), forget(PARAMETER_RUNLIST_SWITCH)))                                                                             \
	FINE_CASE((void)0)                                                                                                                 \
	FINE_CASE(make_curve())                                                                                                            \
	FINE_CASE((tasks[1].arrival.jitter = 1000000000, tasks[1].offset = 999999))                                                        \
	FINE_CASE((tasks[1].arrival.kind = ARRIVAL_SPORADIC, tasks[1].arrival.min_distance = 1000000))                                     \
	FINE_CASE((operations[OTHER].bcet = 1000, operations[COPY].copy.bytes = 1000000, operations[KERNEL].kernel.active_blocks = 16))    \
	FINE_CASE((operations[OTHER].kernel.threads = 1024, operations[OTHER].kernel.registers = 64,                                       \
		operations[OTHER].kernel.grid[1] = 65535))                                                                                 \
	FINE_CASE((gpu.engine_of[DIRECTION_D2D] = 0, state(PARAMETER_DISPATCH_NONEMPTY, SMS), state(PARAMETER_STOPS_DISTANCE, 1001)))      \
	FINE_CASE((operations[RECORD].stream = 1, operations[WAIT].stream = 0))                                                            \
	FINE_CASE((set.merged_context = true, applications[1].timeslice = NONE,                                                            \
		operations[OTHER] = operation("wait", OPERATION_WAIT, 3, 27)))                                                             \
	FINE_CASE((operations[KERNEL].kernel.threads = 512, make_resident(4)))                                                             \
	FINE_CASE(make_two_by_amounts(STATUS_UNSTATED))                                                                                    \
	FINE_CASE((gpu.concurrent_kernels = TERNARY_NO, operations[SECOND].stream = 0, operations[LAST].stream = 0))                       \
	FINE_CASE((operations[KERNEL].kernel.shared_dynamic = 98304 - 49152, operations[KERNEL].kernel.shared_static = 49152))             \
	FINE_CASE((operations[AGAIN] = operation("wait", OPERATION_WAIT, 0, 28)))                                                          \
	FINE_CASE((operations[OTHER].kernel.scope = SCOPE_GRID, operations[OTHER].kernel.threads = operations[OTHER].kernel.blocks = NONE, \
		operations[OTHER].kernel.registers = NONE, operations[OTHER].kernel.grid[0] = 0))                                          \
	FINE_CASE((operations[OTHER].kernel.threads = 512, operations[OTHER].kernel.registers = 128))

static void fill(void)
{
	arena = arena_create();
	fill_platform();
	fill_set();
}

static void check_only(struct diagnostics *list, enum diagnostic_code code, const char *change)
{
	for (int i = 0; i < list->count; i++)
		ck_assert_msg(list->items[i].code == code, "%s: also %s: %s", change, diagnostic_kinds[list->items[i].code].slug,
			list->items[i].text);
	ck_assert_msg(list->count > 0, "%s: %s not found", change, diagnostic_kinds[code].slug);
}

START_TEST(each_rule_is_found_alone)
{
	struct diagnostics list;
#define CASE(code, change)                                                                                                                 \
	{                                                                                                                                  \
		fill();                                                                                                                    \
		change;                                                                                                                    \
		diagnostics_init(&list, arena);                                                                                            \
		bool fine = validate_taskset(&gpu, &set, &list);                                                                           \
		check_only(&list, DIAGNOSTIC_##code, #change);                                                                             \
		ck_assert_int_eq(fine, diagnostic_kinds[DIAGNOSTIC_##code].level != LEVEL_ERROR);                                          \
		arena_destroy(arena);                                                                                                      \
	}
	CASES
#undef CASE
}
END_TEST

START_TEST(nothing_else_is_refused)
{
	struct diagnostics list;
#define FINE_CASE(change)                                                                                                                  \
	{                                                                                                                                  \
		fill();                                                                                                                    \
		change;                                                                                                                    \
		diagnostics_init(&list, arena);                                                                                            \
		bool fine = validate_platform(&gpu, &list) && validate_taskset(&gpu, &set, &list);                                         \
		ck_assert_msg(fine &&list.count == 0, "%s: %s", #change, list.count > 0 ? list.items[0].text : "");                        \
		arena_destroy(arena);                                                                                                      \
	}
	FINE
#undef FINE_CASE
}
END_TEST

/* Declared numbers are blamed at their line in the task set, the model's own at theirs. */
START_TEST(the_right_file_is_blamed)
{
	struct diagnostics list;
	fill();
	declare(PARAMETER_DISPATCH_NONEMPTY, SMS + 1);
	diagnostics_init(&list, arena);
	ck_assert(!validate_taskset(&gpu, &set, &list));
	ck_assert_str_eq(list.items[0].file, "set.xml");
	ck_assert_int_eq(list.items[0].line, 4);
	state(PARAMETER_DISPATCH_NONEMPTY, SMS + 1);
	diagnostics_init(&list, arena);
	ck_assert(!validate_platform(&gpu, &list));
	ck_assert_str_eq(list.items[0].file, "gpu.xml");
	ck_assert_int_eq(list.items[0].line, 3);
	arena_destroy(arena);
}
END_TEST

START_TEST(a_circle_is_named)
{
	struct diagnostics list;
	fill();
	make_circle();
	diagnostics_init(&list, arena);
	ck_assert(!validate_taskset(&gpu, &set, &list));
	ck_assert_str_eq(list.items[0].text,
		"these operations wait for each other in a circle: 'w1' -> 'kernel' -> 'record' -> 'w0' -> 'r1' -> 'w1'");
	arena_destroy(arena);
}
END_TEST

/* A rule whose change is in no case would never be seen to fail. */
START_TEST(every_rule_has_a_case)
{
	bool covered[DIAGNOSTIC_COUNT] = {false};
#define CASE(code, change) covered[DIAGNOSTIC_##code] = true;
	CASES
#undef CASE
	for (int i = DIAGNOSTIC_PARAMETER_RANGE; i <= DIAGNOSTIC_RUNLIST_UNDECLARED; i++)
		ck_assert_msg(covered[i], "%s has no case", diagnostic_kinds[i].slug);
}
END_TEST

/* What is beyond it is refused; what some task set needs has a place where it is found, and a number to go on with. */
START_TEST(each_parameter_has_its_range)
{
	for (int i = 0; i < PARAMETER_COUNT; i++) {
		const struct parameter_kind *kind = &parameter_kinds[i];
		const int64_t wrong[] = {kind->least - 1, kind->most == NONE ? kind->least - 1 : kind->most + 1};
		ck_assert_int_eq(kind->need != NEED_NOTHING, kind->where[0] != '\0');
		ck_assert_int_eq(kind->need != NEED_NOTHING, kind->stand_in != NONE);
		ck_assert(
			kind->stand_in == NONE || (kind->stand_in >= kind->least && (kind->most == NONE || kind->stand_in <= kind->most)));
		for (int k = 0; k < 2; k++) {
			struct diagnostics list;
			fill();
			state((enum parameter)i, wrong[k]);
			diagnostics_init(&list, arena);
			ck_assert(!validate_platform(&gpu, &list));
			ck_assert_msg(list.items[0].code == DIAGNOSTIC_PARAMETER_RANGE, "%s: %s", kind->name, list.items[0].text);
			arena_destroy(arena);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("validate");
	TCase *rules = tcase_create("rules");
	tcase_add_test(rules, each_rule_is_found_alone);
	tcase_add_test(rules, nothing_else_is_refused);
	tcase_add_test(rules, the_right_file_is_blamed);
	tcase_add_test(rules, a_circle_is_named);
	tcase_add_test(rules, every_rule_has_a_case);
	tcase_add_test(rules, each_parameter_has_its_range);
	suite_add_tcase(suite, rules);
	return run_suite(suite);
}
