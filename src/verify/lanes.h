/* How the words of a warp's threads differ, as a report states it of what instructions write. Private to the verification.
 *
 * Provides: of each access to memory the sectors or passes that follow from the statements; the program that has them. Of a lane some low bits are
 *           sure, and lanes that have one leader are as far from it as is said. Each statement has to follow from those that reach what its
 *           instruction reads, on every way backwards; nothing is searched for.
 * Fails:    lanes_read is NULL, after a diagnostic, where the element names what there is not.
 */
#ifndef VERIFY_LANES_H
#define VERIFY_LANES_H

#include "verify/check.h"
#include "verify/divergence.h"

/* What the element <accesses> states of the program as it was read: with as many sectors and passes. NULL: no such accesses. */
const struct program *lanes_read(struct check *check, const struct program *program, const struct xml_element *accesses);
/* Does it follow? program: as it was read. */
void lanes_check(struct check *check, const struct code *code, const struct program *program, const struct partings *partings,
	const struct xml_element *accesses);

#endif
