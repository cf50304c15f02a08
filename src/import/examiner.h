/* cuda_scheduling_examiner: results, beside the configurations of examiner.c.
 *
 * Requires: a file's tree with "times" in it.
 * Provides: a lane, with the durations of the blocks of each kernel.
 * Source:   github.com/yalue/cuda_scheduling_examiner_mirror, README and src/task_host.c.
 * Fails:    with diagnostics.
 */
#ifndef IMPORT_EXAMINER_H
#define IMPORT_EXAMINER_H

#include "import/json_files.h"

void examiner_read_result(struct import_build *build, const char *path, const struct tree *root);

/* thread_count or block_count: a number, or a list of up to three; 0 is unknown. False with a diagnostic. */
bool examiner_extents(
	struct import_build *build, const struct tree *object, const char *name, int64_t extents[3], const char *path, const char *where);

#endif
