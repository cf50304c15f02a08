/* Reads a report's inputs again, and holds them against the report. */
#include "render/report_inputs.h"

#include "base/hash.h"
#include "render/render.h"

#include <string.h>
#include <sys/stat.h>

const struct xml_element *render_inputs_find(const struct render_inputs *inputs, const char *role)
{
	const struct xml_element *input = render_first(element_child(inputs->report->root, "inputs"), "input");
	while (input != NULL && role != NULL && strcmp(element_get(input, "role"), role) != 0)
		input = render_next(input);
	return input;
}

bool render_inputs_is_shipped(const struct xml_element *input)
{
	const char *path = element_get(input, "path");
	size_t length = strlen(path);
	return strcmp(element_get(input, "role"), "platform") == 0 && strchr(path, '/') == NULL && strcmp(path, "-") != 0 &&
	       !(length > 4 && strcmp(path + length - 4, ".xml") == 0);
}

static const char *changed(const struct render_inputs *inputs, const char *path, const char *what)
{
	diagnose(
		inputs->diagnostics, DIAGNOSTIC_BUNDLE_INPUT_CHANGED, path, 0, "expected the file that the report was made from; %s", what);
	return NULL;
}

const char *render_inputs_read(const struct render_inputs *inputs, const struct xml_element *input, size_t *length)
{
	struct stat status;
	char hash[HASH_TEXT];
	const char *path = element_get(input, "path"), *size = element_get(input, "bytes"), *sum = element_get(input, "sha256");
	if (render_inputs_is_shipped(input) && inputs->folders->models != NULL)
		path = arena_format(inputs->arena, "%s/%s.xml", inputs->folders->models, path);
	if (strcmp(path, "-") == 0)
		return changed(inputs, path, "it came from standard input, which cannot be read again");
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return changed(inputs, path, "this is no regular file");
	const char *bytes = input_read_file(inputs->arena, inputs->diagnostics, path, length);
	if (bytes == NULL)
		return NULL;
	hash_bytes(bytes, *length, hash);
	if (strcmp(arena_format(inputs->arena, "%zu", *length), size) != 0)
		return changed(inputs, path, arena_format(inputs->arena, "it has %zu bytes, not %s", *length, size));
	if (strcmp(hash, sum) != 0)
		return changed(inputs, path, arena_format(inputs->arena, "its SHA-256 is %s, not %s", hash, sum));
	return bytes;
}
