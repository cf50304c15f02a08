/* The tables of a campaign. */
#include "falsify/table.h"

#include <inttypes.h>
#include <string.h>

#define TENTHS 11 /* below 0.1, ... below 1, and 1 or more */

static void add_thousandths(struct output *output, const char *before, int64_t value)
{
	output_print(output, "%s%" PRId64 ".%03" PRId64, before, value / 1000, value % 1000);
}

static int64_t median_of(const struct campaign_tally *tally)
{
	int64_t seen = 0;
	for (int i = 0; i < CAMPAIGN_BINS; i++) {
		seen += tally->histogram[i];
		if (2 * seen >= tally->values)
			return i;
	}
	return 0;
}

static int64_t mean_of(const struct campaign_tally *tally)
{
	return tally->values == 0 ? 0 : tally->sum / tally->values;
}

static int64_t greatest_of(const struct campaign_tally *tally)
{
	return tally->allowed == 0 ? 0 : checked_mul_div_floor(tally->observed, 1000, tally->allowed);
}

static int64_t tenth(const struct campaign_tally *tally, int index)
{
	int64_t count = 0;
	int end = index + 1 < TENTHS ? (index + 1) * 100 : CAMPAIGN_BINS;
	for (int i = index * 100; i < end; i++)
		count += tally->histogram[i];
	return count;
}

/* ---- text */

static void add_row(struct output *output, const char *name, const struct campaign_tally *tally)
{
	output_print(output, "%-6s %8" PRId64 " %8" PRId64 " %10" PRId64, name, tally->systems, tally->values, tally->violations);
	add_thousandths(output, "  ", mean_of(tally));
	add_thousandths(output, "  ", median_of(tally));
	add_thousandths(output, "  ", greatest_of(tally));
	output_print(output, "  %" PRId64 "/%" PRId64 "\n", tally->observed, tally->allowed);
}

static void add_histogram(struct output *output, const struct campaign *campaign)
{
	output_add(output, "\nTasks by observed/bound, in percent of all that have the bound and were seen:\n\nbound    ");
	for (int i = 0; i < TENTHS - 1; i++)
		output_print(output, "  <%d.%d", (i + 1) / 10, (i + 1) % 10);
	output_add(output, "   1.0\n");
	for (int j = 0; j < BOUND_COUNT; j++) {
		const struct campaign_tally *tally = &campaign->bounds[j];
		if (tally->systems == 0)
			continue;
		output_print(output, "%-9s", bound_kinds[j].name);
		for (int i = 0; i < TENTHS; i++) {
			int64_t permille = tally->values == 0 ? 0 : checked_mul_div_floor(tenth(tally, i), 1000, tally->values);
			output_print(output, "%4" PRId64 ".%" PRId64, permille / 10, permille % 10);
		}
		output_add(output, "\n");
	}
}

/* Bounds that no system has are not rows of zeros. */
static void add_absent(struct output *output, const struct campaign *campaign)
{
	const char *before = "No system has ";
	for (int j = 0; j < BOUND_COUNT; j++)
		if (campaign->bounds[j].systems == 0) {
			output_print(output, "%s%s", before, bound_kinds[j].name);
			before = ", ";
		}
	output_add(output, strcmp(before, ", ") == 0 ? ".\n" : "");
}

/* Has a run exceeded one of its bounds? */
static bool is_exceeded(const struct response_of *task, const int64_t *seen)
{
	for (int j = 0; j < BOUND_COUNT; j++)
		if (task->bounds[j].value != NONE && seen[j] > task->bounds[j].value)
			return true;
	return false;
}

#define ID_WIDTH 24 /* a longer one stands on a line of its own */

void table_tasks(struct output *output, const struct taskset *set, const struct response *response, const int64_t *seen)
{
	output_print(output, "\n%-*s %-11s %-6s %15s %15s\n", ID_WIDTH, "task", "verdict", "bound", "ns", "seen, ns");
	for (int i = 0; i < set->task_count; i++, seen += BOUND_COUNT) {
		const struct response_of *task = &response->tasks[i];
		const char *verdict = is_exceeded(task, seen) ? "exceeded" : verdict_names[task->verdict], *id = set->tasks[i].id;
		bool apart = strlen(id) > ID_WIDTH;
		output_print(output, "%s%s%-*s %-11s", apart ? id : "", apart ? "\n" : "", ID_WIDTH, apart ? "" : id, verdict);
		if (task->winner >= 0)
			output_print(output, " %-6s %15" PRId64 " %15" PRId64, bound_kinds[task->winner].name,
				task->bounds[task->winner].value, seen[task->winner]);
		output_add(output, "\n");
	}
}

void table_text(struct output *output, const struct campaign *campaign, const struct campaign_options *options)
{
	output_print(output,
		"seed %" PRIu64 ", systems %" PRId64 " from %" PRId64 " on, drawn and climbed: %" PRId64 " runs, %" PRId64 " events\n",
		options->seed, campaign->systems, options->first, campaign->runs, campaign->events);
	output_print(output, "%" PRId64 " systems without any bound, %" PRId64 " refused by the machine, %" PRId64 " runs cut short\n\n",
		campaign->without, campaign->refused, campaign->limited);
	if (campaign->limited > 0)
		output_add(output, "Cut short is a run that came to its limit of events; what it had seen until then counts.\n\n");
	output_add(output, "bound   systems    tasks violations   mean median    max  observed/bound\n");
	for (int j = 0; j < BOUND_COUNT; j++)
		if (campaign->bounds[j].systems > 0)
			add_row(output, bound_kinds[j].name, &campaign->bounds[j]);
	add_absent(output, campaign);
	add_histogram(output, campaign);
	output_print(output, "\n%" PRId64 " systems in which an earlier stage was violated\n", campaign->stages);
}

/* ---- CSV */

void table_csv(struct output *output, const struct campaign *campaign, const struct campaign_options *options)
{
	output_add(output, "seed,first,systems,runs,bound,systems_with_bound,tasks,violations,mean,median,max,observed,allowed");
	for (int i = 0; i < TENTHS; i++)
		output_print(output, ",from_%d.%d", i / 10, i % 10);
	output_add(output, "\n");
	for (int j = 0; j < BOUND_COUNT; j++) {
		const struct campaign_tally *tally = &campaign->bounds[j];
		output_print(output, "%" PRIu64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,%" PRId64 ",%" PRId64 ",%" PRId64, options->seed,
			options->first, campaign->systems, campaign->runs, bound_kinds[j].name, tally->systems, tally->values,
			tally->violations);
		add_thousandths(output, ",", mean_of(tally));
		add_thousandths(output, ",", median_of(tally));
		add_thousandths(output, ",", greatest_of(tally));
		output_print(output, ",%" PRId64 ",%" PRId64, tally->observed, tally->allowed);
		for (int i = 0; i < TENTHS; i++)
			output_print(output, ",%" PRId64, tenth(tally, i));
		output_add(output, "\n");
	}
}

/* ---- a violation */

void table_violation(struct output *output, const struct subject *subject, const struct violation *violation)
{
	const struct taskset *set = subject->set;
	output_print(output, "violation in stage %s: %s", stage_names[violation->stage], violation->what);
	if (violation->task != NO_ID)
		output_print(output, " of '%s'", set->tasks[violation->task].id);
	else if (violation->operation != NO_ID)
		output_print(output, " of '%s'", set->operations[violation->operation].id);
	output_print(output, " is %" PRId64, violation->observed);
	if (violation->stage == STAGE_RESPONSE)
		output_print(output, ", above %s", bound_kinds[violation->bound].name);
	output_print(output, ", the most allowed is %" PRId64 "\nmachine: %s\n", violation->allowed,
		attack_describe(&violation->attack, subject->arena));
}
