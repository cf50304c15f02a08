/* Launch overheads and what a copy costs at least. */
#include "calibrate/calibrate_parts.h"

#include <string.h>

struct greatest {
	int64_t value, count;
};

static void add(struct greatest *greatest, int64_t value)
{
	greatest->count++;
	greatest->value = checked_max(greatest->value, value);
}

/* The clocks' error counts for what begins at one clock and ends at the other. */
void calibrate_overheads(struct calibration *c, const struct recording *r)
{
	int what = recording_column(r, "what"), amount = recording_column(r, "amount"), ns = recording_column(r, "ns"),
	    error = recording_column(r, "clock_error_ns");
	struct greatest launch = {0}, dependency = {0}, spread = {0}, refill = {0}, copy = {0};
	int64_t smallest = NONE, a_block = 0;
	if (what < 0 || amount < 0 || ns < 0 || error < 0)
		return;
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		int64_t time = checked_add(recording_number(r, row, ns), recording_count(r, row, error)),
			size = recording_count(r, row, amount);
		if (time == NONE || size == NONE)
			return;
		const char *name = row->cells[what];
		bool is_copy = strncmp(name, "h2d", 3) == 0 || strncmp(name, "d2h", 3) == 0;
		if (strcmp(name, "idle") == 0)
			add(&launch, time);
		if (strcmp(name, "dependent") == 0)
			add(&dependency, time);
		if (strcmp(name, "spread") == 0) {
			add(&spread, time);
			a_block = checked_max(a_block, checked_div_ceil(time, checked_max(1, size - 1)));
		}
		if (strcmp(name, "refill") == 0)
			add(&refill, time);
		if (is_copy && size < smallest) {
			smallest = size;
			copy = (struct greatest){0};
		}
		if (is_copy && size == smallest)
			add(&copy, time);
	}
	calibrate_greatest(
		c, r, PARAMETER_OVERHEAD_LAUNCH, launch.value, launch.count, "from the launch call on an idle GPU to the first block");
	calibrate_greatest(c, r, PARAMETER_OVERHEAD_DEPENDENCY, dependency.value, dependency.count,
		"from a kernel's end to its successor's first block");
	calibrate_greatest(c, r, PARAMETER_OVERHEAD_COPY, copy.value, copy.count, "the smallest copies");
	calibrate_greatest(c, r, PARAMETER_OVERHEAD_BLOCK, a_block, spread.count,
		arena_format(c->arena,
			"from the first to the last begin of a kernel's blocks, for each block (%lldns in all); the begin of a block where "
			"another ended took up to %lldns, which belongs to each block's WCET",
			(long long)spread.value, (long long)refill.value));
}
