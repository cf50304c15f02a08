/* The <sass> element: the files, their hashes, the classes of mnemonics. */
#include "base/hash.h"
#include "input/input.h"
#include "input/sass.h"

#include <string.h>
#include <sys/stat.h>

static const struct {
	const char *name;
	enum instruction_class class;
} opcodes[] = {
#define OPCODE(name, class) {#name, CLASS_##class},
#include "input/opcodes.def"
#undef OPCODE
};

/* ---- classes */

static int find_own(const struct sass_class *own, int count, const char *mnemonic, size_t length)
{
	for (int i = 0; i < count; i++)
		if (strlen(own[i].name) == length && strncmp(own[i].name, mnemonic, length) == 0)
			return own[i].class;
	return -1;
}

/* By the whole mnemonic, then without suffixes; the program's own first. */
static int class_of(const struct sass_class *own, int own_count, const char *mnemonic)
{
	size_t base = strcspn(mnemonic, ".");
	int class = find_own(own, own_count, mnemonic, strlen(mnemonic));
	if (class < 0)
		class = find_own(own, own_count, mnemonic, base);
	for (size_t i = 0; class < 0 && i < sizeof opcodes / sizeof *opcodes; i++)
		if (strlen(opcodes[i].name) == base && strncmp(opcodes[i].name, mnemonic, base) == 0)
			class = (int)opcodes[i].class;
	return class;
}

bool sass_classify(struct reader *reader, const struct xml_element *element, const struct sass_class *own, int own_count, struct sass *sass)
{
	struct names unknown;
	const char *list = "";
	names_init(&unknown, reader->arena);
	for (int i = 0; i < sass->count; i++) {
		struct sass_instruction *instruction = &sass->instructions[i];
		instruction->class = class_of(own, own_count, instruction->mnemonic);
		if (instruction->class < 0 && instruction->flow != SASS_REFUSED && names_add(&unknown, instruction->mnemonic, i))
			list = arena_format(reader->arena, "%s%s%s", list, *list != '\0' ? " " : "", instruction->mnemonic);
	}
	if (unknown.count == 0)
		return true;
	COMPLAIN(reader, element, OPCODE_UNKNOWN, "expected an <opcode> with the class of each of: %s",
		element_shorten(reader->arena, list, SHORT_MESSAGE));
	return false;
}

static struct sass_class *read_opcodes(struct reader *reader, const struct xml_element *root, int *count)
{
	struct sass_class *own = arena_allocate(reader->arena, (size_t)element_count(root, "opcode"), sizeof *own);
	*count = 0;
	for (const struct xml_element *element = root->first; element != NULL; element = element->next)
		if (element_is(element, "opcode"))
			own[(*count)++] = (struct sass_class){element_get(element, "name"), read_choice(element, "class", class_names, 0)};
	return own;
}

/* ---- files */

static const char *beside(struct reader *reader, const char *name)
{
	const char *slash = strrchr(reader->path, '/');
	if (strcmp(name, "-") == 0 && slash == NULL)
		return "./-"; /* standard input is for the command line to name */
	if (name[0] == '/' || slash == NULL)
		return name;
	return arena_format(reader->arena, "%.*s/%s", (int)(slash - reader->path), reader->path, name);
}

static bool check_hash(struct reader *reader, const struct xml_element *element, const char *what, const char *wanted, const char *got)
{
	if (strcmp(wanted, got) == 0)
		return true;
	COMPLAIN(reader, element, HASH_MISMATCH, "expected %s with the SHA-256 %s; got %s", what, wanted, got);
	return false;
}

static const char *read_text(struct reader *reader, const struct xml_element *element, struct program_sass *files)
{
	char hash[HASH_TEXT];
	size_t length;
	const char *text = input_read_named(reader->arena, reader->diagnostics, reader->folders, files->file, &length);
	if (text == NULL)
		return NULL;
	files->bytes = (int64_t)length;
	hash_bytes(text, length, hash);
	return check_hash(reader, element, files->file, files->hash, hash) ? text : NULL;
}

static bool check_cubin(struct reader *reader, const struct xml_element *element, struct program_sass *files)
{
	char hash[HASH_TEXT];
	struct stat status;
	const char *cubin = input_file_of(reader->folders, files->cubin);
	files->cubin_bytes = stat(cubin, &status) == 0 ? (int64_t)status.st_size : NONE;
	if (hash_file(cubin, hash))
		return check_hash(reader, element, files->cubin, files->cubin_hash, hash);
	COMPLAIN(reader, element, FILE_UNREADABLE, "expected the binary %s, which the flow facts are about; it cannot be read",
		files->cubin);
	return false;
}

bool read_sass(struct reader *reader, const struct xml_element *root, struct program_reader *state)
{
	const struct xml_element *element = element_child(root, "sass");
	struct program_sass *files = &state->program->sass;
	struct sass sass;
	int own_count;
	const struct sass_class *own = read_opcodes(reader, root, &own_count);
	*files = (struct program_sass){
		.file = beside(reader, element_get(element, "file")),
		.hash = element_get(element, "sha256"),
		.cubin = beside(reader, element_get(element, "cubin")),
		.cubin_hash = element_get(element, "cubin-sha256"),
		.function = element_get(element, "function"),
	};
	const char *text = read_text(reader, element, files);
	return check_cubin(reader, element, files) && text != NULL && sass_scan(reader, element, text, files->function, &sass) &&
	       sass_classify(reader, element, own, own_count, &sass) && sass_build(reader, element, &sass, state);
}
