#include "base/diagnostics.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCREEN_COLUMNS 80
#define CONTINUED 4    /* blanks before what is continued */
#define LETTERS_LOST 4 /* of a row, in the mean, since words are not broken */
#define SCREEN_ROWS 20 /* with a verdict and a prompt below them */
#define ERRORS_SHOWN 2 /* of one code: what one missing fact causes comes once an operation */
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

/* Does it say that a fact about the platform is missing, which somebody can state? gpubound models --check lists all of these at once. */
static bool is_lack(enum diagnostic_code code)
{
	static const enum diagnostic_code lacks[] = {DIAGNOSTIC_PRIORITIES_UNDECLARED, DIAGNOSTIC_CONCURRENT_KERNELS_UNDECLARED,
		DIAGNOSTIC_COPY_NO_ENGINE, DIAGNOSTIC_KERNEL_LIMIT_UNKNOWN, DIAGNOSTIC_INTERFERENCE_UNDECLARED,
		DIAGNOSTIC_OVERHEAD_UNDECLARED, DIAGNOSTIC_RUNLIST_UNDECLARED};
	for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
		if (lacks[i] == code)
			return true;
	return false;
}

int diagnostics_lacks(const struct diagnostics *list, enum diagnostic_level least)
{
	int found = 0;
	for (int i = 0; i < list->count; i++)
		found += diagnostic_kinds[list->items[i].code].level >= least && is_lack(list->items[i].code);
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

/* Bytes of the letter of UTF-8 that begins there; 0: none does. */
static size_t letter_of(const unsigned char *c, const unsigned char *end)
{
	size_t whole = *c < 0x80 ? 1 : *c < 0xC2 ? 0 : *c < 0xE0 ? 2 : *c < 0xF0 ? 3 : *c < 0xF5 ? 4 : 0;
	for (size_t i = 1; i < whole; i++)
		if (c + i >= end || (c[i] & 0xC0) != 0x80)
			return 0;
	return whole;
}

/* Text from outside, with control characters (also the C1 ones of UTF-8) and what is no UTF-8 as \xNN: it may neither forge a line nor
 * steer the terminal. */
static void print_bytes(const char *text, size_t length, FILE *file)
{
	const unsigned char *end = (const unsigned char *)text + length;
	for (const unsigned char *c = (const unsigned char *)text; c < end; c++) {
		size_t whole = letter_of(c, end);
		bool c1 = whole == 2 && c[0] == 0xC2 && c[1] < 0xA0;
		if (whole == 0 || *c < ' ' || *c == 0x7F || c1) {
			fprintf(file, "\\x%02X", *c);
			if (c1)
				fprintf(file, "\\x%02X", *++c);
			continue;
		}
		fwrite(c, 1, whole, file);
		c += whole - 1;
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

/* ---- what does not fit on a screen: by code and kind, the most harmful first */

/* Hazards, the most harmful first; what is not in the list comes behind. */
static const enum diagnostic_code harm[] = {DIAGNOSTIC_HAZARD_PAGEABLE_COPY, DIAGNOSTIC_HAZARD_WATCHDOG,
	DIAGNOSTIC_HAZARD_PRIORITIES_BROKEN, DIAGNOSTIC_HAZARD_PRIORITY_LEVELS, DIAGNOSTIC_HAZARD_SYNCHRONOUS_CALL,
	DIAGNOSTIC_HAZARD_CONFIGURATION_PILE_UP, DIAGNOSTIC_HAZARD_CONFIGURATION_SHUT_OUT, DIAGNOSTIC_HAZARD_MIXED_CONFIGURATIONS,
	DIAGNOSTIC_HAZARD_NULL_STREAM, DIAGNOSTIC_HAZARD_SAME_SM, DIAGNOSTIC_HAZARD_RUNS_AS_KERNEL, DIAGNOSTIC_HAZARD_QUEUE_ALIASING,
	DIAGNOSTIC_HAZARD_QUEUES_UNKNOWN, DIAGNOSTIC_HAZARD_TWO_WARP_BLOCKS, DIAGNOSTIC_HAZARD_NEIGHBOURS, DIAGNOSTIC_HAZARD_IDLE_BLOCKS,
	DIAGNOSTIC_HAZARD_IDLE_SMS};

/* Warnings before hazards, as a bound may hang on them; then hazards by harm; then notes. */
static int rank_of(enum diagnostic_code code)
{
	const int count = (int)(sizeof harm / sizeof *harm);
	int place = 0;
	if (diagnostic_kinds[code].level != LEVEL_HAZARD)
		return diagnostic_kinds[code].level == LEVEL_NOTE ? count + 1 : -1;
	while (place < count && harm[place] != code)
		place++;
	return place;
}

static int rows_of(const struct diagnostic *item)
{
	size_t length = strlen(item->text) + strlen(diagnostic_kinds[item->code].slug) + 20;
	length += item->file != NULL ? strlen(item->file) : 0;
	return (int)(1 + length / (SCREEN_COLUMNS - CONTINUED - LETTERS_LOST));
}

/* Hazards, and what models --check lists at once; other warnings say something else each. */
static bool is_listed(const struct diagnostic *item, enum diagnostic_level least)
{
	enum diagnostic_level level = diagnostic_kinds[item->code].level;
	return level >= least && (level == LEVEL_HAZARD || (level == LEVEL_WARNING && is_lack(item->code)));
}

/* The same but for numbers: layers of a network, blocks of a grid. */
static bool same_kind(const char *a, const char *b)
{
	static const char digits[] = "0123456789";
	while (*a != '\0' && *b != '\0') {
		size_t in_a = strspn(a, digits), in_b = strspn(b, digits);
		if ((in_a > 0) != (in_b > 0) || (in_a == 0 && *a != *b))
			return false;
		a += in_a > 0 ? in_a : 1;
		b += in_b > 0 ? in_b : 1;
	}
	return *a == *b;
}

/* How many there are from this one on that are of its code and kind; they are marked as counted. */
static int count_like(const struct diagnostics *list, int index, bool *counted)
{
	int count = 0;
	for (int i = index; i < list->count; i++)
		if (!counted[i] && list->items[i].code == list->items[index].code &&
			same_kind(list->items[i].text, list->items[index].text)) {
			counted[i] = true;
			count++;
		}
	return count;
}

/* The next code to be shown after `before`, by rank, then by its number; DIAGNOSTIC_COUNT: none. */
static enum diagnostic_code next_code(const struct diagnostics *list, int from, enum diagnostic_level least, enum diagnostic_code before)
{
	enum diagnostic_code best = DIAGNOSTIC_COUNT;
	for (int i = from; i < list->count; i++) {
		enum diagnostic_code code = list->items[i].code;
		bool behind = before == DIAGNOSTIC_COUNT || rank_of(code) > rank_of(before) ||
			      (rank_of(code) == rank_of(before) && code > before);
		if (is_listed(&list->items[i], least) && behind &&
			(best == DIAGNOSTIC_COUNT || rank_of(code) < rank_of(best) || (rank_of(code) == rank_of(best) && code < best)))
			best = code;
	}
	return best;
}

/* The first of the most frequent kind of a code, or where there is no room their number. */
static void print_code(const struct diagnostics *list, int from, enum diagnostic_code code, int *rows, bool colour, FILE *file)
{
	int best = -1, most = 0, all = 0;
	bool *counted = arena_allocate(list->arena, (size_t)list->count + 1, sizeof *counted);
	for (int i = from; i < list->count; i++) {
		all += list->items[i].code == code;
		int like = list->items[i].code == code && !counted[i] ? count_like(list, i, counted) : 0;
		if (like > most) {
			best = i;
			most = like;
		}
	}
	if (best < 0 || rows_of(&list->items[best]) + 1 > *rows) {
		fprintf(file, "gpubound: %s: %d of [%s]\n", levels[diagnostic_kinds[code].level].name, all, diagnostic_kinds[code].slug);
		*rows -= 1;
		return;
	}
	print_one(&list->items[best], colour, file);
	*rows -= rows_of(&list->items[best]);
	if (all > 1) {
		fprintf(file, "    and %d more of [%s]", all - 1, diagnostic_kinds[code].slug);
		if (most > 1 && most < all)
			fprintf(file, ", %d of them like it", most - 1);
		fprintf(file, "\n");
		*rows -= 1;
	}
}

static void print_screen(const struct diagnostics *list, int from, enum diagnostic_level least, bool colour, FILE *file)
{
	int codes = 0;
	enum diagnostic_code code = DIAGNOSTIC_COUNT;
	while ((code = next_code(list, from, least, code)) != DIAGNOSTIC_COUNT)
		codes++;
	int rows = SCREEN_ROWS - codes; /* each is named at least */
	while ((code = next_code(list, from, least, code)) != DIAGNOSTIC_COUNT) {
		rows++;
		print_code(list, from, code, &rows, colour, file);
	}
	fprintf(file, "gpubound: the first of each is shown; -v prints all, and the report has them; gpubound help CODE says what to do\n");
}

static bool fits(const struct diagnostics *list, int from, enum diagnostic_level least)
{
	int rows = 0;
	for (int i = from; i < list->count; i++)
		rows += is_listed(&list->items[i], least) ? rows_of(&list->items[i]) : 0;
	return rows <= SCREEN_ROWS;
}

/* Errors as they came; of one code the first few. */
static void print_errors(const struct diagnostics *list, int from, int lines, bool colour, FILE *file)
{
	const int most = ERRORS_SHOWN;
	int *seen = arena_allocate(list->arena, DIAGNOSTIC_COUNT, sizeof *seen);
	for (int i = from; i < list->count; i++) {
		const struct diagnostic *item = &list->items[i];
		if (diagnostic_kinds[item->code].level != LEVEL_ERROR || seen[item->code]++ >= most)
			continue;
		print_one(item, colour, file);
		if (lines-- > 0)
			print_line(list, item, file);
	}
	for (int code = 0; code < DIAGNOSTIC_COUNT; code++)
		if (seen[code] > most)
			fprintf(file, "gpubound: %d more errors of [%s]; -v prints all\n", seen[code] - most, diagnostic_kinds[code].slug);
}

static bool repeats_errors(const struct diagnostics *list, int from)
{
	int rows = 0;
	for (int i = from; i < list->count; i++)
		rows += diagnostic_kinds[list->items[i].code].level == LEVEL_ERROR ? rows_of(&list->items[i]) : 0;
	return rows > SCREEN_ROWS;
}

static void print_all(const struct diagnostics *list, int from, enum diagnostic_level least, int lines, bool colour, FILE *file)
{
	bool screen = least > LEVEL_NOTE && !fits(list, from, least), few = least > LEVEL_NOTE && repeats_errors(list, from);
	if (few)
		print_errors(list, from, lines, colour, file);
	if (screen)
		print_screen(list, from, least, colour, file);
	for (int i = from; i < list->count; i++) {
		enum diagnostic_level level = diagnostic_kinds[list->items[i].code].level;
		if (level == LEVEL_ERROR ? few : screen && is_listed(&list->items[i], least))
			continue;
		if (level >= least)
			print_one(&list->items[i], colour, file);
		if (level == LEVEL_ERROR && lines-- > 0)
			print_line(list, &list->items[i], file);
	}
	if (list->dropped > 0)
		fprintf(file, "gpubound: %d more diagnostics not shown\n", list->dropped);
}

/* ---- on a terminal: broken between words. Elsewhere a diagnostic is one line, for grep */

/* Columns of a word: a sequence that sets a colour has none, a letter of several bytes has one. */
static int columns_of(const char *word, size_t length)
{
	int columns = 0;
	for (size_t i = 0; i < length; i++) {
		if (word[i] == '\033')
			i += strcspn(word + i, "m");
		else
			columns += (word[i] & 0xC0) != 0x80;
	}
	return columns;
}

/* A line of a file, as print_line writes it: it is not broken. */
static bool is_quoted(const char *text)
{
	size_t number = strspn(text, " 0123456789");
	return number >= strlen("     1 ") && strncmp(text + number, "| ", 2) == 0;
}

/* As much of it as fits. Returns its end. */
static const char *print_quoted(const char *text, FILE *file)
{
	size_t length = strcspn(text, "\n"), shown = length;
	while (columns_of(text, shown) > SCREEN_COLUMNS - (shown < length ? (int)strlen(" ...") : 0))
		shown--;
	while (shown < length && (text[shown] & 0xC0) == 0x80)
		shown--; /* not inside of a letter */
	fprintf(file, "%.*s%s", (int)shown, text, shown < length ? " ..." : "");
	return text + length;
}

static void print_wrapped(const char *text, FILE *file)
{
	int column = 0;
	while (*text != '\0') {
		if (column == 0 && is_quoted(text))
			text = print_quoted(text, file);
		size_t blanks = strspn(text, " "), length = blanks + strcspn(text + blanks, " \n");
		int columns = columns_of(text, length);
		if (column > CONTINUED && column + columns > SCREEN_COLUMNS) {
			column = fprintf(file, "\n%*s", CONTINUED, "") - 1;
			text += blanks;
			length -= blanks;
			columns -= (int)blanks;
		}
		fwrite(text, 1, length, file);
		column += columns;
		text += length;
		if (*text == '\n') {
			putc(*text++, file);
			column = 0;
		}
	}
}

void diagnostics_say(const char *text, FILE *file)
{
	if (isatty(fileno(file)))
		print_wrapped(text, file);
	else
		fputs(text, file);
}

static bool has_any(const struct diagnostics *list, int from, enum diagnostic_level least)
{
	while (from < list->count && diagnostic_kinds[list->items[from].code].level < least)
		from++;
	return from < list->count || list->dropped > 0;
}

void diagnostics_print(const struct diagnostics *list, int from, enum diagnostic_level least, bool colour, FILE *file)
{
	if (!has_any(list, from, least))
		return;
	bool terminal = isatty(fileno(file));
	int lines = least == LEVEL_NOTE || terminal ? LINES_SHOWN : 0;
	char *text = NULL;
	size_t length;
	FILE *memory = open_memstream(&text, &length); /* standard error has no buffer: a call of the system for each letter */
	if (memory != NULL)
		print_all(list, from, least, lines, colour, memory);
	if (memory != NULL && fclose(memory) == 0)
		diagnostics_say(text, file);
	else
		print_all(list, from, least, lines, colour, file);
	free(text);
}
