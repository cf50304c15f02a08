/* Plain text: padded cells, paragraphs wrapped at TEXT_WIDTH columns, as wide as terminals are at least, nothing that could steer a
 * terminal.
 *
 * Requires: UTF-8; a column is a code point.
 * Provides: the pieces the text table is made of.
 * Fails:    never; a word longer than a line stands on its own line.
 */
#ifndef REPORT_TEXT_WRITE_H
#define REPORT_TEXT_WRITE_H

#include "base/output.h"

#define TEXT_WIDTH 80

enum text_style { STYLE_PLAIN, STYLE_GOOD, STYLE_BAD, STYLE_DOUBTFUL, STYLE_HEAD };

int text_columns(const char *text);
void text_add(struct output *output, const char *text); /* control characters become '?' */
/* Padded with blanks to `width` columns: on the right, or on the left where width is negative. */
void text_cell(struct output *output, const char *text, int width, enum text_style style, bool colour);
void text_heading(struct output *output, const char *text, bool colour);
/* `first` begins the paragraph (a blank follows it if it ends in none), `indent` blanks every further line. */
void text_paragraph(struct output *output, const char *first, int indent, const char *text);

#endif
