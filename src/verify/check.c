/* Comparing an attribute with what it has to be. */
#include "verify/check.h"

#include <inttypes.h>
#include <string.h>

void check_differs(struct check *check, const struct xml_element *element, const char *where, const char *expected, const char *found)
{
	struct arena *arena = check->arena;
	diagnose(check->diagnostics, DIAGNOSTIC_NOT_REPRODUCED, check->path, element->line, "%s: expected %s; found %s",
		element_shorten(arena, where, SHORT_MESSAGE), element_shorten(arena, expected, SHORT_MESSAGE),
		element_shorten(arena, found, SHORT_MESSAGE));
}

void check_text(struct check *check, const struct xml_element *element, const char *where, const char *attribute, const char *expected)
{
	const char *found = element_get(element, attribute);
	if (found == expected || (found != NULL && expected != NULL && strcmp(found, expected) == 0))
		return;
	check_differs(check, element, arena_format(check->arena, "%s@%s", where, attribute), expected == NULL ? "nothing" : expected,
		found == NULL ? "nothing" : found);
}

void check_integer(struct check *check, const struct xml_element *element, const char *where, const char *attribute, int64_t expected)
{
	char text[32];
	snprintf(text, sizeof text, "%" PRId64, expected);
	check_text(check, element, where, attribute, checked_is_none(expected) ? NULL : text);
}

void check_rational(
	struct check *check, const struct xml_element *element, const char *where, const char *attribute, struct rational expected)
{
	char text[64];
	if (expected.den == 1)
		snprintf(text, sizeof text, "%" PRId64, expected.num);
	else
		snprintf(text, sizeof text, "%" PRId64 "/%" PRId64, expected.num, expected.den);
	check_text(check, element, where, attribute, rational_is_none(expected) ? NULL : text);
}

void check_flag(struct check *check, const struct xml_element *element, const char *where, const char *attribute, bool expected)
{
	check_text(check, element, where, attribute, expected ? "true" : "false");
}

void check_assumptions(struct check *check, const struct xml_element *element, const char *where, uint64_t expected)
{
	const char *list = NULL;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (expected >> i & 1)
			list = list == NULL ? assumption_kinds[i].id : arena_format(check->arena, "%s %s", list, assumption_kinds[i].id);
	check_text(check, element, where, "assumptions", list);
}

const struct xml_element *check_next(const struct xml_element *element, const char *name)
{
	while (element != NULL && !element_is(element, name))
		element = element->next;
	return element;
}

static size_t folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool check_same_words(const char *text, const char *words)
{
	while (is_blank(*words))
		words++;
	while (*text != '\0' && *text == (is_blank(*words) ? ' ' : *words)) {
		text++;
		for (bool blank = is_blank(*words++); blank && is_blank(*words);)
			words++;
	}
	while (is_blank(*words))
		words++;
	return *text == '\0' && *words == '\0';
}

void check_words(struct check *check, const struct xml_element *element, const char *where, const char *child, const char *expected)
{
	const struct xml_element *found = element_child(element, child);
	if (found == NULL && expected == NULL)
		return;
	if (found == NULL || expected == NULL || !check_same_words(found->text, expected))
		check_differs(check, element, arena_format(check->arena, "%s %s", where, child), expected == NULL ? "nothing" : expected,
			found == NULL ? "nothing" : found->text);
}

const char *check_recorded(const struct check *check, const char *path)
{
	size_t now = folder_of(check->set->path), then = folder_of(check->taskset_path);
	if (path == NULL || strncmp(path, check->set->path, now) != 0)
		return path;
	return arena_format(check->arena, "%.*s%s", (int)then, check->taskset_path, path + now);
}

long check_line(const char *text, const char *at)
{
	long line = 1;
	for (; text < at; text++)
		line += *text == '\n';
	return line;
}
