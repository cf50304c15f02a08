/* What the other generators leave out: bursts by arrival curves, jitters of several periods, overheads of nothing, kernels of scope grid
 * whose blocks are known, factors by number, kind of access and footprint, CPU cores, loads near one. */
#include "falsify/generate_parts.h"
#include "model/draft.h"

#define CURVE_STEPS 3

/* ---- arrivals */

/* One to three steps; a horizon as long as so many periods, so that the load stays what it was. */
static void draw_curve(struct arena *arena, struct draw *draw, struct arrival *arrival)
{
	int64_t burst = draw_range(draw, 1, 3), most = burst + draw_range(draw, 0, 2), horizon = checked_mul(arrival->period, most);
	struct curve_step *steps = arena_allocate(arena, CURVE_STEPS, sizeof *steps);
	int count = 0;
	if (horizon == NONE || horizon < 8)
		return;
	if (burst < most)
		steps[count++] = (struct curve_step){draw_range(draw, 1, horizon / 4), burst};
	if (burst + 1 < most)
		steps[count++] = (struct curve_step){draw_range(draw, horizon / 4 + 1, horizon / 2), burst + 1};
	steps[count++] = (struct curve_step){horizon, most};
	int64_t least = steps[0].window < horizon ? checked_mul(checked_div_ceil(horizon, steps[0].window), steps[0].count) : most;
	if (least < most)
		return;
	*arrival = (struct arrival){
		.kind = ARRIVAL_CURVE, .period = horizon, .min_distance = NONE, .max_distance = NONE, .steps = steps, .step_count = count};
}

static void vary_arrival(struct arena *arena, struct draw *draw, struct task *task)
{
	struct arrival *arrival = &task->arrival;
	if (draw_percent(draw, 25) && arrival->period > 4)
		arrival->period = checked_max(1, arrival->period * draw_range(draw, 3, 7) / 8);
	if (task->offset != NONE)
		return;
	if (draw_percent(draw, 25))
		draw_curve(arena, draw, arrival);
	else if (draw_percent(draw, 15))
		arrival->jitter = draw_range(draw, 0, 4 * arrival->period);
}

/* ---- the platform */

static void vary_overheads(struct draw *draw, struct platform *platform)
{
	static const enum parameter overheads[] = {PARAMETER_OVERHEAD_LAUNCH, PARAMETER_OVERHEAD_BLOCK, PARAMETER_OVERHEAD_DEPENDENCY,
		PARAMETER_OVERHEAD_COPY, PARAMETER_RUNLIST_SWITCH};
	for (size_t i = 0; i < sizeof overheads / sizeof *overheads; i++)
		if (draw_percent(draw, 45))
			generate_set(platform, overheads[i], 0);
}

static void add_entry(struct platform *platform, struct draw *draw, enum interferer source, bool is_copy, int64_t count)
{
	DRAFT(platform->interference)
	[platform->interference_count++] = (struct interference_entry){
		.victim = is_copy || draw_percent(draw, 60) ? ACCESS_ANY : (enum access)draw_range(draw, 0, ACCESS_COUNT - 1),
		.footprint = draw_percent(draw, 80) ? NONE : draw_range(draw, 1, 1000),
		.source = source,
		.count = count,
		.is_copy = is_copy,
		.factor = rational_make(DRAW_AMONG(draw, 4, 4, 5, 6, 8, 12, 16), 4),
		.evidence = "drawn"};
}

/* Up to three points a source, the last of any number, access and footprint. */
static void vary_factors(struct arena *arena, struct draw *draw, struct platform *platform)
{
	static const enum interferer sources[] = {INTERFERER_SM, INTERFERER_TPC, INTERFERER_GPC, INTERFERER_OUT, INTERFERER_H2D,
		INTERFERER_D2H, INTERFERER_D2D, INTERFERER_MEMSET, INTERFERER_EE, INTERFERER_CPU, INTERFERER_OTHER};
	const size_t count = sizeof sources / sizeof *sources;
	int64_t sms = platform_value(platform, PARAMETER_SM_COUNT);
	if (draw_percent(draw, 25))
		return;
	platform->integrated = draw_percent(draw, 25);
	platform->composition = (enum composition)DRAW_AMONG(draw, COMPOSITION_MULTIPLICATIVE, COMPOSITION_ADDITIVE, COMPOSITION_MAXIMUM);
	platform->interference = arena_allocate(arena, 6 * count + 1, sizeof *platform->interference);
	platform->interference_count = 0;
	int64_t much = DRAW_AMONG(draw, 4, 5, 8, 16);
	for (size_t i = 0; i < 2 * count; i++) {
		enum interferer source = sources[i / 2];
		bool is_copy = i % 2 == 1, blocks = source <= INTERFERER_OUT;
		if ((source == INTERFERER_EE && !is_copy) || (blocks && is_copy))
			continue;
		for (int64_t points = DRAW_AMONG(draw, 0, 0, 1, 2), n = 1; points > 0; points--, n += draw_range(draw, 1, 3))
			add_entry(platform, draw, source, is_copy, draw_percent(draw, 70) ? n : NONE);
		add_entry(platform, draw, source, is_copy, NONE);
		struct interference_entry *last = &DRAFT(platform->interference)[platform->interference_count - 1];
		last->victim = ACCESS_ANY;
		last->footprint = NONE;
		last->factor = rational_make(draw_range(draw, 4, much), 4);
	}
	/* what a copy takes beside all SMs but one; not drawn, so that other draws stay as they are */
	if (much > 5 && sms > 1 && sms % 2 == 0)
		DRAFT(platform->interference)
	[platform->interference_count++] = (struct interference_entry){.victim = ACCESS_ANY,
		.footprint = NONE,
		.source = INTERFERER_ALL,
		.count = sms - 1,
		.is_copy = true,
		.factor = rational_of(1),
		.evidence = "drawn"};
}

/* ---- kernels */

static void vary_kernel(struct draw *draw, struct operation *operation)
{
	struct kernel *kernel = &operation->kernel;
	kernel->access = (enum access)DRAW_AMONG(draw, ACCESS_ANY, ACCESS_ANY, ACCESS_COMPUTE, ACCESS_READ, ACCESS_WRITE);
	kernel->footprint = draw_percent(draw, 70) ? NONE : draw_range(draw, 1, 1000);
	if (kernel->scope == SCOPE_GRID || kernel->curve != NULL || !draw_percent(draw, 20))
		return;
	kernel->scope = SCOPE_GRID; /* its blocks stay known, and its time is that of all */
	operation->wcet = checked_mul(operation->wcet, draw_range(draw, 1, 4));
}

void generate_variety(struct arena *arena, struct draw *draw, struct platform *platform, struct taskset *set)
{
	if (draw_percent(draw, 60))
		vary_overheads(draw, platform);
	if (draw_percent(draw, 60))
		vary_factors(arena, draw, platform);
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind == OPERATION_KERNEL)
			vary_kernel(draw, &DRAFT(set->operations)[i]);
	for (int i = 0; i < set->task_count; i++)
		vary_arrival(arena, draw, &DRAFT(set->tasks)[i]);
}
