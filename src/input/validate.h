/* The rules that a schema cannot say.
 *
 * Requires: structs that the reader has filled: indices within their arrays or NO_ID, what is absent NONE.
 * Provides: a diagnostic for each broken rule, with file and line; each rule has its code in base/diagnostics.def.
 *           validate_taskset holds the rules of platforms again, since the task set's declarations stand in the platform by then.
 * Source:   [MODEL], [APPLICABLE]; [HW-RULES], [HW-OCCUPANCY].
 * Fails:    all return whether there was no error; warnings do not count.
 */
#ifndef INPUT_VALIDATE_H
#define INPUT_VALIDATE_H

#include "base/diagnostics.h"
#include "model/frame.h"
#include "model/platform.h"
#include "model/taskset.h"

bool validate_platform(const struct platform *platform, struct diagnostics *diagnostics);
bool validate_taskset(const struct platform *platform, const struct taskset *set, struct diagnostics *diagnostics);

/* Once more, after more has been assumed than the files say (--assume): the numbers that such an assumption asks for. */
bool validate_assumed(const struct platform *platform, const struct taskset *set, struct diagnostics *diagnostics);

bool validate_frame(const struct platform *platform, const struct frame *frame, struct diagnostics *diagnostics);

#endif
