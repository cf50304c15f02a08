/* A platform drawn: few SMs with few units more often than not. */
#include "falsify/generate_parts.h"
#include "model/draft.h"

#define KIB 1024

void generate_set(struct platform *platform, enum parameter parameter, int64_t value)
{
	platform->parameters[parameter] =
		(struct quantity){.present = true, .value = value, .exact = rational_of(value), .source = "drawn", .line = 0};
}

/* ---- the SMs */

static void draw_sm(const struct profile *p, struct platform *platform)
{
	struct draw *draw = p->draw;
	int64_t parts = DRAW_AMONG(draw, 1, 1, 2, 4), warps = parts * DRAW_AMONG(draw, 1, 2, 2, 4, 4, 8, 16);
	generate_set(platform, PARAMETER_SM_COUNT, DRAW_AMONG(draw, 1, 1, 2, 2, 2, 3, 3, 4, 6, 8, 20));
	generate_set(platform, PARAMETER_SM_WARPS, warps);
	generate_set(platform, PARAMETER_SM_BLOCKS, checked_min(warps, DRAW_AMONG(draw, 1, 2, 2, 4, 8, 32)));
	generate_set(platform, PARAMETER_SM_SUBPARTITIONS, parts);
	generate_set(platform, PARAMETER_REGISTER_UNIT, 256);
	int64_t units = p->registers ? warps / parts * DRAW_AMONG(draw, 1, 2, 3) + DRAW_AMONG(draw, 0, 0, 1, 2) : 64;
	generate_set(platform, PARAMETER_SM_REGISTERS, checked_min(65536, 256 * parts * units));
	generate_set(platform, PARAMETER_SHARED_UNIT, 256);
	generate_set(platform, PARAMETER_SM_SHARED, KIB * DRAW_AMONG(draw, 2, 3, 4, 6, 8, 16));
	generate_set(platform, PARAMETER_BLOCK_THREADS, checked_min(1024, warps * THREADS_A_WARP));
}

/* The largest configuration is all of the shared memory. */
static void draw_carveouts(const struct profile *p, struct platform *platform)
{
	int64_t all = platform_value(platform, PARAMETER_SM_SHARED);
	platform->per_sm_carveout = (enum ternary)DRAW_AMONG(p->draw, TERNARY_UNKNOWN, TERNARY_NO, TERNARY_YES, TERNARY_YES, TERNARY_YES);
	if (!p->shared || draw_percent(p->draw, 60))
		return;
	platform->carveouts = arena_allocate(p->arena, 3, sizeof *platform->carveouts);
	platform->carveout_source = "drawn";
	DRAFT(platform->carveouts)[platform->carveout_count++] = 0;
	DRAFT(platform->carveouts)[platform->carveout_count++] = all / 512 * 256;
	DRAFT(platform->carveouts)[platform->carveout_count++] = all;
}

static void draw_order(const struct profile *p, struct platform *platform)
{
	int count = (int)platform_value(platform, PARAMETER_SM_COUNT);
	platform->order = arena_allocate(p->arena, (size_t)count, sizeof *platform->order);
	platform->order_source = "drawn";
	for (int i = 0; i < count; i++) {
		int other = (int)draw_range(p->draw, 0, i);
		DRAFT(platform->order)[i] = platform->order[other];
		DRAFT(platform->order)[other] = i;
	}
}

/* TPCs of two SMs, GPCs of two TPCs. */
static void draw_map(const struct profile *p, struct platform *platform)
{
	int count = (int)platform_value(platform, PARAMETER_SM_COUNT);
	bool known = draw_percent(p->draw, 50);
	platform->sms = arena_allocate(p->arena, (size_t)count, sizeof *platform->sms);
	for (int i = 0; i < count; i++)
		DRAFT(platform->sms)[i] = known ? (struct sm_position){i / 4, i / 2, NO_ID} : (struct sm_position){NO_ID, NO_ID, NO_ID};
	platform->map_source = known ? "drawn" : NULL;
	platform->gpc_count = known ? (count + 3) / 4 : 0;
}

/* ---- queues, engines, overheads */

static void draw_overhead(const struct profile *p, struct platform *platform, enum parameter parameter, bool large)
{
	generate_set(platform, parameter, large ? draw_range(p->draw, p->scale, 2 * p->scale) : draw_range(p->draw, 1, 1 + p->scale / 8));
}

static void draw_overheads(const struct profile *p, struct platform *platform)
{
	bool large = draw_percent(p->draw, 50);
	draw_overhead(p, platform, PARAMETER_OVERHEAD_LAUNCH, large && draw_percent(p->draw, 70));
	draw_overhead(p, platform, PARAMETER_OVERHEAD_BLOCK, large && draw_percent(p->draw, 50));
	draw_overhead(p, platform, PARAMETER_OVERHEAD_DEPENDENCY, large && draw_percent(p->draw, 50));
	draw_overhead(p, platform, PARAMETER_OVERHEAD_COPY, large && draw_percent(p->draw, 50));
	if (draw_percent(p->draw, 25)) {
		int64_t length = draw_range(p->draw, 1, 3 * p->scale);
		generate_set(platform, PARAMETER_STOPS_LENGTH, length);
		generate_set(platform, PARAMETER_STOPS_DISTANCE, length * draw_range(p->draw, 2, 8) + draw_range(p->draw, 0, p->scale));
	}
	generate_set(platform, PARAMETER_RUNLIST_TIMESLICE, draw_range(p->draw, 1, 3 * p->scale));
	generate_set(platform, PARAMETER_RUNLIST_COPY_TIMESLICE, draw_range(p->draw, 1, 3 * p->scale));
	generate_set(platform, PARAMETER_RUNLIST_SWITCH, draw_range(p->draw, 1, 1 + p->scale / 2));
}

static void draw_engines(const struct profile *p, struct platform *platform)
{
	struct draw *draw = p->draw;
	int64_t engines = DRAW_AMONG(draw, 1, 1, 2);
	generate_set(platform, PARAMETER_COPY_ENGINES, engines);
	generate_set(platform, PARAMETER_QUEUES_HARDWARE, draw_percent(draw, 85) ? 32 : draw_range(draw, 1, p->streams));
	generate_set(platform, PARAMETER_QUEUES_GRIDS, draw_percent(draw, 90) ? 32 : draw_range(draw, 1, p->streams));
	generate_set(platform, PARAMETER_QUEUES_PRIORITIES, 3);
	platform->engine_source = "drawn";
	platform->engine_of[DIRECTION_H2D] = 0;
	platform->engine_of[DIRECTION_D2H] = (int)engines - 1;
	platform->engine_of[DIRECTION_D2D] = (int)DRAW_AMONG(draw, 0, ENGINE_COMPUTE);
	platform->engine_of[DIRECTION_PEER] = ENGINE_NONE;
	platform->engine_of[DIRECTION_MEMSET] = (int)DRAW_AMONG(draw, 0, ENGINE_COMPUTE, ENGINE_COMPUTE);
	platform->copy_runlist =
		(enum copy_runlist)DRAW_AMONG(draw, COPY_RUNLIST_OWN, COPY_RUNLIST_OWN, COPY_RUNLIST_SHARED, COPY_RUNLIST_UNKNOWN);
	platform->preemption = (enum preemption)DRAW_AMONG(draw, PREEMPTION_BLOCK, PREEMPTION_INSTRUCTION, PREEMPTION_UNKNOWN);
	platform->concurrent_kernels = TERNARY_YES;
}

/* ---- what may be relied on: all, a part, or nothing but A-WC(g) */

static void draw_assumptions(const struct profile *p, struct platform *platform)
{
	static const enum assumption drawn[] = {
		ASSUMPTION_HOL, ASSUMPTION_PRIO, ASSUMPTION_WC, ASSUMPTION_FRAG, ASSUMPTION_CE, ASSUMPTION_RUNLIST};
	int percent = (int)DRAW_AMONG(p->draw, 100, 100, 100, 60, 0);
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		platform->assumptions[i] = (struct assumption_state){.status = assumption_kinds[i].by_default};
	for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
		if (drawn[i] == ASSUMPTION_RUNLIST || draw_percent(p->draw, percent))
			platform->assumptions[drawn[i]].status = STATUS_ASSUMED;
	if (draw_percent(p->draw, 30))
		platform->assumptions[ASSUMPTION_FRAG].status = assumption_kinds[ASSUMPTION_FRAG].by_default;
	if (platform_value(platform, PARAMETER_SM_COUNT) % 2 == 0) /* not drawn, so that other draws stay as they are */
		platform->assumptions[ASSUMPTION_FRAG_REGISTERS].status = STATUS_ASSUMED;
	bool ordered = platform_grants(platform, ASSUMPTION_HOL) && platform_grants(platform, ASSUMPTION_PRIO);
	if (!ordered && platform_value(platform, PARAMETER_OVERHEAD_LAUNCH) % 2 == 0) /* likewise */
		platform->assumptions[ASSUMPTION_FIT].status = STATUS_ASSUMED;
	if (draw_percent(p->draw, 70))
		generate_set(platform, PARAMETER_DISPATCH_NONEMPTY, draw_range(p->draw, 1, platform_value(platform, PARAMETER_SM_COUNT)));
}

/* One factor for everything, or one a source; measured for any number and footprint, so that none is missing. */
static void draw_factors(const struct profile *p, struct platform *platform)
{
	static const enum interferer blocks[] = {INTERFERER_SM, INTERFERER_TPC, INTERFERER_GPC, INTERFERER_OUT, INTERFERER_H2D,
		INTERFERER_D2H, INTERFERER_D2D, INTERFERER_MEMSET};
	static const enum interferer copies[] = {INTERFERER_EE, INTERFERER_H2D, INTERFERER_D2H, INTERFERER_D2D, INTERFERER_MEMSET};
	bool joint = draw_percent(p->draw, 70), none = draw_percent(p->draw, 60);
	int count = joint ? 1 : (int)(sizeof blocks / sizeof *blocks), copy_count = joint ? 1 : (int)(sizeof copies / sizeof *copies);
	platform->composition =
		joint ? COMPOSITION_JOINT
		      : (enum composition)DRAW_AMONG(p->draw, COMPOSITION_MULTIPLICATIVE, COMPOSITION_ADDITIVE, COMPOSITION_MAXIMUM);
	platform->interference = arena_allocate(p->arena, (size_t)(count + copy_count), sizeof *platform->interference);
	for (int i = 0; i < count + copy_count; i++) {
		enum interferer source = i < count ? blocks[i] : copies[i - count];
		int64_t num = none ? 4 : draw_range(p->draw, 4, 8);
		DRAFT(platform->interference)
		[platform->interference_count++] = (struct interference_entry){.victim = ACCESS_ANY,
			.footprint = NONE,
			.source = joint ? INTERFERER_ALL : source,
			.count = NONE,
			.is_copy = i >= count,
			.factor = rational_make(num, 4),
			.evidence = "drawn"};
	}
}

/* What TT needs; half of the time blocks are dispatched in no time, so that they are followed one by one. */
static void suit_phases(const struct profile *p, struct platform *platform)
{
	platform->copy_runlist = COPY_RUNLIST_OWN;
	platform->parameters[PARAMETER_STOPS_LENGTH].present = platform->parameters[PARAMETER_STOPS_DISTANCE].present = false;
	if (draw_percent(p->draw, 50)) {
		generate_set(platform, PARAMETER_OVERHEAD_LAUNCH, 0);
		generate_set(platform, PARAMETER_OVERHEAD_BLOCK, 0);
	}
}

void generate_platform(struct profile *p, struct platform *platform)
{
	*platform = (struct platform){.path = "drawn.xml", .id = "drawn", .name = "drawn", .architecture = "drawn"};
	platform->compute_capability = (int)DRAW_AMONG(p->draw, 62, 62, 70);
	platform->placement = (enum placement)DRAW_AMONG(p->draw, PLACEMENT_UNKNOWN, PLACEMENT_MOST_ROOM, PLACEMENT_ROUND_ROBIN);
	platform->placement_source = platform->placement == PLACEMENT_UNKNOWN ? NULL : "drawn";
	platform->divergence = (struct divergence_cost){NONE, NONE, NONE, NONE, NULL};
	draw_sm(p, platform);
	draw_carveouts(p, platform);
	draw_order(p, platform);
	draw_map(p, platform);
	draw_engines(p, platform);
	draw_overheads(p, platform);
	draw_assumptions(p, platform);
	draw_factors(p, platform);
	if (p->phased)
		suit_phases(p, platform);
}

static void set_drawn(struct draw *draw, struct platform *platform, enum parameter parameter, int64_t longest)
{
	int64_t little = draw_range(draw, 0, longest / 4 + 1);
	generate_set(platform, parameter, draw_percent(draw, 60) ? little : draw_range(draw, 0, longest));
}

void generate_delays(struct draw *draw, struct platform *platform, struct taskset *set)
{
	static const enum assumption stronger[] = {ASSUMPTION_HOL, ASSUMPTION_PRIO, ASSUMPTION_WC};
	int64_t longest = 1;
	for (int i = 0; i < set->operation_count; i++)
		longest = set->operations[i].wcet == NONE ? longest : checked_max(longest, set->operations[i].wcet);
	set_drawn(draw, platform, PARAMETER_DISPATCH_DELAY, longest);
	set_drawn(draw, platform, PARAMETER_DISPATCH_STALL, longest);
	platform->assumptions[ASSUMPTION_ORDER].status = STATUS_ASSUMED;
	bool alike = draw_percent(draw, 90);
	for (int i = 0; i < set->operation_count && alike; i++) {
		DRAFT(set->operations)[i].kernel.carveout = NONE;
		DRAFT(set->operations)[i].kernel.cache = CACHE_NONE;
	}
	int kept = (int)DRAW_AMONG(draw, 0, 0, 1, 2);
	for (int i = kept; i < 3; i++)
		platform->assumptions[stronger[i]].status = STATUS_UNSTATED;
	if (draw_percent(draw, 20)) /* late, and nobody says in which order: only volumes may rest on that */
		platform->assumptions[ASSUMPTION_ORDER].status = STATUS_UNSTATED;
}

void generate_switch(struct platform *platform, const struct taskset *set)
{
	static const enum parameter parts[] = {PARAMETER_OVERHEAD_BLOCK, PARAMETER_DISPATCH_DELAY};
	int64_t theta = platform_value(platform, PARAMETER_RUNLIST_SWITCH), least = 0;
	if ((taskset_contexts(set) <= 1 && platform->copy_runlist == COPY_RUNLIST_OWN) || theta == NONE)
		return;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		int64_t part = platform_value(platform, parts[i]);
		least = checked_add(least, part == NONE ? 0 : part);
	}
	if (theta < least)
		generate_set(platform, PARAMETER_RUNLIST_SWITCH, checked_add(theta, least));
}
