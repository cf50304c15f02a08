/* A report checked against the inputs that it was made from, by a second derivation.
 *
 * Requires: a path or "-"; the folders of schemas and models; files that may stand in for the recorded inputs.
 * Provides: VERIFY_GOOD iff every number of the report follows from the inputs: each step of the derivation by its rule, each claim of a
 *           fixed point by one evaluation of its equation, each bound with all assumptions that it needs, granted by the inputs or the
 *           recorded command line; and every task, stream, chain and operation is there once. Nothing is shared with the analysis but base,
 *           model and input. The text is as the program wrote it, by its sums (text_sums.h), which find accidents only: prose (reasons,
 *           advice, hazards, channels, diagnostics) is not derived again, but for what reading the inputs warns of, which has to be there
 *           (evidence that is stale). It is compared with what the witness writes, if that is asked for: the same program says the same
 *           again. The report is written as the program writes it (text_form.h), so that no reader reads anything else; behind the
 *           derivation stands nothing, or a signature (input/signature.h), which is for others to check. The environment is not judged.
 * Source:   [VERIFY], [REPORT], [FIRST-VIOLATION], [TEN-TESTS].
 *           Slack is where a task is proven with inputs that have moved, and is not one unit further. A witness, somebody's report of the
 *           inputs that have moved, is verified like any report: so that it is proven is derived again. That it is not proven further is
 *           what the witness of there says, no more.
 * Fails:    VERIFY_REFUSED with a diagnostic for each difference, or for a number that could not be derived again;
 *           VERIFY_NO_REPORT for what is no report valid against its schema.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "input/input.h"

enum verify_outcome { VERIFY_GOOD, VERIFY_REFUSED, VERIFY_NO_REPORT };

struct verified { /* what was derived again */
	int steps, tasks, operations;
	int figures;                    /* of slack, at each of which the task was proven again */
	const char *verdict, *left_out; /* left_out: ids of tasks of which the verdict says nothing; NULL: none */
	const char *platform, *platform_hash;
	const char *conditions; /* assumptions that a result rests on and nobody vouches for, as --assume asked; NULL: none */
	bool shipped;           /* the platform model is one that this version ships, as it does */
	bool is_signed;         /* by whom, and whether well, is not checked */
};

enum verify_moved { VERIFY_MOVED_NOTHING, VERIFY_MOVED_ALL_WCETS, VERIFY_MOVED_OWN_WCETS, VERIFY_MOVED_PERIOD };

/* The inputs that were read, and how they move: a growth of WCETs in thousandths, what a period shrinks by in ns. */
struct verify_request {
	const char *taskset, *platform; /* where nothing moved: as recorded; NULL: the task set's */
	const char *const *arguments;   /* of the recorded command line: its options but slack; all of it where nothing moved */
	int argument_count;
	int task;
	enum verify_moved moved;
	int64_t by;
	const struct input_folders *folders; /* with what stands in for the inputs */
};

/* Returns the text of a report, in the arena, or NULL. Nothing of it is believed. */
typedef const char *verify_witness(void *context, struct arena *arena, const struct verify_request *request);

struct verify_options {
	const char *const *files; /* that may stand in for inputs, ended by NULL */
	verify_witness *witness;  /* NULL: slack is unchecked, and refused */
	void *context;
	bool prose;       /* also compare all of the text with the witness' report of the inputs as they are */
	const char *text; /* what the file would say, where it is not to be read; NULL: it is */
	size_t length;
};

enum verify_outcome verify_report(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const struct verify_options *options, struct verified *verified);

#endif
