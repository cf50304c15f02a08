/* A program's linear program, row by row with a multiplier each, subtracted from its objective in 128-bit integers. */
#include "verify/dual.h"

#include <stdlib.h>
#include <string.h>

struct dual {
	const struct dual_program *program;
	const char *at; /* the numerators that are left */
	__int128 *reduced, sum;
	int64_t rows;    /* numerators so far */
	int64_t divisor; /* of them and the denominator */
	bool good;
};

static __int128 product(struct dual *dual, __int128 a, int64_t b)
{
	__int128 result = 0;
	dual->good = dual->good && b != NONE && !__builtin_mul_overflow(a, (__int128)b, &result);
	return result;
}

static void subtract(struct dual *dual, __int128 *from, __int128 value)
{
	dual->good = dual->good && !__builtin_sub_overflow(*from, value, from);
}

/* One number has one spelling. */
static bool is_plain(const char *text)
{
	text += *text == ' ';
	const char *digits = text + (*text == '-');
	return *digits >= '1' && *digits <= '9' ? true : *digits == '0' && digits == text && (digits[1] < '0' || digits[1] > '9');
}

static int64_t next_multiplier(struct dual *dual, bool at_most)
{
	char *end;
	long long value = strtoll(dual->at, &end, 10);
	dual->good =
		dual->good && is_plain(dual->at) && end != dual->at && value > -INT64_MAX && value < INT64_MAX && !(at_most && value < 0);
	dual->at = end;
	dual->rows++;
	dual->divisor = dual->good ? checked_divisor(value, dual->divisor) : dual->divisor;
	return value;
}

/* Columns: the ways, then of each parting its arrivals and the groups that split off. */
static void add_column(struct dual *dual, int column, int64_t factor, int64_t multiplier)
{
	subtract(dual, &dual->reduced[column], product(dual, multiplier, factor));
}

static int arrivals_column(const struct dual *dual, int parting)
{
	return dual->program->code->way_count + 2 * parting;
}

enum which { ALL, FROM_OUTSIDE, FROM_INSIDE };

static bool comes(const struct dual *dual, enum which which, int loop, int from)
{
	bool inside = which != ALL && program_graph_is_inside(dual->program->code, loop, from);
	return which == ALL || (which == FROM_INSIDE) == inside;
}

/* A warp's arrivals at a block, from where it says: ways, and forks that meet there in place of their ways. */
static void add_arrivals(struct dual *dual, int block, enum which which, int loop, int64_t factor, int64_t multiplier)
{
	const struct code *code = dual->program->code;
	const struct partings *partings = dual->program->partings;
	for (int i = code->first_in[block]; i < code->first_in[block + 1]; i++)
		if (!partings->absorbed[code->in[i]] && comes(dual, which, loop, code->ways[code->in[i]].from))
			add_column(dual, code->in[i], factor, multiplier);
	for (int k = 0; k < partings->count; k++) {
		const struct parting *parting = &partings->items[k];
		if (parting->loop < 0 && parting->counts && parting->meets == block && comes(dual, which, loop, parting->block))
			add_column(dual, arrivals_column(dual, k), factor, multiplier);
	}
}

static void add_right(struct dual *dual, int64_t right, int64_t multiplier)
{
	subtract(dual, &dual->sum, product(dual, multiplier, -right));
}

static void add_departures(struct dual *dual, int block, int64_t factor, int64_t multiplier)
{
	const struct code *code = dual->program->code;
	for (int i = code->first_out[block]; i < code->first_out[block + 1]; i++)
		add_column(dual, code->out[i], factor, multiplier);
}

/* Each side at most once an arrival, all of them at most `groups` times; all but one group split off. */
static void price_fork(struct dual *dual, int number)
{
	const struct code *code = dual->program->code;
	const struct parting *parting = &dual->program->partings->items[number];
	int arrivals = arrivals_column(dual, number);
	for (int i = code->first_out[parting->block]; i < code->first_out[parting->block + 1]; i++) {
		int64_t multiplier = next_multiplier(dual, true);
		add_column(dual, code->out[i], 1, multiplier);
		add_column(dual, arrivals, -1, multiplier);
	}
	int64_t sides = next_multiplier(dual, true), groups = next_multiplier(dual, true);
	add_departures(dual, parting->block, 1, sides);
	add_column(dual, arrivals, -parting->groups, sides);
	add_column(dual, arrivals + 1, 1, groups);
	add_column(dual, arrivals, -(parting->groups - 1), groups);
}

/* A warp goes on or out; a group splits off at most once a turn, and all but one in each time that the loop is entered. */
static void price_exit(struct dual *dual, int number)
{
	const struct parting *parting = &dual->program->partings->items[number];
	int arrivals = arrivals_column(dual, number), header = dual->program->code->program->loops[parting->loop].header;
	int64_t flow = next_multiplier(dual, false), turns = next_multiplier(dual, true), groups = next_multiplier(dual, true);
	add_departures(dual, parting->block, 1, flow);
	add_column(dual, arrivals, -1, flow);
	add_column(dual, arrivals + 1, 1, turns);
	add_column(dual, arrivals, -1, turns);
	add_column(dual, arrivals + 1, 1, groups);
	add_arrivals(dual, header, FROM_OUTSIDE, parting->loop, -(parting->groups - 1), groups);
}

static void price_flow(struct dual *dual)
{
	const struct code *code = dual->program->code;
	int64_t entry = next_multiplier(dual, false);
	add_column(dual, code->way_count - 1, 1, entry);
	add_right(dual, 1, entry);
	for (int block = 0; block < code->program->block_count; block++) {
		int parting = dual->program->partings->at[block];
		int64_t multiplier = next_multiplier(dual, false);
		add_arrivals(dual, block, ALL, 0, 1, multiplier);
		if (parting < 0) {
			add_departures(dual, block, -1, multiplier);
			continue;
		}
		add_column(dual, arrivals_column(dual, parting), -1, multiplier);
		if (dual->program->partings->items[parting].loop < 0)
			price_fork(dual, parting);
		else
			price_exit(dual, parting);
	}
}

static void price_loops(struct dual *dual)
{
	const struct program *program = dual->program->code->program;
	for (int l = 0; l < program->loop_count; l++) {
		int64_t multiplier = next_multiplier(dual, true);
		add_arrivals(dual, program->loops[l].header, FROM_INSIDE, l, 1, multiplier);
		add_arrivals(dual, program->loops[l].header, FROM_OUTSIDE, l, -program->loops[l].bound, multiplier);
	}
}

/* Of loops whose turns depend on the turn of the loop around them, unless a warp may part in a turn of that one and not meet at once. */
static void price_nests(struct dual *dual)
{
	const struct code *code = dual->program->code;
	const struct program *program = code->program;
	for (int l = 0; l < program->loop_count; l++) {
		int outer = 0;
		bool parts = program->loops[l].in_all == 0;
		while (!parts && program->loops[outer].header != program->loops[l].within)
			outer++;
		for (int k = 0; !parts && k < dual->program->partings->count; k++) {
			const struct parting *parting = &dual->program->partings->items[k];
			parts = parting->loop < 0 && program_graph_is_inside(code, outer, parting->block);
		}
		if (parts)
			continue;
		int64_t multiplier = next_multiplier(dual, true);
		add_arrivals(dual, program->loops[l].header, FROM_INSIDE, l, 1, multiplier);
		add_arrivals(dual, program->loops[outer].header, FROM_OUTSIDE, outer, -program->loops[l].in_all, multiplier);
	}
}

static void price_facts(struct dual *dual)
{
	const struct program *program = dual->program->code->program;
	for (int f = 0; f < program->fact_count; f++) {
		const struct program_fact *fact = &program->facts[f];
		int64_t multiplier = next_multiplier(dual, !fact->equal);
		for (int t = 0; t < fact->term_count; t++) {
			if (fact->terms[t].edge != NO_ID)
				add_column(dual, fact->terms[t].edge, fact->terms[t].factor, multiplier);
			else
				add_arrivals(dual, fact->terms[t].block, ALL, 0, fact->terms[t].factor, multiplier);
		}
		add_right(dual, fact->right, multiplier);
	}
}

/* How often a column can be at most: each thread of a warp is in one group. */
static int64_t most_of(const struct dual *dual, int column)
{
	const struct code *code = dual->program->code;
	const struct partings *partings = dual->program->partings;
	int64_t groups = partings->any_fork ? THREADS_A_WARP : 1;
	if (column < code->way_count)
		return checked_mul(groups, program_graph_most(code, &code->ways[column]));
	int rest = column - code->way_count, block = partings->items[rest / 2].block;
	struct way around = {block, block, -1};
	return checked_mul(checked_mul(groups, program_graph_most(code, &around)), rest % 2 == 1 ? THREADS_A_WARP : 1);
}

/* What the columns' limits let the rest add; then down to a whole number. */
static int64_t conclude(struct dual *dual, int columns, int64_t denominator)
{
	for (int i = 0; i < columns; i++)
		if (dual->reduced[i] > 0)
			subtract(dual, &dual->sum, -product(dual, dual->reduced[i], most_of(dual, i)));
	if (!dual->good || denominator <= 0)
		return NONE;
	__int128 value = dual->sum / denominator;
	value -= dual->sum % denominator < 0;
	return value > INT64_MIN && value < INT64_MAX ? (int64_t)value : NONE;
}

static int64_t negated(int64_t value)
{
	return value == NONE ? NONE : -value;
}

/* As if it were a row: arrivals at each block times its weight, and what groups cost that split off. */
static void price_objective(struct dual *dual, int64_t denominator)
{
	const struct dual_program *p = dual->program;
	for (int block = 0; block < p->code->program->block_count; block++)
		add_arrivals(dual, block, ALL, 0, negated(p->weights[block]), denominator);
	for (int k = 0; p->divergence != 0 && k < p->partings->count; k++)
		add_column(dual, arrivals_column(dual, k) + 1, -p->divergence, denominator);
}

int64_t dual_prove(const struct dual_program *program, const struct xml_element *certificate)
{
	struct check *check = program->check;
	int64_t denominator = strtoll(element_get(certificate, "denominator"), NULL, 10);
	int columns = program->code->way_count + 2 * program->partings->count;
	struct dual dual = {
		program, certificate->text, arena_allocate(check->arena, (size_t)columns, sizeof(__int128)), 0, 0, denominator, true};
	price_objective(&dual, denominator);
	price_flow(&dual);
	price_loops(&dual);
	price_nests(&dual);
	if (program->with_facts)
		price_facts(&dual);
	dual.good = dual.good && dual.at[strspn(dual.at, " \n\t")] == '\0';
	check_integer(check, certificate, program->where, "rows", dual.rows);
	check_integer(check, certificate, program->where, "denominator", denominator);
	if (dual.good && dual.divisor != 1)
		check_differs(check, certificate, program->where, "multipliers in lowest terms",
			arena_format(check->arena, "a common divisor of %lld", (long long)dual.divisor));
	return conclude(&dual, columns, denominator);
}
