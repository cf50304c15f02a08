#include "response/local.h"

#include "response/load.h"

#define ITERATIONS 100000
#define CANDIDATES 4096 /* arrivals at which a busy window may begin; beyond, the other bounds stand alone */

/* Arrivals in a closed window: eta of one ns more. */
static int64_t closed(const struct class *class, int64_t window)
{
	return arrivals_in(&class->arrivals, checked_add(window, 1));
}

static bool is_kernel_of(const struct class *class, int level)
{
	return class->place == PLACE_EXECUTION && class->level == level;
}

static bool is_above(const struct class *class, int level)
{
	return class->place == PLACE_EXECUTION && class->level < level;
}

void local_begin_round(struct local *local, const struct classes *classes, const struct local_rules *rules)
{
	*local = (struct local){.classes = classes, .rules = rules};
	for (int i = 0; i < CLASS_LEVELS; i++)
		local->window_of_level[i] = -1;
}

static int64_t higher(const struct local *local, int level, int64_t window)
{
	int64_t sum = 0;
	for (int i = 0; i < local->classes->count; i++) {
		const struct class *class = &local->classes->items[i];
		if (is_above(class, level))
			sum = checked_add(sum, checked_mul(closed(class, window), class->high));
	}
	return sum;
}

static bool has_higher(const struct local *local, int level)
{
	for (int i = 0; i < local->classes->count; i++)
		if (is_above(&local->classes->items[i], level))
			return true;
	return false;
}

/* ---- SER-OPS (6.3): at most one operation of each other stream is in the engine when this one arrives */

static int64_t one_a_stream(const struct local *local, const struct class *own)
{
	int64_t sum = 0;
	for (int s = 0; s < local->classes->stream_count; s++) {
		int64_t dearest = 0;
		for (int i = 0; i < local->classes->of_stream_count[s] && s != own->stream; i++) {
			const struct class *class = &local->classes->items[local->classes->of_stream[s][i]];
			if (class->level <= own->level)
				dearest = checked_max(dearest, class->level == own->level ? class->makespan : class->high);
		}
		sum = checked_add(sum, dearest);
	}
	return sum;
}

static int64_t ser_ops(const struct local *local, const struct class *own)
{
	int64_t base = checked_add(local->classes->lower_block[own->level], one_a_stream(local, own));
	base = checked_add(base, checked_sub(own->makespan, own->block));
	int64_t theta = base;
	for (int i = 0; i < ITERATIONS && theta <= local->rules->horizon; i++) {
		int64_t next = checked_add(base, higher(local, own->level, theta));
		if (next == theta)
			return checked_add(theta, own->block);
		theta = next;
	}
	return NONE;
}

/* ---- busy windows: a server with weights; (6.4) without higher levels, (7.2), (8.1) */

struct customer {
	const struct arrivals *arrivals;
	int64_t cost;
};

static int64_t busy_window(const struct customer *customers, int count, int64_t blocking, int64_t horizon)
{
	int64_t length = 1;
	for (int i = 0; i < ITERATIONS && length <= horizon; i++) {
		int64_t next = blocking;
		for (int j = 0; j < count; j++)
			next = checked_add(next, checked_mul(arrivals_in(customers[j].arrivals, length), customers[j].cost));
		if (next <= length)
			return length;
		length = next;
	}
	return NONE;
}

static int64_t work_at(const struct customer *customers, int count, int64_t blocking, int64_t a)
{
	int64_t sum = blocking;
	for (int j = 0; j < count; j++)
		sum = checked_add(sum, checked_mul(arrivals_in(customers[j].arrivals, checked_add(a, 1)), customers[j].cost));
	return checked_sub(sum, a);
}

/* The greatest of sum of closed arrivals times cost, less a, over the arrivals a at which a window may begin. Between the jumps of one
 * customer the value only falls, so its jumps, and 0, are enough. */
static int64_t fifo(const struct customer *customers, int count, int64_t blocking, int64_t horizon)
{
	int64_t length = busy_window(customers, count, blocking, horizon), worst = work_at(customers, count, blocking, 0),
		budget = CANDIDATES;
	if (length == NONE)
		return NONE;
	for (int j = 0; j < count; j++) {
		const struct arrival *model = customers[j].arrivals->model;
		if (model->kind == ARRIVAL_CURVE || (customers[j].arrivals->at_release && model->min_distance != NONE))
			return NONE;
		int64_t k = checked_div_floor(customers[j].arrivals->jitter, model->period) + 1;
		for (int64_t a = k * model->period - customers[j].arrivals->jitter; a < length; a += model->period) {
			if (budget-- == 0)
				return NONE;
			worst = checked_max(worst, work_at(customers, count, blocking, a));
		}
	}
	return worst;
}

#define CUSTOMERS 1024

static int kernels_of_level(const struct classes *classes, int level, struct customer *customers)
{
	int count = 0;
	for (int i = 0; i < classes->count; i++)
		if (is_kernel_of(&classes->items[i], level) && count < CUSTOMERS)
			customers[count++] = (struct customer){&classes->items[i].arrivals, classes->items[i].makespan};
	return count;
}

/* (6.4) at the top level: the same for all kernels of the level. */
static int64_t ser_window(struct local *local, const struct class *own)
{
	struct customer customers[CUSTOMERS];
	if (has_higher(local, own->level))
		return NONE;
	int64_t *known = &local->window_of_level[own->level];
	if (*known < 0) {
		int count = kernels_of_level(local->classes, own->level, customers);
		*known = count == CUSTOMERS ? NONE : fifo(customers, count, local->classes->lower_block[own->level], local->rules->horizon);
	}
	return *known;
}

/* ---- COV-OPS (6.6) */

static int64_t cover(const struct local *local, const struct class *own)
{
	return local->rules->cover == NULL ? NONE : cover_response(local->rules->cover, own);
}

int64_t local_kernel(struct local *local, const struct class *class)
{
	return checked_min(ser_ops(local, class), checked_min(ser_window(local, class), cover(local, class)));
}

/* ---- copies (7) */

static int copies_of_engine(const struct classes *classes, int engine, struct customer *customers)
{
	int count = 0;
	for (int i = 0; i < classes->count; i++)
		if (classes->items[i].place == PLACE_COPY && classes->items[i].engine == engine && count < CUSTOMERS)
			customers[count++] = (struct customer){&classes->items[i].arrivals, classes->items[i].block};
	return count;
}

static int64_t one_copy_a_stream(const struct local *local, const struct class *own)
{
	int64_t sum = own->block;
	for (int s = 0; s < local->classes->stream_count; s++) {
		int64_t dearest = 0;
		for (int i = 0; i < local->classes->copies_count[s] && s != own->stream; i++) {
			const struct class *class = &local->classes->items[local->classes->copies[s][i]];
			dearest = class->engine == own->engine ? checked_max(dearest, class->block) : dearest;
		}
		sum = checked_add(sum, dearest);
	}
	return sum;
}

int64_t local_copy(const struct local *local, const struct class *class)
{
	struct customer customers[CUSTOMERS];
	int count = copies_of_engine(local->classes, class->engine, customers);
	if (!local->rules->fifo_copies)
		return count == CUSTOMERS ? NONE : busy_window(customers, count, 0, local->rules->horizon);
	int64_t by_stream = one_copy_a_stream(local, class);
	return count == CUSTOMERS ? by_stream : checked_min(by_stream, fifo(customers, count, 0, local->rules->horizon));
}

/* ---- the stream server */

/* Below one in the long run? At one or more nothing is said, even where a busy window happens to close. */
static bool has_capacity(const struct customer *customers, int count)
{
	struct load load;
	bool below = true;
	load_init(&load);
	for (int i = 0; i < count && below; i++) {
		int64_t arrivals, window;
		arrivals_rate(customers[i].arrivals->model, &arrivals, &window);
		below = customers[i].cost != NONE;
		if (below)
			load_add(&load, customers[i].cost, arrivals, window, 1);
	}
	below = below && load_below_one(&load);
	load_finish(&load);
	return below;
}

int64_t local_stream_response(const struct classes *classes, int stream, int64_t horizon)
{
	struct customer customers[CUSTOMERS];
	int count = 0;
	for (int i = 0; i < classes->chain_count; i++) {
		const struct chain_of_classes *chain = &classes->chains[i];
		if (chain->stream == stream && count < CUSTOMERS)
			customers[count++] = (struct customer){&chain->arrivals, chain->completion[chain->count]};
	}
	if (count == CUSTOMERS || !has_capacity(customers, count))
		return NONE;
	int64_t by_arrival = fifo(customers, count, 0, horizon);
	return by_arrival != NONE ? by_arrival : busy_window(customers, count, 0, horizon);
}
