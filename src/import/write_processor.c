/* The platform model of a single processor. */
#include "import/write_imported.h"

#include "model/draft.h"
#include "write/write.h"

#define SOURCE "the processor model of the imported task set, without overheads"

static const struct {
	enum parameter parameter;
	int64_t value;
} numbers[] = {
	{PARAMETER_SM_COUNT, 1},
	{PARAMETER_SM_WARPS, 1},
	{PARAMETER_SM_BLOCKS, 1},
	{PARAMETER_SM_SUBPARTITIONS, 1},
	{PARAMETER_SM_REGISTERS, 256},
	{PARAMETER_SM_SHARED, 256},
	{PARAMETER_REGISTER_UNIT, 256},
	{PARAMETER_SHARED_UNIT, 256},
	{PARAMETER_SHARED_RESERVED, 0},
	{PARAMETER_BLOCK_THREADS, 32},
	{PARAMETER_BLOCK_REGISTERS, 256},
	{PARAMETER_THREAD_REGISTERS, 8},
	{PARAMETER_QUEUES_HARDWARE, INT32_MAX},
	{PARAMETER_QUEUES_GRIDS, INT32_MAX},
	{PARAMETER_DISPATCH_NONEMPTY, 1},
	{PARAMETER_OVERHEAD_LAUNCH, 0},
	{PARAMETER_OVERHEAD_BLOCK, 0},
	{PARAMETER_OVERHEAD_DEPENDENCY, 0},
	{PARAMETER_TIME_TICK, 1000},
};

static void set_number(struct platform *platform, enum parameter parameter, int64_t value)
{
	platform->parameters[parameter] = (struct quantity){.present = true, .value = value, .exact = rational_of(value), .source = SOURCE};
}

void import_write_processor(struct output *output, int levels)
{
	static const char *const notes[] = {"Written by gpubound import: no GPU, but one processor on which jobs run by fixed priority "
					    "without preemption, as one SM with room for one block. A level for each priority of the "
					    "task set; nothing costs time but the jobs. Nothing runs beside a job: there is one slot, "
					    "and no memory that anybody shares.",
		NULL};
	static const struct platform_source source = {"model", "data", SOURCE};
	static const struct sm_position sm = {0, 0, NO_ID};
	static const struct interference_entry factor = {
		.victim = ACCESS_ANY, .footprint = NONE, .source = INTERFERER_ALL, .count = NONE, .factor = {1, 1}, .evidence = SOURCE};
	static const int order[] = {0};
	struct platform platform = {.id = "processor", .name = "one SM with one slot", .architecture = "none", .compute_capability = 70};
	platform.sources = &source;
	platform.source_count = 1;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		set_number(&platform, numbers[i].parameter, numbers[i].value);
	set_number(&platform, PARAMETER_QUEUES_PRIORITIES, levels);
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (i != ASSUMPTION_PARTITION) /* one SM is not parted */
			platform.assumptions[i] = (struct assumption_state){STATUS_HOLDS, "By definition of the processor.", SOURCE, NULL};
	for (int i = 0; i < DIRECTION_COUNT; i++)
		platform.engine_of[i] = ENGINE_NONE;
	platform.sms = &sm;
	platform.gpc_count = 1;
	platform.order = order;
	platform.map_source = platform.order_source = platform.placement_source = platform.engine_source = SOURCE;
	platform.placement = PLACEMENT_MOST_ROOM;
	platform.preemption = PREEMPTION_BLOCK;
	platform.concurrent_kernels = TERNARY_YES;
	platform.composition = COMPOSITION_MAXIMUM;
	platform.interference = &factor;
	platform.interference_count = 1;
	write_platform(output, &platform, notes);
}
