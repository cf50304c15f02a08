/* A plan as CSV, a row a block, and as a table a reader takes in. */
#include "simulate/launch_plan.h"

#include <stdio.h>
#include <string.h>

static const struct operation *operation_of(const struct launch_plan *plan, int index)
{
	return &plan->set->operations[plan->blocks[index].operation];
}

static const char *stream_of(const struct launch_plan *plan, const struct operation *operation)
{
	return plan->set->streams[operation->stream].id;
}

void launch_plan_write_csv(const struct launch_plan *plan, struct output *output)
{
	output_add(output, "kernel,stream,block,sm,rule,alternatives\n");
	for (int i = 0; i < plan->block_count; i++) {
		const struct planned_block *block = &plan->blocks[i];
		const struct operation *operation = operation_of(plan, i);
		output_print(output, "%s,%s,%lld,%d,%s,", operation->id, stream_of(plan, operation), (long long)block->block, block->sm,
			decision_names[block->decision]);
		for (int a = 0; a < block->alternative_count; a++)
			output_print(output, "%s%d", a == 0 ? "" : " ", plan->alternatives[block->first_alternative + a]);
		output_add(output, "\n");
	}
}

/* ---- text */

#define WIDTH 80
#define INDENT 2

/* Adds a word to a line that wraps. */
static void add_word(struct output *output, size_t *column, const char *word)
{
	if (*column + 1 + strlen(word) > WIDTH) {
		output_print(output, "\n%*s", INDENT, "");
		*column = INDENT;
	}
	output_print(output, "%s%s", *column > INDENT ? " " : "", word);
	*column += strlen(word) + (*column > INDENT);
}

static void write_rules(const struct launch_plan *plan, int operation, struct output *output)
{
	int open = 0;
	output_print(output, "%*srules:", INDENT, "");
	for (int d = 0; decision_names[d] != NULL; d++) {
		int count = 0;
		for (int i = 0; i < plan->block_count; i++)
			count += plan->blocks[i].operation == operation && (int)plan->blocks[i].decision == d;
		if (count > 0)
			output_print(output, " %s %d", decision_names[d], count);
	}
	for (int i = 0; i < plan->block_count; i++)
		open += plan->blocks[i].operation == operation && plan->blocks[i].alternative_count > 0;
	output_print(output, "; the rule leaves other SMs open for %d\n", open);
}

static void write_kernel(const struct launch_plan *plan, int operation, struct output *output)
{
	const struct operation *of = &plan->set->operations[operation];
	size_t column = INDENT;
	output_print(output, "\n%s, stream %s: %lld blocks of %lld threads\n%*s", of->id, stream_of(plan, of), (long long)of->kernel.blocks,
		(long long)of->kernel.threads, INDENT, "");
	for (int i = 0; i < plan->block_count; i++) {
		const struct planned_block *block = &plan->blocks[i];
		char word[64];
		if (block->operation != operation)
			continue;
		snprintf(word, sizeof word, "%lld:%d%s", (long long)block->block, block->sm, block->decision == DECISION_WAITED ? "*" : "");
		add_word(output, &column, word);
	}
	output_add(output, "\n");
	write_rules(plan, operation, output);
}

void launch_plan_write_text(const struct launch_plan *plan, struct output *output)
{
	output_print(output, "task set  %s\nplatform  %s, %d SMs\n", plan->set->id, plan->platform->name, plan->limits.sm_count);
	output_add(output, "All kernels launched at once, in the order of the file: a prediction, not a\n"
			   "bound. Below, block:SM in order of placement, * where it had to wait.\n");
	for (int i = 0; i < plan->set->operation_count; i++)
		if (plan->set->operations[i].kind == OPERATION_KERNEL)
			write_kernel(plan, i, output);
}
