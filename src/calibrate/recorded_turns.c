/* What a process keeps and loses beside another one that always has work: its turn (A-PENDING), its caches (switch.refill), its copies
 * (copy-runlist); and that one without work takes nothing (A-RUNLIST). */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>
#include <string.h>

#define LOST 50000 /* ns: a gap that is so much longer than any alone holds a turn of another process */

struct job {
	const char *test, *other;
	int64_t count, amount, span, gap;
};

struct jobs { /* of one recording */
	struct calibration *calibration;
	const struct recording *recording;
	struct job *of;
	int count;
	int64_t slice;
};

static bool is(const char *text, const char *name)
{
	return strcmp(text, name) == 0;
}

static bool read_jobs(struct jobs *jobs)
{
	static const char *const names[] = {"test", "other", "count", "amount", "span_ns", "gap_ns"};
	const struct recording *r = jobs->recording;
	int at[6];
	for (int k = 0; k < 6; k++)
		if ((at[k] = recording_column(r, names[k])) < 0)
			return false;
	jobs->of = arena_allocate(jobs->calibration->arena, (size_t)r->row_count + 1, sizeof *jobs->of);
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		struct job job = {row->cells[at[0]], row->cells[at[1]], recording_count(r, row, at[2]), recording_count(r, row, at[3]),
			recording_count(r, row, at[4]), recording_count(r, row, at[5])};
		if (job.count == NONE || job.amount == NONE || job.span == NONE || job.gap == NONE)
			return false;
		jobs->of[jobs->count++] = job;
	}
	return true;
}

struct alone { /* of the same jobs, without another process */
	int64_t shortest, longest, gap;
};

static struct alone alone(const struct jobs *jobs, const struct job *like)
{
	struct alone found = {NONE, 0, 0};
	for (int i = 0; i < jobs->count; i++) {
		const struct job *job = &jobs->of[i];
		if (!is(job->other, "none") || !is(job->test, like->test) || job->count != like->count || job->amount != like->amount)
			continue;
		found.shortest = checked_min(found.shortest, job->span);
		found.longest = checked_max(found.longest, job->span);
		found.gap = checked_max(found.gap, job->gap);
	}
	return found;
}

/* Shorter than a slice, so that only a gap can have ended the turn. */
static bool fits_a_slice(const struct jobs *jobs, const struct job *job)
{
	return jobs->slice != NONE && checked_mul(4, checked_mul(job->count, job->amount)) <= checked_mul(3, jobs->slice);
}

struct tally {
	int64_t launches, launches_lost, cut, copies, late_copies, longest_copy;
};

static void judge_copy(const struct jobs *jobs, const struct job *job, const struct alone *without, struct tally *tally)
{
	tally->copies++;
	tally->late_copies += checked_mul(2, checked_sub(job->span, without->longest)) > jobs->slice;
	tally->longest_copy = checked_max(tally->longest_copy, job->span);
}

static void judge(const struct jobs *jobs, const struct job *job, struct tally *tally)
{
	struct calibration *c = jobs->calibration;
	struct alone without = alone(jobs, job);
	bool lost = job->gap > checked_add(without.gap, LOST);
	if (is(job->other, "none") || without.shortest == NONE)
		return;
	if (is(job->test, "h2d") || is(job->test, "d2h"))
		judge_copy(jobs, job, &without, tally);
	else if (is(job->other, "idle") && !is(job->test, "launches")) /* of launches one by one a gap may be the host's */
		calibrate_found(c, jobs->recording, ASSUMPTION_RUNLIST, 1, lost, lost ? job->gap : 0, "a process without work");
	else if (is(job->test, "graph") && fits_a_slice(jobs, job))
		calibrate_found(c, jobs->recording, ASSUMPTION_PENDING, 1, lost, lost ? job->gap : 0, "graphs");
	else if (is(job->test, "launches") && !is(job->other, "idle")) {
		tally->launches++;
		tally->launches_lost += lost;
	} else if (is(job->test, "refill") && lost)
		tally->cut++;
	else if (is(job->test, "refill"))
		calibrate_sample(c, jobs->recording, PARAMETER_SWITCH_REFILL, checked_max(0, job->span - without.shortest));
}

/* Copies that never wait for half a slice, though kernels of another process always have the GPU, take no turns with them. */
static void set_copies(struct calibration *c, const struct recording *r, const struct tally *tally)
{
	bool own = tally->late_copies == 0 && tally->copies >= c->options->samples;
	if (tally->copies == 0)
		return;
	if (own) {
		c->platform->copy_runlist = COPY_RUNLIST_OWN;
		c->platform->engine_source = c->platform->engine_source != NULL ? c->platform->engine_source : r->source;
	}
	calibrate_note(c, arena_format(c->arena,
				  "copy-runlist: of %" PRId64 " copies of a process beside kernels of another one %" PRId64
				  " took half a slice longer than alone, the longest %" PRId64 "ns%s",
				  tally->copies, tally->late_copies, tally->longest_copy, own ? ": they have a runlist of their own" : ""));
}

static void read_one(struct calibration *c, const struct recording *r)
{
	struct jobs jobs = {c, r, NULL, 0, platform_value(c->platform, PARAMETER_RUNLIST_TIMESLICE)};
	struct tally tally = {0};
	if (!read_jobs(&jobs))
		return;
	for (int i = 0; i < jobs.count; i++)
		judge(&jobs, &jobs.of[i], &tally);
	if (jobs.slice != NONE)
		set_copies(c, r, &tally);
	c->findings[ASSUMPTION_PENDING].note = arena_format(c->arena,
		"The same kernels launched one after the other lost it in %" PRId64 " of %" PRId64
		" jobs, where the host was late (A-FED). %" PRId64 " sequences were cut and are not in switch.refill",
		tally.launches_lost, tally.launches, tally.cut);
}

void calibrate_turns(struct calibration *c)
{
	for (int i = calibrate_next(c, "pending", 0); i < c->recording_count; i = calibrate_next(c, "pending", i + 1))
		read_one(c, c->recordings[i]);
}
