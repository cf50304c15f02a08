/* Limits: what the driver answers, and what was measured of it. */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>
#include <string.h>

/* The clock that was measured, where it is not the one that the driver answers:
 * that one is the greatest. */
static void compare_clock(struct calibration *c, const struct recording *r, int64_t measured)
{
	int64_t said = platform_value(c->platform, PARAMETER_CLOCK_SM);
	if (said == NONE || checked_mul(100, checked_max(measured, said) - checked_min(measured, said)) > said)
		c->platform->parameters[PARAMETER_CLOCK_SM] = (struct quantity){.present = true,
			.value = measured,
			.exact = rational_of(measured),
			.source = r->source,
			.note = "measured; the driver answers another one"};
}

/* Blocks an SM must reach what the driver says; of resident grids it says nothing. */
static void compare(struct calibration *c, const struct recording *r, const struct recording_row *row, enum parameter parameter,
	int64_t value, int64_t tried)
{
	int64_t said = platform_value(c->platform, parameter);
	if (parameter == PARAMETER_CLOCK_SM)
		compare_clock(c, r, value);
	if (parameter == PARAMETER_SM_BLOCKS && said != NONE && value != said)
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_CONTRADICTION, r->path, row->line,
			"%s: %" PRId64 " were resident, where the driver says %" PRId64, parameter_kinds[parameter].name, value, said);
	if (parameter == PARAMETER_QUEUES_GRIDS && value < tried)
		calibrate_number(c, r, parameter, value, arena_format(c->arena, "so many of %" PRId64 " kernels ran at once", tried));
	if (parameter == PARAMETER_SM_BLOCKS)
		calibrate_found(c, r, ASSUMPTION_SM, r->sms, value == said ? 0 : 1, 0, "another number of resident blocks");
}

static void choice(struct calibration *c, const struct recording *r, const char *name, int64_t value)
{
	if (strcmp(name, "concurrent-kernels") == 0) {
		c->platform->concurrent_kernels = value == 1 ? TERNARY_YES : TERNARY_NO;
		c->platform->engine_source = r->source;
	}
	if (strcmp(name, "integrated") == 0 && (value == 1) != c->platform->integrated)
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_CONTRADICTION, r->path, 0,
			"the head and a row differ on whether the GPU is integrated");
}

void calibrate_limits(struct calibration *c, const struct recording *r)
{
	int name = recording_column(r, "name"), value = recording_column(r, "value"), unit = recording_column(r, "unit"),
	    how = recording_column(r, "how"), samples = recording_column(r, "samples");
	if (name < 0 || value < 0 || unit < 0 || how < 0 || samples < 0)
		return;
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		int parameter = parameter_find(row->cells[name]);
		int64_t number = recording_count(r, row, value);
		if (number == NONE)
			return;
		if (strcmp(row->cells[unit], "kHz") == 0)
			number = checked_mul(number, 1000);
		if (parameter < 0 || parameter == PARAMETER_WATCHDOG)
			choice(c, r, row->cells[name], number);
		else if (strcmp(row->cells[how], "query") == 0)
			calibrate_number(c, r, (enum parameter)parameter, number, NULL);
		else
			compare(c, r, row, (enum parameter)parameter, number, recording_count(r, row, samples));
	}
	if (platform_value(c->platform, PARAMETER_SM_COUNT) != r->sms)
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_CONTRADICTION, r->path, 0,
			"the head says %" PRId64 " SMs, a row another number", r->sms);
}
