/* Another program, run on texts that stand in no file which somebody else could change.
 *
 * Requires: a POSIX system with /dev/fd; an arena.
 * Provides: tool_text: a text under a name that only this process and the programs that it runs can open, and that goes with them.
 *           tool_run: runs a program that PATH names, without a shell, with an environment that says nothing but PATH, and gives what it
 *           printed on standard output. A text's name holds once: it is read from the beginning again before each run.
 * Fails:    TOOL_ABSENT: there is no such program, or it could not be run; the text's name is NULL where no file could be made.
 */
#ifndef CLI_RUN_TOOL_H
#define CLI_RUN_TOOL_H

#include "base/memory.h"

enum tool_outcome { TOOL_GOOD, TOOL_REFUSES, TOOL_ABSENT };

struct tool_text {
	void *file; /* NULL: none */
	const char *name;
};

struct tool_text tool_text(struct arena *arena, const char *bytes, size_t length);
void tool_text_finish(struct tool_text *text);

/* words: the program and its arguments, ended by NULL. *printed: at most 64 KiB, in the arena; may be NULL. */
enum tool_outcome tool_run(struct arena *arena, const char *const *words, const char **printed);

#endif
