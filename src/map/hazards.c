/* What in a task set can hurt: one check a hazard, at most one line a kernel or context for each. */
#include "map/hazards.h"

#include "map/pairs.h"
#include "model/program.h"

#include <inttypes.h>
#include <stddef.h>

struct view {
	const struct platform *platform;
	const struct taskset *set;
	const struct map *map;
	struct diagnostics *diagnostics;
	const struct pairs *pairs; /* one an operation */
	bool *works;               /* does a stream carry any work? */
};

#define HAZARD(view, code, line, ...) diagnose((view)->diagnostics, DIAGNOSTIC_HAZARD_##code, (view)->set->path, line, __VA_ARGS__)

static int64_t value(const struct view *view, enum parameter parameter)
{
	return platform_value(view->platform, parameter);
}

static const struct kernel_map *kernel_of(const struct view *view, const struct operation *operation)
{
	return &view->map->kernels[operation - view->set->operations];
}

static const char *plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

/* ---- pairs of kernels */

static const struct pairs *pairs_of(const struct view *view, const struct operation *operation)
{
	return &view->pairs[operation - view->set->operations];
}

static void check_same_sm(const struct view *view, const struct operation *kernel)
{
	enum placement placement = view->platform->placement;
	const struct tally *residents = &pairs_of(view, kernel)->joins;
	if (placement == PLACEMENT_ROUND_ROBIN || placement == PLACEMENT_FERMI || residents->count == 0)
		return;
	const struct occupancy *other = &kernel_of(view, residents->first)->occupancy, *own = &kernel_of(view, kernel)->occupancy;
	HAZARD(view, SAME_SM, kernel->line,
		"blocks of kernel '%s' (%" PRId64 " warp%s) %s an SM that holds a block of '%s' (%" PRId64
		" warp%s) although other SMs are idle: room for %" PRId64
		" block%s with or without it; %d kernel%s do%s this to '%s'; cure: change the threads of one so that the room differs",
		kernel->id, own->demand.warps, plural(own->demand.warps), placement == PLACEMENT_UNKNOWN ? "may join" : "join",
		residents->first->id, other->demand.warps, plural(other->demand.warps), own->whole, plural(own->whole), residents->count,
		plural(residents->count), residents->count == 1 ? "es" : "", kernel->id);
}

static void check_pile_up(const struct view *view, const struct operation *kernel)
{
	const struct tally *residents = &pairs_of(view, kernel)->shut_out_by;
	if (residents->count > 0)
		HAZARD(view, CONFIGURATION_PILE_UP, kernel->line,
			"kernel '%s' can not join an SM that '%s' configured (%" PRId64
			" KiB of shared memory; %d kernel%s shut%s it out): it waits for an "
			"idle SM and piles up to %" PRId64 " blocks up there; cure: a carveout preference of 100 for all kernels",
			kernel->id, residents->first->id, pairs_of(view, residents->first)->target / 1024, residents->count,
			plural(residents->count), residents->count == 1 ? "s" : "", kernel_of(view, kernel)->occupancy.whole);
}

#define WIDE_WARPS 24 /* [HOPPER] P7 */

static void check_shut_out(const struct view *view, const struct operation *kernel)
{
	const struct tally *refused = &pairs_of(view, kernel)->shuts_out;
	const struct kernel *wide = &kernel->kernel;
	if (refused->count > 0 && kernel_warps(wide) >= WIDE_WARPS && wide->shared_static == 0 && wide->shared_dynamic == 0 &&
		wide->carveout == NONE)
		HAZARD(view, CONFIGURATION_SHUT_OUT, kernel->line,
			"kernel '%s' (%" PRId64
			" threads, no shared memory) shuts %d kernel%s of small blocks out of its SMs, '%s' first, though warps and "
			"registers are free; cure: a carveout preference of 100 for all kernels",
			kernel->id, wide->threads, refused->count, plural(refused->count), refused->first->id);
}

/* ---- one kernel */

static void check_idle_sms(const struct view *view, const struct operation *kernel)
{
	int64_t sms = sm_set_of_stream(view->platform, view->set, kernel->stream).size, blocks = kernel->kernel.blocks;
	if (blocks != NONE && sms != NONE && blocks < sms)
		HAZARD(view, IDLE_SMS, kernel->line,
			"kernel '%s' has %" PRId64 " block%s for %" PRId64 " SMs: at least %" PRId64 " SM%s get%s none of its work",
			kernel->id, blocks, plural(blocks), sms, sms - blocks, plural(sms - blocks), sms - blocks == 1 ? "s" : "");
}

static void check_idle_blocks(const struct view *view, const struct operation *kernel)
{
	int64_t blocks = kernel->kernel.blocks, active = kernel->kernel.active_blocks;
	if (active != NONE && blocks != NONE && active < blocks)
		HAZARD(view, IDLE_BLOCKS, kernel->line,
			"%" PRId64 " of the %" PRId64
			" blocks of kernel '%s' do no work, yet each is dispatched and counted; cure: launch %" PRId64 " block%s",
			blocks - active, blocks, kernel->id, active, plural(active));
}

static void check_two_warps(const struct view *view, const struct operation *kernel)
{
	if (view->platform->placement == PLACEMENT_HOPPER && kernel_of(view, kernel)->occupancy.demand.warps == 2)
		HAZARD(view, TWO_WARP_BLOCKS, kernel->line,
			"kernel '%s' has blocks of two warps: around such kernels later ones have overtaken and SMs have stalled for up to "
			"31 us; cure: another block size",
			kernel->id);
}

static bool hits_caches(const struct program *program)
{
	bool any = false;
	for (int i = 0; program != NULL && i < program->block_count; i++)
		any |= program->blocks[i].counts[CLASS_LOAD_L1] > 0 || program->blocks[i].counts[CLASS_LOAD_L2] > 0;
	return any;
}

/* A block that goes on behind another context's turn, or a stop, finds what these have left in caches. */
static void check_cold_caches(const struct view *view, const struct operation *kernel)
{
	bool stops = view->platform->parameters[PARAMETER_STOPS_LENGTH].present;
	bool turns = !view->platform->parameters[PARAMETER_SWITCH_REFILL].present;
	int contexts = 0;
	for (int i = 0; i < view->set->application_count; i++)
		contexts += taskset_context(view->set, i) == i;
	if (hits_caches(kernel->program) && (stops || (turns && contexts > 1)))
		HAZARD(view, COLD_CACHES, kernel->line,
			"kernel '%s' has loads that its program says are served from a cache, which is cold behind %s: nothing is charged "
			"for that but what %s; cure: %s",
			kernel->id, stops ? "a stop" : "another context's turn", stops ? "stops.length has" : "runlist.switch has",
			stops ? "loads as from memory" : "declare switch.refill, or loads as from memory");
}

static void check_greedy_warps(const struct view *view, const struct operation *kernel)
{
	if (map_beside_from_code(view->platform, kernel, kernel_of(view, kernel)) && kernel->program->slots_in_turn)
		HAZARD(view, GREEDY_WARPS, kernel->line,
			"kernel '%s': what its blocks take beside one another is derived from its code for slots that go to older blocks "
			"or to "
			"who waited longest; here a warp that never stalls keeps its slot from both; cure: no slots=\"in-turn\", one block "
			"an SM, "
			"or block times that were measured",
			kernel->id);
}

/* The kernel alone on the GPU: its waves, or what was measured. */
static int64_t alone(const struct view *view, const struct operation *kernel)
{
	if (kernel->kind == OPERATION_FRAGMENT || kernel->kernel.scope == SCOPE_GRID)
		return kernel->wcet;
	return checked_mul(checked_div_ceil(kernel->kernel.blocks, kernel_of(view, kernel)->slots_least), kernel->wcet);
}

static void check_watchdog(const struct view *view, const struct operation *kernel)
{
	int64_t limit = value(view, PARAMETER_WATCHDOG), time = alone(view, kernel);
	if (limit == NONE || (time != NONE && time < limit - limit / 2))
		return;
	if (time == NONE)
		HAZARD(view, WATCHDOG, kernel->line, "how long %s '%s' takes alone is not known; the driver kills it after %" PRId64 " ns",
			operation_names[kernel->kind], kernel->id, limit);
	else
		HAZARD(view, WATCHDOG, kernel->line,
			"%s '%s' may take %" PRId64 " ns alone, and the driver kills it after %" PRId64
			" ns, delays included; cure: split it",
			operation_names[kernel->kind], kernel->id, time, limit);
}

/* ---- one copy or memset */

static void check_runs_as_kernel(const struct view *view, const struct operation *operation)
{
	if (!map_runs_as_kernel(view->platform, operation))
		return;
	bool known = view->platform->engine_of[operation->copy.direction] == ENGINE_COMPUTE;
	HAZARD(view, RUNS_AS_KERNEL, operation->line,
		"%s '%s' (%s) %s as a kernel on this platform: it takes slots of SMs, moves other kernels' blocks and loads the memory "
		"system",
		operation_names[operation->kind], operation->id, direction_names[operation->copy.direction],
		known ? "runs" : "is served by no known engine and may run");
}

static void check_pageable(const struct view *view, const struct operation *operation)
{
	if (operation->copy.pageable)
		HAZARD(view, PAGEABLE_COPY, operation->line,
			"copy '%s' uses pageable memory: a CPU stages it, its caller waits, and its time depends on the CPU's load; cure: "
			"pinned memory",
			operation->id);
}

static void check_synchronous(const struct view *view, const struct operation *operation)
{
	if (operation->copy.synchronous)
		HAZARD(view, SYNCHRONOUS_CALL, operation->line,
			"%s '%s' is a synchronous call: its host thread waits until it is complete, and only then issues what is behind "
			"it: at "
			"once, unless a <host> segment there says how long the thread takes (A-HOST-WCRT); cure: the asynchronous form",
			operation_names[operation->kind], operation->id);
}

/* ---- one context */

struct context {
	int number, count; /* count: applications whose context it is */
	long line;
};

static bool inside(const struct view *view, const struct context *context, int stream)
{
	return taskset_context_of(view->set, stream) == context->number;
}

static bool is_kernel_in(const struct view *view, const struct context *context, const struct operation *operation)
{
	return operation->kind == OPERATION_KERNEL && inside(view, context, operation->stream);
}

static int used_streams(const struct view *view, const struct context *context)
{
	int count = 0;
	for (int i = 0; i < view->set->stream_count; i++)
		count += inside(view, context, i) && view->works[i];
	return count;
}

/* Each application that is merged into the context has a NULL stream; one is allowed for. */
static int all_streams(const struct view *view, const struct context *context)
{
	int count = context->count - 1;
	for (int i = 0; i < view->set->stream_count; i++)
		count += inside(view, context, i);
	return count;
}

static int count_graphs(const struct view *view, const struct context *context)
{
	int count = 0, last = 0;
	for (int i = 0; i < view->set->operation_count; i++) {
		const struct operation *operation = &view->set->operations[i];
		count += operation->graph != 0 && operation->graph != last && inside(view, context, operation->stream);
		last = operation->graph;
	}
	return count;
}

/* The order of streams is kept only where there are fewer of them than channels; each graph may take one more. [QUEUES]. */
static void check_queues(const struct view *view, const struct context *context)
{
	int64_t queues = value(view, PARAMETER_QUEUES_HARDWARE);
	bool by_work = platform_grants(view->platform, ASSUMPTION_QUEUE);
	int used = used_streams(view, context), streams = by_work ? used : all_streams(view, context);
	int graphs = count_graphs(view, context);
	const char *id = view->set->applications[context->number].id;
	if (used < 2)
		return;
	if (queues == NONE)
		HAZARD(view, QUEUES_UNKNOWN, context->line,
			"application '%s' uses %d streams, and how many hardware queues this platform has is not known: streams may share "
			"one; cure: declare "
			"queues.hardware",
			id, used);
	else if (streams >= queues && used < queues)
		HAZARD(view, QUEUE_ALIASING, context->line,
			"application '%s' has %d streams, %d of them with work, on %" PRId64
			" hardware queue%s: where queues are given out as streams are created, two with work may share one, and order "
			"between them is then not that of issue; only fewer streams than queues are safe, or fewer with work by A-QUEUE",
			id, streams, used, queues, plural(queues));
	else if (streams >= queues)
		HAZARD(view, QUEUE_ALIASING, context->line,
			"application '%s' uses %d streams on %" PRId64
			" hardware queue%s: streams may share one, and order between them is then not that of issue; "
			"only fewer streams than queues are safe",
			id, used, queues, plural(queues));
	else if (streams + graphs >= queues)
		HAZARD(view, QUEUE_ALIASING, context->line,
			"application '%s' has %d streams and %d graph%s on %" PRId64
			" hardware queue%s: nobody says that a graph takes none besides its stream's, so streams may share one; cure: "
			"only fewer streams and graphs together than queues are safe",
			id, streams, graphs, plural(graphs), queues, plural(queues));
}

static bool same_preference(const struct view *view, const struct operation *a, const struct operation *b)
{
	if (a->kernel.cache != b->kernel.cache || a->kernel.carveout != b->kernel.carveout)
		return false;
	/* Equal preferences that leave the choice to the driver may still differ in what it picks; the rules of Hopper say exactly when
	 * that hurts, which is another hazard. */
	if (!occupancy_is_configurable(view->platform) || view->platform->placement == PLACEMENT_HOPPER)
		return true;
	int64_t first = kernel_of(view, a)->occupancy.demand.configuration, second = kernel_of(view, b)->occupancy.demand.configuration;
	return occupancy_configuration(view->platform, first) == occupancy_configuration(view->platform, second);
}

static void check_configurations(const struct view *view, const struct context *context)
{
	const struct operation *first = NULL;
	struct tally differ = {0};
	for (int i = 0; i < view->set->operation_count; i++) {
		const struct operation *operation = &view->set->operations[i];
		if (!is_kernel_in(view, context, operation))
			continue;
		if (first == NULL)
			first = operation;
		else if (!same_preference(view, first, operation))
			tally_add(&differ, operation);
	}
	if (differ.count > 0)
		HAZARD(view, MIXED_CONFIGURATIONS, differ.first->line,
			"kernel '%s' and %d other%s may need another division of L1 and shared memory than '%s': a change waits until %s "
			"idle; cure: one cache "
			"configuration and one carveout for all kernels",
			differ.first->id, differ.count - 1, plural(differ.count - 1), first->id,
			view->platform->per_sm_carveout == TERNARY_YES ? "the SM is" : "the SM, or the whole GPU, is");
}

static void check_neighbours(const struct view *view, const struct context *context)
{
	struct tally tpc = {0}, gpc = {0};
	for (int i = 0; i < view->set->operation_count; i++) {
		const struct operation *operation = &view->set->operations[i];
		if (!is_kernel_in(view, context, operation))
			continue;
		if (kernel_of(view, operation)->foreign_tpc)
			tally_add(&tpc, operation);
		if (kernel_of(view, operation)->foreign_gpc)
			tally_add(&gpc, operation);
	}
	if (tpc.count + gpc.count > 0)
		HAZARD(view, NEIGHBOURS, (gpc.count > 0 ? gpc.first : tpc.first)->line,
			"other kernels may run beside %d kernel%s in the same GPC and beside %d in the same TPC, '%s' first: they share "
			"its port to the memory system%s",
			gpc.count, plural(gpc.count), tpc.count, (gpc.count > 0 ? gpc.first : tpc.first)->id,
			view->platform->map_source == NULL ? " (which SMs are neighbours is not known)" : "");
}

static uint64_t used_levels(const struct view *view, const struct context *context)
{
	uint64_t levels = 0;
	for (int i = 0; i < view->set->stream_count; i++) {
		const struct stream *stream = &view->set->streams[i];
		if (inside(view, context, i) && view->works[i])
			levels |= (uint64_t)1 << (stream->level < 63 ? stream->level : 63);
	}
	return levels;
}

static int64_t count_levels(uint64_t levels)
{
	return __builtin_popcountll(levels);
}

static void check_priorities(const struct view *view, const struct context *context)
{
	int64_t levels = count_levels(used_levels(view, context)), available = value(view, PARAMETER_QUEUES_PRIORITIES);
	const char *id = view->set->applications[context->number].id;
	if (levels > 1 && !platform_grants(view->platform, ASSUMPTION_PRIO))
		HAZARD(view, PRIORITIES_BROKEN, context->line,
			"application '%s' uses %" PRId64 " stream priorities, and this platform %s; copies never have any; cure: order by "
			"streams and events, or give what has to "
			"come first a process of its own, with time slices",
			id, levels,
			view->platform->assumptions[ASSUMPTION_PRIO].status == STATUS_BROKEN ? "is known not to keep them always"
											     : "has nobody who vouches for them");
	if (available != NONE && levels > available)
		HAZARD(view, PRIORITY_LEVELS, context->line,
			"application '%s' uses %" PRId64 " stream priorities, the platform has %" PRId64, id, levels, available);
}

static void check_context(const struct view *view, const struct context *context)
{
	check_queues(view, context);
	check_configurations(view, context);
	check_neighbours(view, context);
	check_priorities(view, context);
}

static void check_contexts(const struct view *view)
{
	const struct taskset *set = view->set;
	for (int i = 0; i < set->application_count; i++)
		if (taskset_context(set, i) == i)
			check_context(view, &(struct context){i, taskset_clients(set, i), set->applications[i].line});
}

static void check_null_stream(const struct view *view, int index)
{
	const struct stream *null = &view->set->streams[index];
	int blocking = 0;
	if (null->kind != STREAM_NULL || !view->works[index])
		return;
	for (int i = 0; i < view->set->stream_count; i++) {
		const struct stream *stream = &view->set->streams[i];
		blocking += stream->application == null->application && stream->kind == STREAM_BLOCKING && view->works[i];
	}
	if (blocking > 0)
		HAZARD(view, NULL_STREAM, null->line,
			"work on the NULL stream '%s' waits for %d blocking stream%s of its application, and %s for it; cure: non-blocking "
			"streams",
			null->id, blocking, plural(blocking), blocking == 1 ? "that one" : "they");
}

static bool is_beside(const struct view *view, const struct operation *operation, int process)
{
	return map_meets_blocks(view->platform, operation) && taskset_context_of(view->set, operation->stream) == process;
}

/* Blocks of the primary context of the process beside those of its partitions: the first of each. */
static void check_partitions(const struct view *view, int process)
{
	const struct operation *primary = NULL, *inside = NULL;
	for (int i = 0; i < view->set->operation_count; i++) {
		const struct operation *operation = &view->set->operations[i];
		if (!is_beside(view, operation, process))
			continue;
		bool parted = view->set->streams[operation->stream].partition > 0;
		if (!parted && primary == NULL)
			primary = operation;
		if (parted && inside == NULL)
			inside = operation;
	}
	if (primary != NULL && inside != NULL)
		HAZARD(view, BESIDE_PARTITIONS, primary->line,
			"'%s' is work of the primary context beside partition '%s' of '%s': it is ahead of all that waits there, and its "
			"blocks "
			"are on the partition's SMs; cure: a partition for stream '%s'",
			primary->id, view->set->partitions[view->set->streams[inside->stream].partition - 1].id, inside->id,
			view->set->streams[primary->stream].id);
}

/* ---- cores */

static int64_t executes(const struct taskset *set, const struct task *task)
{
	int64_t sum = 0;
	for (int i = 0; i < task->operation_count; i++)
		sum = checked_add(sum, task_operation(set, task, i)->kind == OPERATION_HOST ? task_operation(set, task, i)->wcet : 0);
	return sum;
}

static const struct task *find_reservation(const struct taskset *set, int core)
{
	for (int i = 0; i < set->task_count; i++)
		if (set->tasks[i].core == core && task_reserves(&set->tasks[i]))
			return &set->tasks[i];
	return NULL;
}

/* A task without work on the GPU may stand for interrupts (A-CORE), which no thread keeps from the core (A-DEADLINE). */
static void check_reservations(const struct view *view, const struct task *task)
{
	const struct task *above = task->core > 0 ? find_reservation(view->set, task->core) : NULL;
	if (above == NULL || task_reserves(task) || task->application != NO_ID)
		return;
	const struct core *core = &view->set->cores[task->core - 1];
	int64_t time = executes(view->set, task);
	if (core->blocking < time)
		HAZARD(view, BELOW_RESERVATIONS, task->line,
			"if task '%s' stands for interrupts, these come before the reservation of '%s', which has a bound as if they did "
			"not: the "
			"blocking of core '%s' is %" PRId64 " ns, and a job of '%s' executes %" PRId64
			" ns; cure: all interrupts that come while such threads are ready in blocking",
			task->id, above->id, core->id, core->blocking, task->id, time);
}

static void (*const kernel_checks[])(const struct view *, const struct operation *) = {
	check_same_sm,
	check_pile_up,
	check_shut_out,
	check_idle_sms,
	check_idle_blocks,
	check_two_warps,
	check_cold_caches,
	check_greedy_warps,
	check_watchdog,
};
static void (*const copy_checks[])(const struct view *, const struct operation *) = {
	check_runs_as_kernel, check_pageable, check_synchronous};

static void check_operation(const struct view *view, const struct operation *operation)
{
	if (operation->kind == OPERATION_KERNEL)
		for (size_t i = 0; i < sizeof kernel_checks / sizeof *kernel_checks; i++)
			kernel_checks[i](view, operation);
	if (operation->kind == OPERATION_FRAGMENT)
		check_watchdog(view, operation);
	if (operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET)
		for (size_t i = 0; i < sizeof copy_checks / sizeof *copy_checks; i++)
			copy_checks[i](view, operation);
}

static bool *working_streams(struct arena *arena, const struct taskset *set)
{
	bool *works = arena_allocate(arena, (size_t)set->stream_count, sizeof *works);
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind != OPERATION_HOST)
			works[set->operations[i].stream] = true;
	return works;
}

void hazards_report(const struct platform *platform, const struct taskset *set, const struct map *map, struct diagnostics *diagnostics)
{
	struct arena *arena = diagnostics->arena;
	struct view view = {platform, set, map, diagnostics, pairs_count(arena, platform, set, map), working_streams(arena, set)};
	for (int i = 0; i < set->operation_count; i++)
		check_operation(&view, &set->operations[i]);
	check_contexts(&view);
	for (int i = 0; i < set->stream_count; i++)
		check_null_stream(&view, i);
	for (int i = 0; i < map->domains->process_count && set->partition_count > 0; i++)
		check_partitions(&view, i);
	for (int i = 0; i < set->task_count; i++)
		check_reservations(&view, &set->tasks[i]);
}
