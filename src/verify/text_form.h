/* Whether the text of a report is written as the program writes it.
 *
 * Requires: the bytes of a report that is well-formed.
 * Provides: from the start tag to the end of the derivation each element on a line of its own behind two spaces for each that it is in, no
 *           prefix, no other namespace, no comment, processing instruction or CDATA section, and of references only those that are needed:
 *           so that no reader, whatever it makes of such things, reads anything else than what is compared. Behind the derivation, where
 *           a signature may stand, no comments and processing instructions.
 * Fails:    by the first difference.
 */
#ifndef VERIFY_TEXT_FORM_H
#define VERIFY_TEXT_FORM_H

#include "verify/check.h"

void written_compare(struct check *check, const char *bytes);

#endif
