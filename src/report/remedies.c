#include "report/remedies.h"

#include "base/duration_text.h"
#include "report/explain_terms.h"
#include "report/text_write.h"
#include "response/operation_cost.h"

#include <inttypes.h>
#include <string.h>

#define MOST_CHARGES 6
#define LARGE 2 /* times its own time: what is charged more is worth a word */

struct charge {
	const struct operation *operation;
	const struct operation_cost *cost;
	const struct arrival *arrival;
	int64_t each, count, period; /* count of them in each period */
	struct rational load;
};

struct situation { /* of the task's context */
	const struct explanation *e;
	const struct task *task;
	const struct costs *costs;
	int context, kernel_streams, contexts;
	struct charge *charges; /* the greatest load first */
	int charge_count;
	const struct charge *whole;         /* a kernel of scope grid that is charged much more than its time */
	const struct operation *long_block; /* of the longest block of a level below one of the task's kernels */
	const char *first_stream;           /* with kernels */
};

static const char *time_text(const struct explanation *e, int64_t ns)
{
	char text[DURATION_TEXT];
	return arena_copy(e->arena, duration_text(ns, ROUND_UP, text));
}

/* ---- what is charged */

static struct charge charge_of(const struct situation *s, const struct task *task, int index)
{
	const struct operation_cost *cost = &s->costs->operations[index];
	const struct arrival *arrival = &task->arrival;
	struct charge charge = {&s->e->report->set->operations[index], cost, arrival, NONE, 1, arrival->period, RATIONAL_NONE};
	charge.each = cost->place == PLACE_COPY ? cost->transfer.value : checked_add(cost->makespan.value, cost->waste.value);
	if (cost->place == PLACE_COPY ? cost->transfer.reason != NULL : cost->makespan.reason != NULL || cost->waste.reason != NULL)
		charge.each = NONE;
	if (arrival->kind == ARRIVAL_CURVE)
		charge.count = arrival->steps[arrival->step_count - 1].count;
	if (charge.each != NONE)
		charge.load = rational_make(checked_mul(charge.each, charge.count), charge.period);
	return charge;
}

/* What has no value comes first: nothing is known of it. */
static bool before(const struct charge *a, const struct charge *b)
{
	if (rational_is_none(a->load) || rational_is_none(b->load))
		return rational_is_none(a->load) && !rational_is_none(b->load);
	return rational_compare(a->load, b->load) > 0;
}

static void insert(struct situation *s, struct charge charge)
{
	int at = s->charge_count++;
	for (; at > 0 && before(&charge, &s->charges[at - 1]); at--)
		s->charges[at] = s->charges[at - 1];
	s->charges[at] = charge;
}

static bool has_kernels(const struct situation *s, int stream)
{
	const struct taskset *set = s->e->report->set;
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].stream == stream && s->costs->operations[i].place == PLACE_EXECUTION)
			return true;
	return false;
}

static int context_of(const struct situation *s, const struct task *task)
{
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++)
		if (s->costs->operations[i].context != NO_ID)
			return s->costs->operations[i].context;
	return NO_ID;
}

static void find_long_block(struct situation *s)
{
	const struct taskset *set = s->e->report->set;
	int64_t longest = -1;
	int level = -1;
	for (int i = s->task->first_operation; i < s->task->first_operation + s->task->operation_count; i++)
		if (s->costs->operations[i].place == PLACE_EXECUTION)
			level = s->costs->operations[i].level;
	for (int i = 0; i < set->operation_count && level >= 0; i++) {
		const struct operation_cost *cost = &s->costs->operations[i];
		if (cost->context != s->context || cost->place != PLACE_EXECUTION || cost->level <= level || cost->block.reason != NULL ||
			cost->block.value <= longest)
			continue;
		longest = cost->block.value;
		s->long_block = &set->operations[i];
	}
}

static struct situation look(const struct explanation *e, int task)
{
	const struct taskset *set = e->report->set;
	struct situation s = {.e = e, .task = &set->tasks[task], .costs = e->report->response->basis.costs};
	s.contexts = s.costs->context_count;
	s.context = context_of(&s, s.task);
	s.charges = arena_allocate(e->arena, (size_t)set->operation_count + 1, sizeof *s.charges);
	for (int t = 0; t < set->task_count; t++)
		for (int i = set->tasks[t].first_operation; i < set->tasks[t].first_operation + set->tasks[t].operation_count; i++) {
			const struct operation_cost *cost = &s.costs->operations[i];
			if (cost->context == s.context && (cost->place == PLACE_EXECUTION || cost->place == PLACE_COPY))
				insert(&s, charge_of(&s, &set->tasks[t], i));
		}
	for (int i = 0; i < set->stream_count; i++)
		if (s.costs->domains->of_stream[i] == s.context && has_kernels(&s, i)) {
			s.first_stream = s.kernel_streams++ == 0 ? set->streams[i].id : s.first_stream;
		}
	for (int i = 0; i < s.charge_count && s.whole == NULL; i++)
		if (s.charges[i].cost->grid && s.charges[i].operation->kind == OPERATION_KERNEL && s.kernel_streams > 1 &&
			(s.charges[i].each == NONE || s.charges[i].each > checked_mul(LARGE, s.charges[i].operation->wcet)))
			s.whole = &s.charges[i];
	find_long_block(&s);
	return s;
}

static const char *why(const struct situation *s, const struct charge *charge)
{
	const struct operation_cost *cost = charge->cost;
	if (cost->waste.value > cost->makespan.value && s->long_block != NULL)
		return arena_format(s->e->arena, ": %s of it is a block of a lower level, '%s' for one, whose end it waits for",
			time_text(s->e, cost->waste.value), s->long_block->id);
	if (cost->place == PLACE_EXECUTION && cost->grid && cost->makespan.value > checked_mul(LARGE, cost->block.value))
		return ": only its whole time is known, and beside other streams' kernels its blocks may get few slots";
	if (cost->block.value > checked_mul(LARGE, charge->operation->wcet))
		return arena_format(s->e->arena, ": what runs beside it makes %s of its WCET", time_text(s->e, cost->block.value));
	return "";
}

/* Among the reasons of bounds, which stand above. */
static bool is_said(const struct explanation *e, const char *reason)
{
	for (int i = 0; i < BOUND_COUNT && reason != NULL; i++)
		if (e->result->bounds[i].reason != NULL && strcmp(e->result->bounds[i].reason, reason) == 0)
			return true;
	return false;
}

static void print_charges(const struct situation *s)
{
	const struct explanation *e = s->e;
	text_heading(e->output, "Who is charged what where this task runs, the greatest share first", e->colour);
	for (int i = 0; i < s->charge_count && i < MOST_CHARGES; i++) {
		const struct charge *charge = &s->charges[i];
		const char *name = terms_name(charge->cost->name), *wcet = time_text(e, charge->operation->wcet);
		if (charge->each == NONE) {
			const char *reason =
				charge->cost->place == PLACE_COPY ? charge->cost->transfer.reason : charge->cost->makespan.reason;
			explain_line(e, 2, "%s: WCET %s; what it is charged is not known%s%s", name, wcet,
				is_said(e, reason) ? ", for a reason above" : ": ",
				is_said(e, reason) ? ""
				: reason != NULL   ? reason
						   : "a cost is unknown");
			continue;
		}
		int64_t percent = checked_mul_div_ceil(checked_mul(charge->each, charge->count), 100, charge->period);
		explain_line(e, 2, "%s: WCET %s, charged %s, %s%" PRId64 " in %s, up to %" PRId64 " %% of the time%s", name, wcet,
			time_text(e, charge->each), charge->count > 1 ? "at most " : "", charge->count, time_text(e, charge->period),
			percent, why(s, charge));
	}
	if (s->charge_count > MOST_CHARGES)
		explain_line(e, 2, "and %d operation%s with smaller shares", s->charge_count - MOST_CHARGES,
			s->charge_count == MOST_CHARGES + 1 ? "" : "s");
}

/* ---- remedies */

static const char *first_reason(const struct explanation *e, const char *needle)
{
	for (int i = 0; i < BOUND_COUNT; i++)
		if (e->result->bounds[i].reason != NULL && strstr(e->result->bounds[i].reason, needle) != NULL)
			return e->result->bounds[i].reason;
	return NULL;
}

static const char *extents(const struct explanation *e, const int64_t grid[3])
{
	return grid[0] == 0 ? "..." : arena_format(e->arena, "%" PRId64 "x%" PRId64 "x%" PRId64, grid[0], grid[1], grid[2]);
}

static void remedy(const struct situation *s, const char *what, const char *xml)
{
	explain_line(s->e, 2, "- %s:", what);
	output_print(s->e->output, "      %s\n", xml);
}

static void remedy_blocks(const struct situation *s)
{
	struct arena *arena = s->e->arena;
	if (s->whole == NULL)
		return;
	const struct kernel *kernel = &s->whole->operation->kernel;
	remedy(s,
		arena_format(arena,
			"block times in place of the whole kernel's, for '%s' first (probe/ measures them, gpubound-wcet(1) bounds them)",
			s->whole->operation->id),
		arena_format(arena, "<kernel id=\"%s\" scope=\"block\" grid=\"%s\" block=\"...\" registers=\"...\" wcet=\"...\" .../>",
			s->whole->operation->id, extents(s->e, kernel->grid)));
}

static void remedy_stream(const struct situation *s)
{
	if (s->kernel_streams > 1)
		remedy(s, "one stream for all kernels of the process, so that no two meet",
			arena_format(s->e->arena, "stream=\"%s\" in every operation of it", s->first_stream));
}

static void remedy_process(const struct situation *s)
{
	if (s->kernel_streams > 1)
		remedy(s, "a process of its own, with slices: then it waits for others' turns, whatever is in them",
			arena_format(s->e->arena,
				"<application id=\"%s-process\" timeslice=\"...\"><stream id=\"%s-stream\"/></application>", s->task->id,
				s->task->id));
	else if (s->contexts > 1)
		remedy(s, "a longer slice for it, or shorter ones for the others, as the driver has them set",
			arena_format(s->e->arena, "<application id=\"%s\" timeslice=\"...\">",
				s->context == NO_ID ? "..." : s->e->report->set->applications[s->context].id));
}

static void remedy_split(const struct situation *s)
{
	struct arena *arena = s->e->arena;
	const struct operation *named = s->long_block;
	for (int i = 0; i < s->charge_count && named == NULL; i++)
		if (s->charges[i].operation->kind == OPERATION_KERNEL)
			named = s->charges[i].operation;
	if (named == NULL || named->kind != OPERATION_KERNEL)
		return;
	remedy(s,
		s->long_block == named ? arena_format(arena, "shorter blocks of '%s': split its work among more of them", named->id)
				       : arena_format(arena, "split '%s' into parts, or shorten it: it has the greatest share", named->id),
		arena_format(arena, "<kernel id=\"%s\" ... grid=\"...\" wcet=\"...\"/>", named->id));
}

static void remedy_facts(const struct situation *s)
{
	const struct explanation *e = s->e;
	if (first_reason(e, "declare") != NULL || first_reason(e, "nobody vouches") != NULL)
		remedy(s, "state what is missing, all of it at once",
			arena_format(e->arena, "gpubound models --check %s", e->report->set->path));
}

static void remedy_rate(const struct situation *s)
{
	const struct charge *most = s->charge_count > 0 ? &s->charges[0] : NULL;
	if (first_reason(s->e, "the load, the sum") == NULL || most == NULL)
		return;
	for (int t = 0; t < s->e->report->set->task_count; t++)
		if (&s->e->report->set->tasks[t].arrival == most->arrival)
			remedy(s, arena_format(s->e->arena, "a longer period of '%s'", s->e->report->set->tasks[t].id),
				arena_format(s->e->arena, "<task id=\"%s\" period=\"...\">", s->e->report->set->tasks[t].id));
}

void remedies_print(const struct explanation *e, int task)
{
	struct situation s = look(e, task);
	if (s.context == NO_ID)
		return;
	print_charges(&s);
	text_heading(e->output, "What may give a bound, or a smaller one; none of it was tried", e->colour);
	remedy_facts(&s);
	remedy_blocks(&s);
	remedy_stream(&s);
	remedy_process(&s);
	remedy_split(&s);
	remedy_rate(&s);
}
