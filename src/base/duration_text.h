/* Times for a reader: exact where three decimals of a fitting unit are enough, else rounded to the side asked for and marked.
 *
 * Requires: nothing.
 * Provides: "33 ms", "20.143 ms~", "-1.5 us".
 * Fails:    NONE is "-".
 */
#ifndef BASE_DURATION_TEXT_H
#define BASE_DURATION_TEXT_H

#include "base/memory.h"
#include "base/rational.h"

#define DURATION_TEXT 64
#define DURATION_MARK "~"

/* Writes the text and returns it. ROUND_NEVER prints as many decimals as it takes. */
const char *duration_text(int64_t ns, enum rounding rounding, char text[DURATION_TEXT]);
const char *duration_exact(struct arena *arena, int64_t ns); /* ROUND_NEVER */

#endif
