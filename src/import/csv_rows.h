/* CSV by libcsv: rows of cells, columns by their names in the header.
 *
 * Requires: the bytes of a file.
 * Provides: the rows after the header line, each with the line at which it begins; columns by name whatever their order, and the unit that
 *           stands in parentheses behind a name. Lines before the header (a tool's messages) are passed over.
 * Fails:    with diagnostics for quotes that do not end, cells and rows beyond the limits, and rows of another length than the header.
 */
#ifndef IMPORT_CSV_ROWS_H
#define IMPORT_CSV_ROWS_H

#include "import/build.h"

#include <stddef.h>

struct csv_row {
	char **cells; /* valid during the call only */
	int count;
	long line;
};

struct csv_file {
	struct import_build *build;
	const char *path;
	char *bytes;
	size_t length;
	long line;                   /* of the header */
	const char **names, **units; /* of the columns; unit "" where there is none */
	int column_count;
	int least; /* cells of a row, where its last ones may be left out; 0: as many as columns */
};

/* At the first byte behind a byte order mark, for who reads headers as rows: csv_rows gives all rows, of any number of cells, then. */
void csv_begin(struct csv_file *file);

/* Finds the first line in which all the words stand (ended by NULL) and reads it as the header; bytes end with NUL and are kept. False:
 * there is no such line, or it is no header. */
bool csv_open(struct csv_file *file, const char *const *words);

int csv_column(const struct csv_file *file, const char *name); /* -1: there is none of that name */

/* The column of the first of the names (ended by NULL) that is there; -1 with a diagnostic where none is. */
int csv_want(const struct csv_file *file, const char *const *names);

/* Calls `row` for each row behind the header until it returns false. Empty lines are passed over. */
void csv_rows(const struct csv_file *file, bool (*row)(void *context, const struct csv_row *row), void *context);

/* The cell, trimmed; "" where the column is -1. */
const char *csv_cell(const struct csv_row *row, int column);

#endif
