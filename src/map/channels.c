/* The interference channels of a GPU, and who bounds each in this analysis: AMC 20-193 asks for the list, whether or not it is pleasant. */
#include "map/hazards.h"

#include <stddef.h>

struct view {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	const struct map *map;
};

static struct channel nobody(const struct view *view, const char *what)
{
	return (struct channel){.bounded_by = arena_format(view->arena, "nobody: no bound (%s)", what), .bounded = false};
}

static struct channel closed(const char *why)
{
	return (struct channel){.bounded_by = why, .bounded = true};
}

static struct channel assumed(const struct view *view, enum assumption assumption, const char *by)
{
	const char *id = assumption_kinds[assumption].id;
	if (!platform_grants(view->platform, assumption))
		return nobody(view, arena_format(view->arena, "%s is not granted", id));
	return closed(arena_format(view->arena, "%s, under %s", by, id));
}

/* ---- factors */

static const struct interference_entry *find_factor(const struct platform *platform, enum interferer source, bool is_copy)
{
	for (int i = 0; i < platform->interference_count; i++)
		if (platform->interference[i].source == source && platform->interference[i].is_copy == is_copy)
			return &platform->interference[i];
	return NULL;
}

static struct channel factor(const struct view *view, enum interferer source, bool is_copy)
{
	const struct interference_entry *entry = find_factor(view->platform, source, is_copy);
	if (entry == NULL)
		entry = find_factor(view->platform, INTERFERER_ALL, is_copy);
	if (entry == NULL)
		return nobody(view,
			arena_format(view->arena, "no factor '%s' for %s", interferer_names[source], is_copy ? "transfers" : "kernels"));
	const char *by = entry->declared_by != NULL ? arena_format(view->arena, "declared by %s", entry->declared_by) : "platform";
	const char *evidence = entry->evidence != NULL ? entry->evidence : "no source given";
	return closed(arena_format(
		view->arena, "factor '%s' (%s: %s), as far as its table reaches", interferer_names[entry->source], by, evidence));
}

/* ---- what can happen in this task set */

enum reach { REACH_SM, REACH_TPC, REACH_GPC, REACH_OUT };

static bool reaches(const struct kernel_map *kernel, enum reach reach)
{
	const bool flags[] = {kernel->foreign_sm, kernel->foreign_tpc, kernel->foreign_gpc, kernel->foreign_out};
	return kernel->is_kernel && flags[reach];
}

static struct channel by_kernels(const struct view *view, enum reach reach)
{
	static const enum interferer sources[] = {INTERFERER_SM, INTERFERER_TPC, INTERFERER_GPC, INTERFERER_OUT};
	for (int i = 0; i < view->set->operation_count; i++)
		if (reaches(&view->map->kernels[i], reach))
			return factor(view, sources[reach], false);
	return closed("does not arise: no other kernel may run there at the same time (own blocks are inside A-WCET)");
}

static bool has_direction(const struct view *view, enum direction direction)
{
	for (int i = 0; i < view->set->operation_count; i++) {
		const struct operation *operation = &view->set->operations[i];
		if ((operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET) && operation->copy.direction == direction)
			return true;
	}
	return false;
}

static bool has_kind(const struct view *view, enum operation_kind kind)
{
	for (int i = 0; i < view->set->operation_count; i++)
		if (view->set->operations[i].kind == kind)
			return true;
	return false;
}

static struct channel by_copies(const struct view *view, enum direction direction, enum interferer source)
{
	return has_direction(view, direction) ? factor(view, source, false) : closed("does not arise: the task set has no such operation");
}

/* ---- the channels */

static struct channel dispatch(const struct view *view)
{
	return assumed(view, ASSUMPTION_WC_G, "the response-time bounds, which charge all work of the context");
}

static struct channel pipelines(const struct view *view)
{
	return by_kernels(view, REACH_SM);
}

static struct channel tpc(const struct view *view)
{
	return by_kernels(view, REACH_TPC);
}

static struct channel gpc(const struct view *view)
{
	return by_kernels(view, REACH_GPC);
}

static struct channel outside(const struct view *view)
{
	return by_kernels(view, REACH_OUT);
}

static struct channel h2d(const struct view *view)
{
	return by_copies(view, DIRECTION_H2D, INTERFERER_H2D);
}

static struct channel d2h(const struct view *view)
{
	return by_copies(view, DIRECTION_D2H, INTERFERER_D2H);
}

static struct channel d2d(const struct view *view)
{
	return by_copies(view, DIRECTION_D2D, INTERFERER_D2D);
}

static struct channel memsets(const struct view *view)
{
	return by_copies(view, DIRECTION_MEMSET, INTERFERER_MEMSET);
}

static struct channel peer(const struct view *view)
{
	return has_direction(view, DIRECTION_PEER) ? factor(view, INTERFERER_ALL, false)
						   : closed("does not arise: the task set has no such operation");
}

static struct channel slowed_copies(const struct view *view)
{
	bool arises = has_kind(view, OPERATION_COPY) && (has_kind(view, OPERATION_KERNEL) || has_kind(view, OPERATION_FRAGMENT));
	return arises ? factor(view, INTERFERER_EE, true) : closed("does not arise: the task set has not both kernels and copies");
}

static struct channel copy_queue(const struct view *view)
{
	if (!has_kind(view, OPERATION_COPY) && !has_kind(view, OPERATION_MEMSET))
		return closed("does not arise: the task set has no such operation");
	bool fifo = platform_grants(view->platform, ASSUMPTION_CE);
	return closed(fifo ? "the response-time bounds, under A-CE" : "the response-time bounds, for any work-conserving order");
}

static struct channel cpu(const struct view *view)
{
	if (!view->platform->integrated)
		return closed("does not arise: the GPU has memory of its own (kernels that touch host memory are refused)");
	return factor(view, INTERFERER_CPU, false);
}

static struct channel masters(const struct view *view)
{
	if (!view->platform->integrated)
		return assumed(view, ASSUMPTION_ISO, "the user: no other client uses the GPU's memory");
	return factor(view, INTERFERER_OTHER, false);
}

static struct channel runlist(const struct view *view)
{
	const struct taskset *set = view->set;
	if (taskset_contexts(set) < 2)
		return closed("does not arise: one context");
	if (platform_value(view->platform, PARAMETER_RUNLIST_SWITCH) == NONE)
		return nobody(view, "runlist.switch is neither known nor declared");
	for (int i = 0; i < set->application_count; i++)
		if (taskset_lacks_slice(set, taskset_context(set, i)) &&
			platform_value(view->platform, PARAMETER_RUNLIST_TIMESLICE) == NONE)
			return nobody(view, "runlist.timeslice is neither known nor declared");
	if (set->ranked)
		return assumed(view, ASSUMPTION_PREEMPT, "priorities of contexts and runlist.switch in the response-time bounds");
	if (set->interleaved)
		return assumed(
			view, ASSUMPTION_INTERLEAVE, "interleave levels, time slices and runlist.switch in the response-time bounds");
	return assumed(view, ASSUMPTION_RUNLIST, "time slices and runlist.switch in the response-time bounds");
}

static struct channel configuration(const struct view *view)
{
	return occupancy_is_configurable(view->platform)
		       ? assumed(view, ASSUMPTION_WC_G,
				 "the response-time bounds, which assume no more than that an idle SM takes any block")
		       : closed("does not arise: shared memory of a fixed size");
}

static struct channel queues(const struct view *view)
{
	(void)view;
	return closed("the bounds of whole contexts, which need no order between streams; order itself is not vouched for");
}

static struct channel host(const struct view *view)
{
	return view->set->submits ? assumed(view, ASSUMPTION_SUBMIT, "[CORES], with the cores' submission")
				  : assumed(view, ASSUMPTION_HOST, "the user: release jitter that contains the issue latency");
}

static struct channel stops(const struct view *view)
{
	bool declared =
		view->platform->parameters[PARAMETER_STOPS_LENGTH].present && view->platform->parameters[PARAMETER_STOPS_DISTANCE].present;
	return assumed(
		view, ASSUMPTION_ISO, declared ? "stops.length and stops.distance" : "the user: there are none (no stop is declared)");
}

static struct channel clocks(const struct view *view)
{
	return assumed(view, ASSUMPTION_CLOCK, "the user: fixed clocks");
}

enum channel_number {
#define CHANNEL(symbol, id, what) CHANNEL_##symbol,
#include "model/channels.def"
#undef CHANNEL
	CHANNEL_COUNT
};

static const struct {
	const char *id, *what;
} channels[CHANNEL_COUNT] = {
#define CHANNEL(symbol, id, what) {id, what},
#include "model/channels.def"
#undef CHANNEL
};

static struct channel (*const bounds[CHANNEL_COUNT])(const struct view *) = {
	[CHANNEL_DISPATCH] = dispatch,
	[CHANNEL_CONFIGURATION] = configuration,
	[CHANNEL_SM_PIPELINES] = pipelines,
	[CHANNEL_SM_MEMORY] = pipelines,
	[CHANNEL_TPC] = tpc,
	[CHANNEL_GPC_PORT] = gpc,
	[CHANNEL_L2] = outside,
	[CHANNEL_DRAM] = outside,
	[CHANNEL_COPIES_H2D] = h2d,
	[CHANNEL_COPIES_D2H] = d2h,
	[CHANNEL_COPIES_D2D] = d2d,
	[CHANNEL_COPIES_PEER] = peer,
	[CHANNEL_MEMSETS] = memsets,
	[CHANNEL_SLOWED_COPIES] = slowed_copies,
	[CHANNEL_COPY_ENGINES] = copy_queue,
	[CHANNEL_CPU_TRAFFIC] = cpu,
	[CHANNEL_OTHER_MASTERS] = masters,
	[CHANNEL_RUNLIST] = runlist,
	[CHANNEL_HARDWARE_QUEUES] = queues,
	[CHANNEL_HOST_INTERFACE] = host,
	[CHANNEL_STOPS] = stops,
	[CHANNEL_CLOCKS] = clocks,
};

struct channels *hazards_channels(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map)
{
	struct view view = {arena, platform, set, map};
	struct channels *list = arena_allocate(arena, 1, sizeof *list);
	list->items = arena_allocate(arena, CHANNEL_COUNT, sizeof *list->items);
	list->count = CHANNEL_COUNT;
	for (int i = 0; i < CHANNEL_COUNT; i++) {
		list->items[i] = bounds[i](&view);
		list->items[i].id = channels[i].id;
		list->items[i].what = channels[i].what;
	}
	return list;
}
