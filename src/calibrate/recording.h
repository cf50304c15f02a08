/* A recording of a program in probe/: the head, the rows, and whether it is whole.
 *
 * Requires: a path or "-".
 * Provides: what the head says of board, driver, date and clock; the rows as cells, each with its line; numbers of cells by the column's
 *           name. Rows of placement traces are counted only: simulate/trace.h reads those.
 * Source:   probe/probe.h, which writes them.
 * Fails:    with diagnostics that carry file and line: no recording of ours, too many rows, no end or fewer rows than the end says (cut
 * off), a cell that is no number.
 */
#ifndef CALIBRATE_RECORDING_H
#define CALIBRATE_RECORDING_H

#include "base/checked.h"
#include "base/diagnostics.h"
#include "base/hash.h"

#define RECORDING_ROWS_MOST 4000000
#define RECORDING_BYTES 100000000            /* of rows that are kept, of a recording */
#define RECORDINGS_BYTES INT64_C(2000000000) /* of all */
#define RECORDING_SMS_MOST 4096

struct recording_row {
	char **cells;
	long line;
};

struct recording {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *path;
	const char *measurement, *board, *uuid, *date, *compute_capability, *driver, *runtime, *integrated;
	int64_t sms, clock_khz, end_clock_khz;
	bool clock_moved;
	const char **columns;
	int column_count;
	struct recording_row *rows;
	int row_count; /* of those kept; 0 for placement */
	int64_t rows_seen;
	char hash[HASH_TEXT];
	const char *source; /* the citation: what, of which board, when */
};

/* NULL with diagnostics. *kept: the bytes of rows that all recordings so far keep. */
struct recording *recording_read(struct arena *arena, struct diagnostics *diagnostics, const char *path, int64_t *kept);

/* The column's place; -1 with a diagnostic where there is none. */
int recording_column(const struct recording *recording, const char *name);

/* A whole number, perhaps negative; NONE with a diagnostic where it is none. */
int64_t recording_number(const struct recording *recording, const struct recording_row *row, int column);
/* The same where it must not be negative. */
int64_t recording_count(const struct recording *recording, const struct recording_row *row, int column);

#endif
