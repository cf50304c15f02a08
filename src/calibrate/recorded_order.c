/* The direct tests of the assumptions: each row says how often one was tried
 * and how often it broke. */
#include "calibrate/calibrate_parts.h"

#include <string.h>

static const struct {
	const char *test;
	enum assumption assumption;
	int warps; /* of the smallest blocks in it; 0: it is about any */
} tests[] = {
	{"hol", ASSUMPTION_HOL, 0},
	{"hol-two-warps", ASSUMPTION_HOL, 2},
	{"priority", ASSUMPTION_PRIO, 0},
	{"fragmentation", ASSUMPTION_FRAG, 0},
	{"fragmentation-registers", ASSUMPTION_FRAG_REGISTERS, 0},
	{"copy-order", ASSUMPTION_CE, 0},
	{"stops", ASSUMPTION_ISO, 0},
	{"stops-two-warps", ASSUMPTION_ISO, 2},
	{"host-traffic", ASSUMPTION_ISO, 0},
};
#define TESTS (sizeof tests / sizeof *tests)

/* A copy that was done while a kernel filled the GPU has an engine of its own;
 * one that had to wait runs on SMs. */
static void read_engine(struct calibration *c, const struct recording *r, const char *detail, bool waited)
{
	for (int d = 0; d < DIRECTION_COUNT; d++)
		if (strcmp(direction_names[d], detail) == 0 && waited) {
			c->platform->engine_of[d] = ENGINE_COMPUTE;
			c->platform->engine_source = r->source;
		}
}

void calibrate_each_test(struct calibration *c, const struct recording *r,
	void (*each)(struct calibration *calibration, const struct recording *recording, const struct recorded_test *test))
{
	int test = recording_column(r, "test"), tries = recording_column(r, "tries"), broken = recording_column(r, "broken"),
	    longest = recording_column(r, "longest_ns"), detail = recording_column(r, "detail");
	if (test < 0 || tries < 0 || broken < 0 || longest < 0 || detail < 0)
		return;
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		const struct recorded_test seen = {row, row->cells[test], row->cells[detail], recording_count(r, row, tries),
			recording_count(r, row, broken), recording_count(r, row, longest)};
		if (seen.tries == NONE || seen.broken == NONE || seen.longest == NONE)
			return;
		each(c, r, &seen);
	}
}

static void see(struct calibration *c, const struct recording *r, const struct recorded_test *test)
{
	size_t k = 0;
	while (k < TESTS && strcmp(tests[k].test, test->test) != 0)
		k++;
	if (k < TESTS && tests[k].warps > 0 && tests[k].warps < c->options->least_warps)
		return;
	if (k < TESTS)
		calibrate_found(c, r, tests[k].assumption, test->tries, test->broken, test->longest, test->detail);
	else if (strcmp(test->test, "engine") == 0)
		read_engine(c, r, test->detail, test->broken > 0);
	else if (strcmp(test->test, "copy-idle") == 0)
		calibrate_sample(c, r, PARAMETER_OVERHEAD_COPY, test->longest);
	else if (strcmp(test->test, "host-fragmentation") != 0) /* when the blocks leave depends on the host there */
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_VALUE, r->path, test->row->line, "no test '%.40s' is known", test->test);
}

void calibrate_order(struct calibration *c, const struct recording *r)
{
	calibrate_each_test(c, r, see);
}
