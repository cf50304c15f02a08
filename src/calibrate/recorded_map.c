/* The map of SMs from clusters of thread blocks and from clocks.
 *
 * The blocks of a cluster share a GPC. Cycle counters of SMs that were reset
 * together differ by few cycles, those of two GPCs of the recorded chips by
 * many thousands: where they fall into groups in every repetition alike, the
 * groups are GPCs. */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK_GAP                                                                                                                          \
	2000 /* cycles between the counters of two GPCs at least; within one at most                                                       \
		a tenth of it */
#define CLOCK_BITS ((INT64_C(1) << 62) - 1)

struct columns {
	int method, repetition, group, rank, sm, value;
};

struct builder {
	struct calibration *calibration;
	const struct recording *recording;
	struct columns at;
	int sms;
	int *gpc;      /* a representative of the SMs that share a GPC: union-find */
	int *pairs;    /* of two SMs, how often clusters of two or the contention of
			  pairs put them together */
	bool *grouped; /* seen in a cluster of more than two */
	int *clocked;  /* the group of its clock; -1: not told */
	int clock_groups;
};

static int root(int *parent, int i)
{
	while (parent[i] != i)
		i = parent[i];
	return i;
}

static int sm_of(struct builder *b, const struct recording_row *row)
{
	int64_t sm = recording_number(b->recording, row, b->at.sm);
	if (sm != NONE && sm >= 0 && sm < b->sms)
		return (int)sm;
	if (sm != NONE)
		diagnose(b->calibration->diagnostics, DIAGNOSTIC_RECORDING_VALUE, b->recording->path, row->line,
			"SM %" PRId64 " of %d: expected the SMs to be numbered from 0 without gaps", sm, b->sms);
	return -1;
}

static bool same_group(const struct builder *b, const struct recording_row *one, const struct recording_row *other)
{
	return strcmp(one->cells[b->at.method], other->cells[b->at.method]) == 0 &&
	       strcmp(one->cells[b->at.repetition], other->cells[b->at.repetition]) == 0 &&
	       strcmp(one->cells[b->at.group], other->cells[b->at.group]) == 0;
}

static void pair(struct builder *b, int one, int other)
{
	b->pairs[one * b->sms + other]++;
	b->pairs[other * b->sms + one]++;
}

/* The SM that this one was paired with most often; -1: none. */
static int partner(const struct builder *b, int sm)
{
	int best = -1;
	for (int other = 0; other < b->sms; other++)
		if (b->pairs[sm * b->sms + other] > (best < 0 ? 0 : b->pairs[sm * b->sms + best]))
			best = other;
	return best;
}

/* ---- clocks */

struct reading {
	int64_t value;
	int sm;
};

static int by_value(const void *a, const void *b)
{
	const struct reading *one = a, *other = b;
	return (one->value > other->value) - (one->value < other->value);
}

/* The groups of one repetition, sorted readings; 0: they do not fall into
 * groups. */
static int group_clocks(const struct reading *readings, int count, int *group_of)
{
	int groups = 0;
	int64_t first = 0;
	for (int i = 0; i < count; i++) {
		if (i == 0 || readings[i].value - readings[i - 1].value > CLOCK_GAP) {
			groups++;
			first = readings[i].value;
		}
		if (readings[i].value - first > CLOCK_GAP / 10)
			return 0;
		group_of[readings[i].sm] = groups - 1;
	}
	return groups;
}

static bool same_partition(const int *one, const int *other, int count)
{
	for (int i = 0; i < count; i++)
		for (int k = 0; k < i; k++)
			if ((one[i] == one[k]) != (other[i] == other[k]))
				return false;
	return true;
}

/* Rows of a repetition stand together, one for each SM. */
static void read_clocks(struct builder *b)
{
	const struct recording *r = b->recording;
	struct arena *arena = b->calibration->arena;
	struct reading *readings = arena_allocate(arena, (size_t)b->sms, sizeof *readings);
	int *now = arena_allocate(arena, (size_t)b->sms, sizeof *now), count = 0, repetitions = 0;
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		if (strcmp(row->cells[b->at.method], "clock") != 0)
			continue;
		int64_t value = recording_number(r, row, b->at.value);
		int sm = sm_of(b, row);
		if (value == NONE || sm < 0)
			return;
		readings[count++] = (struct reading){value & CLOCK_BITS, sm};
		if (count < b->sms)
			continue;
		count = 0;
		qsort(readings, (size_t)b->sms, sizeof *readings, by_value);
		int groups = group_clocks(readings, b->sms, now);
		if (groups == 0 || (repetitions++ > 0 && !same_partition(now, b->clocked, b->sms))) {
			b->clock_groups = 0;
			return;
		}
		b->clock_groups = groups;
		memcpy(b->clocked, now, (size_t)b->sms * sizeof *now);
	}
}

/* ---- clusters */

/* Rows of a group stand together, the first of them names it. Clusters of two
 * pair SMs of a TPC, larger ones gather a GPC's. */
static int64_t read_clusters(struct builder *b)
{
	const struct recording *r = b->recording;
	int64_t clusters = 0;
	for (int i = 0, first = -1; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		if (strncmp(row->cells[b->at.method], "cluster-", 8) != 0)
			continue;
		int sm = sm_of(b, row);
		if (sm < 0)
			return 0;
		if (first < 0 || !same_group(b, &r->rows[first], row)) {
			first = i;
			clusters++;
			continue;
		}
		int head = sm_of(b, &r->rows[first]);
		bool two = strcmp(row->cells[b->at.method], "cluster-2") == 0;
		if (two)
			pair(b, head, sm);
		else
			b->grouped[sm] = b->grouped[head] = true;
		b->gpc[root(b->gpc, sm)] = root(b->gpc, head);
	}
	return clusters;
}

/* Without clusters the groups of clocks are the GPCs; with them the two must
 * agree. */
static bool use_clocks(struct builder *b, bool has_clusters)
{
	for (int one = 0; one < b->sms; one++)
		for (int other = 0; other < one; other++) {
			bool together = root(b->gpc, one) == root(b->gpc, other), clocked = b->clocked[one] == b->clocked[other];
			if (has_clusters && together && !clocked) {
				diagnose(b->calibration->diagnostics, DIAGNOSTIC_RECORDING_CONTRADICTION, b->recording->path, 0,
					"SMs %d and %d were in one cluster, but their clocks say that "
					"they are of two GPCs",
					other, one);
				return false;
			}
			if (!has_clusters && clocked) {
				b->gpc[root(b->gpc, one)] = root(b->gpc, other);
				b->grouped[one] = b->grouped[other] = true;
			}
		}
	return true;
}

/* Contention of two SMs that share a port, by reading, writing or adding: one
 * is slowed by more than a tenth by a single one of those tried beside it. */
static void read_pairs(struct builder *b)
{
	const struct recording *r = b->recording;
	int64_t alone = NONE;
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		if (strncmp(row->cells[b->at.method], "pair", 4) != 0)
			continue;
		int64_t beside = recording_number(r, row, b->at.rank), time = recording_number(r, row, b->at.value);
		int sm = sm_of(b, row);
		if (beside == NONE || time == NONE || sm < 0)
			return;
		if (beside < 0)
			alone = time;
		else if (beside < b->sms && alone != NONE && checked_mul(10, time) > checked_mul(11, alone))
			pair(b, sm, (int)beside);
	}
}

/* For a reader: where single TPCs sit by their clocks. */
static void note_singles(struct builder *b)
{
	struct output text = {0};
	for (int sm = 0; sm < b->sms; sm++)
		for (int other = 0; !b->grouped[sm] && other < b->sms; other++)
			if (b->grouped[other] && b->clocked[sm] == b->clocked[other]) {
				output_print(&text, "%s%d with %d", text.length > 0 ? ", " : "", sm, other);
				break;
			}
	if (text.length > 0)
		calibrate_note(b->calibration,
			arena_format(b->calibration->arena,
				"by their clocks, SMs that no cluster of more than two uses share a GPC with others: %s", text.text));
	output_finish(&text);
}

/* GPCs are numbered by their least SM, those of clusters of more than two
 * first: the others are single TPCs of unknown place. */
static int number_groups(struct builder *b, struct sm_position *places)
{
	int count = 0;
	int *number = arena_allocate(b->calibration->arena, (size_t)b->sms, sizeof *number);
	memset(number, -1, (size_t)b->sms * sizeof *number);
	for (int ring = 0; ring <= 1; ring++)
		for (int sm = 0; sm < b->sms; sm++) {
			if (b->grouped[sm] != (ring == 0))
				continue;
			int of = root(b->gpc, sm);
			if (number[of] < 0)
				number[of] = count++;
			places[sm].gpc = number[of];
			places[sm].ring = b->calibration->platform->placement == PLACEMENT_HOPPER ? ring : NO_ID;
		}
	return count;
}

static void set_map(struct builder *b)
{
	struct calibration *c = b->calibration;
	struct sm_position *places = arena_allocate(c->arena, (size_t)b->sms, sizeof *places);
	int tpcs = 0;
	for (int sm = 0; sm < b->sms; sm++) {
		int other = partner(b, sm);
		bool paired = other >= 0 && partner(b, other) == sm;
		places[sm].tpc = paired && other < sm ? places[other].tpc : tpcs++;
	}
	c->platform->gpc_count = number_groups(b, places);
	c->platform->sms = places;
	c->platform->map_source = b->recording->source;
}

void calibrate_map(struct calibration *c, const struct recording *r)
{
	struct builder b = {.calibration = c, .recording = r, .sms = (int)r->sms};
	b.at = (struct columns){recording_column(r, "method"), recording_column(r, "repetition"), recording_column(r, "group"),
		recording_column(r, "rank"), recording_column(r, "sm"), recording_column(r, "value")};
	if (b.at.method < 0 || b.at.repetition < 0 || b.at.group < 0 || b.at.rank < 0 || b.at.sm < 0 || b.at.value < 0)
		return;
	b.gpc = arena_allocate(c->arena, (size_t)b.sms, sizeof *b.gpc);
	b.pairs = arena_allocate(c->arena, (size_t)b.sms * (size_t)b.sms, sizeof *b.pairs);
	b.clocked = arena_allocate(c->arena, (size_t)b.sms, sizeof *b.clocked);
	b.grouped = arena_allocate(c->arena, (size_t)b.sms, sizeof *b.grouped);
	for (int i = 0; i < b.sms; i++)
		b.gpc[i] = i;
	bool has_clusters = read_clusters(&b) >= b.sms;
	read_clocks(&b);
	if (!has_clusters)
		read_pairs(&b);
	if (b.clock_groups > 1 && !use_clocks(&b, has_clusters))
		return;
	if (has_clusters || b.clock_groups > 1)
		set_map(&b);
	else
		calibrate_note(c, "no map of TPCs and GPCs: no clusters of thread blocks, and the SMs' clocks do not fall into groups");
	if (has_clusters && b.clock_groups > 1)
		note_singles(&b);
}
