/* Which refinements are left out. */
#include "base/refinement.h"

#ifdef GPUBOUND_TESTING
static _Thread_local int left_out;

void refinements_leave_out(int refinements)
{
	left_out = refinements;
}

bool refined(enum refinement refinement)
{
	return (left_out & (int)refinement) == 0;
}
#endif
