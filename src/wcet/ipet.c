/* The linear program of a flow. Columns: the edges with their numbers; then for each fork its arrivals and its divergences. */
#include "wcet/ipet.h"

#include "base/assert.h"
#include "lp/certificate.h"
#include "wcet/closed_form.h"

struct builder {
	const struct flow *flow;
	const struct loops *loops;
	const struct divergence *divergence;
	const struct ipet_weights *weights;
	struct lp *lp;
	int64_t *factor; /* of each column in the row that is being written; 0 between rows */
	bool *listed;    /* is it among the touched ones? */
	int *touched;
	int touched_count;
};

static int arrivals_column(const struct builder *builder, int fork)
{
	return builder->flow->edge_count + 2 * fork;
}

static int divergences_column(const struct builder *builder, int fork)
{
	return arrivals_column(builder, fork) + 1;
}

/* ---- rows, collected so that each column stands once */

static void add(struct builder *builder, int column, int64_t factor)
{
	if (!builder->listed[column])
		builder->touched[builder->touched_count++] = column;
	builder->listed[column] = true;
	builder->factor[column] = checked_add(builder->factor[column], factor);
}

static void clear(struct builder *builder)
{
	for (int i = 0; i < builder->touched_count; i++) {
		builder->factor[builder->touched[i]] = 0;
		builder->listed[builder->touched[i]] = false;
	}
	builder->touched_count = 0;
}

static void end_row(struct builder *builder, enum lp_relation relation, int64_t right)
{
	lp_row(builder->lp, relation, right);
	for (int i = 0; i < builder->touched_count; i++)
		if (builder->factor[builder->touched[i]] != 0)
			lp_entry(builder->lp, builder->touched[i], builder->factor[builder->touched[i]]);
	clear(builder);
}

/* ---- counts as sums of columns */

typedef bool (*edge_filter)(const struct builder *builder, int loop, int edge);

static bool any(const struct builder *builder, int loop, int edge)
{
	(void)builder;
	(void)loop;
	(void)edge;
	return true;
}

static bool enters(const struct builder *builder, int loop, int edge)
{
	return loops_enters(builder->loops, builder->flow, loop, edge);
}

static bool returns(const struct builder *builder, int loop, int edge)
{
	return builder->loops->cut_by[edge] == loop;
}

/* Forks that rejoin at a node count as an edge from the fork to it. */
static bool rejoins(const struct builder *builder, edge_filter filter, int loop, int fork, int node)
{
	const struct fork *found = &builder->divergence->forks[fork];
	if (found->loop != NO_ID || found->meets != node || !builder->divergence->outermost[fork])
		return false;
	bool inside = loop != NO_ID && loops_contain(builder->loops, loop, found->block);
	return filter == any || (filter == enters) == !inside;
}

/* The warp's arrivals at a node, by edges that pass the filter, times `factor`. */
static void add_arrivals(struct builder *builder, int node, edge_filter filter, int loop, int64_t factor)
{
	const struct flow *flow = builder->flow;
	bool absorbs = false;
	for (int i = flow->first_in[node]; i < flow->first_in[node + 1]; i++) {
		int edge = flow->in[i];
		absorbs |= builder->divergence->absorbed[edge];
		if (!builder->divergence->absorbed[edge] && filter(builder, loop, edge))
			add(builder, edge, factor);
	}
	for (int fork = 0; absorbs && fork < builder->divergence->fork_count; fork++)
		if (rejoins(builder, filter, loop, fork, node))
			add(builder, arrivals_column(builder, fork), factor);
}

static void add_entries(struct builder *builder, int loop, int64_t factor)
{
	const struct loop *found = &builder->loops->items[loop];
	if (found->natural) {
		add_arrivals(builder, found->header, enters, loop, factor);
		return;
	}
	for (int block = 0; block < builder->flow->block_count; block++)
		if (loops_contain(builder->loops, loop, block))
			add_arrivals(builder, block, enters, loop, factor);
}

static void add_departures(struct builder *builder, int block, int64_t factor)
{
	const struct flow *flow = builder->flow;
	for (int i = flow->first_out[block]; i < flow->first_out[block + 1]; i++)
		add(builder, flow->out[i], factor);
}

/* ---- the columns */

/* Beyond `passes` control is at no place of the loop; each of a warp's threads is in one group. */
static int64_t limit(const struct builder *builder, int loop)
{
	int64_t passes = loop == NO_ID ? 1 : builder->loops->items[loop].passes;
	return checked_mul(passes, builder->divergence->any_fork ? THREADS_A_WARP : 1);
}

static void add_columns(struct builder *builder)
{
	const struct flow *flow = builder->flow;
	for (int edge = 0; edge < flow->edge_count; edge++)
		lp_column(builder->lp, 0, limit(builder, loops_around(builder->loops, flow, edge)));
	for (int i = 0; i < builder->divergence->fork_count; i++) {
		int64_t most = limit(builder, builder->loops->of_block[builder->divergence->forks[i].block]);
		lp_column(builder->lp, 0, most);
		lp_column(builder->lp, 0, checked_mul(most, THREADS_A_WARP));
	}
}

/* ---- the rows */

static void conserve_fork(struct builder *builder, int number)
{
	const struct fork *fork = &builder->divergence->forks[number];
	const struct flow *flow = builder->flow;
	int arrivals = arrivals_column(builder, number);
	for (int i = flow->first_out[fork->block]; i < flow->first_out[fork->block + 1]; i++) {
		add(builder, flow->out[i], 1);
		add(builder, arrivals, -1);
		end_row(builder, LP_AT_MOST, 0);
	}
	add_departures(builder, fork->block, 1);
	add(builder, arrivals, -fork->groups);
	end_row(builder, LP_AT_MOST, 0);
	add(builder, divergences_column(builder, number), 1);
	add(builder, arrivals, -(fork->groups - 1));
	end_row(builder, LP_AT_MOST, 0);
}

static void conserve_loop_exit(struct builder *builder, int number)
{
	const struct fork *fork = &builder->divergence->forks[number];
	add_departures(builder, fork->block, 1);
	add(builder, arrivals_column(builder, number), -1);
	end_row(builder, LP_EQUAL, 0);
	add(builder, divergences_column(builder, number), 1);
	add(builder, arrivals_column(builder, number), -1);
	end_row(builder, LP_AT_MOST, 0);
	add(builder, divergences_column(builder, number), 1);
	add_entries(builder, fork->loop, -(fork->groups - 1));
	end_row(builder, LP_AT_MOST, 0);
}

static void conserve(struct builder *builder, int block)
{
	int fork = builder->divergence->fork_at[block];
	add_arrivals(builder, block, any, NO_ID, 1);
	if (fork == NO_ID)
		add_departures(builder, block, -1);
	else
		add(builder, arrivals_column(builder, fork), -1);
	end_row(builder, LP_EQUAL, 0);
	if (fork != NO_ID && builder->divergence->forks[fork].loop == NO_ID)
		conserve_fork(builder, fork);
	else if (fork != NO_ID)
		conserve_loop_exit(builder, fork);
}

static void bound_loop(struct builder *builder, int loop)
{
	add_arrivals(builder, builder->loops->items[loop].header, returns, loop, 1);
	add_entries(builder, loop, -builder->loops->items[loop].bound);
	end_row(builder, LP_AT_MOST, 0);
}

/* Does a fork in the loop part groups that may come to one place of it in the same turn? */
static bool forks_inside(const struct builder *builder, int loop)
{
	bool any_fork = false;
	for (int i = 0; i < builder->divergence->fork_count; i++) {
		const struct fork *fork = &builder->divergence->forks[i];
		any_fork |= fork->loop == NO_ID && loops_contain(builder->loops, loop, fork->block);
	}
	return any_fork;
}

static void bound_nested(struct builder *builder, int header)
{
	int loop = 0;
	while (loop < builder->loops->count && builder->loops->items[loop].header != header)
		loop++;
	const struct loop *found = &builder->loops->items[loop];
	if (loop == builder->loops->count || found->in_all == 0 || forks_inside(builder, found->parent))
		return;
	add_arrivals(builder, header, returns, loop, 1);
	add_entries(builder, found->parent, -found->in_all);
	end_row(builder, LP_AT_MOST, 0);
}

static void add_fact(struct builder *builder, const struct program_fact *fact)
{
	for (int i = 0; i < fact->term_count; i++) {
		const struct program_term *term = &fact->terms[i];
		if (term->edge != NO_ID)
			add(builder, term->edge, term->factor);
		else
			add_arrivals(builder, term->block, any, NO_ID, term->factor);
	}
	end_row(builder, fact->equal ? LP_EQUAL : LP_AT_MOST, fact->right);
}

/* The number of the first loop's row. */
static int add_rows(struct builder *builder, bool with_facts)
{
	const struct program *program = builder->flow->program;
	add(builder, flow_entry(builder->flow), 1);
	end_row(builder, LP_EQUAL, 1);
	for (int block = 0; block < builder->flow->block_count; block++)
		conserve(builder, block);
	int first = builder->lp->row_count;
	for (int loop = 0; loop < builder->loops->count; loop++)
		bound_loop(builder, loop);
	for (int i = 0; i < program->loop_count; i++)
		bound_nested(builder, program->loops[i].header);
	for (int i = 0; with_facts && i < program->fact_count; i++)
		add_fact(builder, &program->facts[i]);
	return first;
}

/* ---- the objective: written as a row, then moved to the columns */

/* The instruction that a divergent loop exit needs stands before one of the loops that it leaves. */
static void add_splits(struct builder *builder, const struct fork *fork)
{
	const struct loops *loops = builder->loops;
	for (int loop = fork->loop; loop != NO_ID; loop = loops->items[loop].parent)
		if (fork->meets == builder->flow->block_count || !loops_contain(loops, loop, fork->meets))
			add_entries(builder, loop, builder->weights->split);
}

static void add_objective(struct builder *builder)
{
	const struct ipet_weights *weights = builder->weights;
	for (int block = 0; block < builder->flow->block_count; block++)
		if (weights->block[block] != 0)
			add_arrivals(builder, block, any, NO_ID, weights->block[block]);
	for (int i = 0; i < builder->divergence->fork_count; i++) {
		add(builder, divergences_column(builder, i), weights->divergence);
		if (builder->divergence->forks[i].loop == NO_ID)
			add(builder, arrivals_column(builder, i), weights->split);
		else
			add_splits(builder, &builder->divergence->forks[i]);
	}
	for (int column = 0; column < builder->lp->column_count; column++)
		builder->lp->columns[column].cost = builder->factor[column];
	clear(builder);
}

static const int64_t *block_counts(struct builder *builder, const int64_t *counts)
{
	const struct flow *flow = builder->flow;
	int64_t *blocks = arena_allocate(flow->arena, (size_t)flow->block_count, sizeof *blocks);
	for (int block = 0; block < flow->block_count; block++) {
		add_arrivals(builder, block, any, NO_ID, 1);
		for (int i = 0; i < builder->touched_count; i++) {
			int column = builder->touched[i];
			blocks[block] = checked_add(blocks[block], checked_mul(builder->factor[column], counts[column]));
		}
		clear(builder);
	}
	return blocks;
}

static bool in_range(const struct lp *lp)
{
	bool good = true;
	for (int j = 0; j < lp->column_count; j++)
		good &= lp->columns[j].cost != NONE && lp->columns[j].upper != NONE;
	for (int k = 0; k < lp->entry_count; k++)
		good &= lp->entries[k].factor != NONE;
	return good;
}

/* ---- in closed form, where no warp splits: [CLOSED-FORM] */

/* A row for the entry, one for each block, one for each loop, then those of [NESTED-TURNS] and the facts', which count nothing. */
static struct lp_dual closed_multipliers(const struct builder *builder, const struct closed_form *closed)
{
	int blocks = builder->flow->block_count;
	struct lp_dual dual = {arena_allocate(builder->flow->arena, (size_t)builder->lp->row_count, sizeof(int64_t)), 1};
	dual.numerators[0] = closed->value;
	for (int block = 0; block < blocks; block++)
		dual.numerators[1 + block] = closed->spent[block] - closed->value;
	for (int loop = 0; loop < builder->loops->count; loop++)
		dual.numerators[1 + blocks + loop] = checked_max(closed->turn[loop], 0);
	return dual;
}

static void use_closed_form(const struct builder *builder, struct ipet_result *result)
{
	struct closed_form closed = {.value = NONE};
	if (builder->divergence->fork_count == 0)
		closed = closed_form(builder->flow, builder->loops, builder->weights->block);
	result->closed = closed.value;
	if (closed.value >= result->value)
		return;
	result->dual = closed_multipliers(builder, &closed);
	result->value = lp_certify(&result->lp, &result->dual);
}

struct ipet_result ipet_solve(const struct flow *flow, const struct loops *loops, const struct divergence *divergence,
	const struct ipet_weights *weights, bool with_facts, const struct lp_limits *limits)
{
	struct ipet_result result = {.value = NONE, .closed = NONE, .status = LP_FAILED};
	lp_init(&result.lp, flow->arena);
	size_t columns = (size_t)(flow->edge_count + 2 * divergence->fork_count);
	struct builder builder = {flow, loops, divergence, weights, &result.lp, arena_allocate(flow->arena, columns, sizeof(int64_t)),
		arena_allocate(flow->arena, columns, sizeof(bool)), arena_allocate(flow->arena, columns, sizeof(int)), 0};
	add_columns(&builder);
	assert((size_t)result.lp.column_count == columns);
	result.first_loop = add_rows(&builder, with_facts);
	add_objective(&builder);
	if (!in_range(&result.lp))
		return result;
	struct lp_result answer = lp_bound(&result.lp, limits);
	result.value = answer.value;
	result.dual = answer.dual;
	result.status = answer.status;
	use_closed_form(&builder, &result);
	if (answer.counts != NULL) {
		result.edge_counts = answer.counts;
		result.block_counts = block_counts(&builder, answer.counts);
	}
	return result;
}
