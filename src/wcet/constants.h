/* Lines of 64 bytes of constant memory and of code that a program reads.
 *
 * Requires: a program, as disassembled.
 * Provides: how many different lines of 64 bytes the operands of its instructions name, and in how many runs of lines that follow one another
 *           in a bank; NONE where an address is computed, or where the program is no disassembled code; how many lines there are up to its
 *           last instruction.
 * Source:   [WCET-CONSTANTS].
 * Fails:    never.
 */
#ifndef WCET_CONSTANTS_H
#define WCET_CONSTANTS_H

#include "model/program.h"

int64_t constants_lines(const struct program *program, struct arena *arena, int64_t *runs);
int64_t constants_lines_of_code(const struct program *program);

#endif
