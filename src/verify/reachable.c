#include "verify/reachable.h"

#include "model/limits.h"
#include "verify/meeting_streams.h"

#define MOST_TRIES 5000000

struct guest { /* a kernel of another stream */
	int stream;
	int64_t most, amount[LIMIT_COUNT];
};

struct search {
	struct guest guests[LIMIT_KERNELS_BESIDE];
	int count;
	int64_t room[LIMIT_COUNT];              /* NONE: not known */
	int64_t rest[LIMIT_KERNELS_BESIDE + 1]; /* [guest]: sum over the streams from it on of the most that one of its kernels has */
	int64_t best, tries;
};

static void amounts(const struct resident *of, int64_t *amount)
{
	amount[LIMIT_WARPS] = of->remaining;
	amount[LIMIT_BLOCKS] = 1;
	amount[LIMIT_REGISTERS] = checked_mul(of->remaining, of->warp_registers);
	amount[LIMIT_SHARED] = of->shared;
}

static bool put(struct search *search, const struct guest *guest, int64_t blocks)
{
	bool fits = true;
	for (int r = 0; r < LIMIT_COUNT; r++) {
		if (checked_is_none(search->room[r]) || checked_is_none(guest->amount[r]))
			continue;
		search->room[r] -= blocks * guest->amount[r];
		fits = fits && search->room[r] >= 0;
	}
	return fits;
}

static int next_stream(const struct search *search, int guest)
{
	int next = guest + 1;
	while (next < search->count && search->guests[next].stream == search->guests[guest].stream)
		next++;
	return next;
}

static void seat(struct search *search, int from, int64_t seated)
{
	if (seated > search->best)
		search->best = seated;
	if (from >= search->count || seated + search->rest[from] <= search->best || ++search->tries > MOST_TRIES)
		return;
	int next = next_stream(search, from);
	for (int i = from; i < next; i++)
		for (int64_t blocks = search->guests[i].most; blocks > 0; blocks--) {
			if (put(search, &search->guests[i], blocks))
				seat(search, next, seated + blocks);
			put(search, &search->guests[i], -blocks);
		}
	seat(search, next, seated);
}

static void add_rests(struct search *search)
{
	for (int i = search->count - 1; i >= 0; i--) {
		int next = next_stream(search, i);
		int64_t most = 0;
		for (int k = i; k < next; k++)
			most = checked_max(most, search->guests[k].most);
		search->rest[i] = most + search->rest[next];
	}
}

/* False: one of them is not known well enough, or there are too many, or none. */
static bool invite(struct check *check, const struct resident *residents, int operation, struct search *search)
{
	static const enum parameter limits[] = {PARAMETER_SM_WARPS, PARAMETER_SM_BLOCKS, PARAMETER_SM_REGISTERS, PARAMETER_SM_SHARED};
	int64_t own[LIMIT_COUNT];
	for (int s = 0; s < check->set->stream_count; s++) {
		struct listed list = lists_of(&check->of_stream, s);
		if (!resident_mix(check, check->set->operations[operation].stream, s))
			continue;
		for (int k = 0; k < list.count; k++) {
			int i = list.items[k];
			const struct operation *other = &check->set->operations[i];
			if (!residents[i].on_sms)
				continue;
			if (!residents[i].is_kernel || !residents[i].sized || checked_is_none(residents[i].greatest) ||
				search->count == LIMIT_KERNELS_BESIDE)
				return false;
			struct guest *guest = &search->guests[search->count++];
			*guest = (struct guest){.stream = s, .most = checked_min(residents[i].greatest, other->kernel.blocks)};
			amounts(&residents[i], guest->amount);
		}
	}
	amounts(&residents[operation], own);
	for (int r = 0; r < LIMIT_COUNT; r++)
		search->room[r] = checked_sub(platform_value(check->platform, limits[r]), own[r]);
	return search->count > 0 && residents[operation].sized;
}

/* ---- closed forms */

/* The most blocks of one operation of the stream; 0: it has none there. */
static int64_t most_of_stream(struct check *check, const struct resident *residents, int stream, bool on_one_sm)
{
	struct listed list = lists_of(&check->of_stream, stream);
	int64_t most = 0;
	for (int k = 0; k < list.count; k++) {
		const struct resident *of = &residents[list.items[k]];
		if (!of->on_sms)
			continue;
		int64_t blocks = of->is_kernel ? check->set->operations[list.items[k]].kernel.blocks : NONE;
		most = checked_max(most, on_one_sm && of->is_kernel ? checked_min(blocks, of->greatest) : blocks);
	}
	return most;
}

static const int64_t *sum_of_streams(struct check *check, const struct resident *residents, bool on_one_sm)
{
	int64_t *most = arena_allocate(check->arena, (size_t)check->set->stream_count + 1, sizeof *most);
	for (int s = 0; s < check->set->stream_count; s++)
		most[s] = most_of_stream(check, residents, s, on_one_sm);
	int64_t *sums = meeting_sums(check, most, on_one_sm);
	for (int s = 0; s < check->set->stream_count; s++)
		sums[s] = checked_max(sums[s], 0);
	return sums;
}

struct besides reachable_sum(struct check *check, const struct resident *residents)
{
	return (struct besides){sum_of_streams(check, residents, false), sum_of_streams(check, residents, true)};
}

static bool is_counted(const struct platform *platform)
{
	bool counted = false;
	for (int i = 0; i < platform->interference_count; i++) {
		const struct interference_entry *entry = &platform->interference[i];
		counted |= entry->source == INTERFERER_SM && !entry->is_copy && !checked_is_none(entry->count);
	}
	return counted;
}

struct neighbours reachable_find(struct check *check, const struct resident *residents, const struct besides *besides, int operation)
{
	int stream = check->set->operations[operation].stream;
	int64_t slots = checked_sub(platform_value(check->platform, PARAMETER_SM_BLOCKS), 1);
	struct neighbours found = {.chip = besides->chip[stream], .most = NONE};
	found.closed = checked_min(slots, checked_min(residents[operation].foreign_warps, besides->on_one_sm[stream]));
	struct search search = {.count = 0};
	if (!is_counted(check->platform) || found.closed <= 0 || !invite(check, residents, operation, &search))
		return found;
	found.asked = true;
	add_rests(&search);
	seat(&search, 0, 0);
	if (search.tries <= MOST_TRIES)
		found.most = checked_min(found.closed, search.best);
	return found;
}
