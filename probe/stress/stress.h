/* Between the vehicle, which puts a program into a part of the GPU, and the aggressors, which work in the rest of it. */
#ifndef STRESS_H
#define STRESS_H

#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

struct stress_place { /* SMs that the program has not */
	CUcontext context;
	int sms;
};

typedef CUresult (*stress_enter)(CUcontext); /* cuCtxSetCurrent */

/* Begins, on threads of its own, what `kind` says: l2, read, write, h2d, d2h, both (ways of copies), all. Returns when it works. It goes on
 * until stress_end. Nonzero: there is no such kind. */
int stress_begin(const char *kind, const struct stress_place *places, int count, stress_enter enter);

/* Ends it; prints to `log`, a file of C's stdio, what it did. */
void stress_end(void *log);

#ifdef __cplusplus
}
#endif
#endif
