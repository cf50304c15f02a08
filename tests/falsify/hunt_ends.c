/* Hunts chains of tasks, end to end: nothing that comes out of one may be later, or older, than the chain's bound, and no queue in it may
 * hold more than is said.
 *
 * usage: hunt_ends SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: one context, 1 to 3 streams, 2 to 5 tasks, most with host segments, which may last several periods, so that jobs of a task pass
 * one another; some with known phases, some sporadic with a greatest distance; one chain or two (src/falsify/generate_chains.c). What a run
 * shows is src/simulate/data_flow.c's. Exit status 1: a bound was exceeded; 2: no chain had one. */
#include "hunts.h"
#include "falsify/attack.h"
#include "input/validate.h"
#include "model/draft.h"
#include "simulate/data_flow.h"

#include <string.h>

/* ---- systems */

static void stretch_hosts(struct taskset *set, struct draw *draw)
{
	for (int i = 0; i < set->task_count; i++)
		for (int k = set->tasks[i].first_operation; k < set->tasks[i].first_operation + set->tasks[i].operation_count; k++)
			if (set->operations[k].kind == OPERATION_HOST && draw_percent(draw, 60)) {
				DRAFT(set->operations)[k].wcet = draw_range(draw, 1, 4 * set->tasks[i].arrival.period);
				DRAFT(set->operations)[k].bcet = 0;
			}
}

/* Known phases, or periodic and sporadic tasks. */
static void draw_arrivals(struct taskset *set, struct draw *draw)
{
	bool known = draw_percent(draw, 30);
	if (known)
		generate_phases(draw, set);
	for (int i = 0; i < set->task_count && !known; i++) {
		struct arrival *arrival = &DRAFT(set->tasks)[i].arrival;
		arrival->kind = draw_percent(draw, 20) ? ARRIVAL_SPORADIC : ARRIVAL_PERIODIC;
		arrival->min_distance = NONE;
		arrival->max_distance = arrival->kind == ARRIVAL_SPORADIC ? arrival->period + draw_range(draw, 0, arrival->period) : NONE;
	}
}

/* One or two tasks of host segments alone, of short or of long periods, which hand on what others wrote. */
static void add_threads(struct arena *arena, struct taskset *set, struct draw *draw)
{
	int count = (int)draw_range(draw, 1, 2), tasks = set->task_count, operations = set->operation_count;
	struct task *more = arena_allocate(arena, (size_t)(tasks + count), sizeof *more);
	struct operation *segments = arena_allocate(arena, (size_t)(operations + count), sizeof *segments);
	memcpy(more, set->tasks, (size_t)tasks * sizeof *more);
	memcpy(segments, set->operations, (size_t)operations * sizeof *segments);
	bool known = tasks > 0 && set->tasks[0].offset != NONE;
	for (int i = 0; i < count; i++) {
		int64_t period = known ? set->tasks[0].arrival.period : draw_range(draw, 2, 2 * set->tasks[0].arrival.period);
		more[tasks + i] = (struct task){.id = arena_format(arena, "thread%d", i),
			.application = NO_ID,
			.arrival = {.period = period, .jitter = draw_percent(draw, 40) ? draw_range(draw, 0, period / 2) : 0},
			.deadline = NONE,
			.offset = known ? draw_range(draw, 0, period - 1) : NONE,
			.first_operation = operations + i,
			.operation_count = 1};
		more[tasks + i].arrival.min_distance = more[tasks + i].arrival.max_distance = NONE;
		segments[operations + i] = (struct operation){.id = arena_format(arena, "thread%d_host", i),
			.kind = OPERATION_HOST,
			.stream = NO_ID,
			.event = NO_ID,
			.wcet = draw_range(draw, 1, checked_max(1, period / 2))};
	}
	set->tasks = more;
	set->operations = segments;
	set->task_count += count;
	set->operation_count += count;
}

static struct falsify_case draw_case(struct arena *arena, struct draw *draw)
{
	struct profile profile = {.arena = arena,
		.draw = draw,
		.scale = DRAW_AMONG(draw, 1, 3, 6, 10, 20),
		.applications = 1,
		.streams = (int)draw_range(draw, 1, 3),
		.levels = 1,
		.copies = draw_percent(draw, 40),
		.hosts = draw_percent(draw, 80),
		.events = draw_percent(draw, 20),
		.jitter = draw_percent(draw, 50)};
	struct falsify_case drawn = hunts_case(arena);
	generate_platform(&profile, drawn.platform);
	hunts_queues(drawn.platform);
	hunts_without_stops(drawn.platform);
	hunts_assume(drawn.platform, draw, 97);
	generate_taskset(&profile, drawn.platform, drawn.set);
	draw_arrivals(drawn.set, draw);
	if (draw_percent(draw, 60))
		stretch_hosts(drawn.set, draw);
	if (draw_percent(draw, 50))
		add_threads(arena, drawn.set, draw);
	generate_chains(arena, draw, drawn.set);
	return drawn;
}

/* ---- runs */

struct tally {
	int64_t drawn, bounded, runs, violations, attained, queues, reduced, phased;
	double ratios;
};

static bool promised(const struct subject *subject, const struct attack *attack, const struct end_to_end *chain)
{
	for (int i = 0; i < chain->task_count; i++) {
		const struct response_of *task = &subject->response->tasks[chain->tasks[i]];
		if (!subject_promises(subject, &task->bounds[task->winner], (enum bound)task->winner, attack_broken(attack, subject)))
			return false;
	}
	return true;
}

struct most { /* of one chain, over all runs */
	int64_t observed;
	int64_t *backlogs;
};

static void note_run(struct most *most, const struct subject *subject, const struct attack *attack, const struct simulate_result *result)
{
	for (int i = 0; i < subject->set->end_to_end_count; i++) {
		const struct end_to_end *chain = &subject->set->end_to_end[i];
		bool rests = (subject->response->end_to_end[i].assumptions & attack_broken(attack, subject)) != 0;
		if (subject->response->end_to_end[i].response == NONE || rests || !promised(subject, attack, chain))
			continue;
		most[i].observed = checked_max(most[i].observed, simulate_chain_observed(&result->chains[i], chain));
		for (int k = 0; k < chain->task_count; k++)
			most[i].backlogs[k] = checked_max(most[i].backlogs[k], result->chains[i].backlogs[k]);
	}
}

static void run_once(struct tally *tally, struct most *most, const struct subject *subject, struct draw *draw)
{
	struct attack attack;
	struct simulate_result result;
	attack_draw(&attack, draw, subject);
	struct arena *arena = arena_create();
	struct simulate_options options = attack_options(&attack, subject);
	options.releases.jobs = 0; /* long enough that all that is in a chain's way comes out of it */
	for (int i = 0; i < subject->set->task_count; i++)
		options.releases.horizon = checked_max(options.releases.horizon, 12 * subject->set->tasks[i].arrival.period);
	if (simulate_run(arena, subject->platform, subject->set, &options, &result) == SIMULATE_DONE && result.drained) {
		note_run(most, subject, &attack, &result);
		tally->runs++;
	}
	arena_destroy(arena);
}

static void judge_queues(struct tally *tally, const struct subject *subject, const struct most *most, int index, int64_t system)
{
	const struct end_to_end *chain = &subject->set->end_to_end[index];
	for (int k = 0; k < chain->task_count; k++) {
		const struct handover from = end_to_end_handover(chain, k);
		int64_t allowed = subject->response->end_to_end[index].links[k].backlog;
		tally->queues += from.via == HANDOVER_QUEUE;
		if (from.overflow == OVERFLOW_OLDEST || allowed == NONE || most->backlogs[k] <= allowed)
			continue;
		tally->violations++;
		printf("system %" PRId64 ": a queue held %" PRId64 " values, the most allowed is %" PRId64 "\n", system, most->backlogs[k],
			allowed);
	}
}

static void judge_chain(struct tally *tally, const struct subject *subject, const struct most *most, int index, int64_t system)
{
	const struct end_to_end *chain = &subject->set->end_to_end[index];
	int64_t bound = subject->response->end_to_end[index].response;
	if (bound == NONE || most->observed == 0)
		return;
	tally->bounded++;
	tally->reduced += chain->reduced;
	tally->phased += subject->set->tasks[chain->tasks[0]].offset != NONE;
	tally->attained += most->observed == bound;
	tally->ratios += (double)most->observed / (double)bound;
	judge_queues(tally, subject, most, index, system);
	if (most->observed <= bound)
		return;
	tally->violations++;
	printf("system %" PRId64 ": a chain's %s is %" PRId64 ", the most allowed is %" PRId64 "\n", system, end_to_end_names[chain->kind],
		most->observed, bound);
}

static void hunt_system(struct tally *tally, uint64_t seed, int64_t index, int runs)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(seed, (uint64_t)index);
	struct falsify_case drawn = draw_case(arena, &draw);
	struct subject subject;
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	if (validate_taskset(drawn.platform, drawn.set, &diagnostics)) {
		subject_init(&subject, arena, drawn.platform, drawn.set);
		struct most *most = arena_allocate(arena, (size_t)drawn.set->end_to_end_count, sizeof *most);
		bool any = false;
		for (int i = 0; i < drawn.set->end_to_end_count; i++) {
			most[i].backlogs = arena_allocate(arena, (size_t)drawn.set->end_to_end[i].task_count, sizeof *most[i].backlogs);
			any |= subject.response->end_to_end[i].response != NONE;
		}
		tally->drawn++;
		for (int run = 0; run < runs && any; run++)
			run_once(tally, most, &subject, &draw);
		for (int i = 0; i < drawn.set->end_to_end_count; i++)
			judge_chain(tally, &subject, &most[i], i, index);
	}
	arena_destroy(arena);
}

int main(int count, char **words)
{
	struct tally tally = {0};
	struct hunts_arguments arguments;
	if (!hunts_read(&arguments, count - 1, words + 1, "hunt_ends"))
		return 2;
	for (int64_t i = 0; i < arguments.systems; i++)
		hunt_system(&tally, arguments.seed, i, arguments.runs);
	printf("%" PRId64 " systems, %" PRId64 " runs; %" PRId64 " chains with a bound, %" PRId64 " of them reduced, %" PRId64
	       " of known phases, %" PRId64 " queues in them; %" PRId64 " violations\n",
		tally.drawn, tally.runs, tally.bounded, tally.reduced, tally.phased, tally.queues, tally.violations);
	printf("observed/bound %.3f in the mean, %" PRId64 " attained\n", tally.bounded > 0 ? tally.ratios / (double)tally.bounded : 0,
		tally.attained);
	return tally.violations > 0 ? 1 : tally.bounded == 0 ? 2 : 0;
}
