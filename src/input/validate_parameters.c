/* The scalar numbers of a platform: the range of each, and what they say about each other. */
#include "input/validate_rules.h"

#include <inttypes.h>

/* a <= b * times. */
static const struct {
	enum parameter a, b;
	int64_t times;
	const char *why;
} orders[] = {
	{PARAMETER_BLOCK_THREADS, PARAMETER_SM_WARPS, THREADS_A_WARP, "a block of that size must fit on an SM of that many warps"},
	{PARAMETER_SM_BLOCKS, PARAMETER_SM_WARPS, 1, "each block holds a warp"},
	{PARAMETER_SM_SUBPARTITIONS, PARAMETER_SM_WARPS, 1, "each sub-partition holds warps"},
	{PARAMETER_REGISTER_UNIT, PARAMETER_SM_REGISTERS, 1, "an SM holds at least one unit"},
	{PARAMETER_THREAD_REGISTERS, PARAMETER_BLOCK_REGISTERS, 1, "a thread is part of a block"},
	{PARAMETER_BLOCK_REGISTERS, PARAMETER_SM_REGISTERS, 1, "a block lives on one SM"},
	{PARAMETER_SHARED_UNIT, PARAMETER_SM_SHARED, 1, "an SM holds at least one unit"},
	{PARAMETER_SHARED_RESERVED, PARAMETER_SM_SHARED, 1, "the reserve lives on the SM"},
	{PARAMETER_BLOCK_SHARED, PARAMETER_BLOCK_SHARED_OPTIN, 1, "opting in gives more, not less"},
	{PARAMETER_BLOCK_SHARED, PARAMETER_SM_SHARED, 1, "a block lives on one SM"},
	{PARAMETER_BLOCK_SHARED_OPTIN, PARAMETER_SM_SHARED, 1, "a block lives on one SM"},
	{PARAMETER_DISPATCH_NONEMPTY, PARAMETER_SM_COUNT, 1, "no more SMs than there are can hold a block"},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void hold_range(const struct validation *validation, enum parameter parameter)
{
	const struct quantity *quantity = &validation->platform->parameters[parameter];
	const struct parameter_kind *kind = &parameter_kinds[parameter];
	const char *file = rules_file(validation, quantity->declared_by), *symbol = units_symbol(kind->unit);
	if (quantity->value < kind->least)
		diagnose(validation->diagnostics, DIAGNOSTIC_PARAMETER_RANGE, file, quantity->line,
			"%s is %" PRId64 "%s: expected at least %" PRId64 "%s", kind->name, quantity->value, symbol, kind->least, symbol);
	else if (kind->most != NONE && quantity->value > kind->most)
		diagnose(validation->diagnostics, DIAGNOSTIC_PARAMETER_RANGE, file, quantity->line,
			"%s is %" PRId64 "%s: expected at most %" PRId64 "%s", kind->name, quantity->value, symbol, kind->most, symbol);
}

/* The line to blame: the task set's where one of the two was declared, else that of the first. */
static const struct quantity *to_blame(const struct quantity *a, const struct quantity *b)
{
	return a->declared_by == NULL && b->declared_by != NULL ? b : a;
}

static void hold_order(const struct validation *validation, int row)
{
	const struct quantity *a = &validation->platform->parameters[orders[row].a], *b = &validation->platform->parameters[orders[row].b];
	if (!a->present || !b->present || a->value <= checked_mul(b->value, orders[row].times))
		return;
	const struct parameter_kind *kind_a = &parameter_kinds[orders[row].a], *kind_b = &parameter_kinds[orders[row].b];
	const struct quantity *blamed = to_blame(a, b);
	diagnose(validation->diagnostics, DIAGNOSTIC_PARAMETER_CONTRADICTION, rules_file(validation, blamed->declared_by), blamed->line,
		"%s is %" PRId64 "%s, but %s is %" PRId64 "%s: %s", kind_a->name, a->value, units_symbol(kind_a->unit), kind_b->name,
		b->value, units_symbol(kind_b->unit), orders[row].why);
}

/* Stops are charged as ceil(window / distance) * length: [VOL-P] (V.1). */
static void hold_stops(const struct validation *validation)
{
	const struct quantity *length = &validation->platform->parameters[PARAMETER_STOPS_LENGTH];
	const struct quantity *distance = &validation->platform->parameters[PARAMETER_STOPS_DISTANCE];
	const struct quantity *blamed = length->present ? to_blame(length, distance) : distance;
	const char *file = rules_file(validation, blamed->declared_by);
	if (length->present != distance->present)
		diagnose(validation->diagnostics, DIAGNOSTIC_STOPS_INCOMPLETE, file, blamed->line, "%s is given without %s",
			length->present ? "stops.length" : "stops.distance", length->present ? "stops.distance" : "stops.length");
	else if (length->present && length->value >= distance->value)
		diagnose(validation->diagnostics, DIAGNOSTIC_PARAMETER_CONTRADICTION, file, blamed->line,
			"stops.length is %" PRId64 "ns, stops.distance from start to start only %" PRId64 "ns: the GPU would never run",
			length->value, distance->value);
}

void rules_parameters(const struct validation *validation)
{
	for (int i = 0; i < PARAMETER_COUNT; i++)
		if (validation->platform->parameters[i].present)
			hold_range(validation, (enum parameter)i);
	for (int i = 0; i < COUNT(orders); i++)
		hold_order(validation, i);
	hold_stops(validation);
}

/* The most that GPUs of a compute capability have: NVIDIA, cuda_occupancy.h of CUDA 12.6, CUDA C Programming Guide (compute
 * capabilities), by [HW-OCCUPANCY]. A greater number would make bounds too small; a smaller one is only pessimistic. */
static const struct capability {
	int version;
	int64_t warps, blocks, registers, shared_kib, block_threads;
} capabilities[] = {
	{20, 48, 8, 32768, 48, 1024},
	{21, 48, 8, 32768, 48, 1024},
	{30, 64, 16, 65536, 48, 1024},
	{35, 64, 16, 65536, 48, 1024},
	{37, 64, 16, 131072, 112, 1024},
	{50, 64, 32, 65536, 64, 1024},
	{52, 64, 32, 65536, 96, 1024},
	{53, 64, 32, 65536, 64, 1024},
	{60, 64, 32, 65536, 64, 1024},
	{61, 64, 32, 65536, 96, 1024},
	{62, 64, 32, 65536, 64, 1024},
	{70, 64, 32, 65536, 96, 1024},
	{72, 64, 32, 65536, 96, 1024},
	{75, 32, 16, 65536, 64, 1024},
	{80, 64, 32, 65536, 164, 1024},
	{86, 48, 16, 65536, 100, 1024},
	{87, 48, 16, 65536, 164, 1024},
	{89, 48, 24, 65536, 100, 1024},
	{90, 64, 32, 65536, 228, 1024},
	{100, 64, 32, 65536, 228, 1024},
	{103, 64, 32, 65536, 228, 1024},
	{110, 48, 24, 65536, 228, 1024},
	{120, 48, 24, 65536, 100, 1024},
	{121, 48, 24, 65536, 100, 1024},
};

/* ---- beside assumptions */

void rules_leasts(const struct validation *validation)
{
	const struct platform *platform = validation->platform;
	for (int i = 0; i < platform->least_count; i++) {
		const struct least_value *least = &platform->leasts[i];
		const struct quantity *quantity = &platform->parameters[least->parameter];
		const char *symbol = units_symbol(parameter_kinds[least->parameter].unit);
		bool always = least->assumption == NO_ID;
		if (!quantity->present || least->value == NONE || quantity->value >= least->value ||
			!(always || platform_grants(platform, (enum assumption)least->assumption)))
			continue;
		diagnose(validation->diagnostics, DIAGNOSTIC_PARAMETER_BELOW, rules_file(validation, quantity->declared_by), quantity->line,
			"%s is %" PRId64 "%s; expected at least %" PRId64 "%s, which %s rest%s on by line %ld of %s (%s)",
			parameter_kinds[least->parameter].name, quantity->value, symbol, least->value, symbol,
			always ? "bounds" : assumption_kinds[least->assumption].id, always ? "" : "s", least->line, platform->id,
			least->evidence);
	}
}

bool validate_assumed(const struct platform *platform, const struct taskset *set, struct diagnostics *diagnostics)
{
	int before = diagnostics->errors;
	rules_leasts(&(struct validation){platform, set, diagnostics});
	return diagnostics->errors == before;
}

static void hold_capability(const struct validation *validation, enum parameter parameter, int64_t most)
{
	const struct quantity *quantity = &validation->platform->parameters[parameter];
	if (!quantity->present || quantity->value <= most)
		return;
	int version = validation->platform->compute_capability;
	const char *symbol = units_symbol(parameter_kinds[parameter].unit);
	diagnose(validation->diagnostics, DIAGNOSTIC_CAPABILITY_EXCEEDED, rules_file(validation, quantity->declared_by), quantity->line,
		"%s is %" PRId64 "%s: GPUs of compute capability %d.%d have at most %" PRId64 "%s", parameter_kinds[parameter].name,
		quantity->value, symbol, version / 10, version % 10, most, symbol);
}

#define LAST_WITH_ONE_QUEUE 30 /* all streams share one queue, whatever CUDA_DEVICE_MAX_CONNECTIONS says: [D-RULES] D12 */

void rules_capability(const struct validation *validation)
{
	if (validation->platform->compute_capability <= LAST_WITH_ONE_QUEUE)
		hold_capability(validation, PARAMETER_QUEUES_HARDWARE, 1);
	for (int i = 0; i < COUNT(capabilities); i++) {
		const struct capability *known = &capabilities[i];
		if (known->version != validation->platform->compute_capability)
			continue;
		hold_capability(validation, PARAMETER_SM_WARPS, known->warps);
		hold_capability(validation, PARAMETER_SM_BLOCKS, known->blocks);
		hold_capability(validation, PARAMETER_SM_REGISTERS, known->registers);
		hold_capability(validation, PARAMETER_SM_SHARED, known->shared_kib * 1024);
		hold_capability(validation, PARAMETER_BLOCK_THREADS, known->block_threads);
	}
}
