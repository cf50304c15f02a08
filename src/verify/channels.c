/* Who bounds each way in which work on a GPU can slow other work. */
#include "verify/channels.h"

enum channel {
#define CHANNEL(symbol, id, what) CHANNEL_##symbol,
#include "model/channels.def"
#undef CHANNEL
	CHANNEL_COUNT
};

static const struct {
	const char *id, *what;
} kinds[CHANNEL_COUNT] = {
#define CHANNEL(symbol, id, what) {id, what},
#include "model/channels.def"
#undef CHANNEL
};

struct finding {
	bool bounded;
	const char *by;
};

static const struct finding no_operation = {true, "does not arise: the task set has no such operation"};

static struct finding unbounded(struct check *check, const char *why)
{
	return (struct finding){false, arena_format(check->arena, "nobody: no bound (%s)", why)};
}

static struct finding granted(struct check *check, enum assumption assumption, const char *by)
{
	const char *id = assumption_kinds[assumption].id;
	if (!platform_grants(check->platform, assumption))
		return unbounded(check, arena_format(check->arena, "%s is not granted", id));
	return (struct finding){true, arena_format(check->arena, "%s, under %s", by, id)};
}

/* The first factor of the source in the table, or of all sources together. */
static struct finding by_factor(struct check *check, enum interferer source, bool of_copies)
{
	const struct platform *platform = check->platform;
	const enum interferer wanted[] = {source, INTERFERER_ALL};
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < platform->interference_count; i++) {
			const struct interference_entry *entry = &platform->interference[i];
			if (entry->source != wanted[k] || entry->is_copy != of_copies)
				continue;
			const char *who =
				entry->declared_by == NULL ? "platform" : arena_format(check->arena, "declared by %s", entry->declared_by);
			return (struct finding){true,
				arena_format(check->arena, "factor '%s' (%s: %s), as far as its table reaches", interferer_names[wanted[k]],
					who, entry->evidence == NULL ? "no source given" : entry->evidence)};
		}
	return unbounded(
		check, arena_format(check->arena, "no factor '%s' for %s", interferer_names[source], of_copies ? "transfers" : "kernels"));
}

static struct finding by_neighbours(struct check *check, const struct resident *residents, enum ring ring, enum interferer source)
{
	for (int i = 0; i < check->set->operation_count; i++)
		if (residents[i].is_kernel && residents[i].foreign[ring])
			return by_factor(check, source, false);
	return (struct finding){true, "does not arise: no other kernel may run there at the same time (own blocks are inside A-WCET)"};
}

/* ---- which operations there are */

static bool has(const struct check *check, enum operation_kind kind)
{
	for (int i = 0; i < check->set->operation_count; i++)
		if (check->set->operations[i].kind == kind)
			return true;
	return false;
}

static struct finding by_transfers(struct check *check, enum direction direction, enum interferer source)
{
	for (int i = 0; i < check->set->operation_count; i++) {
		const struct operation *operation = &check->set->operations[i];
		if (resident_is_transfer(operation) && operation->copy.direction == direction)
			return by_factor(check, source, false);
	}
	return no_operation;
}

static struct finding by_kernels_on_copies(struct check *check)
{
	if (has(check, OPERATION_COPY) && (has(check, OPERATION_KERNEL) || has(check, OPERATION_FRAGMENT)))
		return by_factor(check, INTERFERER_EE, true);
	return (struct finding){true, "does not arise: the task set has not both kernels and copies"};
}

static struct finding in_copy_queues(const struct check *check)
{
	if (!has(check, OPERATION_COPY) && !has(check, OPERATION_MEMSET))
		return no_operation;
	if (platform_grants(check->platform, ASSUMPTION_CE))
		return (struct finding){true, "the response-time bounds, under A-CE"};
	return (struct finding){true, "the response-time bounds, for any work-conserving order"};
}

/* ---- the platform */

static struct finding in_slices(struct check *check)
{
	const struct taskset *set = check->set;
	bool slices = true;
	if (set->merged_context || set->application_count < 2)
		return (struct finding){true, "does not arise: one context"};
	if (checked_is_none(platform_value(check->platform, PARAMETER_RUNLIST_SWITCH)))
		return unbounded(check, "runlist.switch is neither known nor declared");
	for (int i = 0; i < set->application_count; i++)
		slices = slices && !checked_is_none(set->applications[i].timeslice);
	if (!slices && checked_is_none(platform_value(check->platform, PARAMETER_RUNLIST_TIMESLICE)))
		return unbounded(check, "runlist.timeslice is neither known nor declared");
	return granted(check, ASSUMPTION_RUNLIST, "time slices and runlist.switch in the response-time bounds");
}

static struct finding in_configurations(struct check *check)
{
	if (!resident_configurable(check->platform))
		return (struct finding){true, "does not arise: shared memory of a fixed size"};
	return granted(check, ASSUMPTION_WC_G, "the response-time bounds, which assume no more than that an idle SM takes any block");
}

static struct finding in_stops(struct check *check)
{
	const struct quantity *of = check->platform->parameters;
	bool both = of[PARAMETER_STOPS_LENGTH].present && of[PARAMETER_STOPS_DISTANCE].present;
	return granted(check, ASSUMPTION_ISO, both ? "stops.length and stops.distance" : "the user: there are none (no stop is declared)");
}

static struct finding in_memory(struct check *check, enum channel channel)
{
	if (check->platform->integrated)
		return by_factor(check, channel == CHANNEL_CPU_TRAFFIC ? INTERFERER_CPU : INTERFERER_OTHER, false);
	if (channel == CHANNEL_OTHER_MASTERS)
		return granted(check, ASSUMPTION_ISO, "the user: no other client uses the GPU's memory");
	return (struct finding){true, "does not arise: the GPU has memory of its own (kernels that touch host memory are refused)"};
}

static struct finding find(struct check *check, const struct resident *residents, enum channel channel)
{
	switch (channel) {
	case CHANNEL_DISPATCH: return granted(check, ASSUMPTION_WC_G, "the response-time bounds, which charge all work of the context");
	case CHANNEL_CONFIGURATION: return in_configurations(check);
	case CHANNEL_SM_PIPELINES:
	case CHANNEL_SM_MEMORY: return by_neighbours(check, residents, RING_SM, INTERFERER_SM);
	case CHANNEL_TPC: return by_neighbours(check, residents, RING_TPC, INTERFERER_TPC);
	case CHANNEL_GPC_PORT: return by_neighbours(check, residents, RING_GPC, INTERFERER_GPC);
	case CHANNEL_L2:
	case CHANNEL_DRAM: return by_neighbours(check, residents, RING_OUT, INTERFERER_OUT);
	case CHANNEL_COPIES_H2D: return by_transfers(check, DIRECTION_H2D, INTERFERER_H2D);
	case CHANNEL_COPIES_D2H: return by_transfers(check, DIRECTION_D2H, INTERFERER_D2H);
	case CHANNEL_COPIES_D2D: return by_transfers(check, DIRECTION_D2D, INTERFERER_D2D);
	case CHANNEL_COPIES_PEER: return by_transfers(check, DIRECTION_PEER, INTERFERER_ALL);
	case CHANNEL_MEMSETS: return by_transfers(check, DIRECTION_MEMSET, INTERFERER_MEMSET);
	case CHANNEL_SLOWED_COPIES: return by_kernels_on_copies(check);
	case CHANNEL_COPY_ENGINES: return in_copy_queues(check);
	case CHANNEL_CPU_TRAFFIC:
	case CHANNEL_OTHER_MASTERS: return in_memory(check, channel);
	case CHANNEL_RUNLIST: return in_slices(check);
	case CHANNEL_HARDWARE_QUEUES:
		return (struct finding){
			true, "the bounds of whole contexts, which need no order between streams; order itself is not vouched for"};
	case CHANNEL_HOST_INTERFACE: return granted(check, ASSUMPTION_HOST, "the user: release jitter that contains the issue latency");
	case CHANNEL_STOPS: return in_stops(check);
	case CHANNEL_CLOCKS: return granted(check, ASSUMPTION_CLOCK, "the user: fixed clocks");
	default: return (struct finding){false, NULL};
	}
}

void channels_compare(struct check *check, const struct resident *residents)
{
	const struct xml_element *parent = element_child(check->root, "channels"), *element = parent->first;
	for (int i = 0; i < CHANNEL_COUNT; i++) {
		const char *where = arena_format(check->arena, "channel %s", kinds[i].id);
		struct finding finding = find(check, residents, (enum channel)i);
		if (element == NULL) {
			check_differs(check, parent, "channels", kinds[i].id, "nothing");
			return;
		}
		check_text(check, element, where, "id", kinds[i].id);
		check_flag(check, element, where, "bounded", finding.bounded);
		check_words(check, element, where, "what", kinds[i].what);
		check_words(check, element, where, "bounded-by", finding.by);
		element = element->next;
	}
	if (element != NULL)
		check_differs(check, element, "channels", "no further channel", element_get(element, "id"));
}
