#include "timing/timing.h"

#include "g80/bound/frame_kernels.h"
#include "model/sm_set.h"
#include "timing/sizes.h"

#include <inttypes.h>
#include <string.h>

struct timer {
	struct arena *arena;
	const struct platform *platform;
	const struct map *map;
	const struct programs *programs;
};

static void take_frame(const struct timer *t, struct operation *operation)
{
	operation->wcet = frame_kernels_bound(t->arena, operation->frame, &operation->batches);
	operation->bcet = checked_min(operation->bcet, operation->wcet);
}

/* C_K of as many blocks as an SM holds; NONE blocks: as many as the curve has. */
static void take_program(const struct timer *t, int index, struct operation *operation)
{
	struct kernel *kernel = &operation->kernel;
	int64_t greatest = t->map->kernels[index].occupancy.greatest;
	kernel->curve = programs_curve(t->arena, t->platform, t->programs->bounds[index], operation, greatest, &kernel->curve_count);
	if (map_beside_from_code(t->platform, operation, &t->map->kernels[index]) && !operation->program->slots_in_turn)
		kernel->launch = programs_launch(t->platform, t->programs->bounds[index], kernel->blocks);
	operation->wcet = kernel->curve[kernel->curve_count - 1];
	operation->bcet = checked_min(operation->bcet, operation->wcet);
}

/* "32, 48": the sizes that were measured. */
static const char *say_sizes(struct arena *arena, const struct operation *operation)
{
	const char *said = "";
	for (int i = 0; i < operation->size_count; i++)
		said = arena_format(arena, "%s%s%" PRId64 "%s", said, i > 0 ? ", " : "", operation->sizes[i].sms,
			operation->sizes[i].gpc_count > 0 ? " in certain GPCs" : "");
	return said;
}

static bool sizes_fit(struct arena *arena, const struct platform *platform, const struct taskset *stated, struct diagnostics *diagnostics)
{
	int before = diagnostics->errors;
	for (int i = 0; i < stated->operation_count; i++) {
		struct operation operation = stated->operations[i];
		if (operation.size_count == 0 || sizes_take(platform, stated, &operation))
			continue;
		int64_t sms = sm_set_of_stream(platform, stated, operation.stream).size;
		diagnose(diagnostics, DIAGNOSTIC_SIZE_WITHOUT_WCET, stated->path, operation.line,
			"'%s' has %s SMs here: expected <at> with the WCET on so many; given are those on %s", operation.id,
			sms == NONE ? "an unknown number of" : arena_format(arena, "%" PRId64, sms), say_sizes(arena, &operation));
	}
	return diagnostics->errors == before;
}

static const struct taskset *time_all(const struct timer *t, const struct taskset *stated)
{
	struct taskset *set = arena_allocate(t->arena, 1, sizeof *set);
	struct operation *operations = arena_allocate(t->arena, (size_t)stated->operation_count + 1, sizeof *operations);
	for (int i = 0; i < stated->operation_count; i++) {
		operations[i] = stated->operations[i];
		if (operations[i].size_count > 0)
			sizes_take(t->platform, stated, &operations[i]);
		if (operations[i].frame != NULL)
			take_frame(t, &operations[i]);
		else if (operations[i].program != NULL)
			take_program(t, i, &operations[i]);
	}
	*set = *stated;
	set->operations = operations;
	return set;
}

/* With --assume A-FRAG an SM may hold more blocks than when the task set was read: a stated curve has to reach that far. */
static bool curves_reach(
	const struct platform *platform, const struct taskset *stated, const struct map *map, struct diagnostics *diagnostics)
{
	int before = diagnostics->errors;
	for (int i = 0; i < stated->operation_count; i++) {
		const struct operation *operation = &stated->operations[i];
		int64_t most = checked_min(operation->kernel.blocks, map->kernels[i].occupancy.greatest);
		if (operation->kind != OPERATION_KERNEL || operation->kernel.curve == NULL || most == NONE ||
			operation->kernel.curve_count >= most)
			continue;
		diagnose(diagnostics, DIAGNOSTIC_CURVE_SHORT, stated->path, operation->line,
			"kernel '%s' gives WCETs for up to %d resident blocks; by A-FRAG an SM of %s may hold %" PRId64, operation->id,
			operation->kernel.curve_count, platform->id, most);
	}
	return diagnostics->errors == before;
}

/* C_K[r] from code, r above 1, holds in any order while no block of another kernel is there. Where one may be, and the platform was seen
 * not to serve in turn, the user has to say that his kernels make it do so. */
static bool others_in_turn(
	const struct platform *platform, const struct taskset *stated, const struct map *map, struct diagnostics *diagnostics)
{
	int before = diagnostics->errors;
	for (int i = 0; i < stated->operation_count; i++) {
		const struct operation *operation = &stated->operations[i];
		if (map_beside_from_code(platform, operation, &map->kernels[i]) && map->kernels[i].foreign_sm &&
			!operation->program->slots_in_turn)
			diagnose(diagnostics, DIAGNOSTIC_COST_UNDECLARED, stated->path, operation->line,
				"kernel '%s': blocks of other kernels may be on its SMs, and on %s a warp that never stalls keeps its slot "
				"from older blocks; expected all kernels of its process on one stream, in partitions, or under a lock; or "
				"one "
				"block of it an SM; or block times that were measured in that company; or a program with slots=\"in-turn\"",
				operation->id, platform->id);
	}
	return diagnostics->errors == before;
}

bool timing_find(struct arena *arena, const struct platform *platform, const struct taskset *stated, const struct map *map,
	struct diagnostics *diagnostics, struct timing *timing)
{
	struct timer timer = {arena, platform, map, programs_bound(arena, platform, stated, diagnostics)};
	if (timer.programs == NULL || !sizes_fit(arena, platform, stated, diagnostics) ||
		!curves_reach(platform, stated, map, diagnostics) || !others_in_turn(platform, stated, map, diagnostics))
		return false;
	*timing = (struct timing){time_all(&timer, stated), timer.programs};
	return true;
}
