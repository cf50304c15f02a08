/* A histogram of delays by warps a block. */
#include "simulate/delays.h"

#include <inttypes.h>
#include <stdio.h>

void delays_note(struct delays *delays, int64_t warps, int64_t delay, int64_t promised)
{
	int64_t row = checked_min(warps, DELAY_WARPS), step = checked_max(0, delay) / DELAY_STEP;
	delays->count[row][checked_min(step, DELAY_BUCKETS)]++;
	delays->longest[row] = checked_max(delays->longest[row], delay);
	delays->beyond[row] += promised != NONE && delay > promised;
}

void delays_add(struct delays *delays, const struct delays *more)
{
	for (int w = 0; w <= DELAY_WARPS; w++) {
		for (int i = 0; i <= DELAY_BUCKETS; i++)
			delays->count[w][i] += more->count[w][i];
		delays->longest[w] = checked_max(delays->longest[w], more->longest[w]);
		delays->beyond[w] += more->beyond[w];
	}
}

static int64_t total_of(const struct delays *delays, int w)
{
	int64_t total = 0;
	for (int i = 0; i <= DELAY_BUCKETS; i++)
		total += delays->count[w][i];
	return total;
}

/* The least delay that so many in a thousand do not exceed, to the step above; among those beyond the buckets, the longest. */
static int64_t quantile(const struct delays *delays, int w, int64_t total, int64_t thousandths)
{
	int64_t wanted = checked_mul_div_ceil(total, thousandths, 1000), so_far = 0;
	for (int i = 0; i < DELAY_BUCKETS; i++) {
		so_far += delays->count[w][i];
		if (so_far >= wanted)
			return checked_min((int64_t)(i + 1) * DELAY_STEP, delays->longest[w]);
	}
	return delays->longest[w];
}

static void print_row(struct output *output, const struct delays *delays, int w, const char *name, const char *format)
{
	int64_t total = total_of(delays, w);
	if (total > 0)
		output_print(output, format, name, total, quantile(delays, w, total, 500), quantile(delays, w, total, 990),
			quantile(delays, w, total, 999), delays->longest[w], delays->count[w][DELAY_BUCKETS], delays->beyond[w]);
}

#define N PRId64

void delays_print(struct output *output, const struct delays *delays, bool csv)
{
	const char *format = csv ? "%s,%" N ",%" N ",%" N ",%" N ",%" N ",%" N ",%" N "\n"
				 : "%5s %10" N " %10" N " %10" N " %10" N " %10" N " %10" N " %10" N "\n";
	struct delays all = {{{0}}, {0}, {0}};
	output_add(output, csv ? "warps,blocks,median_ns,p99_ns,p999_ns,longest_ns,above_16us,above_order\n"
			       : "warps     blocks  median ns    99 % ns  99.9 % ns longest ns above 16us  > A-ORDER\n");
	for (int w = 0; w <= DELAY_WARPS; w++) {
		char name[8];
		snprintf(name, sizeof name, "%d", w);
		print_row(output, delays, w, name, format);
		for (int i = 0; i <= DELAY_BUCKETS; i++)
			all.count[0][i] += delays->count[w][i];
		all.longest[0] = checked_max(all.longest[0], delays->longest[w]);
		all.beyond[0] += delays->beyond[w];
	}
	print_row(output, &all, 0, "total", format);
}
