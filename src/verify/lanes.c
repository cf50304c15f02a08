/* Statements on lanes, each from those that reach it; sectors and passes from addresses. */
#include "verify/lanes.h"

#include "base/checked.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LANES THREADS_A_WARP
#define WORD_BITS 32

struct spread {
	int sure;            /* so many low bits are known of each lane */
	uint32_t low[LANES]; /* they; no others */
	uint8_t leader[LANES];
	uint32_t from[LANES]; /* the word less the leader's */
};

struct statement {
	struct spread spread;
	const struct xml_element *element;
};

struct judge {
	struct check *check;
	const struct code *code;
	const struct program *program;
	const struct partings *partings;
	struct statement **stated; /* [instruction]: of each cell that it writes, in their order; NULL: none */
	int *marks, mark;          /* of a block: seen in this search */
	struct spread places[3];
};

static uint32_t mask_of(int bits)
{
	return bits >= WORD_BITS ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
}

static struct spread nothing(void)
{
	struct spread spread = {.sure = 0};
	for (int i = 0; i < LANES; i++)
		spread.leader[i] = (uint8_t)i;
	return spread;
}

static struct spread same(void) /* in all lanes, whatever it is */
{
	return (struct spread){.sure = 0};
}

/* From what is sure of all bits follows how far lanes are apart. */
static void settle(struct spread *spread)
{
	for (int i = 0; i < LANES && spread->sure >= WORD_BITS; i++) {
		spread->leader[i] = 0;
		spread->from[i] = spread->low[i] - spread->low[0];
	}
}

static struct spread number(uint32_t word)
{
	struct spread spread = {.sure = WORD_BITS};
	for (int i = 0; i < LANES; i++)
		spread.low[i] = word;
	return spread;
}

/* Of two lanes: is it known how far they are apart? */
static bool apart(const struct spread *spread, int one, int other, uint32_t *by)
{
	*by = spread->from[one] - spread->from[other];
	return spread->leader[one] == spread->leader[other];
}

static bool alike(const struct spread *spread, int one, int other)
{
	uint32_t by;
	return apart(spread, one, other, &by) && by == 0;
}

/* Makes leaders of pairs: tells(context, lane, leader, &by) says how far the lane is from that earlier one, if it is known. */
typedef bool (*tells)(const struct spread *of, int lane, int leader, uint32_t *by);

static void lead(struct spread *result, const struct spread *of, tells tell)
{
	for (int i = 0; i < LANES; i++) {
		int leader = 0;
		while (leader < i && (result->leader[leader] != leader || !tell(of, i, leader, &result->from[i])))
			leader++;
		result->leader[i] = (uint8_t)leader;
		result->from[i] = leader == i ? 0 : result->from[i];
	}
	settle(result);
}

/* ---- what instructions do */

static bool tell_sum(const struct spread *of, int lane, int leader, uint32_t *by)
{
	uint32_t a, b;
	bool known = apart(&of[0], lane, leader, &a) && apart(&of[1], lane, leader, &b);
	*by = known ? a + b : 0;
	return known;
}

static struct spread sum(const struct spread *one, const struct spread *other)
{
	struct spread of[2] = {*one, *other}, result = {.sure = one->sure < other->sure ? one->sure : other->sure};
	for (int i = 0; i < LANES; i++)
		result.low[i] = (one->low[i] + other->low[i]) & mask_of(result.sure);
	lead(&result, of, tell_sum);
	return result;
}

static struct spread scaled(const struct spread *spread, uint32_t factor)
{
	struct spread result = *spread;
	while (result.sure < WORD_BITS && (factor == 0 || (factor >> (result.sure - spread->sure) & 1) == 0))
		result.sure++;
	for (int i = 0; i < LANES; i++) {
		result.low[i] = spread->low[i] * factor & mask_of(result.sure);
		result.from[i] = spread->from[i] * factor;
	}
	settle(&result);
	return result;
}

static bool tell_alike(const struct spread *of, int lane, int leader, uint32_t *by)
{
	*by = 0;
	return alike(&of[0], lane, leader) && alike(&of[1], lane, leader);
}

/* Any function of both. */
static struct spread any_of(const struct spread *one, const struct spread *other)
{
	struct spread of[2] = {*one, *other}, result = same();
	lead(&result, of, tell_alike);
	return result;
}

static bool is_number(const struct spread *spread)
{
	for (int i = 1; i < LANES; i++)
		if (spread->low[i] != spread->low[0])
			return false;
	return spread->sure >= WORD_BITS;
}

static struct spread product(const struct spread *one, const struct spread *other)
{
	if (is_number(other))
		return scaled(one, other->low[0]);
	return is_number(one) ? scaled(other, one->low[0]) : any_of(one, other);
}

/* Are all but the sure bits of both lanes the same? Then the words are as far apart as these bits. */
static bool same_above(const struct spread *spread, int one, int other)
{
	uint32_t by;
	return apart(spread, one, other, &by) && by == spread->low[one] - spread->low[other];
}

static bool tell_above(const struct spread *of, int lane, int leader, uint32_t *by)
{
	*by = of[1].low[lane] - of[1].low[leader];
	return same_above(&of[0], lane, leader);
}

static struct spread shifted(const struct spread *spread, int by, bool is_signed)
{
	struct spread of[2] = {*spread, same()}, result = {.sure = spread->sure > by ? spread->sure - by : 0};
	bool all = spread->sure >= WORD_BITS;
	result.sure = all ? WORD_BITS : result.sure;
	for (int i = 0; i < LANES; i++) {
		int64_t word = all && is_signed ? (int64_t)(int32_t)spread->low[i] : (int64_t)spread->low[i];
		result.low[i] = (uint32_t)(word / (INT64_C(1) << by) - (word % (INT64_C(1) << by) < 0)) & mask_of(result.sure);
		of[1].low[i] = result.low[i];
	}
	lead(&result, of, tell_above);
	return by == 0 ? *spread : result;
}

/* ---- bit by bit */

static bool table_bit(unsigned table, bool a, bool b, bool c)
{
	return (table >> (4 * a + 2 * b + c) & 1) != 0;
}

/* A bit of the result is sure if it is the same whatever the bits are that are not. */
static bool sure_bit(const struct spread *of, unsigned table, int bit, int lane, bool *value)
{
	bool first = true, sure = true;
	for (int k = 0; k < 8; k++) {
		bool bits[3] = {(k & 4) != 0, (k & 2) != 0, (k & 1) != 0}, possible = true;
		for (int o = 0; o < 3; o++)
			possible &= bit >= of[o].sure || ((of[o].low[lane] >> bit & 1) != 0) == bits[o];
		if (!possible)
			continue;
		bool now = table_bit(table, bits[0], bits[1], bits[2]);
		sure &= first || now == *value;
		*value = now;
		first = false;
	}
	return sure;
}

static bool sure_in_all(const struct spread *of, unsigned table, int bit, uint32_t *low)
{
	bool sure = true;
	for (int i = 0; i < LANES; i++) {
		bool value = false;
		sure &= sure_bit(of, table, bit, i, &value);
		low[i] |= (uint32_t)value << bit;
	}
	return sure;
}

/* of[3] is the result: above its sure bits, the words that are read are the same in both lanes. */
static bool tell_bits(const struct spread *of, int lane, int leader, uint32_t *by)
{
	uint32_t above = ~mask_of(of[3].sure);
	bool known = true;
	for (int o = 0; o < 3; o++) {
		bool equal = alike(&of[o], lane, leader);
		known &= equal || (same_above(&of[o], lane, leader) && ((of[o].low[lane] ^ of[o].low[leader]) & above) == 0);
	}
	*by = of[3].low[lane] - of[3].low[leader];
	return known;
}

static struct spread bitwise(const struct spread *given, unsigned table)
{
	struct spread of[4] = {given[0], given[1], given[2], {.sure = 0}};
	uint32_t low[LANES] = {0};
	while (of[3].sure < WORD_BITS && sure_in_all(of, table, of[3].sure, low))
		of[3].sure++;
	struct spread result = {.sure = of[3].sure};
	for (int i = 0; i < LANES; i++)
		result.low[i] = of[3].low[i] = low[i] & mask_of(result.sure);
	lead(&result, of, tell_bits);
	return result;
}

/* ---- one or the other */

static bool tell_both(const struct spread *of, int lane, int leader, uint32_t *by)
{
	uint32_t other;
	return apart(&of[0], lane, leader, by) && apart(&of[1], lane, leader, &other) && other == *by && alike(&of[2], lane, leader);
}

/* All lanes in which `decides` is alike have the same of both. */
static struct spread either(const struct spread *one, const struct spread *other, const struct spread *decides)
{
	struct spread of[3] = {*one, *other, *decides}, result = {.sure = one->sure < other->sure ? one->sure : other->sure};
	for (int i = 0; i < LANES; i++)
		while (((one->low[i] ^ other->low[i]) & mask_of(result.sure)) != 0)
			result.sure--;
	for (int i = 0; i < LANES; i++)
		result.low[i] = one->low[i] & mask_of(result.sure);
	lead(&result, of, tell_both);
	return result;
}

/* Does what is stated say no more than what is found? */
static bool follows(const struct spread *stated, const struct spread *found)
{
	bool good = stated->sure <= found->sure;
	for (int i = 0; i < LANES && good; i++) {
		uint32_t by;
		good = stated->low[i] == (found->low[i] & mask_of(stated->sure)) &&
		       (stated->leader[i] == i || (apart(found, i, stated->leader[i], &by) && by == stated->from[i]));
	}
	return good;
}

/* ---- what reaches an instruction */

static bool is_one_a_warp(int cell)
{
	return cell >= CELL_UNIFORM_PREDICATE || (cell >= CELL_UNIFORM && cell < CELL_PREDICATE);
}

static int place_among(const struct cells *cells, int cell)
{
	int place = 0;
	for (int c = 0; c < cell; c++)
		place += cells_has(cells, c);
	return place;
}

struct search {
	struct spread found;
	bool any;
};

static void meet(struct search *search, const struct spread *spread)
{
	struct spread always = same();
	search->found = search->any ? either(&search->found, spread, &always) : *spread;
	search->any = true;
}

/* Does the instruction settle what is in the cell behind it? */
static bool settles(const struct judge *judge, int number, int cell, struct search *search)
{
	const struct program_instruction *instruction = &judge->program->instructions[number];
	struct spread none = nothing();
	bool lost = cells_has(&instruction->may_write, cell) || cells_has(&judge->partings->apart.gathered[number], cell) ||
		    (instruction->joins && judge->partings->apart.parted[instruction->block]);
	if (lost && !(cells_has(&instruction->writes, cell) && instruction->guard == NULL && !cells_has(&instruction->may_write, cell))) {
		meet(search, &none);
		return true;
	}
	if (!cells_has(&instruction->writes, cell))
		return false;
	const struct statement *stated = judge->stated[number];
	stated = stated == NULL ? NULL : &stated[place_among(&instruction->writes, cell)];
	meet(search, stated == NULL || stated->element == NULL ? &none : &stated->spread);
	return true;
}

static void look_back(struct judge *judge, int block, int number, int cell, struct search *search)
{
	const struct program_block *of = &judge->program->blocks[block];
	struct spread none = nothing();
	while (--number >= of->first)
		if (settles(judge, number, cell, search))
			return;
	if (block == 0)
		meet(search, &none);
	for (int i = judge->code->first_in[block]; i < judge->code->first_in[block + 1]; i++) {
		int from = judge->code->ways[judge->code->in[i]].from;
		if (from < 0 || judge->marks[from] == judge->mark)
			continue;
		judge->marks[from] = judge->mark;
		look_back(judge, from, judge->program->blocks[from].first + judge->program->blocks[from].count, cell, search);
	}
}

static struct spread before(struct judge *judge, int number, int cell)
{
	struct search search = {.any = false};
	if (is_one_a_warp(cell))
		return same();
	judge->mark++;
	look_back(judge, judge->program->instructions[number].block, number, cell, &search);
	return search.any ? search.found : nothing();
}

/* ---- operands */

static bool whole_number(const char *text, uint32_t *number_read)
{
	char *end;
	if (!isdigit((unsigned char)text[0]))
		return false;
	unsigned long long value = strtoull(text, &end, 0);
	*number_read = (uint32_t)value;
	return *end == '\0' && value <= UINT32_MAX;
}

static struct spread of_bank(const struct judge *judge, const char *text)
{
	char *end;
	long offset = strncmp(text, "c[0x0][0x", 9) == 0 ? strtol(text + 7, &end, 16) : -1;
	if (offset < 0 || strcmp(end, "]") != 0)
		return same();
	for (int i = 0; i < judge->program->word_count; i++) {
		const struct program_word *word = &judge->program->words[i];
		if (word->offset == offset && word->least == word->most)
			return number((uint32_t)word->most);
	}
	return same();
}

static bool register_of(const char *text, int *cell)
{
	char *end;
	bool uniform = text[0] == 'U';
	if (text[uniform] != 'R' || !isdigit((unsigned char)text[uniform + 1]))
		return false;
	*cell = (int)strtol(text + uniform + 1, &end, 10) + (uniform ? CELL_UNIFORM : 0);
	return *end == '\0' || strcmp(end, ".reuse") == 0;
}

static bool operand(struct judge *judge, int number_of, const char *text, struct spread *spread)
{
	char sign = *text == '-' || *text == '~' ? *text : '\0';
	uint32_t word;
	int cell;
	text += sign != '\0';
	if (strcmp(text, "RZ") == 0 || strcmp(text, "URZ") == 0 || strcmp(text, "RZ.reuse") == 0 || strcmp(text, "SRZ") == 0)
		*spread = number(0);
	else if (strncmp(text, "c[", 2) == 0 && strchr(text, 'R') == NULL)
		*spread = of_bank(judge, text);
	else if (register_of(text, &cell))
		*spread = before(judge, number_of, cell);
	else if (whole_number(text, &word))
		*spread = number(word);
	else
		return false;
	if (sign == '\0')
		return true;
	struct spread less = number(UINT32_MAX);
	*spread = scaled(spread, UINT32_MAX);
	*spread = sign == '~' ? sum(spread, &less) : *spread;
	return true;
}

static bool operands(struct judge *judge, int number_of, int count, struct spread *spreads)
{
	const struct program_instruction *instruction = &judge->program->instructions[number_of];
	for (int k = 0; k < count; k++) {
		int at = instruction->written_count + k;
		if (at >= instruction->operand_count || !operand(judge, number_of, instruction->operands[at], &spreads[k]))
			return false;
	}
	return true;
}

/* An operand that is a number by itself. */
static bool plain(const struct program_instruction *instruction, int at, uint32_t most, uint32_t *number_read)
{
	at += instruction->written_count;
	return at < instruction->operand_count && whole_number(instruction->operands[at], number_read) && *number_read <= most;
}

static int predicate_of(const char *text)
{
	text += *text == '!';
	return text[0] == 'P' && isdigit((unsigned char)text[1]) && text[2] == '\0' ? CELL_PREDICATE + text[1] - '0' : -1;
}

/* ---- instructions */

static bool begins(const char *mnemonic, const char *base)
{
	size_t length = strlen(base);
	return strncmp(mnemonic, base, length) == 0 && (mnemonic[length] == '.' || mnemonic[length] == '\0');
}

static bool shift_writes(struct judge *judge, int at, struct spread *result)
{
	const struct program_instruction *instruction = &judge->program->instructions[at];
	static const char *const names[] = {"SHF.L.U32", "SHF.R.U32.HI", "SHF.R.S32.HI"};
	int which = 0, first = instruction->written_count;
	uint32_t by;
	struct spread word;
	while (which < 3 && strcmp(instruction->mnemonic, names[which]) != 0)
		which++;
	if (which == 3 || first + 3 > instruction->operand_count || !plain(instruction, 1, 31, &by) ||
		!operand(judge, at, instruction->operands[first + (which == 0 ? 0 : 2)], &word))
		return false;
	*result = which == 0 ? scaled(&word, UINT32_C(1) << by) : shifted(&word, (int)by, which == 2);
	return true;
}

static bool place_writes(const struct judge *judge, int at, struct spread *result)
{
	const struct program_instruction *instruction = &judge->program->instructions[at];
	const char *name = instruction->operand_count == 2 ? instruction->operands[1] : "";
	if (strncmp(name, "SR_TID.", 7) == 0 && name[7] >= 'X' && name[7] <= 'Z' && name[8] == '\0') {
		*result = judge->places[name[7] - 'X'];
		return true;
	}
	*result = number(0);
	for (int i = 0; i < LANES; i++)
		result->low[i] = (uint32_t)i;
	settle(result);
	return strcmp(name, "SR_LANEID") == 0;
}

static bool select_writes(struct judge *judge, int at, struct spread *result)
{
	const struct program_instruction *instruction = &judge->program->instructions[at];
	struct spread of[2];
	int third = instruction->written_count + 2;
	int predicate = third < instruction->operand_count ? predicate_of(instruction->operands[third]) : -1;
	if (predicate < 0 || !operands(judge, at, 2, of))
		return false;
	struct spread decides = before(judge, at, predicate);
	*result = either(&of[0], &of[1], &decides);
	return true;
}

/* Sums and products; false: nothing but what it reads is known. */
static bool arithmetic_writes(struct judge *judge, int at, struct spread *result)
{
	const struct program_instruction *instruction = &judge->program->instructions[at];
	const char *mnemonic = instruction->mnemonic;
	struct spread of[3];
	uint32_t by;
	bool upper = strstr(mnemonic, ".HI") != NULL || strstr(mnemonic, ".X") != NULL;
	if (strcmp(mnemonic, "MOV") == 0 || strcmp(mnemonic, "LDC") == 0 || strcmp(mnemonic, "LDC.64") == 0)
		return operands(judge, at, 1, result);
	bool two = strcmp(mnemonic, "IADD") == 0 || strcmp(mnemonic, "VIADD") == 0, lea = begins(mnemonic, "LEA");
	if (upper || !(two || lea || begins(mnemonic, "IADD3") || begins(mnemonic, "IMAD")) || !operands(judge, at, two || lea ? 2 : 3, of))
		return false;
	if (lea && !plain(instruction, 2, 31, &by))
		return false;
	if (lea)
		of[0] = scaled(&of[0], UINT32_C(1) << by);
	*result = begins(mnemonic, "IMAD") ? product(&of[0], &of[1]) : sum(&of[0], &of[1]);
	*result = two || lea ? *result : sum(result, &of[2]);
	return true;
}

static bool understood(struct judge *judge, int at, struct spread *result)
{
	const struct program_instruction *instruction = &judge->program->instructions[at];
	struct spread of[3];
	uint32_t table;
	if (begins(instruction->mnemonic, "S2R"))
		return place_writes(judge, at, result);
	if (begins(instruction->mnemonic, "SHF"))
		return shift_writes(judge, at, result);
	if (strcmp(instruction->mnemonic, "SEL") == 0)
		return select_writes(judge, at, result);
	if (!begins(instruction->mnemonic, "LOP3"))
		return arithmetic_writes(judge, at, result);
	if (!operands(judge, at, 3, of) || !plain(instruction, 3, 255, &table))
		return false;
	*result = bitwise(of, table);
	return true;
}

static struct spread what_is_read(struct judge *judge, int at)
{
	const struct program_instruction *instruction = &judge->program->instructions[at];
	struct spread result = instruction->origin == ORIGIN_THREAD ? nothing() : same();
	bool operands_count = instruction->origin == ORIGIN_OPERANDS || instruction->guard != NULL;
	for (int cell = 0; cell < CELL_COUNT && operands_count; cell++)
		if (cells_has(&instruction->reads, cell)) {
			struct spread read = before(judge, at, cell);
			result = any_of(&result, &read);
		}
	return result;
}

/* The register that stands first among what is written. */
static int first_register(const struct program_instruction *instruction)
{
	int cell;
	for (int i = 0; i < instruction->written_count; i++)
		if (instruction->operands[i][0] == 'R' && register_of(instruction->operands[i], &cell))
			return cell;
	return -1;
}

static struct spread behind(struct judge *judge, int at, int cell)
{
	const struct program_instruction *instruction = &judge->program->instructions[at];
	struct spread result, decides = same();
	if (first_register(instruction) != cell || !understood(judge, at, &result))
		result = what_is_read(judge, at);
	if (instruction->guard == NULL)
		return result;
	const char *guard = instruction->guard + (instruction->guard[0] == '!');
	int predicate = predicate_of(guard);
	if (*guard != 'U')
		decides = predicate < 0 ? nothing() : before(judge, at, predicate);
	struct spread there = before(judge, at, cell);
	return either(&result, &there, &decides);
}

/* ---- addresses */

static bool term(struct judge *judge, int at, const char *from, size_t length, struct spread *total)
{
	char text[24];
	struct spread spread;
	char *suffix;
	uint32_t times = 1;
	if (length == 0 || length >= sizeof text)
		return false;
	memcpy(text, from, length);
	text[length] = '\0';
	suffix = strchr(text, '.');
	if (suffix != NULL && suffix[1] == 'X')
		times = (uint32_t)strtoul(suffix + 2, NULL, 10);
	else if (suffix != NULL && strcmp(suffix, ".64") != 0 && strcmp(suffix, ".U32") != 0)
		return false;
	if (suffix != NULL)
		*suffix = '\0';
	if (!operand(judge, at, text, &spread))
		return false;
	spread = scaled(&spread, times);
	*total = sum(total, &spread);
	return true;
}

static struct spread address(struct judge *judge, int at)
{
	const struct program_instruction *instruction = &judge->program->instructions[at];
	const char *inside = NULL;
	struct spread total = number(0);
	for (int i = 0; i < instruction->operand_count; i++)
		if (strchr(instruction->operands[i], '[') != NULL && strncmp(instruction->operands[i], "c[", 2) != 0)
			inside = strrchr(instruction->operands[i], '[') + 1;
	while (inside != NULL && *inside != ']') {
		size_t length = strcspn(inside, "+]");
		if (inside[length] == '\0' || !term(judge, at, inside, length, &total))
			return nothing();
		inside += length + (inside[length] == '+');
	}
	return inside == NULL ? nothing() : total;
}

/* ---- units */

/* Lanes with one leader, the leader's address at `at`: how many sectors, or words of a bank, those touch whose address is no fault. */
static int64_t touched(const struct spread *spread, int leader, uint32_t at, int bytes, int first, int end, int bank)
{
	uint32_t seen[LANES];
	int count = 0;
	for (int i = first; i < end; i++) {
		uint32_t unit = (at + spread->from[i]) / (bank < 0 ? 32 : 4);
		bool again = spread->leader[i] != leader || (at + spread->from[i]) % (uint32_t)bytes != 0 ||
			     (bank >= 0 && unit % 32 != (uint32_t)bank);
		for (int k = 0; k < count && !again; k++)
			again = seen[k] == unit;
		if (!again)
			seen[count++] = unit;
	}
	return count;
}

static int64_t in_passes(const struct spread *spread, int leader, uint32_t at, int bytes)
{
	int lanes = bytes <= 4 ? LANES : LANES * 4 / bytes;
	int64_t passes = 0;
	for (int first = 0; first < LANES; first += lanes) {
		int64_t most = 0;
		for (int bank = 0; bank < 32; bank++)
			most = checked_max(most, touched(spread, leader, at, bytes, first, first + lanes, bank));
		passes += most;
	}
	return passes;
}

static int64_t of_group(const struct program_instruction *instruction, const struct spread *spread, int leader)
{
	bool shared = instruction->space == SPACE_SHARED;
	int64_t most = 0;
	for (uint32_t at = 0; at < 128; at++) {
		uint32_t low = mask_of(spread->sure < 7 ? spread->sure : 7);
		if (((at ^ spread->low[leader]) & low) != 0)
			continue;
		most = checked_max(most, shared ? in_passes(spread, leader, at, instruction->bytes)
						: touched(spread, leader, at, instruction->bytes, 0, LANES, -1));
	}
	return most;
}

static int64_t units_of(const struct program_instruction *instruction, const struct spread *spread)
{
	int64_t total = 0;
	bool together = false, one = true;
	for (int i = 1; i < LANES; i++) {
		together |= spread->leader[i] != i;
		one &= alike(spread, i, 0);
	}
	if (!together)
		return instruction->units;
	if (instruction->space == SPACE_LOCAL)
		return one ? checked_max(instruction->bytes, 4) : instruction->units;
	for (int i = 0; i < LANES; i++)
		total += spread->leader[i] == i ? of_group(instruction, spread, i) : 0;
	return total == 0 ? instruction->units : checked_min(total, instruction->units);
}

/* Does an address of each thread say what is accessed, and in which space? Not of matrices, of any space's loads, of atomics. */
static bool says_where(const char *mnemonic)
{
	bool load = strncmp(mnemonic, "LD", 2) == 0, plain_one = load || strncmp(mnemonic, "ST", 2) == 0;
	bool space = plain_one && mnemonic[2] != '\0' && strchr("GLS", mnemonic[2]) != NULL;
	return space && (mnemonic[3] == '\0' || mnemonic[3] == '.' || begins(mnemonic, "LDGSTS"));
}

/* ---- the report */

static int instruction_named(const struct program *program, const struct xml_element *element)
{
	const char *text = element_get(element, "at");
	long number = text == NULL ? -1 : strtol(text, NULL, 10);
	return number < 0 || number >= program->instruction_count || program->instructions[number].block == NO_ID ? -1 : (int)number;
}

static bool is_space(const struct xml_element *access, enum program_space space)
{
	const char *said = element_get(access, "space");
	return said != NULL && strcmp(said, space_names[space]) == 0;
}

const struct program *lanes_read(struct check *check, const struct program *program, const struct xml_element *accesses)
{
	struct program *with = arena_allocate(check->arena, 1, sizeof *with);
	struct program_block *blocks = arena_allocate(check->arena, (size_t)program->block_count + 1, sizeof *blocks);
	if (accesses == NULL)
		return program;
	*with = *program;
	memcpy(blocks, program->blocks, (size_t)program->block_count * sizeof *blocks);
	with->blocks = blocks;
	int last = -1;
	for (const struct xml_element *element = accesses->first; element != NULL; element = element->next) {
		if (!element_is(element, "access"))
			continue;
		int number_of = instruction_named(program, element);
		const char *stated = element_get(element, "units");
		const struct program_instruction *instruction = number_of < 0 ? NULL : &program->instructions[number_of];
		int64_t units = stated == NULL ? 0 : strtoll(stated, NULL, 10);
		if (number_of <= last || instruction->space == SPACE_NONE || units < 1 || units > instruction->units ||
			!is_space(element, instruction->space)) {
			check_differs(check, element, "an access to memory", "one that the program has, once", element_get(element, "at"));
			return NULL;
		}
		last = number_of;
		int class = instruction->space == SPACE_SHARED ? CLASS_CONFLICT : CLASS_SECTOR;
		if (class == CLASS_CONFLICT || program->declared[class].latency != NONE)
			blocks[instruction->block].counts[class] -= instruction->units - units;
	}
	return with;
}

static int cell_named(const char *name)
{
	int cell;
	if (name != NULL && name[0] == 'R' && register_of(name, &cell))
		return cell;
	return name == NULL ? -1 : predicate_of(name);
}

/* Numbers, one for each lane, with blanks between. */
static bool numbers(const char *text, uint32_t *words)
{
	char *end;
	for (int i = 0; i < LANES; i++) {
		if (text == NULL || !isdigit((unsigned char)*text))
			return false;
		unsigned long long value = strtoull(text, &end, 10);
		words[i] = (uint32_t)value;
		text = *end == ' ' ? end + 1 : end;
		if (value > UINT32_MAX)
			return false;
	}
	return *text == '\0';
}

static bool read_statement(const struct xml_element *element, struct spread *spread)
{
	uint32_t offsets[LANES], groups[LANES];
	const char *aligned = element_get(element, "aligned");
	if (aligned == NULL || !numbers(element_get(element, "offsets"), offsets) || !numbers(element_get(element, "groups"), groups))
		return false;
	spread->sure = atoi(aligned);
	for (int i = 0; i < LANES; i++) {
		if (groups[i] > (uint32_t)i || groups[groups[i]] != groups[i])
			return false;
		spread->leader[i] = (uint8_t)groups[i];
		spread->from[i] = offsets[i] - offsets[groups[i]];
		spread->low[i] = offsets[i] & mask_of(spread->sure);
	}
	return spread->sure >= 0 && spread->sure <= WORD_BITS;
}

static bool state(struct judge *judge, const struct xml_element *element)
{
	int at = instruction_named(judge->program, element), cell = cell_named(element_get(element, "cell"));
	if (at < 0 || cell < 0 || !cells_has(&judge->program->instructions[at].writes, cell))
		return false;
	const struct cells *writes = &judge->program->instructions[at].writes;
	if (judge->stated[at] == NULL)
		judge->stated[at] = arena_allocate(judge->check->arena, (size_t)place_among(writes, CELL_COUNT), sizeof(struct statement));
	struct statement *statement = &judge->stated[at][place_among(writes, cell)];
	if (statement->element != NULL)
		return false;
	statement->element = element;
	return read_statement(element, &statement->spread);
}

/* Of a thread in its block: what all warps have in common. */
static struct spread place(const struct program *program, int axis)
{
	struct spread result = number(0), first = number(0);
	int64_t x = program->extents[0], y = program->extents[1];
	for (int64_t base = 0; base < program->threads; base += LANES) {
		struct spread warp = number(0), always = same();
		for (int i = 0; i < LANES; i++) {
			int64_t thread = base + i;
			int64_t coordinate = axis == 0 ? thread % x : axis == 1 ? thread / x % y : thread / (x * y);
			if (thread < program->threads)
				warp.low[i] = (uint32_t)coordinate;
			else /* nobody is there: as far from the first lane as in the first warp */
				warp.low[i] = base == 0 ? 0 : warp.low[0] + first.low[i] - first.low[0];
		}
		first = base == 0 ? warp : first;
		settle(&warp);
		result = base == 0 ? warp : either(&result, &warp, &always);
	}
	return result;
}

static void check_all(struct judge *judge, const struct xml_element *accesses)
{
	const struct xml_element *next = accesses == NULL ? NULL : accesses->first;
	for (const struct xml_element *element = next; element != NULL; element = element->next) {
		if (!element_is(element, "lanes"))
			continue;
		int at = instruction_named(judge->program, element), cell = cell_named(element_get(element, "cell"));
		struct spread found = behind(judge, at, cell);
		const struct statement *stated = &judge->stated[at][place_among(&judge->program->instructions[at].writes, cell)];
		if (!follows(&stated->spread, &found))
			check_differs(
				judge->check, element, "words of lanes", "what follows from what is read", element_get(element, "offsets"));
	}
	for (const struct xml_element *element = next; element != NULL; element = element->next) {
		if (!element_is(element, "access"))
			continue;
		int at = instruction_named(judge->program, element);
		const struct program_instruction *instruction = &judge->program->instructions[at];
		struct spread spread = says_where(instruction->mnemonic) ? address(judge, at) : nothing();
		check_integer(judge->check, element, "an access to memory", "units", units_of(instruction, &spread));
	}
}

void lanes_check(struct check *check, const struct code *code, const struct program *program, const struct partings *partings,
	const struct xml_element *accesses)
{
	struct judge judge = {.check = check, .code = code, .program = program, .partings = partings};
	if (program->instruction_count == 0 || accesses == NULL)
		return;
	judge.stated = arena_allocate(check->arena, (size_t)program->instruction_count, sizeof *judge.stated);
	judge.marks = arena_allocate(check->arena, (size_t)program->block_count, sizeof *judge.marks);
	for (int axis = 0; axis < 3; axis++)
		judge.places[axis] = place(program, axis);
	for (const struct xml_element *element = accesses->first; element != NULL; element = element->next)
		if (element_is(element, "lanes") && !state(&judge, element)) {
			check_differs(
				check, element, "words of lanes", "a cell that the instruction writes, once", element_get(element, "cell"));
			return;
		}
	check_all(&judge, accesses);
}
