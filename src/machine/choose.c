/* Whose block is next, and where it goes: the head of the queues, or whom a dispatcher that breaks the rules prefers (D3-D6, D11). */
#include "machine/machine_parts.h"

static bool launched(const struct machine *machine, const struct context *context, const struct instance *kernel)
{
	return kernel->launch <= (machine->switches.launch_at_head ? 0 : clock_read(&context->clock, machine->now));
}

static bool grid_free(const struct machine *machine, const struct context *context, const struct instance *kernel)
{
	return kernel->placed > 0 || process_partial(process_of(machine, context)) < machine->grids;
}

static bool leaving(const struct machine *machine)
{
	return machine->runlist.used && machine->runlist.phase == RUNLIST_LEAVING;
}

/* Whether the machine would take a block of this kernel at all, room aside. */
static bool admitted(const struct machine *machine, const struct context *context, const struct instance *kernel)
{
	const struct work *work = kernel->work;
	if (!launched(machine, context, kernel) || !grid_free(machine, context, kernel))
		return false;
	if (leaving(machine) && kernel->placed == 0)
		return false;
	return !machine->switches.cache_drain || process_residents(process_of(machine, context)) == 0 || work->configuration == 0 ||
	       context->configuration == 0 || work->configuration == context->configuration;
}

/* May it have a block there now? */
static bool is_open(const struct machine *machine, const struct instance *kernel, int sm)
{
	return kernel->dispatch->room->of[sm] > 0 && !machine->stopped[machine_half(machine, sm)];
}

/* An SM with room that is not stopped: the policy's choice if it is one, else the one with the most room of the other half. */
static int running_sm(const struct machine *machine, const struct instance *kernel)
{
	const struct room *room = kernel->dispatch->room;
	int best = NO_ID;
	for (int rank = 0; rank < machine->limits.sm_count; rank++) {
		int sm = machine->limits.order[rank];
		if (is_open(machine, kernel, sm) && room->of[sm] > (best == NO_ID ? 0 : room->of[best]))
			best = sm;
	}
	return best;
}

/* Any SM with room that is not stopped, drawn; an idle one where that is asked. */
static int any_sm(struct machine *machine, const struct context *context, const struct instance *kernel, bool idle_only)
{
	int best = NO_ID, count = 0;
	for (int sm = 0; sm < machine->limits.sm_count; sm++)
		if (is_open(machine, kernel, sm) && !(idle_only && context->chip.sms[sm].count > 0) &&
			random_below(&machine->random, (uint64_t)++count) == 0)
			best = sm;
	return best;
}

static int sm_for(struct machine *machine, struct context *context, struct instance *kernel, bool idle_only)
{
	if (!admitted(machine, context, kernel))
		return NO_ID;
	if (kernel->dispatch == NULL) {
		struct work *work = &machine->works[kernel->work->number];
		kernel->dispatch = placement_begin(&context->placer, &work->room, work->grid);
	}
	int sm = placement_choose(&context->placer, kernel->dispatch);
	if (sm == NO_ID)
		return NO_ID;
	if (machine->switches.dispatcher == DISPATCHER_LAZY)
		return any_sm(machine, context, kernel, idle_only);
	return machine->stopped[machine_half(machine, sm)] ? running_sm(machine, kernel) : sm;
}

/* Where all grid slots are taken, or where the context leaves after the kernels that have begun, those pass all others whatever their
 * level ([V12]). */
static bool only_begun(const struct machine *machine, const struct context *context)
{
	return process_partial(process_of(machine, context)) >= machine->grids || leaving(machine);
}

/* D3: the head of the highest level that waits, or of the level that is served. */
static struct instance *head_of(const struct machine *machine, const struct context *context)
{
	bool only = only_begun(machine, context);
	if (machine->switches.priorities == PRIORITIES_REDRAWN && !only)
		return context->levels[context->served].first;
	struct instance *unnoticed = NULL; /* the first that the dispatcher does not know of yet */
	for (int level = 0; level < context->level_count; level++) {
		struct instance *head = context->levels[level].first;
		if (head == NULL || (head->placed == 0 && only))
			continue;
		if (head->noticed <= clock_read(&context->clock, machine->now))
			return head;
		unnoticed = unnoticed == NULL ? head : unnoticed;
	}
	return unnoticed;
}

/* A candidate replaces the one before with the chance that leaves all of them equal; those of the starved task stand behind. */
struct candidates {
	struct instance *best;
	int sm, count;
	bool best_starves;
};

static void consider(struct machine *machine, struct context *context, struct candidates *candidates, struct instance *kernel, bool idle)
{
	int sm = sm_for(machine, context, kernel, idle);
	bool starves = kernel->work->task + 1 == machine->switches.starved_task;
	if (sm == NO_ID || (starves && candidates->best != NULL && !candidates->best_starves))
		return;
	if (candidates->best_starves && !starves)
		candidates->count = 0;
	if (random_below(&machine->random, (uint64_t)++candidates->count) != 0)
		return;
	candidates->best = kernel;
	candidates->best_starves = starves;
	candidates->sm = sm;
}

/* Kernels of the levels that `priorities` admits; of each level all, or only the head. */
static struct candidates gather(struct machine *machine, struct context *context, bool heads_only, bool idle)
{
	struct candidates candidates = {.sm = NO_ID};
	bool all = machine->switches.dispatcher == DISPATCHER_LAZY || context->loose || only_begun(machine, context);
	enum priorities priorities = all ? PRIORITIES_ANY : machine->switches.priorities;
	for (int level = 0; level < context->level_count; level++) {
		if (context->levels[level].first == NULL || (priorities == PRIORITIES_REDRAWN && level != context->served))
			continue;
		for (struct instance *kernel = context->levels[level].first; kernel != NULL; kernel = kernel->after_in_queue) {
			consider(machine, context, &candidates, kernel, idle);
			if (heads_only)
				break;
		}
		if (priorities == PRIORITIES_KEPT)
			break;
	}
	return candidates;
}

/* May the lazy dispatcher idle? While g SMs hold a block; with delays, which count for the SM that a block has left and for the chip when a
 * kernel has come or gone, until the first of them is over: then it looks again. */
static bool may_idle(struct machine *machine, struct context *context)
{
	int64_t delay = machine->switches.delay, reading = clock_read(&context->clock, machine->now), due = context->fresh;
	int held = context->busy_sms, least = context->partition > 0 ? 1 : machine->busy_least;
	if (held >= least || delay == 0)
		return held >= least;
	if (context->fresh <= reading) {
		due = NEVER;
		for (int sm = 0; sm < machine->limits.sm_count; sm++) {
			if (context->chip.sms[sm].count > 0 || context->vacated[sm] + delay <= reading)
				continue;
			held++;
			due = checked_min(due, context->vacated[sm] + delay);
		}
		if (held < least)
			return false;
	}
	context->launch_due = checked_min(context->launch_due, due);
	return true;
}

/* A-WC(g): while g SMs hold a block the dispatcher may idle; while fewer do, it has to fill an idle one, if only one is to be had. */
static struct candidates gather_lazily(struct machine *machine, struct context *context)
{
	int idles = machine->switches.lazy_percent == 0 ? 50 : machine->switches.lazy_percent;
	if (!may_idle(machine, context))
		return gather(machine, context, false, true);
	if (random_chance(&machine->random, idles))
		return (struct candidates){.sm = NO_ID};
	return gather(machine, context, false, false);
}

/* The kernel whose block the dispatcher has begun to place stays, as long as it can. */
static bool stays(struct machine *machine, struct context *context, int *sm)
{
	if (context->step != STEP_PLACE)
		return false;
	*sm = sm_for(machine, context, context->current, machine->switches.dispatcher == DISPATCHER_LAZY && !may_idle(machine, context));
	return *sm != NO_ID;
}

/* Clients of an MPS server of whom nothing is said: nobody is served as often as not, where that does not stop all of them. */
static struct candidates gather_loosely(struct machine *machine, struct context *context)
{
	if (context->chip.residents > 0 && random_chance(&machine->random, 50))
		return (struct candidates){.sm = NO_ID};
	return gather(machine, context, false, false);
}

struct instance *choose_kernel(struct machine *machine, struct context *context, int *sm)
{
	const struct switches *switches = &machine->switches;
	struct instance *head;
	if (!context->loose && switches->dispatcher == DISPATCHER_STRICT && switches->priorities != PRIORITIES_ANY) {
		head = head_of(machine, context);
		if (head != NULL)
			*sm = sm_for(machine, context, head, false);
		return head;
	}
	if (stays(machine, context, sm))
		return context->current;
	struct candidates candidates = context->loose ? gather_loosely(machine, context)
				       : switches->dispatcher == DISPATCHER_LAZY
					       ? gather_lazily(machine, context)
					       : gather(machine, context, switches->dispatcher == DISPATCHER_STRICT, false);
	*sm = candidates.sm;
	return candidates.best;
}
