/* Tasks, streams, engines and events as a diagram.
 *
 * Requires: a validated platform and task set.
 * Provides: SVG: a part for each task, in it a row for each stream that its jobs use and one for the CPU; operations in the order of issue,
 *           coloured by the engine that they need; arrows for the order in a stream and from record to wait. Large sets are cut, and said
 * to be. Fails:    never.
 */
#ifndef REPORT_STREAMS_SVG_H
#define REPORT_STREAMS_SVG_H

#include "base/memory.h"
#include "base/output.h"
#include "model/taskset.h"

void report_streams_svg(struct output *output, struct arena *arena, const struct platform *platform, const struct taskset *set);

#endif
