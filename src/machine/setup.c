/* Operations as the machine sees them, resolved once; and a machine made. */
#include "machine/machine_parts.h"

#include <string.h>

static const struct policy *policy_for(const struct machine *machine)
{
	static const struct policy *const policies[] = {
		[CHOOSER_MOST_ROOM] = &policy_most_room,
		[CHOOSER_ROUND_ROBIN] = &policy_round_robin,
		[CHOOSER_FIRST] = &policy_first,
		[CHOOSER_LAST] = &policy_last,
		[CHOOSER_TIGHTEST] = &policy_tightest,
		[CHOOSER_RANDOM] = &policy_random,
	};
	return machine->switches.chooser == CHOOSER_PLATFORM ? policy_of(machine->platform->placement)
							     : policies[machine->switches.chooser];
}

static void context_init(struct machine *machine, struct context *context)
{
	size_t slots = (size_t)machine->limits.sm_count * (size_t)machine->limits.blocks;
	chip_init(&context->chip, machine->arena, &machine->limits);
	placement_init(&context->placer, machine->arena, &context->chip, policy_for(machine));
	fit_draw_from(&context->placer, &machine->random);
	context->blocks = arena_allocate(machine->arena, slots, sizeof *context->blocks);
	for (int h = 0; h < HALVES; h++)
		heap_init(&context->halves[h].ends, machine->arena, 64);
}

/* What the driver's own kernels, for copies and memsets, prefer nobody states: at times something that no other kernel does. */
#define OF_THE_DRIVER (-1)

static bool is_same_need(const struct kernel *a, const struct kernel *b)
{
	return a->threads != NONE && b->threads != NONE && a->shared_static + a->shared_dynamic == b->shared_static + b->shared_dynamic;
}

/* CC 5.x and 6.x keep the shared memory apart from the cache. */
static bool divides_by_needs(const struct platform *platform)
{
	int major = platform->compute_capability / 10;
	return platform->carveout_count > 0 || major == 2 || major == 3 || major >= 7;
}

/* Without a preference the shared memory of a block has to be there: a number below that of the drivers' own for each amount. */
static int configuration_of_need(const struct taskset *set, const struct operation *operation)
{
	int i = 0;
	while (&set->operations[i] != operation &&
		(set->operations[i].kind != OPERATION_KERNEL || !is_same_need(&set->operations[i].kernel, &operation->kernel)))
		i++;
	return OF_THE_DRIVER - 1 - i;
}

static int configuration_of(const struct machine *machine, const struct operation *operation)
{
	const struct kernel *kernel = &operation->kernel;
	if (kernel->cache == CACHE_NONE && kernel->carveout == NONE)
		return divides_by_needs(machine->platform) ? configuration_of_need(machine->set, operation) : 0;
	return 1 + (int)kernel->cache * 128 + (kernel->carveout == NONE ? 127 : (int)kernel->carveout);
}

static bool resolve_kernel(struct machine *machine, struct work *work)
{
	const struct kernel *kernel = &work->operation->kernel;
	int64_t overhead = platform_value(machine->platform, PARAMETER_OVERHEAD_BLOCK);
	bool drivers = work->operation->kind != OPERATION_KERNEL;
	work->kind = WORK_KERNEL;
	work->unit = setup_unit(machine, work->stream);
	work->sms = machine->contexts[work->unit].sms;
	if (drivers && machine->switches.cache_drain)
		work->configuration = random_chance(&machine->random, 50) ? OF_THE_DRIVER : 0;
	else if (!drivers && kernel->scope == SCOPE_GRID)
		work->configuration = configuration_of(machine, work->operation);
	if (drivers || kernel->scope == SCOPE_GRID)
		return opaque_make(machine, work);
	memcpy(work->grid, kernel->grid, sizeof work->grid);
	work->blocks = kernel->blocks;
	work->configuration = configuration_of(machine, work->operation);
	work->block_overhead = overhead == NONE ? 0 : overhead;
	bool fits = shape_init(&work->shape, &machine->limits, kernel);
	work->slots = work->shape.per_sm * work->sms;
	return fits;
}

static enum direction direction_of(const struct operation *operation)
{
	if (operation->kind == OPERATION_MEMSET)
		return DIRECTION_MEMSET;
	return operation->kind == OPERATION_COPY ? operation->copy.direction : DIRECTION_COUNT;
}

/* NULL: resolved; else why the machine cannot run it. */
static const char *resolve_engine(struct machine *machine, struct work *work)
{
	work->direction = direction_of(work->operation);
	int engine = work->direction == DIRECTION_COUNT ? ENGINE_COMPUTE : machine->platform->engine_of[work->direction];
	if (engine == ENGINE_NONE)
		return "nothing says which engine serves it";
	if (engine != ENGINE_COMPUTE) {
		work->kind = WORK_COPY;
		work->engine = engine;
		return NULL;
	}
	return resolve_kernel(machine, work) ? NULL : "a block of it fits on no SM";
}

static const char *resolve(struct machine *machine, struct work *work)
{
	const struct operation *operation = work->operation;
	work->stream = operation->stream;
	work->context = operation->stream == NO_ID ? 0 : taskset_context_of(machine->set, operation->stream);
	work->direction = DIRECTION_COUNT;
	switch (operation->kind) {
	case OPERATION_HOST:
		work->kind = WORK_HOST;
		work->context = NO_ID;
		return NULL;
	case OPERATION_WAIT: work->kind = WORK_WAIT; return NULL;
	case OPERATION_RECORD: work->kind = WORK_RECORD; return NULL;
	case OPERATION_FRAGMENT: return "fragment work is not simulated";
	default: return resolve_engine(machine, work);
	}
}

static void open_views(struct machine *machine)
{
	for (int i = 0; i < machine->set->operation_count; i++) {
		struct work *work = &machine->works[i];
		if (work->kind == WORK_KERNEL)
			room_init(&work->room, machine->arena, &machine->contexts[work->unit].chip, &work->shape);
	}
}

static bool resolve_operations(struct machine *machine, struct refusal *refusal)
{
	const struct taskset *set = machine->set;
	machine->works = arena_allocate(machine->arena, (size_t)set->operation_count + 1, sizeof *machine->works);
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++) {
			int number = set->tasks[t].first_operation + i;
			machine->works[number] = (struct work){.operation = &set->operations[number], .number = number, .task = t};
			*refusal = (struct refusal){resolve(machine, &machine->works[number]), number};
			if (refusal->text != NULL)
				return false;
		}
	open_views(machine);
	return true;
}

/* ---- dispatchers */

int setup_unit(const struct machine *machine, int stream)
{
	const struct stream *of = &machine->set->streams[stream];
	const struct process *process = &machine->processes[taskset_context_of(machine->set, stream)];
	int unit = 0;
	if (machine->switches.partitions_leak)
		return process->units[0].number;
	while (unit < process->count && process->units[unit].partition != of->partition)
		unit++;
	return process->units[unit].number;
}

static bool uses(const struct machine *machine, int process, int partition)
{
	for (int s = 0; s < machine->set->stream_count; s++)
		if (machine->set->streams[s].partition == partition && taskset_context_of(machine->set, s) == process)
			return true;
	return false;
}

/* Those that a partition names; of one that gives their number only, drawn ones that nobody else names or was given. */
static const uint64_t *members_of(struct machine *machine, const struct partition *partition, uint64_t *taken)
{
	if (partition->members != NULL)
		return partition->members;
	uint64_t *members = arena_allocate(machine->arena, PARTITION_WORDS, sizeof *members);
	for (int64_t i = 0; i < partition->size; i++) {
		int drawn = NO_ID, count = 0;
		for (int sm = 0; sm < machine->limits.sm_count; sm++)
			if (!set_has(taken, sm) && (drawn == NO_ID || !machine->switches.in_order) &&
				random_below(&machine->random, (uint64_t)++count) == 0)
				drawn = sm;
		if (drawn == NO_ID)
			return NULL;
		set_add(members, drawn);
		set_add(taken, drawn);
	}
	return members;
}

static void open_unit(struct machine *machine, struct process *process, int partition, const uint64_t *members)
{
	struct context *context = &machine->contexts[machine->context_count];
	*context = (struct context){.number = machine->context_count, .process = process->number, .partition = partition};
	machine->context_count++;
	process->count++;
	context_init(machine, context);
	context->chip.members = members;
	context->sms = partition > 0 ? machine->set->partitions[partition - 1].size : machine->limits.sm_count;
}

static bool open_units(struct machine *machine)
{
	const struct taskset *set = machine->set;
	const uint64_t **members = arena_allocate(machine->arena, (size_t)set->partition_count + 1, sizeof(const uint64_t *));
	uint64_t *taken = arena_allocate(machine->arena, PARTITION_WORDS, sizeof *taken);
	for (int p = 0; p < set->partition_count; p++)
		for (int i = 0; i < PARTITION_WORDS && set->partitions[p].members != NULL; i++)
			taken[i] |= set->partitions[p].members[i];
	for (int p = 0; p < set->partition_count; p++) {
		members[p] = members_of(machine, &set->partitions[p], taken);
		if (members[p] == NULL)
			return false;
	}
	machine->process_count = taskset_contexts(set);
	machine->processes = arena_allocate(machine->arena, (size_t)machine->process_count, sizeof *machine->processes);
	size_t most = (size_t)machine->process_count * (size_t)(set->partition_count + 1);
	machine->contexts = arena_allocate(machine->arena, most, sizeof *machine->contexts);
	for (int p = 0; p < machine->process_count; p++) {
		if (taskset_clients(set, p) == 0 && set->application_count > 0)
			continue;
		struct process *process = &machine->processes[p];
		*process = (struct process){.number = p, .units = &machine->contexts[machine->context_count]};
		open_unit(machine, process, 0, NULL);
		for (int k = 1; k <= set->partition_count; k++)
			if (uses(machine, p, k))
				open_unit(machine, process, k, members[k - 1]);
	}
	return true;
}

/* Kernels of several applications, that no lock keeps apart? */
static bool clients_meet(const struct machine *machine, const struct context *context)
{
	const struct taskset *set = machine->set;
	int client = NO_ID;
	for (int i = 0; i < set->operation_count && set->served && !set->locked; i++) {
		const struct work *work = &machine->works[i];
		if (work->kind != WORK_KERNEL || work->unit != context->number)
			continue;
		int application = set->streams[work->stream].application;
		if (client != NO_ID && client != application)
			return true;
		client = application;
	}
	return false;
}

static int64_t overhead(const struct machine *machine, enum parameter parameter)
{
	int64_t value = platform_value(machine->platform, parameter);
	return value == NONE ? 0 : value;
}

static void read_numbers(struct machine *machine)
{
	int64_t grids = platform_value(machine->platform, PARAMETER_QUEUES_GRIDS);
	int64_t busy = platform_value(machine->platform, PARAMETER_DISPATCH_NONEMPTY);
	machine->overhead_launch = overhead(machine, PARAMETER_OVERHEAD_LAUNCH);
	machine->overhead_dependency = overhead(machine, PARAMETER_OVERHEAD_DEPENDENCY);
	machine->grids = (int)checked_max(checked_min(grids, INT32_MAX), 1);
	machine->busy_least = busy == NONE ? 1 : (int)checked_min(busy, machine->limits.sm_count);
	bool passes = machine->switches.clients_pass && machine->set->served;
	bool heads = machine->switches.dispatcher == DISPATCHER_STRICT && machine->switches.priorities != PRIORITIES_ANY && !passes;
	machine->steady = heads && policy_for(machine) != &policy_random;
	machine->switches.launch_at_head &= heads;
	if (machine->switches.queueing == QUEUEING_PLATFORM)
		machine->switches.queueing = platform_grants(machine->platform, ASSUMPTION_QUEUE) ? QUEUEING_BY_WORK : QUEUEING_AT_CREATION;
	if (machine->switches.gaps == GAPS_PLATFORM)
		machine->switches.gaps = platform_grants(machine->platform, ASSUMPTION_PENDING) ? GAPS_KEEP : GAPS_LOSE;
	if (machine->switches.granularity == GRANULARITY_PLATFORM)
		machine->switches.granularity =
			machine->platform->preemption == PREEMPTION_INSTRUCTION ? GRANULARITY_INSTRUCTION : GRANULARITY_BLOCK;
}

bool machine_create(struct machine *machine, struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct switches *switches, const struct client *client, uint64_t seed, struct refusal *refusal)
{
	*machine = (struct machine){.arena = arena, .platform = platform, .set = set, .switches = *switches, .client = *client};
	*refusal = (struct refusal){NULL, NO_ID};
	random_seed(&machine->random, seed, 0);
	const char *missing;
	if (!sm_limits_read(&machine->limits, arena, platform, switches->allocation, &missing)) {
		refusal->text = arena_format(arena, "the platform does not say %s, or more than the machine can hold", missing);
		return false;
	}
	read_numbers(machine);
	heap_init(&machine->timers, arena, 16);
	if (!open_units(machine)) {
		refusal->text = "partitions have more SMs than the chip";
		return false;
	}
	if (!resolve_operations(machine, refusal))
		return false;
	streams_init(machine);
	for (int c = 0; c < machine->context_count; c++)
		machine->contexts[c].loose = switches->clients_pass && clients_meet(machine, &machine->contexts[c]);
	for (int c = 0; c < machine->context_count; c++)
		engine_init(machine, &machine->contexts[c]);
	copies_init(machine);
	if (!runlist_init(machine, refusal))
		return false;
	stops_init(machine);
	return true;
}
