/* The inputs that a report names, read again.
 *
 * Requires: a report that input_read_report accepted; its paths hold from the current folder.
 * Provides: the bytes of an input, only if they are those that the report was made from.
 * Fails:    NULL with a diagnostic where a file is not there, or has not the length and the SHA-256 that the report names.
 */
#ifndef RENDER_REPORT_INPUTS_H
#define RENDER_REPORT_INPUTS_H

#include "input/read_report.h"

struct render_inputs {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const struct input_folders *folders;
	const struct report_file *report;
};

/* The first input of this role; NULL: there is none. Any role: NULL. */
const struct xml_element *render_inputs_find(const struct render_inputs *inputs, const char *role);

/* A name without a slash and without .xml is a shipped model's, as on the command line. */
bool render_inputs_is_shipped(const struct xml_element *input);

const char *render_inputs_read(const struct render_inputs *inputs, const struct xml_element *input, size_t *length);

#endif
