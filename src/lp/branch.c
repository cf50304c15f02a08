#include "lp/branch.h"

#include "lp/certificate.h"
#include "lp/glpk.h"

#include <string.h>

struct tree {
	struct lp lp; /* the program, with a row for each column's lower limit */
	struct lp_session *session;
	int64_t *lower;
	int first_lower; /* row of column 0 */
	int most_nodes;
	struct lp_integer *result;
	int64_t open; /* greatest bound of what was left open */
};

/* ---- a copy with rows -x <= -lower, whose right sides move */

static void copy_program(struct tree *tree, const struct lp *lp)
{
	lp_init(&tree->lp, lp->arena);
	for (int j = 0; j < lp->column_count; j++)
		lp_column(&tree->lp, lp->columns[j].cost, lp->columns[j].upper);
	for (int i = 0; i < lp->row_count; i++) {
		lp_row(&tree->lp, lp->rows[i].relation, lp->rows[i].right);
		for (int k = lp->rows[i].first; k < lp->rows[i].first + lp->rows[i].count; k++)
			lp_entry(&tree->lp, lp->entries[k].column, lp->entries[k].factor);
	}
	tree->first_lower = lp->row_count;
	for (int j = 0; j < lp->column_count; j++) {
		lp_row(&tree->lp, LP_AT_MOST, 0);
		lp_entry(&tree->lp, j, -1);
	}
	tree->lower = arena_allocate(lp->arena, (size_t)lp->column_count + 1, sizeof *tree->lower);
}

static void set_lower(struct tree *tree, int column, int64_t lower)
{
	tree->lower[column] = lower;
	tree->lp.rows[tree->first_lower + column].right = -lower;
}

/* ---- nodes */

/* Can no point within the limits satisfy this row? Overflow: who knows. */
static bool row_fails(const struct tree *tree, const struct lp_row *row)
{
	int64_t least = 0, most = 0;
	for (int k = row->first; k < row->first + row->count; k++) {
		const struct lp_entry *entry = &tree->lp.entries[k];
		int64_t at_lower = checked_mul(entry->factor, tree->lower[entry->column]);
		int64_t at_upper = checked_mul(entry->factor, tree->lp.columns[entry->column].upper);
		if (at_lower == NONE || at_upper == NONE)
			return false;
		least = checked_add(least, checked_min(at_lower, at_upper));
		most = checked_add(most, checked_max(at_lower, at_upper));
	}
	if (least == NONE || most == NONE)
		return false;
	return least > row->right || (row->relation == LP_EQUAL && most < row->right);
}

static bool is_empty(const struct tree *tree)
{
	bool empty = false;
	for (int i = 0; i < tree->lp.row_count && !empty; i++)
		empty = row_fails(tree, &tree->lp.rows[i]);
	for (int j = 0; j < tree->lp.column_count && !empty; j++)
		empty = tree->lower[j] > tree->lp.columns[j].upper;
	return empty;
}

static void keep_point(struct tree *tree, const int64_t *counts)
{
	int64_t objective = 0;
	for (int j = 0; j < tree->lp.column_count; j++)
		objective = checked_add(objective, checked_mul(tree->lp.columns[j].cost, counts[j]));
	if (objective <= tree->result->best || !lp_reaches(&tree->lp, counts, objective))
		return;
	tree->result->best = objective;
	memcpy(tree->result->point, counts, sizeof *counts * (size_t)tree->lp.column_count);
}

static void leave_open(struct tree *tree, int64_t bound)
{
	tree->open = checked_max(tree->open, bound);
}

static void visit(struct tree *tree);

static void divide(struct tree *tree, int column, int64_t below)
{
	int64_t upper = tree->lp.columns[column].upper, lower = tree->lower[column];
	set_lower(tree, column, below + 1);
	visit(tree);
	set_lower(tree, column, lower);
	tree->lp.columns[column].upper = below;
	visit(tree);
	tree->lp.columns[column].upper = upper;
}

static bool divides(const struct tree *tree, int column, int64_t below)
{
	return column >= 0 && below >= tree->lower[column] && below < tree->lp.columns[column].upper;
}

/* The solver's fractional column; where it has none, as it found no point or one that does not hold, the first that is not fixed, in the
 * middle. -1: all are. */
static int choose(const struct tree *tree, const struct lp_proposal *proposal, int64_t *below)
{
	int column = proposal->fractional;
	if (divides(tree, column, *below))
		return column;
	for (column = 0; column < tree->lp.column_count; column++) {
		int64_t span = checked_sub(tree->lp.columns[column].upper, tree->lower[column]);
		*below = tree->lower[column] + span / 2;
		if (span != NONE && span > 0)
			return column;
	}
	return -1;
}

static void visit(struct tree *tree)
{
	if (is_empty(tree))
		return;
	struct lp_result bound = lp_session_bound(tree->session);
	int64_t below = bound.proposal.below;
	int column = choose(tree, &bound.proposal, &below);
	if (tree->result->nodes++ == 0)
		tree->result->root = bound.value;
	keep_point(tree, bound.proposal.counts);
	if (bound.value <= tree->result->best)
		return;
	if (column < 0 || tree->result->nodes >= tree->most_nodes)
		leave_open(tree, bound.value);
	else
		divide(tree, column, below);
}

struct lp_integer lp_branch(const struct lp *lp, const struct lp_limits *limits, int most_nodes)
{
	struct lp_integer result = {.best = -1, .point = arena_allocate(lp->arena, (size_t)lp->column_count + 1, sizeof(int64_t))};
	struct tree tree = {.most_nodes = most_nodes, .result = &result, .open = -1};
	copy_program(&tree, lp);
	tree.session = lp_session_open(&tree.lp, limits);
	visit(&tree);
	lp_session_close(tree.session);
	result.value = checked_max(result.best, tree.open);
	return result;
}
