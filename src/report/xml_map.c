/* The XML report's account of the hardware's side: occupancy, hazards, interference channels, further diagnostics. */
#include "report/xml_parts.h"

#include <inttypes.h>
#include <stdio.h>

/* Eq. 1 of RTAS'20 in percent, one decimal, for a reader; `used` has it exactly. */
static const char *percent(struct rational used, char text[32])
{
	int64_t tenths = rational_floor(rational_add(rational_mul(used, rational_of(1000)), rational_make(1, 2)));
	if (checked_is_none(tenths))
		return NULL;
	snprintf(text, 32, "%" PRId64 ".%" PRId64, tenths / 10, tenths % 10);
	return text;
}

static void add_resource(struct xml *xml, int resource, const struct platform *platform, const struct occupancy *occupancy)
{
	struct rational used = occupancy_used(platform, occupancy, (enum resource)resource);
	char text[32];
	xml_begin(xml, "resource");
	xml_attribute(xml, "name", resource_names[resource]);
	xml_integer(xml, "limit", occupancy->limit[resource]);
	xml_rational(xml, "used", used);
	xml_attribute(xml, "percent", percent(used, text));
	xml_end(xml);
}

static void add_occupancy(struct xml *xml, const struct platform *platform, const struct occupancy *occupancy)
{
	bool known = !checked_is_none(occupancy->greatest);
	xml_begin(xml, "occupancy");
	xml_integer(xml, "greatest", occupancy->greatest);
	xml_integer(xml, "whole", occupancy->whole);
	xml_attribute(xml, "binding", known ? resource_names[occupancy->binding] : NULL);
	xml_integer(xml, "least", occupancy->least);
	xml_attribute(xml, "least-binding", checked_is_none(occupancy->least) ? NULL : resource_names[occupancy->least_binding]);
	xml_integer(xml, "warps", occupancy->demand.warps);
	xml_integer(xml, "warp-registers", occupancy->demand.warp_registers);
	xml_integer(xml, "shared", occupancy->demand.shared);
	xml_integer(xml, "configuration", occupancy->demand.configuration > 0 ? occupancy->demand.configuration : NONE);
	for (int i = 0; i < RESOURCE_COUNT; i++)
		add_resource(xml, i, platform, occupancy);
	xml_end(xml);
}

static void add_kernel(struct xml *xml, const struct platform *platform, const struct operation *operation, const struct kernel_map *map)
{
	const struct kernel *kernel = &operation->kernel;
	xml_begin(xml, "kernel");
	xml_attribute(xml, "operation", operation->id);
	xml_attribute(xml, "scope", scope_names[kernel->scope]);
	xml_integer(xml, "blocks", kernel->blocks);
	xml_integer(xml, "threads", kernel->threads);
	xml_integer(xml, "slots-greatest", map->slots_greatest);
	xml_integer(xml, "slots-least", map->slots_least);
	xml_integer(xml, "foreign-warps", map->foreign_warps);
	xml_boolean(xml, "mixes", map->mixes);
	xml_boolean(xml, "beside-sm", map->beside_sm);
	xml_boolean(xml, "beside-tpc", map->beside_tpc);
	xml_boolean(xml, "beside-gpc", map->beside_gpc);
	xml_boolean(xml, "beside-out", map->beside_out);
	xml_boolean(xml, "foreign-sm", map->foreign_sm);
	xml_boolean(xml, "foreign-tpc", map->foreign_tpc);
	xml_boolean(xml, "foreign-gpc", map->foreign_gpc);
	xml_boolean(xml, "foreign-out", map->foreign_out);
	if (map->sized)
		add_occupancy(xml, platform, &map->occupancy);
	xml_end(xml);
}

void xml_add_kernels(struct xml_report *x)
{
	const struct taskset *set = x->report->set;
	xml_begin(&x->xml, "kernels");
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind == OPERATION_KERNEL)
			add_kernel(&x->xml, x->report->platform, &set->operations[i], &x->report->map->kernels[i]);
	xml_end(&x->xml);
}

static void add_diagnostic(struct xml_report *x, const char *element, const struct diagnostic *item)
{
	const struct diagnostic_kind *kind = &diagnostic_kinds[item->code];
	xml_begin(&x->xml, element);
	xml_attribute(&x->xml, "code", kind->slug);
	xml_attribute(&x->xml, "level", diagnostic_level_name(kind->level));
	xml_attribute(&x->xml, "file", report_path(x->report, item->file));
	xml_integer(&x->xml, "line", item->line > 0 ? item->line : NONE);
	xml_text(&x->xml, item->text);
	xml_end(&x->xml);
}

static void add_diagnostics(struct xml_report *x, const char *element, bool hazards)
{
	const struct diagnostics *list = x->report->diagnostics;
	for (int i = 0; i < list->count; i++)
		if ((diagnostic_kinds[list->items[i].code].level == LEVEL_HAZARD) == hazards)
			add_diagnostic(x, element, &list->items[i]);
}

void xml_add_hazards(struct xml_report *x)
{
	xml_begin(&x->xml, "hazards");
	add_diagnostics(x, "hazard", true);
	xml_end(&x->xml);
}

void xml_add_diagnostics(struct xml_report *x)
{
	xml_begin(&x->xml, "diagnostics");
	xml_integer(&x->xml, "dropped", x->report->diagnostics->dropped);
	add_diagnostics(x, "diagnostic", false);
	xml_end(&x->xml);
}

static void add_channel(struct xml *xml, const struct channel *channel)
{
	xml_begin(xml, "channel");
	xml_attribute(xml, "id", channel->id);
	xml_boolean(xml, "bounded", channel->bounded);
	xml_element(xml, "what", channel->what);
	xml_element(xml, "bounded-by", channel->bounded_by);
	xml_end(xml);
}

void xml_add_channels(struct xml_report *x)
{
	xml_begin(&x->xml, "channels");
	for (int i = 0; i < x->report->channels->count; i++)
		add_channel(&x->xml, &x->report->channels->items[i]);
	xml_end(&x->xml);
}
