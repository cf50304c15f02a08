/* Integrated GPUs whose kernels have data in host memory, pinned or managed, with times measured so, and what coherence takes charged where
 * [HOST-MEMORY] wants it. */
#include "falsify/generate_parts.h"

#include "input/validate.h"
#include "model/draft.h"

static bool is_valid(struct arena *arena, const struct falsify_case *of)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	return validate_taskset(of->platform, of->set, &diagnostics);
}

/* Behind the others, so that these keep their numbers. */
static int add_origin(struct arena *arena, struct taskset *set, enum kernel_memory memory)
{
	struct origin *origins = arena_allocate(arena, (size_t)set->origin_count + 1, sizeof *origins);
	for (int i = 0; i < set->origin_count; i++)
		origins[i] = set->origins[i];
	origins[set->origin_count] = set->origins[0];
	origins[set->origin_count].id = kernel_memory_names[memory];
	origins[set->origin_count].memory = memory;
	set->origins = origins;
	return set->origin_count++;
}

static void put(const struct taskset *set, const struct task *task, enum kernel_memory memory, int origin)
{
	for (int i = 0; i < task->operation_count; i++) {
		struct operation *operation = &DRAFT(set->operations)[task->first_operation + i];
		if (operation->kernel.memory == KERNEL_MEMORY_DEVICE)
			continue;
		operation->kernel.memory = memory;
		operation->origin = origin;
	}
}

/* The thread waits at the end of its job, and may wait at synchronous calls: there are segments behind all of these where it can be
 * managed. */
static void draw_managed(struct arena *arena, struct draw *draw, struct falsify_case *of, int zero_copy)
{
	struct taskset *set = of->set;
	int managed = NO_ID;
	int64_t least = NONE, launch = platform_value(of->platform, PARAMETER_OVERHEAD_LAUNCH);
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind == OPERATION_HOST)
			least = checked_min(least, set->operations[i].wcet);
	generate_set(of->platform, PARAMETER_MANAGED_LAUNCH, launch == NONE ? 0 : draw_range(draw, 0, launch));
	generate_set(of->platform, PARAMETER_MANAGED_SYNCHRONISE, least == NONE ? 0 : draw_range(draw, 0, least));
	for (int t = 0; t < set->task_count; t++) {
		if (draw_percent(draw, 30))
			continue;
		managed = managed == NO_ID ? add_origin(arena, set, KERNEL_MEMORY_MANAGED) : managed;
		put(set, &set->tasks[t], KERNEL_MEMORY_MANAGED, managed);
		if (!is_valid(arena, of))
			put(set, &set->tasks[t], KERNEL_MEMORY_ZERO_COPY, zero_copy);
	}
}

void generate_host_memory(struct arena *arena, struct draw *draw, struct falsify_case *of)
{
	struct taskset *set = of->set;
	int origin = add_origin(arena, set, KERNEL_MEMORY_ZERO_COPY);
	of->platform->assumptions[ASSUMPTION_HOST_MEMORY].status = STATUS_ASSUMED;
	for (int i = 0; i < set->operation_count; i++) {
		struct operation *operation = &DRAFT(set->operations)[i];
		if (operation->kind != OPERATION_KERNEL || operation_is_span(operation) || draw_percent(draw, 30))
			continue;
		operation->kernel.memory = KERNEL_MEMORY_ZERO_COPY;
		operation->origin = origin;
	}
	if (draw_percent(draw, 50))
		draw_managed(arena, draw, of, origin);
	taskset_settle(arena, set);
}
