/* What the parts of a timeline share; private to write_svg.c and timeline_sms.c. */
#ifndef SIMULATE_TIMELINE_H
#define SIMULATE_TIMELINE_H

#include "simulate/drawing.h"
#include "simulate/run_record.h"

struct turn { /* on the execution engine; application NO_ID: the copies of a shared runlist */
	int application;
	int64_t begin, end;
};

struct timeline {
	const struct run_record *record;
	struct drawing drawing;
	struct activities activities;
	struct turn *turns; /* slices, in order; none: nobody shares the execution engine */
	int turn_count;
	int64_t end;
};

/* What is shown on pointing at it. */
const char *timeline_title(const struct timeline *timeline, const char *what, int64_t begin, int64_t end);
void timeline_draw_sms(struct timeline *timeline);

#endif
