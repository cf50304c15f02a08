/* Shares of time, the greatest of all pieces of code. */
#include "verify/shared_units.h"

struct piece {
	int64_t kept, time;
};

static void add(struct piece *piece, const struct class_cost *cost, int64_t count, int64_t shortest)
{
	int64_t next = cost->issue > 0 ? cost->issue : cost->latency,
		least = cost->least < next ? cost->least : next; /* an issue slot at least */
	piece->time = checked_add(piece->time, checked_mul(count, least > 1 ? least : 1));
	if (!cost->partition && cost->occupancy > shortest)
		piece->kept = checked_add(piece->kept, checked_mul(count, cost->occupancy));
}

static void take(struct kept *kept, const struct piece *piece)
{
	if (piece->kept == 0)
		return;
	struct rational share = rational_make(piece->kept, piece->time);
	bool greater = rational_is_none(share) || rational_is_none(kept->share) || rational_compare(share, kept->share) > 0;
	kept->share = greater ? rational_max(share, kept->share) : kept->share;
	kept->at_once = piece->kept > kept->at_once ? piece->kept : kept->at_once;
}

struct kept shared_units_kept_by_a_warp(const struct code *code, const struct class_cost *costs, const bool *used, bool splits)
{
	struct kept kept = {rational_of(0), 0};
	int64_t shortest = NONE;
	for (int c = 0; c < CLASS_COUNT; c++) {
		int64_t least = costs[c].spaced > 0 ? costs[c].spaced : costs[c].occupancy;
		if (used[c] && least < shortest)
			shortest = least;
	}
	for (int b = 0; b < code->program->block_count; b++) {
		struct piece whole = {0, 0};
		for (int c = 0; c < CLASS_COUNT; c++) {
			int64_t count = code->program->blocks[b].counts[c];
			struct piece single = {0, 0};
			if (count > 0)
				add(splits ? &single : &whole, &costs[c], splits ? 1 : count, shortest);
			take(&kept, &single);
		}
		take(&kept, &whole);
	}
	return kept;
}

int64_t shared_units_kept_stretch(int64_t cycles, struct kept of_all)
{
	if (rational_is_none(of_all.share) || of_all.share.num >= of_all.share.den)
		return NONE;
	int64_t sum = checked_add(cycles, of_all.at_once);
	return checked_mul_div_floor(sum, of_all.share.den, of_all.share.den - of_all.share.num);
}
