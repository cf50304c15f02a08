/* Frames: what a schema cannot say of them. */
#include "input/validate.h"

#include "base/checked.h"

#include <inttypes.h>

struct frame_rules {
	const struct platform *platform;
	const struct frame *frame;
	struct diagnostics *diagnostics;
	int64_t primitives, superfragments;
};

#define REFUSE(rules, code, line, ...) diagnose((rules)->diagnostics, DIAGNOSTIC_##code, (rules)->frame->path, line, __VA_ARGS__)

/* ---- hardware */

static const struct {
	enum parameter parameter;
	int64_t least, most;
} needed[] = {
	{PARAMETER_RASTER_TEXTURE_PROCESSORS, 1, FRAME_PROCESSORS},
	{PARAMETER_RASTER_SMS_A_TEXTURE_PROCESSOR, 1, FRAME_MULTIPROCESSORS},
	{PARAMETER_RASTER_TILE, TILE_SIDE, TILE_SIDE},
	{PARAMETER_RASTER_FIFO, 1, FRAME_FIFO},
};

static void hold_hardware(const struct frame_rules *rules)
{
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		const char *name = parameter_kinds[needed[i].parameter].name;
		int64_t value = platform_value(rules->platform, needed[i].parameter);
		if (value == NONE)
			REFUSE(rules, FRAME_HARDWARE, rules->frame->line,
				"%s does not state %s; add <declare name=\"%s\" value=\"...\" source=\"...\" by=\"...\"/>",
				rules->platform->id, name, name);
		else if (needed[i].least == needed[i].most && value != needed[i].least)
			REFUSE(rules, FRAME_HARDWARE, rules->frame->line, "%s: only %" PRId64 " is modelled; got %" PRId64, name,
				needed[i].least, value);
		else if (value < needed[i].least || value > needed[i].most)
			REFUSE(rules, FRAME_HARDWARE, rules->frame->line, "%s: expected %" PRId64 " to %" PRId64 "; got %" PRId64, name,
				needed[i].least, needed[i].most, value);
	}
}

static void hold_pattern(const struct frame_rules *rules)
{
	const struct frame *frame = rules->frame;
	int64_t processors = platform_value(rules->platform, PARAMETER_RASTER_TEXTURE_PROCESSORS);
	if (processors == NONE)
		return;
	if (frame->shift_count == 0)
		REFUSE(rules, FRAME_PATTERN, frame->line,
			"how tiles are bound to the texture processors of %s is not published; add <pattern source=\"...\" "
			"by=\"...\">...</pattern>",
			rules->platform->id);
	for (int i = 0; i < frame->shift_count; i++)
		if (frame->shifts[i] >= processors)
			REFUSE(rules, FRAME_PATTERN, frame->line, "<pattern>: expected texture processors below %" PRId64 "; got %d",
				processors, frame->shifts[i]);
}

static void hold_window(const struct frame_rules *rules)
{
	const struct frame *frame = rules->frame;
	if (frame->width < 1 || frame->height < 1 || frame->width > FRAME_SIDE || frame->height > FRAME_SIDE)
		REFUSE(rules, FRAME_WINDOW, frame->window_line, "expected a window of 1 to %d pixels each way; got %d x %d", FRAME_SIDE,
			frame->width, frame->height);
	if (frame->x > FRAME_COORDINATE || frame->y > FRAME_COORDINATE)
		REFUSE(rules, FRAME_WINDOW, frame->window_line, "expected a window that begins at most %d pixels from the screen's corner",
			FRAME_COORDINATE);
}

/* What others hide costs nothing, so it has to be said exactly. */
static void hold_hidden(const struct frame_rules *rules)
{
	const struct frame *frame = rules->frame;
	for (int i = 0; i < frame->hidden_count; i++) {
		const struct hidden *part = &frame->hidden[i];
		bool inside = part->x >= 0 && part->y >= 0 && part->width >= 1 && part->height >= 1 &&
			      part->x + part->width <= frame->width && part->y + part->height <= frame->height;
		if (!inside)
			REFUSE(rules, FRAME_OUTSIDE, part->line, "expected a hidden part in the window of %d x %d pixels", frame->width,
				frame->height);
	}
}

/* ---- shaders */

static void hold_shader(const struct frame_rules *rules, const struct shader *shader)
{
	if (shader->wcet == NONE)
		REFUSE(rules, FRAME_COST, shader->line, "shader '%s' has no wcet", shader->id);
	if (shader->branch_count > FRAME_BRANCHES)
		REFUSE(rules, FRAME_BRANCHES, shader->line, "shader '%s': expected at most %d branches; got %d", shader->id, FRAME_BRANCHES,
			shader->branch_count);
	for (int i = 0; i < shader->branch_count; i++)
		if (shader->branches[i].wcet == NONE)
			REFUSE(rules, FRAME_COST, shader->branches[i].line, "branch '%s' of shader '%s' has no wcet",
				shader->branches[i].id, shader->id);
}

/* ---- primitives */

static bool in_range(int64_t value)
{
	return value >= -FRAME_COORDINATE && value <= FRAME_COORDINATE;
}

/* The whole of a draw's bounding box. */
struct extent {
	int64_t left, top, right, bottom;
};

static struct extent extent_of(const struct drawing *draw)
{
	const struct primitive *first = &draw->first;
	return (struct extent){first->x, first->y, first->x + (int64_t)(draw->columns - 1) * draw->step_x + first->width,
		first->y + (int64_t)(draw->rows - 1) * draw->step_y + first->height};
}

static bool meets_window(const struct frame *frame, const struct extent *extent)
{
	return extent->left < frame->width && extent->right > 0 && extent->top < frame->height && extent->bottom > 0;
}

static bool meets_limits(const struct extent *extent)
{
	return in_range(extent->left) && in_range(extent->top) && in_range(extent->right) && in_range(extent->bottom);
}

/* What of a primitive can be drawn, in superfragments; every primitive counts one at least. */
static int64_t work_of(const struct frame *frame, const struct drawing *draw)
{
	int64_t width = checked_min(draw->first.width, frame->width), height = checked_min(draw->first.height, frame->height);
	return checked_mul((width / 2 + 1) * (height / 2 + 1), drawing_count(draw));
}

static void hold_draw(struct frame_rules *rules, const struct drawing *draw)
{
	const char *name = primitive_names[draw->first.kind];
	struct extent extent = extent_of(draw);
	if (draw->first.width < 1 || draw->first.height < 1 || draw->columns < 1 || draw->rows < 1)
		REFUSE(rules, FRAME_EMPTY, draw->line, "expected a %s, or a grid of them, of at least one pixel each way", name);
	else if (!meets_limits(&extent))
		REFUSE(rules, FRAME_OUTSIDE, draw->line, "expected coordinates from %d to %d", -FRAME_COORDINATE, FRAME_COORDINATE);
	else if (!meets_window(rules->frame, &extent))
		REFUSE(rules, FRAME_OUTSIDE, draw->line,
			"expected a %s in the window of %d x %d pixels; got one from %" PRId64 ",%" PRId64 " to %" PRId64 ",%" PRId64, name,
			rules->frame->width, rules->frame->height, extent.left, extent.top, extent.right, extent.bottom);
	rules->primitives = checked_add(rules->primitives, drawing_count(draw));
	rules->superfragments = checked_add(rules->superfragments, work_of(rules->frame, draw));
}

static void hold_slow(const struct frame_rules *rules, const struct slow *slow)
{
	const struct frame *frame = rules->frame;
	if (slow->count == NONE && (slow->x < 0 || slow->y < 0 || slow->x >= frame->width || slow->y >= frame->height))
		REFUSE(rules, FRAME_OUTSIDE, slow->line, "expected a slow fragment in the window of %d x %d pixels; got one at %d,%d",
			frame->width, frame->height, slow->x, slow->y);
	else if (slow->count == NONE && frame_hides(frame, slow->x, slow->y))
		REFUSE(rules, FRAME_OUTSIDE, slow->line, "expected a slow fragment that can be seen; %d,%d is hidden", slow->x, slow->y);
}

static void hold_batch(struct frame_rules *rules, const struct batch *batch)
{
	for (int i = 0; i < batch->draw_count; i++)
		hold_draw(rules, &batch->draws[i]);
	for (int i = 0; i < batch->slow_count; i++)
		hold_slow(rules, &batch->slows[i]);
}

static void hold_size(const struct frame_rules *rules)
{
	if (rules->primitives > FRAME_PRIMITIVES || rules->superfragments > FRAME_SUPERFRAGMENTS)
		REFUSE(rules, FRAME_LARGE, rules->frame->line, "expected at most %d primitives and %d superfragments of 2 x 2 pixels",
			FRAME_PRIMITIVES, FRAME_SUPERFRAGMENTS);
}

bool validate_frame(const struct platform *platform, const struct frame *frame, struct diagnostics *diagnostics)
{
	struct frame_rules rules = {platform, frame, diagnostics, 0, 0};
	int before = diagnostics->errors;
	hold_hardware(&rules);
	hold_pattern(&rules);
	hold_window(&rules);
	hold_hidden(&rules);
	bool window = diagnostics_count(diagnostics, DIAGNOSTIC_FRAME_WINDOW) == 0;
	for (int i = 0; i < frame->shader_count; i++)
		hold_shader(&rules, &frame->shaders[i]);
	for (int i = 0; window && i < frame->batch_count; i++)
		hold_batch(&rules, &frame->batches[i]);
	hold_size(&rules);
	return diagnostics->errors == before;
}
