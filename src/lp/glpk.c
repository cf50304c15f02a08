/* GLPK's simplex method, its errors and statuses. */
#include "lp/glpk.h"

#include "base/late.h"

#include <glpk.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>

#define glp_add_cols LATE(GLPK, glp_add_cols)
#define glp_add_rows LATE(GLPK, glp_add_rows)
#define glp_adv_basis LATE(GLPK, glp_adv_basis)
#define glp_create_prob LATE(GLPK, glp_create_prob)
#define glp_delete_prob LATE(GLPK, glp_delete_prob)
#define glp_error_hook LATE(GLPK, glp_error_hook)
#define glp_free_env LATE(GLPK, glp_free_env)
#define glp_get_col_prim LATE(GLPK, glp_get_col_prim)
#define glp_get_row_dual LATE(GLPK, glp_get_row_dual)
#define glp_get_status LATE(GLPK, glp_get_status)
#define glp_init_smcp LATE(GLPK, glp_init_smcp)
#define glp_scale_prob LATE(GLPK, glp_scale_prob)
#define glp_set_col_bnds LATE(GLPK, glp_set_col_bnds)
#define glp_set_mat_row LATE(GLPK, glp_set_mat_row)
#define glp_set_obj_coef LATE(GLPK, glp_set_obj_coef)
#define glp_set_obj_dir LATE(GLPK, glp_set_obj_dir)
#define glp_set_row_bnds LATE(GLPK, glp_set_row_bnds)
#define glp_simplex LATE(GLPK, glp_simplex)
#define glp_term_hook LATE(GLPK, glp_term_hook)
#define glp_term_out LATE(GLPK, glp_term_out)
#define glp_version LATE(GLPK, glp_version)

/* Numerators stay below this, so that an error of the solver can not overflow what is computed with them. */
#define GREATEST_NUMERATOR 4611686018427387904.0 /* 2^62 */
/* Limits above this are left to the certificate: beside them the solver would lose the digits of everything else. */
#define GREATEST_LIMIT ((int64_t)1 << 30)
#define INTEGRAL 1e-6                         /* as near to an integer is one */
#define FINEST_DENOMINATOR ((int64_t)1 << 30) /* [LP-CERTIFICATE] */

/* `problem` is volatile because it is read after a longjmp. */
struct lp_session {
	const struct lp *lp;
	struct lp_limits limits;
	jmp_buf escape;
	glp_prob *volatile problem; /* NULL: none, or not yet */
	unsigned environment;       /* the one that the problem lives in */
	int rows;                   /* that it has */
	int64_t *factors;           /* of its entries */
	int factor_capacity;
};

/* GLPK's environment is the thread's. It goes with the last session, or with an abort, which takes the problems of all others along. */
static _Thread_local int open_sessions;
static _Thread_local unsigned environment;

static void leave_environment(void)
{
	glp_error_hook(NULL, NULL);
	glp_free_env();
	environment++;
}

/* GLPK wants to abort: leave it. The environment that it leaves behind is of no more use and goes. */
static void on_error(void *info)
{
	struct lp_session *session = info;
	longjmp(session->escape, 1);
}

/* It prints what it aborts for even where its output is turned off. */
static int swallow(void *info, const char *text)
{
	(void)info;
	(void)text;
	return 1;
}

/* ---- the program, in GLPK's words */

static void set_columns(glp_prob *problem, const struct lp *lp)
{
	for (int j = 0; j < lp->column_count; j++) {
		const struct lp_column *column = &lp->columns[j];
		int kind = column->upper > GREATEST_LIMIT ? GLP_LO : column->upper == 0 ? GLP_FX : GLP_DB;
		glp_set_col_bnds(problem, j + 1, kind, 0, (double)column->upper);
		glp_set_obj_coef(problem, j + 1, (double)column->cost);
	}
}

static void set_right_sides(glp_prob *problem, const struct lp *lp)
{
	for (int i = 0; i < lp->row_count; i++) {
		const struct lp_row *row = &lp->rows[i];
		glp_set_row_bnds(problem, i + 1, row->relation == LP_EQUAL ? GLP_FX : GLP_UP, (double)row->right, (double)row->right);
	}
}

static bool is_known(const struct lp_session *session, int row)
{
	const struct lp_row *of = &session->lp->rows[row];
	for (int k = of->first; k < of->first + of->count && row < session->rows; k++)
		if (session->factors[k] != session->lp->entries[k].factor)
			return false;
	return row < session->rows;
}

/* Those that are new or changed. */
static void set_rows(struct lp_session *session)
{
	const struct lp *lp = session->lp;
	int *columns = arena_allocate(lp->arena, (size_t)lp->column_count + 1, sizeof *columns);
	double *factors = arena_allocate(lp->arena, (size_t)lp->column_count + 1, sizeof *factors);
	session->factors = arena_grow(lp->arena, session->factors, &session->factor_capacity, lp->entry_count, sizeof *session->factors);
	if (lp->row_count > session->rows)
		glp_add_rows(session->problem, lp->row_count - session->rows);
	for (int i = 0; i < lp->row_count; i++) {
		const struct lp_row *row = &lp->rows[i];
		if (is_known(session, i))
			continue;
		for (int k = 0; k < row->count; k++) {
			const struct lp_entry *entry = &lp->entries[row->first + k];
			columns[k + 1] = entry->column + 1;
			factors[k + 1] = (double)entry->factor;
			session->factors[row->first + k] = entry->factor;
		}
		glp_set_mat_row(session->problem, i + 1, row->count, columns, factors);
	}
	session->rows = lp->row_count;
}

/* The problem as the program is now; false: it is a new one, without a basis. */
static bool hand_over(struct lp_session *session)
{
	bool kept = session->problem != NULL && session->environment == environment;
	if (!kept) {
		session->problem = glp_create_prob();
		session->environment = environment;
		session->rows = 0;
		glp_set_obj_dir(session->problem, GLP_MAX);
		if (session->lp->column_count > 0)
			glp_add_cols(session->problem, session->lp->column_count);
	}
	set_columns(session->problem, session->lp);
	set_rows(session);
	set_right_sides(session->problem, session->lp);
	return kept;
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
	double farthest = INTEGRAL;
	for (int j = 0; j < lp->column_count; j++) {
		double value = glp_get_col_prim(problem, j + 1);
		proposal->counts[j] = integer(value);
		if (fabs(value - (double)proposal->counts[j]) <= farthest || proposal->status != LP_SOLVED)
			continue;
		farthest = fabs(value - (double)proposal->counts[j]);
		proposal->fractional = j;
		proposal->below = integer(floor(value));
	}
}

static enum lp_status solve_anew(struct lp_session *session)
{
	glp_adv_basis(session->problem, 0);
	return status_of(session->problem, run_simplex(session->problem, &session->limits));
}

/* From the basis of the last proposal where there is one; if nothing comes of that, from a new one; then with rows and columns scaled. */
static enum lp_status solve(struct lp_session *session)
{
	glp_term_out(GLP_OFF);
	glp_term_hook(swallow, NULL);
	glp_error_hook(on_error, session);
	enum lp_status status = LP_FAILED;
	if (hand_over(session))
		status = status_of(session->problem, run_simplex(session->problem, &session->limits));
	if (status == LP_FAILED)
		status = solve_anew(session);
	if (status == LP_FAILED) {
		glp_scale_prob(session->problem, GLP_SF_AUTO);
		status = solve_anew(session);
	}
	return status;
}

struct lp_proposal lp_session_propose(struct lp_session *session)
{
	const struct lp *lp = session->lp;
	struct lp_proposal proposal = {
		.status = LP_FAILED,
		.dual = {arena_allocate(lp->arena, (size_t)lp->row_count, sizeof(int64_t)), FINEST_DENOMINATOR},
		.counts = arena_allocate(lp->arena, (size_t)lp->column_count, sizeof(int64_t)),
		.fractional = -1,
	};
	if (setjmp(session->escape) != 0) {
		leave_environment();
		session->problem = NULL;
		return (struct lp_proposal){LP_FAILED, {proposal.dual.numerators, FINEST_DENOMINATOR}, proposal.counts, -1, 0};
	}
	proposal.status = solve(session);
	if (proposal.status != LP_FAILED)
		read_answer(session->problem, lp, &proposal);
	glp_error_hook(NULL, NULL);
	return proposal;
}

struct lp_session *lp_session_open(const struct lp *lp, const struct lp_limits *limits)
{
	struct lp_session *session = arena_allocate(lp->arena, 1, sizeof *session);
	session->lp = lp;
	session->limits = *limits;
	open_sessions++;
	return session;
}

void lp_session_close(struct lp_session *session)
{
	if (session->problem != NULL && session->environment == environment)
		glp_delete_prob(session->problem);
	session->problem = NULL;
	if (--open_sessions == 0)
		leave_environment();
}

const struct lp *lp_session_program(const struct lp_session *session)
{
	return session->lp;
}

struct lp_proposal lp_propose(const struct lp *lp, const struct lp_limits *limits)
{
	struct lp_session *session = lp_session_open(lp, limits);
	struct lp_proposal proposal = lp_session_propose(session);
	lp_session_close(session);
	return proposal;
}

const char *lp_solver_version(void)
{
	return glp_version();
}
