/* The diagram of streams: boxes in rows, a part a task. */
#include "report/streams_svg.h"

#include "base/palette.h"
#include "base/duration_text.h"

#include <inttypes.h>
#include <string.h>

#define LEFT 200 /* px: names of streams */
#define WIDTH 1100
#define GAP 16
#define BOX 24
#define ROW 36
#define LETTER 7 /* px: about the width of one */
#define LABEL_MOST 22
#define TASKS_MOST 24
#define OPERATIONS_MOST 24 /* of a task */
#define LETTERS_OF(width) ((width - 12) / LETTER)

/* All rules are below one class, so that the picture can stand inside of a page. */
#define S ".streams "
static const char style[] =
	S "text{font:12px sans-serif;fill:#1c2126}" S ".task{font-weight:bold;font-size:13px}" S ".soft{fill:#5a646e;font-size:11px}" S
	  ".name{text-anchor:end}" S ".in{text-anchor:middle;font-size:11px;fill:#111}" S ".paper{fill:#fff}" S ".lane{fill:#f3f5f7}" S
	  ".box{stroke:#5a646e;stroke-width:.8}" PALETTE_STYLE(S) S
	".copy{stroke-width:2.2}" S ".unknown{stroke-dasharray:3 2;stroke-width:2.2}" S ".host{fill:#cfd5db}" S ".event{fill:#fff}" S
	".plain{fill:#fff}" S ".order{fill:none;stroke:#5a646e}" S ".tip{fill:#5a646e}" S
	".edge{fill:none;stroke:#1c2126;stroke-width:1.4;stroke-dasharray:5 3}" S ".edge-tip{fill:#1c2126}"
	"@media screen and (prefers-color-scheme:dark){" S "text{fill:#e3e7eb}" S ".soft{fill:#a3adb7}" S ".paper{fill:#15181c}" S
	".lane{fill:#1e2328}" S ".in{fill:#111}" S ".of-event{fill:#e3e7eb}" S ".event," S ".plain{fill:#15181c}" S ".box," S
	".order{stroke:#a3adb7}" S ".tip{fill:#a3adb7}" S ".edge{stroke:#e3e7eb}" S ".edge-tip{fill:#e3e7eb}}";
#undef S

struct box {
	int left, right, middle; /* px; 0: not drawn */
};

struct diagram {
	struct output *output; /* of what is below the head */
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	struct box *boxes; /* [operation] */
	int top, width;
};

/* ---- engines */

static int engine_of(const struct diagram *d, const struct operation *operation)
{
	if (operation->kind == OPERATION_KERNEL || operation->kind == OPERATION_FRAGMENT)
		return ENGINE_COMPUTE;
	return d->platform->engine_of[operation->copy.direction];
}

static const char *class_of(const struct diagram *d, const struct operation *operation)
{
	if (operation->kind == OPERATION_HOST)
		return "host";
	if (operation->kind == OPERATION_WAIT || operation->kind == OPERATION_RECORD)
		return "event";
	int engine = engine_of(d, operation);
	if (engine == ENGINE_COMPUTE)
		return "kernel";
	return engine < 0 ? "unknown" : "copy";
}

static const char *engine_name(const struct diagram *d, const struct operation *operation)
{
	const char *class = class_of(d, operation);
	if (strcmp(class, "host") == 0)
		return "on the CPU";
	if (strcmp(class, "event") == 0)
		return "needs no engine";
	if (strcmp(class, "kernel") == 0)
		return "execution engine";
	return strcmp(class, "unknown") == 0 ? "its engine is not known"
					     : arena_format(d->arena, "copy engine %d", engine_of(d, operation));
}

/* ---- text */

static void add_text(struct diagram *d, const char *class, int x, int y, const char *text)
{
	output_print(d->output, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
	output_add_xml(d->output, text);
	output_add(d->output, "</text>\n");
}

/* At most `most` letters; a letter that is several bytes is not parted. */
static const char *cut(const struct diagram *d, const char *text, int most)
{
	size_t length = strlen(text);
	if (length <= (size_t)most)
		return text;
	for (length = (size_t)most - 1; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80; length--)
		;
	return arena_format(d->arena, "%.*s\xe2\x80\xa6", (int)length, text);
}

/* What a box says of its engine besides its form. */
static const char *mark_of(const struct diagram *d, const struct operation *operation)
{
	const char *class = class_of(d, operation);
	if (strcmp(class, "unknown") == 0)
		return " @?";
	return strcmp(class, "copy") == 0 ? arena_format(d->arena, " @%d", engine_of(d, operation)) : "";
}

static const char *label_of(const struct diagram *d, const struct operation *operation)
{
	bool event = operation->kind == OPERATION_WAIT || operation->kind == OPERATION_RECORD;
	const char *text =
		event ? arena_format(d->arena, "%s %s", operation_names[operation->kind], d->set->events[operation->event]) : operation->id;
	const char *engine = mark_of(d, operation);
	return arena_format(d->arena, "%s%s", cut(d, text, LABEL_MOST), engine);
}

static const char *title_of(const struct diagram *d, const struct operation *operation)
{
	const char *text = arena_format(d->arena, "%s: %s, %s", operation->id, operation_names[operation->kind], engine_name(d, operation));
	if (operation->kind == OPERATION_KERNEL && operation->kernel.blocks != NONE)
		text = arena_format(
			d->arena, "%s, %" PRId64 " block%s", text, operation->kernel.blocks, operation->kernel.blocks == 1 ? "" : "s");
	return operation->wcet == NONE || operation->kind == OPERATION_WAIT || operation->kind == OPERATION_RECORD
		       ? text
		       : arena_format(d->arena, "%s, WCET alone %" PRId64 " ns", text, operation->wcet);
}

/* ---- a task */

/* Work is coloured by its task; events and the CPU are not. */
static const char *fill_of(const struct diagram *d, const struct operation *operation)
{
	const struct taskset *set = d->set;
	int task = 0, index = (int)(operation - set->operations);
	if (operation->kind == OPERATION_HOST || operation->kind == OPERATION_WAIT || operation->kind == OPERATION_RECORD)
		return "";
	while (index >= set->tasks[task].first_operation + set->tasks[task].operation_count)
		task++;
	return arena_format(d->arena, " c%d", task % PALETTE_COLOURS);
}

static void add_box(struct diagram *d, const struct operation *operation, int left, int width, int top)
{
	const char *class = class_of(d, operation);
	d->boxes[operation - d->set->operations] = (struct box){left, left + width, top + BOX / 2};
	output_print(d->output, "<rect class=\"box %s%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\"><title>", class,
		fill_of(d, operation), left, top, width, BOX, strcmp(class, "event") == 0 ? BOX / 2 : 3);
	output_add_xml(d->output, title_of(d, operation));
	output_add(d->output, "</title></rect>\n");
	add_text(d, arena_format(d->arena, "in of-%s", class), left + width / 2, top + BOX / 2 + 4, label_of(d, operation));
}

/* From the end of one to the beginning of another, in the same row or not. */
static void add_order(struct diagram *d, const struct box *from, const struct box *to)
{
	int x = to->left - GAP / 2;
	output_print(d->output, "<path class=\"order\" d=\"M%d %dH%dV%dH%d\"/><path class=\"tip\" d=\"M%d %dl-5 -3v6z\"/>\n", from->right,
		from->middle, x, to->middle, to->left - 2, to->left, to->middle);
}

static bool is_host(const struct operation *operation)
{
	return operation->kind == OPERATION_HOST;
}

/* What has to be complete before it: on its stream the one before; for the CPU, and behind it, the one before in the job. */
static int before(const struct taskset *set, const struct task *task, int index)
{
	const struct operation *own = task_operation(set, task, index);
	for (int i = index - 1; i >= 0; i--) {
		const struct operation *other = task_operation(set, task, i);
		if (is_host(own) || is_host(other) || other->stream == own->stream)
			return i;
	}
	return -1;
}

/* The row of a stream in its task's part: by its first use. NO_ID, the CPU, has one of its own. */
static int row_of(const struct taskset *set, const struct task *task, int index)
{
	int row = 0;
	for (int i = 0; i <= index; i++) {
		int stream = task_operation(set, task, i)->stream;
		bool seen = false;
		for (int j = 0; j < i && !seen; j++)
			seen = task_operation(set, task, j)->stream == stream;
		if (stream == task_operation(set, task, index)->stream)
			return row;
		row += !seen;
	}
	return row;
}

static const char *stream_name(const struct diagram *d, int stream)
{
	if (stream == NO_ID)
		return "CPU";
	return cut(d, arena_format(d->arena, "stream %s", d->set->streams[stream].id), LETTERS_OF(LEFT));
}

static const char *time_text(const struct diagram *d, int64_t ns)
{
	return duration_exact(d->arena, ns);
}

static void add_head(struct diagram *d, const struct task *task)
{
	const char *id = arena_format(d->arena, "task %s", cut(d, task->id, 40));
	const char *text = arena_format(d->arena, "every %s", time_text(d, task->arrival.period));
	if (task->deadline != NONE)
		text = arena_format(d->arena, "%s, deadline %s", text, time_text(d, task->deadline));
	if (task->application != NO_ID)
		text = arena_format(
			d->arena, "%s, in context %s", text, d->set->applications[taskset_context(d->set, task->application)].id);
	add_text(d, "task", 10, d->top + 14, id);
	add_text(d, "soft", 26 + 9 * (int)strlen(id), d->top + 14, text);
	d->top += 22;
}

/* Rows of the first `count` operations; how many there are. */
static int add_rows(struct diagram *d, const struct task *task, int count)
{
	int rows = 0;
	for (int i = 0; i < count; i++) {
		int row = row_of(d->set, task, i);
		if (row < rows)
			continue;
		output_print(d->output, "<rect class=\"lane\" x=\"%d\" y=\"%d\" width=\"100%%\" height=\"%d\"/>\n", LEFT,
			d->top + row * ROW, ROW - 4);
		add_text(d, "name", LEFT - 10, d->top + row * ROW + ROW / 2 + 2, stream_name(d, task_operation(d->set, task, i)->stream));
		rows = row + 1;
	}
	return rows;
}

static void add_task(struct diagram *d, const struct task *task)
{
	int count = task->operation_count < OPERATIONS_MOST ? task->operation_count : OPERATIONS_MOST, x = LEFT + GAP;
	add_head(d, task);
	int rows = add_rows(d, task, count);
	for (int i = 0; i < count; i++) {
		const struct operation *operation = task_operation(d->set, task, i);
		int width = 16 + LETTER * (int)strlen(label_of(d, operation));
		add_box(d, operation, x, width < 40 ? 40 : width, d->top + row_of(d->set, task, i) * ROW + (ROW - 4 - BOX) / 2);
		x = d->boxes[operation - d->set->operations].right + GAP;
		int from = before(d->set, task, i);
		if (from >= 0)
			add_order(d, &d->boxes[task->first_operation + from], &d->boxes[operation - d->set->operations]);
	}
	if (task->operation_count > count) {
		const char *more = arena_format(d->arena, "... and %d more operations", task->operation_count - count);
		add_text(d, "soft", x, d->top + ROW / 2 + 2, more);
		x += LETTER * (int)strlen(more);
	}
	d->width = x + GAP > d->width ? x + GAP : d->width;
	d->top += rows * ROW + 8;
}

/* ---- events */

/* The record that a wait is about: the last before it in its job, else that of another task. */
static int record_of(const struct taskset *set, const struct task *task, int wait)
{
	int found = NO_ID;
	for (int i = 0; i < set->operation_count; i++) {
		bool own = i >= task->first_operation && i < task->first_operation + task->operation_count;
		if (set->operations[i].kind != OPERATION_RECORD || set->operations[i].event != set->operations[wait].event)
			continue;
		if (own && i < wait)
			found = i;
		else if (!own && found == NO_ID)
			found = i;
	}
	return found;
}

static void add_edge(struct diagram *d, const struct box *from, const struct box *to)
{
	bool down = to->middle >= from->middle;
	int side = BOX / 2, x1 = (from->left + from->right) / 2, x2 = (to->left + to->right) / 2;
	int y1 = from->middle + (down ? side : -side), y2 = to->middle + (down ? -side : side), bend = down ? 14 : -14;
	output_print(d->output, "<path class=\"edge\" d=\"M%d %dC%d %d %d %d %d %d\"/><path class=\"edge-tip\" d=\"M%d %dl-4 %dh8z\"/>\n",
		x1, y1, x1, y1 + bend, x2, y2 - bend, x2, y2, x2, y2, down ? -7 : 7);
}

static void add_edges(struct diagram *d)
{
	for (int t = 0; t < d->set->task_count; t++) {
		const struct task *task = &d->set->tasks[t];
		for (int i = task->first_operation; i < task->first_operation + task->operation_count; i++) {
			if (d->set->operations[i].kind != OPERATION_WAIT || d->boxes[i].right == 0)
				continue;
			int from = record_of(d->set, task, i);
			if (from != NO_ID && d->boxes[from].right > 0)
				add_edge(d, &d->boxes[from], &d->boxes[i]);
		}
	}
}

/* ---- the whole */

/* The forms that anything here has: what each needs. */
static void add_legend(struct diagram *d)
{
	static const struct {
		const char *class, *text;
	} forms[] = {{"kernel", "execution engine"}, {"copy", "@0, @1: copy engine 0, 1"}, {"unknown", "@?: its engine is not known"},
		{"host", "on the CPU"}, {"event", "event (dashed: record to wait)"}};
	int x = 10;
	for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
		bool used = false;
		for (int i = 0; i < d->set->operation_count; i++)
			used |= strcmp(class_of(d, &d->set->operations[i]), forms[f].class) == 0;
		if (!used)
			continue;
		bool plain = strcmp(forms[f].class, "host") != 0;
		output_print(d->output, "<rect class=\"box %s%s\" x=\"%d\" y=\"8\" width=\"14\" height=\"14\" rx=\"%d\"/>\n",
			forms[f].class, plain ? " plain" : "", x, strcmp(forms[f].class, "event") == 0 ? 7 : 3);
		add_text(d, "", x + 20, 20, forms[f].text);
		x += 40 + LETTER * (int)strlen(forms[f].text);
	}
	add_text(d, "soft", x, 20, "a colour a task");
	x += LETTER * 16;
	d->width = x > d->width ? x : d->width;
}

void report_streams_svg(struct output *output, struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	struct output body = {0};
	struct diagram d = {.output = &body, .arena = arena, .platform = platform, .set = set, .top = 36, .width = WIDTH};
	int tasks = set->task_count < TASKS_MOST ? set->task_count : TASKS_MOST;
	d.boxes = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *d.boxes);
	add_legend(&d);
	for (int t = 0; t < tasks; t++)
		add_task(&d, &set->tasks[t]);
	if (set->task_count > tasks) {
		add_text(&d, "soft", 10, d.top + 14, arena_format(arena, "... and %d more tasks", set->task_count - tasks));
		d.top += 22;
	}
	add_edges(&d);
	output_print(output,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"streams\" role=\"img\" "
		"width=\"%d\" "
		"height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>Tasks, streams, engines and events of ",
		d.width, d.top, d.width, d.top);
	output_add_xml(output, set->id);
	output_print(output,
		"</title>\n<desc>A part for each task, a row for each of its streams, boxes in the order of issue; arrows from record to "
		"wait.</desc>\n<style>%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
		style);
	output_add_bytes(output, body.text, body.length);
	output_add(output, "</svg>\n");
	output_finish(&body);
}
