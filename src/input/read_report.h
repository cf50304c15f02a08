/* A report read back.
 *
 * Requires: a path or "-"; the folder of the schemas.
 * Provides: the elements of a report that is valid against schema/report-1.xsd and does not contradict itself: every step is named once
 *           and refers to earlier ones, a result has its step's value and the verdict that its deadline and bounds say, nothing is
 *           counted that is not there. The bytes and their hash, for what wants the file as it is. Nothing is derived again: that is
 *           another program's work.
 * Source:   doc/formats.md, Report; schema/report-1.xsd.
 * Fails:    with diagnostics, the result is false. Files above REPORT_LIMIT bytes or REPORT_NODES are refused.
 */
#ifndef INPUT_READ_REPORT_H
#define INPUT_READ_REPORT_H

#include "input/input.h"
#include "input/xml.h"

/* What is written is read back: report_may_be_written refuses before anything is written what would not be. A report that was signed since
 * is longer. */
#define REPORT_WRITTEN (64 * 1024 * 1024) /* bytes */
#define REPORT_WRITTEN_NODES 12000000     /* elements, texts, comments, and attributes twice */
#define REPORT_SIGNATURE (64 * 1024)      /* bytes of a signature, and nodes */
#define REPORT_LIMIT (REPORT_WRITTEN + REPORT_SIGNATURE)
#define REPORT_NODES (REPORT_WRITTEN_NODES + REPORT_SIGNATURE)

struct report_file {
	const char *path, *bytes, *hash;
	size_t length;
	const struct xml_element *root;
	bool is_signed; /* has a Signature of XML-DSig; whether it is good is for xmlsec1 to say */
};

bool input_read_report(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, const char *path,
	struct report_file *report);

/* Would a report that nobody wrote yet be read back, as far as limits go? False with one diagnostic, about the task set that it is of. */
bool report_may_be_written(struct diagnostics *diagnostics, const char *taskset, const char *bytes, size_t length);

/* The checks beyond the schema; called by input_read_report. */
bool report_is_consistent(struct arena *arena, struct diagnostics *diagnostics, const char *path, const struct xml_element *root);

#endif
