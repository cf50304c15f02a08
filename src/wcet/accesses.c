/* Sectors and passes of addresses whose form is known. */
#include "wcet/accesses.h"

#include "base/plant.h"

#include <string.h>

#define BANKS 32
#define BANK_BYTES 4

/* The places at which u of a group can be, in a window. */
static bool can_be(const struct lane_form *form, uint32_t place)
{
	return form->aligned >= 32 ? place == 0 : (place & ((UINT32_C(1) << form->aligned) - 1)) == 0;
}

/* Who may access memory with u there: any other address is a fault, so that the lane is off, by a predicate or as nobody is there. */
static bool may_access(const struct lane_form *form, int group, int lane, uint32_t place, uint32_t bytes)
{
	return form->groups[lane] == group && (place + form->offsets[lane]) % bytes == 0;
}

/* Different values among those of a group's lanes from `first` on; of lanes whose own says so. */
static int64_t different(const uint32_t *values, const bool *counts)
{
	int64_t count = 0;
	for (int i = 0; i < THREADS_A_WARP; i++) {
		bool again = !counts[i];
		for (int k = 0; k < i && !again; k++)
			again = counts[k] && values[k] == values[i];
		count += !again;
	}
	return count;
}

static int64_t sectors_at(const struct lane_form *form, int group, uint32_t place, uint32_t bytes)
{
	uint32_t sectors[THREADS_A_WARP];
	bool counts[THREADS_A_WARP];
	for (int i = 0; i < THREADS_A_WARP; i++) {
		sectors[i] = (place + form->offsets[i]) / SECTOR_BYTES;
		counts[i] = may_access(form, group, i, place, bytes);
	}
	return different(sectors, counts);
}

/* The most words of one bank, of the lanes that one pass serves: all of 4 bytes and less, half of 8, a quarter of 16. */
static int64_t passes_at(const struct lane_form *form, int group, uint32_t place, uint32_t bytes)
{
	uint32_t words[THREADS_A_WARP];
	bool counts[THREADS_A_WARP];
	int served = bytes <= BANK_BYTES ? THREADS_A_WARP : (int)(THREADS_A_WARP * BANK_BYTES / bytes);
	int64_t sum = 0;
	for (int first = 0; first < THREADS_A_WARP; first += served) {
		int64_t most = 0;
		for (uint32_t bank = 0; bank < BANKS; bank++) {
			for (int i = 0; i < THREADS_A_WARP; i++) { /* a wide access begins at a bank that its width divides */
				words[i] = (place + form->offsets[i]) / BANK_BYTES;
				counts[i] = i >= first && i < first + served && words[i] % BANKS == bank &&
					    may_access(form, group, i, place, bytes);
			}
			int64_t own = different(words, counts);
			most = own > most ? own : most;
		}
		sum += most;
	}
	return sum;
}

/* The most at any place; 0: no lane may access memory at any, or the lane is not the first of a group. */
static int64_t most_of(const struct program_instruction *instruction, const struct lane_form *form, int group)
{
	uint32_t bytes = (uint32_t)instruction->bytes, window = instruction->space == SPACE_SHARED ? BANKS * BANK_BYTES : SECTOR_BYTES;
	int64_t most = 0;
	for (uint32_t place = 0; place < (planted(PLANT_LANE_PLACE) ? 1 : window) && form->groups[group] == group; place++) {
		if (!can_be(form, place))
			continue;
		int64_t own =
			instruction->space == SPACE_SHARED ? passes_at(form, group, place, bytes) : sectors_at(form, group, place, bytes);
		most = own > most ? own : most;
	}
	return most;
}

/* Local memory has the words of the threads of a warp at one offset side by side. */
static bool is_one(const struct lane_form *form)
{
	bool one = true;
	for (int i = 1; i < THREADS_A_WARP; i++)
		one &= form->groups[i] == 0 && form->offsets[i] == form->offsets[0];
	return one;
}

static int64_t units_of(const struct program_instruction *instruction, const struct lane_form *form)
{
	int64_t sum = 0;
	if (instruction->space == SPACE_LOCAL)
		return is_one(form) ? (instruction->bytes > BANK_BYTES ? instruction->bytes : BANK_BYTES) : instruction->units;
	for (int group = 0; group < THREADS_A_WARP; group++)
		sum += most_of(instruction, form, group);
	return sum > 0 ? sum : instruction->units; /* nobody can execute it without a fault */
}

/* Accesses of which each thread's address says what it accesses, in a space that the mnemonic names. Matrices have addresses by rows, LD,
 * ST and ATOM may lead to any space, and what atomics on one word need is not known. */
static bool is_understood(const struct program_instruction *instruction)
{
	static const char *const names[] = {"LDG", "STG", "LDGSTS", "LDL", "STL", "LDS", "STS"};
	size_t base = strcspn(instruction->mnemonic, ".");
	bool known = false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		known |= strlen(names[i]) == base && strncmp(names[i], instruction->mnemonic, base) == 0;
	return known && instruction->block != NO_ID && instruction->space != SPACE_NONE;
}

static void judge(const struct program_instruction *instruction, const struct lane_form *form, struct memory_access *access)
{
	bool together = false;
	for (int i = 1; i < THREADS_A_WARP && form != NULL; i++)
		together |= form->groups[i] != i;
	int64_t units = together ? units_of(instruction, form) : INT64_MAX;
	access->follows = units <= instruction->units;
	access->units = access->follows ? units : instruction->units;
}

static void take_off(struct program_block *block, const struct program_instruction *instruction, int class, int64_t fewer)
{
	block->counts[class] -= fewer;
	for (int i = 0; i < block->part_count; i++)
		if (program_places_equal(block->parts[i].place, instruction->place))
			block->parts[i].counts[class] -= fewer;
}

static const struct program *with_units(const struct accesses *accesses, const struct flow *flow)
{
	struct program *program = program_with_blocks(flow->program, flow->arena);
	for (int i = 0; i < accesses->count; i++) {
		const struct memory_access *access = &accesses->items[i];
		const struct program_instruction *instruction = &program->instructions[access->instruction];
		int class = instruction->space == SPACE_SHARED ? CLASS_CONFLICT : CLASS_SECTOR;
		if (class == CLASS_CONFLICT || program->declared[class].latency != NONE)
			take_off(&program->blocks[instruction->block], instruction, class, instruction->units - access->units);
	}
	return program;
}

void accesses_find(struct accesses *accesses, const struct flow *flow, const struct uniformity *uniformity)
{
	const struct program *program = flow->program;
	*accesses = (struct accesses){.program = program};
	if (program->instruction_count == 0)
		return;
	bool *asked = arena_allocate(flow->arena, (size_t)program->instruction_count, sizeof *asked);
	int count = 0, capacity = 0;
	for (int i = 0; i < program->instruction_count; i++)
		asked[i] = is_understood(&program->instructions[i]);
	lanes_find(&accesses->lanes, flow, uniformity, asked);
	for (int i = 0; i < program->instruction_count; i++) {
		const struct program_instruction *instruction = &program->instructions[i];
		if (instruction->block == NO_ID || instruction->space == SPACE_NONE)
			continue;
		accesses->items = arena_grow(flow->arena, accesses->items, &capacity, count + 1, sizeof *accesses->items);
		accesses->items[count] = (struct memory_access){.instruction = i};
		judge(instruction, asked[i] ? accesses->lanes.addresses[i] : NULL, &accesses->items[count++]);
	}
	accesses->count = count;
	accesses->program = with_units(accesses, flow);
}
