/* Frames of a task set. */
#include "g80/bound/frame_kernels.h"

#include "base/checked.h"
#include "g80/bound/frame_bound.h"

int64_t frame_kernels_bound(struct arena *arena, const struct frame *frame, const int64_t **batches)
{
	const struct frame_bound *bound = frame_bound_compute(arena, frame, &frame->hardware);
	int64_t *each = arena_allocate(arena, (size_t)frame->batch_count + 1, sizeof *each);
	for (int k = 0; k < frame->batch_count; k++)
		each[k] = bound->batches[k].value;
	*batches = each;
	return checked_max(1, bound->value);
}
