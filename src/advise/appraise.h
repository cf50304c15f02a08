/* What a design is worth: the ordinary analysis of its text.
 *
 * Requires: a space and a plan; the wishes of the command line.
 * Provides: verdict, responses, what has to be vouched for, slack of a design that meets its deadlines.
 * Source:   pipeline.h, slack/slack.h.
 * Fails:    refused, with the reason, where the text is no task set that can be analysed.
 */
#ifndef ADVISE_APPRAISE_H
#define ADVISE_APPRAISE_H

#include "advise/design.h"
#include "pipeline.h"

struct appraisal {
	bool done, refused;
	enum verdict verdict, analysed; /* analysed: what analyze says; verdict: no better than conditional where company was added */
	int vouched;                    /* assumptions that somebody answers for, with what has to be measured again */
	int without, late;              /* tasks and chains without a bound, and above their deadlines */
	int64_t over;                   /* the greatest response by its deadline, in thousandths; NONE: unknown */
	int64_t slack;                  /* thousandths by which all WCETs may grow; NONE: not asked for, or without a limit */
	int64_t response;               /* of the task that matters; NONE: no bound, or none does */
};

struct appraising {
	const struct space *space;
	const struct pipeline_options *options;
	int task; /* whose response matters, or NO_ID */
};

struct appraisal appraise(const struct appraising *appraising, const struct plan *plan);

/* The design's analysis, in full, for who wants to say more of it: to be finished whatever the outcome. False: refused; *reason says why.
 */
bool appraise_open(const struct appraising *appraising, const struct plan *plan, struct pipeline *pipeline, const char **reason);

/* What tasks and chains rest on and somebody answers for: bit set (1 << enum assumption). */
uint64_t appraise_assumptions(const struct pipeline *pipeline);

#endif
