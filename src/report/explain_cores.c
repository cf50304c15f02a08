/* How long a host segment takes on its core, in terms ([CORES]). */
#include "report/explain_terms.h"

#include <inttypes.h>
#include <string.h>

static const struct task *find_task(const struct taskset *set, const char *about)
{
	const struct task *task = set->tasks;
	while (strcmp(task->id, about + strlen("task:")) != 0)
		task++;
	return task;
}

struct rival {
	const struct task *task;
	int64_t response, executed; /* R, E */
	const char *step;
};

/* The inputs from a claimed response on, up to the next one. */
static struct rival read_interferer(struct explanation *e, const struct step_input *inputs, int count, int *at)
{
	struct rival of = {find_task(e->report->set, explain_step(e, inputs[*at].step)->about), explain_value(e, inputs[*at].step), 0,
		terms_step(e, inputs[*at].step)};
	for (++*at; *at < count && strcmp(inputs[*at].role, "c") == 0; ++*at)
		of.executed = checked_add(of.executed, explain_value(e, inputs[*at].step));
	of.executed = task_spins(of.task) ? of.response : of.executed;
	return of;
}

static void add_interferer(struct explanation *e, struct listing *terms, const struct rival *of, int64_t window)
{
	const struct arrivals releases = {&of->task->arrival, of->task->arrival.jitter, true};
	int64_t late = checked_sub(of->response, of->executed), jobs = arrivals_in(&releases, checked_add(window, late));
	listing_add(terms, checked_mul(jobs, of->executed),
		"%s: what %s executes, whose jobs are complete %" PRId64 " ns%s after their release%s",
		terms_product(e, jobs, of->executed), of->task->id, of->response, of->step, task_spins(of->task) ? ", as it spins" : "");
	if (e->shares != NULL)
		shares_add_as(e->shares, SHARE_TASK, of->task->id, checked_mul(jobs, of->executed), "its thread on the core");
}

void explain_host(struct explanation *e, int step)
{
	const struct step_input *inputs = derivation_inputs(e->derivation, step);
	const char *name = explain_step(e, step)->about + strlen("task:");
	int64_t time = explain_value(e, step), window = time, shared = e->shares != NULL ? e->shares->sum : 0;
	int first = e->shares != NULL ? e->shares->count : 0, count = explain_step(e, step)->input_count;
	struct listing terms = listing_of(e);
	for (int i = 0; i < count;) {
		if (strcmp(inputs[i].role, "R") == 0) {
			struct rival of = read_interferer(e, inputs, count, &i);
			add_interferer(e, &terms, &of, window);
			continue;
		}
		bool own = strcmp(inputs[i].role, "C") == 0, way = strcmp(inputs[i].role, "L") == 0;
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
