/* A system: a profile, a platform for it, a task set on that. */
#include "falsify/generate.h"

#include "falsify/generate_parts.h"
#include "model/draft.h"
#include "input/validate.h"

static struct profile draw_profile(struct arena *arena, struct draw *draw)
{
	struct profile profile = {.arena = arena, .draw = draw, .scale = DRAW_AMONG(draw, 3, 4, 6, 10, 20, 100, 1000, 100000)};
	profile.applications = (int)DRAW_AMONG(draw, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4);
	int64_t extra = DRAW_AMONG(draw, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7);
	profile.streams = (int)checked_min(8, profile.applications + extra);
	profile.levels = (int)DRAW_AMONG(draw, 1, 1, 1, 2, 2, 3);
	profile.null_streams = draw_percent(draw, 15);
	profile.grids = draw_percent(draw, 25);
	profile.hosts = draw_percent(draw, 20);
	profile.copies = draw_percent(draw, 50);
	profile.events = draw_percent(draw, 10);
	profile.jitter = draw_percent(draw, 40);
	profile.registers = draw_percent(draw, 30);
	profile.shared = draw_percent(draw, 40);
	profile.curves = draw_percent(draw, 10);
	return profile;
}

/* One feature alone: what a term of a bound is for shows best where nothing else is charged. */
static struct profile draw_simple(struct arena *arena, struct draw *draw)
{
	struct profile profile = {.arena = arena, .draw = draw, .scale = DRAW_AMONG(draw, 3, 4, 6, 10, 20, 100)};
	int64_t feature = draw_range(draw, 0, 5);
	profile.simple = true;
	profile.applications = feature < 2 ? 2 : 1;
	profile.streams = 2;
	profile.levels = feature == 2 ? 2 : 1;
	profile.copies = feature == 1;
	profile.hosts = feature == 3;
	profile.jitter = feature == 4;
	profile.shared = feature == 5;
	return profile;
}

/* One context in which phases can be known. */
static struct profile draw_phased(struct arena *arena, struct draw *draw)
{
	struct profile profile = {
		.arena = arena, .draw = draw, .phased = true, .applications = 1, .scale = DRAW_AMONG(draw, 3, 4, 6, 10, 20, 100)};
	profile.streams = (int)draw_range(draw, 2, 5);
	profile.levels = draw_percent(draw, 20) ? 2 : 1;
	profile.grids = draw_percent(draw, 40);
	profile.hosts = draw_percent(draw, 20);
	profile.copies = draw_percent(draw, 60);
	profile.jitter = draw_percent(draw, 50);
	return profile;
}

#define PHASES UINT64_C(0x7068617365730000)     /* so that these are drawn from a sequence of their own */
#define LATE UINT64_C(0x6c61746500000000)       /* likewise */
#define VARIED UINT64_C(0x7661726965640000)     /* likewise */
#define CONFIGURED UINT64_C(0x636f6e6669670000) /* likewise */
#define HOSTED UINT64_C(0x686f737465640000)     /* likewise */
#define SEQUENCED UINT64_C(0x73657175656e6300)  /* likewise */
#define LOCKED UINT64_C(0x6c6f636b65640000)     /* likewise */
#define RANKED UINT64_C(0x72616e6b65640000)     /* likewise */
#define LEVELLED UINT64_C(0x6c6576656c6c0000)   /* likewise */
#define SERVED UINT64_C(0x7365727665640000)     /* likewise */
#define PARTED UINT64_C(0x7061727465640000)     /* likewise */
#define CROWDED UINT64_C(0x63726f7764000000)    /* likewise */
#define SIZED UINT64_C(0x73697a6564000000)      /* likewise */
#define CHAINED UINT64_C(0x636861696e656400)    /* likewise */
#define GRAPHED UINT64_C(0x6772617068000000)    /* likewise */
#define CORED UINT64_C(0x636f726564000000)      /* likewise */
#define MAPPED UINT64_C(0x6d61707065640000)     /* likewise */
#define OFFSET UINT64_C(0x6f66667365740000)     /* likewise */
#define LEFT UINT64_C(0x6c65667400009fca)       /* likewise */

/* Of some kernels nobody says that their warps stay. */
static void generate_leavers(struct draw *draw, struct taskset *set)
{
	for (int i = 0; i < set->operation_count; i++)
		if (draw_percent(draw, 70))
			DRAFT(set->operations)[i].kernel.warps_stay = false;
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw, bool phased)
{
	struct falsify_case made = {arena_allocate(arena, 1, sizeof *made.platform), arena_allocate(arena, 1, sizeof *made.set)};
	struct profile profile = phased                   ? draw_phased(arena, draw)
				 : draw_percent(draw, 25) ? draw_simple(arena, draw)
							  : draw_profile(arena, draw);
	generate_platform(&profile, made.platform);
	generate_taskset(&profile, made.platform, made.set);
	if (phased)
		generate_phases(draw, made.set);
	return made;
}

struct falsify_case generate_case(struct arena *arena, uint64_t seed, uint64_t index)
{
	struct draw draw = draw_start(seed, index), other = draw_start(seed ^ PHASES, index);
	bool phased = draw_percent(&other, 15);
	struct draw late = draw_start(seed ^ LATE, index);
	bool delayed = !phased && draw_percent(&late, 15);
	struct draw variety = draw_start(seed ^ VARIED, index);
	bool varied = draw_percent(&variety, 20);
	struct draw configuring = draw_start(seed ^ CONFIGURED, index);
	bool configured = !delayed && draw_percent(&configuring, 6);
	struct draw hosting = draw_start(seed ^ HOSTED, index);
	bool hosted = draw_percent(&hosting, 20);
	struct draw sequencing = draw_start(seed ^ SEQUENCED, index);
	bool sequenced = draw_percent(&sequencing, 15);
	struct draw locking = draw_start(seed ^ LOCKED, index);
	bool locked = draw_percent(&locking, 14);
	struct draw ranking = draw_start(seed ^ RANKED, index);
	bool ranked = draw_percent(&ranking, 25);
	struct draw levelling = draw_start(seed ^ LEVELLED, index);
	bool levelled = draw_percent(&levelling, 25);
	struct draw serving = draw_start(seed ^ SERVED, index);
	bool served = draw_percent(&serving, 15);
	struct draw graphing = draw_start(seed ^ GRAPHED, index);
	bool graphed = draw_percent(&graphing, 30);
	struct draw parting = draw_start(seed ^ PARTED, index);
	bool parted = !phased && draw_percent(&parting, 16);
	struct draw sizing = draw_start(seed ^ SIZED, index);
	bool sized = draw_percent(&sizing, parted ? 30 : 3);
	struct draw crowding = draw_start(seed ^ CROWDED, index);
	bool crowded = parted && draw_percent(&crowding, 60);
	struct draw chaining = draw_start(seed ^ CHAINED, index);
	bool chained = draw_percent(&chaining, 40);
	struct draw coring = draw_start(seed ^ CORED, index);
	bool cored = !locked && draw_percent(&coring, 20);
	struct draw mapping = draw_start(seed ^ MAPPED, index);
	bool mapped = draw_percent(&mapping, 70);
	struct draw clocking = draw_start(seed ^ OFFSET, index);
	bool clocked = !phased && draw_percent(&clocking, 10);
	struct draw leaving = draw_start(seed ^ LEFT, index);
	bool left = draw_percent(&leaving, 20);
	for (int i = 0; i < GENERATE_TRIES; i++) {
		struct falsify_case made = draw_case(arena, phased ? &other : &draw, phased);
		if (clocked)
			generate_phases(&clocking, made.set);
		if (served || made.set->merged_context)
			generate_servers(arena, &serving, &made);
		if (delayed)
			generate_delays(&late, made.platform, made.set);
		if (varied)
			generate_variety(arena, &variety, made.platform, made.set);
		if (configured)
			generate_configured(arena, &configuring, made.platform, made.set);
		if (parted)
			generate_partitions(arena, &parting, made.platform, made.set);
		if (crowded && made.set->operation_count > 0)
			generate_crowd(&crowding, made.set);
		if (hosted && made.set->task_count > 0)
			generate_host(arena, &hosting, &made);
		if (cored)
			generate_cores(arena, &coring, &made);
		if (sequenced)
			generate_sequences(arena, &sequencing, &made);
		if (graphed)
			generate_graphs(&graphing, &made);
		if (mapped && made.platform->integrated)
			generate_host_memory(arena, &mapping, &made);
		if (sized)
			generate_sizes(arena, &sizing, &made);
		if (left)
			generate_leavers(&leaving, made.set);
		if (locked)
			generate_locks(arena, &locking, &made);
		if (ranked)
			generate_ranks(arena, &ranking, &made);
		if (levelled)
			generate_levels(arena, &levelling, &made);
		if (chained && made.set->task_count > 0)
			generate_chains(arena, &chaining, made.set);
		generate_switch(made.platform, made.set);
		struct diagnostics diagnostics;
		diagnostics_init(&diagnostics, arena);
		if (made.set->task_count > 0 && validate_taskset(made.platform, made.set, &diagnostics))
			return made;
	}
	return (struct falsify_case){NULL, NULL};
}
