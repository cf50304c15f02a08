/* Small systems whose jobs work on several streams, with events between their operations, or whose kernels pass one another (A-FIT): each
 * bound against the exact worst case, and the simulator, too, which was written apart from the machine that is followed.
 *
 * usage: hunt_lines SYSTEMS SEED STATES [PLANT]    STATES: thousands a system, at most
 *
 * Systems: those of falsify/generate.h, small ones, start delays and factors included. Each operation of a task may go to another stream,
 * where it mostly waits for an event behind the one before it, and sometimes for others of its job; periods about as long as a job's
 * operations, so that jobs of one task overlap, stage by stage. Three of ten plain ones have A-FIT in place of A-HOL and A-PRIO.
 * Exit status 1: a bound is below the worst case, or a run above it; 2: nobody had H. */
#include "falsify/yardstick.h"
#include "hunts.h"
#include "input/validate.h"
#include "model/draft.h"

#define ATTEMPTS 20
#define RUNS 8 /* of the simulator */
#define TOLD 5

struct tally {
	int64_t drawn, solved, several, overlapping, below, above, runs;
	struct closeness bounds[BOUND_COUNT];
};

/* ---- from one stream a task to several */

struct scatter {
	struct arena *arena;
	struct draw *draw;
	const struct taskset *from;
	struct taskset *to;
};

static void add_event(struct scatter *s, enum operation_kind kind, int stream, int event)
{
	DRAFT(s->to->operations)
	[s->to->operation_count] = (struct operation){
		.id = arena_format(s->arena, "e%d", s->to->operation_count), .kind = kind, .stream = stream, .event = event};
	s->to->operation_count++;
}

/* Waits for the events of the job so far that lie on other streams: mostly for the last one. */
static void add_waits(struct scatter *s, int first_event, const int *stream_of, int stream)
{
	for (int event = s->to->event_count - 1; event >= first_event; event--)
		if (stream_of[event] != stream && draw_percent(s->draw, event == s->to->event_count - 1 ? 85 : 25))
			add_event(s, OPERATION_WAIT, stream, event);
}

static void scatter_task(struct scatter *s, struct task *task, int *stream_of)
{
	struct taskset *to = s->to;
	int first = task->first_operation, first_event = to->event_count, stream = s->from->operations[first].stream;
	task->first_operation = to->operation_count;
	for (int i = first; i < first + task->operation_count; i++) {
		if (i > first && draw_percent(s->draw, 70))
			stream = (int)draw_range(s->draw, 0, to->stream_count - 1);
		add_waits(s, first_event, stream_of, stream);
		DRAFT(to->operations)[to->operation_count] = s->from->operations[i];
		DRAFT(to->operations)[to->operation_count++].stream = stream;
		if (i == first + task->operation_count - 1)
			continue;
		stream_of[to->event_count] = stream;
		to->events[to->event_count] = arena_format(s->arena, "v%d", to->event_count);
		add_event(s, OPERATION_RECORD, stream, to->event_count++);
	}
	task->operation_count = to->operation_count - task->first_operation;
}

/* About as often as one job is done. */
static void shorten(struct draw *draw, const struct taskset *set, struct task *task)
{
	int64_t work = 0;
	for (int i = 0; i < task->operation_count; i++) {
		const struct operation *operation = task_operation(set, task, i);
		work += operation->wcet * (operation->kind == OPERATION_KERNEL ? operation->kernel.blocks : 1);
	}
	if (task->offset != NONE || !draw_percent(draw, 80))
		return;
	task->arrival.period = checked_max(2, work * draw_range(draw, 3, 10) / 6);
	task->arrival.jitter = checked_min(task->arrival.jitter, task->arrival.period);
}

static struct taskset *scattered(struct arena *arena, struct draw *draw, const struct taskset *from)
{
	struct taskset *to = arena_allocate(arena, 1, sizeof *to);
	size_t operations = (size_t)from->operation_count + 1;
	struct scatter s = {arena, draw, from, to};
	int *stream_of = arena_allocate(arena, operations, sizeof *stream_of);
	*to = *from;
	to->operations = arena_allocate(arena, operations * operations, sizeof *to->operations);
	to->events = arena_allocate(arena, operations, sizeof *to->events);
	to->operation_count = to->event_count = 0;
	to->task_count = (int)checked_min(to->task_count, DRAW_AMONG(draw, 1, 1, 2, 2, 3));
	for (int i = 0; i < to->task_count; i++) {
		scatter_task(&s, &DRAFT(to->tasks)[i], stream_of);
		shorten(draw, to, &DRAFT(to->tasks)[i]);
	}
	return to;
}

/* A-FIT in place of an order, without overheads of the dispatcher. */
static void let_pass(struct platform *platform)
{
	platform->assumptions[ASSUMPTION_FIT].status = STATUS_ASSUMED;
	platform->assumptions[ASSUMPTION_HOL].status = platform->assumptions[ASSUMPTION_PRIO].status = STATUS_UNSTATED;
	generate_set(platform, PARAMETER_OVERHEAD_LAUNCH, 0);
	generate_set(platform, PARAMETER_OVERHEAD_BLOCK, 0);
}

/* ---- against the worst case */

static bool is_on_several(const struct taskset *set, const struct task *task)
{
	bool several = false;
	for (int i = 1; i < task->operation_count; i++)
		several |= task_operation(set, task, i)->stream != task_operation(set, task, 0)->stream;
	return several;
}

static void compare(struct tally *tally, const struct subject *subject, const struct exact_result *result, int64_t index)
{
	bool several = false;
	for (int i = 0; i < subject->set->task_count; i++) {
		int64_t worst = yardstick_worst(subject, result, i);
		several |= is_on_several(subject->set, &subject->set->tasks[i]);
		for (int k = 0; k < BOUND_COUNT; k++) {
			int64_t value = yardstick_value(subject, subject->response, i, k);
			if (value == NONE)
				continue;
			if (value < worst && tally->below++ < TOLD)
				printf("system %" PRId64 ", task %d: %s is %" PRId64 ", worst case %" PRId64 "\n", index, i,
					bound_kinds[k].name, value, worst);
			if (worst == NONE)
				continue;
			tally->bounds[k].seen++;
			tally->bounds[k].attained += value == worst;
			tally->bounds[k].ratios += (double)worst / (double)value;
			tally->overlapping += is_on_several(subject->set, &subject->set->tasks[i]) && k == BOUND_CHAIN &&
					      worst > subject->set->tasks[i].arrival.period;
		}
	}
	tally->several += several;
}

/* What rests on the order that the followed machine keeps is exceeded by neither; where operations slow one another it is a little short.
 */
static void simulate(
	struct tally *tally, const struct subject *subject, const struct exact_result *result, struct draw *draw, int64_t index)
{
	struct hunt hunt;
	if (yardstick_phased(subject) || items_group(subject) == GROUP_SLOWED)
		return;
	hunt_run(&hunt, subject, draw, RUNS);
	tally->runs += hunt.runs;
	for (int i = 0; i < subject->set->task_count; i++) {
		int64_t seen = hunt.observed[i * BOUND_COUNT + BOUND_H];
		if (seen > result->worst[i] && tally->above++ < TOLD)
			printf("system %" PRId64 ", task %d: %" PRId64 " seen, worst case %" PRId64 "\n", index, i, seen, result->worst[i]);
	}
}

/* The worst runs, and the system. */
static void show(struct exact *exact, const struct exact_result *result, const struct falsify_case *of)
{
	struct output output = {0};
	for (int i = 0; i < of->set->task_count; i++)
		if (result->worst[i] != NONE) {
			output_print(&output, "%s\n", of->set->tasks[i].id);
			exact_tell(exact, &output, of->set, i);
		}
	write_taskset(&output, of->set, "./counterexample-platform.xml", NULL);
	write_platform(&output, of->platform, NULL);
	fwrite(output.text, 1, output.length, stdout);
	output_finish(&output);
}

/* NULL: not drawn. */
static struct falsify_case draw_case(
	struct arena *arena, struct draw *draw, const struct hunts_arguments *arguments, int64_t index, uint64_t attempt)
{
	struct falsify_case drawn = generate_small(arena, arguments->seed, (uint64_t)index, attempt);
	bool passing = generate_small_feature(arguments->seed, (uint64_t)index) == SMALL_PLAIN && draw_percent(draw, 30), wanted = passing;
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	if (drawn.set == NULL)
		return drawn;
	if (passing)
		let_pass(drawn.platform);
	if (!passing || draw_percent(draw, 30))
		drawn.set = scattered(arena, draw, drawn.set);
	for (int i = 0; i < drawn.set->task_count; i++)
		wanted |= is_on_several(drawn.set, &drawn.set->tasks[i]);
	return wanted && validate_taskset(drawn.platform, drawn.set, &diagnostics) ? drawn : (struct falsify_case){NULL, NULL};
}

static bool hunt_system(struct tally *tally, const struct hunts_arguments *arguments, struct exact *exact, int64_t index, uint64_t attempt)
{
	struct arena *arena = arena_create();
	struct draw draw = draw_start(arguments->seed * 31 + attempt, (uint64_t)index);
	struct falsify_case drawn = draw_case(arena, &draw, arguments, index, attempt);
	struct exact_result result = {.too_large = true};
	struct subject subject;
	if (drawn.set != NULL) {
		subject_init(&subject, arena, drawn.platform, drawn.set);
		exact_run(exact, &result, arena, drawn.platform, drawn.set, subject.alone, 1000 * (int64_t)arguments->runs);
	}
	bool solved = result.refusal == NULL && !result.too_large;
	if (solved) {
		int64_t below = tally->below;
		compare(tally, &subject, &result, index);
		simulate(tally, &subject, &result, &draw, index);
		if (tally->below > below && below == 0)
			show(exact, &result, &drawn);
	}
	tally->solved += solved;
	arena_destroy(arena);
	return solved;
}

int main(int count, char **words)
{
	struct tally tally = {0};
	struct hunts_arguments arguments;
	struct exact *exact = exact_create();
	if (!hunts_read(&arguments, count - 1, words + 1, "hunt_lines"))
		return 2;
	for (; tally.drawn < arguments.systems; tally.drawn++)
		for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++)
			if (hunt_system(&tally, &arguments, exact, tally.drawn, attempt))
				break;
	exact_destroy(exact);
	printf("%" PRId64 " systems, %" PRId64 " solved, %" PRId64 " with a task on several streams, %" PRId64
	       " of those tasks with jobs that overlap; %" PRId64 " bounds below the worst case, %" PRId64 " of %" PRId64
	       " runs above it\n",
		tally.drawn, tally.solved, tally.several, tally.overlapping, tally.below, tally.above, tally.runs);
	for (int i = 0; i < BOUND_COUNT; i++)
		if (tally.bounds[i].seen > 0)
			printf("%-6s %7" PRId64 " tasks, mean worst/bound %.3f, attained %" PRId64 "\n", bound_kinds[i].name,
				tally.bounds[i].seen, hunts_mean(&tally.bounds[i]), tally.bounds[i].attained);
	return tally.below + tally.above > 0 ? 1 : tally.bounds[BOUND_H].seen == 0 ? 2 : 0;
}
