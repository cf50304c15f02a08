/* gpubound raster: frames of a G80-class part in, their bounds and one run of each out. */
#include "cli/arguments.h"
#include "cli/raster_output.h"
#include "input/input.h"

#include <inttypes.h>
#include <string.h>

const struct option options_raster[] = {
	{"format", 'f', "text|csv", "what to print on standard output; text is the default", true},
	{"svg", 0, "FILE", "draw the tiles by processor and by time (- is standard output)", true},
	{"platform", 'm', "MODEL", "use this platform model, a name or a path, in place of the frame's", false},
	{"seed", 0, "N", "place slow fragments of the run by N; 1 is the default", false},
	OPTIONS_END,
};

struct drawing_board {
	const struct arguments *arguments;
	struct input_folders folders;
	struct output output, svg;
	int64_t seed;
	bool csv, refused, unbounded;
	bool wrong; /* the command line, as what was read shows */
};

/* E1: "the board auto-resets if the drawing is not finished before a timeout of 8-10 seconds". */
static void check_watchdog(const struct raster_result *result, struct diagnostics *diagnostics)
{
	int64_t limit = platform_value(result->platform, PARAMETER_WATCHDOG), time = result->bound->value;
	if (limit != NONE && time >= limit - limit / 2)
		diagnose(diagnostics, DIAGNOSTIC_HAZARD_WATCHDOG, result->frame->path, result->frame->line,
			"frame '%s' may take %" PRId64 " ns alone, and the driver resets the GPU after %" PRId64 " ns; cure: split it",
			result->frame->id, time, limit);
}

static void print(struct drawing_board *board, const struct raster_result *result)
{
	bool first = board->output.length == 0;
	if (board->csv) {
		if (first)
			raster_csv_header(&board->output);
		raster_csv(&board->output, result);
	} else {
		output_add(&board->output, first ? "" : "\n");
		raster_text(&board->output, result, arguments_colour(board->arguments, stdout));
	}
	if (arguments_has(board->arguments, "svg"))
		raster_svg(&board->svg, result);
}

static void evaluate(struct drawing_board *board, struct arena *arena, const struct frame *frame, const struct platform *platform,
	struct diagnostics *diagnostics)
{
	const struct frame_hardware *hardware = &frame->hardware;
	struct raster_part part = {hardware->processors, hardware->multiprocessors, hardware->fifo};
	struct raster_choices choices = {.seed = (uint64_t)board->seed};
	struct raster_result result = {arena, frame, platform, frame_bound_compute(arena, frame, hardware),
		machine_run(arena, frame, &part, &choices), board->seed};
	check_watchdog(&result, diagnostics);
	board->unbounded |= result.bound->value == NONE;
	print(board, &result);
}

static void read_one(struct drawing_board *board, const char *path)
{
	const struct arguments *arguments = board->arguments;
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	const struct platform *platform;
	diagnostics_init(&diagnostics, arena);
	const char *model = arguments_value(arguments, "platform", NULL);
	const struct frame *frame = input_read_frame(arena, &diagnostics, &board->folders, path, model, &platform);
	board->refused |= frame == NULL;
	board->wrong |= frame != NULL && !arguments_spare_inputs(arguments, &diagnostics);
	if (frame != NULL)
		evaluate(board, arena, frame, platform, &diagnostics);
	diagnostics_print(&diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	arena_destroy(arena);
}

static int write_all(const struct drawing_board *board)
{
	const char *path = arguments_value(board->arguments, "svg", NULL);
	if (path != NULL && !arguments_write(board->arguments, &board->svg, path))
		return EXIT_USAGE;
	bool drawn = path != NULL && strcmp(path, "-") == 0; /* standard output has the picture already */
	if (!drawn && !arguments_write(board->arguments, &board->output, "-"))
		return EXIT_USAGE;
	return board->unbounded ? EXIT_NO_BOUND : EXIT_FINE;
}

static int run(struct drawing_board *board)
{
	const struct arguments *arguments = board->arguments;
	if (!arguments_integer(arguments, "seed", 0, INT64_MAX - 1, &board->seed))
		return EXIT_USAGE;
	if (arguments->operand_count > 1 && arguments_has(arguments, "svg"))
		return usage_error(arguments->command, "a picture holds one frame; several were given");
	for (int i = 0; i < arguments->operand_count; i++)
		read_one(board, arguments->operands[i]);
	return board->refused ? EXIT_INVALID : board->wrong ? EXIT_USAGE : write_all(board);
}

int command_raster(const struct arguments *arguments)
{
	struct drawing_board board = {.arguments = arguments, .folders = input_find_folders(arguments->arena), .seed = 1};
	board.csv = strcmp(arguments_value(arguments, "format", "text"), "csv") == 0;
	int status = run(&board);
	output_finish(&board.output);
	output_finish(&board.svg);
	return status;
}
