/* What a schema's complaint means for a reader who does not know schemas. */
#ifndef INPUT_EXPLAIN_H
#define INPUT_EXPLAIN_H

#include "base/memory.h"

/* message: libxml2's. NULL where another message about the same place says more. */
const char *explain_violation(struct arena *arena, const char *message, const char *element);

#endif
