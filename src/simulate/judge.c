/* Replays a configuration on two chips, between which the truth lies, and asks the policy before each kernel and each block. */
#include "simulate/judge.h"

#include <string.h>

/* From the end of a block to the begin of the next one in its slot: 192 ns at least, 704 at most; clocks of two SMs differ by up to
 * 128 ns ([HOPPER] P13, [SILICON] 10). So an end this long before a begin was known to whoever decided it: */
#define SURELY_KNOWN 1200
/* ... and one this long after it cannot have been: */
#define PERHAPS_KNOWN 128

void counts_add(struct counts *counts, const struct counts *more)
{
	counts->configurations += more->configurations;
	counts->kernels += more->kernels;
	counts->held += more->held;
	counts->consistent += more->consistent;
	counts->exact_set += more->exact_set;
	counts->exact_block += more->exact_block;
	counts->blocks += more->blocks;
	counts->blocks_consistent += more->blocks_consistent;
	counts->permitted += more->permitted;
	counts->fitting += more->fitting;
	counts->round_robin_exact_set += more->round_robin_exact_set;
}

void judge_init(struct judge *judge, struct arena *arena, const struct sm_limits *limits, const struct replay_registers *registers,
	int64_t carveout)
{
	*judge = (struct judge){.arena = arena, .limits = limits, .registers = registers, .carveout = carveout};
	judge->saved = arena_allocate(arena, (size_t)limits->sm_count, sizeof *judge->saved);
}

/* The machine that a kernel's partition is. */
static struct judged *judged_of(struct judge *judge, const uint64_t *members)
{
	struct judged *judged = judge->all;
	while (judged != NULL && judged->members != members)
		judged = judged->next;
	if (judged != NULL)
		return judged;
	judged = arena_allocate(judge->arena, 1, sizeof *judged);
	chip_init(&judged->late, judge->arena, judge->limits);
	chip_init(&judged->early, judge->arena, judge->limits);
	judged->late.members = judged->early.members = judged->members = members;
	if (judge->all != NULL)
		placement_init_beside(&judged->placer, &judge->all->placer, &judged->late);
	else
		placement_init(&judged->placer, judge->arena, &judged->late, policy_of(judge->limits->platform->placement));
	placement_init(&judged->round_robin, judge->arena, &judged->late, &policy_round_robin);
	judged->next = judge->all;
	return judge->all = judged;
}

enum { COMING = -1, GONE = -2 };

/* What one configuration needs. */
struct session {
	struct judge *judge;
	const struct trace_replay *replay;
	struct counts *counts;
	struct judged **of;           /* by kernel */
	struct shape *shapes;         /* by kernel; per_sm == 0: it fits on no SM */
	struct room *late, *early;    /* by kernel */
	struct dispatch **dispatches; /* by kernel; NULL: not begun */
	int64_t *last_end;            /* by SM: of the blocks that left */
	uint64_t *permitted;          /* a set of SMs */
	int *late_slot, *early_slot;  /* by block: its slot, or one of the values below */
	int late_ended, early_ended;  /* of replay->by_end */
	int *predicted;               /* SMs of one kernel's blocks */
	int *seen, *foreseen;         /* blocks by SM */
};

static void open_session(struct session *session, struct arena *arena)
{
	const struct trace_configuration *trace = session->replay->trace;
	struct judge *judge = session->judge;
	size_t kernels = (size_t)trace->kernel_count, blocks = (size_t)trace->block_count, sms = (size_t)judge->limits->sm_count;
	session->of = arena_allocate(arena, kernels, sizeof *session->of);
	session->shapes = arena_allocate(arena, kernels, sizeof *session->shapes);
	session->late = arena_allocate(arena, kernels, sizeof *session->late);
	session->early = arena_allocate(arena, kernels, sizeof *session->early);
	session->dispatches = arena_allocate(arena, kernels, sizeof *session->dispatches);
	session->permitted = arena_allocate(arena, (size_t)judge->limits->words, sizeof *session->permitted);
	session->late_slot = arena_allocate(arena, blocks, sizeof *session->late_slot);
	session->early_slot = arena_allocate(arena, blocks, sizeof *session->early_slot);
	session->predicted = arena_allocate(arena, blocks, sizeof *session->predicted);
	session->last_end = arena_allocate(arena, sms, sizeof *session->last_end);
	session->seen = arena_allocate(arena, sms, sizeof *session->seen);
	session->foreseen = arena_allocate(arena, sms, sizeof *session->foreseen);
	for (size_t b = 0; b < blocks; b++)
		session->late_slot[b] = session->early_slot[b] = COMING;
	for (int k = 0; k < trace->kernel_count; k++) {
		struct kernel kernel = trace_replay_kernel(&trace->kernels[k], judge->registers, judge->carveout);
		if (!shape_init(&session->shapes[k], judge->limits, &kernel))
			session->shapes[k].per_sm = 0;
		session->of[k] = judged_of(judge, trace->kernels[k].members);
		room_init(&session->late[k], arena, &session->of[k]->late, &session->shapes[k]);
		room_init(&session->early[k], arena, &session->of[k]->early, &session->shapes[k]);
	}
}

/* ---- whole kernels */

/* Lets a policy place a kernel, notes where, and takes everything back. */
static int64_t foresee(struct session *session, struct placer *placer, int k, int *sms)
{
	struct judge *judge = session->judge;
	struct chip *chip = &session->of[k]->late;
	const struct trace_kernel *kernel = &session->replay->trace->kernels[k];
	size_t bytes = (size_t)judge->limits->sm_count * sizeof *judge->saved;
	int residents = chip->residents, configuration = chip->configuration, sm;
	memcpy(judge->saved, chip->sms, bytes);
	struct dispatch *dispatch = placement_begin(placer, &session->late[k], kernel->grid);
	while (dispatch->placed < dispatch->blocks && (sm = placement_choose(placer, dispatch)) != NO_ID) {
		sms[placement_block(placer, dispatch)] = sm;
		placement_place(placer, dispatch, sm);
	}
	int64_t placed = dispatch->placed;
	placement_end(placer, dispatch);
	memcpy(chip->sms, judge->saved, bytes);
	chip->residents = residents;
	chip->configuration = configuration;
	chip->whole = ++chip->changes;
	return placed;
}

static bool same_set(const struct session *session, int k, const int *sms)
{
	const struct trace_kernel *kernel = &session->replay->trace->kernels[k];
	size_t bytes = (size_t)session->judge->limits->sm_count * sizeof *session->foreseen;
	memset(session->foreseen, 0, bytes);
	for (int64_t i = 0; i < kernel->blocks; i++)
		session->foreseen[sms[i]]++;
	return memcmp(session->seen, session->foreseen, bytes) == 0;
}

static bool same_blocks(const struct session *session, int k, const int *sms)
{
	const struct trace_kernel *kernel = &session->replay->trace->kernels[k];
	for (int64_t i = 0; i < kernel->blocks; i++)
		if (session->replay->trace->blocks[kernel->first_block + i].sm != sms[i])
			return false;
	return true;
}

/* Block after block to an SM with the most room, ties open: no SM got a block while another one had more room for it. */
static bool by_most_room(const struct session *session, int k)
{
	const struct room *room = &session->late[k];
	int least_taken = UNLIMITED, most_left = 0;
	for (int s = 0; s < session->judge->limits->sm_count; s++) {
		int left = room->of[s] - session->seen[s];
		if (left < 0)
			return false;
		if (session->seen[s] > 0 && left + 1 < least_taken)
			least_taken = left + 1;
		if (left > most_left)
			most_left = left;
	}
	return least_taken >= most_left;
}

static void judge_held(struct session *session, int k)
{
	const struct trace_kernel *kernel = &session->replay->trace->kernels[k];
	struct counts *counts = session->counts;
	struct judge *judge = session->judge;
	memset(session->seen, 0, (size_t)judge->limits->sm_count * sizeof *session->seen);
	for (int64_t i = 0; i < kernel->blocks; i++)
		session->seen[session->replay->trace->blocks[kernel->first_block + i].sm]++;
	counts->held++;
	room_refresh(&session->late[k]);
	bool consistent = session->of[k]->placer.policy->fullest && by_most_room(session, k);
	if (foresee(session, &session->of[k]->round_robin, k, session->predicted) == kernel->blocks)
		counts->round_robin_exact_set += same_set(session, k, session->predicted);
	bool whole = foresee(session, &session->of[k]->placer, k, session->predicted) == kernel->blocks;
	bool set = whole && same_set(session, k, session->predicted);
	counts->exact_set += set;
	counts->exact_block += set && same_blocks(session, k, session->predicted);
	counts->consistent += consistent || set;
}

/* ---- single blocks */

/* It leaves the late chip or the early one, as slots says. */
static void leave(struct session *session, int *slots, int block)
{
	const struct trace_block *leaving = &session->replay->trace->blocks[block];
	struct judged *judged = session->of[session->replay->kernel_of[block]];
	if (slots[block] >= 0)
		chip_release(slots == session->late_slot ? &judged->late : &judged->early, leaving->sm, slots[block]);
	slots[block] = GONE;
	if (session->last_end[leaving->sm] < leaving->end)
		session->last_end[leaving->sm] = leaving->end;
}

/* Blocks that ended by then leave the late chips or the early ones. */
static void expire(struct session *session, int *slots, int *ended, int64_t until)
{
	const struct trace_replay *replay = session->replay;
	for (; *ended < replay->trace->block_count; ++*ended) {
		int b = replay->by_end[*ended];
		if (replay->trace->blocks[b].end > until)
			return;
		leave(session, slots, b);
	}
}

/* The block is on its SM, so whoever stood in its way there had left: those that ended first, up to its own begin, go. */
static void make_way(struct session *session, struct chip *chip, int *slots, int ended, int block)
{
	const struct trace_replay *replay = session->replay;
	const struct trace_block *arriving = &replay->trace->blocks[block];
	const struct shape *shape = &session->shapes[replay->kernel_of[block]];
	for (; ended < replay->trace->block_count && chip_room(chip, arriving->sm, shape) == 0; ended++) {
		int b = replay->by_end[ended];
		if (replay->trace->blocks[b].end > arriving->begin)
			return;
		if (replay->trace->blocks[b].sm == arriving->sm)
			leave(session, slots, b);
	}
}

static int count_fitting(const struct room *room)
{
	const struct sm_limits *limits = room->chip->limits;
	return limits->sm_count - room->counts[0];
}

static void judge_block(struct session *session, int block)
{
	int k = session->replay->kernel_of[block], sm = session->replay->trace->blocks[block].sm;
	struct room *late = &session->late[k], *early = &session->early[k];
	struct counts *counts = session->counts;
	counts->permitted += placement_permitted_between(&session->of[k]->placer, session->dispatches[k], late, early, session->permitted);
	counts->blocks_consistent += set_has(session->permitted, sm);
	counts->fitting += count_fitting(early);
}

static void begin_kernel(struct session *session, int k)
{
	struct judged *judged = session->of[k];
	for (int s = 0; s < session->judge->limits->sm_count; s++)
		if (judged->late.sms[s].count == 0)
			sm_settle(&judged->early.sms[s]);
	if (session->replay->held[k])
		judge_held(session, k);
	session->dispatches[k] = placement_begin(&judged->placer, &session->late[k], session->replay->trace->kernels[k].grid);
}

/* What a block's presence says about the configuration of its SM, before it is placed: it admits the block. */
static void learn_configuration(struct session *session, int block)
{
	int s = session->replay->trace->blocks[block].sm, k = session->replay->kernel_of[block];
	struct sm *late = &session->of[k]->late.sms[s], *early = &session->of[k]->early.sms[s];
	const struct shape *shape = &session->shapes[k];
	if (late->count > 0 && !shape_admits(shape, late->configuration))
		late->configuration = early->configuration;
	else if (late->count > 0 && early->count > 0 && !shape_admits(shape, early->configuration))
		early->configuration = late->configuration;
}

/* Whether an SM was idle when the kernel came to the head, and so has the kernel's target and not what it had (kept; 0: nothing), may be
 * open: the early chip has the greater of the two, which admits more, the late one the lesser. */
static void settle_configuration(struct session *session, int block, int kept)
{
	const struct trace_replay *replay = session->replay;
	int s = replay->trace->blocks[block].sm, k = replay->kernel_of[block];
	struct sm *late = &session->of[k]->late.sms[s], *early = &session->of[k]->early.sms[s];
	bool open = replay->decided[replay->trace->kernels[k].first_block] > session->last_end[s];
	int target = session->shapes[k].target;
	if (late->count == 0 || early->count == 0)
		return;
	if (kept > 0 && shape_admits(&session->shapes[k], kept) && open && early->count == 1) {
		early->configuration = kept > target ? kept : target;
		late->configuration = kept < target ? kept : target;
	}
	if (late->configuration > early->configuration) {
		int greater = late->configuration;
		late->configuration = early->configuration;
		early->configuration = greater;
	}
}

/* A block may be so short that it was taken for gone before it came: the moment of its decision is known less exactly than its end. */
static void arrive(struct session *session, int *slots, int block, int slot)
{
	bool gone = slots[block] == GONE;
	slots[block] = slot;
	if (gone)
		leave(session, slots, block);
}

/* When it could have been placed, had the dispatcher needed no time: when the block before it was, or when a later end left room for it
 * somewhere. Ends up to that one leave the early chip. */
static int64_t possible_since(struct session *session, int block, bool *waited)
{
	const struct trace_replay *replay = session->replay;
	struct room *room = &session->early[replay->kernel_of[block]];
	int64_t since = session->of[replay->kernel_of[block]]->last_decided;
	for (room_refresh(room); room_greatest(room) == 0; room_refresh(room)) {
		int next = session->early_ended < replay->trace->block_count ? replay->by_end[session->early_ended] : NO_ID;
		if (next == NO_ID || replay->trace->blocks[next].end > replay->trace->blocks[block].begin)
			return NONE; /* the model would not admit it */
		*waited = true;
		since = checked_max(since, replay->trace->blocks[next].end);
		session->early_ended++;
		leave(session, session->early_slot, next);
	}
	return since;
}

static void note_delay(struct session *session, int block)
{
	const struct trace_replay *replay = session->replay;
	int k = replay->kernel_of[block];
	bool first = block == replay->trace->kernels[k].first_block, waited = false;
	if (session->shapes[k].per_sm == 0)
		return;
	int64_t since = possible_since(session, block, &waited);
	if (since != NONE && (!first || waited))
		delays_note(session->judge->delays, session->shapes[k].warps, replay->trace->blocks[block].begin - since,
			session->judge->promised);
}

static void replay_block(struct session *session, int block)
{
	const struct trace_replay *replay = session->replay;
	struct judge *judge = session->judge;
	int k = replay->kernel_of[block], sm = replay->trace->blocks[block].sm;
	struct judged *judged = session->of[k];
	const struct shape *shape = &session->shapes[k];
	bool unplaced = true;
	if (judge->delays != NULL)
		note_delay(session, block);
	judged->last_decided = replay->decided[block];
	expire(session, session->early_slot, &session->early_ended, replay->decided[block] + PERHAPS_KNOWN);
	expire(session, session->late_slot, &session->late_ended, replay->decided[block] - SURELY_KNOWN - 1);
	session->counts->blocks++;
	if (shape->per_sm > 0) {
		make_way(session, &judged->early, session->early_slot, session->early_ended, block);
		make_way(session, &judged->late, session->late_slot, session->late_ended, block);
		if (session->dispatches[k] == NULL)
			begin_kernel(session, k);
		judge_block(session, block);
		learn_configuration(session, block);
		int kept = judged->early.sms[sm].count == 0 ? judged->early.sms[sm].configuration : 0;
		int early = chip_take(&judged->early, sm, shape), late = placement_place(&judged->placer, session->dispatches[k], sm);
		settle_configuration(session, block, kept);
		unplaced = late < 0;
		arrive(session, session->early_slot, block, early);
		arrive(session, session->late_slot, block, late);
	} else if (block == replay->trace->kernels[k].first_block)
		session->counts->held += replay->held[k];
	if (unplaced)
		placement_observe(&judged->placer, sm);
	if (!replay->held[k])
		placement_observe(&judged->round_robin, sm);
}

void judge_configuration(struct judge *judge, const struct trace_replay *replay, struct counts *counts)
{
	struct arena *arena = arena_create();
	struct session session = {.judge = judge, .replay = replay, .counts = counts};
	open_session(&session, arena);
	for (struct judged *judged = judge->all; judged != NULL; judged = judged->next) {
		chip_reset(&judged->late);
		chip_reset(&judged->early);
		placement_forget(&judged->round_robin);
		judged->last_decided = 0;
	}
	counts->configurations++;
	counts->kernels += replay->trace->kernel_count;
	for (int i = 0; i < replay->trace->block_count; i++)
		replay_block(&session, replay->by_decision[i]);
	for (int k = 0; k < replay->trace->kernel_count; k++)
		if (session.dispatches[k] != NULL)
			placement_end(&session.of[k]->placer, session.dispatches[k]);
	arena_destroy(arena);
}
