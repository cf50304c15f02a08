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
	heap_push(&half->ends, (struct due){block->placed_at + late + duration, tie_next(machine), (uint32_t)(sm * BLOCKS_MOST + slot)});
	if (machine->rated)
		rates_block(machine, block, late);
	machine->block_events++;
	see(machine, SIGHT_BLOCK_BEGIN, kernel, sm, block);
}

void block_end(struct machine *machine, struct context *context, int half)
{
	struct due due = heap_pop(&context->halves[half].ends);
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
