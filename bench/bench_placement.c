/* Block placements a second (each with a release) on the 132 SMs of the H200 model with 8 streams: kept levels of room beside a walk
 * over all SMs. */
#include "bench.h"
#include "input/input.h"
#include "placement/placement.h"

#include <stdio.h>

#define STREAMS 8
#define PLACEMENTS 1000000
#define WALKED 50000        /* of the slow way */
#define BURST 200           /* blocks that a stream's kernel has */
#define TARGET 20.0         /* million placements a second */
#define RESIDENTS (1 << 13) /* a power of two above 132 SMs * 32 slots */

struct leaving {
	uint16_t sm, slot;
};

struct run {
	struct arena *arena;
	struct sm_limits limits;
	struct chip chip;
	struct placer placer;
	struct shape shapes[STREAMS];
	struct room rooms[STREAMS];
	struct leaving queue[RESIDENTS]; /* resident blocks, the oldest first */
	unsigned first, last;
	int placements;
	int64_t sum; /* so that nothing is left out */
	int (*choose)(struct run *run, struct dispatch *dispatch);
};

static int by_levels(struct run *run, struct dispatch *dispatch)
{
	return placement_choose(&run->placer, dispatch);
}

/* The straightforward way: every SM's room for every block. */
static int by_walk(struct run *run, struct dispatch *dispatch)
{
	int best = NO_ID, most = 0;
	for (int rank = 0; rank < run->limits.sm_count; rank++) {
		int sm = run->limits.order[rank], room = sm_room(&run->chip.sms[sm], &run->limits, dispatch->room->shape);
		if (room > most) {
			most = room;
			best = sm;
		}
	}
	return best;
}

static void retire(struct run *run)
{
	struct leaving oldest = run->queue[run->first++ % RESIDENTS];
	placement_release(&run->placer, oldest.sm, oldest.slot);
}

/* The kernels of the streams one after another at the head; where one waits, the oldest resident block leaves. */
static void place(void *context)
{
	struct run *run = context;
	for (int placed = 0, stream = 0; placed < run->placements; stream = (stream + 1) % STREAMS) {
		struct dispatch *dispatch = placement_begin(&run->placer, &run->rooms[stream], (int64_t[3]){BURST, 1, 1});
		while (dispatch->placed < BURST) {
			int sm = run->choose(run, dispatch);
			if (sm == NO_ID) {
				retire(run);
				continue;
			}
			int slot = placement_place(&run->placer, dispatch, sm);
			run->queue[run->last++ % RESIDENTS] = (struct leaving){(uint16_t)sm, (uint16_t)slot};
			run->sum += sm;
		}
		placed += BURST;
		placement_end(&run->placer, dispatch);
	}
}

static struct run *create(struct arena *arena, const struct platform *platform, const struct policy *policy)
{
	struct run *run = arena_allocate(arena, 1, sizeof *run);
	const char *missing;
	run->arena = arena;
	run->choose = by_levels;
	run->placements = PLACEMENTS;
	if (!sm_limits_read(&run->limits, arena, platform, NULL, &missing))
		return NULL;
	chip_init(&run->chip, arena, &run->limits);
	placement_init(&run->placer, arena, &run->chip, policy);
	for (int i = 0; i < STREAMS; i++) {
		struct kernel kernel = {.grid = {BURST, 1, 1}, .blocks = BURST, .threads = 96 + 96 * i, .registers = 32, .carveout = 100};
		if (!shape_init(&run->shapes[i], &run->limits, &kernel))
			return NULL;
		room_init(&run->rooms[i], arena, &run->chip, &run->shapes[i]);
	}
	return run;
}

static double measure(const char *name, struct run *run)
{
	double rate = 1000.0 * run->placements / (double)bench_least(name, place, run);
	printf("  %.1f million placements a second\n", rate);
	return rate;
}

int main(void)
{
	struct arena *arena = arena_create();
	struct input_folders folders = input_find_folders(arena);
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	const struct platform *platform = input_read_platform(arena, &diagnostics, &folders, "h200");
	struct run *room = platform == NULL ? NULL : create(arena, platform, &policy_most_room);
	struct run *hopper = platform == NULL ? NULL : create(arena, platform, &policy_hopper);
	struct run *walk = platform == NULL ? NULL : create(arena, platform, &policy_most_room);
	if (room == NULL || hopper == NULL || walk == NULL)
		return 1;
	walk->choose = by_walk;
	walk->placements = WALKED;
	double least = measure("1,000,000 placements, most room", room), ordered = measure("1,000,000 placements, hopper", hopper);
	least = ordered < least ? ordered : least;
	printf("  target: %.1f%s\n", TARGET, least < TARGET ? ", MISSED" : "");
	measure("50,000 placements, most room by a walk", walk);
	arena_destroy(arena);
	return least >= TARGET && room->sum + hopper->sum + walk->sum > 0 ? 0 : 1;
}
