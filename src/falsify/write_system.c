/* The model as XML. */
#include "falsify/write_system.h"

#include <inttypes.h>
#include <string.h>

static void add_attribute(struct output *output, const char *name, const char *value)
{
	output_print(output, " %s=\"", name);
	output_add_xml(output, value);
	output_add(output, "\"");
}

static void add_number(struct output *output, const char *name, int64_t value, enum unit unit)
{
	if (value != NONE)
		output_print(output, " %s=\"%" PRId64 "%s\"", name, value, units_symbol(unit));
}

/* ---- the platform */

static void add_parameters(struct output *output, const struct platform *platform)
{
	output_add(output, "  <parameters>\n");
	for (int i = 0; i < PARAMETER_COUNT; i++)
		if (platform->parameters[i].present)
			output_print(output, "    <parameter name=\"%s\" value=\"%" PRId64 "%s\" source=\"falsifier\"/>\n",
				parameter_kinds[i].name, platform->parameters[i].value, units_symbol(parameter_kinds[i].unit));
	output_add(output, "  </parameters>\n");
}

static void add_carveouts(struct output *output, const struct platform *platform)
{
	if (platform->carveout_count == 0)
		return;
	output_add(output, "  <carveouts source=\"falsifier\">");
	for (int i = 0; i < platform->carveout_count; i++)
		output_print(output, "%s%" PRId64 "B", i > 0 ? " " : "", platform->carveouts[i]);
	output_add(output, "</carveouts>\n");
}

static void add_tpc(struct output *output, const struct platform *platform, int64_t sms, int gpc, int tpc)
{
	int count = 0;
	for (int64_t i = 0; i < sms; i++)
		if (platform->sms[i].gpc == gpc && platform->sms[i].tpc == tpc)
			output_print(output, "%s%" PRId64, count++ > 0 ? " " : "<tpc>", i);
	output_add(output, count > 0 ? "</tpc>" : "");
}

static int ring_of(const struct platform *platform, int64_t sms, int gpc)
{
	for (int64_t i = 0; i < sms; i++)
		if (platform->sms[i].gpc == gpc)
			return platform->sms[i].ring;
	return NO_ID;
}

static void add_sms(struct output *output, const struct platform *platform, int64_t sms)
{
	if (platform->map_source == NULL || platform->sms == NULL)
		return;
	output_add(output, "  <sms source=\"falsifier\">\n");
	for (int gpc = 0; gpc < platform->gpc_count; gpc++) {
		int ring = ring_of(platform, sms, gpc);
		output_print(output, "    <gpc id=\"%d\"", gpc);
		add_number(output, "ring", ring == NO_ID ? NONE : ring, UNIT_COUNT);
		output_add(output, ">");
		for (int tpc = 0; tpc < sms; tpc++)
			add_tpc(output, platform, sms, gpc, tpc);
		output_add(output, "</gpc>\n");
	}
	output_add(output, "  </sms>\n");
}

static void add_order(struct output *output, const struct platform *platform, int64_t sms)
{
	if (platform->order == NULL)
		return;
	output_add(output, "  <order source=\"falsifier\">");
	for (int64_t i = 0; i < sms; i++)
		output_print(output, "%s%d", i > 0 ? " " : "", platform->order[i]);
	output_add(output, "</order>\n");
}

static void add_engines(struct output *output, const struct platform *platform)
{
	output_print(output,
		"  <engines source=\"falsifier\" copy-runlist=\"%s\" preemption=\"%s\" concurrent-kernels=\"%s\" per-sm-carveout=\"%s\">\n",
		copy_runlist_names[platform->copy_runlist], preemption_names[platform->preemption],
		ternary_names[platform->concurrent_kernels], ternary_names[platform->per_sm_carveout]);
	for (int i = 0; i < DIRECTION_COUNT; i++)
		if (platform->engine_of[i] == ENGINE_COMPUTE)
			output_print(output, "    <direction name=\"%s\" engine=\"compute\"/>\n", direction_names[i]);
		else if (platform->engine_of[i] != ENGINE_NONE)
			output_print(output, "    <direction name=\"%s\" engine=\"%d\"/>\n", direction_names[i], platform->engine_of[i]);
	output_add(output, "  </engines>\n");
}

/* What is relied on as a condition is assumed; what was taken back is broken. */
static enum assumption_status written_status(enum assumption_status status)
{
	if (status == STATUS_CONDITIONAL)
		return STATUS_ASSUMED;
	return status == STATUS_UNSTATED ? STATUS_BROKEN : status;
}

static void add_least(struct output *output, const struct least_value *least)
{
	const struct parameter_kind *kind = &parameter_kinds[least->parameter];
	output_add(output, "    <least");
	if (least->assumption != NO_ID)
		add_attribute(output, "assumption", assumption_kinds[least->assumption].id);
	output_print(output, " name=\"%s\" value=\"%" PRId64 "%s\" source=\"falsifier\"/>\n", kind->name, least->value,
		units_symbol(kind->unit));
}

static void add_assumptions(struct output *output, const struct platform *platform)
{
	int count = 0;
	for (int i = 0; i < ASSUMPTION_COUNT; i++) {
		enum assumption_status status = platform->assumptions[i].status;
		if (status == assumption_kinds[i].by_default)
			continue;
		output_print(output,
			"%s    <assumption id=\"%s\" status=\"%s\" source=\"falsifier\">As the machine behaves.</assumption>\n",
			count++ == 0 ? "  <assumptions>\n" : "", assumption_kinds[i].id, assumption_status_name(written_status(status)));
	}
	for (int i = 0; i < platform->least_count && count > 0; i++)
		add_least(output, &platform->leasts[i]);
	output_add(output, count > 0 ? "  </assumptions>\n" : "");
}

static void add_factor(struct output *output, const struct interference_entry *entry)
{
	output_print(output, "    <factor victim=\"%s\"", entry->is_copy ? "transfer" : access_names[entry->victim]);
	add_number(output, "footprint", entry->footprint, UNIT_BYTES);
	output_print(output, " from=\"%s\"", interferer_names[entry->source]);
	add_number(output, "count", entry->count, UNIT_COUNT);
	output_print(output, " value=\"%" PRId64 "/%" PRId64 "\" source=\"falsifier\"/>\n", entry->factor.num, entry->factor.den);
}

static void add_interference(struct output *output, const struct platform *platform)
{
	if (platform->interference_count == 0)
		return;
	output_print(output, "  <interference composition=\"%s\">\n", composition_names[platform->composition]);
	for (int i = 0; i < platform->interference_count; i++)
		add_factor(output, &platform->interference[i]);
	output_add(output, "  </interference>\n");
}

void write_platform(struct output *output, const struct platform *platform)
{
	int64_t sms = platform_value(platform, PARAMETER_SM_COUNT);
	sms = sms == NONE ? 0 : sms;
	output_add(output, "<platform xmlns=\"urn:gpubound:platform:1\"");
	add_attribute(output, "id", platform->id);
	add_attribute(output, "name", platform->name);
	add_attribute(output, "architecture", platform->architecture);
	output_print(output, " compute-capability=\"%d.%d\" integrated=\"%s\">\n", platform->compute_capability / 10,
		platform->compute_capability % 10, platform->integrated ? "true" : "false");
	output_add(output, "  <sources><source id=\"falsifier\" kind=\"data\">a system that the falsifier wrote down</source></sources>\n");
	add_parameters(output, platform);
	add_carveouts(output, platform);
	add_sms(output, platform, sms);
	add_order(output, platform, sms);
	if (platform->placement != PLACEMENT_UNKNOWN)
		output_print(output, "  <placement policy=\"%s\" source=\"falsifier\"/>\n", placement_names[platform->placement]);
	add_engines(output, platform);
	add_assumptions(output, platform);
	add_interference(output, platform);
	output_add(output, "</platform>\n");
}
