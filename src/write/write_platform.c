/* The platform model. */
#include "write/write.h"

#include <inttypes.h>
#include <string.h>

struct platform_writer {
	struct xml xml; /* of the body: the sources stand before it */
	struct arena *arena;
	const struct platform *platform;
	struct platform_source *sources; /* the model's, and those of what a task set declared */
	int source_count, source_capacity;
};

static void add_source(struct platform_writer *w, struct platform_source source)
{
	w->sources = arena_grow(w->arena, w->sources, &w->source_capacity, w->source_count + 1, sizeof source);
	w->sources[w->source_count++] = source;
}

static void cite(struct platform_writer *w, const char *text)
{
	int i = 0;
	text = text != NULL ? text : "no source is given";
	while (i < w->source_count && strcmp(w->sources[i].text, text) != 0)
		i++;
	if (i == w->source_count)
		add_source(w, (struct platform_source){arena_format(w->arena, "source-%d", i + 1), "data", text});
	xml_attribute(&w->xml, "source", w->sources[i].id);
}

static void add_item(struct platform_writer *w, int64_t number, const char *unit, bool first)
{
	xml_text(&w->xml, arena_format(w->arena, "%s%" PRId64 "%s", first ? "" : " ", number, unit));
}

/* ---- parameters */

static void add_parameters(struct platform_writer *w)
{
	xml_begin(&w->xml, "parameters");
	for (int i = 0; i < PARAMETER_COUNT; i++) {
		const struct quantity *quantity = &w->platform->parameters[i];
		if (!quantity->present)
			continue;
		xml_begin(&w->xml, "parameter");
		xml_attribute(&w->xml, "name", parameter_kinds[i].name);
		write_number(&w->xml, "value", quantity->value, parameter_kinds[i].unit);
		write_attributes(&w->xml, ELEMENT_parameter, quantity);
		cite(w, quantity->source);
		xml_end(&w->xml);
	}
	xml_end(&w->xml);
}

static void add_carveouts(struct platform_writer *w)
{
	if (w->platform->carveout_count == 0)
		return;
	xml_begin(&w->xml, "carveouts");
	cite(w, w->platform->carveout_source);
	for (int i = 0; i < w->platform->carveout_count; i++)
		add_item(w, w->platform->carveouts[i], "B", i == 0);
	xml_end(&w->xml);
}

/* ---- the SMs */

static void add_tpc(struct platform_writer *w, int64_t first, int64_t sms)
{
	const struct sm_position *at = w->platform->sms;
	xml_begin(&w->xml, "tpc");
	for (int64_t i = first; i < sms; i++)
		if (at[i].gpc == at[first].gpc && at[i].tpc == at[first].tpc)
			add_item(w, i, "", i == first);
	xml_end(&w->xml);
}

static void add_gpc(struct platform_writer *w, int gpc, int64_t sms)
{
	const struct sm_position *at = w->platform->sms;
	int tpcs = 0;
	for (int64_t i = 0; i < sms; i++) {
		bool first = at[i].gpc == gpc;
		for (int64_t before = 0; before < i && first; before++)
			first = at[before].gpc != gpc || at[before].tpc != at[i].tpc;
		if (first && tpcs == 0) {
			xml_begin(&w->xml, "gpc");
			xml_integer(&w->xml, "id", gpc);
			xml_integer(&w->xml, "ring", at[i].ring == NO_ID ? NONE : at[i].ring);
		}
		if (first)
			add_tpc(w, i, sms);
		tpcs += first;
	}
	xml_end(&w->xml);
}

static void add_sms(struct platform_writer *w)
{
	const struct platform *platform = w->platform;
	int64_t sms = platform_value(platform, PARAMETER_SM_COUNT);
	if (platform->map_source != NULL && platform->sms != NULL) {
		xml_begin(&w->xml, "sms");
		cite(w, platform->map_source);
		for (int gpc = 0; gpc < platform->gpc_count; gpc++)
			add_gpc(w, gpc, sms);
		xml_end(&w->xml);
	}
	if (platform->order != NULL) {
		xml_begin(&w->xml, "order");
		cite(w, platform->order_source);
		for (int64_t i = 0; i < sms; i++)
			add_item(w, platform->order[i], "", i == 0);
		xml_end(&w->xml);
	}
	if (platform->placement != PLACEMENT_UNKNOWN) {
		xml_begin(&w->xml, "placement");
		write_attributes(&w->xml, ELEMENT_placement, platform);
		cite(w, platform->placement_source);
		xml_end(&w->xml);
	}
}

static void add_engines(struct platform_writer *w)
{
	const struct platform *platform = w->platform;
	if (platform->engine_source == NULL && platform->choice_count == 0)
		return;
	xml_begin(&w->xml, "engines");
	write_attributes(&w->xml, ELEMENT_engines, platform);
	cite(w, platform->engine_source);
	for (int i = 0; i < DIRECTION_COUNT; i++) {
		int engine = platform->engine_of[i];
		if (engine == ENGINE_NONE)
			continue;
		xml_begin(&w->xml, "direction");
		xml_attribute(&w->xml, "name", direction_names[i]);
		xml_attribute(&w->xml, "engine", engine == ENGINE_COMPUTE ? "compute" : arena_format(w->arena, "%d", engine));
		xml_end(&w->xml);
	}
	xml_end(&w->xml);
}

/* ---- assumptions */

/* What is relied on as a condition is assumed; what was taken back is broken. */
static enum assumption_status written_status(enum assumption_status status)
{
	if (status == STATUS_CONDITIONAL)
		return STATUS_ASSUMED;
	return status == STATUS_UNSTATED ? STATUS_BROKEN : status;
}

static bool is_stated(const struct platform *platform, int assumption)
{
	const struct assumption_state *state = &platform->assumptions[assumption];
	return state->source != NULL || state->status != assumption_kinds[assumption].by_default;
}

static void add_assumption(struct platform_writer *w, int index)
{
	const struct assumption_state *state = &w->platform->assumptions[index];
	xml_begin(&w->xml, "assumption");
	xml_attribute(&w->xml, "id", assumption_kinds[index].id);
	xml_attribute(&w->xml, "status", assumption_status_name(written_status(state->status)));
	cite(w, state->source);
	xml_text(&w->xml, state->why != NULL ? state->why : "As its source says.");
	xml_end(&w->xml);
}

static void add_least(struct platform_writer *w, const struct least_value *least)
{
	xml_begin(&w->xml, "least");
	xml_attribute(&w->xml, "assumption", least->assumption == NO_ID ? NULL : assumption_kinds[least->assumption].id);
	xml_attribute(&w->xml, "name", parameter_kinds[least->parameter].name);
	write_number(&w->xml, "value", least->value, parameter_kinds[least->parameter].unit);
	cite(w, least->evidence);
	xml_end(&w->xml);
}

static void add_assumptions(struct platform_writer *w)
{
	int count = 0;
	for (int i = 0; i < ASSUMPTION_COUNT; i++) {
		if (!is_stated(w->platform, i))
			continue;
		if (count++ == 0)
			xml_begin(&w->xml, "assumptions");
		add_assumption(w, i);
	}
	for (int i = 0; i < w->platform->least_count && count > 0; i++)
		add_least(w, &w->platform->leasts[i]);
	if (count > 0)
		xml_end(&w->xml);
}

/* ---- interference, pipelines */

static void add_interference(struct platform_writer *w)
{
	if (w->platform->interference_count == 0)
		return;
	xml_begin(&w->xml, "interference");
	write_attributes(&w->xml, ELEMENT_interference, w->platform);
	for (int i = 0; i < w->platform->interference_count; i++) {
		const struct interference_entry *entry = &w->platform->interference[i];
		xml_begin(&w->xml, "factor");
		xml_attribute(&w->xml, "victim", entry->is_copy ? "transfer" : access_names[entry->victim]);
		write_attributes(&w->xml, ELEMENT_factor, entry);
		cite(w, entry->evidence);
		xml_end(&w->xml);
	}
	xml_end(&w->xml);
}

static void add_pipelines(struct platform_writer *w)
{
	const struct platform *platform = w->platform;
	if (platform->pipeline_count > 0) {
		xml_begin(&w->xml, "pipelines");
		cite(w, platform->pipelines[0].source);
		for (int i = 0; i < platform->pipeline_count; i++)
			write_element(&w->xml, "pipeline", ELEMENT_pipeline, &platform->pipelines[i]);
		xml_end(&w->xml);
	}
	if (platform->divergence.source != NULL) {
		xml_begin(&w->xml, "divergence");
		write_attributes(&w->xml, ELEMENT_divergence, &platform->divergence);
		cite(w, platform->divergence.source);
		xml_end(&w->xml);
	}
}

/* ---- the whole */

static void add_head(struct platform_writer *w, struct xml *xml, const char *const *notes)
{
	const struct platform *platform = w->platform;
	xml_begin(xml, "platform");
	xml_attribute(xml, "xmlns", "urn:gpubound:platform:1");
	write_attributes(xml, ELEMENT_platform, platform);
	xml_attribute(xml, "compute-capability",
		arena_format(w->arena, "%d.%d", platform->compute_capability / 10, platform->compute_capability % 10));
	xml_boolean(xml, "integrated", platform->integrated);
	for (; notes != NULL && *notes != NULL; notes++)
		xml_comment(xml, *notes);
	xml_begin(xml, "sources");
	for (int i = 0; i < w->source_count; i++) {
		xml_begin(xml, "source");
		write_attributes(xml, ELEMENT_source, &w->sources[i]);
		xml_text(xml, w->sources[i].text);
		xml_end(xml);
	}
	xml_end(xml);
}

void write_platform(struct output *output, const struct platform *platform, const char *const *notes)
{
	static void (*const parts[])(struct platform_writer *) = {
		add_parameters, add_carveouts, add_sms, add_engines, add_assumptions, add_interference, add_pipelines};
	struct output body = {0};
	struct platform_writer w = {
		.xml = {.output = &body, .open = {"platform"}, .depth = 1}, .arena = arena_create(), .platform = platform};
	struct xml xml;
	for (int i = 0; i < platform->source_count; i++)
		add_source(&w, platform->sources[i]);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		parts[i](&w);
	xml_start(&xml, output);
	add_head(&w, &xml, notes);
	output_add(output, body.text);
	xml_end(&xml);
	output_add(output, "\n");
	output_finish(&body);
	arena_destroy(w.arena);
}
