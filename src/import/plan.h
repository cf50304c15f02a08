/* From what was seen to what a task set says: jobs, resources, ids, and what is missing.
 *
 * Requires: all files were read, without errors.
 * Provides: for each lane the items of one job; for each kernel the resources that compiler output gives.
 * Fails:    with diagnostics: several architectures, contradicting figures, jobs too long.
 */
#ifndef IMPORT_PLAN_H
#define IMPORT_PLAN_H

#include "import/build.h"

#define JOB_OPERATIONS 20000 /* a task set may have 250,000 elements */

void import_plan_jobs(struct import_build *build);
void import_plan_figures(struct import_build *build);
void import_plan_resources(struct import_build *build);
void import_plan_layers(struct import_build *build); /* after the jobs: which operations have a layer's name */
void import_read_mapping(struct import_build *build, const char *path);

/* Where only the sum of static and dynamic shared memory is known, and now the static part: both. A sum that is less stays, and
 * contradicts. */
void import_split_shared(struct import_item *item, int64_t shared_static);

/* What an item lacks: nothing may be assumed in its place. */
bool import_has_shape(const struct import_item *item);     /* grid and block */
bool import_has_resources(const struct import_item *item); /* registers and shared memory */

const char *import_task_id(const struct import_lane *lane); /* that of its stream, unless something names it */

#endif
