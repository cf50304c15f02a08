/* The binary that disassembled code is said to be from: an ELF file of CUDA code. */
#include "input/input.h"
#include "input/sass.h"

#include <inttypes.h>
#include <string.h>

#define MACHINE_CUDA 190
#define HEADER_BYTES 64 /* of the file, and of a section */
#define CODE_BYTES 8    /* a word of an encoding */
#define CODE_WORDS 2    /* of an instruction */

struct elf {
	const unsigned char *bytes;
	uint64_t length;
	uint64_t sections, names; /* offsets: of the sections' headers, of the header of their names */
	int count;
};

struct section {
	const char *name; /* NULL: it is not within the file */
	uint64_t offset, size;
};

static uint64_t number(const unsigned char *at, int bytes)
{
	uint64_t value = 0;
	while (bytes-- > 0)
		value = value << 8 | at[bytes];
	return value;
}

/* NULL: it is one; else what was expected. */
static const char *open_elf(struct elf *elf, const unsigned char *bytes, size_t length)
{
	*elf = (struct elf){.bytes = bytes, .length = length};
	if (length < HEADER_BYTES || memcmp(bytes, "\177ELF\2\1", 6) != 0)
		return "an ELF file of 64 bits";
	if (number(bytes + 18, 2) != MACHINE_CUDA)
		return "an ELF file of machine 190, CUDA";
	elf->sections = number(bytes + 40, 8);
	elf->count = (int)number(bytes + 60, 2);
	uint64_t names = number(bytes + 62, 2), room = elf->sections < length ? (length - elf->sections) / HEADER_BYTES : 0;
	if (number(bytes + 58, 2) != HEADER_BYTES || room < (uint64_t)elf->count || names >= (uint64_t)elf->count)
		return "an ELF file with its table of sections";
	elf->names = elf->sections + names * HEADER_BYTES;
	return NULL;
}

/* 90 for sm_90: where it stands depends on the version of the ABI. */
static int target_of(const struct elf *elf)
{
	uint64_t flags = number(elf->bytes + 48, 4);
	return (int)(elf->bytes[8] >= 8 ? flags >> 8 & 0xff : flags & 0xff);
}

static bool within(const struct elf *elf, uint64_t offset, uint64_t size)
{
	return offset <= elf->length && size <= elf->length - offset;
}

static struct section section_of(const struct elf *elf, int index)
{
	const unsigned char *header = elf->bytes + elf->sections + (uint64_t)index * HEADER_BYTES, *names = elf->bytes + elf->names;
	uint64_t first = number(names + 24, 8), size = number(names + 32, 8), name = number(header, 4);
	struct section section = {.offset = number(header + 24, 8), .size = number(header + 32, 8)};
	bool ends = within(elf, first, size) && name < size && memchr(elf->bytes + first + name, 0, size - name) != NULL;
	if (ends && within(elf, section.offset, section.size))
		section.name = (const char *)elf->bytes + first + name;
	return section;
}

/* The code of the function; name NULL: there is none, or more than one. */
static struct section find_code(const struct elf *elf, const char *function)
{
	struct section found = {NULL, 0, 0};
	int times = 0;
	for (int i = 0; i < elf->count; i++) {
		struct section section = section_of(elf, i);
		if (section.name == NULL || strncmp(section.name, ".text.", 6) != 0 || strcmp(section.name + 6, function) != 0)
			continue;
		found = section;
		times++;
	}
	return times == 1 ? found : (struct section){NULL, 0, 0};
}

/* The first instruction whose encoding in the text is another than the binary's; -1: none. */
static int find_difference(const struct elf *elf, const struct section *code, const struct sass *sass)
{
	const unsigned char *at = elf->bytes + code->offset;
	for (int i = 0; i < sass->count; i++)
		for (int word = 0; word < sass->instructions[i].code_count; word++)
			if (number(at + (i * CODE_WORDS + word) * CODE_BYTES, CODE_BYTES) != sass->instructions[i].code[word])
				return i;
	return -1;
}

static bool check_code(struct reader *reader, const struct xml_element *element, const struct elf *elf, const struct program_sass *files,
	const struct sass *sass)
{
	struct section code = find_code(elf, files->function);
	const char *function = element_shorten(reader->arena, files->function, SHORT_VALUE);
	uint64_t wanted = (uint64_t)sass->count * CODE_WORDS * CODE_BYTES;
	if (code.name == NULL)
		COMPLAIN(reader, element, CUBIN_INVALID, "expected one section .text.%s in %s", function, files->cubin);
	else if (code.size != wanted)
		COMPLAIN(reader, element, SASS_GAP, "expected %" PRIu64 " instructions of %s, as %s has them; the disassembly has %d",
			code.size / (CODE_WORDS * CODE_BYTES), function, files->cubin, sass->count);
	int differs = code.name == NULL || code.size != wanted ? -1 : find_difference(elf, &code, sass);
	if (differs >= 0)
		COMPLAIN(reader, element, CUBIN_INVALID,
			"expected the encoding that %s has at 0x%04llx of %s in line %ld of the disassembly", files->cubin,
			(unsigned long long)sass->instructions[differs].address, function, sass->instructions[differs].line);
	return code.name != NULL && code.size == wanted && differs < 0;
}

bool cubin_check(struct reader *reader, const struct xml_element *element, const char *bytes, const struct program_sass *files,
	const struct sass *sass)
{
	struct elf elf;
	const char *expected = open_elf(&elf, (const unsigned char *)bytes, (size_t)files->cubin_bytes);
	if (expected != NULL)
		COMPLAIN(reader, element, CUBIN_INVALID, "expected %s, as a cubin is; %s is none", expected, files->cubin);
	else if (target_of(&elf) != sass->target) {
		COMPLAIN(reader, element, CUBIN_INVALID, "expected a binary for sm_%d, as the disassembly is; %s is for sm_%d",
			sass->target, files->cubin, target_of(&elf));
		return false;
	}
	return expected == NULL && check_code(reader, element, &elf, files, sass);
}
