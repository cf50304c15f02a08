/* A report checked against the inputs that it was made from, by a second derivation.
 *
 * Requires: a path or "-"; the folders of schemas and models; files that may stand in for the recorded inputs.
 * Provides: VERIFY_GOOD iff every number of the report follows from the inputs: each step of the derivation by its rule, each claim of a
 *           fixed point by one evaluation of its equation, each bound with all assumptions that it needs, granted by the inputs or the
 *           recorded command line; and every task, stream, chain and operation is there once. Nothing is shared with the analysis but
 *           base, model and input. The text is as the program wrote it, by its checksum, which finds accidents only: prose (reasons,
 *           advice, hazards, channels, diagnostics) is not derived again. The environment is not judged.
 * Source:   theory.md 13.6; theory-review.md 5.10; doc/theory.md.
 * Fails:    VERIFY_REFUSED with a diagnostic for each difference, or for a number that could not be derived again;
 *           VERIFY_NO_REPORT for what is no report valid against its schema.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "input/input.h"

enum verify_outcome { VERIFY_GOOD, VERIFY_REFUSED, VERIFY_NO_REPORT };

struct verified { /* what was derived again */
	int steps, tasks, operations;
	const char *verdict;
};

/* files: ended by NULL. */
enum verify_outcome verify_report(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const char *const *files, struct verified *verified);

#endif
