/* Slices between processes: how long each ran, how long it then waited, whether they were ever there together, and who came next. */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>

#define CLOCKS 1000 /* ns between two SMs' clocks, and between a process's last reading and the next one's first */

struct wait { /* a process ran for `ran`, until `begin`, and then waited for `gap` */
	int64_t processes, process, begin, gap, ran;
};

struct waits { /* of one recording */
	const struct recording *recording;
	struct wait *of;
	int count;
};

static int64_t begin_of(const struct wait *wait)
{
	return wait->begin - wait->ran;
}

static int64_t end_of(const struct wait *wait)
{
	return checked_add(wait->begin, wait->gap);
}

static bool read_waits(struct calibration *c, const struct recording *r, struct waits *waits)
{
	int processes = recording_column(r, "processes"), process = recording_column(r, "process"), begin = recording_column(r, "begin_ns"),
	    gap = recording_column(r, "gap_ns"), ran = recording_column(r, "ran_ns");
	if (processes < 0 || process < 0 || begin < 0 || gap < 0 || ran < 0)
		return false;
	*waits = (struct waits){r, arena_allocate(c->arena, (size_t)r->row_count + 1, sizeof *waits->of), r->row_count};
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		struct wait *w = &waits->of[i];
		*w = (struct wait){recording_count(r, row, processes), recording_count(r, row, process), recording_count(r, row, begin),
			recording_count(r, row, gap), recording_count(r, row, ran)};
		if (w->process == NONE || w->begin == NONE || w->gap == NONE || w->ran == NONE || w->processes == NONE || w->processes < 2)
			return false;
	}
	return true;
}

/* ---- while all processes were there */

/* From when the last of them was first seen to when the first of them was last seen: beside a process that makes or destroys its context
 * others have no slices (doc/silicon.md). */
static void find_common(const struct waits *waits, int64_t *from, int64_t *to)
{
	*from = 0;
	*to = NONE;
	for (int i = 0; i < waits->count; i++) {
		int64_t first = NONE, last = 0;
		for (int k = 0; k < waits->count; k++)
			if (waits->of[k].process == waits->of[i].process) {
				first = checked_min(first, waits->of[k].begin);
				last = checked_max(last, end_of(&waits->of[k]));
			}
		*from = checked_max(*from, first);
		*to = checked_min(*to, last);
	}
}

/* Leaves out what was before and after; says what is lost by it. */
static void keep_common(struct calibration *c, struct waits *waits)
{
	int64_t from, to, shortest = NONE, longest = 0;
	int kept = 0, count = waits->count;
	find_common(waits, &from, &to);
	for (int i = 0; i < count; i++) {
		const struct wait w = waits->of[i];
		if (begin_of(&w) >= from && end_of(&w) <= to)
			waits->of[kept++] = w;
		else {
			shortest = w.ran > 0 ? checked_min(shortest, w.ran) : shortest;
			longest = checked_max(longest, w.gap);
		}
	}
	waits->count = kept;
	if (longest > 0)
		calibrate_note(c, arena_format(c->arena,
					  "%s: of %d waits %d are left out, as one of the processes had not begun or had ended; there a "
					  "run was as short as %" PRId64 "ns, a wait as long as %" PRId64
					  "ns: no bound covers a process that makes or destroys its context",
					  waits->recording->path, count, count - kept, shortest == NONE ? 0 : shortest, longest));
}

/* ---- slices */

/* Did another process wait all the time while this one ran? Else nothing ended its slice. */
static bool was_wanted(const struct waits *waits, const struct wait *own)
{
	int64_t from = begin_of(own);
	for (int i = 0; i < waits->count; i++) {
		const struct wait *w = &waits->of[i];
		if (w->process != own->process && w->begin <= from && end_of(w) >= own->begin)
			return true;
	}
	return false;
}

struct slices {
	int64_t shortest, longest, runs;
	const struct recording *recording; /* of the shortest */
};

static void add_slices(struct slices *slices, const struct waits *waits)
{
	for (int i = 0; i < waits->count; i++) {
		const struct wait *own = &waits->of[i];
		if (own->ran == 0 || !was_wanted(waits, own))
			continue;
		if (own->ran < slices->shortest)
			slices->recording = waits->recording;
		slices->shortest = checked_min(slices->shortest, own->ran);
		slices->longest = checked_max(slices->longest, own->ran);
		slices->runs++;
	}
}

/* What a wait holds beyond the others' shortest slices, for each switch. */
static void add_switches(struct calibration *c, const struct waits *waits, int64_t slice)
{
	for (int i = 0; i < waits->count; i++) {
		const struct wait *w = &waits->of[i];
		int64_t beyond = checked_sub(w->gap, checked_mul(w->processes - 1, slice));
		calibrate_sample(c, waits->recording, PARAMETER_RUNLIST_SWITCH, checked_div_ceil(checked_max(0, beyond), w->processes));
	}
}

/* ---- together, and in turn */

static int64_t overlap(const struct wait *one, const struct wait *other)
{
	return checked_min(one->begin, other->begin) - checked_max(begin_of(one), begin_of(other));
}

static void judge_together(struct calibration *c, const struct waits *waits, const struct wait *own)
{
	int64_t longest = 0;
	for (int i = 0; own->ran > 0 && i < waits->count; i++)
		if (waits->of[i].process != own->process && waits->of[i].ran > 0)
			longest = checked_max(longest, overlap(own, &waits->of[i]));
	if (own->ran > 0)
		calibrate_found(
			c, waits->recording, ASSUMPTION_EXCL, 1, longest > CLOCKS, longest > CLOCKS ? longest : 0, "runs of two processes");
}

/* Is there a wait of the process that contains the instant? Then it had work. */
static bool had_work(const struct waits *waits, int64_t process, int64_t at)
{
	for (int i = 0; i < waits->count; i++) {
		const struct wait *w = &waits->of[i];
		if (w->process == process && w->begin <= at + CLOCKS && end_of(w) + CLOCKS >= at)
			return true;
	}
	return false;
}

/* While one process waits, each other one that has work all the time runs once. */
static void judge_turn(struct calibration *c, const struct waits *waits, const struct wait *own, int64_t other)
{
	int64_t runs = 0;
	if (!had_work(waits, other, own->begin) || !had_work(waits, other, end_of(own)))
		return;
	for (int i = 0; i < waits->count; i++) {
		const struct wait *w = &waits->of[i];
		runs += w->process == other && w->ran > 0 && begin_of(w) + CLOCKS >= own->begin && w->begin <= end_of(own) + CLOCKS;
	}
	if (runs > 0) /* a run whose begin was not seen is not counted */
		calibrate_found(c, waits->recording, ASSUMPTION_RUNLIST, 1, runs != 1, runs != 1 ? own->gap : 0,
			"two turns of one process in a wait of another");
}

static void judge_order(struct calibration *c, const struct waits *waits)
{
	for (int i = 0; i < waits->count; i++) {
		const struct wait *own = &waits->of[i];
		judge_together(c, waits, own);
		for (int64_t other = 0; other < own->processes; other++)
			if (other != own->process)
				judge_turn(c, waits, own, other);
	}
}

/* A block that noted a gap had begun before it and went on behind it: it was stopped between two of its instructions. */
static void set_preemption(struct calibration *c, const struct slices *slices)
{
	c->platform->preemption = PREEMPTION_INSTRUCTION;
	c->platform->engine_source = c->platform->engine_source != NULL ? c->platform->engine_source : slices->recording->source;
}

/* The slice is the shortest that ended because another process waited: one that is too long would promise a process more than it gets.
 * What the longest wait holds beyond such slices is charged to the switches, so that slices and switches together cover every wait. */
void calibrate_slices(struct calibration *c)
{
	struct waits *all = arena_allocate(c->arena, (size_t)c->recording_count + 1, sizeof *all);
	struct slices slices = {NONE, 0, 0, NULL};
	int count = 0, first = calibrate_next(c, "slices", 0);
	for (int i = first; i < c->recording_count; i = calibrate_next(c, "slices", i + 1)) {
		if (!read_waits(c, c->recordings[i], &all[count]))
			return;
		keep_common(c, &all[count]);
		add_slices(&slices, &all[count++]);
	}
	if (count == 0)
		return;
	if (slices.runs < c->options->samples) {
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_SAMPLES, c->recordings[first]->path, 0,
			"%" PRId64 " slices ended because another process waited, where at least %" PRId64 " are wanted", slices.runs,
			c->options->samples);
		return;
	}
	calibrate_number(c, slices.recording, PARAMETER_RUNLIST_TIMESLICE, slices.shortest,
		arena_format(c->arena, "the shortest of %" PRId64 " that ended while another process waited; the longest is %" PRId64 "ns",
			slices.runs, slices.longest));
	for (int i = 0; i < count; i++) {
		add_switches(c, &all[i], slices.shortest);
		judge_order(c, &all[i]);
	}
	calibrate_greatest(c, PARAMETER_RUNLIST_SWITCH, "what a wait holds at most beyond the others' shortest slices, for each switch");
	set_preemption(c, &slices);
}
