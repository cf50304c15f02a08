/* The search for a smaller counterexample. */
#include "falsify/shrink.h"

#include "input/validate.h"

#include <stddef.h>

struct search {
	struct arena *arena;
	const struct shrink_options *options;
	struct falsify_case best;
	struct violation violation;
	int hunts;
};

static bool exhausted(const struct search *search)
{
	return search->hunts >= search->options->hunts || (search->options->stop != NULL && *search->options->stop != 0);
}

static bool same(const struct violation *a, const struct violation *b)
{
	return a->stage == b->stage && (a->stage != STAGE_RESPONSE || a->bound == b->bound);
}

/* Does a hunt still find it? */
static bool still(struct search *search, const struct falsify_case *candidate, struct violation *found)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	bool valid = candidate->set->task_count > 0 && validate_taskset(candidate->platform, candidate->set, &diagnostics);
	if (valid) {
		struct subject subject;
		struct hunt hunt;
		struct draw draw = draw_start(search->options->seed, 0);
		subject_init(&subject, arena, candidate->platform, candidate->set);
		hunt_run(&hunt, &subject, &draw, search->options->runs);
		*found = hunt.violation;
		found->what = arena_copy(search->arena, hunt.violation.what);
		search->hunts++;
	}
	arena_destroy(arena);
	return valid && same(found, &search->violation);
}

static bool try(struct search *search, shrink_change *change, int place, bool *end)
{
	struct falsify_case candidate = shrink_copy(search->arena, search->best.platform, search->best.set);
	enum shrink_outcome outcome = change(search->arena, &candidate, place);
	struct violation found;
	*end = outcome == SHRINK_END;
	if (outcome != SHRINK_DONE)
		return false;
	shrink_tidy(&candidate);
	taskset_settle(search->arena, candidate.set);
	if (!still(search, &candidate, &found))
		return false;
	search->best = candidate;
	search->violation = found;
	return true;
}

static bool pass(struct search *search)
{
	bool any = false, end;
	for (int i = 0; shrink_changes[i] != NULL; i++)
		for (int place = 0; !exhausted(search);) {
			bool done = try(search, shrink_changes[i], place, &end);
			if (end)
				break;
			any |= done;
			place += !done; /* a change that helped may help again at the same place */
		}
	return any;
}

struct falsify_case shrink_case(
	struct arena *arena, const struct subject *of, struct violation *violation, const struct shrink_options *options)
{
	struct search search = {arena, options, shrink_copy(arena, of->platform, of->set), *violation, 0};
	struct violation found;
	if (still(&search, &search.best, &found))
		search.violation = found;
	while (!exhausted(&search) && pass(&search))
		continue;
	*violation = search.violation;
	return search.best;
}
