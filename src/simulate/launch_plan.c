/* Placing a launch sequence: heads of streams, the queue's head, blocks that end. */
#include "simulate/launch_plan.h"

struct launch { /* a kernel on its way */
	const struct operation *operation;
	int index, stream, level;
	struct shape shape;
	struct room room;
	struct dispatch *dispatch; /* NULL: not begun or all placed */
	int64_t running;           /* blocks placed and not ended */
	int64_t since;             /* when it came to the head */
	bool begun, over;
};

struct planner {
	struct arena *arena;
	struct launch_plan *plan;
	struct chip chip;
	struct placer placer;
	struct launch *launches;
	int count;
	uint64_t *permitted;
	int first_open; /* plan->blocks before it have ended */
	int64_t now;
};

/* ---- which kernel is at the head */

static bool is_ready(const struct planner *p, int index)
{
	for (int i = 0; i < index; i++)
		if (p->launches[i].stream == p->launches[index].stream && !p->launches[i].over)
			return false;
	return true;
}

static bool has_blocks_left(const struct launch *launch)
{
	return !launch->begun || launch->dispatch != NULL;
}

static struct launch *head(const struct planner *p)
{
	struct launch *head = NULL;
	for (int i = 0; i < p->count; i++) {
		struct launch *launch = &p->launches[i];
		if (!launch->over && has_blocks_left(launch) && (head == NULL || launch->level < head->level) && is_ready(p, i))
			head = launch;
	}
	return head;
}

/* ---- one block */

static void note_alternatives(struct planner *p, struct planned_block *block, int sm)
{
	struct launch_plan *plan = p->plan;
	int most = p->plan->limits.sm_count;
	plan->alternatives = arena_grow(
		p->arena, plan->alternatives, &plan->alternative_capacity, plan->alternative_count + most, sizeof *plan->alternatives);
	block->first_alternative = plan->alternative_count;
	for (int s = 0; s < most; s++)
		if (s != sm && set_has(p->permitted, s))
			plan->alternatives[plan->alternative_count++] = s;
	block->alternative_count = plan->alternative_count - block->first_alternative;
}

static void place(struct planner *p, struct launch *launch, int sm)
{
	struct launch_plan *plan = p->plan;
	plan->blocks = arena_grow(p->arena, plan->blocks, &plan->block_capacity, plan->block_count + 1, sizeof *plan->blocks);
	struct planned_block *block = &plan->blocks[plan->block_count++];
	*block = (struct planned_block){.operation = launch->index,
		.begin = p->now,
		.end = p->now + launch->operation->wcet,
		.sm = sm,
		.block = placement_block(&p->placer, launch->dispatch),
		.decision = p->now > launch->since ? DECISION_WAITED : placement_explain(&p->placer, launch->dispatch, sm)};
	for (int i = 0; i < plan->limits.words; i++)
		p->permitted[i] = 0;
	placement_permitted(&p->placer, launch->dispatch, p->permitted);
	note_alternatives(p, block, sm);
	block->slot = placement_place(&p->placer, launch->dispatch, sm);
	launch->running++;
	plan->end = checked_max(plan->end, block->end);
	if (launch->dispatch->placed == launch->dispatch->blocks) {
		placement_end(&p->placer, launch->dispatch);
		launch->dispatch = NULL;
	}
}

/* Places what the head can; true when the head is out of blocks and another one may follow. */
static bool serve(struct planner *p, struct launch *launch)
{
	if (!launch->begun) {
		launch->dispatch = placement_begin(&p->placer, &launch->room, launch->operation->kernel.grid);
		launch->begun = true;
		launch->since = p->now;
	}
	while (launch->dispatch != NULL) {
		int sm = placement_choose(&p->placer, launch->dispatch);
		if (sm == NO_ID)
			return false;
		place(p, launch, sm);
	}
	return true;
}

/* ---- time */

static bool has_ended(const struct planned_block *block)
{
	return block->slot == NO_ID;
}

/* All blocks that end first, together: what becomes free at one instant is one decision's choice. */
static bool advance(struct planner *p)
{
	struct launch_plan *plan = p->plan;
	int64_t next = NONE;
	while (p->first_open < plan->block_count && has_ended(&plan->blocks[p->first_open]))
		p->first_open++;
	for (int i = p->first_open; i < plan->block_count; i++)
		if (!has_ended(&plan->blocks[i]))
			next = checked_min(next, plan->blocks[i].end);
	if (next == NONE)
		return false;
	p->now = next;
	for (int i = p->first_open; i < plan->block_count; i++) {
		struct planned_block *block = &plan->blocks[i];
		if (has_ended(block) || block->end != next)
			continue;
		placement_release(&p->placer, block->sm, block->slot);
		block->slot = NO_ID;
		for (int j = 0; j < p->count; j++)
			if (p->launches[j].index == block->operation && --p->launches[j].running == 0 && !has_blocks_left(&p->launches[j]))
				p->launches[j].over = true;
	}
	return true;
}

/* ---- the sequence */

static const char *prepare(struct planner *p, const struct taskset *set, int *operation)
{
	int64_t blocks = 0;
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *of = &set->operations[i];
		if (of->kind != OPERATION_KERNEL)
			continue;
		*operation = i;
		if (of->kernel.scope == SCOPE_GRID)
			return "only its whole time is known (scope=\"grid\"), which says nothing of when each block ends: give the WCET "
			       "of a block";
		if (of->wcet == NONE)
			return "nothing bounds how long a block of it lasts";
		struct launch *launch = &p->launches[p->count++];
		*launch = (struct launch){.operation = of, .index = i, .stream = of->stream, .level = set->streams[of->stream].level};
		if (!shape_init(&launch->shape, &p->plan->limits, &of->kernel))
			return "a block of it fits no SM";
		room_init(&launch->room, p->arena, &p->chip, &launch->shape);
		blocks = checked_add(blocks, of->kernel.blocks);
		if (blocks > PLAN_BLOCKS_MOST)
			return "with it the set has more than 100000 blocks, too many to show one by one";
	}
	*operation = NO_ID;
	return p->count == 0 ? "it has no kernel" : NULL;
}

struct launch_plan *launch_plan_make(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct policy *policy, const char **reason, int *operation)
{
	const char *missing;
	struct launch_plan *plan = arena_allocate(arena, 1, sizeof *plan);
	struct planner planner = {.arena = arena, .plan = plan}, *p = &planner;
	*plan = (struct launch_plan){.platform = platform, .set = set};
	*operation = NO_ID;
	if (!sm_limits_read(&plan->limits, arena, platform, NULL, &missing)) {
		*reason = arena_format(arena, "the platform does not say %s", missing);
		return NULL;
	}
	chip_init(&p->chip, arena, &plan->limits);
	placement_init(&p->placer, arena, &p->chip, policy != NULL ? policy : policy_of(platform->placement));
	p->launches = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *p->launches);
	p->permitted = arena_allocate(arena, (size_t)plan->limits.words, sizeof *p->permitted);
	*reason = prepare(p, set, operation);
	if (*reason != NULL)
		return NULL;
	do
		for (struct launch *launch = head(p); launch != NULL && serve(p, launch);)
			launch = head(p);
	while (advance(p));
	return plan;
}
