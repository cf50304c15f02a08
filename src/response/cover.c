#include "response/cover_parts.h"

#include "base/plant.h"
#include "response/start_delays.h"

#include <string.h>

#define SCALE_BITS 20
#define SCALE (INT64_C(1) << SCALE_BITS)

struct resource_demand { /* of one block, and what an SM has in whole units */
	int64_t demand, capacity, unit;
};

#define RESOURCES 4

static int64_t whole(const struct platform *platform, enum parameter capacity, int64_t unit)
{
	return checked_round_down(platform_value(platform, capacity), unit);
}

static void demands(const struct platform *platform, const struct occupancy *occupancy, struct resource_demand of[RESOURCES])
{
	const struct demand *demand = &occupancy->demand;
	int64_t registers = platform_value(platform, PARAMETER_REGISTER_UNIT), shared = platform_value(platform, PARAMETER_SHARED_UNIT);
	of[0] = (struct resource_demand){demand->warps, platform_value(platform, PARAMETER_SM_WARPS), 1};
	of[1] = (struct resource_demand){1, platform_value(platform, PARAMETER_SM_BLOCKS), 1};
	of[2] = (struct resource_demand){
		occupancy_charged_registers(platform, occupancy), whole(platform, PARAMETER_SM_REGISTERS, registers), registers};
	of[3] = (struct resource_demand){demand->shared, whole(platform, PARAMETER_SM_SHARED, shared), shared};
}

/* omega of block j for head x: the largest share of a fullness threshold that one block of j covers; scaled, rounded up. */
static int64_t share(const struct platform *platform, const struct occupancy *j, const struct occupancy *x)
{
	struct resource_demand of_j[RESOURCES], of_x[RESOURCES];
	int64_t largest = 0;
	demands(platform, j, of_j);
	demands(platform, x, of_x);
	for (int r = 0; r < RESOURCES; r++) {
		if (of_x[r].demand == 0)
			continue;
		int64_t threshold = checked_add(checked_sub(of_x[r].capacity, of_x[r].demand), of_x[r].unit);
		int64_t scaled = threshold == NONE || threshold <= 0 ? SCALE : checked_mul_div_ceil(of_j[r].demand, SCALE, threshold);
		largest = checked_max(largest, checked_min(scaled, SCALE));
	}
	return largest;
}

bool cover_amounts_decide(const struct platform *platform)
{
	return platform_grants(platform, ASSUMPTION_FRAG) && !occupancy_is_configurable(platform);
}

/* pi of a class for the heads that may stand at the queue while a kernel of `level` waits, or, for its own blocks, `own` and higher. */
static int64_t weight_of(
	const struct platform *platform, const struct map *map, const struct classes *classes, int index, int level, bool own)
{
	const struct class *class = &classes->items[index];
	const struct occupancy *occupancy = &map->kernels[class->operation].occupancy;
	int64_t weight = own ? share(platform, occupancy, occupancy) : 0;
	if (!cover_amounts_decide(platform))
		return SCALE;
	for (int i = 0; i < classes->count; i++) {
		const struct class *head = &classes->items[i];
		if (head->place == PLACE_EXECUTION && (own ? head->level < level : head->level <= level))
			weight = checked_max(weight, share(platform, occupancy, &map->kernels[head->operation].occupancy));
	}
	return weight;
}

/* Only the kernel itself asks for room. */
static int64_t *weigh_passing(struct arena *arena, const struct cover *cover, int own)
{
	const struct classes *classes = cover->classes;
	const struct occupancy *head = &cover->map->kernels[classes->items[own].operation].occupancy;
	int64_t *of = arena_allocate(arena, (size_t)classes->count, sizeof *of);
	for (int i = 0; i < classes->count; i++) {
		if (classes->items[i].place != PLACE_EXECUTION)
			continue;
		const struct occupancy *occupancy = &cover->map->kernels[classes->items[i].operation].occupancy;
		of[i] = cover_amounts_decide(cover->platform) ? share(cover->platform, occupancy, head) : SCALE;
	}
	return of;
}

static void weigh(struct arena *arena, struct cover *cover)
{
	const struct classes *classes = cover->classes;
	int64_t *of_level[CLASS_LEVELS] = {NULL};
	for (int i = 0; i < classes->count; i++) {
		const struct class *own = &classes->items[i];
		if (own->place != PLACE_EXECUTION)
			continue;
		if (cover->passing) {
			cover->closed[i] = (struct cover_weights){SCALE, weigh_passing(arena, cover, i)};
			continue;
		}
		int64_t **others = &of_level[own->level], *of = arena_allocate(arena, (size_t)classes->count, sizeof *of);
		if (*others == NULL) {
			*others = arena_allocate(arena, (size_t)classes->count, sizeof **others);
			for (int k = 0; k < classes->count; k++)
				if (classes->items[k].place == PLACE_EXECUTION)
					(*others)[k] = weight_of(cover->platform, cover->map, classes, k, own->level, false);
		}
		memcpy(of, *others, (size_t)classes->count * sizeof *of);
		of[i] = weight_of(cover->platform, cover->map, classes, i, own->level, true);
		cover->closed[i] = (struct cover_weights){SCALE, of};
	}
}

static void add_delta(struct cover *cover, int64_t delta)
{
	for (int i = 0; i < cover->delta_count; i++)
		if (cover->deltas[i] == delta)
			return;
	if (delta > 0 && cover->delta_count < COVER_DELTAS)
		cover->deltas[cover->delta_count++] = delta;
}

/* 1, and the block times of the first kernels with their halves and thirds, rounded up so that two or three samples see all of a block: all
 * are sound, a few are enough. */
static void choose_deltas(struct cover *cover)
{
	add_delta(cover, 1);
	for (int part = 1; part <= 3; part++)
		for (int i = 0; i < cover->classes->count; i++)
			if (cover->classes->items[i].place == PLACE_EXECUTION && cover->delta_count < 1 + 4 * part)
				add_delta(cover, checked_div_ceil(cover->classes->items[i].block, part));
}

static void count_samples(struct arena *arena, struct cover *cover)
{
	size_t size = (size_t)cover->classes->count * COVER_DELTAS;
	cover->each = arena_reserve(arena, size + 1, sizeof *cover->each);
	cover->carried = arena_reserve(arena, size + 1, sizeof *cover->carried);
	for (int i = 0; i < cover->classes->count; i++)
		for (int d = 0; d < COVER_DELTAS; d++) {
			bool known = d < cover->delta_count && cover->classes->items[i].place == PLACE_EXECUTION;
			cover->each[i * COVER_DELTAS + d] = known ? checked_div_ceil(cover->classes->items[i].block, cover->deltas[d]) : 0;
			cover->carried[i * COVER_DELTAS + d] = -1;
		}
}

struct cover *cover_build(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	int context, const struct classes *classes, const struct supply *supply, int64_t horizon, bool passing)
{
	struct cover *cover = arena_allocate(arena, 1, sizeof *cover);
	*cover = (struct cover){.classes = classes,
		.platform = platform,
		.supply = supply,
		.map = map,
		.sms = domain_sms(platform, set, &map->domains->items[context]),
		.launch = platform_value(platform, PARAMETER_OVERHEAD_LAUNCH),
		.dispatch = platform_value(platform, PARAMETER_OVERHEAD_BLOCK),
		.delay = start_delays_exist(platform) && !planted(PLANT_CHANGES) ? platform_value(platform, PARAMETER_DISPATCH_DELAY) : 0,
		.horizon = horizon,
		.passing = passing,
		.closed = arena_allocate(arena, (size_t)classes->count + 1, sizeof *cover->closed),
		.sharp = arena_allocate(arena, (size_t)classes->count + 1, sizeof *cover->sharp),
		.resident = arena_allocate(arena, (size_t)classes->count + 1, sizeof *cover->resident)};
	if (classes->count > LIMIT_COVER_CLASSES || map->domains->items[context].several)
		return NULL;
	for (int i = 0; i < classes->count; i++) {
		const struct class *class = &classes->items[i];
		if (class->place != PLACE_EXECUTION)
			continue;
		const struct kernel_map *kernel = &map->kernels[class->operation];
		if (set->operations[class->operation].kind != OPERATION_KERNEL || class->blocks == NONE || !kernel->sized ||
			set->operations[class->operation].kernel.scope == SCOPE_GRID || kernel->slots_greatest == NONE)
			return NULL;
		cover->resident[i] = checked_min(class->blocks, kernel->slots_greatest);
	}
	weigh(arena, cover);
	choose_deltas(cover);
	count_samples(arena, cover);
	return cover->sms == NONE ? NULL : cover;
}

/* ---- samples and what they weigh */

bool cover_meets(const struct cover *cover, const struct class *own, int index)
{
	const struct class *class = &cover->classes->items[index];
	return class == own || (class->place == PLACE_EXECUTION && class->stream != own->stream);
}

/* Are kernels of another stream above those of the own one? Where kernels pass one another all are. */
enum rank { COVER_HIGHER, COVER_SAME, COVER_LOWER };

static enum rank rank_of(const struct cover *cover, const struct class *own, const struct class *other)
{
	if (cover->passing && other->stream != own->stream)
		return COVER_HIGHER;
	return other->level < own->level ? COVER_HIGHER : other->level == own->level ? COVER_SAME : COVER_LOWER;
}

static int64_t arriving(const struct cover *cover, const struct class *class, int64_t window)
{
	return cover->passing && planted(PLANT_PASSED) ? 0 : arrivals_in(&class->arrivals, checked_add(window, 1));
}

/* come: how many of them do. */
static int64_t there_of(const struct cover *cover, const struct class *other, int64_t window, int64_t come)
{
	if (cover->passing && planted(PLANT_PASSED))
		return checked_min(class_there(other, window), 1);
	return class_there_of(other, window, come);
}

void cover_count(const struct cover *cover, const struct class *own, int64_t window, struct cover_counts *counts)
{
	for (int i = 0; i < cover->classes->count; i++) {
		const struct class *class = &cover->classes->items[i];
		bool higher = class != own && class->place == PLACE_EXECUTION && rank_of(cover, own, class) == COVER_HIGHER;
		counts->come[i] = higher ? arriving(cover, class, window) : 0;
		counts->there[i] = higher ? there_of(cover, class, window, counts->come[i]) : 0;
	}
}

int64_t cover_carried(const struct cover *cover, const struct class *own, int index)
{
	const struct class *class = &cover->classes->items[index];
	bool lower = rank_of(cover, own, class) == COVER_LOWER || planted(PLANT_QUEUED);
	return lower ? cover->resident[index] : class->blocks;
}

int64_t cover_certain(const struct cover *cover, const struct class *own, int index, int64_t window)
{
	const struct class *class = &cover->classes->items[index];
	if (class == own)
		return own->blocks - 1;
	if (class->place != PLACE_EXECUTION || rank_of(cover, own, class) != COVER_HIGHER)
		return 0;
	return checked_mul(arriving(cover, class, window), class->blocks);
}

bool cover_is_lower(const struct cover *cover, const struct class *own, int stream)
{
	const struct classes *classes = cover->classes;
	return classes->of_stream_count[stream] > 0 && rank_of(cover, own, &classes->items[classes->of_stream[stream][0]]) == COVER_LOWER;
}

bool cover_is_higher(const struct cover *cover, const struct class *own, int stream)
{
	const struct classes *classes = cover->classes;
	return classes->of_stream_count[stream] > 0 && rank_of(cover, own, &classes->items[classes->of_stream[stream][0]]) == COVER_HIGHER;
}

/* [delta]: samples of the one carried kernel of each other stream of its own level that weigh most. lower: with the blocks of lower
 * levels. */
static void weigh_carried(
	const struct cover *cover, const struct class *own, const struct cover_weights *weights, bool lower, int64_t *sums)
{
	for (int d = 0; d < cover->delta_count; d++)
		sums[d] = 0;
	for (int s = 0; s < cover->classes->stream_count; s++) {
		int64_t most[COVER_DELTAS] = {0};
		if (s == own->stream || cover_is_higher(cover, own, s) || (!lower && cover_is_lower(cover, own, s)))
			continue;
		for (int i = 0; i < cover->classes->of_stream_count[s]; i++) {
			int index = cover->classes->of_stream[s][i];
			const int64_t *each = &cover->each[index * COVER_DELTAS];
			int64_t weight = checked_mul(cover_carried(cover, own, index), weights->of[index]);
			for (int d = 0; d < cover->delta_count; d++)
				most[d] = checked_max(most[d], checked_mul(weight, each[d]));
		}
		for (int d = 0; d < cover->delta_count; d++)
			sums[d] = checked_add(sums[d], most[d]);
	}
}

/* No window changes what is carried in. */
static void find_carried(const struct cover *cover, const struct class *own, const struct cover_weights *weights, bool lower, int64_t *sums)
{
	int index = (int)(own - cover->classes->items);
	int64_t *known = &cover->carried[index * COVER_DELTAS];
	if (weights != &cover->closed[index] || !lower) {
		weigh_carried(cover, own, weights, lower, sums);
		return;
	}
	if (known[0] < 0)
		weigh_carried(cover, own, weights, lower, known);
	memcpy(sums, known, (size_t)cover->delta_count * sizeof *sums);
}

/* A stream of a higher level: any one that was there and all that come; or of each kernel those that were there or come: [WHO-WAS-THERE].
 * */
static void add_higher(const struct cover *cover, const struct class *own, const struct cover_weights *weights,
	const struct cover_counts *counts, int stream, int64_t *sums)
{
	int64_t most[COVER_DELTAS] = {0}, come[COVER_DELTAS] = {0}, there[COVER_DELTAS] = {0};
	for (int i = 0; i < cover->classes->of_stream_count[stream]; i++) {
		int index = cover->classes->of_stream[stream][i];
		const int64_t *each = &cover->each[index * COVER_DELTAS];
		int64_t of_one = checked_mul(cover_carried(cover, own, index), weights->of[index]);
		int64_t blocks = cover->classes->items[index].blocks;
		int64_t of_come = checked_mul(checked_mul(counts->come[index], blocks), weights->of[index]);
		int64_t of_there = checked_mul(checked_mul(counts->there[index], blocks), weights->of[index]);
		for (int d = 0; d < cover->delta_count; d++) {
			most[d] = checked_max(most[d], checked_mul(of_one, each[d]));
			come[d] = checked_add(come[d], checked_mul(of_come, each[d]));
			there[d] = checked_add(there[d], checked_mul(of_there, each[d]));
		}
	}
	for (int d = 0; d < cover->delta_count; d++)
		sums[d] = checked_add(sums[d], checked_min(there[d], checked_add(come[d], most[d])));
}

/* [delta]: what all samples weigh. */
void cover_weigh(const struct cover *cover, const struct class *own, const struct cover_weights *weights, const struct cover_counts *counts,
	bool after_lower, int64_t *sums)
{
	int self = (int)(own - cover->classes->items);
	find_carried(cover, own, weights, !after_lower, sums);
	int64_t weight = checked_mul(own->blocks - 1, weights->of[self]);
	for (int d = 0; d < cover->delta_count; d++)
		sums[d] = checked_add(sums[d], checked_mul(weight, cover->each[self * COVER_DELTAS + d]));
	bool above = cover->passing || cover->classes->highest_level < own->level;
	for (int s = 0; s < cover->classes->stream_count && above; s++)
		if (s != own->stream && cover_is_higher(cover, own, s))
			add_higher(cover, own, weights, counts, s, sums);
}

static int64_t delay_of(const struct cover *cover, const struct class *own, const struct cover_weights *weights,
	const struct cover_counts *counts, bool after_lower)
{
	int64_t least = NONE, sums[COVER_DELTAS], full = checked_mul(cover->sms, weights->unit);
	cover_weigh(cover, own, weights, counts, after_lower, sums);
	for (int d = 0; d < cover->delta_count; d++)
		least = checked_min(least, checked_mul(cover->deltas[d], checked_div_floor(sums[d], full)));
	return least;
}

int64_t cover_delay(
	const struct cover *cover, const struct class *own, const struct cover_weights *weights, int64_t window, bool after_lower)
{
	struct cover_counts counts;
	cover_count(cover, own, window, &counts);
	return delay_of(cover, own, weights, &counts, after_lower);
}

/* What the dispatcher works on meanwhile, and its time: launches of the own and each higher kernel, every block, and one more for each that
 * may be under way when a higher one arrives ([V5]); of lower levels the one that is under way when the kernel arrives. */
struct cover_dispatched cover_dispatched(const struct cover *cover, const struct class *own, const struct cover_counts *counts)
{
	const struct classes *classes = cover->classes;
	int64_t blocks = checked_add(own->blocks, !cover->passing && classes->lower_block[own->level] > 0), kernels = 1;
	for (int s = 0; s < classes->stream_count; s++) {
		int64_t most = 0, come = 0, come_blocks = 0, there = 0, there_blocks = 0;
		bool higher = cover_is_higher(cover, own, s);
		if (s == own->stream || cover_is_lower(cover, own, s))
			continue;
		for (int i = 0; i < classes->of_stream_count[s]; i++) {
			const struct class *class = &classes->items[classes->of_stream[s][i]];
			int64_t arrivals = counts->come[classes->of_stream[s][i]], all = counts->there[classes->of_stream[s][i]];
			most = checked_max(most, class->blocks);
			come = checked_add(come, arrivals);
			come_blocks = checked_add(come_blocks, checked_mul(arrivals, class->blocks));
			there = checked_add(there, all);
			there_blocks = checked_add(there_blocks, checked_mul(all, class->blocks));
		}
		come = checked_add(come, most > 0);
		come_blocks = checked_add(come_blocks, most);
		kernels = checked_add(kernels, higher ? checked_min(come, there) : come);
		blocks = checked_add(blocks, higher ? checked_min(come_blocks, there_blocks) : come_blocks);
	}
	return (struct cover_dispatched){blocks, kernels};
}

static int64_t dispatcher_of(const struct cover *cover, const struct class *own, const struct cover_counts *counts)
{
	const struct cover_dispatched of = cover_dispatched(cover, own, counts);
	/* where the window begins two delays, where a higher kernel comes to the head two and one when that leaves, at any other change one
	 */
	int64_t delays = checked_mul(cover->delay, checked_mul(3, of.kernels));
	int64_t dispatches = checked_mul(cover->dispatch, checked_add(of.blocks, of.kernels));
	return checked_add(checked_add(checked_mul(cover->launch, of.kernels), dispatches), delays);
}

int64_t cover_dispatcher(const struct cover *cover, const struct class *own, int64_t window)
{
	struct cover_counts counts;
	cover_count(cover, own, window, &counts);
	return dispatcher_of(cover, own, &counts);
}

static bool same_counts(const struct cover *cover, const struct cover_counts *a, const struct cover_counts *b)
{
	size_t size = (size_t)cover->classes->count * sizeof *a->come;
	return memcmp(a->come, b->come, size) == 0 && memcmp(a->there, b->there, size) == 0;
}

static int64_t waited(const struct cover *cover, const struct class *own, const struct cover_counts *counts, bool after_lower)
{
	int index = (int)(own - cover->classes->items);
	int64_t delay = delay_of(cover, own, &cover->closed[index], counts, after_lower);
	if (!cover->closed_only && cover->sharp[index].unit > 0)
		delay = checked_min(delay, delay_of(cover, own, &cover->sharp[index], counts, after_lower));
	return checked_add(delay, dispatcher_of(cover, own, counts));
}

/* The least window, `found`, from `begins` after the arrival on that ends with the last dispatch. While nobody more comes, nothing more is
 * waited for. */
int64_t cover_window(const struct cover *cover, const struct class *own, int64_t begins, bool after_lower, int64_t enough, int64_t *found)
{
	int64_t window = 0, before = checked_add(begins, own->block), next = 0;
	struct cover_counts counts[2];
	for (int i = 0; i < LIMIT_ITERATIONS && window <= cover->horizon && checked_add(window, before) < enough; i++) {
		cover_count(cover, own, window, &counts[i % 2]);
		if (i == 0 || !same_counts(cover, &counts[0], &counts[1]))
			next = waited(cover, own, &counts[i % 2], after_lower);
		int64_t begin = supply_begin_step(cover->supply, next, window);
		*found = window;
		if (begin <= window)
			return supply_end(cover->supply, ENGINE_NONE, checked_add(next, before), cover->horizon);
		window = begin;
	}
	return NONE;
}

/* Blocks of lower levels are among those that fill SMs; or one waits until they are gone, and begins then, when at most one kernel of each
 * other stream is at the engine as well. */
int64_t cover_response(const struct cover *cover, const struct class *own, int64_t enough)
{
	int64_t gone = cover->passing ? 0 : cover->classes->lower_block[own->level], window;
	int64_t with = cover_window(cover, own, 0, false, enough, &window);
	if (gone == 0)
		return with;
	return checked_min(with, cover_window(cover, own, planted(PLANT_SINCE) ? 0 : gone, true, checked_min(with, enough), &window));
}
