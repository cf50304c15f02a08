/* Partitions of SMs: what went against A-PARTITION, and how many SMs they are made of. */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>
#include <string.h>

/* The tests that look for it; what else is recorded beside them (idle, full, primary, process) goes against nothing that it says. */
static const char *const tests[] = {
	"partition-wait", "partition-sms", "partition-order", "partition-priority", "partition-event", "partition-memset"};
#define TESTS (sizeof tests / sizeof *tests)

static void see(struct calibration *c, const struct recording *r, const struct recorded_test *test)
{
	for (size_t k = 0; k < TESTS; k++)
		if (strcmp(tests[k], test->test) == 0) /* the blocks of a row are one try */
			calibrate_found(c, r, ASSUMPTION_PARTITION, test->tries > 0, test->broken > 0, test->longest, tests[k]);
}

void calibrate_partition(struct calibration *c, const struct recording *r)
{
	calibrate_each_test(c, r, see);
}

/* The least group that a split without flags gives; all others are multiples of it, but for the whole GPU. */
void calibrate_granularity(struct calibration *c, const struct recording *r)
{
	int flags = recording_column(r, "flags"), least = recording_column(r, "least"), groups = recording_column(r, "groups"),
	    size = recording_column(r, "size");
	int64_t unit = NONE;
	if (flags < 0 || least < 0 || groups < 0 || size < 0)
		return;
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		int64_t flag = recording_count(r, row, flags), wanted = recording_count(r, row, least),
			made = recording_count(r, row, groups), each = recording_count(r, row, size);
		if (flag == NONE || wanted == NONE || made == NONE || each == NONE)
			return;
		if (flag != 0 || wanted == 0 || made == 0 || each == r->sms) /* all SMs are no group of them */
			continue;
		if (each < 1 || (unit != NONE && each % unit != 0)) {
			diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_CONTRADICTION, r->path, row->line,
				"groups of %" PRId64 " SMs, and of %" PRId64, unit == NONE ? 0 : unit, each);
			return;
		}
		unit = unit == NONE ? each : unit;
	}
	if (unit != NONE)
		calibrate_number(c, r, PARAMETER_PARTITION_UNIT, unit, "the least group of a split by count, without flags");
}
