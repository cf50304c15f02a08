/* The loop: the next event of all clocks, and everything that follows from it at that instant. */
#include "machine/machine_parts.h"

#include "base/assert.h"

#define TIMER_SHIFT 28 /* a timer's kind stands above its number */

enum source { SOURCE_HALF, SOURCE_COPIES = HALVES, SOURCE_DISPATCHER, SOURCE_TIMERS, SOURCE_COUNT };

uint32_t tie_next(struct machine *machine)
{
	return machine->switches.in_order ? machine->ties++ : (uint32_t)random_next(&machine->random);
}

int64_t overhead_next(struct machine *machine, int64_t most)
{
	if (!machine->switches.overheads_drawn || most == 0 || random_chance(&machine->random, 50))
		return most;
	return random_chance(&machine->random, 60) ? 0 : random_between(&machine->random, 0, most);
}

void timer_set(struct machine *machine, int64_t time, enum timer timer, uint32_t number)
{
	assert(number < UINT32_C(1) << TIMER_SHIFT);
	heap_push(&machine->timers, (struct due){time, tie_next(machine), (uint32_t)timer << TIMER_SHIFT | number});
}

void machine_timer(struct machine *machine, int64_t time, int number)
{
	timer_set(machine, time, TIMER_CLIENT, (uint32_t)number);
}

static void clock_set(struct clock *clock, int64_t now, bool runs)
{
	if (clock->runs != runs)
		*clock = (struct clock){clock_read(clock, now), now, runs};
}

void clocks_set(struct machine *machine)
{
	const struct runlist *runlist = &machine->runlist;
	bool leaving = runlist->used && runlist->phase == RUNLIST_LEAVING;
	bool places = !leaving || machine->switches.granularity == GRANULARITY_KERNEL;
	for (int c = 0; c < machine->context_count; c++) {
		struct context *context = &machine->contexts[c];
		bool on = machine->active != NULL && context->process == machine->active->number && !machine->stopped_whole;
		context->settled = false;
		clock_set(&context->clock, machine->now, on && places);
		for (int h = 0; h < HALVES; h++)
			clock_set(&context->halves[h].clock, machine->now, on && !machine->stopped[h]);
	}
	machine->copying = NULL; /* without runlist.copies all copies are in the first */
	for (int i = 0; i < machine->copies_count; i++) {
		bool turn = !runlist->copies || (runlist->phase == RUNLIST_RUNNING && runlist->slots[runlist->at] == copies_slot(i));
		clock_set(&machine->copies[i].clock, machine->now, turn && !machine->stopped_whole);
		if (machine->copies[i].clock.runs && machine->copying == NULL)
			machine->copying = &machine->copies[i];
	}
	machine->stale = true;
}

static inline int64_t unit_due(const struct context *unit, int source)
{
	return source == SOURCE_DISPATCHER ? engine_due(unit) : half_due(&unit->halves[source]);
}

/* When a source is due, of whichever dispatcher is the first. */
static inline int64_t due_of(const struct machine *machine, int source)
{
	const struct process *active = machine->active;
	int64_t due = NEVER;
	switch (source) {
	case SOURCE_COPIES: return machine->copying != NULL && machine->copying->underway > 0 ? copies_due(machine) : NEVER;
	case SOURCE_TIMERS: return machine->timers.count == 0 ? NEVER : machine->timers.items[0].time;
	default:
		for (int i = 0; active != NULL && i < active->count; i++)
			due = checked_min(due, unit_due(&active->units[i], source));
		return due;
	}
}

/* One of the dispatchers for which the source is due: the first, or a drawn one. */
static struct context *unit_of(struct machine *machine, int source)
{
	struct process *active = machine->active;
	struct context *found = NULL;
	int count = 0;
	for (struct context *unit = active->units; unit < active->units + active->count; unit++)
		if (unit_due(unit, source) <= machine->now &&
			(count++ == 0 || (!machine->switches.in_order && random_below(&machine->random, (uint64_t)count) == 0)))
			found = unit;
	return found;
}

static void find_dues(const struct machine *machine, int64_t dues[SOURCE_COUNT])
{
	for (int source = 0; source < SOURCE_COUNT; source++)
		dues[source] = due_of(machine, source);
}

static void take_timer(struct machine *machine)
{
	struct due due = heap_pop(&machine->timers);
	enum timer timer = (enum timer)(due.what >> TIMER_SHIFT);
	uint32_t number = due.what & ((UINT32_C(1) << TIMER_SHIFT) - 1);
	if (timer == TIMER_DEPENDENCY)
		stream_depended(machine, machine->instances[number]);
	else if (timer == TIMER_SLICE || timer == TIMER_SWITCH)
		runlist_timer(machine, timer, number);
	else if (timer == TIMER_STOP || timer == TIMER_GO)
		stops_timer(machine, timer, number);
	else
		machine->client.timer(machine->client.context, (int)number);
}

static void take(struct machine *machine, int source)
{
	machine->taken++;
	if (source == SOURCE_TIMERS)
		take_timer(machine);
	else if (source == SOURCE_COPIES)
		copies_step(machine);
	else if (source == SOURCE_DISPATCHER)
		engine_step(machine, unit_of(machine, source));
	else
		block_end(machine, unit_of(machine, source), source);
}

/* What follows from what was issued, without letting time pass. */
static void settle(struct machine *machine)
{
	do {
		if (machine->changed)
			streams_settle(machine);
		copies_settle(machine);
		if (machine->runlist.used) {
			runlist_settle(machine);
			copies_settle(machine); /* it may be their turn now */
		}
		for (int i = 0; machine->active != NULL && i < machine->active->count; i++)
			engine_settle(machine, &machine->active->units[i]);
	} while (machine->changed);
	if (machine->rated && machine->stale)
		rates_settle(machine);
}

/* Is the next timer one that stops clocks? What is done at that very instant is done: work takes place in half-open intervals. */
static bool freezes_next(const struct machine *machine)
{
	if (machine->timers.count == 0)
		return false;
	enum timer timer = (enum timer)(machine->timers.items[0].what >> TIMER_SHIFT);
	return timer == TIMER_SLICE || timer == TIMER_STOP;
}

/* The sources that are due now, a bit each; a timer that stops clocks comes last. */
static unsigned due_now(const struct machine *machine, const int64_t dues[SOURCE_COUNT])
{
	unsigned due = 0, timers = 1u << SOURCE_TIMERS;
	for (int source = 0; source < SOURCE_COUNT; source++)
		due |= (unsigned)(dues[source] <= machine->now) << source;
	return (due & timers) != 0 && due != timers && !machine->switches.in_order && freezes_next(machine) ? due & ~timers : due;
}

/* One of them: the first, or a drawn one. */
static int pick(struct machine *machine, unsigned due)
{
	bool alone = (due & (due - 1)) == 0;
	if (!alone && !machine->switches.in_order)
		for (uint64_t before = random_below(&machine->random, (uint64_t)__builtin_popcount(due)); before > 0; before--)
			due &= due - 1;
	return __builtin_ctz(due);
}

/* After one of them was taken. The end of a block or copy may set timers; the others may change anything. */
static void find_dues_again(struct machine *machine, int64_t dues[SOURCE_COUNT], int taken)
{
	if (!machine->switches.in_order && (random_next(&machine->random) & 3) == 0)
		settle(machine);
	else if (taken < SOURCE_DISPATCHER) {
		dues[taken] = due_of(machine, taken);
		dues[SOURCE_TIMERS] = due_of(machine, SOURCE_TIMERS);
		return;
	}
	find_dues(machine, dues);
}

/* What is due at one instant is taken in order, then all that follows; or, where ties are drawn, in any order, and what follows from a
 * part of it may come before the rest. */
bool machine_step(struct machine *machine)
{
	int64_t dues[SOURCE_COUNT], next = NEVER;
	find_dues(machine, dues);
	for (int source = 0; source < SOURCE_COUNT; source++)
		next = checked_min(next, dues[source]);
	if (next == NEVER)
		return false;
	machine->now = next;
	for (unsigned due; (due = due_now(machine, dues)) != 0;) {
		int source = pick(machine, due);
		take(machine, source);
		find_dues_again(machine, dues, source);
	}
	settle(machine);
	return true;
}
