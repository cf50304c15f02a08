/* The parts of a platform: carveouts, engines, interference factors. */
#include "input/validate_rules.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void rules_carveouts(const struct validation *validation)
{
	const struct platform *platform = validation->platform;
	const struct quantity *shared = &platform->parameters[PARAMETER_SM_SHARED];
	if (platform->carveout_count == 0 || !shared->present || platform->carveouts[platform->carveout_count - 1] == shared->value)
		return;
	diagnose(validation->diagnostics, DIAGNOSTIC_CARVEOUTS, rules_file(validation, shared->declared_by), shared->line,
		"sm.shared is %" PRId64 "B, the greatest carveout %" PRId64 "B", shared->value,
		platform->carveouts[platform->carveout_count - 1]);
}

/* The task set's own word on which engine serves a direction; NULL: the model's holds. */
static const struct declared_choice *declared_engine(const struct platform *platform, int direction)
{
	const char *name = direction_names[direction];
	for (int i = 0; i < platform->choice_count; i++) {
		const struct declared_choice *choice = &platform->choices[i];
		if (strncmp(choice->name, "engine.", strlen("engine.")) == 0 && strcmp(choice->name + strlen("engine."), name) == 0)
			return choice;
	}
	return NULL;
}

/* Whoever may change it is asked: the task set where it declares the engine, as a model that takes another's place has its own engines. */
void rules_engines(const struct validation *validation)
{
	const struct platform *platform = validation->platform;
	const struct quantity *engines = &platform->parameters[PARAMETER_COPY_ENGINES];
	for (int i = 0; i < DIRECTION_COUNT; i++)
		if (engines->present && platform->engine_of[i] >= 0 && platform->engine_of[i] >= engines->value) {
			const struct declared_choice *declared = declared_engine(platform, i);
			diagnose(validation->diagnostics, DIAGNOSTIC_ENGINE_NUMBER,
				rules_file(validation, declared != NULL ? declared->by : engines->declared_by),
				declared != NULL ? declared->line : engines->line,
				"%s is served by copy engine %d; copy.engines is %" PRId64 " and they are numbered from 0",
				direction_names[i], platform->engine_of[i], engines->value);
		}
}

/* ---- interference */

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Model and task set apart: a declared factor may stand beside the model's. */
static int compare_keys(const struct interference_entry *a, const struct interference_entry *b)
{
	int64_t keys_a[] = {a->declared_by != NULL, a->is_copy, a->victim, a->source, a->footprint, a->count};
	int64_t keys_b[] = {b->declared_by != NULL, b->is_copy, b->victim, b->source, b->footprint, b->count};
	int order = 0;
	for (size_t i = 0; order == 0 && i < sizeof keys_a / sizeof *keys_a; i++)
		order = compare_numbers(keys_a[i], keys_b[i]);
	return order;
}

static int compare_entries(const void *a, const void *b)
{
	const struct interference_entry *const *first = a, *const *second = b;
	int order = compare_keys(*first, *second);
	return order != 0 ? order : compare_numbers((*first)->line, (*second)->line);
}

static void hold_unique_factors(const struct validation *validation)
{
	const struct platform *platform = validation->platform;
	size_t count = (size_t)platform->interference_count;
	const struct interference_entry **sorted = arena_allocate(validation->diagnostics->arena, count + 1, sizeof *sorted);
	for (size_t i = 0; i < count; i++)
		sorted[i] = &platform->interference[i];
	qsort(sorted, count, sizeof *sorted, compare_entries);
	for (size_t i = 1; i < count; i++)
		if (compare_keys(sorted[i], sorted[i - 1]) == 0)
			diagnose(validation->diagnostics, DIAGNOSTIC_FACTOR_REPEATED, rules_file(validation, sorted[i]->declared_by),
				sorted[i]->line, "line %ld gives this factor of victim %s from %s already", sorted[i - 1]->line,
				sorted[i]->is_copy ? "transfer" : access_names[sorted[i]->victim], interferer_names[sorted[i]->source]);
}

/* Kernels slow kernels by where they run; copies do not run on SMs and are slowed by the execution engine as a whole. */
static bool is_senseless(const struct interference_entry *entry)
{
	bool by_place = entry->source == INTERFERER_SM || entry->source == INTERFERER_TPC || entry->source == INTERFERER_GPC ||
			entry->source == INTERFERER_OUT;
	return entry->is_copy ? by_place : entry->source == INTERFERER_EE;
}

void rules_factors(const struct validation *validation)
{
	const struct platform *platform = validation->platform;
	for (int i = 0; i < platform->interference_count; i++) {
		const struct interference_entry *entry = &platform->interference[i];
		const char *file = rules_file(validation, entry->declared_by);
		const char *victim = entry->is_copy ? "transfer" : access_names[entry->victim], *source = interferer_names[entry->source];
		if (is_senseless(entry))
			diagnose(validation->diagnostics, DIAGNOSTIC_FACTOR_SENSELESS, file, entry->line,
				"a factor of victim %s from %s is never used", victim, source);
	}
	hold_unique_factors(validation);
}
