/* Linear programs, built row by row, and the bound that is the best of what can be certified. */
#include "lp/lp.h"

#include "base/assert.h"
#include "lp/certificate.h"
#include "lp/glpk.h"

#include <stdbool.h>

void lp_init(struct lp *lp, struct arena *arena)
{
	*lp = (struct lp){.arena = arena};
}

int lp_column(struct lp *lp, int64_t cost, int64_t upper)
{
	assert(upper >= 0 && cost != NONE);
	lp->columns = arena_grow(lp->arena, lp->columns, &lp->column_capacity, lp->column_count + 1, sizeof *lp->columns);
	lp->columns[lp->column_count] = (struct lp_column){cost, upper};
	return lp->column_count++;
}

int lp_row(struct lp *lp, enum lp_relation relation, int64_t right)
{
	lp->rows = arena_grow(lp->arena, lp->rows, &lp->row_capacity, lp->row_count + 1, sizeof *lp->rows);
	lp->rows[lp->row_count] = (struct lp_row){relation, right, lp->entry_count, 0};
	return lp->row_count++;
}

void lp_entry(struct lp *lp, int column, int64_t factor)
{
	assert(lp->row_count > 0 && column >= 0 && column < lp->column_count);
	lp->entries = arena_grow(lp->arena, lp->entries, &lp->entry_capacity, lp->entry_count + 1, sizeof *lp->entries);
	lp->entries[lp->entry_count++] = (struct lp_entry){column, factor};
	lp->rows[lp->row_count - 1].count++;
}

/* ---- the bound */

static void offer(const struct lp *lp, struct lp_result *result, struct lp_dual dual)
{
	int64_t value = lp_certify(lp, &dual);
	if (value < result->value || result->dual.numerators == NULL) {
		result->value = value;
		result->dual = dual;
	}
}

/* The multipliers of network-like programs are integers, but for the solver's last digits. */
static struct lp_dual round_to_integers(const struct lp *lp, const struct lp_dual *dual)
{
	struct lp_dual rounded = {arena_allocate(lp->arena, (size_t)lp->row_count, sizeof(int64_t)), 1};
	for (int i = 0; i < lp->row_count; i++) {
		int64_t half = dual->denominator / 2;
		rounded.numerators[i] = checked_div_floor(checked_add(dual->numerators[i], half), dual->denominator);
	}
	return rounded;
}

/* In lowest terms, so that there is one way to write them down. */
static struct lp_dual reduce(const struct lp *lp, const struct lp_dual *dual)
{
	struct lp_dual reduced = {arena_allocate(lp->arena, (size_t)lp->row_count + 1, sizeof(int64_t)), 1};
	int64_t divisor = dual->denominator;
	for (int i = 0; i < lp->row_count; i++)
		divisor = checked_divisor(divisor, dual->numerators[i]);
	for (int i = 0; i < lp->row_count; i++)
		reduced.numerators[i] = dual->numerators[i] / divisor;
	reduced.denominator = dual->denominator / divisor;
	return reduced;
}

static struct lp_dual zero(const struct lp *lp)
{
	return (struct lp_dual){arena_allocate(lp->arena, (size_t)lp->row_count, sizeof(int64_t)), 1};
}

/* A point that reaches the bound shows that no multipliers prove a lesser one. */
static bool is_best(const struct lp *lp, const struct lp_proposal *proposal, int64_t value)
{
	return proposal->status == LP_SOLVED && lp_reaches(lp, proposal->counts, value);
}

static struct lp_result bound_by(const struct lp *lp, struct lp_proposal *proposal)
{
	struct lp_result result = {.value = NONE, .status = proposal->status, .proposal = *proposal};
	lp_clip(lp, &proposal->dual);
	offer(lp, &result, round_to_integers(lp, &proposal->dual));
	if (!is_best(lp, proposal, result.value))
		offer(lp, &result, proposal->dual);
	if (!is_best(lp, proposal, result.value))
		offer(lp, &result, zero(lp));
	else
		result.counts = proposal->counts;
	result.dual = reduce(lp, &result.dual);
	return result;
}

struct lp_result lp_bound(const struct lp *lp, const struct lp_limits *limits)
{
	struct lp_proposal proposal = lp_propose(lp, limits);
	return bound_by(lp, &proposal);
}

struct lp_result lp_session_bound(struct lp_session *session)
{
	struct lp_proposal proposal = lp_session_propose(session);
	return bound_by(lp_session_program(session), &proposal);
}
