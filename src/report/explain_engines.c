/* What the operations of a task wait for at the engines: H, CHAIN, VOL-C, FP, TT. Every sum is printed with all its terms; what the graph
 * has only as one number is one term, and says so. */
#include "report/explain_parts.h"

#include "base/checked.h"
#include "model/rules.h"
#include "response/arrival.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct row { /* an operation of the table of all that share the engines */
	const struct operation *operation;
	const struct task *task;
	const char *about;
	int jitter, response, block, makespan, waste, dispatch; /* steps; STEP_ABSENT */
};

struct table {
	struct explanation *e;
	struct row *rows;
	int count, dependency;
	bool volume;
};

/* ---- reading the table */

static const struct operation *operation_of(const struct explanation *e, const char *about, const struct task **task)
{
	const struct taskset *set = e->report->set;
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++) {
			const struct operation *operation = &set->operations[set->tasks[t].first_operation + i];
			char name[1024];
			snprintf(name, sizeof name, "task:%s/op:%s", set->tasks[t].id, operation->id);
			*task = &set->tasks[t];
			if (about != NULL && strcmp(name, about) == 0)
				return operation;
		}
	return NULL;
}

static int *place_of(struct row *row, const char *role)
{
	const struct {
		const char *role;
		int *place;
	} places[] = {{"R", &row->response}, {"C", &row->block}, {"M", &row->makespan}, {"W", &row->waste}, {"o", &row->dispatch}};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strcmp(places[i].role, role) == 0)
			return places[i].place;
	return NULL;
}

/* False: an operation is not one of the task set. */
static bool read_table(struct table *table, int step)
{
	struct explanation *e = table->e;
	const struct step_input *inputs = derivation_inputs(e->derivation, step);
	int count = explain_step(e, step)->input_count;
	table->rows = arena_allocate(e->arena, (size_t)count + 1, sizeof *table->rows);
	table->dependency = explain_input(e, step, "o_dep");
	for (int i = 0; i < count; i++) {
		bool open = strcmp(inputs[i].role, "open") == 0; /* its segment has no value: any number may come */
		if (open || strcmp(inputs[i].role, "J") == 0) {
			struct row *row = &table->rows[table->count++];
			*row = (struct row){.about = explain_step(e, inputs[i].step)->about,
				.jitter = open ? STEP_ABSENT : inputs[i].step,
				.response = STEP_ABSENT,
				.block = STEP_ABSENT,
				.makespan = STEP_ABSENT,
				.waste = STEP_ABSENT,
				.dispatch = STEP_ABSENT};
			row->operation = operation_of(e, row->about, &row->task);
			continue;
		}
		struct row *row = table->count > 0 ? &table->rows[table->count - 1] : NULL;
		int *place = row != NULL ? place_of(row, inputs[i].role) : NULL;
		if (place != NULL)
			*place = inputs[i].step;
		if (place != NULL && row->operation == NULL) /* where jitter is that of the task */
			row->operation = operation_of(e, explain_step(e, inputs[i].step)->about, &row->task);
	}
	for (int i = 0; i < table->count; i++)
		if (table->rows[i].operation == NULL)
			return false;
	return true;
}

/* ---- terms, and their sum */

#define MOST_TERMS 64

struct term {
	const char *what;
	int64_t value;
	int step;
};

struct terms {
	struct term items[MOST_TERMS];
	int count;
	int64_t sum;
};

static void add(struct terms *terms, int64_t value, int step, const char *what)
{
	terms->sum = checked_add(terms->sum, value);
	if (terms->count < MOST_TERMS)
		terms->items[terms->count++] = (struct term){what, value, step};
	else
		terms->sum = NONE;
}

static void print_terms(struct explanation *e, const struct terms *terms)
{
	for (int i = 0; i < terms->count; i++) {
		const struct term *term = &terms->items[i];
		if (term->step != STEP_ABSENT)
			explain_line(e, 8, "+ %" PRId64 ", %s [%d]", term->value, term->what, e->numbers[term->step]);
		else
			explain_line(e, 8, "+ %" PRId64 ", %s", term->value, term->what);
		explain_remember(e, term->value, term->what);
	}
}

/* ---- what a kernel, and a copy, waits for: (6.3), (7.1) */

static int level_of(const struct explanation *e, const struct row *row)
{
	return e->report->set->streams[row->operation->stream].level;
}

static bool is_kernel(const struct row *row)
{
	return row->makespan != STEP_ABSENT;
}

static int64_t high_of(const struct explanation *e, const struct row *row)
{
	return checked_add(explain_value(e, row->makespan), explain_value(e, row->waste));
}

static void add_lower(const struct table *table, const struct row *own, struct terms *terms)
{
	const struct explanation *e = table->e;
	const struct row *longest = NULL;
	for (int i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];
		if (is_kernel(row) && level_of(e, row) > level_of(e, own) &&
			(longest == NULL || explain_value(e, row->block) > explain_value(e, longest->block)))
			longest = row;
	}
	if (longest == NULL)
		return;
	add(terms, explain_value(e, longest->block), longest->block, "the longest block of lower levels");
	add(terms, platform_value(e->report->platform, PARAMETER_OVERHEAD_BLOCK), STEP_ABSENT,
		"the dispatch of one such block, overhead.block");
}

/* One operation of each other stream is ahead at most, the dearest; `engine` NO_ID: kernels. */
static void add_ahead(const struct table *table, const struct row *own, int engine, struct terms *terms)
{
	const struct explanation *e = table->e;
	for (int s = 0; s < e->report->set->stream_count; s++) {
		const struct row *dearest = NULL;
		int64_t most = 0;
		for (int i = 0; i < table->count && s != own->operation->stream; i++) {
			const struct row *row = &table->rows[i];
			bool meets = engine == NO_ID
					     ? is_kernel(row) && level_of(e, row) <= level_of(e, own)
					     : !is_kernel(row) && e->report->platform->engine_of[row->operation->copy.direction] == engine;
			int64_t cost = !is_kernel(row)                       ? explain_value(e, row->block)
				       : level_of(e, row) < level_of(e, own) ? high_of(e, row)
									     : explain_value(e, row->makespan);
			if (row->operation->stream != s || !meets || cost <= most)
				continue;
			most = cost;
			dearest = row;
		}
		if (dearest != NULL)
			add(terms, most, is_kernel(dearest) ? dearest->makespan : dearest->block,
				arena_format(e->arena, "%s, one of stream '%s' is ahead", dearest->about, e->report->set->streams[s].id));
	}
}

static void add_above(const struct table *table, const struct row *own, int64_t window, struct terms *terms)
{
	const struct explanation *e = table->e;
	for (int i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];
		if (!is_kernel(row) || level_of(e, row) >= level_of(e, own))
			continue;
		struct arrivals arrivals = {&row->task->arrival, row->jitter == STEP_ABSENT ? NONE : explain_value(e, row->jitter), false};
		int64_t count = arrivals_in_closed(&arrivals, window, 1);
		add(terms, checked_mul(count, high_of(e, row)), STEP_ABSENT,
			arena_format(e->arena,
				"%s of a higher level arrives %" PRId64 " times: %" PRId64 " * (M = [%d] %" PRId64 " + W = %" PRId64 ")",
				row->about, count, count, e->numbers[row->makespan], explain_value(e, row->makespan),
				explain_value(e, row->waste)));
	}
}

static bool has_last(const struct row *own)
{
	return own->operation->kind == OPERATION_KERNEL && own->operation->kernel.scope == SCOPE_BLOCK;
}

/* The terms of (6.3) or (7.1), which add up to R where R is the least by these. */
static struct terms plain_terms(const struct table *table, const struct row *own)
{
	const struct explanation *e = table->e;
	struct terms terms = {.count = 0};
	int64_t response = explain_value(e, own->response),
		dependency = table->dependency == STEP_ABSENT ? 0 : explain_value(e, table->dependency);
	if (dependency > 0)
		add(&terms, dependency, table->dependency, "o_dep");
	if (!is_kernel(own)) {
		add(&terms, explain_value(e, own->block), own->block, "the copy itself");
		add_ahead(table, own, e->report->platform->engine_of[own->operation->copy.direction], &terms);
		return terms;
	}
	int64_t last = has_last(own) ? explain_value(e, own->block) : 0;
	add(&terms, explain_value(e, own->makespan), own->makespan, "M, the kernel itself");
	add_lower(table, own, &terms);
	add_ahead(table, own, NO_ID, &terms);
	add_above(table, own, checked_sub(checked_sub(response, dependency), last), &terms);
	return terms;
}

/* What it takes alone, and the rest: R is less than the plain sum, or there is none. */
static struct terms rest_terms(const struct table *table, const struct row *own)
{
	const struct explanation *e = table->e;
	struct terms terms = {.count = 0};
	if (table->dependency != STEP_ABSENT)
		add(&terms, explain_value(e, table->dependency), table->dependency, "o_dep");
	if (own->dispatch != STEP_ABSENT)
		add(&terms, explain_value(e, own->dispatch), own->dispatch, "o, the dispatch of all blocks");
	if (is_kernel(own) && explain_value(e, own->makespan) <= checked_sub(explain_value(e, own->response), terms.sum))
		add(&terms, explain_value(e, own->makespan), own->makespan, "M, the kernel itself");
	else
		add(&terms, explain_value(e, own->block), own->block,
			own->dispatch != STEP_ABSENT || is_kernel(own) ? "C, the last block" : "the copy itself");
	int64_t rest = checked_sub(explain_value(e, own->response), terms.sum);
	if (rest != 0)
		add(&terms, rest, STEP_ABSENT,
			own->dispatch != STEP_ABSENT ? "waiting: all blocks of the others that may be there, their volume spread over g "
						       "SMs, and their dispatches (V.3)"
						     : "waiting, by the least of the other equations, with others' turns and stops, where there are any");
	return terms;
}

static void print_operation(struct table *table, const struct row *own)
{
	struct explanation *e = table->e;
	struct terms plain = plain_terms(table, own), terms = plain;
	int64_t response = explain_value(e, own->response);
	if (table->volume || plain.sum != response)
		terms = rest_terms(table, own);
	explain_line(e, 4, "%s: arrives with a jitter of %" PRId64 "; R = [%d] %" PRId64 ":", own->about, explain_value(e, own->jitter),
		e->numbers[own->response], response);
	print_terms(e, &terms);
	explain_line(e, 8, "= %" PRId64 ", R", terms.sum);
}

/* ---- from the sum of R to the bound: (8.1) */

static int64_t job_number(const struct task *task, int64_t jitter, int64_t sum, int64_t value, int64_t *at)
{
	struct arrivals arrivals = {&task->arrival, jitter, true};
	for (int release = 1; release >= 0; release--) {
		arrivals.at_release = release == 1;
		*at = 0;
		for (int tries = 0; tries < 1000 && !checked_is_none(*at); tries++) {
			int64_t count = arrivals_in_closed(&arrivals, *at, 1);
			if (checked_sub(checked_mul(count, sum), *at) == value)
				return count;
			*at = arrivals_next(&arrivals, *at);
		}
	}
	return 0;
}

static void print_stream(struct table *table, int step, int64_t sum)
{
	struct explanation *e = table->e;
	int64_t value = explain_value(e, step), jitter = explain_value(e, explain_input(e, step, "J")), at;
	int64_t count = value == sum ? 1 : job_number(e->task, jitter, sum, value, &at);
	explain_line(e, 2, "sum of R: %" PRId64 " ns", sum);
	if (value == sum)
		explain_line(e, 2, "no earlier job of the stream is in the way: the bound is %" PRId64 " ns", value);
	else if (count > 0)
		explain_line(e, 2,
			"the worst is job %" PRId64 " of a burst, which arrives %" PRId64 " after the first: %" PRId64 " * %" PRId64
			" - %" PRId64 " = %" PRId64 " ns, the bound",
			count, at, count, sum, at, value);
	else if (value < sum)
		explain_line(e, 2,
			"operations in a run meet each operation of another stream once, not each for itself: %" PRId64 " - %" PRId64
			" = %" PRId64 " ns, the bound",
			sum, sum - value, value);
	else
		explain_line(e, 2, "earlier jobs of the stream are waited for: %" PRId64 " + %" PRId64 " = %" PRId64 " ns, the bound", sum,
			value - sum, value);
}

void explain_engines(struct explanation *e, int step)
{
	struct table table = {.e = e, .volume = explain_step(e, step)->rule == RULE_VOL_C};
	int engines = explain_input(e, step, "engines");
	int64_t sum = 0;
	if (engines == STEP_ABSENT || !read_table(&table, engines))
		return;
	explain_line(e, 2, "The operations, one after another; R is from the stream's head to completion, with all that is in the way:");
	for (int i = 0; i < table.count; i++) {
		if (table.rows[i].task != e->task || table.rows[i].response == STEP_ABSENT)
			continue;
		print_operation(&table, &table.rows[i]);
		sum = checked_add(sum, explain_value(e, table.rows[i].response));
	}
	print_stream(&table, step, sum);
}

/* ---- FP and TT: what the task takes alone, and the rest */

static void print_rest(struct explanation *e, int step, struct terms *terms, const char *what)
{
	int64_t rest = checked_sub(explain_value(e, step), terms->sum);
	if (rest != 0)
		add(terms, rest, STEP_ABSENT, what);
	print_terms(e, terms);
	explain_line(e, 8, "= %" PRId64 ", the bound", terms->sum);
}

void explain_levels(struct explanation *e, int step)
{
	struct table table = {.e = e};
	struct terms terms = {.count = 0};
	int levels = explain_input(e, step, "levels");
	if (levels == STEP_ABSENT || !read_table(&table, levels))
		return;
	explain_line(e, 2, "The kernel, and what is in its way:");
	for (int i = 0; i < table.count; i++) {
		if (table.rows[i].task != e->task)
			continue;
		if (table.dependency != STEP_ABSENT)
			add(&terms, explain_value(e, table.dependency), table.dependency, "o_dep");
		add(&terms, explain_value(e, table.rows[i].makespan), table.rows[i].makespan, "M, the kernel itself");
		add_lower(&table, &table.rows[i], &terms);
	}
	print_rest(e, step, &terms,
		"all jobs of its level and of higher ones that come before it begins its last block, less what its own arrives later");
}

/* Costs of the timetable in the order of the task set's operations: o_dep, then the cost. */
void explain_timetable(struct explanation *e, int step)
{
	struct terms terms = {.count = 0};
	int jobs = explain_input(e, step, "jobs"), dependency = STEP_ABSENT;
	if (jobs == STEP_ABSENT)
		return;
	const struct step_input *inputs = derivation_inputs(e->derivation, jobs);
	explain_line(
		e, 2, "The operations of the worst job, alone, and the rest, in a hyperperiod of %" PRId64 " ns:", explain_value(e, jobs));
	for (int i = 0; i < explain_step(e, jobs)->input_count; i++) {
		const struct task *task = NULL;
		const char *about = explain_step(e, inputs[i].step)->about;
		if (strcmp(inputs[i].role, "o_dep") == 0)
			dependency = inputs[i].step;
		if (strcmp(inputs[i].role, "C") != 0 && strcmp(inputs[i].role, "M") != 0)
			continue;
		if (operation_of(e, about, &task) == NULL || task != e->task)
			continue;
		if (dependency != STEP_ABSENT)
			add(&terms, explain_value(e, dependency), dependency, "o_dep");
		add(&terms, explain_value(e, inputs[i].step), inputs[i].step, about);
	}
	print_rest(e, step, &terms, "release jitter, and waiting for other jobs, as found by following all orders; no step says which");
}
