/* What nobody stated although a bound needs it: not wrong, so warnings, each with the line to add. */
#include "input/validate_rules.h"

#include <inttypes.h>

#include <stddef.h>

/* What the task set has: whether the number matters. */
struct features {
	bool kernels, copies, several_contexts, shared_copies, slices_left_open, turns, dispatches;
};

static struct features find_features(const struct platform *platform, const struct taskset *set)
{
	struct features features = {.several_contexts = taskset_contexts(set) > 1};
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		bool transfer = operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET;
		bool compute = transfer && platform->engine_of[operation->copy.direction] == ENGINE_COMPUTE;
		features.kernels |= operation->kind == OPERATION_KERNEL || operation->kind == OPERATION_FRAGMENT || compute;
		features.copies |= transfer && !compute;
	}
	for (int i = 0; i < set->application_count; i++)
		features.slices_left_open |= features.several_contexts && taskset_lacks_slice(set, taskset_context(set, i));
	features.turns = features.several_contexts ||
			 (features.kernels && features.copies && set->stream_count > 1 && platform->copy_runlist != COPY_RUNLIST_OWN);
	features.shared_copies = features.several_contexts && features.copies && platform->copy_runlist != COPY_RUNLIST_OWN;
	features.dispatches = features.kernels && (taskset_counts_dispatches(set) || platform->parameters[PARAMETER_STOPS_LENGTH].present);
	return features;
}

static void want(const struct validation *validation, bool wanted, enum diagnostic_code code, enum parameter_need need)
{
	for (int i = 0; i < PARAMETER_COUNT; i++)
		if (wanted && parameter_kinds[i].need == need && platform_value(validation->platform, (enum parameter)i) == NONE)
			diagnose(validation->diagnostics, code, validation->set->path, 0,
				"%s is not known: %s; source: %s; add <declare name=\"%s\" value=\"...\" source=\"...\" "
				"by=\"...\"/>",
				parameter_kinds[i].name, parameter_kinds[i].meaning, parameter_kinds[i].where, parameter_kinds[i].name);
}

/* Who shares the memory of an integrated GPU at any time: [COMPOSE]. */
static const struct {
	enum interferer source;
	const char *who;
} neighbours[] = {
	{INTERFERER_CPU, "CPU cores"},
	{INTERFERER_OTHER, "other masters (display, cameras, codecs)"},
};

/* A factor from this source for this kind of victim, or a joint one, which includes it. */
static bool knows_factor(const struct platform *platform, enum interferer source, bool copy)
{
	for (int i = 0; i < platform->interference_count; i++) {
		const struct interference_entry *entry = &platform->interference[i];
		if (entry->is_copy == copy && (entry->source == source || entry->source == INTERFERER_ALL))
			return true;
	}
	return false;
}

static void want_factors(const struct validation *validation, bool wanted, bool copy)
{
	for (size_t i = 0; i < sizeof neighbours / sizeof *neighbours; i++)
		if (wanted && validation->platform->integrated && !knows_factor(validation->platform, neighbours[i].source, copy))
			diagnose(validation->diagnostics, DIAGNOSTIC_INTERFERENCE_UNDECLARED, validation->set->path, 0,
				"%s shares its memory with %s, and nothing says how much they slow a %s; add <interference from=\"%s\" "
				"victim=\"%s\" value=\"...\" source=\"...\" by=\"...\"/>",
				validation->platform->id, neighbours[i].who, copy ? "copy" : "kernel",
				interferer_names[neighbours[i].source], copy ? "transfer" : "any");
}

/* What is broken off by a switch is done again behind it, and counts as the switch's ([DILATION]): runlist.switch has it in it. Wrong, not
 * missing, but known only where all of these are. */
static void hold_switch(const struct validation *validation, bool turns)
{
	const struct platform *platform = validation->platform;
	int64_t theta = platform_value(platform, PARAMETER_RUNLIST_SWITCH), block = platform_value(platform, PARAMETER_OVERHEAD_BLOCK),
		delay = platform_value(platform, PARAMETER_DISPATCH_DELAY);
	int64_t least = checked_add(block == NONE ? 0 : block, delay == NONE ? 0 : delay);
	const struct quantity *given = &platform->parameters[PARAMETER_RUNLIST_SWITCH];
	if (turns && theta != NONE && theta < least)
		diagnose(validation->diagnostics, DIAGNOSTIC_SWITCH_SHORT, rules_file(validation, given->declared_by), given->line,
			"runlist.switch is %" PRId64 " ns; expected %" PRId64 " ns or more: the GPU begins the dispatch of a block again "
			"that the change of processes, or from kernels to copies, broke off (overhead.block and "
			"dispatch.delay), and runlist.switch is counted until that is done; probe/slices.cu measures it so",
			theta, least);
}

void rules_missing(const struct validation *validation)
{
	struct features has = find_features(validation->platform, validation->set);
	bool any = has.kernels || has.copies;
	want_factors(validation, has.kernels, false);
	want_factors(validation, has.copies, true);
	want(validation, has.kernels, DIAGNOSTIC_OVERHEAD_UNDECLARED, NEED_LAUNCHES);
	want(validation, has.dispatches, DIAGNOSTIC_OVERHEAD_UNDECLARED, NEED_DISPATCHES);
	want(validation, any, DIAGNOSTIC_OVERHEAD_UNDECLARED, NEED_WORK);
	want(validation, has.copies, DIAGNOSTIC_OVERHEAD_UNDECLARED, NEED_COPIES);
	want(validation, has.slices_left_open, DIAGNOSTIC_RUNLIST_UNDECLARED, NEED_SLICES);
	want(validation, has.several_contexts, DIAGNOSTIC_RUNLIST_UNDECLARED, NEED_TURNS);
	want(validation, has.shared_copies, DIAGNOSTIC_RUNLIST_UNDECLARED, NEED_COPY_SLICES);
	hold_switch(validation, has.turns);
}
