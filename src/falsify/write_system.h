/* A model written as the XML that the reader accepts: what a counterexample is kept as.
 *
 * Requires: a valid platform and task set.
 * Provides: both as text; read again they give the same bounds, and written again the same bytes. What a task set declared of its
 *           platform stands in the platform then; all sources are one.
 * Source:   doc/formats.md.
 * Fails:    never.
 */
#ifndef FALSIFY_WRITE_SYSTEM_H
#define FALSIFY_WRITE_SYSTEM_H

#include "base/output.h"
#include "model/taskset.h"

void write_platform(struct output *output, const struct platform *platform);
/* platform: its path as seen from the task set's file; title: NULL for the set's own. */
void write_taskset(struct output *output, const struct taskset *set, const char *platform, const char *title);

#endif
