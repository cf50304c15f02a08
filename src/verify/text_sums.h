/* The text of a report as it was written.
 *
 * Requires: the bytes of a report; its elements, or no root where it can not be read.
 * Provides: whether its text outside of <environment>, up to the end of the derivation, has the SHA-256 that the program wrote down; where
 *           it has not, each line that is another one, by its check value. That finds accidents: whoever changes a report on purpose can
 *           write other sums, so what is derived is derived again whatever this says, and a text is good only if both are.
 * Fails:    by differences; for an XML declaration that is not the one the program writes, too.
 */
#ifndef VERIFY_TEXT_SUMS_H
#define VERIFY_TEXT_SUMS_H

#include "verify/check.h"

/* What the sums are of, from a report's bytes. */
struct text_body {
	const char *bytes; /* the start tag, a line feed, all from the invocation to the end of the derivation */
	size_t length;
	long first, second; /* lines of the report at which these two parts begin */
};

/* False: not written by this program. */
bool text_gather(struct check *check, const char *bytes, struct text_body *found);

void text_compare(struct check *check, const char *bytes);

#endif
