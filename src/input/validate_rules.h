/* What the rules have in common; private to the validation. */
#ifndef INPUT_VALIDATE_RULES_H
#define INPUT_VALIDATE_RULES_H

#include "input/validate.h"

struct validation {
	const struct platform *platform;
	const struct taskset *set; /* NULL: the platform alone */
	struct diagnostics *diagnostics;
};

/* One function a subject, one file a few subjects. Platform: */
void rules_parameters(const struct validation *validation);
void rules_leasts(const struct validation *validation);
void rules_capability(const struct validation *validation);
void rules_carveouts(const struct validation *validation);
void rules_engines(const struct validation *validation);
void rules_factors(const struct validation *validation);
/* Task set: */
void rules_streams(const struct validation *validation);
void rules_partitions(const struct validation *validation);
void rules_concurrency(const struct validation *validation);
void rules_arrivals(const struct validation *validation);
void rules_operations(const struct validation *validation);
void rules_kernels(const struct validation *validation);
void rules_host_memory(const struct validation *validation);
void rules_events(const struct validation *validation);
void rules_event_cycles(const struct validation *validation);
void rules_joins(const struct validation *validation);
void rules_contexts(const struct validation *validation);
void rules_cores(const struct validation *validation);
void rules_end_to_end(const struct validation *validation);
void rules_companies(const struct validation *validation);
void rules_origins(const struct validation *validation);
void rules_missing(const struct validation *validation);

/* The file that a number of the platform stands in: the task set where it was declared. */
const char *rules_file(const struct validation *validation, const char *declared_by);

#endif
