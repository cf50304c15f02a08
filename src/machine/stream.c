/* Streams: operations in order of issue, waits and records, the NULL stream, hardware queues (D1, D10, D12). */
#include "machine/parts.h"

/* With as many streams as queues it is open whether two share one ([QUEUES]): drawn. */
static int64_t queues_of(struct machine *machine, int streams)
{
	int64_t queues = platform_value(machine->platform, PARAMETER_QUEUES_HARDWARE);
	if (machine->platform->compute_capability <= 30)
		queues = 1;
	bool open = queues == streams && streams > 1 && !machine->switches.in_order;
	return open && random_below(&machine->random, 2) == 0 ? queues - 1 : queues;
}

static void place_hardware(struct machine *machine, int stream, int index, int64_t queues)
{
	struct stream_state *state = &machine->streams[stream];
	bool shares = queues != NONE && queues > 0;
	state->hardware = shares ? state->context * machine->set->stream_count + (int)(index % queues) : NO_ID;
}

static bool carries_kernels(const struct machine *machine, int stream)
{
	for (int i = 0; i < machine->set->operation_count; i++)
		if (machine->works[i].stream == stream && machine->works[i].kind == WORK_KERNEL)
			return true;
	return false;
}

static bool takes_queue(const struct machine *machine, int stream)
{
	return machine->switches.queueing == QUEUEING_AT_CREATION || carries_kernels(machine, stream);
}

/* Streams with compute work, or all, get the context's hardware queues in turn, in drawn order. */
static void assign_hardware(struct machine *machine, int context)
{
	int count = 0, *members = arena_allocate(machine->arena, (size_t)machine->set->stream_count + 1, sizeof *members);
	for (int s = 0; s < machine->set->stream_count; s++)
		if (machine->streams[s].context == context && takes_queue(machine, s))
			members[count++] = s;
	for (int i = count - 1; i > 0 && !machine->switches.in_order; i--) {
		int other = (int)random_below(&machine->random, (uint64_t)i + 1), moved = members[i];
		members[i] = members[other];
		members[other] = moved;
	}
	int64_t queues = queues_of(machine, count);
	for (int i = 0; i < count; i++)
		place_hardware(machine, members[i], i, queues);
}

void streams_init(struct machine *machine)
{
	const struct taskset *set = machine->set;
	size_t streams = (size_t)set->stream_count + 1;
	machine->streams = arena_allocate(machine->arena, streams, sizeof *machine->streams);
	machine->hardware = arena_allocate(machine->arena, streams * (size_t)machine->context_count, sizeof *machine->hardware);
	machine->events = arena_allocate(machine->arena, (size_t)set->event_count + 1, sizeof *machine->events);
	for (int s = 0; s < set->stream_count; s++)
		machine->streams[s] = (struct stream_state){
			.stream = &set->streams[s], .context = set->merged_context ? 0 : set->streams[s].application, .hardware = NO_ID};
	for (int c = 0; c < machine->context_count; c++)
		assign_hardware(machine, c);
}

static struct instance *create(struct machine *machine)
{
	struct instance *instance = machine->idle_instances;
	if (instance != NULL) {
		machine->idle_instances = instance->after_in_stream;
		int index = instance->index;
		*instance = (struct instance){.index = index};
		return instance;
	}
	machine->instances = arena_grow(
		machine->arena, machine->instances, &machine->instance_capacity, machine->instance_count + 1, sizeof *machine->instances);
	instance = arena_allocate(machine->arena, 1, sizeof *instance);
	instance->index = machine->instance_count;
	machine->instances[machine->instance_count++] = instance;
	return instance;
}

static void hardware_add(struct machine *machine, struct instance *instance)
{
	int number = machine->streams[instance->work->stream].hardware;
	if (instance->work->kind != WORK_KERNEL || number == NO_ID)
		return;
	struct queue *queue = &machine->hardware[number];
	if (queue->last == NULL)
		queue->first = instance;
	else
		queue->last->after_in_hardware = instance;
	queue->last = instance;
}

/* It is the first of its hardware queue, or was taken out before. */
static void hardware_leave(struct machine *machine, struct instance *instance)
{
	int number = machine->streams[instance->work->stream].hardware;
	if (instance->work->kind != WORK_KERNEL || number == NO_ID || machine->hardware[number].first != instance)
		return;
	struct queue *queue = &machine->hardware[number];
	queue->first = instance->after_in_hardware;
	if (queue->first == NULL)
		queue->last = NULL;
	machine->changed = true;
}

void machine_issue(struct machine *machine, int operation, int64_t job, void *owner)
{
	const struct work *work = &machine->works[operation];
	struct stream_state *stream = &machine->streams[work->stream];
	struct instance *instance = create(machine);
	instance->work = work;
	instance->job = job;
	instance->owner = owner;
	instance->number = machine->issued++;
	instance->ready = instance->begun = instance->dispatched = -1;
	if (work->kind == WORK_WAIT)
		instance->waits_for = machine->events[work->operation->event].issued;
	if (work->kind == WORK_RECORD)
		machine->events[work->operation->event].issued++;
	if (stream->last == NULL) {
		stream->first = instance;
		instance->headed = machine->headed++;
	} else
		stream->last->after_in_stream = instance;
	stream->last = instance;
	hardware_add(machine, instance);
	machine->changed = true;
	see(machine, SIGHT_ISSUE, instance, NO_ID, NULL);
}

/* D10: between the NULL stream and the blocking streams of its application, order of issue is order of execution. */
static bool passes_null(const struct machine *machine, const struct stream_state *stream)
{
	if (stream->stream->kind == STREAM_NON_BLOCKING)
		return true;
	for (int s = 0; s < machine->set->stream_count; s++) {
		const struct stream_state *other = &machine->streams[s];
		if (other == stream || other->first == NULL || other->stream->application != stream->stream->application)
			continue;
		bool ordered =
			stream->stream->kind == STREAM_NULL ? other->stream->kind == STREAM_BLOCKING : other->stream->kind == STREAM_NULL;
		if (ordered && other->first->number < stream->first->number)
			return false;
	}
	return true;
}

static bool may_go(const struct machine *machine, const struct stream_state *stream)
{
	const struct instance *head = stream->first;
	const struct work *work = head->work;
	if (work->kind == WORK_WAIT && machine->events[work->operation->event].complete < head->waits_for)
		return false;
	if (work->kind == WORK_KERNEL && stream->hardware != NO_ID && machine->hardware[stream->hardware].first != head)
		return false;
	return passes_null(machine, stream);
}

static void become_ready(struct machine *machine, struct instance *instance)
{
	instance->progress = PROGRESS_ENGINE;
	machine->ready =
		arena_grow(machine->arena, machine->ready, &machine->ready_capacity, machine->ready_count + 1, sizeof *machine->ready);
	machine->ready[machine->ready_count++] = instance;
	machine->changed = true;
}

void stream_depended(struct machine *machine, struct instance *instance)
{
	become_ready(machine, instance);
}

/* The stream's head goes on as far as it can without an engine. */
static void advance(struct machine *machine, struct stream_state *stream)
{
	struct instance *head = stream->first;
	if (head == NULL || head->progress != PROGRESS_QUEUED || !may_go(machine, stream))
		return;
	if (head->work->kind == WORK_WAIT || head->work->kind == WORK_RECORD) {
		head->ready = head->begun = machine->now;
		stream_complete(machine, head);
		return;
	}
	int64_t overhead = overhead_next(machine, machine->overhead_dependency);
	if (overhead > 0) {
		head->progress = PROGRESS_DEPENDS;
		timer_set(machine, machine->now + overhead, TIMER_DEPENDENCY, (uint32_t)head->index);
	} else
		become_ready(machine, head);
}

/* Arrivals of one instant reach the engines in the order in which they came to the head of their streams, or in drawn order. */
static void order_ready(struct machine *machine)
{
	struct instance **ready = machine->ready;
	for (int i = 1; i < machine->ready_count; i++) {
		struct instance *moving = ready[i];
		int j = i;
		if (machine->switches.in_order)
			for (; j > 0 && ready[j - 1]->headed > moving->headed; j--)
				ready[j] = ready[j - 1];
		else {
			j = (int)random_below(&machine->random, (uint64_t)i + 1);
			ready[i] = ready[j];
		}
		ready[j] = moving;
	}
}

static void enter_engines(struct machine *machine)
{
	order_ready(machine);
	for (int i = 0; i < machine->ready_count; i++) {
		struct instance *instance = machine->ready[i];
		instance->ready = machine->now;
		see(machine, SIGHT_READY, instance, NO_ID, NULL);
		if (instance->work->kind == WORK_COPY)
			copy_enter(machine, instance);
		else
			engine_enter(machine, instance);
		if (machine->switches.hold == HOLD_READY)
			hardware_leave(machine, instance);
	}
	machine->ready_count = 0;
}

void streams_settle(struct machine *machine)
{
	while (machine->changed) {
		machine->changed = false;
		for (int s = 0; s < machine->set->stream_count; s++)
			advance(machine, &machine->streams[s]);
	}
	enter_engines(machine);
}

void stream_dispatched(struct machine *machine, struct instance *instance)
{
	if (machine->switches.hold == HOLD_DISPATCHED)
		hardware_leave(machine, instance);
}

void stream_complete(struct machine *machine, struct instance *instance)
{
	struct stream_state *stream = &machine->streams[instance->work->stream];
	stream->first = instance->after_in_stream;
	if (stream->first == NULL)
		stream->last = NULL;
	else
		stream->first->headed = machine->headed++;
	if (instance->work->kind == WORK_RECORD)
		machine->events[instance->work->operation->event].complete++;
	hardware_leave(machine, instance);
	machine->changed = true;
	see(machine, SIGHT_END, instance, NO_ID, NULL);
	machine->client.ended(machine->client.context, instance);
	instance->after_in_stream = machine->idle_instances;
	machine->idle_instances = instance;
}
