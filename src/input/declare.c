/* What the task set says of its platform: declared numbers and choices, assumptions it vouches for, interference. */
#include "input/reader.h"
#include "model/draft.h"

#include <stdlib.h>
#include <string.h>

#define OVERRIDES(reader, element, name)                                                                                                   \
	COMPLAIN(reader, element, DECLARATION_OVERRIDES, "the platform model states %s itself; the declaration holds", name)

static void declare_parameter(struct reader *reader, const struct xml_element *element, enum parameter parameter, struct platform *platform)
{
	struct quantity *quantity = &platform->parameters[parameter];
	if (quantity->present)
		OVERRIDES(reader, element, parameter_kinds[parameter].name);
	*quantity = (struct quantity){.source = element_get(element, "source"), .declared_by = element_get(element, "by")};
	read_parameter(reader, element, parameter, quantity);
}

/* ---- choices */

static void declare_engine(struct reader *reader, const struct xml_element *element, enum direction direction, struct platform *platform)
{
	const char *value = element_get(element, "value"), *name = element_get(element, "name");
	bool number = value[strspn(value, "0123456789")] == '\0' && strlen(value) < 4;
	if (!number && strcmp(value, "compute") != 0) {
		COMPLAIN(reader, element, DECLARATION_VALUE, "%s: expected the number of a copy engine, or compute; got \"%s\"", name,
			element_shorten(reader->arena, value, SHORT_VALUE));
		return;
	}
	if (platform->engine_of[direction] != ENGINE_NONE)
		OVERRIDES(reader, element, name);
	platform->engine_of[direction] = number ? atoi(value) : ENGINE_COMPUTE;
}

/* The choice that the value names, or `unknown`, the first of each list, after a diagnostic. */
static int declare_choice(struct reader *reader, const struct xml_element *element, const char *const *names, int now)
{
	const char *name = element_get(element, "name");
	int choice = read_choice(element, "value", names, -1);
	if (choice < 0)
		COMPLAIN(reader, element, DECLARATION_VALUE, "%s: expected %s, %s or %s; got \"%s\"", name, names[1], names[2], names[0],
			element_shorten(reader->arena, element_get(element, "value"), SHORT_VALUE));
	else if (now != 0)
		OVERRIDES(reader, element, name);
	return choice < 0 ? 0 : choice;
}

static void declare_other(struct reader *reader, const struct xml_element *element, const char *name, struct platform *platform)
{
	for (int i = 0; strncmp(name, "engine.", 7) == 0 && direction_names[i] != NULL; i++)
		if (strcmp(name + 7, direction_names[i]) == 0)
			declare_engine(reader, element, (enum direction)i, platform);
	if (strcmp(name, "copy-runlist") == 0)
		platform->copy_runlist =
			(enum copy_runlist)declare_choice(reader, element, copy_runlist_names, (int)platform->copy_runlist);
	else if (strcmp(name, "preemption") == 0)
		platform->preemption = (enum preemption)declare_choice(reader, element, preemption_names, (int)platform->preemption);
	else if (strcmp(name, "concurrent-kernels") == 0)
		platform->concurrent_kernels =
			(enum ternary)declare_choice(reader, element, ternary_names, (int)platform->concurrent_kernels);
	else if (strcmp(name, "per-sm-carveout") == 0)
		platform->per_sm_carveout = (enum ternary)declare_choice(reader, element, ternary_names, (int)platform->per_sm_carveout);
	if (platform->choice_count < CHOICE_MOST) /* each name is there once */
		platform->choices[platform->choice_count++] = (struct declared_choice){
			name, element_get(element, "value"), element_get(element, "source"), element_get(element, "by"), element->line};
}

/* What the model gives in cycles is known for its clock only: another one needs it declared, too. */
static void hold_cycles(struct reader *reader, const struct xml_element *clock, struct rational model, const struct platform *platform)
{
	struct rational declared = platform->parameters[PARAMETER_CLOCK_SM].exact;
	if (clock == NULL || rational_is_none(model) || rational_is_none(declared) || rational_compare(model, declared) == 0)
		return;
	for (int i = 0; i < PARAMETER_COUNT; i++)
		if (platform->parameters[i].in_cycles)
			COMPLAIN(reader, clock, DECLARATION_CLOCK,
				"the platform model gives %s in cycles of its own clock.sm; expected that clock, or %s declared, too",
				parameter_kinds[i].name, parameter_kinds[i].name);
}

/* In two passes: the others may be in the cycles of a clock that is declared after them. */
static void declare_values(struct reader *reader, const struct xml_element *root, struct platform *platform)
{
	struct names seen;
	struct rational model =
		platform->parameters[PARAMETER_CLOCK_SM].present ? platform->parameters[PARAMETER_CLOCK_SM].exact : RATIONAL_NONE;
	const struct xml_element *declared = NULL;
	names_init(&seen, reader->arena);
	for (int pass = 0; pass < 2; pass++) {
		for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
			if (!element_is(element, "declare") || is_of_clock(element) != (pass == 0))
				continue;
			const char *name = element_get(element, "name");
			int parameter = parameter_find(name);
			declared = pass == 0 ? element : declared;
			if (!names_add(&seen, name, 0))
				COMPLAIN(reader, element, DUPLICATE_DECLARATION, "expected one declaration of %s; got another one", name);
			else if (parameter >= 0)
				declare_parameter(reader, element, (enum parameter)parameter, platform);
			else
				declare_other(reader, element, name, platform);
		}
		const struct quantity *clock = &platform->parameters[PARAMETER_CLOCK_SM];
		reader->clock = clock->present ? clock->exact : RATIONAL_NONE;
	}
	hold_cycles(reader, declared, model, platform);
}

/* ---- assumptions, interference */

static void declare_assumption(struct reader *reader, const struct xml_element *element, struct platform *platform)
{
	const char *id = element_get(element, "id");
	struct assumption_state *state = &platform->assumptions[assumption_find(id)];
	if (state->declared_by != NULL) {
		COMPLAIN(reader, element, DUPLICATE_DECLARATION, "expected one <assume> of %s; got another one", id);
		return;
	}
	if (state->source != NULL)
		OVERRIDES(reader, element, id);
	if (state->status == STATUS_BROKEN)
		state->status = STATUS_CONDITIONAL;
	else if (state->status != STATUS_HOLDS)
		state->status = STATUS_ASSUMED;
	state->why = NULL;
	state->source = element_get(element, "source");
	state->declared_by = element_get(element, "by");
}

static bool same_case(const struct interference_entry *a, const struct interference_entry *b)
{
	return a->is_copy == b->is_copy && a->victim == b->victim && a->source == b->source && a->footprint == b->footprint &&
	       a->count == b->count;
}

/* After the entries that are there, which stay. */
static void declare_factor(struct reader *reader, const struct xml_element *element, struct platform *platform)
{
	struct interference_entry *entry = &DRAFT(platform->interference)[platform->interference_count];
	read_factor_entry(reader, element, entry);
	entry->evidence = element_get(element, "source");
	entry->declared_by = element_get(element, "by");
	for (int i = 0; i < platform->interference_count; i++) {
		const struct interference_entry *other = &platform->interference[i];
		if (!same_case(entry, other))
			continue;
		if (other->declared_by != NULL)
			COMPLAIN(reader, element, DUPLICATE_DECLARATION,
				"expected one factor for this victim, source, footprint and count; line %ld has one", other->line);
		else
			COMPLAIN(reader, element, DECLARATION_OVERRIDES,
				"the platform model has a factor for this victim and source, too; both stand");
	}
	platform->interference_count++;
}

static void declare_interference(struct reader *reader, const struct xml_element *root, struct platform *platform)
{
	int wanted = platform->interference_count + element_count(root, "interference");
	struct interference_entry *entries = arena_allocate(reader->arena, (size_t)wanted, sizeof *entries);
	if (platform->interference_count > 0)
		memcpy(entries, platform->interference, (size_t)platform->interference_count * sizeof *entries);
	platform->interference = entries;
	for (const struct xml_element *element = root->first; element != NULL; element = element->next)
		if (element_is(element, "interference"))
			declare_factor(reader, element, platform);
}

/* A declared number of SMs can not be reconciled with a map of another number. */
static void declare_sm_count(struct reader *reader, const struct xml_element *root, int64_t before, struct platform *platform)
{
	int64_t now = platform_value(platform, PARAMETER_SM_COUNT);
	if (now == before)
		return;
	if (platform->map_source != NULL || platform->order != NULL)
		COMPLAIN(reader, root, SM_MAP, "expected the sm.count of the platform's map, %lld; got another one declared",
			(long long)before);
	else
		read_sm_count(reader, root, platform);
}

void declare_all(struct reader *reader, const struct xml_element *root, struct platform *platform)
{
	int64_t sms = platform_value(platform, PARAMETER_SM_COUNT);
	declare_values(reader, root, platform);
	declare_sm_count(reader, root, sms, platform);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next)
		if (element_is(element, "assume"))
			declare_assumption(reader, element, platform);
	declare_interference(reader, root, platform);
}
