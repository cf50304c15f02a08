/* One foreign stream against a run of consecutive operations, in the stream's order: every instance that it can have outstanding in the
 * window is listed, then the list and the run are matched from their ends. */
#include "verify/engines.h"

#include "model/limits.h"

struct list {
	const struct engines *engines;
	const struct class *classes; /* of the foreign segment */
	int count;                   /* operations of it */
	int64_t window;
};

struct place {
	int job, operation;
};

/* At most so many jobs are there from one of which `from` is not complete `ago` after it arrived, when the window begins, to one of which
 * `to` arrives in the window. */
static int64_t span(const struct list *list, int from, int64_t ago, int to)
{
	int64_t length = checked_sub(checked_add(list->window, list->classes[from].early), list->classes[to].early);
	return bounds_arrivals(&list->classes[from].arrivals, checked_add(length, ago));
}

static struct place behind(const struct list *list, struct place place)
{
	bool last = place.operation == list->count - 1;
	return (struct place){place.job + last, last ? 0 : place.operation + 1};
}

/* Does `place` arrive in the window? All of the first job are taken to; others, seen from the first instance, from the one behind it, and
 * from the second job's first? */
static bool arrives(const struct list *list, struct place first, struct place place)
{
	struct place next = behind(list, first);
	if (place.job == 0)
		return true;
	const int64_t counted[] = {place.job + 1, place.job - next.job + 1, place.job};
	const int64_t allowed[] = {span(list, first.operation, list->classes[first.operation].response, place.operation),
		span(list, next.operation, 0, place.operation), span(list, 0, 0, place.operation)};
	return counted[0] <= allowed[0] && counted[1] <= allowed[1] && counted[2] <= allowed[2];
}

static int64_t weight(const struct engines *engines, const struct class *own, const struct class *foreign)
{
	bool volume = claimed_kinds[engines->kind].volume;
	if (own->runs == RUNS_ON_SMS && foreign->runs == RUNS_ON_SMS)
		return own->level == foreign->level && !volume ? foreign->makespan : 0;
	if (own->runs == RUNS_ON_COPY_ENGINE && foreign->runs == RUNS_ON_COPY_ENGINE)
		return own->engine == foreign->engine && engines->fifo ? foreign->block : 0;
	return 0;
}

/* The run from its i-th operation on against the instances from the k-th on, for all k: from the same for i + 1 (`after`). */
static void match_one(
	const struct list *list, const struct class *own, const int *instances, int count, const int64_t *after, int64_t *rest)
{
	rest[count] = 0;
	for (int k = count - 1; k >= 0; k--) {
		int64_t both = weight(list->engines, own, &list->classes[instances[k]]);
		rest[k] = checked_max(rest[k + 1], after[k]);
		if (both > 0)
			rest[k] = checked_max(rest[k], checked_add(both, after[k + 1]));
	}
}

static int64_t match(const struct list *list, const struct class *own, int own_count, const int *instances, int count)
{
	int64_t rows[2][LIMIT_ALIGNED * LIMIT_ALIGNED + 1];
	for (int k = 0; k <= count; k++)
		rows[own_count % 2][k] = 0;
	for (int i = own_count - 1; i >= 0; i--)
		match_one(list, &own[i], instances, count, rows[(i + 1) % 2], rows[i % 2]);
	return rows[0][0];
}

static int64_t heaviest(const struct list *list, const struct class *own, int own_count)
{
	int instances[LIMIT_ALIGNED * LIMIT_ALIGNED], most = own_count * list->count;
	int64_t worst = 0;
	for (int start = 0; start < list->count; start++) {
		struct place first = {0, start}, place = first;
		int count = 0;
		do {
			if (count == most)
				return NONE; /* as many rounds as own operations: each can meet the dearest */
			instances[count++] = place.operation;
			place = behind(list, place);
		} while (arrives(list, first, place));
		if (start == 0 || count > list->count - start) /* else it is the end of the first list, or of its first job */
			worst = checked_max(worst, match(list, own, own_count, instances, count));
	}
	return worst;
}

int64_t engines_in_order(const struct engines *engines, const struct class *own, int count, int stream, int64_t window)
{
	int64_t sum = 0;
	if (engines->lines[own->line].count > LIMIT_ALIGNED)
		return NONE;
	struct listed lines = lists_of(&engines->lines_of, engines->position[stream]);
	for (int i = 0; i < lines.count; i++) {
		const struct line_of_classes *line = &engines->lines[lines.items[i]];
		struct list list = {.engines = engines, .classes = &engines->classes[line->first], .count = line->count, .window = window};
		if (engines_exclude(engines, own->part, line->part))
			continue;
		if (line->count > LIMIT_ALIGNED)
			return NONE;
		sum = checked_add(sum, heaviest(&list, own, count));
	}
	return sum;
}
