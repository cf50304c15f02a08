#include "model/taskset.h"

#include <stddef.h>

/* Names as they stand in XML; each list ends with NULL. */
const char *const origin_names[] = {"measured", "proven", "declared", NULL};
const char *const stream_names[] = {"blocking", "non-blocking", "null", NULL};
const char *const partition_names[] = {"green", "mps", "mask", "mig", NULL};
const char *const arrival_names[] = {"periodic", "sporadic", "curve", NULL};
const char *const operation_names[] = {"copy", "memset", "kernel", "fragment", "host", "wait", "record", NULL};
const char *const scope_names[] = {"block", "grid", NULL};
const char *const cache_names[] = {"none", "prefer-shared", "prefer-l1", "equal", NULL};
const char *const end_to_end_names[] = {"reaction", "age", NULL};

int64_t kernel_warps(const struct kernel *kernel)
{
	return checked_div_ceil(kernel->threads, THREADS_A_WARP);
}

const struct program *taskset_new_program(const struct taskset *set, int operation)
{
	const struct program *program = set->operations[operation].program;
	for (int i = 0; i < operation; i++)
		if (set->operations[i].program == program)
			return NULL;
	return program;
}
