/* Who writes reports for the verification to compare with: of moved inputs, for slack, and of the inputs as they are, for prose.
 *
 * Requires: what verify asks for; a witness that begins as zero.
 * Provides: the report that the analysis writes, of which verify believes nothing.
 * Source:   verify/verify.h.
 * Fails:    NULL: there is no such report.
 */
#ifndef CLI_WITNESS_H
#define CLI_WITNESS_H

#include "pipeline.h"
#include "verify/verify.h"

struct witness {
	struct pipeline pipeline;
	struct pipeline_options options;
	bool started, failed;
};

const char *witness_testify(void *context, struct arena *arena, const struct verify_request *request); /* context: the witness */
void witness_finish(struct witness *witness);

#endif
