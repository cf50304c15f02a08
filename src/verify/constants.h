/* Lines of constant memory and of code that a program reads, found again.
 *
 * Requires: a program.
 * Provides: how many of 64 bytes its operands name, and how many of these do not follow another one; NONE where some reading is of an address that its operand does not say; how many the code has up
 *           to where its last instruction ends.
 * Source:   [WCET-CONSTANTS].
 * Fails:    never.
 */
#ifndef VERIFY_CONSTANTS_H
#define VERIFY_CONSTANTS_H

#include "model/program.h"

int64_t constants_read(struct arena *arena, const struct program *program, int64_t *first);
int64_t constants_of_code(const struct program *program);

#endif
