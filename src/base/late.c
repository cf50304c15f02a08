#include "base/late.h"

#include "base/diagnostics.h"
#include "base/memory.h"

#include <dlfcn.h>
#include <stdio.h>

static _Noreturn void end(void)
{
	fprintf(stderr, "gpubound: error: expected a library that this command needs; %s [%s]\n", dlerror(),
		diagnostic_kinds[DIAGNOSTIC_LIBRARY_MISSING].slug);
	memory_end(LATE_EXIT_STATUS);
}

/* The dynamic linker loads a library once, whoever asks how often. */
void *late_find(void **found, const char *soname, const char *function)
{
	void *pointer = __atomic_load_n(found, __ATOMIC_RELAXED);
	if (pointer != NULL)
		return pointer;
	void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL || (pointer = dlsym(library, function)) == NULL)
		end();
	__atomic_store_n(found, pointer, __ATOMIC_RELAXED);
	return pointer;
}
