/* A small machine's state: its parts, and the one form of equal ones. */
#include "falsify/small_parts.h"

_Static_assert(
	sizeof(struct small_state) ==
		sizeof(uint8_t) * (SMALL_TASKS + SMALL_STREAMS + SMALL_HOLDS + SMALL_STREAMS * (SMALL_JOBS + 5) + SMALL_STREAMS +
					  SMALL_ENGINES * SMALL_STREAMS + 2 + SMALL_SMS * (SMALL_SLOTS + SMALL_GHOSTS) + SMALL_STREAMS + 1),
	"bytes only");

bool small_fits(const struct small *small, const struct small_state *state, int sm, int warps)
{
	int used = 0, blocks = 0;
	for (; blocks < small->slots && state->blocks[sm][blocks] != 0; blocks++)
		used += head_of(small, state, stream_of(state->blocks[sm][blocks]))->warps;
	return blocks < small->slots && used + warps <= small->warps;
}

static bool fits_anywhere(const struct small *small, const struct small_state *state, int warps)
{
	for (int sm = 0; sm < small->sm_count; sm++)
		if (small_fits(small, state, sm, warps))
			return true;
	return false;
}

/* Three at most. */
static void sort_sms(const struct small *small, struct small_state *state)
{
	uint8_t moved[SMALL_ROW];
	for (int i = 1; i < small->sm_count; i++)
		for (int j = i; j > 0 && small->sm_parts[j] == small->sm_parts[j - 1] &&
				memcmp(state->blocks[j], state->blocks[j - 1], SMALL_ROW) > 0;
			j--) {
			memcpy(moved, state->blocks[j], SMALL_ROW);
			memcpy(state->blocks[j], state->blocks[j - 1], SMALL_ROW);
			memcpy(state->blocks[j - 1], moved, SMALL_ROW);
		}
}

static void sort_down(uint8_t *items, int count)
{
	for (int i = 1; i < count; i++)
		for (int j = i; j > 0 && items[j] > items[j - 1]; j--) {
			uint8_t moved = items[j];
			items[j] = items[j - 1];
			items[j - 1] = moved;
		}
}

/* How long the head has been that, and who has waited where it matters. */
static void tidy_order(const struct small *small, struct small_state *state)
{
	int head = waiting_head(small, state, 0);
	if (head == NO_ID)
		state->headed = 0;
	else if (state->headed == 0 || (state->headed - 1) % 4 != head)
		state->headed = (uint8_t)(1 + head);
	for (int s = 0; s < small->stream_count; s++) {
		bool above = false;
		for (int other = 0; other < small->stream_count; other++)
			above |= small->levels[other] > small->levels[s];
		if (!above || find(state->kernels, SMALL_STREAMS, (uint8_t)(s + 1)) == SMALL_STREAMS)
			state->waited[s] = 0;
	}
}

/* Have all events come for which the stream's next operation waits? Then it goes, and they are seen. */
static bool may_go(const struct small *small, struct small_state *state, int stream)
{
	int waits = head_of(small, state, stream)->waits;
	for (int i = 0; i < SMALL_HOLDS; i++)
		if ((waits >> i & 1) > state->recorded[i])
			return false;
	for (int i = 0; i < SMALL_HOLDS; i++)
		state->recorded[i] = (uint8_t)(state->recorded[i] - (waits >> i & 1));
	return true;
}

/* The one form of a state: SMs and their blocks in order; the oldest job of each stream at its first operation that is not complete; the
 * dispatcher with its head. */
void small_tidy(const struct small *small, struct small_state *state)
{
	for (int sm = 0; sm < small->sm_count; sm++) {
		sort_down(state->blocks[sm], small->slots);
		sort_down(state->blocks[sm] + SMALL_SLOTS, small->delay > 0 ? SMALL_GHOSTS : 0);
	}
	sort_sms(small, state);
	if (is_late(small))
		tidy_order(small, state);
	for (int s = 0; s < small->stream_count; s++)
		if (state->streams[s].phase == SMALL_NOTHING && state->streams[s].jobs[0] != 0 && may_go(small, state, s)) {
			state->streams[s].phase = SMALL_DEPENDS;
			state->streams[s].timer = (uint8_t)small->dependency;
		}
	int head = waiting_head(small, state, 0); /* partitions are followed where a block costs nothing */
	bool prepares = head != NO_ID && small->block > 0 && state->streams[head].timer == 0 &&
			fits_anywhere(small, state, head_of(small, state, head)->warps);
	if (!prepares || state->current != head + 1)
		state->due = prepares ? (uint8_t)small->block : 0;
	state->current = prepares ? (uint8_t)(head + 1) : 0;
}
