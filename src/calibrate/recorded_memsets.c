/* What blocks of memsets, and of copies that run as kernels, need of an SM: for the task set, which may state it. */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>
#include <string.h>

#define SIZES_MOST 16

struct need { /* of one resource, for one size of one kind */
	const char *kind;
	int64_t bytes;
	int64_t enough, short_of; /* the least at which it always began; the greatest at which it once did not; -1: none */
};

struct needs { /* of all sizes */
	const char *what, *limit;
	struct need of[SIZES_MOST];
	int count;
};

static void see(struct needs *needs, const char *kind, int64_t bytes, int64_t free, bool always)
{
	int i = 0;
	while (i < needs->count && (needs->of[i].bytes != bytes || strcmp(needs->of[i].kind, kind) != 0))
		i++;
	if (i == SIZES_MOST)
		return;
	if (i == needs->count)
		needs->of[needs->count++] = (struct need){kind, bytes, NONE, -1};
	if (always)
		needs->of[i].enough = checked_min(needs->of[i].enough, free);
	else
		needs->of[i].short_of = checked_max(needs->of[i].short_of, free);
}

/* The size that needs most. */
static const char *text_of(struct arena *arena, const struct needs *needs)
{
	struct need most = {NULL, 0, 0, -1};
	for (int i = 0; i < needs->count; i++) {
		most.enough = checked_max(most.enough, needs->of[i].enough);
		most.short_of = checked_max(most.short_of, needs->of[i].short_of);
	}
	if (most.enough == NONE || needs->count == 0 || most.enough <= most.short_of)
		return arena_format(arena, "%s not told", needs->limit);
	return arena_format(arena, "at most %" PRId64 " %s%s", most.enough, needs->limit,
		most.short_of < 0 ? "" : arena_format(arena, " and more than %" PRId64, most.short_of));
}

static void note(struct calibration *c, const struct needs needs[3])
{
	struct arena *arena = c->arena;
	calibrate_note(c,
		arena_format(arena,
			"%s, where it runs as a kernel: a block needs %s; %s; %s, in B, with what the driver reserves. How many blocks it "
			"has no program can see: a task set may state it as a kernel of scope grid with these threads and registers",
			needs[0].what, text_of(arena, &needs[0]), text_of(arena, &needs[1]), text_of(arena, &needs[2])));
}

static bool read_rows(const struct recording *r, struct needs *needs)
{
	int what = recording_column(r, "what"), bytes = recording_column(r, "bytes"), limit = recording_column(r, "limit"),
	    free = recording_column(r, "free"), tries = recording_column(r, "tries"), began = recording_column(r, "began");
	if (what < 0 || bytes < 0 || limit < 0 || free < 0 || tries < 0 || began < 0)
		return false;
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		int64_t size = recording_count(r, row, bytes), left = recording_count(r, row, free), tried = recording_count(r, row, tries),
			did = recording_count(r, row, began);
		if (size == NONE || left == NONE || tried == NONE || did == NONE)
			return false;
		bool same =
			strncmp(row->cells[what], needs->what, strlen(needs->what)) == 0 && strcmp(row->cells[limit], needs->limit) == 0;
		if (same)
			see(needs, row->cells[what], size, left, did == tried);
	}
	return true;
}

void calibrate_memsets(struct calibration *c, const struct recording *r)
{
	static const char *const whats[] = {"memset", "d2d"}, *const limits[] = {"threads", "registers", "shared"};
	for (int w = 0; w < 2; w++) {
		struct needs needs[3];
		for (int k = 0; k < 3; k++) {
			needs[k] = (struct needs){.what = whats[w], .limit = limits[k]};
			if (!read_rows(r, &needs[k]))
				return;
		}
		note(c, needs);
	}
}
