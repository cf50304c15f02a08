/* Lines, cells and paragraphs of plain text. */
#include "report/text_write.h"

#include <string.h>

static const char *const styles[] = {
	[STYLE_PLAIN] = "", [STYLE_GOOD] = "\033[32m", [STYLE_BAD] = "\033[31m", [STYLE_DOUBTFUL] = "\033[33m", [STYLE_HEAD] = "\033[1m"};

static int columns_of(const char *text, size_t length)
{
	int columns = 0;
	for (size_t i = 0; i < length; i++)
		columns += ((unsigned char)text[i] & 0xC0) != 0x80;
	return columns;
}

int text_columns(const char *text)
{
	return columns_of(text, strlen(text));
}

/* C0, DEL, and C1 in its UTF-8 form. */
static bool is_control(const char *text, size_t rest)
{
	unsigned char c = (unsigned char)text[0];
	return c < ' ' || c == 0x7F || (c == 0xC2 && rest > 1 && (unsigned char)text[1] < 0xA0);
}

static void add_bytes(struct output *output, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		bool control = is_control(text + i, length - i);
		output_add_bytes(output, control ? "?" : text + i, 1);
		i += control && (unsigned char)text[i] == 0xC2;
	}
}

void text_add(struct output *output, const char *text)
{
	add_bytes(output, text, strlen(text));
}

static void add_styled(struct output *output, const char *text, enum text_style style, bool colour)
{
	bool wanted = colour && style != STYLE_PLAIN;
	output_add(output, wanted ? styles[style] : "");
	text_add(output, text);
	output_add(output, wanted ? "\033[0m" : "");
}

void text_cell(struct output *output, const char *text, int width, enum text_style style, bool colour)
{
	int missing = (width < 0 ? -width : width) - text_columns(text);
	missing = missing > 0 ? missing : 0;
	output_print(output, "%*s", width < 0 ? missing : 0, "");
	add_styled(output, text, style, colour);
	output_print(output, "%*s", width > 0 ? missing : 0, "");
}

void text_heading(struct output *output, const char *text, bool colour)
{
	output_add(output, "\n");
	add_styled(output, text, STYLE_HEAD, colour);
	output_add(output, "\n");
}

void text_paragraph(struct output *output, const char *first, int indent, const char *text)
{
	static const char blanks[] = " \t\r\n";
	int column = text_columns(first);
	bool fresh = *first == '\0' || first[strlen(first) - 1] == ' '; /* no blank is due */
	text_add(output, first);
	for (text += strspn(text, blanks); *text != '\0'; text += strspn(text, blanks)) {
		size_t length = strcspn(text, blanks);
		int wide = columns_of(text, length);
		if (!fresh && column + 1 + wide > TEXT_WIDTH) {
			output_print(output, "\n%*s", indent, "");
			column = indent;
			fresh = true;
		}
		output_add(output, fresh ? "" : " ");
		add_bytes(output, text, length);
		column += wide + !fresh;
		fresh = false;
		text += length;
	}
	output_add(output, "\n");
}
