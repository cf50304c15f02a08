/* The companies of one sequence that are parts of those who may be there. */
#include "verify/company.h"

#include "verify/environment.h"
#include "verify/inflation.h"

#define FACTOR_UNKNOWN ((struct factor){RATIONAL_NONE, NULL})

/* May some operation of the task be under way with it? */
static bool meets(const struct check *check, const struct task *task, int index)
{
	const struct taskset *set = check->set;
	int stream = set->operations[index].stream;
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		bool works = operation->kind != OPERATION_HOST && operation->kind != OPERATION_WAIT && operation->kind != OPERATION_RECORD;
		if (!works || operation->stream == stream || resident_apart(check, stream, operation->stream))
			continue;
		if (taskset_context_of(set, operation->stream) == taskset_context_of(set, stream) ||
			!environment_computes(check->platform, operation))
			return true;
	}
	return false;
}

/* Is it about this sequence and none but those that may be there? */
static bool is_part(const struct measured_company *company, int index, const bool *present)
{
	for (int k = 0; k < company->task_count; k++)
		if (!present[company->tasks[k].task])
			return false;
	return company->operation == index;
}

/* Each of so many alone, and all together. */
static bool is_measured(const struct check *check, int index, const bool *present, int there)
{
	const struct taskset *set = check->set;
	bool *seen = arena_allocate(check->arena, (size_t)set->task_count + 1, sizeof *seen), together = false;
	int alone = 0;
	for (int i = 0; i < set->company_count; i++) {
		const struct measured_company *company = &set->companies[i];
		if (!is_part(company, index, present))
			continue;
		together = together || company->task_count == there;
		alone += company->task_count == 1 && !seen[company->tasks[0].task];
		seen[company->tasks[0].task] = seen[company->tasks[0].task] || company->task_count == 1;
	}
	return together && alone == there;
}

static struct factor greatest_of(struct check *check, const char *about, int index, const bool *present)
{
	const struct taskset *set = check->set;
	struct rational greatest = rational_of(1);
	for (int i = 0; i < set->company_count; i++)
		if (is_part(&set->companies[i], index, present))
			greatest = rational_max(greatest, set->companies[i].factor);
	struct factor factor = factor_make(check, RULE_COMPANY, about, greatest);
	for (int i = 0; i < set->company_count; i++)
		if (is_part(&set->companies[i], index, present))
			factor_from(check, factor.node, "f",
				factor_make(check, RULE_GIVEN, arena_format(check->arena, "company:%d", i), set->companies[i].factor).node);
	return factor;
}

struct factor company_measured(struct check *check, const char *about, int index)
{
	const struct taskset *set = check->set;
	bool *present = arena_allocate(check->arena, (size_t)set->task_count + 1, sizeof *present);
	int there = 0;
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		bool own = index >= task->first_operation && index < task->first_operation + task->operation_count;
		present[t] = meets(check, task, index);
		there += present[t];
		if (own && present[t])
			return FACTOR_UNKNOWN;
	}
	if (there == 0)
		return (struct factor){rational_of(1), NULL};
	return is_measured(check, index, present, there) ? greatest_of(check, about, index, present) : FACTOR_UNKNOWN;
}
