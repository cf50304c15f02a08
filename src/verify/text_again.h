/* The text of a report against the text of a second analysis.
 *
 * Requires: a report that was read; who analyses its inputs again.
 * Provides: the first line outside of <environment> in which the two differ. What is derived is checked without this; prose (reasons,
 *           advice, hazards, channels, diagnostics) is only said again, by the program that said it first.
 * Fails:    by a difference; without a witness the prose is unchecked.
 */
#ifndef VERIFY_TEXT_AGAIN_H
#define VERIFY_TEXT_AGAIN_H

#include "verify/check.h"
#include "verify/verify.h"

void prose_compare(struct check *check, const struct input_folders *folders, const struct verify_options *options, const char *bytes);

#endif
