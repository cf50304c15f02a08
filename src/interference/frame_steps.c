/* Given numbers once a frame, then a step a batch. */
#include "interference/frame_steps.h"

#include "model/frame.h"
#include "model/rules.h"

struct frame_steps {
	struct arena *arena;
	struct derivation *derivation;
	const struct frame *frame;
	int numbers[FRAME_NUMBERS];
	int *shaders;   /* [shader] */
	int **branches; /* [shader][branch] */
};

static void give_numbers(struct frame_steps *steps)
{
	for (int i = 0; i < FRAME_NUMBERS; i++) {
		enum parameter parameter = frame_numbers[i].parameter;
		const char *about = arena_format(steps->arena, "frame:%s@%s", steps->frame->id, parameter_kinds[parameter].name);
		steps->numbers[i] =
			derivation_integer(steps->derivation, RULE_GIVEN, about, platform_value(steps->frame->platform, parameter));
	}
}

static void give_shader(struct frame_steps *steps, int index)
{
	const struct shader *shader = &steps->frame->shaders[index];
	const char *name = arena_format(steps->arena, "frame:%s/shader:%s", steps->frame->id, shader->id);
	steps->shaders[index] =
		derivation_integer(steps->derivation, RULE_GIVEN, arena_format(steps->arena, "%s@wcet", name), shader->wcet);
	steps->branches[index] = arena_allocate(steps->arena, (size_t)shader->branch_count + 1, sizeof(int));
	for (int i = 0; i < shader->branch_count; i++)
		steps->branches[index][i] = derivation_integer(steps->derivation, RULE_GIVEN,
			arena_format(steps->arena, "%s/branch:%s@wcet", name, shader->branches[i].id), shader->branches[i].wcet);
}

static int derive_batch(struct frame_steps *steps, int index, int64_t bound)
{
	int shader = steps->frame->batches[index].shader;
	const char *about = arena_format(steps->arena, "frame:%s/batch:%d", steps->frame->id, index + 1);
	int step = derivation_integer(steps->derivation, RULE_BATCH, about, bound);
	for (int i = 0; i < FRAME_NUMBERS; i++)
		derivation_input(steps->derivation, frame_numbers[i].role, steps->numbers[i]);
	derivation_input(steps->derivation, "C", steps->shaders[shader]);
	for (int i = 0; i < steps->frame->shaders[shader].branch_count; i++)
		derivation_input(steps->derivation, "B", steps->branches[shader][i]);
	return step;
}

int frame_steps_derive(struct arena *arena, struct derivation *derivation, const struct operation *operation, const char *about)
{
	const struct frame *frame = operation->frame;
	size_t shaders = (size_t)frame->shader_count + 1;
	struct frame_steps steps = {.arena = arena, .derivation = derivation, .frame = frame};
	int *batches = arena_allocate(arena, (size_t)frame->batch_count + 1, sizeof *batches);
	steps.shaders = arena_allocate(arena, shaders, sizeof *steps.shaders);
	steps.branches = arena_allocate(arena, shaders, sizeof *steps.branches);
	give_numbers(&steps);
	for (int i = 0; i < frame->shader_count; i++)
		give_shader(&steps, i);
	for (int i = 0; i < frame->batch_count; i++)
		batches[i] = derive_batch(&steps, i, operation->batches[i]);
	int step = derivation_integer(derivation, RULE_FRAME, about, operation->wcet);
	for (int i = 0; i < frame->batch_count; i++)
		derivation_input(derivation, "b", batches[i]);
	return step;
}
