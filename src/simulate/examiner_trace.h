/* Results of cuda_scheduling_examiner as traces: the second format that validate reads.
 *
 * Requires: the JSON of result files. All files of one scenario_name belong together; each file is a stream.
 * Provides: the scenarios in the order of appearance, and of each its kernels as configurations: ordered by when their launch returned
 *           (the second of cuda_launch_times: in recorded scenarios that is the order of the queue, where the first stamps tie), cut where
 *           every block so far had ended before any later one began.
 * Source:   [EXAMINER]; github.com/yalue/cuda_scheduling_examiner_mirror, README and src/task_host.c.
 * Fails:    with diagnostics that have the file and the line of the kernel. A result does not say registers, carveout and priority: NONE,
 *           and equal.
 */
#ifndef SIMULATE_EXAMINER_TRACE_H
#define SIMULATE_EXAMINER_TRACE_H

#include "simulate/trace.h"

struct examiner_scenario {
	char name[TRACE_NAME_MOST]; /* what is no letter or digit is a hyphen */
	const char *path;           /* of its first file */
	struct trace_configuration *configurations;
	int configuration_count;
};

struct examiner {
	struct arena *arena;
	struct diagnostics *diagnostics;
	struct examiner_group *groups; /* what was read, by scenario */
	int group_count, group_capacity, file_count;
};

void examiner_init(struct examiner *examiner, struct arena *arena, struct diagnostics *diagnostics);
bool examiner_add(struct examiner *examiner, const char *path, const char *bytes, size_t length);
int examiner_count(const struct examiner *examiner);
struct examiner_scenario examiner_scenario(const struct examiner *examiner, int index);

#endif
