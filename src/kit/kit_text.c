/* A page as plain text, TEXT_WIDTH columns. */
#include "kit/kit.h"
#include "report/text_write.h"

#include <stdio.h>
#include <string.h>

static void add_rule(struct output *output, const char *text, char mark)
{
	output_print(output, "%s\n", text);
	for (int i = text_columns(text); i > 0; i--)
		output_print(output, "%c", mark);
	output_add(output, "\n\n");
}

/* Each row a paragraph of its first cell, and under it the others with their heads. */
static void add_table(struct output *output, const struct kit_table *table)
{
	for (int row = 1; row < table->rows; row++) {
		const char *const *cells = table->cells + (ptrdiff_t)row * table->columns;
		text_paragraph(output, "", 0, cells[0]);
		for (int column = 1; column < table->columns; column++) {
			if (*cells[column] == '\0')
				continue;
			char head[TEXT_WIDTH];
			snprintf(head, sizeof head, "    %s: ", table->cells[column]);
			text_paragraph(output, head, 8, cells[column]);
		}
		output_add(output, "\n");
	}
}

static void add_code(struct output *output, const char *text)
{
	while (*text != '\0') {
		size_t width = strcspn(text, "\n");
		output_print(output, "    %.*s\n", (int)width, text);
		text += width + (text[width] == '\n');
	}
	output_add(output, "\n");
}

static void add_block(struct output *output, const struct kit_block *block)
{
	switch (block->kind) {
	case BLOCK_HEADING: add_rule(output, block->text, '-'); break;
	case BLOCK_TABLE: add_table(output, &block->table); break;
	case BLOCK_CODE: add_code(output, block->text); break;
	case BLOCK_ITEM: text_paragraph(output, "- ", 2, block->text); break;
	case BLOCK_PARAGRAPH: text_paragraph(output, "", 0, block->text); break;
	}
	bool list_goes_on = block->kind == BLOCK_ITEM && block->next != NULL && block->next->kind == BLOCK_ITEM;
	if (block->kind == BLOCK_PARAGRAPH || (block->kind == BLOCK_ITEM && !list_goes_on))
		output_add(output, "\n");
}

void kit_text(struct output *output, const struct kit_page *page)
{
	add_rule(output, page->title, '=');
	for (const struct kit_block *block = page->first; block != NULL; block = block->next)
		add_block(output, block);
}
