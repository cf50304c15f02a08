/* The model as XML, the base's numbers with the base's sources. */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>
#include <string.h>

struct writer {
	const struct calibration *calibration;
	struct output *output;
	const char **sources; /* texts; the id of one is its number */
	int source_count, source_capacity;
};

static void add_source(struct writer *w, const char *text)
{
	for (int i = 0; text != NULL && i < w->source_count; i++)
		if (strcmp(w->sources[i], text) == 0)
			return;
	if (text == NULL)
		return;
	w->sources = arena_grow(w->calibration->arena, w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
	w->sources[w->source_count++] = text;
}

static const struct recording *recording_of(const struct calibration *c, const char *source)
{
	for (int i = 0; i < c->recording_count; i++)
		if (strcmp(c->recordings[i]->source, source) == 0)
			return c->recordings[i];
	return NULL;
}

/* "map-2": what it is of, and its place in the list. */
static const char *source_id(const struct writer *w, const char *text)
{
	int i = 0;
	while (i < w->source_count && strcmp(w->sources[i], text) != 0)
		i++;
	const struct recording *r = recording_of(w->calibration, text);
	return arena_format(w->calibration->arena, "%s-%d", r != NULL ? r->measurement : "base", i + 1);
}

static void attribute(struct output *output, const char *name, const char *value)
{
	output_print(output, " %s=\"", name);
	output_add_xml(output, value);
	output_add(output, "\"");
}

static void source(struct writer *w, const char *text)
{
	attribute(w->output, "source", source_id(w, text));
}

static void collect_sources(struct writer *w)
{
	const struct calibration *c = w->calibration;
	const struct platform *platform = c->platform;
	for (int i = 0; i < c->recording_count; i++)
		if (calibrate_reads(c->recordings[i]->measurement))
			add_source(w, c->recordings[i]->source);
	for (int i = 0; i < PARAMETER_COUNT; i++)
		if (platform->parameters[i].present)
			add_source(w, platform->parameters[i].source);
	add_source(w, platform->carveout_count > 0 ? platform->carveout_source : NULL);
	add_source(w, platform->placement != PLACEMENT_UNKNOWN ? platform->placement_source : NULL);
	add_source(w, platform->engine_source);
}

static void write_sources(struct writer *w)
{
	output_add(w->output, "\t<sources>\n");
	for (int i = 0; i < w->source_count; i++) {
		bool own = recording_of(w->calibration, w->sources[i]) != NULL;
		output_print(w->output, "\t\t<source id=\"%s\" kind=\"%s\">", source_id(w, w->sources[i]), own ? "measurement" : "data");
		if (!own)
			output_print(w->output, "from the model %s: ", w->calibration->options->base->id);
		output_add_xml(w->output, w->sources[i]);
		output_add(w->output, "</source>\n");
	}
	output_add(w->output, "\t</sources>\n");
}

static void write_value(struct output *output, enum parameter parameter, int64_t value)
{
	const char *unit = units_symbol(parameter_kinds[parameter].unit);
	bool kib = parameter_kinds[parameter].unit == UNIT_BYTES && value % 1024 == 0 && value > 0;
	output_print(output, " value=\"%" PRId64 "%s\"", kib ? value / 1024 : value, kib ? "KiB" : unit);
}

static void write_parameters(struct writer *w)
{
	output_add(w->output, "\t<parameters>\n");
	for (int i = 0; i < PARAMETER_COUNT; i++) {
		const struct quantity *quantity = &w->calibration->platform->parameters[i];
		if (!quantity->present)
			continue;
		output_print(w->output, "\t\t<parameter name=\"%s\"", parameter_kinds[i].name);
		write_value(w->output, (enum parameter)i, quantity->value);
		source(w, quantity->source);
		if (quantity->note != NULL)
			attribute(w->output, "note", quantity->note);
		output_add(w->output, "/>\n");
	}
	output_add(w->output, "\t</parameters>\n");
}

static void write_carveouts(struct writer *w)
{
	const struct platform *platform = w->calibration->platform;
	if (platform->carveout_count == 0)
		return;
	output_add(w->output, "\t<carveouts");
	source(w, platform->carveout_source);
	output_add(w->output, ">");
	for (int i = 0; i < platform->carveout_count; i++)
		output_print(w->output, "%s%" PRId64 "B", i > 0 ? " " : "", platform->carveouts[i]);
	output_add(w->output, "</carveouts>\n");
}

static void write_tpc(struct writer *w, int first)
{
	const struct sm_position *sms = w->calibration->platform->sms;
	int64_t count = platform_value(w->calibration->platform, PARAMETER_SM_COUNT);
	output_print(w->output, "<tpc>%d", first);
	for (int sm = first + 1; sm < count; sm++)
		if (sms[sm].gpc == sms[first].gpc && sms[sm].tpc == sms[first].tpc)
			output_print(w->output, " %d", sm);
	output_add(w->output, "</tpc>");
}

static void write_gpc(struct writer *w, int gpc)
{
	const struct sm_position *sms = w->calibration->platform->sms;
	int64_t count = platform_value(w->calibration->platform, PARAMETER_SM_COUNT);
	int ring = NO_ID;
	for (int sm = 0; sm < count; sm++)
		ring = sms[sm].gpc == gpc ? sms[sm].ring : ring;
	output_print(w->output, "\t\t<gpc id=\"%d\"", gpc);
	if (ring != NO_ID)
		output_print(w->output, " ring=\"%d\"", ring);
	output_add(w->output, ">");
	for (int sm = 0; sm < count; sm++) {
		bool first = sms[sm].gpc == gpc;
		for (int before = 0; first && before < sm; before++)
			first = sms[before].gpc != gpc || sms[before].tpc != sms[sm].tpc;
		if (first)
			write_tpc(w, sm);
	}
	output_add(w->output, "</gpc>\n");
}

static void write_map(struct writer *w)
{
	const struct platform *platform = w->calibration->platform;
	if (platform->map_source != NULL) {
		output_add(w->output, "\t<sms");
		source(w, platform->map_source);
		output_add(w->output, ">\n");
		for (int gpc = 0; gpc < platform->gpc_count; gpc++)
			write_gpc(w, gpc);
		output_add(w->output, "\t</sms>\n");
	}
	if (platform->order != NULL) {
		output_add(w->output, "\t<order");
		source(w, platform->order_source);
		output_add(w->output, ">");
		for (int64_t i = 0; i < platform_value(platform, PARAMETER_SM_COUNT); i++)
			output_print(w->output, "%s%d", i > 0 ? " " : "", platform->order[i]);
		output_add(w->output, "</order>\n");
	}
	if (platform->placement != PLACEMENT_UNKNOWN) {
		output_print(w->output, "\t<placement policy=\"%s\"", placement_names[platform->placement]);
		source(w, platform->placement_source);
		output_add(w->output, "/>\n");
	}
}

static void write_engines(struct writer *w)
{
	const struct platform *platform = w->calibration->platform;
	if (platform->engine_source == NULL)
		return;
	output_add(w->output, "\t<engines");
	source(w, platform->engine_source);
	output_print(w->output, " concurrent-kernels=\"%s\" per-sm-carveout=\"%s\">\n", ternary_names[platform->concurrent_kernels],
		ternary_names[platform->per_sm_carveout]);
	for (int d = 0; d < DIRECTION_COUNT; d++)
		if (platform->engine_of[d] == ENGINE_COMPUTE)
			output_print(w->output, "\t\t<direction name=\"%s\" engine=\"compute\"/>\n", direction_names[d]);
	output_add(w->output, "\t</engines>\n");
}

/* ---- the register of assumptions */

static void write_finding(struct writer *w, enum assumption assumption)
{
	const struct finding *f = &w->calibration->findings[assumption];
	const struct calibrate_options *options = w->calibration->options;
	output_print(w->output, "\t\t<assumption id=\"%s\" status=\"%s\"", assumption_kinds[assumption].id,
		f->broken > 0 ? "broken" : "assumed");
	source(w, f->recording->source);
	output_add(w->output, ">");
	if (f->broken == 0)
		output_print(w->output, "Held in %" PRId64 " of %" PRId64 " tries", f->tries, f->tries);
	else
		output_print(w->output, "Broken in %" PRId64 " of %" PRId64 " tries", f->broken, f->tries);
	if (f->longest > 0)
		output_print(w->output, ", by up to %" PRId64 " ns", f->longest);
	if (f->breakers != NULL) {
		output_add(w->output, ": ");
		output_add_xml(w->output, f->breakers);
		if (f->breaker_count > 3)
			output_print(w->output, " and others");
	}
	if (options->least_warps > 0)
		output_print(w->output, "; looked for only where every block has at least %" PRId64 " warps: it is said of no others",
			options->least_warps);
	output_add(w->output, ".</assumption>\n");
}

static void write_assumptions(struct writer *w)
{
	int tested = 0;
	struct output untested = {0};
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (w->calibration->findings[i].recording != NULL)
			tested++;
		else
			output_print(&untested, "%s%s", untested.length > 0 ? ", " : "", assumption_kinds[i].id);
	if (tested > 0)
		output_add(w->output, "\t<assumptions>\n");
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (w->calibration->findings[i].recording != NULL)
			write_finding(w, (enum assumption)i);
	if (untested.length > 0)
		output_print(w->output, "%s<!-- not tested, so that the register's defaults hold: %s -->\n", tested > 0 ? "\t\t" : "\t",
			untested.text);
	if (tested > 0)
		output_add(w->output, "\t</assumptions>\n");
	output_finish(&untested);
}

/* ---- interference */

static void write_footprint(struct output *output, int64_t bytes)
{
	bool mib = bytes % (1024 * 1024) == 0, kib = bytes % 1024 == 0;
	output_print(output, " footprint=\"%" PRId64 "%s\"",
		mib   ? bytes / 1024 / 1024
		: kib ? bytes / 1024
		      : bytes,
		mib   ? "MiB"
		: kib ? "KiB"
		      : "B");
}

static void write_interference(struct writer *w)
{
	const struct platform *platform = w->calibration->platform;
	if (platform->interference_count == 0)
		return;
	output_print(w->output, "\t<interference composition=\"%s\">\n", composition_names[platform->composition]);
	for (int i = 0; i < platform->interference_count; i++) {
		const struct interference_entry *e = &platform->interference[i];
		int64_t hundredths = rational_ceil(rational_mul(e->factor, rational_of(100)));
		output_print(w->output, "\t\t<factor victim=\"%s\"", e->is_copy ? "transfer" : access_names[e->victim]);
		write_footprint(w->output, e->footprint);
		output_print(w->output, " from=\"%s\" count=\"%" PRId64 "\" value=\"%" PRId64 ".%02" PRId64 "\"",
			interferer_names[e->source], e->count, hundredths / 100, hundredths % 100);
		source(w, e->evidence);
		output_add(w->output, "/>\n");
	}
	output_add(w->output, "\t</interference>\n");
}

void calibrate_write(const struct calibration *c, struct output *output)
{
	struct writer w = {.calibration = c, .output = output};
	const struct platform *platform = c->platform;
	collect_sources(&w);
	output_add(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<platform "
			   "xmlns=\"urn:gpubound:platform:1\"");
	attribute(output, "id", platform->id);
	attribute(output, "name", platform->name);
	attribute(output, "architecture", platform->architecture);
	output_print(output, " compute-capability=\"%d.%d\" integrated=\"%s\">\n", platform->compute_capability / 10,
		platform->compute_capability % 10, platform->integrated ? "true" : "false");
	output_add(output, "\t<!-- Written by gpubound calibrate. What was measured "
			   "on one chip is no proof of a worst case, nor true of "
			   "another chip. -->\n");
	if (c->map_note != NULL)
		output_print(output, "\t<!-- %s -->\n", c->map_note);
	if (c->order_note != NULL)
		output_print(output, "\t<!-- %s -->\n", c->order_note);
	write_sources(&w);
	write_parameters(&w);
	write_carveouts(&w);
	write_map(&w);
	write_engines(&w);
	write_assumptions(&w);
	write_interference(&w);
	output_add(output, "</platform>\n");
}
