/* Streams meet those of their engine, but for themselves, and a NULL stream and the blocking ones of its application are never both there.
 */
#include "verify/meeting_streams.h"

#include "verify/resident.h"

#define KINDS 3 /* of streams */

struct total {              /* of up to 2^31 numbers, from which some may be taken again */
	uint64_t high, low; /* what is known: high 2^32 + low */
	int unknown, count;
};

struct totals {
	struct check *check;
	struct total *of_kind; /* [application * KINDS + kind] */
	struct total *of_context, all;
};

static void add(struct total *total, int64_t value)
{
	if (value < 0)
		return;
	total->count++;
	total->unknown += checked_is_none(value);
	total->high += checked_is_none(value) ? 0 : (uint64_t)value >> 32;
	total->low += checked_is_none(value) ? 0 : (uint64_t)value & UINT32_MAX;
}

static void take(struct total *total, struct total part)
{
	total->count -= part.count;
	total->unknown -= part.unknown;
	total->high -= part.high;
	total->low -= part.low;
}

static int64_t value_of(struct total total)
{
	uint64_t high = total.high + (total.low >> 32), low = total.low & UINT32_MAX;
	if (total.count == 0)
		return -1;
	return total.unknown > 0 || high > INT32_MAX ? NONE : (int64_t)(high << 32 | low);
}

static int64_t sum_of(const struct totals *totals, int stream, int64_t own)
{
	const struct check *check = totals->check;
	const struct stream *of = &check->set->streams[stream];
	struct total sum = resident_contexts_meet(check) ? totals->all : totals->of_context[taskset_context_of(check->set, stream)],
		     self = {0, 0, 0, 0};
	add(&self, own);
	take(&sum, self);
	if (of->kind == STREAM_NULL || of->kind == STREAM_BLOCKING)
		take(&sum, totals->of_kind[of->application * KINDS + (of->kind == STREAM_NULL ? STREAM_BLOCKING : STREAM_NULL)]);
	return value_of(sum);
}

/* Where partitions say who meets whom on an SM, or locks who meets whom at all, one by one. */
static int64_t sum_one_by_one(const struct check *check, int stream, const int64_t *of_stream, bool on_one_sm)
{
	struct total sum = {0, 0, 0, 0};
	for (int s = 0; s < check->set->stream_count; s++)
		if (on_one_sm ? resident_mix(check, stream, s) : resident_meet(check, stream, s))
			add(&sum, of_stream[s]);
	return value_of(sum);
}

int64_t *meeting_sums(struct check *check, const int64_t *of_stream, bool on_one_sm)
{
	bool apart = check->set->locked || (on_one_sm && check->set->partition_count > 0);
	const struct taskset *set = check->set;
	size_t applications = (size_t)set->application_count + 1;
	struct totals totals = {check, arena_allocate(check->arena, KINDS * applications, sizeof *totals.of_kind),
		arena_allocate(check->arena, applications, sizeof *totals.of_context), {0, 0, 0, 0}};
	int64_t *sums = arena_allocate(check->arena, (size_t)set->stream_count + 1, sizeof *sums);
	for (int s = 0; s < set->stream_count; s++) {
		const struct stream *of = &set->streams[s];
		add(&totals.of_kind[of->application * KINDS + of->kind], of_stream[s]);
		add(&totals.of_context[taskset_context_of(set, s)], of_stream[s]);
		add(&totals.all, of_stream[s]);
	}
	for (int s = 0; s < set->stream_count; s++)
		sums[s] = apart ? sum_one_by_one(check, s, of_stream, on_one_sm) : sum_of(&totals, s, of_stream[s]);
	return sums;
}
