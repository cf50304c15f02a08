#include "base/memory.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long allocations;
static long fail_at;
static void (*on_exhaustion)(void);

static _Noreturn void exhausted(void)
{
	static const char message[] = "gpubound: out of memory\n";
	if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
		_exit(MEMORY_EXIT_STATUS);
	if (on_exhaustion != NULL)
		on_exhaustion();
	_exit(MEMORY_EXIT_STATUS);
}

static bool next_fails(void)
{
	return __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED) == fail_at;
}

void *memory_allocate(size_t size)
{
	void *pointer = next_fails() ? NULL : malloc(size == 0 ? 1 : size);
	if (pointer == NULL)
		exhausted();
	return pointer;
}

void *memory_resize(void *old, size_t size)
{
	void *pointer = next_fails() ? NULL : realloc(old, size == 0 ? 1 : size);
	if (pointer == NULL)
		exhausted();
	return pointer;
}

char *memory_copy_string(const char *text)
{
	size_t size = strlen(text) + 1;
	return memcpy(memory_allocate(size), text, size);
}

void memory_free(void *pointer)
{
	free(pointer);
}

void memory_on_exhaustion(void (*clean_up)(void))
{
	on_exhaustion = clean_up;
}

void memory_fail_at(long allocation)
{
	fail_at = allocation == 0 ? 0 : allocations + allocation;
}

long memory_allocations(void)
{
	return allocations;
}

/* ---- arena: a list of chunks, the newest first */

struct chunk {
	struct chunk *next;
	size_t used, size; /* bytes of data */
	alignas(max_align_t) char data[];
};

struct arena {
	struct chunk *chunks;
};

#define CHUNK_SIZE ((size_t)64 * 1024 - sizeof(struct chunk))

struct arena *arena_create(void)
{
	struct arena *arena = memory_allocate(sizeof *arena);
	arena->chunks = NULL;
	return arena;
}

void arena_destroy(struct arena *arena)
{
	if (arena == NULL)
		return;
	for (struct chunk *chunk = arena->chunks, *next; chunk != NULL; chunk = next) {
		next = chunk->next;
		memory_free(chunk);
	}
	memory_free(arena);
}

static struct chunk *add_chunk(struct arena *arena, size_t size)
{
	struct chunk *chunk = memory_allocate(sizeof *chunk + size);
	*chunk = (struct chunk){.next = arena->chunks, .size = size};
	arena->chunks = chunk;
	return chunk;
}

void *arena_allocate(struct arena *arena, size_t count, size_t size)
{
	size_t bytes;
	const size_t align = alignof(max_align_t);
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
		exhausted();
	bytes = (bytes + align - 1) / align * align;
	struct chunk *chunk = arena->chunks;
	if (chunk == NULL || chunk->size - chunk->used < bytes)
		chunk = add_chunk(arena, bytes > CHUNK_SIZE ? bytes : CHUNK_SIZE);
	void *pointer = chunk->data + chunk->used;
	chunk->used += bytes;
	return memset(pointer, 0, bytes);
}

char *arena_copy(struct arena *arena, const char *text)
{
	if (text == NULL)
		return NULL;
	size_t size = strlen(text) + 1;
	return memcpy(arena_allocate(arena, size, 1), text, size);
}

char *arena_format(struct arena *arena, const char *format, ...)
{
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	int length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	char *text = arena_allocate(arena, (size_t)(length < 0 ? 0 : length) + 1, 1);
	if (length > 0)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

void *arena_grow(struct arena *arena, void *items, int *capacity, int wanted, size_t size)
{
	if (wanted <= *capacity)
		return items;
	int grown = *capacity < 8 ? 8 : *capacity;
	while (grown < wanted) {
		if (grown > INT32_MAX / 2)
			exhausted();
		grown *= 2;
	}
	void *larger = arena_allocate(arena, (size_t)grown, size);
	if (*capacity > 0)
		memcpy(larger, items, (size_t)*capacity * size);
	*capacity = grown;
	return larger;
}
