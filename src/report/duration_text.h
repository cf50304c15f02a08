/* Times for a reader: exact where three decimals of a fitting unit are enough, else rounded to the side asked for and marked.
 *
 * Requires: nothing.
 * Provides: "33 ms", "20.143 ms~", "-1.5 us".
 * Fails:    NONE is "-".
 */
#ifndef REPORT_DURATION_TEXT_H
#define REPORT_DURATION_TEXT_H

#include <stdint.h>

#define DURATION_TEXT 64
#define DURATION_MARK "~"

enum rounding { ROUND_UP, ROUND_DOWN, ROUND_NEVER };

/* Writes the text and returns it. ROUND_NEVER prints as many decimals as it takes. */
const char *duration_text(int64_t ns, enum rounding rounding, char text[DURATION_TEXT]);

#endif
