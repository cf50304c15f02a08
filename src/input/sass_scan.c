/* The lines of one function in a disassembly. Every line of it is understood, or it is refused: what is passed over would cost nothing. */
#include "input/sass.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define INSTRUCTION_BYTES 16 /* from compute capability 7.0 on */

#define OTHERS_NAMED 5

struct scan {
	struct reader *reader;
	const struct xml_element *element;
	struct sass *sass;
	const char *function;
	int target; /* of what follows; 0: not said */
	bool named; /* by more than flags */
	long line;
	bool inside;  /* the function that is wanted */
	bool placing; /* the line before says where instructions come from */
	struct program_place place;
	bool found, failed;
	const char *other; /* functions, OTHERS_NAMED of them */
	int others;        /* their number */
};

static bool begins_with(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);
	return (size_t)(end - at) >= length && strncmp(at, word, length) == 0;
}

static bool is_one_of(const char *at, const char *end, const char *const *words)
{
	for (; *words != NULL; words++)
		if (begins_with(at, end, *words))
			return true;
	return false;
}

/* ---- what says where a function begins and ends */

/* The name of the function that begins on this line, cuobjdump: "Function : NAME"; nvdisasm: ".text.NAME:". NULL: another line. */
static const char *function_begun(struct arena *arena, const char *at, const char *end)
{
	if (begins_with(at, end, "Function : "))
		return arena_format(arena, "%.*s", (int)(end - at - 11), at + 11);
	if (begins_with(at, end, ".text.") && end[-1] == ':')
		return arena_format(arena, "%.*s", (int)(end - at - 7), at + 6);
	return NULL;
}

/* "code for sm_90", ".target sm_90a": 90; 0: another line. */
static int target_of(const char *at, const char *end)
{
	bool names = begins_with(at, end, "code for sm_") || (begins_with(at, end, ".target") && strstr(at, "sm_") != NULL);
	return names && strstr(at, "sm_") < end ? atoi(strstr(at, "sm_") + 3) : 0;
}

/* .headerflags @"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM70 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM70)": 70; 0: another line. It stands at the head of the
 * text, or, from cuobjdump, in each function. */
static int flagged_target_of(const char *at, const char *end)
{
	static const char word[] = "EF_CUDA_SM";
	const char *found = begins_with(at, end, ".headerflags") ? strstr(at, word) : NULL;
	while (found != NULL && found < end && found[-1] != ' ' && found[-1] != '"')
		found = strstr(found + 1, word);
	return found != NULL && found < end ? atoi(found + sizeof word - 1) : 0;
}

/* What cuobjdump and nvdisasm write between functions. */
static bool ends_function(const char *at, const char *end)
{
	static const char *const words[] = {"..........", ".section", "code for ", "Fatbin ", "======", NULL};
	return is_one_of(at, end, words);
}

/* ---- lines of the function */

static void complain(struct scan *scan, const char *what)
{
	COMPLAIN(scan->reader, scan->element, SASS_MALFORMED, "expected %s in line %ld of the disassembly", what, scan->line);
	scan->failed = true;
}

/* Up to two words, the second on a line of its own: slash, star, 0x0000000000007919, star, slash. */
static bool take_code(struct sass *sass, const char *at, const char *end)
{
	char *after;
	if (!begins_with(at, end, "/*"))
		return false;
	at += 2 + strspn(at + 2, " ");
	if (!begins_with(at, end, "0x") || sass->count == 0)
		return false;
	struct sass_instruction *instruction = &sass->instructions[sass->count - 1];
	uint64_t word = strtoull(at, &after, 16);
	after += strspn(after, " ");
	if (after + 2 != end || strncmp(after, "*/", 2) != 0 || instruction->code_count == 2)
		return false;
	instruction->code[instruction->code_count++] = word;
	return true;
}

static void take_instruction(struct scan *scan, const char *at, const char *end)
{
	struct sass *sass = scan->sass;
	struct sass_instruction instruction = {.line = scan->line, .place = scan->place};
	char *after;
	instruction.address = strtoll(at + 2, &after, 16);
	if (strncmp(after, "*/", 2) != 0 || !sass_read_instruction(scan->reader->arena, after + 2, end, &instruction)) {
		complain(scan, "an instruction and a semicolon after the address");
		return;
	}
	if (instruction.address != (int64_t)sass->count * INSTRUCTION_BYTES) {
		COMPLAIN(scan->reader, scan->element, SASS_GAP,
			"expected the instruction at 0x%04x in line %ld of the disassembly; got 0x%04llx",
			(unsigned)sass->count * INSTRUCTION_BYTES, scan->line, (unsigned long long)instruction.address);
		scan->failed = true;
		return;
	}
	sass->instructions =
		arena_grow(scan->reader->arena, sass->instructions, &sass->capacity, sass->count + 1, sizeof *sass->instructions);
	sass->instructions[sass->count++] = instruction;
	const char *rest = (const char *)memchr(after, ';', (size_t)(end - after)) + 1;
	rest += strspn(rest, " \t");
	if (rest < end && !take_code(sass, rest, end) && !begins_with(rest, end, "//"))
		complain(scan, "nothing, or an encoding, behind the semicolon");
}

/* What nvdisasm -g writes: //## File "/home/x/sum.cu", line 141 inlined at "/home/x/sum.cu", line 160. Of several lines that follow one
 * another the first has the place, the others where it was inlined. What has another form names no place. */
static void take_place(struct scan *scan, const char *at, const char *end)
{
	static const char begin[] = "//## File \"", middle[] = "\", line ";
	const char *file = at + sizeof begin - 1, *close = begins_with(at, end, begin) ? strstr(file, middle) : NULL;
	bool again = scan->placing;
	scan->placing = true;
	if (again)
		return;
	long line = close != NULL && close < end ? strtol(close + sizeof middle - 1, NULL, 10) : 0;
	scan->place = (struct program_place){NULL, 0};
	if (line > 0)
		scan->place = (struct program_place){arena_format(scan->reader->arena, "%.*s", (int)(close - file), file), line};
}

static bool is_address(const char *at)
{
	return at[0] == '/' && at[1] == '*' && isxdigit((unsigned char)at[2]);
}

/* A name and a colon: nvdisasm has them for branches, .L_x_1, and for functions within the code. */
static bool is_label(const char *at, const char *end)
{
	return end > at + 1 && end[-1] == ':' && strcspn(at, " \t/;|") >= (size_t)(end - at);
}

static void take_line(struct scan *scan, const char *at, const char *end)
{
	static const char *const idle[] = {".headerflags", ".align", ".sectionflags", ".sectionentsize", ".sectioninfo", ".type", ".size",
		".other", ".global", ".weak", ".elftype", ".target", "//", NULL};
	if (begins_with(at, end, "//##"))
		take_place(scan, at, end);
	else
		scan->placing = false;
	if (at == end || is_one_of(at, end, idle) || take_code(scan->sass, at, end))
		return;
	if (is_address(at))
		take_instruction(scan, at, end);
	else if (!is_label(at, end))
		complain(scan, "an instruction, an encoding or a label");
	else if (!names_add(&scan->sass->labels, arena_format(scan->reader->arena, "%.*s", (int)(end - 1 - at), at), scan->sass->count))
		complain(scan, "a label that is not there before");
}

/* For the message where the wanted one is not there. */
static void note_other(struct scan *scan, const char *function)
{
	struct arena *arena = scan->reader->arena;
	const char *name = scan->others == OTHERS_NAMED ? "..." : element_shorten(arena, function, SHORT_VALUE);
	if (scan->others <= OTHERS_NAMED)
		scan->other = scan->others == 0 ? name : arena_format(arena, "%s, %s", scan->other, name);
	scan->others++;
}

static void begin(struct scan *scan, const char *function)
{
	scan->inside = strcmp(function, scan->function) == 0;
	scan->place = (struct program_place){NULL, 0};
	scan->placing = false;
	if (!scan->inside) {
		note_other(scan, function);
		return;
	}
	if (scan->found) {
		COMPLAIN(scan->reader, scan->element, SASS_TWICE,
			"expected one function \"%s\" in the disassembly; one begins in line %ld, another in line %ld",
			element_shorten(scan->reader->arena, scan->function, SHORT_VALUE), scan->sass->line, scan->line);
		scan->failed = true;
	}
	scan->found = true;
	scan->sass->line = scan->line;
	scan->sass->target = scan->target;
}

static void take_target(struct scan *scan, const char *at, const char *end)
{
	int target = target_of(at, end), flagged = flagged_target_of(at, end);
	if (scan->inside && flagged > 0) {
		if (scan->sass->target > 0 && scan->sass->target != flagged)
			complain(scan, "the target that is named before the function");
		scan->sass->target = flagged;
	} else if (target > 0 || (flagged > 0 && !scan->named))
		scan->target = target > 0 ? target : flagged;
	scan->named |= target > 0;
}

static void take(struct scan *scan, const char *at, const char *end)
{
	const char *begun = function_begun(scan->reader->arena, at, end);
	take_target(scan, at, end);
	if (begun != NULL)
		begin(scan, begun);
	else if (ends_function(at, end))
		scan->inside = false;
	else if (scan->inside)
		take_line(scan, at, end);
}

bool sass_scan(struct reader *reader, const struct xml_element *element, const char *text, const char *function, struct sass *sass)
{
	struct scan scan = {.reader = reader, .element = element, .sass = sass, .function = function, .line = 1};
	*sass = (struct sass){.count = 0};
	names_init(&sass->labels, reader->arena);
	for (const char *at = text; *at != '\0' && !scan.failed; scan.line++) {
		const char *begin = at + strspn(at, " \t"), *line = at + strcspn(at, "\n"), *end = line;
		while (end > begin && strchr(" \t\r", end[-1]) != NULL)
			end--;
		take(&scan, begin < end ? begin : end, end);
		at = line + (*line == '\n');
	}
	if (sass->count > 0 || scan.failed)
		return !scan.failed;
	COMPLAIN(reader, element, SASS_FUNCTION, "expected the code of function \"%s\"; the disassembly has %s",
		element_shorten(reader->arena, function, SHORT_VALUE), scan.others == 0 ? "none" : scan.other);
	return false;
}
