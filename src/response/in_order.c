#include "response/in_order.h"

#include "base/plant.h"
#include "model/limits.h"
#include "response/siblings.h"

#include <string.h>

/* One chain's operations, over and over. */
struct foreign {
	const struct class *items;
	int count;
	int64_t window;
};

/* ---- alignment */

/* What an instance costs an own operation that meets it; 0: they do not meet. */
static int64_t cost(const struct in_order_run *run, const struct class *own, const struct class *foreign)
{
	if (own->place != foreign->place)
		return 0;
	if (own->place == PLACE_EXECUTION)
		return run->kernels && own->level == foreign->level ? foreign->makespan : 0;
	return own->place == PLACE_COPY && run->copies && own->engine == foreign->engine ? foreign->block : 0;
}

/* One instance more. best[i]: of the first i own operations and the instances so far. */
static void meet(const struct in_order_run *run, const struct class *instance, int64_t *best)
{
	for (int i = run->count; i > 0; i--) {
		int64_t each = cost(run, &run->items[i - 1], instance);
		if (each > 0)
			best[i] = checked_max(best[i], checked_add(best[i - 1], each));
	}
	for (int i = 1; i <= run->count; i++)
		best[i] = checked_max(best[i], best[i - 1]);
}

/* ---- one job: no window changes that, so it is computed once for all runs of a chain, [first * count + last] */

/* What a foreign instance costs each own operation; the most of it. */
static int64_t costs_of(const struct in_order_run *chain, const struct class *foreign, int64_t *costs)
{
	int64_t most = 0;
	for (int i = 0; i < chain->count; i++) {
		costs[i] = cost(chain, &chain->items[i], foreign);
		most = checked_max(most, costs[i]);
	}
	return most;
}

/* Runs from one operation on: best[i] of its first i + 1 operations and the instances so far, which never falls. What costs nothing adds
 * nothing. fits: no sum overflows. */
static inline void meet_all(const int64_t *costs, int count, bool fits, int64_t *best)
{
	int64_t before = 0, last = 0;
	for (int i = 0; i < count; i++) {
		int64_t with = fits ? before + costs[i] : checked_add(before, costs[i]);
		before = best[i];
		last = checked_max(last, checked_max(before, with));
		best[i] = last;
	}
}

/* table: zeroes. */
static void one_job(const struct in_order_run *chain, const struct chain_of_classes *foreign, int64_t *table)
{
	int64_t costs[LIMIT_ALIGNED], sum = 0;
	int count = chain->count;
	for (int j = 0; j < foreign->count; j++) {
		int64_t most = costs_of(chain, &chain->classes->items[foreign->first + j], costs);
		sum = checked_add(sum, most);
		for (int first = 0; first < count && most > 0; first++) {
			int64_t *best = table + first * count + first;
			if (sum != NONE)
				meet_all(costs + first, count - first, true, best);
			else
				meet_all(costs + first, count - first, false, best);
		}
	}
}

/* For a whole chain, and all of its shape. */
static const int64_t *table_of(const struct in_order_run *chain, int foreign)
{
	const struct classes *classes = chain->classes;
	int64_t **table = &classes->chains[chain->items[0].chain].shape->one_job[foreign];
	if (*table == NULL) {
		*table = arena_allocate(classes->arena, (size_t)(chain->count * chain->count), sizeof **table);
		one_job(chain, &classes->chains[foreign], *table);
	}
	return *table;
}

static int64_t by_one_job(const struct in_order_run *run, const struct chain_of_classes *own, int foreign)
{
	int first = run->items[0].position;
	struct in_order_run chain = *run;
	chain.items = run->items - first;
	chain.count = own->count;
	return table_of(&chain, foreign)[first * own->count + first + run->count - 1];
}

void in_order_charge_once(const struct in_order_run *chain, int stream, int64_t *table)
{
	const struct classes *classes = chain->classes;
	for (int foreign = classes->chain_of[stream]; foreign != NO_ID; foreign = classes->chains[foreign].after) {
		const int64_t *each = classes->chains[foreign].count > LIMIT_ALIGNED ? NULL : table_of(chain, foreign);
		for (int i = 0; i < chain->count * chain->count; i++)
			table[i] = each == NULL ? NONE : checked_add(table[i], each[i]);
	}
}

/* ---- several jobs */

/* The most jobs from that of an operation `from`, which arrives `early` before the window at the earliest, to that of an operation `to`
 * that arrives in it, both counted. */
static int64_t jobs(const struct foreign *f, int from, int64_t early, int to)
{
	int64_t reach = checked_add(checked_add(f->window, early), checked_sub(f->items[from].early, f->items[to].early));
	return arrivals_in(&f->items[from].arrivals, reach);
}

/* Can the operation `at` places behind `start` arrive in the window, if that one is outstanding at some time of it? */
static bool comes(const struct foreign *f, int start, int at)
{
	int to = (start + at) % f->count, job = (start + at) / f->count, second = start + 1;
	if (job == 0 || planted(PLANT_ORDER))
		return job == 0;
	if (job + 1 > jobs(f, start, f->items[start].response, to))
		return false;
	if (job + 1 - second / f->count > jobs(f, second % f->count, 0, to))
		return false;
	return job <= jobs(f, 0, 0, to);
}

static int64_t from_start(const struct in_order_run *run, const struct foreign *f, int start)
{
	int64_t best[LIMIT_ALIGNED + 1] = {0};
	meet(run, &f->items[start], best);
	for (int at = 1; comes(f, start, at); at++) {
		if (at == run->count * f->count)
			return NONE; /* each own operation can meet the dearest */
		meet(run, &f->items[(start + at) % f->count], best);
	}
	return best[run->count];
}

static int64_t of_chain(const struct in_order_run *run, const struct chain_of_classes *own, int index, int64_t window)
{
	const struct chain_of_classes *chain = &run->classes->chains[index];
	if (chain->count > LIMIT_ALIGNED)
		return NONE;
	struct foreign f;
	f.items = &run->classes->items[chain->first];
	f.count = chain->count;
	f.window = window;
	int64_t heaviest = by_one_job(run, own, index);
	for (int start = 0; start < chain->count; start++)
		if (comes(&f, start, chain->count - start))
			heaviest = checked_max(heaviest, from_start(run, &f, start));
	return heaviest;
}

int64_t in_order_charge(const struct in_order_run *run, int stream, int64_t window)
{
	const struct chain_of_classes *own = &run->classes->chains[run->items[0].chain];
	int64_t sum = 0;
	if (own->shape == NULL)
		return NONE;
	for (int i = run->classes->chain_of[stream]; i != NO_ID; i = run->classes->chains[i].after)
		if (!siblings_never_meet(run->classes, own, &run->classes->chains[i]))
			sum = checked_add(sum, of_chain(run, own, i, window));
	return sum;
}

/* ---- who meets whom: the same again with all rows kept */

struct rows {
	int count; /* instances */
	int item[LIMIT_ALIGNED * LIMIT_ALIGNED + 1];
	int64_t best[LIMIT_ALIGNED * LIMIT_ALIGNED + 2][LIMIT_ALIGNED + 1]; /* [instances so far] */
};

static int64_t fill_rows(struct rows *rows, const struct in_order_run *run, const struct foreign *f, int start)
{
	int most = run->count * f->count;
	rows->count = 0;
	for (int i = 0; i <= run->count; i++)
		rows->best[0][i] = 0;
	for (int at = 0; at <= most && at <= LIMIT_ALIGNED * LIMIT_ALIGNED && (at == 0 || comes(f, start, at)); at++) {
		rows->item[at] = (start + at) % f->count;
		for (int i = 0; i <= run->count; i++)
			rows->best[at + 1][i] = rows->best[at][i];
		meet(run, &f->items[rows->item[at]], rows->best[at + 1]);
		rows->count = at + 1;
	}
	return rows->best[rows->count][run->count];
}

/* Back from the last instance and the last own operation. */
static void trace(const struct rows *rows, const struct in_order_run *run, const struct foreign *f, struct terms *terms)
{
	int own = run->count;
	for (int at = rows->count; at > 0 && own > 0;) {
		const struct class *instance = &f->items[rows->item[at - 1]], *met_by = &run->items[own - 1];
		int64_t best = rows->best[at][own];
		if (best == rows->best[at - 1][own]) {
			at--;
		} else if (best == rows->best[at][own - 1]) {
			own--;
		} else {
			terms_add(terms, (struct term){.kind = TERM_PAIR,
						 .of = instance->operation,
						 .also = met_by->operation,
						 .amount = cost(run, met_by, instance)});
			at--;
			own--;
		}
	}
}

static void add_pairs(const struct in_order_run *run, int index, int64_t window, int64_t heaviest, struct terms *terms)
{
	const struct chain_of_classes *chain = &run->classes->chains[index];
	struct rows *rows = arena_allocate(terms->arena, 1, sizeof *rows);
	struct foreign f = {.items = &run->classes->items[chain->first], .count = chain->count, .window = window};
	int start = 0;
	while (start < chain->count && fill_rows(rows, run, &f, start) != heaviest)
		start++;
	if (start < chain->count)
		trace(rows, run, &f, terms);
}

void in_order_terms(const struct in_order_run *run, int stream, int64_t window, struct terms *terms)
{
	const struct chain_of_classes *own = &run->classes->chains[run->items[0].chain];
	for (int i = run->classes->chain_of[stream]; i != NO_ID; i = run->classes->chains[i].after)
		if (!siblings_never_meet(run->classes, own, &run->classes->chains[i]))
			add_pairs(run, i, window, of_chain(run, own, i, window), terms);
}
