/* What one job of a segment costs, and the jitter of its release. */
#include "verify/claimed_bounds.h"

struct fact bounds_dilated(const struct work *work, struct fact x, int64_t turns, int context, bool of_copies, const char *about)
{
	const struct owner *owner = &work->owners[context];
	if (!work->sliced || (of_copies && !work->copies_sliced))
		return x;
	return work_dilate(work->check, about, x, turns, of_copies ? work->parameters[PARAMETER_RUNLIST_COPY_TIMESLICE] : owner->slice,
		of_copies ? owner->copy_gap : owner->kernel_gap);
}

/* M + max(W, o_blk), M where no lower level is. */
static struct fact kernel_cost(const struct work *work, const struct piece *piece, const char *about)
{
	struct fact both[] = {piece->makespan, piece->waste};
	return piece->waste.value == 0 ? piece->makespan : fact_sum(work->check, about, both, 2);
}

static int add_operation(const struct work *work, const struct part *part, int index, int wanted, struct fact *facts)
{
	const struct piece *piece = &work->pieces[index];
	const char *about = work_name(work, part, index);
	bool dilate = wanted & BOUNDS_DILATED;
	int count = 0;
	if (wanted & BOUNDS_DEPENDENCIES)
		facts[count++] = piece->dependency;
	if ((wanted & BOUNDS_TRANSFERS) && piece->runs == RUNS_ON_COPY_ENGINE)
		facts[count++] = dilate ? bounds_dilated(work, piece->transfer, 1, part->context, true, about) : piece->transfer;
	if (piece->runs != RUNS_ON_SMS)
		return count;
	if (wanted & BOUNDS_KERNELS) {
		struct fact kernel = kernel_cost(work, piece, about);
		facts[count++] = dilate ? bounds_dilated(work, kernel, piece->turns, part->context, false, about) : kernel;
	}
	if (wanted & BOUNDS_DISPATCHED) {
		struct fact both[] = {piece->dispatch, piece->assigned};
		facts[count++] = fact_sum(work->check, about, both, 2);
	}
	if (wanted & BOUNDS_VOLUMES)
		facts[count++] = piece->volume;
	return count;
}

struct fact bounds_cost(const struct work *work, const struct part *part, int wanted)
{
	struct fact *facts = arena_allocate(work->check->arena, (size_t)part->count * 5 + 1, sizeof *facts);
	int count = 0;
	for (int i = part->first; i < part->first + part->count; i++)
		count += add_operation(work, part, i, wanted, facts + count);
	return fact_sum(work->check, part->about, facts, count);
}

int64_t bounds_operations(const struct work *work, const struct part *part, enum runs runs)
{
	int64_t count = 0;
	for (int i = part->first; i < part->first + part->count; i++)
		count = work->pieces[i].runs == runs ? checked_add(count, work->pieces[i].turns) : count;
	return count;
}

struct fact work_host(const struct work *work, int task, int operation)
{
	const struct taskset *set = work->check->set;
	const struct operation *host = &set->operations[operation];
	if (set->tasks[task].core == 0)
		return fact_given(work->check, host->wcet, "task:%s/op:%s@wcet", set->tasks[task].id, host->id);
	struct fact time = work->inflated[operation].inflated;
	time.assumptions = 0; /* that work comes behind it says on what it rests */
	return time;
}

/* ---- jitter of a segment's release: what lies before it in its task, [SEGMENTS] */

static struct fact least_of(const struct work *work, const struct part *part)
{
	struct check *check = work->check;
	struct fact least = fact_make(check, RULE_LEAST, part->about, part->least);
	for (int i = part->first; i < part->first + part->count; i++)
		fact_from(check, &least, "b", fact_given(check, check->set->operations[i].bcet, "%s@bcet", work_name(work, part, i)));
	return least;
}

static bool done_in_time(const struct work *work, int task, int64_t longest)
{
	const struct arrival *model = &work->check->set->tasks[task].arrival;
	const struct arrivals_at releases = {model, model->jitter, true};
	return !checked_is_none(longest) && bounds_arrivals(&releases, longest) <= 1;
}

bool bounds_jobs_apart(const struct work *work, int task, const int64_t *within)
{
	struct listed parts = lists_of(&work->parts_of_task, task);
	int64_t longest = 0;
	for (int i = 0; i < parts.count; i++) {
		longest = checked_add(longest, within[parts.items[i]]);
		if (i + 1 == parts.count) /* of all host segments before it */
			longest = checked_add(longest, work->parts[parts.items[i]].host_most);
	}
	return done_in_time(work, task, longest);
}

bool bounds_thread_punctual(const struct work *work, int task, const int64_t *within)
{
	const struct taskset *set = work->check->set;
	struct listed parts = lists_of(&work->parts_of_task, task);
	int64_t longest = 0;
	for (int i = 0; i < parts.count; i++)
		longest = checked_add(longest, within[parts.items[i]]);
	for (int i = 0; i < set->tasks[task].operation_count; i++)
		if (task_operation(set, &set->tasks[task], i)->kind == OPERATION_HOST)
			longest = checked_add(longest, taskset_host_time(set, task_operation(set, &set->tasks[task], i)));
	return done_in_time(work, task, longest);
}

int64_t bounds_lateness(const struct work *work, int index, const int64_t *before)
{
	const struct part *part = &work->parts[index], *first = part - part->number;
	int64_t late = checked_add(work->check->set->tasks[part->task].arrival.jitter, checked_sub(part->host_most, part->host_least));
	for (int i = 0; i < part->number; i++)
		late = checked_add(late, checked_max(0, checked_sub(before[i], first[i].least)));
	return late;
}

struct fact bounds_jitter(const struct work *work, int index, const struct fact *claims)
{
	struct check *check = work->check;
	const struct part *part = &work->parts[index];
	const struct task *task = &check->set->tasks[part->task];
	struct fact release = fact_given(check, task->arrival.jitter, "task:%s@jitter", task->id);
	int64_t *before = arena_allocate(check->arena, (size_t)part->number + 1, sizeof *before);
	if (part->first == task->first_operation)
		return release;
	for (int i = 0; i < part->number; i++)
		before[i] = claims[index - part->number + i].value;
	struct fact jitter = fact_make(check, RULE_JITTER, part->about, bounds_lateness(work, index, before));
	fact_from(check, &jitter, "Jr", release);
	for (int i = task->first_operation; i < part->first; i++) {
		const struct operation *host = &check->set->operations[i];
		if (host->kind != OPERATION_HOST)
			continue;
		fact_from(check, &jitter, "C", work_host(work, part->task, i));
		fact_from(check, &jitter, "b", fact_given(check, host->bcet, "%s@bcet", work_name(work, part, i)));
	}
	for (int i = index - part->number; i < index; i++) {
		fact_from(check, &jitter, "P", claims[i]);
		fact_from(check, &jitter, "l", least_of(work, &work->parts[i]));
	}
	return jitter;
}
