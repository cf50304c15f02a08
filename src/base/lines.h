/* A text file by lines, plain or compressed by gzip.
 *
 * Requires: a path, or "-" for standard input.
 * Provides: one line at a time without its end, valid until the next call, and its number; the name of the one file that uses zlib to
 *           read.
 * Fails:    with a diagnostic: the file cannot be opened or read (file-unreadable); it has more than LINES_BYTES (file-too-large); it is
 *           cut off or damaged, or a line is longer than LINE_MOST, by the codes that the caller gives.
 */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include "base/diagnostics.h"

#include <stdbool.h>

#define LINE_MOST 4096         /* bytes, with its end */
#define LINES_BYTES 1000000000 /* of a file, decompressed */

enum line_status { LINE_READ, LINE_END, LINE_REFUSED };

struct line_reader;

/* NULL with a diagnostic. Closed by line_reader_close. damaged, malformed: the codes for a file that is cut off and for a line too long. */
struct line_reader *line_reader_open(
	struct diagnostics *diagnostics, const char *path, enum diagnostic_code damaged, enum diagnostic_code malformed);
enum line_status line_reader_next(struct line_reader *lines, char **text);
long line_reader_number(const struct line_reader *lines); /* of the line read last; from 1 */
int line_reader_peek(struct line_reader *lines);          /* the next byte, which stays; -1: there is none */
/* All that is left, ended by NUL, in the arena; NULL with a diagnostic where it is more than `most` or cannot be read. */
char *line_reader_rest(struct line_reader *lines, struct arena *arena, size_t most, size_t *length);
/* For a text that is no lines: the next byte; -1 at the end, after which line_reader_ended says whether it is one. The number of the line
 * is that of the byte read last. The limit of LINES_BYTES holds. */
int line_reader_byte(struct line_reader *lines);
bool line_reader_ended(struct line_reader *lines); /* false: after a diagnostic */
void line_reader_close(struct line_reader *lines); /* NULL is fine */

#endif
