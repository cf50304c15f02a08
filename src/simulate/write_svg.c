/* A run as a timeline: tasks with releases and deadlines, streams, engines, SMs. */
#include "simulate/timeline.h"

#include "base/palette.h"

#include <inttypes.h>
#include <string.h>

#define TOP 64   /* px above the first row: title, legend, times */
#define MARKS 62 /* px: the uppermost of three marks above the times, which move down for them */
#define MARK 14
#define TASK_ROW 30
#define STREAM_ROW 18
#define LANE 14
#define LANES 4 /* of kernels beside each other on an execution engine */

/* All rules are below one class, so that the picture can stand inside of a page. */
#define T ".timeline "
static const char style[] = T
	"text{font:11px sans-serif;fill:#222}" T ".title{font-size:15px;font-weight:bold}" T ".heading{font-weight:bold}" T
	".name{text-anchor:end}" T ".in{text-anchor:middle;font-size:10px;fill:#111}" T
	".tick{text-anchor:middle;fill:#666;font-size:10px}" T ".paper{fill:#fff}" T ".row{stroke:#ccc}" T ".grid{stroke:#e4e4e4}" T
	".job{fill-opacity:.3}" T ".host{fill-opacity:.75}" T ".work," T ".block{stroke:#fff;stroke-width:.4}" T ".wait{fill-opacity:.25}" T
	".slice{fill:#eee;stroke:#bbb;stroke-width:.5}" T ".stop{fill:#888;fill-opacity:.45}" T ".release{stroke:#222;fill:#222}" T
	".nominal{stroke:#999;fill:#999}" T ".deadline{stroke:#222;fill:#222}" T ".missed{stroke:#d00;fill:#d00;stroke-width:2}" T
	".seen," T ".bound{fill:none;stroke-width:1.5}" T ".seen{stroke:#222;stroke-dasharray:2 3}" T
	".bound{stroke:#222;stroke-dasharray:7 3}" T ".of-seen," T ".of-bound{text-anchor:end;font-weight:bold}" T
	".of-bound{text-anchor:middle}" T ".of-bound{fill:#222}" T ".response{fill:none;stroke:#222;stroke-width:1.5}" PALETTE_STYLE(
		T) "@media screen and (prefers-color-scheme:dark){" T "text{fill:#e3e7eb}" T ".tick{fill:#a3adb7}" T
		   ".paper{fill:#15181c}" T ".row{stroke:#454d55}" T ".grid{stroke:#2a3037}" T ".work," T ".block{stroke:#15181c}" T
		   ".slice{fill:#262c32;stroke:#5a646e}" T ".release{stroke:#e3e7eb;fill:#e3e7eb}" T
		   ".deadline{stroke:#e3e7eb;fill:#e3e7eb}" T ".missed{stroke:#ff6b63;fill:#ff6b63}" T ".in{fill:#111}" T ".seen," T
		   ".response{stroke:#e3e7eb}" T ".bound{stroke:#e3e7eb}" T ".of-bound{fill:#e3e7eb}" T ".of-job{fill:#e3e7eb}}";
#undef T

static const char *of_job(const struct timeline *timeline, int operation, int64_t job)
{
	return arena_format(timeline->record->arena, "%s #%" PRId64, timeline->record->set->operations[operation].id, job);
}

const char *timeline_title(const struct timeline *timeline, const char *what, int64_t begin, int64_t end)
{
	return arena_format(timeline->record->arena, "%s: %" PRId64 " to %" PRId64 " ns, %" PRId64 " ns", what, begin, end, end - begin);
}

/* ---- tasks: jobs from release to completion, host segments in them, releases up and deadlines down */
static int64_t completion(const struct timeline *timeline, int task, int64_t job)
{
	for (int i = 0; i < timeline->record->count; i++) {
		struct event event = run_record_event(timeline->record, i);
		if (event.kind == EVENT_COMPLETE && event.task == task && event.job == job)
			return event.time;
	}
	return timeline->end;
}

static void draw_job(struct timeline *timeline, const struct event *release)
{
	struct drawing *drawing = &timeline->drawing;
	const struct task *task = &timeline->record->set->tasks[release->task];
	int64_t end = completion(timeline, release->task, release->job);
	const char *label = arena_format(timeline->record->arena, "%s #%" PRId64, task->id, release->job);
	drawing_bar(drawing, &(struct bar){release->time, end, drawing->top + 9, TASK_ROW - 10, "job", label,
				     timeline_title(timeline, label, release->time, end), release->task});
}

static void draw_marks(struct timeline *timeline, const struct event *release)
{
	struct drawing *drawing = &timeline->drawing;
	const struct task *task = &timeline->record->set->tasks[release->task];
	int64_t deadline = task->deadline == NONE ? NONE : checked_add(release->nominal, task->deadline);
	bool missed = deadline != NONE && completion(timeline, release->task, release->job) > deadline;
	if (release->nominal != release->time)
		drawing_arrow(drawing, release->nominal, drawing->top, TASK_ROW, true, "nominal");
	drawing_arrow(drawing, release->time, drawing->top, TASK_ROW, true, "release");
	if (deadline != NONE)
		drawing_arrow(drawing, deadline, drawing->top, TASK_ROW, false, missed ? "missed" : "deadline");
}

static void draw_hosts(struct timeline *timeline, int task)
{
	for (int i = 0; i < timeline->activities.count; i++) {
		const struct activity *host = &timeline->activities.items[i];
		if (host->task != task || timeline->record->set->operations[host->operation].kind != OPERATION_HOST)
			continue;
		int64_t end = host->end < 0 ? timeline->end : host->end;
		const char *label = of_job(timeline, host->operation, host->job);
		drawing_bar(&timeline->drawing, &(struct bar){host->begin, end, timeline->drawing.top + 19, TASK_ROW - 20, "host", label,
							timeline_title(timeline, label, host->begin, end), task});
	}
}

static bool is_left_out(const struct run_record *record, int row)
{
	return record->rows_most > 0 && row >= record->rows_most;
}

static void tell_of_more(struct timeline *timeline, int left_out, const char *what)
{
	if (left_out <= 0)
		return;
	timeline->drawing.top += 16;
	drawing_text(&timeline->drawing, DRAWING_LEFT, timeline->drawing.top - 4, "more",
		arena_format(timeline->record->arena, "... and %d more %s", left_out, what));
}

/* The marked task first of all that are not shown for their number. */
static bool is_shown(const struct run_record *record, int task)
{
	return !is_left_out(record, task) || (record->marked.drawn && record->marked.task == task);
}

static void draw_releases(struct timeline *timeline, int task, void (*draw)(struct timeline *timeline, const struct event *release))
{
	for (int i = 0; i < timeline->record->count; i++) {
		struct event event = run_record_event(timeline->record, i);
		if (event.kind == EVENT_RELEASE && event.task == task)
			draw(timeline, &event);
	}
}

static int count_left_out(const struct run_record *record, int rows)
{
	return record->rows_most > 0 ? rows - record->rows_most : 0;
}

static void draw_tasks(struct timeline *timeline)
{
	const struct run_record *record = timeline->record;
	int left_out = 0;
	drawing_heading(&timeline->drawing, "Tasks");
	for (int task = 0; task < record->set->task_count; task++) {
		if (!is_shown(record, task)) {
			left_out++;
			continue;
		}
		draw_releases(timeline, task, draw_job);
		draw_hosts(timeline, task);
		draw_releases(timeline, task, draw_marks);
		drawing_row(&timeline->drawing, TASK_ROW, record->set->tasks[task].id);
	}
	tell_of_more(timeline, left_out, "tasks");
}

/* ---- streams: each operation from engine-ready, pale while it waits */
static void draw_operation(struct timeline *timeline, const struct activity *activity)
{
	struct drawing *drawing = &timeline->drawing;
	int64_t begin = activity->begin < 0 ? timeline->end : activity->begin, end = activity->end < 0 ? timeline->end : activity->end;
	const char *label = of_job(timeline, activity->operation, activity->job);
	if (activity->ready < 0 || end <= activity->ready)
		return;
	if (begin > activity->ready)
		drawing_bar(drawing,
			&(struct bar){activity->ready, begin, drawing->top + 4, STREAM_ROW - 8, "wait", NULL,
				timeline_title(timeline, arena_format(timeline->record->arena, "%s waits", label), activity->ready, begin),
				activity->task});
	drawing_bar(drawing, &(struct bar){begin, end, drawing->top, STREAM_ROW, "work", label, timeline_title(timeline, label, begin, end),
				     activity->task});
}

static void draw_streams(struct timeline *timeline)
{
	const struct taskset *set = timeline->record->set;
	drawing_heading(&timeline->drawing, "Streams");
	for (int stream = 0; stream < set->stream_count && !is_left_out(timeline->record, stream); stream++) {
		for (int i = 0; i < timeline->activities.count; i++)
			if (set->operations[timeline->activities.items[i].operation].stream == stream)
				draw_operation(timeline, &timeline->activities.items[i]);
		drawing_row(&timeline->drawing, STREAM_ROW, set->streams[stream].id);
	}
	tell_of_more(timeline, count_left_out(timeline->record, set->stream_count), "streams");
}

/* ---- engines: slices with the kernels in lanes over them; copies */
static void collect_turns(struct timeline *timeline)
{
	const struct run_record *record = timeline->record;
	timeline->turns = arena_allocate(record->arena, (size_t)record->count + 1, sizeof *timeline->turns);
	for (int i = 0; i < record->count; i++) {
		struct event event = run_record_event(record, i);
		if (event.kind == EVENT_SLICE_BEGIN)
			timeline->turns[timeline->turn_count++] = (struct turn){event.application, event.time, timeline->end};
		else if (event.kind == EVENT_SLICE_END && timeline->turn_count > 0)
			timeline->turns[timeline->turn_count - 1].end = event.time;
	}
}

static void draw_slices(struct timeline *timeline, int application, int height)
{
	for (int i = 0; i < timeline->turn_count; i++) {
		const struct turn *turn = &timeline->turns[i];
		if (turn->application == application)
			drawing_bar(&timeline->drawing, &(struct bar){turn->begin, turn->end, timeline->drawing.top, height, "slice", NULL,
								timeline_title(timeline, "slice", turn->begin, turn->end), -1});
	}
}

static bool is_kernel_of(const struct activity *activity, int application)
{
	return activity->blocks > 0 && activity->application == application && activity->begin >= 0;
}

/* The lane of each kernel: the first that is free when it begins; how many there are. */
static int spread(const struct timeline *timeline, int application, int *lanes)
{
	int64_t busy_until[LANES] = {0};
	int used = 1;
	for (int i = 0; i < timeline->activities.count; i++) {
		const struct activity *kernel = &timeline->activities.items[i];
		if (!is_kernel_of(kernel, application))
			continue;
		int lane = 0;
		while (lane < LANES - 1 && busy_until[lane] > kernel->begin)
			lane++;
		busy_until[lane] = kernel->end < 0 ? timeline->end : kernel->end;
		lanes[i] = lane;
		used = lane + 1 > used ? lane + 1 : used;
	}
	return used;
}

static void draw_execution(struct timeline *timeline, int application)
{
	struct drawing *drawing = &timeline->drawing;
	int *lanes = arena_allocate(timeline->record->arena, (size_t)timeline->activities.count + 1, sizeof *lanes);
	int used = spread(timeline, application, lanes);
	draw_slices(timeline, application, used * LANE + 4);
	for (int i = 0; i < timeline->activities.count; i++) {
		const struct activity *kernel = &timeline->activities.items[i];
		if (!is_kernel_of(kernel, application))
			continue;
		int64_t end = kernel->end < 0 ? timeline->end : kernel->end;
		const char *label = of_job(timeline, kernel->operation, kernel->job);
		drawing_bar(drawing, &(struct bar){kernel->begin, end, drawing->top + lanes[i] * LANE + 3, LANE - 2, "work", label,
					     timeline_title(timeline, label, kernel->begin, end), kernel->task});
	}
	drawing_row(drawing, used * LANE + 4,
		arena_format(timeline->record->arena, "execution: %s", timeline->record->set->applications[application].id));
}

static void draw_copies(struct timeline *timeline, int engine)
{
	struct drawing *drawing = &timeline->drawing;
	bool any = false;
	for (int i = 0; i < timeline->activities.count; i++)
		any |= timeline->activities.items[i].engine == engine;
	if (!any)
		return;
	draw_slices(timeline, NO_ID, STREAM_ROW);
	for (int i = 0; i < timeline->activities.count; i++) {
		const struct activity *copy = &timeline->activities.items[i];
		if (copy->engine != engine || copy->blocks > 0)
			continue;
		int64_t end = copy->end < 0 ? timeline->end : copy->end;
		const char *label = of_job(timeline, copy->operation, copy->job);
		drawing_bar(drawing, &(struct bar){copy->begin, end, drawing->top + 2, STREAM_ROW - 4, "work", label,
					     timeline_title(timeline, label, copy->begin, end), copy->task});
	}
	drawing_row(drawing, STREAM_ROW, arena_format(timeline->record->arena, "copy engine %d", engine));
}

static bool has_kernels(const struct timeline *timeline, int application)
{
	for (int i = 0; i < timeline->activities.count; i++)
		if (timeline->activities.items[i].blocks > 0 && timeline->activities.items[i].application == application)
			return true;
	return false;
}

static void draw_engines(struct timeline *timeline)
{
	int64_t engines = platform_value(timeline->record->platform, PARAMETER_COPY_ENGINES);
	drawing_heading(&timeline->drawing, "Engines");
	for (int a = 0; a < timeline->record->set->application_count && !is_left_out(timeline->record, a); a++)
		if (has_kernels(timeline, a))
			draw_execution(timeline, a);
	tell_of_more(timeline, count_left_out(timeline->record, timeline->record->set->application_count), "contexts");
	for (int engine = 0; engine < (engines == NONE ? DIRECTION_COUNT : engines); engine++)
		draw_copies(timeline, engine);
}

/* ---- the page */
static void draw_legend(struct timeline *timeline)
{
	struct drawing *drawing = &timeline->drawing;
	int x = DRAWING_LEFT;
	for (int task = 0; task < timeline->record->set->task_count && x < DRAWING_LEFT + drawing->plot - 500; task++) {
		const char *id = timeline->record->set->tasks[task].id;
		output_print(
			drawing->output, "<rect class=\"c%d\" x=\"%d\" y=\"30\" width=\"12\" height=\"12\"/>\n", task % DRAWING_COLOURS, x);
		drawing_text(drawing, x + 16, 40, "legend", id);
		for (x += 40; *id != '\0'; id++)
			x += 7;
	}
	drawing_text(drawing, x + 10, 40, "legend", "\xe2\x86\x91 release  \xe2\x86\x93 deadline (red: missed)  pale: waits");
}

/* "12.002708 ms": exact. */
static const char *milliseconds(const struct timeline *timeline, int64_t ns)
{
	char *text = arena_format(timeline->record->arena, "%" PRId64 ".%06d", ns / 1000000, (int)(ns % 1000000));
	size_t length = strlen(text);
	while (text[length - 1] == '0')
		text[--length] = '\0';
	if (text[length - 1] == '.')
		text[length - 1] = '\0';
	return arena_format(timeline->record->arena, "%s ms", text);
}

/* From its release to its completion, and where its bound is. */
static void draw_marked(struct timeline *timeline, int bottom)
{
	const struct record_mark *mark = &timeline->record->marked;
	struct arena *arena = timeline->record->arena;
	if (!mark->drawn)
		return;
	drawing_line(&timeline->drawing, mark->release, MARKS + 2 * MARK, bottom, "seen", "release");
	drawing_line(&timeline->drawing, checked_add(mark->release, mark->response), MARKS + MARK, bottom, "seen",
		arena_format(arena, "complete: %s", milliseconds(timeline, mark->response)));
	if (mark->bound != NONE)
		drawing_line(&timeline->drawing, checked_add(mark->release, mark->bound), MARKS, bottom, "bound",
			arena_format(arena, "bound: %s", milliseconds(timeline, mark->bound)));
}

static int top_of(const struct run_record *record)
{
	return record->marked.drawn ? TOP + 2 + 3 * MARK : TOP;
}

static void draw_body(struct timeline *timeline)
{
	timeline->drawing.top = top_of(timeline->record);
	draw_tasks(timeline);
	draw_streams(timeline);
	draw_engines(timeline);
	timeline_draw_sms(timeline);
}

/* A deadline of the last job may lie behind the last event: it is shown. */
static int64_t last_time(const struct run_record *record)
{
	int64_t last = record->end + 1;
	for (int i = 0; i < record->count; i++) {
		struct event event = run_record_event(record, i);
		int64_t deadline = event.kind == EVENT_RELEASE ? record->set->tasks[event.task].deadline : NONE;
		if (deadline != NONE)
			last = checked_max(last, checked_add(event.nominal, deadline));
	}
	return checked_min(last, NONE - 1);
}

void run_record_write_svg(const struct run_record *record, struct output *output)
{
	struct output body = {0};
	struct timeline timeline = {.record = record, .end = record->end, .activities = run_record_activities(record)};
	timeline.drawing =
		(struct drawing){&body, record->from, record->to > record->from ? record->to : last_time(record), record->plot, 0};
	timeline.drawing.from = checked_min(record->from, timeline.drawing.to - 1);
	collect_turns(&timeline);
	draw_body(&timeline);
	int bottom = timeline.drawing.top + 6, height = bottom + 24, width = DRAWING_LEFT + record->plot + DRAWING_RIGHT;
	output_print(output,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"timeline\" role=\"img\" "
		"width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n<title>",
		width, height, width, height);
	const char *title = arena_format(record->arena, "%s on %s, seed %" PRIu64, record->set->id, record->platform->id, record->seed);
	output_add_xml(output, title);
	output_print(output,
		": a run in time</title>\n<desc>Rows of tasks, streams, engines and SMs; bars are jobs, operations and blocks. As a table: "
		"gpubound "
		"simulate with the option operations.</desc>\n<style>%s</style>\n<rect class=\"paper\" width=\"100%%\" "
		"height=\"100%%\"/>\n",
		style);
	timeline.drawing.output = output;
	timeline.drawing.top = top_of(record);
	drawing_text(&timeline.drawing, 10, 20, "title", title);
	draw_legend(&timeline);
	drawing_grid(&timeline.drawing, bottom);
	output_add_bytes(output, body.text, body.length);
	draw_marked(&timeline, bottom);
	output_add(output, "</svg>\n");
	output_finish(&body);
}
