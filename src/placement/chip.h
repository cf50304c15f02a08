/* All SMs of a chip, and who changed last.
 *
 * Requires: limits.
 * Provides: blocks taken and released by SM; a short log of the SMs that changed, from which each kernel's view of its room catches
 *           up without walking all SMs.
 * Source:   [MOST-ROOM]; RTAS'20 III-C2 (one shared-memory configuration for the chip, where the platform says so).
 * Fails:    chip_take returns -1 where the block does not fit.
 */
#ifndef PLACEMENT_CHIP_H
#define PLACEMENT_CHIP_H

#include "placement/sm.h"

#define CHIP_LOG 64

struct chip {
	const struct sm_limits *limits;
	struct sm *sms;
	uint64_t changes;        /* blocks taken and released so far */
	uint16_t log[CHIP_LOG];  /* the SM of change c at [c % CHIP_LOG] */
	uint64_t whole;          /* the last change that concerned every SM, + 1 */
	int residents;           /* blocks on the chip */
	int configuration;       /* of the whole chip, where it has only one */
	const uint64_t *members; /* the SMs that are used, a bit an id; NULL: all */
};

void chip_init(struct chip *chip, struct arena *arena, const struct sm_limits *limits);
void chip_reset(struct chip *chip); /* every SM idle */
static inline int chip_room(const struct chip *chip, int sm, const struct shape *shape);
static inline int chip_take(struct chip *chip, int sm, const struct shape *shape); /* the slot, or -1 */
static inline void chip_release(struct chip *chip, int sm, int slot);
void chip_settle(struct chip *chip); /* a kernel comes to the head: sm_settle for all idle SMs */

/* Sets of SMs: limits->words words; the bit is the SM's id or its rank, as the owner says. */
static inline void set_add(uint64_t *set, int i)
{
	set[(unsigned)i / 64] |= UINT64_C(1) << (unsigned)i % 64;
}

static inline void set_remove(uint64_t *set, int i)
{
	set[(unsigned)i / 64] &= ~(UINT64_C(1) << (unsigned)i % 64);
}

static inline bool set_has(const uint64_t *set, int i)
{
	return set[(unsigned)i / 64] >> (unsigned)i % 64 & 1;
}

int set_count(const uint64_t *set, int words);

static inline int set_least(const uint64_t *set) /* of a set that is not empty */
{
	int i = 0;
	while (set[i] == 0)
		i++;
	return i * 64 + __builtin_ctzll(set[i]);
}

/* placement/chip.c, for the functions below only: where the whole chip has one configuration. */
int chip_configured_room(const struct chip *chip, int sm, const struct shape *shape);
int chip_configured_take(struct chip *chip, int sm, const struct shape *shape);

static inline void chip_log(struct chip *chip, int sm)
{
	chip->log[chip->changes++ % CHIP_LOG] = (uint16_t)sm;
}

static inline int chip_room(const struct chip *chip, int sm, const struct shape *shape)
{
	if (chip->members != NULL && !set_has(chip->members, sm))
		return 0;
	return chip->limits->chip_configures ? chip_configured_room(chip, sm, shape) : sm_room(&chip->sms[sm], chip->limits, shape);
}

static inline int chip_take(struct chip *chip, int sm, const struct shape *shape)
{
	if (chip->limits->chip_configures)
		return chip_configured_take(chip, sm, shape);
	int slot = sm_take(&chip->sms[sm], chip->limits, shape);
	if (slot < 0)
		return -1;
	chip_log(chip, sm);
	chip->residents++;
	return slot;
}

static inline void chip_leave(struct chip *chip, int sm, int slot, int warps, int from)
{
	sm_leave(&chip->sms[sm], chip->limits, slot, warps, from);
	chip_log(chip, sm);
}

static inline void chip_release(struct chip *chip, int sm, int slot)
{
	sm_release(&chip->sms[sm], chip->limits, slot);
	chip_log(chip, sm);
	if (--chip->residents == 0 && chip->limits->chip_configures)
		chip->whole = chip->changes; /* from busy to idle: what it admits changed for every SM */
}

#endif
