/* The inputs that a report was made from, and what it repeats of them.
 *
 * Requires: a report valid against its schema.
 * Provides: inputs_find: the task set and the platform model, read again from files with the recorded hashes, with the assumptions that
 *           the recorded command line asks to rely on. inputs_compare: command line, origins, declarations, assumption register and the
 *           list of rules against them. inputs_compare_place: where a step without inputs says that its number stands.
 * Fails:    false: a file is missing, refused, or has another hash; that is a difference, too.
 */
#ifndef VERIFY_INPUTS_H
#define VERIFY_INPUTS_H

#include "input/input.h"
#include "verify/check.h"

/* Where the inputs are, by their hashes: among the files (ended by NULL), where the report says, or as far from a task set among the files
 * as they were from the task set. A file that is no input of the report is refused. */
struct input_folders inputs_locate(struct check *check, const struct input_folders *folders, const char *const *files);
/* What the recorded command line has changed in the task set, in its order (input/change.h). */
const char *const *inputs_changes(const struct check *check, int *count);
bool inputs_find(struct check *check, const struct input_folders *folders);
void inputs_compare(struct check *check); /* after the results: they say which assumptions are used */
void inputs_compare_place(struct check *check, const struct graph_step *step, const char *where);

#endif
