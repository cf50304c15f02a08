/* gpubound merge: the parts of a sweep or of a campaign put together, or the reason why they are not one. */
#include "cli/arguments.h"
#include "falsify/campaign_row.h"
#include "falsify/table.h"
#include "input/input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MERGE_LIMIT ((size_t)1 << 31)

const struct option options_merge[] = {
	{"output", 'o', "FILE", "write the table there instead of to standard output", true},
	{"format", 'f', "csv|text", "of a campaign: as gpubound falsify has it (default csv)", true},
	OPTIONS_END,
};

struct row {
	const char *text, *path, *rest; /* behind space,point,points and its comma */
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
		return REFUSE(merging, path, line, "expected a row of gpubound sweep or falsify: space,point,points,...");
	if (merging->space == NULL) {
		merging->space = space;
		merging->points = points;
	}
	if (strcmp(space, merging->space) != 0 || points != merging->points)
		return REFUSE(merging, path, line,
			"expected a point of the same space, of one version, the same inputs and options: %.12s...; got %.12s...",
			merging->space, space);
	merging->rows = arena_grow(merging->arguments->arena, merging->rows, &merging->capacity, merging->count + 1, sizeof *merging->rows);
	merging->rows[merging->count++] = (struct row){text, path, end + 1, point, line};
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
			merging->head == NULL ? "a table of gpubound sweep, or of falsify -o" : "the tables before");
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
	if (merging->count == 0)
		return REFUSE(merging, merging->arguments->operands[0], 0, "expected the parts of a table; there is no point in them");
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

/* ---- a campaign */

static bool is_campaign(const struct merging *merging)
{
	struct output head = {0};
	campaign_head(&head);
	bool same = strcmp(merging->head + strlen("space,point,points"), head.text) == 0;
	output_finish(&head);
	return same;
}

/* All rows in one; of one seed and one begin, as they are of one space. */
static bool sum_up(struct merging *merging, struct campaign *campaign, struct campaign_source *source)
{
	struct campaign *part = arena_allocate(merging->arguments->arena, 1, sizeof *part);
	*campaign = (struct campaign){.violation = -1};
	for (int i = 0; i < merging->count; i++) {
		const struct row *row = &merging->rows[i];
		struct campaign_source of;
		if (!campaign_read_row(row->rest, part, &of) || (i > 0 && (of.seed != source->seed || of.first != source->first)))
			return REFUSE(merging, row->path, row->line, "expected a row as gpubound falsify writes it; it was changed");
		*source = of;
		campaign_add(campaign, part);
	}
	return true;
}

/* As gpubound falsify would have printed it in one piece. */
static bool add_campaign(struct merging *merging, struct output *output, bool *violated)
{
	struct campaign *campaign = arena_allocate(merging->arguments->arena, 1, sizeof *campaign);
	struct campaign_source source = {0, 0};
	if (!sum_up(merging, campaign, &source))
		return false;
	struct campaign_options options = {.seed = source.seed, .first = source.first, .systems = campaign->systems, .go_on = true};
	bool text = strcmp(arguments_value(merging->arguments, "format", "csv"), "text") == 0;
	(text ? table_text : table_csv)(output, campaign, &options);
	*violated = campaign->violation >= 0;
	if (*violated)
		fprintf(stderr,
			"gpubound: a bound is exceeded in system %" PRId64 " of seed %" PRIu64
			"; with the options of this campaign, falsify --first=%" PRId64 " --systems=1 shows it\n",
			campaign->violation, source.seed, campaign->violation);
	return true;
}

static void add_rows(const struct merging *merging, struct output *output)
{
	output_print(output, "%s\n", merging->head);
	for (int i = 0; i < merging->count; i++)
		output_print(output, "%s\n", merging->rows[i].text);
}

int command_merge(const struct arguments *arguments)
{
	struct merging merging = {.arguments = arguments};
	struct output output = {0};
	diagnostics_init(&merging.diagnostics, arguments->arena);
	bool good = true, violated = false;
	for (int i = 0; i < arguments->operand_count && good; i++)
		good = take_file(&merging, arguments->operands[i]);
	good = good && is_whole(&merging);
	if (good && is_campaign(&merging))
		good = add_campaign(&merging, &output, &violated);
	else if (good)
		add_rows(&merging, &output);
	diagnostics_print(&merging.diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	bool written = good && arguments_spare_inputs(arguments, &merging.diagnostics) &&
		       arguments_write(arguments, &output, arguments_value(arguments, "output", "-"));
	output_finish(&output);
	return !good ? EXIT_INVALID : !written ? EXIT_USAGE : violated ? EXIT_NEGATIVE : EXIT_FINE;
}
