/* Fermi: seed 000, sections 3 and 4.
 *
 * First wave: the GPC with the highest priority (its room when the kernel begins, less the blocks it got; the lowest GPC among equals)
 * gets a block on all its SMs while more blocks remain than the chip has SMs, else one; the SMs of a GPC take strict turns. Afterwards
 * blocks follow completions. Blocks of a 2-D grid are picked along a curve of cups and caps through pairs of rows; 3-D grids were not
 * examined by the seed and are taken in linear order. On an idle chip the room of a GPC is residency times SMs, as the seed has it; for
 * a kernel that meets residents (not examined either) the same rule over the room they leave is our extension. */
#include "placement/placement.h"

#include <string.h>

struct gpcs { /* kept from kernel to kernel */
	int count;
	int *first, *size, *sms; /* the SMs of GPC g, ascending: sms[first[g]] .. */
	int *freed;              /* a ring of SMs in the order of completions */
	uint64_t freed_from, freed_to;
	uint64_t freed_most;
};

struct wave {           /* of one dispatch */
	int64_t left;   /* blocks of the first wave still to place */
	int burst, gpc; /* the GPC that is being served, and how many blocks more it gets in this turn */
	int *priority;  /* by GPC */
	int *next;      /* by GPC: whose turn inside */
};

static size_t state_size(const struct sm_limits *limits)
{
	return sizeof(struct wave) + 2 * (size_t)limits->sm_count * sizeof(int);
}

static int gpc_of(const struct sm_limits *limits, int sm)
{
	return limits->platform->sms == NULL || limits->platform->sms[sm].gpc == NO_ID ? 0 : limits->platform->sms[sm].gpc;
}

static void build(struct placer *placer, struct gpcs *gpcs)
{
	const struct sm_limits *limits = placer->limits;
	size_t count = (size_t)limits->sm_count;
	gpcs->sms = arena_allocate(placer->arena, count, sizeof *gpcs->sms);
	gpcs->first = arena_allocate(placer->arena, count, sizeof *gpcs->first);
	gpcs->size = arena_allocate(placer->arena, count, sizeof *gpcs->size);
	gpcs->freed_most = 2 * count * (size_t)limits->blocks;
	gpcs->freed = arena_allocate(placer->arena, gpcs->freed_most, sizeof *gpcs->freed);
	for (int g = 0, filled = 0; filled < limits->sm_count && g < limits->sm_count; g++) {
		gpcs->first[g] = filled;
		for (int s = 0; s < limits->sm_count; s++)
			if (gpc_of(limits, s) == g)
				gpcs->sms[filled++] = s;
		gpcs->size[g] = filled - gpcs->first[g];
		gpcs->count = g + 1;
	}
}

static void init(struct placer *placer)
{
	struct gpcs *gpcs = placer->state;
	if (gpcs == NULL) {
		gpcs = placer->state = arena_allocate(placer->arena, 1, sizeof *gpcs);
		build(placer, gpcs);
	}
	gpcs->freed_from = gpcs->freed_to = 0;
}

static void begin(struct placer *placer, struct dispatch *dispatch)
{
	struct gpcs *gpcs = placer->state;
	struct wave *wave = dispatch->state;
	int64_t room = 0;
	wave->priority = (int *)(wave + 1);
	wave->next = wave->priority + gpcs->count;
	for (int g = 0; g < gpcs->count; g++) {
		wave->priority[g] = wave->next[g] = 0;
		for (int i = 0; i < gpcs->size[g]; i++)
			wave->priority[g] += dispatch->room->of[gpcs->sms[gpcs->first[g] + i]];
		room += wave->priority[g];
	}
	wave->left = checked_min(room, dispatch->blocks);
	wave->burst = 0;
	gpcs->freed_from = gpcs->freed_to;
}

/* The next SM of a GPC in strict turns that takes the block, or NO_ID. */
static int turn_in(const struct gpcs *gpcs, const struct wave *wave, const struct room *room, int g)
{
	for (int i = 0; i < gpcs->size[g]; i++) {
		int sm = gpcs->sms[gpcs->first[g] + (wave->next[g] + i) % gpcs->size[g]];
		if (room->of[sm] > 0)
			return sm;
	}
	return NO_ID;
}

static int highest(const struct gpcs *gpcs, const struct wave *wave, const struct room *room)
{
	int best = NO_ID;
	for (int g = 0; g < gpcs->count; g++)
		if (turn_in(gpcs, wave, room, g) != NO_ID && (best == NO_ID || wave->priority[g] > wave->priority[best]))
			best = g;
	return best;
}

static int choose_freed(struct placer *placer, const struct dispatch *dispatch)
{
	struct gpcs *gpcs = placer->state;
	for (; gpcs->freed_from < gpcs->freed_to; gpcs->freed_from++) {
		int sm = gpcs->freed[gpcs->freed_from % gpcs->freed_most];
		if (dispatch->room->of[sm] > 0)
			return sm;
	}
	return placer->limits->order[room_first(dispatch->room)];
}

static int choose(struct placer *placer, struct dispatch *dispatch)
{
	const struct gpcs *gpcs = placer->state;
	struct wave *wave = dispatch->state;
	if (wave->left <= 0)
		return choose_freed(placer, dispatch);
	if (wave->burst <= 0 || turn_in(gpcs, wave, dispatch->room, wave->gpc) == NO_ID) {
		wave->gpc = highest(gpcs, wave, dispatch->room);
		wave->burst = dispatch->blocks - dispatch->placed > placer->limits->sm_count ? gpcs->size[wave->gpc] : 1;
	}
	return turn_in(gpcs, wave, dispatch->room, wave->gpc);
}

static int place_in(const struct gpcs *gpcs, int g, int sm)
{
	for (int i = 0; i < gpcs->size[g]; i++)
		if (gpcs->sms[gpcs->first[g] + i] == sm)
			return i;
	return 0;
}

static void placed(struct placer *placer, struct dispatch *dispatch, int sm)
{
	struct gpcs *gpcs = placer->state;
	if (dispatch == NULL)
		return;
	struct wave *wave = dispatch->state;
	int g = gpc_of(placer->limits, sm);
	if (wave->left <= 0) {
		gpcs->freed_from += gpcs->freed_from < gpcs->freed_to;
		return;
	}
	wave->left--;
	wave->burst--;
	wave->priority[g]--;
	wave->next[g] = (place_in(gpcs, g, sm) + 1) % gpcs->size[g];
}

static void released(struct placer *placer, int sm)
{
	struct gpcs *gpcs = placer->state;
	if (gpcs->freed_to - gpcs->freed_from == gpcs->freed_most)
		gpcs->freed_from++;
	gpcs->freed[gpcs->freed_to++ % gpcs->freed_most] = sm;
}

/* In the first wave the choice; afterwards whoever completed, in an order that uncertain completions leave open. */
static void permit(struct placer *placer, struct dispatch *dispatch, const struct between *between, uint64_t *set)
{
	const struct wave *wave = dispatch->state;
	if (dispatch->room->occupied != 0 && wave->left > 0)
		set_add(set, choose(placer, dispatch));
	else
		for (int s = 0; s < placer->limits->sm_count; s++)
			if (between_most(between, s) > 0)
				set_add(set, s);
}

/* Section 4.2. Position `index` in the curve to the linear block id: pairs of rows, even ones from the left by cups, odd ones from the
 * right by caps; an odd last column contributes vertical pieces; an odd last row is swept against the direction before it. */
static int64_t block(const struct dispatch *dispatch, int64_t index)
{
	static const int cup[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}}, cap[4][2] = {{1, 1}, {1, 0}, {0, 0}, {0, 1}};
	int64_t width = dispatch->grid[0], height = dispatch->grid[1];
	if (height == 1 || dispatch->grid[2] != 1)
		return index;
	int64_t pair = index / (2 * width), at = index % (2 * width), paired = width / 2 * 4;
	bool leftward = pair % 2 == 1;
	if (2 * pair + 1 >= height)
		return 2 * pair * width + (leftward ? width - 1 - at : at);
	if (leftward)
		at -= width % 2 * 2;
	if (at < 0 || at >= paired)
		return (2 * pair + (at < 0 ? at + 2 : at - paired)) * width + width - 1;
	int64_t column = leftward ? width / 2 - 1 - at / 4 : at / 4;
	const int *cell = leftward ? cap[at % 4] : cup[at % 4];
	return (2 * pair + cell[1]) * width + 2 * column + cell[0];
}

const struct policy policy_fermi = {
	.name = "fermi",
	.init = init,
	.state_size = state_size,
	.begin = begin,
	.choose = choose,
	.block = block,
	.placed = placed,
	.released = released,
	.permit = permit,
};
