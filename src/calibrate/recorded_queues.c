/* Streams and hardware queues: does a stream that has nothing to do keep a queue from others? */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>
#include <string.h>

struct row {
	const char *kind;
	int64_t connections, streams, busy, tries, waited;
};

static bool read_row(const struct recording *r, int i, const int at[6], struct row *row)
{
	const struct recording_row *cells = &r->rows[i];
	int64_t numbers[5];
	for (int k = 0; k < 5; k++)
		numbers[k] = recording_count(r, cells, at[k]);
	*row = (struct row){cells->cells[at[5]], numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
	for (int k = 0; k < 5; k++)
		if (numbers[k] == NONE)
			return false;
	return true;
}

/* A-QUEUE is about a context with as many streams as queues, or more, of which fewer have work. What the NULL stream has part in is said
 * apart: bounds that rest on this have none there. */
void calibrate_queues(struct calibration *c, const struct recording *r)
{
	static const char *const names[] = {"connections", "streams", "busy", "tries", "waited", "kind"};
	int at[6];
	int64_t null_tries = 0, null_waited = 0, full_tries = 0, full_waited = 0;
	struct row row;
	for (int k = 0; k < 6; k++)
		if ((at[k] = recording_column(r, names[k])) < 0)
			return;
	for (int i = 0; i < r->row_count && read_row(r, i, at, &row); i++) {
		bool null = strcmp(row.kind, "null") == 0, full = row.busy >= row.connections;
		if (row.streams < row.connections)
			continue;
		if (null) {
			null_tries += row.tries;
			null_waited += row.waited;
		} else if (full) {
			full_tries += row.tries;
			full_waited += row.waited;
		} else
			calibrate_found(c, r, ASSUMPTION_QUEUE, row.tries, row.waited, 0, arena_format(c->arena, "%s streams", row.kind));
	}
	c->findings[ASSUMPTION_QUEUE].note = arena_format(c->arena,
		"With work on the NULL stream %" PRId64 " of %" PRId64 " waited, with as many streams at work as queues %" PRId64
		" of %" PRId64,
		null_waited, null_tries, full_waited, full_tries);
}
