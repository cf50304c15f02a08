/* Task sets to time things on: a platform and a workload with as many streams and operations as asked for, in a temporary folder.
 *
 * Requires: a folder for temporary files ($TMPDIR, else /tmp) that can be written to.
 * Provides: files that are the same for the same numbers: a context for every eight streams, a task for each stream, in each a copy to the
 *           device, kernels of scope block, and a copy back, with a utilisation of less than one.
 * Fails:    ends the process with a message.
 */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include "input/input.h"

struct workload {
	char folder[256], taskset[300], platform[300];
};

struct workload workload_create(int streams, int operations);
void workload_destroy(const struct workload *workload); /* removes the files */

/* The model of it, in the arena. */
const struct taskset *workload_read(
	const struct workload *workload, struct arena *arena, const struct input_folders *folders, const struct platform **platform);

#endif
