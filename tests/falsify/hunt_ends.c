/* Hunts chains of tasks, end to end: what a chain's last output reflects may not be older than the chain's bound.
 *
 * usage: hunt_ends SYSTEMS SEED RUNS [PLANT]
 *
 * Systems: one context, 1 to 3 streams, 2 to 5 periodic tasks, most with host segments, which may last several periods, so that jobs of a
 * task pass one another; a chain over 1 to 3 of the tasks. In a run a job reads when it is released and writes when it is complete, the
 * latest and the earliest that it may. Exit status 1: a chain's bound was exceeded; 2: no chain had one. */
#include "hunts.h"
#include "falsify/attack.h"
#include "input/validate.h"
#include "model/draft.h"

#include <string.h>

#define JOBS 4096

struct written { /* what a job wrote: when, and how old the input is that it reflects; while it runs, when it was released */
	int64_t released, nominal, at, input;
};

struct seen {
	const struct taskset *set;
	struct written *jobs; /* [task][order of completion] */
	int64_t *counts;      /* by task */
	bool full;
};

static void see(void *context, const struct event *event)
{
	struct seen *seen = context;
	if (event->kind != EVENT_COMPLETE)
		return;
	int64_t *count = &seen->counts[event->task];
	seen->full |= *count == JOBS;
	if (*count < JOBS)
		seen->jobs[event->task * JOBS + (*count)++] = (struct written){event->start, event->nominal, event->time, 0};
}

/* What a reader finds: by the last who wrote before; `start` where nobody did. */
static int64_t found(const struct seen *seen, int task, int64_t at, int64_t start)
{
	int64_t input = start;
	for (int64_t i = 0; i < seen->counts[task]; i++)
		if (seen->jobs[task * JOBS + i].at < at)
			input = seen->jobs[task * JOBS + i].input;
	return checked_max(input, start);
}

static void propagate(struct seen *seen, const struct end_to_end *flow, int64_t start)
{
	for (int i = 0; i < flow->task_count; i++)
		for (int64_t n = 0; n < seen->counts[flow->tasks[i]]; n++) {
			struct written *job = &seen->jobs[flow->tasks[i] * JOBS + n];
			job->input = i == 0 ? checked_max(job->released, start) : found(seen, flow->tasks[i - 1], job->released, start);
		}
}

/* The greatest age of the last output, just before the next one, from when all tasks run until the first has run for the last time. */
static int64_t age_of(struct seen *seen, const struct end_to_end *flow)
{
	int64_t start = 0, end = NONE, greatest = 0;
	int last = flow->tasks[flow->task_count - 1];
	for (int i = 0; i < flow->task_count; i++) {
		int64_t first = NONE, final = 0;
		for (int64_t n = 0; n < seen->counts[flow->tasks[i]]; n++) {
			first = checked_min(first, seen->jobs[flow->tasks[i] * JOBS + n].nominal);
			final = checked_max(final, seen->jobs[flow->tasks[i] * JOBS + n].nominal);
		}
		start = checked_max(start, first);
		end = checked_min(end, final);
	}
	if (start == NONE)
		return 0;
	propagate(seen, flow, start);
	for (int64_t n = 0; n <= seen->counts[last]; n++) {
		int64_t at = n == seen->counts[last] ? end : seen->jobs[last * JOBS + n].at;
		if (at <= end && at >= start)
			greatest = checked_max(greatest, at - found(seen, last, at, start));
	}
	return greatest;
}

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

static void add_end_to_end(struct arena *arena, struct taskset *set, struct draw *draw)
{
	struct end_to_end *flow = arena_allocate(arena, 1, sizeof *flow);
	set->end_to_end = flow;
	*flow = (struct end_to_end){.id = "c", .kind = END_TO_END_AGE, .deadline = NONE - 1};
	flow->tasks = arena_allocate(arena, 3, sizeof *flow->tasks);
	for (int64_t n = draw_range(draw, 1, checked_min(3, set->task_count)); flow->task_count < n;) {
		int task = (int)draw_range(draw, 0, set->task_count - 1);
		bool there = false;
		for (int i = 0; i < flow->task_count; i++)
			there |= flow->tasks[i] == task;
		if (!there)
			DRAFT(flow->tasks)[flow->task_count++] = task;
	}
	set->end_to_end_count = 1;
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
	for (int i = 0; i < drawn.set->task_count; i++) {
		DRAFT(drawn.set->tasks)[i].arrival.kind = ARRIVAL_PERIODIC;
		DRAFT(drawn.set->tasks)[i].arrival.min_distance = NONE;
	}
	stretch_hosts(drawn.set, draw);
	add_end_to_end(arena, drawn.set, draw);
	return drawn;
}

/* ---- runs */

struct tally {
	int64_t drawn, end_to_end, runs, violations, attained;
	double ratios;
};

static bool promised(const struct subject *subject, const struct attack *attack)
{
	const struct end_to_end *flow = subject->set->end_to_end;
	for (int i = 0; i < flow->task_count; i++) {
		const struct response_of *task = &subject->response->tasks[flow->tasks[i]];
		if (!subject_promises(subject, &task->bounds[task->winner], (enum bound)task->winner, attack_broken(attack, subject)))
			return false;
	}
	return true;
}

static int64_t run_once(struct tally *tally, const struct subject *subject, struct draw *draw)
{
	struct attack attack;
	struct simulate_result result;
	attack_draw(&attack, draw, subject);
	if (!promised(subject, &attack))
		return 0;
	struct arena *arena = arena_create();
	struct simulate_options options = attack_options(&attack, subject);
	struct seen seen = {.set = subject->set};
	seen.jobs = arena_allocate(arena, (size_t)subject->set->task_count * JOBS, sizeof *seen.jobs);
	seen.counts = arena_allocate(arena, (size_t)subject->set->task_count, sizeof *seen.counts);
	options.observer = (struct observer){see, &seen, 0};
	int64_t age = 0;
	if (simulate_run(arena, subject->platform, subject->set, &options, &result) == SIMULATE_DONE && result.drained && !seen.full) {
		age = age_of(&seen, subject->set->end_to_end);
		tally->runs++;
	}
	arena_destroy(arena);
	return age;
}

static void hunt_system(struct tally *tally, uint64_t seed, int64_t index, int runs)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(seed, (uint64_t)index);
	struct falsify_case drawn = draw_case(arena, &draw);
	struct subject subject;
	struct diagnostics diagnostics;
	int64_t greatest = 0;
	diagnostics_init(&diagnostics, arena);
	if (validate_taskset(drawn.platform, drawn.set, &diagnostics)) {
		subject_init(&subject, arena, drawn.platform, drawn.set);
		int64_t bound = subject.response->end_to_end[0].response;
		tally->drawn++;
		for (int run = 0; run < runs && bound != NONE; run++)
			greatest = checked_max(greatest, run_once(tally, &subject, &draw));
		if (greatest > 0) {
			tally->end_to_end++;
			tally->attained += greatest == bound;
			tally->ratios += (double)greatest / (double)bound;
		}
		if (bound != NONE && greatest > bound) {
			tally->violations++;
			printf("system %" PRId64 ": a chain's age is %" PRId64 ", the most allowed is %" PRId64 "\n", index, greatest,
				bound);
		}
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
	printf("%" PRId64 " systems, %" PRId64 " with a chain that has a bound, %" PRId64 " runs, %" PRId64 " violations\n", tally.drawn,
		tally.end_to_end, tally.runs, tally.violations);
	printf("observed/bound %.3f in the mean, %" PRId64 " attained\n",
		tally.end_to_end > 0 ? tally.ratios / (double)tally.end_to_end : 0, tally.attained);
	return tally.violations > 0 ? 1 : tally.end_to_end == 0 ? 2 : 0;
}
