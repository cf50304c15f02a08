#include "verify/cover_weights.h"

#include <string.h>

#define MOST_NODES 20000000

struct weighed {
	int class, stream;
	int64_t most, weight;
	int64_t amount[LIMIT_COUNT],
		filling[LIMIT_COUNT]; /* in units of allocation: what a block takes, and counts with towards a full SM */
	bool heads_own, heads_others; /* may it be first while own blocks are there, while none are? */
	bool tight;
};

struct balance { /* the SM */
	const struct engines *engines;
	struct check *check;
	struct weighed *kernels; /* the own first, then by streams */
	int count;
	int64_t capacity[LIMIT_COUNT], unit;
	int64_t used[LIMIT_COUNT], filled[LIMIT_COUNT], weight, nodes;
	int64_t *blocks;
	bool valid;
};

static const char *name(const struct engines *engines, int class)
{
	const struct class *of = &engines->classes[class];
	return work_name(engines->work, &engines->work->parts[of->part], of->operation);
}

struct weights_list weights_list(const struct engines *engines, int table)
{
	const struct graph_step *of = &engines->work->check->graph.steps[table];
	struct weights_list list = {arena_allocate(engines->work->check->arena, (size_t)of->input_count + 1, sizeof *list.steps), 0};
	for (int i = 0; i < of->input_count; i++)
		if (strcmp(of->inputs[i].role, "pi") == 0)
			list.steps[list.count++] = of->inputs[i].step;
	list.count = list.count > engines->count ? 0 : list.count; /* one a class at most: the table will be found to have too many */
	return list;
}

int weights_step(const struct engines *engines, const struct weights_list *list, int class)
{
	const char *wanted = list->count == 0 ? NULL : name(engines, class);
	for (int i = 0; i < list->count; i++) {
		const char *about = engines->work->check->graph.steps[list->steps[i]].about;
		if (about != NULL && strcmp(about, wanted) == 0)
			return list->steps[i];
	}
	return -1;
}

/* ---- the SM */

static int64_t units(int64_t amount, int64_t unit)
{
	return amount == 0 ? 0 : checked_div_ceil(amount, unit);
}

static void add_kernel(struct balance *b, int class, const struct class *own)
{
	const struct class *of = &b->engines->classes[class];
	const struct resident *resident = &b->engines->work->residents[of->operation];
	const struct platform *platform = b->check->platform;
	struct weighed *kernel = &b->kernels[b->count++];
	*kernel = (struct weighed){.class = class, .stream = of->stream};
	kernel->most = checked_min(resident->greatest, of == own ? of->blocks - 1 : of->blocks);
	kernel->heads_own = of == own || of->level < own->level;
	kernel->heads_others = of->level <= own->level;
	kernel->amount[LIMIT_WARPS] = resident->remaining;
	kernel->amount[LIMIT_BLOCKS] = 1;
	kernel->amount[LIMIT_REGISTERS] =
		units(checked_mul(resident->remaining, resident->warp_registers), platform_value(platform, PARAMETER_REGISTER_UNIT));
	kernel->amount[LIMIT_SHARED] = units(resident->shared, platform_value(platform, PARAMETER_SHARED_UNIT));
	memcpy(kernel->filling, kernel->amount, sizeof kernel->filling);
	kernel->filling[LIMIT_WARPS] = resident->warps;
	kernel->filling[LIMIT_REGISTERS] = units(resident->filling, platform_value(platform, PARAMETER_REGISTER_UNIT));
}

static bool is_known(const struct balance *b)
{
	bool known = true;
	for (int i = 0; i < b->count; i++)
		for (int r = 0; r < LIMIT_COUNT; r++)
			known = known && !checked_is_none(b->kernels[i].amount[r]) &&
				(b->kernels[i].amount[r] == 0 || !checked_is_none(b->capacity[r])) && !checked_is_none(b->kernels[i].most);
	return known;
}

static bool set_up(struct balance *b, const struct engines *engines, int own)
{
	const struct platform *platform = engines->work->check->platform;
	size_t room = (size_t)engines->count + 1;
	*b = (struct balance){.engines = engines, .check = engines->work->check, .valid = true};
	b->kernels = arena_allocate(b->check->arena, room, sizeof *b->kernels);
	b->blocks = arena_allocate(b->check->arena, room, sizeof *b->blocks);
	b->capacity[LIMIT_WARPS] = platform_value(platform, PARAMETER_SM_WARPS);
	b->capacity[LIMIT_BLOCKS] = platform_value(platform, PARAMETER_SM_BLOCKS);
	b->capacity[LIMIT_REGISTERS] =
		checked_div_floor(platform_value(platform, PARAMETER_SM_REGISTERS), platform_value(platform, PARAMETER_REGISTER_UNIT));
	b->capacity[LIMIT_SHARED] =
		checked_div_floor(platform_value(platform, PARAMETER_SM_SHARED), platform_value(platform, PARAMETER_SHARED_UNIT));
	add_kernel(b, own, &engines->classes[own]);
	for (int k = 0; k < engines->streams.count; k++) {
		int s = engines->streams.items[k];
		for (int i = 0; i < engines->count && s != engines->classes[own].stream; i++)
			if (engines->classes[i].runs == RUNS_ON_SMS && engines->classes[i].stream == s)
				add_kernel(b, i, &engines->classes[own]);
	}
	return is_known(b);
}

static bool is_head(const struct balance *b, int kernel)
{
	return b->blocks[0] > 0 ? b->kernels[kernel].heads_own : b->kernels[kernel].heads_others;
}

/* Some head's block does not fit. */
static bool is_full(const struct balance *b)
{
	for (int i = 0; i < b->count; i++)
		for (int r = 0; r < LIMIT_COUNT && is_head(b, i); r++)
			if (b->kernels[i].filling[r] > 0 && b->filled[r] + b->kernels[i].filling[r] > b->capacity[r])
				return true;
	return false;
}

/* ---- everything that fits, until it is full */

static void put_on_balance(struct balance *b)
{
	b->valid = b->valid && b->weight >= b->unit;
	for (int i = 0; i < b->count; i++)
		if (b->blocks[i] > 0 && b->weight - b->blocks[i] < b->unit)
			b->kernels[i].tight = true;
}

static bool place(struct balance *b, int kernel, int64_t blocks)
{
	bool fits = b->blocks[kernel] + blocks <= b->kernels[kernel].most;
	for (int r = 0; r < LIMIT_COUNT; r++) {
		b->used[r] += blocks * b->kernels[kernel].amount[r];
		b->filled[r] += blocks * b->kernels[kernel].filling[r];
		fits = fits && (b->kernels[kernel].amount[r] == 0 || b->used[r] <= b->capacity[r]);
	}
	b->blocks[kernel] += blocks;
	b->weight += blocks * b->kernels[kernel].weight;
	return fits;
}

static int after_stream(const struct balance *b, int kernel)
{
	int after = kernel;
	while (after < b->count && b->kernels[after].stream == b->kernels[kernel].stream)
		after++;
	return after;
}

static void fill(struct balance *b, int from)
{
	if (!b->valid || ++b->nodes > MOST_NODES)
		return;
	if (is_full(b)) {
		put_on_balance(b);
		return;
	}
	if (from == b->count)
		return;
	int next = after_stream(b, from);
	fill(b, next);
	for (int i = from; i < next; i++) {
		while (place(b, i, 1))
			fill(b, next);
		place(b, i, -b->blocks[i]);
	}
}

/* ---- what the report claims */

static void refuse(const struct balance *b, int step, const char *expected, const char *found)
{
	const struct graph_step *of = &b->check->graph.steps[step];
	check_differs(b->check, of->element, arena_format(b->check->arena, "step s%d (%s)", step + 1, rule_kinds[of->rule].name), expected,
		found);
}

static int index_of(const struct balance *b, int class)
{
	for (int i = 0; i < b->count; i++)
		if (b->kernels[i].class == class)
			return i;
	return -1;
}

/* The kernels' weights, in the report in the order of the classes, as numbers of 1 / unit. */
static bool read_weights(struct balance *b, int step, struct fact *fact)
{
	const struct graph_step *of = &b->check->graph.steps[step];
	int64_t common = 1;
	int at = 0;
	b->unit = graph_integer(b->check, step);
	if (checked_is_none(b->unit) || b->unit < 1 || of->input_count != b->count)
		return false;
	for (int class = 0; class < b->engines->count; class ++) {
		int kernel = index_of(b, class);
		if (kernel < 0)
			continue;
		int input = of->inputs[at++].step;
		struct rational value = b->check->graph.steps[input].value;
		struct factor factor = factor_make(b->check, RULE_COVER_WEIGHT, name(b->engines, class), value);
		factor_from(b->check, fact->node, "pi", factor.node);
		b->kernels[kernel].weight = rational_floor(rational_mul(value, rational_of(b->unit)));
		if (value.num < 0 || rational_compare(value, rational_of(1)) > 0 || b->unit % value.den != 0 ||
			checked_is_none(b->kernels[kernel].weight))
			return false;
		common = checked_multiple(common, value.den);
	}
	return common == b->unit;
}

static bool accept(struct balance *b, int step)
{
	fill(b, 0);
	if (b->nodes > MOST_NODES)
		refuse(b, step, "a number of configurations that can be tried", "more");
	else if (!b->valid)
		refuse(b, step, "weights with which every full SM weighs at least 1", "a full SM that weighs less");
	for (int i = 0; i < b->count; i++)
		if (b->valid && b->nodes <= MOST_NODES && b->kernels[i].weight > 0 && !b->kernels[i].tight) {
			refuse(b, step, "weights of which none can be lowered", name(b->engines, b->kernels[i].class));
			return false;
		}
	return b->valid && b->nodes <= MOST_NODES;
}

struct fact weights_take(const struct engines *engines, int class, int step, struct weights *weights)
{
	struct balance balance;
	const struct graph_step *of = &engines->work->check->graph.steps[step];
	const struct platform *platform = engines->work->check->platform;
	struct fact fact = fact_make(engines->work->check, RULE_COVER, name(engines, class), graph_integer(engines->work->check, step));
	fact_bind(&fact, step);
	bool counts = engines->cover != NULL && platform_grants(platform, ASSUMPTION_FRAG) && !resident_configurable(platform);
	if (!counts || !set_up(&balance, engines, class)) {
		check_differs(engines->work->check, of->element, "cover", "no weights, as amounts do not decide here", "weights");
		return fact;
	}
	if (!read_weights(&balance, step, &fact)) {
		refuse(&balance, step, "a weight from 0 to 1 of each kernel, and their least common denominator", "something else");
		return fact;
	}
	if (!accept(&balance, step))
		return fact;
	weights->unit = balance.unit;
	weights->of = arena_allocate(balance.check->arena, (size_t)engines->count + 1, sizeof *weights->of);
	for (int i = 0; i < balance.count; i++)
		weights->of[balance.kernels[i].class] = balance.kernels[i].weight;
	return fact;
}
