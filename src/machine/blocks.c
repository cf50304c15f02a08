/* Blocks on SMs: placed, begun, ended (D6, D8). */
#include "machine/machine_parts.h"

#include "base/assert.h"

static int residents_of(const struct machine *machine, const struct context *context, const struct instance *kernel, int sm)
{
	const struct block *blocks = &context->blocks[sm * machine->limits.blocks];
	int count = 0;
	for (uint64_t used = sm_used(&context->chip.sms[sm], &machine->limits); used != 0; used &= used - 1)
		count += blocks[__builtin_ctzll(used)].kernel == kernel;
	return count;
}

static int64_t duration_of(struct machine *machine, const struct context *context, const struct instance *kernel, int64_t index, int sm)
{
	if (kernel->work->opaque)
		return opaque_duration(kernel, index);
	int residents = kernel->work->operation->kernel.curve == NULL ? 1 : 1 + residents_of(machine, context, kernel, sm);
	return machine->client.duration(machine->client.context, kernel, residents);
}

/* Beside what may its first instruction be late? A kernel of which only the makespan is known has what its own blocks do to one another in
 * that. */
static bool has_company(const struct machine *machine, const struct context *context, const struct instance *kernel, int sm)
{
	int others = context->chip.sms[sm].count;
	return kernel->work->opaque ? others > residents_of(machine, context, kernel, sm) : others > 0;
}

static int64_t lateness(struct machine *machine, const struct context *context, const struct instance *kernel, int sm)
{
	const struct switches *switches = &machine->switches;
	int64_t late = switches->lateness == 0 ? 0 : random_between(&machine->random, 0, switches->lateness);
	if (switches->stall == 0 || !has_company(machine, context, kernel, sm))
		return late;
	return late + (random_chance(&machine->random, 60) ? switches->stall : random_between(&machine->random, 0, switches->stall));
}

/* Beside other clients of an MPS server of whom nothing is said it takes up to LOOSE_MOST times as long. */
static int64_t slowed(struct machine *machine, const struct context *context, int64_t duration)
{
	return context->loose ? duration * random_between(&machine->random, 1, LOOSE_MOST) : duration;
}

/* Some of its warps leave at some time of the block's. Where blocks slow one another times change, and nobody leaves. */
static void plan_leaving(struct machine *machine, struct half *half, const struct instance *kernel, const struct due *end, int64_t duration)
{
	const struct work *work = kernel->work;
	bool may = machine->switches.leavers > 0 && !machine->rated && !work->opaque && work->operation->kind == OPERATION_KERNEL &&
		   !work->operation->kernel.warps_stay && work->shape.warps > 1;
	if (!may || !random_chance(&machine->random, machine->switches.leavers))
		return;
	int64_t early = random_chance(&machine->random, 60) ? duration : random_between(&machine->random, 1, duration);
	heap_push(&half->ends, (struct due){end->time - early, tie_next(machine), end->what | DUE_LEAVES});
}

static void block_leave(struct machine *machine, struct context *context, const struct due *due)
{
	const struct block *block = block_due(machine, context, due);
	int warps = block->kernel->work->shape.warps;
	int leave = random_chance(&machine->random, 60) ? warps - 1 : (int)random_between(&machine->random, 1, warps - 1);
	chip_leave(&context->chip, block_sm(due), (int)(due->what % BLOCKS_MOST), leave,
		(int)random_below(&machine->random, (uint64_t)machine->limits.parts));
	context->settled = false;
}

void block_place(struct machine *machine, struct context *context, struct instance *kernel, int sm)
{
	struct half *half = &context->halves[machine_half(machine, sm)];
	int64_t index = placement_block(&context->placer, kernel->dispatch);
	int64_t duration = slowed(machine, context, duration_of(machine, context, kernel, index, sm));
	int64_t late = lateness(machine, context, kernel, sm);
	int slot = placement_place(&context->placer, kernel->dispatch, sm);
	assert(slot >= 0 && duration >= 1);
	context->busy_sms += context->chip.sms[sm].count == 1;
	context->settled = false;
	kernel->placed++;
	struct block *block = &context->blocks[sm * machine->limits.blocks + slot];
	*block = (struct block){.kernel = kernel, .index = index, .start = machine->now + late, .left = duration};
	block->placed_at = clock_read(&half->clock, machine->now);
	struct due end = {block->placed_at + late + duration, tie_next(machine), (uint32_t)(sm * BLOCKS_MOST + slot)};
	heap_push(&half->ends, end);
	plan_leaving(machine, half, kernel, &end, duration);
	if (machine->rated)
		rates_block(machine, block, late);
	machine->block_events++;
	see(machine, SIGHT_BLOCK_BEGIN, kernel, sm, block);
}

void block_end(struct machine *machine, struct context *context, int half)
{
	struct due due = heap_pop(&context->halves[half].ends);
	if ((due.what & DUE_LEAVES) != 0) {
		block_leave(machine, context, &due);
		return;
	}
	struct block *block = block_due(machine, context, &due);
	struct instance *kernel = block->kernel;
	int sm = block_sm(&due);
	placement_release(&context->placer, sm, (int)(due.what % BLOCKS_MOST));
	context->busy_sms -= context->chip.sms[sm].count == 0;
	context->vacated[sm] = clock_read(&context->clock, machine->now);
	context->settled = false;
	struct process *process = process_of(machine, context);
	if (process_residents(process) == 0) {
		for (struct context *unit = process->units; unit < process->units + process->count; unit++)
			unit->configuration = 0;
		process_unsettle(process); /* others may have waited for another configuration */
	}
	kernel->ended++;
	kernel->longest = checked_max(kernel->longest, due.time - block->placed_at);
	machine->block_events++;
	machine->stale = true;
	see(machine, SIGHT_BLOCK_END, kernel, sm, block);
	if (kernel->ended == kernel->work->blocks) {
		context->partial--;
		process_unsettle(process);
		stream_complete(machine, kernel);
	}
}
