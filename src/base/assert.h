/* assert, for a program that shall end and for a library that shall not end its host.
 *
 * Requires: nothing.
 * Provides: assert(condition), always compiled in. A condition that does not hold is a fault of ours: it ends the process by abort,
 *           unless fault_catch is running in this thread, which then returns what did not hold.
 * Fails:    never. What was allocated outside of arenas between fault_catch and the failed assertion is lost, not freed.
 */
#ifndef BASE_ASSERT_H
#define BASE_ASSERT_H

#include <stdbool.h>

#define assert(condition) ((condition) ? (void)0 : fault_raise(#condition, __FILE__, __LINE__))

struct fault {
	const char *condition, *file;
	int line;
};

_Noreturn void fault_raise(const char *condition, const char *file, int line);

/* Does the work; false: an assertion of it failed. No lock may be held where one can fail. */
bool fault_catch(void (*work)(void *context), void *context, struct fault *fault);

#endif
