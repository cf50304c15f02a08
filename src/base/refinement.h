/* Refinements of the analysis that tests switch off: to see what each gains, and to run what stands where it is left out.
 *
 * Requires: nothing.
 * Provides: refined(), which is true in every build but a testing one, there too unless this thread left the refinement out. A bound
 *           without a refinement holds, too; it is greater.
 * Source:   [CHAIN], [BEHIND], [ONCE], [WAVES].
 */
#ifndef BASE_REFINEMENT_H
#define BASE_REFINEMENT_H

#include "config.h"

#include <stdbool.h>

enum refinement {
	REFINEMENT_ORDER = 1, /* CHAIN, VOL-C: a foreign stream's operations in their order */
	REFINEMENT_APART = 2, /* kernels behind slow the last wave of a kernel only */
	REFINEMENT_ONCE = 4,  /* P, P-GPU: kernels and copies that slow each other are charged once */
	REFINEMENT_WAVES = 8, /* the dispatcher works on a wave while the one before runs */
};

#ifdef GPUBOUND_TESTING
#define REFINEMENTS_SWITCH true
void refinements_leave_out(int refinements); /* in this thread; a sum of enum refinement, 0: none of them */
bool refined(enum refinement refinement);
#else
#define REFINEMENTS_SWITCH false
static inline void refinements_leave_out(int refinements)
{
	(void)refinements;
}
static inline bool refined(enum refinement refinement)
{
	(void)refinement;
	return true;
}
#endif

#endif
