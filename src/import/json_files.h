/* JSON files of the formats that are read here.
 *
 * Requires: a build.
 * Provides: a file's tree, and whole numbers in it.
 * Source:   RFC 8259.
 * Fails:    with diagnostics for what is not JSON, and for nesting beyond IMPORT_DEPTH; the result is NULL.
 */
#ifndef IMPORT_JSON_FILES_H
#define IMPORT_JSON_FILES_H

#include "base/json.h"
#include "import/build.h"

const struct tree *tree_read(struct import_build *build, const char *path);

/* A whole number of at least 0; NONE where it is absent, or with a diagnostic where it is something else. where: for the message. */
int64_t tree_count(struct import_build *build, const struct tree *object, const char *name, const char *path, const char *where);

#endif
