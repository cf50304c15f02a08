/* The busy intervals VOL-P, P and P-GPU: what may arrive in D costs D, group by group of what shares a time slice. */
#include "report/explain_terms.h"

#include "base/checked.h"
#include "model/rules.h"
#include "response/applicable.h"

#include <inttypes.h>
#include <string.h>

struct group {
	int slice, gap, nonempty;           /* steps; STEP_ABSENT */
	int context;                        /* whose volume it is */
	struct terms work, volume, kernels; /* x, v, k */
};

struct interval {
	struct explanation *e;
	int step, rule;
	int64_t d;
	struct group group;
	struct terms all;
};

static const struct task *task_of(const struct explanation *e, const char *about)
{
	const struct taskset *set = e->report->set;
	const char *name = about == NULL ? "" : terms_name(about);
	size_t length = strcspn(name, "@/");
	for (int i = 0; i < set->task_count; i++)
		if (strlen(set->tasks[i].id) == length && strncmp(set->tasks[i].id, name, length) == 0)
			return &set->tasks[i];
	return NULL;
}

static void open_group(struct interval *v)
{
	v->group = (struct group){v->group.slice, v->group.gap, v->group.nonempty, 0, terms_of(v->e), terms_of(v->e), terms_of(v->e)};
}

/* What turns cost beyond the work in them. */
static void add_turns(struct interval *v, const char *x, int64_t work, int64_t kernels)
{
	struct explanation *e = v->e;
	int64_t l = explain_value(e, v->group.slice), g = explain_value(e, v->group.gap);
	bool up = v->rule == RULE_VOL_P;
	if (v->group.slice == STEP_ABSENT || v->group.gap == STEP_ABSENT)
		return;
	int64_t turns = checked_add(up ? checked_div_ceil(work, l) : checked_div_floor(work, l), kernels);
	terms_add(&v->all, checked_mul(turns, g),
		"turns, with %s, L%s, G%s, k: (%s(%" PRId64 " / %" PRId64 ") + %" PRId64 ") * %" PRId64 " = %" PRId64, x,
		terms_step(e, v->group.slice), terms_step(e, v->group.gap), up ? "ceil" : "floor", work, l, kernels, g,
		checked_mul(turns, g));
}

static void print_list(struct interval *v, const struct terms *terms, const char *title, const char *sum)
{
	if (terms->count == 0)
		return;
	explain_line(v->e, 4, "%s:", title);
	terms_print(terms, 6, sum, false);
}

static void close_group(struct interval *v)
{
	struct group *group = &v->group;
	int64_t work = group->work.sum, g = checked_max(1, explain_value(v->e, group->nonempty));
	print_list(v, &group->work, "Time at engines that take turns, or that are shared", "X");
	print_list(v, &group->volume, "Block time besides last blocks", "V");
	print_list(v, &group->kernels, "Operations, each of which may lose the rest of a turn", "k");
	if (group->volume.count > 0) {
		int64_t rest = applicable_rest(v->e->report->set, v->e->report->response->basis.costs, group->context, g);
		int64_t spread = checked_div_floor(checked_add(group->volume.sum, rest), g);
		terms_add(&v->all, spread, "V over g SMs, g%s: %s(%" PRId64 " / %" PRId64 ") = %" PRId64, terms_step(v->e, group->nonempty),
			rest > 0 ? "ceil" : "floor", group->volume.sum, g, spread);
		work = checked_add(work, spread);
	}
	if (v->rule != RULE_P_GPU_ONCE)
		terms_add(&v->all, group->work.sum, "X");
	add_turns(v, group->volume.count > 0 ? "X + V / g" : "X", work, group->kernels.sum);
}

/* One task: how many of its jobs, and what each costs. The inputs from the period on up to the next one. */
static void add_item(struct interval *v, const struct step_input *inputs, int count)
{
	struct explanation *e = v->e;
	const struct task *task = task_of(e, explain_step(e, inputs[0].step)->about);
	struct arrivals arrivals = {task == NULL ? NULL : &task->arrival, 0, false};
	int64_t back = 0;
	for (int i = 0; i < count; i++) {
		if (strcmp(inputs[i].role, "J") == 0) {
			arrivals.jitter = explain_value(e, inputs[i].step);
			arrivals.at_release = explain_step(e, inputs[i].step)->rule == RULE_GIVEN;
		}
		back += strcmp(inputs[i].role, "A") == 0 ? explain_value(e, inputs[i].step) : 0;
	}
	if (task == NULL)
		return;
	v->group.context = e->report->set->merged_context ? 0 : task->application;
	int64_t jobs = arrivals_in(&arrivals, checked_add(v->d, back)), whole = 0;
	const char *eta = terms_count(e, &arrivals, v->d, back);
	const struct {
		const char *role, *meaning;
		struct terms *terms;
	} costs[] = {{"e", "cost of a job besides", &v->all}, {"x", "x", &v->group.work}, {"v", "v", &v->group.volume},
		{"k", "k", &v->group.kernels}};
	for (int i = 0; i < count; i++)
		for (size_t r = 0; r < sizeof costs / sizeof *costs; r++) {
			if (strcmp(inputs[i].role, costs[r].role) != 0)
				continue;
			int64_t each = explain_value(e, inputs[i].step), all = checked_mul(jobs, each);
			terms_add(costs[r].terms, all, "jobs of %s, %s%s each: %s; eta: %s", task->id, costs[r].meaning,
				terms_step(e, inputs[i].step), terms_product(e, jobs, each), eta);
			if (costs[r].terms == &v->group.volume)
				all = checked_div_floor(all, checked_max(1, explain_value(e, v->group.nonempty)));
			if (costs[r].terms != &v->group.kernels)
				whole = checked_add(whole, all);
		}
	explain_remember(e, whole, arena_format(e->arena, "jobs of %s", task->id));
}

static void add_stops(struct interval *v)
{
	struct explanation *e = v->e;
	int length = explain_input(e, v->step, "theta_int"), distance = explain_input(e, v->step, "T_int");
	if (length == STEP_ABSENT || distance == STEP_ABSENT)
		return;
	int64_t each = explain_value(e, length), t = explain_value(e, distance), all = checked_mul(checked_div_ceil(v->d, t), each);
	terms_add(&v->all, all, "stops, T_int%s, a stop%s: ceil(%" PRId64 " / %" PRId64 ") * %" PRId64 " = %" PRId64,
		terms_step(e, distance), terms_step(e, length), v->d, t, each, all);
}

void explain_interval(struct explanation *e, int step)
{
	const struct step_input *inputs = derivation_inputs(e->derivation, step);
	int count = explain_step(e, step)->input_count;
	struct interval v = {.e = e, .step = step, .rule = explain_step(e, step)->rule, .d = explain_value(e, step), .all = terms_of(e)};
	bool open = false, headed = false;
	v.group = (struct group){.slice = STEP_ABSENT, .gap = STEP_ABSENT, .nonempty = STEP_ABSENT};
	explain_line(e, 2,
		"eta jobs of each task are released in D at most, those that may be left over before it included. With D = %" PRId64
		" ns on the right side:",
		v.d);
	open_group(&v);
	for (int i = 0; i < count; i++) {
		const char *role = inputs[i].role;
		bool begins = strcmp(role, "g") == 0 || (strcmp(role, "L") == 0 && !headed);
		if (open && begins) {
			close_group(&v);
			v.group.slice = v.group.gap = v.group.nonempty = STEP_ABSENT;
			open_group(&v);
			open = false;
		}
		headed = strcmp(role, "g") == 0;
		v.group.nonempty = strcmp(role, "g") == 0 ? inputs[i].step : v.group.nonempty;
		v.group.slice = strcmp(role, "L") == 0 ? inputs[i].step : v.group.slice;
		v.group.gap = strcmp(role, "G") == 0 ? inputs[i].step : v.group.gap;
		if (strcmp(role, "T") != 0)
			continue;
		int last = i + 1;
		while (last < count && inputs[last].role[1] == '\0' && strchr("JAexvk", inputs[last].role[0]) != NULL)
			last++;
		add_item(&v, &inputs[i], last - i);
		open = true;
	}
	if (open)
		close_group(&v);
	add_stops(&v);
	explain_line(e, 4, "All of it:");
	terms_print_all(&v.all, 6, v.d, "D", false);
}
