/* The text of the task set, and of the platform that a format implies.
 *
 * Requires: a build after its plan (plan.h).
 * Provides: XML of doc/formats.md: origins first, then what to declare, applications, tasks; what is missing as comments where it belongs.
 * Fails:    with warnings that name what is missing.
 */
#ifndef IMPORT_WRITE_IMPORTED_H
#define IMPORT_WRITE_IMPORTED_H

#include "import/build.h"

void import_write_taskset(struct import_build *build, struct output *output);

/* One SM that holds one block, without overheads, on which every assumption holds: a processor with fixed priorities, not preemptive. */
void import_write_processor(struct output *output, int levels);

#endif
