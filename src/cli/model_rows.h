/* A platform model as the rows of one table, for readers and for programs.
 *
 * Requires: a validated platform model, without declarations of a task set.
 * Provides: a row a fact: what it is, its value, unit, source and note; what a bound would still need declared.
 * Source:   doc/formats.md, Platform model.
 * Fails:    never.
 */
#ifndef CLI_MODEL_ROWS_H
#define CLI_MODEL_ROWS_H

#include "model/platform.h"

#include "base/memory.h"

struct model_row {
	const char *kind;          /* what rows of one section have in common */
	const char *name, *value;  /* value: in base units */
	const char *unit;          /* "" where there is none */
	const char *shown;         /* value and unit for a reader */
	const char *source, *note; /* NULL: none */
};

struct model_rows {
	struct arena *arena;
	struct model_row *items;
	int count, capacity;
};

struct model_rows *model_rows_collect(struct arena *arena, const struct platform *platform);

/* What a bound may ask for and the model does not say: names as a task set declares them. `purpose`: what it is needed for; `tag`: in a
 * word. */
struct model_need {
	const char *tag, *purpose, *names; /* names: separated by blanks; "" where nothing is missing */
};

/* Ends with a row without purpose. */
struct model_need *model_needs(struct arena *arena, const struct platform *platform);

#endif
