/* The worst path by lines of the source: what each costs, as a table, and beside the source. */
#include "report/report_wcet.h"
#include "report/text_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define AROUND 2 /* lines of the source that are shown before and behind one with code */
#define NAME 26  /* columns of a file and line */
#define CODE 46  /* columns of the source */

/* ---- sums */

static int by_place(const void *a, const void *b)
{
	const struct wcet_line *one = a, *two = b;
	int order = strcmp(one->place.file, two->place.file);
	return order != 0 ? order : one->place.line < two->place.line ? -1 : one->place.line > two->place.line;
}

static int by_cycles(const void *a, const void *b)
{
	const struct wcet_line *one = a, *two = b;
	return one->cycles != two->cycles ? (one->cycles < two->cycles ? 1 : -1) : by_place(a, b);
}

static int64_t cycles_of(const struct wcet_report *report, const struct program_part *part)
{
	struct program_block only = {.id = ""};
	memcpy(only.counts, part->counts, sizeof only.counts);
	memcpy(only.spared, part->spared, sizeof only.spared);
	return instruction_costs_latency(&report->wcet->costs, &only);
}

/* Lines that stand more than once, in their order, become one. */
static int merge(struct wcet_line *lines, int count)
{
	int merged = 0;
	for (int i = 0; i < count; i++) {
		if (merged > 0 && by_place(&lines[merged - 1], &lines[i]) == 0) {
			lines[merged - 1].instructions = checked_add(lines[merged - 1].instructions, lines[i].instructions);
			lines[merged - 1].cycles = checked_add(lines[merged - 1].cycles, lines[i].cycles);
		} else
			lines[merged++] = lines[i];
	}
	return merged;
}

const struct wcet_line *wcet_lines(const struct wcet_report *report, int *count)
{
	const struct program *program = report->program;
	const int64_t *times = report->wcet->chain.program.block_counts;
	int most = 0;
	*count = 0;
	for (int b = 0; b < program->block_count && times != NULL; b++)
		most += program->blocks[b].part_count;
	struct wcet_line *lines = arena_allocate(report->wcet->flow.arena, (size_t)most, sizeof *lines);
	for (int b = 0; b < program->block_count && times != NULL; b++)
		for (int i = 0; i < program->blocks[b].part_count; i++) {
			const struct program_part *part = &program->blocks[b].parts[i];
			lines[(*count)++] = (struct wcet_line){
				part->place, checked_mul(times[b], part->instructions), checked_mul(times[b], cycles_of(report, part))};
		}
	if (*count > 0)
		qsort(lines, (size_t)*count, sizeof *lines, by_place);
	*count = merge(lines, *count);
	return lines;
}

const char *wcet_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* ---- the table */

static void add_number(struct output *output, int64_t number, int width, bool colour)
{
	char text[32];
	snprintf(text, sizeof text, "%" PRId64, number);
	text_cell(output, number == NONE ? "-" : text, -width, STYLE_PLAIN, colour);
}

static void add_row(struct output *output, const char *name, int64_t instructions, int64_t cycles, bool colour)
{
	text_cell(output, name, NAME, STYLE_PLAIN, colour);
	add_number(output, instructions, 16, colour);
	add_number(output, cycles, 20, colour);
	output_add(output, "\n");
}

void wcet_lines_text(struct output *output, const struct wcet_report *report, bool colour)
{
	int count;
	const struct wcet_line *lines = wcet_lines(report, &count);
	int64_t rest = report->wcet->chain.cycles;
	if (count == 0)
		return;
	struct wcet_line *sorted = arena_allocate(report->wcet->flow.arena, (size_t)count, sizeof *sorted);
	memcpy(sorted, lines, (size_t)count * sizeof *sorted);
	qsort(sorted, (size_t)count, sizeof *sorted, by_cycles);
	text_heading(output, "line of the source            instructions     cycles of chain", colour);
	for (int i = 0; i < count; i++) {
		struct output name = {0};
		output_print(&name, "%s:%ld", wcet_file_name(sorted[i].place.file), sorted[i].place.line);
		add_row(output, name.text, sorted[i].instructions, sorted[i].cycles, colour);
		output_finish(&name);
		rest = checked_sub(rest, sorted[i].cycles);
	}
	if (rest != 0)
		add_row(output, "of no line", NONE, rest, colour);
}

/* ---- beside the source */

/* The line's length without what ends it. */
static size_t length_of(const char *at)
{
	return strcspn(at, "\r\n");
}

static const char *next_line(const char *at)
{
	at += strcspn(at, "\n");
	return *at == '\n' ? at + 1 : NULL;
}

/* Tabs as blanks, cut to what fits beside the numbers. */
static void add_code(struct output *output, const char *at)
{
	char code[4 * CODE + 1];
	size_t length = length_of(at);
	int used = 0, columns = 0;
	for (size_t i = 0; i < length; i++) {
		bool continues = ((unsigned char)at[i] & 0xc0) == 0x80;
		if ((columns >= CODE && !continues) || used >= 4 * CODE)
			break;
		do {
			code[used++] = at[i] == '\t' ? ' ' : at[i];
			columns += !continues;
		} while (at[i] == '\t' && columns % 8 != 0 && columns < CODE);
	}
	code[used] = '\0';
	text_add(output, code);
}

static const struct wcet_line *find(const struct wcet_line *lines, int count, const char *file, long line, long around)
{
	for (int i = 0; i < count; i++)
		if (strcmp(lines[i].place.file, file) == 0 && labs(lines[i].place.line - line) <= around)
			return &lines[i];
	return NULL;
}

static void add_line(struct output *output, const struct wcet_line *own, long number, const char *at, bool colour)
{
	if (own != NULL) {
		add_number(output, own->instructions, 12, colour);
		add_number(output, own->cycles, 14, colour);
	} else
		output_print(output, "%26s", "");
	output_print(output, " %5ld  ", number);
	add_code(output, at);
	output_add(output, "\n");
}

static void annotate(struct output *output, const struct wcet_source *source, const struct wcet_line *lines, int count, bool colour)
{
	bool gap = false, any = false;
	long number = 1;
	output_add(output, "\n");
	text_paragraph(output, "instructions        cycles  line ", 0, source->file);
	for (const char *at = source->text; at != NULL && *at != '\0'; at = next_line(at), number++) {
		if (find(lines, count, source->file, number, AROUND) == NULL) {
			gap = any;
			continue;
		}
		if (gap)
			output_print(output, "%32s\n", "...");
		add_line(output, find(lines, count, source->file, number, 0), number, at, colour);
		any = true;
		gap = false;
	}
}

void wcet_lines_annotate(struct output *output, const struct wcet_report *report, bool colour)
{
	int count;
	const struct wcet_line *lines = wcet_lines(report, &count);
	for (int i = 0; i < report->source_count; i++)
		annotate(output, &report->sources[i], lines, count, colour);
}
