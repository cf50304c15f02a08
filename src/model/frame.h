/* A frame as its description states it: what is drawn on a G80-class part, and what its shaders cost.
 *
 * Requires: validated input (src/input); immutable afterwards.
 * Provides: the window, the shaders with their branches, the draw batches with their primitives and slow fragments; the primitives of a
 *           draw one after another; what the seed measured of them and does not explain.
 * Source:   Crassin and Neyret, Understanding G80 behavior and performances, version of 8 March 2008 (seed 003): E1 to E4, section 5.
 */
#ifndef MODEL_FRAME_H
#define MODEL_FRAME_H

#include "model/platform.h"

#define FRAME_SIDE 8192                /* pixels of a window's side at most */
#define FRAME_COORDINATE 32767         /* greatest absolute coordinate */
#define FRAME_PRIMITIVES (1 << 22)     /* of a frame at most */
#define FRAME_SUPERFRAGMENTS (1 << 24) /* of a frame at most, counted over the primitives' bounding boxes */
#define FRAME_HIDDEN 8                 /* parts of the window that others hide, at most */
#define FRAME_BRANCHES 32              /* of a shader at most */
#define FRAME_PROCESSORS 64            /* texture processors at most */
#define FRAME_MULTIPROCESSORS 16       /* of a texture processor at most */
#define FRAME_FIFO 100000              /* warps of a texture processor at most */

/* The seed's geometry: E1, conclusions. */
#define TILE_SIDE 16
#define TILE_CELLS (TILE_SIDE / 2) /* superfragments of 2 x 2 pixels along a side */
#define SUBTILE_WIDTH 8
#define SUBTILE_HEIGHT 4
#define TILE_WARPS (TILE_SIDE * TILE_SIDE / THREADS_A_WARP)

/* Room in warps is counted in thousandths of a thread. Not explained by the seed: "only 4 isolated points or primitives of size 1 can
 * fit a warp (8 were expected)". */
#define WARP_ROOM (1000 * THREADS_A_WARP)
#define SUPERFRAGMENT_ROOM 4000
#define ISOLATED_ROOM (WARP_ROOM / 4)

/* Two warps of a shader with wait states overlap on a multiprocessor (E1, note 1), at "a surcost of about 10 %". */
#define OVERLAPPING_WARPS 2
#define OVERLAP_PERCENT 10

struct branch { /* what a warp pays on top of the shader where one of its fragments goes this way */
	const char *id;
	int64_t wcet; /* ns; NONE: not given */
	long line;
};

struct shader {
	const char *id;
	int64_t wcet; /* ns: a warp of it alone on a multiprocessor; NONE: not given */
	bool waits;   /* it has wait states, in which another warp can run */
	struct branch *branches;
	int branch_count;
	long line;
};

/* What an `about` calls the numbers of the hardware, "frame:ID@raster.fifo": in the order of a batch's step, p, m, F. */
#define FRAME_NUMBERS 3
struct frame_number {
	const char *role;
	enum parameter parameter;
};
extern const struct frame_number frame_numbers[FRAME_NUMBERS];

enum primitive_kind { PRIMITIVE_QUAD, PRIMITIVE_TRIANGLE, PRIMITIVE_LINE, PRIMITIVE_POINT };
enum arrangement { ARRANGEMENT_ALIGNED, ARRANGEMENT_SHIFTED, ARRANGEMENT_STACKED, ARRANGEMENT_SPACED };
extern const char *const primitive_names[];

struct primitive { /* in pixels of the window */
	enum primitive_kind kind;
	int x, y, width, height; /* the bounding box */
	int corners[3][2];       /* of a triangle */
};

/* Equal primitives in rows and columns. They are drawn block by block, in each block row by row, each `repeat` times. */
struct drawing {
	struct primitive first;
	int columns, rows, step_x, step_y;
	int block_columns, block_rows; /* primitives of a block along each side */
	bool stacked;                  /* in blocks smaller than the whole */
	int64_t repeat;
	long line;
};

struct slow { /* fragments that take a branch */
	int branch;
	int64_t count; /* so many, nobody knows where; NONE: the one at x, y of the window */
	int x, y;
	long line;
};

struct batch { /* what one glBegin to glEnd, or one draw call, draws */
	int shader;
	struct drawing *draws;
	int draw_count;
	struct slow *slows;
	int slow_count;
	long line;
};

struct hidden { /* of the window: what another one hides */
	int x, y, width, height;
	long line;
};

struct frame_hardware {
	int processors, multiprocessors; /* texture processors; multiprocessors of each */
	int fifo;                        /* warps that a texture processor holds at most, those in work included */
};

struct frame {
	const char *path, *hash;
	int64_t bytes;
	const char *id, *title, *platform_name; /* title: NULL where none */
	const char *source;                     /* of the costs */
	const struct platform *platform;        /* with what the frame declares */
	int x, y, width, height;                /* the window, on the screen */
	struct hidden *hidden;                  /* "the hidden part of the scanline is done at cost 0" (E1) */
	int hidden_count;
	const int *shifts;                       /* N: the processor of the first tile of each row, in a period */
	int shift_count;                         /* 0: the pattern is not known */
	const char *pattern_source, *pattern_by; /* by: NULL where the seed's */
	struct frame_hardware hardware;          /* of the platform, declarations included */
	struct shader *shaders;
	int shader_count;
	struct batch *batches;
	int batch_count;
	long line, window_line;
};

bool frame_hides(const struct frame *frame, int x, int y); /* this pixel of the window */

typedef void primitive_visitor(void *context, const struct primitive *primitive);

int64_t drawing_count(const struct drawing *draw); /* primitives */
void drawing_visit(const struct drawing *draw, primitive_visitor *visit, void *context);

/* How the primitive counts in the table of figures: in screen coordinates its x is x. */
enum arrangement drawing_arrangement(const struct drawing *draw, const struct primitive *primitive, int x);

/* The room that each of a primitive's superfragments takes in a warp, given how many there are and how many pixels they cover. */
int64_t drawing_room(const struct drawing *draw, enum arrangement arrangement, int64_t superfragments, int64_t pixels);

/* The pattern of the tiles that the seed prints, for its six texture processors; *count 0 for any other number. */
const int *frame_known_pattern(int64_t processors, int *count);

#endif
