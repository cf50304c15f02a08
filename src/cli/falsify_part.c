/* Batches of a campaign, which ends with none of them. */
#include "cli/falsify_part.h"

#include "base/hash.h"
#include "cli/interrupt.h"
#include "cli/table_part.h"
#include "config.h"
#include "falsify/campaign_row.h"

#include <inttypes.h>
#include <string.h>

bool falsify_is_part(const struct arguments *arguments)
{
	return arguments_has(arguments, "shard") || arguments_has(arguments, "resume") || arguments_has(arguments, "output");
}

/* What the rows follow from: this version, the inputs, the command line. */
static void name_space(const struct arguments *arguments, const struct campaign_options *options, char space[HASH_TEXT])
{
	struct output text = {0};
	int count;
	const char *const *words = arguments_recorded(arguments, &count);
	output_print(&text, "%s falsify\n", GPUBOUND_VERSION);
	if (options->given != NULL) {
		hash_bytes(options->given->set->text, (size_t)options->given->set->bytes, space);
		output_print(&text, "%s\n%s\n", space, options->given->platform->hash);
	}
	for (int i = 0; i < count - arguments->operand_count; i++) /* not where the file is */
		output_print(&text, "%s\n", words[i]);
	hash_bytes(text.text, text.length, space);
	output_finish(&text);
}

struct progress {
	const struct table_part *part;
	const struct campaign_options *options;
	int64_t row;
};

static void pass_on(void *context, int64_t systems, const struct campaign *campaign)
{
	const struct progress *progress = context;
	if (progress->options->progress != NULL)
		progress->options->progress(
			progress->options->context, (part_point(progress->part, progress->row) * CAMPAIGN_BATCH) + systems, campaign);
}

/* False: a signal came, so there is no row. */
static bool add_row(
	struct table_part *part, const struct campaign_options *options, int64_t row, int64_t points, const char *space, bool *violated)
{
	struct output text = {0};
	struct campaign campaign;
	struct progress progress = {part, options, row};
	struct campaign_options batch = *options;
	int64_t done = part_point(part, row) * CAMPAIGN_BATCH;
	batch.first = options->first + done;
	batch.systems = checked_min(CAMPAIGN_BATCH, options->systems - done);
	batch.go_on = true;
	batch.progress = pass_on;
	batch.context = &progress;
	campaign_run(&campaign, &batch);
	*violated |= campaign.violation >= 0;
	if (options->stop != NULL && *options->stop != 0)
		return false;
	output_print(&text, "%s,%" PRId64 ",%" PRId64, space, part_point(part, row), points);
	campaign_row(&text, &campaign, options);
	output_add(&text, "\n");
	part_add(part, text.text);
	output_finish(&text);
	return part_keep(part);
}

/* What the rows that are there say. False: they are none of ours. */
static bool look_back(const struct table_part *part, struct diagnostics *diagnostics, bool *violated)
{
	struct arena *arena = arena_create();
	struct campaign *campaign = arena_allocate(arena, 1, sizeof *campaign);
	struct campaign_source source;
	const char *line = part->output.text;
	bool good = true;
	for (int64_t row = 0; row < part->done && good; row++) {
		line = strchr(line, '\n') + 1;
		const char *rest = line;
		for (int i = 0; i < 3 && good; i++) {
			rest += strcspn(rest, ",\n");
			good = *rest++ == ',';
		}
		good = good && campaign_read_row(arena_format(arena, "%.*s", (int)strcspn(rest, "\n"), rest), campaign, &source);
		*violated |= good && campaign->violation >= 0;
		if (!good)
			diagnose(diagnostics, DIAGNOSTIC_SHARDS, part->path, row + 2, "expected a row as gpubound falsify writes it");
	}
	arena_destroy(arena);
	return good;
}

int falsify_part(const struct arguments *arguments, const struct campaign_options *options, struct pipeline *pipeline)
{
	struct table_part part;
	struct output head = {0};
	char space[HASH_TEXT];
	bool violated = false, whole = true;
	int64_t points = (options->systems - 1) / CAMPAIGN_BATCH + 1;
	if (!part_read(&part, arguments, points))
		return EXIT_USAGE;
	name_space(arguments, options, space);
	output_add(&head, "space,point,points");
	campaign_head(&head);
	output_add(&head, "\n");
	bool begun = part_begin(&part, &pipeline->diagnostics, head.text, space) && look_back(&part, &pipeline->diagnostics, &violated);
	output_finish(&head);
	if (!begun) {
		part_drop(&part);
		diagnostics_print(&pipeline->diagnostics, 0, LEVEL_ERROR, arguments_colour(arguments, stderr), stderr);
		return pipeline->diagnostics.errors > 0 ? EXIT_INVALID : EXIT_USAGE;
	}
	interrupt_begin();
	for (int64_t row = part.done; row < part.rows && whole; row++)
		whole = add_row(&part, options, row, points, space, &violated);
	bool written = part_end(&part);
	interrupt_end();
	return !written ? EXIT_USAGE : violated ? EXIT_NEGATIVE : whole ? EXIT_FINE : EXIT_NO_BOUND;
}
