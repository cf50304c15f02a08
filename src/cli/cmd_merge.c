/* gpubound merge: the parts of a sweep put together, or the reason why they are not one. */
#include "cli/arguments.h"
#include "input/input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MERGE_LIMIT ((size_t)1 << 31)

const struct option options_merge[] = {
	{"output", 'o', "FILE", "write the table there instead of to standard output", true},
	OPTIONS_END,
};

struct row {
	const char *text, *path;
	int64_t point;
	long line;
};

struct merging {
	const struct arguments *arguments;
	struct diagnostics diagnostics;
	const char *head, *space; /* of the first file that has one */
	int64_t points;
	struct row *rows;
	int count, capacity;
};

#define REFUSE(merging, path, line, ...) (diagnose(&(merging)->diagnostics, DIAGNOSTIC_SHARDS, path, line, __VA_ARGS__), false)

/* space,point,points,... */
static bool take_row(struct merging *merging, const char *path, long line, const char *text)
{
	char *end = NULL;
	size_t length = strcspn(text, ",");
	const char *space = arena_format(merging->arguments->arena, "%.*s", (int)length, text);
	int64_t point = text[length] == ',' ? strtoll(text + length + 1, &end, 10) : -1;
	int64_t points = end != NULL && *end == ',' ? strtoll(end + 1, &end, 10) : -1;
	if (point < 0 || points <= point || *end != ',')
		return REFUSE(merging, path, line, "expected a row of gpubound sweep: space,point,points,...");
	if (merging->space == NULL) {
		merging->space = space;
		merging->points = points;
	}
	if (strcmp(space, merging->space) != 0 || points != merging->points)
		return REFUSE(merging, path, line,
			"expected a point of the same space, of one version, the same inputs and options: %.12s...; got %.12s...",
			merging->space, space);
	merging->rows = arena_grow(merging->arguments->arena, merging->rows, &merging->capacity, merging->count + 1, sizeof *merging->rows);
	merging->rows[merging->count++] = (struct row){text, path, point, line};
	return true;
}

static bool take_file(struct merging *merging, const char *path)
{
	size_t length;
	char *text = input_read_file_up_to(merging->arguments->arena, &merging->diagnostics, path, MERGE_LIMIT, &length), *rest = NULL;
	long line = 1;
	if (text == NULL)
		return false;
	const char *head = strtok_r(text, "\n", &rest);
	if (head == NULL || strncmp(head, "space,point,points,", 19) != 0 || (merging->head != NULL && strcmp(head, merging->head) != 0))
		return REFUSE(merging, path, 1, "expected the head of %s",
			merging->head == NULL ? "a table of gpubound sweep" : "the tables before");
	merging->head = head;
	for (const char *row; (row = strtok_r(NULL, "\n", &rest)) != NULL;)
		if (!take_row(merging, path, ++line, row))
			return false;
	return true;
}

static int by_point(const void *one, const void *other)
{
	const struct row *a = one, *b = other;
	return a->point < b->point ? -1 : a->point > b->point;
}

/* Each point once. */
static bool is_whole(struct merging *merging)
{
	if (merging->count > 0)
		qsort(merging->rows, (size_t)merging->count, sizeof *merging->rows, by_point);
	for (int i = 0; i < merging->count; i++) {
		const struct row *row = &merging->rows[i];
		if (row->point < i)
			return REFUSE(merging, row->path, row->line, "expected each point once; got point %" PRId64 " again", row->point);
		if (row->point > i)
			return REFUSE(merging, row->path, row->line, "expected all points; point %d is in no table", i);
	}
	if (merging->count < merging->points)
		return REFUSE(merging, merging->rows[0].path, 0, "expected all %" PRId64 " points; point %d is in no table",
			merging->points, merging->count);
	return true;
}

int command_merge(const struct arguments *arguments)
{
	struct merging merging = {.arguments = arguments};
	struct output output = {0};
	diagnostics_init(&merging.diagnostics, arguments->arena);
	bool good = true;
	for (int i = 0; i < arguments->operand_count && good; i++)
		good = take_file(&merging, arguments->operands[i]);
	good = good && is_whole(&merging);
	diagnostics_print(&merging.diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	if (!good)
		return EXIT_INVALID;
	if (!arguments_spare_inputs(arguments, &merging.diagnostics))
		return EXIT_USAGE;
	output_print(&output, "%s\n", merging.head);
	for (int i = 0; i < merging.count; i++)
		output_print(&output, "%s\n", merging.rows[i].text);
	bool written = arguments_write(arguments, &output, arguments_value(arguments, "output", "-"));
	output_finish(&output);
	return written ? EXIT_FINE : EXIT_USAGE;
}
