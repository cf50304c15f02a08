/* R of one operation: the local bound that is the least. */
#include "report/explain_engines.h"

#include "base/checked.h"
#include "response/siblings.h"

#include <inttypes.h>
#include <string.h>

#define ITERATIONS 100000

static const struct {
	const char *name, *source;
	bool kernels;
} kinds[LOCAL_KINDS] = {
	[LOCAL_SER_OPS] = {"SER-OPS", "[SER-OPS] (6.3)", true},
	[LOCAL_SER_BW] = {"SER-BW", "[SER-BW] (6.4)", true},
	[LOCAL_COV] = {"COV", "[COV] (6.5), [COV-OPS] (6.6)", true},
	[LOCAL_OPS] = {"OPS", "[COPY-OPS] (7.1)", false},
	[LOCAL_BW] = {"BW", "[COPY-OPS] (7.2), without A-CE [COPY-ANY] (7.3)", false},
};

static bool is_kernel_of(const struct class *class, int level)
{
	return class->place == PLACE_EXECUTION && class->level == level;
}

/* ---- SER-OPS: M, one of each other stream, the lower block, all of higher levels until the last dispatch */

static void add_ahead(struct terms *terms, const struct view *view, const struct class *own)
{
	const struct classes *classes = view->engines->classes;
	for (int s = 0; s < classes->stream_count; s++) {
		const struct class *dearest = NULL;
		for (int i = 0; i < classes->of_stream_count[s] && s != own->stream; i++) {
			const struct class *class = &classes->items[classes->of_stream[s][i]];
			if (class->level == own->level && siblings_meet(classes, own, class) &&
				(dearest == NULL || class->makespan > dearest->makespan))
				dearest = class;
		}
		if (dearest != NULL)
			terms_add(terms, dearest->makespan, "%s%s: the one of its stream that is there, the dearest",
				explain_name(view, dearest), terms_step(view->e, explain_cost(view, dearest)->makespan.step));
	}
}

/* What a stream of a higher level costs: the dearest that was there, and all that come; or of each those that were there, or come, as it
 * was there no longer than its response. [WHO-WAS-THERE]. */
static int64_t add_stream(struct terms *terms, const struct view *view, int stream, int64_t theta)
{
	const struct classes *classes = view->engines->classes;
	const struct class *dearest = NULL;
	int64_t there = 0, come = 0;
	for (int i = 0; i < classes->of_stream_count[stream]; i++) {
		const struct class *class = &classes->items[classes->of_stream[stream][i]];
		there = checked_add(there, checked_mul(class_there(class, theta), class->high));
		come = checked_add(come, checked_mul(arrivals_in_closed(&class->arrivals, theta, 1), class->high));
		dearest = dearest == NULL || class->high > dearest->high ? class : dearest;
	}
	bool since = there <= checked_add(come, dearest->high);
	for (int i = 0; terms != NULL && i < classes->of_stream_count[stream]; i++) {
		const struct class *class = &classes->items[classes->of_stream[stream][i]];
		int64_t count = since ? class_there(class, theta) : arrivals_in_closed(&class->arrivals, theta, 1);
		terms_add(terms, checked_mul(count, class->high), "%s, of a higher level: %s; each %s; arrivals: %s",
			explain_culprit(view, class, class->high), terms_product(view->e, count, class->high), explain_high(view, class),
			since ? explain_there(view, class, theta) : terms_count(view->e, &class->arrivals, theta, 1));
	}
	if (terms != NULL && !since)
		terms_add(terms, dearest->high, "%s: the one of its stream that is there, the dearest, %s",
			explain_culprit(view, dearest, dearest->high), explain_high(view, dearest));
	return checked_min(there, checked_add(come, dearest->high));
}

static int64_t add_higher(struct terms *terms, const struct view *view, const struct class *own, int64_t theta)
{
	const struct classes *classes = view->engines->classes;
	int64_t sum = 0;
	for (int s = 0; s < classes->stream_count; s++)
		if (classes->of_stream_count[s] > 0 && classes->items[classes->of_stream[s][0]].level < own->level)
			sum = checked_add(sum, add_stream(terms, view, s, theta));
	return sum;
}

static void add_base(struct terms *terms, const struct view *view, const struct class *own)
{
	terms_add(terms, own->makespan, "M of %s%s: the kernel itself", explain_name(view, own),
		terms_step(view->e, explain_cost(view, own)->makespan.step));
	terms_add(terms, view->engines->classes->lower_block[own->level], "%s", explain_lower(view, own->level));
	add_ahead(terms, view, own);
}

static void explain_ser_ops(const struct view *view, const struct class *own, int64_t response)
{
	const struct supply *supply = view->engines->rules.kernels;
	struct terms terms = terms_of(view->e);
	add_base(&terms, view, own);
	int64_t base = checked_sub(terms.sum, class_last(own)), theta = 0;
	for (int i = 0; i < ITERATIONS && theta != NONE; i++) {
		int64_t next = supply_begin_step(supply, checked_add(base, add_higher(NULL, view, own, theta)), theta);
		if (next <= theta)
			break;
		theta = next;
	}
	if (add_higher(NULL, view, own, theta) > 0)
		explain_line(
			view->e, 6, "Higher levels count up to %" PRId64 ", when the last block begins, with the instant itself.", theta);
	add_higher(&terms, view, own, theta);
	explain_window_end(&terms, supply, ENGINE_NONE, terms.sum, response);
	terms_print_all(&terms, 8, response, "from its engine to completion", true);
}

/* ---- SER-BW, BW: a busy window of its level, or of its copy engine */

static void add_customer(
	const struct view *view, const struct class *class, int64_t cost, struct customer *customers, const char **names, int *count)
{
	const struct operation_cost *costs = explain_cost(view, class);
	if (class->place == PLACE_COPY)
		names[*count] = arena_format(view->e->arena, "%s%s", explain_name(view, class), terms_step(view->e, costs->transfer.step));
	else if (cost == class->makespan)
		names[*count] =
			arena_format(view->e->arena, "%s, M%s", explain_name(view, class), terms_step(view->e, costs->makespan.step));
	else
		names[*count] = arena_format(
			view->e->arena, "%s, of a higher level, %s", explain_culprit(view, class, cost), explain_high(view, class));
	customers[(*count)++] = (struct customer){&class->arrivals, cost};
}

static void explain_busy(const struct view *view, const struct class *own, int64_t response)
{
	const struct engines *engines = view->engines;
	const struct classes *classes = engines->classes;
	struct customer *customers = arena_allocate(view->e->arena, (size_t)classes->count, sizeof *customers);
	const char **names = arena_allocate(view->e->arena, (size_t)classes->count, sizeof *names);
	bool copy = own->place == PLACE_COPY;
	struct level level = {
		.ahead = customers, .tick = 1, .horizon = engines->rules.horizon, .candidates = EXPLAIN_CANDIDATES, .engine = ENGINE_NONE};
	int count = 0;
	for (int i = 0; i < classes->count; i++) {
		const struct class *class = &classes->items[i];
		if (copy ? class->place == PLACE_COPY && class->engine == own->engine : is_kernel_of(class, own->level))
			add_customer(view, class, copy ? class->block : class->makespan, customers, names, &count);
	}
	level.ahead_count = count;
	for (int i = 0; i < classes->count && !copy; i++)
		if (classes->items[i].place == PLACE_EXECUTION && classes->items[i].level < own->level)
			add_customer(view, &classes->items[i], classes->items[i].high, customers, names, &count);
	level.until = customers + level.ahead_count;
	level.until_count = count - level.ahead_count;
	level.blocking = copy ? 0 : classes->lower_block[own->level];
	level.last = level.until_count > 0 ? class_last(own) : 0;
	level.supply = copy ? engines->rules.copies : engines->rules.kernels;
	level.supply = supply_is_whole(level.supply) ? NULL : level.supply;
	level.engine = copy ? own->engine : ENGINE_NONE;
	explain_level(view->e, &level, names, explain_lower(view, own->level), response, "from its engine to completion", true);
}

/* ---- OPS: one copy of each other stream */

static void explain_ops(const struct view *view, const struct class *own, int64_t response)
{
	const struct classes *classes = view->engines->classes;
	struct terms terms = terms_of(view->e);
	terms_add(&terms, own->block, "%s%s: the copy itself", explain_name(view, own),
		terms_step(view->e, explain_cost(view, own)->transfer.step));
	for (int s = 0; s < classes->stream_count; s++) {
		const struct class *dearest = NULL;
		for (int i = 0; i < classes->copies_count[s] && s != own->stream; i++) {
			const struct class *class = &classes->items[classes->copies[s][i]];
			if (class->engine == own->engine && siblings_meet(classes, own, class) &&
				(dearest == NULL || class->block > dearest->block))
				dearest = class;
		}
		if (dearest != NULL)
			terms_add(&terms, dearest->block, "%s%s: the copy of its stream that is ahead on the engine, the longest",
				explain_name(view, dearest), terms_step(view->e, explain_cost(view, dearest)->transfer.step));
	}
	explain_window_end(&terms, view->engines->rules.copies, own->engine, terms.sum, response);
	terms_print_all(&terms, 8, response, "from its engine to completion", true);
}

/* ---- the least */

void explain_operation(struct view *view, const struct class *class)
{
	struct explanation *e = view->e;
	int64_t response = checked_sub(class->response, class->dependency);
	const char *list = "";
	int winner = -1, count = 0;
	for (int i = 0; i < LOCAL_KINDS; i++) {
		int64_t value =
			kinds[i].kernels == (class->place == PLACE_EXECUTION) ? local_by(&view->local, class, (enum local_kind)i) : NONE;
		if (value == NONE)
			continue;
		list = arena_format(e->arena, "%s%s%s %" PRId64, list, count++ > 0 ? ", " : "", kinds[i].name, value);
		winner = winner < 0 && value == response ? i : winner;
	}
	if (class->dependency > 0)
		explain_line(e, 4, "%s: R = %" PRId64 " + %" PRId64 " = %" PRId64 " ns, o_dep%s and the least of %s",
			explain_name(view, class), class->dependency, response, class->response,
			terms_step(e, explain_cost(view, class)->dependency.step), list);
	else
		explain_line(e, 4, "%s: R = %" PRId64 " ns, the least of %s", explain_name(view, class), response, list);
	if (winner < 0)
		return;
	explain_line(e, 4, "%s, %s:", kinds[winner].name, kinds[winner].source);
	switch (winner) {
	case LOCAL_SER_OPS: explain_ser_ops(view, class, response); break;
	case LOCAL_COV: explain_cover(view, class, response); break;
	case LOCAL_OPS: explain_ops(view, class, response); break;
	default: explain_busy(view, class, response); break;
	}
}
