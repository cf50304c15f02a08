/* A report with all that it was made from, in one file for the archive.
 *
 * Requires: a report that input_read_report accepted; the folders of models and schemas.
 * Provides: a tar file: the report as it is, the task set, the platform model, the schemas with the stylesheet, SHA256SUMS and a README.
 *           It is a folder for GPUBOUND_DATA, so that the analysis can be run again from it alone. Same bytes for the same files.
 * Source:   issue 10, 3; doc/formats.md.
 * Fails:    false with diagnostics where a file is not there, or not the one whose length and SHA-256 the report names.
 */
#ifndef RENDER_BUNDLE_H
#define RENDER_BUNDLE_H

#include "render/render.h"

bool bundle_build(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const struct report_file *report, struct output *tar);

#endif
