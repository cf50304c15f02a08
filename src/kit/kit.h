/* The qualification kit: documents for whoever classifies and qualifies the tool, and a run of its verification cases on this machine.
 *
 * Requires: the folder of the shipped data, which has kit/ with the pages and the inputs of the cases.
 * Provides: a folder with the pages as HTML and as text, their lists filled from the program's own tables, the outcome of every case with
 *           all that it wrote, the outcomes of tests where results of `meson test` are given, and the SHA-256 of each file.
 * Source:   tests/requirements.def, kit/cases.def; the pages are kit/NAME.md.
 * Fails:    with diagnostics for pages and results that cannot be used; a case that fails is an outcome.
 */
#ifndef KIT_KIT_H
#define KIT_KIT_H

#include "base/diagnostics.h"
#include "base/hash.h"
#include "base/output.h"

struct kit_requirement {
	const char *number, *uses, *statement, *page, *words, *tests;
};

enum kit_check { CHECK_STATUS, CHECK_SAYS, CHECK_EQUALS, CHECK_SAME }; /* CHECK_STATUS: nothing but the exit status */

/* A row of cases.def. */
struct kit_case {
	const char *number, *requirements, *shows;
	int status;
	enum kit_check check;
	const char *expected; /* the words, the file under kit/expected/, or the two files that are to be the same */
	const char *command;
};

struct kit_outcome {
	bool passed;
	int status;             /* the exit status; -1: none, a signal ended it or it could not run */
	char output[HASH_TEXT]; /* of what went to standard output */
	const char *difference; /* what was not as expected; "" where it passed */
};

enum kit_verdict { TEST_PASSED, TEST_SKIPPED, TEST_FAILED };

struct kit_test {
	const char *name;
	enum kit_verdict verdict; /* the worst of its runs */
};

struct kit_log { /* a file of results */
	const char *name;
	char hash[HASH_TEXT];
};

struct kit {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *data, *folder;    /* absolute path of the shipped data; where the kit is written */
	struct kit_outcome *outcomes; /* as kit_cases */
	struct kit_test *tests;       /* sorted by name */
	int test_count, test_capacity;
	struct kit_log *logs;
	int log_count, log_capacity;
};

extern const struct kit_requirement kit_requirements[];
extern const int kit_requirement_count;
extern const struct kit_case kit_cases[];
extern const int kit_case_count;

bool kit_has_word(const char *words, const char *word); /* among words parted by blanks */

/* ---- results of the tests: kit_tests.c */

/* Takes in a testlog.json of meson. False after a diagnostic. */
bool kit_read_tests(struct kit *kit, const char *path);
/* Is the test one of those that the requirement names? */
bool kit_is_test_of(const struct kit_requirement *requirement, const struct kit_test *test);

/* ---- the run: kit_cases.c */

/* Runs each case in the folder FOLDER/evidence. False: a file cannot be copied or written; said why. */
bool kit_run_cases(struct kit *kit);

/* ---- pages: kit_page.c */

enum kit_block_kind { BLOCK_HEADING, BLOCK_PARAGRAPH, BLOCK_ITEM, BLOCK_CODE, BLOCK_TABLE };

struct kit_table {
	int columns, rows; /* row 0 has the heads */
	const char **cells;
	int capacity;
};

struct kit_block {
	enum kit_block_kind kind;
	const char *text; /* of a BLOCK_CODE with its line breaks */
	struct kit_table table;
	struct kit_block *next;
};

struct kit_page {
	const char *name, *title;
	struct kit_block *first;
};

/* kit/NAME.md, its lists filled in. False after a diagnostic. */
bool kit_read_page(struct kit *kit, const char *name, struct kit_page *page);

void kit_table_add(struct arena *arena, struct kit_table *table, const char *cell);
/* The list of that name; false: there is none. */
bool kit_list_fill(struct kit *kit, const char *name, struct kit_table *table); /* kit_lists.c */

/* ---- forms */

void kit_html(struct output *output, const struct kit_page *pages, int count, int which); /* kit_html.c */
void kit_text(struct output *output, const struct kit_page *page);                        /* kit_text.c */
void kit_results_xml(struct output *output, const struct kit *kit);                       /* kit_results.c */

/* Can all pages be read? To be asked before the cases run. False after a diagnostic. */
bool kit_can_be_written(struct kit *kit);

/* All of it into the folder, which is there and empty. False: something cannot be read or written; said why. */
bool kit_write(struct kit *kit);

/* ---- folders: kit_folder.c */

/* The regular files under a folder, relative to it, sorted; ended by NULL. */
const char *const *kit_folder_files(struct arena *arena, const char *folder);
void kit_folder_remove(struct arena *arena, const char *folder); /* with all that is in it */
bool kit_folder_make(struct arena *arena, const char *path);     /* the folders above a file; false: errno says why */

#endif
