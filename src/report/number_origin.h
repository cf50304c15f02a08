/* Where in the inputs a number stands.
 *
 * Requires: an `about` as doc/formats.md defines it.
 * Provides: its file and line, and its source: an origin of the task set, or the platform's text.
 * Fails:    an `about` that names nothing in the inputs has line 0.
 */
#ifndef REPORT_NUMBER_ORIGIN_H
#define REPORT_NUMBER_ORIGIN_H

#include "report/report.h"

struct place {
	const char *file;   /* as the report names it; NULL: nowhere */
	long line;          /* 0: unknown */
	const char *origin; /* id of an origin of the task set; NULL: none */
	const char *source; /* the platform's source, or the declaration's; NULL: none */
	const char *declared_by;
	const char *unit; /* of the number */
};

struct place about_find(const struct report *report, const char *about);

#endif
