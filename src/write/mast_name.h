/* Names of a task set's parts in models of MAST, and in its results.
 *
 * Provides: names that are identifiers there, which ignore case, and unique: the number of the part, and of its id what may stand in one.
 * Source:   "MAST Description", Universidad de Cantabria: identifiers are letters, digits, '_' and '.', and begin with a letter.
 * Fails:    never.
 */
#ifndef WRITE_MAST_NAME_H
#define WRITE_MAST_NAME_H

#include "base/memory.h"

/* kind: "task", "host", "way" of what that host segment issues, "gpu"; number: of its kind, in the order of the file. "host3_plan_a". */
const char *mast_name(struct arena *arena, const char *kind, int number, const char *id);

/* The source of the origin of what results said of host segments. */
#define MAST_SOURCE "MAST: worst-case response times of host segments"

/* Of the model of a task set's file, whose SHA-256 this is: results name it. */
const char *mast_model_name(struct arena *arena, const char *hash);

#endif
