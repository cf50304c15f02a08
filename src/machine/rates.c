/* Interference: blocks and copies progress at the rate that the platform's factors leave them beside what is active, set anew whenever
 * residency changes.
 *
 * A factor is the least that the table states for the victim with at least as many aggressors as are active, so that no block is slower
 * than any reading of the table allows; beyond the greatest measured count it is that count's. Slowness is in 1/65536 and work in
 * 1/65536 ns, both rounded so that a block ends early rather than late (theory.md 5, A-RATE). */
#include "machine/parts.h"

#include <string.h>

#define ONE INT64_C(65536)

/* How many of each source are active beside one victim. CPU cores and other masters always are. */
struct beside {
	int64_t count[INTERFERER_COUNT];
};

static const enum interferer direction_sources[DIRECTION_COUNT] = {
	[DIRECTION_H2D] = INTERFERER_H2D,
	[DIRECTION_D2H] = INTERFERER_D2H,
	[DIRECTION_D2D] = INTERFERER_D2D,
	[DIRECTION_PEER] = INTERFERER_D2D,
	[DIRECTION_MEMSET] = INTERFERER_MEMSET,
};

struct victim {
	bool is_copy;
	enum access access;
	int64_t footprint; /* NONE: unknown */
};

static bool concerns(const struct interference_entry *entry, const struct victim *victim, enum interferer source)
{
	if (entry->source != source || entry->is_copy != victim->is_copy)
		return false;
	if (!victim->is_copy && entry->victim != ACCESS_ANY && entry->victim != victim->access)
		return false;
	return entry->footprint == NONE || victim->footprint == NONE || victim->footprint <= entry->footprint;
}

/* The factor of one source in 1/65536; 0: the table has none. */
static int64_t factor_of(const struct machine *machine, const struct victim *victim, enum interferer source, int64_t count)
{
	int64_t covering = 0, greatest = 0;
	for (int i = 0; i < machine->platform->interference_count; i++) {
		const struct interference_entry *entry = &machine->platform->interference[i];
		if (!concerns(entry, victim, source))
			continue;
		int64_t factor = rational_scale_down(ONE, entry->factor);
		greatest = checked_max(greatest, factor);
		if ((entry->count == NONE || entry->count >= count) && (covering == 0 || factor < covering))
			covering = factor;
	}
	int64_t factor = covering > 0 ? covering : greatest;
	return factor < ONE ? factor : ONE + (factor - ONE) * machine->shares[source] / 100;
}

static int64_t join(enum composition composition, int64_t slowness, int64_t factor)
{
	if (composition == COMPOSITION_ADDITIVE)
		return slowness + factor - ONE;
	if (composition == COMPOSITION_MULTIPLICATIVE)
		return checked_mul_div_floor(slowness, factor, ONE);
	return checked_max(slowness, factor);
}

static int64_t compose(const struct machine *machine, const struct victim *victim, const struct beside *beside)
{
	int64_t slowness = ONE, all = factor_of(machine, victim, INTERFERER_ALL, 1);
	bool unknown = false;
	for (int source = 0; source < INTERFERER_ALL; source++) {
		int64_t factor = beside->count[source] == 0 ? ONE : factor_of(machine, victim, source, beside->count[source]);
		unknown |= factor == 0 && source != INTERFERER_CPU && source != INTERFERER_OTHER;
		slowness = factor == 0 ? slowness : join(machine->platform->composition, slowness, factor);
	}
	if (all > 0 && (unknown || slowness > all))
		slowness = all;
	return slowness;
}

/* A kernel whose kind of access nobody states may be of the worst kind. */
static int64_t slowness_of(const struct machine *machine, struct victim victim, const struct beside *beside)
{
	int64_t worst = ONE;
	if (victim.is_copy || victim.access != ACCESS_ANY)
		return compose(machine, &victim, beside);
	for (victim.access = ACCESS_COMPUTE; victim.access < ACCESS_COUNT; victim.access++)
		worst = checked_max(worst, compose(machine, &victim, beside));
	return worst;
}

/* ---- what is active */
static void count_copies(const struct machine *machine, const struct instance *but, struct beside *beside)
{
	for (int e = 0; e < machine->engine_count && machine->copies.runs; e++) {
		const struct instance *copy = machine->engines[e].current;
		if (copy != NULL && copy != but)
			beside->count[direction_sources[copy->work->direction]]++;
	}
	beside->count[INTERFERER_CPU] = beside->count[INTERFERER_OTHER] = 1;
}

static bool same_place(int a, int b)
{
	return a != NO_ID && a == b;
}

/* Blocks of other kernels on an SM; those that only copy or set memory are counted as such in *beside once an SM. */
static int foreign_blocks(
	const struct machine *machine, const struct context *context, const struct instance *kernel, int sm, struct beside *beside)
{
	const struct block *blocks = &context->blocks[sm * machine->limits.blocks];
	int count = 0;
	for (int slot = 0; slot < machine->limits.blocks && context->chip.sms[sm].count > 0; slot++) {
		const struct instance *other = blocks[slot].kernel;
		if ((context->chip.sms[sm].slots_free >> slot & 1) != 0 || other == kernel)
			continue;
		count++;
		if (other->work->direction != DIRECTION_COUNT)
			beside->count[direction_sources[other->work->direction]] = 1;
	}
	return count;
}

static struct beside beside_block(const struct machine *machine, const struct context *context, const struct instance *kernel, int sm)
{
	struct beside beside = {0};
	const struct sm_position *places = machine->platform->sms;
	count_copies(machine, NULL, &beside);
	beside.count[INTERFERER_SM] = foreign_blocks(machine, context, kernel, sm, &beside);
	for (int s = 0; s < machine->limits.sm_count; s++) {
		if (s == sm || foreign_blocks(machine, context, kernel, s, &beside) == 0)
			continue;
		if (places != NULL && same_place(places[s].tpc, places[sm].tpc))
			beside.count[INTERFERER_TPC]++;
		else
			beside.count[places != NULL && same_place(places[s].gpc, places[sm].gpc) ? INTERFERER_GPC : INTERFERER_OUT]++;
	}
	return beside;
}

/* ---- progress */
static int64_t remaining(int64_t left, int64_t elapsed, int64_t slowness)
{
	return checked_max(left - checked_mul_div_ceil(elapsed, ONE * ONE, slowness), 0);
}

static int64_t ending(int64_t seen, int64_t left, int64_t slowness)
{
	return seen + checked_mul_div_floor(left, slowness, ONE * ONE);
}

static void rate_half(struct machine *machine, struct context *context, struct half *half)
{
	int64_t reading = clock_read(&half->clock, machine->now);
	for (int i = 0; i < half->ends.count; i++) {
		struct due *due = &half->ends.items[i];
		struct block *block = &context->blocks[due->what];
		struct kernel const *kernel = &block->kernel->work->operation->kernel;
		struct beside beside = beside_block(machine, context, block->kernel, (int)due->what / machine->limits.blocks);
		struct victim victim = {false, kernel->access, kernel->footprint};
		if (reading > block->seen) {
			block->left = remaining(block->left, reading - block->seen, block->slowness);
			block->seen = reading;
		}
		block->slowness = slowness_of(machine, victim, &beside);
		due->time = ending(block->seen, block->left, block->slowness);
	}
	heap_restore(&half->ends);
}

static void rate_copy(struct machine *machine, struct copy_engine *engine)
{
	int64_t reading = clock_read(&machine->copies, machine->now);
	struct beside beside = {0};
	count_copies(machine, engine->current, &beside);
	beside.count[INTERFERER_EE] = machine->active != NULL && machine->active->chip.residents > 0;
	engine->left = remaining(engine->left, reading - engine->seen, engine->slowness);
	engine->seen = reading;
	engine->slowness = slowness_of(machine, (struct victim){.is_copy = true, .footprint = NONE}, &beside);
	engine->end = ending(reading, engine->left, engine->slowness);
}

void rates_settle(struct machine *machine)
{
	for (int h = 0; h < HALVES && machine->active != NULL; h++)
		rate_half(machine, machine->active, &machine->active->halves[h]);
	for (int e = 0; e < machine->engine_count; e++)
		if (machine->engines[e].current != NULL)
			rate_copy(machine, &machine->engines[e]);
	machine->stale = false;
}

void rates_block(struct machine *machine, struct block *block, int64_t late)
{
	block->left *= ONE;
	block->seen = block->placed_at + late;
	block->slowness = ONE;
	machine->stale = true;
}

void rates_copy(struct machine *machine, struct copy_engine *engine)
{
	engine->left = (engine->end - engine->placed_at) * ONE;
	engine->seen = engine->placed_at;
	engine->slowness = ONE;
	machine->stale = true;
}

void machine_rate(struct machine *machine, const int *percent)
{
	machine->rated = true;
	memcpy(machine->shares, percent, sizeof machine->shares);
}
