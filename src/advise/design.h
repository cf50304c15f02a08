/* A plan as a task set's text, in words, and what has to be measured for it.
 *
 * Requires: a space and one of its plans.
 * Provides: the text of the task set with the plan's changes and without <freedom>; everything else stays as its author wrote it. A sentence
 *           that says what changes. What was measured, or declared, for another company than the design's, or without turns: until that
 *           is done the design is not proven, whatever an analysis of its numbers says.
 * Source:   gpubound-advise(1).
 * Fails:    design_text: NULL with the reason where an option of <freedom> cannot be taken.
 */
#ifndef ADVISE_DESIGN_H
#define ADVISE_DESIGN_H

#include "advise/space.h"
#include "base/output.h"

const char *design_text(struct arena *arena, const struct space *space, const struct plan *plan, const char **reason);

void design_sentence(struct output *output, const struct space *space, const struct plan *plan);

/* More kernels may be beside each other than in the task set: factors for "everything at once" were measured with fewer. */
bool design_adds_company(const struct space *space, const struct plan *plan);

/* What is to be measured again, a sentence each; how many. */
#define DESIGN_MEASURES 8
int design_measures(struct arena *arena, const struct space *space, const struct plan *plan, const char *measures[DESIGN_MEASURES]);

/* The kind of change, in a few words: designs of one kind differ in numbers. */
const char *design_kind(struct arena *arena, const struct space *space, const struct plan *plan);

#endif
