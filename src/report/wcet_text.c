/* A block's bound as text: the number, where it comes from, the worst path, what it rests on. */
#include "base/duration_text.h"
#include "report/text_write.h"
#include "report/report_wcet.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct text {
	struct output *output;
	const struct wcet_report *report;
	bool colour;
};

static int64_t sum_on_path(const struct wcet_report *report, int class, bool spared)
{
	const int64_t *counts = report->wcet->chain.program.block_counts;
	int64_t sum = 0;
	for (int i = 0; counts != NULL && i < report->program->block_count; i++) {
		const struct program_block *block = &report->program->blocks[i];
		sum = checked_add(sum, checked_mul(counts[i], spared ? block->spared[class] : block->counts[class]));
	}
	return counts != NULL ? sum : NONE;
}

int64_t wcet_instructions(const struct wcet_report *report, int class)
{
	return sum_on_path(report, class, false);
}

int64_t wcet_spared(const struct wcet_report *report, int class)
{
	return sum_on_path(report, class, true);
}

int64_t wcet_class_cycles(const struct wcet_report *report, int class)
{
	int64_t instructions = wcet_instructions(report, class), spared = wcet_spared(report, class);
	return instructions == NONE ? NONE : instruction_costs_of_class(&report->wcet->costs, instructions, spared, class);
}

/* What the path's instructions leave of the chain. */
int64_t wcet_divergence_cycles(const struct wcet_report *report)
{
	int64_t rest = report->wcet->chain.cycles;
	for (int c = 0; c < CLASS_COUNT; c++)
		rest = report->wcet->costs.used[c] ? checked_sub(rest, wcet_class_cycles(report, c)) : rest;
	return report->wcet->chain.program.block_counts != NULL ? rest : NONE;
}

int64_t wcet_curve_length(const struct wcet *wcet)
{
	return wcet->most == NONE || wcet->most < 1 ? 1 : wcet->most;
}

static void add_number(struct text *t, int64_t value, int width)
{
	char text[32];
	snprintf(text, sizeof text, "%" PRId64, value);
	text_cell(t->output, value == NONE ? "-" : text, -width, STYLE_PLAIN, t->colour);
}

static void add_header(struct text *t)
{
	const struct wcet_report *report = t->report;
	text_paragraph(t->output, "program    ", 11, report->program->id);
	text_paragraph(t->output, "file       ", 11, report->program->path);
	if (report->program->title != NULL)
		text_paragraph(t->output, "           ", 11, report->program->title);
	text_paragraph(t->output, "platform   ", 11, report->platform->id);
	output_print(t->output, "block      %" PRId64 " threads, %" PRId64 " warps", report->program->threads, report->wcet->warps);
	if (report->wcet->near < report->wcet->warps)
		output_print(t->output, ", at most %" PRId64 " in a sub-partition", report->wcet->near);
	output_add(t->output, "\n");
}

static void add_bound(struct text *t)
{
	const struct wcet *wcet = t->report->wcet;
	char text[DURATION_TEXT];
	output_print(t->output, "bound      %" PRId64 " cycles", wcet->cycles);
	if (wcet->time != NONE)
		output_print(t->output, ", %s", duration_text(wcet->time, ROUND_NEVER, text));
	output_add(t->output, "\n");
	text_paragraph(t->output, "           = ", 13, wcet_formula(wcet));
}

/* ---- the two paths */

static const char *says(const struct ipet_result *result)
{
	if (result->status != LP_SOLVED)
		return result->closed == result->value ? "closed form, certified; the solver failed"
						       : "the solver failed; certified without it";
	if (result->closed == NONE)
		return "linear program, certified";
	return result->closed == result->value ? "linear program, certified, as in closed form"
					       : "linear program, certified, below closed form";
}

static void add_part(struct text *t, const char *name, const struct wcet_part *part)
{
	if (!part->solved)
		return;
	text_cell(t->output, name, 11, STYLE_PLAIN, t->colour);
	add_number(t, part->cycles, 14);
	output_print(t->output, " cycles  %s\n", says(&part->program));
}

static void add_parts(struct text *t)
{
	const struct wcet *wcet = t->report->wcet;
	add_part(t, "chain", &wcet->chain);
	add_part(t, "others", &wcet->others);
	add_part(t, "shared", &wcet->shared);
	if (wcet->costs.first_reads > 0)
		output_print(t->output, "first reads%14" PRId64 " cycles  %" PRId64 " lines of constants\n", wcet->costs.first_reads,
			wcet->costs.lines);
	if (wcet->spill_cycles > 0)
		output_print(t->output,
			"of each    %14" PRId64 " cycles  spills of the divergence stack: at most %" PRId64 " tokens pushed, %" PRId64
			" at once\n",
			wcet->spill_cycles, wcet->pushes.program.value, wcet->divergence.depth);
}

/* ---- tables */

static void add_class(struct text *t, int class)
{
	const struct class_cost *cost = &t->report->wcet->costs.classes[class];
	int64_t instructions = wcet_instructions(t->report, class);
	text_cell(t->output, class_names[class], 11, STYLE_PLAIN, t->colour);
	add_number(t, instructions, 14);
	add_number(t, cost->latency, 10);
	add_number(t, cost->occupancy, 11);
	add_number(t, wcet_class_cycles(t->report, class), 17);
	output_add(t->output, "\n");
	int64_t spared = wcet_spared(t->report, class);
	if (spared != 0 && spared != NONE)
		output_print(t->output, "  spared %*" PRId64 "\n", 54, -spared);
}

static void add_divergence(struct text *t)
{
	const struct wcet *wcet = t->report->wcet;
	if (wcet->divergence.fork_count == 0)
		return;
	text_cell(t->output, "divergence", 11, STYLE_PLAIN, t->colour);
	add_number(t, NONE, 14);
	add_number(t, wcet->costs.divergence.cycles_a_divergence, 10);
	add_number(t, NONE, 11);
	add_number(t, wcet_divergence_cycles(t->report), 17);
	output_print(t->output, "  latency: of a group that splits off\n");
}

static void add_classes(struct text *t)
{
	text_heading(t->output, "class        instructions   latency  occupancy   cycles of chain", t->colour);
	for (int c = 0; c < CLASS_COUNT; c++)
		if (t->report->wcet->costs.used[c])
			add_class(t, c);
	add_divergence(t);
}

static void add_path(struct text *t)
{
	const struct wcet *wcet = t->report->wcet;
	const int64_t *counts = wcet->chain.program.block_counts;
	if (counts == NULL) {
		output_add(t->output, "\n");
		text_paragraph(t->output, "", 0, "No whole counts reach the chain's bound exactly: there is no worst path to show.");
		return;
	}
	text_heading(t->output, "worst path    executions  cycles of each            cycles", t->colour);
	for (int i = 0; i < t->report->program->block_count; i++) {
		const struct program_block *block = &t->report->program->blocks[i];
		if (counts[i] == 0)
			continue;
		text_cell(t->output, block->id, 11, STYLE_PLAIN, t->colour);
		add_number(t, counts[i], 13);
		add_number(t, instruction_costs_latency(&wcet->costs, block), 16);
		add_number(t, checked_mul(counts[i], instruction_costs_latency(&wcet->costs, block)), 18);
		output_add(t->output, "\n");
	}
}

/* ---- memory */

/* Accesses on the worst path, their sectors or passes, and how many of them have addresses of which nothing is known. */
static void add_space(struct text *t, enum program_space space)
{
	const struct accesses *accesses = &t->report->wcet->accesses;
	const int64_t *counts = t->report->wcet->chain.program.block_counts;
	int64_t sums[3] = {0};
	for (int i = 0; i < accesses->count; i++) {
		const struct memory_access *access = &accesses->items[i];
		const struct program_instruction *instruction = &accesses->program->instructions[access->instruction];
		int64_t times = instruction->space == space ? counts[instruction->block] : 0;
		sums[0] = checked_add(sums[0], times);
		sums[1] = checked_add(sums[1], checked_mul(times, access->units));
		sums[2] = checked_add(sums[2], access->follows ? 0 : times);
	}
	if (sums[0] == 0)
		return;
	text_cell(t->output, space_names[space], 11, STYLE_PLAIN, t->colour);
	for (int k = 0; k < 3; k++)
		add_number(t, sums[k], k == 0 ? 14 : k == 1 ? 21 : 20);
	output_add(t->output, "\n");
}

static void add_memory(struct text *t)
{
	const struct accesses *accesses = &t->report->wcet->accesses;
	if (accesses->count == 0 || t->report->wcet->chain.program.block_counts == NULL)
		return;
	text_heading(t->output, "memory, worst path  accesses  sectors, or passes  of unknown address", t->colour);
	for (int space = SPACE_GLOBAL; space <= SPACE_SHARED; space++)
		add_space(t, (enum program_space)space);
}

/* ---- several blocks on the SM */

static void add_cycles(struct text *t, int64_t cycles, int width, int time_width)
{
	char text[DURATION_TEXT];
	int64_t time = wcet_time(cycles, t->report->platform);
	add_number(t, cycles, width);
	output_add(t->output, "  ");
	text_cell(t->output, time == NONE ? "" : duration_text(time, ROUND_NEVER, text), time_width, STYLE_PLAIN, t->colour);
}

/* With the order that is supposed, and with that what may follow. */
static void add_both(struct text *t, int width, int64_t in_turn, int64_t any_order)
{
	add_cycles(t, in_turn, width, 13);
	add_cycles(t, any_order, 14, 0);
	output_add(t->output, "\n");
}

/* Every number up to eight, then every fourth, and the last. */
static void add_curve(struct text *t)
{
	const struct wcet *wcet = t->report->wcet;
	int64_t last = wcet_curve_length(wcet);
	if (last == 1)
		return;
	text_heading(t->output, "blocks on the SM   in turn: cycles         in any order: cycles", t->colour);
	for (int64_t r = 1; r <= last; r++) {
		if (r > 8 && r % 4 != 0 && r != last)
			continue;
		add_number(t, r, 16);
		add_both(t, 18, wcet_resident(wcet, r), wcet_any_order(wcet, r));
	}
}

static void add_beside(struct text *t)
{
	const struct wcet_report *report = t->report;
	if (report->beside_count == 0)
		return;
	text_heading(t->output, "beside it, all so far         in turn: cycles         in any order: cycles", t->colour);
	for (int i = 0; i < report->beside_count; i++) {
		text_cell(t->output, report->beside[i]->id, 27, STYLE_PLAIN, t->colour);
		add_both(t, 18, wcet_beside(report->among, report->neighbours, i + 1),
			wcet_beside_any_order(report->among, report->neighbours, i + 1));
	}
}

static void add_suppositions(struct text *t)
{
	const char *keeps = platform_keeps_slots(t->report->platform) && !t->report->program->slots_in_turn
				    ? " Here a warp that never stalls was seen to keep its slot, so that only the latter is a bound."
				    : "";
	struct output line = {0};
	if (wcet_curve_length(t->report->wcet) == 1 && t->report->beside_count == 0)
		return;
	output_add(t->output, "\n");
	output_print(&line,
		"In turn: slots and units go to older blocks, or to who has waited longest, and others may follow blocks that end. "
		"In any order: these blocks are all that are on the SM until this one ends.%s",
		keeps);
	text_paragraph(t->output, "", 0, line.text);
	output_finish(&line);
}

/* ---- loops whose bounds follow from the code */

static void add_turns(struct text *t)
{
	const struct loop_turns *turns = &t->report->wcet->turns;
	if (turns->count > 0)
		text_heading(t->output, "loops that the code bounds", t->colour);
	for (int i = 0; i < turns->count; i++) {
		struct output line = {0};
		output_print(&line, "loop %s comes back at most %" PRId64 " times: %s", turns->program->blocks[turns->items[i].header].id,
			turns->items[i].bound, turns->items[i].says);
		text_paragraph(t->output, "- ", 2, line.text);
		output_finish(&line);
	}
}

/* ---- what it rests on */

static void add_source(struct text *t, const char *what, const char *source)
{
	struct output line = {0};
	output_print(&line, "%s: %s", what, source);
	text_paragraph(t->output, "- ", 2, line.text);
	output_finish(&line);
}

static void add_claims(struct text *t, const struct program *program)
{
	struct output head = {0};
	output_print(&head, "%s rests on, and nobody checked", program->id);
	text_heading(t->output, head.text, t->colour);
	output_finish(&head);
	for (int i = 0; i < program->claim_count; i++) {
		const struct program_claim *claim = &program->claims[i];
		struct output line = {0};
		output_print(&line, "%s%s%s: %s", claim->kind, claim->of[0] != '\0' ? " " : "", claim->of, claim->says);
		if (program_rests_on(program, claim))
			text_paragraph(t->output, "- ", 2, line.text);
		output_finish(&line);
	}
}

static bool is_first_beside(const struct wcet_report *report, int index)
{
	bool again = strcmp(report->beside[index]->hash, report->program->hash) == 0;
	for (int i = 0; i < index; i++)
		again |= strcmp(report->beside[i]->hash, report->beside[index]->hash) == 0;
	return !again;
}

/* The platform's source of a class, or NULL. */
static const char *platform_source(const struct wcet *wcet, int class)
{
	return wcet->costs.used[class] && wcet->costs.classes[class].by == NULL ? wcet->costs.classes[class].source : NULL;
}

/* The source of the class and of all others that have the same one, with the first of them. */
static void add_platform_source(struct text *t, const struct wcet *wcet, int class)
{
	const char *source = platform_source(wcet, class), *other;
	struct output names = {0};
	for (int c = 0; c < CLASS_COUNT && source != NULL; c++) {
		if ((other = platform_source(wcet, c)) == NULL || strcmp(other, source) != 0)
			continue;
		if (c < class)
			source = NULL;
		else
			output_print(&names, "%s%s", c == class ? "" : ", ", class_names[c]);
	}
	if (source != NULL)
		add_source(t, names.text, source);
	output_finish(&names);
}

static void add_basis(struct text *t)
{
	const struct wcet *wcet = t->report->wcet;
	add_turns(t);
	add_claims(t, t->report->program);
	for (int c = 0; c < CLASS_COUNT; c++)
		add_platform_source(t, wcet, c);
	if (wcet->divergence.fork_count > 0 && wcet->costs.divergence_by == NULL)
		add_source(t, "divergence", wcet->costs.divergence.source);
	for (int i = 0; i < t->report->beside_count; i++)
		if (is_first_beside(t->report, i))
			add_claims(t, t->report->beside[i]);
}

void wcet_text(struct output *output, const struct wcet_report *report, bool colour)
{
	struct text t = {output, report, colour};
	add_header(&t);
	add_bound(&t);
	add_parts(&t);
	add_classes(&t);
	add_path(&t);
	wcet_lines_text(output, report, colour);
	wcet_lines_annotate(output, report, colour);
	add_memory(&t);
	add_curve(&t);
	add_beside(&t);
	add_suppositions(&t);
	add_basis(&t);
}
