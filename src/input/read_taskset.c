/* A task set's elements to the struct. */
#include "input/reader.h"
#include "model/draft.h"

#include <stdlib.h>
#include <string.h>

/* After rounding, where zero would mean infinitely often. */
static void check_positive(struct reader *reader, const struct xml_element *element, const char *attribute, int64_t value)
{
	if (value < 1)
		COMPLAIN(reader, element, NUMBER_RANGE, "attribute \"%s\" of <%s>: expected at least 1ns; got \"%s\"", attribute,
			element->name, element_shorten(reader->arena, element_get(element, attribute), SHORT_VALUE));
}

/* ---- origins, applications, events */

static void read_origins(struct reader *reader, const struct xml_element *root, struct known_names *names, struct taskset *set)
{
	const struct xml_element *list = element_child(root, "origins");
	set->origins = arena_allocate(reader->arena, (size_t)element_count(list, "origin"), sizeof *set->origins);
	for (const struct xml_element *element = list->first; element != NULL; element = element->next) {
		read_identifier(reader, element, &names->origins, set->origin_count, "origin");
		struct origin *origin = &DRAFT(set->origins)[set->origin_count++];
		read_attributes(reader, element, ELEMENT_origin, origin);
		origin->line = element->line;
	}
}

/* The element's own origin, or the enclosing one's. */
static int origin_of(struct reader *reader, const struct xml_element *element, const struct known_names *names, int enclosing)
{
	return element_get(element, "origin") == NULL ? enclosing : read_reference(reader, element, "origin", &names->origins, "origin");
}

static void read_streams(
	struct reader *reader, const struct xml_element *application, struct known_names *names, struct taskset *set, int *capacity)
{
	bool all = element_get(application, "partition") != NULL;
	int partition = all ? 1 + read_reference(reader, application, "partition", &names->partitions, "partition") : 0;
	for (const struct xml_element *element = application->first; element != NULL; element = element->next) {
		read_identifier(reader, element, &names->streams, set->stream_count, "stream");
		set->streams = arena_grow(reader->arena, DRAFT(set->streams), capacity, set->stream_count + 1, sizeof *set->streams);
		struct stream *stream = &DRAFT(set->streams)[set->stream_count++];
		bool own = element_get(element, "partition") != NULL;
		*stream = (struct stream){
			.application = set->application_count,
			.partition = own ? 1 + read_reference(reader, element, "partition", &names->partitions, "partition") : partition,
			.stated = element_get(element, "priority") != NULL,
			.by_cuda = element_get(element, "cuda-priority") != NULL,
			.cuda = element_get(element, "cuda-priority") != NULL ? atoi(element_get(element, "cuda-priority")) : 0,
			.line = element->line,
		};
		read_attributes(reader, element, ELEMENT_stream, stream);
	}
}

static void read_applications(struct reader *reader, const struct xml_element *root, struct known_names *names, struct taskset *set)
{
	int stream_capacity = 0;
	set->applications = arena_allocate(reader->arena, (size_t)element_count(root, "application"), sizeof *set->applications);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "application"))
			continue;
		read_identifier(reader, element, &names->applications, set->application_count, "application");
		read_streams(reader, element, names, set, &stream_capacity);
		struct application *application = &DRAFT(set->applications)[set->application_count++];
		read_attributes(reader, element, ELEMENT_application, application);
		application->line = element->line;
		check_positive(reader, element, "timeslice", application->timeslice);
	}
}

static void read_events(struct reader *reader, const struct xml_element *root, struct known_names *names, struct taskset *set)
{
	set->events = arena_allocate(reader->arena, (size_t)element_count(root, "event"), sizeof *set->events);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "event"))
			continue;
		read_identifier(reader, element, &names->events, set->event_count, "event");
		set->events[set->event_count++] = element_get(element, "id");
	}
}

static void read_locks(struct reader *reader, const struct xml_element *root, struct known_names *names, struct taskset *set)
{
	set->locks = arena_allocate(reader->arena, (size_t)element_count(root, "lock"), sizeof *set->locks);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "lock"))
			continue;
		read_identifier(reader, element, &names->locks, set->lock_count, "lock");
		struct lock *lock = &DRAFT(set->locks)[set->lock_count++];
		read_attributes(reader, element, ELEMENT_lock, lock);
		lock->line = element->line;
	}
}

static void read_cores(struct reader *reader, const struct xml_element *root, struct known_names *names, struct taskset *set)
{
	set->cores = arena_allocate(reader->arena, (size_t)element_count(root, "core"), sizeof *set->cores);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "core"))
			continue;
		read_identifier(reader, element, &names->cores, set->core_count, "core");
		struct core *core = &DRAFT(set->cores)[set->core_count++];
		read_attributes(reader, element, ELEMENT_core, core);
		core->line = element->line;
	}
}

/* ---- arrivals */

static void read_steps(struct reader *reader, const struct xml_element *curve, struct arrival *arrival)
{
	arrival->period = read_number(reader, curve, "horizon", UNIT_TIME, ROUND_DOWN, NONE);
	check_positive(reader, curve, "horizon", arrival->period);
	arrival->steps = arena_allocate(reader->arena, (size_t)element_count(curve, "step"), sizeof *arrival->steps);
	for (const struct xml_element *element = curve->first; element != NULL; element = element->next) {
		struct curve_step step;
		read_attributes(reader, element, ELEMENT_step, &step);
		const struct curve_step *last = arrival->step_count > 0 ? &arrival->steps[arrival->step_count - 1] : NULL;
		if (last != NULL && (step.window <= last->window || step.count <= last->count))
			COMPLAIN(reader, element, NOT_ASCENDING, "expected a window and a count above those of the step before");
		DRAFT(arrival->steps)[arrival->step_count++] = step;
	}
}

static void check_arrival(struct reader *reader, const struct xml_element *task, const struct xml_element *curve, enum arrival_kind kind)
{
	bool period = element_get(task, "period") != NULL;
	if ((kind == ARRIVAL_CURVE) != (curve != NULL))
		COMPLAIN(reader, task, ARRIVAL_CONTRADICTS, "expected an <arrival-curve> with arrival=\"curve\", and only with it");
	if (kind == ARRIVAL_CURVE && (period || element_get(task, "jitter") != NULL))
		COMPLAIN(reader, task, ARRIVAL_CONTRADICTS,
			"expected neither period nor jitter beside an arrival curve, which contains them");
	if (kind != ARRIVAL_CURVE && !period)
		COMPLAIN(reader, task, ARRIVAL_CONTRADICTS, "expected a period or an <arrival-curve>; there is neither");
	if (kind != ARRIVAL_SPORADIC && element_get(task, "min-distance") != NULL)
		COMPLAIN(reader, task, ARRIVAL_CONTRADICTS, "expected min-distance only with arrival=\"sporadic\"");
	if (kind != ARRIVAL_SPORADIC && element_get(task, "max-distance") != NULL)
		COMPLAIN(reader, task, ARRIVAL_CONTRADICTS,
			"expected max-distance only with arrival=\"sporadic\": it is the period of a periodic task");
	if (kind != ARRIVAL_PERIODIC && element_get(task, "offset") != NULL)
		COMPLAIN(reader, task, ARRIVAL_CONTRADICTS, "expected an offset only with periodic arrivals, which have a phase");
}

/* A period is rounded down, which adds releases; with a phase it must be exact, or the phases drift. */
static struct arrival read_arrival(struct reader *reader, const struct xml_element *task)
{
	const struct xml_element *curve = element_child(task, "arrival-curve");
	enum rounding period_rounding = element_get(task, "offset") != NULL ? ROUND_NEVER : ROUND_DOWN;
	struct arrival arrival = {
		.kind = (enum arrival_kind)read_choice(task, "arrival", arrival_names, curve != NULL ? ARRIVAL_CURVE : ARRIVAL_PERIODIC),
		.period = read_number(reader, task, "period", UNIT_TIME, period_rounding, NONE),
	};
	arrival.rounded = arrival.period != NONE && read_number(reader, task, "period", UNIT_TIME, ROUND_UP, NONE) != arrival.period;
	check_arrival(reader, task, curve, arrival.kind);
	check_positive(reader, task, "period", arrival.period);
	if (curve != NULL)
		read_steps(reader, curve, &arrival);
	return arrival;
}

/* ---- tasks */

struct task_reader {
	struct reader *reader;
	struct known_names *names;
	struct taskset *set;
	struct task *task;
	int capacity; /* of set->operations */
	int graphs;   /* launched so far */
	int holds;    /* capacity of set->holds */
};

static void join_application(struct task_reader *to, const struct xml_element *element, const struct operation *operation)
{
	if (operation->stream == NO_ID)
		return;
	int application = to->set->streams[operation->stream].application;
	if (to->task->application == NO_ID)
		to->task->application = application;
	if (to->task->application != application)
		COMPLAIN(to->reader, element, TASK_APPLICATIONS, "expected streams of one application in a task, \"%s\"; got one of \"%s\"",
			to->set->applications[to->task->application].id, to->set->applications[application].id);
}

/* A priority belongs to a lock that asks for it. */
static void check_priority(struct reader *reader, const struct xml_element *element, const struct lock *lock)
{
	bool asked = lock->protocol == LOCK_PRIORITY;
	if (asked != (element_get(element, "priority") != NULL))
		COMPLAIN(reader, element, LOCK_PRIORITY, "expected %s with protocol=\"%s\" of the lock \"%s\"; got %s",
			asked ? "a priority" : "no priority", lock_names[lock->protocol], lock->id, asked ? "none" : "one");
}

/* Its number, from 1 on. */
static int read_hold(struct task_reader *to, const struct xml_element *element)
{
	struct taskset *set = to->set;
	struct reader *reader = to->reader;
	set->holds = arena_grow(reader->arena, DRAFT(set->holds), &to->holds, set->hold_count + 1, sizeof *set->holds);
	struct locked_unit *hold = &DRAFT(set->holds)[set->hold_count++];
	*hold = (struct locked_unit){.lock = read_reference(reader, element, "lock", &to->names->locks, "lock"),
		.task = set->task_count - 1,
		.line = element->line};
	read_attributes(reader, element, ELEMENT_locked, hold);
	if (hold->lock != NO_ID)
		check_priority(reader, element, &set->locks[hold->lock]);
	refuse_locked(reader, element);
	return set->hold_count;
}

/* Where an operation is: in a graph's launch, in a unit under a lock; 0: in none. */
struct within {
	int graph, hold;
};

/* The operations among the children; those of a graph, of its child graphs, and of units under a lock in their places. */
static void read_operations(struct task_reader *to, const struct xml_element *parent, int origin, struct within within)
{
	struct taskset *set = to->set;
	for (const struct xml_element *element = parent->first; element != NULL; element = element->next) {
		if (element_is(element, "arrival-curve"))
			continue;
		int own = origin_of(to->reader, element, to->names, origin);
		if (element_is(element, "graph")) {
			if (within.graph == 0)
				refuse_graph(to->reader, element);
			read_operations(to, element, own, (struct within){within.graph == 0 ? ++to->graphs : within.graph, within.hold});
			continue;
		}
		if (element_is(element, "locked")) {
			int hold = within.hold == 0 ? read_hold(to, element) : within.hold;
			read_operations(to, element, own, (struct within){within.graph, hold});
			continue;
		}
		read_identifier(to->reader, element, &to->names->operations, set->operation_count, "operation");
		set->operations = arena_grow(
			to->reader->arena, DRAFT(set->operations), &to->capacity, set->operation_count + 1, sizeof *set->operations);
		DRAFT(set->operations)[set->operation_count] = read_operation(to->reader, element, to->names, own);
		DRAFT(set->operations)[set->operation_count].graph = within.graph;
		DRAFT(set->operations)[set->operation_count].hold = within.hold;
		join_application(to, element, &set->operations[set->operation_count++]);
		to->task->operation_count++;
	}
}

static void read_task(struct task_reader *to, const struct xml_element *element, int origin)
{
	struct reader *reader = to->reader;
	*to->task = (struct task){
		.application = NO_ID,
		.arrival = read_arrival(reader, element),
		.core = element_get(element, "core") == NULL ? 0 : 1 + read_reference(reader, element, "core", &to->names->cores, "core"),
		.first_operation = to->set->operation_count,
		.origin = origin_of(reader, element, to->names, origin),
		.line = element->line,
	};
	read_attributes(reader, element, ELEMENT_task, to->task);
	check_positive(reader, element, "min-distance", to->task->arrival.min_distance);
	if (to->task->sched_period == 0) /* as sched_setattr(2) has it */
		to->task->sched_period = to->task->sched_deadline;
	read_operations(to, element, to->task->origin, (struct within){0, 0});
}

static void read_tasks(struct reader *reader, const struct xml_element *root, struct known_names *names, struct taskset *set)
{
	int origin = read_reference(reader, root, "origin", &names->origins, "origin");
	struct task_reader to = {.reader = reader, .names = names, .set = set};
	set->tasks = arena_allocate(reader->arena, (size_t)element_count(root, "task"), sizeof *set->tasks);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "task"))
			continue;
		read_identifier(reader, element, &names->tasks, set->task_count, "task");
		to.task = &DRAFT(set->tasks)[set->task_count++];
		read_task(&to, element, origin);
	}
}

/* ---- end-to-end flows */

/* Numbers of a queue belong to a queue, and there is none before the first task. */
static void check_handover(struct reader *reader, const struct xml_element *member, bool first, const struct handover *handover)
{
	bool queue = handover->via == HANDOVER_QUEUE;
	if (first && element_get(member, "via") != NULL)
		COMPLAIN(reader, member, HANDOVER, "expected no \"via\" of the first task of a chain, as none is before it; got \"%s\"",
			element_get(member, "via"));
	else if (!queue && (handover->capacity != NONE || handover->take != NONE || element_get(member, "overflow") != NULL))
		COMPLAIN(reader, member, HANDOVER, "expected capacity, take and overflow only beside via=\"queue\"");
	else if (handover->overflow == OVERFLOW_OLDEST && handover->capacity == NONE)
		COMPLAIN(reader, member, HANDOVER,
			"expected a capacity beside overflow=\"oldest\", which says when an entry is written over");
}

static void read_members(struct reader *reader, const struct xml_element *element, const struct known_names *names, struct end_to_end *flow)
{
	size_t count = (size_t)element_count(element, "member");
	flow->tasks = arena_allocate(reader->arena, count, sizeof *flow->tasks);
	flow->handovers = arena_allocate(reader->arena, count, sizeof *flow->handovers);
	for (const struct xml_element *member = element->first; member != NULL; member = member->next) {
		struct handover *handover = &DRAFT(flow->handovers)[flow->task_count];
		read_attributes(reader, member, ELEMENT_member, handover);
		check_handover(reader, member, flow->task_count == 0, handover);
		DRAFT(flow->tasks)[flow->task_count++] = read_reference(reader, member, "task", &names->tasks, "task");
	}
}

static void read_end_to_end(struct reader *reader, const struct xml_element *root, struct known_names *names, struct taskset *set)
{
	set->end_to_end = arena_allocate(reader->arena, (size_t)element_count(root, "chain"), sizeof *set->end_to_end);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "chain"))
			continue;
		read_identifier(reader, element, &names->end_to_end, set->end_to_end_count, "chain");
		struct end_to_end *flow = &DRAFT(set->end_to_end)[set->end_to_end_count++];
		read_attributes(reader, element, ELEMENT_chain, flow);
		flow->line = element->line;
		read_members(reader, element, names, flow);
	}
}

void read_taskset(struct reader *reader, const struct xml_element *root, struct taskset *set)
{
	struct known_names names;
	names_init(&names.origins, reader->arena);
	names_init(&names.partitions, reader->arena);
	names_init(&names.applications, reader->arena);
	names_init(&names.streams, reader->arena);
	names_init(&names.events, reader->arena);
	names_init(&names.locks, reader->arena);
	names_init(&names.cores, reader->arena);
	names_init(&names.tasks, reader->arena);
	names_init(&names.operations, reader->arena);
	names_init(&names.end_to_end, reader->arena);
	const struct xml_element *title = element_child(root, "title");
	const char *mps = element_get(root, "mps"), *best_effort = element_get(root, "best-effort-contexts");
	set->id = element_get(root, "id");
	set->title = title != NULL ? title->text : NULL;
	set->merged_context = mps != NULL && strcmp(mps, "merged") == 0;
	set->best_effort_slices = strcmp(best_effort == NULL ? "" : best_effort, "slices") == 0;
	read_origins(reader, root, &names, set);
	read_partitions(reader, root, &names.partitions, set);
	read_applications(reader, root, &names, set);
	read_events(reader, root, &names, set);
	read_locks(reader, root, &names, set);
	read_cores(reader, root, &names, set);
	read_tasks(reader, root, &names, set);
	taskset_settle(reader->arena, set);
	read_end_to_end(reader, root, &names, set);
	read_companies(reader, root, &names, set);
}
