#include "base/diagnostics.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define LINE_SHOWN 160 /* bytes of a line */
#define LINES_SHOWN 20 /* each is looked for from the file's beginning */

const struct diagnostic_kind diagnostic_kinds[DIAGNOSTIC_COUNT] = {
#define DIAGNOSTIC(symbol, slug, level, meaning, remedy) {slug, LEVEL_##level, meaning, remedy},
#include "base/diagnostics.def"
#undef DIAGNOSTIC
};

static const struct {
	const char *name, *colour;
} levels[] = {
	[LEVEL_NOTE] = {"note", "\033[36m"},
	[LEVEL_HAZARD] = {"hazard", "\033[35m"},
	[LEVEL_WARNING] = {"warning", "\033[33m"},
	[LEVEL_ERROR] = {"error", "\033[31m"},
};

const char *diagnostic_level_name(enum diagnostic_level level)
{
	return levels[level].name;
}

void diagnostics_init(struct diagnostics *list, struct arena *arena)
{
	*list = (struct diagnostics){.arena = arena};
}

void diagnose(struct diagnostics *list, enum diagnostic_code code, const char *file, long line, const char *format, ...)
{
	if (diagnostic_kinds[code].level == LEVEL_ERROR)
		list->errors++;
	if (list->count >= DIAGNOSTICS_LIMIT) {
		list->dropped++;
		return;
	}
	va_list arguments;
	va_start(arguments, format);
	char *text = arena_format_list(list->arena, format, arguments);
	va_end(arguments);
	list->items = arena_grow(list->arena, list->items, &list->capacity, list->count + 1, sizeof *list->items);
	list->items[list->count++] = (struct diagnostic){code, arena_copy(list->arena, file), line, text};
}

int diagnostics_count(const struct diagnostics *list, enum diagnostic_code code)
{
	int found = 0;
	for (int i = 0; i < list->count; i++)
		found += list->items[i].code == code;
	return found;
}

void diagnostics_keep(struct diagnostics *list, const char *file, const char *bytes, size_t length)
{
	struct diagnostic_source *source = arena_allocate(list->arena, 1, sizeof *source);
	*source = (struct diagnostic_source){arena_copy(list->arena, file), bytes, length, list->sources};
	list->sources = source;
}

void diagnostics_opened(struct diagnostics *list, const char *file, uintmax_t device, uintmax_t number)
{
	struct diagnostic_input *input = arena_allocate(list->arena, 1, sizeof *input);
	*input = (struct diagnostic_input){arena_copy(list->arena, file), device, number, list->inputs};
	list->inputs = input;
}

/* Text from outside, with control characters (also the C1 ones of UTF-8) as \xNN: it may neither forge a line nor steer the terminal. */
static void print_bytes(const char *text, size_t length, FILE *file)
{
	const unsigned char *end = (const unsigned char *)text + length;
	for (const unsigned char *c = (const unsigned char *)text; c < end; c++) {
		bool c1 = c[0] == 0xC2 && c + 1 < end && c[1] >= 0x80 && c[1] < 0xA0;
		if (*c >= ' ' && *c != 0x7F && !c1)
			putc(*c, file);
		else
			fprintf(file, "\\x%02X", *c);
		if (c1)
			fprintf(file, "\\x%02X", *++c);
	}
}

static void print_text(const char *text, FILE *file)
{
	print_bytes(text, strlen(text), file);
}

/* The text of a line, without blanks before it; NULL where the file is not kept or has no such line. */
static const char *find_line(const struct diagnostics *list, const struct diagnostic *item, size_t *length)
{
	const struct diagnostic_source *source = list->sources;
	while (source != NULL && (item->file == NULL || strcmp(source->file, item->file) != 0))
		source = source->next;
	if (source == NULL || item->line <= 0)
		return NULL;
	const char *at = source->bytes, *end = at + source->length;
	for (long line = 1; line < item->line && at != NULL; line++) {
		at = memchr(at, '\n', (size_t)(end - at));
		at = at != NULL ? at + 1 : NULL;
	}
	while (at != NULL && at < end && (*at == ' ' || *at == '\t'))
		at++;
	const char *stop = at != NULL ? memchr(at, '\n', (size_t)(end - at)) : NULL;
	*length = at != NULL ? (size_t)((stop != NULL ? stop : end) - at) : 0;
	return *length > 0 ? at : NULL;
}

static void print_line(const struct diagnostics *list, const struct diagnostic *item, FILE *file)
{
	size_t length, shown;
	const char *text = find_line(list, item, &length);
	if (text == NULL)
		return;
	for (shown = length < LINE_SHOWN ? length : LINE_SHOWN; shown < length && shown > 0 && (text[shown] & 0xC0) == 0x80; shown--)
		; /* not inside of a character */
	fprintf(file, "%6ld | ", item->line);
	print_bytes(text, shown - (shown == length && text[length - 1] == '\r'), file);
	fprintf(file, "%s\n", shown < length ? " ..." : "");
}

static void print_one(const struct diagnostic *item, bool colour, FILE *file)
{
	const struct diagnostic_kind *kind = &diagnostic_kinds[item->code];
	print_text(item->file != NULL ? item->file : "gpubound", file);
	if (item->line > 0)
		fprintf(file, ":%ld", item->line);
	fprintf(file, ": %s%s%s: ", colour ? levels[kind->level].colour : "", levels[kind->level].name, colour ? "\033[0m" : "");
	print_text(item->text, file);
	fprintf(file, " [%s]\n", kind->slug);
}

void diagnostics_print(const struct diagnostics *list, int from, enum diagnostic_level least, bool colour, FILE *file)
{
	int lines = least == LEVEL_NOTE || isatty(fileno(file)) ? LINES_SHOWN : 0;
	for (int i = from; i < list->count; i++) {
		enum diagnostic_level level = diagnostic_kinds[list->items[i].code].level;
		if (level >= least)
			print_one(&list->items[i], colour, file);
		if (level == LEVEL_ERROR && lines-- > 0)
			print_line(list, &list->items[i], file);
	}
	if (list->dropped > 0)
		fprintf(file, "gpubound: %d more diagnostics not shown\n", list->dropped);
}
