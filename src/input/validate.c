/* The tables of rules: which subjects are looked at, in which order. */
#include "input/validate.h"

#include "input/validate_rules.h"

#include <stddef.h>

typedef void rules_of_subject(const struct validation *validation);

static rules_of_subject *const of_platforms[] = {
	rules_parameters,
	rules_leasts,
	rules_capability,
	rules_carveouts,
	rules_engines,
	rules_factors,
	NULL,
};

static rules_of_subject *const of_tasksets[] = {
	rules_origins,
	rules_streams,
	rules_partitions,
	rules_concurrency,
	rules_arrivals,
	rules_operations,
	rules_kernels,
	rules_host_memory,
	rules_events,
	rules_event_cycles,
	rules_joins,
	rules_contexts,
	rules_cores,
	rules_end_to_end,
	rules_companies,
	rules_missing,
	NULL,
};

const char *rules_file(const struct validation *validation, const char *declared_by)
{
	return declared_by != NULL && validation->set != NULL ? validation->set->path : validation->platform->path;
}

static void hold_all(rules_of_subject *const *rules, const struct validation *validation)
{
	for (; *rules != NULL; rules++)
		(*rules)(validation);
}

bool validate_platform(const struct platform *platform, struct diagnostics *diagnostics)
{
	int before = diagnostics->errors;
	hold_all(of_platforms, &(struct validation){platform, NULL, diagnostics});
	return diagnostics->errors == before;
}

bool validate_taskset(const struct platform *platform, const struct taskset *set, struct diagnostics *diagnostics)
{
	int before = diagnostics->errors;
	struct validation validation = {platform, set, diagnostics};
	hold_all(of_platforms, &validation);
	hold_all(of_tasksets, &validation);
	return diagnostics->errors == before;
}
