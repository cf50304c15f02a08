/* Factors of a whole span, for sets of tasks. */
#include "interference/company.h"

#include "base/plant.h"
#include "model/rules.h"

struct presence {
	bool *tasks; /* [task] may run beside it */
	int count;
	bool own; /* so may work of its own task */
};

static bool may_run_beside(const struct company_question *asked, const struct operation *other)
{
	const struct taskset *set = asked->set;
	int stream = set->operations[asked->operation].stream;
	if (other->stream == NO_ID || other->stream == stream || taskset_keeps_apart(set, stream, other->stream) ||
		other->kind == OPERATION_WAIT || other->kind == OPERATION_RECORD)
		return false;
	bool same = taskset_context_of(set, other->stream) == taskset_context_of(set, stream);
	return same || !environment_is_compute(asked->platform, other); /* A-EXCL */
}

static struct presence find_presence(const struct company_question *asked)
{
	const struct taskset *set = asked->set;
	struct presence present = {arena_allocate(asked->arena, (size_t)set->task_count, sizeof *present.tasks), 0, false};
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		bool own = asked->operation >= task->first_operation && asked->operation < task->first_operation + task->operation_count;
		bool beside = false;
		for (int i = 0; i < task->operation_count; i++)
			beside |= may_run_beside(asked, task_operation(set, task, i));
		present.own |= own && beside;
		present.tasks[t] = !own && beside;
		present.count += present.tasks[t];
	}
	return present;
}

/* Was it measured beside nobody who may not be there? What others did with them says nothing of them. */
static bool counts(const struct company_question *asked, const struct measured_company *company, const struct presence *present)
{
	bool all = company->operation == asked->operation;
	for (int i = 0; i < company->task_count; i++)
		all &= present->tasks[company->tasks[i].task];
	return all && !(planted(PLANT_COMPANY) && company->task_count < present->count);
}

static bool is_measured_alone(const struct company_question *asked, int task)
{
	const struct taskset *set = asked->set;
	for (int i = 0; i < set->company_count; i++)
		if (set->companies[i].operation == asked->operation && set->companies[i].task_count == 1 &&
			set->companies[i].tasks[0].task == task)
			return true;
	return false;
}

static const char *names_of(const struct company_question *asked, const struct presence *present)
{
	const char *names = "";
	for (int t = 0; t < asked->set->task_count; t++)
		if (present->tasks[t])
			names = arena_format(asked->arena, "%s%s'%s'", names, *names ? ", " : "", asked->set->tasks[t].id);
	return names;
}

static const char *find_obstacle(
	const struct company_question *asked, const struct environment *environment, const struct presence *present, bool together)
{
	const char *id = asked->set->operations[asked->operation].id;
	if (present->own)
		return arena_format(
			asked->arena, "work of its own task on other streams may run beside '%s', and a company is of other tasks", id);
	if (environment->active[INTERFERER_CPU] || environment->active[INTERFERER_OTHER])
		return arena_format(asked->arena, "CPU cores or other masters may slow '%s', and a company is of tasks alone", id);
	for (int t = 0; t < asked->set->task_count; t++)
		if (present->tasks[t] && !is_measured_alone(asked, t))
			return arena_format(asked->arena, "no company says what task '%s' alone does to '%s'", asked->set->tasks[t].id, id);
	if (present->count > 0 && !together)
		return arena_format(asked->arena, "no company says what %s together do to '%s'", names_of(asked, present), id);
	return NULL;
}

/* The step of the greatest of what counts, each number of it given. */
static int derive(const struct company_question *asked, const struct presence *present, struct rational greatest)
{
	const struct taskset *set = asked->set;
	int *given = arena_allocate(asked->arena, (size_t)set->company_count, sizeof *given), count = 0;
	for (int i = 0; i < set->company_count; i++)
		if (counts(asked, &set->companies[i], present))
			given[count++] = derivation_step(
				asked->derivation, RULE_GIVEN, arena_format(asked->arena, "company:%d", i), set->companies[i].factor);
	int step = derivation_step(asked->derivation, RULE_COMPANY, asked->about, greatest);
	for (int i = 0; i < count; i++)
		derivation_input(asked->derivation, "f", given[i]);
	return step;
}

struct factor company_factor(const struct company_question *asked, const struct environment *environment, const char **reason)
{
	const struct taskset *set = asked->set;
	struct presence present = find_presence(asked);
	struct rational greatest = rational_of(1);
	bool together = false;
	for (int i = 0; i < set->company_count; i++) {
		if (!counts(asked, &set->companies[i], &present))
			continue;
		greatest = rational_max(greatest, set->companies[i].factor);
		together |= set->companies[i].task_count == present.count;
	}
	*reason = find_obstacle(asked, environment, &present, together);
	if (*reason != NULL)
		return (struct factor){RATIONAL_NONE, STEP_ABSENT};
	return (struct factor){greatest, present.count == 0 ? STEP_ABSENT : derive(asked, &present, greatest)};
}
