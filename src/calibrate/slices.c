/* Slices between processes: how long each ran and how long it then waited. */
#include "calibrate/parts.h"

#include <inttypes.h>

struct wait {
	int64_t process, begin, gap, ran;
};

/* Did another process wait all the time while this one ran? Else nothing ended
 * its slice. */
static bool was_wanted(const struct wait *waits, int count, const struct wait *own)
{
	int64_t from = own->begin - own->ran;
	for (int i = 0; i < count; i++)
		if (waits[i].process != own->process && waits[i].begin <= from && waits[i].begin + waits[i].gap >= own->begin)
			return true;
	return false;
}

/* The slice is the shortest that ended because another process waited: one that
 * is too long would promise a process more than it gets. What the longest wait
 * holds beyond such slices is charged to the switches, so that slices and
 * switches together cover every wait. */
void calibrate_slices(struct calibration *c, const struct recording *r)
{
	int processes = recording_column(r, "processes"), process = recording_column(r, "process"), begin = recording_column(r, "begin_ns"),
	    gap = recording_column(r, "gap_ns"), ran = recording_column(r, "ran_ns");
	int64_t shortest = NONE, longest = 0, longest_gap = 0, runs = 0, count = 2;
	if (processes < 0 || process < 0 || begin < 0 || gap < 0 || ran < 0)
		return;
	struct wait *waits = arena_allocate(c->arena, (size_t)r->row_count + 1, sizeof *waits);
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		waits[i] = (struct wait){recording_count(r, row, process), recording_count(r, row, begin), recording_count(r, row, gap),
			recording_count(r, row, ran)};
		count = recording_count(r, row, processes);
		if (waits[i].process == NONE || waits[i].begin == NONE || waits[i].gap == NONE || waits[i].ran == NONE || count == NONE ||
			count < 2)
			return;
		longest_gap = checked_max(longest_gap, waits[i].gap);
	}
	for (int i = 0; i < r->row_count; i++)
		if (waits[i].ran > 0 && was_wanted(waits, r->row_count, &waits[i])) {
			shortest = checked_min(shortest, waits[i].ran);
			longest = checked_max(longest, waits[i].ran);
			runs++;
		}
	if (runs < c->options->samples) {
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_SAMPLES, r->path, 0,
			"%" PRId64 " slices ended because another process waited, where at least %" PRId64 " are wanted", runs,
			c->options->samples);
		return;
	}
	calibrate_number(c, r, PARAMETER_RUNLIST_TIMESLICE, shortest,
		arena_format(c->arena, "the shortest of %" PRId64 " that ended while another process waited; the longest is %" PRId64 "ns",
			runs, longest));
	int64_t switches = checked_sub(longest_gap, checked_mul(count - 1, shortest));
	calibrate_greatest(c, r, PARAMETER_RUNLIST_SWITCH, checked_max(0, checked_div_ceil(switches, count)), r->row_count,
		"what the longest wait holds beyond the others' shortest "
		"slices, for each switch");
}
