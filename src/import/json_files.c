/* JSON files of the formats that are read here. */
#include "import/json_files.h"

#include "import/values.h"

const struct tree *tree_read(struct import_build *build, const char *path)
{
	size_t length;
	struct json_error error;
	const char *bytes = import_read_bytes(build, path, false, &length);
	if (bytes == NULL)
		return NULL;
	if (length > JSON_BYTES) {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, path, 0, "expected at most %d bytes of JSON", JSON_BYTES);
		return NULL;
	}
	const struct tree *tree = json_parse(build->arena, bytes, length, IMPORT_DEPTH, &error);
	if (tree == NULL && error.line == 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, path, 0, "%s", error.text);
	else if (tree == NULL)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, path, error.line, "expected JSON; %s", error.text);
	return tree;
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
