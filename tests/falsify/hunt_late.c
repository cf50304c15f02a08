/* Hunts systems in which blocks begin late: room that is left unused, first instructions that come late beside other blocks, with and
 * without a known order (A-ORDER). All bounds are held against all runs; the falsifier's own systems have delays in one of eight.
 *
 * usage: hunt_late SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: 1 to 3 contexts, 1 to 6 streams of 1 to 3 levels, 1 to 6 SMs, small kernels and few blocks, so that delays weigh; copies, host
 * segments, jitter and stops now and then; delay and stall up to three times the longest block. Half of the systems have overheads of 0 or
 * 1 ns. Exit status 1: a bound was exceeded; 2: no task had a bound by volumes. */
#include "hunts.h"
#include "model/draft.h"

static void suit(struct platform *platform, struct draw *draw)
{
	bool little = draw_percent(draw, 50);
	for (int i = 0; i < HUNTS_OVERHEADS && little; i++)
		generate_set(platform, hunts_overheads[i], draw_range(draw, 0, 1));
	hunts_without_map(platform);
	int64_t sms = DRAW_AMONG(draw, 1, 1, 2, 2, 3, 4, 6);
	generate_set(platform, PARAMETER_SM_COUNT, sms);
	generate_set(platform, PARAMETER_DISPATCH_NONEMPTY, draw_range(draw, 1, sms));
	if (draw_percent(draw, 80))
		hunts_queues(platform);
	if (draw_percent(draw, 75))
		hunts_without_stops(platform);
	hunts_assume(platform, draw, 100);
	static const enum assumption parts[] = {ASSUMPTION_FIT, ASSUMPTION_FRAG, ASSUMPTION_CE};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (draw_percent(draw, 60))
			platform->assumptions[parts[i]].status = STATUS_UNSTATED;
}

/* Blocks that take from next to nothing to all of the scale, and periods so long that something is bounded. */
static void suit_tasks(struct taskset *set, struct draw *draw)
{
	bool little = draw_percent(draw, 50);
	int64_t longer = DRAW_AMONG(draw, 1, 2, 3, 6, 12);
	for (int i = 0; i < set->operation_count; i++) {
		struct operation *operation = &DRAFT(set->operations)[i];
		if (operation->kind != OPERATION_KERNEL || operation->kernel.scope != SCOPE_BLOCK)
			continue;
		operation->kernel.blocks = operation->kernel.grid[0] = DRAW_AMONG(draw, 1, 1, 1, 2, 3, 5);
		if (little && draw_percent(draw, 70)) {
			operation->wcet = checked_min(operation->wcet, draw_range(draw, 1, 4));
			operation->bcet = checked_min(operation->bcet, operation->wcet);
		}
	}
	for (int i = 0; i < set->task_count; i++)
		if (set->tasks[i].arrival.kind != ARRIVAL_CURVE)
			DRAFT(set->tasks)[i].arrival.period = checked_mul(set->tasks[i].arrival.period, longer);
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool *in_all_ways)
{
	(void)in_all_ways;
	int contexts = (int)DRAW_AMONG(draw, 1, 1, 1, 2, 3);
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = DRAW_AMONG(draw, 4, 10, 40, 200),
		.applications = contexts,
		.streams = (int)draw_range(draw, contexts, 6),
		.levels = (int)draw_range(draw, 1, 3),
		.simple = draw_percent(draw, 60),
		.copies = draw_percent(draw, 25),
		.hosts = draw_percent(draw, 10),
		.jitter = draw_percent(draw, 30),
		.shared = draw_percent(draw, 20)};
	struct falsify_case drawn = hunts_case(arena);
	generate_platform(&profile, drawn.platform);
	suit(drawn.platform, draw);
	generate_taskset(&profile, drawn.platform, drawn.set);
	suit_tasks(drawn.set, draw);
	generate_delays(draw, drawn.platform, drawn.set);
	static const enum parameter times[] = {PARAMETER_DISPATCH_DELAY, PARAMETER_DISPATCH_STALL};
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (draw_percent(draw, 30))
			generate_set(
				drawn.platform, times[i], checked_mul(platform_value(drawn.platform, times[i]), DRAW_AMONG(draw, 2, 3)));
	return drawn;
}

static bool has_volume(const struct subject *subject, int task)
{
	const struct bound_value *bounds = subject->response->tasks[task].bounds;
	return bounds[BOUND_VOL_P].value != NONE || bounds[BOUND_VOL_C].value != NONE;
}

static int64_t unordered;

static void count_seen(const struct subject *subject, const struct hunt *hunt)
{
	(void)hunt;
	unordered += !platform_grants(subject->platform, ASSUMPTION_ORDER);
}

static void tell(void)
{
	printf("%" PRId64 " of them in no known order\n", unordered);
}

int main(int count, char **words)
{
	static const struct hunts_kind kind = {"hunt_late", draw_case, NULL, has_volume, count_seen, tell};
	return hunts_main(&kind, count, words);
}
