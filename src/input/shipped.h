/* The platform models that this version ships, by the hashes of their files.
 *
 * Requires: the table, which shipped_models.py writes when the program is built: who has a folder of models of his own, by GPUBOUND_DATA,
 *           has not changed what is in here.
 * Provides: which of them has a name, or an id; whether bytes with a hash are one that was valid against its schema when the program was built.
 * Fails:    NULL: none has.
 */
#ifndef INPUT_SHIPPED_H
#define INPUT_SHIPPED_H

#include <stdbool.h>

struct shipped_model {
	const char *name, *id, *hash; /* name: of its file */
	bool valid;                   /* by xmllint, where the build had one */
};

extern const struct shipped_model shipped_models[]; /* ended by a NULL name */

const struct shipped_model *shipped_find(const char *name);
bool shipped_is_valid(const char *hash);

#endif
