/* What all parts of the verification have in common; private to it.
 *
 * A difference between what the report says and what follows from the inputs is a diagnostic not-reproduced with the line of the report,
 * where it is, what was expected and what was found. */
#ifndef VERIFY_CHECK_H
#define VERIFY_CHECK_H

#include "base/diagnostics.h"
#include "input/xml.h"
#include "model/rules.h"
#include "model/taskset.h"
#include "verify/derivation_graph.h"
#include "verify/grouped_lists.h"

/* What a slack figure is of: inputs that have moved by thousandths of WCETs, or by ns of a period. */
enum moving { MOVING_NOTHING, MOVING_ALL_WCETS, MOVING_OWN_WCETS, MOVING_PERIOD };

struct movement {
	enum moving what;
	int task;
	int64_t by;
};

struct check {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *path; /* of the report */
	const struct xml_element *root;
	struct graph graph;
	const struct taskset *set;                /* as it was read; from timing_derive on with execution times */
	const struct platform *platform;          /* with what was declared and what --assume asked for */
	const char *taskset_path, *platform_path; /* as the report names them */
	struct lists of_stream;                   /* the operations of each stream */
	struct places *places;                    /* of things by their names, found when first asked for */
	uint64_t used;                            /* assumptions that a winning bound rests on */
	struct movement movement;                 /* of the inputs, before anything is derived from them */
};

void check_differs(struct check *check, const struct xml_element *element, const char *where, const char *expected, const char *found);

/* An attribute is as expected. NULL, NONE, a rational without value: it is absent. */
void check_text(struct check *check, const struct xml_element *element, const char *where, const char *attribute, const char *expected);
void check_integer(struct check *check, const struct xml_element *element, const char *where, const char *attribute, int64_t expected);
void check_rational(
	struct check *check, const struct xml_element *element, const char *where, const char *attribute, struct rational expected);
void check_flag(struct check *check, const struct xml_element *element, const char *where, const char *attribute, bool expected);
void check_assumptions(struct check *check, const struct xml_element *element, const char *where, uint64_t expected);

/* Is an element's text, which has single spaces between words, that? */
bool check_same_words(const char *text, const char *words);
/* The text of a child element, which has single spaces; NULL: there is no such child. */
void check_words(struct check *check, const struct xml_element *element, const char *where, const char *child, const char *expected);

/* The path of a file that the task set names, as it was where the report was made: the task set may lie elsewhere now. */
const char *check_recorded(const struct check *check, const char *path);

/* In which line of a text a place in it is. */
long check_line(const char *text, const char *at);

/* The next sibling of that name, from `element` on; NULL: none. */
const struct xml_element *check_next(const struct xml_element *element, const char *name);

#define ASSUMED(name) (UINT64_C(1) << ASSUMPTION_##name)

#endif
