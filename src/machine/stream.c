/* Streams: operations and graphs in order of issue, waits and records, the NULL stream, hardware queues (D1, D10, D12; [GRAPHS]). */
#include "machine/machine_parts.h"

/* With as many holders as queues it is open whether two share one ([QUEUES]): drawn. */
static int64_t queues_of(struct machine *machine, int holders)
{
	int64_t queues = platform_value(machine->platform, PARAMETER_QUEUES_HARDWARE);
	if (machine->platform->compute_capability <= 30)
		queues = 1;
	bool open = queues == holders && holders > 1 && !machine->switches.in_order;
	return open && random_below(&machine->random, 2) == 0 ? queues - 1 : queues;
}

/* What may hold a hardware queue: a stream, or a graph of it (0: the stream itself). */
struct holder {
	int stream, graph;
};

static bool is_held(const struct machine *machine, const struct work *work, const struct holder *holder)
{
	bool own = machine->switches.graphs == GRAPHS_APART && work->stream != NO_ID;
	return work->stream == holder->stream && (own ? work->operation->graph : 0) == holder->graph;
}

static bool carries_kernels(const struct machine *machine, const struct holder *holder)
{
	for (int i = 0; i < machine->set->operation_count; i++)
		if (machine->works[i].kind == WORK_KERNEL && is_held(machine, &machine->works[i], holder))
			return true;
	return false;
}

static bool takes_queue(const struct machine *machine, const struct holder *holder)
{
	return machine->switches.queueing == QUEUEING_AT_CREATION || carries_kernels(machine, holder);
}

/* The context's streams, and its graphs where these have queues of their own; how many there are. */
static int find_holders(const struct machine *machine, int context, struct holder *holders)
{
	int count = 0;
	for (int s = 0; s < machine->set->stream_count; s++)
		if (machine->streams[s].context == context && takes_queue(machine, &(struct holder){s, 0}))
			holders[count++] = (struct holder){s, 0};
	for (int i = 0; i < machine->set->operation_count && machine->switches.graphs == GRAPHS_APART; i++) {
		const struct work *work = &machine->works[i];
		bool first = work->operation->graph != 0 && (i == 0 || work[-1].operation->graph != work->operation->graph);
		struct holder graph = {work->stream, work->operation->graph};
		if (first && work->context == context && carries_kernels(machine, &graph))
			holders[count++] = graph;
	}
	return count;
}

static void place_hardware(struct machine *machine, const struct holder *holder, int queue)
{
	for (int i = 0; i < machine->set->operation_count; i++)
		if (is_held(machine, &machine->works[i], holder))
			machine->works[i].hardware = queue;
}

/* Streams with compute work, or all, and graphs get the context's hardware queues in turn, in drawn order. */
static void assign_hardware(struct machine *machine, int context)
{
	int most = machine->set->stream_count + machine->set->operation_count;
	struct holder *holders = arena_allocate(machine->arena, (size_t)most + 1, sizeof *holders);
	int count = find_holders(machine, context, holders);
	for (int i = count - 1; i > 0 && !machine->switches.in_order; i--) {
		int other = (int)random_below(&machine->random, (uint64_t)i + 1);
		struct holder moved = holders[i];
		holders[i] = holders[other];
		holders[other] = moved;
	}
	int64_t queues = queues_of(machine, count);
	for (int i = 0; i < count && queues != NONE && queues > 0; i++)
		place_hardware(machine, &holders[i], context * most + (int)(i % queues));
}

void streams_init(struct machine *machine)
{
	const struct taskset *set = machine->set;
	size_t holders = (size_t)set->stream_count + (size_t)set->operation_count + 1;
	machine->streams = arena_allocate(machine->arena, (size_t)set->stream_count + 1, sizeof *machine->streams);
	machine->hardware = arena_allocate(machine->arena, holders * (size_t)machine->process_count, sizeof *machine->hardware);
	machine->events = arena_allocate(machine->arena, (size_t)set->event_count + 1, sizeof *machine->events);
	for (int s = 0; s < set->stream_count; s++)
		machine->streams[s] = (struct stream_state){
			.stream = &set->streams[s], .context = taskset_context_of(set, s), .unit = setup_unit(machine, s)};
	for (int i = 0; i < set->operation_count; i++)
		machine->works[i].hardware = NO_ID;
	for (int p = 0; p < machine->process_count; p++)
		assign_hardware(machine, p);
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

/* Is there a kernel from this node on? */
static bool has_kernel(const struct instance *node)
{
	while (node != NULL && node->work->kind != WORK_KERNEL)
		node = node->after_in_graph;
	return node != NULL;
}

static void hardware_add(struct machine *machine, struct instance *item)
{
	int number = item->work->hardware;
	item->queued = number != NO_ID && has_kernel(item->node != NULL ? item->node : item);
	if (!item->queued)
		return;
	struct queue *queue = &machine->hardware[number];
	if (queue->last == NULL)
		queue->first = item;
	else
		queue->last->after_in_hardware = item;
	queue->last = item;
}

/* It is the first of its hardware queue, or was taken out before. */
static void hardware_leave(struct machine *machine, struct instance *item)
{
	int number = item->work->hardware;
	if (!item->queued || machine->hardware[number].first != item)
		return;
	struct queue *queue = &machine->hardware[number];
	queue->first = item->after_in_hardware;
	if (queue->first == NULL)
		queue->last = NULL;
	machine->changed = true;
}

/* This instance needs the hardware queue no longer: its item leaves it, but for kernels that are to come. */
static void hardware_pass(struct machine *machine, struct instance *instance)
{
	if (instance->graph == NULL)
		hardware_leave(machine, instance);
	else if (machine->switches.graphs != GRAPHS_WHOLE && !has_kernel(instance->after_in_graph))
		hardware_leave(machine, instance->graph);
}

/* ---- issue */

static struct instance *create_for(struct machine *machine, const struct work *work, int64_t job, void *owner)
{
	struct instance *instance = create(machine);
	instance->work = work;
	instance->job = job;
	instance->owner = owner;
	instance->number = machine->issued;
	instance->ready = instance->begun = instance->dispatched = -1;
	return instance;
}

static struct instance *create_operation(struct machine *machine, int operation, int64_t job, void *owner)
{
	const struct work *work = &machine->works[operation];
	struct instance *instance = create_for(machine, work, job, owner);
	machine->issued++;
	if (work->kind == WORK_WAIT)
		instance->waits_for = machine->events[work->operation->event].issued;
	if (work->kind == WORK_RECORD)
		machine->events[work->operation->event].issued++;
	return instance;
}

/* Has the task work under way, or waiting, that may be beside work of the stream? */
static bool is_beside(const struct machine *machine, int stream, int task)
{
	const struct taskset *set = machine->set;
	for (int s = 0; s < set->stream_count; s++) {
		bool same = taskset_context_of(set, s) == taskset_context_of(set, stream);
		for (const struct instance *item = machine->streams[s].first; s != stream && item != NULL; item = item->after_in_stream)
			if (item->work->task == task && (same || item->work->kind == WORK_COPY))
				return true;
	}
	return false;
}

/* Of a sequence beside tasks that it was measured beside: as much longer as it was then. A run in which all take what they take at most at
 * their slowest has that already. */
static int64_t in_company(struct machine *machine, int operation, int64_t total)
{
	const struct taskset *set = machine->set;
	struct rational greatest = rational_of(1);
	for (int i = 0; i < set->company_count; i++) {
		const struct measured_company *company = &set->companies[i];
		bool there = company->operation == operation;
		for (int k = 0; k < company->task_count && there; k++)
			there = is_beside(machine, set->operations[operation].stream, company->tasks[k].task);
		greatest = there ? rational_max(greatest, company->factor) : greatest;
	}
	int64_t most = rational_scale_up(set->operations[operation].wcet, greatest);
	return checked_max(total, checked_min(rational_scale_up(total, greatest), most));
}

/* The parts of a sequence, as nodes of the item; where the next node goes. */
static struct instance **create_parts(struct machine *machine, struct instance *item, struct instance **end, int operation, bool inner)
{
	const struct work *work = &machine->works[operation];
	struct instance *first = create_for(machine, work, item->job, item->owner), *part = first;
	int64_t total = in_company(machine, operation, machine->client.duration(machine->client.context, first, 1));
	int parts = sequence_parts(machine, work, total);
	for (int i = 0; i < parts; i++) {
		part = i == 0 ? first : create_for(machine, work, item->job, item->owner);
		part->graph = item;
		part->part = true;
		part->inner = inner || i > 0;
		part->follows = i > 0;
		part->last = i == parts - 1;
		*end = part;
		end = &part->after_in_graph;
	}
	machine->issued++;
	sequence_draw(machine, first, parts, total);
	return end;
}

static bool is_sequence(const struct machine *machine, int operation)
{
	return machine->works[operation].operation->span.operations > 0;
}

/* Its nodes come to the head of its stream one by one, while it stays there. A sequence is an item of its parts. */
static struct instance *create_item(struct machine *machine, int operation, int nodes, int64_t job, void *owner)
{
	struct instance *item = create_for(machine, &machine->works[operation], job, owner), **end = &item->node;
	for (int i = 0; i < nodes; i++) {
		if (is_sequence(machine, operation + i)) {
			end = create_parts(machine, item, end, operation + i, i > 0);
			continue;
		}
		struct instance *node = *end = create_operation(machine, operation + i, job, owner);
		node->graph = item;
		node->inner = i > 0;
		end = &node->after_in_graph;
	}
	return item;
}

static struct instance *under_way(struct instance *item)
{
	return item->node != NULL ? item->node : item;
}

void machine_issue(struct machine *machine, int operation, int nodes, int64_t job, void *owner)
{
	bool parts = machine->works[operation].operation->graph != 0 || is_sequence(machine, operation);
	struct instance *item =
		parts ? create_item(machine, operation, nodes, job, owner) : create_operation(machine, operation, job, owner);
	struct stream_state *stream = &machine->streams[item->work->stream];
	if (stream->last == NULL) {
		stream->first = item;
		under_way(item)->headed = machine->headed++;
	} else
		stream->last->after_in_stream = item;
	stream->last = item;
	hardware_add(machine, item);
	machine->changed = true;
	for (struct instance *instance = under_way(item); instance != NULL; instance = instance->after_in_graph)
		see(machine, SIGHT_ISSUE, instance, NO_ID, NULL);
}

/* ---- the head */

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
	struct instance *item = stream->first;
	const struct instance *head = under_way(item);
	const struct work *work = head->work;
	if (work->kind == WORK_WAIT && machine->events[work->operation->event].complete < head->waits_for)
		return false;
	if (work->kind == WORK_KERNEL && item->queued && machine->hardware[item->work->hardware].first != item)
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
	struct instance *head = stream->first == NULL ? NULL : under_way(stream->first);
	if (head == NULL || head->progress != PROGRESS_QUEUED || !may_go(machine, stream))
		return;
	if (head->work->kind == WORK_WAIT || head->work->kind == WORK_RECORD) {
		head->ready = head->begun = machine->now;
		stream_complete(machine, head);
		return;
	}
	int64_t overhead = head->follows ? head->gap : instance_overhead(machine, head, machine->overhead_dependency);
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
			hardware_pass(machine, instance);
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
		hardware_pass(machine, instance);
}

static void recycle(struct machine *machine, struct instance *instance)
{
	instance->after_in_stream = machine->idle_instances;
	machine->idle_instances = instance;
}

/* The item is complete: what is behind it comes to the head. */
static void item_leave(struct machine *machine, struct instance *item)
{
	struct stream_state *stream = &machine->streams[item->work->stream];
	stream->first = item->after_in_stream;
	if (stream->first == NULL)
		stream->last = NULL;
	else
		under_way(stream->first)->headed = machine->headed++;
	hardware_leave(machine, item);
	if (item->graph == NULL && item->work->kind == WORK_RECORD)
		machine->events[item->work->operation->event].complete++;
}

/* A sequence is ready from its first part on; when its last block was dispatched is no matter of one of its parts. */
static void part_complete(struct machine *machine, struct instance *part)
{
	struct context *context = &machine->contexts[part->work->unit];
	part->ready = part->whole_ready = part->follows ? part->whole_ready : part->ready;
	if (!part->last)
		part->after_in_graph->whole_ready = part->whole_ready;
	part->dispatched = part->follows ? -1 : part->dispatched;
	context->gaps += !part->last && machine->switches.gaps != GAPS_LOSE;
	context->begun -= part->last;
}

void stream_complete(struct machine *machine, struct instance *instance)
{
	struct instance *graph = instance->graph;
	if (instance->part)
		part_complete(machine, instance);
	hardware_pass(machine, instance);
	machine->changed = true;
	if (graph != NULL)
		graph->node = instance->after_in_graph;
	if (graph != NULL && graph->node != NULL)
		graph->node->headed = machine->headed++;
	else
		item_leave(machine, graph != NULL ? graph : instance);
	see(machine, SIGHT_END, instance, NO_ID, NULL);
	if (!instance->part || instance->last)
		machine->client.ended(machine->client.context, instance);
	if (graph != NULL && graph->node == NULL)
		recycle(machine, graph);
	recycle(machine, instance);
}
