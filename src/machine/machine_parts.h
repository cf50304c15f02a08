/* What the parts of the machine ask of each other; nobody else includes this.
 *
 * Requires: a machine that machine_create has made.
 * Provides: each part's step at an instant (X_settle), what it does when something of it is due, and the notices between them.
 */
#ifndef MACHINE_MACHINE_PARTS_H
#define MACHINE_MACHINE_PARTS_H

#include "machine/machine.h"

/* machine.c */
void timer_set(struct machine *machine, int64_t time, enum timer timer, uint32_t number);
uint32_t tie_next(struct machine *machine);                   /* drawn, or in order */
int64_t overhead_next(struct machine *machine, int64_t most); /* that, or up to that where overheads are drawn */
static inline int64_t instance_overhead(struct machine *machine, const struct instance *instance, int64_t most) /* of an operation */
{
	return instance->follows || (instance->inner && machine->switches.graphs == GRAPHS_QUICK) ? 0 : overhead_next(machine, most);
}
/* A sequence is one operation for whoever looks on: it becomes ready and begins with its first part, and ends with its last. */
static inline bool is_within(enum sight sight, const struct instance *instance)
{
	bool comes = sight == SIGHT_ISSUE || sight == SIGHT_READY || sight == SIGHT_BEGIN,
	     goes = sight == SIGHT_DISPATCH || sight == SIGHT_END;
	return instance != NULL && instance->part && ((comes && instance->follows) || (goes && !instance->last));
}

static inline void see(struct machine *machine, enum sight sight, const struct instance *instance, int place, const struct block *block)
{
	if (is_within(sight, instance))
		return;
	if (machine->client.see != NULL && (machine->client.unseen >> sight & 1) == 0)
		machine->client.see(machine->client.context, sight, instance, place, block);
}
void clocks_set(struct machine *machine); /* after active, phase or stops changed */

/* setup.c: operations resolved */
int setup_unit(const struct machine *machine, int stream); /* who dispatches its kernels */
/* opaque.c */
bool opaque_make(struct machine *machine, struct work *work);
int64_t opaque_duration(const struct instance *instance, int64_t index);

/* sequence.c */
int sequence_parts(struct machine *machine, const struct work *work, int64_t total);
void sequence_draw(struct machine *machine, struct instance *first, int parts, int64_t total);

/* stream.c */
void streams_init(struct machine *machine);
void streams_settle(struct machine *machine);
void stream_complete(struct machine *machine, struct instance *instance);
void stream_dispatched(struct machine *machine, struct instance *instance); /* the last block is placed */
void stream_depended(struct machine *machine, struct instance *instance);   /* its o_dep is over */

/* queue.c */
void queue_add(struct queue *queue, struct instance *instance);
void queue_remove(struct queue *queue, struct instance *instance);

/* engine.c: the queues and the dispatcher of a context */
void engine_init(struct machine *machine, struct context *context);
void engine_enter(struct machine *machine, struct instance *instance);
void engine_dispatch(struct machine *machine, struct context *context);
/* Nothing is asked of a lazy dispatcher until so much later, and switches.delay. */
void engine_refresh(struct machine *machine, struct context *context, int64_t later);

static inline int64_t engine_due(const struct context *context) /* real time of the dispatcher's next step */
{
	int64_t due = context->step == STEP_NOTHING ? NEVER : context->due;
	return clock_real(&context->clock, checked_min(due, context->launch_due));
}

static inline void engine_settle(struct machine *machine, struct context *context)
{
	if (context->waiting > 0 && (!context->settled || engine_due(context) <= machine->now))
		engine_dispatch(machine, context);
}

void engine_step(struct machine *machine, struct context *context);

static inline bool engine_pending(const struct process *process)
{
	for (const struct context *unit = process->units; unit < process->units + process->count; unit++)
		if (unit->waiting > 0 || unit->chip.residents > 0 || unit->gaps > 0)
			return true;
	return false;
}

static inline struct process *process_of(const struct machine *machine, const struct context *context)
{
	return &machine->processes[context->process];
}

/* Kernels of the process that have grid slots. */
static inline int process_partial(const struct process *process)
{
	int sum = 0;
	for (const struct context *unit = process->units; unit < process->units + process->count; unit++)
		sum += unit->partial;
	return sum;
}

static inline int process_residents(const struct process *process)
{
	int sum = 0;
	for (const struct context *unit = process->units; unit < process->units + process->count; unit++)
		sum += unit->chip.residents;
	return sum;
}

/* The other dispatchers of the process may have something to do. */
static inline void process_unsettle(struct process *process)
{
	for (struct context *unit = process->units; unit < process->units + process->count; unit++)
		unit->settled = false;
}

/* choose.c: whose block is next, and where */
struct instance *choose_kernel(struct machine *machine, struct context *context, int *sm);

/* blocks.c */
#define DUE_LEAVES (UINT32_C(1) << 31) /* of due.what: warps of the block leave; else it ends */

static inline int block_sm(const struct due *due)
{
	return (int)((due->what & ~DUE_LEAVES) / BLOCKS_MOST);
}

static inline struct block *block_due(const struct machine *machine, const struct context *context, const struct due *due)
{
	return &context->blocks[block_sm(due) * machine->limits.blocks + (int)(due->what % BLOCKS_MOST)];
}

void block_place(struct machine *machine, struct context *context, struct instance *kernel, int sm);
void block_end(struct machine *machine, struct context *context, int half);

/* copy_engines.c */
void copies_init(struct machine *machine);
void copy_enter(struct machine *machine, struct instance *instance);
void copies_begin(struct machine *machine);

static inline void copies_settle(struct machine *machine)
{
	if (machine->copying != NULL && machine->copying->waiting > 0)
		copies_begin(machine);
}

int64_t copies_due(const struct machine *machine); /* some are under way */
void copies_step(struct machine *machine);

/* runlist.c */
bool runlist_init(struct machine *machine, struct refusal *refusal);
void runlist_settle(struct machine *machine);
void runlist_timer(struct machine *machine, enum timer timer, uint32_t generation);
void runlist_stopped(struct machine *machine, bool stopped);

/* stops.c */
void stops_init(struct machine *machine);
void stops_timer(struct machine *machine, enum timer timer, uint32_t what);

/* rates.c */
void rates_settle(struct machine *machine);
void rates_block(struct machine *machine, struct block *block, int64_t late); /* block->left is its duration */
void rates_copy(struct machine *machine, struct copy_engine *engine);

#endif
