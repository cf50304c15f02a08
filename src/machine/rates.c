/* Interference: blocks and copies progress at the rate that the platform's factors leave them beside what is active, set anew whenever
 * residency changes.
 *
 * A factor is the least that the table states for the victim with at least as many aggressors as are active, so that no block is slower
 * than any reading of the table allows; beyond the greatest measured count it is that count's, and a joint measurement caps nothing.
 * Slowness is in 1/65536 and work in 1/65536 ns, both rounded so that a block ends early rather than late ([INFLATION], A-RATE). */
#include "machine/machine_parts.h"

#include <string.h>

#define ONE INT64_C(65536)
#define KNOWN 64 /* a power of two */

/* How many of each source are active beside one victim. CPU cores and other masters of an integrated GPU always are. */
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

/* The factor of one source in 1/65536; 0: the table has none; of a joint measurement: none with so much beside the victim. */
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
	int64_t factor = covering > 0 || source == INTERFERER_ALL ? covering : greatest;
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
	const int64_t *count = beside->count;
	int64_t sms = victim->is_copy ? count[INTERFERER_EE] : count[INTERFERER_TPC] + count[INTERFERER_GPC] + count[INTERFERER_OUT];
	int64_t slowness = ONE, all = factor_of(machine, victim, INTERFERER_ALL, sms);
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
static void count_copies(const struct machine *machine, struct beside *beside)
{
	const struct copies *copies = machine->copying;
	for (int e = 0; e < machine->engine_count && copies != NULL; e++) {
		const struct instance *copy = copies->engines[e].current;
		if (copy != NULL)
			beside->count[direction_sources[copy->work->direction]]++;
	}
	beside->count[INTERFERER_CPU] = beside->count[INTERFERER_OTHER] = machine->platform->integrated;
}

/* What one kernel's blocks have beside them: for each SM, how many blocks of other kernels, and how many SMs of its TPC, its GPC and the
 * chip have any. */
struct survey {
	const struct instance *kernel;
	int *foreign, *tpcs, *gpcs; /* by SM, TPC, GPC */
	int all;
	int64_t *slowness;    /* by SM; 0: not asked yet */
	struct beside common; /* copies, and kernels that copy or set memory, each once */
	int64_t number;
};

/* Slowness that was computed before: of one operation's blocks beside the same. */
struct known {
	int operation;
	struct beside beside;
	int64_t slowness; /* 0: nothing is known here */
};

static void count_block(struct instance *other, struct survey *survey, int sm)
{
	if (other == survey->kernel)
		return;
	survey->foreign[sm]++;
	if (other->work->direction != DIRECTION_COUNT && other->surveyed != survey->number)
		survey->common.count[direction_sources[other->work->direction]]++;
	other->surveyed = survey->number;
}

static void count_sm(const struct machine *machine, struct survey *survey, int sm)
{
	const struct sm_position *places = machine->platform->sms;
	for (const struct context *unit = machine->active->units; unit < machine->active->units + machine->active->count; unit++) {
		const struct block *blocks = &unit->blocks[sm * machine->limits.blocks];
		for (uint64_t used = sm_used(&unit->chip.sms[sm], &machine->limits); used != 0; used &= used - 1)
			count_block(blocks[__builtin_ctzll(used)].kernel, survey, sm);
	}
	bool busy = survey->foreign[sm] > 0;
	survey->all += busy;
	if (places != NULL && places[sm].tpc != NO_ID)
		survey->tpcs[places[sm].tpc] += busy;
	if (places != NULL && places[sm].gpc != NO_ID)
		survey->gpcs[places[sm].gpc] += busy;
}

static void make_survey(struct machine *machine, struct survey *survey, const struct instance *kernel)
{
	size_t size = (size_t)machine->limits.sm_count * sizeof(int);
	memset(survey->foreign, 0, size);
	memset(survey->tpcs, 0, size);
	memset(survey->gpcs, 0, size);
	memset(survey->slowness, 0, (size_t)machine->limits.sm_count * sizeof *survey->slowness);
	survey->kernel = kernel;
	survey->all = 0;
	survey->common = (struct beside){0};
	survey->number = ++machine->surveys_made;
	count_copies(machine, &survey->common);
	for (int sm = 0; sm < machine->limits.sm_count; sm++)
		count_sm(machine, survey, sm);
}

/* Made when first asked for. kernel: NULL: of whom all blocks are foreign. */
static struct survey *survey_of(struct machine *machine, const struct instance *kernel)
{
	for (int i = 0; i < machine->survey_count; i++)
		if (machine->surveys[i].kernel == kernel)
			return &machine->surveys[i];
	struct survey *survey = &machine->surveys[machine->survey_count++];
	make_survey(machine, survey, kernel);
	return survey;
}

static struct beside beside_block(const struct machine *machine, const struct survey *survey, int sm)
{
	struct beside beside = survey->common;
	const struct sm_position *place = machine->platform->sms == NULL ? NULL : &machine->platform->sms[sm];
	int itself = survey->foreign[sm] > 0;
	int tpc = place == NULL || place->tpc == NO_ID ? itself : survey->tpcs[place->tpc];
	int gpc = place == NULL || place->gpc == NO_ID ? tpc : survey->gpcs[place->gpc];
	beside.count[INTERFERER_SM] = survey->foreign[sm];
	beside.count[INTERFERER_TPC] = tpc - itself;
	beside.count[INTERFERER_GPC] = gpc - tpc;
	beside.count[INTERFERER_OUT] = survey->all - gpc;
	return beside;
}

static struct known *place_of(const struct machine *machine, int operation, const struct beside *beside)
{
	uint64_t hash = (uint64_t)operation;
	for (int source = 0; source < INTERFERER_COUNT; source++)
		hash = (hash ^ (uint64_t)beside->count[source]) * UINT64_C(0x9e3779b97f4a7c15);
	return &machine->known[hash >> 32 & (KNOWN - 1)];
}

/* A memset that runs as a kernel writes, a copy that does reads and writes: as many bytes as are stated. */
static struct victim victim_of(const struct work *work)
{
	const struct operation *operation = work->operation;
	if (work->direction == DIRECTION_COUNT)
		return (struct victim){false, operation->kernel.access, operation->kernel.footprint};
	return (struct victim){false, work->direction == DIRECTION_MEMSET ? ACCESS_WRITE : ACCESS_COPY, operation->copy.bytes};
}

static int64_t find_slowness(const struct machine *machine, const struct survey *survey, int sm)
{
	const struct work *work = survey->kernel->work;
	if (taskset_has_company(machine->set, work->number))
		return ONE; /* as much longer as it is as a whole */
	struct beside beside = beside_block(machine, survey, sm);
	struct known *known = place_of(machine, work->number, &beside);
	if (known->slowness == 0 || known->operation != work->number || memcmp(&known->beside, &beside, sizeof beside) != 0) {
		*known = (struct known){work->number, beside, slowness_of(machine, victim_of(work), &beside)};
	}
	return known->slowness;
}

static int64_t slowness_on(const struct machine *machine, const struct survey *survey, int sm)
{
	if (survey->slowness[sm] == 0)
		survey->slowness[sm] = find_slowness(machine, survey, sm);
	return survey->slowness[sm];
}

/* ---- progress */
static int64_t remaining(int64_t left, int64_t elapsed, int64_t slowness)
{
	if (slowness == ONE)
		return checked_max(left - elapsed * ONE, 0);
	return checked_max(left - checked_mul_div_ceil(elapsed, ONE * ONE, slowness), 0);
}

static int64_t ending(int64_t seen, int64_t left, int64_t slowness)
{
	if (slowness == ONE)
		return seen + left / ONE;
	return seen + checked_mul_div_floor(left, slowness, ONE * ONE);
}

/* Does its end change? What runs at full speed before and after needs no new reckoning. */
static bool rate_block(const struct machine *machine, const struct survey *survey, struct block *block, struct due *due, int64_t reading)
{
	int64_t slowness = slowness_on(machine, survey, block_sm(due)), before = due->time;
	if (slowness == ONE && block->slowness == ONE)
		return false;
	if (reading > block->seen) {
		block->left = remaining(block->left, reading - block->seen, block->slowness);
		block->seen = reading;
	}
	block->slowness = slowness;
	due->time = ending(block->seen, block->left, block->slowness);
	return due->time != before;
}

static void rate_half(struct machine *machine, struct context *context, struct half *half)
{
	int64_t reading = clock_read(&half->clock, machine->now);
	bool changed = false;
	for (int i = 0; i < half->ends.count; i++) {
		struct due *due = &half->ends.items[i];
		struct block *block = block_due(machine, context, due);
		changed |= rate_block(machine, survey_of(machine, block->kernel), block, due, reading);
	}
	if (changed)
		heap_restore(&half->ends);
}

static int busy_sms(const struct machine *machine)
{
	int sum = 0;
	for (int i = 0; machine->active != NULL && i < machine->active->count; i++)
		sum += machine->active->units[i].busy_sms;
	return sum;
}

static void rate_copy(struct machine *machine, const struct copies *copies, struct copy_engine *engine)
{
	int64_t reading = clock_read(&copies->clock, machine->now);
	struct beside beside = {0};
	count_copies(machine, &beside);
	if (machine->active != NULL)
		beside = survey_of(machine, NULL)->common;
	beside.count[direction_sources[engine->current->work->direction]] -= copies == machine->copying; /* itself */
	beside.count[INTERFERER_EE] = busy_sms(machine);
	engine->left = remaining(engine->left, reading - engine->seen, engine->slowness);
	engine->seen = reading;
	engine->slowness = slowness_of(machine, (struct victim){.is_copy = true, .footprint = NONE}, &beside);
	engine->end = ending(reading, engine->left, engine->slowness);
}

void rates_settle(struct machine *machine)
{
	machine->survey_count = 0;
	for (int i = 0; machine->active != NULL && i < machine->active->count; i++)
		for (int h = 0; h < HALVES; h++)
			rate_half(machine, &machine->active->units[i], &machine->active->units[i].halves[h]);
	for (int i = 0; i < machine->copies_count; i++)
		for (int e = 0; e < machine->engine_count; e++)
			if (machine->copies[i].engines[e].current != NULL)
				rate_copy(machine, &machine->copies[i], &machine->copies[i].engines[e]);
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

/* At most one kernel of a stream has resident blocks. */
static void open_surveys(struct machine *machine)
{
	size_t kernels = (size_t)machine->set->stream_count + 2, sms = (size_t)machine->limits.sm_count;
	machine->surveys = arena_allocate(machine->arena, kernels, sizeof *machine->surveys);
	machine->known = arena_allocate(machine->arena, KNOWN, sizeof *machine->known);
	for (size_t i = 0; i < kernels; i++) { /* one for copies */
		machine->surveys[i].foreign = arena_allocate(machine->arena, sms, sizeof(int));
		machine->surveys[i].tpcs = arena_allocate(machine->arena, sms, sizeof(int));
		machine->surveys[i].gpcs = arena_allocate(machine->arena, sms, sizeof(int));
		machine->surveys[i].slowness = arena_allocate(machine->arena, sms, sizeof *machine->surveys[i].slowness);
	}
}

void machine_rate(struct machine *machine, const int *percent)
{
	machine->rated = true;
	memcpy(machine->shares, percent, sizeof machine->shares);
	open_surveys(machine);
}
