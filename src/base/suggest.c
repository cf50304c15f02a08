/* Guesses what a mistyped word meant: the nearest by edit distance. */
#include "base/suggest.h"

#include <stdbool.h>
#include <string.h>

#define LONGEST 63
#define SHORTEST_PART 3

/* Of ASCII, whatever the locale. */
static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int least_of(int a, int b, int c)
{
	int least = a < b ? a : b;
	return least < c ? least : c;
}

static bool same(char a, char b)
{
	return lower(a) == lower(b);
}

/* Edits from a to b, two words of at most LONGEST bytes: a letter more, less or another, or two neighbours exchanged. */
static int distance(const char *a, const char *b)
{
	int rows[3][LONGEST + 1];
	size_t length_a = strlen(a), length_b = strlen(b);
	for (size_t j = 0; j <= length_b; j++)
		rows[0][j] = (int)j;
	for (size_t i = 1; i <= length_a; i++) {
		int *row = rows[i % 3];
		const int *above = rows[(i - 1) % 3];
		row[0] = (int)i;
		for (size_t j = 1; j <= length_b; j++) {
			row[j] = least_of(above[j] + 1, row[j - 1] + 1, above[j - 1] + !same(a[i - 1], b[j - 1]));
			bool exchanged = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
			if (exchanged && rows[(i - 2) % 3][j - 2] + 1 < row[j])
				row[j] = rows[(i - 2) % 3][j - 2] + 1;
		}
	}
	return rows[length_a % 3][length_b];
}

static bool contains(const char *word, const char *part)
{
	for (; *word != '\0'; word++) {
		size_t i = 0;
		while (part[i] != '\0' && same(word[i], part[i]))
			i++;
		if (part[i] == '\0')
			return true;
	}
	return false;
}

struct suggestion suggest_for(const char *text)
{
	size_t length = strlen(text);
	int mistakes = length < 6 ? (int)length / 3 : 2; /* more than this is another word: s1 is not a mistyped s0 */
	return (struct suggestion){text, NULL, length > LONGEST ? 0 : mistakes + 1};
}

void suggest_offer(struct suggestion *suggestion, const char *word)
{
	size_t length = strlen(suggestion->text), other = strlen(word);
	size_t difference = length > other ? length - other : other - length;
	if (suggestion->least == 0 || other > LONGEST)
		return;
	int found = difference < (size_t)suggestion->least ? distance(suggestion->text, word) : suggestion->least;
	if (found < suggestion->least) {
		bool meant = strcmp(word, suggestion->text) == 0; /* then it was no mistake */
		suggestion->least = meant ? 0 : found > 0 ? found : 1;
		suggestion->nearest = meant ? NULL : word;
	} else if (suggestion->nearest == NULL && length >= SHORTEST_PART && contains(word, suggestion->text)) {
		suggestion->nearest = word;
	}
}

const char *suggest_nearest(const char *text, const char *const *words)
{
	struct suggestion suggestion = suggest_for(text);
	for (; *words != NULL; words++)
		suggest_offer(&suggestion, *words);
	return suggestion.nearest;
}

/* ---- several */

#define SUGGESTED_MOST 4
#define FAR 100 /* greater than any distance that is near */

/* Parts between dashes that the two have in common: "jetson-orin" and "jetson-agx-orin" have two. */
static int common_parts(const char *text, const char *word)
{
	int count = 0;
	for (const char *part = text; *part != '\0'; part += strspn(part, "-")) {
		size_t length = strcspn(part, "-");
		char copy[LONGEST + 1] = "";
		if (length >= SHORTEST_PART && length <= LONGEST) {
			memcpy(copy, part, length);
			count += contains(word, copy);
		}
		part += length;
	}
	return count;
}

/* How far a word is: edits where they are few, else so much more as it has fewer parts in common; 2 * FAR: it is not near. */
static int farness(const char *text, const char *word)
{
	struct suggestion suggestion = suggest_for(text);
	int near = suggestion.least, parts = common_parts(text, word);
	suggest_offer(&suggestion, word);
	if (suggestion.least < near)
		return suggestion.least;
	return parts > 0 ? FAR + LONGEST - parts : 2 * FAR;
}

const char *suggest_all(struct arena *arena, const char *text, const char *const *words, char quote)
{
	const char *list = "", *last = NULL;
	int least = 2 * FAR, found = 0;
	for (int i = 0; words[i] != NULL; i++) {
		int far = farness(text, words[i]);
		least = far < least ? far : least;
	}
	for (int i = 0; words[i] != NULL && least < 2 * FAR && found < SUGGESTED_MOST; i++) {
		if (farness(text, words[i]) != least)
			continue;
		if (last != NULL)
			list = arena_format(arena, "%s%s%c%s%c", list, found > 1 ? ", " : "", quote, last, quote);
		last = words[i];
		found++;
	}
	if (last == NULL)
		return "";
	return arena_format(arena, "; did you mean %s%s%c%s%c?", list, found > 1 ? " or " : "", quote, last, quote);
}

const char *suggest_hint(struct arena *arena, const char *nearest, char quote)
{
	return nearest != NULL ? arena_format(arena, "; did you mean %c%s%c?", quote, nearest, quote) : "";
}
