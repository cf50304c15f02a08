/* The loop: the next event of all clocks, and everything that follows from it at that instant. */
#include "machine/parts.h"

#include <assert.h>

#define TIMER_SHIFT 28 /* a timer's kind stands above its number */

enum source { SOURCE_HALF, SOURCE_COPIES = HALVES, SOURCE_DISPATCHER, SOURCE_TIMERS, SOURCE_COUNT };

uint32_t tie_next(struct machine *machine)
{
	return machine->switches.in_order ? machine->ties++ : (uint32_t)random_next(&machine->random);
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

void see(struct machine *machine, enum sight sight, const struct instance *instance, int place, const struct block *block)
{
	if (machine->client.see != NULL)
		machine->client.see(machine->client.context, sight, instance, place, block);
}

int machine_half(const struct machine *machine, int sm)
{
	return sm >= (machine->limits.sm_count + 1) / 2;
}

static void clock_set(struct clock *clock, int64_t now, bool runs)
{
	*clock = (struct clock){clock_read(clock, now), now, runs};
}

void clocks_set(struct machine *machine)
{
	const struct runlist *runlist = &machine->runlist;
	bool leaving = runlist->used && runlist->phase == RUNLIST_LEAVING;
	bool places = !leaving || machine->switches.granularity == GRANULARITY_KERNEL;
	for (int c = 0; c < machine->context_count; c++) {
		struct context *context = &machine->contexts[c];
		bool on = context == machine->active && !machine->stopped_whole;
		clock_set(&context->clock, machine->now, on && places);
		for (int h = 0; h < HALVES; h++)
			clock_set(&context->halves[h].clock, machine->now, on && !machine->stopped[h]);
	}
	for (int i = 0; i < machine->copies_count; i++) {
		bool turn = !runlist->copies || (runlist->phase == RUNLIST_RUNNING && runlist->slots[runlist->at] == copies_slot(i));
		clock_set(&machine->copies[i].clock, machine->now, turn && !machine->stopped_whole);
	}
	machine->stale = true;
}

static int64_t source_due(const struct machine *machine, int source)
{
	const struct context *active = machine->active;
	switch (source) {
	case SOURCE_COPIES: return copies_due(machine);
	case SOURCE_TIMERS: return machine->timers.count == 0 ? NEVER : machine->timers.items[0].time;
	case SOURCE_DISPATCHER: return active == NULL ? NEVER : engine_due(active);
	default:
		if (active == NULL || active->halves[source].ends.count == 0)
			return NEVER;
		return clock_real(&active->halves[source].clock, active->halves[source].ends.items[0].time);
	}
}

int64_t machine_next(const struct machine *machine)
{
	int64_t next = NEVER;
	for (int source = 0; source < SOURCE_COUNT; source++)
		next = checked_min(next, source_due(machine, source));
	return next;
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
		engine_step(machine, machine->active);
	else
		block_end(machine, machine->active, source);
}

void machine_settle(struct machine *machine)
{
	do {
		if (machine->changed)
			streams_settle(machine);
		copies_settle(machine);
		runlist_settle(machine);
		copies_settle(machine); /* it may be their turn now */
		if (machine->active != NULL)
			engine_settle(machine, machine->active);
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

/* One of the sources that are due now, drawn; a timer that stops clocks comes last. */
static int draw_source(struct machine *machine)
{
	int due[SOURCE_COUNT], count = 0;
	bool last = freezes_next(machine), timers = false;
	for (int source = 0; source < SOURCE_COUNT; source++)
		if (source_due(machine, source) <= machine->now) {
			if (source == SOURCE_TIMERS && last)
				timers = true;
			else
				due[count++] = source;
		}
	if (count == 0)
		return timers ? SOURCE_TIMERS : NO_ID;
	return count == 1 ? due[0] : due[random_below(&machine->random, (uint64_t)count)];
}

static int first_source(struct machine *machine)
{
	for (int source = 0; source < SOURCE_COUNT; source++)
		if (source_due(machine, source) <= machine->now)
			return source;
	return NO_ID;
}

/* What is due at one instant is taken in order, then all that follows; or, where ties are drawn, in any order, and what follows from a
 * part of it may come before the rest. */
void machine_step(struct machine *machine)
{
	bool in_order = machine->switches.in_order;
	machine->now = machine_next(machine);
	int source = in_order ? first_source(machine) : draw_source(machine);
	while (source != NO_ID) {
		take(machine, source);
		if (!in_order && (random_next(&machine->random) & 3) == 0)
			machine_settle(machine);
		source = in_order ? first_source(machine) : draw_source(machine);
	}
	machine_settle(machine);
}
