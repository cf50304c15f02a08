/* What each task of a chain adds, and jobs of known phases from the last one back. */
#include "verify/chains.h"

struct link {
	const struct task *task;
	struct fact response;
	struct fact ahead; /* how many jobs pass one that was released before them */
	struct handover from;
	int64_t apart; /* NONE: the next job may never come */
	bool unordered;
	bool missed; /* an update may come just behind its read */
};

struct links {
	struct check *check;
	const struct end_to_end *flow;
	struct link *items;
	int count;
};

/* ---- tasks */

/* Jobs cut by host segments, or by calls that block their thread, may pass one another, if they are there together: those released no later
 * than the response of the one before the first that is new. */
static bool has_thread(const struct check *check, const struct task *task)
{
	for (int i = 0; i < task->operation_count; i++) {
		const struct operation *operation = task_operation(check->set, task, i);
		if (operation->kind == OPERATION_HOST || (operation->copy.synchronous && i < task->operation_count - 1))
			return true;
	}
	return false;
}

static struct fact jobs_ahead(struct check *check, const struct task *task, struct fact response)
{
	if (!has_thread(check, task) || checked_is_none(response.value) || response.value < task->arrival.period)
		return FACT_ZERO;
	int64_t jobs = checked_div_floor(response.value, task->arrival.period);
	struct fact ahead = fact_make(check, RULE_OVERTAKEN, arena_format(check->arena, "task:%s", task->id), jobs);
	fact_from(check, &ahead, "R", response);
	fact_from(check, &ahead, "T", fact_given(check, task->arrival.period, "task:%s@period", task->id));
	return ahead;
}

static int64_t longest_distance(const struct arrival *arrival)
{
	switch (arrival->kind) {
	case ARRIVAL_PERIODIC: return checked_add(arrival->period, arrival->rounded ? 1 : 0);
	case ARRIVAL_SPORADIC: return arrival->max_distance > 0 ? arrival->max_distance : NONE;
	default: return NONE;
	}
}

static struct fact distance_of(struct check *check, const struct link *link)
{
	const char *name = link->task->arrival.kind == ARRIVAL_SPORADIC ? "max-distance" : "period";
	return fact_given(check, link->apart, "task:%s@%s", link->task->id, name);
}

static void find_links(struct links *links, const struct fact *responses)
{
	struct check *check = links->check;
	const struct end_to_end *flow = links->flow;
	links->items = arena_allocate(check->arena, (size_t)flow->task_count + 1, sizeof *links->items);
	for (links->count = 0; links->count < flow->task_count; links->count++) {
		struct link *link = &links->items[links->count];
		link->task = &check->set->tasks[flow->tasks[links->count]];
		link->response = responses[flow->tasks[links->count]];
		link->apart = longest_distance(&link->task->arrival);
		link->missed = true;
		link->ahead = FACT_ZERO;
		link->unordered = link->task->arrival.kind == ARRIVAL_CURVE && has_thread(check, link->task);
		if (link->task->arrival.kind != ARRIVAL_CURVE)
			link->ahead = jobs_ahead(check, link->task, link->response);
		if (links->count > 0 && flow->handovers != NULL)
			link->from = flow->handovers[links->count];
	}
	if (!flow->reduced)
		return;
	if (flow->kind == END_TO_END_REACTION) {
		const struct link *first = &links->items[0];
		links->items[0].missed = first->task->arrival.kind == ARRIVAL_CURVE || first->response.value > first->task->arrival.period;
		return;
	}
	for (int i = links->count - 1; i >= 0; i--)
		if (links->items[i].from.via == HANDOVER_REGISTER || links->items[i].from.overflow == OVERFLOW_OLDEST) {
			links->items[i].missed = links->items[i].from.via != HANDOVER_REGISTER;
			return;
		}
}

/* Is the task's writing up to a queue that this chain does not go through? Its reader writes nothing where it is empty. */
static bool follows_elsewhere(const struct links *links, int index)
{
	const struct taskset *set = links->check->set;
	int task = links->flow->tasks[index], before = index > 0 ? links->flow->tasks[index - 1] : NO_ID;
	bool elsewhere = false;
	for (const struct end_to_end *flow = set->end_to_end; flow < set->end_to_end + set->end_to_end_count; flow++)
		for (int i = 1; i < flow->task_count && flow->handovers != NULL; i++) {
			const struct handover *read = &flow->handovers[i], *from = &links->items[index].from;
			bool here = flow->tasks[i - 1] == before && from->via == HANDOVER_QUEUE && read->overflow == from->overflow &&
				    read->capacity == from->capacity && read->take == from->take;
			elsewhere |= flow->tasks[i] == task && read->via == HANDOVER_QUEUE && !here;
		}
	return elsewhere;
}

static bool has_obstacle(const struct links *links)
{
	bool found = false;
	for (int i = 0; i < links->count; i++) {
		const struct link *link = &links->items[i];
		found |= follows_elsewhere(links, i);
		found |= link->unordered || checked_is_none(link->response.value);
		found |= checked_is_none(link->apart) && (link->missed || link->ahead.value > 0);
		found |= link->from.via == HANDOVER_QUEUE && link->ahead.value > 0;
	}
	return found;
}

/* ---- queues */

static const char *about_of(struct links *links, int index)
{
	return arena_format(links->check->arena, "chain:%s/task:%s", links->flow->id, links->items[index].task->id);
}

/* All that is written from one read to the next, late writes and a late read included, and the first one. */
static struct fact backlog_of(struct links *links, int index)
{
	struct check *check = links->check;
	const struct link *writer = &links->items[index - 1], *reader = &links->items[index];
	int64_t written = writer->task->arrival.period, taken = reader->from.take == NONE ? 1 : reader->from.take;
	bool keeps_up = writer->task->arrival.kind != ARRIVAL_CURVE && checked_mul(taken, written) >= reader->apart;
	if (!keeps_up)
		return FACT_UNKNOWN;
	int64_t between = checked_add(reader->apart, checked_add(writer->response.value, reader->response.value));
	struct fact backlog =
		fact_make(check, RULE_QUEUE_BACKLOG, about_of(links, index), checked_div_floor(checked_add(between, written), written));
	fact_from(check, &backlog, "W", writer->response);
	fact_from(check, &backlog, "R", reader->response);
	fact_from(check, &backlog, "T", distance_of(check, reader));
	fact_from(check, &backlog, "S", fact_given(check, written, "task:%s@period", writer->task->id));
	return backlog;
}

/* The worst of: as many values as may be written at one instant, and the first one for which a job more is needed. */
static struct fact delay_in_order(struct links *links, int index, struct fact backlog)
{
	struct check *check = links->check;
	const struct link *writer = &links->items[index - 1], *reader = &links->items[index];
	int64_t written = writer->task->arrival.period, taken = reader->from.take == NONE ? 1 : reader->from.take;
	int64_t together = 1 + writer->response.value / written, jobs = (together - 1) / taken + 1,
		worst = checked_mul(jobs, reader->apart);
	int64_t before = checked_sub(checked_mul(checked_mul(jobs, taken), written), writer->response.value);
	worst = checked_is_none(worst) || checked_is_none(before)
			? NONE
			: checked_max(worst, checked_sub(checked_add(worst, reader->apart), before));
	struct fact delay = fact_make(check, RULE_QUEUE_DELAY, about_of(links, index), worst);
	fact_from(check, &delay, "W", writer->response);
	fact_from(check, &delay, "S", fact_given(check, written, "task:%s@period", writer->task->id));
	fact_from(check, &delay, "T", distance_of(check, reader));
	fact_from(check, &delay, "c", fact_given(check, taken, "%s@take", about_of(links, index)));
	fact_from(check, &delay, "Q", backlog);
	delay.value = worst;
	fact_settle(&delay);
	return delay;
}

static struct fact delay_of_latest(struct links *links, int index)
{
	struct check *check = links->check;
	const struct link *writer = &links->items[index - 1], *reader = &links->items[index];
	if (writer->from.via == HANDOVER_QUEUE || checked_is_none(writer->apart))
		return FACT_UNKNOWN;
	int64_t older = checked_mul(reader->from.capacity - 1, writer->apart);
	struct fact delay = fact_make(check, RULE_QUEUE_OLDEST, about_of(links, index), checked_add(older, reader->apart));
	fact_from(check, &delay, "N", fact_given(check, reader->from.capacity, "%s@capacity", about_of(links, index)));
	fact_from(check, &delay, "S", distance_of(check, writer));
	fact_from(check, &delay, "T", distance_of(check, reader));
	return delay;
}

/* in_order: of a queue that is never full. */
static struct fact delay_of(struct links *links, int index, struct link_fact *queue, bool *in_order)
{
	const struct handover *from = &links->items[index].from;
	struct fact backlog = backlog_of(links, index), delay = FACT_UNKNOWN;
	*in_order = !checked_is_none(backlog.value) && (from->capacity == NONE || backlog.value <= from->capacity);
	if (*in_order)
		delay = delay_in_order(links, index, backlog);
	else if (from->overflow == OVERFLOW_OLDEST)
		delay = delay_of_latest(links, index);
	queue->backlog = backlog.value;
	queue->delay = delay.value;
	return delay;
}

/* ---- all tasks, one after the other */

static void note_link(struct link_fact *fact, const struct link *link, int64_t waited, int64_t passed)
{
	fact->wait = waited;
	fact->passed = passed > 0 ? passed : NONE;
	fact->response = link->response.value;
}

static struct fact part_of(struct links *links, int index, struct fact delay, bool in_order, struct link_fact *fact)
{
	struct check *check = links->check;
	const struct link *link = &links->items[index];
	struct fact part = fact_make(check, RULE_STAGE, about_of(links, index), 0);
	int64_t passed = link->ahead.value > 0 ? checked_mul(link->ahead.value, link->apart) : 0, waited = 0;
	bool queue = link->from.via == HANDOVER_QUEUE, added = queue && (!in_order || links->items[index - 1].ahead.value > 0);
	if (added) {
		waited = delay.value;
		fact_from(check, &part, "L", delay);
	} else if (link->missed) {
		waited = link->apart;
		fact_from(check, &part, "T", distance_of(check, link));
	}
	if (queue && !added) /* a job that writes by its response is taken no later than if it had found the queue empty */
		fact_from(check, &part, "D", delay);
	if (link->ahead.node != NULL) {
		fact_from(check, &part, "n", link->ahead);
		fact_from(check, &part, "P", distance_of(check, link));
	}
	fact_from(check, &part, "R", link->response);
	note_link(fact, link, waited, passed);
	part.value = checked_add(checked_add(link->response.value, passed), waited);
	fact_settle(&part);
	return part;
}

static struct fact sum_of_parts(struct links *links, struct link_fact *facts)
{
	struct check *check = links->check;
	struct fact sum = fact_make(check, RULE_CAUSE_EFFECT, arena_format(check->arena, "chain:%s", links->flow->id), 0);
	int64_t value = 0;
	for (int i = 0; i < links->count; i++) {
		bool queue = links->items[i].from.via == HANDOVER_QUEUE;
		bool in_order = true;
		struct fact delay = queue ? delay_of(links, i, &facts[i], &in_order) : FACT_ZERO;
		if (checked_is_none(delay.value))
			return FACT_UNKNOWN;
		struct fact part = part_of(links, i, delay, in_order, &facts[i]);
		value = checked_add(value, part.value);
		fact_from(check, &sum, "B", part);
	}
	sum.value = value;
	fact_settle(&sum);
	return sum;
}

static struct fact sum_of_registers(struct links *links, struct link_fact *facts)
{
	struct check *check = links->check;
	struct fact sum = fact_make(check, RULE_END_TO_END, arena_format(check->arena, "chain:%s", links->flow->id), 0);
	int64_t value = 0;
	for (int i = 0; i < links->count; i++) {
		const struct link *link = &links->items[i];
		int64_t passed = checked_mul(link->ahead.value, link->apart);
		value = checked_add(value, checked_add(checked_add(link->apart, passed), link->response.value));
		note_link(&facts[i], link, link->apart, passed);
		fact_from(check, &sum, "T", distance_of(check, link));
		if (link->ahead.node != NULL)
			fact_from(check, &sum, "n", link->ahead);
		fact_from(check, &sum, "R", link->response);
	}
	sum.value = value;
	fact_settle(&sum);
	return sum;
}

/* ---- known phases: what each job of the last task reflects */

#define JOBS_MOST 100000 /* of the first task, and of the last one, in a hyperperiod */

static bool phases_known(const struct links *links, int64_t *cycle)
{
	*cycle = 1;
	for (int i = 0; i < links->count; i++) {
		const struct task *task = links->items[i].task;
		if (links->items[i].from.via == HANDOVER_QUEUE || task->arrival.kind != ARRIVAL_PERIODIC || task->arrival.rounded ||
			task->offset == NONE)
			return false;
		*cycle = checked_multiple(*cycle, task->arrival.period);
		if (checked_is_none(*cycle))
			return false;
	}
	return *cycle / links->items[0].task->arrival.period <= JOBS_MOST &&
	       *cycle / links->items[links->count - 1].task->arrival.period <= JOBS_MOST;
}

/* From a job's release until nobody released before it writes any more. */
static int64_t settles(const struct link *link)
{
	return checked_add(checked_mul(link->ahead.value, link->apart), link->response.value);
}

/* The nominal release of the job of the first task that a job of the last one, released then, reflects at least. */
static int64_t reflected(const struct links *links, int64_t release)
{
	for (int i = links->count - 2; i >= 0; i--) {
		const struct task *task = links->items[i].task;
		int64_t before = checked_sub(checked_sub(release, settles(&links->items[i])), 1); /* it has settled, and not only just */
		int64_t number = checked_div_floor(checked_sub(before, task->offset), task->arrival.period);
		release = checked_add(task->offset, checked_mul(number, task->arrival.period));
	}
	return release;
}

static int64_t longest_by_phases(const struct links *links, int64_t cycle)
{
	const struct link *last = &links->items[links->count - 1];
	int64_t longest = 0, period = last->task->arrival.period;
	bool age = links->flow->kind == END_TO_END_AGE;
	for (int64_t job = 0; job < cycle / period; job++) {
		int64_t release = checked_add(last->task->offset, checked_mul(job, period));
		int64_t old = checked_sub(release, reflected(links, release));
		int64_t until = checked_add(period, settles(last)); /* then the next one has written */
		if (links->flow->reduced && age)
			until = last->response.value;
		longest = checked_max(longest, checked_add(old, until));
	}
	bool from_read = !links->items[0].missed && !age;
	return from_read ? checked_sub(longest, links->items[0].apart) : longest;
}

static struct fact by_phases(struct links *links)
{
	struct check *check = links->check;
	int64_t cycle;
	if (!platform_grants_all(check->platform, ASSUMED(PHASES)) || !phases_known(links, &cycle))
		return FACT_UNKNOWN;
	int64_t longest = longest_by_phases(links, cycle);
	struct fact fact = fact_make(check, RULE_CHAIN_PHASES, arena_format(check->arena, "chain:%s", links->flow->id), longest);
	for (int i = 0; i < links->count; i++) {
		const struct link *link = &links->items[i];
		fact_from(check, &fact, "O", fact_given(check, link->task->offset, "task:%s@offset", link->task->id));
		fact_from(check, &fact, "T", distance_of(check, link));
		if (link->ahead.node != NULL)
			fact_from(check, &fact, "n", link->ahead);
		fact_from(check, &fact, "R", link->response);
	}
	fact.value = longest;
	fact.assumptions |= ASSUMED(PHASES);
	fact_settle(&fact);
	return fact;
}

struct fact chains_derive(struct check *check, const struct end_to_end *flow, const struct fact *responses, struct link_fact *facts)
{
	struct links links = {.check = check, .flow = flow};
	bool plain = true;
	find_links(&links, responses);
	for (int i = 0; i < links.count; i++) {
		facts[i] = LINK_UNKNOWN;
		plain &= links.items[i].missed && links.items[i].from.via == HANDOVER_REGISTER;
	}
	if (has_obstacle(&links))
		return FACT_UNKNOWN;
	struct fact sum = plain ? sum_of_registers(&links, facts) : sum_of_parts(&links, facts), phases = by_phases(&links);
	bool sharper = !checked_is_none(phases.value) && (checked_is_none(sum.value) || phases.value < sum.value);
	for (int i = 0; i < links.count && sharper; i++)
		facts[i] = LINK_UNKNOWN;
	return sharper ? phases : sum;
}
