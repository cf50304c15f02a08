/* Own times: of the host, and of the longest of the task's streams. */
#include "advise/design_limits.h"

/* [DESIGN-LIMITS]: operations of one stream, and those of the host, are one after the other in any design. */
static int64_t own_time(const struct taskset *set, int task, bool host)
{
	const struct task *of = &set->tasks[task];
	int64_t longest = 0, hosts = 0;
	for (int s = 0; s < set->stream_count; s++) {
		int64_t sum = 0;
		for (int i = 0; i < of->operation_count; i++)
			if (task_operation(set, of, i)->stream == s && task_operation(set, of, i)->event == NO_ID)
				sum = checked_add(sum, task_operation(set, of, i)->wcet);
		longest = checked_max(longest, sum);
	}
	for (int i = 0; i < of->operation_count; i++)
		if (task_operation(set, of, i)->kind == OPERATION_HOST)
			hosts = checked_add(hosts, task_operation(set, of, i)->wcet);
	return host ? checked_max(longest, hosts) : longest;
}

int64_t limit_response(const struct taskset *set, int task)
{
	return own_time(set, task, true);
}

int64_t limit_slack(const struct taskset *set)
{
	int64_t least = NONE;
	for (int i = 0; i < set->task_count; i++) {
		int64_t own = own_time(set, i, false);
		if (own > 0 && !checked_is_none(own) && !checked_is_none(set->tasks[i].deadline))
			least = checked_min(least, checked_sub(checked_mul_div_floor(set->tasks[i].deadline, 1000, own), 1000));
	}
	return least;
}
