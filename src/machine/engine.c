/* The execution engine of a context: a queue a level, and the dispatcher with its overheads (D2-D5, D11). */
#include "machine/machine_parts.h"

void engine_init(struct machine *machine, struct context *context)
{
	for (int s = 0; s < machine->set->stream_count; s++)
		if (machine->streams[s].unit == context->number && machine->set->streams[s].level >= context->level_count)
			context->level_count = machine->set->streams[s].level + 1;
	context->levels = arena_allocate(machine->arena, (size_t)context->level_count + 1, sizeof *context->levels);
	context->launch_due = NEVER;
	context->vacated = arena_allocate(machine->arena, (size_t)machine->limits.sm_count + 1, sizeof *context->vacated);
	for (int sm = 0; sm < machine->limits.sm_count; sm++)
		context->vacated[sm] = -machine->switches.delay;
}

void engine_refresh(struct machine *machine, struct context *context, int64_t later)
{
	int64_t until = checked_add(clock_read(&context->clock, machine->now), checked_add(later, machine->switches.delay));
	context->fresh = checked_max(context->fresh, until);
}

static int level_of(const struct machine *machine, const struct instance *kernel)
{
	return machine->switches.priorities == PRIORITIES_IGNORED ? 0 : machine->set->streams[kernel->work->stream].level;
}

/* PRIORITIES_REDRAWN: one of the levels that wait. */
static void redraw(struct machine *machine, struct context *context)
{
	int count = 0;
	if (machine->switches.priorities != PRIORITIES_REDRAWN)
		return;
	for (int level = 0; level < context->level_count; level++)
		if (context->levels[level].first != NULL && random_below(&machine->random, (uint64_t)++count) == 0)
			context->served = level;
}

/* ---- A-ORDER: late within `delay` */

static bool dawdles(const struct machine *machine)
{
	const struct switches *switches = &machine->switches;
	return switches->delay > 0 && switches->dispatcher == DISPATCHER_STRICT && switches->priorities == PRIORITIES_KEPT;
}

static int64_t draw_delay(struct machine *machine)
{
	if (random_chance(&machine->random, 60))
		return machine->switches.delay;
	return random_chance(&machine->random, 50) ? 0 : random_between(&machine->random, 0, machine->switches.delay);
}

static void notice(struct machine *machine, struct context *context, struct instance *kernel)
{
	int64_t reading = clock_read(&context->clock, machine->now);
	kernel->noticed = reading;
	kernel->unnoticed = dawdles(machine) && !kernel->follows && random_chance(&machine->random, 50);
	if (!kernel->unnoticed)
		return;
	kernel->noticed += draw_delay(machine);
	if (kernel->noticed > reading)
		context->launch_due = checked_min(context->launch_due, kernel->noticed);
}

/* How long room is left unused. Room that was there all along while the kernel was not noticed is not left any longer, room that came since
 * may be; how late blocks come of a kernel of which only the makespan is known is in that makespan. */
static int64_t hold_of(struct machine *machine, const struct instance *kernel, int64_t reading)
{
	bool later = !machine->switches.launch_at_head && reading > checked_max(kernel->noticed, kernel->launch);
	bool noticed_now = kernel->unnoticed && !later;
	bool free = (noticed_now && kernel->placed == 0) || kernel->follows || (kernel->work->opaque && kernel->placed > 0);
	return free ? 0 : draw_delay(machine);
}

void engine_enter(struct machine *machine, struct instance *kernel)
{
	struct context *context = &machine->contexts[kernel->work->unit];
	queue_add(&context->levels[level_of(machine, kernel)], kernel);
	context->waiting++;
	context->settled = false;
	redraw(machine, context);
	kernel->launch = instance_overhead(machine, kernel, machine->overhead_launch);
	engine_refresh(machine, context, kernel->launch);
	notice(machine, context, kernel);
	if (kernel->follows && machine->switches.gaps != GAPS_LOSE)
		context->gaps--;
	if (kernel->work->opaque && !kernel->part)
		kernel->span = machine->client.duration(machine->client.context, kernel, 1);
	if (machine->switches.launch_at_head)
		return;
	bool launches = kernel->launch > 0;
	kernel->launch += clock_read(&context->clock, machine->now);
	if (launches)
		context->launch_due = checked_min(context->launch_due, kernel->launch);
}

/* Whatever the dispatcher was about to do is broken off: what was spent on a launch stays, what was spent on a block is lost. */
static void abandon(struct context *context, int64_t reading)
{
	if (context->step == STEP_LAUNCH)
		context->current->launch = checked_max(context->due - reading, 0);
	context->step = STEP_NOTHING;
	context->current = NULL;
}

static void start(struct context *context, enum step step, struct instance *kernel, int64_t due)
{
	context->step = step;
	context->current = kernel;
	context->due = due;
}

/* Room for the head's block is there: is it left unused for now? */
static bool holds(struct machine *machine, struct context *context, struct instance *kernel)
{
	int64_t reading = clock_read(&context->clock, machine->now);
	if (!dawdles(machine) || context->released == kernel)
		return false;
	if (context->step != STEP_HOLD)
		start(context, STEP_HOLD, kernel, reading + hold_of(machine, kernel, reading));
	if (context->due > reading)
		return true;
	start(context, STEP_NOTHING, NULL, 0);
	context->released = kernel;
	return false;
}

/* Has the dispatcher spent what this kernel's next block needs? If not, it goes on spending it. */
static bool prepared(struct machine *machine, struct context *context, struct instance *kernel, int sm)
{
	int64_t reading = clock_read(&context->clock, machine->now);
	bool launches = kernel != NULL && machine->switches.launch_at_head && kernel->launch > 0;
	if (context->released != kernel || sm == NO_ID)
		context->released = NULL;
	if (context->current != kernel || (sm == NO_ID && !launches))
		abandon(context, reading);
	if (launches) {
		if (context->step != STEP_LAUNCH)
			start(context, STEP_LAUNCH, kernel, reading + kernel->launch);
		return false;
	}
	if (sm == NO_ID || holds(machine, context, kernel))
		return false;
	if (kernel->work->block_overhead > 0 && context->step != STEP_PLACE)
		start(context, STEP_PLACE, kernel, reading + overhead_next(machine, kernel->work->block_overhead));
	if (context->step == STEP_PLACE && context->due > reading)
		return false;
	start(context, STEP_NOTHING, NULL, 0);
	return true;
}

static void finish_dispatch(struct machine *machine, struct context *context, struct instance *kernel)
{
	queue_remove(&context->levels[level_of(machine, kernel)], kernel);
	context->waiting--;
	process_unsettle(process_of(machine, context));
	placement_end(&context->placer, kernel->dispatch);
	kernel->dispatch = NULL;
	context->released = NULL;
	kernel->dispatched = machine->now;
	engine_refresh(machine, context, 0);
	see(machine, SIGHT_DISPATCH, kernel, NO_ID, NULL);
	stream_dispatched(machine, kernel);
	redraw(machine, context);
}

static void place(struct machine *machine, struct context *context, struct instance *kernel, int sm)
{
	if (kernel->placed == 0) {
		kernel->begun = machine->now;
		context->partial++;
		context->begun += kernel->part && !kernel->follows;
		see(machine, SIGHT_BEGIN, kernel, NO_ID, NULL);
	}
	struct process *process = process_of(machine, context);
	for (struct context *unit = process->units; unit < process->units + process->count && kernel->work->configuration != 0; unit++)
		unit->configuration = kernel->work->configuration;
	block_place(machine, context, kernel, sm);
	if (kernel->placed == kernel->work->blocks)
		finish_dispatch(machine, context, kernel);
}

/* Work of the primary context that waits is ahead of that of all partitions; where it waits for a grid slot, kernels that have one pass. */
static bool is_behind(const struct machine *machine, const struct context *context)
{
	const struct process *process = process_of(machine, context);
	return context->partition > 0 && process->units->waiting > 0 && process_partial(process) < machine->grids;
}

void engine_dispatch(struct machine *machine, struct context *context)
{
	if (is_behind(machine, context)) {
		abandon(context, clock_read(&context->clock, machine->now));
		context->settled = true;
		return;
	}
	while (context->waiting > 0 && context->clock.runs) {
		int sm = NO_ID;
		struct instance *kernel = choose_kernel(machine, context, &sm);
		context->settled = machine->steady;
		if (!prepared(machine, context, kernel, sm))
			return;
		place(machine, context, kernel, sm);
	}
}

static int64_t next_after(int64_t reading, const struct instance *kernel)
{
	int64_t launch = kernel->launch > reading ? kernel->launch : NEVER;
	return kernel->noticed > reading ? checked_min(launch, kernel->noticed) : launch;
}

static void pass_launches(struct context *context, int64_t reading)
{
	context->launch_due = NEVER;
	for (int level = 0; level < context->level_count; level++)
		for (const struct instance *kernel = context->levels[level].first; kernel != NULL; kernel = kernel->after_in_queue)
			context->launch_due = checked_min(context->launch_due, next_after(reading, kernel));
}

void engine_step(struct machine *machine, struct context *context)
{
	int64_t reading = clock_read(&context->clock, machine->now);
	if (context->launch_due <= reading)
		pass_launches(context, reading);
	if (context->step == STEP_LAUNCH && context->due <= reading)
		abandon(context, reading);
	engine_dispatch(machine, context);
}
