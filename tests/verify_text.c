/* A report in which one byte changed is refused, and the line of it is named.
 *
 * - every digit outside of <environment>, one at a time: the text is compared with its sums; of every so-manieth the whole report is
 * verified as gpubound verify does, where what is no XML any more, or not valid, is named as well
 * - any other byte, drawn: by another one
 *
 * usage: verify_text SOURCE_ROOT REPORT EVERY DRAWN TASKSET...    REPORT: a file to write; run where the examples are found
 */
#include "analyzed.h"
#include "verify/text_sums.h"
#include "verify/verify.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct subject { /* a report, and what is changed in it */
	const char *name, *path;
	char *text;
	size_t length;
	size_t environment, environment_end, end; /* bytes; after `end` nothing is said */
	const struct xml_element *root;
	long digits, verified, drawn, missed;
};

static bool analyze(struct arena *arena, const char *path, struct subject *subject)
{
	struct output text = {0};
	bool good = analyzed(path, &text);
	if (good) {
		subject->text = arena_allocate(arena, text.length + 1, 1);
		subject->length = text.length;
		memcpy(subject->text, text.text, text.length);
	}
	output_finish(&text);
	return good;
}

static bool open_subject(struct arena *arena, const char *name, const char *path, struct subject *subject)
{
	static struct diagnostics diagnostics;
	struct input_folders folders = input_find_folders(arena);
	*subject = (struct subject){.name = name, .path = path};
	if (!analyze(arena, name, subject))
		return false;
	diagnostics_init(&diagnostics, arena);
	subject->environment = (size_t)(strstr(subject->text, "<environment") - subject->text);
	subject->environment_end = (size_t)(strchr(subject->text + subject->environment, '>') + 1 - subject->text);
	subject->end = (size_t)(strstr(subject->text, "</report>") - subject->text);
	subject->root = xml_read(arena, &diagnostics, "report", folders.schemas, name, subject->text, subject->length);
	return subject->root != NULL;
}

static bool is_inside(const struct subject *subject, size_t at)
{
	return at >= subject->environment && at < subject->environment_end;
}

static long line_of(const struct subject *subject, size_t at)
{
	long line = 1;
	for (size_t i = 0; i < at; i++)
		line += subject->text[i] == '\n';
	return line;
}

/* Is there an error that names this line, or the one next to it? */
static bool is_named(const struct diagnostics *diagnostics, long line, long near)
{
	for (int i = 0; i < diagnostics->count; i++)
		if (diagnostic_kinds[diagnostics->items[i].code].level == LEVEL_ERROR && diagnostics->items[i].line >= line - near &&
			diagnostics->items[i].line <= line + near)
			return true;
	return false;
}

static void miss(struct subject *subject, size_t at, char was, const char *what)
{
	if (subject->missed++ < 10)
		fprintf(stderr, "%s:%ld: '%c' as '%c': %s\n", subject->name, line_of(subject, at), was, subject->text[at], what);
}

/* The sums alone. */
static void compare(struct subject *subject, size_t at, char was)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	struct check check = {.arena = arena, .diagnostics = &diagnostics, .path = subject->name, .root = subject->root};
	text_compare(&check, subject->text);
	if (!is_named(&diagnostics, line_of(subject, at), 0))
		miss(subject, at, was, "the sums do not say where");
	arena_destroy(arena);
}

/* All of it. */
static void verify(struct subject *subject, size_t at, char was, long near)
{
	static const char *const files[] = {NULL};
	static const struct verify_options none = {files, NULL, NULL, false};
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct verified verified;
	struct input_folders folders = input_find_folders(arena);
	FILE *file = fopen(subject->path, "wb");
	bool written = file != NULL && fwrite(subject->text, 1, subject->length, file) == subject->length;
	written = (file == NULL || fclose(file) == 0) && written;
	diagnostics_init(&diagnostics, arena);
	if (!written || verify_report(arena, &diagnostics, &folders, subject->path, &none, &verified) == VERIFY_GOOD)
		miss(subject, at, was, "taken for good");
	else if (!is_named(&diagnostics, line_of(subject, at), near))
		miss(subject, at, was, "refused, but not by its line");
	arena_destroy(arena);
}

static void flip_digits(struct subject *subject, long every)
{
	for (size_t at = 0; at < subject->end; at++) {
		char was = subject->text[at];
		if (!isdigit((unsigned char)was) || is_inside(subject, at))
			continue;
		subject->text[at] = was == '9' ? '0' : (char)(was + 1);
		compare(subject, at, was);
		if (subject->digits++ % every == 0) {
			verify(subject, at, was, 0);
			subject->verified++;
		}
		subject->text[at] = was;
	}
}

/* By a multiplicative congruential generator, so that the same bytes are drawn everywhere. */
static size_t draw(uint64_t *state, size_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)((*state >> 33) % below);
}

static void change_bytes(struct subject *subject, long count, uint64_t seed)
{
	static const char others[] = "x 7<\"&\n>";
	size_t begin = (size_t)(strstr(subject->text, "<report") - subject->text);
	while (subject->drawn < count) {
		size_t at = begin + draw(&seed, subject->end - 1 - begin);
		char was = subject->text[at], is = others[draw(&seed, sizeof others - 1)];
		bool around = at + 3 >= subject->environment && at < subject->environment_end + 3; /* with the blanks around it */
		if (was == is || around)
			continue;
		subject->text[at] = is;
		verify(subject, at, was, 1);
		subject->text[at] = was;
		subject->drawn++;
	}
}

int main(int count, char **words)
{
	long missed = 0, digits = 0, verified = 0, drawn = 0;
	if (count < 6 || chdir(words[1]) != 0)
		return 2;
	for (int i = 5; i < count; i++) {
		struct arena *arena = arena_create();
		struct subject subject;
		if (!open_subject(arena, words[i], words[2], &subject)) {
			fprintf(stderr, "%s: no report\n", words[i]);
			return 2;
		}
		if (strtol(words[3], NULL, 10) > 0)
			flip_digits(&subject, strtol(words[3], NULL, 10));
		change_bytes(&subject, strtol(words[4], NULL, 10), (uint64_t)i);
		missed += subject.missed;
		digits += subject.digits;
		verified += subject.verified;
		drawn += subject.drawn;
		arena_destroy(arena);
	}
	printf("%ld digits changed, %ld of them verified in full; %ld other bytes changed; %ld not refused by their line\n", digits,
		verified, drawn, missed);
	return missed > 0 || digits + drawn == 0;
}
