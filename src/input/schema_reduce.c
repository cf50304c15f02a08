/* Definitions are found by how they are written: each begins a line, behind one tab. Where one is written otherwise it is a part of what
 * stands before it and goes with it, and then the schema does not compile. */
#include "input/schema_reduce.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DEFINITIONS_MOST 256

static bool starts(const char *at, const char *text)
{
	return strncmp(at, text, strlen(text)) == 0;
}

/* To `to`, which is not behind it; the end of it there. */
static char *move(char *to, const char *from, const char *end)
{
	return (char *)memmove(to, from, (size_t)(end - from)) + (end - from);
}

/* ---- words of the file: bits of their hashes (FNV-1a), so that none is missed */

#define WORDS_LOG 14

struct words {
	uint64_t bits[1 << (WORDS_LOG - 6)];
};

/* What no name has, and no value that a schema lists. */
static bool is_between(char c)
{
	return (unsigned char)c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>' || c == '=' || c == '/' || c == ':';
}

/* Behind the word. */
static const char *hash_word(const char *at, uint32_t *bit)
{
	uint32_t hash = UINT32_C(2166136261);
	for (; !is_between(*at); at++)
		hash = (hash ^ (unsigned char)*at) * UINT32_C(16777619);
	*bit = hash >> (32 - WORDS_LOG);
	return at;
}

static void find_words(struct words *words, const char *file)
{
	uint32_t bit;
	for (const char *at = file; *at != '\0'; at += *at != '\0') {
		at = hash_word(at, &bit);
		words->bits[bit / 64] |= UINT64_C(1) << bit % 64;
	}
}

static bool has_word(const struct words *words, const char *word)
{
	uint32_t bit;
	hash_word(word, &bit);
	return (words->bits[bit / 64] >> bit % 64 & 1) != 0;
}

/* ---- tags of the schema */

enum tag_kind { TAG_CHOICE, TAG_SEQUENCE, TAG_VALUE, TAG_ELEMENT, TAG_ATTRIBUTE, TAG_OTHER };

struct tag {
	enum tag_kind kind;
	char *from, *end; /* from "<" to behind ">"; NULL: there is none */
	bool opens, closes;
};

/* Behind each of these, but the first two, is a name or a value. */
static const char *const begins[] = {
	"<xs:choice", "<xs:sequence", "<xs:enumeration value=\"", "<xs:element name=\"", "<xs:attribute name=\""};

static enum tag_kind kind_of(const char *at)
{
	int kind = TAG_CHOICE;
	while (kind < TAG_OTHER && !starts(at, begins[kind]))
		kind++;
	return (enum tag_kind)kind;
}

/* NULL: it does not end. */
static char *behind_tag(char *at)
{
	while (at != NULL && *(at += strcspn(at, "\">")) == '"') {
		at = strchr(at + 1, '"');
		at += at != NULL;
	}
	return at != NULL && *at == '>' ? at + 1 : NULL;
}

/* The first one at `at` or behind it; comments are none. */
static struct tag find_tag(char *at, const char *end)
{
	while ((at = strchr(at, '<')) != NULL && starts(at, "<!--"))
		at = strstr(at, "-->") != NULL ? strstr(at, "-->") : at + 1;
	char *behind = at != NULL && at < end ? behind_tag(at) : NULL;
	if (behind == NULL || behind > end)
		return (struct tag){.from = NULL};
	bool closes = at[1] == '/';
	return (struct tag){kind_of(at), at, behind, !closes && behind[-2] != '/', closes};
}

/* Behind it and all that is in it; NULL: it does not end. */
static char *behind_element(struct tag tag, const char *end)
{
	for (int depth = tag.opens; depth > 0 && tag.from != NULL; depth += tag.opens - tag.closes)
		tag = find_tag(tag.end, end);
	return tag.end;
}

static char *find_in(const struct tag *tag, const char *text)
{
	char *at = tag->from;
	while ((at = memchr(at, *text, (size_t)(tag->end - at))) != NULL && !starts(at, text))
		at++;
	return at;
}

/* May a file do without it? Of a choice, and of values, one stays, whatever it is. before: the last tag that stays. */
static bool may_go(const struct tag *tag, enum tag_kind before, bool in_choice)
{
	switch (tag->kind) {
	case TAG_ELEMENT: return (in_choice && before != TAG_CHOICE) || find_in(tag, " minOccurs=\"0\"") != NULL;
	case TAG_ATTRIBUTE: return find_in(tag, "use=\"required\"") == NULL;
	case TAG_VALUE: return before == TAG_VALUE;
	default: return false;
	}
}

/* What an attribute is where it is absent makes no file valid; it would have to be one of its values. */
static void blank_default(const struct tag *tag)
{
	static const char before[] = " default=\"";
	char *from = tag->kind == TAG_ATTRIBUTE ? find_in(tag, before) : NULL;
	if (from != NULL)
		memset(from, ' ', (size_t)(strchr(from + strlen(before), '"') + 1 - from));
}

/* ---- definitions */

struct definition {
	char *from, *end;
	const char *name; /* up to its quote */
	bool wanted;
};

struct reduction {
	struct words words;
	struct definition definitions[DEFINITIONS_MOST];
	int count;
};

/* What the file does not name, where that may be. Of a sequence the last one stays if no other does: a type whose sequence is empty has no
 * content, and does not let white space pass, either. */
static void cut_absent(const struct words *words, struct definition *definition)
{
	enum tag_kind before = TAG_OTHER;
	uint64_t choices = 0; /* of the elements that are open, the innermost last: is it a choice? */
	char *to = definition->from, *from = to;
	for (struct tag tag = find_tag(from, definition->end); tag.from != NULL; tag = find_tag(tag.end, definition->end)) {
		bool named = tag.kind < TAG_VALUE || tag.kind == TAG_OTHER || has_word(words, tag.from + strlen(begins[tag.kind]));
		char *behind = !named && may_go(&tag, before, (choices & 1) != 0) ? behind_element(tag, definition->end) : NULL;
		if (behind != NULL && !(before == TAG_SEQUENCE && find_tag(behind, definition->end).closes)) {
			to = move(to, from, tag.from);
			tag.end = from = behind;
			continue;
		}
		blank_default(&tag);
		choices = tag.opens ? choices << 1 | (tag.kind == TAG_CHOICE) : choices >> tag.closes;
		before = tag.closes ? before : tag.kind;
	}
	definition->end = move(to, from, definition->end);
}

static void visit(struct reduction *reduction, struct definition *definition);

/* Types, groups and elements may have one name. */
static void visit_named(struct reduction *reduction, const char *name, size_t length) /* with its quote */
{
	for (struct definition *definition = reduction->definitions; definition < reduction->definitions + reduction->count; definition++)
		if (!definition->wanted && *definition->name == *name && strncmp(definition->name, name, length) == 0)
			visit(reduction, definition);
}

/* Is `word` what stands before `at`? */
static bool is_before(const char *at, const char *from, const char *word)
{
	size_t length = strlen(word);
	return (size_t)(at - from) >= length && memcmp(at - length, word, length) == 0;
}

/* Value by value: name="VALUE". */
static void visit(struct reduction *reduction, struct definition *definition)
{
	definition->wanted = true;
	cut_absent(&reduction->words, definition);
	for (char *last = definition->from, *at, *end; (at = strstr(last, "=\"")) != NULL && at < definition->end; last = end + 1) {
		char *value = at + 2;
		end = strchr(value, '"');
		if (end == NULL)
			return;
		if (is_before(at, last, "ype") || is_before(at, last, " base") || is_before(at, last, " ref")) /* type, itemType */
			visit_named(reduction, value, (size_t)(end + 1 - value));
	}
}

/* False: there are too many. */
static bool find_definitions(struct reduction *reduction, char *schema)
{
	static const char begin[] = "\n\t<xs:", close[] = "\n</xs:schema>", before_name[] = " name=\"";
	for (char *at = strstr(schema, begin), *next; at != NULL; at = next) {
		next = strstr(at + 1, begin);
		char *end = next != NULL ? next : strstr(at, close);
		const char *name = strstr(at, before_name);
		if (reduction->count == DEFINITIONS_MOST || end == NULL || name == NULL)
			return false;
		reduction->definitions[reduction->count++] = (struct definition){at, end, name + sizeof before_name - 1, false};
	}
	return reduction->count > 0;
}

size_t schema_reduce(char *schema, size_t length, const char *file)
{
	struct reduction reduction = {.count = 0};
	if (!find_definitions(&reduction, schema))
		return length;
	const struct definition *first = reduction.definitions, *last = first + reduction.count - 1;
	const char *behind = last->end;
	find_words(&reduction.words, file);
	for (struct definition *definition = reduction.definitions; definition <= last; definition++)
		if (starts(definition->from, "\n\t<xs:element"))
			visit(&reduction, definition);
	char *to = first->from;
	for (const struct definition *definition = first; definition <= last; definition++)
		if (definition->wanted)
			to = move(to, definition->from, definition->end);
	memmove(to, behind, length - (size_t)(behind - schema) + 1);
	return (size_t)(to - schema) + length - (size_t)(behind - schema);
}
