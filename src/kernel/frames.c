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
		operation->wcet = checked_max(1, frame_bound_compute(arena, operation->frame, &operation->frame->hardware)->value);
		operation->bcet = checked_min(operation->bcet, operation->wcet);
	}
}
