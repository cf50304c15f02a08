#include "base/memory.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long allocations;
static long fail_at;
static void (*_Atomic on_exhaustion)(void);

_Noreturn void memory_end(int status)
{
	void (*clean_up)(void) = on_exhaustion;
	if (clean_up != NULL)
		clean_up();
	_exit(status);
}

static _Noreturn void exhausted(void)
{
	static const char message[] = "gpubound: out of memory\n";
	if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
		_exit(MEMORY_EXIT_STATUS);
	memory_end(MEMORY_EXIT_STATUS);
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

/* ---- chunks of arenas that are gone wait for those to come: pages that are fresh from the system cost more than many an analysis. Who
 * takes one takes the whole list and leaves the rest, so that threads need no lock. */

#ifdef __SANITIZE_ADDRESS__
#define SPARE_SIZE 0 /* what is used after its arena is gone should be seen */
#else
#define SPARE_SIZE ((size_t)16 * 1024 * 1024)
#endif

static struct chunk *spare;

static void free_chunks(struct chunk *list)
{
	for (struct chunk *next; list != NULL; list = next) {
		next = list->next;
		memory_free(list);
	}
}

static struct chunk *take_spares(void)
{
	return __atomic_exchange_n(&spare, NULL, __ATOMIC_ACQUIRE);
}

/* What another thread has left meanwhile goes. */
static void leave_spares(struct chunk *list)
{
	free_chunks(__atomic_exchange_n(&spare, list, __ATOMIC_ACQ_REL));
}

/* One that is large enough and not much larger; NULL: there is none. */
static struct chunk *take_spare(size_t size)
{
	struct chunk *list = take_spares(), **at = &list, *found;
	while (*at != NULL && ((*at)->size < size || (*at)->size / 2 > size))
		at = &(*at)->next;
	found = *at;
	if (found != NULL)
		*at = found->next;
	leave_spares(list);
	return found;
}

/* The order is that in which they were taken: the next arena often needs them in that order. */
static void keep_chunks(struct chunk *chunks)
{
	struct chunk *list = take_spares();
	size_t kept = 0;
	for (struct chunk *chunk = chunks, *next; chunk != NULL; chunk = next) {
		next = chunk->next;
		chunk->next = list;
		list = chunk;
	}
	struct chunk **end = &list;
	for (; *end != NULL && kept + (*end)->size <= SPARE_SIZE; end = &(*end)->next)
		kept += (*end)->size;
	free_chunks(*end);
	*end = NULL;
	leave_spares(list);
}

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
	keep_chunks(arena->chunks);
	memory_free(arena);
}

static struct chunk *add_chunk(struct arena *arena, size_t size)
{
	struct chunk *chunk = take_spare(size);
	if (chunk == NULL) {
		chunk = memory_allocate(sizeof *chunk + size);
		chunk->size = size;
	}
	chunk->used = 0;
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	return chunk;
}

static void *begin_chunk(struct arena *arena, size_t bytes)
{
	struct chunk *chunk = add_chunk(arena, bytes > CHUNK_SIZE ? bytes : CHUNK_SIZE);
	chunk->used = bytes;
	return chunk->data;
}

void *arena_reserve(struct arena *arena, size_t count, size_t size)
{
	size_t bytes;
	const size_t align = alignof(max_align_t);
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
		exhausted();
	bytes = (bytes + align - 1) / align * align;
	struct chunk *chunk = arena->chunks;
	if (chunk == NULL || chunk->size - chunk->used < bytes)
		return begin_chunk(arena, bytes);
	void *pointer = chunk->data + chunk->used;
	chunk->used += bytes;
	return pointer;
}

void *arena_allocate(struct arena *arena, size_t count, size_t size)
{
	void *pointer = arena_reserve(arena, count, size);
	return memset(pointer, 0, count * size);
}

char *arena_copy(struct arena *arena, const char *text)
{
	if (text == NULL)
		return NULL;
	return arena_copy_part(arena, text, strlen(text));
}

char *arena_copy_part(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_reserve(arena, length + 1, 1);
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

#define DIGITS 20 /* of a 64-bit number, with its sign */

/* The digits stand at the end of the room. */
static const char *number(int64_t value, char digits[DIGITS], size_t *size)
{
	char *at = digits + DIGITS;
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	do
		*--at = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (value < 0)
		*--at = '-';
	*size = (size_t)(digits + DIGITS - at);
	return at;
}

/* What stands for a conversion of which `at` is the character behind %; NULL: it is none of %s, %d, %ld, %lld, %td. */
static const char *convert(const char **at, va_list *arguments, char digits[DIGITS], size_t *size)
{
	const char *text = **at == 's' ? va_arg(*arguments, const char *) : NULL;
	int longs = 0;
	if (text != NULL) {
		*size = strlen(text);
		return text;
	}
	while (**at == 'l' && longs < 2) {
		longs++;
		++*at;
	}
	if (**at == 't' && longs == 0 && *++*at == 'd')
		return number(va_arg(*arguments, ptrdiff_t), digits, size);
	if (**at != 'd')
		return NULL;
	int64_t value = longs == 0 ? va_arg(*arguments, int) : longs == 1 ? va_arg(*arguments, long) : va_arg(*arguments, long long);
	return number(value, digits, size);
}

static inline void append(char *text, size_t room, size_t *length, const char *part, size_t size)
{
	if (*length + size < room)
		memcpy(text + *length, part, size);
	*length += size;
}

/* Puts together a format that has no other conversions than these, in so much room, and returns its length; -1: it has others. */
static long join(char *text, size_t room, const char *format, va_list *arguments)
{
	size_t length = 0;
	const char *at = format;
	for (const char *conversion; (conversion = strchr(at, '%')) != NULL; at++) {
		char digits[DIGITS];
		size_t size = (size_t)(conversion - at);
		append(text, room, &length, at, size);
		at = conversion + 1;
		const char *part = convert(&at, arguments, digits, &size);
		if (part == NULL)
			return -1;
		append(text, room, &length, part, size);
	}
	append(text, room, &length, at, strlen(at));
	if (length < room)
		text[length] = '\0';
	return (long)length;
}

static int print(char *text, size_t size, const char *format, va_list arguments)
{
	va_list own;
	va_copy(own, arguments);
	int length = vsnprintf(text, size, format, own);
	va_end(own);
	if (length >= 0)
		return length;
	if (size > 0)
		text[0] = '\0';
	return 0;
}

/* Most texts are names and numbers put together: these need no stdio. */
static size_t put(char *text, size_t room, const char *format, va_list arguments)
{
	va_list own;
	va_copy(own, arguments);
	long length = join(text, room, format, &own);
	va_end(own);
	return length >= 0 ? (size_t)length : (size_t)print(text, room, format, arguments);
}

/* Right where the text is going to stand, if there is room. */
char *arena_format_list(struct arena *arena, const char *format, va_list arguments)
{
	struct chunk *chunk = arena->chunks;
	size_t room = chunk == NULL ? 0 : chunk->size - chunk->used;
	char *there = room == 0 ? NULL : chunk->data + chunk->used;
	size_t size = put(there, room, format, arguments) + 1;
	char *text = arena_reserve(arena, size, 1);
	if (text != there)
		put(text, size, format, arguments);
	return text;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *text = arena_format_list(arena, format, arguments);
	va_end(arguments);
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
	char *larger = arena_reserve(arena, (size_t)grown, size);
	size_t kept = (size_t)*capacity * size;
	if (kept > 0)
		memcpy(larger, items, kept);
	memset(larger + kept, 0, (size_t)grown * size - kept);
	*capacity = grown;
	return larger;
}
