/* Libraries that few commands use, loaded where one of their functions is first called: each would lengthen the start of every process.
 *
 * Requires: a file that includes such a library's header says for each function that it calls
 *           #define sqlite3_step LATE(SQLITE3, sqlite3_step)
 *           One that is forgotten does not link.
 * Provides: the function, of the library with the soname that the build found. It stays loaded.
 * Fails:    as the dynamic linker does for what is linked: a library or a function that is not there ends the process, with
 * LATE_EXIT_STATUS.
 */
#ifndef BASE_LATE_H
#define BASE_LATE_H

#include "late_sonames.h" /* of the build: LATE_SQLITE3 is "libsqlite3.so.0" */

#define LATE_EXIT_STATUS 127

#define LATE(library, function)                                                                                                            \
	(__extension__({                                                                                                                   \
		static void *found;                                                                                                        \
		(__typeof__(&function))late_find(&found, LATE_##library, #function);                                                       \
	}))

/* found: NULL, or what it was when asked before. */
void *late_find(void **found, const char *soname, const char *function);

#endif
