/* The chip's SMs and the log of their changes. */
#include "placement/chip.h"

void chip_init(struct chip *chip, struct arena *arena, const struct sm_limits *limits)
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

int chip_configured_room(const struct chip *chip, int s, const struct shape *shape)
{
	const struct sm *sm = &chip->sms[s];
	if (chip->residents == 0)
		return sm_room(sm, chip->limits, shape);
	if (!shape_admits(shape, chip->configuration))
		return 0;
	int room = sm_room(sm, chip->limits, shape);
	if (sm->count > 0 || shape->shared.divisor == 0)
		return room;
	int by_shared = chip->configuration / shape->shared.divisor;
	return by_shared < room ? by_shared : room;
}

int chip_configured_take(struct chip *chip, int s, const struct shape *shape)
{
	if (chip_configured_room(chip, s, shape) == 0)
		return -1;
	int slot = sm_take(&chip->sms[s], chip->limits, shape);
	if (slot < 0)
		return -1;
	chip_log(chip, s);
	if (chip->residents++ == 0) {
		chip->configuration = shape->target;
		chip->whole = chip->changes; /* from idle to busy: what it admits changed for every SM */
	}
	chip->sms[s].configuration = chip->configuration;
	return slot;
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
