/* Numbers between commas; a bound: systems/tasks/violations/sum/observed/allowed/bin:count/bin:count/... */
#include "falsify/campaign_row.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNTS 8

void campaign_head(struct output *output)
{
	output_add(output, ",seed,first,systems,without,refused,runs,events,limited,stages,violation");
	for (int j = 0; j < BOUND_COUNT; j++)
		output_print(output, ",%s", bound_kinds[j].name);
}

static void add_tally(struct output *output, const struct campaign_tally *tally)
{
	output_print(output, ",%" PRId64 "/%" PRId64 "/%" PRId64 "/%" PRId64 "/%" PRId64 "/%" PRId64, tally->systems, tally->values,
		tally->violations, tally->sum, tally->observed, tally->allowed);
	for (int i = 0; i < CAMPAIGN_BINS; i++)
		if (tally->histogram[i] > 0)
			output_print(output, "/%d:%" PRId64, i, tally->histogram[i]);
}

void campaign_row(struct output *output, const struct campaign *campaign, const struct campaign_options *options)
{
	const int64_t counts[COUNTS] = {campaign->systems, campaign->without, campaign->refused, campaign->runs, campaign->events,
		campaign->limited, campaign->stages, campaign->violation};
	output_print(output, ",%" PRIu64 ",%" PRId64, options->seed, options->first);
	for (int i = 0; i < COUNTS; i++)
		output_print(output, ",%" PRId64, counts[i]);
	for (int j = 0; j < BOUND_COUNT; j++)
		add_tally(output, &campaign->bounds[j]);
}

/* A number up to a byte of `ends`, which is passed; least: of what may stand there. */
static bool take(const char **text, const char *ends, int64_t least, int64_t *value)
{
	char *end;
	errno = 0;
	*value = strtoll(*text, &end, 10);
	bool good = errno == 0 && end != *text && **text != ' ' && **text != '+' && *value >= least && *value != NONE;
	good = good && (*end == '\0' || strchr(ends, *end) != NULL);
	*text = *end == '\0' ? end : end + 1;
	return good;
}

static bool take_tally(const char **text, struct campaign_tally *tally)
{
	int64_t *const counts[] = {&tally->systems, &tally->values, &tally->violations, &tally->sum, &tally->observed, &tally->allowed};
	int64_t seen = 0;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (!take(text, i < 5 ? "/" : "/,", 0, counts[i]))
			return false;
	for (int64_t bin, count; (*text)[-1] == '/';) {
		if (!take(text, ":", 0, &bin) || bin >= CAMPAIGN_BINS || !take(text, "/,", 1, &count) || tally->histogram[bin] != 0)
			return false;
		tally->histogram[bin] = count;
		seen = checked_add(seen, count);
	}
	return seen == tally->values;
}

bool campaign_read_row(const char *text, struct campaign *campaign, struct campaign_source *source)
{
	int64_t *const counts[COUNTS] = {&campaign->systems, &campaign->without, &campaign->refused, &campaign->runs, &campaign->events,
		&campaign->limited, &campaign->stages, &campaign->violation};
	int64_t seed;
	*campaign = (struct campaign){.violation = -1};
	bool good = take(&text, ",", 0, &seed) && take(&text, ",", 0, &source->first);
	source->seed = (uint64_t)seed;
	for (int i = 0; i < COUNTS && good; i++)
		good = take(&text, ",", i + 1 < COUNTS ? 0 : -1, counts[i]);
	for (int j = 0; j < BOUND_COUNT && good; j++)
		good = take_tally(&text, &campaign->bounds[j]);
	return good && *text == '\0';
}
