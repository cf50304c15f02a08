/* GLPK behind one file.
 *
 * Requires: a linear program in integers.
 * Provides: multipliers of its rows and a point, as the simplex method in doubles left them; the caller believes neither. Silent,
 *           without effect on the terminal; what GLPK would abort for is LP_FAILED.
 * Source:   GLPK 5.0 reference manual, 2.8 (simplex), 6.1 (glp_error_hook, glp_free_env). Its allocator cannot be replaced; memory that
 *           runs out inside it is LP_FAILED, too.
 * Fails:    never: every other outcome is a status.
 */
#ifndef LP_GLPK_H
#define LP_GLPK_H

#include "lp/lp.h"

struct lp_proposal lp_propose(const struct lp *lp, const struct lp_limits *limits);
const char *lp_solver_version(void); /* "5.0" */

#endif
