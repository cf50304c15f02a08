/* Slices between processes: how long each ran and how long it then waited. */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>

struct wait {
	int64_t processes, process, begin, gap, ran;
};

/* Did another process wait all the time while this one ran? Else nothing ended its slice. */
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
	int64_t shortest = NONE, longest = 0, switches = 0, runs = 0;
	if (processes < 0 || process < 0 || begin < 0 || gap < 0 || ran < 0)
		return;
	struct wait *waits = arena_allocate(c->arena, (size_t)r->row_count + 1, sizeof *waits);
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		waits[i] = (struct wait){recording_count(r, row, processes), recording_count(r, row, process),
			recording_count(r, row, begin), recording_count(r, row, gap), recording_count(r, row, ran)};
		if (waits[i].process == NONE || waits[i].begin == NONE || waits[i].gap == NONE || waits[i].ran == NONE ||
			waits[i].processes == NONE || waits[i].processes < 2)
			return;
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
	for (int i = 0; i < r->row_count; i++) {
		int64_t beyond = checked_sub(waits[i].gap, checked_mul(waits[i].processes - 1, shortest));
		switches = checked_max(switches, checked_div_ceil(checked_max(0, beyond), waits[i].processes));
	}
	calibrate_greatest(c, r, PARAMETER_RUNLIST_SWITCH, switches, r->row_count,
		"what a wait holds at most beyond the others' shortest slices, for each switch");
}
