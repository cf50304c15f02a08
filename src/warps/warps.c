/* Warps, units and the clock. */
#include "warps/warps.h"

struct warp_state {
	int at;
	long ready;
	bool waits;     /* at a barrier */
	bool had_round; /* issued in this round */
};

struct warps {
	const struct warp_machine *machine;
	const struct warp_trace *traces;
	struct warp_state *states;
	int count, next; /* next: who is asked first */
	long now, free[WARP_UNITS], round_begins;
};

static bool ended(const struct warps *warps, int warp)
{
	return warps->states[warp].at == warps->traces[warp].count;
}

/* The highest free unit of the class, or -1. */
static int find_unit(const struct warps *warps, const struct warp_class *class)
{
	for (int unit = WARP_UNITS - 1; unit >= 0; unit--)
		if ((class->units >> unit & 1) != 0 && warps->free[unit] <= warps->now)
			return unit;
	return -1;
}

/* The second of a pair waits for the first one's issue only. */
static bool is_second(const struct warps *warps, int warp)
{
	return warps->traces[warp].pairs && warps->states[warp].at % 2 == 1;
}

static bool may_issue(const struct warps *warps, int warp)
{
	const struct warp_state *state = &warps->states[warp];
	bool round = warps->machine->turn == 0 || (!state->had_round && warps->now >= warps->round_begins);
	bool ready = state->ready <= warps->now || is_second(warps, warp);
	return !ended(warps, warp) && !state->waits && ready && round;
}

static bool issue(struct warps *warps, int warp)
{
	struct warp_state *state = &warps->states[warp];
	int class = warps->traces[warp].classes[state->at];
	const struct warp_class *costs = &warps->machine->classes[class];
	int unit = find_unit(warps, costs);
	if (unit < 0)
		return false;
	if (state->at == 0 && warps->traces[warp].starts != NULL)
		*warps->traces[warp].starts = warps->now;
	warps->free[unit] = warps->now + costs->occupancy;
	state->ready = warps->now + costs->latency > state->ready ? warps->now + costs->latency : state->ready;
	state->waits = class == CLASS_BARRIER;
	state->at++;
	state->had_round = !is_second(warps, warp);
	return true;
}

/* All that have not ended wait: they go on, each after its barrier's latency from now. */
static void release(struct warps *warps)
{
	for (int i = 0; i < warps->count; i++)
		if (!ended(warps, i) && !warps->states[i].waits)
			return;
	for (int i = 0; i < warps->count; i++) {
		long after = warps->now + warps->machine->classes[CLASS_BARRIER].latency;
		if (warps->states[i].waits && warps->states[i].ready < after)
			warps->states[i].ready = after;
		warps->states[i].waits = false;
	}
}

static bool anyone_waits(const struct warps *warps)
{
	bool waits = false;
	for (int i = 0; i < warps->count; i++)
		waits |= warps->states[i].waits;
	return waits;
}

static bool round_is_over(const struct warps *warps)
{
	for (int i = 0; i < warps->count; i++)
		if (!warps->states[i].had_round && !ended(warps, i) && !warps->states[i].waits)
			return false;
	return warps->now >= warps->round_begins;
}

static void begin_round(struct warps *warps)
{
	long begins = warps->round_begins + warps->machine->depth;
	for (int unit = 0; unit < WARP_UNITS; unit++)
		begins = warps->free[unit] > begins ? warps->free[unit] : begins;
	begins += warps->machine->turn;
	warps->round_begins = begins > warps->now ? begins : warps->now;
	for (int i = 0; i < warps->count; i++)
		warps->states[i].had_round = false;
}

static void cycle(struct warps *warps)
{
	int issued = 0, first = warps->next;
	for (int i = 0; i < warps->count && issued < warps->machine->slots; i++) {
		int warp = (first + i) % warps->count;
		while (issued < warps->machine->slots && may_issue(warps, warp) && issue(warps, warp)) { /* twice: a pair */
			warps->next = (warp + 1) % warps->count;
			issued++;
		}
	}
	if (anyone_waits(warps))
		release(warps);
	if (warps->machine->turn > 0 && round_is_over(warps))
		begin_round(warps);
	warps->now++;
}

long warps_run(const struct warp_machine *machine, const struct warp_trace *traces, int count, struct arena *arena)
{
	struct warps warps = {machine, traces, arena_allocate(arena, (size_t)count, sizeof(struct warp_state)), count, 0, 0, {0}, 0};
	int left = count;
	while (left > 0 && warps.now < machine->most) {
		cycle(&warps);
		left = 0;
		for (int i = 0; i < count; i++)
			left += !ended(&warps, i);
	}
	long last = 0;
	for (int i = 0; i < count; i++)
		last = warps.states[i].ready > last ? warps.states[i].ready : last;
	return left == 0 ? last : -1;
}
