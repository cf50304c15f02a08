/* What if a number were another one: what --set and --scale ask for, as changes of the text that is read.
 *
 * Requires: a task set's text that xml_read has taken; words as a report records them, "--set=TARGET=VALUE" or "--scale=TARGET=FACTOR".
 * Provides: the text as if the file said so, to be read and validated like any other; lines stay where they are. A warning for each change.
 *           TARGET: [KIND:]ID.ATTRIBUTE, with CHILD[N]. before the attribute where it is a child's; platform.NAME, a declaration.
 * Source:   gpubound-analyze(1).
 * Fails:    NULL with a diagnostic: nothing, or more than one thing, goes by this name, or there is no number to be scaled.
 */
#ifndef INPUT_CHANGE_H
#define INPUT_CHANGE_H

#include "input/input.h"
#include "input/markup.h"

struct changed_text {
	const char *bytes;
	size_t length;
	const struct markup *markup; /* of these bytes; NULL: nobody has read it yet */
};

struct changed_text change_text(struct arena *arena, struct diagnostics *diagnostics, const char *path, const struct input_wishes *wishes,
	struct changed_text text);

#endif
