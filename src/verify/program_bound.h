/* The bounds of kernels that are given by their programs, derived again.
 *
 * Requires: the task set's programs as they were read; what an SM holds of each kernel.
 * Provides: the WCET of each such kernel, and what its launch takes in any order where no order is supposed. The multipliers of each linear program are the report's; that they prove its
 *           value is evaluated here in exact integers, on rows written from the program by other means than the analyser's: loops by
 *           dominance, not by components. Costs, composition, neighbours and time are derived again. A difference is a diagnostic; a
 *           program that this cannot derive (irreducible loops, divergent branches) is one as well, and its WCET the report's.
 * Source:   [LP-CERTIFICATE] (weak duality); [WCET], [WCET-LAUNCH].
 * Fails:    never: what cannot be evaluated does not verify.
 */
#ifndef VERIFY_PROGRAM_BOUND_H
#define VERIFY_PROGRAM_BOUND_H

#include "verify/resident.h"

struct code_times {
	int64_t wcet;
	struct launch_time launch;
};

/* One an operation of the task set; only those of kernels that name a program count. */
struct code_times *program_bound_derive(struct check *check, const struct resident *residents);

#endif
