/* What a schema's complaint means for a reader who does not know schemas. */
#ifndef INPUT_EXPLAIN_H
#define INPUT_EXPLAIN_H

#include "base/memory.h"

/* message: libxml2's; value: the attribute's or element's. NULL where the message says nothing that another one does not. */
const char *explain_violation(struct arena *arena, const char *message, const char *element, const char *attribute, const char *value);

#endif
