/* Programs of a task set. */
#include "wcet/programs.h"

#define ITERATIONS 100000 /* of the simplex method, a linear program */

struct binder {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	struct diagnostics *diagnostics;
	struct programs *programs;
};

/* The bound of an operation before this one with the same program. */
static const struct wcet *find_earlier(const struct binder *binder, int index)
{
	for (int i = 0; i < index; i++)
		if (binder->set->operations[i].program == binder->set->operations[index].program)
			return binder->programs->bounds[i];
	return NULL;
}

static const struct wcet *bound(const struct binder *binder, int index)
{
	const struct wcet *earlier = find_earlier(binder, index);
	if (earlier != NULL)
		return earlier;
	struct wcet *wcet = arena_allocate(binder->arena, 1, sizeof *wcet);
	struct lp_limits limits = {0, ITERATIONS};
	bool found = wcet_find(wcet, binder->set->operations[index].program, binder->platform, binder->arena, &limits, binder->diagnostics);
	return found ? wcet : NULL;
}

/* Does no launch begin while a kernel runs, and no other client of the GPU stop it? Constants that a block has read are brought again where
 * one does. */
static bool launches_in_turn(const struct taskset *set, const struct platform *platform)
{
	bool graphs = false;
	for (int i = 0; i < set->operation_count; i++)
		graphs |= set->operations[i].graph != 0;
	return set->application_count == 1 && set->stream_count == 1 && !graphs && !platform->parameters[PARAMETER_STOPS_LENGTH].present;
}

static void bind(const struct binder *binder, int index)
{
	const struct operation *operation = &binder->set->operations[index];
	const struct wcet *wcet = binder->programs->bounds[index] = bound(binder, index);
	if (wcet != NULL && wcet->costs.first_reads > 0 && !launches_in_turn(binder->set, binder->platform))
		diagnose(binder->diagnostics, DIAGNOSTIC_COST_UNDECLARED, binder->set->path, operation->line,
			"kernel '%s': expected a program whose <cost class=\"constant\"> is without again: launches on other streams, "
			"of a graph, or of who stops the GPU may begin while it runs",
			operation->id);
	if (wcet == NULL || (binder->platform->parameters[PARAMETER_CLOCK_SM].present && wcet->most != NONE))
		return;
	diagnose(binder->diagnostics, DIAGNOSTIC_COST_UNDECLARED, binder->set->path, operation->line,
		"kernel '%s': expected clock.sm and sm.warps or sm.blocks for the time of its program; platform %s does not state all of "
		"it",
		operation->id, binder->platform->id);
}

int64_t *programs_curve(struct arena *arena, const struct platform *platform, const struct wcet *wcet, const struct operation *operation,
	int64_t an_sm, int *count)
{
	const struct kernel *kernel = &operation->kernel;
	bool in_turn = operation->program->slots_in_turn || !platform_keeps_slots(platform);
	*count = (int)checked_max(1, checked_min(an_sm, kernel->blocks));
	int64_t *curve = arena_allocate(arena, (size_t)*count, sizeof *curve);
	for (int r = 1; r <= *count; r++)
		curve[r - 1] = checked_max(1, wcet_time(wcet_of_launch(wcet, r, kernel->blocks, in_turn), platform));
	return curve;
}

struct launch_time programs_launch(const struct platform *platform, const struct wcet *wcet, int64_t grid)
{
	struct wcet_launch cycles = wcet_launch(wcet, platform, grid);
	return (struct launch_time){wcet_time(cycles.latency, platform), wcet_time(cycles.work, platform), wcet_time(cycles.once, platform),
		wcet_time(cycles.last, platform)};
}

struct programs *programs_bound(
	struct arena *arena, const struct platform *platform, const struct taskset *set, struct diagnostics *diagnostics)
{
	int before = diagnostics->errors;
	struct programs *programs = arena_allocate(arena, 1, sizeof *programs);
	struct binder binder = {arena, platform, set, diagnostics, programs};
	programs->bounds = arena_allocate(arena, (size_t)set->operation_count, sizeof(const struct wcet *));
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].program != NULL)
			bind(&binder, i);
	return diagnostics->errors == before ? programs : NULL;
}
