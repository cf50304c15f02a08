/* The SMs of a timeline: a block is as high as its warps, and lies on those below it. */
#include "simulate/timeline.h"

#include <inttypes.h>

static int64_t sm_count(const struct timeline *timeline)
{
	return platform_value(timeline->record->platform, PARAMETER_SM_COUNT);
}

static int sm_height(const struct timeline *timeline)
{
	int64_t count = sm_count(timeline);
	return count <= 4 ? 72 : count <= 8 ? 48 : count <= 16 ? 28 : count <= 40 ? 14 : 6;
}

struct stack { /* of one SM: the blocks on it, with the warps that each covers */
	struct standing {
		int64_t instance, block, begin;
		int application, slot, from, warps;
	} * items;
	int count;
};

static int lowest(const struct stack *stack, int warps, int application, int capacity)
{
	for (int from = 0; from + warps <= capacity; from++) {
		bool covered = false;
		for (int i = 0; i < stack->count && !covered; i++)
			covered = stack->items[i].application == application && stack->items[i].from < from + warps &&
				  from < stack->items[i].from + stack->items[i].warps;
		if (!covered)
			return from;
	}
	return 0;
}

static void draw_piece(struct timeline *timeline, const struct bar *whole, int64_t begin, int64_t end)
{
	struct bar piece = *whole;
	piece.begin = checked_max(begin, whole->begin);
	piece.end = checked_min(end, whole->end);
	if (piece.begin < piece.end)
		drawing_bar(&timeline->drawing, &piece);
}

/* A block stands on its SM while its application is loaded. */
static void draw_block(struct timeline *timeline, const struct standing *standing, const struct event *end, int scale)
{
	struct drawing *drawing = &timeline->drawing;
	int height = sm_height(timeline), low = standing->from * height / scale;
	int high = (standing->from + standing->warps) * height / scale;
	const char *id = timeline->record->set->operations[end->operation].id;
	const char *what = arena_format(timeline->record->arena, "%s #%" PRId64 " block %" PRId64, id, end->job, end->block);
	struct bar bar = {standing->begin, end->time, drawing->top + height - high, high > low ? high - low : 1, "block",
		arena_format(timeline->record->arena, "%s[%" PRId64 "]", id, end->block),
		timeline_title(timeline, what, standing->begin, end->time), end->task};
	if (timeline->turn_count == 0)
		drawing_bar(drawing, &bar);
	for (int i = 0; i < timeline->turn_count && timeline->turns[i].begin < end->time; i++)
		if (timeline->turns[i].application == end->application)
			draw_piece(timeline, &bar, timeline->turns[i].begin, timeline->turns[i].end);
}

static void add_block(struct stack *stack, const struct event *event, int capacity)
{
	int warps = (int)checked_div_ceil(event->threads, THREADS_A_WARP), from = lowest(stack, warps, event->application, capacity);
	stack->items[stack->count++] = (struct standing){.instance = event->instance,
		.block = event->block,
		.begin = event->start,
		.application = event->application,
		.slot = event->slot,
		.from = from,
		.warps = warps};
}

static void end_block(struct timeline *timeline, struct stack *stack, const struct event *event, int scale)
{
	for (int i = 0; i < stack->count; i++)
		if (stack->items[i].instance == event->instance && stack->items[i].slot == event->slot) {
			if (scale > 0)
				draw_block(timeline, &stack->items[i], event, scale);
			stack->items[i] = stack->items[--stack->count];
			return;
		}
}

static void draw_stops(struct timeline *timeline, int sm)
{
	const struct run_record *record = timeline->record;
	int half = sm >= (sm_count(timeline) + 1) / 2;
	int64_t begin = -1;
	for (int i = 0; i < record->count; i++) {
		struct event event = run_record_event(record, i);
		if ((event.kind != EVENT_STOP_BEGIN && event.kind != EVENT_STOP_END) || (event.sm != NO_ID && event.sm != half))
			continue;
		if (event.kind == EVENT_STOP_END && begin >= 0)
			drawing_bar(&timeline->drawing, &(struct bar){begin, event.time, timeline->drawing.top, sm_height(timeline), "stop",
								NULL, timeline_title(timeline, "stop", begin, event.time), -1});
		begin = event.kind == EVENT_STOP_BEGIN ? event.time : -1;
	}
}

static bool is_of_block(const struct event *event)
{
	return event->kind == EVENT_BLOCK_BEGIN || event->kind == EVENT_BLOCK_END;
}

/* The events by SM, in one pass: first[sm] .. first[sm + 1] in order. */
static int *sort_by_sm(const struct timeline *timeline, int *first)
{
	const struct run_record *record = timeline->record;
	int sms = (int)sm_count(timeline), *sorted = arena_allocate(record->arena, (size_t)record->count + 1, sizeof *sorted);
	for (int i = 0; i < record->count; i++) {
		struct event event = run_record_event(record, i);
		if (is_of_block(&event))
			first[event.sm + 1]++;
	}
	for (int sm = 0; sm < sms; sm++)
		first[sm + 1] += first[sm];
	int *next = arena_allocate(record->arena, (size_t)sms + 1, sizeof *next);
	for (int sm = 0; sm < sms; sm++)
		next[sm] = first[sm];
	for (int i = 0; i < record->count; i++) {
		struct event event = run_record_event(record, i);
		if (is_of_block(&event))
			sorted[next[event.sm]++] = i;
	}
	return sorted;
}

/* The SM's blocks, drawn where `scale` is above zero: so many warps fill a row. Returns the greatest height in warps. */
static int stack_blocks(struct timeline *timeline, struct stack *stack, const int *sorted, int count, int scale)
{
	int capacity = (int)platform_value(timeline->record->platform, PARAMETER_SM_WARPS), peak = 0;
	stack->count = 0;
	for (int i = 0; i < count; i++) {
		struct event event = run_record_event(timeline->record, sorted[i]);
		if (event.kind == EVENT_BLOCK_END) {
			end_block(timeline, stack, &event, scale);
			continue;
		}
		add_block(stack, &event, capacity);
		int top = stack->items[stack->count - 1].from + stack->items[stack->count - 1].warps;
		peak = top > peak ? top : peak;
	}
	return peak;
}

static bool too_many_blocks(const struct run_record *record)
{
	int64_t blocks = 0;
	for (int i = 0; i < record->count && record->blocks_most > 0; i++) {
		struct event event = run_record_event(record, i);
		blocks += event.kind == EVENT_BLOCK_BEGIN && (record->to <= record->from || event.time < record->to);
	}
	return blocks > record->blocks_most;
}

void timeline_draw_sms(struct timeline *timeline)
{
	const struct run_record *record = timeline->record;
	if (record->blocks_most > 0 && too_many_blocks(record)) {
		drawing_heading(&timeline->drawing,
			arena_format(record->arena, "SMs: more than %" PRId64 " blocks, not drawn", record->blocks_most));
		return;
	}
	int sms = (int)sm_count(timeline), scale = 1;
	int *first = arena_allocate(record->arena, (size_t)sms + 1, sizeof *first), *sorted = sort_by_sm(timeline, first);
	struct stack stack = {arena_allocate(record->arena, (size_t)record->count + 1, sizeof *stack.items), 0};
	for (int sm = 0; sm < sms; sm++) {
		int peak = stack_blocks(timeline, &stack, sorted + first[sm], first[sm + 1] - first[sm], 0);
		scale = peak > scale ? peak : scale;
	}
	drawing_heading(&timeline->drawing, arena_format(record->arena, "SMs: a row is %d warps", scale));
	for (int sm = 0; sm < sms; sm++) {
		stack_blocks(timeline, &stack, sorted + first[sm], first[sm + 1] - first[sm], scale);
		draw_stops(timeline, sm);
		const char *name = arena_format(record->arena, "SM %d", sm);
		drawing_row(&timeline->drawing, sm_height(timeline), sm_height(timeline) > 10 || sm % 8 == 0 ? name : NULL);
	}
}
