/* libxml2's validation messages in our words, where ours say more. */
#include "input/schema_complaint.h"

#include "base/suggest.h"
#include "base/units.h"
#include "input/xml.h"

#include <string.h>

/* What the simple types of the schemas want, by the ends of their patterns. */
static const struct {
	const char *pattern, *expected;
	int unit; /* an enum unit, or -1: expected says it */
} types[] = {
	{" ?(ns|us|ms|s|cycles)", NULL, UNIT_TIME},
	{" ?(B|kB|MB|GB|KiB|MiB|GiB)", NULL, UNIT_BYTES},
	{"(/[0-9]+(\\.[0-9]+)?)?", NULL, UNIT_FACTOR},
	{"[0-9]{1,18}", NULL, UNIT_COUNT},
	{"[1-9][0-9]{0,17}", "a whole number, at least 1", -1},
	{"[0-9]{1,4}",
		"a priority level: a whole number, 0 is the highest (CUDA's numbers, of which 0 is the lowest, go into cuda-priority)", -1},
	{"0|-[1-9][0-9]{0,3}", "a priority as CUDA has it: 0, the lowest, or a negative number, such as -5", -1},
	{"[0-9]|[1-9][0-9]|100", "a whole number from 0 to 100", -1},
	{"[1-9][0-9]{0,1}", "a whole number from 1 to 99", -1},
	{" ?([A-Za-z]+)?", "a number and its unit, such as 16, 33us, 48KiB or 1.3005GHz", -1},
	{"|[a-z]+", "a number and its unit, such as 16, 33us, 48KiB or 1.3005GHz, or the name of a choice", -1},
	{"(x[1-9][0-9]{0,9}){0,2}", "extents such as 8x4 or 256", -1},
	{"[\\c-[:]]*", "a name that begins with a letter or an underscore and has no colon or space", -1},
	{"\\.[0-9]", "a major and a minor version, such as 7.2", -1},
	{"-?[0-9]{1,5}", "a whole number of pixels, such as 16 or -3", -1},
	{"[0-9]{1,5}", "a whole number of pixels, such as 512", -1},
	{"([0-9]|[1-9][0-9])( ([0-9]|[1-9][0-9])){0,63}", "numbers of texture processors, such as 0 2 4 1 5 3", -1},
	{"0x[0-9a-f]{1,4}", "an offset as disassembled code has it, such as 0x220", -1},
	{"[0-9]{1,3}|compute", "the number of a copy engine, or compute", -1},
};

static const char *expected_by_pattern(const char *pattern, size_t length)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		size_t size = strlen(types[i].pattern);
		if (size <= length && strncmp(types[i].pattern, pattern + length - size, size) == 0)
			return types[i].unit < 0 ? types[i].expected : units_expected((enum unit)types[i].unit);
	}
	return NULL;
}

/* What was expected where the message is "... The value 'VALUE' is not accepted by the pattern 'PATTERN'." or says that it is empty. */
static const char *expected_by(const char *message)
{
	static const char before[] = "is not accepted by the pattern '";
	const char *pattern = strstr(message, before);
	if (strstr(message, "[facet 'minLength']") != NULL)
		return "a text that is not empty";
	if (pattern == NULL)
		return NULL;
	pattern += sizeof before - 1;
	const char *end = strrchr(pattern, '\'');
	return end != NULL ? expected_by_pattern(pattern, (size_t)(end - pattern)) : NULL;
}

/* The VALUE of such a message. */
static const char *value_in(struct arena *arena, const char *message)
{
	static const char before[] = "The value '";
	const char *value = strstr(message, before), *end = value != NULL ? strstr(value, "' is not accepted") : NULL;
	end = value != NULL && end == NULL ? strstr(value, "' has a length") : end;
	if (end == NULL)
		return "";
	value += sizeof before - 1;
	return arena_format(arena, "%.*s", (int)(end - value), value);
}

/* Without the namespaces in braces, and without the newline. */
static const char *strip(struct arena *arena, const char *message)
{
	char *text = arena_copy(arena, message), *to = text;
	for (const char *from = text; *from != '\0'; from++) {
		const char *close = *from == '{' && strncmp(from, "{urn:", 5) == 0 ? strchr(from, '}') : NULL;
		if (close != NULL)
			from = close;
		else if (*from != '\n')
			*to++ = *from;
	}
	*to = '\0';
	return text;
}

/* "attribute "NAME"" where the message is "Element '...', attribute 'NAME': ...", else "text". */
static const char *place_in(struct arena *arena, const char *message)
{
	static const char before[] = ", attribute '";
	const char *name = strstr(message, before), *colon = strstr(message, "': ");
	if (name == NULL || colon == NULL || name > colon)
		return "text";
	name += sizeof before - 1;
	return arena_format(arena, "attribute \"%.*s\"", (int)strcspn(name, "'"), name);
}

/* "... The value 'VALUE' is not an element of the set {'A', 'B'}.": the set is long at times, and a mistyped word is near one of it. */
static const char *choice_in(struct arena *arena, const char *message, const char *element)
{
	static const char before[] = "The value '", set[] = "' is not an element of the set {";
	const char *value = strstr(message, before), *words = value != NULL ? strstr(value, set) : NULL;
	if (words == NULL)
		return NULL;
	char *got = arena_format(arena, "%.*s", (int)(words - value - (long)(sizeof before - 1)), value + sizeof before - 1);
	char *list = arena_copy(arena, words + sizeof set - 1);
	struct suggestion suggestion = suggest_for(got);
	const char *all = "";
	int count = 0;
	for (const char *word = strtok(list, "'"); word != NULL; word = strtok(NULL, "'")) {
		if (*word == ',' || *word == '}')
			continue;
		suggest_offer(&suggestion, word);
		all = arena_format(arena, "%s%s%s", all, count++ > 0 ? ", " : "", word);
	}
	const char *what = suggestion.nearest != NULL ? arena_format(arena, "%d words", count) : all;
	return arena_format(arena, "%s of <%s>: expected one of %s; got \"%s\"%s", place_in(arena, message), element, what,
		element_shorten(arena, got, SHORT_VALUE), suggest_hint(arena, suggestion.nearest, '"'));
}

const char *schema_complaint_explain(struct arena *arena, const char *message, const char *element, const char *nearest)
{
	const char *expected = expected_by(message);
	if (expected != NULL) {
		const char *got = element_shorten(arena, value_in(arena, message), SHORT_VALUE);
		return arena_format(arena, "%s of <%s>: expected %s; got \"%s\"", place_in(arena, message), element, expected, got);
	}
	if (strstr(message, "is not a valid value of") != NULL)
		return NULL; /* the facet's message says more */
	const char *choice = choice_in(arena, message, element);
	if (choice != NULL)
		return choice;
	bool misplaced = strstr(message, "is not allowed") != NULL || strstr(message, "is not expected.") != NULL;
	const char *hint = strstr(message, "Expected is") == NULL ? " The manual of the format lists what may stand here." : "";
	if (misplaced && nearest != NULL)
		hint = arena_format(arena, " Did you mean '%s'?", nearest);
	return arena_format(arena, "%s%s", element_shorten(arena, strip(arena, message), SHORT_MESSAGE), misplaced ? hint : "");
}
