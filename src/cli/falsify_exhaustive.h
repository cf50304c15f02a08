/* gpubound falsify --exhaustive: bounds against the exact worst cases of small systems.
 *
 * Requires: the command line; a given task set that was read, or NULL.
 * Provides: the table as text or CSV on standard output, the plot where it is asked for, a system in full where there is only one or where
 *           a bound is below its worst case. The exit status.
 * Fails:    a given task set that is too large for that is refused with the reason.
 */
#ifndef CLI_FALSIFY_EXHAUSTIVE_H
#define CLI_FALSIFY_EXHAUSTIVE_H

#include "cli/arguments.h"
#include "falsify/yardstick.h"

int falsify_exhaustively(const struct arguments *arguments, struct yardstick_options *options);

#endif
