/* SQLite behind one file. */
#include "import/sqlite.h"

#include "base/file.h"
#include "base/late.h"

#include <sqlite3.h>
#include <stdalign.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define sqlite3_bind_text LATE(SQLITE3, sqlite3_bind_text)
#define sqlite3_close LATE(SQLITE3, sqlite3_close)
#define sqlite3_column_int64 LATE(SQLITE3, sqlite3_column_int64)
#define sqlite3_column_text LATE(SQLITE3, sqlite3_column_text)
#define sqlite3_column_type LATE(SQLITE3, sqlite3_column_type)
#define sqlite3_config LATE(SQLITE3, sqlite3_config)
#define sqlite3_db_config LATE(SQLITE3, sqlite3_db_config)
#define sqlite3_errcode LATE(SQLITE3, sqlite3_errcode)
#define sqlite3_errmsg LATE(SQLITE3, sqlite3_errmsg)
#define sqlite3_exec LATE(SQLITE3, sqlite3_exec)
#define sqlite3_finalize LATE(SQLITE3, sqlite3_finalize)
#define sqlite3_limit LATE(SQLITE3, sqlite3_limit)
#define sqlite3_open_v2 LATE(SQLITE3, sqlite3_open_v2)
#define sqlite3_prepare_v2 LATE(SQLITE3, sqlite3_prepare_v2)
#define sqlite3_progress_handler LATE(SQLITE3, sqlite3_progress_handler)
#define sqlite3_step LATE(SQLITE3, sqlite3_step)

#define VALUE_BYTES 1000000
#define STEPS_A_CALL 1000000
#define CALLS 1500 /* so many times a million steps of its machine are some ten seconds; a row takes some hundred */
#define CACHE "PRAGMA cache_size = -16000; PRAGMA temp.cache_size = -16000; PRAGMA temp_store = FILE" /* 16 MB each */

struct database {
	struct import_build *build;
	const char *path;
	sqlite3 *handle;
	sqlite3_stmt *row;
	int calls;
};

/* ---- memory: through ours, with the size before each piece, since SQLite asks for it */

#define PREFIX ((int)alignof(max_align_t))

static void *allocate(int size)
{
	char *piece = memory_allocate((size_t)size + PREFIX);
	memcpy(piece, &size, sizeof size);
	return piece + PREFIX;
}

static void release(void *pointer)
{
	memory_free(pointer == NULL ? NULL : (char *)pointer - PREFIX);
}

static int size_of(void *pointer)
{
	int size = 0;
	if (pointer != NULL)
		memcpy(&size, (char *)pointer - PREFIX, sizeof size);
	return size;
}

static void *reallocate(void *pointer, int size)
{
	char *piece = memory_resize((char *)pointer - PREFIX, (size_t)size + PREFIX);
	memcpy(piece, &size, sizeof size);
	return piece + PREFIX;
}

static int round_up(int size)
{
	return (size + 7) / 8 * 8;
}

static int start_memory(void *unused)
{
	(void)unused;
	return SQLITE_OK;
}

static void stop_memory(void *unused)
{
	(void)unused;
}

static void start(void)
{
	static const sqlite3_mem_methods methods = {allocate, release, reallocate, size_of, round_up, start_memory, stop_memory, NULL};
	static bool started;
	if (started)
		return;
	started = true;
	sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* ---- opening */

static int count_steps(void *context)
{
	struct database *database = context;
	return ++database->calls > CALLS;
}

static void complain(struct database *database)
{
	bool limit = sqlite3_errcode(database->handle) == SQLITE_INTERRUPT || sqlite3_errcode(database->handle) == SQLITE_TOOBIG;
	diagnose(database->build->diagnostics, limit ? DIAGNOSTIC_IMPORT_LIMIT : DIAGNOSTIC_IMPORT_FORMAT, database->path, 0,
		"expected a sound SQLite database; SQLite says: %s", sqlite3_errmsg(database->handle));
}

bool database_is(const char *path)
{
	static const char magic[] = "SQLite format 3";
	char head[sizeof magic] = {0};
	int file = strcmp(path, "-") == 0 ? -1 : file_open_quietly(path);
	if (file < 0)
		return false;
	ssize_t got = read(file, head, sizeof head);
	file_close(file);
	return got == sizeof head && memcmp(head, magic, sizeof magic) == 0;
}

struct database *database_open(struct import_build *build, const char *path)
{
	struct database *database = arena_allocate(build->arena, 1, sizeof *database);
	*database = (struct database){.build = build, .path = path};
	int file = file_open(build->diagnostics, path); /* that it was; before SQLite opens it, whose locks would go with the descriptor */
	if (file < 0)
		return NULL;
	file_close(file);
	start();
	if (sqlite3_open_v2(path, &database->handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
		complain(database);
		database_close(database);
		return NULL;
	}
	sqlite3_db_config(database->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(database->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(database->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(database->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_limit(database->handle, SQLITE_LIMIT_LENGTH, VALUE_BYTES);
	sqlite3_exec(database->handle, CACHE, NULL, NULL, NULL);
	sqlite3_progress_handler(database->handle, STEPS_A_CALL, count_steps, database);
	return database;
}

void database_close(struct database *database)
{
	if (database != NULL)
		sqlite3_close(database->handle);
}

/* ---- reading */

static bool first_row(struct database *database, const char *sql, const char *first, const char *second)
{
	sqlite3_stmt *statement = NULL;
	if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) != SQLITE_OK) {
		complain(database);
		return false;
	}
	sqlite3_bind_text(statement, 1, first, -1, SQLITE_STATIC);
	if (second != NULL)
		sqlite3_bind_text(statement, 2, second, -1, SQLITE_STATIC);
	int status = sqlite3_step(statement);
	sqlite3_finalize(statement);
	if (status != SQLITE_ROW && status != SQLITE_DONE)
		complain(database);
	return status == SQLITE_ROW;
}

bool database_has(struct database *database, const char *table, const char *column)
{
	if (database->build->diagnostics->errors > 0)
		return false;
	if (column == NULL)
		return first_row(database, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table, NULL);
	return first_row(database, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?", table, column);
}

void database_rows(struct database *database, const char *sql, bool (*row)(void *context, struct database *database), void *context)
{
	if (sqlite3_prepare_v2(database->handle, sql, -1, &database->row, NULL) != SQLITE_OK) {
		complain(database);
		return;
	}
	int status;
	while ((status = sqlite3_step(database->row)) == SQLITE_ROW)
		if (!row(context, database))
			break;
		else
			import_row_end(database->build);
	if (status != SQLITE_ROW && status != SQLITE_DONE)
		complain(database);
	sqlite3_finalize(database->row);
	database->row = NULL;
}

void database_do(struct database *database, const char *sql)
{
	if (database->build->diagnostics->errors == 0 && sqlite3_exec(database->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		complain(database);
}

int64_t database_integer(struct database *database, int column, const char *what)
{
	int type = sqlite3_column_type(database->row, column);
	if (type == SQLITE_NULL)
		return NONE;
	int64_t value = sqlite3_column_int64(database->row, column);
	if (type == SQLITE_INTEGER && value >= 0 && value != NONE)
		return value;
	diagnose(database->build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, database->path, 0, "%s: expected a whole number of at least 0",
		what);
	return NONE;
}

const char *database_text(struct database *database, int column)
{
	const unsigned char *text = sqlite3_column_text(database->row, column);
	return arena_copy(database->build->row, (const char *)text);
}
