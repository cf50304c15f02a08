/* What of a platform a task set's bounds still need stated: all of it at once, as lines of XML to paste.
 *
 * Requires: a task set and its platform as they were read, also where nothing but missing facts spoke against them.
 * Provides: each fact that is missing, with the line that states it, the bounds that need it, and where such a number comes from.
 * Source:   src/input/validate_missing.c, validate_streams.c, validate_kernels.c; src/response/applicable.c; src/interference/.
 * Fails:    never.
 */
#ifndef CLI_MISSING_FACTS_H
#define CLI_MISSING_FACTS_H

#include "base/output.h"
#include "model/taskset.h"

struct fact {
	const char *line;  /* of XML, with "..." for what only the user knows */
	const char *need;  /* what it is and what lacks it */
	const char *where; /* it comes from */
};

struct missing_facts {
	struct arena *arena;
	struct fact *items;
	int count, capacity;
	const struct platform *filled; /* the platform with something for each, of which the source is "" */
};

/* The lines, each below a comment that says what it is, who needs it and where it comes from. hidden: the lines are inside of the comments,
 * for a file that has to be read as it is. */
void missing_facts_write(struct output *output, const struct missing_facts *facts, bool hidden);

struct missing_facts *missing_facts_find(struct arena *arena, const struct platform *platform, const struct taskset *set);

#endif
