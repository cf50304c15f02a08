/* Kinds of tasks, by what a bound of theirs may lose most.
 *
 * Requires: a subject.
 * Provides: the first reason that holds for a task.
 * Source:   falsify/reasons.def; doc/falsification.md, how tight.
 * Fails:    never.
 */
#ifndef FALSIFY_REASONS_H
#define FALSIFY_REASONS_H

#include "falsify/subject.h"

enum reason {
#define REASON(symbol, name, meaning) REASON_##symbol,
#include "falsify/reasons.def"
#undef REASON
	REASON_COUNT
};

struct reason_kind {
	const char *name, *meaning;
};
extern const struct reason_kind reason_kinds[REASON_COUNT];

enum reason reason_of(const struct subject *subject, int task);

#endif
