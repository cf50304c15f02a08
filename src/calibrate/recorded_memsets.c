/* What blocks of memsets, and of copies that run as kernels, need of an SM: for the task set, which may state it. */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>
#include <string.h>

struct need { /* of one resource */
	const char *what, *limit;
	int64_t enough, short_of; /* the least that always was, above all that once was not; the greatest that was not enough */
};

static void see(struct need *need, int64_t free, bool always)
{
	if (always)
		need->enough = checked_min(need->enough, free);
	else
		need->short_of = checked_max(need->short_of, free);
}

static const char *text_of(struct arena *arena, const struct need *need)
{
	if (need->enough == NONE || need->enough <= need->short_of)
		return arena_format(arena, "%s not told", need->limit);
	return need->short_of < 0 ? arena_format(arena, "%s at most %" PRId64, need->limit, need->enough)
				  : arena_format(arena, "%s more than %" PRId64 " and at most %" PRId64, need->limit, need->short_of, need->enough);
}

static void note(struct calibration *c, const char *what, const struct need needs[3])
{
	calibrate_note(c, arena_format(c->arena,
				  "%s, where it runs as a kernel: a block needs %s, %s, %s (B). How many blocks it has no program can see: state it in "
				  "the task set as a kernel of scope grid with these threads and registers, whose bounds do not need it",
				  what, text_of(c->arena, &needs[0]), text_of(c->arena, &needs[1]), text_of(c->arena, &needs[2])));
}

void calibrate_memsets(struct calibration *c, const struct recording *r)
{
	static const char *const whats[] = {"memset", "d2d"}, *const limits[] = {"threads", "registers", "shared"};
	int what = recording_column(r, "what"), limit = recording_column(r, "limit"), free = recording_column(r, "free"),
	    tries = recording_column(r, "tries"), began = recording_column(r, "began");
	if (what < 0 || limit < 0 || free < 0 || tries < 0 || began < 0)
		return;
	for (int w = 0; w < 2; w++) {
		struct need needs[3];
		for (int k = 0; k < 3; k++)
			needs[k] = (struct need){whats[w], limits[k], NONE, -1};
		for (int i = 0; i < r->row_count; i++) {
			const struct recording_row *row = &r->rows[i];
			int64_t left = recording_count(r, row, free), tried = recording_count(r, row, tries), did = recording_count(r, row, began);
			if (left == NONE || tried == NONE || did == NONE)
				return;
			for (int k = 0; k < 3; k++)
				if (strncmp(row->cells[what], whats[w], strlen(whats[w])) == 0 && strcmp(row->cells[limit], limits[k]) == 0)
					see(&needs[k], left, did == tried);
		}
		note(c, whats[w], needs);
	}
}
