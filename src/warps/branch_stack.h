/* One warp of compute capability 2.0 to 5.2 and its branch-synchronisation stack.
 *
 * Requires: code as lines: plain ones, SSY with the line where threads rejoin, branches whose predicate the caller computes, lines with
 *           the pop bit, an end.
 * Provides: the run to its end: how often each line was issued, tokens pushed and popped, how many at once, and how often `a_spill` of
 *           them went to memory because the `depth` entries on the chip were full. The caller may watch each line.
 * Source:   seed 004, III: SSY pushes (active mask, SYNC, target). A predicated branch that some active threads take and some do not
 *           pushes (not taken, DIV, next line) and goes on with the takers; the pop bit takes the top token's mask and line, and the line
 *           that carries it is issued after. IV: at a push on a full stack the four lowest entries are spilled; a pop that needs them
 *           brings them back.
 * Fails:    false: the stack is empty at a pop, or the run is longer than `most` lines.
 */
#ifndef WARPS_BRANCH_STACK_H
#define WARPS_BRANCH_STACK_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

enum line_kind { LINE_PLAIN, LINE_SSY, LINE_BRANCH, LINE_POP, LINE_END };

struct code_line {
	enum line_kind kind;
	int target; /* of SSY and branches */
};

enum token_kind { TOKEN_SYNC, TOKEN_DIV };

struct token {
	uint32_t mask;
	enum token_kind kind;
	int line;
};

struct branch_stack_run {
	/* given */
	const struct code_line *code;
	int depth, a_spill;
	long most;
	uint32_t (*taken)(void *context, int line, uint32_t active);      /* those who take the branch; others are ignored */
	void (*watch)(void *context, const struct branch_stack_run *run); /* before each line; NULL: nobody */
	void *context;
	/* the state */
	int line;
	uint32_t active;
	struct token *tokens;
	int token_count, token_capacity;
	int on_chip;
	/* the outcome */
	long *issued; /* of each line */
	long pushes, divergences, spills;
	int deepest;
};

bool branch_stack_run(struct branch_stack_run *run, int lines, struct arena *arena);

#endif
