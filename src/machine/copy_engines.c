/* Copy engines: first come, first served, one copy at a time, whatever its context or priority (D9, D14); where they take turns with
 * kernels, each context's copies in its own turns. */
#include "machine/machine_parts.h"

void copies_init(struct machine *machine)
{
	for (int i = 0; i < machine->set->operation_count; i++)
		if (machine->works[i].kind == WORK_COPY && machine->works[i].engine >= machine->engine_count)
			machine->engine_count = machine->works[i].engine + 1;
	machine->copies_count = machine->process_count;
	machine->copies = arena_allocate(machine->arena, (size_t)machine->copies_count + 1, sizeof *machine->copies);
	for (int i = 0; i < machine->copies_count; i++)
		machine->copies[i].engines =
			arena_allocate(machine->arena, (size_t)machine->engine_count + 1, sizeof *machine->copies[i].engines);
}

void copy_enter(struct machine *machine, struct instance *copy)
{
	struct copies *copies = &machine->copies[machine->runlist.copies ? copy->work->context : 0];
	queue_add(&copies->engines[copy->work->engine].queue, copy);
	copies->waiting++;
}

/* Is it the first of its context? */
static bool leads(const struct copy_engine *engine, const struct instance *copy)
{
	const struct instance *first = engine->queue.first;
	while (first->work->context != copy->work->context)
		first = first->after_in_queue;
	return first == copy;
}

static struct instance *pick(struct machine *machine, const struct copy_engine *engine)
{
	const struct switches *switches = &machine->switches;
	struct instance *picked = engine->queue.first;
	int count = 1;
	if (!switches->copies_unordered && !switches->contexts_unordered)
		return picked;
	for (struct instance *copy = picked->after_in_queue; copy != NULL; copy = copy->after_in_queue)
		if ((switches->copies_unordered || leads(engine, copy)) && random_below(&machine->random, (uint64_t)++count) == 0)
			picked = copy;
	return picked;
}

static void begin(struct machine *machine, struct copies *copies, struct copy_engine *engine)
{
	struct instance *copy = pick(machine, engine);
	queue_remove(&engine->queue, copy);
	copies->waiting--;
	copies->underway++;
	engine->current = copy;
	engine->placed_at = clock_read(&copies->clock, machine->now);
	engine->end = engine->placed_at + machine->client.duration(machine->client.context, copy, 1);
	copy->begun = copy->dispatched = machine->now;
	if (machine->rated)
		rates_copy(machine, engine);
	see(machine, SIGHT_BEGIN, copy, copy->work->engine, NULL);
}

void copies_begin(struct machine *machine)
{
	struct copies *copies = machine->copying;
	for (int e = 0; e < machine->engine_count; e++)
		if (copies->engines[e].current == NULL && copies->engines[e].queue.first != NULL)
			begin(machine, copies, &copies->engines[e]);
}

/* The engine whose copy ends first. */
static struct copy_engine *first_to_end(const struct machine *machine, const struct copies *copies)
{
	struct copy_engine *first = NULL;
	for (int e = 0; e < machine->engine_count; e++) {
		struct copy_engine *engine = &copies->engines[e];
		if (engine->current != NULL && (first == NULL || engine->end < first->end))
			first = engine;
	}
	return first;
}

int64_t copies_due(const struct machine *machine)
{
	return clock_real(&machine->copying->clock, first_to_end(machine, machine->copying)->end);
}

void copies_step(struct machine *machine)
{
	struct copy_engine *engine = first_to_end(machine, machine->copying);
	struct instance *copy = engine->current;
	machine->copying->underway--;
	engine->current = NULL;
	copy->longest = engine->end - engine->placed_at;
	machine->stale = true;
	stream_complete(machine, copy);
}
