/* SQLite databases, read only.
 *
 * Requires: the path of a file.
 * Provides: tables and columns by name, rows of a query.
 * Source:   sqlite.org.
 * Fails:    with diagnostics; what a hostile file may try (views, triggers, endless queries, huge values) is off or limited.
 */
#ifndef IMPORT_SQLITE_H
#define IMPORT_SQLITE_H

#include "import/build.h"

struct database;

bool database_is(const char *path);                                                  /* does the file begin as one? */
struct database *database_open(struct import_build *build, const char *path);        /* NULL: with a diagnostic */
void database_close(struct database *database);                                      /* NULL is fine */
bool database_has(struct database *database, const char *table, const char *column); /* column NULL: the table; views do not count */

/* Runs a query and calls `row` for each row until it returns false. Said where it goes wrong. */
void database_rows(struct database *database, const char *sql, bool (*row)(void *context, struct database *database), void *context);

/* Statements without rows, such as those that make temporary tables. */
void database_do(struct database *database, const char *sql);

/* Of the row at hand: NONE and NULL where the value is null. A value of another type is said, with `what`. */
int64_t database_integer(struct database *database, int column, const char *what);
const char *database_text(struct database *database, int column); /* until some rows later */

#endif
