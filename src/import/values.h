/* Files, lines and numbers as the tools write them.
 *
 * Requires: an arena, diagnostics.
 * Provides: the bytes of a file; its lines; numbers with the unit that a header or a unit row gives them, read exactly.
 * Source:   formats of the tools: units "ns", "nsec", "byte", "Kbyte/block" (1,000 bytes), thousands separators.
 * Fails:    with a diagnostic; the value is NONE then.
 */
#ifndef IMPORT_VALUES_H
#define IMPORT_VALUES_H

#include "import/build.h"

#include <stddef.h>

/* The bytes of a file ("-": standard input), NUL-terminated, in the arena; NULL with a diagnostic. Text with a NUL in it is refused
 * unless binary. */
char *import_read_bytes(struct import_build *build, const char *path, bool binary, size_t *length);

/* Walks over the lines of a text: cuts *text at its end of line, moves it on, counts. NULL at the end. */
struct lines {
	char *next;
	long number;
};
char *lines_next(struct lines *lines);

char *value_trim(char *text); /* cuts blanks at both ends, in place */

enum value_round { VALUE_UP, VALUE_EXACT };

/* `text` in `unit` as the tool names it (NULL or "": none) to base units. kind: UNIT_TIME, UNIT_BYTES or UNIT_COUNT. what: for the
 * message, "Duration". Empty text is NONE without a diagnostic. */
int64_t value_read(struct import_build *build, const char *text, const char *unit, enum unit kind, enum value_round round, const char *what,
	const char *path, long line);

/* A duration, rounded up by one of the last digit that is printed, unless that is of a nanosecond: the tool may have cut the rest off.
 * A part of a nanosecond, of a duration in nanoseconds, is refused. */
int64_t value_duration(struct import_build *build, const char *text, const char *unit, const char *what, const char *path, long line);

/* A number of bytes that the tool may have rounded: NONE and *rounded where it cannot be trusted to a byte. */
int64_t value_bytes(
	struct import_build *build, const char *text, const char *unit, bool *rounded, const char *what, const char *path, long line);

/* Three extents as "(64, 18, 1)", " 148    1    1" or "64x18x1"; false with a diagnostic. */
bool value_extents(struct import_build *build, const char *text, int64_t extents[3], const char *what, const char *path, long line);

/* A text cut to so many bytes, three dots at its end where it was cut. */
const char *value_shorten(struct arena *arena, const char *text, size_t most);

#define VALUE_SHORT 200

#endif
