/* The interference table: for each victim, footprint, source and size of the
 * source the greatest time over the least time alone.
 *
 * All in hundredths, rounded up. A factor at a footprint covers the next
 * smaller one too, so that a working set between two of them is covered. The
 * product of the factors of several sources must cover every measurement of
 * those sources together: where it does not, the last of them is raised until
 * it does. */
#include "calibrate/calibrate_parts.h"
#include "model/draft.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define UNIT 100 /* factors are hundredths */
#define PARTS_MOST 3

struct victim {
	enum access access;
	bool is_copy;
	int64_t footprint, threads, sm;
};

struct measurement {
	struct victim victim;
	enum interferer parts[PARTS_MOST]; /* the sources that were active */
	int part_count;                    /* 0: alone */
	bool own;                          /* counts for each of its sources by itself; else only for their
					      product */
	int64_t count, ns, factor;
	long line;
};

struct cell {
	enum access access;
	bool is_copy;
	enum interferer source;
	int64_t footprint, count, factor;
};

struct table {
	struct calibration *calibration;
	const struct recording *recording;
	struct measurement *measurements;
	int measurement_count, measurement_capacity;
	struct cell *cells;
	int cell_count, cell_capacity;
	int64_t most[INTERFERER_COUNT]; /* of a source that is SMs, as it was measured by itself; 0 for others */
};

static const struct {
	const char *name;
	enum interferer parts[PARTS_MOST];
	int part_count;
	bool own;
} sources[] = {
	{"none", {0}, 0, false},
	{"tpc", {INTERFERER_TPC}, 1, true},
	{"gpc", {INTERFERER_GPC}, 1, true},
	{"out", {INTERFERER_OUT}, 1, true},
	{"all", {INTERFERER_TPC, INTERFERER_GPC, INTERFERER_OUT}, 3, false},
	{"h2d", {INTERFERER_H2D}, 1, true},
	{"d2h", {INTERFERER_D2H}, 1, true},
	{"bidirectional", {INTERFERER_H2D, INTERFERER_D2H}, 2, true},
	{"d2d", {INTERFERER_D2D}, 1, true},
	{"memset", {INTERFERER_MEMSET}, 1, true},
	{"cpu", {INTERFERER_CPU}, 1, true},
	{"ee", {INTERFERER_EE}, 1, true},
};
#define SOURCES (sizeof sources / sizeof *sources)

/* ---- reading */

static bool read_victim(const char *name, struct victim *victim)
{
	victim->is_copy = strcmp(name, "h2d") == 0 || strcmp(name, "d2h") == 0;
	victim->access = ACCESS_ANY;
	for (int a = 0; a < ACCESS_COUNT; a++)
		if (strcmp(access_names[a], name) == 0)
			victim->access = (enum access)a;
	return victim->is_copy || victim->access != ACCESS_ANY;
}

static bool read_source(const char *name, struct measurement *m)
{
	for (size_t i = 0; i < SOURCES; i++)
		if (strcmp(sources[i].name, name) == 0) {
			memcpy(m->parts, sources[i].parts, sizeof m->parts);
			m->part_count = sources[i].part_count;
			m->own = sources[i].own;
			return true;
		}
	return false;
}

static bool read_rows(struct table *t)
{
	const struct recording *r = t->recording;
	int victim = recording_column(r, "victim"), footprint = recording_column(r, "footprint"), threads = recording_column(r, "threads"),
	    sm = recording_column(r, "sm"), source = recording_column(r, "source"), count = recording_column(r, "count"),
	    ns = recording_column(r, "ns");
	if (victim < 0 || footprint < 0 || threads < 0 || sm < 0 || source < 0 || count < 0 || ns < 0)
		return false;
	t->measurements = arena_grow(t->calibration->arena, t->measurements, &t->measurement_capacity,
		t->measurement_count + r->row_count + 1, sizeof *t->measurements);
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		struct measurement *m = &t->measurements[t->measurement_count++];
		if (!read_victim(row->cells[victim], &m->victim) || !read_source(row->cells[source], m)) {
			diagnose(t->calibration->diagnostics, DIAGNOSTIC_RECORDING_VALUE, r->path, row->line,
				"no victim '%.40s' or source '%.40s' is known", row->cells[victim], row->cells[source]);
			return false;
		}
		m->victim.footprint = recording_count(r, row, footprint);
		m->victim.threads = recording_count(r, row, threads);
		m->victim.sm = recording_number(r, row, sm);
		m->count = recording_count(r, row, count);
		m->ns = recording_count(r, row, ns);
		m->line = row->line;
		if (m->victim.footprint == NONE || m->count == NONE || m->ns == NONE || m->ns <= 0)
			return false;
	}
	return true;
}

/* ---- over the least time alone */

static int by_victim(const void *a, const void *b)
{
	const struct measurement *x = a, *y = b;
	int64_t keys[][2] = {{x->victim.is_copy, y->victim.is_copy}, {x->victim.access, y->victim.access},
		{x->victim.footprint, y->victim.footprint}, {x->victim.threads, y->victim.threads}, {x->victim.sm, y->victim.sm},
		{x->part_count > 0, y->part_count > 0}, {x->ns, y->ns}, {x->line, y->line}};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return 0;
}

static bool same_victim(const struct victim *a, const struct victim *b)
{
	return a->access == b->access && a->is_copy == b->is_copy && a->footprint == b->footprint && a->threads == b->threads &&
	       a->sm == b->sm;
}

/* Sorted, the least time alone stands first among those of a victim. */
static bool set_factors(struct table *t)
{
	struct rational margin = rational_add(rational_of(1), t->calibration->options->margin);
	const struct measurement *alone = NULL;
	if (t->measurement_count > 0)
		qsort(t->measurements, (size_t)t->measurement_count, sizeof *t->measurements, by_victim);
	for (int i = 0; i < t->measurement_count; i++) {
		struct measurement *m = &t->measurements[i];
		if (alone == NULL || !same_victim(&alone->victim, &m->victim))
			alone = m;
		if (alone->part_count > 0) {
			diagnose(t->calibration->diagnostics, DIAGNOSTIC_RECORDING_SAMPLES, t->recording->path, m->line,
				"no measurement of this victim alone: a factor has nothing to "
				"be relative to");
			return false;
		}
		m->factor = checked_max(UNIT, checked_mul_div_ceil(rational_scale_up(m->ns, margin), UNIT, alone->ns));
	}
	return true;
}

/* ---- the table */

static struct cell *cell_at(struct table *t, const struct measurement *m, enum interferer source, int64_t footprint, int64_t count)
{
	for (int i = 0; i < t->cell_count; i++) {
		struct cell *cell = &t->cells[i];
		if (cell->access == m->victim.access && cell->is_copy == m->victim.is_copy && cell->source == source &&
			cell->footprint == footprint && cell->count == count)
			return cell;
	}
	return NULL;
}

static void raise(struct table *t, const struct measurement *m, enum interferer source, int64_t count)
{
	struct cell *cell = cell_at(t, m, source, m->victim.footprint, count);
	if (cell == NULL) {
		t->cells = arena_grow(t->calibration->arena, t->cells, &t->cell_capacity, t->cell_count + 1, sizeof *t->cells);
		cell = &t->cells[t->cell_count++];
		*cell = (struct cell){m->victim.access, m->victim.is_copy, source, m->victim.footprint, count, UNIT};
	}
	cell->factor = checked_max(cell->factor, m->factor);
}

static bool is_sms(enum interferer source)
{
	return source == INTERFERER_TPC || source == INTERFERER_GPC || source == INTERFERER_OUT || source == INTERFERER_EE;
}

/* Of SMs only whole groups were measured from each place, so that there is one
 * count, the greatest. */
static void find_most(struct table *t)
{
	for (int i = 0; i < t->measurement_count; i++) {
		const struct measurement *m = &t->measurements[i];
		if (m->part_count == 1 && is_sms(m->parts[0]))
			t->most[m->parts[0]] = checked_max(t->most[m->parts[0]], m->count);
	}
}

static int64_t count_of(const struct table *t, const struct measurement *m, enum interferer source)
{
	return checked_max(m->count, t->most[source]);
}

static int by_cell(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;
	int64_t keys[][2] = {{x->is_copy, y->is_copy}, {x->access, y->access}, {x->source, y->source}, {x->count, y->count},
		{x->footprint, y->footprint}};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return 0;
}

static bool same_but_footprint(const struct cell *a, const struct cell *b)
{
	return a->is_copy == b->is_copy && a->access == b->access && a->source == b->source;
}

/* A greater count is at least as bad as a smaller one, and a footprint covers
 * the next smaller one. */
static void cover_neighbours(struct table *t)
{
	if (t->cell_count > 0)
		qsort(t->cells, (size_t)t->cell_count, sizeof *t->cells, by_cell);
	for (int i = 0; i < t->cell_count; i++)
		for (int k = 0; k < i; k++)
			if (same_but_footprint(&t->cells[i], &t->cells[k]) && t->cells[k].footprint == t->cells[i].footprint)
				t->cells[i].factor = checked_max(t->cells[i].factor, t->cells[k].factor);
	for (int i = t->cell_count - 1; i > 0; i--)
		if (same_but_footprint(&t->cells[i], &t->cells[i - 1]) && t->cells[i].count == t->cells[i - 1].count)
			t->cells[i].factor = checked_max(t->cells[i].factor, t->cells[i - 1].factor);
}

/* The cell that a look-up rounds up to. */
static struct cell *looked_up(struct table *t, const struct measurement *m, enum interferer source, int64_t footprint)
{
	struct cell *found = NULL, *largest = NULL;
	for (int i = 0; i < t->cell_count; i++) {
		struct cell *cell = &t->cells[i];
		if (cell->access != m->victim.access || cell->is_copy != m->victim.is_copy || cell->source != source ||
			cell->footprint != footprint)
			continue;
		largest = cell; /* sorted by count */
		if (found == NULL && cell->count >= m->count)
			found = cell;
	}
	return found != NULL ? found : largest;
}

static void cover_joint(struct table *t, const struct measurement *m, int64_t footprint)
{
	struct rational product = rational_of(1);
	struct cell *last = NULL;
	for (int i = 0; i < m->part_count; i++) {
		struct cell *cell = looked_up(t, m, m->parts[i], footprint);
		if (cell == NULL)
			continue;
		last = cell;
		product = rational_mul(product, rational_make(cell->factor, UNIT));
	}
	struct rational wanted = rational_make(m->factor, UNIT);
	if (last == NULL || rational_compare(product, wanted) >= 0)
		return;
	struct rational missing = rational_div(wanted, product);
	last->factor = rational_ceil(rational_mul(rational_of(last->factor), missing));
}

static int64_t next_footprint(const struct table *t, const struct measurement *m)
{
	int64_t next = NONE;
	for (int i = 0; i < t->cell_count; i++)
		if (t->cells[i].access == m->victim.access && t->cells[i].is_copy == m->victim.is_copy &&
			t->cells[i].footprint > m->victim.footprint)
			next = checked_min(next, t->cells[i].footprint);
	return next;
}

static void set_platform(struct table *t)
{
	struct platform *platform = t->calibration->platform;
	platform->interference = arena_allocate(t->calibration->arena, (size_t)t->cell_count + 1, sizeof *platform->interference);
	for (int i = 0; i < t->cell_count; i++) {
		const struct cell *cell = &t->cells[i];
		DRAFT(platform->interference)
		[platform->interference_count++] = (struct interference_entry){.victim = cell->access,
			.footprint = cell->footprint,
			.source = cell->source,
			.count = cell->count,
			.is_copy = cell->is_copy,
			.factor = rational_make(cell->factor, UNIT),
			.evidence = t->recording->source};
	}
}

/* Enlarged by the margin, over the least time alone, of all recordings of them together. */
void calibrate_interference(struct calibration *c)
{
	struct table t = {.calibration = c};
	for (int i = calibrate_next(c, "interference", 0); i < c->recording_count; i = calibrate_next(c, "interference", i + 1)) {
		t.recording = c->recordings[i];
		if (!read_rows(&t))
			return;
	}
	if (t.recording == NULL || !set_factors(&t))
		return;
	if (t.measurement_count < c->options->samples)
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_SAMPLES, t.recording->path, 0,
			"%d measurements, where at least %" PRId64 " are wanted", t.measurement_count, c->options->samples);
	find_most(&t);
	for (int i = 0; i < t.measurement_count; i++)
		for (int k = 0; t.measurements[i].own && k < t.measurements[i].part_count; k++)
			raise(&t, &t.measurements[i], t.measurements[i].parts[k],
				count_of(&t, &t.measurements[i], t.measurements[i].parts[k]));
	cover_neighbours(&t);
	for (int i = 0; i < t.measurement_count; i++)
		if (t.measurements[i].part_count > 1) {
			cover_joint(&t, &t.measurements[i], t.measurements[i].victim.footprint);
			cover_joint(&t, &t.measurements[i], next_footprint(&t, &t.measurements[i]));
		}
	set_platform(&t);
}
