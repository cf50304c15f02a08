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

static void add(struct tried *tried, const struct row *row)
{
	tried->tries = checked_add(tried->tries, row->tries);
	tried->waited = checked_add(tried->waited, row->waited);
}

static void see(struct calibration *c, const struct recording *r, const struct row *row)
{
	bool null = strcmp(row->kind, "null") == 0, full = row->busy >= row->connections, across = strcmp(row->kind, "across") == 0;
	if (row->streams < row->connections)
		return;
	if (null)
		add(&c->queues[QUEUE_NULL], row);
	else if (full)
		add(&c->queues[across ? QUEUE_PARTITIONS : QUEUE_FULL], row);
	else
		calibrate_found(c, r, ASSUMPTION_QUEUE, row->tries, row->waited, 0, arena_format(c->arena, "%s streams", row->kind));
}

static const char *waited(struct arena *arena, const char *where, const struct tried *tried)
{
	return arena_format(arena, "%s %" PRId64 " of %" PRId64 " waited", where, tried->waited, tried->tries);
}

/* Queues that partitions do not share are counted as shared all the same: fewer queues are never better ([QUEUES]). */
static const char *partitions(struct arena *arena, const struct tried *tried)
{
	if (tried->tries == 0)
		return "; whether partitions of SMs share queues was not recorded";
	return arena_format(arena, "; %s: queues are %s", waited(arena, "beside as many of another partition of SMs as queues", tried),
		tried->waited > 0 ? "the process's" : "each partition's, and counted as the process's");
}

/* A-QUEUE is about a context with as many streams as queues, or more, of which fewer have work. What the NULL stream has part in is said
 * apart: bounds that rest on this have none there. */
void calibrate_queues(struct calibration *c, const struct recording *r)
{
	static const char *const names[] = {"connections", "streams", "busy", "tries", "waited", "kind"};
	int at[6];
	struct row row;
	for (int k = 0; k < 6; k++)
		if ((at[k] = recording_column(r, names[k])) < 0)
			return;
	for (int i = 0; i < r->row_count && read_row(r, i, at, &row); i++)
		see(c, r, &row);
	c->findings[ASSUMPTION_QUEUE].note =
		arena_format(c->arena, "%s, %s%s", waited(c->arena, "With work on the NULL stream", &c->queues[QUEUE_NULL]),
			waited(c->arena, "with as many streams at work as queues", &c->queues[QUEUE_FULL]),
			partitions(c->arena, &c->queues[QUEUE_PARTITIONS]));
}
