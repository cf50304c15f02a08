/* A frame's primitives one after another, and the seed's figures of them. */
#include "model/frame.h"

#include "base/checked.h"

#include <stddef.h>

const char *const primitive_names[] = {"quad", "triangle", "line", "point", NULL};

const struct frame_number frame_numbers[FRAME_NUMBERS] = {
	{"p", PARAMETER_RASTER_TEXTURE_PROCESSORS}, {"m", PARAMETER_RASTER_SMS_A_TEXTURE_PROCESSOR}, {"F", PARAMETER_RASTER_FIFO}};

static const struct figure {
	enum primitive_kind kind;
	enum arrangement arrangement;
	int least, most;
	int64_t num, den;
} figures[] = {
#define FIGURE(kind, arrangement, least, most, num, den, experiment) {PRIMITIVE_##kind, ARRANGEMENT_##arrangement, least, most, num, den},
#include "model/g80_figures.def"
#undef FIGURE
};

bool frame_hides(const struct frame *frame, int x, int y)
{
	for (int i = 0; i < frame->hidden_count; i++) {
		const struct hidden *part = &frame->hidden[i];
		if (x >= part->x && x < part->x + part->width && y >= part->y && y < part->y + part->height)
			return true;
	}
	return false;
}

int64_t drawing_count(const struct drawing *draw)
{
	return checked_mul(checked_mul(draw->columns, draw->rows), draw->repeat);
}

static void visit_one(const struct drawing *draw, int column, int row, primitive_visitor *visit, void *context)
{
	struct primitive primitive = draw->first;
	primitive.x += column * draw->step_x;
	primitive.y += row * draw->step_y;
	for (int64_t i = 0; i < draw->repeat; i++)
		visit(context, &primitive);
}

static void visit_block(const struct drawing *draw, int first_column, int first_row, primitive_visitor *visit, void *context)
{
	int columns = (int)checked_min(draw->columns, first_column + draw->block_columns);
	int rows = (int)checked_min(draw->rows, first_row + draw->block_rows);
	for (int row = first_row; row < rows; row++)
		for (int column = first_column; column < columns; column++)
			visit_one(draw, column, row, visit, context);
}

void drawing_visit(const struct drawing *draw, primitive_visitor *visit, void *context)
{
	for (int row = 0; row < draw->rows; row += draw->block_rows)
		for (int column = 0; column < draw->columns; column += draw->block_columns)
			visit_block(draw, column, row, visit, context);
}

enum arrangement drawing_arrangement(const struct drawing *draw, const struct primitive *primitive, int x)
{
	switch (primitive->kind) {
	case PRIMITIVE_LINE: return draw->stacked ? ARRANGEMENT_STACKED : ARRANGEMENT_ALIGNED;
	case PRIMITIVE_POINT: return draw->step_x > 1 ? ARRANGEMENT_SPACED : ARRANGEMENT_ALIGNED;
	default: return x % 2 != 0 ? ARRANGEMENT_SHIFTED : ARRANGEMENT_ALIGNED;
	}
}

/* The size that the seed's experiments name: a side, a length, a distance. */
static int size_of(const struct drawing *draw)
{
	const struct primitive *first = &draw->first;
	switch (first->kind) {
	case PRIMITIVE_LINE: return (int)checked_max(first->width, first->height);
	case PRIMITIVE_POINT: return draw->step_x;
	default: return (int)checked_min(first->width, first->height);
	}
}

/* E2.1: "two non-stripped triangles instead of quads: same timings". */
static const struct figure *find_figure(const struct drawing *draw, enum arrangement arrangement)
{
	enum primitive_kind kind = draw->first.kind == PRIMITIVE_TRIANGLE ? PRIMITIVE_QUAD : draw->first.kind;
	int size = size_of(draw);
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		if (figures[i].kind == kind && figures[i].arrangement == arrangement && figures[i].least <= size && size <= figures[i].most)
			return &figures[i];
	return NULL;
}

int64_t drawing_room(const struct drawing *draw, enum arrangement arrangement, int64_t superfragments, int64_t pixels)
{
	const struct figure *figure = find_figure(draw, arrangement);
	int64_t room = superfragments == 1 ? ISOLATED_ROOM : SUPERFRAGMENT_ROOM;
	if (figure == NULL || superfragments == 0)
		return room;
	return checked_max(room, checked_div_ceil(1000 * pixels * figure->num, figure->den * superfragments));
}

/* E1, conclusions: Tile(i,j) = (i - i0 + N(j - j0)) % 6. */
const int *frame_known_pattern(int64_t processors, int *count)
{
	static const int six[] = {0, 2, 4, 1, 5, 3};
	*count = processors == 6 ? 6 : 0;
	return *count > 0 ? six : NULL;
}
