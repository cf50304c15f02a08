/* The yardstick as text, as CSV, and one system in full. */
#include "falsify/yardstick.h"

#include <inttypes.h>
#include <string.h>

static const int shares[] = {0, 50, 100, 200, 500, 1000}; /* thousandths: the share of tasks whose gap is at most this */
#define SHARES (int)(sizeof shares / sizeof *shares)

static const char *name_of(int bound)
{
	return bound == YARDSTICK_LEAST ? "least" : bound_kinds[bound].name;
}

/* ---- figures of a tally, in thousandths; tasks: of so many, those without a value have more than any gap */

/* NONE: more than half have no value. */
static int64_t median_of(const struct yardstick_tally *tally, int64_t tasks)
{
	int64_t seen = 0;
	for (int i = 0; i < YARDSTICK_BINS; i++) {
		seen += tally->histogram[i];
		if (2 * seen >= tasks - tally->below)
			return i;
	}
	return NONE;
}

/* With a gap of at most this. */
static int64_t share_of(const struct yardstick_tally *tally, int64_t tasks, int most)
{
	int64_t count = 0;
	for (int i = 0; i <= most; i++)
		count += tally->histogram[i];
	return checked_mul_div_floor(count, 1000, checked_max(1, tasks));
}

/* Of those that have one. */
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
	char text[32] = "none";
	if (thousandths != NONE)
		snprintf(text, sizeof text, "%" PRId64 ".%d", thousandths / 10, (int)(thousandths % 10));
	output_print(output, format, text);
}

/* ---- text */

#define HEADER "systems    tasks  below   median     mean  attained  <=10%%   <=50%%   greatest\n"

static void add_row(struct output *output, const char *name, const struct yardstick_tally *tally)
{
	output_print(output, "%-8s %8" PRId64 " %8" PRId64 " %6" PRId64, name, tally->systems, tally->tasks, tally->below);
	add_percent(output, " %8s", median_of(tally, tally->tasks));
	add_percent(output, " %8s", mean_of(tally));
	add_percent(output, " %9s", share_of(tally, tally->tasks, 0));
	add_percent(output, " %7s", share_of(tally, tally->tasks, 100));
	add_percent(output, " %7s", share_of(tally, tally->tasks, 500));
	add_percent(output, " %8s", greatest_of(tally));
	output_print(output, "  %" PRId64 "/%" PRId64 " of task %d, system %" PRId64 "\n", tally->value, tally->exact, tally->task,
		tally->system);
}

static const char *variant_name(int variant)
{
	return variant == VARIANT_ALL || variant == VARIANT_NONE ? "all" : item_kinds[variant - 1].name;
}

/* Of the tasks that have a bound with all of the analysis, so that rows can be compared. */
static void add_variant(struct output *output, const struct yardstick *yardstick, int group, int variant)
{
	const struct yardstick_tally *tally = &yardstick->of[group][variant][YARDSTICK_LEAST];
	int64_t tasks = yardstick->of[group][VARIANT_ALL][YARDSTICK_LEAST].tasks, common = yardstick->against[group][variant].common;
	int64_t greater = yardstick->against[group][variant].greater;
	output_print(
		output, "%-8s %-8s %8" PRId64, variant == VARIANT_ALL ? "with" : "without", variant_name(variant), tasks - tally->tasks);
	add_percent(output, " %8s", checked_mul_div_floor(greater, 1000, checked_max(1, common)));
	add_percent(output, " %8s", yardstick->against[group][variant].times / checked_max(1, common));
	add_percent(output, " %8s", median_of(tally, tasks));
	add_percent(output, " %9s", share_of(tally, tasks, 0));
	add_percent(output, " %7s", share_of(tally, tasks, 100));
	add_percent(output, " %7s\n", share_of(tally, tasks, 500));
}

static void add_variants(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options, int group)
{
	output_print(output,
		"\nThe least, without items of the analysis: tasks that lose it; percent in which it is greater; mean multiple, in "
		"percent;\nmedian gap and shares of the %" PRId64
		" tasks that have it with all\n\n%-17s     lost  greater multiple   median  "
		"attained  <=10%%   <=50%%\n",
		yardstick->of[group][VARIANT_ALL][YARDSTICK_LEAST].tasks, "");
	for (int variant = 0; variant < VARIANT_COUNT; variant++)
		if (yardstick_applies(options, (enum yardstick_group)group, variant))
			add_variant(output, yardstick, group, variant);
}

/* Those with the greatest share of all gaps first. */
static void add_reasons(struct output *output, const struct yardstick_tally *tallies)
{
	bool told[REASON_COUNT] = {false};
	int64_t sum = 0;
	for (int i = 0; i < REASON_COUNT; i++)
		sum += tallies[i].sum;
	output_print(output,
		"\nWhere the least one's gaps are: percent of all, by the first reason that holds for a task\n\n%-8s %7s %8s %8s %8s\n",
		"reason", "gaps", "tasks", "median", "mean");
	for (int rows = 0; rows < REASON_COUNT; rows++) {
		int most = NO_ID;
		for (int i = 0; i < REASON_COUNT; i++)
			if (!told[i] && (most == NO_ID || tallies[i].sum > tallies[most].sum))
				most = i;
		told[most] = true;
		if (tallies[most].tasks == 0)
			continue;
		output_print(output, "%-8s", reason_kinds[most].name);
		add_percent(output, " %7s", checked_mul_div_floor(tallies[most].sum, 1000, checked_max(1, sum)));
		output_print(output, " %8" PRId64, tallies[most].tasks);
		add_percent(output, " %8s", median_of(&tallies[most], tallies[most].tasks));
		add_percent(output, " %8s", mean_of(&tallies[most]));
		output_print(output, "  %s\n", reason_kinds[most].meaning);
	}
}

static int64_t all_systems(const struct yardstick *yardstick)
{
	int64_t sum = 0;
	for (int group = 0; group < GROUP_COUNT; group++)
		sum += yardstick->systems[group];
	return sum;
}

static void add_overall(struct output *output, const struct yardstick *yardstick)
{
	struct yardstick_tally *all = memory_allocate(sizeof *all);
	int64_t tasks = 0;
	memset(all, 0, sizeof *all);
	for (int group = 0; group < GROUP_COUNT; group++) {
		yardstick_add(all, &yardstick->of[group][VARIANT_ALL][YARDSTICK_LEAST]);
		tasks += yardstick->tasks[group];
	}
	output_print(output, "the least bound of %" PRId64 " of %" PRId64 " tasks: median gap", all->tasks, tasks);
	add_percent(output, " %s %%", median_of(all, all->tasks));
	add_percent(output, ", %s %% attained", share_of(all, all->tasks, 0));
	add_percent(output, ", %s %% within 10 %%\n", share_of(all, all->tasks, 100));
	memory_free(all);
}

void yardstick_text(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options)
{
	output_print(output,
		"seed %" PRIu64 ", small systems %" PRId64 " from %" PRId64 " on, all their states: %" PRId64 " states; %" PRId64
		" draws had more than %d, or could not be followed, and were drawn again\n",
		options->seed, all_systems(yardstick), options->first, yardstick->states, yardstick->redrawn, YARDSTICK_STATES);
	add_overall(output, yardstick);
	for (int group = 0; group < GROUP_COUNT; group++) {
		if (yardstick->systems[group] == 0)
			continue;
		bool nominal = group == GROUP_KNOWN || group == GROUP_SLOWED_KNOWN;
		output_print(output,
			"\n%s: %" PRId64 " systems, %" PRId64 " tasks; bound/exact - 1 in percent, from the %s release\n\n%-8s " HEADER,
			yardstick_groups[group].title, yardstick->systems[group], yardstick->tasks[group], nominal ? "nominal" : "actual",
			"bound");
		for (int j = 0; j <= BOUND_COUNT; j++)
			if (yardstick->of[group][VARIANT_ALL][j].tasks > 0)
				add_row(output, name_of(j), &yardstick->of[group][VARIANT_ALL][j]);
		add_variants(output, yardstick, options, group);
		add_reasons(output, yardstick->by_reason[group]);
	}
}

/* ---- CSV */

static void add_line(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options, int group,
	const char *names, const struct yardstick_tally *tally, int64_t tasks)
{
	output_print(output, "%" PRIu64 ",%" PRId64 ",%s,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64,
		options->seed, options->first, yardstick_groups[group].name, names, tally->systems, yardstick->systems[group], tally->tasks,
		tasks, yardstick->tasks[group], tally->below);
	add_percent(output, ",%s", median_of(tally, tasks));
	add_percent(output, ",%s", mean_of(tally));
	add_percent(output, ",%s", greatest_of(tally));
	output_print(output, ",%" PRId64 ",%" PRId64 ",%" PRId64, tally->value, tally->exact, tally->system);
	for (int i = 0; i < SHARES; i++)
		add_percent(output, ",%s", share_of(tally, tasks, shares[i]));
	output_add(output, "\n");
}

static void add_lines(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options, int group)
{
	char names[64];
	for (int variant = 0; variant < VARIANT_COUNT; variant++) {
		if (!yardstick_applies(options, (enum yardstick_group)group, variant))
			continue;
		for (int j = 0; j <= BOUND_COUNT; j++) {
			const struct yardstick_tally *tally = &yardstick->of[group][variant][j];
			int64_t tasks = yardstick->of[group][VARIANT_ALL][j].tasks;
			snprintf(names, sizeof names, "%s,,%s", variant == VARIANT_ALL ? "" : variant_name(variant), name_of(j));
			if (tasks > 0)
				add_line(output, yardstick, options, group, names, tally, tasks);
		}
	}
	for (int i = 0; i < REASON_COUNT; i++) {
		const struct yardstick_tally *tally = &yardstick->by_reason[group][i];
		snprintf(names, sizeof names, ",%s,least", reason_kinds[i].name);
		if (tally->tasks > 0)
			add_line(output, yardstick, options, group, names, tally, tally->tasks);
	}
}

void yardstick_csv(struct output *output, const struct yardstick *yardstick, const struct yardstick_options *options)
{
	output_add(output, "seed,first,class,without,reason,bound,systems,all_systems,tasks,of_tasks,all_tasks,below,median,mean,greatest,"
			   "greatest_bound,greatest_exact,greatest_system");
	for (int i = 0; i < SHARES; i++)
		output_print(output, ",at_most_%d", shares[i] / 10);
	output_add(output, "\n");
	for (int group = 0; group < GROUP_COUNT; group++)
		if (yardstick->systems[group] > 0)
			add_lines(output, yardstick, options, group);
}

/* ---- one system */

/* The task that is worth looking at: the first with a bound below its worst response, else the one whose least bound is furthest off. */
static int task_of_interest(
	const struct subject *subject, const struct response *response, const struct exact_result *result, uint64_t without)
{
	int best = 0;
	__int128 value = 0, exact = 1;
	for (int i = 0; i < subject->set->task_count; i++) {
		int64_t least = yardstick_least(subject, response, 0, i);
		if (least != NONE && least < yardstick_worst(subject, result, i))
			return i;
		least = yardstick_least(subject, response, without, i);
		if (least == NONE || result->worst[i] == NONE || least * exact <= value * yardstick_worst(subject, result, i))
			continue;
		value = least;
		exact = yardstick_worst(subject, result, i);
		best = i;
	}
	return best;
}

void yardstick_tell(struct output *output, struct exact *exact, const struct subject *subject, const struct exact_result *result,
	const struct yardstick_options *options)
{
	const struct taskset *set = subject->set;
	const struct response *response = items_response(subject, options->without_items);
	output_print(output, "%" PRId64 " states; responses from the %s release\n", result->states,
		yardstick_phased(subject) ? "nominal" : "actual");
	for (int i = 0; i < set->task_count; i++) {
		output_print(output, "%s: exact ", set->tasks[i].id);
		output_print(output, result->worst[i] == NONE ? "without end" : "%" PRId64 " ns", yardstick_worst(subject, result, i));
		for (int j = 0; j < BOUND_COUNT; j++) {
			int64_t value = yardstick_value(subject, response, i, j);
			if (value != NONE)
				output_print(output, ", %s %" PRId64 "%s", bound_kinds[j].name, value,
					value < yardstick_worst(subject, result, i) ? " (too small)" : "");
		}
		output_add(output, "\n");
	}
	int task = task_of_interest(subject, response, result, options->without);
	if (result->worst[task] == NONE)
		return;
	output_print(
		output, "\na run in which %s takes %" PRId64 " ns from its actual release:\n\n", set->tasks[task].id, result->worst[task]);
	exact_tell(exact, output, set, task);
}
