/* Sequences, of which only the span is known: parts made up, each a kernel of its own, with gaps between them, that alone take just that.
 *
 * There are no more parts than the sequence has operations, nor more than MADE_MOST, and none takes longer than its longest. A gap passes
 * whoever has the turn: nothing of the context is at the engine then, but where sequences keep their turns. */
#include "machine/machine_parts.h"

#define MADE_MOST 40

/* A part takes an ns for each of its waves at least. */
static int count_of(struct machine *machine, const struct work *work, int64_t total)
{
	int64_t most = checked_min(work->operation->span.operations, checked_min(MADE_MOST, total / (2 * work->waves)));
	if (most <= 1)
		return 1;
	return (int)(random_chance(&machine->random, 60) ? most : random_between(&machine->random, 1, most));
}

/* What a company adds may be in one of them. */
static int64_t longest_of(const struct machine *machine, const struct work *work)
{
	int64_t longest = work->operation->span.longest;
	return longest == NONE || taskset_has_company(machine->set, work->number) ? INT64_MAX : longest;
}

/* Of what is left for so many parts and the gaps between them: each of those takes its waves, and a gap before it an ns. */
static int64_t draw_part(struct machine *machine, const struct work *work, int64_t left, int parts)
{
	int64_t most = checked_min(left - (parts - 1) * (int64_t)(work->waves + 1), longest_of(machine, work));
	bool even = parts == 1 || random_chance(&machine->random, 60);
	int64_t wanted = parts == 1 ? left : even ? left / parts - 1 : random_between(&machine->random, 0, most);
	return checked_max(work->waves, checked_min(wanted, most));
}

/* At least what the parts cannot take of what is left. */
static int64_t draw_gap(struct machine *machine, const struct work *work, int64_t left, int parts)
{
	int64_t most = left - parts * (int64_t)work->waves - (parts - 1), all = checked_mul(parts, longest_of(machine, work));
	int64_t least = all == NONE ? 0 : checked_max(0, left - all) / parts;
	int64_t wanted = random_chance(&machine->random, 70) ? 1 : random_between(&machine->random, 0, 1 + most / 8);
	return checked_min(most, checked_max(least, wanted));
}

int sequence_parts(struct machine *machine, const struct work *work, int64_t total)
{
	return work->operation->span.operations > 0 ? count_of(machine, work, total) : 1;
}

/* first: the last of its item's nodes so far, but for the other parts. */
void sequence_draw(struct machine *machine, struct instance *first, int parts, int64_t total)
{
	for (struct instance *part = first; part != NULL; part = part->after_in_graph, parts--) {
		part->gap = part == first ? 0 : draw_gap(machine, first->work, total, parts);
		total -= part->gap;
		if (machine->switches.runs_dry && part != first && first->work->operation->span.single)
			part->gap += random_between(&machine->random, 0, 2 * total);
		part->span = draw_part(machine, first->work, total, parts);
		total -= part->span;
	}
}
