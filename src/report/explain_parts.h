/* What the parts of an explanation share; private to report/explain*.c. */
#ifndef REPORT_EXPLAIN_PARTS_H
#define REPORT_EXPLAIN_PARTS_H

#include "report/report.h"
#include "report/shares.h"

struct explanation {
	struct output *output;
	const struct report *report;
	const struct derivation *derivation;
	const struct response_of *result;
	const struct task *task;
	const int *numbers; /* of the steps, in the report */
	bool *reached;      /* [step] */
	int reached_count;
	bool colour;
	struct arena *arena;
	int64_t value;         /* of the segment's bound that is explained */
	struct shares *shares; /* to be filled; NULL: nobody asks */
};

const struct step *explain_step(const struct explanation *e, int step);
int64_t explain_value(const struct explanation *e, int step); /* 0 for STEP_ABSENT */
void explain_line(const struct explanation *e, int indent, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool explain_is_late(const struct explanation *e); /* volumes have start delays in them */

void explain_equation(const struct explanation *e, int step);

/* What a chain's bound is made of: from its head to its last term. */
void explain_chain(struct explanation *e, int index);

/* How long a host segment takes on its core. */
void explain_host(struct explanation *e, int step);

/* How long one takes in its thread's reservation. */
void explain_reserved(struct explanation *e, int step);

/* How the bound of a segment comes about. */
void explain_bound(struct explanation *e, int segment);
int explain_next_segment(const struct explanation *e, int from); /* of the task */

#endif
