/* Frames of a task set. */
#include "kernel/frames.h"

#include "base/checked.h"
#include "kernel/frame_bound.h"

void frames_bound(struct arena *arena, struct taskset *set)
{
	for (int i = 0; i < set->operation_count; i++) {
		struct operation *operation = &set->operations[i];
		if (operation->frame == NULL)
			continue;
		const struct frame_bound *bound = frame_bound_compute(arena, operation->frame, &operation->frame->hardware);
		int64_t *batches = arena_allocate(arena, (size_t)operation->frame->batch_count + 1, sizeof *batches);
		for (int k = 0; k < operation->frame->batch_count; k++)
			batches[k] = bound->batches[k].value;
		operation->batches = batches;
		operation->wcet = checked_max(1, bound->value);
		operation->bcet = checked_min(operation->bcet, operation->wcet);
	}
}
