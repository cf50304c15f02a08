/* K/N, and a file that grows. */
#include "cli/table_part.h"

#include "input/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GREATEST_SHARD 1000000
#define PART_LIMIT ((size_t)1 << 31)

bool part_read(struct table_part *part, const struct arguments *arguments, int64_t points)
{
	const char *text = arguments_value(arguments, "shard", "1/1");
	char *end;
	long long k = strtoll(text, &end, 10), n = *end == '/' ? strtoll(end + 1, &end, 10) : 0;
	*part = (struct table_part){.arguments = arguments, .path = arguments_value(arguments, "output", "-")};
	part->resumes = arguments_has(arguments, "resume");
	if (*end != '\0' || k < 1 || n < 1 || k > n || n > GREATEST_SHARD) {
		usage_error(arguments->command, "option '--shard' wants K/N with K from 1 to N, not '%s'", text);
		return false;
	}
	if (part->resumes && strcmp(part->path, "-") == 0) {
		usage_error(arguments->command, "option '--resume' wants a file that can go on: -o FILE");
		return false;
	}
	part->first = k - 1;
	part->step = n;
	part->rows = points >= k ? (points - k) / n + 1 : 0;
	return true;
}

int64_t part_point(const struct table_part *part, int64_t row)
{
	return part->first + row * part->step;
}

/* Takes the head, and the rows as long as they are those that come next; a line without an end was cut off. */
static bool take_rows(struct table_part *part, struct diagnostics *diagnostics, const char *text, const char *head, const char *space)
{
	size_t length = strlen(head);
	if (strncmp(text, head, length) != 0 && strncmp(head, text, strlen(text)) != 0) {
		diagnose(diagnostics, DIAGNOSTIC_SHARDS, part->path, 1,
			"expected the head of this table, as --resume goes on with it: %.60s...", head);
		return false;
	}
	for (text += strncmp(text, head, length) == 0 ? length : strlen(text); strchr(text, '\n') != NULL; text = strchr(text, '\n') + 1) {
		if (strncmp(text, space, strlen(space)) != 0) {
			diagnose(diagnostics, DIAGNOSTIC_SHARDS, part->path, part->done + 2,
				"expected a point of the same space, of one version, the same inputs and options: %.12s...; got %.12s...",
				space, text);
			return false;
		}
		char *prefix = arena_format(part->arguments->arena, "%s,%" PRId64 ",", space, part_point(part, part->done));
		if (part->done == part->rows || strncmp(text, prefix, strlen(prefix)) != 0)
			break;
		output_add_bytes(&part->output, text, (size_t)(strchr(text, '\n') + 1 - text));
		part->done++;
	}
	return true;
}

static bool wrong(const struct table_part *part)
{
	fprintf(stderr, "gpubound: cannot write %s: %s\n", part->path, strerror(errno));
	return false;
}

bool part_begin(struct table_part *part, struct diagnostics *diagnostics, const char *head, const char *space)
{
	size_t length;
	output_add(&part->output, head);
	if (!part->resumes)
		return true;
	if (access(part->path, F_OK) == 0) {
		const char *text = input_read_file_up_to(part->arguments->arena, diagnostics, part->path, PART_LIMIT, &length);
		if (text == NULL || !take_rows(part, diagnostics, text, head, space))
			return false;
	}
	if (!output_write(&part->output, part->path) || (part->file = fopen(part->path, "ab")) == NULL)
		return wrong(part);
	return true;
}

void part_add(struct table_part *part, const char *row)
{
	if (part->file != NULL)
		fputs(row, part->file);
	else
		output_add(&part->output, row);
}

bool part_keep(struct table_part *part)
{
	return part->file == NULL || (fflush(part->file) == 0 && ferror(part->file) == 0) || wrong(part);
}

bool part_end(struct table_part *part)
{
	bool written = part->file == NULL ? arguments_write(part->arguments, &part->output, part->path) : part_keep(part);
	if (part->file != NULL && fclose(part->file) != 0)
		written = wrong(part);
	part->file = NULL;
	part_drop(part);
	return written;
}

void part_drop(struct table_part *part)
{
	if (part->file != NULL)
		fclose(part->file);
	part->file = NULL;
	output_finish(&part->output);
}
