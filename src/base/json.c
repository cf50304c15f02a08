/* jansson for reading, behind one file. */
#include "base/json.h"

#include "base/late.h"

#include <jansson.h>
#include <string.h>

#define json_array_get LATE(JANSSON, json_array_get)
#define json_array_size LATE(JANSSON, json_array_size)
#define json_delete LATE(JANSSON, json_delete)
#define json_integer_value LATE(JANSSON, json_integer_value)
#define json_loadb LATE(JANSSON, json_loadb)
#define json_object_get LATE(JANSSON, json_object_get)
#define json_object_iter LATE(JANSSON, json_object_iter)
#define json_object_iter_key LATE(JANSSON, json_object_iter_key)
#define json_object_iter_next LATE(JANSSON, json_object_iter_next)
#define json_object_iter_value LATE(JANSSON, json_object_iter_value)
#define json_object_key_to_iter LATE(JANSSON, json_object_key_to_iter)
#define json_object_size LATE(JANSSON, json_object_size)
#define json_real_value LATE(JANSSON, json_real_value)
#define json_set_alloc_funcs LATE(JANSSON, json_set_alloc_funcs)
#define json_string_value LATE(JANSSON, json_string_value)

struct copier {
	struct arena *arena;
	int depth;
	bool too_deep;
};

static void copy(struct copier *copier, struct tree *to, json_t *from, int depth);

static void copy_items(struct copier *copier, struct tree *to, json_t *from, int depth)
{
	const char *name;
	json_t *value;
	int i = 0;
	to->kind = json_is_array(from) ? TREE_LIST : TREE_OBJECT;
	to->count = (int)(json_is_array(from) ? json_array_size(from) : json_object_size(from));
	copier->too_deep |= depth == copier->depth;
	if (copier->too_deep)
		return;
	to->items = arena_allocate(copier->arena, (size_t)to->count + 1, sizeof *to->items);
	for (; json_is_array(from) && i < to->count; i++)
		copy(copier, &to->items[i], json_array_get(from, (size_t)i), depth + 1);
	if (json_is_object(from)) {
		json_object_foreach(from, name, value)
		{
			copy(copier, &to->items[i], value, depth + 1);
			to->items[i++].name = arena_copy(copier->arena, name);
		}
	}
}

static void copy(struct copier *copier, struct tree *to, json_t *from, int depth)
{
	switch (json_typeof(from)) {
	case JSON_OBJECT:
	case JSON_ARRAY: copy_items(copier, to, from, depth); break;
	case JSON_STRING: *to = (struct tree){.kind = TREE_TEXT, .text = arena_copy(copier->arena, json_string_value(from))}; break;
	case JSON_INTEGER:
		*to = (struct tree){.kind = TREE_INTEGER, .integer = json_integer_value(from), .real = (double)json_integer_value(from)};
		break;
	case JSON_REAL: *to = (struct tree){.kind = TREE_REAL, .real = json_real_value(from)}; break;
	case JSON_TRUE:
	case JSON_FALSE: *to = (struct tree){.kind = TREE_BOOLEAN, .integer = json_is_true(from)}; break;
	case JSON_NULL: *to = (struct tree){.kind = TREE_NULL}; break;
	}
}

const struct tree *json_parse(struct arena *arena, const char *bytes, size_t length, int depth, struct json_error *error)
{
	struct copier copier = {.arena = arena, .depth = depth};
	json_error_t refused;
	json_set_alloc_funcs(memory_allocate, memory_free);
	json_t *root = json_loadb(bytes, length, 0, &refused);
	if (root == NULL) {
		*error = (struct json_error){refused.line, arena_copy(arena, refused.text)};
		return NULL;
	}
	struct tree *tree = arena_allocate(arena, 1, sizeof *tree);
	copy(&copier, tree, root, 0);
	json_delete(root); /* json_decref and the other functions that the header defines would link with the library */
	if (!copier.too_deep)
		return tree;
	*error = (struct json_error){0, arena_format(arena, "expected at most %d levels of nesting", depth)};
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
