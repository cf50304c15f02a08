/* The classes of mnemonics: the table's, and for those that it does not have the program's. */
#include "input/sass.h"

#include <string.h>

struct opcode {
	const char *name, *suffix; /* suffix: NULL, whatever it is */
	int class;
};

static const struct opcode opcodes[] = {
#define OPCODE(name, class) {#name, NULL, CLASS_##class},
#define VARIANT(name, suffix, class) {#name, suffix, CLASS_##class},
#include "input/opcodes.def"
#undef VARIANT
#undef OPCODE
};

/* ".F64" is in F2F.F64.F32 and in F2F.F32.F64, not in F2F.F645. */
static bool has_suffix(const char *mnemonic, const char *suffix)
{
	size_t length = strlen(suffix);
	for (const char *at = mnemonic; (at = strstr(at, suffix)) != NULL; at++)
		if (at[length] == '\0' || at[length] == '.')
			return true;
	return false;
}

/* -1: not known; so are accesses of 256 bits, whose registers nobody here has read. */
static int known_class(const char *mnemonic)
{
	size_t base = strcspn(mnemonic, ".");
	int class = -1;
	for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
		bool same = strlen(opcodes[i].name) == base && strncmp(opcodes[i].name, mnemonic, base) == 0;
		if (same && (opcodes[i].suffix == NULL ? class < 0 : has_suffix(mnemonic, opcodes[i].suffix)))
			class = opcodes[i].class;
	}
	bool memory = class == CLASS_LOAD || class == CLASS_STORE;
	return memory && has_suffix(mnemonic, ".256") ? -1 : class;
}

/* ---- the program's own */

struct own {
	const struct xml_element **elements;
	int count;
};

static bool is_own(const struct xml_element *element, const char *mnemonic, size_t length)
{
	const char *name = element_get(element, "name");
	return strlen(name) == length && strncmp(name, mnemonic, length) == 0;
}

/* By the whole mnemonic, then without suffixes. */
static int own_class(const struct own *own, const char *mnemonic)
{
	size_t lengths[] = {strlen(mnemonic), strcspn(mnemonic, ".")};
	for (int turn = 0; turn < 2; turn++)
		for (int i = 0; i < own->count; i++)
			if (is_own(own->elements[i], mnemonic, lengths[turn]))
				return read_choice(own->elements[i], "class", class_names, 0);
	return -1;
}

/* What is known has the cost of its own family, and a wait for others has none: neither is for the program to say. */
static bool check_own(struct reader *reader, const struct xml_element *element)
{
	const char *name = element_get(element, "name");
	const struct sass_refusal *refusal = sass_refusal_of(name);
	int known = known_class(name);
	if (refusal != NULL) {
		COMPLAIN(reader, element, SASS_WAITS, "expected a mnemonic that only takes time; got \"%s\": %s", name,
			refusal->why != NULL ? refusal->why : "where it leads is not shown");
		return false;
	}
	if (known < 0 || known == read_choice(element, "class", class_names, 0))
		return true;
	COMPLAIN(reader, element, OPCODE_KNOWN,
		"expected no <opcode> for \"%s\", of which the class is known: %s; declare <cost class=\"%s\" ...>", name,
		class_names[known], class_names[known]);
	return false;
}

static bool read_own(struct reader *reader, const struct xml_element *root, struct own *own)
{
	bool fine = true;
	*own = (struct own){arena_allocate(reader->arena, (size_t)element_count(root, "opcode"), sizeof(const struct xml_element *)), 0};
	for (const struct xml_element *element = root->first; element != NULL; element = element->next)
		if (element_is(element, "opcode")) {
			own->elements[own->count++] = element;
			fine &= check_own(reader, element);
		}
	return fine;
}

/* Loads and stores of global memory may lead anywhere; LDL and STL not. */
static enum program_space space_of(const struct sass_instruction *instruction)
{
	switch (instruction->class) {
	case CLASS_SHARED:
	case CLASS_LDSM: return SPACE_SHARED;
	case CLASS_LOAD:
	case CLASS_LOAD_L1:
	case CLASS_LOAD_L2:
	case CLASS_STORE: return strncmp(instruction->mnemonic + 2, "L", 1) == 0 ? SPACE_LOCAL : SPACE_GLOBAL;
	case CLASS_ATOMIC: return SPACE_GLOBAL;
	default: return strncmp(instruction->mnemonic, "LDGSTS", 6) == 0 ? SPACE_GLOBAL : SPACE_NONE;
	}
}

/* ---- from where loads are served, as the program says */

static const char *const served_names[] = {"l1", "l2", NULL};
static const int served_classes[] = {CLASS_LOAD_L1, CLASS_LOAD_L2};

static bool fits(const struct xml_element *element, const struct sass_instruction *instruction)
{
	const char *name = element_get(element, "name"), *at = element_get(element, "at"), *mnemonic = instruction->mnemonic;
	bool named = name == NULL || strcmp(name, mnemonic) == 0 ||
		     (strlen(name) == strcspn(mnemonic, ".") && strncmp(name, mnemonic, strlen(name)) == 0);
	return instruction->class == CLASS_LOAD && named && (at == NULL || place_is_at(instruction->place, at));
}

/* The first element that fits a load says. */
static bool read_served(struct reader *reader, const struct xml_element *root, struct sass *sass)
{
	bool fine = true;
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		int served = 0;
		for (int i = 0; element_is(element, "served") && i < sass->count; i++)
			if (fits(element, &sass->instructions[i])) {
				sass->instructions[i].class = served_classes[read_choice(element, "from", served_names, 0)];
				served++;
			}
		if (!element_is(element, "served") || served > 0)
			continue;
		COMPLAIN(reader, element, SERVED_NOTHING, "expected a load of the function that no element before says anything of%s%s%s%s",
			element_get(element, "name") != NULL ? ", named " : "",
			element_get(element, "name") != NULL ? element_get(element, "name") : "",
			element_get(element, "at") != NULL ? ", of the line " : "",
			element_get(element, "at") != NULL ? element_get(element, "at") : "");
		fine = false;
	}
	return fine;
}

/* ---- */

bool sass_classify(struct reader *reader, const struct xml_element *root, const struct xml_element *element, struct sass *sass)
{
	struct own own;
	struct names unknown;
	const char *list = "";
	names_init(&unknown, reader->arena);
	if (!read_own(reader, root, &own))
		return false;
	for (int i = 0; i < sass->count; i++) {
		struct sass_instruction *instruction = &sass->instructions[i];
		instruction->class = known_class(instruction->mnemonic);
		if (instruction->class < 0)
			instruction->class = own_class(&own, instruction->mnemonic);
		if (instruction->class < 0 && instruction->flow != SASS_REFUSED && names_add(&unknown, instruction->mnemonic, i))
			list = arena_format(reader->arena, "%s%s%s (line %ld)", list, *list != '\0' ? ", " : "", instruction->mnemonic,
				instruction->line);
		instruction->space = space_of(instruction);
	}
	if (unknown.count == 0)
		return read_served(reader, root, sass);
	COMPLAIN(reader, element, OPCODE_UNKNOWN,
		"expected an <opcode name=\"...\" class=\"...\"/> behind <sass> for each of these lines of the disassembly: %s",
		element_shorten(reader->arena, list, SHORT_MESSAGE));
	return false;
}
