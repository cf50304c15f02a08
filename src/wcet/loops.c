/* Strongly connected components (Tarjan, SIAM J. Comput. 1972, without recursion), cut at their headers, level by level. */
#include "wcet/loops.h"

/* The search of one level: the blocks whose innermost loop is `region`. */
struct search {
	const struct flow *flow;
	struct loops *loops;
	struct diagnostics *diagnostics;
	int region;
	int *number, *low; /* 0: not seen at this level */
	int *at;           /* how many of the block's edges were followed */
	bool *open;        /* on the stack of components */
	int *path, *stack;
	int path_depth, stack_depth, counter;
	int *bound_of; /* of a block: the loop element with that header, or NO_ID */
	bool *used;    /* of the loop elements */
	const char *const *asked;
};

bool loops_are_natural(const struct loops *loops)
{
	bool natural = true;
	for (int i = 0; i < loops->count; i++)
		natural &= loops->items[i].natural;
	return natural;
}

bool loops_contain(const struct loops *loops, int loop, int block)
{
	int at = loops->of_block[block];
	while (at != loop && at != NO_ID)
		at = loops->items[at].parent;
	return at == loop;
}

bool loops_enters(const struct loops *loops, const struct flow *flow, int loop, int edge)
{
	int from = flow->edges[edge].from, to = flow->edges[edge].to;
	return to < flow->block_count && loops_contain(loops, loop, to) && (from == NO_ID || !loops_contain(loops, loop, from));
}

int loops_around(const struct loops *loops, const struct flow *flow, int edge)
{
	int from = flow->edges[edge].from, to = flow->edges[edge].to;
	if (from == NO_ID || to == flow->block_count)
		return NO_ID;
	int at = loops->of_block[from];
	while (at != NO_ID && !loops_contain(loops, at, to))
		at = loops->items[at].parent;
	return at;
}

/* ---- one component becomes a loop */

static bool entered_from_outside(const struct search *search, int loop, int block)
{
	const struct flow *flow = search->flow;
	for (int i = flow->first_in[block]; i < flow->first_in[block + 1]; i++)
		if (loops_enters(search->loops, flow, loop, flow->in[i]))
			return true;
	return false;
}

/* The entry with a bound, or else the first entry; how many entries there are. */
static int choose_header(const struct search *search, int loop, const int *blocks, int count, int *entries)
{
	int header = NO_ID;
	*entries = 0;
	for (int i = 0; i < count; i++) {
		if (!entered_from_outside(search, loop, blocks[i]))
			continue;
		(*entries)++;
		int mine = search->bound_of[blocks[i]], best = header == NO_ID ? NO_ID : search->bound_of[header];
		if (header == NO_ID || (mine != NO_ID && (best == NO_ID || mine < best)) || (mine == best && blocks[i] < header))
			header = blocks[i];
	}
	return header;
}

#define COPIES_ASKED 32 /* of a line of which there are more each loop is asked for by its header */

/* What says the bound: by the line of the source, with a place for each loop that was made of it, or by the header. */
static const char *wanted(const struct search *search, int header)
{
	const struct program *program = search->flow->program;
	const struct program_copy *own = NULL;
	const char *bounds = "";
	int count = 0;
	for (int i = 0; i < program->copy_count; i++)
		own = program->copies[i].header == header ? &program->copies[i] : own;
	for (int i = 0; i < program->copy_count && own != NULL; i++)
		count += program_places_equal(program->copies[i].place, own->place);
	if (own == NULL || count > COPIES_ASKED)
		return arena_format(search->flow->arena, "<loop header=\"%s\" bound=\"...\"/>", program->blocks[header].id);
	for (int i = 0; i < program->copy_count; i++) {
		int element = search->bound_of[program->copies[i].header];
		if (!program_places_equal(program->copies[i].place, own->place))
			continue;
		const char *before = arena_format(search->flow->arena, "%s%s", bounds, *bounds != '\0' ? " " : "");
		bool stated = element != NO_ID && program->loops[element].line > 0;
		bounds = stated ? arena_format(search->flow->arena, "%s%lld", before, (long long)program->loops[element].bound)
				: arena_format(search->flow->arena, "%s%s", before, element != NO_ID ? "-" : "...");
	}
	return arena_format(search->flow->arena, "<loop at=\"%s:%ld\" bounds=\"%s\"/>", own->place.file, own->place.line, bounds);
}

/* A bound that follows from the code is of a loop that is entered by its header only; NO_ID: there is none. */
static int bound_of(const struct search *search, const struct loop *loop)
{
	int element = search->bound_of[loop->header];
	bool follows = element != NO_ID && search->flow->program->loops[element].follows;
	return follows && !loop->natural ? NO_ID : element;
}

static void take_bound(struct search *search, struct loop *loop)
{
	const struct program *program = search->flow->program;
	int element = bound_of(search, loop);
	const struct program_block *header = &program->blocks[loop->header];
	if (element == NO_ID) {
		const char *asked = search->asked == NULL ? NULL : search->asked[loop->header];
		diagnose(search->diagnostics, DIAGNOSTIC_LOOP_UNBOUNDED, program->path, header->line,
			"expected a bound, %s, for the loop with header \"%s\"; there is none%s%s", wanted(search, loop->header),
			header->id, asked != NULL ? ", but one may follow from <argument offset=\"...\" at-most=\"...\"/> of " : "",
			asked != NULL ? asked : "");
		return;
	}
	search->used[element] = true;
	const struct loop *around = loop->parent == NO_ID ? NULL : &search->loops->items[loop->parent];
	bool nested = loop->natural && around != NULL && around->natural && around->header == program->loops[element].within;
	loop->bound = program->loops[element].bound;
	loop->in_all = nested ? program->loops[element].in_all : 0;
	loop->uniform = program->loops[element].uniform;
}

/* How often a loop turns that reads what others write may be theirs to say: then the bound has to say that it is not. */
static void check_polls(struct search *search, const struct loop *loop, const int *blocks, int count)
{
	const struct program *program = search->flow->program;
	int element = search->bound_of[loop->header];
	for (int i = 0; i < count && element != NO_ID && !program->loops[element].polls; i++) {
		const struct program_example *polls = &program->blocks[blocks[i]].polls;
		if (polls->mnemonic == NULL)
			continue;
		diagnose(search->diagnostics, DIAGNOSTIC_LOOP_POLLS, program->path, program->loops[element].line,
			"expected polls=\"true\" of the loop with header \"%s\" if its bound holds whatever other warps and blocks do; %s, "
			"line "
			"%ld of the disassembly, may wait for them",
			program->blocks[loop->header].id, polls->mnemonic, polls->line);
		return;
	}
}

static void cut(const struct search *search, int number, int header)
{
	const struct flow *flow = search->flow;
	for (int i = flow->first_in[header]; i < flow->first_in[header + 1]; i++)
		if (!loops_enters(search->loops, flow, number, flow->in[i]))
			search->loops->cut_by[flow->in[i]] = number;
}

static int add_loop(struct search *search, const int *blocks, int count)
{
	struct loops *loops = search->loops;
	int number = loops->count++, entries, parent = search->region;
	loops->items = arena_grow(search->flow->arena, loops->items, &loops->capacity, loops->count, sizeof *loops->items);
	struct loop *loop = &loops->items[number];
	*loop = (struct loop){.parent = parent, .depth = parent == NO_ID ? 1 : loops->items[parent].depth + 1};
	for (int i = 0; i < count; i++)
		loops->of_block[blocks[i]] = number;
	loop->header = choose_header(search, number, blocks, count, &entries);
	loop->natural = entries == 1;
	take_bound(search, loop);
	check_polls(search, loop, blocks, count);
	int64_t entered = parent == NO_ID ? 1 : loops->items[parent].passes;
	loop->passes = checked_mul(checked_add(loop->bound, 1), entered);
	cut(search, number, loop->header);
	return number;
}

/* ---- the components of one level */

static bool is_loop(const struct search *search, const int *blocks, int count)
{
	const struct flow *flow = search->flow;
	if (count > 1)
		return true;
	for (int i = flow->first_out[blocks[0]]; i < flow->first_out[blocks[0] + 1]; i++)
		if (flow->edges[flow->out[i]].to == blocks[0] && search->loops->cut_by[flow->out[i]] == NO_ID)
			return true;
	return false;
}

/* The component on top of the stack that begins with `root`. */
static void close_component(struct search *search, int root)
{
	int first = search->stack_depth, item = root;
	do
		search->open[search->stack[--first]] = false;
	while (search->stack[first] != root);
	const int *blocks = search->stack + first;
	if (is_loop(search, blocks, search->stack_depth - first))
		item = ~add_loop(search, blocks, search->stack_depth - first);
	search->stack_depth = first;
	search->loops->order[search->loops->order_count++] = item;
}

static void enter(struct search *search, int block)
{
	search->number[block] = search->low[block] = ++search->counter;
	search->at[block] = search->flow->first_out[block];
	search->open[block] = true;
	search->stack[search->stack_depth++] = block;
	search->path[search->path_depth++] = block;
}

/* Follows one edge of the block that ends the path. */
static void step(struct search *search, int block)
{
	int edge = search->flow->out[search->at[block]++], to = search->flow->edges[edge].to;
	if (to == search->flow->block_count || search->loops->cut_by[edge] != NO_ID)
		return;
	if (search->number[to] == 0 && search->loops->of_block[to] == search->region)
		enter(search, to);
	else if (search->open[to] && search->number[to] < search->low[block])
		search->low[block] = search->number[to];
}

static void leave(struct search *search, int block)
{
	search->path_depth--;
	if (search->low[block] == search->number[block])
		close_component(search, block);
	if (search->path_depth == 0)
		return;
	int before = search->path[search->path_depth - 1];
	if (search->low[block] < search->low[before])
		search->low[before] = search->low[block];
}

static void search_from(struct search *search, int block)
{
	enter(search, block);
	while (search->path_depth > 0) {
		int last = search->path[search->path_depth - 1];
		if (search->at[last] < search->flow->first_out[last + 1])
			step(search, last);
		else
			leave(search, last);
	}
}

/* Tarjan closes what comes later first. */
static void reverse(int *items, int count)
{
	for (int i = 0; i < count / 2; i++) {
		int item = items[i];
		items[i] = items[count - 1 - i];
		items[count - 1 - i] = item;
	}
}

/* The blocks are found by walking all of them: a level costs what the program has, and LOOP_DEPTH bounds the levels. */
static void search_level(struct search *search, int region, const bool *member)
{
	struct loops *loops = search->loops;
	int first = loops->order_count;
	search->region = region;
	search->counter = 0;
	for (int block = 0; block < search->flow->block_count; block++)
		search->number[block] = 0;
	for (int block = 0; block < search->flow->block_count; block++)
		if (member[block] && search->number[block] == 0)
			search_from(search, block);
	reverse(loops->order + first, loops->order_count - first);
	*(region == NO_ID ? &loops->outside : &loops->items[region].inside) = (struct loop_items){first, loops->order_count - first};
}

static bool search_all(struct search *search)
{
	struct loops *loops = search->loops;
	int blocks = search->flow->block_count;
	bool *member = arena_allocate(search->flow->arena, (size_t)blocks, sizeof *member);
	for (int region = NO_ID; region < loops->count; region++) {
		if (region != NO_ID && loops->items[region].depth >= LOOP_DEPTH)
			return false;
		for (int block = 0; block < blocks; block++)
			member[block] = loops->of_block[block] == region;
		search_level(search, region, member);
	}
	return true;
}

/* ---- */

static void prepare(struct search *search, const struct flow *flow)
{
	size_t blocks = (size_t)flow->block_count;
	struct arena *arena = flow->arena;
	struct loops *loops = search->loops;
	*loops = (struct loops){
		.of_block = arena_allocate(arena, blocks, sizeof(int)),
		.cut_by = arena_allocate(arena, (size_t)flow->edge_count, sizeof(int)),
		.order = arena_allocate(arena, 2 * blocks, sizeof(int)),
	};
	search->number = arena_allocate(arena, blocks, sizeof(int));
	search->low = arena_allocate(arena, blocks, sizeof(int));
	search->at = arena_allocate(arena, blocks, sizeof(int));
	search->path = arena_allocate(arena, blocks, sizeof(int));
	search->stack = arena_allocate(arena, blocks, sizeof(int));
	search->bound_of = arena_allocate(arena, blocks, sizeof(int));
	search->open = arena_allocate(arena, blocks, sizeof(bool));
	search->used = arena_allocate(arena, (size_t)flow->program->loop_count, sizeof(bool));
	for (size_t i = 0; i < blocks; i++)
		loops->of_block[i] = search->bound_of[i] = NO_ID;
	for (int i = 0; i < flow->edge_count; i++)
		loops->cut_by[i] = NO_ID;
	for (int i = 0; i < flow->program->loop_count; i++)
		search->bound_of[flow->program->loops[i].header] = i;
}

static void check_used(const struct search *search)
{
	const struct program *program = search->flow->program;
	for (int i = 0; i < program->loop_count; i++)
		if (!search->used[i] && !program->loops[i].follows)
			diagnose(search->diagnostics, DIAGNOSTIC_LOOP_UNKNOWN, program->path, program->loops[i].line,
				"expected the header of a loop; no loop is entered at \"%s\"",
				program->blocks[program->loops[i].header].id);
}

bool loops_find(struct loops *loops, const struct flow *flow, const char *const *asked, struct diagnostics *diagnostics)
{
	int before = diagnostics->errors;
	struct search search = {.flow = flow, .loops = loops, .diagnostics = diagnostics, .asked = asked};
	prepare(&search, flow);
	if (!search_all(&search))
		diagnose(diagnostics, DIAGNOSTIC_PROGRAM_TOO_LONG, flow->program->path, 0, "expected loops nested at most %d deep",
			LOOP_DEPTH - 1);
	else
		check_used(&search);
	return diagnostics->errors == before;
}
