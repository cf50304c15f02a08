/* Failed assertions: the end of the process, or a jump to whoever catches them in this thread. */
#include "base/assert.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct catcher {
	jmp_buf escape;
	struct fault *fault;
};

static _Thread_local struct catcher *catching;

void fault_raise(const char *condition, const char *file, int line)
{
	struct catcher *catcher = catching;
	if (catcher != NULL) {
		*catcher->fault = (struct fault){condition, file, line};
		longjmp(catcher->escape, 1);
	}
	fprintf(stderr, "gpubound: %s:%d: this should hold: %s\n", file, line, condition);
	abort();
}

bool fault_catch(void (*work)(void *context), void *context, struct fault *fault)
{
	struct catcher catcher = {.fault = fault}, *const outer = catching;
	volatile bool done = false;
	catching = &catcher;
	if (setjmp(catcher.escape) == 0) {
		work(context);
		done = true;
	}
	catching = outer;
	return done;
}
