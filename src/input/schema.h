/* The schemas that files are validated with.
 *
 * Provides: a schema as libxml2 has it, for one user at a time. To parse one takes longer than to read most files, so a process keeps
 *           what it has parsed for the next file, of whatever thread.
 * Fails:    NULL with one diagnostic: there is no such file, or it is no schema.
 */
#ifndef INPUT_SCHEMA_H
#define INPUT_SCHEMA_H

#include "base/diagnostics.h"

#include <libxml/xmlschemas.h>

struct schema {
	char *path;
	xmlDocPtr text; /* without its annotations */
	xmlSchemaPtr schema;
	bool reduced, refused; /* one that is reduced has refused a file */
	struct schema *next;
};

/* file: the text of the file that it is for, where a schema will do that accepts the file only if the whole one does: who has but one file
 * of a vocabulary to read, or several that are alike, has no use for all of it (schema_reduce.h). NULL: the whole one, which says what is
 * wrong. */
struct schema *schema_take(struct diagnostics *diagnostics, const char *path, const char *file);
void schema_put_back(struct schema *schema);

#endif
