/* Which systems a small machine can follow, and their numbers. */
#include "falsify/small_parts.h"

static int overhead(const struct platform *platform, enum parameter parameter)
{
	int64_t value = platform_value(platform, parameter);
	return value == NONE ? 0 : (int)checked_min(value, SMALL_LONGEST + 1);
}

/* A-ORDER is all that is known of the order. */
static bool is_delayed(const struct platform *platform)
{
	return platform_grants(platform, ASSUMPTION_ORDER) &&
	       !(platform_grants(platform, ASSUMPTION_HOL) && platform_grants(platform, ASSUMPTION_PRIO) &&
		       platform_grants(platform, ASSUMPTION_WC));
}

static bool is_work(const struct operation *operation)
{
	return operation->kind != OPERATION_WAIT && operation->kind != OPERATION_RECORD;
}

/* A-FIT is all that is known of the order. */
static bool is_passing(const struct platform *platform)
{
	bool ordered = platform_grants(platform, ASSUMPTION_HOL) && platform_grants(platform, ASSUMPTION_PRIO);
	return platform_grants(platform, ASSUMPTION_FIT) && !is_delayed(platform) && !ordered;
}

/* ---- what can be followed */

static const char *refuse_operation(const struct platform *platform, const struct operation *operation, int64_t longest)
{
	if (longest > SMALL_LONGEST)
		return "an operation takes too long";
	if (operation->kind == OPERATION_WAIT || operation->kind == OPERATION_RECORD)
		return NULL;
	if (operation->copy.synchronous)
		return "a call that blocks its thread";
	if (operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET)
		return platform->engine_of[operation->copy.direction] < 0 || platform->engine_of[operation->copy.direction] >= SMALL_ENGINES
			       ? "a copy that runs as a kernel"
			       : NULL;
	if (operation->kind != OPERATION_KERNEL || operation->kernel.scope != SCOPE_BLOCK)
		return "only copies and kernels of known blocks are followed";
	const struct kernel *kernel = &operation->kernel;
	int64_t registers = platform_value(platform, PARAMETER_SM_REGISTERS);
	int64_t needed = checked_mul(checked_mul(kernel->registers == NONE ? 0 : checked_round_up(32 * kernel->registers, 256), 1),
		platform_value(platform, PARAMETER_SM_WARPS));
	if (kernel->shared_static + kernel->shared_dynamic > 0 || kernel->curve != NULL || kernel->cache != CACHE_NONE ||
		kernel->carveout != NONE || (registers != NONE && needed > registers))
		return "blocks are told apart by warps alone";
	return kernel->blocks > UINT8_MAX ? "a kernel has too many blocks" : NULL;
}

/* Overheads of the dispatcher are set aside in A-ORDER: with delays there are none. */
static const char *refuse_delays(const struct platform *platform)
{
	if (!is_delayed(platform))
		return NULL;
	if (overhead(platform, PARAMETER_OVERHEAD_LAUNCH) > 0 || overhead(platform, PARAMETER_OVERHEAD_BLOCK) > 0)
		return "start delays beside overheads of a launch or a block";
	if (overhead(platform, PARAMETER_DISPATCH_DELAY) > SMALL_DELAY || overhead(platform, PARAMETER_DISPATCH_STALL) > SMALL_DELAY)
		return "a start delay above 3 ns";
	return platform_value(platform, PARAMETER_SM_WARPS) > UINT8_MAX / 4 - 1 ? "start delays on SMs of more than 62 warps" : NULL;
}

static const char *refuse_platform(const struct platform *platform, const struct taskset *set)
{
	int64_t grids = platform_value(platform, PARAMETER_QUEUES_GRIDS), queues = platform_value(platform, PARAMETER_QUEUES_HARDWARE);
	if (platform_value(platform, PARAMETER_SM_COUNT) > SMALL_SMS || platform_value(platform, PARAMETER_SM_BLOCKS) > SMALL_SLOTS)
		return "the chip has more than 3 SMs, or more than 4 blocks an SM";
	if (platform_value(platform, PARAMETER_STOPS_LENGTH) != NONE)
		return "stops";
	if (grids == NONE || grids < set->stream_count || queues == NONE || queues <= set->stream_count)
		return "streams share queues or grid slots";
	if (is_passing(platform) && (overhead(platform, PARAMETER_OVERHEAD_LAUNCH) > 0 || overhead(platform, PARAMETER_OVERHEAD_BLOCK) > 0))
		return "kernels that pass one another beside overheads of a launch or a block";
	return refuse_delays(platform);
}

/* What the parts of a chip have in common is followed only where it is nothing. */
static const char *refuse_partitions(const struct platform *platform, const struct taskset *set)
{
	if (set->partition_count == 0)
		return NULL;
	if (is_delayed(platform) || overhead(platform, PARAMETER_OVERHEAD_BLOCK) > 0)
		return "partitions beside start delays or an overhead of a block";
	if (platform_value(platform, PARAMETER_SM_COUNT) == NONE)
		return "partitions of nobody knows how many SMs";
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind == OPERATION_KERNEL && set->streams[set->operations[i].stream].partition == 0)
			return "a kernel of the primary context beside partitions";
	return NULL;
}

static const char *refuse_set(const struct taskset *set)
{
	if (set->task_count > SMALL_TASKS || set->stream_count > SMALL_STREAMS || set->application_count != 1)
		return "more than 3 tasks, 3 streams or a context";
	for (int i = 0; i < set->stream_count; i++)
		if (set->streams[i].kind == STREAM_NULL && set->stream_count > 1)
			return "a NULL stream beside others";
	int offsets = 0;
	for (int i = 0; i < set->task_count; i++) {
		const struct arrival *arrival = &set->tasks[i].arrival;
		offsets += set->tasks[i].offset != NONE;
		if (arrival->kind == ARRIVAL_CURVE || arrival->min_distance != NONE || arrival->period > SMALL_PERIOD ||
			arrival->jitter > SMALL_PERIOD || (set->tasks[i].offset != NONE && set->tasks[i].offset > SMALL_PERIOD))
			return "a period or jitter above 100 ns, a curve or a least distance";
	}
	return offsets != 0 && offsets != set->task_count ? "some phases are known and some are not" : NULL;
}

/* ---- numbers */

/* SMs are alike, so that it does not matter which of them a partition has. */
static void set_partitions(struct small *small, const struct taskset *set)
{
	int next = 0;
	for (int p = 0; p < set->partition_count; p++)
		for (int64_t i = 0; i < set->partitions[p].size && next < small->sm_count; i++)
			small->sm_parts[next++] = p + 1;
	while (next < small->sm_count)
		small->sm_parts[next++] = set->partition_count > 0 ? NO_ID : 0;
	for (int s = 0; s < set->stream_count; s++)
		small->parts[s] = set->streams[s].partition;
}

static enum small_beside source_of(const struct operation *operation)
{
	static const enum small_beside sources[DIRECTION_COUNT] = {[DIRECTION_H2D] = BESIDE_H2D,
		[DIRECTION_D2H] = BESIDE_D2H,
		[DIRECTION_D2D] = BESIDE_D2D,
		[DIRECTION_PEER] = BESIDE_D2D,
		[DIRECTION_MEMSET] = BESIDE_MEMSET};
	return sources[operation->kind == OPERATION_MEMSET ? DIRECTION_MEMSET : operation->copy.direction];
}

static struct small_operation resolve(const struct platform *platform, const struct operation *operation)
{
	struct small_operation resolved = {.copy = operation->kind != OPERATION_KERNEL};
	for (int i = 0; i < BESIDE_SETS; i++)
		resolved.rates[i] = 1;
	if (!is_work(operation))
		return resolved;
	if (resolved.copy) {
		resolved.engine = (uint8_t)platform->engine_of[operation->copy.direction];
		resolved.source = (uint8_t)source_of(operation);
		return resolved;
	}
	resolved.warps = (uint8_t)kernel_warps(&operation->kernel);
	resolved.blocks = (uint8_t)operation->kernel.blocks;
	return resolved;
}

/* In units of work. One that is slowed may not be done on a whole ns: then it has to be allowed to be done a little before. */
static const char *set_times(struct small *small, const struct taskset *set, const int64_t *longest)
{
	for (int i = 0; i < set->operation_count; i++) {
		if (set->operations[i].kind == OPERATION_WAIT || set->operations[i].kind == OPERATION_RECORD)
			continue;
		int64_t most = checked_max(longest[i], 1), least = checked_min(set->operations[i].bcet, longest[i]);
		if (small->units > 1 && least > most - 1)
			return "factors, and a BCET that is not a ns below its WCET";
		if ((most + small->stall) * small->units > SMALL_UNITS)
			return "an operation takes too long in parts of a ns";
		small->operations[i].longest = (uint8_t)(most * small->units);
		small->operations[i].least = (uint8_t)checked_max(1, least * small->units);
	}
	return NULL;
}

/* ---- lines and events */

/* The operation that a wait of the task stands before, or a record behind; NO_ID: there is none, or a wait comes between. */
static int work_beside(const struct taskset *set, const struct task *task, int index)
{
	bool wait = set->operations[index].kind == OPERATION_WAIT;
	for (int i = wait ? index + 1 : index - 1; i >= task->first_operation && i < task->first_operation + task->operation_count;
		i += wait ? 1 : -1) {
		const struct operation *operation = &set->operations[i];
		if (operation->stream == set->operations[index].stream && is_work(operation))
			return i;
		if (operation->stream == set->operations[index].stream && !wait && operation->kind == OPERATION_WAIT)
			return NO_ID;
	}
	return NO_ID;
}

static int record_of(const struct taskset *set, const struct task *task, int event)
{
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++)
		if (set->operations[i].kind == OPERATION_RECORD && set->operations[i].event == event)
			return i;
	return NO_ID;
}

static const char *add_wait(struct small *small, const struct taskset *set, const struct task *task, int wait, int number)
{
	int record = record_of(set, task, set->operations[wait].event), before = work_beside(set, task, wait);
	if (record == NO_ID)
		return "an event of another task";
	int behind = work_beside(set, task, record);
	if (before == NO_ID || behind == NO_ID || number == SMALL_HOLDS)
		return "a wait behind all of its stream's operations, a record before all, or too many of them";
	small->operations[before].waits |= (uint8_t)(1 << number);
	small->operations[behind].records |= (uint8_t)(1 << number);
	return NULL;
}

static const char *add_line(struct small *small, const struct taskset *set, int task, int stream)
{
	const struct task *of = &set->tasks[task];
	struct small_line line = {task, stream, small->order_count, 0};
	for (int i = of->first_operation; i < of->first_operation + of->operation_count; i++) {
		if (set->operations[i].stream != stream || !is_work(&set->operations[i]))
			continue;
		if (small->order_count == SMALL_WORK || small->line_count == SMALL_LINES)
			return "too many operations, or streams of tasks";
		small->order[small->order_count++] = (uint8_t)i;
		line.count++;
	}
	if (line.count > 0)
		small->lines[small->line_count++] = line;
	return NULL;
}

static const char *set_lines(struct small *small, const struct taskset *set)
{
	const char *reason = set->operation_count > UINT8_MAX ? "too many operations" : NULL;
	int waits = 0;
	for (int t = 0; t < set->task_count && reason == NULL; t++) {
		const struct task *task = &set->tasks[t];
		for (int s = 0; s < set->stream_count && reason == NULL; s++)
			reason = add_line(small, set, t, s);
		for (int i = task->first_operation; i < task->first_operation + task->operation_count && reason == NULL; i++)
			if (set->operations[i].kind == OPERATION_WAIT)
				reason = add_wait(small, set, task, i, waits++);
	}
	return reason;
}

static const char *set_up(
	struct small *small, struct arena *arena, const struct platform *platform, const struct taskset *set, const int64_t *longest)
{
	*small = (struct small){.task_count = set->task_count, .stream_count = set->stream_count};
	small->sm_count = (int)platform_value(platform, PARAMETER_SM_COUNT);
	small->warps = (int)platform_value(platform, PARAMETER_SM_WARPS);
	small->slots = (int)platform_value(platform, PARAMETER_SM_BLOCKS);
	small->launch = overhead(platform, PARAMETER_OVERHEAD_LAUNCH);
	small->block = overhead(platform, PARAMETER_OVERHEAD_BLOCK);
	small->dependency = overhead(platform, PARAMETER_OVERHEAD_DEPENDENCY);
	small->engine_count = SMALL_ENGINES;
	small->operations = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *small->operations);
	for (int i = 0; i < set->operation_count; i++)
		small->operations[i] = resolve(platform, &set->operations[i]);
	small->passing = is_passing(platform);
	small->delay = is_delayed(platform) ? overhead(platform, PARAMETER_DISPATCH_DELAY) : 0;
	small->stall = is_delayed(platform) ? overhead(platform, PARAMETER_DISPATCH_STALL) : 0;
	for (int i = 0; i < set->stream_count; i++)
		small->levels[i] = set->streams[i].level;
	set_partitions(small, set);
	for (int i = 0; i < set->task_count; i++) {
		const struct task *task = &set->tasks[i];
		small->phased = task->offset != NONE;
		small->tasks[i] = (struct small_task){.period = (int)task->arrival.period,
			.jitter = (int)task->arrival.jitter,
			.offset = task->offset == NONE ? NO_ID : (int)task->offset,
			.sporadic = task->arrival.kind == ARRIVAL_SPORADIC};
	}
	if (small->launch > SMALL_LONGEST || small->block > SMALL_LONGEST || small->dependency > SMALL_LONGEST)
		return "an overhead is too long";
	const char *reason = set_lines(small, set);
	if (reason == NULL)
		reason = small_rate(small, platform, set);
	return reason != NULL ? reason : set_times(small, set, longest);
}

const char *small_init(
	struct small *small, struct arena *arena, const struct platform *platform, const struct taskset *set, const int64_t *longest)
{
	const char *reason = refuse_platform(platform, set);
	if (reason == NULL)
		reason = refuse_set(set);
	if (reason == NULL)
		reason = refuse_partitions(platform, set);
	for (int i = 0; i < set->operation_count && reason == NULL; i++)
		reason = refuse_operation(platform, &set->operations[i], longest[i]);
	return reason != NULL ? reason : set_up(small, arena, platform, set, longest);
}
