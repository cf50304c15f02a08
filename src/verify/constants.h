/* Lines of constant memory that a program reads, found again.
 *
 * Requires: a program.
 * Provides: how many of 64 bytes its operands name; NONE where some reading is of an address that its operand does not say.
 * Source:   [WCET-CONSTANTS].
 * Fails:    never.
 */
#ifndef VERIFY_CONSTANTS_H
#define VERIFY_CONSTANTS_H

#include "model/program.h"

int64_t constants_read(struct arena *arena, const struct program *program);

#endif
