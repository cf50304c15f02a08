/* Hopper: most room for the set of SMs, and two rings for the order in which blocks go to them ([HOPPER] P1 to P13; the shared
 * memory configurations of rules 5-7 are in configuration.c, the sub-partitions of rule 4 in sm.c).
 *
 * Blocks are numbered batch by batch; a batch is all SMs of the highest level of room, each once (rule 9). Inside a batch the SMs of
 * the singleton ring come first, then the GPCs one after another, the SMs of a GPC in ascending number (rule 10). Each ring goes on
 * after the group it served last. At the start of a kernel one turn passes unused (rule 11). The singletons of a later full batch are
 * served early, after some GPC turns (rule 12). */
#include "placement/hopper.h"

#include "base/assert.h"

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

/* ---- batches */

static size_t state_size(const struct sm_limits *limits)
{
	size_t levels = (size_t)limits->blocks + 1, sms = (size_t)limits->sm_count, words = (size_t)limits->words;
	return sizeof(struct plan) + levels * (sizeof(int64_t) + sizeof(int)) + 4 * words * sizeof(uint64_t) + 2 * sms * sizeof(int) +
	       2 * sms * sizeof(uint8_t);
}

static void lay_out(struct plan *plan, const struct sm_limits *limits)
{
	plan->left = (int64_t *)(plan + 1);
	plan->members = (uint64_t *)(plan->left + limits->blocks + 1);
	plan->scratch = plan->members + limits->words;
	plan->possible = plan->scratch + limits->words;
	plan->sure = plan->possible + limits->words;
	plan->sizes = (int *)(plan->sure + limits->words);
	plan->queue = plan->sizes + limits->blocks + 1;
	plan->singleton_room = (uint8_t *)(plan->queue + 2 * limits->sm_count);
	plan->placed_on = plan->singleton_room + limits->sm_count;
}

/* Batch b is the SMs with room of at least top - b; only its last one may have fewer blocks than SMs. */
static void count_batches(struct plan *plan, const struct room *room, int64_t blocks)
{
	int size = 0;
	plan->top = room_greatest(room);
	plan->batches = 0;
	for (int level = plan->top; level > 0 && blocks > 0; level--) {
		size += room->counts[level];
		plan->left[plan->batches] = blocks;
		plan->sizes[plan->batches++] = size;
		blocks -= size;
	}
}

static void note_singletons(struct plan *plan, const struct rings *rings, const struct room *room)
{
	const struct ring *ring = &rings->rings[RING_SINGLETONS];
	for (int g = 0; g < ring->count; g++)
		for (int i = 0; i < ring->groups[g].count; i++)
			plan->singleton_room[ring->groups[g].sms[i]] = room->of[ring->groups[g].sms[i]];
}

static void restart(struct placer *placer, struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	count_batches(plan, dispatch->room, dispatch->blocks - dispatch->placed);
	note_singletons(plan, placer->state, dispatch->room);
	plan->changes = placer->chip->changes;
	plan->batch = plan->early = plan->turns = plan->queue_count = plan->queue_next = 0;
	plan->last_early = -1;
	plan->gap = EARLY_FIRST;
	plan->batch_turns_done = true;
	plan->batch = -1;
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

/* The singletons of batch b, and with them those SMs of the GPC ring that the view has at its level. */
static void gather(const struct placer *placer, const struct dispatch *dispatch, int b, uint64_t *members)
{
	const struct plan *plan = dispatch->state;
	const struct rings *rings = placer->state;
	const struct sm_limits *limits = placer->limits;
	const uint64_t *level = room_level(dispatch->room, plan->top - b);
	for (int i = 0; i < limits->words; i++)
		members[i] = level[i] & ~rings->singletons[i];
	const struct ring *ring = &rings->rings[RING_SINGLETONS];
	for (int g = 0; g < ring->count; g++)
		for (int i = 0; i < ring->groups[g].count; i++)
			if (plan->singleton_room[ring->groups[g].sms[i]] >= plan->top - b)
				set_add(members, limits->rank[ring->groups[g].sms[i]]);
	if (plan->sizes[b] > plan->left[b])
		truncate_set(members, limits->words, plan->left[b]);
}

/* Queues the singletons of batch `early`; was there any? */
static bool serve_singletons(struct placer *placer, struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	struct rings *rings = placer->state;
	struct ring *ring = &rings->rings[RING_SINGLETONS];
	int words = placer->limits->words, before = plan->queue_count, g;
	gather(placer, dispatch, plan->early, plan->scratch);
	plan->early++;
	while ((g = next_group(ring, plan->scratch, words)) != NO_ID)
		serve(placer->limits, ring, g, plan->scratch, plan);
	return plan->queue_count > before;
}

/* Rule 11. */
static void pass_turn(struct placer *placer, struct plan *plan)
{
	struct rings *rings = placer->state;
	for (int which = RING_COUNT - 1; which >= 0 && !plan->turn_passed; which--) {
		int g = next_group(&rings->rings[which], plan->members, placer->limits->words);
		if (g != NO_ID) {
			rings->rings[which].last = g;
			plan->turn_passed = true;
		}
	}
}

static void begin_batch(struct placer *placer, struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	const struct rings *rings = placer->state;
	gather(placer, dispatch, ++plan->batch, plan->members);
	pass_turn(placer, plan);
	for (int i = 0; i < placer->limits->words; i++)
		plan->members[i] &= ~rings->singletons[i];
	plan->batch_turns_done = false;
	if (plan->batch == 0 && serve_singletons(placer, dispatch))
		plan->last_early = 0;
}

/* Rule 12: do the singletons of batch `early` come before the next GPC turn? */
static bool early_due(const struct plan *plan)
{
	if (plan->early >= plan->batches)
		return false;
	if (plan->batch >= plan->early)
		return true;
	return plan->last_early >= 0 && plan->sizes[plan->early] <= plan->left[plan->early] && plan->turns >= plan->last_early + plan->gap;
}

static void serve_early(struct placer *placer, struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	bool first = plan->last_early < 0 && plan->turns == 0;
	if (!serve_singletons(placer, dispatch))
		return;
	plan->gap = first ? EARLY_FIRST : EARLY_AFTER;
	plan->last_early = plan->turns;
}

/* Queues the SMs of the next turn; false: the plan has no more. */
static bool next_turn(struct placer *placer, struct dispatch *dispatch)
{
	struct plan *plan = dispatch->state;
	struct ring *ring = &((struct rings *)placer->state)->rings[RING_GPCS];
	int words = placer->limits->words, g = NO_ID;
	while (plan->batch < 0 || (g = next_group(ring, plan->members, words)) == NO_ID) {
		if (plan->batch + 1 >= plan->batches)
			break;
		begin_batch(placer, dispatch);
		if (plan->queue_count > 0)
			return true;
	}
	if (g == NO_ID && plan->early >= plan->batches)
		return false;
	while (g == NO_ID ? plan->early < plan->batches : early_due(plan))
		serve_early(placer, dispatch);
	if (g != NO_ID) {
		serve(placer->limits, ring, g, plan->members, plan);
		plan->turns++;
	}
	return plan->queue_count > 0;
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
