/* What a schema's complaint means for a reader who does not know schemas. */
#ifndef INPUT_SCHEMA_COMPLAINT_H
#define INPUT_SCHEMA_COMPLAINT_H

#include "base/memory.h"

/* message: libxml2's. nearest: what a name that may not stand there was meant to be, or NULL. The result is NULL where another message
 * about the same place says more. */
const char *schema_complaint_explain(struct arena *arena, const char *message, const char *element, const char *nearest);

#endif
