/* A block's bound as XML, with the multipliers that certify it. */
#include "report/report_wcet.h"
#include "write/xml_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const composition_words[] = {"free", "aligned", "serial"};
static const char *const status_names[] = {"solved", "limit", "infeasible", "failed"};

static void add_input(struct xml *xml, const char *role, const char *path, const char *hash)
{
	xml_begin(xml, "input");
	xml_attribute(xml, "role", role);
	xml_attribute(xml, "path", path);
	xml_attribute(xml, "sha256", hash);
	xml_end(xml);
}

static void add_inputs(struct xml *xml, const struct wcet_report *report)
{
	const struct program_sass *sass = &report->program->sass;
	xml_begin(xml, "inputs");
	add_input(xml, "program", report->program->path, report->program->hash);
	add_input(xml, "platform", report->platform->path, report->platform->hash);
	if (sass->file != NULL) {
		add_input(xml, "sass", sass->file, sass->hash);
		add_input(xml, "cubin", sass->cubin, sass->cubin_hash);
	}
	xml_end(xml);
}

void wcet_xml_claims(struct xml *xml, const struct program *program)
{
	xml_begin(xml, "claims");
	for (int i = 0; i < program->claim_count; i++) {
		if (!program_rests_on(program, &program->claims[i]))
			continue;
		xml_begin(xml, "claim");
		xml_attribute(xml, "kind", program->claims[i].kind);
		xml_attribute(xml, "of", program->claims[i].of[0] != '\0' ? program->claims[i].of : NULL);
		xml_text(xml, program->claims[i].says);
		xml_end(xml);
	}
	xml_end(xml);
}

static const char *register_name(char name[16], int cell)
{
	bool uniform = cell >= CELL_UNIFORM;
	snprintf(name, 16, uniform ? "UR%d" : "R%d", cell - (uniform ? CELL_UNIFORM : 0));
	return name;
}

static void begin_fact(struct xml *xml, const char *element, const struct program *program, const struct value_fact *fact)
{
	char name[16];
	xml_begin(xml, element);
	xml_attribute(xml, "block", program->blocks[fact->block].id);
	xml_attribute(xml, "register", register_name(name, fact->cell));
}

static void add_range(struct xml *xml, const struct range *range)
{
	xml_integer(xml, "least", range->least);
	xml_integer(xml, "most", range->most);
}

static void add_rest(struct xml *xml, const struct rest *rest)
{
	if (rest->bits == 0 || rest->bits == 32)
		return;
	xml_integer(xml, "modulus", INT64_C(1) << rest->bits);
	xml_integer(xml, "rest", rest->number);
}

/* 0x220 plus 4294967295 shifted 9; @35 low 2 */
static const char *function_text(const struct formulas *formulas, int formula, char *text, size_t size)
{
	static const char *const steps[] = {"", " plus %u", " negative", " shifted %u", " low %u", " high %u"};
	const struct formula *of = &formulas->items[formula];
	if (of->step == FORMULA_CONSTANT) {
		snprintf(text, size, of->number < VALUES_ONCE ? "%#x" : "@%u",
			of->number < VALUES_ONCE ? of->number : of->number - VALUES_ONCE);
		return text;
	}
	function_text(formulas, of->of, text, size);
	size_t used = strlen(text);
	if (of->step == FORMULA_NEGATIVE)
		snprintf(text + used, size - used, " negative");
	else
		snprintf(text + used, size - used, steps[of->step], of->number);
	return text;
}

static void add_constants(struct xml *xml, const struct loop_turns *turns)
{
	char offset[16];
	for (int i = 0; i < turns->constant_count; i++) {
		const struct value_fact *fact = &turns->constants[i];
		bool once = fact->cell >= VALUES_ONCE;
		snprintf(offset, sizeof offset, once ? "%u" : "%#x", (unsigned)fact->cell - (once ? VALUES_ONCE : 0));
		xml_begin(xml, "constant");
		xml_attribute(xml, "block", turns->program->blocks[fact->block].id);
		xml_attribute(xml, once ? "at" : "offset", offset);
		add_range(xml, &fact->value.range);
		xml_end(xml);
	}
}

static void add_implied(struct xml *xml, const struct loop_turns *turns)
{
	char name[16], predicate[16];
	for (int i = 0; i < turns->implied_count; i++) {
		const struct implied_fact *fact = &turns->implied[i];
		snprintf(predicate, sizeof predicate, "P%d", fact->predicate);
		xml_begin(xml, "implied");
		xml_attribute(xml, "block", turns->program->blocks[fact->block].id);
		xml_attribute(xml, "predicate", predicate);
		xml_attribute(xml, "register", register_name(name, fact->cell));
		if (!fact->implied.never)
			add_range(xml, &fact->implied.range);
		xml_end(xml);
	}
}

static void add_once(struct xml *xml, const struct loop_turns *turns)
{
	for (int i = 1; i < turns->formulas->constants; i++) {
		if (!turns->once[i])
			continue;
		xml_begin(xml, "once");
		xml_integer(xml, "at", turns->formulas->items[i].number - VALUES_ONCE);
		xml_end(xml);
	}
}

static void add_from(struct xml *xml, const struct program *program, const struct value_fact *facts, int count)
{
	static const char *const forms[] = {"any", "moved", "shifted", "halved", "doubled"};
	char name[16];
	for (int i = 0; i < count; i++) {
		const struct value *value = &facts[i].value;
		begin_fact(xml, "from", program, &facts[i]);
		xml_attribute(xml, "form", forms[value->form]);
		xml_attribute(xml, "of", register_name(name, value->base));
		if (value->form == VALUE_MOVED)
			add_range(xml, &value->offset);
		else
			xml_integer(xml, "shift", value->shift);
		xml_end(xml);
	}
}

static void add_nest(struct xml *xml, const struct program *program, const struct loop_turn *turn)
{
	char name[16];
	if (turn->within == NO_ID)
		return;
	xml_begin(xml, "nest");
	xml_attribute(xml, "within", program->blocks[turn->within].id);
	xml_attribute(xml, "counter", register_name(name, turn->within_counter));
	xml_integer(xml, "in-all", turn->in_all);
	add_from(xml, program, turn->within_facts, turn->within_fact_count);
	xml_end(xml);
}

static void add_turn(struct xml *xml, const struct program *program, const struct loop_turn *turn)
{
	char name[16];
	xml_begin(xml, "turn");
	xml_attribute(xml, "header", program->blocks[turn->header].id);
	xml_attribute(xml, "test", program->blocks[turn->test].id);
	if (turn->compared != turn->test)
		xml_attribute(xml, "compared", program->blocks[turn->compared].id);
	xml_attribute(xml, "counter", register_name(name, turn->counter));
	xml_integer(xml, "bound", turn->bound);
	add_from(xml, program, turn->facts, turn->fact_count);
	add_nest(xml, program, turn);
	xml_end(xml);
}

void wcet_xml_turns(struct xml *xml, const struct wcet *wcet)
{
	const struct loop_turns *turns = &wcet->turns;
	if (turns->count == 0)
		return;
	char function[256];
	xml_begin(xml, "turns");
	for (int i = 0; i < turns->fact_count; i++) {
		begin_fact(xml, "range", turns->program, &turns->facts[i]);
		add_range(xml, &turns->facts[i].value.range);
		add_rest(xml, &turns->facts[i].value.rest);
		if (turns->facts[i].value.formula > 0)
			xml_attribute(
				xml, "function", function_text(turns->formulas, turns->facts[i].value.formula, function, sizeof function));
		xml_end(xml);
	}
	add_constants(xml, turns);
	add_implied(xml, turns);
	add_once(xml, turns);
	for (int i = 0; i < turns->count; i++)
		add_turn(xml, turns->program, &turns->items[i]);
	xml_end(xml);
}

/* ---- accesses to memory */

static void add_lanes(struct xml *xml, const struct lane_fact *fact)
{
	char name[16];
	struct output offsets = {0}, groups = {0};
	for (int i = 0; i < THREADS_A_WARP; i++) {
		output_print(&offsets, "%s%" PRIu32, i > 0 ? " " : "", fact->form->offsets[i]);
		output_print(&groups, "%s%d", i > 0 ? " " : "", fact->form->groups[i]);
	}
	snprintf(name, sizeof name, fact->cell < CELL_PREDICATE ? "R%d" : "P%d",
		fact->cell < CELL_PREDICATE ? fact->cell : fact->cell - CELL_PREDICATE);
	xml_begin(xml, "lanes");
	xml_integer(xml, "at", fact->instruction);
	xml_attribute(xml, "cell", name);
	xml_integer(xml, "aligned", fact->form->aligned);
	xml_attribute(xml, "offsets", offsets.text);
	xml_attribute(xml, "groups", groups.text);
	xml_end(xml);
	output_finish(&offsets);
	output_finish(&groups);
}

static void add_access(
	struct xml *xml, const struct accesses *accesses, const struct memory_access *access, bool full, const int64_t *counts)
{
	const struct program_instruction *instruction = &accesses->program->instructions[access->instruction];
	xml_begin(xml, "access");
	xml_integer(xml, "at", access->instruction);
	xml_integer(xml, "units", access->units);
	xml_attribute(xml, "space", space_names[instruction->space]);
	if (full) {
		xml_attribute(xml, "mnemonic", instruction->mnemonic);
		xml_integer(xml, "line", instruction->line);
		xml_integer(xml, "executions", counts == NULL ? NONE : counts[instruction->block]);
	}
	xml_end(xml);
}

void wcet_xml_accesses(struct xml *xml, const struct wcet *wcet, bool counts)
{
	const struct accesses *accesses = &wcet->accesses;
	if (accesses->count == 0)
		return;
	xml_begin(xml, "accesses");
	for (int i = 0; i < accesses->lanes.fact_count && !counts; i++)
		add_lanes(xml, &accesses->lanes.facts[i]);
	for (int i = 0; i < accesses->count; i++)
		add_access(xml, accesses, &accesses->items[i], counts, wcet->chain.program.block_counts);
	xml_end(xml);
}

static void add_costs(struct xml *xml, const struct wcet_report *report)
{
	const struct instruction_costs *costs = &report->wcet->costs;
	xml_begin(xml, "costs");
	for (int c = 0; c < CLASS_COUNT; c++) {
		if (!costs->used[c])
			continue;
		xml_begin(xml, "cost");
		xml_attribute(xml, "class", class_names[c]);
		xml_integer(xml, "latency", costs->classes[c].latency);
		xml_integer(xml, "occupancy", costs->classes[c].occupancy);
		xml_integer(xml, "least", costs->classes[c].least > 0 ? costs->classes[c].least : 1);
		if (costs->classes[c].issue > 0) {
			xml_integer(xml, "issue", costs->classes[c].issue);
			xml_integer(xml, "under-way", costs->classes[c].under_way);
		}
		xml_integer(xml, "beyond-stall", costs->classes[c].by_stall ? costs->classes[c].beyond : NONE);
		xml_integer(xml, "spaced", costs->classes[c].spaced > 0 ? costs->classes[c].spaced : NONE);
		xml_integer(xml, "spared", wcet_spared(report, c) != 0 ? wcet_spared(report, c) : NONE);
		if (costs->classes[c].again > 0) {
			xml_integer(xml, "again", costs->classes[c].again);
			xml_integer(xml, "lines", costs->lines);
			xml_integer(xml, "further", costs->classes[c].further > 0 ? costs->classes[c].further : NONE);
			xml_integer(xml, "apart", costs->classes[c].apart > 0 ? costs->classes[c].apart : NONE);
		}
		xml_attribute(xml, "per", costs->classes[c].partition ? "partition" : "sm");
		xml_attribute(xml, "group", costs->classes[c].group);
		xml_integer(xml, "instructions", wcet_instructions(report, c));
		xml_integer(xml, "cycles", wcet_class_cycles(report, c));
		xml_attribute(xml, "source", costs->classes[c].source);
		xml_attribute(xml, "by", costs->classes[c].by);
		xml_end(xml);
	}
	xml_end(xml);
}

static void add_divergence(struct xml *xml, const struct wcet_report *report)
{
	const struct wcet *wcet = report->wcet;
	if (wcet->divergence.fork_count == 0)
		return;
	xml_begin(xml, "divergence");
	xml_integer(xml, "depth", wcet->costs.divergence.depth);
	xml_integer(xml, "entries-a-spill", wcet->costs.divergence.entries_a_spill);
	xml_integer(xml, "cycles-a-divergence", wcet->costs.divergence.cycles_a_divergence);
	xml_integer(xml, "cycles-a-spill", wcet->costs.divergence.cycles_a_spill);
	xml_integer(xml, "tokens", wcet->divergence.depth);
	xml_integer(xml, "spill-cycles", wcet->spill_cycles);
	xml_integer(xml, "cycles", wcet_divergence_cycles(report));
	xml_attribute(xml, "source", wcet->costs.divergence.source);
	xml_attribute(xml, "by", wcet->costs.divergence_by);
	xml_end(xml);
}

static void add_loops(struct xml *xml, const struct wcet_report *report)
{
	const struct loops *loops = &report->wcet->loops;
	xml_begin(xml, "loops");
	for (int i = 0; i < loops->count; i++) {
		xml_begin(xml, "loop");
		xml_attribute(xml, "header", report->program->blocks[loops->items[i].header].id);
		xml_integer(xml, "bound", loops->items[i].bound);
		xml_integer(xml, "passes", loops->items[i].passes);
		if (loops->items[i].in_all > 0) {
			xml_attribute(xml, "within", report->program->blocks[loops->items[loops->items[i].parent].header].id);
			xml_integer(xml, "in-all", loops->items[i].in_all);
		}
		xml_boolean(xml, "natural", loops->items[i].natural);
		xml_attribute(xml, "follows", loop_turns_say(&report->wcet->turns, loops->items[i].header));
		xml_end(xml);
	}
	xml_end(xml);
}

static int loop_with_header(const struct loops *loops, int header)
{
	int loop = 0;
	while (loop < loops->count && loops->items[loop].header != header)
		loop++;
	return loop;
}

/* The rows are in the order of ipet.h: the entry, each block with those of its fork, each loop, each of those of [NESTED-TURNS], each fact;
 * but the loops as the program lists them. */
static void add_certificate(struct xml *xml, const struct wcet *wcet, const struct ipet_result *result)
{
	const struct program *program = wcet->flow.program;
	struct output numbers = {0};
	for (int i = 0; i < result->lp.row_count; i++) {
		int row = i, loop = i - result->first_loop;
		if (loop >= 0 && loop < wcet->loops.count)
			row = result->first_loop + loop_with_header(&wcet->loops, program->loops[loop].header);
		output_print(&numbers, i > 0 ? " %" PRId64 : "%" PRId64, result->dual.numerators[row]);
	}
	xml_begin(xml, "certificate");
	xml_integer(xml, "denominator", result->dual.denominator);
	xml_integer(xml, "rows", result->lp.row_count);
	xml_text(xml, numbers.text);
	xml_end(xml);
	output_finish(&numbers);
}

static void add_counts(struct xml *xml, const struct wcet *wcet, const struct ipet_result *result)
{
	const struct program *program = wcet->flow.program;
	for (int i = 0; result->block_counts != NULL && i < program->block_count; i++) {
		if (result->block_counts[i] == 0)
			continue;
		xml_begin(xml, "block");
		xml_attribute(xml, "id", program->blocks[i].id);
		xml_integer(xml, "count", result->block_counts[i]);
		xml_end(xml);
	}
	for (int i = 0; result->edge_counts != NULL && i < program->edge_count; i++) {
		if (result->edge_counts[i] == 0)
			continue;
		xml_begin(xml, "edge");
		xml_attribute(xml, "from", program->blocks[program->edges[i].from].id);
		xml_attribute(xml, "to", program->blocks[program->edges[i].to].id);
		xml_integer(xml, "count", result->edge_counts[i]);
		xml_end(xml);
	}
}

static void add_part(struct xml *xml, const struct wcet *wcet, const char *name, const struct wcet_part *part, bool counts)
{
	const struct ipet_result *result = &part->program;
	if (!part->solved)
		return;
	xml_begin(xml, name);
	xml_integer(xml, "cycles", part->cycles);
	xml_integer(xml, "linear-program", result->value);
	xml_integer(xml, "closed-form", counts ? result->closed : NONE); /* a report has its multipliers where the bound rests on it */
	xml_attribute(xml, "solver", status_names[result->status]);
	xml_boolean(xml, "attained", result->block_counts != NULL);
	if (counts)
		add_counts(xml, wcet, result);
	add_certificate(xml, wcet, result);
	xml_end(xml);
}

void wcet_xml_parts(struct xml *xml, const struct wcet *wcet, bool counts)
{
	add_part(xml, wcet, "chain", &wcet->chain, counts);
	add_part(xml, wcet, "others", &wcet->others, counts);
	add_part(xml, wcet, "shared", &wcet->shared, counts);
	add_part(xml, wcet, "crossed", &wcet->crossed, counts);
	add_part(xml, wcet, "turn", &wcet->turn, counts);
	add_part(xml, wcet, "turn-shared", &wcet->turn_shared, counts);
	if (wcet->spill_cycles > 0)
		add_part(xml, wcet, "tokens", &wcet->pushes, counts);
}

void wcet_xml_neighbour(struct xml *xml, const struct wcet_neighbour *neighbour)
{
	xml_integer(xml, "by-age", neighbour->by_age);
	xml_integer(xml, "blocking", neighbour->blocking);
	xml_integer(xml, "plain-age", neighbour->plain_age);
	xml_integer(xml, "plain-blocking", neighbour->plain_blocking);
	xml_rational(xml, "share", neighbour->supply.share);
	xml_integer(xml, "burst", neighbour->supply.burst);
	xml_integer(xml, "by-turns", neighbour->by_turns);
	xml_integer(xml, "turns-own", neighbour->turns_own);
}

static void add_lines(struct xml *xml, const struct wcet_report *report)
{
	int count;
	const struct wcet_line *lines = wcet_lines(report, &count);
	for (int i = 0; i < count; i++) {
		xml_begin(xml, "line");
		xml_attribute(xml, "file", lines[i].place.file);
		xml_integer(xml, "number", lines[i].place.line);
		xml_integer(xml, "instructions", lines[i].instructions);
		xml_integer(xml, "cycles", lines[i].cycles);
		xml_end(xml);
	}
}

/* C_K[r] for r = 1 to as many as fit, where that is known. */
static void add_curve(struct xml *xml, const struct wcet_report *report)
{
	xml_begin(xml, "curve");
	wcet_xml_neighbour(xml, &report->wcet->self);
	for (int64_t r = 1; r <= wcet_curve_length(report->wcet); r++) {
		xml_begin(xml, "resident");
		xml_integer(xml, "blocks", r);
		xml_integer(xml, "cycles", wcet_resident(report->wcet, r));
		xml_integer(xml, "nanoseconds", wcet_time(wcet_resident(report->wcet, r), report->platform));
		xml_integer(xml, "any-order", wcet_any_order(report->wcet, r));
		xml_end(xml);
	}
	xml_end(xml);
}

static void add_beside(struct xml *xml, const struct wcet_report *report)
{
	for (int i = 0; i < report->beside_count; i++) {
		xml_begin(xml, "beside");
		xml_attribute(xml, "program", report->beside[i]->id);
		xml_attribute(xml, "path", report->beside[i]->path);
		xml_attribute(xml, "sha256", report->beside[i]->hash);
		wcet_xml_neighbour(xml, &report->neighbours[i]);
		xml_integer(xml, "cycles", wcet_beside(report->among, report->neighbours, i + 1));
		xml_integer(xml, "nanoseconds", wcet_time(wcet_beside(report->among, report->neighbours, i + 1), report->platform));
		xml_integer(xml, "any-order", wcet_beside_any_order(report->among, report->neighbours, i + 1));
		wcet_xml_claims(xml, report->beside[i]);
		xml_end(xml);
	}
}

void wcet_xml(struct output *output, const struct wcet_report *report)
{
	const struct wcet *wcet = report->wcet;
	struct xml xml = {.output = output};
	output_add(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	xml_begin(&xml, "wcet");
	xml_attribute(&xml, "xmlns", "urn:gpubound:wcet:1");
	xml_attribute(&xml, "program", report->program->id);
	xml_attribute(&xml, "platform", report->platform->id);
	xml_integer(&xml, "threads", report->program->threads);
	xml_integer(&xml, "warps", wcet->warps);
	xml_integer(&xml, "near", wcet->near);
	xml_attribute(&xml, "composition", composition_words[wcet->composition]);
	xml_integer(&xml, "cycles", wcet->cycles);
	if (wcet->costs.first_reads > 0)
		xml_integer(&xml, "first-reads", wcet->costs.first_reads);
	xml_integer(&xml, "nanoseconds", wcet->time);
	add_inputs(&xml, report);
	wcet_xml_claims(&xml, report->program);
	add_costs(&xml, report);
	add_divergence(&xml, report);
	add_loops(&xml, report);
	wcet_xml_accesses(&xml, wcet, true);
	wcet_xml_parts(&xml, wcet, true);
	add_lines(&xml, report);
	add_curve(&xml, report);
	add_beside(&xml, report);
	xml_end(&xml);
	output_add(output, "\n");
}
