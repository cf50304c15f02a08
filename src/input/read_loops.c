/* Bounds of loops: of the one with a header, or one number for each copy that the compiler made of a line of the source. */
#include "input/read_program.h"

#include <stdlib.h>
#include <string.h>

/* ---- the loops that code has */

#define COPIES_BLOCKS 10000 /* of a program whose loops are looked for; a longer one is refused anyhow */

struct search {
	struct program_reader *state;
	int *out, *first_out; /* edges by their beginning */
	bool *reached;        /* from the entry without passing the header */
	int *stack;
};

static void sort_edges(struct search *search)
{
	const struct program *program = search->state->program;
	int *count = search->first_out + 1;
	for (int i = 0; i < program->edge_count; i++)
		count[program->edges[i].from]++;
	for (int block = 0; block < program->block_count; block++)
		count[block] += search->first_out[block];
	for (int i = program->edge_count - 1; i >= 0; i--)
		search->out[--search->first_out[program->edges[i].from + 1]] = i;
	for (int block = 0; block < program->block_count; block++) /* back to the beginnings */
		search->first_out[block] = search->first_out[block + 1];
	search->first_out[program->block_count] = program->edge_count;
}

static void reach_without(struct search *search, int header)
{
	const struct program *program = search->state->program;
	int depth = 0;
	memset(search->reached, 0, (size_t)program->block_count * sizeof *search->reached);
	if (header != 0)
		search->stack[depth++] = 0;
	search->reached[0] = header != 0;
	while (depth > 0) {
		int block = search->stack[--depth];
		for (int i = search->first_out[block]; i < search->first_out[block + 1]; i++) {
			int to = program->edges[search->out[i]].to;
			if (search->reached[to] || to == header)
				continue;
			search->reached[to] = true;
			search->stack[depth++] = to;
		}
	}
}

static struct program_place place_of_end(const struct program *program, int block)
{
	const struct program_block *of = &program->blocks[block];
	return of->count > 0 ? program->instructions[of->first + of->count - 1].place : (struct program_place){NULL, 0};
}

/* Of each block the last one from which an edge leads back to it, in the order of addresses; NO_ID. */
static int *last_backs(const struct search *search)
{
	const struct program *program = search->state->program;
	int *last = arena_allocate(search->state->arena, (size_t)program->block_count, sizeof *last);
	for (int block = 0; block < program->block_count; block++)
		last[block] = NO_ID;
	for (int i = 0; i < program->edge_count; i++) {
		const struct program_edge *edge = &program->edges[i];
		if (edge->from >= edge->to && edge->from > last[edge->to])
			last[edge->to] = edge->from;
	}
	return last;
}

/* A block that every way to the last one passes which leads back to it. */
static void find_copies(struct program_reader *state)
{
	struct program *program = state->program;
	struct arena *arena = state->arena;
	size_t blocks = (size_t)program->block_count;
	bool any = false;
	int capacity = 0;
	for (int i = 0; i < program->instruction_count; i++)
		any |= program->instructions[i].place.file != NULL;
	if (!any || program->block_count > COPIES_BLOCKS)
		return;
	struct search search = {state, arena_allocate(arena, (size_t)program->edge_count, sizeof(int)),
		arena_allocate(arena, blocks + 2, sizeof(int)), arena_allocate(arena, blocks, sizeof(bool)),
		arena_allocate(arena, blocks, sizeof(int))};
	const int *last = last_backs(&search);
	sort_edges(&search);
	for (int header = 0; header < program->block_count; header++) {
		if (last[header] == NO_ID || place_of_end(program, last[header]).file == NULL)
			continue;
		reach_without(&search, header);
		if (search.reached[last[header]])
			continue;
		program->copies = arena_grow(arena, program->copies, &capacity, program->copy_count + 1, sizeof *program->copies);
		program->copies[program->copy_count++] = (struct program_copy){header, place_of_end(program, last[header])};
	}
}

/* ---- one element */

static void add_loop(
	struct reader *reader, const struct xml_element *element, struct program *program, bool *seen, int header, int64_t bound)
{
	if (seen[header]) {
		COMPLAIN(reader, element, DUPLICATE_ID, "expected one bound a loop; got another for the one of \"%s\"",
			program->blocks[header].id);
		return;
	}
	seen[header] = true;
	program->loops[program->loop_count++] = (struct program_loop){
		.header = header,
		.bound = bound,
		.uniform = read_flag(element, "uniform"),
		.polls = read_flag(element, "polls"),
		.line = element->line,
	};
}

bool place_is_at(struct program_place place, const char *at)
{
	const char *colon = strrchr(at, ':');
	if (colon == NULL || place.file == NULL || strtol(colon + 1, NULL, 10) != place.line)
		return false;
	size_t length = (size_t)(colon - at), whole = strlen(place.file);
	return whole >= length && strncmp(place.file + whole - length, at, length) == 0 &&
	       (whole == length || place.file[whole - length - 1] == '/');
}

#define COPIES_LISTED 32 /* in a message */

/* The headers of the copies, in a line; how many there are. */
static int list_copies(struct reader *reader, const struct program *program, const char *at, const char **list)
{
	int count = 0;
	*list = "";
	for (int i = 0; i < program->copy_count; i++) {
		if (!place_is_at(program->copies[i].place, at))
			continue;
		if (count < COPIES_LISTED)
			*list = arena_format(
				reader->arena, "%s%s%s", *list, count > 0 ? ", " : "", program->blocks[program->copies[i].header].id);
		count++;
	}
	if (count > COPIES_LISTED)
		*list = arena_format(reader->arena, "%s, ...", *list);
	return count;
}

static int count_numbers(const char *bounds)
{
	int count = 1;
	for (; *bounds != '\0'; bounds++)
		count += *bounds == ' ';
	return count;
}

/* A number for each copy, or - for one whose bound the code is to show. */
static void read_copies(struct reader *reader, const struct xml_element *element, struct program *program, bool *seen)
{
	const char *at = element_get(element, "at"), *number = element_get(element, "bounds"), *list;
	int copies = list_copies(reader, program, at, &list), numbers = count_numbers(number);
	if (copies == 0)
		COMPLAIN(reader, element, LOOP_UNKNOWN,
			"expected a line of the source to which a branch back to the header of a loop belongs%s; got \"%s\"",
			program->copy_count == 0 ? ", and a disassembly that names lines" : "",
			element_shorten(reader->arena, at, SHORT_VALUE));
	else if (copies != numbers)
		COMPLAIN(reader, element, LOOP_COPIES,
			"expected %d numbers, for the loops that the compiler made of \"%s\": %s; got \"%s\"", copies,
			element_shorten(reader->arena, at, SHORT_VALUE), list, element_shorten(reader->arena, number, SHORT_VALUE));
	for (int i = 0; i < program->copy_count && copies == numbers; i++) {
		if (!place_is_at(program->copies[i].place, at))
			continue;
		if (*number != '-')
			add_loop(reader, element, program, seen, program->copies[i].header,
				strtoll(number, NULL, 10)); /* 18 digits, says the schema */
		number += strcspn(number, " ");
		number += *number == ' ';
	}
}

static void read_one(struct reader *reader, const struct xml_element *element, struct program_reader *state, bool *seen)
{
	bool by_header = element_get(element, "header") != NULL, by_line = element_get(element, "at") != NULL;
	bool bound = element_get(element, "bound") != NULL, bounds = element_get(element, "bounds") != NULL;
	if (by_header == by_line || bound != by_header || bounds != by_line) {
		COMPLAIN(reader, element, LOOP_COPIES, "expected header=\"...\" and bound=\"...\", or at=\"...\" and bounds=\"...\"");
		return;
	}
	if (by_line) {
		read_copies(reader, element, state->program, seen);
		return;
	}
	int header = read_reference(reader, element, "header", &state->blocks, "block");
	if (header >= 0)
		add_loop(reader, element, state->program, seen, header, read_number(reader, element, "bound", UNIT_COUNT, ROUND_NEVER, 0));
}

void read_loops(struct reader *reader, const struct xml_element *root, struct program_reader *state)
{
	struct program *program = state->program;
	bool *seen = arena_allocate(reader->arena, (size_t)program->block_count, sizeof *seen);
	find_copies(state);
	program->loops =
		arena_allocate(reader->arena, (size_t)element_count(root, "loop") + (size_t)program->block_count, sizeof *program->loops);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next)
		if (element_is(element, "loop"))
			read_one(reader, element, state, seen);
}
