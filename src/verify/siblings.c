/* The operations of a job in their order by streams and events, and instances of them in one another's windows. */
#include "verify/engines.h"

#include "model/limits.h"

/* ---- order: from each operation back along all that it waits for */

static void mark(struct engines *engines, int from, int to)
{
	const struct order *order = &engines->orders[engines->classes[to].part];
	if (engines->classes[from].part != engines->classes[to].part)
		return;
	bool *of = &order->before[(from - order->first) * order->count + (to - order->first)];
	if (*of)
		return;
	*of = true;
	if (engines->lines[engines->classes[from].line].first < from)
		mark(engines, from - 1, to);
	if (engines->classes[from].record != NO_ID)
		mark(engines, engines->classes[from].record, to);
}

static void mark_all(struct engines *engines, int part)
{
	struct order *order = &engines->orders[part];
	if (order->count > LIMIT_SIBLINGS_ORDERED)
		return;
	size_t count = (size_t)order->count;
	order->before = arena_allocate(engines->work->check->arena, count * count + 1, sizeof *order->before);
	for (int i = order->first; i < order->first + order->count; i++) {
		if (engines->lines[engines->classes[i].line].first < i)
			mark(engines, i - 1, i);
		if (engines->classes[i].record != NO_ID)
			mark(engines, engines->classes[i].record, i);
	}
}

/* The longest way to it, by what each operation takes at least: the latest of those before it, and that one's time. */
static void find_early(struct engines *engines)
{
	bool changed = true;
	while (changed) {
		changed = false;
		for (int i = 0; i < engines->count; i++) {
			struct class *class = &engines->classes[i];
			int64_t was = class->early;
			const int before[] = {engines->lines[class->line].first < i ? i - 1 : NO_ID, class->record};
			for (int k = 0; k < 2; k++) {
				const struct class *of = before[k] == NO_ID ? NULL : &engines->classes[before[k]];
				if (of != NULL && of->part == class->part)
					class->early = checked_max(class->early, checked_add(of->early, of->least));
			}
			changed |= was != class->early;
		}
	}
}

/* A wait's event is recorded by the first class that does so. */
static void find_records(struct engines *engines, int *record_of)
{
	const struct operation *operations = engines->work->check->set->operations;
	for (int i = 0; i < engines->count; i++)
		if (operations[engines->classes[i].operation].kind == OPERATION_WAIT)
			record_of[operations[engines->classes[i].operation].event] = NO_ID;
	for (int i = engines->count - 1; i >= 0; i--)
		if (operations[engines->classes[i].operation].kind == OPERATION_RECORD)
			record_of[operations[engines->classes[i].operation].event] = i;
	for (int i = 0; i < engines->count; i++) {
		const struct operation *operation = &operations[engines->classes[i].operation];
		engines->classes[i].record = operation->kind == OPERATION_WAIT ? record_of[operation->event] : NO_ID;
	}
}

void engines_link(struct engines *engines, int *record_of)
{
	find_records(engines, record_of);
	for (int i = 0; i < engines->line_count; i++) {
		struct order *order = &engines->orders[engines->lines[i].part];
		order->first = order->count == 0 ? engines->lines[i].first : order->first;
		order->count += engines->lines[i].count;
	}
	for (int i = 1; i < engines->line_count; i++) /* behind another one of its segment: it is on several streams */
		if (engines->lines[i].part == engines->lines[i - 1].part && engines->orders[engines->lines[i].part].before == NULL)
			mark_all(engines, engines->lines[i].part);
	find_early(engines);
	for (int i = 0; i < engines->count; i++) {
		struct class *class = &engines->classes[i];
		const struct line_of_classes *line = &engines->lines[class->line];
		class->reach = checked_add(checked_sub(class->arrivals.jitter, line->arrivals.jitter), class->early);
	}
}

/* ---- instances */

/* Releases of the segment besides one's own that are this close on one side. */
static int64_t near(const struct engines *engines, const struct class *class, int64_t distance)
{
	int64_t count = bounds_arrivals(&engines->lines[class->line].arrivals, distance);
	return count > 1 ? checked_sub(count, 1) : 0;
}

bool engines_exclude(const struct engines *engines, int part, int other)
{
	const struct part *parts = engines->work->parts;
	return part != other && parts[part].task == parts[other].task && engines->alone[part];
}

int64_t engines_siblings(
	const struct engines *engines, const struct class *first, const struct class *last, const struct class *class, int64_t window)
{
	const struct order *order = &engines->orders[first->part];
	const struct class *classes = &engines->classes[order->first];
	int64_t sum = 0;
	if (engines_exclude(engines, first->part, class->part))
		return 0;
	if (class->part != first->part || order->before == NULL)
		return NONE;
	bool comes_later = order->before[(last - classes) * order->count + (class - classes)];
	bool is_past = order->before[(class - classes) * order->count + (first - classes)];
	if (!comes_later) /* later jobs' are there if they are early enough */
		sum = near(engines, class, checked_sub(checked_add(first->reach, window), class->early));
	if (!is_past) { /* earlier jobs' if they are late enough */
		int64_t complete = checked_sub(checked_add(class->reach, class->response), class->dependency);
		sum = checked_add(sum, near(engines, class, checked_sub(complete, first->early)));
	}
	return checked_add(sum, !comes_later && !is_past);
}
