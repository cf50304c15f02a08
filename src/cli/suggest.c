/* Guesses what a mistyped word meant: the nearest by edit distance. */
#include "cli/command.h"

#include <stddef.h>
#include <string.h>

#define LONGEST 63

static int least_of(int a, int b, int c)
{
	int least = a < b ? a : b;
	return least < c ? least : c;
}

/* Levenshtein's distance of two words of at most LONGEST letters. */
static int distance(const char *a, const char *b)
{
	int row[LONGEST + 1];
	size_t length_a = strlen(a), length_b = strlen(b);
	for (size_t j = 0; j <= length_b; j++)
		row[j] = (int)j;
	for (size_t i = 1; i <= length_a; i++) {
		int diagonal = row[0];
		row[0] = (int)i;
		for (size_t j = 1; j <= length_b; j++) {
			int above = row[j];
			row[j] = least_of(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[length_b];
}

const char *suggest_nearest(const char *text, const char *const *words)
{
	size_t length = strlen(text);
	if (length > LONGEST)
		return NULL;
	int best = length < 4 ? 2 : 3; /* farther than this is no typing error */
	const char *nearest = NULL;
	for (; *words != NULL; words++) {
		int found = strlen(*words) > LONGEST ? best : distance(text, *words);
		if (found < best) {
			best = found;
			nearest = *words;
		}
	}
	return nearest;
}
