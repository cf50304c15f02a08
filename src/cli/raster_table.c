/* A frame's results as text and as CSV. */
#include "cli/raster_output.h"
#include "base/duration_text.h"
#include "report/text_write.h"

#include <inttypes.h>

struct table {
	struct output *output;
	const struct raster_result *result;
	bool colour;
};

/* ---- text */

static void add_head(const struct table *t)
{
	const struct raster_result *result = t->result;
	const struct frame *frame = result->frame;
	text_paragraph(t->output, "frame      ", 11, frame->id);
	if (frame->title != NULL)
		text_paragraph(t->output, "           ", 11, frame->title);
	text_paragraph(t->output, "file       ", 11, frame->path);
	text_paragraph(t->output, "platform   ", 11,
		arena_format(result->arena, "%s: %d texture processors of %d multiprocessors, at most %d warps in each",
			result->platform->id, frame->hardware.processors, frame->hardware.multiprocessors, frame->hardware.fifo));
	text_paragraph(t->output, "pattern    ", 11, frame->pattern_source);
	text_paragraph(t->output, "costs      ", 11, frame->source);
}

static void add_size(const struct table *t)
{
	const struct frame_bound *bound = t->result->bound;
	const struct frame *frame = t->result->frame;
	int64_t threads = 4 * bound->superfragments;
	text_paragraph(t->output, "window     ", 11,
		arena_format(t->result->arena, "%d x %d pixels at %d,%d of the screen", frame->width, frame->height, frame->x, frame->y));
	text_paragraph(t->output, "drawn      ", 11,
		arena_format(t->result->arena,
			"%" PRId64 " fragments and %" PRId64 " ghosts in %" PRId64 " warps, which have room for %" PRId64, bound->pixels,
			threads - bound->pixels, bound->warps, bound->warps * THREADS_A_WARP));
}

static void add_times(const struct table *t)
{
	const struct raster_result *result = t->result;
	char bound[DURATION_TEXT], run[DURATION_TEXT];
	duration_text(result->bound->value, ROUND_UP, bound);
	duration_text(result->run->time, ROUND_UP, run);
	text_paragraph(t->output, arena_format(result->arena, "bound      %-13s", bound), 24,
		result->bound->value == NONE ? "the time does not fit 64 bits of nanoseconds"
					     : "for all times up to the WCETs and all places of slow fragments that are anywhere");
	text_paragraph(t->output, arena_format(result->arena, "one run    %-13s", run), 24,
		arena_format(result->arena, "all at their WCETs, slow fragments that are anywhere placed by seed %" PRId64, result->seed));
}

static void add_batches(const struct table *t)
{
	const struct frame *frame = t->result->frame;
	text_heading(t->output, "Batches, one after another", t->colour);
	output_print(t->output, "  %-20s %12s %12s %14s  %s\n", "shader", "primitives", "warps", "bound", "of it, slow anywhere");
	for (int i = 0; i < frame->batch_count; i++) {
		const struct batch *batch = &frame->batches[i];
		const struct batch_bound *bound = &t->result->bound->batches[i];
		char value[DURATION_TEXT], anywhere[DURATION_TEXT];
		int64_t primitives = 0;
		for (int j = 0; j < batch->draw_count; j++)
			primitives = checked_add(primitives, drawing_count(&batch->draws[j]));
		output_print(t->output, "  %-20s %12" PRId64 " %12" PRId64 " %14s  %s\n", frame->shaders[batch->shader].id, primitives,
			bound->warps, duration_text(bound->value, ROUND_UP, value), duration_text(bound->anywhere, ROUND_UP, anywhere));
	}
}

static void add_processors(const struct table *t)
{
	text_heading(t->output, "Texture processors in this run", t->colour);
	output_print(t->output, "  %-9s %12s %16s %18s %14s\n", "", "warps", "multiproc. time", "rasteriser stalls", "done");
	for (int i = 0; i < t->result->run->processor_count; i++) {
		const struct raster_processor *processor = &t->result->run->processors[i];
		char busy[DURATION_TEXT], stalled[DURATION_TEXT], done[DURATION_TEXT];
		output_print(t->output, "  %-9d %12" PRId64 " %16s %18s %14s\n", i, processor->warps,
			duration_text(processor->busy, ROUND_UP, busy), duration_text(processor->stalled, ROUND_UP, stalled),
			duration_text(processor->done, ROUND_UP, done));
	}
}

void raster_text(struct output *output, const struct raster_result *result, bool colour)
{
	struct table table = {output, result, colour};
	add_head(&table);
	add_size(&table);
	add_times(&table);
	add_batches(&table);
	add_processors(&table);
}

/* ---- CSV: rows of the frame, of its batches, of the texture processors, of the tiles that are drawn */

static void add_number(struct output *output, int64_t number)
{
	output_add(output, ",");
	if (number != NONE)
		output_print(output, "%" PRId64, number);
}

static void add_row(struct output *output, const char *kind, const char *name, const int64_t cells[8])
{
	output_print(output, "%s,", kind);
	output_add_csv(output, name);
	for (int i = 0; i < 8; i++)
		add_number(output, cells[i]);
	output_add(output, "\n");
}

static void add_tiles(struct output *output, const struct raster_result *result)
{
	const struct warps *warps = result->run->warps;
	for (int i = 0; i < warps->columns * warps->rows; i++) {
		const struct raster_tile *tile = &result->run->tiles[i];
		if (tile->warps > 0)
			add_row(output, "tile", "",
				(const int64_t[8]){warps->first_column + i % warps->columns, warps->first_row + i / warps->columns,
					tile->processor, tile->warps, NONE, NONE, tile->done, NONE});
	}
}

void raster_csv_header(struct output *output)
{
	output_add(output, "kind,name,column,row,processor,warps,busy_ns,stalled_ns,done_ns,bound_ns\n");
}

void raster_csv(struct output *output, const struct raster_result *result)
{
	const struct frame *frame = result->frame;
	add_row(output, "frame", frame->id,
		(const int64_t[8]){NONE, NONE, NONE, result->bound->warps, NONE, NONE, result->run->time, result->bound->value});
	for (int i = 0; i < frame->batch_count; i++)
		add_row(output, "batch", frame->shaders[frame->batches[i].shader].id,
			(const int64_t[8]){
				NONE, NONE, NONE, result->bound->batches[i].warps, NONE, NONE, NONE, result->bound->batches[i].value});
	for (int i = 0; i < result->run->processor_count; i++) {
		const struct raster_processor *processor = &result->run->processors[i];
		add_row(output, "processor", "",
			(const int64_t[8]){NONE, NONE, i, processor->warps, processor->busy, processor->stalled, processor->done, NONE});
	}
	add_tiles(output, result);
}
