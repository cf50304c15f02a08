/* The facts that a task set lacks: numbers and choices by a table, factors by what is beside each operation, assumptions by what each
 * bound rests on. Each round fills in what the one before found, because an assumption may matter only where a factor is known. */
#include "cli/missing_facts.h"

#include "interference/environment.h"
#include "interference/factors.h"
#include "response/applicable.h"
#include "response/start_delays.h"

#include "report/text_write.h"

#include <inttypes.h>
#include <string.h>

#define SOLVER_ITERATIONS 1000 /* which sources are active does not depend on how well they are counted */
#define FILLED_FACTOR 2

struct finder {
	struct missing_facts *facts;
	struct arena *arena;
	struct platform *platform; /* a copy, which is filled in for the sake of what shows only then */
	const struct taskset *set;
};

/* What the task set has that makes a fact matter. */
struct uses {
	bool kernels, blocks, sized, registers, shared, copies, several_contexts, several_streams, kernels_in_several;
	bool levels, low_levels, both, compute_copies, dispatches;
	bool directions[DIRECTION_COUNT];
};

static void add(struct finder *finder, const char *line, const char *need, const char *where)
{
	struct missing_facts *facts = finder->facts;
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
	if (taskset_context_of(set, a) != taskset_context_of(set, b))
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
	struct uses uses = {.several_contexts = taskset_contexts(set) > 1};
	for (int i = 0; i < set->operation_count; i++)
		look_at(finder->platform, &set->operations[i], &uses);
	look_at_streams(finder, &uses);
	uses.both = uses.kernels && uses.copies;
	uses.dispatches = taskset_counts_dispatches(set) || finder->platform->parameters[PARAMETER_STOPS_LENGTH].present;
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

/* What the model says that a value may not be below, whatever is assumed; NONE: nothing. */
static int64_t least_of(const struct platform *platform, enum parameter parameter)
{
	int64_t least = NONE;
	for (int i = 0; i < platform->least_count; i++)
		if (platform->leasts[i].parameter == parameter && platform->leasts[i].assumption == NO_ID)
			least = least == NONE ? platform->leasts[i].value : checked_max(least, platform->leasts[i].value);
	return least;
}

/* Why a task set needs it. */
static const char *const lacks[NEED_COUNT] = {
	[NEED_KERNELS] = "no bound of a kernel without it",
	[NEED_BLOCKS] = "a kernel of scope block is not analysed without it",
	[NEED_SIZES] = "how many blocks an SM holds is not known without it",
	[NEED_REGISTERS] = "a kernel of scope block is not analysed without it",
	[NEED_SHARED] = "a kernel of scope block is not analysed without it",
	[NEED_LAUNCHES] = "no bound without it",
	[NEED_DISPATCHES] = "no bound without it",
	[NEED_WORK] = "no bound without it",
	[NEED_COPIES] = "no bound without it",
	[NEED_DELAYS] = "no bound without it",
	[NEED_LOW_LEVELS] = "a stream's priority is not analysed without it",
	[NEED_LEVELS] = "with levels, P, H, CHAIN and FP need at least as many as streams with kernels",
	[NEED_STREAMS] = "H, CHAIN, FP and VOL-C need more of them than a context has streams",
	[NEED_SLICES] = "no bound without it, or without timeslice of each application",
	[NEED_TURNS] = "no bound without it",
	[NEED_COPY_SLICES] = "no bound without it",
	[NEED_MANAGED] = "no bound without it",
};

static void want(struct finder *finder, enum parameter parameter)
{
	const struct parameter_kind *kind = &parameter_kinds[parameter];
	int64_t least = least_of(finder->platform, parameter), filled = kind->stand_in;
	const char *bound =
		least == NONE ? "" : arena_format(finder->arena, "; at least %" PRId64 " %s here", least, units_symbol(kind->unit));
	filled = least == NONE ? filled : checked_max(filled, least);
	add(finder, declare(finder, kind->name, "..."), arena_format(finder->arena, "%s%s; %s", kind->meaning, bound, lacks[kind->need]),
		kind->where);
	finder->platform->parameters[parameter] =
		(struct quantity){.present = true, .value = filled, .exact = rational_of(filled), .source = "", .declared_by = ""};
}

/* Those from one place together. */
static void want_all(struct finder *finder, const bool *needed)
{
	for (int i = 0; i < PARAMETER_COUNT; i++)
		for (int k = i; k < PARAMETER_COUNT; k++)
			if (needed[parameter_kinds[k].need] && !finder->platform->parameters[k].present &&
				(k == i || strcmp(parameter_kinds[k].where, parameter_kinds[i].where) == 0))
				want(finder, (enum parameter)k);
}

static void find_numbers(struct finder *finder, const struct uses *uses)
{
	want_all(finder, (const bool[NEED_COUNT]){
				 [NEED_KERNELS] = uses->kernels,
				 [NEED_BLOCKS] = uses->blocks,
				 [NEED_SIZES] = uses->sized,
				 [NEED_REGISTERS] = uses->registers,
				 [NEED_SHARED] = uses->shared,
				 [NEED_LAUNCHES] = uses->kernels,
				 [NEED_DISPATCHES] = uses->kernels && uses->dispatches,
				 [NEED_WORK] = uses->kernels || uses->copies,
				 [NEED_COPIES] = uses->copies,
				 [NEED_DELAYS] = uses->kernels && start_delays_replace_order(finder->platform),
				 [NEED_LOW_LEVELS] = uses->low_levels,
				 [NEED_LEVELS] = uses->levels,
				 [NEED_STREAMS] = uses->several_streams,
			 });
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
	struct environment environment = *surroundings_of(surroundings, index);
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
		open |= taskset_lacks_slice(finder->set, runlist->contexts[i].process);
		copies |= runlist->contexts[i].copies && runlist->copies_sliced;
	}
	want_all(finder, (const bool[NEED_COUNT]){
				 [NEED_SLICES] = runlist->sliced && open,
				 [NEED_TURNS] = runlist->sliced,
				 [NEED_COPY_SLICES] = runlist->sliced && copies,
			 });
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

struct missing_facts *missing_facts_find(struct arena *arena, const struct platform *stated, const struct taskset *set)
{
	struct missing_facts *facts = arena_allocate(arena, 1, sizeof *facts);
	struct platform *platform = arena_allocate(arena, 1, sizeof *platform);
	*platform = *stated;
	struct finder finder = {facts, arena, platform, set};
	struct derivation mute;
	facts->arena = arena;
	facts->filled = platform;
	derivation_init_mute(&mute);
	struct uses uses = find_uses(&finder);
	find_engines(&finder, &uses);
	uses = find_uses(&finder);
	find_choices(&finder, &uses);
	find_numbers(&finder, &uses);
	struct map *map = map_build(arena, platform, set);
	find_all_factors(&finder, map);
	struct inflation *inflation = inflation_compute(arena, platform, set, map, &mute);
	struct costs *costs = costs_compute(arena, platform, set, map, inflation, &mute);
	struct runlist *runlist = dilation_build(arena, platform, set, costs, &mute);
	find_turns(&finder, runlist);
	find_assumptions(&finder, costs, runlist);
	return facts;
}

void missing_facts_write(struct output *output, const struct missing_facts *facts, bool hidden)
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
