/* The graph in Graphviz's language: what lies on the worst path is bold, with its count. */
#include "report/report_wcet.h"

#include <inttypes.h>
#include <string.h>

/* A string of the language: quotes and backslashes escaped. */
static void add_quoted(struct output *output, const char *text)
{
	for (; *text != '\0'; text++) {
		if (strchr("\"\\", *text) != NULL)
			output_add(output, "\\");
		output_add_bytes(output, text, 1);
	}
}

static void add_style(struct output *output, const int64_t *counts, int number)
{
	if (counts != NULL && counts[number] > 0)
		output_print(output, " (%" PRId64 ")\", style=bold", counts[number]);
	else
		output_add(output, "\"");
}

static void add_block(struct output *output, const struct wcet_report *report, int number)
{
	const struct program_block *block = &report->program->blocks[number];
	output_print(output, "\tb%d [label=\"", number);
	add_quoted(output, block->id);
	output_print(output, "\\n%" PRId64 " cycles", instruction_costs_latency(&report->wcet->costs, block));
	add_style(output, report->wcet->chain.program.block_counts, number);
	output_add(output, "];\n");
}

void wcet_dot(struct output *output, const struct wcet_report *report)
{
	const struct program *program = report->program;
	output_add(output, "digraph \"");
	add_quoted(output, program->id);
	output_add(output, "\" {\n\tnode [shape=box];\n");
	for (int i = 0; i < program->block_count; i++)
		add_block(output, report, i);
	for (int i = 0; i < program->edge_count; i++) {
		output_print(output, "\tb%d -> b%d [label=\"", program->edges[i].from, program->edges[i].to);
		add_style(output, report->wcet->chain.program.edge_counts, i);
		output_add(output, "];\n");
	}
	output_add(output, "}\n");
}
