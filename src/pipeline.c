#include "pipeline.h"

#include "interference/inflation.h"
#include "map/map.h"

void pipeline_init(struct pipeline *pipeline)
{
	*pipeline = (struct pipeline){.arena = arena_create()};
	diagnostics_init(&pipeline->diagnostics, pipeline->arena);
	derivation_init(&pipeline->derivation, pipeline->arena);
	pipeline->folders = input_find_folders(pipeline->arena);
}

void pipeline_finish(struct pipeline *pipeline)
{
	arena_destroy(pipeline->arena);
	*pipeline = (struct pipeline){0};
}

/* What the user asks to rely on although nobody vouches for it: results that do are conditional. */
static void assume(struct platform *platform, const struct pipeline_options *options)
{
	for (int i = 0; i < options->assume_count; i++) {
		struct assumption_state *state = &platform->assumptions[assumption_find(options->assume[i])];
		if (state->status == STATUS_UNSTATED || state->status == STATUS_BROKEN)
			state->status = STATUS_CONDITIONAL;
	}
}

/* The stages, in the order in which the data flows: XML -> model -> map -> interference -> response. */
bool pipeline_run(struct pipeline *p, const char *path, const struct pipeline_options *options)
{
	p->set = input_read_taskset(p->arena, &p->diagnostics, &p->folders, path, options->platform, &p->platform);
	if (p->set == NULL)
		return false;
	assume(p->platform, options);
	p->map = map_build(p->arena, p->platform, p->set);
	hazards_report(p->platform, p->set, p->map, &p->diagnostics);
	p->channels = hazards_channels(p->arena, p->platform, p->set, p->map);
	p->inflation = inflation_compute(p->arena, p->platform, p->set, p->map, &p->derivation);
	p->response = response_compute(p->arena, p->platform, p->set, p->map, p->inflation, &p->derivation);
	return true;
}
