/* Who may be active beside whom. */
#include "interference/environment.h"

#include "base/plant.h"

#define ONE_BIT ((uint64_t)1 << ASSUMPTION_ONE)
#define EXCL_BIT ((uint64_t)1 << ASSUMPTION_EXCL)
#define HOST_MEMORY_BIT ((uint64_t)1 << ASSUMPTION_HOST_MEMORY)
#define DRAW_BIT ((uint64_t)1 << ASSUMPTION_DRAW)

struct content {                          /* of a stream */
	bool directions[DIRECTION_COUNT]; /* copies of this direction, memsets */
	bool compute;                     /* any work on the execution engine: kernels, and copies and memsets that run as such */
	bool blocks;                      /* of it what may be on the chip beside other blocks */
	bool draws;                       /* of it what is not: fragment work, by A-DRAW */
	int operations;
};

struct beside {                           /* what the streams other than one hold */
	int64_t streams[DIRECTION_COUNT]; /* with such copies */
	bool compute_in_context, blocks_in_context, draws_in_context;
	bool compute_elsewhere; /* in other contexts */
};

struct sizes { /* of the groups of SMs, greatest over the victim's position; NONE: unknown */
	int64_t sm_blocks, tpc, gpc, out, chip;
};

struct surroundings {
	const struct platform *platform;
	const struct taskset *set;
	const struct map *map;
	struct content *contents; /* one a stream */
	struct beside *besides;   /* one a stream */
	struct sizes sizes;
	struct reach *reach;
	struct environment *found[2]; /* [idle][operation], once asked for */
	bool *asked[2];
};

/* Nothing measured has a class of its own for peer copies; the most that one does to device memory is what a copy inside it does. */
static const enum interferer interferer_of[DIRECTION_COUNT] = {
	[DIRECTION_H2D] = INTERFERER_H2D,
	[DIRECTION_D2H] = INTERFERER_D2H,
	[DIRECTION_D2D] = INTERFERER_D2D,
	[DIRECTION_PEER] = INTERFERER_D2D,
	[DIRECTION_MEMSET] = INTERFERER_MEMSET,
};

enum direction environment_direction(const struct operation *operation)
{
	return operation->kind == OPERATION_MEMSET ? DIRECTION_MEMSET : operation->copy.direction;
}

static bool is_transfer(const struct operation *operation)
{
	return operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET;
}

bool environment_is_compute(const struct platform *platform, const struct operation *operation)
{
	if (is_transfer(operation))
		return platform->engine_of[environment_direction(operation)] < 0;
	return operation->kind == OPERATION_KERNEL || operation->kind == OPERATION_FRAGMENT;
}

/* ---- streams */

static bool has_engine_alone(const struct surroundings *s, const struct operation *operation)
{
	return operation->kind == OPERATION_FRAGMENT && platform_grants(s->platform, ASSUMPTION_DRAW);
}

/* May blocks of other work of its context be on the chip beside it? */
static bool meets_blocks(const struct surroundings *s, const struct operation *operation)
{
	return environment_is_compute(s->platform, operation) && !has_engine_alone(s, operation);
}

static void add_content(struct surroundings *s, const struct operation *operation)
{
	if (operation->stream == NO_ID)
		return;
	struct content *content = &s->contents[operation->stream];
	content->operations++;
	if (is_transfer(operation))
		content->directions[environment_direction(operation)] = true;
	content->compute |= environment_is_compute(s->platform, operation);
	content->blocks |= meets_blocks(s, operation);
	content->draws |= has_engine_alone(s, operation);
}

static bool same_context(const struct taskset *set, int a, int b)
{
	if (planted(PLANT_CLIENTS))
		return set->streams[a].application == set->streams[b].application;
	return taskset_context_of(set, a) == taskset_context_of(set, b);
}

/* Adds what stream `other` puts beside `stream`. */
static void add_beside(struct surroundings *s, int stream, int other)
{
	const struct content *content = &s->contents[other];
	struct beside *beside = &s->besides[stream];
	for (int direction = 0; direction < DIRECTION_COUNT; direction++)
		beside->streams[direction] += content->directions[direction];
	if (same_context(s->set, stream, other)) {
		beside->compute_in_context |= content->compute;
		beside->blocks_in_context |= content->blocks;
		beside->draws_in_context |= content->draws;
	} else {
		beside->compute_elsewhere |= content->compute;
	}
}

static bool may_be_beside(const struct taskset *set, int stream, int other)
{
	bool unit = set->together != NULL && set->together[stream * set->stream_count + other];
	return other != stream && !taskset_keeps_apart(set, stream, other) && !(unit && planted(PLANT_UNIT_FACTOR));
}

static void find_beside(struct surroundings *s, int stream)
{
	for (int other = 0; other < s->set->stream_count; other++)
		if (may_be_beside(s->set, stream, other))
			add_beside(s, stream, other);
}

/* ---- groups of SMs */

enum group { GROUP_TPC, GROUP_GPC };

static int group_of(const struct platform *platform, int64_t sm, enum group group)
{
	return group == GROUP_TPC ? platform->sms[sm].tpc : platform->sms[sm].gpc;
}

/* The sizes of the smallest and the largest group; false where the map is unknown. Identifiers that are unique within a larger
 * group only are counted together, which makes the largest too large: the safe side. */
static bool measure_groups(const struct platform *platform, int64_t sms, enum group group, int *sizes, int64_t *least, int64_t *greatest)
{
	if (platform->map_source == NULL || platform->sms == NULL)
		return false;
	*least = sms;
	*greatest = 0;
	for (int64_t i = 0; i < sms; i++)
		sizes[i] = 0;
	for (int64_t i = 0; i < sms; i++) {
		int id = group_of(platform, i, group);
		if (id < 0 || id >= sms)
			return false;
		sizes[id]++;
	}
	for (int64_t i = 0; i < sms; i++) {
		*greatest = checked_max(*greatest, sizes[i]);
		*least = sizes[i] > 0 ? checked_min(*least, sizes[i]) : *least;
	}
	return true;
}

static struct sizes find_sizes(struct arena *arena, const struct platform *platform)
{
	int64_t sms = sm_set_of_chip(platform).size, others = checked_sub(sms, 1), least, greatest;
	struct sizes sizes = {checked_sub(platform_value(platform, PARAMETER_SM_BLOCKS), 1), others, others, others, sms};
	if (sms == NONE)
		return sizes;
	int *scratch = arena_allocate(arena, (size_t)sms, sizeof *scratch);
	if (measure_groups(platform, sms, GROUP_TPC, scratch, &least, &greatest))
		sizes.tpc = greatest - 1;
	if (measure_groups(platform, sms, GROUP_GPC, scratch, &least, &greatest)) {
		sizes.gpc = greatest - 1;
		sizes.out = sms - least;
	}
	return sizes;
}

struct surroundings *surroundings_create(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct map *map, const struct lp_limits *limits)
{
	struct surroundings *s = arena_allocate(arena, 1, sizeof *s);
	*s = (struct surroundings){.platform = platform, .set = set, .map = map, .sizes = find_sizes(arena, platform)};
	s->reach = reach_create(arena, platform, set, map, limits);
	s->contents = arena_allocate(arena, (size_t)set->stream_count, sizeof *s->contents);
	s->besides = arena_allocate(arena, (size_t)set->stream_count, sizeof *s->besides);
	for (int i = 0; i < set->operation_count; i++)
		add_content(s, &set->operations[i]);
	for (int idle = 0; idle < 2; idle++) {
		s->found[idle] = arena_reserve(arena, (size_t)set->operation_count + 1, sizeof(struct environment));
		s->asked[idle] = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof(bool));
	}
	for (int stream = 0; stream < set->stream_count; stream++)
		find_beside(s, stream);
	return s;
}

/* ---- one operation */

static void activate(struct environment *environment, enum interferer source, int64_t count)
{
	if (environment->active[source])
		count = checked_add(environment->count[source], count);
	environment->active[source] = true;
	environment->count[source] = count;
}

/* Copies and memsets of other streams. Two of one copy engine never run at once. idle: none is on a copy engine. */
static void add_transfers(const struct surroundings *s, const struct operation *operation, bool idle, struct environment *environment)
{
	const struct beside *beside = &s->besides[operation->stream];
	int engine = is_transfer(operation) ? s->platform->engine_of[environment_direction(operation)] : ENGINE_NONE;
	for (int direction = 0; direction < DIRECTION_COUNT; direction++) {
		bool serialized = engine >= 0 && s->platform->engine_of[direction] == engine;
		if (beside->streams[direction] > 0 && !serialized && !(idle && s->platform->engine_of[direction] >= 0))
			activate(environment, interferer_of[direction], beside->streams[direction]);
	}
}

/* Blocks of other work on the same SM, TPC, GPC, elsewhere. The map speaks of kernels; copies that run as kernels may meet all. */
static void add_blocks(const struct surroundings *s, int index, struct environment *environment)
{
	const struct kernel_map *kernel = &s->map->kernels[index];
	const struct beside *beside = &s->besides[s->set->operations[index].stream];
	bool any = !kernel->is_kernel && meets_blocks(s, &s->set->operations[index]) && beside->blocks_in_context;
	int64_t chip = NONE, an_sm = s->sizes.sm_blocks;
	if (!any && kernel->foreign_sm) {
		environment->reachable = reach_find(s->reach, index, an_sm);
		chip = environment->reachable.chip;
		an_sm = environment->reachable.beside;
	}
	if (!any)
		chip = checked_min(chip, kernel->foreign_sms);
	if (any || kernel->foreign_sm)
		activate(environment, INTERFERER_SM, an_sm);
	if (any || kernel->foreign_tpc)
		activate(environment, INTERFERER_TPC, checked_min(s->sizes.tpc, chip));
	if (any || kernel->foreign_gpc)
		activate(environment, INTERFERER_GPC, checked_min(s->sizes.gpc, chip));
	if (any || kernel->foreign_out)
		activate(environment, INTERFERER_OUT, checked_min(s->sizes.out, chip));
	if (beside->compute_elsewhere)
		environment->assumptions |= EXCL_BIT;
	bool left_out = has_engine_alone(s, &s->set->operations[index]) ? beside->compute_in_context : beside->draws_in_context;
	if (left_out)
		environment->assumptions |= DRAW_BIT;
}

static void find_environment(const struct surroundings *s, int operation, bool idle, struct environment *environment)
{
	const struct operation *victim = &s->set->operations[operation];
	bool compute = environment_is_compute(s->platform, victim); /* a block is on an SM itself, a copy beside all */
	*environment = (struct environment){.count[INTERFERER_ALL] = checked_sub(s->sizes.chip, compute || planted(PLANT_JOINT))};
	add_transfers(s, victim, idle, environment);
	if (compute)
		add_blocks(s, operation, environment);
	else if (s->besides[victim->stream].compute_in_context || s->besides[victim->stream].compute_elsewhere)
		activate(environment, INTERFERER_EE, s->sizes.chip);
	bool spared = planted(PLANT_MASTERS) && victim->kernel.memory != KERNEL_MEMORY_DEVICE;
	if (s->platform->integrated && !spared) {
		activate(environment, INTERFERER_CPU, NONE);
		activate(environment, INTERFERER_OTHER, NONE);
	}
	if (s->contents[victim->stream].operations > 1)
		environment->assumptions |= ONE_BIT;
	if (s->set->host_memory)
		environment->assumptions |= HOST_MEMORY_BIT;
}

static const struct environment *environment_once(const struct surroundings *s, int operation, bool idle)
{
	struct environment *found = &s->found[idle][operation];
	if (!s->asked[idle][operation])
		find_environment(s, operation, idle, found);
	s->asked[idle][operation] = true;
	return found;
}

const struct environment *surroundings_of(const struct surroundings *s, int operation)
{
	return environment_once(s, operation, false);
}

const struct environment *surroundings_of_idle(const struct surroundings *s, int operation)
{
	return environment_once(s, operation, true);
}
