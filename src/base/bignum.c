/* GMP's allocator. */
#include "base/bignum.h"

#include "base/memory.h"

static void *resize(void *old, size_t old_size, size_t size)
{
	(void)old_size;
	return memory_resize(old, size);
}

static void release(void *pointer, size_t size)
{
	(void)size;
	memory_free(pointer);
}

void bignum_use_memory(void)
{
	mp_set_memory_functions(memory_allocate, resize, release);
}
