/* The facts that a task set lacks: numbers and choices by a table, factors by what is beside each operation, assumptions by what each
 * bound rests on. Each round fills in what the one before found, because an assumption may matter only where a factor is known. */
#include "cli/facts.h"

#include "interference/environment.h"
#include "interference/factors.h"
#include "response/applicable.h"
#include "response/order.h"

#include "report/text_write.h"

#include <inttypes.h>
#include <string.h>

#define SOLVER_ITERATIONS 1000 /* which sources are active does not depend on how well they are counted */
#define FILLED_FACTOR 2

struct finder {
	struct facts *facts;
	struct arena *arena;
	struct platform *platform;
	const struct taskset *set;
};

/* What the task set has that makes a fact matter. */
struct uses {
	bool kernels, blocks, sized, registers, shared, copies, several_contexts, several_streams, kernels_in_several;
	bool levels, low_levels, both, compute_copies;
	bool directions[DIRECTION_COUNT];
};

static void add(struct finder *finder, const char *line, const char *need, const char *where)
{
	struct facts *facts = finder->facts;
	facts->items = arena_grow(facts->arena, facts->items, &facts->capacity, facts->count + 1, sizeof *facts->items);
	facts->items[facts->count++] = (struct fact){line, need, where};
}

static const char *declare(struct finder *finder, const char *name, const char *value)
{
	return arena_format(finder->arena, "<declare name=\"%s\" value=\"%s\" source=\"...\" by=\"...\"/>", name, value);
}

/* ---- what the task set has */

static bool on_engine(const struct platform *platform, const struct operation *operation)
{
	bool transfer = operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET;
	return operation->kind == OPERATION_KERNEL || operation->kind == OPERATION_FRAGMENT ||
	       (transfer && platform->engine_of[operation->copy.direction] == ENGINE_COMPUTE);
}

static void look_at(const struct platform *platform, const struct operation *operation, struct uses *uses)
{
	const struct kernel *kernel = &operation->kernel;
	bool transfer = operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET;
	uses->kernels |= on_engine(platform, operation);
	uses->compute_copies |= transfer && on_engine(platform, operation);
	uses->copies |= transfer && !on_engine(platform, operation);
	if (transfer)
		uses->directions[operation->copy.direction] = true;
	if (operation->kind != OPERATION_KERNEL || kernel->threads == NONE)
		return;
	uses->sized = true;
	uses->blocks |= kernel->scope == SCOPE_BLOCK;
	uses->registers |= kernel->registers != NONE;
	uses->shared |= checked_add(kernel->shared_static, kernel->shared_dynamic) > 0;
}

/* Two streams of one context: whether both have work, or both have kernels, and then on which levels. */
static void look_at_pair(const struct taskset *set, int a, int b, const bool *works, const bool *kernels, struct uses *uses)
{
	if (!set->merged_context && set->streams[a].application != set->streams[b].application)
		return;
	uses->several_streams |= works[a] && works[b];
	uses->kernels_in_several |= kernels[a] && kernels[b];
	uses->levels |= kernels[a] && kernels[b] && set->streams[a].level != set->streams[b].level;
}

static void look_at_streams(struct finder *finder, struct uses *uses)
{
	const struct taskset *set = finder->set;
	bool *works = arena_allocate(finder->arena, (size_t)set->stream_count + 1, sizeof *works);
	bool *kernels = arena_allocate(finder->arena, (size_t)set->stream_count + 1, sizeof *kernels);
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		if (operation->stream == NO_ID)
			continue;
		works[operation->stream] = true;
		kernels[operation->stream] |= on_engine(finder->platform, operation);
	}
	for (int a = 0; a < set->stream_count; a++) {
		uses->low_levels |= set->streams[a].level > 0;
		for (int b = 0; b < a; b++)
			look_at_pair(set, a, b, works, kernels, uses);
	}
}

static struct uses find_uses(struct finder *finder)
{
	const struct taskset *set = finder->set;
	struct uses uses = {.several_contexts = set->application_count > 1 && !set->merged_context};
	for (int i = 0; i < set->operation_count; i++)
		look_at(finder->platform, &set->operations[i], &uses);
	look_at_streams(finder, &uses);
	uses.both = uses.kernels && uses.copies;
	return uses;
}

/* ---- choices: engines, what kernels of several streams do, what copies share */

static void fill_engine(struct platform *platform, enum direction direction)
{
	int64_t engines = platform_value(platform, PARAMETER_COPY_ENGINES);
	bool inside = direction == DIRECTION_D2D || direction == DIRECTION_MEMSET;
	platform->engine_of[direction] = inside ? ENGINE_COMPUTE : direction == DIRECTION_D2H && engines > 1 ? 1 : 0;
}

static void find_engines(struct finder *finder, const struct uses *uses)
{
	for (int i = 0; i < DIRECTION_COUNT; i++) {
		if (!uses->directions[i] || finder->platform->engine_of[i] != ENGINE_NONE)
			continue;
		const char *name = arena_format(finder->arena, "engine.%s", direction_names[i]);
		add(finder, declare(finder, name, "..."),
			arena_format(finder->arena,
				"which engine serves %s: the number of a copy engine, or compute; nothing is analysed without it",
				direction_names[i]),
			"an nsys trace: copies of two directions that overlap are on two engines; what runs as a kernel is compute");
		fill_engine(finder->platform, (enum direction)i);
	}
}

static void find_choices(struct finder *finder, const struct uses *uses)
{
	struct platform *platform = finder->platform;
	if (uses->kernels_in_several && platform->concurrent_kernels == TERNARY_UNKNOWN) {
		add(finder, declare(finder, "concurrent-kernels", "..."),
			"yes or no: whether kernels of two streams run at once; nothing is analysed without it",
			"deviceQuery: \"Concurrent copy and kernel execution\" is another question; cudaDeviceProp.concurrentKernels is 1 "
			"where they do");
		platform->concurrent_kernels = TERNARY_YES;
	}
	if ((uses->both || (uses->copies && uses->several_contexts)) && platform->copy_runlist == COPY_RUNLIST_UNKNOWN) {
		add(finder, declare(finder, "copy-runlist", "..."),
			"own or shared: whether copies take turns with kernels; unknown, every bound takes it that they do and needs "
			"A-RUNLIST",
			"an nsys trace: a copy that runs while a long kernel of another process does is on a runlist of its own");
		platform->copy_runlist = COPY_RUNLIST_OWN;
	}
	if (uses->several_contexts && platform->preemption == PREEMPTION_UNKNOWN)
		add(finder, declare(finder, "preemption", "..."),
			"block or instruction: where a slice ends; unknown, each switch is charged the longest block",
			"deviceQuery: \"Device supports Compute Preemption: Yes\" is instruction");
}

/* ---- numbers */

static const char *const no_bound = "no bound without it";
static const char *const probe = "the programs in probe/ and gpubound-calibrate(1); or the greatest that you have measured";

/* What the model says that a value may not be below, whatever is assumed; NONE: nothing. */
static int64_t least_of(const struct platform *platform, enum parameter parameter)
{
	int64_t least = NONE;
	for (int i = 0; i < platform->least_count; i++)
		if (platform->leasts[i].parameter == parameter && platform->leasts[i].assumption == NO_ID)
			least = least == NONE ? platform->leasts[i].value : checked_max(least, platform->leasts[i].value);
	return least;
}

static void want(struct finder *finder, bool wanted, enum parameter parameter, const char *lack, const char *where, int64_t filled)
{
	struct quantity *quantity = &finder->platform->parameters[parameter];
	if (!wanted || quantity->present)
		return;
	const char *name = parameter_kinds[parameter].name;
	int64_t least = least_of(finder->platform, parameter);
	const char *bound = least == NONE ? ""
					  : arena_format(finder->arena, "; at least %" PRId64 " %s here", least,
						    units_symbol(parameter_kinds[parameter].unit));
	filled = least == NONE ? filled : checked_max(filled, least);
	add(finder, declare(finder, name, "..."), arena_format(finder->arena, "%s%s; %s", parameter_kinds[parameter].meaning, bound, lack),
		where);
	*quantity = (struct quantity){.present = true, .value = filled, .exact = rational_of(filled), .source = "", .declared_by = ""};
}

static void find_limits(struct finder *finder, const struct uses *uses)
{
	static const char *const table = "CUDA C++ Programming Guide, technical specifications by compute capability; deviceQuery";
	static const char *const header = "NVIDIA, cuda_occupancy.h, which is part of CUDA";
	static const char *const kernel = "a kernel of scope block is not analysed without it";
	static const char *const sized = "how many blocks an SM holds is not known without it";
	want(finder, uses->kernels, PARAMETER_SM_COUNT, "no bound of a kernel without it", "deviceQuery: \"Multiprocessors\"", 64);
	want(finder, uses->blocks, PARAMETER_SM_WARPS, kernel, table, 64);
	want(finder, uses->kernels, PARAMETER_SM_BLOCKS, "no bound of a kernel without it", table, 32);
	want(finder, uses->sized, PARAMETER_SM_SUBPARTITIONS, sized, header, 1);
	want(finder, uses->sized, PARAMETER_REGISTER_UNIT, sized, header, 256);
	want(finder, uses->sized, PARAMETER_SHARED_UNIT, sized, header, 128);
	want(finder, uses->sized, PARAMETER_SHARED_RESERVED, sized, header, 0);
	want(finder, uses->registers, PARAMETER_SM_REGISTERS, kernel, table, 65536);
	want(finder, uses->shared, PARAMETER_SM_SHARED, kernel, table, 65536);
}

static void find_numbers(struct finder *finder, const struct uses *uses)
{
	static const char *const queues = "with levels, P, H, CHAIN and FP need at least as many as streams with kernels";
	want(finder, uses->kernels, PARAMETER_OVERHEAD_LAUNCH, no_bound, probe, 1000);
	want(finder, uses->kernels, PARAMETER_OVERHEAD_BLOCK, no_bound, probe, 1000);
	want(finder, uses->kernels || uses->copies, PARAMETER_OVERHEAD_DEPENDENCY, no_bound, probe, 1000);
	want(finder, uses->copies, PARAMETER_OVERHEAD_COPY, no_bound, probe, 1000);
	want(finder, uses->kernels && order_is_delayed(finder->platform), PARAMETER_DISPATCH_DELAY, no_bound, probe, 1000);
	want(finder, uses->kernels && order_is_delayed(finder->platform), PARAMETER_DISPATCH_STALL, no_bound, probe, 1000);
	want(finder, uses->low_levels, PARAMETER_QUEUES_PRIORITIES, "a stream's priority is not analysed without it",
		"cudaDeviceGetStreamPriorityRange: least minus greatest, plus 1", 64);
	want(finder, uses->levels, PARAMETER_QUEUES_GRIDS, queues,
		"CUDA C++ Programming Guide: maximum number of resident grids of the compute capability", 128);
	want(finder, uses->several_streams, PARAMETER_QUEUES_HARDWARE,
		"H, CHAIN, FP and VOL-C need more of them than a context has streams",
		"CUDA_DEVICE_MAX_CONNECTIONS of the process; the greatest is 32", 64);
}

/* ---- factors */

static struct victim victim_of(const struct platform *platform, const struct operation *operation)
{
	if (operation->kind == OPERATION_KERNEL)
		return (struct victim){false, operation->kernel.access, operation->kernel.footprint};
	return (struct victim){!environment_is_compute(platform, operation), ACCESS_ANY,
		operation->kind == OPERATION_FRAGMENT ? NONE : operation->copy.bytes};
}

static void fill_factor(struct finder *finder, bool copy, enum interferer source)
{
	struct platform *platform = finder->platform;
	size_t before = (size_t)platform->interference_count;
	struct interference_entry *entries = arena_allocate(finder->arena, before + 1, sizeof *entries);
	if (before > 0)
		memcpy(entries, platform->interference, before * sizeof *entries);
	entries[before] = (struct interference_entry){ACCESS_ANY, NONE, source, NONE, copy, rational_of(FILLED_FACTOR), "", "", 0};
	platform->interference = entries;
	platform->interference_count++;
}

static void add_factor(struct finder *finder, const struct operation *operation, bool copy, enum interferer source)
{
	static const char *const what[INTERFERER_COUNT] = {"other blocks on its SM", "the other SM of its TPC", "the other SMs of its GPC",
		"SMs of other GPCs", "copies from the host", "copies to the host", "copies inside the device", "memsets", "CPU cores",
		"display, cameras and codecs", "kernels", "everything at once"};
	add(finder,
		arena_format(finder->arena, "<interference from=\"%s\" victim=\"%s\" value=\"...\" source=\"...\" by=\"...\"/>",
			interferer_names[source], copy ? "transfer" : "any"),
		arena_format(finder->arena, "how much %s slow%s %s such as '%s'; no bound without it", what[source],
			source == INTERFERER_TPC || source == INTERFERER_ALL ? "s" : "", copy ? "a copy" : "a kernel", operation->id),
		source == INTERFERER_ALL
			? "measured with everything at work that may be beside it: time beside it divided by time alone"
			: "measured with that load alone; or one from=\"all\", measured with everything at once, in place of all of them");
	fill_factor(finder, copy, source);
}

static void find_factors(struct finder *finder, struct surroundings *surroundings, int index)
{
	const struct operation *operation = &finder->set->operations[index];
	const struct platform *platform = finder->platform;
	struct environment environment = surroundings_of(surroundings, index);
	struct victim victim = victim_of(platform, operation);
	struct derivation mute;
	int active = 0, missing[INTERFERER_COUNT], count = 0;
	derivation_init_mute(&mute);
	struct factors *factors = factors_prepare(finder->arena, platform, &mute);
	if (!rational_is_none(factors_find(factors, &victim, INTERFERER_ALL, environment.count[INTERFERER_ALL]).value))
		return;
	for (int source = 0; source < INTERFERER_COUNT; source++) {
		if (!environment.active[source])
			continue;
		active++;
		if (rational_is_none(factors_find(factors, &victim, (enum interferer)source, environment.count[source]).value))
			missing[count++] = source;
	}
	if (active > 1 && platform->composition == COMPOSITION_JOINT)
		add_factor(finder, operation, victim.is_copy, INTERFERER_ALL);
	else
		for (int i = 0; i < count; i++)
			add_factor(finder, operation, victim.is_copy, (enum interferer)missing[i]);
}

static void find_all_factors(struct finder *finder, const struct map *map)
{
	const struct lp_limits limits = {0, SOLVER_ITERATIONS};
	struct surroundings *surroundings = surroundings_create(finder->arena, finder->platform, finder->set, map, &limits);
	for (int i = 0; i < finder->set->operation_count; i++) {
		enum operation_kind kind = finder->set->operations[i].kind;
		if (kind == OPERATION_KERNEL || kind == OPERATION_COPY || kind == OPERATION_MEMSET)
			find_factors(finder, surroundings, i);
	}
}

/* ---- turns: contexts, or copies and kernels, that share the runlist */

static void find_turns(struct finder *finder, const struct runlist *runlist)
{
	bool open = finder->set->merged_context, copies = false;
	for (int i = 0; i < runlist->context_count; i++) {
		open |= finder->set->applications[i].timeslice == NONE;
		copies |= runlist->contexts[i].copies && runlist->copies_sliced;
	}
	want(finder, runlist->sliced && open, PARAMETER_RUNLIST_TIMESLICE, "no bound without it, or without timeslice of each application",
		"the driver: its default, or what you set for the channel group", 1000000);
	want(finder, runlist->sliced, PARAMETER_RUNLIST_SWITCH, no_bound, probe, 1000);
	want(finder, runlist->sliced && copies, PARAMETER_RUNLIST_COPY_TIMESLICE, no_bound, probe, 1000000);
}

/* ---- assumptions */

static void add_assumption(struct finder *finder, int assumption, const char *bounds)
{
	const struct assumption_kind *kind = &assumption_kinds[assumption];
	bool broken = finder->platform->assumptions[assumption].status == STATUS_BROKEN;
	add(finder, arena_format(finder->arena, "<assume id=\"%s\" source=\"...\" by=\"...\"/>", kind->id),
		arena_format(finder->arena, "needed by %s: %s%s", bounds, kind->statement,
			broken ? " KNOWN TO BE BROKEN on this platform." : ""),
		arena_format(finder->arena,
			"%s; see gpubound-machine(7), and gpubound-calibrate(1), which looks for it in recordings. What it is worth: "
			"analyze -a %s",
			kind->discharge, kind->id));
}

/* Which bounds of which contexts rest on each assumption that nobody vouches for. */
static void find_assumptions(struct finder *finder, const struct costs *costs, const struct runlist *runlist)
{
	for (int a = 0; a < ASSUMPTION_COUNT; a++) {
		const char *bounds = NULL;
		if (platform_grants(finder->platform, (enum assumption)a))
			continue;
		for (int b = 0; b < BOUND_COUNT; b++) {
			uint64_t used = 0;
			for (int c = 0; c < runlist->context_count; c++)
				used |= applicable_find(finder->arena, finder->platform, finder->set, costs, runlist, (enum bound)b, c)
						.assumptions;
			if ((used & assumption_bit((enum assumption)a)) != 0)
				bounds = arena_format(finder->arena, "%s%s%s", bounds != NULL ? bounds : "", bounds != NULL ? ", " : "",
					bound_kinds[b].name);
		}
		if (bounds != NULL)
			add_assumption(finder, a, bounds);
	}
}

struct facts *facts_find(struct arena *arena, struct platform *platform, const struct taskset *set)
{
	struct facts *facts = arena_allocate(arena, 1, sizeof *facts);
	struct finder finder = {facts, arena, platform, set};
	struct derivation mute;
	facts->arena = arena;
	derivation_init_mute(&mute);
	struct uses uses = find_uses(&finder);
	find_engines(&finder, &uses);
	uses = find_uses(&finder);
	find_choices(&finder, &uses);
	find_limits(&finder, &uses);
	find_numbers(&finder, &uses);
	struct map *map = map_build(arena, platform, set);
	find_all_factors(&finder, map);
	struct inflation *inflation = inflation_compute(arena, platform, set, map, &mute);
	struct costs *costs = costs_compute(arena, platform, set, map, inflation, &mute);
	struct runlist *runlist = runlist_build(arena, platform, set, costs, &mute);
	find_turns(&finder, runlist);
	find_assumptions(&finder, costs, runlist);
	return facts;
}

void facts_write(struct output *output, const struct facts *facts, bool hidden)
{
	for (int i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->items[i];
		bool same = i > 0 && strcmp(fact->where, facts->items[i - 1].where) == 0;
		if (!same)
			text_paragraph(output, "  <!-- From:", 7, arena_format(facts->arena, "%s.", fact->where));
		text_paragraph(
			output, same ? "  <!--" : "       ", 7, arena_format(facts->arena, "%s%s", fact->need, hidden ? "" : " -->"));
		output_print(output, "  %s\n%s", fact->line, hidden ? "  -->\n" : "");
	}
}
