/* The platform with its sources and with what was found of its assumptions, as a model. */
#include "calibrate/calibrate_parts.h"

#include "model/draft.h"
#include "write/write.h"

#include <inttypes.h>
#include <string.h>

/* ---- sources: the recordings, and what the base says of its own */

static const char *from_base(const struct calibration *c, const char *text)
{
	return text == NULL ? NULL : arena_format(c->arena, "from the model %s: %s", c->options->base->id, text);
}

static bool of_recording(const struct calibration *c, const char *source)
{
	for (int i = 0; source != NULL && i < c->recording_count; i++)
		if (strcmp(c->recordings[i]->source, source) == 0)
			return true;
	return false;
}

/* "map-2": what it is of, and its place in the list. */
static void name_sources(struct calibration *c)
{
	struct platform *platform = c->platform;
	platform->sources = arena_allocate(c->arena, (size_t)c->recording_count, sizeof *platform->sources);
	for (int i = 0; i < c->recording_count; i++)
		DRAFT(platform->sources)
	[i] = (struct platform_source){
		arena_format(c->arena, "%s-%d", c->recordings[i]->measurement, i + 1), "measurement", c->recordings[i]->source};
	platform->source_count = c->recording_count;
	const char **of_base[PARAMETER_COUNT + 3] = {&platform->carveout_source, &platform->placement_source, &platform->engine_source};
	for (int i = 0; i < PARAMETER_COUNT; i++)
		of_base[3 + i] = &platform->parameters[i].source;
	for (int i = 0; i < PARAMETER_COUNT + 3; i++)
		if (!of_recording(c, *of_base[i]))
			*of_base[i] = from_base(c, *of_base[i]);
}

/* ---- the register of assumptions */

static void state_finding(struct calibration *c, enum assumption assumption)
{
	const struct finding *f = &c->findings[assumption];
	struct output why = {0};
	output_print(&why, "%s in %" PRId64 " of %" PRId64 " tries", f->broken > 0 ? "Broken" : "Held",
		f->broken > 0 ? f->broken : f->tries, f->tries);
	if (f->longest > 0)
		output_print(&why, ", by up to %" PRId64 " ns", f->longest);
	if (f->breakers != NULL)
		output_print(&why, ": %s%s", f->breakers, f->breaker_count > 3 ? " and others" : "");
	if (c->options->least_warps > 0)
		output_print(&why, "; looked for only where every block has at least %" PRId64 " warps: it is said of no others",
			c->options->least_warps);
	output_print(&why, "%s%s.", f->note != NULL ? ". " : "", f->note != NULL ? f->note : "");
	c->platform->assumptions[assumption] = (struct assumption_state){
		f->broken > 0 ? STATUS_BROKEN : STATUS_ASSUMED, arena_copy(c->arena, why.text), f->recording->source, NULL};
	output_finish(&why);
}

/* What was not looked for, for a reader; NULL: nothing. No probe has another device access the GPU's memory. */
static const char *state_findings(struct calibration *c)
{
	const char *untested = NULL;
	c->findings[ASSUMPTION_ISO].note = "Accesses to the GPU's memory by other GPUs, network cards and CPU cores were not tried";
	for (int i = 0; i < ASSUMPTION_COUNT; i++) {
		const char *id = assumption_kinds[i].id;
		c->platform->assumptions[i].status = assumption_kinds[i].by_default;
		const struct finding *f = &c->findings[i];
		if (f->recording != NULL)
			state_finding(c, (enum assumption)i);
		else if (f->note != NULL && f->noted != NULL)
			c->platform->assumptions[i] = (struct assumption_state){
				assumption_kinds[i].by_default, arena_format(c->arena, "%s.", f->note), f->noted->source, NULL};
		else
			untested = untested == NULL ? id : arena_format(c->arena, "%s, %s", untested, id);
	}
	return untested == NULL ? NULL : arena_format(c->arena, "not tested, so that the register's defaults hold: %s", untested);
}

void calibrate_write(struct calibration *c, struct output *output)
{
	const char *untested = state_findings(c);
	const char **notes = arena_allocate(c->arena, (size_t)c->notes.count + 3, sizeof *notes);
	notes[0] = "Written by gpubound calibrate. What was measured on one chip is no proof of a worst case, nor true of another chip.";
	for (int i = 0; i < c->notes.count; i++)
		notes[1 + i] = c->notes.of[i];
	notes[1 + c->notes.count] = untested;
	name_sources(c);
	write_platform(output, c->platform, notes);
}
