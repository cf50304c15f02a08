/* How long a host segment takes on its core, in terms ([CORES]). */
#include "report/explain_terms.h"
#include "response/reservations.h"

#include <inttypes.h>
#include <string.h>

/* "task:ID", an attribute of one, or an operation. */
static const struct task *find_task(const struct taskset *set, const char *about)
{
	const struct task *task = set->tasks;
	const char *id = about + strlen("task:");
	size_t length = strcspn(id, "@/");
	while (strlen(task->id) != length || strncmp(task->id, id, length) != 0)
		task++;
	return task;
}

struct rival {
	const struct task *task;
	int64_t response, executed; /* R, E; NONE: nothing is claimed of it */
	int64_t late;               /* how late reservations of the core are served */
	const char *step;
};

static bool has_role(const struct step_input *input, const char *role)
{
	return strcmp(input->role, role) == 0;
}

/* The inputs from a claimed response on, or from a reservation on where there is none, up to those of the next thread. */
static struct rival read_interferer(struct explanation *e, const struct step_input *inputs, int count, int *at)
{
	struct rival of = {
		find_task(e->report->set, explain_step(e, inputs[*at].step)->about), NONE, 0, 0, terms_step(e, inputs[*at].step)};
	if (has_role(&inputs[*at], "R"))
		of.response = explain_value(e, inputs[(*at)++].step);
	for (; *at < count && has_role(&inputs[*at], "c"); ++*at)
		of.executed = checked_add(of.executed, explain_value(e, inputs[*at].step));
	of.executed = of.response == NONE || task_spins(of.task) ? of.response : of.executed;
	*at += task_reserves(of.task) ? 3 : 0; /* Q, D, P */
	return of;
}

static void add_reservation(struct explanation *e, struct listing *terms, const struct rival *of, int64_t most)
{
	const struct task *task = of->task;
	listing_add(terms, most, "what %s executes in its reservation%s at most, of %" PRId64 " ns each %" PRId64 " ns", task->id, of->step,
		task->sched_runtime, task->sched_period);
	if (e->shares != NULL)
		shares_add_as(e->shares, SHARE_TASK, task->id, most, "its thread on the core");
}

static void add_interferer(struct explanation *e, struct listing *terms, const struct rival *of, int64_t window)
{
	const struct arrivals releases = {&of->task->arrival, of->task->arrival.jitter, true};
	int64_t late = checked_sub(of->response, of->executed), jobs = arrivals_in(&releases, checked_add(window, late));
	int64_t most = task_reserves(of->task) ? reservations_most(e->report->set, of->task, window, of->response, of->late) : NONE;
	if (most < checked_mul(jobs, of->executed)) {
		add_reservation(e, terms, of, most);
		return;
	}
	listing_add(terms, checked_mul(jobs, of->executed),
		"%s: what %s executes, whose jobs are complete %" PRId64 " ns%s after their release%s",
		terms_product(e, jobs, of->executed), of->task->id, of->response, of->step, task_spins(of->task) ? ", as it spins" : "");
	if (e->shares != NULL)
		shares_add_as(e->shares, SHARE_TASK, of->task->id, checked_mul(jobs, of->executed), "its thread on the core");
}

static int64_t input_of(struct explanation *e, int step, const char *role)
{
	const struct step_input *inputs = derivation_inputs(e->derivation, step);
	int64_t value = 0;
	for (int i = 0; i < explain_step(e, step)->input_count; i++)
		value = has_role(&inputs[i], role) ? explain_value(e, inputs[i].step) : value;
	return value;
}

void explain_host(struct explanation *e, int step)
{
	const struct step_input *inputs = derivation_inputs(e->derivation, step);
	const char *name = explain_step(e, step)->about + strlen("task:");
	int64_t time = explain_value(e, step), window = time, shared = e->shares != NULL ? e->shares->sum : 0;
	int64_t late = checked_add(input_of(e, step, "B"), input_of(e, step, "K"));
	int first = e->shares != NULL ? e->shares->count : 0, count = explain_step(e, step)->input_count;
	struct listing terms = listing_of(e);
	for (int i = 0; i < count;) {
		if (has_role(&inputs[i], "U") || has_role(&inputs[i], "K") || has_role(&inputs[i], "V")) {
			i++;
			continue;
		}
		if (has_role(&inputs[i], "R") || has_role(&inputs[i], "Q")) {
			struct rival of = read_interferer(e, inputs, count, &i);
			of.late = late;
			add_interferer(e, &terms, &of, window);
			continue;
		}
		bool own = has_role(&inputs[i], "C"), way = has_role(&inputs[i], "L");
		const char *what = own   ? "what it executes"
				   : way ? "until what it issued is at the GPU"
					 : "what may not be preempted on the core";
		int64_t value = explain_value(e, inputs[i].step);
		window -= way ? value : 0;
		listing_add(&terms, value, "%s%s, %s", inputs[i].role, terms_step(e, inputs[i].step), what);
		if (e->shares != NULL)
			shares_add_as(e->shares, own ? SHARE_HOST : SHARE_OVERHEAD, "", value, own ? name : what);
		i++;
	}
	explain_line(e, 2, "%s on its core:", name);
	listing_print_all(
		&terms, 4, time, window < time ? "from its begin until what it issued is at the GPU" : "from its begin to its end");
	if (e->shares != NULL)
		shares_fill(e->shares, first, time - (e->shares->sum - shared), "what others have on the core");
}

void explain_reserved(struct explanation *e, int step)
{
	const char *name = explain_step(e, step)->about + strlen("task:");
	const struct taskset *set = e->report->set;
	int64_t way = input_of(e, step, "L"), blocking = input_of(e, step, "B"), own = input_of(e, step, "C");
	int64_t others = input_of(e, step, "K"), lack = reservations_lack(set, find_task(set, explain_step(e, step)->about));
	int64_t runtime = input_of(e, step, "Q"), time = explain_value(e, step), shared = e->shares != NULL ? e->shares->sum : 0;
	int64_t budget = input_of(e, step, "D") - runtime, period = input_of(e, step, "P") - runtime;
	int first = e->shares != NULL ? e->shares->count : 0;
	int64_t waits = time - way - blocking - others - own - budget - lack, owed = input_of(e, step, "V");
	int64_t anew = (own + owed + runtime - 1) / runtime;
	struct listing terms = listing_of(e);
	listing_add(&terms, blocking, "B, what may not be preempted on the core");
	if (others > 0)
		listing_add(&terms, others, "K, what reservations of the core execute beyond their runtimes");
	listing_add(&terms, own, "C, what it executes");
	listing_add(&terms, way, "L, until what it issued is at the GPU");
	listing_add(&terms, budget, "until its reservation has a runtime left over by its deadline");
	if (lack > 0)
		listing_add(&terms, lack, "what a runtime lacks that was revised");
	if (waits > 0 && waits < owed + anew * period)
		listing_add(&terms, waits, "B, until it begins, as the job before may be woken late");
	else if (waits > 0) {
		if (owed > 0)
			listing_add(&terms, owed, "V, what its own overrun is taken off a runtime");
		listing_add(&terms, anew * period, "%s: until it has new ones", terms_product(e, anew, period));
	}
	if (e->shares != NULL) {
		shares_add_as(e->shares, SHARE_HOST, "", own, name);
		shares_add_as(e->shares, SHARE_OVERHEAD, "", blocking + others, "what may not be preempted on the core");
		shares_add_as(e->shares, SHARE_OVERHEAD, "", way, "until what it issued is at the GPU");
		shares_add_as(e->shares, SHARE_OVERHEAD, "", budget + lack + waits, "what its reservation keeps it waiting");
	}
	explain_line(e, 2, "%s in its reservation of %" PRId64 " ns each %" PRId64 " ns:", name, runtime, runtime + period);
	listing_print_all(&terms, 4, time, way > 0 ? "from its begin until what it issued is at the GPU" : "from its begin to its end");
	if (e->shares != NULL)
		shares_fill(e->shares, first, time - (e->shares->sum - shared), "what others have on the core");
}
