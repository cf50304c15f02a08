/* What a schema's complaint means for a reader who does not know schemas. */
#ifndef INPUT_EXPLAIN_H
#define INPUT_EXPLAIN_H

#include "base/memory.h"

/* message: libxml2's. nearest: what a name that may not stand there was meant to be, or NULL. The result is NULL where another message
 * about the same place says more. */
const char *explain_violation(struct arena *arena, const char *message, const char *element, const char *nearest);

#endif
