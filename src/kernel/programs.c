/* Programs of a task set. */
#include "kernel/programs.h"

#define ITERATIONS 100000 /* of the simplex method, a linear program */

struct binder {
	struct arena *arena;
	const struct platform *platform;
	struct taskset *set;
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

static void give_curve(const struct binder *binder, struct operation *operation, const struct wcet *wcet)
{
	struct kernel *kernel = &operation->kernel;
	kernel->curve_count = (int)checked_max(1, checked_min(wcet->most, kernel->blocks));
	kernel->curve = arena_allocate(binder->arena, (size_t)kernel->curve_count, sizeof *kernel->curve);
	for (int r = 1; r <= kernel->curve_count; r++)
		kernel->curve[r - 1] = checked_max(1, wcet_time(wcet_resident(wcet, r), binder->platform));
	programs_fit(operation, kernel->curve_count);
}

static void bind(const struct binder *binder, int index)
{
	struct operation *operation = &binder->set->operations[index];
	const struct wcet *wcet = binder->programs->bounds[index] = bound(binder, index);
	if (wcet == NULL)
		return;
	if (binder->platform->parameters[PARAMETER_CLOCK_SM].present && wcet->most != NONE) {
		give_curve(binder, operation, wcet);
		return;
	}
	diagnose(binder->diagnostics, DIAGNOSTIC_COST_UNDECLARED, binder->set->path, operation->line,
		"kernel '%s': expected clock.sm and sm.warps or sm.blocks for the time of its program; platform %s does not state all of "
		"it",
		operation->id, binder->platform->id);
}

void programs_fit(struct operation *operation, int64_t greatest)
{
	const struct kernel *kernel = &operation->kernel;
	int64_t blocks = checked_max(1, checked_min(greatest, kernel->curve_count));
	operation->wcet = kernel->curve[blocks - 1];
	operation->bcet = checked_min(operation->bcet, operation->wcet);
}

struct programs *programs_bound(struct arena *arena, const struct platform *platform, struct taskset *set, struct diagnostics *diagnostics)
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
