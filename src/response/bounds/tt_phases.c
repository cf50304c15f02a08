#include "response/bounds/tt_phases.h"

#include "base/plant.h"
#include "model/limits.h"
#include "response/applicable.h"

static const char *periods(struct tt_phases *p)
{
	p->hyperperiod = 1;
	for (int i = 0; i < p->classes->chain_count; i++) {
		const struct task *task = tt_phases_task(p, i);
		if (task->arrival.kind != ARRIVAL_PERIODIC || task->offset == NONE)
			return arena_format(p->w->arena, "task:%s has no offset", task->id);
		p->hyperperiod = checked_multiple(p->hyperperiod, task->arrival.period);
		if (p->hyperperiod == NONE)
			return "the hyperperiod does not fit 64 bits";
	}
	return NULL;
}

/* A task that shares its stream may come back to it only after a whole job: then its jobs are queued there in the order of their releases.
 */
static const char *streams(struct tt_phases *p)
{
	p->shared = arena_allocate(p->w->arena, (size_t)p->classes->chain_count + 1, sizeof *p->shared);
	for (int i = 0; i < p->classes->chain_count; i++)
		for (int j = 0; j < i; j++)
			if (p->classes->chains[i].stream == p->classes->chains[j].stream && tt_phases_task(p, i) != tt_phases_task(p, j))
				p->shared[i] = p->shared[j] = true;
	for (int i = 0; i < p->classes->chain_count; i++) {
		const struct task *task = tt_phases_task(p, i);
		bool whole = p->w->segments->items[i].number == 0 && (i + 1 == p->classes->chain_count || tt_phases_task(p, i + 1) != task);
		if (p->shared[i] && !whole)
			return arena_format(p->w->arena, "task:%s shares a stream and has several segments", task->id);
		int64_t late = checked_add(
			task->arrival.jitter, checked_sub(p->w->segments->items[i].host_most, p->w->segments->items[i].host_least));
		if (p->shared[i] && late > task->arrival.period)
			return arena_format(
				p->w->arena, "task:%s shares a stream, and a job of it may be later than the next one", task->id);
	}
	return NULL;
}

static const char *places(const struct tt_phases *p)
{
	for (int i = 0; i < p->classes->count; i++) {
		const struct class *class = &p->classes->items[i];
		if (class->place == PLACE_NOWHERE)
			return "an operation is on no engine";
		if (class->place == PLACE_COPY && class->engine == ENGINE_NONE)
			return "a copy may go to any engine";
	}
	return NULL;
}

static bool same_demand(const struct kernel *a, const struct kernel *b)
{
	return a->threads == b->threads && a->registers == b->registers &&
	       a->shared_static + a->shared_dynamic == b->shared_static + b->shared_dynamic && a->cache == b->cache &&
	       a->carveout == b->carveout;
}

/* How many blocks the GPU holds, where all kernels are alike in what a block takes. 0: they are not. */
static int64_t count_slots(const struct tt_phases *p)
{
	const struct operation *first = NULL;
	int64_t slots = 0;
	for (int i = 0; i < p->classes->count; i++) {
		const struct class *class = &p->classes->items[i];
		const struct operation *operation = &p->w->set->operations[class->operation];
		const struct kernel_map *of = &p->map->kernels[class->operation];
		if (class->place != PLACE_EXECUTION)
			continue;
		if (of->slots_least == NONE || of->slots_least != of->slots_greatest || (slots != 0 && slots != of->slots_least))
			return 0;
		if (first != NULL && !same_demand(&first->kernel, &operation->kernel))
			return 0;
		first = operation;
		slots = of->slots_least;
	}
	return slots;
}

/* Are there blocks to follow, of kernels that wait for nothing but room on an SM? */
static bool in_blocks(const struct tt_phases *p)
{
	int64_t grids = platform_value(p->w->platform, PARAMETER_QUEUES_GRIDS);
	if (grids == NONE || grids < p->w->runlist->processes[0].kernel_streams)
		return false;
	for (int i = 0; i < p->classes->count; i++) {
		const struct class *class = &p->classes->items[i];
		const struct operation *operation = &p->w->set->operations[class->operation];
		const struct kernel *kernel = &operation->kernel;
		if (class->place == PLACE_EXECUTION && (operation->kind != OPERATION_KERNEL || kernel->scope != SCOPE_BLOCK ||
							       kernel->blocks == NONE || kernel->blocks > LIMIT_TT_PIECES))
			return false;
	}
	return true;
}

/* An SM without blocks takes any block, if it need not be configured anew while others have some: so fewer blocks than SMs leave room. */
static int64_t count_pool(const struct tt_phases *p, int64_t slots)
{
	int64_t sms = domain_sms(p->w->platform, p->w->set, &p->w->costs->domains->items[0]);
	if (planted(PLANT_ROOM))
		sms = checked_add(sms, 1);
	if (slots == 0 && (sms == NONE || !applicable_one_configuration(p->w->platform, p->w->set, p->w->costs, 0)))
		return 0;
	return checked_min(checked_max(slots, slots == 0 ? sms : 0), LIMIT_TT_SLOTS);
}

/* Blocks one by one, where nothing but they take time; with levels kernels of one block only. */
static void serve_kernels(struct tt_phases *p)
{
	const struct platform *platform = p->w->platform;
	bool single = true,
	     quick = platform_value(platform, PARAMETER_OVERHEAD_LAUNCH) == 0 && platform_value(platform, PARAMETER_OVERHEAD_BLOCK) == 0;
	for (int i = 0; i < p->classes->count; i++)
		single &= p->classes->items[i].place != PLACE_EXECUTION || p->classes->items[i].blocks == 1;
	p->levels = p->w->runlist->contexts[0].levels;
	if (!in_blocks(p))
		return;
	int64_t slots = count_slots(p);
	if (quick && slots <= LIMIT_TT_SLOTS && (single || !p->levels))
		p->slots = slots;
	p->pool = count_pool(p, slots);
}

const char *tt_phases_find(struct tt_phases *p)
{
	const struct platform *platform = p->w->platform;
	if (platform->parameters[PARAMETER_STOPS_LENGTH].present && platform->parameters[PARAMETER_STOPS_DISTANCE].present)
		return "stops are declared";
	const char *reason = periods(p);
	reason = reason == NULL ? streams(p) : reason;
	reason = reason == NULL ? places(p) : reason;
	serve_kernels(p);
	return reason;
}
