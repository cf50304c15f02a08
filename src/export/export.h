/* A file of ours as tables of CSV.
 *
 * Requires: the path of a task set, a platform model, a program, a frame, a report, or what wcet printed; the folder of the schemas.
 * Provides: a table for each name of elements, in the order in which these first occur, and one of comments. A row is an element: its
 *           number, which grows in the order of the file by EXPORT_STEP, so that rows fit between; the number of the element in which it
 *           stands; its attributes; its text without blanks at its ends. An empty cell says that an attribute is not there. Columns are
 *           in an order that all elements agree with, where there is one. import/csv.c takes the tables back.
 * Source:   RFC 4180; XML 1.0, 2.11 (ends of lines) and 3.3.3 (values).
 * Fails:    with a diagnostic for a file that is not well-formed or not of ours, and for what tables cannot say: an empty value, text
 * beside elements, a signature. What its schema wants besides is a warning: an imported task set may be completed in tables. A processing
 * instruction is left out with a warning: nothing of ours reads one.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "base/diagnostics.h"
#include "base/output.h"
#include "input/input.h"

/* What no name in XML can be. */
#define EXPORT_COMMENT "(comment)" /* the table of comments */
#define EXPORT_PARENT "(in)"       /* the column of parents */
#define EXPORT_TEXT "(text)"       /* the column of texts */
#define EXPORT_STEP 10

struct export_attribute {
	const char *name, *value;
};

struct export_node {
	const char *name;                    /* of the element, or EXPORT_COMMENT */
	int parent;                          /* NO_ID: none */
	struct export_attribute *attributes; /* with those of namespaces */
	int attribute_count;
	const char *text; /* NULL: none */
};

/* What stands in a file, in its order. */
struct export_document {
	struct export_node *nodes;
	int count, capacity;
};

bool export_read(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, const char *path,
	struct export_document *document);

struct export_table {
	const char *name;
	struct output text;
};

/* In the arena, but for the texts, which export_tables_finish frees. */
struct export_table *export_tables(struct arena *arena, const struct export_document *document, int *count);
void export_tables_finish(struct export_table *tables, int count);

/* The kinds of files that there are, as xml_read calls them; ends with NULL. */
extern const char *const export_vocabularies[];

#endif
