/* The options of gpubound simulate, parsed.
 *
 * Requires: arguments that the table of options admitted.
 * Provides: the options of a run.
 * Fails:    simulate_options_read says what is wrong and returns false.
 */
#ifndef CLI_SIMULATE_OPTIONS_H
#define CLI_SIMULATE_OPTIONS_H

#include "cli/arguments.h"
#include "simulate/simulate.h"

/* platform and set: for the default horizon and allocation; the options point into the arguments' arena. */
bool simulate_options_read(
	const struct arguments *arguments, const struct platform *platform, const struct taskset *set, struct simulate_options *options);

/* An option that is a time, in ns; *value keeps its content where it is absent. False: said why it is wrong. */
bool simulate_options_time(const struct arguments *arguments, const char *name, int64_t *value);

#endif
