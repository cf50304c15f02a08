/* A program's elements to the model: blocks, edges, loops, facts, branches, declared costs. */
#include "input/read_program.h"

#include "input/sass.h"

#include <stdlib.h>
#include <string.h>

static const char *const unlisted_names[] = {"uniform", "divergent", NULL};
static const char *const slots_names[] = {"in-turn", NULL};
static const char *const relation_names[] = {"at-most", "at-least", "equal", NULL};
enum relation { RELATION_AT_MOST, RELATION_AT_LEAST, RELATION_EQUAL };

/* ---- costs */

/* Of which the encoding says when the next instruction may issue. */
static const bool stalls[CLASS_COUNT] = {
	[CLASS_FP32] = true,
	[CLASS_INT32] = true,
	[CLASS_WIDE] = true,
	[CLASS_HALF] = true,
	[CLASS_FP64] = true,
	[CLASS_RARE] = true,
	[CLASS_CONVERT] = true,
	[CLASS_VOTE] = true,
	[CLASS_BRANCH] = true,
};

static void read_costs(struct reader *reader, const struct xml_element *root, struct program *program)
{
	for (int i = 0; i < CLASS_COUNT; i++)
		program->declared[i] = (struct class_cost){.latency = NONE, .occupancy = NONE};
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "cost"))
			continue;
		struct class_cost *cost = &program->declared[read_choice(element, "class", class_names, 0)];
		if (cost->latency != NONE)
			COMPLAIN(
				reader, element, DUPLICATE_ID, "expected each class once; got \"%s\" again", element_get(element, "class"));
		*cost = (struct class_cost){
			.latency = read_number(reader, element, "latency", UNIT_COUNT, ROUND_NEVER, 1),
			.occupancy = read_number(reader, element, "occupancy", UNIT_COUNT, ROUND_NEVER, 1),
			.partition = read_choice(element, "per", per_names, 0) == 1,
			.group = element_get(element, "group"),
			.source = element_get(element, "source"),
			.by = element_get(element, "by"),
			.least = read_number(reader, element, "least", UNIT_COUNT, ROUND_NEVER, 1),
			.issue = read_number(reader, element, "issue", UNIT_COUNT, ROUND_NEVER, 0),
			.under_way = read_number(reader, element, "under-way", UNIT_COUNT, ROUND_NEVER, 0),
		};
		cost->again = read_number(reader, element, "again", UNIT_COUNT, ROUND_NEVER, 0);
		cost->by_stall = element_get(element, "beyond-stall") != NULL;
		cost->beyond = read_number(reader, element, "beyond-stall", UNIT_COUNT, ROUND_NEVER, 0);
		cost->further = read_number(reader, element, "further", UNIT_COUNT, ROUND_NEVER, 0);
		cost->apart = read_number(reader, element, "apart", UNIT_COUNT, ROUND_NEVER, 0);
		cost->spaced = read_number(reader, element, "spaced", UNIT_COUNT, ROUND_NEVER, 0);
		cost->lines = read_number(reader, element, "lines", UNIT_COUNT, ROUND_NEVER, 0);
		if ((cost->again == 0) != (cost->lines == 0) || cost->again > cost->latency ||
			(cost->again > 0 && (cost != &program->declared[CLASS_CONSTANT] || cost->issue > 0)))
			COMPLAIN(reader, element, SCHEMA_VIOLATION,
				"<cost>: expected again, no more than the latency, with lines and without issue, of class constant only; "
				"got class "
				"\"%s\"",
				element_get(element, "class"));
		if (cost->by_stall && (!stalls[cost - program->declared] || cost->issue > 0))
			COMPLAIN(reader, element, SCHEMA_VIOLATION,
				"<cost>: expected beyond-stall without issue, of a class of arithmetic or of branches; got class \"%s\"",
				element_get(element, "class"));
		if ((cost->further > 0 && (cost->again == 0 || cost->further > cost->latency)) ||
			(cost->apart > 0 && (cost->further == 0 || cost->apart > cost->latency)))
			COMPLAIN(reader, element, SCHEMA_VIOLATION,
				"<cost>: expected further with again only, apart with further only, and neither more than the latency; got "
				"class "
				"\"%s\"",
				element_get(element, "class"));
		if (cost->spaced > 0 && (!cost->by_stall || !cost->partition || cost->spaced > cost->occupancy))
			COMPLAIN(reader, element, SCHEMA_VIOLATION,
				"<cost>: expected spaced, no more than the occupancy, with beyond-stall and per=\"partition\" only; got "
				"class "
				"\"%s\"",
				element_get(element, "class"));
		if ((cost->issue == 0) != (cost->under_way == 0))
			COMPLAIN(reader, element, SCHEMA_VIOLATION,
				"<cost>: expected issue and under-way, or none of both, of class \"%s\"", element_get(element, "class"));
	}
}

static void read_declared_divergence(struct reader *reader, const struct xml_element *root, struct program *program)
{
	const struct xml_element *element = element_child(root, "divergence");
	program->declared_divergence = (struct divergence_cost){NONE, NONE, NONE, NONE, NULL};
	if (element == NULL)
		return;
	program->declared_divergence = (struct divergence_cost){
		.depth = read_number(reader, element, "depth", UNIT_COUNT, ROUND_NEVER, NONE),
		.entries_a_spill = read_number(reader, element, "entries-a-spill", UNIT_COUNT, ROUND_NEVER, NONE),
		.cycles_a_divergence = read_number(reader, element, "cycles-a-divergence", UNIT_COUNT, ROUND_NEVER, NONE),
		.cycles_a_spill = read_number(reader, element, "cycles-a-spill", UNIT_COUNT, ROUND_NEVER, NONE),
		.source = element_get(element, "source"),
	};
	program->divergence_by = element_get(element, "by");
}

/* ---- the graph */

static void read_blocks(struct reader *reader, const struct xml_element *root, struct program_reader *state)
{
	struct program *program = state->program;
	program->blocks = arena_allocate(reader->arena, (size_t)element_count(root, "block"), sizeof *program->blocks);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "block"))
			continue;
		read_identifier(reader, element, &state->blocks, program->block_count, "block");
		struct program_block *block = &program->blocks[program->block_count++];
		*block = (struct program_block){
			.id = element_get(element, "id"), .leaves = read_flag(element, "exit"), .line = element->line};
		for (int i = 0; i < CLASS_COUNT; i++)
			block->counts[i] = read_number(reader, element, class_names[i], UNIT_COUNT, ROUND_NEVER, 0);
	}
}

void program_add_edge(struct program_reader *state, int from, int to, long line)
{
	struct program *program = state->program;
	program->edges = arena_grow(state->arena, program->edges, &state->edge_capacity, program->edge_count + 1, sizeof *program->edges);
	program->edges[program->edge_count++] = (struct program_edge){from, to, line};
	const char *key = arena_format(state->arena, "%d>%d", from, to);
	names_add(&state->edges, key, program->edge_count - 1);
}

static int find_edge(struct program_reader *state, int from, int to)
{
	char key[40];
	snprintf(key, sizeof key, "%d>%d", from, to);
	return names_find(&state->edges, key);
}

static void read_edges(struct reader *reader, const struct xml_element *root, struct program_reader *state)
{
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "edge"))
			continue;
		int from = read_reference(reader, element, "from", &state->blocks, "block");
		int to = read_reference(reader, element, "to", &state->blocks, "block");
		if (from < 0 || to < 0)
			continue;
		if (find_edge(state, from, to) >= 0)
			COMPLAIN(reader, element, DUPLICATE_ID, "expected each edge once; got the one from \"%s\" to \"%s\" again",
				element_get(element, "from"), element_get(element, "to"));
		else
			program_add_edge(state, from, to, element->line);
	}
}

/* A block that nothing follows ends the program. */
static void mark_exits(struct program *program, struct arena *arena)
{
	bool *followed = arena_allocate(arena, (size_t)program->block_count, sizeof *followed);
	for (int i = 0; i < program->edge_count; i++)
		followed[program->edges[i].from] = true;
	for (int i = 0; i < program->block_count; i++)
		program->blocks[i].leaves |= !followed[i];
}

/* ---- what bounds the paths */

static int64_t read_signed(const struct xml_element *element, const char *attribute, int64_t absent)
{
	const char *text = element_get(element, attribute);
	return text != NULL ? strtoll(text, NULL, 10) : absent; /* at most 18 digits, says the schema */
}

static bool read_term(struct reader *reader, const struct xml_element *element, struct program_reader *state, struct program_term *term)
{
	*term = (struct program_term){.block = read_reference(reader, element, "block", &state->blocks, "block"), .edge = NO_ID};
	term->factor = read_signed(element, "factor", 1);
	if (term->block < 0 || element_get(element, "to") == NULL)
		return term->block >= 0;
	int to = read_reference(reader, element, "to", &state->blocks, "block");
	term->edge = to < 0 ? NO_ID : find_edge(state, term->block, to);
	if (to >= 0 && term->edge < 0)
		COMPLAIN(reader, element, UNKNOWN_REFERENCE, "expected an edge; there is none from \"%s\" to \"%s\"",
			element_get(element, "block"), element_get(element, "to"));
	return term->edge >= 0;
}

static void read_facts(struct reader *reader, const struct xml_element *root, struct program_reader *state)
{
	struct program *program = state->program;
	program->facts = arena_allocate(reader->arena, (size_t)element_count(root, "fact"), sizeof *program->facts);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "fact"))
			continue;
		int relation = read_choice(element, "relation", relation_names, RELATION_AT_MOST);
		int64_t sign = relation == RELATION_AT_LEAST ? -1 : 1;
		struct program_fact *fact = &program->facts[program->fact_count++];
		*fact = (struct program_fact){.equal = relation == RELATION_EQUAL, .line = element->line};
		fact->right = sign * read_signed(element, "count", 0);
		fact->terms = arena_allocate(reader->arena, (size_t)element_count(element, "term"), sizeof *fact->terms);
		for (const struct xml_element *part = element->first; part != NULL; part = part->next) {
			struct program_term *term = &fact->terms[fact->term_count];
			fact->term_count += read_term(reader, part, state, term);
			term->factor *= sign;
		}
	}
}

static void read_branches(struct reader *reader, const struct xml_element *root, struct program_reader *state)
{
	struct program *program = state->program;
	bool *seen = arena_allocate(reader->arena, (size_t)program->block_count, sizeof *seen);
	program->branches = arena_allocate(reader->arena, (size_t)element_count(root, "branch"), sizeof *program->branches);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "branch"))
			continue;
		struct program_branch branch = {
			.block = read_reference(reader, element, "block", &state->blocks, "block"),
			.paths = read_number(reader, element, "paths", UNIT_COUNT, ROUND_NEVER, 1),
			.line = element->line,
		};
		if (branch.block >= 0 && seen[branch.block])
			COMPLAIN(reader, element, DUPLICATE_ID, "expected a block's branch once; got that of \"%s\" again",
				element_get(element, "block"));
		else if (branch.block >= 0)
			seen[branch.block] = true;
		if (branch.block >= 0)
			program->branches[program->branch_count++] = branch;
	}
}

/* ---- constant bank 0 */

#define SHAPE_FIRST_CAPABILITY 70 /* to SHAPE_LAST_CAPABILITY: the block's extents at 0x0, 0x4, 0x8, the grid's at 0xc, 0x10, 0x14 */
#define SHAPE_LAST_CAPABILITY 90

static void add_word(struct program *program, int64_t offset, int64_t least, int64_t most, long line)
{
	program->words[program->word_count++] = (struct program_word){offset, least, most, line};
}

static struct program_word *find_word(const struct program *program, int64_t offset)
{
	for (int i = 0; i < program->word_count; i++)
		if (program->words[i].offset == offset)
			return &program->words[i];
	return NULL;
}

/* What a launch can be: CUDA C++ Programming Guide, technical specifications by compute capability. */
static void add_shape(struct program *program)
{
	static const int64_t most[] = {2147483647, 65535, 65535};
	program->shaped = true;
	for (int i = 0; i < 3; i++) {
		add_word(program, 4 * i, program->extents[i], program->extents[i], 0);
		add_word(program, 12 + 4 * i, 1, most[i], 0);
	}
}

static void read_words(struct reader *reader, const struct xml_element *root, const struct platform *platform, struct program *program)
{
	int capability = platform->compute_capability;
	program->words = arena_allocate(reader->arena, 6 + (size_t)element_count(root, "argument"), sizeof *program->words);
	if (program->sass.file != NULL && capability >= SHAPE_FIRST_CAPABILITY && capability <= SHAPE_LAST_CAPABILITY)
		add_shape(program);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "argument"))
			continue;
		int64_t offset = strtoll(element_get(element, "offset"), NULL, 16);
		int64_t least = read_number(reader, element, "at-least", UNIT_COUNT, ROUND_NEVER, 0);
		int64_t most = read_number(reader, element, "at-most", UNIT_COUNT, ROUND_NEVER, UINT32_MAX);
		struct program_word *shape = find_word(program, offset);
		if (shape != NULL && shape->line > 0)
			COMPLAIN(reader, element, DUPLICATE_ID, "expected each word of an argument once; got offset \"%s\" again",
				element_get(element, "offset"));
		else if (offset % 4 != 0 || least > most || most > UINT32_MAX ||
			 (shape != NULL && (least > shape->most || most < shape->least)))
			COMPLAIN(reader, element, ARGUMENT_IMPOSSIBLE,
				"expected an aligned word of 32 bits with at-least <= at-most, and what a launch can have; got offset "
				"\"%s\"",
				element_get(element, "offset"));
		else if (shape != NULL)
			*shape = (struct program_word){
				offset, checked_max(least, shape->least), checked_min(most, shape->most), element->line};
		else
			add_word(program, offset, least, most, element->line);
	}
}

void read_program(struct reader *reader, const struct xml_element *root, const struct platform *platform, struct program *program)
{
	struct program_reader state = {.arena = reader->arena, .program = program, .capability = platform->compute_capability};
	names_init(&state.blocks, reader->arena);
	names_init(&state.edges, reader->arena);
	program->id = element_get(root, "id");
	program->title = element_child(root, "title") != NULL ? element_child(root, "title")->text : NULL;
	program->threads = read_extents(reader, root, "threads", program->extents);
	program->unlisted_diverge = read_choice(root, "unlisted", unlisted_names, 1) == 1;
	program->slots_in_turn = read_choice(root, "slots", slots_names, 1) == 0;
	read_costs(reader, root, program);
	read_declared_divergence(reader, root, program);
	if (element_child(root, "sass") == NULL) {
		read_blocks(reader, root, &state);
		read_edges(reader, root, &state);
	} else if (!read_sass(reader, root, &state))
		return;
	mark_exits(program, reader->arena);
	read_loops(reader, root, &state);
	read_facts(reader, root, &state);
	read_branches(reader, root, &state);
	read_words(reader, root, platform, program);
	read_claims(reader, root, platform, program);
}
