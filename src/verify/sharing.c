/* Streams get the label of what they share something with, until no label changes. */
#include "verify/sharing.h"

#include "verify/inflation.h"
#include "verify/usable_sms.h"

struct finder {
	struct check *check;
	const struct taskset *set;
	int *label; /* [stream]: the least stream that it is known to be joined with */
	bool *works, *kernels, *copies;
};

static void survey(struct finder *f)
{
	for (int s = 0; s < f->set->stream_count; s++) {
		struct listed list = lists_of(&f->check->of_stream, s);
		f->label[s] = s;
		f->works[s] = list.count > 0;
		for (int k = 0; k < list.count; k++) {
			const struct operation *operation = &f->set->operations[list.items[k]];
			bool transfer = resident_is_transfer(operation);
			bool on_sms = operation->kind == OPERATION_KERNEL || operation->kind == OPERATION_FRAGMENT ||
				      (transfer && resident_engine(f->check->platform, operation) < 0);
			f->kernels[s] = f->kernels[s] || on_sms;
			f->copies[s] = f->copies[s] || (transfer && !on_sms);
		}
	}
}

/* ---- what a process has in common to all its streams */

static bool takes_turns(const struct finder *f)
{
	int count = 0, processes = taskset_contexts(f->set);
	for (int p = 0; p < processes; p++) {
		bool kernels = false, copies = false;
		for (int s = 0; s < f->set->stream_count; s++) {
			kernels = kernels || (f->kernels[s] && taskset_context_of(f->set, s) == p);
			copies = copies || (f->copies[s] && taskset_context_of(f->set, s) == p);
		}
		count += kernels ? 1 : 0;
		count += copies && f->check->platform->copy_runlist != COPY_RUNLIST_OWN ? 1 : 0;
	}
	return count >= 2;
}

static int graphs_of(const struct finder *f, int process)
{
	int graphs = 0;
	for (int t = 0; t < f->set->task_count; t++) {
		const struct task *task = &f->set->tasks[t];
		int last = 0;
		for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++) {
			const struct operation *operation = &f->set->operations[i];
			bool here = operation->stream != NO_ID && taskset_context_of(f->set, operation->stream) == process;
			graphs += here && operation->graph != 0 && (i == task->first_operation || operation->graph != last);
			graphs += here && operation->span.operations > 0 ? (int)operation->span.branches : 0;
			last = operation->graph;
		}
	}
	return graphs;
}

/* Are all kernels of the process surely content with the chip as it is configured, the driver's own among them? */
static bool is_uniform(const struct finder *f, int process)
{
	const struct kernel *some = NULL;
	bool uniform = true, drivers = false, plain = !resident_divides_by_needs(f->check->platform);
	for (int i = 0; i < f->set->operation_count; i++) {
		const struct operation *operation = &f->set->operations[i];
		if (operation->stream == NO_ID || taskset_context_of(f->set, operation->stream) != process)
			continue;
		const struct kernel *kernel = &operation->kernel;
		drivers = drivers || (resident_is_transfer(operation) && resident_engine(f->check->platform, operation) < 0);
		if (operation->kind != OPERATION_KERNEL)
			continue;
		bool indifferent = kernel->cache == CACHE_NONE && checked_is_none(kernel->carveout) &&
				   operation->span.operations == 0; /* of the kernels of a sequence nobody says it */
		uniform = uniform && indifferent && (plain || some == NULL || resident_same_shared(some, kernel));
		some = kernel;
	}
	return uniform && (plain || some == NULL || !drivers);
}

/* May a stream of the process wait for any other one of it? crowded: for SMs, on which it has kernels. */
static bool is_whole(const struct finder *f, int process, bool *crowded)
{
	const struct platform *platform = f->check->platform;
	int64_t queues = platform_value(platform, PARAMETER_QUEUES_HARDWARE), grids = platform_value(platform, PARAMETER_QUEUES_GRIDS);
	int working = 0, all = taskset_clients(f->set, process) - 1, kernels = 0;
	bool null = false;
	for (int s = 0; s < f->set->stream_count; s++) {
		if (taskset_context_of(f->set, s) != process)
			continue;
		all++;
		working += f->works[s];
		kernels += f->kernels[s];
		null = null || (f->works[s] && f->set->streams[s].kind == STREAM_NULL);
	}
	if (checked_is_none(grids))
		grids = platform->compute_capability < 20 ? 1 : platform->compute_capability == 32 ? 4 : 16;
	int holders = platform_grants(platform, ASSUMPTION_QUEUE) ? working : all;
	bool queue = working >= 2 && (checked_is_none(queues) || queues <= holders + graphs_of(f, process));
	bool slot = kernels >= 2 && grids < kernels, configured = platform->per_sm_carveout != TERNARY_YES && !is_uniform(f, process);
	*crowded = slot || configured;
	return takes_turns(f) || queue || null || *crowded;
}

/* ---- labels */

static bool level(struct finder *f, int a, int b)
{
	int least = f->label[a] < f->label[b] ? f->label[a] : f->label[b];
	bool changed = f->label[a] != least || f->label[b] != least;
	f->label[a] = f->label[b] = least;
	return changed;
}

/* All that have a common task or event have the first one's label then. */
static bool level_tasks(struct finder *f)
{
	int *recorder = arena_allocate(f->check->arena, (size_t)f->set->event_count + 1, sizeof *recorder);
	bool changed = false;
	for (int e = 0; e < f->set->event_count; e++)
		recorder[e] = NO_ID;
	for (int t = 0; t < f->set->task_count; t++) {
		int before = NO_ID;
		for (int i = 0; i < f->set->tasks[t].operation_count; i++) {
			const struct operation *operation = &f->set->operations[f->set->tasks[t].first_operation + i];
			if (operation->stream == NO_ID)
				continue;
			if (before != NO_ID)
				changed = level(f, before, operation->stream) || changed;
			before = operation->stream;
			bool event =
				(operation->kind == OPERATION_RECORD || operation->kind == OPERATION_WAIT) && operation->event != NO_ID;
			if (event && recorder[operation->event] != NO_ID)
				changed = level(f, recorder[operation->event], operation->stream) || changed;
			if (event)
				recorder[operation->event] = operation->stream;
		}
	}
	return changed;
}

/* Those of one partition, or of none; or all of the process. whole: [process]. */
static bool level_processes(struct finder *f, const bool *whole)
{
	const struct taskset *set = f->set;
	size_t groups = (size_t)set->application_count + 1, partitions = (size_t)set->partition_count + 1;
	int *first = arena_allocate(f->check->arena, groups + partitions, sizeof *first);
	bool changed = false;
	for (size_t i = 0; i < groups + partitions; i++)
		first[i] = NO_ID;
	for (int s = 0; s < set->stream_count; s++) {
		int process = taskset_context_of(set, s), partition = whole[process] ? 0 : set->streams[s].partition;
		int *group = partition == 0 ? &first[process] : &first[(int)groups + partition];
		if (!f->works[s])
			continue;
		if (*group == NO_ID)
			*group = s;
		else
			changed = level(f, *group, s) || changed;
	}
	return changed;
}

/* ---- owners */

static const char *name_of(const struct finder *f, int label, int process)
{
	const struct taskset *set = f->set;
	const char *name = set->applications[process].id;
	bool first = true;
	for (int p = 1; p <= set->partition_count; p++) {
		bool in = false;
		for (int s = 0; s < set->stream_count; s++)
			in = in || (f->works[s] && f->label[s] == label && set->streams[s].partition == p);
		if (!in)
			continue;
		name = arena_format(f->check->arena, "%s%s%s", name, first ? "/" : "+", set->partitions[p - 1].id);
		first = false;
	}
	return name;
}

static void describe(const struct finder *f, struct sharing *sharing, int owner)
{
	struct share_of_process *of = &sharing->owners[owner];
	bool primary = false, parts = false;
	int64_t least = NONE;
	of->narrowest = NO_ID;
	for (int s = 0; s < f->set->stream_count; s++) {
		int partition = f->set->streams[s].partition;
		if (taskset_context_of(f->set, s) != of->process || !f->works[s])
			continue;
		of->parted = of->parted || partition > 0;
		primary = primary || (f->kernels[s] && partition == 0);
		parts = parts || (f->kernels[s] && partition > 0);
		if (sharing->of_stream[s] != owner || !f->kernels[s])
			continue;
		int64_t sms = sms_of_stream(f->check, s);
		of->several = of->several || (of->narrowest != NO_ID && partition != f->set->streams[of->narrowest].partition);
		if (of->narrowest == NO_ID || sms < least) {
			of->narrowest = s;
			least = sms;
		}
	}
	of->beside = primary && parts;
}

static void list_owners(const struct finder *f, struct sharing *sharing)
{
	const struct taskset *set = f->set;
	for (int p = 0; p < sharing->process_count; p++) {
		int first = sharing->owner_count;
		if (taskset_clients(set, p) == 0)
			continue;
		for (int s = 0; s < set->stream_count; s++) {
			if (!f->works[s] || taskset_context_of(set, s) != p)
				continue;
			if (f->label[s] == s) {
				sharing->owners[sharing->owner_count] = (struct share_of_process){.process = p, .name = name_of(f, s, p)};
				sharing->of_stream[s] = sharing->owner_count++;
			} else {
				sharing->of_stream[s] = sharing->of_stream[f->label[s]];
			}
		}
		if (sharing->owner_count == first)
			sharing->owners[sharing->owner_count++] = (struct share_of_process){.process = p};
		for (int s = 0; s < set->stream_count; s++)
			if (!f->works[s] && taskset_context_of(set, s) == p)
				sharing->of_stream[s] = first;
		if (sharing->owner_count == first + 1)
			sharing->owners[first].name = set->applications[p].id;
		else
			sharing->split = true;
	}
	for (int i = 0; i < sharing->owner_count; i++)
		describe(f, sharing, i);
	for (int i = 0; i < sharing->owner_count; i++)
		sharing->parted = sharing->parted || sharing->owners[i].parted;
}

struct sharing *sharing_find(struct check *check)
{
	const struct taskset *set = check->set;
	struct arena *arena = check->arena;
	size_t streams = (size_t)set->stream_count + 1, processes = (size_t)set->application_count + 1;
	struct sharing *sharing = arena_allocate(arena, 1, sizeof *sharing);
	struct finder f = {check, set, arena_allocate(arena, streams, sizeof(int)), arena_allocate(arena, streams, sizeof(bool)),
		arena_allocate(arena, streams, sizeof(bool)), arena_allocate(arena, streams, sizeof(bool))};
	bool *whole = arena_allocate(arena, processes, sizeof *whole), *crowded = arena_allocate(arena, processes, sizeof *crowded);
	sharing->process_count = taskset_contexts(set);
	sharing->owners = arena_allocate(arena, processes + (size_t)set->partition_count, sizeof *sharing->owners);
	sharing->of_stream = arena_allocate(arena, streams, sizeof *sharing->of_stream);
	survey(&f);
	for (int p = 0; p < sharing->process_count; p++)
		whole[p] = is_whole(&f, p, &crowded[p]);
	while (level_processes(&f, whole) | level_tasks(&f)) /* both */
		;
	list_owners(&f, sharing);
	for (int i = 0; i < sharing->owner_count; i++)
		sharing->owners[i].crowded = crowded[sharing->owners[i].process];
	return sharing;
}
