/* The platform models that this version ships, by the bytes of their files.
 *
 * Requires: the table, which shipped_models.py writes when the program is built: who has a folder of models of his own, by GPUBOUND_DATA,
 *           has not changed what is in here.
 * Provides: which of them has a name, or an id; which of them bytes are.
 * Fails:    NULL: none has.
 */
#ifndef INPUT_SHIPPED_H
#define INPUT_SHIPPED_H

#include <stdbool.h>
#include <stddef.h>

struct shipped_model {
	const char *name, *id, *hash; /* name: of its file */
	const char *text;
	size_t length;
	bool valid; /* against its schema, by xmllint, where the build had one */
};

extern const struct shipped_model shipped_models[]; /* ended by a NULL name */

const struct shipped_model *shipped_find(const char *name);
const struct shipped_model *shipped_of_bytes(const char *bytes, size_t length);

#endif
