/* Tables that gpubound export csv wrote, as the file that they were.
 *
 * A row is an element (export/export.h). Rows of all files are put in order by their numbers; what they make is held against its schema,
 * and a complaint is about the row that the element comes from. */
#include "export/export.h"
#include "import/csv_rows.h"
#include "import/values.h"
#include "input/read_report.h"
#include "input/scan.h"
#include "input/xml.h"
#include "write/xml_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NUMBER INT64_C(1000000000000)
#define MOST_COLUMNS (SCAN_ATTRIBUTES + 3) /* the number, the parent and the text besides */

struct csv_node {
	int64_t number, parent; /* NONE: it stands in none */
	const char *name;
	struct xml_attribute *attributes;
	int attribute_count;
	const char *text;
	const char *path;
	long line, written; /* of the row, and of what was written for it */
	int depth;
	struct csv_node *first, *last, *next; /* children; sibling */
};

struct csv_tables {
	struct import_build *build;
	const char *path;
	const char *table; /* whose rows come; NULL: no header came yet */
	const char **columns;
	int column_count, parent_column;
	struct csv_node *nodes;
	int count, capacity, rows;                  /* rows: headers, too */
	struct csv_node *root, *loose, *last_loose; /* loose: the root, and comments before and behind it */
	struct output text;
	size_t counted; /* of the text, and the line feeds in it */
	long line;
};

static bool fail(struct csv_tables *tables, enum diagnostic_code code, long line, const char *expected)
{
	diagnose(tables->build->diagnostics, code, tables->path, line, "expected %s", expected);
	return false;
}

/* ---- rows */

static bool is_name(const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789.:-";
	return *text != '\0' && strchr("0123456789.:-", *text) == NULL && text[strspn(text, letters)] == '\0';
}

static bool read_column(struct csv_tables *tables, int column, const char *name, long line)
{
	struct arena *arena = tables->build->arena;
	bool special = strcmp(name, EXPORT_PARENT) == 0 || strcmp(name, EXPORT_TEXT) == 0;
	bool comment = strcmp(tables->table, EXPORT_COMMENT) == 0;
	if (!special && (comment || !is_name(name)))
		return fail(tables, DIAGNOSTIC_IMPORT_COLUMN, line,
			arena_format(arena, "columns " EXPORT_PARENT ", " EXPORT_TEXT "%s; got '%s'", comment ? "" : " and attributes",
				value_shorten(arena, name, VALUE_SHORT)));
	for (int i = 1; i < column; i++)
		if (strcmp(tables->columns[i], name) == 0)
			return fail(tables, DIAGNOSTIC_IMPORT_COLUMN, line, arena_format(arena, "column '%s' once", name));
	tables->columns[column] = arena_copy(arena, name);
	if (strcmp(name, EXPORT_PARENT) == 0)
		tables->parent_column = column;
	return true;
}

/* A table's name and its columns. Spreadsheets make all rows of a sheet equally long. */
static bool read_header(struct csv_tables *tables, const struct csv_row *row, int count)
{
	const char *name = value_trim(row->cells[0]);
	if (strcmp(name, EXPORT_COMMENT) != 0 && !is_name(name))
		return fail(tables, DIAGNOSTIC_IMPORT_FORMAT, row->line,
			tables->table == NULL
				? "the name of an element and its columns, parted by commas, as gpubound export csv writes them"
				: "a number, or the name of an element and its columns");
	if (count > MOST_COLUMNS)
		return fail(
			tables, DIAGNOSTIC_IMPORT_LIMIT, row->line, arena_format(tables->build->arena, "at most %d columns", MOST_COLUMNS));
	tables->table = arena_copy(tables->build->arena, name);
	tables->columns = arena_allocate(tables->build->arena, (size_t)count, sizeof *tables->columns);
	tables->column_count = count;
	tables->parent_column = -1;
	for (int i = 1; i < count; i++)
		if (!read_column(tables, i, value_trim(row->cells[i]), row->line))
			return false;
	return tables->parent_column > 0 ||
	       fail(tables, DIAGNOSTIC_IMPORT_COLUMN, row->line, "a column " EXPORT_PARENT ": the number of the row in which each stands");
}

static bool read_number(struct csv_tables *tables, const char *text, long line, int64_t *number)
{
	size_t digits = strspn(text, "0123456789");
	*number = digits > 0 && digits < 15 && text[digits] == '\0' ? strtoll(text, NULL, 10) : 0;
	return (*number > 0 && *number <= MOST_NUMBER) ||
	       fail(tables, DIAGNOSTIC_IMPORT_VALUE, line,
		       arena_format(tables->build->arena, "the number of a row, from 1 to %" PRId64 "; got '%s'", MOST_NUMBER,
			       value_shorten(tables->build->arena, text, VALUE_SHORT)));
}

static bool take_cell(struct csv_tables *tables, struct csv_node *node, int column, const char *text)
{
	const char *name = tables->columns[column];
	if (!output_xml_holds(text))
		return fail(tables, DIAGNOSTIC_IMPORT_VALUE, node->line,
			arena_format(tables->build->arena, "UTF-8 without control characters as '%s'", name));
	if (strcmp(name, EXPORT_TEXT) == 0)
		node->text = arena_copy(tables->build->arena, text);
	else
		node->attributes[node->attribute_count++] = (struct xml_attribute){name, arena_copy(tables->build->arena, text)};
	return true;
}

static bool read_element(struct csv_tables *tables, const struct csv_row *row, int count)
{
	struct csv_node node = {.name = tables->table, .path = tables->path, .line = row->line, .parent = NONE};
	if (count > tables->column_count || row->count < tables->column_count)
		return fail(tables, DIAGNOSTIC_IMPORT_ROW, row->line,
			arena_format(tables->build->arena, "%d cells as in the header of '%s'; got %d", tables->column_count, tables->table,
				row->count < tables->column_count ? row->count : count));
	const char *parent = value_trim(row->cells[tables->parent_column]);
	if (!read_number(tables, value_trim(row->cells[0]), row->line, &node.number) ||
		(*parent != '\0' && !read_number(tables, parent, row->line, &node.parent)))
		return false;
	node.attributes = arena_allocate(tables->build->arena, (size_t)tables->column_count, sizeof *node.attributes);
	for (int i = 1; i < count; i++)
		if (i != tables->parent_column && *row->cells[i] != '\0' && !take_cell(tables, &node, i, row->cells[i]))
			return false;
	tables->nodes = arena_grow(tables->build->arena, tables->nodes, &tables->capacity, tables->count + 1, sizeof *tables->nodes);
	tables->nodes[tables->count++] = node;
	return true;
}

static bool on_row(void *context, const struct csv_row *row)
{
	struct csv_tables *tables = context;
	int count = row->count;
	while (count > 0 && *row->cells[count - 1] == '\0')
		count--;
	if (count == 0)
		return true;
	if (tables->rows++ == IMPORT_ROWS)
		return fail(tables, DIAGNOSTIC_IMPORT_LIMIT, row->line, arena_format(tables->build->arena, "at most %d rows", IMPORT_ROWS));
	const char *first = row->cells[0] + strspn(row->cells[0], " \t");
	return tables->table == NULL || strchr("0123456789", *first) == NULL ? read_header(tables, row, count)
									     : read_element(tables, row, count);
}

/* ---- what they make */

static int by_number(const void *one, const void *other)
{
	const struct csv_node *a = one, *b = other;
	return (a->number > b->number) - (a->number < b->number);
}

static bool fail_node(struct csv_tables *tables, const struct csv_node *node, const char *expected)
{
	tables->path = node->path;
	return fail(tables, DIAGNOSTIC_IMPORT_TABLES, node->line, expected);
}

static bool is_comment(const struct csv_node *node)
{
	return strcmp(node->name, EXPORT_COMMENT) == 0;
}

static void append(struct csv_node **first, struct csv_node **last, struct csv_node *node)
{
	if (*last != NULL)
		(*last)->next = node;
	else
		*first = node;
	*last = node;
}

static bool bind_loose(struct csv_tables *tables, struct csv_node *node)
{
	if (!is_comment(node) && tables->root != NULL)
		return fail_node(tables, node,
			arena_format(tables->build->arena, "one element that stands in none, and '%s' does; got '%s'", tables->root->name,
				node->name));
	if (!is_comment(node))
		tables->root = node;
	append(&tables->loose, &tables->last_loose, node);
	return true;
}

/* Parents have lesser numbers: there is no circle. */
static bool bind(struct csv_tables *tables, int index)
{
	struct csv_node *node = &tables->nodes[index], wanted = {.number = node->parent};
	struct arena *arena = tables->build->arena;
	if (index > 0 && node[-1].number == node->number)
		return fail_node(tables, node,
			arena_format(arena, "a number of its own for each row; %" PRId64 " stands in %s:%ld, too", node->number,
				node[-1].path, node[-1].line));
	if (node->parent == NONE)
		return bind_loose(tables, node);
	struct csv_node *parent = bsearch(&wanted, tables->nodes, (size_t)index, sizeof *node, by_number);
	if (parent == NULL || is_comment(parent))
		return fail_node(tables, node,
			arena_format(arena, "as " EXPORT_PARENT " the number of an element's row, less than its own; %" PRId64 " is none",
				node->parent));
	node->depth = parent->depth + 1;
	append(&parent->first, &parent->last, node);
	return node->depth < XML_DEPTH || fail_node(tables, node, arena_format(arena, "elements nested less than %d deep", XML_DEPTH));
}

static bool bind_all(struct csv_tables *tables)
{
	if (tables->count > 0)
		qsort(tables->nodes, (size_t)tables->count, sizeof *tables->nodes, by_number);
	for (int i = 0; i < tables->count; i++)
		if (!bind(tables, i))
			return false;
	return tables->root != NULL || fail(tables, DIAGNOSTIC_IMPORT_TABLES, 0, "a row that stands in none: the root");
}

/* ---- its text */

static void count_lines(struct csv_tables *tables)
{
	for (; tables->counted < tables->text.length; tables->counted++)
		tables->line += tables->text.text[tables->counted] == '\n';
}

/* What is too long is not written to its end. */
static void write_node(struct csv_tables *tables, struct xml *xml, struct csv_node *node)
{
	if (tables->text.length > REPORT_LIMIT)
		return;
	if (is_comment(node)) {
		xml_comment(xml, node->text != NULL ? node->text : "");
		return;
	}
	xml_begin(xml, node->name);
	count_lines(tables);
	node->written = tables->line;
	for (int i = 0; i < node->attribute_count; i++)
		xml_attribute(xml, node->attributes[i].name, node->attributes[i].value);
	if (node->text != NULL)
		xml_text(xml, node->text);
	for (struct csv_node *child = node->first; child != NULL; child = child->next)
		write_node(tables, xml, child);
	xml_end(xml);
}

static void write_all(struct csv_tables *tables)
{
	struct xml xml;
	tables->line = 1;
	xml_start(&xml, &tables->text);
	for (struct csv_node *node = tables->loose; node != NULL; node = node->next)
		write_node(tables, &xml, node);
	output_add(&tables->text, "\n");
}

/* The row of which that line was written: the last element that begins there or before. */
static const struct csv_node *node_of_line(const struct csv_tables *tables, long line)
{
	const struct csv_node *found = tables->root;
	for (int i = 0; i < tables->count; i++)
		if (!is_comment(&tables->nodes[i]) && tables->nodes[i].written <= line && tables->nodes[i].written > found->written)
			found = &tables->nodes[i];
	return found;
}

static void check_schema(struct csv_tables *tables)
{
	struct import_build *build = tables->build;
	struct diagnostics complaints;
	struct input_folders folders = input_find_folders(build->arena);
	const char *const *name = export_vocabularies;
	while (*name != NULL && strcmp(*name, tables->root->name) != 0)
		name++;
	if (*name == NULL) {
		fail_node(tables, tables->root, "the root of a file of gpubound, such as taskset or platform");
		return;
	}
	size_t limit = strcmp(*name, "report") == 0 ? REPORT_LIMIT : INPUT_LIMIT;
	if (tables->text.length > limit) {
		diagnose(build->diagnostics, DIAGNOSTIC_FILE_TOO_LARGE, tables->root->path, tables->root->line,
			"expected tables of a file of at most %zu bytes", limit);
		return;
	}
	diagnostics_init(&complaints, build->arena);
	xml_read(build->arena, &complaints, *name, folders.schemas, tables->root->path, tables->text.text, tables->text.length);
	for (int i = 0; i < complaints.count; i++) {
		const struct diagnostic *complaint = &complaints.items[i];
		const struct csv_node *node = node_of_line(tables, complaint->line);
		diagnose(build->diagnostics, complaint->code, node->path, node->line, "%s", complaint->text);
	}
}

static void finish(struct csv_tables *tables)
{
	struct import_build *build = tables->build;
	if (!bind_all(tables))
		return;
	write_all(tables);
	check_schema(tables);
	build->changed = arena_copy_part(build->arena, tables->text.text, tables->text.length);
	build->changed_length = tables->text.length;
	output_finish(&tables->text);
}

void import_read_csv(struct import_build *build, const char *path)
{
	if (build->tables == NULL) {
		build->tables = arena_allocate(build->arena, 1, sizeof *build->tables);
		build->tables->build = build;
	}
	struct csv_tables *tables = build->tables;
	struct csv_file file = {.build = build, .path = path};
	tables->path = path;
	tables->table = NULL;
	file.bytes = import_read_bytes(build, path, false, &file.length);
	if (file.bytes != NULL) {
		csv_begin(&file);
		csv_rows(&file, on_row, tables);
	}
	if (build->run == build->options->source_count - 1 && build->diagnostics->errors == 0)
		finish(tables);
}
