/* Kernels of which only the makespan is known (scope grid; copies and memsets that run as kernels): blocks made up so that alone, from
 * an idle chip, they take just that.
 *
 * One, two or four blocks fill an SM; they come in one to three waves over the whole chip, the last one perhaps of one block only. With
 * a makespan of D in n waves a block of one of the first n - 1 waves takes floor(D / n), one of the last wave the rest. Or the first
 * block takes all of D, and the others, of floor(D / n), take turns on the other slots. By lemma [KW] the kernel alone, from
 * any state with its own blocks only, ends within D. Where the kernel states its blocks and what they take, there are no more of them, nor
 * more on an SM; or they are just these, where an idle chip holds so many of them as amounts allow. A D of fewer nanoseconds than waves
 * takes as many as there are waves, at most the WCET. */
#include "machine/machine_parts.h"

#include <string.h>

static bool fills(const struct sm_limits *limits, int blocks)
{
	return limits->warps % blocks == 0 && limits->warps / blocks % limits->parts == 0 && blocks <= limits->blocks;
}

/* Blocks that an SM holds of a kernel that says what its blocks take. */
static int most_an_sm(const struct sm_limits *limits, const struct operation *operation)
{
	struct shape stated;
	bool known = operation->kind == OPERATION_KERNEL && operation->kernel.threads != NONE;
	return known && shape_init(&stated, limits, &operation->kernel) ? stated.per_sm : limits->blocks;
}

/* Does an idle chip hold as many of these blocks as its amounts allow, whoever was there before and however they are placed? An idle SM
 * takes the configuration that they ask for; a busy one may keep another's, and hold fewer. */
static bool is_even(const struct sm_limits *limits, const struct shape *shape)
{
	bool at_an_end = limits->shared_by == ALLOCATION_FIRST_FIT ||
			 limits->shared_by == ALLOCATION_BEST_FIT; /* equal pieces leave no other hole */
	bool even = shape->shared.divisor == 0 || !allocation_contiguous(limits->shared_by) || at_an_end;
	return shape->warps % limits->parts == 0 && !allocation_contiguous(limits->registers_by) && even;
}

/* The kernel's own blocks, all alike, where it states them: as many at a time as its SMs hold. */
static bool stated(struct machine *machine, struct work *work)
{
	const struct operation *operation = work->operation;
	bool known = operation->kind == OPERATION_KERNEL && operation->kernel.threads != NONE && operation->kernel.blocks != NONE;
	if (!known || !random_chance(&machine->random, 60) || !shape_init(&work->shape, &machine->limits, &operation->kernel))
		return false;
	if (!is_even(&machine->limits, &work->shape))
		return false;
	work->slots = work->shape.per_sm * work->sms;
	int64_t waves = checked_div_ceil(operation->kernel.blocks, work->slots);
	if (waves > checked_min(operation->wcet, INT32_MAX))
		return false;
	work->waves = (int)waves;
	work->blocks = operation->kernel.blocks;
	memcpy(work->grid, operation->kernel.grid, sizeof work->grid);
	return true;
}

bool opaque_make(struct machine *machine, struct work *work)
{
	const struct sm_limits *limits = &machine->limits;
	int an_sm = 1 << random_below(&machine->random, 3);
	if (!fills(limits, an_sm) || an_sm > most_an_sm(limits, work->operation))
		an_sm = 1;
	work->opaque = true;
	if (stated(machine, work))
		return true;
	work->waves = (int)checked_min(1 + (int64_t)random_below(&machine->random, 3), checked_max(work->operation->wcet, 1));
	struct kernel kernel = {.threads = (int64_t)(limits->warps / an_sm) * THREADS_A_WARP, .registers = NONE, .carveout = NONE};
	if (!shape_init(&work->shape, limits, &kernel))
		return false;
	work->slots = work->shape.per_sm * work->sms;
	work->blocks = work->waves * work->slots;
	if (random_chance(&machine->random, 25))
		work->blocks = (work->waves - 1) * work->slots + 1;
	work->uneven = work->slots > 1 && random_chance(&machine->random, 25);
	if (work->uneven)
		work->blocks = 1 + work->waves * (work->slots - 1);
	if (work->operation->kind == OPERATION_KERNEL && work->operation->kernel.blocks < work->blocks) {
		work->blocks = work->operation->kernel.blocks;
		work->waves = (int)checked_div_ceil(work->blocks, work->slots);
		work->uneven = false;
	}
	work->grid[0] = work->blocks;
	work->grid[1] = work->grid[2] = 1;
	return true;
}

int64_t opaque_duration(const struct instance *instance, int64_t index)
{
	const struct work *work = instance->work;
	int64_t each = checked_max(instance->span / work->waves, 1), last = instance->span - (work->waves - 1) * each;
	if (work->uneven)
		return index == 0 ? checked_max(instance->span, 1) : each;
	return index / work->slots == work->waves - 1 ? checked_max(last, 1) : each;
}
