/* What the terms of COV (cover_terms.c) share with its evaluation (cover.c); private to these. */
#ifndef RESPONSE_COVER_PARTS_H
#define RESPONSE_COVER_PARTS_H

#include "model/limits.h"
#include "response/cover.h"

struct cover_counts {                       /* kernels of higher levels, by class */
	int64_t come[LIMIT_COVER_CLASSES];  /* in a window */
	int64_t there[LIMIT_COVER_CLASSES]; /* at some time of it */
};

void cover_count(const struct cover *cover, const struct class *own, int64_t window, struct cover_counts *counts);

/* Of the kernels of a stream. */
bool cover_is_lower(const struct cover *cover, const struct class *own, int stream);
bool cover_is_higher(const struct cover *cover, const struct class *own, int stream);

/* [delta]: what all samples weigh. */
void cover_weigh(const struct cover *cover, const struct class *own, const struct cover_weights *weights, const struct cover_counts *counts,
	bool after_lower, int64_t *sums);

/* What the dispatcher works on while the kernel waits. */
struct cover_dispatched {
	int64_t blocks, kernels;
};
struct cover_dispatched cover_dispatched(const struct cover *cover, const struct class *own, const struct cover_counts *counts);

/* The response by the least window, `found`, from `begins` after the arrival on that ends with the last dispatch. NONE: no less than
 * `enough`. */
int64_t cover_window(const struct cover *cover, const struct class *own, int64_t begins, bool after_lower, int64_t enough, int64_t *found);

#endif
