/* The <sass> element: the files, their hashes, the degree of bank conflicts. */
#include "base/hash.h"
#include "input/input.h"
#include "input/sass.h"

#include <string.h>

/* ---- files */

static const char *beside(struct reader *reader, const char *name)
{
	const char *slash = strrchr(reader->path, '/');
	if (strcmp(name, "-") == 0 && slash == NULL)
		return "./-"; /* standard input is for the command line to name */
	if (name[0] == '/' || slash == NULL)
		return name;
	return arena_format(reader->arena, "%.*s/%s", (int)(slash - reader->path), reader->path, name);
}

static bool check_hash(struct reader *reader, const struct xml_element *element, const char *what, const char *wanted, const char *got)
{
	if (strcmp(wanted, got) == 0)
		return true;
	COMPLAIN(reader, element, HASH_MISMATCH, "expected %s with the SHA-256 %s; got %s", what, wanted, got);
	return false;
}

/* A file's bytes, if they have the hash: read once, so that what is hashed is what is used. */
static const char *read_bound(
	struct reader *reader, const struct xml_element *element, const char *file, const char *wanted, size_t limit, int64_t *bytes)
{
	char hash[HASH_TEXT];
	size_t length;
	const char *text = input_read_named(reader->arena, reader->diagnostics, reader->folders, file, limit, &length);
	if (text == NULL)
		return NULL;
	*bytes = (int64_t)length;
	hash_bytes(text, length, hash);
	return check_hash(reader, element, file, wanted, hash) ? text : NULL;
}

/* Code that another chip would execute has other costs than this platform's. */
static bool check_target(
	struct reader *reader, const struct xml_element *element, const struct program_reader *state, const struct sass *sass)
{
	if (sass->target == state->capability && sass->target >= SASS_TARGET_LEAST)
		return true;
	COMPLAIN(reader, element, SASS_TARGET,
		"expected code for sm_%d, as the platform has it, and sm_%d or newer, before line %ld of the disassembly; got %s%.0d",
		state->capability, SASS_TARGET_LEAST, sass->line, sass->target > 0 ? "sm_" : "no target", sass->target);
	return false;
}

static int64_t read_conflicts(struct reader *reader, const struct xml_element *root)
{
	const struct xml_element *element = element_child(root, "shared");
	return element == NULL ? NONE : read_number(reader, element, "conflicts", UNIT_COUNT, ROUND_NEVER, NONE);
}

bool read_sass(struct reader *reader, const struct xml_element *root, struct program_reader *state)
{
	const struct xml_element *element = element_child(root, "sass");
	struct program_sass *files = &state->program->sass;
	struct sass sass;
	*files = (struct program_sass){
		.file = beside(reader, element_get(element, "file")),
		.hash = element_get(element, "sha256"),
		.cubin = beside(reader, element_get(element, "cubin")),
		.cubin_hash = element_get(element, "cubin-sha256"),
		.function = element_get(element, "function"),
		.conflicts = read_conflicts(reader, root),
	};
	const char *text = read_bound(reader, element, files->file, files->hash, INPUT_LIMIT, &files->bytes);
	const char *cubin = read_bound(reader, element, files->cubin, files->cubin_hash, CUBIN_LIMIT, &files->cubin_bytes);
	return text != NULL && cubin != NULL && sass_scan(reader, element, text, files->function, &sass) &&
	       check_target(reader, element, state, &sass) && cubin_check(reader, element, cubin, files, &sass) &&
	       sass_classify(reader, root, element, &sass) && sass_link(reader, element, &sass) &&
	       sass_build(reader, element, &sass, state);
}
