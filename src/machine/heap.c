/* A heap with four children a node. */
#include "machine/heap.h"

#include "base/assert.h"

#include <stdbool.h>

#define CHILDREN 4

static bool before(struct due a, struct due b)
{
	return a.time != b.time ? a.time < b.time : a.tie < b.tie;
}

void heap_init(struct heap *heap, struct arena *arena, int capacity)
{
	*heap = (struct heap){.arena = arena};
	heap->items = arena_grow(arena, NULL, &heap->capacity, capacity, sizeof *heap->items);
}

void heap_push(struct heap *heap, struct due due)
{
	if (heap->count == heap->capacity)
		heap->items = arena_grow(heap->arena, heap->items, &heap->capacity, heap->count + 1, sizeof *heap->items);
	int at = heap->count++;
	for (; at > 0 && before(due, heap->items[(at - 1) / CHILDREN]); at = (at - 1) / CHILDREN)
		heap->items[at] = heap->items[(at - 1) / CHILDREN];
	heap->items[at] = due;
}

static int least_child(const struct heap *heap, int at)
{
	int first = at * CHILDREN + 1, least = first;
	int end = first + CHILDREN < heap->count ? first + CHILDREN : heap->count;
	for (int child = first + 1; child < end; child++)
		if (before(heap->items[child], heap->items[least]))
			least = child;
	return least;
}

static void sink(struct heap *heap, int at, struct due due)
{
	while (at * CHILDREN + 1 < heap->count) {
		int child = least_child(heap, at);
		if (!before(heap->items[child], due))
			break;
		heap->items[at] = heap->items[child];
		at = child;
	}
	heap->items[at] = due;
}

struct due heap_pop(struct heap *heap)
{
	assert(heap->count > 0);
	struct due top = heap->items[0];
	heap->count--;
	if (heap->count > 0)
		sink(heap, 0, heap->items[heap->count]);
	return top;
}

void heap_restore(struct heap *heap)
{
	for (int at = (heap->count - 2) / CHILDREN; heap->count > 1 && at >= 0; at--)
		sink(heap, at, heap->items[at]);
}
