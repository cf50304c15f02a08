/* What the programs that hunt systems of one feature have in common: their command line, what they draw alike, attacks, how close they
 * come.
 *
 * Requires: systems that the program draws, analysed (falsify/subject.h).
 * Provides: SYSTEMS SEED RUNS [PLANT] of the command line; parts of systems; a drawn run and an exhaustive one of a subject, violations
 *           printed and counted; of one bound's tasks how many were seen, attained, and the sum of observed/bound;
 *           and the whole of a program whose systems are hunted one by one.
 * Fails:    hunts_read is false after printing the usage.
 */
#ifndef TESTS_FALSIFY_HUNTS_H
#define TESTS_FALSIFY_HUNTS_H

#include "base/plant.h"
#include "falsify/exhaust.h"
#include "falsify/generate_parts.h"
#include "falsify/shrink.h"
#include "falsify/table.h"
#include "write/write.h"
#include "input/validate.h"
#include "model/draft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct hunts_arguments {
	int64_t systems;
	uint64_t seed;
	int runs;
};

/* words: SYSTEMS SEED RUNS [PLANT], whatever is in front of them taken off. */
static inline bool hunts_read(struct hunts_arguments *arguments, int count, char **words, const char *usage)
{
	if (count < 3) {
		fprintf(stderr, "usage: %s SYSTEMS SEED RUNS [PLANT]\n", usage);
		return false;
	}
	*arguments = (struct hunts_arguments){strtoll(words[0], NULL, 10), strtoull(words[1], NULL, 10), (int)strtol(words[2], NULL, 10)};
#ifdef GPUBOUND_TESTING
	plant_set(count > 3 ? plant_find(words[3]) : -1);
#endif
	return true;
}

/* ---- systems */

#define HUNTS_OVERHEADS 4
static const enum parameter hunts_overheads[HUNTS_OVERHEADS] = {
	PARAMETER_OVERHEAD_LAUNCH, PARAMETER_OVERHEAD_BLOCK, PARAMETER_OVERHEAD_DEPENDENCY, PARAMETER_OVERHEAD_COPY};

static inline struct falsify_case hunts_case(struct arena *arena)
{
	struct falsify_case of = {0};
	of.platform = arena_allocate(arena, 1, sizeof *of.platform);
	of.set = arena_allocate(arena, 1, sizeof *of.set);
	return of;
}

/* One context with so many streams, and room for tasks and operations. */
static inline void hunts_one_context(struct arena *arena, struct taskset *set, int streams, int tasks, int operations)
{
	*set = (struct taskset){.path = "drawn", .id = "drawn", .title = "drawn", .platform_name = "drawn", .application_count = 1};
	set->applications = arena_allocate(arena, 1, sizeof *set->applications);
	DRAFT(set->applications)[0] = (struct application){.id = "a", .timeslice = NONE};
	set->origins = arena_allocate(arena, 1, sizeof *set->origins);
	DRAFT(set->origins)
	[set->origin_count++] = (struct origin){.id = "o", .kind = ORIGIN_DECLARED, .source = "drawn", .by = "hunt", .samples = NONE};
	set->streams = arena_allocate(arena, (size_t)streams, sizeof *set->streams);
	for (; set->stream_count < streams; set->stream_count++)
		DRAFT(set->streams)
	[set->stream_count] = (struct stream){.id = arena_format(arena, "s%d", set->stream_count), .kind = STREAM_NON_BLOCKING};
	set->tasks = arena_allocate(arena, (size_t)tasks, sizeof *set->tasks);
	set->operations = arena_allocate(arena, (size_t)operations, sizeof *set->operations);
}

/* Every operation of the task on the stream of its first one. */
static inline void hunts_on_one_stream(struct taskset *set, const struct task *task)
{
	int stream = NO_ID;
	for (int k = task->first_operation; k < task->first_operation + task->operation_count; k++) {
		stream = stream == NO_ID ? set->operations[k].stream : stream;
		if (set->operations[k].stream != NO_ID)
			DRAFT(set->operations)[k].stream = stream;
	}
}

/* As many as there can be streams. */
static inline void hunts_queues(struct platform *platform)
{
	generate_set(platform, PARAMETER_QUEUES_HARDWARE, 32);
	generate_set(platform, PARAMETER_QUEUES_GRIDS, 32);
}

static inline void hunts_without_stops(struct platform *platform)
{
	platform->parameters[PARAMETER_STOPS_LENGTH].present = platform->parameters[PARAMETER_STOPS_DISTANCE].present = false;
}

/* SMs that are told apart by nothing. */
static inline void hunts_without_map(struct platform *platform)
{
	platform->order = NULL;
	platform->sms = NULL;
	platform->map_source = platform->order_source = NULL;
}

/* The first assumptions, each by this chance, or all. */
static inline void hunts_assume(struct platform *platform, struct draw *draw, int percent)
{
	for (int i = 0; i < ASSUMPTION_COUNT && (percent == 100 || draw_percent(draw, percent)); i++)
		platform->assumptions[i].status = STATUS_ASSUMED;
}

/* A platform with queues and slots for all, often with no overheads and as a rule without stops, and no task set yet. */
static inline struct falsify_case hunts_platform(struct profile *profile)
{
	struct falsify_case drawn = hunts_case(profile->arena);
	generate_platform(profile, drawn.platform);
	for (int i = 0; i < HUNTS_OVERHEADS && draw_percent(profile->draw, 70); i++)
		generate_set(drawn.platform, hunts_overheads[i], 0);
	hunts_queues(drawn.platform);
	if (draw_percent(profile->draw, 80))
		hunts_without_stops(drawn.platform);
	return drawn;
}

/* So many contexts that are never merged, as many streams or one more; they have neither levels nor priorities. */
static inline struct falsify_case hunts_contexts(struct arena *arena, struct draw *draw, int applications)
{
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = DRAW_AMONG(draw, 3, 6, 10, 30, 200),
		.applications = applications,
		.streams = applications + (int)DRAW_AMONG(draw, 0, 0, 1),
		.levels = (int)DRAW_AMONG(draw, 1, 1, 2),
		.simple = draw_percent(draw, 40),
		.copies = draw_percent(draw, 30),
		.hosts = draw_percent(draw, 50),
		.jitter = draw_percent(draw, 30)};
	struct falsify_case drawn = hunts_platform(&profile);
	hunts_assume(drawn.platform, draw, 99);
	generate_taskset(&profile, drawn.platform, drawn.set);
	drawn.set->merged_context = false;
	return drawn;
}

static inline enum composition hunts_composition(struct draw *draw)
{
	return (enum composition)DRAW_AMONG(draw, COMPOSITION_MULTIPLICATIVE, COMPOSITION_ADDITIVE, COMPOSITION_MAXIMUM);
}

/* ---- attacks */

struct attacks {
	int64_t exhausted, runs, violations;
	bool shows; /* the first violations, made small, with their systems */
};

static inline bool hunts_violates(struct attacks *attacks, const struct hunt *hunt, int64_t index)
{
	const struct violation *violation = &hunt->violation;
	attacks->runs += hunt->runs;
	if (violation->stage == STAGE_NONE)
		return false;
	attacks->violations++;
	printf("system %" PRId64 ": %s is %" PRId64 ", the most allowed is %" PRId64 "\n", index, violation->what, violation->observed,
		violation->allowed);
	return true;
}

#define HUNTS_SHOWN 3 /* violations that are made small and written out */

static inline void hunts_show(const struct subject *subject, const struct hunt *hunt, const struct draw *draw)
{
	const struct shrink_options options = {draw->state, 60, 1500, NULL};
	struct violation violation = hunt->violation;
	struct subject small;
	struct output output = {0};
	struct falsify_case of = shrink_case(subject->arena, subject, &violation, &options);
	subject_init(&small, subject->arena, of.platform, of.set);
	table_violation(&output, subject, &hunt->violation);
	output_add(&output, "smaller: ");
	table_violation(&output, &small, &violation);
	write_taskset(&output, of.set, "./counterexample-platform.xml", NULL);
	write_platform(&output, of.platform, NULL);
	fwrite(output.text, 1, output.length, stdout);
	output_finish(&output);
}

/* Runs that are drawn; true: one exceeded what is allowed. */
static inline bool hunts_draw(
	struct attacks *attacks, struct hunt *hunt, const struct subject *subject, struct draw *draw, int64_t index, int runs)
{
	hunt_run(hunt, subject, draw, runs);
	bool violates = hunts_violates(attacks, hunt, index);
	if (violates && attacks->violations <= HUNTS_SHOWN && attacks->shows)
		hunts_show(subject, hunt, draw);
	return violates;
}

/* All ways to run a system that is small enough. */
static inline void hunts_exhaust(struct attacks *attacks, struct hunt *hunt, const struct subject *subject, int64_t index)
{
	if (!exhaust_run(hunt, subject))
		return;
	attacks->exhausted++;
	hunts_violates(attacks, hunt, index);
}

/* ---- how close they come */

struct closeness {
	int64_t seen, attained;
	double ratios;
};

static inline void hunts_compare(
	struct closeness *closeness, const struct subject *subject, const struct hunt *hunt, int task, enum bound bound)
{
	int64_t allowed = subject->response->tasks[task].bounds[bound].value, observed = hunt->observed[task * BOUND_COUNT + (int)bound];
	if (allowed == NONE || observed == 0)
		return;
	closeness->seen++;
	closeness->attained += observed == allowed;
	closeness->ratios += (double)observed / (double)allowed;
}

static inline double hunts_mean(const struct closeness *closeness)
{
	return closeness->seen > 0 ? closeness->ratios / (double)closeness->seen : 0;
}

static inline void hunts_print(const struct closeness bounds[BOUND_COUNT])
{
	for (int i = 0; i < BOUND_COUNT; i++)
		if (bounds[i].seen > 0)
			printf("%-6s %7" PRId64 " seen, mean observed/bound %.3f, attained %" PRId64 "\n", bound_kinds[i].name,
				bounds[i].seen, hunts_mean(&bounds[i]), bounds[i].attained);
}

/* ---- programs that draw systems and hunt those that they are about */

struct hunts_kind {
	const char *name;
	/* A system. in_all_ways: it is small enough for that; false before. */
	struct falsify_case (*draw)(struct arena *arena, struct draw *draw, bool *in_all_ways);
	bool (*is_meant)(const struct subject *subject);           /* NULL: every one is, */
	bool (*is_bound)(const struct subject *subject, int task); /* of which this is true of a task; NULL: whatever they are */
	void (*count)(const struct subject *subject, const struct hunt *hunt); /* what tell tells; NULL: nothing */
	void (*tell)(void);
};

struct hunts_tally {
	int64_t drawn, meant;
	struct attacks attacks;
	struct closeness bounds[BOUND_COUNT];
};

static inline void hunts_take(const struct hunts_kind *kind, struct hunts_tally *tally, const struct subject *subject, struct draw *draw,
	int64_t index, int runs, bool in_all_ways)
{
	struct hunt hunt;
	bool violates = hunts_draw(&tally->attacks, &hunt, subject, draw, index, runs);
	for (int i = 0; i < subject->set->task_count; i++)
		for (int j = 0; j < BOUND_COUNT; j++)
			hunts_compare(&tally->bounds[j], subject, &hunt, i, (enum bound)j);
	if (kind->count != NULL)
		kind->count(subject, &hunt);
	if (!violates && in_all_ways)
		hunts_exhaust(&tally->attacks, &hunt, subject, index);
}

static inline void hunts_limit(struct platform *platform, enum parameter parameter, int64_t least, int64_t most)
{
	int64_t value = platform_value(platform, parameter);
	if (value != NONE)
		generate_set(platform, parameter, checked_max(least, checked_min(value, most)));
}

/* Numbers that were drawn apart, and are refused together. */
static inline void hunts_mend(struct falsify_case *drawn)
{
	int64_t warps = platform_value(drawn->platform, PARAMETER_SM_WARPS);
	hunts_limit(drawn->platform, PARAMETER_SM_BLOCKS, 1, warps);
	hunts_limit(drawn->platform, PARAMETER_BLOCK_THREADS, 1, warps * THREADS_A_WARP);
	hunts_limit(drawn->platform, PARAMETER_DISPATCH_NONEMPTY, 1, platform_value(drawn->platform, PARAMETER_SM_COUNT));
	hunts_limit(drawn->platform, PARAMETER_DISPATCH_DELAY, 1, NONE);
	hunts_limit(drawn->platform, PARAMETER_DISPATCH_STALL, 1, NONE);
	generate_switch(drawn->platform, drawn->set);
}

static inline bool hunts_is_meant(const struct hunts_kind *kind, const struct subject *subject)
{
	bool found = kind->is_bound == NULL;
	for (int t = 0; t < subject->set->task_count; t++)
		found = found || kind->is_bound(subject, t);
	return found && (kind->is_meant == NULL || kind->is_meant(subject));
}

static inline void hunts_system(
	const struct hunts_kind *kind, struct hunts_tally *tally, const struct hunts_arguments *arguments, int64_t index)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(arguments->seed, (uint64_t)index);
	bool in_all_ways = false;
	struct falsify_case drawn = kind->draw(arena, &draw, &in_all_ways);
	struct diagnostics diagnostics;
	struct subject subject;
	diagnostics_init(&diagnostics, arena);
	hunts_mend(&drawn);
	if (drawn.set->task_count > 0 && validate_taskset(drawn.platform, drawn.set, &diagnostics)) {
		subject_init(&subject, arena, drawn.platform, drawn.set);
		tally->drawn++;
		bool meant = hunts_is_meant(kind, &subject);
		tally->meant += meant;
		if (meant)
			hunts_take(kind, tally, &subject, &draw, index, arguments->runs, in_all_ways);
	}
	arena_destroy(arena);
}

/* Exit status 1: a bound was exceeded; 2: there was no system to hunt, or the command line is wrong. */
static inline int hunts_main(const struct hunts_kind *kind, int count, char **words)
{
	struct hunts_tally tally = {.attacks.shows = true};
	struct hunts_arguments arguments;
	if (!hunts_read(&arguments, count - 1, words + 1, kind->name))
		return 2;
	for (int64_t i = 0; i < arguments.systems; i++)
		hunts_system(kind, &tally, &arguments, i);
	printf("%" PRId64 " systems, %" PRId64 " hunted (%" PRId64 " of them in all ways), %" PRId64 " runs, %" PRId64 " violations\n",
		tally.drawn, tally.meant, tally.attacks.exhausted, tally.attacks.runs, tally.attacks.violations);
	hunts_print(tally.bounds);
	if (kind->tell != NULL)
		kind->tell();
	return tally.attacks.violations > 0 ? 1 : tally.meant == 0 ? 2 : 0;
}

#endif
