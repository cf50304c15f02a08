/* What a frame's WCET rests on. */
#include "verify/frame_bound.h"

static struct fact batch_fact(struct check *check, const struct frame *frame, int index, int64_t bound)
{
	const struct shader *shader = &frame->shaders[frame->batches[index].shader];
	struct fact fact = fact_make(check, RULE_BATCH, arena_format(check->arena, "frame:%s/batch:%d", frame->id, index + 1), bound);
	for (int i = 0; i < FRAME_NUMBERS; i++) {
		enum parameter parameter = frame_numbers[i].parameter;
		int64_t value = platform_value(frame->platform, parameter);
		fact_from(check, &fact, frame_numbers[i].role,
			fact_given(check, value, "frame:%s@%s", frame->id, parameter_kinds[parameter].name));
	}
	fact_from(check, &fact, "C", fact_given(check, shader->wcet, "frame:%s/shader:%s@wcet", frame->id, shader->id));
	for (int i = 0; i < shader->branch_count; i++)
		fact_from(check, &fact, "B",
			fact_given(check, shader->branches[i].wcet, "frame:%s/shader:%s/branch:%s@wcet", frame->id, shader->id,
				shader->branches[i].id));
	return fact;
}

struct fact frame_fact(struct check *check, const struct operation *operation, const char *about)
{
	const struct frame *frame = operation->frame;
	int64_t sum = 0;
	for (int i = 0; i < frame->batch_count; i++)
		sum = checked_add(sum, operation->batches[i]);
	struct fact fact = fact_make(check, RULE_FRAME, about, checked_max(1, sum));
	for (int i = 0; i < frame->batch_count; i++)
		fact_from(check, &fact, "b", batch_fact(check, frame, i, operation->batches[i]));
	return fact;
}
