/* What the machine does is inside what the map allows: whole runs of random systems under every placement and allocation policy. Whoever
 * is resident beside a block - on its SM, in its TPC, in its GPC, elsewhere - is one whom the map let be there. */
#include "falsify/generate.h"
#include "base/random.h"
#include "map/map.h"
#include "simulate/simulate.h"
#include "unit/run.h"
#include "model/draft.h"

#include <string.h>

#define SYSTEMS 60
#define SHRINKING 254 /* a system in which a block lowers an SM's room by two, under adversarial_fit */
#define SM_LIMIT 64

static const enum placement placements[] = {
	PLACEMENT_UNKNOWN, PLACEMENT_MOST_ROOM, PLACEMENT_ROUND_ROBIN, PLACEMENT_FERMI, PLACEMENT_HOPPER};

/* Each is a test: a chooser with an allocation. NULL: the platform's own. */
static const struct way {
	enum chooser chooser;
	bool own;
	struct allocation_options allocation;
} ways[] = {
	{CHOOSER_PLATFORM, false, {0}},
	{CHOOSER_PLATFORM, true, {ALLOCATION_PARTITIONS, ALLOCATION_FIRST_FIT}},
	{CHOOSER_PLATFORM, true, {ALLOCATION_PARTITIONS, ALLOCATION_BEST_FIT}},
	{CHOOSER_PLATFORM, true, {ALLOCATION_PARTITIONS, ALLOCATION_WORST_FIT}},
	{CHOOSER_PLATFORM, true, {ALLOCATION_PARTITIONS, ALLOCATION_ADVERSARIAL_FIT}},
	{CHOOSER_FIRST, false, {0}},
	{CHOOSER_TIGHTEST, true, {ALLOCATION_PARTITIONS, ALLOCATION_FIRST_FIT}},
	{CHOOSER_RANDOM, false, {0}},
};

struct watch {
	const struct platform *platform;
	const struct taskset *set;
	const struct map *map;
	int sm_count;
	int *blocks;        /* resident, by SM and operation */
	int64_t *of_kernel; /* resident on the chip, by operation */
	int64_t *threads;   /* of a block, by operation */
	int met[4];         /* pairs that were beside one another: on the SM, in the TPC, in the GPC, elsewhere */
	int64_t foreign;    /* the most foreign warps met */
};

static int *resident(const struct watch *watch, int sm, int operation)
{
	return &watch->blocks[sm * watch->set->operation_count + operation];
}

/* Contexts that take turns may leave frozen blocks on an SM beside one another; they never run together. */
static bool one_context(const struct watch *watch, int a, int b)
{
	const struct operation *operations = watch->set->operations;
	const struct stream *streams = watch->set->streams;
	return watch->set->merged_context || !platform_grants(watch->platform, ASSUMPTION_EXCL) ||
	       streams[operations[a].stream].application == streams[operations[b].stream].application;
}

static bool same_unit(int a, int b)
{
	return a == NO_ID || b == NO_ID || a == b;
}

enum { ON_SM, IN_TPC, IN_GPC, OUTSIDE };

/* Where one SM is as seen from another; unknown positions may be anywhere: *all of them* must be allowed. */
static void find_places(const struct watch *watch, int a, int b, bool places[4])
{
	bool known = watch->platform->sms != NULL && watch->platform->map_source != NULL;
	const struct sm_position nowhere = {NO_ID, NO_ID, NO_ID};
	struct sm_position first = known ? watch->platform->sms[a] : nowhere, second = known ? watch->platform->sms[b] : nowhere;
	places[ON_SM] = a == b;
	places[IN_TPC] = a != b && same_unit(first.tpc, second.tpc);
	places[IN_GPC] = a != b && same_unit(first.gpc, second.gpc);
	places[OUTSIDE] = a != b && (first.gpc == NO_ID || second.gpc == NO_ID || first.gpc != second.gpc);
}

static void check_pair(struct watch *watch, int sm, int operation, int other_sm, int other)
{
	const struct kernel_map *kernel = &watch->map->kernels[operation];
	const bool foreign[4] = {kernel->foreign_sm, kernel->foreign_tpc, kernel->foreign_gpc, kernel->foreign_out};
	const bool beside[4] = {kernel->beside_sm, kernel->beside_tpc, kernel->beside_gpc, kernel->beside_out};
	bool places[4];
	find_places(watch, sm, other_sm, places);
	for (int p = 0; p < 4 && kernel->is_kernel; p++) {
		watch->met[p] += places[p] && other != operation;
		ck_assert_msg(!places[p] || beside[p], "operation %d: a neighbour at distance %d, which the map rules out", operation, p);
		ck_assert_msg(
			!places[p] || other == operation || foreign[p], "operation %d: a foreign neighbour at distance %d", operation, p);
	}
	const struct operation *operations = watch->set->operations;
	if (other != operation)
		ck_assert_msg(map_streams_overlap(watch->platform, watch->set, operations[operation].stream, operations[other].stream),
			"operations %d and %d are resident together", operation, other);
}

static void check_warps(struct watch *watch, int sm, int operation)
{
	const struct kernel_map *kernel = &watch->map->kernels[operation];
	int64_t foreign = 0;
	for (int i = 0; i < watch->set->operation_count; i++)
		if (i != operation && one_context(watch, operation, i))
			foreign += *resident(watch, sm, i) * checked_div_ceil(watch->threads[i], THREADS_A_WARP);
	watch->foreign = checked_max(watch->foreign, foreign);
	ck_assert_msg(foreign <= kernel->foreign_warps, "operation %d: %d foreign warps on its SM, the map says %d", operation,
		(int)foreign, (int)kernel->foreign_warps);
	if (kernel->sized && watch->set->operations[operation].kernel.scope == SCOPE_BLOCK) {
		ck_assert_int_le(*resident(watch, sm, operation), kernel->occupancy.greatest);
		ck_assert_int_le(watch->of_kernel[operation], kernel->slots_greatest);
	}
}

/* A block came: it sees all others, and all others see it. */
static void check(struct watch *watch, int sm, int operation)
{
	for (int s = 0; s < watch->sm_count; s++)
		for (int i = 0; i < watch->set->operation_count; i++) {
			if (*resident(watch, s, i) == (s == sm && i == operation) || !one_context(watch, operation, i))
				continue;
			check_pair(watch, sm, operation, s, i);
			check_pair(watch, s, i, sm, operation);
		}
	for (int i = 0; i < watch->set->operation_count; i++)
		if (*resident(watch, sm, i) > 0 && watch->map->kernels[i].is_kernel)
			check_warps(watch, sm, i);
}

static void see(void *context, const struct event *event)
{
	struct watch *watch = context;
	if (event->kind != EVENT_BLOCK_BEGIN && event->kind != EVENT_BLOCK_END)
		return;
	int change = event->kind == EVENT_BLOCK_BEGIN ? 1 : -1;
	*resident(watch, event->sm, event->operation) += change;
	watch->of_kernel[event->operation] += change;
	watch->threads[event->operation] = event->threads;
	if (change == 1)
		check(watch, event->sm, event->operation);
}

/* What policies want to know and a drawn platform lacks. */
static void complete(struct arena *arena, struct platform *platform, enum placement placement)
{
	int64_t count = platform_value(platform, PARAMETER_SM_COUNT);
	platform->placement = placement;
	platform->placement_source = placement == PLACEMENT_UNKNOWN ? NULL : "test";
	if (placement != PLACEMENT_FERMI && placement != PLACEMENT_HOPPER)
		return;
	platform->sms = arena_allocate(arena, (size_t)count, sizeof *platform->sms);
	for (int i = 0; i < count; i++)
		DRAFT(platform->sms)[i] = (struct sm_position){.gpc = i / 4, .tpc = i / 2, .ring = 0};
	platform->gpc_count = (int)(count + 3) / 4;
	platform->map_source = "test";
}

struct tally {
	int runs, met[4];
	int64_t foreign;
};

static void run_one(const struct way *way, uint64_t index, struct tally *tally)
{
	struct arena *arena = arena_create();
	struct falsify_case drawn = generate_case(arena, 20261122, index);
	struct simulate_result result;
	int64_t sms = drawn.set == NULL ? NONE : platform_value(drawn.platform, PARAMETER_SM_COUNT);
	if (sms != NONE && sms <= SM_LIMIT) {
		complete(arena, drawn.platform, placements[index % (sizeof placements / sizeof *placements)]);
		size_t operations = (size_t)drawn.set->operation_count;
		struct watch watch = {.platform = drawn.platform,
			.set = drawn.set,
			.map = map_build(arena, drawn.platform, drawn.set),
			.sm_count = (int)sms,
			.blocks = arena_allocate(arena, operations * (size_t)sms, sizeof *watch.blocks),
			.of_kernel = arena_allocate(arena, operations, sizeof *watch.of_kernel),
			.threads = arena_allocate(arena, operations, sizeof *watch.threads)};
		struct simulate_options options = {.seed = index,
			.durations = {.mode = index % 2 == 0 ? DURATIONS_WORST : DURATIONS_UNIFORM},
			.releases = {.phases = PHASES_ALIGNED, .jobs = 4},
			.switches = {.chooser = way->chooser, .allocation = way->own ? &way->allocation : NULL},
			.most_events = 20000,
			.observer = {see, &watch}};
		tally->runs += simulate_run(arena, drawn.platform, drawn.set, &options, &result) != SIMULATE_REFUSED;
		for (int p = 0; p < 4; p++)
			tally->met[p] += watch.met[p];
		tally->foreign = checked_max(tally->foreign, watch.foreign);
	}
	arena_destroy(arena);
}

START_TEST(neighbours)
{
	struct tally tally = {0};
	for (uint64_t index = 0; index < SYSTEMS; index++)
		run_one(&ways[_i], index, &tally);
	run_one(&ways[_i], SHRINKING, &tally);
	/* Not for want of company. */
	ck_assert_int_ge(tally.runs, SYSTEMS / 2);
	for (int p = 0; p < 4; p++)
		ck_assert_int_ge(tally.met[p], 50);
	ck_assert_int_ge(tally.foreign, 7);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("machine-beside");
	TCase *inside = tcase_create("inside");
	tcase_add_loop_test(inside, neighbours, 0, (int)(sizeof ways / sizeof *ways));
	suite_add_tcase(suite, inside);
	return run_suite(suite);
}
