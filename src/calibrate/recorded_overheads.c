/* Launch overheads, what a copy costs at least, and which engines serve copies. */
#include "calibrate/calibrate_parts.h"

#include <string.h>

/* A parameter's greatest is that of these rows. */
static const struct {
	const char *what;
	enum parameter parameter;
} greatest_of[] = {
	{"dependent", PARAMETER_OVERHEAD_DEPENDENCY},
	{"crossing", PARAMETER_OVERHEAD_DEPENDENCY},
	{"graph-dependent", PARAMETER_OVERHEAD_DEPENDENCY},
};

struct row {
	const char *what;
	int64_t amount, ns; /* ns: with the clocks' error, which counts for what begins at one clock and ends at the other */
	int64_t called;     /* ns: for which the host was in the call, if the row before says so */
};

static bool is_copy(const struct row *row)
{
	return strncmp(row->what, "h2d", 3) == 0 || strncmp(row->what, "d2h", 3) == 0;
}

static void add_row(struct calibration *c, const struct recording *r, const struct row *row, int64_t smallest)
{
	for (size_t i = 0; i < sizeof greatest_of / sizeof *greatest_of; i++)
		if (strcmp(row->what, greatest_of[i].what) == 0)
			calibrate_sample(c, r, greatest_of[i].parameter, row->ns);
	if (strcmp(row->what, "idle") == 0) /* the call is the host's: A-HOST */
		calibrate_sample(c, r, PARAMETER_OVERHEAD_LAUNCH, checked_max(0, checked_sub(row->ns, row->called)));
	if (strcmp(row->what, "spread") == 0) {
		growth_add(&c->spread, c->arena, r, row->ns);
		calibrate_sample(c, r, PARAMETER_OVERHEAD_BLOCK, checked_div_ceil(row->ns, checked_max(1, row->amount - 1)));
	}
	if (strcmp(row->what, "refill") == 0)
		growth_add(&c->refill, c->arena, r, row->ns);
	if (is_copy(row) && row->amount == smallest)
		calibrate_sample(c, r, PARAMETER_OVERHEAD_COPY, row->ns);
}

/* ---- does a copy have to wait for one in the other direction? */

struct both { /* of the largest copies */
	int64_t alone, beside_most, count, overlapped;
};

static void look_alone(struct both *both, const struct row *row, const char *direction, int64_t largest)
{
	if (row->amount == largest && strcmp(row->what, direction) == 0)
		both->alone = checked_min(both->alone, row->ns);
}

/* Beside one of the other direction that began with it: one engine is done with both only after `serial`. */
static void look_beside(struct both *both, const struct row *row, const char *direction, int64_t largest, int64_t serial)
{
	if (row->amount != largest || strncmp(row->what, direction, 3) != 0 || row->what[3] == '\0')
		return;
	both->beside_most = checked_max(both->beside_most, row->ns);
	both->overlapped += checked_mul(10, row->ns) < checked_mul(9, serial);
	both->count++;
}

/* On one engine at least one of two copies that begin together ends no sooner than both need one after the other, so that no more than half
 * of them end before; of two engines each copy does, however much they slow one another. */
static void set_engines(struct calibration *c, const struct recording *r, const struct both both[2])
{
	struct platform *platform = c->platform;
	int64_t count = checked_add(both[0].count, both[1].count), overlapped = checked_add(both[0].overlapped, both[1].overlapped);
	bool own = checked_mul(4, overlapped) > checked_mul(3, count), shared = checked_mul(5, overlapped) <= checked_mul(3, count);
	bool as_kernels = platform->engine_of[DIRECTION_H2D] == ENGINE_COMPUTE || platform->engine_of[DIRECTION_D2H] == ENGINE_COMPUTE;
	if (both[0].count == 0 || both[1].count == 0 || as_kernels || own == shared)
		return;
	platform->engine_of[DIRECTION_H2D] = 0;
	platform->engine_of[DIRECTION_D2H] = own ? 1 : 0;
	platform->engine_source = r->source;
	calibrate_note(c,
		arena_format(c->arena,
			"engine.h2d, engine.d2h: copies of the largest size took %lldns and %lldns beside one of the other direction, at "
			"least %lldns and %lldns alone; %lld of %lld ended before one engine could have served both, so %s",
			(long long)both[0].beside_most, (long long)both[1].beside_most, (long long)both[0].alone, (long long)both[1].alone,
			(long long)overlapped, (long long)count, own ? "each direction has an engine" : "both share one"));
}

/* ---- a recording */

static bool read_row(const struct recording *r, int i, const int at[4], struct row *row)
{
	const struct recording_row *cells = &r->rows[i];
	row->called = i > 0 && strcmp(row->what, "call") == 0 ? row->ns : 0;
	row->what = cells->cells[at[0]];
	row->amount = recording_count(r, cells, at[1]);
	row->ns = checked_add(recording_number(r, cells, at[2]), recording_count(r, cells, at[3]));
	return row->amount != NONE && row->ns != NONE;
}

void calibrate_overheads(struct calibration *c, const struct recording *r)
{
	int at[] = {recording_column(r, "what"), recording_column(r, "amount"), recording_column(r, "ns"),
		recording_column(r, "clock_error_ns")};
	struct both both[2] = {{NONE, 0, 0, 0}, {NONE, 0, 0, 0}};
	struct row row = {"", 0, 0, 0};
	int64_t smallest = NONE, largest = 0;
	if (at[0] < 0 || at[1] < 0 || at[2] < 0 || at[3] < 0)
		return;
	for (int i = 0; i < r->row_count; i++) {
		if (!read_row(r, i, at, &row))
			return;
		if (is_copy(&row)) {
			smallest = checked_min(smallest, row.amount);
			largest = checked_max(largest, row.amount);
		}
	}
	for (int i = 0; i < r->row_count && read_row(r, i, at, &row); i++) {
		add_row(c, r, &row, smallest);
		look_alone(&both[0], &row, "h2d", largest);
		look_alone(&both[1], &row, "d2h", largest);
	}
	int64_t serial = checked_add(both[0].alone, both[1].alone);
	if (both[0].alone == NONE || both[1].alone == NONE)
		return;
	for (int i = 0; i < r->row_count && read_row(r, i, at, &row); i++) {
		look_beside(&both[0], &row, "h2d", largest, serial);
		look_beside(&both[1], &row, "d2h", largest, serial);
	}
	set_engines(c, r, both);
}
