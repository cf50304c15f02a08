/* The yardstick as text, as CSV, and one system in full. */
#include "falsify/yardstick.h"

#include <inttypes.h>

static const int shares[] = {0, 50, 100, 200, 500, 1000}; /* thousandths: the share of tasks whose gap is at most this */
#define SHARES (int)(sizeof shares / sizeof *shares)

static const char *name_of(int bound)
{
	return bound == YARDSTICK_LEAST ? "least" : bound_kinds[bound].name;
}

static int64_t median_of(const struct yardstick_tally *tally)
{
	int64_t seen = 0;
	for (int i = 0; i < YARDSTICK_BINS; i++) {
		seen += tally->histogram[i];
		if (2 * seen >= tally->tasks - tally->below)
			return i;
	}
	return 0;
}

/* In thousandths, of all tasks that have the bound. */
static int64_t share_of(const struct yardstick_tally *tally, int most)
{
	int64_t count = 0;
	for (int i = 0; i <= most; i++)
		count += tally->histogram[i];
	return checked_mul_div_floor(count, 1000, checked_max(1, tally->tasks));
}

static int64_t mean_of(const struct yardstick_tally *tally)
{
	return tally->sum / checked_max(1, tally->tasks - tally->below);
}

static int64_t greatest_of(const struct yardstick_tally *tally)
{
	return tally->value == 0 ? 0 : checked_mul_div_floor(tally->value - tally->exact, 1000, checked_max(1, tally->exact));
}

static void add_percent(struct output *output, const char *format, int64_t thousandths)
{
	char text[32];
	snprintf(text, sizeof text, "%" PRId64 ".%d", thousandths / 10, (int)(thousandths % 10));
	output_print(output, format, text);
}

/* ---- text */

static void add_row(struct output *output, int bound, const struct yardstick_tally *tally)
{
	output_print(output, "%-8s %8" PRId64 " %8" PRId64 " %6" PRId64, name_of(bound), tally->systems, tally->tasks, tally->below);
	add_percent(output, " %8s", median_of(tally));
	add_percent(output, " %8s", mean_of(tally));
	add_percent(output, " %9s", share_of(tally, 0));
	add_percent(output, " %7s", share_of(tally, 100));
	add_percent(output, " %7s", share_of(tally, 500));
	add_percent(output, " %8s", greatest_of(tally));
	output_print(output, "  %" PRId64 "/%" PRId64 " of task %d, system %" PRId64 "\n", tally->value, tally->exact, tally->task,
		tally->system);
}

void yardstick_text(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options)
{
	output_print(output,
		"seed %" PRIu64 ", small systems %" PRId64 " from %" PRId64 " on, all their states: %" PRId64 " states; %" PRId64
		" draws had more than %d or periods above 100 ns, and were drawn again\n",
		options->seed, yardstick->systems[GROUP_ANY] + yardstick->systems[GROUP_KNOWN], options->first, yardstick->states,
		yardstick->redrawn, YARDSTICK_STATES);
	for (int group = 0; group < GROUP_COUNT; group++) {
		if (yardstick->systems[group] == 0)
			continue;
		output_print(output,
			"\nPhases %s: %" PRId64 " systems, %" PRId64 " tasks; bound/exact - 1 in percent, from the %s release\n\n"
			"bound     systems    tasks  below   median     mean  attained  <=10%%   <=50%%   greatest\n",
			yardstick_groups[group], yardstick->systems[group], yardstick->tasks[group],
			group == GROUP_KNOWN ? "nominal" : "actual");
		for (int j = 0; j <= BOUND_COUNT; j++)
			if (yardstick->of[group][j].tasks > 0)
				add_row(output, j, &yardstick->of[group][j]);
	}
}

/* ---- CSV */

void yardstick_csv(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options)
{
	output_add(output, "seed,first,phases,bound,systems,all_systems,tasks,all_tasks,below,median,mean,attained,greatest,greatest_bound,"
			   "greatest_exact,greatest_system");
	for (int i = 0; i < SHARES; i++)
		output_print(output, ",at_most_%d", shares[i] / 10);
	output_add(output, "\n");
	for (int group = 0; group < GROUP_COUNT; group++)
		for (int j = 0; j <= BOUND_COUNT; j++) {
			const struct yardstick_tally *tally = &yardstick->of[group][j];
			if (tally->tasks == 0)
				continue;
			output_print(output, "%" PRIu64 ",%" PRId64 ",%s,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64,
				options->seed, options->first, yardstick_groups[group], name_of(j), tally->systems,
				yardstick->systems[group], tally->tasks, yardstick->tasks[group], tally->below);
			add_percent(output, ",%s", median_of(tally));
			add_percent(output, ",%s", mean_of(tally));
			add_percent(output, ",%s", share_of(tally, 0));
			add_percent(output, ",%s", greatest_of(tally));
			output_print(output, ",%" PRId64 ",%" PRId64 ",%" PRId64, tally->value, tally->exact, tally->system);
			for (int i = 0; i < SHARES; i++)
				add_percent(output, ",%s", share_of(tally, shares[i]));
			output_add(output, "\n");
		}
}

/* ---- one system */

/* The task that is worth looking at: the first with a bound below its worst response, else the one whose least bound is furthest off. */
static int task_of_interest(const struct subject *subject, const struct exact_result *result, uint64_t without)
{
	int best = 0;
	__int128 value = 0, exact = 1;
	for (int i = 0; i < subject->set->task_count; i++) {
		int64_t least = yardstick_least(subject, 0, i);
		if (least != NONE && least < yardstick_worst(subject, result, i))
			return i;
		least = yardstick_least(subject, without, i);
		if (least == NONE || result->worst[i] == NONE || least * exact <= value * yardstick_worst(subject, result, i))
			continue;
		value = least;
		exact = yardstick_worst(subject, result, i);
		best = i;
	}
	return best;
}

void yardstick_tell(
	struct output *output, struct exact *exact, const struct subject *subject, const struct exact_result *result, uint64_t without)
{
	const struct taskset *set = subject->set;
	output_print(output, "%" PRId64 " states; responses from the %s release\n", result->states,
		yardstick_phased(subject) ? "nominal" : "actual");
	for (int i = 0; i < set->task_count; i++) {
		output_print(output, "%s: exact ", set->tasks[i].id);
		output_print(output, result->worst[i] == NONE ? "without end" : "%" PRId64 " ns", yardstick_worst(subject, result, i));
		for (int j = 0; j < BOUND_COUNT; j++) {
			int64_t value = yardstick_value(subject, i, j);
			if (value != NONE)
				output_print(output, ", %s %" PRId64 "%s", bound_kinds[j].name, value,
					value < yardstick_worst(subject, result, i) ? " (too small)" : "");
		}
		output_add(output, "\n");
	}
	int task = task_of_interest(subject, result, without);
	if (result->worst[task] == NONE)
		return;
	output_print(
		output, "\na run in which %s takes %" PRId64 " ns from its actual release:\n\n", set->tasks[task].id, result->worst[task]);
	exact_tell(exact, output, set, task);
}
