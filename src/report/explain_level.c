/* The server without preemption of response/level.h: who is served until the worst job is complete. */
#include "report/explain_engines.h"

#include "base/checked.h"

#include <inttypes.h>

static void add_customers(
	struct terms *terms, const struct customer *customers, int count, const char *const *names, int64_t window, int64_t tick)
{
	for (int i = 0; i < count; i++) {
		int64_t jobs = arrivals_in(customers[i].arrivals, checked_add(window, tick));
		terms_add(terms, checked_mul(jobs, customers[i].cost), "%s; %s; arrivals: %s", names[i],
			terms_product(terms->e, jobs, customers[i].cost), terms_count(terms->e, customers[i].arrivals, window, tick));
	}
}

static void add_end(struct terms *terms, const struct level *level, int64_t window)
{
	if (level->supply != NULL)
		explain_window_end(terms, level->supply, level->engine, terms->sum, window);
}

/* All that arrives in a busy window. */
static void print_busy(struct explanation *e, const struct level *level, const char *const *names, const char *lower, int64_t length,
	const char *sum, bool remember)
{
	struct terms terms = terms_of(e);
	explain_line(e, 4, "All that arrives in a window of %" PRId64 ", which it fills:", length);
	terms_add(&terms, level->blocking, "%s", lower);
	add_customers(&terms, level->ahead, level->ahead_count, names, length, 0);
	add_customers(&terms, level->until, level->until_count, names + level->ahead_count, length, 0);
	add_end(&terms, level, length);
	terms_print_all(&terms, 8, length, sum, remember);
}

void explain_level(struct explanation *e, const struct level *level, const char *const *names, const char *lower, int64_t response,
	const char *sum, bool remember)
{
	struct terms terms = terms_of(e);
	int64_t a, theta;
	if (!level_worst(level, response, &a, &theta)) {
		print_busy(e, level, names, lower, response, sum, remember);
		return;
	}
	if (level->until_count > 0)
		explain_line(e, 4,
			"The worst job arrives a = %" PRId64
			" after the beginning of a busy window; what is of its level counts up to a, what goes "
			"before it up to T = %" PRId64 ", when its last block begins, each with the instant itself:",
			a, theta);
	else
		explain_line(e, 4,
			"The worst job arrives a = %" PRId64 " after the beginning of a busy window, and is served after all before it:",
			a);
	terms_add(&terms, level->blocking, "%s", lower);
	add_customers(&terms, level->ahead, level->ahead_count, names, a, level->tick);
	add_customers(&terms, level->until, level->until_count, names + level->ahead_count, theta, level->tick);
	add_end(&terms, level, checked_add(response, a));
	terms_add(&terms, -a, "a: so much later it arrives itself");
	terms_print_all(&terms, 8, response, sum, remember);
}
