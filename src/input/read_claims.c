/* What a program's file says, and what is assumed of each program, that nobody can check here, in words: the bound rests on each. */
#include "input/read_program.h"

#include <inttypes.h>
#include <string.h>

struct claims {
	struct reader *reader;
	struct program *program;
	int capacity;
};

static void add(struct claims *claims, const char *kind, const char *of, const char *says)
{
	struct program *program = claims->program;
	program->claims =
		arena_grow(claims->reader->arena, program->claims, &claims->capacity, program->claim_count + 1, sizeof *program->claims);
	program->claims[program->claim_count++] = (struct program_claim){kind, of, says};
}

static const char *by(struct arena *arena, const struct xml_element *element)
{
	return arena_format(arena, "%s; declared by %s", element_get(element, "source"), element_get(element, "by"));
}

/* ---- one element each */

/* With others of its class under way. */
static const char *waits_say(struct arena *arena, const struct xml_element *element)
{
	if (element_get(element, "issue") == NULL)
		return "";
	return arena_format(arena,
		" also with %s of the class under way, whatever is of others, issue %s and so long at most behind the result before",
		element_get(element, "under-way"), element_get(element, "issue"));
}

/* By its encoding. */
static const char *stall_says(struct arena *arena, const struct xml_element *element)
{
	if (element_get(element, "beyond-stall") == NULL)
		return "";
	return arena_format(arena,
		", but behind one that sets no scoreboard the next may issue the stall count in bits 105 to 108 of its encoding later, and "
		"%s "
		"cycles more where it reads three registers, writes two or branches, a branch not before the latency",
		element_get(element, "beyond-stall"));
}

/* Of a line of constants that was read before. */
static const char *again_says(struct arena *arena, const struct xml_element *element)
{
	if (element_get(element, "again") == NULL)
		return "";
	const char *further = element_get(element, "further"), *apart = element_get(element, "apart");
	return arena_format(arena,
		", %s of a line of 64 bytes that is there, whichever instruction reads it, the time not counted in which others are "
		"brought; "
		"that is %s%s%s%s%s%s, and lines stay in the SM's caches until the launch ends while no other "
		"launch begins and its own code and the constants that it reads have at most %s lines",
		element_get(element, "again"),
		further == NULL ? "one after the other in the latency each"
		: apart == NULL ? "in the latency each, but "
				: "all together in the latency and ",
		further == NULL ? "" : further, further == NULL ? "" : " cycles for each that follows another one",
		apart == NULL ? "" : " and ", apart == NULL ? "" : apart, apart == NULL ? "" : " for each further one that does not",
		element_get(element, "lines"));
}

/* Of one from which the next is some cycles away. */
static const char *spaced_says(struct arena *arena, const struct xml_element *element)
{
	if (element_get(element, "spaced") == NULL)
		return ",";
	return arena_format(arena, ", or %s behind a stall count of %d to %d,", element_get(element, "spaced"), SPACED_FIRST, SPACED_LAST);
}

static const char *cost_says(struct arena *arena, const struct xml_element *element)
{
	const char *group = element_get(element, "group"), *per = element_get(element, "per"), *least = element_get(element, "least");
	return arena_format(arena, "latency %s%s%s%s%s%s, occupancy %s cycles%s a unit of %s, %s%s: %s", element_get(element, "latency"),
		least != NULL ? ", never less than " : "", least != NULL ? least : "", waits_say(arena, element),
		again_says(arena, element), stall_says(arena, element), element_get(element, "occupancy"), spaced_says(arena, element),
		per != NULL && strcmp(per, "partition") == 0 ? "each sub-partition" : "the SM",
		group != NULL ? "group " : "shared with any class", group != NULL ? group : "", by(arena, element));
}

static const char *divergence_says(struct arena *arena, const struct xml_element *element)
{
	return arena_format(arena,
		"depth %s, %s entries a spill, %s cycles a divergence, %s cycles a spill, threads rejoin where paths do: %s",
		element_get(element, "depth"), element_get(element, "entries-a-spill"), element_get(element, "cycles-a-divergence"),
		element_get(element, "cycles-a-spill"), by(arena, element));
}

static const char *conflicts_say(struct arena *arena, const struct xml_element *element)
{
	return arena_format(arena, "bank conflicts of degree %s at most, in every access to shared memory: %s",
		element_get(element, "conflicts"), by(arena, element));
}

static const char *opcode_says(struct arena *arena, const struct xml_element *element)
{
	return arena_format(arena, "costs what class %s does", element_get(element, "class"));
}

static const char *served_says(struct arena *arena, const struct xml_element *element)
{
	const char *at = element_get(element, "at");
	return arena_format(arena, "loads%s%s of which nothing before says so are served from %s, never from farther: %s",
		at != NULL ? " of line " : "", at != NULL ? at : "",
		strcmp(element_get(element, "from"), "l1") == 0 ? "the L1 cache" : "the L2 cache or a nearer one", by(arena, element));
}

static const char *loop_says(struct arena *arena, const struct xml_element *element)
{
	const char *bounds = element_get(element, "bounds");
	return arena_format(arena, "%s %s times%s%s", bounds != NULL ? "its copies come back at most" : "comes back at most",
		bounds != NULL ? bounds : element_get(element, "bound"),
		read_flag(element, "uniform") ? ", all warps of a block as often" : "",
		read_flag(element, "polls") ? ", whatever others write to memory meanwhile" : "");
}

static const char *branch_says(struct arena *arena, const struct xml_element *element)
{
	const char *paths = element_get(element, "paths");
	if (strcmp(paths, "1") == 0)
		return "all threads of a warp go the same way";
	return arena_format(arena, "the threads of a warp go at most %s ways", paths);
}

static const char *argument_says(struct arena *arena, const struct xml_element *element)
{
	const char *least = element_get(element, "at-least"), *most = element_get(element, "at-most");
	return arena_format(arena, "the word there in constant bank 0 is%s%s%s%s in every launch: %s", least != NULL ? " at least " : "",
		least != NULL ? least : "", most != NULL ? " at most " : "", most != NULL ? most : "", by(arena, element));
}

static const char *fact_says(struct arena *arena, const struct xml_element *element)
{
	const char *sum = "", *relation = element_get(element, "relation");
	for (const struct xml_element *term = element->first; term != NULL; term = term->next) {
		const char *factor = element_get(term, "factor"), *to = element_get(term, "to");
		sum = arena_format(arena, "%s%s%s%s%s%s%s", sum, *sum != '\0' ? " + " : "", factor != NULL ? factor : "",
			factor != NULL ? " " : "", element_get(term, "block"), to != NULL ? ">" : "", to != NULL ? to : "");
	}
	return arena_format(arena, "%s %s %s", sum,
		strcmp(relation, "equal") == 0     ? "="
		: strcmp(relation, "at-most") == 0 ? "<="
						   : ">=",
		element_get(element, "count"));
}

/* ---- */

static const struct {
	const char *element;
	const char *of; /* the attribute that names what the claim is of; NULL: the whole program */
	const char *(*says)(struct arena *, const struct xml_element *);
} kinds[] = {
	{"cost", "class", cost_says},
	{"divergence", NULL, divergence_says},
	{"shared", NULL, conflicts_say},
	{"opcode", "name", opcode_says},
	{"served", "name", served_says},
	{"argument", "offset", argument_says},
	{"loop", "header", loop_says},
	{"fact", NULL, fact_says},
	{"branch", "block", branch_says},
};

/* A loop is named by its header or by a line. */
static const char *named(const struct xml_element *element, const char *attribute)
{
	const char *name = attribute != NULL ? element_get(element, attribute) : "";
	return name != NULL ? name : element_get(element, "at") != NULL ? element_get(element, "at") : "";
}

/* Does code read constants of the program, bank 3, or by a descriptor? Bank 0 has what the launch sets. */
static bool reads_constants(const struct program *program)
{
	bool any = false;
	for (int i = 0; i < program->instruction_count; i++)
		for (int k = 0; k < program->instructions[i].operand_count; k++) {
			const char *operand = program->instructions[i].operands[k], *bank = strstr(operand, "c[0x");
			any |= strstr(operand, "cx[") != NULL || (bank != NULL && strncmp(bank, "c[0x0]", 6) != 0);
		}
	return any;
}

void read_claims(struct reader *reader, const struct xml_element *root, const struct platform *platform, struct program *program)
{
	struct claims claims = {reader, program, 0};
	add(&claims, "assumed", "", "caches and memory are charged only as far as the declared costs contain them");
	if (program->declared[CLASS_FETCH].latency == NONE || program->sass.file == NULL)
		add(&claims, "assumed", "",
			"instructions are in the instruction cache when their turn comes: fetching them is charged in no cost");
	if (program->declared[CLASS_SECTOR].latency != NONE && program->sass.file != NULL)
		add(&claims, "assumed", "",
			"what the threads of a warp access at once in global memory lies within 4 GiB, as where no array is larger and no "
			"index of 32 bits wraps");
	if (reads_constants(program))
		add(&claims, "assumed", "", "nobody writes constant memory while the kernel runs");
	add(&claims, "assumed", "", "warps issue in order, and a unit never idles while a warp waits for it");
	add(&claims, "assumed", "", "the warps of a block are dealt evenly over the sub-partitions of the SM, where a unit is of one");
	if (program->slots_in_turn || !platform_keeps_slots(platform))
		add(&claims, program->slots_in_turn ? "slots" : "assumed", "",
			"beside other blocks units and slots serve the warps of older blocks first, or those that have waited longest, and "
			"a "
			"group of threads that splits off keeps other warps for its instructions only");
	bool overlaps = false;
	for (int c = 0; c < CLASS_COUNT; c++)
		overlaps |= program->declared[c].latency != NONE && program->declared[c].issue > 0;
	if (overlaps && program->sass.file != NULL)
		add(&claims, "assumed", "",
			"a warp waits for a result only where bits 116 to 121 of an instruction's encoding name its scoreboard, which bits "
			"110 "
			"to 112 of the one that has the result name; where more of a class are under way than its cost says, "
			"a result is there no later than if the warp had waited for the earlier ones first");
	if (!program->unlisted_diverge)
		add(&claims, "unlisted", "", "all threads of a warp go the same way at each branch that the file does not list");
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (const struct xml_element *element = root->first; element != NULL; element = element->next)
			if (element_is(element, kinds[k].element))
				add(&claims, kinds[k].element, named(element, kinds[k].of), kinds[k].says(reader->arena, element));
}
