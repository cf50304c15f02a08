/* The figures of a validation as CSV and as a table. */
#include "simulate/validate_traces.h"

#include <inttypes.h>
#include <string.h>

#define COUNT_OF(field)                                                                                                                    \
	static int64_t get_##field(const struct counts *counts)                                                                            \
	{                                                                                                                                  \
		return counts->field;                                                                                                      \
	}
COUNT_OF(held)
COUNT_OF(consistent)
COUNT_OF(exact_set)
COUNT_OF(exact_block)
COUNT_OF(blocks)
COUNT_OF(blocks_consistent)
COUNT_OF(round_robin_exact_set)

const struct figure figures[] = {
	{"consistent", get_consistent, get_held},
	{"exact_set", get_exact_set, get_held},
	{"exact_block", get_exact_block, get_held},
	{"blocks_consistent", get_blocks_consistent, get_blocks},
	{"round_robin_exact_set", get_round_robin_exact_set, get_held},
	{NULL, NULL, NULL},
};

bool figure_reaches(const struct figure *figure, const struct counts *counts, struct rational percent)
{
	int64_t among = figure->among(counts);
	return among == 0 || rational_compare(rational_make(checked_mul(100, figure->count(counts)), among), percent) >= 0;
}

/* num / den in thousandths, rounded to nearest; "-" where nothing was counted. */
static void print_ratio(struct output *output, int64_t num, int64_t den, const char *format)
{
	char text[32] = "-";
	if (den > 0) {
		int64_t thousandths = (num * 1000 + den / 2) / den;
		snprintf(text, sizeof text, "%" PRId64 ".%03" PRId64, thousandths / 1000, thousandths % 1000);
	}
	output_print(output, format, text);
}

static void print_csv_row(struct output *output, const char *file, const char *experiment, const struct counts *counts)
{
	const int64_t numbers[] = {counts->configurations, counts->kernels, counts->held, counts->consistent, counts->exact_set,
		counts->exact_block, counts->blocks, counts->blocks_consistent};
	output_add_csv(output, file);
	output_add(output, ",");
	output_add_csv(output, experiment);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		output_print(output, ",%" PRId64, numbers[i]);
	print_ratio(output, counts->permitted, counts->blocks, ",%s");
	print_ratio(output, counts->fitting, counts->blocks, ",%s");
	output_print(output, ",%" PRId64 "\n", counts->round_robin_exact_set);
}

void validate_print_csv(struct output *output, const struct validation *validation)
{
	output_add(output, "file,experiment,configurations,kernels,held,consistent,exact_set,exact_block,blocks,blocks_consistent,"
			   "permitted_mean,fitting_mean,round_robin_exact_set\n");
	for (int i = 0; i < validation->row_count; i++)
		print_csv_row(output, validation->rows[i].file, validation->rows[i].experiment, &validation->rows[i].counts);
	print_csv_row(output, "total", "", &validation->total);
}

/* ---- the table: percentages */

#define FILE_WIDTH 28
#define ASSUMED_WIDTH 22

/* The end of a long path says more than its beginning. */
static const char *tail(const char *path)
{
	size_t length = strlen(path);
	return length > FILE_WIDTH ? path + length - FILE_WIDTH : path;
}

static void print_text_row(
	struct output *output, const char *file, const char *experiment, const struct counts *counts, const char *assumed)
{
	output_print(output, "%-*s  %-10s %-*s %8" PRId64 " %8" PRId64, FILE_WIDTH, tail(file), experiment, ASSUMED_WIDTH, assumed,
		counts->kernels, counts->held);
	for (const struct figure *figure = figures; figure->name != NULL; figure++) {
		if (figure->among == get_blocks)
			output_print(output, " %9" PRId64, counts->blocks);
		print_ratio(output, 100 * figure->count(counts), figure->among(counts), " %9s");
		if (figure->among == get_blocks) {
			print_ratio(output, counts->permitted, counts->blocks, " %9s");
			print_ratio(output, counts->fitting, counts->blocks, " %9s");
		}
	}
	output_add(output, "\n");
}

/* "default; 18,64,101": the carveout preference and the registers of each variant. */
static void describe(const struct hypothesis *hypothesis, char text[64])
{
	int length =
		hypothesis->carveout == NONE ? snprintf(text, 64, "default;") : snprintf(text, 64, "%d %%;", (int)hypothesis->carveout);
	for (int v = 0; v < hypothesis->registers.count && length < 56; v++)
		length += snprintf(text + length, (size_t)(64 - length), "%c%" PRId64, v == 0 ? ' ' : ',', hypothesis->registers.of[v]);
}

void validate_print_text(struct output *output, const struct validation *validation)
{
	output_print(output, "%-*s  %-10s %-*s %8s %8s %9s %9s %9s %9s %9s %9s %9s %9s\n", FILE_WIDTH, "file", "experiment", ASSUMED_WIDTH,
		"carveout; registers", "kernels", "held", "consist.%", "set %", "block %", "blocks", "consist.%", "permitted", "fitting",
		"RR set %");
	for (int i = 0; i < validation->row_count; i++) {
		const struct validate_row *row = &validation->rows[i];
		char assumed[64];
		describe(row->hypothesis, assumed);
		print_text_row(output, row->file, row->experiment, &row->counts, assumed);
	}
	print_text_row(output, "total", "", &validation->total, "");
}
