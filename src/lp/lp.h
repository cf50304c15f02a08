/* Linear programs in integers, and bounds on them that no solver has to be believed for.
 *
 * Requires: a program: maximise the sum of cost * x over columns 0 <= x <= upper, under rows whose sum is at most, or equals, a right
 *           side; all numbers are int64. Integer x is what the callers count, so the bound is rounded down.
 * Provides: lp_bound: an upper bound on the maximum with the multipliers that prove it: for any y (>= 0 on rows "at most")
 *           max <= b'y + sum of max(0, c - A'y) * upper, evaluated in GMP's integers (certificate.h). The solver only proposes y; what
 *           it returns, a time limit or garbage included, changes how tight the bound is and never whether it is one.
 * Source:   [LP-CERTIFICATE] (Neumaier and Shcherbina, Safe bounds in linear and mixed-integer linear programming), [BRANCH].
 * Fails:    the value is NONE where a column without upper limit keeps a positive reduced cost, or where the bound exceeds 64 bits.
 */
#ifndef LP_LP_H
#define LP_LP_H

#include "base/checked.h"
#include "base/memory.h"

enum lp_relation { LP_AT_MOST, LP_EQUAL };

struct lp_column {
	int64_t cost, upper; /* upper: >= 0; NONE: no limit */
};

struct lp_row {
	enum lp_relation relation;
	int64_t right;
	int first, count; /* its entries */
};

struct lp_entry {
	int column;
	int64_t factor;
};

struct lp {
	struct arena *arena;
	struct lp_column *columns;
	struct lp_row *rows;
	struct lp_entry *entries;
	int column_count, column_capacity, row_count, row_capacity, entry_count, entry_capacity;
};

/* Multipliers of the rows: y[i] = numerators[i] / denominator. */
struct lp_dual {
	int64_t *numerators; /* row_count of them */
	int64_t denominator; /* > 0 */
};

/* What a solver said. Nothing of it is believed. */
enum lp_status {
	LP_SOLVED,     /* it claims the optimum */
	LP_LIMIT,      /* its time or iterations ran out */
	LP_INFEASIBLE, /* it claims that no x satisfies the rows */
	LP_FAILED,     /* undefined, unbounded, or it gave up; y is 0 */
};

struct lp_proposal {
	enum lp_status status;
	struct lp_dual dual;
	int64_t *counts; /* x rounded to integers, column_count of them; only ever an illustration */
	int fractional;  /* the column whose x is farthest from an integer; -1: none is */
	int64_t below;   /* its x rounded down */
};

struct lp_limits {
	int milliseconds; /* 0: none */
	int iterations;   /* 0: none */
};

struct lp_session;

struct lp_result {
	int64_t value; /* an upper bound on every integer x; NONE: none */
	enum lp_status status;
	struct lp_dual dual;         /* the certificate of the value: lp_certify gives it again */
	const int64_t *counts;       /* one x that satisfies every row and reaches the value exactly; NULL: none is known */
	struct lp_proposal proposal; /* what it was made from */
};

void lp_init(struct lp *lp, struct arena *arena);
int lp_column(struct lp *lp, int64_t cost, int64_t upper); /* its number */
int lp_row(struct lp *lp, enum lp_relation relation, int64_t right);
void lp_entry(struct lp *lp, int column, int64_t factor); /* of the row added last; a column stands at most once in a row */

struct lp_result lp_bound(const struct lp *lp, const struct lp_limits *limits);

/* A program that is solved again and again: costs, limits, right sides and factors may change between solutions, and rows may be added;
 * columns and the places of entries stay. The solver starts from where it was; what is certified is the program as it is now. */
struct lp_session *lp_session_open(const struct lp *lp, const struct lp_limits *limits);
struct lp_result lp_session_bound(struct lp_session *session);
void lp_session_close(struct lp_session *session);

#endif
