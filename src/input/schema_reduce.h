/* What one file needs of a schema: to compile all of it takes longer than all else that is done for a small file.
 *
 * Requires: the text of a schema without annotations, its values in double quotes; the text of a file that scan.h lets pass, so that a name
 *           stands there as it is.
 * Provides: a schema that accepts the file only if the whole one does. A declaration of an element or an attribute that the file does not name
 *           applies to nothing in it, so its type may be any; a definition that no reference is left to is of nothing in the file, and
 * goes. What is required, how often, and in which order, stays. Whether the file is refused is the whole schema's to say.
 */
#ifndef INPUT_SCHEMA_REDUCE_H
#define INPUT_SCHEMA_REDUCE_H

#include <stddef.h>

/* In place; the new length. */
size_t schema_reduce(char *schema, size_t length, const char *file);

#endif
