/* Rows of elements by their names. */
#include "export/export.h"

#include <string.h>

struct table {
	const char *name;
	const char **columns; /* attributes */
	int column_count, column_capacity;
	int *rows; /* nodes */
	int row_count, row_capacity;
	bool has_text;
};

struct tables {
	struct arena *arena;
	const struct export_document *document;
	struct table *items;
	int count, capacity;
};

static struct table *find_table(struct tables *tables, const char *name)
{
	for (int i = 0; i < tables->count; i++)
		if (strcmp(tables->items[i].name, name) == 0)
			return &tables->items[i];
	tables->items = arena_grow(tables->arena, tables->items, &tables->capacity, tables->count + 1, sizeof *tables->items);
	tables->items[tables->count] = (struct table){.name = name};
	return &tables->items[tables->count++];
}

static int find_column(const struct table *table, const char *name)
{
	for (int i = 0; i < table->column_count; i++)
		if (strcmp(table->columns[i], name) == 0)
			return i;
	return -1;
}

static void insert_column(struct tables *tables, struct table *table, int at, const char *name)
{
	table->columns =
		arena_grow(tables->arena, table->columns, &table->column_capacity, table->column_count + 1, sizeof *table->columns);
	memmove(table->columns + at + 1, table->columns + at, (size_t)(table->column_count - at) * sizeof *table->columns);
	table->columns[at] = name;
	table->column_count++;
}

/* A new attribute stands behind the one before it: tables that were read back have the same columns again. */
static void add_row(struct tables *tables, int number)
{
	const struct export_node *node = &tables->document->nodes[number];
	struct table *table = find_table(tables, node->name);
	int at = -1;
	for (int i = 0; i < node->attribute_count; i++) {
		int column = find_column(table, node->attributes[i].name);
		if (column < 0)
			insert_column(tables, table, column = at + 1, node->attributes[i].name);
		at = column;
	}
	table->has_text |= node->text != NULL;
	table->rows = arena_grow(tables->arena, table->rows, &table->row_capacity, table->row_count + 1, sizeof *table->rows);
	table->rows[table->row_count++] = number;
}

/* Blanks at the ends of a cell without quotes are lost. */
static void add_cell(struct output *output, const char *text)
{
	size_t length = strlen(text);
	bool blank = length > 0 && (strchr(" \t", text[0]) != NULL || strchr(" \t", text[length - 1]) != NULL);
	output_add(output, ",");
	if (blank && strpbrk(text, ",\"\r\n") == NULL)
		output_print(output, "\"%s\"", text);
	else
		output_add_csv(output, text);
}

static const char *value_of(const struct export_node *node, const char *name)
{
	for (int i = 0; i < node->attribute_count; i++)
		if (strcmp(node->attributes[i].name, name) == 0)
			return node->attributes[i].value;
	return "";
}

static void write_row(struct output *output, const struct tables *tables, const struct table *table, int number)
{
	const struct export_node *node = &tables->document->nodes[number];
	output_print(output, "%d,", (number + 1) * EXPORT_STEP);
	if (node->parent != NO_ID)
		output_print(output, "%d", (node->parent + 1) * EXPORT_STEP);
	for (int i = 0; i < table->column_count; i++)
		add_cell(output, value_of(node, table->columns[i]));
	if (table->has_text)
		add_cell(output, node->text != NULL ? node->text : "");
	output_add(output, "\n");
}

static void write_table(struct output *output, const struct tables *tables, const struct table *table)
{
	output_print(output, "%s," EXPORT_PARENT, table->name);
	for (int i = 0; i < table->column_count; i++)
		add_cell(output, table->columns[i]);
	output_add(output, table->has_text ? "," EXPORT_TEXT "\n" : "\n");
	for (int i = 0; i < table->row_count; i++)
		write_row(output, tables, table, table->rows[i]);
}

struct export_table *export_tables(struct arena *arena, const struct export_document *document, int *count)
{
	struct tables tables = {.arena = arena, .document = document};
	for (int i = 0; i < document->count; i++)
		add_row(&tables, i);
	struct export_table *texts = arena_allocate(arena, (size_t)tables.count + 1, sizeof *texts);
	for (int i = 0; i < tables.count; i++) {
		texts[i].name = tables.items[i].name;
		write_table(&texts[i].text, &tables, &tables.items[i]);
	}
	*count = tables.count;
	return texts;
}

void export_tables_finish(struct export_table *tables, int count)
{
	for (int i = 0; i < count; i++)
		output_finish(&tables[i].text);
}
