/* libxml2's validation messages in our words, where ours say more. */
#include "input/explain.h"

#include "base/units.h"
#include "input/xml.h"

#include <string.h>

/* What a simple type of the schemas wants. */
static const struct {
	const char *type, *expected;
	int unit; /* an enum unit, or -1: expected says it */
} types[] = {
	{"time", NULL, UNIT_TIME},
	{"size", NULL, UNIT_BYTES},
	{"factor", NULL, UNIT_FACTOR},
	{"count", NULL, UNIT_COUNT},
	{"positive", "a whole number, at least 1", -1},
	{"level", "a priority level: a whole number, 0 is the highest", -1},
	{"percent", "a whole number from 0 to 100", -1},
	{"resident-blocks", "a whole number from 1 to 9999", -1},
	{"quantity", "a number and its unit, such as 16, 33us, 48KiB or 1.3005GHz", -1},
	{"declared-value", "a number and its unit, such as 16, 33us, 48KiB or 1.3005GHz, or the name of a choice", -1},
	{"extents", "extents such as 8x4 or 256", -1},
	{"id", "a name that begins with a letter or an underscore and has no colon or space", -1},
	{"text", "a text that is not empty", -1},
	{"compute-capability", "a major and a minor version, such as 7.2", -1},
	{"engine", "the number of a copy engine, or compute", -1},
};

static const char *expectation(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i].type) == length && strncmp(types[i].type, name, length) == 0)
			return types[i].unit < 0 ? types[i].expected : units_expected((enum unit)types[i].unit);
	return NULL;
}

/* The expectation of the type that a message of the form "... of the atomic type '{urn:...}NAME'." names. */
static const char *expected_by_type(const char *message)
{
	const char *name = strstr(message, "of the atomic type '");
	name = name != NULL ? strchr(name, '}') : NULL;
	return name != NULL ? expectation(name + 1, strcspn(name + 1, "'")) : NULL;
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

const char *explain_violation(struct arena *arena, const char *message, const char *element, const char *attribute, const char *value)
{
	if (strstr(message, "[facet 'pattern']") != NULL || strstr(message, "[facet 'minLength']") != NULL ||
		strstr(message, "of the list type") != NULL)
		return NULL; /* another message names the type */
	const char *expected = expected_by_type(message), *got = element_shorten(arena, value);
	if (expected != NULL && attribute != NULL)
		return arena_format(arena, "attribute \"%s\" of <%s>: expected %s; got \"%s\"", attribute, element, expected, got);
	if (expected != NULL)
		return arena_format(arena, "text of <%s>: expected %s; got \"%s\"", element, expected, got);
	if (strstr(message, "is not a valid value of the atomic type") != NULL)
		return NULL; /* the facet's message lists what is allowed */
	const char *hint = strstr(message, "is not allowed") != NULL ? " The manual of the format lists what may stand here." : "";
	return arena_format(arena, "%s%s", strip(arena, message), hint);
}
