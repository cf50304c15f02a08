/* Copies beside blocks: (5.2) once more. */
#include "verify/copies.h"

#include "verify/bounds.h"

#include <string.h>

#define MOST_TURNS 100000

/* Is it on a copy engine, in another stream than the victim? */
static bool may_slow(const struct check *check, int victim, int operation)
{
	const struct operation *other = &check->set->operations[operation];
	return resident_is_transfer(other) && resident_engine(check->platform, other) >= 0 &&
	       other->stream != check->set->operations[victim].stream;
}

static bool has_any(const struct check *check, int victim, const struct task *task)
{
	bool any = false;
	for (int i = 0; i < task->operation_count; i++)
		any = any || may_slow(check, victim, task->first_operation + i);
	return any;
}

/* ---- what the report claims of a task */

static int claim_of(const struct check *check, const struct task *task)
{
	return graph_find(check, 0, RULE_CLAIM_TASK, arena_format(check->arena, "task:%s", task->id));
}

/* As they stand in its result, where they are compared with what its bound rests on. */
static uint64_t assumptions_of(const struct check *check, const struct task *task)
{
	const struct xml_element *results = element_child(check->root, "results");
	const struct xml_element *element = results == NULL ? NULL : check_next(results->first, "task");
	while (element != NULL && (element_get(element, "id") == NULL || strcmp(element_get(element, "id"), task->id) != 0))
		element = check_next(element->next, "task");
	const char *list = element == NULL ? NULL : element_get(element, "assumptions");
	uint64_t found = 0;
	for (size_t length; list != NULL && *list != '\0'; list += length + (list[length] == ' ')) {
		length = strcspn(list, " ");
		for (int i = 0; i < ASSUMPTION_COUNT; i++)
			if (strlen(assumption_kinds[i].id) == length && strncmp(assumption_kinds[i].id, list, length) == 0)
				found |= UINT64_C(1) << i;
	}
	return found;
}

/* ---- the equation */

static int64_t time_of_job(const struct check *check, const struct inflated_fact *inflated, int victim, const struct task *task)
{
	int64_t sum = 0;
	for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++)
		if (may_slow(check, victim, i))
			sum = checked_add(
				sum, checked_add(platform_value(check->platform, PARAMETER_OVERHEAD_COPY), inflated[i].inflated.value));
	return sum;
}

struct customer_of_engines { /* a task with copies beside the victim */
	struct arrivals_at releases;
	int64_t response, each;
};

static int find_customers(struct check *check, const struct inflated_fact *inflated, int victim, struct customer_of_engines *customers)
{
	int count = 0;
	for (int t = 0; t < check->set->task_count; t++) {
		const struct task *task = &check->set->tasks[t];
		if (has_any(check, victim, task))
			customers[count++] = (struct customer_of_engines){{&task->arrival, task->arrival.jitter, true},
				graph_integer(check, claim_of(check, task)), time_of_job(check, inflated, victim, task)};
	}
	return count;
}

/* A job whose copies run at some instant of the window was released before its end, and less than its response before its beginning. */
static int64_t time_within(const struct customer_of_engines *customers, int count, int64_t window)
{
	int64_t sum = 0;
	for (int i = 0; i < count; i++) {
		int64_t reach = checked_add(customers[i].response, window);
		int64_t jobs = checked_is_none(reach) ? NONE : bounds_arrivals(&customers[i].releases, reach);
		sum = checked_add(sum, checked_mul(jobs, customers[i].each));
	}
	return sum;
}

int64_t copies_residence(struct check *check, const struct inflated_fact *inflated, const struct copies_slowing *slowing)
{
	if (rational_is_none(slowing->busy) || rational_is_none(slowing->idle) || rational_compare(slowing->idle, slowing->busy) >= 0)
		return NONE;
	struct rational share = rational_div(rational_sub(slowing->busy, slowing->idle), slowing->busy);
	int64_t alone = rational_scale_up(slowing->isolated.value, slowing->idle), longest = alone;
	struct customer_of_engines *customers = arena_allocate(check->arena, (size_t)check->set->task_count + 1, sizeof *customers);
	int count = find_customers(check, inflated, slowing->victim, customers);
	for (int i = 0; i < MOST_TURNS && !checked_is_none(longest); i++) {
		int64_t copied = time_within(customers, count, longest);
		int64_t next = checked_add(alone, rational_scale_up(checked_min(copied, longest), share));
		if (next <= longest)
			return longest;
		longest = next;
	}
	return NONE;
}

void copies_add_inputs(struct check *check, const struct inflated_fact *inflated, int victim, struct fact *fact)
{
	fact_from(check, fact, "o_copy",
		fact_given(check, platform_value(check->platform, PARAMETER_OVERHEAD_COPY), "platform:overhead.copy"));
	for (int t = 0; t < check->set->task_count; t++) {
		const struct task *task = &check->set->tasks[t];
		if (!has_any(check, victim, task))
			continue;
		int step = claim_of(check, task);
		struct fact claim =
			fact_make(check, RULE_CLAIM_TASK, arena_format(check->arena, "task:%s", task->id), graph_integer(check, step));
		claim.assumptions = assumptions_of(check, task);
		fact_bind(&claim, step);
		fact_from(check, fact, "R", claim);
		for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++) {
			struct fact copy = inflated[i].inflated;
			copy.assumptions = 0; /* what its task's response rests on has them */
			if (may_slow(check, victim, i))
				fact_from(check, fact, "c", copy);
		}
	}
}

/* ---- is the claim what was proved in the end? */

void copies_hold_claim(struct check *check, const struct task *task, struct fact least, bool together)
{
	int step = claim_of(check, task);
	if (step < 0)
		return;
	const struct xml_element *element = check->graph.steps[step].element;
	const char *where = arena_format(check->arena, "step s%d (%s, task:%s)", step + 1, rule_kinds[RULE_CLAIM_TASK].name, task->id);
	int64_t claimed = graph_integer(check, step);
	if (together)
		check_differs(check, element, where, "no claim, as blocks may stand still while copies run", "one");
	if (checked_is_none(least.value) || claimed != least.value)
		check_differs(check, element, where,
			checked_is_none(least.value) ? "a response of the task"
						     : arena_format(check->arena, "%lld", (long long)least.value),
			arena_format(check->arena, "%lld", (long long)claimed));
}
