/* What the tool has to say about its input, each saying with a stable code.
 *
 * Requires: an arena.
 * Provides: a list of diagnostics in the order they arose, with file, line, level, code and text; the worst level of them.
 *           An error is printed with its line of the file where the reader is at a terminal, or asked for everything.
 *           The codes are one table (diagnostics.def) from which messages, gpubound-diagnostics(7) and the tests derive.
 * Fails:    never; past DIAGNOSTICS_LIMIT further errors are counted, not kept.
 */
#ifndef BASE_DIAGNOSTICS_H
#define BASE_DIAGNOSTICS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define DIAGNOSTICS_LIMIT 1000

enum diagnostic_level { LEVEL_NOTE, LEVEL_HAZARD, LEVEL_WARNING, LEVEL_ERROR };

enum diagnostic_code {
#define DIAGNOSTIC(symbol, slug, level, meaning, remedy) DIAGNOSTIC_##symbol,
#include "base/diagnostics.def"
#undef DIAGNOSTIC
	DIAGNOSTIC_COUNT
};

/* One row of the table. slug: the stable code users see. */
struct diagnostic_kind {
	const char *slug;
	enum diagnostic_level level;
	const char *meaning, *remedy;
};

struct diagnostic {
	enum diagnostic_code code;
	const char *file; /* NULL: not about a file */
	long line;        /* 0: unknown */
	const char *text;
};

/* A file that diagnostics may be about. */
struct diagnostic_source {
	const char *file, *bytes;
	size_t length;
	const struct diagnostic_source *next;
};

/* A file that was opened to be read: whatever its names are, by its device and its inode's number. */
struct diagnostic_input {
	const char *file;
	uintmax_t device, number;
	const struct diagnostic_input *next;
};

struct diagnostics {
	struct arena *arena;
	const struct diagnostic_input *inputs;   /* the newest first */
	const struct diagnostic_source *sources; /* the newest first */
	struct diagnostic *items;
	int count, capacity, dropped;
	int errors; /* all of them, dropped ones included */
};

extern const struct diagnostic_kind diagnostic_kinds[DIAGNOSTIC_COUNT];

void diagnostics_init(struct diagnostics *list, struct arena *arena);
void diagnose(struct diagnostics *list, enum diagnostic_code code, const char *file, long line, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* Remembers a file's text, which has to live as long as the list: an error of one of its lines is printed with that line. */
void diagnostics_keep(struct diagnostics *list, const char *file, const char *bytes, size_t length);
/* Remembers that a file was opened: base/file.h asks whether it was. */
void diagnostics_opened(struct diagnostics *list, const char *file, uintmax_t device, uintmax_t number);
const char *diagnostic_level_name(enum diagnostic_level level);                     /* "note", "hazard", "warning", "error" */
int diagnostics_lacks(const struct diagnostics *list, enum diagnostic_level least); /* how many of these, of this level or a worse one */
int diagnostics_count(const struct diagnostics *list, enum diagnostic_code code);
/* Other text for the user; on a terminal broken between words, as diagnostics are. */
void diagnostics_say(const char *text, FILE *file);
void diagnostics_print(const struct diagnostics *list, int from, enum diagnostic_level least, bool colour, FILE *file);

#endif
