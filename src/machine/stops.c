/* Stops by other clients of the GPU: the whole chip, or one half of it, stands (A-ISO; [V0]). */
#include "machine/machine_parts.h"

#define WHOLE 2 /* what stops; else a half's number */

static int64_t length_of(struct machine *machine)
{
	int64_t longest = platform_value(machine->platform, PARAMETER_STOPS_LENGTH);
	return machine->switches.stops_drawn ? random_between(&machine->random, 1, longest) : longest;
}

void stops_init(struct machine *machine)
{
	int64_t length = platform_value(machine->platform, PARAMETER_STOPS_LENGTH);
	int64_t distance = platform_value(machine->platform, PARAMETER_STOPS_DISTANCE);
	if (machine->switches.stops == STOPS_NONE || length == NONE || distance == NONE || length < 1)
		return;
	int64_t first = machine->switches.in_order ? 0 : random_between(&machine->random, 0, distance);
	timer_set(machine, first, TIMER_STOP, 0);
}

static int draw_what(struct machine *machine)
{
	int halves = machine->limits.sm_count > 1 ? HALVES : 1;
	if (machine->switches.stops == STOPS_WHOLE || (machine->switches.stops == STOPS_MIXED && random_chance(&machine->random, 50)))
		return WHOLE;
	return (int)random_below(&machine->random, (uint64_t)halves);
}

/* A-ORDER: after a stop of a part of the chip room may be left unused anew. */
static void hold_anew(struct machine *machine)
{
	for (int c = 0; c < machine->context_count; c++) {
		struct context *context = &machine->contexts[c];
		context->released = NULL;
		engine_refresh(machine, context, 0);
		context->step = context->step == STEP_HOLD ? STEP_NOTHING : context->step;
	}
}

static void set(struct machine *machine, int what, bool stopped)
{
	if (what == WHOLE) {
		machine->stopped_whole = stopped;
		runlist_stopped(machine, stopped); /* while a half stands slices go on */
	} else {
		machine->stopped[what] = stopped;
		if (!stopped)
			hold_anew(machine);
	}
	clocks_set(machine);
	see(machine, stopped ? SIGHT_STOP_BEGIN : SIGHT_STOP_END, NULL, what == WHOLE ? NO_ID : what, NULL);
}

void stops_timer(struct machine *machine, enum timer timer, uint32_t number)
{
	int64_t distance = platform_value(machine->platform, PARAMETER_STOPS_DISTANCE);
	if (timer == TIMER_STOP) {
		int what = draw_what(machine);
		machine->last_stop = machine->now;
		set(machine, what, true);
		timer_set(machine, checked_add(machine->now, length_of(machine)), TIMER_GO, (uint32_t)what);
		return;
	}
	set(machine, (int)number, false);
	if (machine->switches.stops_drawn)
		distance = checked_add(distance, random_between(&machine->random, 0, distance));
	timer_set(machine, checked_max(checked_add(machine->last_stop, distance), machine->now), TIMER_STOP, 0);
}
