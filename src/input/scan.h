/* The first look at a file that claims to be XML, before any parser sees it.
 *
 * Provides: true for a file that is UTF-8 without NULs, has no document type declaration, and stays within the limits below, so that
 *           what a parser needs for it is bounded. It need not be well-formed: that is the parser's to say.
 * Fails:    false with one diagnostic.
 */
#ifndef INPUT_SCAN_H
#define INPUT_SCAN_H

#include "base/diagnostics.h"

#define SCAN_DEPTH 32      /* nested elements */
#define SCAN_ATTRIBUTES 64 /* of one element */
#define SCAN_NODES 250000  /* elements, texts, comments, and attributes twice */
#define SCAN_NAME 200      /* bytes of a name */
#define SCAN_VALUE 65536   /* bytes of a value, a text or a comment */

/* nodes: SCAN_NODES, or report.h's limit for a report read back: what the program wrote itself is longer than what people write */
bool scan_xml(struct diagnostics *diagnostics, const char *path, const char *bytes, size_t length, int nodes);

#endif
