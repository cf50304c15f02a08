/* A report read back, in the forms that browsers, CI servers and requirement tools read.
 *
 * Requires: a report that input_read_report accepted.
 * Provides: HTML, CSV, JUnit XML, SARIF 2.1.0, ReqIF, GSN as SVG and SACM 2.2: the verdicts and exact numbers of the report and nothing else, so that what
 *           was signed is what is read; byte-identical for one report. A page may have pictures that were drawn from the inputs.
 * Source:   gpubound(1); issue 10; the format's own standard at the head of its file.
 * Fails:    HTML needs the shipped stylesheet; without it there is a diagnostic and the result is false. The others never.
 */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include "base/output.h"
#include "input/read_report.h"

/* A picture beside the report, for the page. */
struct render_figure {
	const char *name;    /* shares, streams, seen, timeline, placement; the stylesheet has words for them */
	const char *command; /* that draws or prints the same; NULL: none does */
	const char *about;   /* the task that it is about; NULL: all */
	const char *reason;  /* why there is none; NULL: there is */
	struct output svg;   /* or elements of the report's namespace, which the stylesheet draws */
};

struct render {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *schemas; /* the folder that has report.xsl */
	const struct report_file *report;
	const struct render_figure *figures; /* only of HTML */
	int figure_count;
	bool pass_conditional; /* JUnit: what is conditional passes */
};

bool render_html(const struct render *render, struct output *output);
bool render_csv(const struct render *render, struct output *output);
bool render_junit(const struct render *render, struct output *output);
bool render_sarif(const struct render *render, struct output *output);
bool render_reqif(const struct render *render, struct output *output);
bool render_gsn(const struct render *render, struct output *output);
bool render_sacm(const struct render *render, struct output *output);

/* ---- what the forms share */

/* The first child of `parent` that is `name`, from `child` on (NULL: none more). */
const struct xml_element *render_first(const struct xml_element *parent, const char *name);
const struct xml_element *render_next(const struct xml_element *child);

/* A task that is best effort and has no bound: the verdict of the whole goes without it. */
bool render_is_left_out(const struct render *render, const struct xml_element *result);

/* Ids of the assumptions on which bounds rest as a condition, separated by a blank; NULL: there are none. */
const char *render_conditions(const struct render *render);

/* One sentence: what was proven of a task or chain, or why nothing was. */
const char *render_verdict(struct arena *arena, const struct xml_element *result);

#endif
