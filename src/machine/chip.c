/* The chip's SMs and the log of their changes. */
#include "machine/chip.h"

void chip_init(struct chip *chip, struct arena *arena, const struct limits *limits)
{
	*chip = (struct chip){.limits = limits};
	chip->sms = arena_allocate(arena, (size_t)limits->sm_count, sizeof *chip->sms);
	struct resident *residents = arena_allocate(arena, (size_t)limits->sm_count * (size_t)limits->blocks, sizeof *residents);
	for (int s = 0; s < limits->sm_count; s++)
		chip->sms[s].residents = residents + (size_t)s * (size_t)limits->blocks;
	chip_reset(chip);
}

void chip_reset(struct chip *chip)
{
	for (int s = 0; s < chip->limits->sm_count; s++)
		sm_reset(&chip->sms[s], chip->limits);
	chip->residents = 0;
	chip->whole = ++chip->changes;
}

static void log_change(struct chip *chip, int sm)
{
	chip->log[chip->changes++ % CHIP_LOG] = (uint16_t)sm;
}

/* The chip went from idle to busy or back: what it admits changed for every SM. */
static void log_whole(struct chip *chip)
{
	if (chip->limits->chip_configures)
		chip->whole = chip->changes;
}

int chip_room(const struct chip *chip, int s, const struct shape *shape)
{
	const struct sm *sm = &chip->sms[s];
	if (!chip->limits->chip_configures || chip->residents == 0)
		return sm_room(sm, chip->limits, shape);
	if (!shape_admits(shape, chip->configuration))
		return 0;
	int room = sm_room(sm, chip->limits, shape);
	if (sm->count > 0 || shape->shared.divisor == 0)
		return room;
	int by_shared = chip->configuration / shape->shared.divisor;
	return by_shared < room ? by_shared : room;
}

int chip_take(struct chip *chip, int s, const struct shape *shape)
{
	if (chip->limits->chip_configures && chip_room(chip, s, shape) == 0)
		return -1;
	int slot = sm_take(&chip->sms[s], chip->limits, shape);
	if (slot < 0)
		return -1;
	log_change(chip, s);
	if (chip->residents++ == 0) {
		chip->configuration = shape->target;
		log_whole(chip);
	}
	if (chip->limits->chip_configures)
		chip->sms[s].configuration = chip->configuration;
	return slot;
}

void chip_release(struct chip *chip, int s, int slot)
{
	sm_release(&chip->sms[s], chip->limits, slot);
	log_change(chip, s);
	if (--chip->residents == 0)
		log_whole(chip);
}

void chip_settle(struct chip *chip)
{
	for (int s = 0; s < chip->limits->sm_count; s++)
		sm_settle(&chip->sms[s]);
}

int set_count(const uint64_t *set, int words)
{
	int count = 0;
	for (int i = 0; i < words; i++)
		count += __builtin_popcountll(set[i]);
	return count;
}

int set_first(const uint64_t *set, int words, int from)
{
	int i = from / 64;
	if (i >= words)
		return NO_ID;
	uint64_t word = set[i] & (UINT64_MAX << from % 64);
	while (word == 0 && ++i < words)
		word = set[i];
	return i < words ? i * 64 + __builtin_ctzll(word) : NO_ID;
}
