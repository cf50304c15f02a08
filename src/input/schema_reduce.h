/* What one file needs of a schema: to compile all of it takes longer than all else that is done for a small file.
 *
 * Requires: the text of a schema without annotations, its values in double quotes right behind their signs, without wildcards for what is
 *           declared beside them; the text of a file that scan.h lets pass, so that a name stands there as it is.
 * Provides: a schema that accepts a file only if the whole one does: what it lacks is declarations of elements and attributes that need not
 *           be there, ways of a choice, values of a list, and definitions that no reference is left to. It lacks none of those that the
 *           file names, so that it accepts the file if the whole one does and no value is written with a character reference. Whether a
 *           file is refused is the whole schema's to say.
 */
#ifndef INPUT_SCHEMA_REDUCE_H
#define INPUT_SCHEMA_REDUCE_H

#include <stddef.h>

/* In place; the new length. */
size_t schema_reduce(char *schema, size_t length, const char *file);

#endif
