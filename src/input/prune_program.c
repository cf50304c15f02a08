/* Takes out of a program what its flow facts say is never executed: then no analysis has to ask again. */
#include "input/read_program.h"

#include <string.h>

struct pruner {
	struct arena *arena;
	struct program *program;
	bool *never; /* of an edge */
	bool *kept;  /* of a block */
	int *number; /* of a block: the new one, or NO_ID */
};

/* A single count that is at most 0. */
static bool forbids(const struct program_fact *fact)
{
	return fact->term_count == 1 && fact->terms[0].factor > 0 && fact->right == 0;
}

static void find_never(struct pruner *pruner)
{
	const struct program *program = pruner->program;
	for (int i = 0; i < program->fact_count; i++) {
		const struct program_fact *fact = &program->facts[i];
		for (int k = 0; forbids(fact) && k < program->edge_count; k++)
			pruner->never[k] |=
				fact->terms[0].edge != NO_ID ? fact->terms[0].edge == k : program->edges[k].to == fact->terms[0].block;
	}
}

static void reach(struct pruner *pruner)
{
	const struct program *program = pruner->program;
	bool more = program->block_count > 0;
	if (more)
		pruner->kept[0] = true;
	while (more) {
		more = false;
		for (int k = 0; k < program->edge_count; k++) {
			const struct program_edge *edge = &program->edges[k];
			if (pruner->never[k] || !pruner->kept[edge->from] || pruner->kept[edge->to])
				continue;
			pruner->kept[edge->to] = more = true;
		}
	}
}

/* Was it reached before the facts took edges away? What never was is for the analysis to complain of. */
static void keep_unreachable(struct pruner *pruner)
{
	const struct program *program = pruner->program;
	struct pruner whole = {pruner->arena, pruner->program, arena_allocate(pruner->arena, (size_t)program->edge_count, sizeof(bool)),
		arena_allocate(pruner->arena, (size_t)program->block_count, sizeof(bool)), NULL};
	reach(&whole);
	for (int i = 0; i < program->block_count; i++)
		pruner->kept[i] |= !whole.kept[i];
}

/* ---- the program without them */

static void take_blocks(struct pruner *pruner)
{
	struct program *program = pruner->program;
	int count = 0;
	for (int i = 0; i < program->block_count; i++) {
		pruner->number[i] = pruner->kept[i] ? count : NO_ID;
		if (pruner->kept[i])
			program->blocks[count++] = program->blocks[i];
	}
	program->block_count = count;
	for (int i = 0; i < program->instruction_count; i++)
		program->instructions[i].block = pruner->number[program->instructions[i].block];
	for (int i = 0; i < count; i++) {
		struct program_block *block = &program->blocks[i];
		block->rejoins = block->rejoins && pruner->number[block->set_at] != NO_ID;
		block->set_at = block->rejoins ? pruner->number[block->set_at] : 0;
	}
}

/* The new numbers of the edges into `numbers`. */
static void take_edges(struct pruner *pruner, int *numbers)
{
	struct program *program = pruner->program;
	int count = 0;
	for (int k = 0; k < program->edge_count; k++) {
		struct program_edge edge = program->edges[k];
		numbers[k] = NO_ID;
		if (pruner->never[k] || !pruner->kept[edge.from] || !pruner->kept[edge.to])
			continue;
		numbers[k] = count;
		program->edges[count++] = (struct program_edge){pruner->number[edge.from], pruner->number[edge.to], edge.line};
	}
	program->edge_count = count;
}

static void take_facts(struct pruner *pruner, const int *edges)
{
	struct program *program = pruner->program;
	int count = 0;
	for (int i = 0; i < program->fact_count; i++) {
		struct program_fact fact = program->facts[i];
		int terms = 0;
		for (int k = 0; k < fact.term_count; k++) {
			struct program_term term = fact.terms[k];
			term.block = pruner->number[term.block];
			bool edge = term.edge != NO_ID;
			term.edge = edge ? edges[term.edge] : NO_ID;
			if (edge ? term.edge != NO_ID : term.block != NO_ID)
				fact.terms[terms++] = term;
		}
		fact.term_count = terms;
		if (terms > 0 || fact.right < 0 || (fact.equal && fact.right != 0))
			program->facts[count++] = fact;
	}
	program->fact_count = count;
}

static void take_copies(struct pruner *pruner)
{
	struct program *program = pruner->program;
	int copies = 0;
	for (int i = 0; i < program->copy_count; i++) {
		program->copies[copies] = program->copies[i];
		program->copies[copies].header = pruner->number[program->copies[i].header];
		copies += program->copies[copies].header != NO_ID;
	}
	program->copy_count = copies;
}

static void take_loops_and_branches(struct pruner *pruner)
{
	struct program *program = pruner->program;
	int loops = 0, branches = 0;
	for (int i = 0; i < program->loop_count; i++) {
		program->loops[loops] = program->loops[i];
		program->loops[loops].header = pruner->number[program->loops[i].header];
		loops += program->loops[loops].header != NO_ID;
	}
	for (int i = 0; i < program->branch_count; i++) {
		program->branches[branches] = program->branches[i];
		program->branches[branches].block = pruner->number[program->branches[i].block];
		branches += program->branches[branches].block != NO_ID;
	}
	program->loop_count = loops;
	program->branch_count = branches;
}

void prune_program(struct arena *arena, struct program *program)
{
	struct pruner pruner = {arena, program, arena_allocate(arena, (size_t)program->edge_count, sizeof(bool)),
		arena_allocate(arena, (size_t)program->block_count, sizeof(bool)),
		arena_allocate(arena, (size_t)program->block_count, sizeof(int))};
	int *edges = arena_allocate(arena, (size_t)program->edge_count, sizeof *edges);
	find_never(&pruner);
	reach(&pruner);
	keep_unreachable(&pruner);
	take_blocks(&pruner);
	take_edges(&pruner, edges);
	take_facts(&pruner, edges);
	take_copies(&pruner);
	take_loops_and_branches(&pruner);
}
