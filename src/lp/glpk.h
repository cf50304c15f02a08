/* GLPK behind one file.
 *
 * Requires: a linear program in integers.
 * Provides: multipliers of its rows and a point, as the simplex method in doubles left them; the caller believes neither. Silent,
 *           without effect on the terminal; what GLPK would abort for is LP_FAILED. A session keeps the problem: when costs, limits,
 *           right sides or factors have changed, or rows were added, the next proposal starts from the basis of the last one.
 * Source:   GLPK 5.0 reference manual, 2.8 (simplex), 6.1 (glp_error_hook, glp_free_env). Its allocator cannot be replaced; memory that
 *           runs out inside it is LP_FAILED, too. Its environment belongs to the thread.
 * Fails:    never: every other outcome is a status. An abort takes the basis with it; the next proposal starts anew.
 */
#ifndef LP_GLPK_H
#define LP_GLPK_H

#include "lp/lp.h"

struct lp_proposal lp_session_propose(struct lp_session *session);
const struct lp *lp_session_program(const struct lp_session *session);
struct lp_proposal lp_propose(const struct lp *lp, const struct lp_limits *limits); /* a session of one proposal */
const char *lp_solver_version(void);                                                /* "5.0" */

#endif
