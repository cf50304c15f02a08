/* A page as HTML that loads nothing but kit.css beside it. What the first cell of a row names is a place; wherever its name stands, a link
 * leads there. */
#include "kit/kit.h"

#include <ctype.h>
#include <string.h>

struct writer {
	struct output *output;
	const struct kit_page *pages;
	int count, which;
};

/* ---- places */

static bool is_same(const char *cell, const char *word, size_t length)
{
	return strncmp(cell, word, length) == 0 && cell[length] == '\0';
}

/* Of the rows of a page: is one about the word? A name has a letter, a dash and no blank. */
static bool page_has(const struct kit_page *page, const char *word, size_t length)
{
	for (const struct kit_block *block = page->first; block != NULL; block = block->next)
		for (int row = 1; row < block->table.rows; row++)
			if (is_same(block->table.cells[(ptrdiff_t)row * block->table.columns], word, length))
				return true;
	return false;
}

static bool is_name(const char *cell)
{
	return isupper((unsigned char)*cell) && strchr(cell, '-') != NULL && strchr(cell, ' ') == NULL;
}

/* The first page with a row about the word is its home. -1: there is none. */
static int home_of(const struct writer *writer, const char *word, size_t length)
{
	if (!isupper((unsigned char)*word) || memchr(word, '-', length) == NULL)
		return -1;
	for (int i = 0; i < writer->count; i++)
		if (page_has(&writer->pages[i], word, length))
			return i;
	return -1;
}

/* ---- text */

static void add_escaped(struct writer *writer, const char *text, size_t length)
{
	char piece[256];
	while (length > 0) {
		size_t part = length < sizeof piece - 1 ? length : sizeof piece - 1;
		while (part < length && ((unsigned char)text[part] & 0xC0) == 0x80) /* no character is cut */
			part--;
		memcpy(piece, text, part);
		piece[part] = '\0';
		output_add_xml(writer->output, piece);
		text += part;
		length -= part;
	}
}

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '-';
}

/* A name may end in parentheses, as A-WC(g) does. */
static size_t name_length(const struct writer *writer, const char *text)
{
	size_t length = 0;
	while (is_of_name(text[length]))
		length++;
	size_t longer = text[length] == '(' ? strcspn(text + length, ")") : 0;
	if (longer > 0 && text[length + longer] == ')' && home_of(writer, text, length + longer + 1) >= 0)
		return length + longer + 1;
	while (length > 0 && text[length - 1] == '-')
		length--;
	return length;
}

static void add_words(struct writer *writer, const char *text)
{
	bool code = false;
	while (*text != '\0') {
		size_t length = is_of_name(*text) ? name_length(writer, text) : 0;
		int home = length > 0 ? home_of(writer, text, length) : -1;
		if (home >= 0) {
			bool here = home == writer->which;
			output_print(writer->output, "<a href=\"%s%s#", here ? "" : writer->pages[home].name, here ? "" : ".html");
			add_escaped(writer, text, length);
			output_add(writer->output, "\">");
			add_escaped(writer, text, length);
			output_add(writer->output, "</a>");
		} else if (*text == '`') {
			code = !code;
			output_add(writer->output, code ? "<code>" : "</code>");
			length = 1;
		} else {
			length = length > 0 ? length : 1;
			while (((unsigned char)text[length] & 0xC0) == 0x80)
				length++;
			add_escaped(writer, text, length);
		}
		text += length;
	}
	if (code)
		output_add(writer->output, "</code>");
}

static void add_element(struct writer *writer, const char *name, const char *text)
{
	output_print(writer->output, "<%s>", name);
	add_words(writer, text);
	output_print(writer->output, "</%s>\n", name);
}

/* ---- blocks */

static void add_row(struct writer *writer, const struct kit_table *table, int row)
{
	const char *const *cells = table->cells + (ptrdiff_t)row * table->columns;
	bool place = row > 0 && is_name(cells[0]) && home_of(writer, cells[0], strlen(cells[0])) == writer->which;
	output_add(writer->output, place ? "<tr id=\"" : "<tr>");
	if (place) {
		add_escaped(writer, cells[0], strlen(cells[0]));
		output_add(writer->output, "\">");
	}
	for (int column = 0; column < table->columns; column++) {
		if (place && column == 0) { /* it does not link itself */
			output_add(writer->output, "<td>");
			add_escaped(writer, cells[0], strlen(cells[0]));
			output_add(writer->output, "</td>\n");
		} else
			add_element(writer, row == 0 ? "th" : "td", cells[column]);
	}
	output_add(writer->output, "</tr>\n");
}

static void add_table(struct writer *writer, const struct kit_table *table)
{
	output_add(writer->output, "<div class=\"wide\"><table>\n<thead>\n");
	add_row(writer, table, 0);
	output_add(writer->output, "</thead>\n<tbody>\n");
	for (int row = 1; row < table->rows; row++)
		add_row(writer, table, row);
	output_add(writer->output, "</tbody>\n</table></div>\n");
}

static void add_block(struct writer *writer, const struct kit_block *block, bool first_item)
{
	switch (block->kind) {
	case BLOCK_HEADING: add_element(writer, "h2", block->text); break;
	case BLOCK_PARAGRAPH: add_element(writer, "p", block->text); break;
	case BLOCK_TABLE: add_table(writer, &block->table); break;
	case BLOCK_ITEM:
		output_add(writer->output, first_item ? "<ul>\n" : "");
		add_element(writer, "li", block->text);
		output_add(writer->output, block->next == NULL || block->next->kind != BLOCK_ITEM ? "</ul>\n" : "");
		break;
	case BLOCK_CODE:
		output_add(writer->output, "<pre>");
		add_escaped(writer, block->text, strlen(block->text));
		output_add(writer->output, "</pre>\n");
		break;
	}
}

static void add_head(struct writer *writer)
{
	output_add(writer->output, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
				   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1.0\"/>\n"
				   "<link rel=\"stylesheet\" href=\"kit.css\"/>\n<title>");
	output_add_xml(writer->output, writer->pages[writer->which].title);
	output_add(writer->output, "</title>\n</head>\n<body>\n<nav>\n");
	for (int i = 0; i < writer->count; i++) {
		if (i == writer->which)
			output_add(writer->output, "<b>");
		else
			output_print(writer->output, "<a href=\"%s.html\">", writer->pages[i].name);
		output_add_xml(writer->output, writer->pages[i].title);
		output_add(writer->output, i == writer->which ? "</b>\n" : "</a>\n");
	}
	output_add(writer->output, "</nav>\n");
}

void kit_html(struct output *output, const struct kit_page *pages, int count, int which)
{
	struct writer writer = {output, pages, count, which};
	bool in_list = false;
	add_head(&writer);
	add_element(&writer, "h1", pages[which].title);
	for (const struct kit_block *block = pages[which].first; block != NULL; block = block->next) {
		add_block(&writer, block, !in_list);
		in_list = block->kind == BLOCK_ITEM;
	}
	output_add(output, "</body>\n</html>\n");
}
