/* A page: the part of Markdown that kit/NAME.md uses. "# " the title, "## " a heading, "- " an item, four blanks code, "| " a row of a
 * table,
 * "@NAME@" a list of the program, all else paragraphs; `words` as they are typed. */
#include "input/input.h"
#include "kit/kit.h"

#include <string.h>

struct reader {
	struct kit *kit;
	const char *path;
	long line;
	struct kit_page *page;
	struct kit_block **last; /* where the next block goes */
	struct kit_block *open;  /* the block that the next line may continue; NULL: none */
};

static bool fail(struct reader *reader, const char *expected)
{
	diagnose(reader->kit->diagnostics, DIAGNOSTIC_KIT_UNUSABLE, reader->path, reader->line, "expected %s", expected);
	return false;
}

static struct kit_block *add(struct reader *reader, enum kit_block_kind kind, const char *text)
{
	struct kit_block *block = arena_allocate(reader->kit->arena, 1, sizeof *block);
	block->kind = kind;
	block->text = text;
	*reader->last = block;
	reader->last = &block->next;
	return block;
}

void kit_table_add(struct arena *arena, struct kit_table *table, const char *cell)
{
	int count = table->columns * table->rows;
	table->cells = arena_grow(arena, table->cells, &table->capacity, count + table->columns, sizeof *table->cells);
	int column = 0;
	while (column < table->columns && table->cells[count + column] != NULL)
		column++;
	table->cells[count + column] = cell;
	table->rows += column + 1 == table->columns;
}

static const char *trimmed(struct arena *arena, const char *text, size_t length)
{
	while (length > 0 && text[length - 1] == ' ')
		length--;
	while (length > 0 && *text == ' ') {
		text++;
		length--;
	}
	return arena_format(arena, "%.*s", (int)length, text);
}

/* How many cells a row "| a | b |" has; 0: it does not end as it begins. */
static int count_cells(const char *line)
{
	int bars = 0;
	for (const char *c = line; *c != '\0'; c++)
		bars += *c == '|';
	return line[strlen(line) - 1] == '|' ? bars - 1 : 0;
}

static bool add_row(struct reader *reader, const char *line)
{
	int cells = count_cells(line);
	if (reader->open == NULL || reader->open->kind != BLOCK_TABLE) {
		reader->open = add(reader, BLOCK_TABLE, "");
		reader->open->table.columns = cells;
	}
	if (cells < 1 || cells != reader->open->table.columns)
		return fail(reader, "a row with as many cells as the one above it, with a bar at both ends");
	if (line[strspn(line, "|- ")] == '\0')
		return true; /* between heads and rows */
	for (const char *cell = line + 1; *cell != '\0'; cell += strcspn(cell, "|") + 1)
		kit_table_add(reader->kit->arena, &reader->open->table, trimmed(reader->kit->arena, cell, strcspn(cell, "|")));
	return true;
}

static bool add_list(struct reader *reader, const char *line)
{
	size_t length = strlen(line);
	struct kit_block *block = add(reader, BLOCK_TABLE, "");
	const char *name = arena_format(reader->kit->arena, "%.*s", (int)(length - 2), line + 1);
	return kit_list_fill(reader->kit, name, &block->table) || fail(reader, "the name of a list of the program");
}

/* Does the line go on with the block that is open? */
static bool continues(struct reader *reader, enum kit_block_kind kind, const char *text, const char *between)
{
	if (reader->open == NULL || reader->open->kind != kind)
		return false;
	reader->open->text = arena_format(reader->kit->arena, "%s%s%s", reader->open->text, between, text);
	return true;
}

static bool read_line(struct reader *reader, const char *line)
{
	size_t length = strlen(line);
	if (length == 0) {
		reader->open = NULL;
		return true;
	}
	if (reader->page->title == NULL) {
		reader->page->title = strncmp(line, "# ", 2) == 0 ? line + 2 : NULL;
		return reader->page->title != NULL || fail(reader, "a title: \"# \" and words");
	}
	if (*line == '|')
		return add_row(reader, line);
	if (*line == '@' && length > 2 && line[length - 1] == '@')
		return add_list(reader, line);
	if (strncmp(line, "## ", 3) == 0)
		add(reader, BLOCK_HEADING, line + 3);
	else if (strncmp(line, "- ", 2) == 0)
		reader->open = add(reader, BLOCK_ITEM, line + 2);
	else if (strncmp(line, "  ", 2) == 0 && strncmp(line, "    ", 4) != 0 && continues(reader, BLOCK_ITEM, line + 2, " "))
		return true;
	else if (strncmp(line, "    ", 4) == 0) {
		if (!continues(reader, BLOCK_CODE, line + 4, "\n"))
			reader->open = add(reader, BLOCK_CODE, line + 4);
	} else if (!continues(reader, BLOCK_PARAGRAPH, line, " "))
		reader->open = add(reader, BLOCK_PARAGRAPH, line);
	return true;
}

bool kit_read_page(struct kit *kit, const char *name, struct kit_page *page)
{
	size_t length;
	struct reader reader = {
		.kit = kit, .path = arena_format(kit->arena, "%s/kit/%s.md", kit->data, name), .page = page, .last = &page->first};
	const char *text = input_read_file(kit->arena, kit->diagnostics, reader.path, &length);
	*page = (struct kit_page){.name = name};
	if (text == NULL)
		return false;
	while (*text != '\0') {
		size_t width = strcspn(text, "\n");
		reader.line++;
		if (!read_line(&reader, arena_format(kit->arena, "%.*s", (int)width, text)))
			return false;
		text += width + (text[width] == '\n');
	}
	return page->title != NULL || fail(&reader, "a page; the file is empty");
}
