/* A platform model's elements to the struct. */
#include "input/reader.h"
#include "model/draft.h"

#include <stdlib.h>
#include <string.h>

/* What the parts of a model refer to by id. */
struct sources {
	struct names names;
	const struct platform_source *list;
};

static struct sources read_sources(struct reader *reader, const struct xml_element *root, struct platform *platform)
{
	const struct xml_element *list = element_child(root, "sources");
	struct sources sources;
	names_init(&sources.names, reader->arena);
	platform->sources = arena_allocate(reader->arena, (size_t)element_count(list, "source"), sizeof *platform->sources);
	for (const struct xml_element *source = list->first; source != NULL; source = source->next) {
		struct platform_source *to = &DRAFT(platform->sources)[platform->source_count];
		read_identifier(reader, source, &sources.names, platform->source_count++, "source");
		read_attributes(reader, source, ELEMENT_source, to);
		to->text = source->text;
	}
	sources.list = platform->sources;
	return sources;
}

/* The text of the source that the element names; never NULL. */
static const char *source_of(struct reader *reader, const struct xml_element *element, const struct sources *sources)
{
	int number = read_reference(reader, element, "source", &sources->names, "source");
	return number < 0 ? "unknown" : sources->list[number].text;
}

/* ---- parameters */

static void read_one_parameter(
	struct reader *reader, const struct xml_element *element, const struct sources *sources, struct platform *platform)
{
	int parameter = parameter_find(element_get(element, "name"));
	struct quantity *quantity = &platform->parameters[parameter];
	if (quantity->present) {
		COMPLAIN(reader, element, DUPLICATE_ID, "expected each parameter once; got \"%s\" again", parameter_kinds[parameter].name);
		return;
	}
	*quantity = (struct quantity){.source = source_of(reader, element, sources)};
	read_attributes(reader, element, ELEMENT_parameter, quantity);
	read_parameter(reader, element, parameter, quantity);
	quantity->in_cycles = strstr(element_get(element, "value"), "cycles") != NULL;
}

bool is_of_clock(const struct xml_element *element)
{
	return strcmp(element_get(element, "name"), parameter_kinds[PARAMETER_CLOCK_SM].name) == 0;
}

/* The clock first: the others may be in its cycles. */
static void read_parameters(struct reader *reader, const struct xml_element *root, const struct sources *sources, struct platform *platform)
{
	const struct xml_element *list = element_child(root, "parameters");
	for (int pass = 0; pass < 2; pass++) {
		for (const struct xml_element *element = list->first; element != NULL; element = element->next) {
			if (is_of_clock(element) == (pass == 0))
				read_one_parameter(reader, element, sources, platform);
		}
		if (platform->parameters[PARAMETER_CLOCK_SM].present)
			reader->clock = platform->parameters[PARAMETER_CLOCK_SM].exact;
	}
}

/* ---- shared memory, engines */

static void read_carveouts(struct reader *reader, const struct xml_element *root, const struct sources *sources, struct platform *platform)
{
	const struct xml_element *element = element_child(root, "carveouts");
	if (element == NULL)
		return;
	platform->carveout_source = source_of(reader, element, sources);
	platform->carveouts = read_list(reader, element, UNIT_BYTES, &platform->carveout_count);
	for (int i = 1; i < platform->carveout_count; i++)
		if (platform->carveouts[i] <= platform->carveouts[i - 1])
			COMPLAIN(reader, element, NOT_ASCENDING, "expected ascending sizes; got the %dth not above the one before it",
				i + 1);
}

static int read_engine(const char *text)
{
	return strcmp(text, "compute") == 0 ? ENGINE_COMPUTE : atoi(text);
}

static void read_engines(struct reader *reader, const struct xml_element *root, const struct sources *sources, struct platform *platform)
{
	for (int i = 0; i < DIRECTION_COUNT; i++)
		platform->engine_of[i] = ENGINE_NONE;
	const struct xml_element *engines = element_child(root, "engines");
	if (engines == NULL)
		return;
	platform->engine_source = source_of(reader, engines, sources);
	read_attributes(reader, engines, ELEMENT_engines, platform);
	for (const struct xml_element *element = engines->first; element != NULL; element = element->next) {
		int direction = read_choice(element, "name", direction_names, 0);
		if (platform->engine_of[direction] != ENGINE_NONE)
			COMPLAIN(reader, element, DUPLICATE_ID, "expected each direction once; got \"%s\" again",
				direction_names[direction]);
		platform->engine_of[direction] = read_engine(element_get(element, "engine"));
	}
}

static void read_placement(struct reader *reader, const struct xml_element *root, const struct sources *sources, struct platform *platform)
{
	const struct xml_element *element = element_child(root, "placement");
	if (element == NULL)
		return;
	read_attributes(reader, element, ELEMENT_placement, platform);
	platform->placement_source = source_of(reader, element, sources);
}

/* ---- assumptions */

static enum assumption_status status_of(const char *name)
{
	for (int i = 0; i <= STATUS_CONDITIONAL; i++)
		if (strcmp(assumption_status_name((enum assumption_status)i), name) == 0)
			return (enum assumption_status)i;
	return STATUS_UNSTATED;
}

/* Rounded up: the safe side of what a parameter has to cover. */
static void read_least(
	struct reader *reader, const struct xml_element *element, const struct sources *sources, struct platform *platform, int *capacity)
{
	enum parameter parameter = (enum parameter)parameter_find(element_get(element, "name"));
	const char *id = element_get(element, "assumption");
	struct least_value least = {.assumption = id == NULL ? NO_ID : assumption_find(id),
		.parameter = parameter,
		.value = read_number(reader, element, "value", parameter_kinds[parameter].unit, ROUND_UP, NONE),
		.evidence = source_of(reader, element, sources),
		.line = element->line};
	for (int i = 0; i < platform->least_count; i++)
		if (platform->leasts[i].assumption == least.assumption && platform->leasts[i].parameter == parameter)
			COMPLAIN(reader, element, DUPLICATE_ID, "expected each parameter once for %s; got \"%s\" again",
				id != NULL ? id : "all assumptions", parameter_kinds[parameter].name);
	platform->leasts = arena_grow(reader->arena, DRAFT(platform->leasts), capacity, platform->least_count + 1, sizeof least);
	DRAFT(platform->leasts)[platform->least_count++] = least;
}

static void read_assumptions(
	struct reader *reader, const struct xml_element *root, const struct sources *sources, struct platform *platform)
{
	const struct xml_element *list = element_child(root, "assumptions");
	int leasts = 0;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		platform->assumptions[i].status = assumption_kinds[i].by_default;
	for (const struct xml_element *element = list != NULL ? list->first : NULL; element != NULL; element = element->next) {
		if (element_is(element, "least")) {
			read_least(reader, element, sources, platform, &leasts);
			continue;
		}
		struct assumption_state *state = &platform->assumptions[assumption_find(element_get(element, "id"))];
		if (state->source != NULL)
			COMPLAIN(reader, element, DUPLICATE_ID, "expected each assumption once; got \"%s\" again",
				element_get(element, "id"));
		state->status = status_of(element_get(element, "status"));
		state->why = element->text;
		state->source = source_of(reader, element, sources);
	}
}

/* ---- interference */

void read_factor_entry(struct reader *reader, const struct xml_element *element, struct interference_entry *entry)
{
	entry->is_copy = strcmp(element_get(element, "victim"), "transfer") == 0;
	entry->victim = (enum access)read_choice(element, "victim", access_names, ACCESS_ANY);
	read_attributes(reader, element, ELEMENT_factor, entry);
	entry->line = element->line;
}

static void read_interference(
	struct reader *reader, const struct xml_element *root, const struct sources *sources, struct platform *platform)
{
	const struct xml_element *list = element_child(root, "interference");
	if (list == NULL)
		return;
	read_attributes(reader, list, ELEMENT_interference, platform);
	platform->interference = arena_allocate(reader->arena, (size_t)element_count(list, "factor"), sizeof *platform->interference);
	for (const struct xml_element *element = list->first; element != NULL; element = element->next) {
		struct interference_entry *entry = &DRAFT(platform->interference)[platform->interference_count++];
		read_factor_entry(reader, element, entry);
		entry->evidence = source_of(reader, element, sources);
	}
}

/* ---- pipelines, divergence */

static void read_pipelines(struct reader *reader, const struct xml_element *root, const struct sources *sources, struct platform *platform)
{
	const struct xml_element *list = element_child(root, "pipelines");
	if (list == NULL)
		return;
	const char *source = source_of(reader, list, sources);
	struct names classes;
	names_init(&classes, reader->arena);
	platform->pipelines = arena_allocate(reader->arena, (size_t)element_count(list, "pipeline"), sizeof *platform->pipelines);
	for (const struct xml_element *element = list->first; element != NULL; element = element->next) {
		if (!names_add(&classes, element_get(element, "class"), platform->pipeline_count))
			COMPLAIN(
				reader, element, DUPLICATE_ID, "expected each class once; got \"%s\" again", element_get(element, "class"));
		struct warp_pipeline *pipeline = &DRAFT(platform->pipelines)[platform->pipeline_count++];
		read_attributes(reader, element, ELEMENT_pipeline, pipeline);
		bool lanes = pipeline->lanes != NONE && pipeline->group != NULL;
		if (lanes == (pipeline->occupancy != NONE) || (!lanes && (pipeline->lanes != NONE || pipeline->group != NULL)))
			COMPLAIN(reader, element, SCHEMA_VIOLATION, "<pipeline>: expected group and lanes, or occupancy in their place");
		pipeline->source = source;
	}
}

static void read_divergence(struct reader *reader, const struct xml_element *root, const struct sources *sources, struct platform *platform)
{
	const struct xml_element *element = element_child(root, "divergence");
	platform->divergence = (struct divergence_cost){NONE, NONE, NONE, NONE, NULL};
	if (element == NULL)
		return;
	read_attributes(reader, element, ELEMENT_divergence, &platform->divergence);
	platform->divergence.source = source_of(reader, element, sources);
}

/* "7.2" is 72. */
static int read_capability(const char *text)
{
	return 10 * atoi(text) + atoi(strchr(text, '.') + 1);
}

struct platform *read_platform(struct reader *reader, const struct xml_element *root)
{
	struct platform *platform = arena_allocate(reader->arena, 1, sizeof *platform);
	struct sources sources = read_sources(reader, root, platform);
	read_attributes(reader, root, ELEMENT_platform, platform);
	platform->compute_capability = read_capability(element_get(root, "compute-capability"));
	platform->integrated = read_flag(root, "integrated");
	read_parameters(reader, root, &sources, platform);
	read_carveouts(reader, root, &sources, platform);
	read_sms(reader, root, platform);
	platform->map_source = element_child(root, "sms") != NULL ? source_of(reader, element_child(root, "sms"), &sources) : NULL;
	platform->order_source = element_child(root, "order") != NULL ? source_of(reader, element_child(root, "order"), &sources) : NULL;
	read_placement(reader, root, &sources, platform);
	read_engines(reader, root, &sources, platform);
	read_assumptions(reader, root, &sources, platform);
	read_interference(reader, root, &sources, platform);
	read_pipelines(reader, root, &sources, platform);
	read_divergence(reader, root, &sources, platform);
	return platform;
}
