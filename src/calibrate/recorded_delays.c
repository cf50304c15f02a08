/* How late blocks begin, and whether kernels keep their order: dispatch.delay, A-ORDER and A-FIT.
 *
 * dispatch.delay comes from kernels beside which every warp gets its turn (probe/delays fair): what begins late there was placed late. With
 * it and dispatch.stall, kernels of all loops and kernels that wait behind one another are held against A-ORDER. */
#include "calibrate/calibrate_parts.h"
#include "simulate/judge.h"

#include <inttypes.h>
#include <string.h>

#define CLOCKS 200 /* ns */

static const char *experiment_of(struct calibration *c, const struct recording *r)
{
	struct trace_configuration first;
	struct trace_reader *reader = trace_open(c->diagnostics, r->path);
	const char *name = "";
	if (reader != NULL && trace_next(reader, &first) == TRACE_READ)
		name = arena_copy(c->arena, first.experiment);
	if (reader != NULL)
		trace_close(reader);
	return name;
}

static int64_t measured(const struct delays *delays, int64_t *longest, int64_t *beyond)
{
	int64_t count = 0;
	for (int w = 0; w <= DELAY_WARPS; w++) {
		for (int i = 0; i <= DELAY_BUCKETS; i++)
			count += delays->count[w][i];
		*longest = checked_max(*longest, delays->longest[w]);
		*beyond += delays->beyond[w];
	}
	return count;
}

/* Of a recording, in the heap: it is large. */
static bool read_delays(struct calibration *c, const struct recording *r, int64_t *count, int64_t *longest, int64_t *beyond)
{
	struct arena *arena = arena_create();
	struct delays *delays = arena_allocate(arena, 1, sizeof *delays);
	struct counts counts = {0};
	bool fine = calibrate_predict(c, r, &counts, delays);
	if (fine && c->delays == NULL)
		c->delays = arena_allocate(c->arena, 1, sizeof *c->delays);
	if (fine)
		delays_add(c->delays, delays);
	*longest = *beyond = 0;
	*count = fine ? measured(delays, longest, beyond) : 0;
	arena_destroy(arena);
	return fine;
}

/* By the policy where it predicts this board: then it is known when a block could have been placed. Without it, for how long an SM was
 * empty while a kernel waited. */
static bool add_delays(struct calibration *c, const struct recording *r)
{
	int64_t count = 0, longest = 0, beyond = 0, empty = 0, sms = calibrate_empty(c, r, &empty);
	if (c->exact && !read_delays(c, r, &count, &longest, &beyond))
		return false;
	growth_add_many(&c->growths[PARAMETER_DISPATCH_DELAY], c->arena, r, checked_max(longest, empty), c->exact ? count : sms);
	return true;
}

/* ---- who waits behind whom */

/* What a test of probe/passing promises: nobody passes the one ahead. */
static bool is_behind(const char *test)
{
	return strcmp(test, "high-behind") != 0 && strcmp(test, "event") != 0;
}

static void judge_passing(struct calibration *c, const struct recording *r, int64_t delay)
{
	int test = recording_column(r, "test"), room = recording_column(r, "room_ns"), passed = recording_column(r, "passed_ns"),
	    repetition = recording_column(r, "repetition");
	if (test < 0 || room < 0 || passed < 0 || repetition < 0)
		return;
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		int64_t unused = recording_count(r, row, room), before = recording_count(r, row, passed);
		const char *name = row->cells[test];
		if (unused == NONE || before == NONE)
			return;
		if (!is_behind(name) || recording_number(r, row, repetition) < 0)
			continue;
		bool passes = before > delay + CLOCKS, waits = unused > delay + CLOCKS;
		calibrate_found(c, r, ASSUMPTION_ORDER, 1, passes, passes ? before : 0, name);
		if (passes)
			calibrate_found(c, r, ASSUMPTION_HOL, 1, 1, before, name);
		if (strcmp(name, "same") != 0)
			calibrate_found(c, r, ASSUMPTION_FIT, 1, waits, waits ? unused : 0, name);
	}
}

/* What went against the order elsewhere may be delays and stalls; longer than both it is not. */
static void judge_others(struct calibration *c, int64_t both)
{
	static const enum assumption parts[] = {ASSUMPTION_HOL, ASSUMPTION_PRIO, ASSUMPTION_WC};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const struct finding *f = &c->findings[parts[i]];
		if (f->broken > 0 && f->longest > both + CLOCKS)
			calibrate_found(c, f->recording, ASSUMPTION_ORDER, 1, 1, f->longest, assumption_kinds[parts[i]].id);
	}
}

static const char *lacking(const struct calibration *c)
{
	if (platform_value(c->platform, PARAMETER_DISPATCH_DELAY) == NONE)
		return "delays of probe/delays fair";
	if (platform_value(c->platform, PARAMETER_DISPATCH_STALL) == NONE)
		return "delays beside older blocks, of probe/stalls";
	return calibrate_next(c, "passing", 0) == c->recording_count ? "kernels that wait behind one another, of probe/passing" : NULL;
}

static bool judge_delays(struct calibration *c, const struct recording *r)
{
	int64_t count, longest, beyond;
	if (!read_delays(c, r, &count, &longest, &beyond))
		return false;
	calibrate_found(c, r, ASSUMPTION_ORDER, count, beyond, beyond > 0 ? longest : 0, "late blocks");
	return true;
}

void calibrate_delays(struct calibration *c)
{
	int count = c->recording_count;
	for (int i = calibrate_next(c, "delays", 0); i < count; i = calibrate_next(c, "delays", i + 1))
		if (strcmp(experiment_of(c, c->recordings[i]), "fair") == 0 && !add_delays(c, c->recordings[i]))
			return;
	calibrate_greatest(c, PARAMETER_DISPATCH_DELAY,
		c->exact ? "from the instant at which a block could be placed, by the policy, to its begin beside none that starve it"
			 : "for how long an SM was empty while a kernel waited, beside none that starve it");
	calibrate_greatest(
		c, PARAMETER_DISPATCH_STALL, "from a kernel's first block to the first instruction of each block beside older blocks");
	const char *missing = lacking(c);
	if (missing != NULL) {
		calibrate_note(c, arena_format(c->arena, "A-ORDER was not judged: no %s", missing));
		return;
	}
	int64_t delay = platform_value(c->platform, PARAMETER_DISPATCH_DELAY),
		both = checked_add(delay, platform_value(c->platform, PARAMETER_DISPATCH_STALL));
	for (int i = calibrate_next(c, "passing", 0); i < count; i = calibrate_next(c, "passing", i + 1))
		judge_passing(c, c->recordings[i], delay);
	for (int i = calibrate_next(c, "delays", 0); c->exact && i < count; i = calibrate_next(c, "delays", i + 1))
		if (!judge_delays(c, c->recordings[i]))
			return;
	judge_others(c, both);
	if (!c->exact)
		c->findings[ASSUMPTION_ORDER].note = "No policy predicts this board: it is not known when blocks could have been placed, "
						     "and none was held against it for being late";
}
