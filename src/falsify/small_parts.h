/* What the parts of the small machine ask of each other; nobody else includes this.
 *
 * Requires: a small machine that small_init has made.
 * Provides: queues of bytes, the bytes of blocks and ghosts, the heads of streams and of the engine; the one form of a state; what A-ORDER
 *           permits.
 * Source:   falsify/small.h.
 * Fails:    never.
 */
#ifndef FALSIFY_SMALL_PARTS_H
#define FALSIFY_SMALL_PARTS_H

#include "falsify/small.h"

#include <string.h>

#define SMALL_ROW (SMALL_SLOTS + SMALL_GHOSTS)

/* ---- queues of bytes, ended by 0 */

static inline int length_of(const uint8_t *queue, int room)
{
	int length = 0;
	while (length < room && queue[length] != 0)
		length++;
	return length;
}

static inline void remove_at(uint8_t *queue, int room, int index)
{
	memmove(queue + index, queue + index + 1, (size_t)(room - index - 1));
	queue[room - 1] = 0;
}

static inline int find(const uint8_t *queue, int room, uint8_t item)
{
	int index = 0;
	while (index < room && queue[index] != item)
		index++;
	return index;
}

/* ---- a block's byte, and a ghost's */

static inline int stream_of(uint8_t block)
{
	return (block - 1) >> 6;
}

static inline int units_of(uint8_t block)
{
	return (block - 1) & 63;
}

static inline int ghost_age(uint8_t ghost)
{
	return (ghost - 1) & 3;
}

static inline int ghost_warps(uint8_t ghost)
{
	return (ghost - 1) >> 2;
}

/* ---- the state's parts */

static inline int head_number(const struct small *small, const struct small_state *state, int stream)
{
	const struct small_stream *of = &state->streams[stream];
	return small->order[small->lines[of->jobs[0] - 1].first + of->operation];
}

static inline const struct small_operation *head_of(const struct small *small, const struct small_state *state, int stream)
{
	return &small->operations[head_number(small, state, stream)];
}

/* D3: the oldest of the highest level that waits in this partition. NO_ID: none waits. */
static inline int waiting_head(const struct small *small, const struct small_state *state, int part)
{
	int head = NO_ID;
	for (int i = 0; i < SMALL_STREAMS && state->kernels[i] != 0; i++) {
		int stream = state->kernels[i] - 1;
		if (small->parts[stream] == part && (head == NO_ID || small->levels[stream] < small->levels[head]))
			head = stream;
	}
	return head;
}

static inline bool is_head(const struct small *small, const struct small_state *state, int stream)
{
	return waiting_head(small, state, small->parts[stream]) == stream;
}

static inline bool is_late(const struct small *small)
{
	return small->delay > 0 || small->stall > 0;
}

/* small_state.c: room for a block of so many warps on this SM; equal states made equal bytes */
bool small_fits(const struct small *small, const struct small_state *state, int sm, int warps);
void small_tidy(const struct small *small, struct small_state *state);

/* small_rates.c: the rates of all operations and the unit that makes them whole, from the platform's factors. NULL, or why that cannot be.
 */
const char *small_rate(struct small *small, const struct platform *platform, const struct taskset *set);

/* small_order.c, A-ORDER: may this stream's kernel be given a block; must the head be given one; 1 ns passes */
bool small_may_pass(const struct small *small, const struct small_state *state, int stream);
bool small_must_assign(const struct small *small, const struct small_state *state);
void small_tick_order(const struct small *small, struct small_state *state);

#endif
