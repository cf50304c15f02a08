/* JSON as a tree of plain structs.
 *
 * Requires: the bytes of a file.
 * Provides: values by name and by index; whole numbers exactly, others as the nearest double.
 * Source:   RFC 8259.
 * Fails:    NULL for what is not JSON or nested deeper than asked for, with the line and what is wrong.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_BYTES (64 * 1024 * 1024) /* that a reader should take at most: the tree takes many times as much */

enum tree_kind { TREE_NULL, TREE_BOOLEAN, TREE_INTEGER, TREE_REAL, TREE_TEXT, TREE_LIST, TREE_OBJECT };

struct tree {
	enum tree_kind kind;
	int64_t integer;         /* BOOLEAN: 0 or 1 */
	double real;             /* of both kinds of numbers */
	const char *text, *name; /* name: of a member of an object */
	struct tree *items;      /* of a LIST or an OBJECT, in the order of the file */
	int count;
};

struct json_error {
	int line; /* 0: nested too deep */
	const char *text;
};

const struct tree *json_parse(struct arena *arena, const char *bytes, size_t length, int depth, struct json_error *error);

const struct tree *tree_get(const struct tree *object, const char *name); /* NULL: no object, or no such member */
const char *tree_text(const struct tree *object, const char *name, const char *fallback);

#endif
