/* Partitions are joined where work of one may wait for work of the other. */
#include "map/domains.h"

#include "base/plant.h"
#include "map/cache_configuration.h"
#include "map/map.h"

struct process { /* what it has in all */
	int streams, declared, graphs, kernel_streams;
	bool kernels, copies, null;
	bool drivers, prefers, differs; /* kernels: any of the driver's own; with a cache preference; of different configurations */
	const struct kernel *kernel;    /* any but the driver's own; NULL: none */
	bool of_primary, of_partitions; /* kernels */
};

struct finder {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	struct domains *domains;
	struct process *processes;
	int *parent;          /* [node]: of a forest; nodes are the partitions, and the primary context of each process */
	bool *used, *kernels; /* [stream] */
};

/* ---- nodes */

static int node_of(const struct finder *f, int stream)
{
	int partition = f->set->streams[stream].partition;
	return partition > 0 ? partition - 1 : f->set->partition_count + taskset_context_of(f->set, stream);
}

static int root_of(const struct finder *f, int node)
{
	while (f->parent[node] != node)
		node = f->parent[node] = f->parent[f->parent[node]];
	return node;
}

static void join(struct finder *f, int a, int b)
{
	f->parent[root_of(f, b)] = root_of(f, a);
}

/* ---- what processes have */

static bool runs_on_sms(const struct finder *f, const struct operation *operation)
{
	return operation->kind == OPERATION_KERNEL || operation->kind == OPERATION_FRAGMENT || map_runs_as_kernel(f->platform, operation);
}

static void survey_configuration(const struct finder *f, struct process *process, const struct operation *operation)
{
	const struct kernel *kernel = &operation->kernel;
	process->drivers |= operation->kind != OPERATION_KERNEL && map_runs_as_kernel(f->platform, operation);
	if (operation->kind != OPERATION_KERNEL)
		return;
	process->prefers |= kernel->cache != CACHE_NONE || kernel->carveout != NONE ||
			    operation->span.operations > 0; /* nobody says what kernels of a sequence prefer */
	process->differs |= process->kernel != NULL && !cache_configuration_is_same(f->platform, process->kernel, kernel);
	process->kernel = kernel;
}

static void survey_operation(struct finder *f, int index)
{
	const struct operation *operation = &f->set->operations[index];
	if (operation->stream == NO_ID)
		return;
	const struct stream *stream = &f->set->streams[operation->stream];
	struct process *process = &f->processes[taskset_context_of(f->set, operation->stream)];
	bool kernel = runs_on_sms(f, operation), copy = operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET;
	f->used[operation->stream] = true;
	f->kernels[operation->stream] |= kernel;
	process->kernels |= kernel;
	process->copies |= copy && !kernel;
	process->null |= stream->kind == STREAM_NULL;
	process->graphs += operation->graph != 0 && (index == 0 || operation[-1].graph != operation->graph);
	process->graphs += operation->span.operations > 0 ? operation->span.branches : 0;
	survey_configuration(f, process, operation);
	process->of_primary |= kernel && stream->partition == 0;
	process->of_partitions |= kernel && stream->partition > 0;
}

static void survey(struct finder *f)
{
	const struct taskset *set = f->set;
	for (int i = 0; i < set->operation_count; i++)
		survey_operation(f, i);
	for (int s = 0; s < set->stream_count; s++) {
		struct process *process = &f->processes[taskset_context_of(set, s)];
		process->declared++;
		process->streams += f->used[s];
		process->kernel_streams += f->kernels[s];
	}
	for (int p = 0; p < f->domains->process_count; p++) /* each client of MPS has a NULL stream; one is allowed for */
		f->processes[p].declared += taskset_clients(set, p) > 0 ? taskset_clients(set, p) - 1 : 0;
}

/* ---- what may make one partition wait for another */

/* May more than one entry of the runlist want the execution engine? */
static bool takes_turns(const struct finder *f)
{
	int entries = 0;
	for (int i = 0; i < f->domains->process_count; i++)
		entries += f->processes[i].kernels + (f->processes[i].copies && f->platform->copy_runlist != COPY_RUNLIST_OWN);
	return entries > 1;
}

static bool has_queues_apart(const struct finder *f, const struct process *process)
{
	int64_t queues = platform_value(f->platform, PARAMETER_QUEUES_HARDWARE);
	bool idle = platform_grants(f->platform, ASSUMPTION_QUEUE);
	if (process->streams <= 1 || planted(PLANT_PARTITION_QUEUES))
		return true;
	return queues != NONE && queues > process->graphs + (idle ? process->streams : process->declared);
}

int64_t domains_resident_grids(const struct platform *platform)
{
	int64_t stated = platform_value(platform, PARAMETER_QUEUES_GRIDS);
	if (stated != NONE)
		return stated;
	return platform->compute_capability < 20 ? 1 : platform->compute_capability == 32 ? 4 : 16;
}

/* A kernel without a grid slot waits for any other one of the process to end, a later one included; one that needs another configuration of
 * the whole chip for all blocks. */
static bool has_room_apart(const struct finder *f, const struct process *process)
{
	bool slots = process->kernel_streams <= 1 || domains_resident_grids(f->platform) >= process->kernel_streams ||
		     planted(PLANT_PARTITION_GRIDS);
	bool differs =
		process->prefers || process->differs ||
		(process->drivers && process->kernel != NULL && cache_configuration_differs_from_drivers(f->platform, process->kernel));
	return slots && (f->platform->per_sm_carveout == TERNARY_YES || !differs);
}

static bool is_separable(const struct finder *f, const struct process *process)
{
	return !takes_turns(f) && has_queues_apart(f, process) && !process->null && has_room_apart(f, process);
}

static void join_tasks(struct finder *f)
{
	const struct taskset *set = f->set;
	int *of_event = arena_allocate(f->arena, (size_t)set->event_count + 1, sizeof *of_event); /* 1 + a node; 0: none yet */
	for (int t = 0; t < set->task_count; t++) {
		int first = NO_ID;
		for (int i = 0; i < set->tasks[t].operation_count; i++) {
			const struct operation *operation = task_operation(set, &set->tasks[t], i);
			if (operation->stream == NO_ID)
				continue;
			int node = node_of(f, operation->stream);
			first = first == NO_ID ? node : first;
			join(f, first, node);
			bool event = operation->kind == OPERATION_WAIT || operation->kind == OPERATION_RECORD;
			if (event && operation->event != NO_ID && of_event[operation->event] > 0)
				join(f, of_event[operation->event] - 1, node);
			else if (event && operation->event != NO_ID)
				of_event[operation->event] = 1 + node;
		}
	}
}

static void join_processes(struct finder *f)
{
	for (int s = 0; s < f->set->stream_count; s++) {
		int process = taskset_context_of(f->set, s);
		if (!is_separable(f, &f->processes[process]))
			join(f, f->set->partition_count + process, node_of(f, s));
	}
}

/* ---- domains */

static const char *name_of(const struct finder *f, int root, int process)
{
	const struct taskset *set = f->set;
	const char *name = set->applications[process].id, *separator = "/";
	for (int i = 0; i < set->partition_count; i++) {
		if (root_of(f, i) != root)
			continue;
		name = arena_format(f->arena, "%s%s%s", name, separator, set->partitions[i].id);
		separator = "+";
	}
	return name;
}

static void add_domain(struct finder *f, int process, int root)
{
	const struct process *of = &f->processes[process];
	f->domains->items[f->domains->count++] = (struct domain){.process = process,
		.name = name_of(f, root, process),
		.beside = of->of_primary && of->of_partitions && !planted(PLANT_PARTITION_PRIMARY),
		.crowded = !has_room_apart(f, of),
		.smallest = NO_ID};
}

static void add_stream(struct finder *f, int stream)
{
	struct domain *domain = &f->domains->items[f->domains->of_stream[stream]];
	struct sm_set own = sm_set_of_stream(f->platform, f->set, stream), other;
	if (!f->kernels[stream])
		return;
	if (domain->smallest == NO_ID) {
		domain->smallest = stream;
		return;
	}
	other = sm_set_of_stream(f->platform, f->set, domain->smallest);
	domain->several |= !sm_set_is_equal(&own, &other);
	if (own.size < other.size)
		domain->smallest = stream;
}

/* Those of one process, in the order of their first streams that have work. of_root: [node]: 1 + its domain. */
static void number_process(struct finder *f, int process, int *of_root)
{
	const struct taskset *set = f->set;
	struct domains *domains = f->domains;
	int first = domains->count;
	bool parted = false;
	for (int s = 0; s < set->stream_count; s++) {
		int root = root_of(f, node_of(f, s));
		if (taskset_context_of(set, s) != process || !f->used[s])
			continue;
		parted |= set->streams[s].partition > 0;
		if (of_root[root] == 0) {
			add_domain(f, process, root);
			of_root[root] = domains->count;
		}
		domains->of_stream[s] = of_root[root] - 1;
		add_stream(f, s);
	}
	if (domains->count == first)
		add_domain(f, process, NO_ID);
	for (int s = 0; s < set->stream_count; s++)
		if (taskset_context_of(set, s) == process && !f->used[s])
			domains->of_stream[s] = first;
	domains->parted |= domains->count - first > 1;
	for (int i = first; i < domains->count; i++)
		domains->items[i].parted = parted;
	if (domains->count - first == 1)
		domains->items[first].name = set->applications[process].id;
}

static void number(struct finder *f)
{
	int *of_root = arena_allocate(f->arena, (size_t)f->set->partition_count + (size_t)f->domains->process_count + 1, sizeof *of_root);
	for (int p = 0; p < f->domains->process_count; p++)
		if (taskset_clients(f->set, p) > 0)
			number_process(f, p, of_root);
}

struct domains *domains_find(struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	struct domains *domains = arena_allocate(arena, 1, sizeof *domains);
	size_t streams = (size_t)set->stream_count + 1, processes = (size_t)set->application_count + 1;
	size_t nodes = (size_t)set->partition_count + processes;
	domains->process_count = taskset_contexts(set);
	domains->items = arena_allocate(arena, nodes, sizeof *domains->items);
	domains->of_stream = arena_allocate(arena, streams, sizeof *domains->of_stream);
	struct finder f = {arena, platform, set, domains, arena_allocate(arena, processes, sizeof(struct process)),
		arena_allocate(arena, nodes, sizeof(int)), arena_allocate(arena, streams, sizeof(bool)),
		arena_allocate(arena, streams, sizeof(bool))};
	for (size_t i = 0; i < nodes; i++)
		f.parent[i] = (int)i;
	survey(&f);
	join_tasks(&f);
	join_processes(&f);
	number(&f);
	return domains;
}

int64_t domain_sms(const struct platform *platform, const struct taskset *set, const struct domain *domain)
{
	if (domain->smallest == NO_ID)
		return sm_set_of_chip(platform).size;
	return sm_set_of_stream(platform, set, domain->smallest).size;
}
