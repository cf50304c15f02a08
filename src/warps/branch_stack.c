/* The two algorithms of the seed, and the entries on the chip. */
#include "warps/branch_stack.h"

#define ALL_THREADS 0xFFFFFFFFu

static void push(struct branch_stack_run *run, struct arena *arena, struct token token)
{
	if (run->on_chip == run->depth) {
		run->on_chip -= run->a_spill;
		run->spills++;
	}
	run->tokens = arena_grow(arena, run->tokens, &run->token_capacity, run->token_count + 1, sizeof *run->tokens);
	run->tokens[run->token_count++] = token;
	run->on_chip++;
	run->pushes++;
	run->deepest = run->token_count > run->deepest ? run->token_count : run->deepest;
}

static bool pop(struct branch_stack_run *run)
{
	if (run->token_count == 0)
		return false;
	if (run->on_chip == 0)
		run->on_chip = run->a_spill < run->token_count ? run->a_spill : run->token_count;
	struct token token = run->tokens[--run->token_count];
	run->on_chip--;
	run->active = token.mask;
	run->line = token.line;
	return true;
}

/* Algorithm 1. */
static void branch(struct branch_stack_run *run, struct arena *arena, int target)
{
	uint32_t taken = run->taken(run->context, run->line, run->active) & run->active;
	int next = run->line + 1;
	if (taken == 0) {
		run->line = next;
		return;
	}
	if (taken != run->active) {
		push(run, arena, (struct token){run->active & ~taken, TOKEN_DIV, next});
		run->divergences++;
	}
	run->active = taken;
	run->line = target;
}

/* Algorithm 2; false: nothing more runs. */
static bool step(struct branch_stack_run *run, struct arena *arena)
{
	const struct code_line *line = &run->code[run->line];
	run->issued[run->line]++;
	switch (line->kind) {
	case LINE_SSY:
		push(run, arena, (struct token){run->active, TOKEN_SYNC, line->target});
		run->line++;
		return true;
	case LINE_BRANCH: branch(run, arena, line->target); return true;
	case LINE_POP: return pop(run);
	case LINE_END: return false;
	default: run->line++; return true;
	}
}

bool branch_stack_run(struct branch_stack_run *run, int lines, struct arena *arena)
{
	run->issued = arena_allocate(arena, (size_t)lines, sizeof *run->issued);
	run->line = 0;
	run->active = ALL_THREADS;
	for (long i = 0; i < run->most; i++) {
		if (run->watch != NULL)
			run->watch(run->context, run);
		if (!step(run, arena))
			return run->code[run->line].kind == LINE_END;
	}
	return false;
}
