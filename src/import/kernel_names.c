/* Names of kernels. */
#include "import/kernel_names.h"

#include <ctype.h>
#include <string.h>

#define LONGEST 60

/* ---- mangled names */

/* <length><identifier> at `at`; its length, 0 where there is none. *start: where the identifier begins. */
static size_t source_name(const char *at, const char **start)
{
	size_t length = 0, digits = strspn(at, "0123456789");
	if (digits == 0 || digits > 5)
		return 0;
	for (size_t i = 0; i < digits; i++)
		length = length * 10 + (size_t)(at[i] - '0');
	*start = at + digits;
	return strlen(*start) >= length ? length : 0;
}

/* The last identifier of _Z<name> or _ZN<name><name>...E, before template arguments. */
static const char *demangle_base(struct arena *arena, const char *name)
{
	const char *at = name + 2, *start = NULL, *last = NULL;
	size_t length = 0;
	bool nested = *at == 'N';
	at += nested;
	while (nested && *at != '\0' && strchr("rVK", *at) != NULL)
		at++;
	at += *at == 'L'; /* internal linkage */
	for (size_t found; (found = source_name(at, &start)) > 0; at = start + found) {
		last = start;
		length = found;
		if (!nested)
			break;
	}
	return last != NULL ? arena_format(arena, "%.*s", (int)length, last) : name;
}

/* ---- demangled names */

/* An anonymous namespace, as different demanglers write it, is at the text; its length. */
static size_t anonymous_length(const char *text)
{
	static const char *const words[] = {"(anonymous namespace)", "<unnamed>", "{anonymous}"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(text, words[i], strlen(words[i])) == 0)
			return strlen(words[i]);
	return 0;
}

/* Where the parameters or the template arguments begin; an anonymous namespace is neither. */
static size_t head_length(const char *name)
{
	size_t at = 0;
	for (size_t anonymous; name[at] != '\0'; at += anonymous > 0 ? anonymous : 1) {
		anonymous = anonymous_length(name + at);
		if (anonymous == 0 && (name[at] == '<' || name[at] == '('))
			break;
	}
	return at;
}

const char *name_base(struct arena *arena, const char *name)
{
	if (name[0] == '_' && name[1] == 'Z')
		return demangle_base(arena, name);
	size_t end = head_length(name), start = end;
	while (start > 0 && name[start - 1] != ':' && name[start - 1] != ' ')
		start--;
	return start < end ? arena_format(arena, "%.*s", (int)(end - start), name + start) : name;
}

static bool is_name_character(unsigned char c)
{
	return c < 0x80 && (isalnum(c) || c == '_' || c == '-' || c == '.');
}

const char *name_id(struct arena *arena, const char *text)
{
	size_t length = strlen(text) < LONGEST ? strlen(text) : LONGEST;
	unsigned char first = (unsigned char)text[0];
	bool letter = first < 0x80 && (isalpha(first) || first == '_');
	char *id = arena_format(arena, "%s%.*s", letter ? "" : "_", (int)length, text);
	for (char *c = id; *c != '\0'; c++)
		if (!is_name_character((unsigned char)*c))
			*c = '_';
	return id;
}
