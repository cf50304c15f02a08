/* How late a block's first instruction comes beside older blocks, and how long a warp waits for its turn beside older ones. */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>

enum { HOST_TRAFFIC = 8 }; /* the first loop with atomics on host memory, beside which nothing of this holds (A-ISO) */

/* The time is from the young kernel's first block, so that what the dispatcher took is in it. */
void calibrate_stalls(struct calibration *c, const struct recording *r)
{
	int loop = recording_column(r, "loop"), blocks = recording_column(r, "blocks"), begin = recording_column(r, "begin");
	if (loop < 0 || blocks < 0 || begin < 0)
		return;
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		int64_t which = recording_count(r, row, loop), beside = recording_count(r, row, blocks),
			ns = recording_count(r, row, begin);
		if (which == NONE || beside == NONE || ns == NONE)
			return;
		if (which < HOST_TRAFFIC && beside > 0)
			calibrate_sample(c, r, PARAMETER_DISPATCH_STALL, ns);
	}
}

/* Why no factor is stated for foreign blocks on the same SM. */
void calibrate_starve(struct calibration *c, const struct recording *r)
{
	int longest = recording_column(r, "longest"), spinners = recording_column(r, "spinners");
	struct growth gaps = {0};
	int64_t alone = 0;
	if (longest < 0 || spinners < 0)
		return;
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		int64_t cycles = recording_count(r, row, longest), others = recording_count(r, row, spinners);
		if (cycles == NONE || others == NONE)
			return;
		if (others == 0)
			alone = checked_max(alone, cycles);
		else
			growth_add(&gaps, c->arena, r, cycles);
	}
	if (gaps.recording == NULL)
		return;
	c->findings[ASSUMPTION_RATE].note = arena_format(c->arena,
		"Between two reads of the clock a warp beside others of its sub-partition waited for up to %" PRId64
		" cycles, alone for %" PRId64 " (%" PRId64
		" combinations). No factor from=\"sm\" is stated: it would grow with how long the others stay. State block times "
		"measured beside those blocks (resident, company), or keep them off the SM",
		gaps.value, alone, gaps.count);
	c->findings[ASSUMPTION_RATE].noted = r;
}
