/* What a mistyped word was meant to be.
 *
 * Requires: a word, and the words that would have been right, one at a time.
 * Provides: the nearest by edit distance, letters' case aside; of equals the first. A word that contains the mistyped one is near, too.
 * Fails:    nothing is near where the word is one of those offered, longer than 63 bytes, or differs in more than a typing error.
 */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include "base/memory.h"

struct suggestion {
	const char *text, *nearest; /* nearest: NULL where none is near */
	int least;
};

struct suggestion suggest_for(const char *text);
void suggest_offer(struct suggestion *suggestion, const char *word); /* keeps the pointer */

const char *suggest_nearest(const char *text, const char *const *words);        /* the words end with NULL; NULL: none is near */
const char *suggest_hint(struct arena *arena, const char *nearest, char quote); /* "; did you mean 'nearest'?"; "" of NULL */

/* All that are near, "; did you mean 'a', 'b' or 'c'?": the nearest by edit distance, else those with most parts between dashes in common,
 * or that contain it; a few at most, in the order of the words. "" where none is. */
const char *suggest_all(struct arena *arena, const char *text, const char *const *words, char quote);

#endif
