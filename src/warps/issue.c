/* Blocks, warps and units by the clock. */
#include "warps/issue.h"

struct issuer { /* a warp that has begun */
	struct issue_block *block;
	int number, at; /* number: its block's */
	int partition;
	const struct warp_trace *trace;
	long ready;
	bool waits;
};

struct sm_issue {
	const struct issue_machine *machine;
	struct issue_block *blocks;
	int block_count, next_block;
	long *place_free; /* of a place: when the next block may begin, -1: taken */
	int *place_of;    /* of a block */
	struct issuer *warps;
	int warp_count;
	long now;
	long own_free[WARP_UNITS][ISSUE_PARTITIONS], shared_free[WARP_UNITS];
	bool issued[ISSUE_PARTITIONS];
	const struct issuer *last[ISSUE_PARTITIONS]; /* who issued last */
};

static bool ended(const struct issuer *warp)
{
	return warp->at == warp->trace->count;
}

static const struct issue_class *class_of(const struct issuer *warp)
{
	return &warp->block->classes[warp->trace->classes[warp->at]];
}

/* ---- blocks come and go */

static void begin_block(struct sm_issue *sm, int place)
{
	struct issue_block *block = &sm->blocks[sm->next_block];
	block->begin = sm->now;
	sm->place_of[sm->next_block] = place;
	sm->place_free[place] = -1;
	for (int i = 0; i < block->warp_count; i++)
		sm->warps[sm->warp_count++] = (struct issuer){
			block, sm->next_block, 0, (block->first + i) % sm->machine->partitions, &block->warps[i], sm->now, false};
	sm->next_block++;
}

static void begin_blocks(struct sm_issue *sm)
{
	for (int place = 0; place < sm->machine->places && sm->next_block < sm->block_count; place++)
		if (sm->place_free[place] >= 0 && sm->place_free[place] + sm->blocks[sm->next_block].gap <= sm->now)
			begin_block(sm, place);
}

/* A block ends when its last warp could issue again. */
static void end_blocks(struct sm_issue *sm)
{
	for (int b = 0; b < sm->next_block; b++) {
		long last = sm->blocks[b].begin;
		bool over = sm->blocks[b].end < 0;
		for (int i = 0; i < sm->warp_count && over; i++) {
			if (sm->warps[i].number != b)
				continue;
			over = ended(&sm->warps[i]);
			last = sm->warps[i].ready > last ? sm->warps[i].ready : last;
		}
		if (!over || last > sm->now)
			continue;
		sm->blocks[b].end = last;
		sm->place_free[sm->place_of[b]] = sm->now;
	}
}

/* ---- barriers */

static void release(struct sm_issue *sm, int block)
{
	long after = sm->now + sm->blocks[block].classes[CLASS_BARRIER].latency;
	for (int i = 0; i < sm->warp_count; i++)
		if (sm->warps[i].number == block && !ended(&sm->warps[i]) && !sm->warps[i].waits)
			return;
	for (int i = 0; i < sm->warp_count; i++) {
		struct issuer *warp = &sm->warps[i];
		if (warp->number != block || !warp->waits)
			continue;
		warp->ready = warp->ready < after ? after : warp->ready;
		warp->waits = false;
	}
}

/* ---- issue */

static bool is_before(const struct sm_issue *sm, const struct issuer *one, const struct issuer *other)
{
	if (sm->machine->policy == ISSUE_LONGEST_READY && one->ready != other->ready)
		return one->ready < other->ready;
	if (sm->machine->policy == ISSUE_GREEDY) {
		bool goes_on = sm->last[one->partition] == one;
		if (goes_on != (sm->last[other->partition] == other))
			return goes_on;
		return one->number > other->number;
	}
	return one->block->begin != other->block->begin ? one->block->begin < other->block->begin : one < other;
}

static long *unit_of(struct sm_issue *sm, const struct issuer *warp)
{
	const struct issue_class *class = class_of(warp);
	return class->partition ? &sm->own_free[class->unit][warp->partition] : &sm->shared_free[class->unit];
}

/* Who issues next in this cycle; NULL: nobody. */
static struct issuer *choose(struct sm_issue *sm)
{
	struct issuer *best = NULL;
	for (int i = 0; i < sm->warp_count; i++) {
		struct issuer *warp = &sm->warps[i];
		if (ended(warp) || warp->waits || warp->ready > sm->now || sm->issued[warp->partition] || *unit_of(sm, warp) > sm->now)
			continue;
		if (best == NULL || is_before(sm, warp, best))
			best = warp;
	}
	return best;
}

static void issue(struct sm_issue *sm, struct issuer *warp)
{
	const struct issue_class *class = class_of(warp);
	*unit_of(sm, warp) = sm->now + class->occupancy;
	sm->issued[warp->partition] = true;
	sm->last[warp->partition] = warp;
	warp->ready = sm->now + class->latency;
	warp->waits = warp->trace->classes[warp->at] == CLASS_BARRIER;
	warp->at++;
	if (warp->waits || ended(warp))
		release(sm, warp->number);
}

static void cycle(struct sm_issue *sm)
{
	end_blocks(sm);
	begin_blocks(sm);
	for (int p = 0; p < ISSUE_PARTITIONS; p++)
		sm->issued[p] = false;
	for (struct issuer *warp = choose(sm); warp != NULL; warp = choose(sm))
		issue(sm, warp);
	sm->now++;
}

bool issue_run(const struct issue_machine *machine, struct issue_block *blocks, int count, struct arena *arena)
{
	struct sm_issue sm = {.machine = machine, .blocks = blocks, .block_count = count};
	int warps = 0, done = 0;
	for (int i = 0; i < count; i++) {
		warps += blocks[i].warp_count;
		blocks[i].end = -1;
	}
	sm.warps = arena_allocate(arena, (size_t)warps, sizeof *sm.warps);
	sm.place_free = arena_allocate(arena, (size_t)machine->places, sizeof *sm.place_free);
	sm.place_of = arena_allocate(arena, (size_t)count, sizeof *sm.place_of);
	while (done < count && sm.now < machine->most) {
		cycle(&sm);
		for (done = 0; done < count && blocks[done].end >= 0;)
			done++;
	}
	return done == count;
}
