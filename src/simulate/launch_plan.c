/* Placing a launch sequence: heads of streams, the queue's head, blocks that end. */
#include "simulate/launch_plan.h"

struct part { /* the GPU, or a partition of it, which is a machine of its own */
	struct chip chip;
	struct placer placer;
};

struct launch { /* a kernel on its way */
	const struct operation *operation;
	int index, stream, level;
	struct part *part;
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
	const struct policy *policy;
	struct part **parts;           /* [1 + a partition's place in the set], [0]: the whole GPU; NULL: no kernel is of it */
	const struct part *first_part; /* what its policy keeps from kernel to kernel is the chip's */
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

/* Each partition has a queue of its own. */
static struct launch *head(const struct planner *p, const struct part *part)
{
	struct launch *head = NULL;
	for (int i = 0; i < p->count; i++) {
		struct launch *launch = &p->launches[i];
		if (launch->part == part && !launch->over && has_blocks_left(launch) && (head == NULL || launch->level < head->level) &&
			is_ready(p, i))
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
		.block = placement_block(&launch->part->placer, launch->dispatch),
		.decision = p->now > launch->since ? DECISION_WAITED : placement_explain(&launch->part->placer, launch->dispatch, sm)};
	for (int i = 0; i < plan->limits.words; i++)
		p->permitted[i] = 0;
	placement_permitted(&launch->part->placer, launch->dispatch, p->permitted);
	note_alternatives(p, block, sm);
	block->slot = placement_place(&launch->part->placer, launch->dispatch, sm);
	launch->running++;
	plan->end = checked_max(plan->end, block->end);
	if (launch->dispatch->placed == launch->dispatch->blocks) {
		placement_end(&launch->part->placer, launch->dispatch);
		launch->dispatch = NULL;
	}
}

/* Places what the head can; true when the head is out of blocks and another one may follow. */
static bool serve(struct planner *p, struct launch *launch)
{
	if (!launch->begun) {
		launch->dispatch = placement_begin(&launch->part->placer, &launch->room, launch->operation->kernel.grid);
		launch->begun = true;
		launch->since = p->now;
	}
	while (launch->dispatch != NULL) {
		int sm = placement_choose(&launch->part->placer, launch->dispatch);
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

static void end_block(struct planner *p, struct planned_block *block)
{
	struct launch *launch = p->launches;
	while (launch->index != block->operation)
		launch++;
	placement_release(&launch->part->placer, block->sm, block->slot);
	block->slot = NO_ID;
	launch->over = --launch->running == 0 && !has_blocks_left(launch);
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
		end_block(p, block);
	}
	return true;
}

/* ---- the sequence */

static const char *refuse_partition(const struct taskset *set, const struct launch *first, int stream)
{
	int partition = set->streams[stream].partition;
	if (partition > 0 && set->partitions[partition - 1].members == NULL)
		return "its partition does not say which SMs it has: give sms in place of size";
	if ((partition == 0) != (set->streams[first->stream].partition == 0))
		return "some kernels have a partition and others none, whose blocks may be on any SM, the partitions' too";
	return NULL;
}

static struct part *part_of(struct planner *p, int stream)
{
	int partition = p->plan->set->streams[stream].partition;
	struct part **part = &p->parts[partition];
	if (*part == NULL) {
		*part = arena_allocate(p->arena, 1, sizeof **part);
		chip_init(&(*part)->chip, p->arena, &p->plan->limits);
		(*part)->chip.members = partition > 0 ? p->plan->set->partitions[partition - 1].members : NULL;
		if (p->first_part != NULL)
			placement_init_beside(&(*part)->placer, &p->first_part->placer, &(*part)->chip);
		else
			placement_init(&(*part)->placer, p->arena, &(*part)->chip, p->policy);
		p->first_part = p->first_part == NULL ? *part : p->first_part;
	}
	return *part;
}

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
		const char *refused =
			refuse_partition(set, p->count > 0 ? p->launches : &(struct launch){.stream = of->stream}, of->stream);
		if (refused != NULL)
			return refused;
		struct launch *launch = &p->launches[p->count++];
		*launch = (struct launch){.operation = of,
			.index = i,
			.stream = of->stream,
			.level = set->streams[of->stream].level,
			.part = part_of(p, of->stream)};
		if (!shape_init(&launch->shape, &p->plan->limits, &of->kernel))
			return "a block of it fits no SM";
		room_init(&launch->room, p->arena, &launch->part->chip, &launch->shape);
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
	p->policy = policy != NULL ? policy : policy_of(platform->placement);
	p->parts = arena_allocate(arena, (size_t)set->partition_count + 1, sizeof(struct part *));
	p->launches = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *p->launches);
	p->permitted = arena_allocate(arena, (size_t)plan->limits.words, sizeof *p->permitted);
	*reason = prepare(p, set, operation);
	if (*reason != NULL)
		return NULL;
	do
		for (int i = 0; i <= set->partition_count; i++)
			for (struct launch *launch = head(p, p->parts[i]); p->parts[i] != NULL && launch != NULL && serve(p, launch);)
				launch = head(p, p->parts[i]);
	while (advance(p));
	return plan;
}
