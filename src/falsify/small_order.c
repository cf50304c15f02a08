/* What A-ORDER permits: [START-DELAYS]. Dispatcher time is none where it is in use. */
#include "falsify/small_parts.h"

/* Do some of these blocks, of so many warps each, fit an SM together and leave no room for one more of `warps`? */
static bool some_fill(const struct small *small, const int *items, int count, int used, int blocks, int warps)
{
	if (blocks > small->slots || used > small->warps)
		return false;
	if (blocks == small->slots || used + warps > small->warps)
		return true;
	return count > 0 && (some_fill(small, items + 1, count - 1, used + items[0], blocks + 1, warps) ||
				    some_fill(small, items + 1, count - 1, used, blocks, warps));
}

/* (b): is there, or was there less than a delay ago, enough on this SM? */
static bool was_full(const struct small *small, const struct small_state *state, int sm, int warps)
{
	const uint8_t *row = state->blocks[sm];
	int items[SMALL_ROW], count = 0;
	for (int i = 0; i < SMALL_SLOTS && row[i] != 0; i++)
		items[count++] = head_of(small, state, stream_of(row[i]))->warps;
	for (int i = SMALL_SLOTS; i < SMALL_ROW && row[i] != 0; i++)
		items[count++] = ghost_warps(row[i]);
	return some_fill(small, items, count, 0, 0, warps);
}

/* (a): all that are ahead are of higher levels and have been there for no more than the delay. */
bool small_may_pass(const struct small *small, const struct small_state *state, int stream)
{
	for (int i = 0; i < SMALL_STREAMS && state->kernels[i] != 0; i++) {
		int other = state->kernels[i] - 1;
		if (small->levels[other] < small->levels[stream] && state->waited[other] > small->delay)
			return false;
		if (other != stream && small->levels[other] == small->levels[stream] &&
			i < find(state->kernels, SMALL_STREAMS, (uint8_t)(stream + 1)))
			return false;
	}
	return true;
}

bool small_must_assign(const struct small *small, const struct small_state *state)
{
	int head = waiting_head(small, state, 0);
	if (head == NO_ID || (state->headed - 1) / 4 < small->delay)
		return false;
	for (int sm = 0; sm < small->sm_count; sm++)
		if (!was_full(small, state, sm, head_of(small, state, head)->warps))
			return true;
	return false;
}

void small_tick_order(const struct small *small, struct small_state *state)
{
	for (int sm = 0; sm < small->sm_count; sm++)
		for (int i = SMALL_SLOTS; i < SMALL_ROW && state->blocks[sm][i] != 0; i++)
			state->blocks[sm][i] = ghost_age(state->blocks[sm][i]) + 1 < small->delay ? (uint8_t)(state->blocks[sm][i] + 1) : 0;
	if (state->headed != 0 && (state->headed - 1) / 4 < small->delay)
		state->headed = (uint8_t)(state->headed + 4);
	for (int s = 0; s < small->stream_count; s++)
		if (state->streams[s].phase == SMALL_WAITS && state->waited[s] <= small->delay)
			state->waited[s]++;
}
