/* Chains of tasks for a task set that is drawn already: registers, queues, reduced ages and reactions. */
#include "falsify/generate_parts.h"
#include "model/draft.h"

#define MEMBERS_MOST 4
#define NEVER_LATE (INT64_C(1) << 60) /* ns */

static struct handover draw_handover(struct draw *draw)
{
	struct handover handover = {HANDOVER_REGISTER, OVERFLOW_NONE, NONE, NONE};
	if (draw_percent(draw, 55))
		return handover;
	handover.via = HANDOVER_QUEUE;
	handover.take = draw_percent(draw, 40) ? NONE : draw_range(draw, 1, 6);
	handover.overflow = draw_percent(draw, 50) ? OVERFLOW_NONE : OVERFLOW_OLDEST;
	if (handover.overflow == OVERFLOW_OLDEST || draw_percent(draw, 30))
		handover.capacity = draw_range(draw, 1, handover.overflow == OVERFLOW_OLDEST ? 4 : 12);
	return handover;
}

static bool has_member(const struct end_to_end *chain, int task)
{
	for (int i = 0; i < chain->task_count; i++)
		if (chain->tasks[i] == task)
			return true;
	return false;
}

static void draw_chain(struct arena *arena, struct draw *draw, struct taskset *set, struct end_to_end *chain, int number)
{
	int count = (int)draw_range(draw, 1, checked_min(MEMBERS_MOST, set->task_count));
	*chain = (struct end_to_end){.id = arena_format(arena, "c%d", number),
		.kind = draw_percent(draw, 50) ? END_TO_END_AGE : END_TO_END_REACTION,
		.deadline = NEVER_LATE,
		.reduced = draw_percent(draw, 35)};
	chain->tasks = arena_allocate(arena, (size_t)count, sizeof *chain->tasks);
	chain->handovers = arena_allocate(arena, (size_t)count, sizeof *chain->handovers);
	for (int tries = 0; tries < 8 * count && chain->task_count < count; tries++) {
		int task = (int)draw_range(draw, 0, set->task_count - 1);
		if (has_member(chain, task) || set->tasks[task].best_effort)
			continue;
		struct handover none = {HANDOVER_REGISTER, OVERFLOW_NONE, NONE, NONE};
		DRAFT(chain->handovers)[chain->task_count] = chain->task_count == 0 ? none : draw_handover(draw);
		DRAFT(chain->tasks)[chain->task_count++] = task;
	}
}

/* No less than two periods, so that what a run leaves out between releases is what it was. */
static void draw_distances(struct draw *draw, struct taskset *set)
{
	for (int i = 0; i < set->task_count; i++) {
		struct arrival *arrival = &DRAFT(set->tasks)[i].arrival;
		if (arrival->kind == ARRIVAL_SPORADIC && arrival->max_distance == NONE && draw_percent(draw, 70))
			arrival->max_distance = arrival->period * draw_range(draw, 2, 3);
	}
}

void generate_chains(struct arena *arena, struct draw *draw, struct taskset *set)
{
	int count = (int)draw_range(draw, 1, 2);
	set->end_to_end = arena_allocate(arena, (size_t)count, sizeof *set->end_to_end);
	set->end_to_end_count = 0;
	draw_distances(draw, set);
	for (int i = 0; i < count; i++) {
		struct end_to_end *chain = &DRAFT(set->end_to_end)[set->end_to_end_count];
		draw_chain(arena, draw, set, chain, i);
		set->end_to_end_count += chain->task_count > 0;
	}
}
