/* What is due when, least time first.
 *
 * Requires: an arena.
 * Provides: a heap of times, each with a number that says what is due; equal times go by a key that the caller draws.
 * Source:   Johnson, Priority queues with update and finding minimum spanning trees, IPL 1975 (four children a node: half the levels).
 * Fails:    never.
 */
#ifndef MACHINE_HEAP_H
#define MACHINE_HEAP_H

#include "base/memory.h"

#include <stdint.h>

struct due {
	int64_t time;
	uint32_t tie, what;
};

struct heap {
	struct arena *arena;
	struct due *items;
	int count, capacity;
};

void heap_init(struct heap *heap, struct arena *arena, int capacity);
void heap_push(struct heap *heap, struct due due);
struct due heap_pop(struct heap *heap); /* not of an empty heap */
void heap_restore(struct heap *heap);   /* the caller has changed times: O(count) */

#endif
