/* JSON as a tree of plain structs.
 *
 * Requires: the bytes of a file.
 * Provides: values by name and by index; whole numbers exactly, others as the nearest double.
 * Source:   RFC 8259.
 * Fails:    with diagnostics for what is not JSON, and for nesting beyond IMPORT_DEPTH; the result is NULL.
 */
#ifndef IMPORT_JSON_H
#define IMPORT_JSON_H

#include "import/build.h"

#include <stddef.h>

#define JSON_BYTES (64 * 1024 * 1024) /* its tree takes many times as much */

enum tree_kind { TREE_NULL, TREE_BOOLEAN, TREE_INTEGER, TREE_REAL, TREE_TEXT, TREE_LIST, TREE_OBJECT };

struct tree {
	enum tree_kind kind;
	int64_t integer;         /* BOOLEAN: 0 or 1 */
	double real;             /* of both kinds of numbers */
	const char *text, *name; /* name: of a member of an object */
	struct tree *items;      /* of a LIST or an OBJECT */
	int count;
};

const struct tree *tree_read(struct import_build *build, const char *path);

const struct tree *tree_get(const struct tree *object, const char *name); /* NULL: no object, or no such member */
const char *tree_text(const struct tree *object, const char *name, const char *fallback);

/* A whole number of at least 0; NONE where it is absent, or with a diagnostic where it is something else. where: for the message. */
int64_t tree_count(struct import_build *build, const struct tree *object, const char *name, const char *path, const char *where);

#endif
