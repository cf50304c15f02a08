/* Results in the forms that people and programs read.
 *
 * Requires: a finished analysis: every stage's output of one task set.
 * Provides: the text table (paragraphs of 80 columns, a table of up to 100), the CSV, and the XML report in which every number can be
 *           re-derived; each byte-identical for one build and one input. Rounded times are rounded to the safe side and marked; XML and CSV
 *           hold exact integers.
 * Source:   gpubound-report(5); doc/formats.md, Report; schema/report-1.xsd.
 * Fails:    never: what there is no value for is said to have none, with the reason.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/diagnostics.h"
#include "base/output.h"
#include "map/hazards.h"
#include "response/response.h"
#include "slack/reserves.h"

struct programs; /* wcet/programs.h */

#define REPORT_RESERVES 5

struct report {
	const struct platform *platform;
	const char *platform_path; /* a shipped model's name, or the path that was opened */
	const struct taskset *set;
	const struct programs *programs; /* may be NULL */
	const struct map *map;
	const struct channels *channels;
	const struct inflation *inflation;
	const struct response *response;
	const struct derivation *derivation;
	const struct diagnostics *diagnostics;
	const char *const *arguments; /* of the command line, without output paths, colour and verbosity */
	int argument_count;
	const struct slack *slack;     /* one a task; NULL: not asked for */
	const struct taskset *threads; /* of a model of MAST: what host segments take on their cores; NULL: `set` says it */
	bool slack_in_report;
	const struct reserve *reserves; /* with slack, in the text alone */
	int reserve_count;
};

void report_text(struct output *output, const struct report *report, bool colour);
void report_csv_header(struct output *output);
void report_csv(struct output *output, const struct report *report); /* a row a task, a row a stream */
/* A model of MAST 1.4 (second: of MAST 2), in which GPU segments have their bounds; false with a diagnostic, and nothing is added, where
 * one has none. */
bool report_mast(struct diagnostics *diagnostics, struct output *output, const struct report *report, bool second);
void report_xml(struct output *output, const struct report *report);

/* The assumptions that any result rests on: bit set (1 << enum assumption). */
uint64_t report_assumptions(const struct report *report);

/* Ids of the tasks that the verdict leaves out, separated by `between`; NULL: none is. */
const char *report_left_out(struct arena *arena, const struct report *report, const char *between);

/* A file as the report names it: the platform's by what was given, whatever folder it was found in. */
const char *report_path(const struct report *report, const char *file);

#endif
