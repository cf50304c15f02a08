/* GLPK's simplex method, its errors and statuses. */
#include "lp/glpk.h"

#include <glpk.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>

/* Numerators stay below this, so that an error of the solver can not overflow what is computed with them. */
#define GREATEST_NUMERATOR 4611686018427387904.0 /* 2^62 */
/* Limits above this are left to the certificate: beside them the solver would lose the digits of everything else. */
#define GREATEST_LIMIT ((int64_t)1 << 30)
#define FINEST_DENOMINATOR ((int64_t)1 << 30) /* theory.md 13.3 */

/* One call of GLPK. `problem` is volatile because it is read after a longjmp. */
struct call {
	jmp_buf escape;
	glp_prob *volatile problem;
};

/* GLPK wants to abort: leave it. The environment that it leaves behind is of no more use and goes. */
static void on_error(void *info)
{
	struct call *call = info;
	longjmp(call->escape, 1);
}

/* It prints what it aborts for even where its output is turned off. */
static int swallow(void *info, const char *text)
{
	(void)info;
	(void)text;
	return 1;
}

/* ---- the program, in GLPK's words */

static void add_columns(glp_prob *problem, const struct lp *lp)
{
	if (lp->column_count > 0)
		glp_add_cols(problem, lp->column_count);
	for (int j = 0; j < lp->column_count; j++) {
		const struct lp_column *column = &lp->columns[j];
		int kind = column->upper > GREATEST_LIMIT ? GLP_LO : column->upper == 0 ? GLP_FX : GLP_DB;
		glp_set_col_bnds(problem, j + 1, kind, 0, (double)column->upper);
		glp_set_obj_coef(problem, j + 1, (double)column->cost);
	}
}

static void add_rows(glp_prob *problem, const struct lp *lp)
{
	int *columns = arena_allocate(lp->arena, (size_t)lp->column_count + 1, sizeof *columns);
	double *factors = arena_allocate(lp->arena, (size_t)lp->column_count + 1, sizeof *factors);
	if (lp->row_count > 0)
		glp_add_rows(problem, lp->row_count);
	for (int i = 0; i < lp->row_count; i++) {
		const struct lp_row *row = &lp->rows[i];
		glp_set_row_bnds(problem, i + 1, row->relation == LP_EQUAL ? GLP_FX : GLP_UP, (double)row->right, (double)row->right);
		for (int k = 0; k < row->count; k++) {
			columns[k + 1] = lp->entries[row->first + k].column + 1;
			factors[k + 1] = (double)lp->entries[row->first + k].factor;
		}
		glp_set_mat_row(problem, i + 1, row->count, columns, factors);
	}
}

static int run_simplex(glp_prob *problem, const struct lp_limits *limits)
{
	glp_smcp options;
	glp_init_smcp(&options);
	options.msg_lev = GLP_MSG_OFF;
	options.meth = GLP_DUALP;
	if (limits->milliseconds > 0)
		options.tm_lim = limits->milliseconds;
	if (limits->iterations > 0)
		options.it_lim = limits->iterations;
	glp_adv_basis(problem, 0);
	return glp_simplex(problem, &options);
}

/* ---- its answer, in ours */

static enum lp_status status_of(glp_prob *problem, int code)
{
	if (code == GLP_ETMLIM || code == GLP_EITLIM)
		return LP_LIMIT;
	if (code != 0)
		return LP_FAILED;
	switch (glp_get_status(problem)) {
	case GLP_OPT: return LP_SOLVED;
	case GLP_NOFEAS: return LP_INFEASIBLE;
	case GLP_FEAS:
	case GLP_INFEAS: return LP_LIMIT;
	default: return LP_FAILED; /* GLP_UNBND, GLP_UNDEF */
	}
}

/* The nearest integer; 0 for what is none. */
static int64_t integer(double value)
{
	return isfinite(value) && fabs(value) < GREATEST_NUMERATOR ? (int64_t)nearbyint(value) : 0;
}

static void read_answer(glp_prob *problem, const struct lp *lp, struct lp_proposal *proposal)
{
	double greatest = 0;
	for (int i = 0; i < lp->row_count; i++)
		greatest = fmax(greatest, fabs(glp_get_row_dual(problem, i + 1)));
	while (proposal->dual.denominator > 1 && greatest * (double)proposal->dual.denominator >= GREATEST_NUMERATOR)
		proposal->dual.denominator /= 2;
	for (int i = 0; i < lp->row_count; i++)
		proposal->dual.numerators[i] = integer(glp_get_row_dual(problem, i + 1) * (double)proposal->dual.denominator);
	for (int j = 0; j < lp->column_count; j++)
		proposal->counts[j] = integer(glp_get_col_prim(problem, j + 1));
}

static void solve(struct call *call, const struct lp *lp, const struct lp_limits *limits, struct lp_proposal *proposal)
{
	glp_term_out(GLP_OFF);
	glp_term_hook(swallow, NULL);
	glp_error_hook(on_error, call);
	glp_prob *problem = call->problem = glp_create_prob();
	glp_set_obj_dir(problem, GLP_MAX);
	add_columns(problem, lp);
	add_rows(problem, lp);
	enum lp_status status = status_of(problem, run_simplex(problem, limits));
	if (status != LP_FAILED)
		read_answer(problem, lp, proposal);
	proposal->status = status;
	glp_delete_prob(problem);
}

struct lp_proposal lp_propose(const struct lp *lp, const struct lp_limits *limits)
{
	struct call call = {.problem = NULL};
	struct lp_proposal proposal = {
		.status = LP_FAILED,
		.dual = {arena_allocate(lp->arena, (size_t)lp->row_count, sizeof(int64_t)), FINEST_DENOMINATOR},
		.counts = arena_allocate(lp->arena, (size_t)lp->column_count, sizeof(int64_t)),
	};
	if (setjmp(call.escape) == 0)
		solve(&call, lp, limits, &proposal);
	else
		proposal.status = LP_FAILED;
	glp_error_hook(NULL, NULL);
	glp_free_env();
	return proposal;
}

const char *lp_solver_version(void)
{
	return glp_version();
}
