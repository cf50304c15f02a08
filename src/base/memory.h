/* The one allocator, and the arena on top of it.
 *
 * Requires: nothing.
 * Provides: zeroed memory that belongs to an arena and goes with it; every allocation of the program, those of the libraries it
 *           uses included, passes through memory_allocate, and the first one that fails ends the process at one place.
 *           Some of what an arena gives back waits for the next arena of the process.
 * Fails:    out of memory prints one line, runs the clean-up that was registered, and exits with MEMORY_EXIT_STATUS.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

#define MEMORY_EXIT_STATUS 5

void *memory_allocate(size_t size);                /* never NULL; not zeroed */
void *memory_resize(void *old, size_t size);       /* never NULL */
char *memory_copy_string(const char *text);        /* never NULL */
void memory_free(void *pointer);                   /* NULL is fine */
void memory_on_exhaustion(void (*clean_up)(void)); /* called once before the exit; NULL removes it */
void memory_fail_at(long allocation);              /* for tests: the n-th allocation from now fails (1 = next); 0 = never */
long memory_allocations(void);                     /* how many there were so far */
_Noreturn void memory_end(int status);             /* as where memory is out: with the clean-up */

struct arena;

struct arena *arena_create(void);
void arena_destroy(struct arena *arena);                                     /* frees all that came from it; NULL is fine */
void *arena_allocate(struct arena *arena, size_t count, size_t size);        /* zeroed, aligned for any type; never NULL */
void *arena_reserve(struct arena *arena, size_t count, size_t size);         /* the same, not zeroed */
char *arena_copy(struct arena *arena, const char *text);                     /* NULL stays NULL */
char *arena_copy_part(struct arena *arena, const char *text, size_t length); /* so many bytes of it, and a NUL */
char *arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

char *arena_format_list(struct arena *arena, const char *format, va_list arguments);

/* An array in an arena that grows by doubling: arena_grow(a, items, &capacity, wanted, sizeof *items) returns items with room for
 * `wanted`; the new part is zeroed. */
void *arena_grow(struct arena *arena, void *items, int *capacity, int wanted, size_t size);

#endif
