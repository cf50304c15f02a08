/* A frame's elements to the struct. */
#include "input/reader.h"

#include "base/checked.h"
#include "model/frame.h"

#include <stdlib.h>
#include <string.h>

struct frame_reader {
	struct reader *reader;
	struct frame *frame;
	struct names shaders;
};

/* The schema has seen that it is a whole number of at most five digits. */
static int coordinate(const struct xml_element *element, const char *attribute, int absent)
{
	const char *text = element_get(element, attribute);
	return text != NULL ? (int)strtol(text, NULL, 10) : absent;
}

/* Numbers that are not stated are refused later, with what they are missed for. */
static int hardware_number(const struct platform *platform, enum parameter parameter)
{
	return (int)checked_min(platform_value(platform, parameter), INT32_MAX);
}

static void read_hardware(const struct platform *platform, struct frame *frame)
{
	frame->hardware = (struct frame_hardware){
		.processors = hardware_number(platform, PARAMETER_RASTER_TEXTURE_PROCESSORS),
		.multiprocessors = hardware_number(platform, PARAMETER_RASTER_SMS_A_TEXTURE_PROCESSOR),
		.fifo = hardware_number(platform, PARAMETER_RASTER_FIFO),
	};
}

static void read_window(const struct xml_element *root, struct frame *frame)
{
	const struct xml_element *window = element_child(root, "window");
	frame->x = coordinate(window, "x", 0);
	frame->y = coordinate(window, "y", 0);
	frame->width = coordinate(window, "width", 0);
	frame->height = coordinate(window, "height", 0);
	frame->window_line = window->line;
}

static void read_hidden(struct frame_reader *to, const struct xml_element *root)
{
	struct frame *frame = to->frame;
	frame->hidden = arena_allocate(to->reader->arena, (size_t)element_count(root, "hidden") + 1, sizeof *frame->hidden);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next)
		if (element_is(element, "hidden"))
			frame->hidden[frame->hidden_count++] = (struct hidden){coordinate(element, "x", 0), coordinate(element, "y", 0),
				coordinate(element, "width", 0), coordinate(element, "height", 0), element->line};
}

/* The frame's own pattern, or the published one where the number of texture processors is the seed's. */
static void read_pattern(struct frame_reader *to, const struct xml_element *root, const struct platform *platform)
{
	const struct xml_element *element = element_child(root, "pattern");
	struct frame *frame = to->frame;
	frame->pattern_source = "Crassin and Neyret 2008, E1, conclusions";
	frame->shifts = frame_known_pattern(platform_value(platform, PARAMETER_RASTER_TEXTURE_PROCESSORS), &frame->shift_count);
	if (element == NULL)
		return;
	int64_t *items = read_list(to->reader, element, UNIT_COUNT, &frame->shift_count);
	int *shifts = arena_allocate(to->reader->arena, (size_t)frame->shift_count, sizeof *shifts);
	for (int i = 0; i < frame->shift_count; i++)
		shifts[i] = (int)items[i];
	frame->shifts = shifts;
	frame->pattern_source = element_get(element, "source");
	frame->pattern_by = element_get(element, "by");
}

/* ---- shaders */

static void read_branches(struct frame_reader *to, const struct xml_element *element, struct shader *shader)
{
	struct names names;
	names_init(&names, to->reader->arena);
	shader->branches = arena_allocate(to->reader->arena, (size_t)element_count(element, "branch"), sizeof *shader->branches);
	for (const struct xml_element *child = element->first; child != NULL; child = child->next) {
		read_identifier(to->reader, child, &names, shader->branch_count, "branch");
		shader->branches[shader->branch_count++] = (struct branch){
			.id = element_get(child, "id"),
			.wcet = read_number(to->reader, child, "wcet", UNIT_TIME, ROUND_UP, NONE),
			.line = child->line,
		};
	}
}

static void read_shaders(struct frame_reader *to, const struct xml_element *root)
{
	struct frame *frame = to->frame;
	names_init(&to->shaders, to->reader->arena);
	frame->shaders = arena_allocate(to->reader->arena, (size_t)element_count(root, "shader"), sizeof *frame->shaders);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "shader"))
			continue;
		struct shader *shader = &frame->shaders[frame->shader_count];
		read_identifier(to->reader, element, &to->shaders, frame->shader_count++, "shader");
		*shader = (struct shader){
			.id = element_get(element, "id"),
			.wcet = read_number(to->reader, element, "wcet", UNIT_TIME, ROUND_UP, NONE),
			.waits = read_flag(element, "waits"),
			.line = element->line,
		};
		read_branches(to, element, shader);
	}
}

/* ---- primitives */

static struct drawing draw_one(enum primitive_kind kind, const struct xml_element *element, int width, int height)
{
	return (struct drawing){
		.first = {.kind = kind,
			.x = coordinate(element, "x", 0),
			.y = coordinate(element, "y", 0),
			.width = width,
			.height = height},
		.columns = 1,
		.rows = 1,
		.step_x = 1,
		.step_y = 1,
		.block_columns = 1,
		.block_rows = 1,
		.repeat = 1,
		.line = element->line,
	};
}

static struct drawing read_triangle(const struct xml_element *element)
{
	static const char *const names[3][2] = {{"x1", "y1"}, {"x2", "y2"}, {"x3", "y3"}};
	struct drawing draw = draw_one(PRIMITIVE_TRIANGLE, element, 0, 0);
	struct primitive *triangle = &draw.first;
	int least[2], greatest[2];
	for (int axis = 0; axis < 2; axis++) {
		for (int i = 0; i < 3; i++) {
			int value = triangle->corners[i][axis] = coordinate(element, names[i][axis], 0);
			least[axis] = i == 0 || value < least[axis] ? value : least[axis];
			greatest[axis] = i == 0 || value > greatest[axis] ? value : greatest[axis];
		}
	}
	triangle->x = least[0];
	triangle->y = least[1];
	triangle->width = greatest[0] - least[0];
	triangle->height = greatest[1] - least[1];
	return draw;
}

static struct drawing read_line(const struct xml_element *element)
{
	const char *direction = element_get(element, "direction");
	int length = coordinate(element, "length", 0);
	bool down = direction != NULL && strcmp(direction, "vertical") == 0;
	return draw_one(PRIMITIVE_LINE, element, down ? 1 : length, down ? length : 1);
}

static struct drawing read_point(struct frame_reader *to, const struct xml_element *element)
{
	struct drawing draw = draw_one(PRIMITIVE_POINT, element, 1, 1);
	draw.repeat = read_number(to->reader, element, "repeat", UNIT_COUNT, ROUND_NEVER, 1);
	return draw;
}

static int at_least_one(int value)
{
	return value > 0 ? value : 1;
}

/* Nothing fits where a size or a step is zero: then there are no columns. */
static struct drawing read_grid(const struct xml_element *element)
{
	enum primitive_kind kind = (enum primitive_kind)read_choice(element, "of", primitive_names, PRIMITIVE_QUAD);
	int size = kind == PRIMITIVE_POINT ? 1 : coordinate(element, "size", 1), step = coordinate(element, "step", 1);
	int width = coordinate(element, "width", 0), height = coordinate(element, "height", 0), stack = coordinate(element, "stack", 0);
	struct drawing draw = draw_one(kind, element, size, kind == PRIMITIVE_QUAD ? size : 1);
	draw.step_x = kind == PRIMITIVE_POINT ? step : size;
	draw.step_y = kind == PRIMITIVE_POINT ? step : draw.first.height;
	if (draw.step_x == 0 || draw.step_y == 0) {
		draw.columns = draw.rows = 0;
		return draw;
	}
	draw.columns = kind == PRIMITIVE_POINT ? (width + step - 1) / step : width / draw.step_x;
	draw.rows = kind == PRIMITIVE_POINT ? (height + step - 1) / step : height / draw.step_y;
	draw.stacked = stack > 0;
	draw.block_columns = at_least_one(stack > 0 ? stack / draw.step_x : draw.columns);
	draw.block_rows = at_least_one(stack > 0 ? stack / draw.step_y : draw.rows);
	return draw;
}

static struct drawing read_draw(struct frame_reader *to, const struct xml_element *element)
{
	if (element_is(element, "quad"))
		return draw_one(PRIMITIVE_QUAD, element, coordinate(element, "width", 0), coordinate(element, "height", 0));
	if (element_is(element, "triangle"))
		return read_triangle(element);
	if (element_is(element, "line"))
		return read_line(element);
	return element_is(element, "point") ? read_point(to, element) : read_grid(element);
}

/* ---- batches */

static int find_branch(struct frame_reader *to, const struct xml_element *element, const struct shader *shader)
{
	const char *id = element_get(element, "branch");
	for (int i = 0; shader != NULL && i < shader->branch_count; i++)
		if (strcmp(shader->branches[i].id, id) == 0)
			return i;
	if (shader != NULL)
		COMPLAIN(to->reader, element, UNKNOWN_REFERENCE,
			"attribute \"branch\" of <slow>: expected a branch of shader \"%s\"; got \"%s\"", shader->id,
			element_shorten(to->reader->arena, id, SHORT_VALUE));
	return 0;
}

static struct slow read_slow(struct frame_reader *to, const struct xml_element *element, const struct shader *shader)
{
	bool placed = element_get(element, "x") != NULL && element_get(element, "y") != NULL;
	bool either = element_get(element, "x") != NULL || element_get(element, "y") != NULL;
	if (placed == (element_get(element, "count") != NULL) || placed != either)
		COMPLAIN(to->reader, element, SCHEMA_VIOLATION, "<slow>: expected x and y, or count in their place");
	return (struct slow){
		.branch = find_branch(to, element, shader),
		.count = read_number(to->reader, element, "count", UNIT_COUNT, ROUND_NEVER, NONE),
		.x = coordinate(element, "x", 0),
		.y = coordinate(element, "y", 0),
		.line = element->line,
	};
}

static void read_batch(struct frame_reader *to, const struct xml_element *element, struct batch *batch)
{
	int shader = read_reference(to->reader, element, "shader", &to->shaders, "shader"), slow = element_count(element, "slow"), all = 0;
	for (const struct xml_element *child = element->first; child != NULL; child = child->next)
		all++;
	*batch = (struct batch){.shader = shader, .line = element->line};
	batch->draws = arena_allocate(to->reader->arena, (size_t)(all - slow), sizeof *batch->draws);
	batch->slows = arena_allocate(to->reader->arena, (size_t)slow, sizeof *batch->slows);
	for (const struct xml_element *child = element->first; child != NULL; child = child->next)
		if (element_is(child, "slow"))
			batch->slows[batch->slow_count++] = read_slow(to, child, shader >= 0 ? &to->frame->shaders[shader] : NULL);
		else
			batch->draws[batch->draw_count++] = read_draw(to, child);
}

static void read_batches(struct frame_reader *to, const struct xml_element *root)
{
	struct frame *frame = to->frame;
	frame->batches = arena_allocate(to->reader->arena, (size_t)element_count(root, "batch"), sizeof *frame->batches);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next)
		if (element_is(element, "batch"))
			read_batch(to, element, &frame->batches[frame->batch_count++]);
}

void read_frame(struct reader *reader, const struct xml_element *root, const struct platform *platform, struct frame *frame)
{
	struct frame_reader to = {.reader = reader, .frame = frame};
	const struct xml_element *title = element_child(root, "title");
	frame->id = element_get(root, "id");
	frame->title = title != NULL ? title->text : NULL;
	frame->source = element_get(root, "source");
	frame->platform = platform;
	frame->line = root->line;
	read_hardware(platform, frame);
	read_window(root, frame);
	read_hidden(&to, root);
	read_pattern(&to, root, platform);
	read_shaders(&to, root);
	read_batches(&to, root);
}
