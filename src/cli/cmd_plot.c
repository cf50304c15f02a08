/* gpubound plot: pictures of tables of gpubound sweep. */
#include "base/rational.h"
#include "base/units.h"
#include "cli/arguments.h"
#include "import/build.h"
#include "import/csv_rows.h"
#include "input/input.h"
#include "study/chart.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLOT_LIMIT ((size_t)1 << 31)
#define MS 1000000 /* ns */

const struct option options_plot[] = {
	{"output", 'o', "FILE", "write the picture there instead of to standard output", true},
	{"kind", 'k', "acceptance|weighted|pareto", "what of the tables (default acceptance)", true},
	{"over", 0, "COLUMN", "of weighted: what it is drawn over", true},
	{"x", 0, "COLUMN", "of pareto: the column to the right", true},
	{"y", 0, "COLUMN", "of pareto: the column upwards", true},
	{"title", 0, "TEXT", "above the picture", true},
	{"format", 'f', "svg|csv", "a picture, or its points as a table (default svg)", true},
	OPTIONS_END,
};

enum kind { KIND_ACCEPTANCE, KIND_WEIGHTED, KIND_PARETO };

struct datum { /* of a row */
	int64_t x, y, weight;
	bool accepted;
};

struct plotting {
	const struct arguments *arguments;
	struct diagnostics diagnostics;
	enum kind kind;
	const char *columns[2]; /* x and, of pareto, y; else the utilisation */
	bool times[2];          /* in them are times, in ms */
	struct chart_series *series;
};

struct table { /* one that is being read */
	struct plotting *plotting;
	const char *path;
	int columns[2], verdict;
	struct datum *data;
	int count, capacity;
	bool good;
};

/* ---- a table's rows */

/* In millionths; a time in ms. NONE: there is no number. */
static int64_t value_of(const char *text, bool ns, bool *is_time)
{
	struct rational value;
	bool time = units_parse(text, UNIT_FACTOR, RATIONAL_NONE, &value) != UNITS_OK;
	if (time && units_parse(text, UNIT_TIME, RATIONAL_NONE, &value) != UNITS_OK)
		return NONE;
	*is_time |= time || ns;
	if (time || ns)
		value = rational_div(value, rational_of(MS));
	int64_t number = rational_scale_down(CHART_UNIT, value);
	return number < 0 || number > CHART_MOST ? NONE : number;
}

static bool is_ns(const char *column)
{
	size_t length = strlen(column);
	return length > 3 && strcmp(column + length - 3, "_ns") == 0;
}

static bool take_row(void *context, const struct csv_row *row)
{
	struct table *table = context;
	struct plotting *plotting = table->plotting;
	const char *verdict = csv_cell(row, table->verdict);
	int64_t values[2] = {NONE, NONE};
	if (strcmp(verdict, "refused") == 0 || strcmp(verdict, "not-drawn") == 0)
		return true;
	bool accepted = strcmp(verdict, "proven") == 0 || strcmp(verdict, "conditional") == 0;
	for (int i = 0; i < 2; i++) {
		const char *text = csv_cell(row, table->columns[i]);
		values[i] = value_of(text, is_ns(plotting->columns[i]), &plotting->times[i]);
		table->good &= !checked_is_none(values[i]) || (*text == '\0' && !accepted);
		if (!table->good)
			diagnose(&plotting->diagnostics, DIAGNOSTIC_TABLE, table->path, row->line,
				"expected a number, or a time, in the column '%s'; got \"%.60s\"", plotting->columns[i], text);
	}
	if (!table->good || checked_is_none(values[0]) || (plotting->kind == KIND_PARETO && !accepted))
		return table->good;
	table->data = arena_grow(plotting->arguments->arena, table->data, &table->capacity, table->count + 1, sizeof *table->data);
	table->data[table->count++] = (struct datum){values[0], values[1], values[1], accepted};
	return true;
}

static bool read_rows(struct table *table)
{
	static const char *const words[] = {"verdict", NULL}, *const verdict[] = {"verdict", NULL};
	static const struct import_options no_options;
	struct plotting *plotting = table->plotting;
	struct arena *arena = plotting->arguments->arena;
	struct import_build build = {.arena = arena, .row = arena_create(), .diagnostics = &plotting->diagnostics, .options = &no_options};
	struct csv_file file = {.build = &build, .path = table->path};
	file.bytes = input_read_file_up_to(arena, &plotting->diagnostics, table->path, PLOT_LIMIT, &file.length);
	table->good = file.bytes != NULL;
	if (table->good && !csv_open(&file, words)) {
		diagnose(&plotting->diagnostics, DIAGNOSTIC_TABLE, table->path, 0,
			"expected a table of gpubound sweep, with a column 'verdict'");
		table->good = false;
	}
	for (int i = 0; i < 2 && table->good; i++) {
		const char *const names[] = {plotting->columns[i], NULL};
		table->columns[i] = csv_want(&file, names);
		table->good = table->columns[i] >= 0;
	}
	table->verdict = table->good ? csv_want(&file, verdict) : -1;
	table->good = table->good && table->verdict >= 0;
	if (table->good)
		csv_rows(&file, take_row, table);
	arena_destroy(build.row);
	return table->good && plotting->diagnostics.errors == 0;
}

/* ---- what is drawn of them */

static int by_place(const void *one, const void *other)
{
	const struct datum *a = one, *b = other;
	int x = (a->x > b->x) - (a->x < b->x);
	return x != 0 ? x : (a->y > b->y) - (a->y < b->y);
}

/* Of rows with one x: the share that is accepted, each with its weight. */
static int64_t share_of(const struct datum *data, int count, bool weighted)
{
	__int128 all = 0, accepted = 0;
	for (int i = 0; i < count; i++) {
		int64_t weight = weighted ? data[i].weight : 1;
		all += weight;
		accepted += data[i].accepted ? weight : 0;
	}
	return all == 0 ? 0 : (int64_t)(accepted * CHART_UNIT / all);
}

static void make_points(struct table *table, struct chart_series *series)
{
	struct chart_point *points = arena_allocate(table->plotting->arguments->arena, (size_t)table->count + 1, sizeof *points);
	int count = 0;
	if (table->count > 0)
		qsort(table->data, (size_t)table->count, sizeof *table->data, by_place);
	for (int i = 0, same; i < table->count; i += same) {
		same = 1;
		while (table->plotting->kind != KIND_PARETO && i + same < table->count && table->data[i + same].x == table->data[i].x)
			same++;
		points[count++] = (struct chart_point){table->data[i].x,
			table->plotting->kind == KIND_PARETO ? table->data[i].y
							     : share_of(&table->data[i], same, table->plotting->kind == KIND_WEIGHTED)};
	}
	series->points = points;
	series->count = count;
}

/* NAME=TABLE; a file of that whole name is one. */
static const char *split_name(struct arena *arena, const char *operand, const char **name)
{
	const char *equals = strchr(operand, '='), *slash = strrchr(operand, '/');
	*name = slash == NULL ? operand : slash + 1;
	if (equals == NULL || access(operand, F_OK) == 0)
		return operand;
	*name = arena_format(arena, "%.*s", (int)(equals - operand), operand);
	return equals + 1;
}

static bool read_tables(struct plotting *plotting)
{
	const struct arguments *arguments = plotting->arguments;
	bool good = true, any = false;
	plotting->series = arena_allocate(arguments->arena, (size_t)arguments->operand_count + 1, sizeof *plotting->series);
	for (int i = 0; i < arguments->operand_count && good; i++) {
		struct table table = {.plotting = plotting};
		table.path = split_name(arguments->arena, arguments->operands[i], &plotting->series[i].name);
		good = read_rows(&table);
		make_points(&table, &plotting->series[i]);
		any |= table.count > 0;
	}
	if (good && !any)
		diagnose(&plotting->diagnostics, DIAGNOSTIC_TABLE, arguments->operands[0], 0,
			plotting->kind == KIND_PARETO ? "expected a row that is proven; there is none" : "expected a row; there is none");
	return good && any;
}

/* ---- out */

static const char *axis_name(const struct plotting *plotting, int axis)
{
	const char *column = plotting->columns[axis];
	int length = (int)strlen(column) - (is_ns(column) ? 3 : 0);
	return arena_format(plotting->arguments->arena, "%.*s%s", length, column, plotting->times[axis] ? " (ms)" : "");
}

static void add_csv(struct output *output, const struct plotting *plotting, const struct chart *chart)
{
	output_add(output, "series,");
	output_add_csv(output, chart->x_name);
	output_add(output, ",");
	output_add_csv(output, chart->y_name);
	output_add(output, "\n");
	for (int i = 0; i < chart->series_count; i++)
		for (int k = 0; k < plotting->series[i].count; k++) {
			const struct chart_point *point = &plotting->series[i].points[k];
			output_add_csv(output, plotting->series[i].name);
			output_print(output, ",%" PRId64 ".%06" PRId64 ",%" PRId64 ".%06" PRId64 "\n", point->x / CHART_UNIT,
				point->x % CHART_UNIT, point->y / CHART_UNIT, point->y % CHART_UNIT);
		}
}

static bool write_plot(const struct plotting *plotting)
{
	static const char *const y_names[] = {"share of the task sets that are proven", "weighted schedulability", NULL};
	static const char *const titles[] = {"Acceptance ratio", "Weighted schedulability", "Pareto front of what is proven"};
	const struct arguments *arguments = plotting->arguments;
	struct output output = {0};
	struct chart chart = {.title = arguments_value(arguments, "title", titles[plotting->kind]),
		.x_name = axis_name(plotting, 0),
		.y_name = plotting->kind == KIND_PARETO ? axis_name(plotting, 1) : y_names[plotting->kind],
		.shares = plotting->kind != KIND_PARETO,
		.front = plotting->kind == KIND_PARETO,
		.series = plotting->series,
		.series_count = arguments->operand_count};
	if (strcmp(arguments_value(arguments, "format", "svg"), "csv") == 0)
		add_csv(&output, plotting, &chart);
	else
		chart_svg(&output, &chart);
	bool written = arguments_write(arguments, &output, arguments_value(arguments, "output", "-"));
	output_finish(&output);
	return written;
}

/* The columns, as the kind wants them. */
static bool read_kind(struct plotting *plotting)
{
	const struct arguments *arguments = plotting->arguments;
	const char *over = arguments_value(arguments, "over", NULL), *x = arguments_value(arguments, "x", NULL),
		   *y = arguments_value(arguments, "y", NULL);
	plotting->kind = (enum kind)arguments_choice(arguments, "kind");
	bool pareto = plotting->kind == KIND_PARETO, weighted = plotting->kind == KIND_WEIGHTED;
	if ((over != NULL) != weighted || (x != NULL) != pareto || (y != NULL) != pareto) {
		usage_error(arguments->command, "--kind=weighted wants --over=COLUMN, --kind=pareto wants --x=COLUMN and --y=COLUMN");
		return false;
	}
	plotting->columns[0] = weighted ? over : pareto ? x : "utilization";
	plotting->columns[1] = pareto ? y : "utilization";
	return true;
}

int command_plot(const struct arguments *arguments)
{
	struct plotting plotting = {.arguments = arguments};
	if (!read_kind(&plotting))
		return EXIT_USAGE;
	diagnostics_init(&plotting.diagnostics, arguments->arena);
	bool read = read_tables(&plotting);
	diagnostics_print(&plotting.diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	if (!read)
		return EXIT_INVALID;
	return arguments_spare_inputs(arguments, &plotting.diagnostics) && write_plot(&plotting) ? EXIT_FINE : EXIT_USAGE;
}
