/* Hopper: most room for the set of SMs, and two rings for the order in which blocks go to them ([HOPPER] P1 to P13; the shared
 * memory configurations of rules 5-7 are in configuration.c, the sub-partitions of rule 4 in sm.c).
 *
 * Blocks are numbered layer by layer; a layer is all SMs whose room is so much below the highest at most, each once (rule 9). Inside a
 * layer the SMs of the singleton ring come first, then the GPCs one after another, the SMs of a GPC in ascending number (rule 10). Each
 * ring goes on after the group it served last. At the start of a kernel one turn passes unused (rule 11). After every eight turns the next
 * layer is open, whatever the one before still lacks (rule 12), and the rest behind the whole layers as soon as its SMs have been sought
 * (rule 17). */
#include "placement/hopper.h"

#include "base/assert.h"

#include <limits.h>
#include <string.h>

static int turn_ring(int turn)
{
	return (int)((unsigned)turn % RING_COUNT);
}

static int turn_group(int turn)
{
	return (int)((unsigned)turn / RING_COUNT);
}

static int ring_of(const struct platform *platform, int sm)
{
	return platform->sms != NULL && platform->sms[sm].ring == RING_SINGLETONS ? RING_SINGLETONS : RING_GPCS;
}

static int gpc_of(const struct platform *platform, int sm)
{
	return platform->sms == NULL ? NO_ID : platform->sms[sm].gpc;
}

/* The groups of a ring are its GPCs, the one with the lowest SM first. */
static void build_ring(struct placer *placer, struct rings *rings, int which)
{
	const struct sm_limits *limits = placer->limits;
	struct ring *ring = &rings->rings[which];
	int *gpcs = arena_allocate(placer->arena, (size_t)limits->sm_count, sizeof *gpcs);
	ring->groups = arena_allocate(placer->arena, (size_t)limits->sm_count, sizeof *ring->groups);
	for (int s = 0; s < limits->sm_count; s++) {
		int g = 0, gpc = gpc_of(limits->platform, s);
		if (ring_of(limits->platform, s) != which)
			continue;
		while (g < ring->count && gpcs[g] != gpc)
			g++;
		struct group *group = &ring->groups[g];
		if (g == ring->count) {
			gpcs[ring->count++] = gpc;
			group->sms = arena_allocate(placer->arena, (size_t)limits->sm_count, sizeof *group->sms);
			group->ranks = arena_allocate(placer->arena, (size_t)limits->words, sizeof *group->ranks);
		}
		group->sms[group->count++] = s;
		set_add(group->ranks, limits->rank[s]);
		rings->turns[s] = turn_number(which, g);
		if (which == RING_SINGLETONS)
			set_add(rings->singletons, limits->rank[s]);
	}
}

static void init(struct placer *placer)
{
	struct rings *rings = placer->state;
	if (rings == NULL) {
		rings = placer->state = arena_allocate(placer->arena, 1, sizeof *rings);
		rings->turns = arena_allocate(placer->arena, (size_t)placer->limits->sm_count, sizeof *rings->turns);
		rings->singletons = arena_allocate(placer->arena, (size_t)placer->limits->words, sizeof *rings->singletons);
		for (int i = 0; i < RING_COUNT; i++)
			build_ring(placer, rings, i);
	}
	for (int i = 0; i < RING_COUNT; i++)
		rings->rings[i].last = rings->rings[i].count - 1;
}

/* ---- sets of ranks */

static bool intersects(const uint64_t *a, const uint64_t *b, int words)
{
	uint64_t common = 0;
	for (int i = 0; i < words; i++)
		common |= a[i] & b[i];
	return common != 0;
}

/* Keeps the first `most` members. */
static void truncate_set(uint64_t *set, int words, int64_t most)
{
	for (int i = 0; i < words; i++) {
		int count = __builtin_popcountll(set[i]);
		for (; count > most; count--)
			set[i] &= ~(UINT64_C(1) << (63 - __builtin_clzll(set[i])));
		most -= count;
	}
}

/* ---- turns */

/* The next group of the ring that has an SM in the set, or NO_ID. */
static int next_group(const struct ring *ring, const uint64_t *members, int words)
{
	for (int i = 1; i <= ring->count; i++) {
		int g = (ring->last + i) % ring->count;
		if (intersects(ring->groups[g].ranks, members, words))
			return g;
	}
	return NO_ID;
}

/* Serves one group: its SMs that are members join the queue and leave the members. */
static void serve(const struct sm_limits *limits, struct ring *ring, int g, uint64_t *members, struct plan *plan)
{
	const struct group *group = &ring->groups[g];
	for (int i = 0; i < group->count; i++)
		if (set_has(members, limits->rank[group->sms[i]]))
			plan->queue[plan->queue_count++] = group->sms[i];
	for (int i = 0; i < limits->words; i++)
		members[i] &= ~group->ranks[i];
	ring->last = g;
}

/* ---- layers */

static size_t state_size(const struct sm_limits *limits)
{
	size_t sms = (size_t)limits->sm_count, words = (size_t)limits->words;
	return sizeof(struct plan) + 4 * words * sizeof(uint64_t) + sms * sizeof(int) + sms * sizeof(uint8_t);
}

static void lay_out(struct plan *plan, const struct sm_limits *limits)
{
	plan->members = (uint64_t *)(plan + 1);
	plan->possible = plan->members + limits->words;
	plan->sure = plan->possible + limits->words;
	plan->rest_members = plan->sure + limits->words;
	plan->queue = (int *)(plan->rest_members + limits->words);
	plan->placed_on = (uint8_t *)(plan->queue + limits->sm_count);
}

/* Layer l is the SMs with room of at least top - l, each once; what is left for no whole one is the rest. */
static void count_layers(struct plan *plan, const struct room *room, int64_t blocks)
{
	int size = 0;
	plan->top = room_greatest(room);
	plan->layers = 0;
	for (int level = plan->top; level > 0 && (size += room->counts[level]) <= blocks; level--) {
		plan->layers++;
		blocks -= size;
	}
	plan->rest = plan->layers < plan->top ? blocks : 0;
}

static void restart(struct placer *placer, struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	count_layers(plan, dispatch->room, dispatch->blocks - dispatch->placed);
	plan->changes = placer->chip->changes;
	plan->layer = -1;
	plan->turns = plan->queue_count = plan->queue_next = 0;
}

static void begin(struct placer *placer, struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	lay_out(plan, placer->limits);
	plan->turn_passed = false;
	plan->placed_turns = 0;
	plan->last_sm = plan->last_turn = NO_ID;
	memset(plan->placed_on, 0, (size_t)placer->limits->sm_count);
	plan->changes = placer->chip->changes - 1;
}

/* The SMs that have yet to get a block of this layer or one before it. */
static void gather(const struct placer *placer, const struct dispatch *dispatch, int layer, uint64_t *members)
{
	const struct plan *plan = dispatch->state;
	int words = placer->limits->words;
	memset(members, 0, (size_t)words * sizeof *members);
	for (int level = plan->top - layer; level <= plan->top; level++)
		for (int i = 0; i < words; i++)
			members[i] |= room_level(dispatch->room, level)[i];
}

/* Rule 11. */
static bool pass_turn(struct placer *placer, struct plan *plan)
{
	struct rings *rings = placer->state;
	for (int which = RING_COUNT - 1; which >= 0 && !plan->turn_passed; which--) {
		int g = next_group(&rings->rings[which], plan->members, placer->limits->words);
		if (g != NO_ID) {
			rings->rings[which].last = g;
			return plan->turn_passed = true;
		}
	}
	return false;
}

/* Rule 17: the SMs of the rest are sought one after another in the platform's order, as many in each turn, from the twelfth one behind the
 * opening of the last whole layer on, as stands here. Measured of all rests of 132 SMs; what lies behind the last of these is not. */
#define SEEK_FIRST 12
static const uint8_t sought[] = {1, 1, 2, 0, 0, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 3, 3, 2, 3, 2, 3, 3, 2, 3, 3, 0, 0, 3, 3, 3,
	3, 3, 3, 3, 3, 3, 3, 3, 2, 3, 3, 2, 3, 2, 3, 3, 2};

static int turns_to_seek(const uint64_t *members, int words)
{
	int last = words - 1, turn = 0;
	while (last > 0 && members[last] == 0)
		last--;
	int ranks = members[last] == 0 ? 0 : 64 * (last + 1) - __builtin_clzll(members[last]);
	for (; turn < (int)sizeof sought && ranks > 0; turn++)
		ranks -= sought[turn];
	return SEEK_FIRST - 1 + turn + (ranks > 0 ? ranks : 0);
}

static void find_rest(const struct placer *placer, const struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	memset(plan->rest_members, 0, (size_t)placer->limits->words * sizeof *plan->rest_members);
	if (plan->rest == 0)
		return;
	gather(placer, dispatch, plan->layers, plan->rest_members);
	truncate_set(plan->rest_members, placer->limits->words, plan->rest);
}

/* Who lacks a block of what is open; false: nobody. */
static bool lacks(const struct placer *placer, const struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	bool all = plan->layer == plan->layers;
	int words = placer->limits->words;
	gather(placer, dispatch, plan->layer - all, plan->members);
	for (int i = 0; i < words && all && plan->rest > 0; i++)
		plan->members[i] |= plan->rest_members[i] & room_level(dispatch->room, plan->top - plan->layers)[i];
	return intersects(plan->members, plan->members, words);
}

/* The next whole layer, or the rest behind them. */
static void open_layer(const struct placer *placer, const struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	plan->layer++;
	plan->turns = plan->layer == plan->layers ? INT_MAX : CYCLE_TURNS;
	if (plan->layer + 1 < plan->layers)
		return;
	find_rest(placer, dispatch);
	if (plan->layer < plan->layers)
		plan->turns = turns_to_seek(plan->rest_members, placer->limits->words);
}

/* At the begin of a cycle a layer is opened, and the singletons of it come. False: nothing is left to plan. */
static bool begin_cycle(struct placer *placer, struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	struct ring *singletons = &((struct rings *)placer->state)->rings[RING_SINGLETONS];
	int words = placer->limits->words, g;
	if (plan->layer == plan->layers)
		return false;
	open_layer(placer, dispatch);
	lacks(placer, dispatch);
	plan->turns -= pass_turn(placer, plan);
	for (; (g = next_group(singletons, plan->members, words)) != NO_ID; plan->turns--)
		serve(placer->limits, singletons, g, plan->members, plan);
	return true;
}

/* Behind the last whole layer an SM may lack more than one block. */
static bool goes_on(const struct placer *placer, const struct dispatch *dispatch)
{
	const struct plan *plan = dispatch->state;
	return plan->turns > 0 && plan->layer + 1 >= plan->layers && lacks(placer, dispatch);
}

/* Queues the SMs of the next turn; false: the plan has no more. */
static bool next_turn(struct placer *placer, struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	struct ring *gpcs = &((struct rings *)placer->state)->rings[RING_GPCS];
	while (plan->queue_count == 0) {
		int g = plan->turns > 0 ? next_group(gpcs, plan->members, placer->limits->words) : NO_ID;
		if (g != NO_ID) {
			serve(placer->limits, gpcs, g, plan->members, plan);
			plan->turns--;
		} else if (!goes_on(placer, dispatch) && !begin_cycle(placer, dispatch))
			return false;
	}
	return true;
}

/* After a release that leaves one SM with room, which is the common case of a kernel that waits, there is nothing to order. */
static bool lone(const struct room *room, int *sm)
{
	const struct sm_limits *limits = room->chip->limits;
	if (room->counts[0] != limits->sm_count - 1)
		return false;
	*sm = limits->order[room_first(room)];
	return true;
}

/* Apart, so that the common answers of choose need no stack. */
__attribute__((noinline)) static int choose_anew(struct placer *placer, struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	if (plan->changes != placer->chip->changes)
		restart(placer, dispatch);
	if (plan->queue_next == plan->queue_count) {
		plan->queue_next = plan->queue_count = 0;
		bool more = next_turn(placer, dispatch);
		assert(more);
		(void)more;
	}
	return plan->queue[plan->queue_next];
}

static int choose(struct placer *placer, struct dispatch *dispatch)
{
	const struct plan *plan = dispatch->state;
	int only;
	if (plan->changes == placer->chip->changes && plan->queue_next < plan->queue_count)
		return plan->queue[plan->queue_next];
	if (plan->changes != placer->chip->changes && plan->turn_passed && lone(dispatch->room, &only))
		return only;
	return choose_anew(placer, dispatch);
}

static void note(const struct rings *rings, struct plan *plan, int sm)
{
	int turn = rings->turns[sm];
	plan->placed_turns += turn_ring(turn) == RING_GPCS && turn != plan->last_turn;
	plan->last_turn = turn;
	plan->last_sm = sm;
	plan->placed_on[sm] += plan->placed_on[sm] < UINT8_MAX;
}

/* A block that takes a contiguous piece may lower the room by more than one: nothing is planned beyond it. */
static bool as_planned(const struct placer *placer, const struct plan *plan, int sm)
{
	return plan->changes + 1 == placer->chip->changes && !placer->limits->contiguous && plan->queue_next < plan->queue_count &&
	       plan->queue[plan->queue_next] == sm;
}

static void placed(struct placer *placer, struct dispatch *dispatch, int sm)
{
	struct rings *rings = placer->state;
	struct plan *plan = dispatch == NULL ? NULL : dispatch->state;
	if (plan != NULL) {
		note(rings, plan, sm);
		if (as_planned(placer, plan, sm)) {
			plan->queue_next++;
			plan->changes++;
			return;
		}
	}
	rings->rings[turn_ring(rings->turns[sm])].last = turn_group(rings->turns[sm]);
}

const struct policy policy_hopper = {
	.name = "hopper",
	.fullest = true,
	.init = init,
	.state_size = state_size,
	.begin = begin,
	.choose = choose,
	.placed = placed,
	.permit = hopper_permit,
};
