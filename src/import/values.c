/* Reads files, lines and numbers as the tools write them. */
#include "import/values.h"

#include "base/file.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK ((size_t)1 << 20)

/* ---- files */

/* *length is above IMPORT_BYTES where there is more. The buffer is the caller's to free. */
static char *read_all(int descriptor, size_t *length, bool *failed)
{
	struct stat status;
	bool regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size < IMPORT_BYTES;
	size_t size = regular ? (size_t)status.st_size + 2 : CHUNK;
	char *bytes = memory_allocate(size);
	*length = 0;
	for (;;) {
		if (size - *length < 2)
			bytes = memory_resize(bytes, size *= 2);
		ssize_t got = read(descriptor, bytes + *length, size - *length - 1);
		if (got < 0 && errno == EINTR)
			continue;
		*failed = got < 0;
		*length += got > 0 ? (size_t)got : 0;
		if (got <= 0 || *length > IMPORT_BYTES)
			return bytes;
	}
}

static bool check_bytes(struct import_build *build, const char *path, bool binary, const char *bytes, size_t length, bool failed)
{
	if (failed)
		diagnose(build->diagnostics, DIAGNOSTIC_FILE_UNREADABLE, path, 0, "expected a file that can be read; %s", strerror(errno));
	else if (length > IMPORT_BYTES - build->bytes)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, path, 0, "expected at most %d bytes in all files", IMPORT_BYTES);
	else if (!binary && memchr(bytes, '\0', length) != NULL)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, path, 0, "expected text; got a file with NUL bytes in it");
	else
		return true;
	return false;
}

/* The bytes stay where they were read until the import ends: a copy would double what a large file takes. */
char *import_read_bytes(struct import_build *build, const char *path, bool binary, size_t *length)
{
	bool failed;
	int descriptor = file_open(build->diagnostics, path);
	if (descriptor < 0)
		return NULL;
	char *bytes = read_all(descriptor, length, &failed);
	file_close(descriptor);
	if (!check_bytes(build, path, binary, bytes, *length, failed)) {
		memory_free(bytes);
		return NULL;
	}
	bytes[*length] = '\0';
	build->bytes += *length;
	build->files = arena_grow(build->arena, build->files, &build->file_capacity, build->file_count + 1, sizeof *build->files);
	return build->files[build->file_count++] = bytes;
}

/* ---- lines */

char *lines_next(struct lines *lines)
{
	char *line = lines->next;
	if (line == NULL || *line == '\0')
		return NULL;
	size_t length = strcspn(line, "\n");
	lines->next = line[length] == '\n' ? line + length + 1 : NULL;
	if (length > 0 && line[length - 1] == '\r')
		line[length - 1] = '\0';
	line[length] = '\0';
	lines->number++;
	return line;
}

char *value_trim(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	size_t length = strlen(text);
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
	return text;
}

const char *value_shorten(struct arena *arena, const char *text, size_t most)
{
	if (strlen(text) <= most)
		return text;
	while (most > 0 && ((unsigned char)text[most] & 0xC0) == 0x80) /* not inside of a character */
		most--;
	return arena_format(arena, "%.*s...", (int)most, text);
}

/* ---- numbers */

/* Names of units in the tools' output, and ours. A thousand, not 1,024: ncu and nsys print decimal prefixes. */
static const struct {
	const char *theirs, *ours;
	enum unit kind;
} unit_names[] = {
	{"ns", "ns", UNIT_TIME},
	{"nsec", "ns", UNIT_TIME},
	{"nsecond", "ns", UNIT_TIME},
	{"us", "us", UNIT_TIME},
	{"usec", "us", UNIT_TIME},
	{"usecond", "us", UNIT_TIME},
	{"\xC2\xB5s", "us", UNIT_TIME},
	{"ms", "ms", UNIT_TIME},
	{"msec", "ms", UNIT_TIME},
	{"msecond", "ms", UNIT_TIME},
	{"s", "s", UNIT_TIME},
	{"sec", "s", UNIT_TIME},
	{"second", "s", UNIT_TIME},
	{"byte", "B", UNIT_BYTES},
	{"bytes", "B", UNIT_BYTES},
	{"B", "B", UNIT_BYTES},
	{"Kbyte", "kB", UNIT_BYTES},
	{"KB", "kB", UNIT_BYTES},
	{"Mbyte", "MB", UNIT_BYTES},
	{"MB", "MB", UNIT_BYTES},
	{"Gbyte", "GB", UNIT_BYTES},
	{"GB", "GB", UNIT_BYTES},
};

/* NULL: not a unit of this kind. What follows a slash ("byte/block", "register/thread") does not count. */
static const char *our_unit(const char *unit, enum unit kind)
{
	size_t length = strcspn(unit, "/");
	if (kind == UNIT_COUNT)
		return "";
	for (size_t i = 0; i < sizeof unit_names / sizeof *unit_names; i++)
		if (unit_names[i].kind == kind && strlen(unit_names[i].theirs) == length &&
			strncmp(unit_names[i].theirs, unit, length) == 0)
			return unit_names[i].ours;
	return NULL;
}

/* "1,532,183,860.38" without its separators; the text itself where it has none or they do not stand in threes. */
static const char *without_separators(struct arena *arena, const char *text)
{
	size_t head = strspn(text, "0123456789"), at = head;
	if (text[head] != ',' || head == 0 || head > 3)
		return text;
	while (text[at] == ',' && strspn(text + at + 1, "0123456789") == 3)
		at += 4;
	if (text[at] != '\0' && text[at] != '.')
		return text;
	char *plain = arena_allocate(arena, strlen(text) + 1, 1), *to = plain;
	for (; *text != '\0'; text++)
		if (*text != ',')
			*to++ = *text;
	return plain;
}

static int64_t complain(
	struct import_build *build, const char *text, const char *unit, const char *expected, const char *what, const char *path, long line)
{
	diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, path, line, "%s: expected %s; got '%s'%s%s", what, expected,
		value_shorten(build->arena, text, VALUE_SHORT), *unit != '\0' ? " in " : "",
		value_shorten(build->arena, unit, VALUE_SHORT));
	return NONE;
}

static const char *const expectations[] = {
	[UNIT_COUNT] = "a whole number",
	[UNIT_TIME] = "a time in ns, us, ms or s",
	[UNIT_BYTES] = "a size in bytes",
};

int64_t value_read(struct import_build *build, const char *text, const char *unit, enum unit kind, enum value_round round, const char *what,
	const char *path, long line)
{
	unit = unit != NULL ? unit : "";
	if (*text == '\0')
		return NONE;
	const char *ours = our_unit(unit, kind);
	struct rational value = RATIONAL_NONE;
	enum units_status status = UNITS_WRONG_UNIT;
	if (ours != NULL && strchr(text, '/') == NULL)
		status = units_parse(
			arena_format(build->row, "%s%s", without_separators(build->row, text), ours), kind, RATIONAL_NONE, &value);
	if (status != UNITS_OK || (round == VALUE_EXACT && value.den != 1))
		return complain(build, text, unit, expectations[kind], what, path, line);
	int64_t whole = rational_ceil(value);
	return whole == NONE ? complain(build, text, unit, "a number that fits 64 bits", what, path, line) : whole;
}

int64_t value_duration(struct import_build *build, const char *text, const char *unit, const char *what, const char *path, long line)
{
	const char *ours = our_unit(unit, UNIT_TIME), *point = strchr(text, '.');
	enum value_round round =
		ours != NULL && strcmp(ours, "ns") == 0 ? VALUE_EXACT : VALUE_UP; /* "3.168" ns may be 3168, by the locale */
	int64_t printed = value_read(build, text, unit, UNIT_TIME, round, what, path, line);
	struct rational digit;
	if (printed == NONE || units_parse(arena_format(build->row, "1%s", ours), UNIT_TIME, RATIONAL_NONE, &digit) != UNITS_OK)
		return printed;
	int64_t step = digit.num; /* ns */
	for (size_t i = 0; point != NULL && point[1 + i] != '\0'; i++)
		step /= 10;
	return step > 1 ? checked_add(printed, step) : printed;
}

/* Kbyte with three decimals is exact; with fewer, or as MB, bytes may be lost. Zero MB may be 499 bytes. */
int64_t value_bytes(
	struct import_build *build, const char *text, const char *unit, bool *rounded, const char *what, const char *path, long line)
{
	const char *ours = our_unit(unit, UNIT_BYTES), *point = strchr(text, '.');
	bool kilo = ours != NULL && strcmp(ours, "kB") == 0;
	bool exact = ours != NULL && (strcmp(ours, "B") == 0 || (kilo && point != NULL && strlen(point) == 4));
	if (*text == '\0' || (ours != NULL && !exact)) {
		*rounded |= *text != '\0';
		return NONE;
	}
	return value_read(build, text, unit, UNIT_BYTES, VALUE_EXACT, what, path, line);
}

bool value_extents(struct import_build *build, const char *text, int64_t extents[3], const char *what, const char *path, long line)
{
	const char *at = text;
	int count = 0;
	for (; count < 3; count++) {
		at += strspn(at, " (,x");
		size_t digits = strspn(at, "0123456789");
		if (digits == 0 || digits > 10)
			break;
		extents[count] = 0;
		for (size_t i = 0; i < digits; i++)
			extents[count] = extents[count] * 10 + (at[i] - '0');
		if (extents[count] == 0)
			break;
		at += digits;
	}
	if (count == 3 && at[strspn(at, " )")] == '\0')
		return true;
	complain(build, text, "", "three extents of at least 1", what, path, line);
	return false;
}
