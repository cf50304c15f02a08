/* Does the placement policy predict this board, and which of its single TPCs share a ring?
 *
 * Clusters of thread blocks do not tell where the TPCs sit that no cluster of more than two uses, but the order in which blocks come does:
 * those that share a ring are served in one turn. So every way to group them is tried, and the one under which the policy puts most
 * kernels' blocks where they were is kept. What decides are recordings in which a kernel is launched when the one before has begun: in
 * others SMs that come free together have no order that a trace could tell. */
#include "calibrate/calibrate_parts.h"
#include "simulate/validate_traces.h"

#include <inttypes.h>
#include <string.h>

#define SINGLES_MOST 6
#define WAYS_MOST 203 /* to group so many */
#define LEAST_PERCENT 99

struct held { /* recordings of kernels that were launched one by one, the shortest first */
	const struct recording **of;
	int count;
};

/* What probe/placement.cu has where a row does not say it. */
static const struct validate_options options = {
	.hypotheses = {{NONE, {{16, 64, 101}, 3}}, {100, {{16, 64, 101}, 3}}}, .hypothesis_count = 2};

static bool is_held(struct calibration *c, const struct recording *r)
{
	struct trace_configuration first;
	struct trace_reader *reader = trace_open(c->diagnostics, r->path);
	bool held = reader != NULL && trace_next(reader, &first) == TRACE_READ && first.mode == 0 && strcmp(first.experiment, "next") != 0;
	if (reader != NULL)
		trace_close(reader);
	return held;
}

static struct held find_held(struct calibration *c)
{
	struct held held = {arena_allocate(c->arena, (size_t)c->recording_count + 1, sizeof *held.of), 0};
	for (int i = calibrate_next(c, "placement", 0); i < c->recording_count; i = calibrate_next(c, "placement", i + 1)) {
		int at = held.count;
		if (!is_held(c, c->recordings[i]))
			continue;
		for (; at > 0 && held.of[at - 1]->rows_seen > c->recordings[i]->rows_seen; at--)
			held.of[at] = held.of[at - 1];
		held.of[at] = c->recordings[i];
		held.count++;
	}
	return held;
}

bool calibrate_predict(struct calibration *c, const struct recording *r, struct counts *counts, struct delays *delays)
{
	struct arena *arena = arena_create();
	struct validation validation;
	struct validate_options asked = options;
	asked.delays = delays != NULL;
	bool fine = validate_init(&validation, arena, c->diagnostics, c->platform, &asked) && validate_file(&validation, r->path);
	if (fine)
		counts_add(counts, &validation.total);
	if (fine && delays != NULL)
		delays_add(delays, validation.delays);
	arena_destroy(arena);
	return fine;
}

/* ---- ways to group the single TPCs */

struct way {
	int group[SINGLES_MOST]; /* by TPC, from 0; the first TPC's is 0, a new one's is the next number */
	int64_t exact;           /* kernels with every block where it was, of the recordings so far */
};

struct singles {
	int count, first; /* TPCs; the number that the first of their groups has */
	int tpcs[SINGLES_MOST];
	struct way ways[WAYS_MOST]; /* those that explain most so far */
	int way_count;
};

static bool find_singles(const struct calibration *c, struct singles *s)
{
	int64_t sms = platform_value(c->platform, PARAMETER_SM_COUNT);
	for (int64_t i = 0; i < sms; i++) {
		const struct sm_position *at = &c->platform->sms[i];
		if (at->ring != 1)
			s->first = at->gpc + 1 > s->first ? at->gpc + 1 : s->first;
		else if (s->count == 0 || s->tpcs[s->count - 1] != at->tpc) {
			if (s->count == SINGLES_MOST)
				return false;
			s->tpcs[s->count++] = at->tpc;
		}
	}
	return s->count > 1;
}

static void apply(struct calibration *c, struct sm_position *places, const struct singles *s, const int *group)
{
	int64_t sms = platform_value(c->platform, PARAMETER_SM_COUNT);
	int most = 0;
	for (int64_t i = 0; i < sms; i++)
		for (int k = 0; places[i].ring == 1 && k < s->count; k++)
			if (places[i].tpc == s->tpcs[k])
				places[i].gpc = s->first + group[k];
	for (int k = 0; k < s->count; k++)
		most = group[k] > most ? group[k] : most;
	c->platform->gpc_count = s->first + most + 1;
}

/* The next way: each TPC joins a group before it or opens the next one. False: that was the last. */
static bool next_way(const struct singles *s, struct way *way)
{
	for (int k = s->count - 1; k > 0; k--) {
		int most = 0;
		for (int i = 0; i < k; i++)
			most = way->group[i] > most ? way->group[i] : most;
		if (way->group[k] <= most) {
			way->group[k]++;
			memset(&way->group[k + 1], 0, (size_t)(s->count - k - 1) * sizeof *way->group);
			return true;
		}
	}
	return false;
}

static void list_ways(struct singles *s)
{
	struct way way = {{0}, 0};
	do
		s->ways[s->way_count++] = way;
	while (next_way(s, &way));
}

/* Keeps the ways that explain most. */
static bool try_ways(struct calibration *c, struct sm_position *places, struct singles *s, const struct recording *r)
{
	int64_t most = 0;
	int kept = 0;
	for (int i = 0; i < s->way_count; i++) {
		struct counts counts = {0};
		apply(c, places, s, s->ways[i].group);
		if (!calibrate_predict(c, r, &counts, NULL))
			return false;
		s->ways[i].exact += counts.exact_block;
		most = checked_max(most, s->ways[i].exact);
	}
	for (int i = 0; i < s->way_count; i++)
		if (s->ways[i].exact == most)
			s->ways[kept++] = s->ways[i];
	s->way_count = kept;
	return true;
}

static bool group_singles(struct calibration *c, const struct held *held)
{
	struct singles *s = arena_allocate(c->arena, 1, sizeof *s);
	int64_t sms = platform_value(c->platform, PARAMETER_SM_COUNT);
	if (c->platform->sms == NULL || !find_singles(c, s))
		return true;
	struct sm_position *places = arena_allocate(c->arena, (size_t)sms, sizeof *places);
	memcpy(places, c->platform->sms, (size_t)sms * sizeof *places);
	c->platform->sms = places;
	list_ways(s);
	int ways = s->way_count;
	for (int i = 0; i < held->count && s->way_count > 1; i++)
		if (!try_ways(c, places, s, held->of[i]))
			return false;
	apply(c, places, s, s->ways[0].group);
	calibrate_note(c, arena_format(c->arena,
				  "the %d TPCs that no cluster of more than two uses are grouped as placements show: of %d ways this one "
				  "explains most%s",
				  s->count, ways, s->way_count > 1 ? ", but others explain as much" : ""));
	return true;
}

/* ---- the judgement */

static bool can_predict(const struct calibration *c)
{
	struct arena *arena = arena_create();
	struct sm_limits limits;
	const char *missing;
	bool can = c->platform->placement != PLACEMENT_UNKNOWN && sm_limits_read(&limits, arena, c->platform, NULL, &missing);
	arena_destroy(arena);
	return can;
}

static void judge_policy(struct calibration *c, const struct counts *counts)
{
	struct platform *platform = c->platform;
	const char *name = placement_names[platform->placement];
	bool fine = checked_mul(100, counts->exact_block) >= checked_mul(LEAST_PERCENT, counts->held);
	int64_t thousandths = counts->held > 0 ? checked_mul(counts->exact_block, 100000) / counts->held : 0;
	calibrate_note(c, arena_format(c->arena,
				  "exact_block: the policy %s puts every block of %" PRId64 " of %" PRId64
				  " kernels that were launched one by one where it "
				  "was, %" PRId64 ".%03" PRId64 " %%; exact_set %" PRId64 "%s",
				  name, counts->exact_block, counts->held, thousandths / 1000, thousandths % 1000, counts->exact_set,
				  fine ? ""
				       : ": too few, so that the policy is unknown, and what SMs blocks get is not predicted; no bound "
					 "depends on it"));
	c->exact = fine;
	if (!fine)
		platform->placement = PLACEMENT_UNKNOWN;
}

void calibrate_policy(struct calibration *c)
{
	struct held held = find_held(c);
	struct counts counts = {0};
	if (held.count == 0 || !can_predict(c))
		return;
	if (c->platform->order == NULL && !c->order_sought) {
		calibrate_note(c, "the policy was not judged: no recording of probe/placement next tells the order of SMs");
		return;
	}
	if (c->platform->placement == PLACEMENT_HOPPER && !group_singles(c, &held))
		return;
	for (int i = 0; i < held.count; i++)
		if (!calibrate_predict(c, held.of[i], &counts, NULL))
			return;
	judge_policy(c, &counts);
}
