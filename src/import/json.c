/* jansson for reading, behind one file. */
#include "import/json.h"

#include "import/values.h"

#include <jansson.h>
#include <string.h>

struct copier {
	struct import_build *build;
	bool too_deep;
};

static void copy(struct copier *copier, struct tree *to, const json_t *from, int depth);

static void copy_items(struct copier *copier, struct tree *to, const json_t *from, int depth)
{
	const char *name;
	json_t *value;
	int i = 0;
	to->kind = json_is_array(from) ? TREE_LIST : TREE_OBJECT;
	to->count = (int)(json_is_array(from) ? json_array_size(from) : json_object_size(from));
	copier->too_deep |= depth == IMPORT_DEPTH;
	if (copier->too_deep)
		return;
	to->items = arena_allocate(copier->build->arena, (size_t)to->count + 1, sizeof *to->items);
	for (; json_is_array(from) && i < to->count; i++)
		copy(copier, &to->items[i], json_array_get(from, (size_t)i), depth + 1);
	if (json_is_object(from)) {
		json_object_foreach((json_t *)from, name, value)
		{
			copy(copier, &to->items[i], value, depth + 1);
			to->items[i++].name = arena_copy(copier->build->arena, name);
		}
	}
}

static void copy(struct copier *copier, struct tree *to, const json_t *from, int depth)
{
	switch (json_typeof(from)) {
	case JSON_OBJECT:
	case JSON_ARRAY: copy_items(copier, to, from, depth); break;
	case JSON_STRING: *to = (struct tree){.kind = TREE_TEXT, .text = arena_copy(copier->build->arena, json_string_value(from))}; break;
	case JSON_INTEGER:
		*to = (struct tree){.kind = TREE_INTEGER, .integer = json_integer_value(from), .real = (double)json_integer_value(from)};
		break;
	case JSON_REAL: *to = (struct tree){.kind = TREE_REAL, .real = json_real_value(from)}; break;
	case JSON_TRUE:
	case JSON_FALSE: *to = (struct tree){.kind = TREE_BOOLEAN, .integer = json_is_true(from)}; break;
	case JSON_NULL: *to = (struct tree){.kind = TREE_NULL}; break;
	}
}

static json_t *parse(struct import_build *build, const char *path)
{
	size_t length;
	json_error_t error;
	const char *bytes = import_read_bytes(build, path, false, &length);
	if (bytes == NULL)
		return NULL;
	if (length > JSON_BYTES) {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, path, 0, "expected at most %d bytes of JSON", JSON_BYTES);
		return NULL;
	}
	json_set_alloc_funcs(memory_allocate, memory_free);
	json_t *root = json_loadb(bytes, length, 0, &error);
	if (root == NULL)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, path, error.line, "expected JSON; %s", error.text);
	return root;
}

const struct tree *tree_read(struct import_build *build, const char *path)
{
	struct copier copier = {.build = build};
	json_t *root = parse(build, path);
	if (root == NULL)
		return NULL;
	struct tree *tree = arena_allocate(build->arena, 1, sizeof *tree);
	copy(&copier, tree, root, 0);
	json_decref(root);
	if (!copier.too_deep)
		return tree;
	diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, path, 0, "expected at most %d levels of nesting", IMPORT_DEPTH);
	return NULL;
}

const struct tree *tree_get(const struct tree *object, const char *name)
{
	for (int i = 0; object != NULL && object->kind == TREE_OBJECT && i < object->count; i++)
		if (strcmp(object->items[i].name, name) == 0)
			return &object->items[i];
	return NULL;
}

const char *tree_text(const struct tree *object, const char *name, const char *fallback)
{
	const struct tree *value = tree_get(object, name);
	return value != NULL && value->kind == TREE_TEXT ? value->text : fallback;
}

int64_t tree_count(struct import_build *build, const struct tree *object, const char *name, const char *path, const char *where)
{
	const struct tree *value = tree_get(object, name);
	if (value == NULL)
		return NONE;
	if (value->kind == TREE_INTEGER && value->integer >= 0 && value->integer != NONE)
		return value->integer;
	diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, path, 0, "%s: %s: expected a whole number of at least 0", where, name);
	return NONE;
}
