/* A platform model to rows. */
#include "cli/model_rows.h"

#include "base/duration_text.h"

#include <inttypes.h>

static struct model_row *add(struct model_rows *rows, const char *kind, const char *name, const char *value, const char *source)
{
	rows->items = arena_grow(rows->arena, rows->items, &rows->capacity, rows->count + 1, sizeof *rows->items);
	struct model_row *row = &rows->items[rows->count++];
	*row = (struct model_row){.kind = kind, .name = name, .value = value, .unit = "", .shown = value, .source = source};
	return row;
}

static const char *integer(struct arena *arena, int64_t value)
{
	return arena_format(arena, "%" PRId64, value);
}

/* Exact: the largest binary unit that divides it. */
static const char *size_text(struct arena *arena, int64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
	int unit = 0;
	while (unit < 3 && bytes != 0 && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	return arena_format(arena, "%" PRId64 " %s", bytes, units[unit]);
}

static const char *shown(struct arena *arena, enum unit unit, int64_t value)
{
	char text[DURATION_TEXT];
	if (unit == UNIT_BYTES)
		return size_text(arena, value);
	if (unit == UNIT_TIME)
		return arena_copy(arena, duration_text(value, ROUND_NEVER, text));
	return arena_format(arena, "%" PRId64 "%s%s", value, *units_symbol(unit) != '\0' ? " " : "", units_symbol(unit));
}

static const char *ratio(struct arena *arena, struct rational factor)
{
	if (factor.den == 1)
		return integer(arena, factor.num);
	if (100 % factor.den == 0) /* two decimals are exact */
		return arena_format(arena, "%" PRId64 ".%02" PRId64, factor.num / factor.den, factor.num % factor.den * (100 / factor.den));
	return arena_format(arena, "%" PRId64 "/%" PRId64, factor.num, factor.den);
}

static const char *list(struct arena *arena, const char *text, int64_t value)
{
	return arena_format(arena, "%s%s%" PRId64, text, *text != '\0' ? " " : "", value);
}

/* ---- the sections */

static void add_parameters(struct model_rows *rows, const struct platform *platform)
{
	for (int i = 0; i < PARAMETER_COUNT; i++) {
		const struct quantity *quantity = &platform->parameters[i];
		if (!quantity->present)
			continue;
		enum unit unit = parameter_kinds[i].unit;
		struct model_row *row =
			add(rows, "parameter", parameter_kinds[i].name, integer(rows->arena, quantity->value), quantity->source);
		row->unit = units_symbol(unit);
		row->shown = shown(rows->arena, unit, quantity->value);
		row->note = quantity->note;
	}
}

static void add_carveouts(struct model_rows *rows, const struct platform *platform)
{
	for (int i = 0; i < platform->carveout_count; i++) {
		struct model_row *row = add(rows, "carveout", arena_format(rows->arena, "%d", i),
			integer(rows->arena, platform->carveouts[i]), platform->carveout_source);
		row->unit = "B";
		row->shown = size_text(rows->arena, platform->carveouts[i]);
	}
}

static void add_gpcs(struct model_rows *rows, const struct platform *platform)
{
	int sms = platform->map_source != NULL ? (int)platform_value(platform, PARAMETER_SM_COUNT) : 0;
	for (int gpc = 0; gpc < platform->gpc_count; gpc++) {
		const char *text = "";
		int ring = NO_ID;
		for (int s = 0; s < sms; s++)
			if (platform->sms[s].gpc == gpc) {
				text = list(rows->arena, text, s);
				ring = platform->sms[s].ring;
			}
		struct model_row *row = add(rows, "gpc", arena_format(rows->arena, "%d", gpc), text, platform->map_source);
		if (ring != NO_ID)
			row->note = arena_format(rows->arena, "ring %d", ring);
	}
}

static void add_placement(struct model_rows *rows, const struct platform *platform)
{
	if (platform->placement_source != NULL)
		add(rows, "placement", "policy", placement_names[platform->placement], platform->placement_source);
	if (platform->order == NULL)
		return;
	const char *text = "";
	for (int i = 0; i < (int)platform_value(platform, PARAMETER_SM_COUNT); i++)
		text = list(rows->arena, text, platform->order[i]);
	add(rows, "placement", "order", text, platform->order_source);
}

static const char *engine_text(struct arena *arena, int engine)
{
	return engine == ENGINE_COMPUTE ? "compute" : integer(arena, engine);
}

static void add_engines(struct model_rows *rows, const struct platform *platform)
{
	const char *source = platform->engine_source;
	if (source == NULL)
		return;
	add(rows, "engines", "copy-runlist", copy_runlist_names[platform->copy_runlist], source);
	add(rows, "engines", "preemption", preemption_names[platform->preemption], source);
	add(rows, "engines", "concurrent-kernels", ternary_names[platform->concurrent_kernels], source);
	add(rows, "engines", "per-sm-carveout", ternary_names[platform->per_sm_carveout], source);
	for (int i = 0; i < DIRECTION_COUNT; i++)
		if (platform->engine_of[i] != ENGINE_NONE)
			add(rows, "engines", arena_format(rows->arena, "engine.%s", direction_names[i]),
				engine_text(rows->arena, platform->engine_of[i]), source);
}

static void add_assumptions(struct model_rows *rows, const struct platform *platform)
{
	for (int i = 0; i < ASSUMPTION_COUNT; i++) {
		const struct assumption_state *state = &platform->assumptions[i];
		struct model_row *row = add(rows, "assumption", assumption_kinds[i].id, assumption_status_name(state->status), NULL);
		const char *evidence = assumption_evidence(rows->arena, state);
		row->note = evidence != NULL ? evidence : "The model says nothing; the register's default.";
	}
}

static void add_leasts(struct model_rows *rows, const struct platform *platform)
{
	for (int i = 0; i < platform->least_count; i++) {
		const struct least_value *least = &platform->leasts[i];
		enum unit unit = parameter_kinds[least->parameter].unit;
		struct model_row *row =
			add(rows, "least", parameter_kinds[least->parameter].name, integer(rows->arena, least->value), least->evidence);
		row->unit = units_symbol(unit);
		row->shown = shown(rows->arena, unit, least->value);
		if (least->assumption != NO_ID)
			row->note = arena_format(rows->arena, "where %s is relied on", assumption_kinds[least->assumption].id);
	}
}

static const char *factor_name(struct arena *arena, const struct interference_entry *entry)
{
	const char *name = entry->is_copy ? "transfer" : access_names[entry->victim];
	if (entry->footprint != NONE)
		name = arena_format(arena, "%s, %s", name, size_text(arena, entry->footprint));
	name = arena_format(arena, "%s, from %s", name, interferer_names[entry->source]);
	return entry->count != NONE ? arena_format(arena, "%s x%" PRId64, name, entry->count) : name;
}

static void add_interference(struct model_rows *rows, const struct platform *platform)
{
	if (platform->interference_count > 0)
		add(rows, "interference", "composition", composition_names[platform->composition], NULL);
	for (int i = 0; i < platform->interference_count; i++) {
		const struct interference_entry *entry = &platform->interference[i];
		add(rows, "interference", factor_name(rows->arena, entry), ratio(rows->arena, entry->factor), entry->evidence);
	}
}

static void add_cycles(struct model_rows *rows, const char *kind, const char *name, int64_t value, const char *source)
{
	struct model_row *row = add(rows, kind, name, integer(rows->arena, value), source);
	row->unit = "cycles";
	row->shown = arena_format(rows->arena, "%s cycles", row->value);
}

static void add_program_costs(struct model_rows *rows, const struct platform *platform)
{
	for (int i = 0; i < platform->pipeline_count; i++) {
		const struct warp_pipeline *p = &platform->pipelines[i];
		if (p->occupancy != NONE)
			add_cycles(rows, "pipeline", arena_format(rows->arena, "%s occupancy", p->class), p->occupancy, p->source);
		else
			add(rows, "pipeline", arena_format(rows->arena, "%s lanes", p->class), integer(rows->arena, p->lanes), p->source)
				->note = arena_format(rows->arena, "unit group %s", p->group);
		add_cycles(rows, "pipeline", arena_format(rows->arena, "%s latency", p->class), p->latency, p->source);
	}
	const struct divergence_cost *cost = &platform->divergence;
	if (cost->source == NULL)
		return;
	add(rows, "divergence", "depth", integer(rows->arena, cost->depth), cost->source);
	add(rows, "divergence", "entries-a-spill", integer(rows->arena, cost->entries_a_spill), cost->source);
	add_cycles(rows, "divergence", "cycles-a-divergence", cost->cycles_a_divergence, cost->source);
	add_cycles(rows, "divergence", "cycles-a-spill", cost->cycles_a_spill, cost->source);
}

struct model_rows *model_rows_collect(struct arena *arena, const struct platform *platform)
{
	struct model_rows *rows = arena_allocate(arena, 1, sizeof *rows);
	rows->arena = arena;
	add_parameters(rows, platform);
	add_carveouts(rows, platform);
	add_gpcs(rows, platform);
	add_placement(rows, platform);
	add_engines(rows, platform);
	add_assumptions(rows, platform);
	add_leasts(rows, platform);
	add_interference(rows, platform);
	add_program_costs(rows, platform);
	for (struct model_need *need = model_needs(arena, platform); need->purpose != NULL; need++)
		if (*need->names != '\0')
			add(rows, "missing", need->purpose, need->names, NULL);
	return rows;
}
