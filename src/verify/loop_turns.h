/* Bounds of loops that a report has found in the code: what the report says of registers is held against every block. Private to the
 * verification.
 *
 * Provides: the program with the loops' bounds that the element <turns> states, and whether each follows: every range, and every register's
 *           way from the header, must follow at each block from what is stated at the blocks before it, and the bound from both.
 * Fails:    loop_turns_read is NULL, after a diagnostic, where the element names what there is not. */
#ifndef VERIFY_LOOP_TURNS_H
#define VERIFY_LOOP_TURNS_H

#include "verify/check.h"
#include "verify/program_graph.h"

/* program: as it was read; turns: the element, or NULL. */
const struct program *loop_turns_read(struct check *check, const struct program *program, const struct xml_element *turns);
/* others: of a block, uniform cells that another part of the warp may write. */
void loop_turns_check(struct check *check, const struct code *code, const struct cells *others, const struct xml_element *turns);

#endif
