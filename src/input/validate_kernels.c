/* Kernels: can they be launched at all, and is what is said about them complete? What fits is written a second time in map/occupancy
 * on purpose: this layer knows no bound. Units as in [HW-OCCUPANCY] (NVIDIA, cuda_occupancy.h). */
#include "input/validate_rules.h"

#include <inttypes.h>
#include <stddef.h>

/* One block's demand of an SM: a kernel's numbers in the platform's units; NONE where the kernel does not say. */
struct needs {
	int64_t warps, warp_registers, block_registers, shared;
};

static int64_t value_or(const struct platform *platform, enum parameter parameter, int64_t otherwise)
{
	int64_t value = platform_value(platform, parameter);
	return value == NONE || value < 0 ? otherwise : value;
}

static int64_t unit_of(const struct platform *platform, enum parameter parameter)
{
	return checked_max(value_or(platform, parameter, 1), 1);
}

/* Unknown units count as 1 and an unknown reserve as none: nothing is refused because of what is not known. */
static struct needs needs_of(const struct platform *platform, const struct kernel *kernel)
{
	struct needs needs = {.warps = kernel_warps(kernel), .warp_registers = NONE, .block_registers = NONE};
	int64_t own = checked_add(kernel->shared_static, kernel->shared_dynamic);
	int64_t shared = checked_add(own, value_or(platform, PARAMETER_SHARED_RESERVED, 0));
	needs.shared = checked_round_up(shared, unit_of(platform, PARAMETER_SHARED_UNIT));
	if (kernel->registers == NONE)
		return needs;
	int64_t registers = checked_mul(kernel->registers, THREADS_A_WARP);
	needs.warp_registers = checked_round_up(registers, unit_of(platform, PARAMETER_REGISTER_UNIT));
	int64_t warps = checked_round_up(needs.warps, unit_of(platform, PARAMETER_SM_SUBPARTITIONS));
	needs.block_registers = checked_mul(needs.warp_registers, warps);
	return needs;
}

/* Blocks an SM by one resource; NONE: the resource limits nothing, or is not known. */
static int64_t by_warps(const struct platform *platform, const struct needs *needs)
{
	int64_t capacity = platform_value(platform, PARAMETER_SM_WARPS);
	return capacity == NONE || needs->warps == NONE ? NONE : checked_div_floor(capacity, needs->warps);
}

static int64_t by_registers(const struct platform *platform, const struct needs *needs)
{
	int64_t capacity = platform_value(platform, PARAMETER_SM_REGISTERS), parts = unit_of(platform, PARAMETER_SM_SUBPARTITIONS);
	if (capacity == NONE || needs->warp_registers == NONE || needs->warp_registers == 0 || needs->warps == NONE)
		return NONE;
	int64_t warps_a_part = checked_div_floor(checked_div_floor(capacity, parts), needs->warp_registers);
	return checked_div_floor(checked_mul(warps_a_part, parts), needs->warps);
}

static int64_t by_shared(const struct platform *platform, const struct needs *needs)
{
	int64_t capacity = platform_value(platform, PARAMETER_SM_SHARED);
	return capacity == NONE || needs->shared == 0 ? NONE : checked_div_floor(capacity, needs->shared);
}

/* ---- an SM */

static const struct {
	const char *what;
	int64_t (*blocks)(const struct platform *platform, const struct needs *needs);
	enum parameter parameter;
} resources[] = {
	{"warps", by_warps, PARAMETER_SM_WARPS},
	{"registers", by_registers, PARAMETER_SM_REGISTERS},
	{"shared memory", by_shared, PARAMETER_SM_SHARED},
};

static void hold_fit(const struct validation *validation, const struct operation *operation, const struct needs *needs)
{
	const struct platform *platform = validation->platform;
	for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
		if (resources[i].blocks(platform, needs) != 0)
			continue;
		enum parameter parameter = resources[i].parameter;
		diagnose(validation->diagnostics, DIAGNOSTIC_KERNEL_FITS_NO_SM, validation->set->path, operation->line,
			"kernel '%s' fits on no SM of %s: a block needs more %s than there is (%s is %" PRId64 "%s)", operation->id,
			platform->id, resources[i].what, parameter_kinds[parameter].name, platform_value(platform, parameter),
			units_symbol(parameter_kinds[parameter].unit));
	}
}

static void diagnose_unknown(const struct validation *validation, const struct operation *operation, enum parameter parameter)
{
	diagnose(validation->diagnostics, DIAGNOSTIC_KERNEL_LIMIT_UNKNOWN, validation->set->path, operation->line,
		"kernel '%s' needs %s, which %s does not state; add <declare name=\"%s\" value=\"...\" source=\"...\" by=\"...\"/>",
		operation->id, parameter_kinds[parameter].name, validation->platform->id, parameter_kinds[parameter].name);
}

/* said: of which parameters it was said that they are missing; once is enough, whatever needs them. */
static void hold_known(const struct validation *validation, const struct operation *operation, enum parameter parameter, bool *said)
{
	if (platform_value(validation->platform, parameter) != NONE || said[parameter])
		return;
	said[parameter] = true;
	diagnose_unknown(validation, operation, parameter);
}

static void hold_limits_known(const struct validation *validation, const struct operation *operation, bool *said)
{
	hold_known(validation, operation, PARAMETER_SM_COUNT, said);
	hold_known(validation, operation, PARAMETER_SM_WARPS, said);
	hold_known(validation, operation, PARAMETER_SM_BLOCKS, said);
	if (operation->kernel.registers != NONE && operation->kernel.registers > 0)
		hold_known(validation, operation, PARAMETER_SM_REGISTERS, said);
	if (operation->kernel.shared_static > 0 || operation->kernel.shared_dynamic > 0)
		hold_known(validation, operation, PARAMETER_SM_SHARED, said);
}

/* ---- one block, one thread: what a launch allows */

/* Is it within that? */
static bool hold_most(const struct validation *validation, enum diagnostic_code code, const struct operation *operation, const char *what,
	int64_t value, enum parameter parameter)
{
	int64_t most = platform_value(validation->platform, parameter);
	const char *symbol = units_symbol(parameter_kinds[parameter].unit);
	if (value == NONE || most == NONE || value <= most)
		return true;
	diagnose(validation->diagnostics, code, validation->set->path, operation->line,
		"kernel '%s': %s is %" PRId64 "%s, but %s of %s is %" PRId64 "%s", operation->id, what, value, symbol,
		parameter_kinds[parameter].name, validation->platform->id, most, symbol);
	return false;
}

/* One wrong number is said once: what follows from it, too, is not held against its own limit. */
static void hold_launch(const struct validation *validation, const struct operation *operation, const struct needs *needs)
{
	const struct kernel *kernel = &operation->kernel;
	bool optin = platform_value(validation->platform, PARAMETER_BLOCK_SHARED_OPTIN) != NONE;
	bool good = hold_most(
		validation, DIAGNOSTIC_KERNEL_THREADS, operation, "the size of a block", kernel->threads, PARAMETER_BLOCK_THREADS);
	good &= hold_most(validation, DIAGNOSTIC_KERNEL_REGISTERS, operation, "the number of registers of a thread", kernel->registers,
		PARAMETER_THREAD_REGISTERS);
	if (good)
		hold_most(validation, DIAGNOSTIC_KERNEL_REGISTERS, operation, "the number of registers allocated to a block",
			needs->block_registers, PARAMETER_BLOCK_REGISTERS);
	if (hold_most(validation, DIAGNOSTIC_KERNEL_SHARED, operation, "the static shared memory", kernel->shared_static,
		    PARAMETER_BLOCK_SHARED))
		hold_most(validation, DIAGNOSTIC_KERNEL_SHARED, operation, "the shared memory of a block",
			checked_add(kernel->shared_static, kernel->shared_dynamic),
			optin ? PARAMETER_BLOCK_SHARED_OPTIN : PARAMETER_BLOCK_SHARED);
}

/* CUDA C++ Programming Guide, technical specifications by compute capability: extents of a grid. */
static void hold_grid(const struct validation *validation, const struct operation *operation)
{
	const struct kernel *kernel = &operation->kernel;
	int64_t most_x = validation->platform->compute_capability >= 30 ? INT32_MAX : UINT16_MAX;
	if (kernel->blocks == NONE && kernel->grid[0] == 0)
		return;
	if (kernel->blocks == NONE || kernel->grid[0] > most_x || kernel->grid[1] > UINT16_MAX || kernel->grid[2] > UINT16_MAX)
		diagnose(validation->diagnostics, DIAGNOSTIC_KERNEL_GRID, validation->set->path, operation->line,
			"kernel '%s': a grid of %" PRId64 "x%" PRId64 "x%" PRId64 " cannot be launched on %s", operation->id,
			kernel->grid[0], kernel->grid[1], kernel->grid[2], validation->platform->id);
}

/* ---- what is said about it */

static void hold_complete(const struct validation *validation, const struct operation *operation)
{
	const struct kernel *kernel = &operation->kernel;
	if (kernel->registers == 0 || (kernel->scope == SCOPE_BLOCK && kernel->registers == NONE))
		diagnose(validation->diagnostics, DIAGNOSTIC_KERNEL_REGISTERS_MISSING, validation->set->path, operation->line,
			"kernel '%s' %s", operation->id,
			kernel->registers == 0 ? "has no registers: no kernel is without"
					       : "has scope block and does not give its registers");
	if (kernel->active_blocks != NONE && (kernel->blocks == NONE || kernel->active_blocks > kernel->blocks))
		diagnose(validation->diagnostics, DIAGNOSTIC_ACTIVE_BLOCKS, validation->set->path, operation->line,
			"kernel '%s': %" PRId64 " blocks are active, more than the grid gives", operation->id, kernel->active_blocks);
	if (kernel->footprint == 0)
		diagnose(validation->diagnostics, DIAGNOSTIC_FOOTPRINT_ZERO, validation->set->path, operation->line,
			"kernel '%s' has a footprint of no bytes", operation->id);
}

/* Where amounts decide (A-FRAG) sub-partitions refuse nothing, and an SM may hold more. */
static int64_t by_all_registers(const struct platform *platform, const struct needs *needs)
{
	int64_t capacity = platform_value(platform, PARAMETER_SM_REGISTERS), takes = checked_mul(needs->warp_registers, needs->warps);
	bool counts = capacity != NONE && needs->warp_registers != NONE && needs->warp_registers != 0 && needs->warps != NONE;
	return counts ? checked_div_floor(checked_round_down(capacity, unit_of(platform, PARAMETER_REGISTER_UNIT)), takes) : NONE;
}

/* A block whose warps leave before it ends takes room for one warp until then, and comes where there is room for all of its own:
 * [LEAVERS]. Blocks of one warp that fit, by a resource, say how many warps do. */
static int64_t with_leavers(int64_t one_warp_each, const struct needs *needs)
{
	return one_warp_each == NONE ? NONE : checked_sub(one_warp_each, needs->warps - 1);
}

/* C_K must cover every number of blocks of the kernel that an SM may hold: [INFLATION]. */
static void hold_curve(const struct validation *validation, const struct operation *operation, const struct needs *needs)
{
	const struct kernel *kernel = &operation->kernel;
	if (kernel->curve == NULL)
		return;
	int64_t most = checked_min(kernel->blocks, platform_value(validation->platform, PARAMETER_SM_BLOCKS));
	for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
		bool amounts = resources[i].blocks == by_registers && platform_grants(validation->platform, ASSUMPTION_FRAG);
		bool leave = !kernel->warps_stay && resources[i].blocks != by_shared && needs->warps != NONE;
		struct needs of = *needs;
		of.warps = leave ? 1 : needs->warps;
		int64_t blocks = (amounts ? by_all_registers : resources[i].blocks)(validation->platform, &of);
		most = checked_min(most, leave ? with_leavers(blocks, needs) : blocks);
	}
	if (most != NONE && kernel->curve_count < most)
		diagnose(validation->diagnostics, DIAGNOSTIC_CURVE_SHORT, validation->set->path, operation->line,
			"kernel '%s' gives WCETs for up to %d resident blocks; an SM of %s may hold %" PRId64 "%s", operation->id,
			kernel->curve_count, validation->platform->id, most,
			kernel->warps_stay || needs->warps < 2 ? "" : ", some of whose warps have ended (warps-stay says that none has)");
}

static void hold_kernel(const struct validation *validation, const struct operation *operation, bool *said)
{
	struct needs needs = needs_of(validation->platform, &operation->kernel);
	hold_complete(validation, operation);
	hold_grid(validation, operation);
	if (operation->kernel.scope == SCOPE_BLOCK)
		hold_limits_known(validation, operation, said);
	int before = validation->diagnostics->errors;
	hold_launch(validation, operation, &needs);
	if (validation->diagnostics->errors == before)
		hold_fit(validation, operation, &needs);
	hold_curve(validation, operation, &needs);
}

void rules_kernels(const struct validation *validation)
{
	bool said[PARAMETER_COUNT] = {false};
	for (int i = 0; i < validation->set->operation_count; i++)
		if (validation->set->operations[i].kind == OPERATION_KERNEL)
			hold_kernel(validation, &validation->set->operations[i], said);
}
