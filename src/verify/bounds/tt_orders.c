#include "verify/bounds/tt_orders.h"

#include <string.h>

struct span {
	int64_t from, to;
};

struct point {              /* how far each task has got */
	int *passed;        /* [line] */
	struct span *ended; /* [line's first stream ...]: of the last visit there */
	struct span *slots;
	struct span *last;   /* [line]: completion of its last visit */
	struct span *issued; /* [line]: up to its end all operations are issued that its last visit was issued with */
	struct span *over;   /* [common stream]: the end of the job before there */
	int *holder;         /* [common stream]: 1 + the line whose job has it; 0: nobody's */
	int *inside;         /* [line]: 1: its visit is behind the gate, and comes out in */
	struct span *out;    /* [line]: this span, unless a lesser level comes */
	int64_t since;
	struct point *next;
};

struct explorer {
	struct orders *orders;
	int *first_stream; /* [line] */
	int stream_count;
	struct arena *layer;
	struct point *points, *beyond; /* of this number of visits, of one more */
	struct point **table;
	int count;
	bool apart; /* points whose slots by level are free at other times are not merged */
};

#define TABLE 4096

/* ---- when the next visit of each task arrives, or comes out of a gate */

/* Does the line's next visit begin a job on a stream that others use, too? */
static bool begins_in_common(const struct explorer *e, const struct point *point, int line)
{
	const struct line *of = &e->orders->lines[line];
	return of->common > 0 && !point->inside[line] && point->passed[line] < of->count &&
	       !checked_is_none(of->visits[point->passed[line]].release);
}

/* The last instant at which the first of those that compete for a stream is there. */
static int64_t first_there(const struct explorer *e, const struct point *point, int common, int *rivals)
{
	int64_t by = NONE;
	*rivals = 0;
	for (int i = 0; i < e->orders->line_count; i++)
		if (e->orders->lines[i].common == common && begins_in_common(e, point, i)) {
			const struct visit *visit = &e->orders->lines[i].visits[point->passed[i]];
			by = checked_min(by, checked_add(visit->release, visit->late));
		}
	for (int i = 0; i < e->orders->line_count; i++)
		if (e->orders->lines[i].common == common && begins_in_common(e, point, i)) {
			const struct visit *visit = &e->orders->lines[i].visits[point->passed[i]];
			*rivals += checked_add(visit->release, visit->delay_least) <= by;
		}
	return by;
}

/* Its job comes next in the stream: released no later than all rivals. */
static bool common_arrival(const struct explorer *e, const struct point *point, int line, struct span *span)
{
	const struct line *of = &e->orders->lines[line];
	const struct visit *visit = &of->visits[point->passed[line]];
	const struct span *over = &point->over[of->common - 1];
	int rivals;
	int64_t by = first_there(e, point, of->common, &rivals), there = checked_add(visit->release, visit->delay_least);
	if (point->holder[of->common - 1] != 0 || there > by)
		return false;
	span->from = checked_max(there, over->from);
	span->to = checked_min(checked_add(visit->release, visit->late), by);
	span->to = checked_add(checked_max(span->to, over->to), visit->stream_delay);
	return true;
}

/* Another line's job may have the stream instead. */
static bool may_be_passed(const struct explorer *e, const struct point *point, int line)
{
	int rivals = 0;
	if (begins_in_common(e, point, line))
		first_there(e, point, e->orders->lines[line].common, &rivals);
	return rivals > 1;
}

/* When it arrives if nothing but what its own job does is waited for. */
static struct span behind(const struct point *point, int line, const struct visit *visit)
{
	struct span base = {visit->release, visit->release};
	if (checked_is_none(visit->release))
		base = point->last[line];
	return (struct span){checked_add(base.from, visit->delay_least), checked_add(base.to, visit->delay_most)};
}

static bool arrival(const struct explorer *e, const struct point *point, int line, struct span *span)
{
	const struct line *of = &e->orders->lines[line];
	if (point->passed[line] == of->count)
		return false;
	if (point->inside[line]) {
		*span = point->out[line];
		return true;
	}
	if (begins_in_common(e, point, line))
		return common_arrival(e, point, line, span);
	const struct visit *visit = &of->visits[point->passed[line]];
	const struct span *ahead = &point->ended[e->first_stream[line] + visit->stream];
	*span = behind(point, line, visit);
	if (visit->issued_before)
		span->to = checked_max(span->to, checked_add(point->issued[line].to, visit->stream_delay));
	if (ahead->to >= 0) { /* somebody was there */
		span->from = checked_max(span->from, ahead->from);
		span->to = checked_max(span->to, checked_add(ahead->to, visit->stream_delay));
	}
	return true;
}

static const struct visit *visit_of(const struct explorer *e, const struct point *point, int line)
{
	return &e->orders->lines[line].visits[point->passed[line]];
}

/* If the line's next visit comes next it happens by then, or something before it. NONE: it cannot come next. */
static int64_t happens_by(const struct explorer *e, const struct point *point, int line)
{
	struct span span;
	if (!arrival(e, point, line, &span))
		return NONE;
	const struct station *station = &e->orders->stations[visit_of(e, point, line)->station];
	return station->rule == STATION_LEVELS ? checked_max(span.to, point->slots[station->first].to) : span.to;
}

/* One of the rivals for a stream comes next there, whichever. */
static int64_t rivals_by(const struct explorer *e, const struct point *point, int common)
{
	int64_t by = -1;
	for (int i = 0; i < e->orders->line_count; i++) {
		int64_t own = NONE;
		if (e->orders->lines[i].common == common && begins_in_common(e, point, i))
			own = happens_by(e, point, i);
		by = checked_is_none(own) ? by : checked_max(by, own);
	}
	return by < 0 ? NONE : by;
}

/* By then something must have happened. */
static int64_t deadline(const struct explorer *e, const struct point *point)
{
	int64_t earliest = NONE;
	for (int i = 0; i < e->orders->line_count; i++)
		if (!begins_in_common(e, point, i))
			earliest = checked_min(earliest, happens_by(e, point, i));
	for (int common = 1; common <= e->orders->common_count; common++)
		earliest = checked_min(earliest, rivals_by(e, point, common));
	return earliest;
}

/* The times at which this task's next visit can be the next event of all. */
static bool window(const struct explorer *e, const struct point *point, int line, int64_t by, struct span *when)
{
	struct span own, other;
	if (!arrival(e, point, line, &own))
		return false;
	const struct visit *visit = visit_of(e, point, line);
	const struct station *station = &e->orders->stations[visit->station];
	*when = (struct span){checked_max(own.from, point->since), checked_min(own.to, by)};
	if (station->rule == STATION_LEVELS) {
		*when = (struct span){checked_max(when->from, point->slots[station->first].from), by};
		for (int i = 0; i < e->orders->line_count; i++) {
			if (i == line || !arrival(e, point, i, &other) || visit_of(e, point, i)->station != visit->station ||
				may_be_passed(e, point, i))
				continue;
			int64_t level = visit_of(e, point, i)->level;
			if (level < visit->level)
				when->to = checked_min(when->to, other.to); /* at that very instant either may be first */
			if (level == visit->level && other.to < own.from)
				return false;
		}
	}
	return when->from <= when->to;
}

/* ---- a visit */
static void take_slot(struct span *slots, int count, int64_t from, int64_t to)
{
	slots[0] = (struct span){from, to};
	for (int i = 1; i < count; i++) { /* both ends ascending */
		if (slots[i].from < slots[i - 1].from) {
			int64_t swap = slots[i].from;
			slots[i].from = slots[i - 1].from;
			slots[i - 1].from = swap;
		}
		if (slots[i].to < slots[i - 1].to) {
			int64_t swap = slots[i].to;
			slots[i].to = slots[i - 1].to;
			slots[i - 1].to = swap;
		}
	}
}

/* Kernels that are served whole, side by side where there is room: the next block is dispatched at the latest when one that has room is
 * gone. What is later than the makespans' sum allows comes by that. */
static int64_t beside(const struct station *station, const struct visit *visit, struct span *slots, int64_t arrival)
{
	struct span *room = slots + 2;
	int count = station->slots - 2;
	int64_t end = 0, sum = checked_add(checked_max(slots[0].to, arrival), visit->most);
	slots[1].to = checked_add(checked_max(slots[1].to, arrival), station->launch);
	for (int64_t i = 0; i < visit->pieces; i++) {
		slots[1].to = checked_add(checked_max(slots[1].to, room[0].to), station->dispatch);
		end = checked_add(slots[1].to, visit->block);
		take_slot(room, count, 0, end);
	}
	for (int i = -1; i < count; i++) /* the last dispatch as well */
		room[i].to = checked_min(room[i].to, sum);
	slots[0].to = room[count - 1].to;
	return checked_min(end, sum);
}

static struct span served(const struct explorer *e, const struct visit *visit, struct point *point, struct span when)
{
	const struct station *station = &e->orders->stations[visit->station];
	struct span *slots = point->slots + station->first, end = {0, 0};
	if (station->rule == STATION_WHOLE && station->slots > 1)
		return (struct span){checked_add(when.from, visit->least), beside(station, visit, slots, when.to)};
	if (station->rule == STATION_WHOLE) {
		end = (struct span){checked_add(when.from, visit->least), checked_add(checked_max(when.to, slots[0].to), visit->most)};
		slots[0].to = end.to;
		return end;
	}
	if (station->rule == STATION_LEVELS) {
		for (int i = 1; i < station->slots; i++)
			slots[i] = (struct span){checked_max(slots[i].from, when.from), checked_max(slots[i].to, when.from)};
		end = (struct span){checked_add(when.from, visit->least), checked_add(when.to, visit->most)};
		take_slot(slots, station->slots, end.from, end.to);
		return end;
	}
	for (int64_t i = 0; i < visit->pieces; i++) {
		end.from = checked_add(checked_max(slots[0].from, when.from), visit->least);
		end.to = checked_add(checked_max(slots[0].to, when.to), visit->most);
		take_slot(slots, station->slots, end.from, end.to);
	}
	return end;
}

/* Levels at most its own go first, what runs of greater ones ends first; and it stops these if anything of theirs may still begin. */
static void enter(const struct explorer *e, struct point *point, int line, struct span when)
{
	const struct visit *visit = visit_of(e, point, line), *other;
	int64_t dispatch = e->orders->stations[visit->station].dispatch, begin = when.to, longest = NONE;
	for (int i = 0; i < e->orders->line_count; i++) {
		if (!point->inside[i])
			continue;
		other = visit_of(e, point, i);
		if (other->level > visit->level)
			longest = checked_is_none(longest) ? other->block : checked_max(longest, other->block);
	}
	bool stops = !checked_is_none(longest);
	if (stops)
		begin = checked_add(begin, checked_add(longest, dispatch));
	for (int i = 0; i < e->orders->line_count; i++) {
		if (!point->inside[i])
			continue;
		other = visit_of(e, point, i);
		if (other->level <= visit->level)
			begin = checked_max(begin, point->out[i].to);
		else if (checked_add(when.from, other->rest) <= point->out[i].to)
			point->out[i].to = checked_add(point->out[i].to, checked_add(visit->most, checked_max(longest, dispatch)));
	}
	point->inside[line] = 1;
	point->out[line] = (struct span){checked_add(when.from, visit->least), checked_add(begin, visit->most)};
}

static void *copied(struct arena *arena, const void *from, size_t count, size_t size)
{
	void *to = arena_allocate(arena, count + 1, size);
	memcpy(to, from, count * size);
	return to;
}

static struct point *copy(const struct explorer *e, struct arena *arena, const struct point *from)
{
	struct point *point = copied(arena, from, 1, sizeof *point);
	size_t lines = (size_t)e->orders->line_count;
	point->passed = copied(arena, from->passed, lines, sizeof *from->passed);
	point->last = copied(arena, from->last, lines, sizeof *from->last);
	point->issued = copied(arena, from->issued, lines, sizeof *from->issued);
	point->ended = copied(arena, from->ended, (size_t)e->stream_count, sizeof *from->ended);
	point->slots = copied(arena, from->slots, (size_t)e->orders->slot_count, sizeof *from->slots);
	point->over = copied(arena, from->over, (size_t)e->orders->common_count, sizeof *from->over);
	point->holder = copied(arena, from->holder, (size_t)e->orders->common_count, sizeof *from->holder);
	point->inside = copied(arena, from->inside, lines, sizeof *from->inside);
	point->out = copied(arena, from->out, lines, sizeof *from->out);
	return point;
}

static void widen(struct span *a, const struct span *b, int count)
{
	for (int i = 0; i < count; i++)
		a[i] = (struct span){checked_min(a[i].from, b[i].from), checked_max(a[i].to, b[i].to)};
}

/* Are all slots of stations by level possibly free at one time in both? */
static bool slots_meet(const struct explorer *e, const struct point *a, const struct point *b)
{
	for (int k = 0; k < e->orders->station_count; k++) {
		const struct station *station = &e->orders->stations[k];
		for (int i = station->first; i < station->first + station->slots && station->rule == STATION_LEVELS; i++)
			if (a->slots[i].from > b->slots[i].to || b->slots[i].from > a->slots[i].to)
				return false;
	}
	return true;
}

static bool merge(const struct explorer *e, struct point *into, const struct point *point)
{
	size_t lines = (size_t)e->orders->line_count;
	if (memcmp(into->passed, point->passed, lines * sizeof *point->passed) != 0 ||
		memcmp(into->inside, point->inside, lines * sizeof *point->inside) != 0 || (e->apart && !slots_meet(e, into, point)))
		return false;
	widen(into->last, point->last, e->orders->line_count);
	widen(into->issued, point->issued, e->orders->line_count);
	widen(into->ended, point->ended, e->stream_count);
	widen(into->slots, point->slots, e->orders->slot_count);
	widen(into->over, point->over, e->orders->common_count);
	widen(into->out, point->out, e->orders->line_count);
	into->since = checked_min(into->since, point->since);
	return true;
}

/* What is left of a point is one with all that it meets, and with what the wider one meets. */
static void add(struct explorer *e, struct point *point)
{
	uint64_t hash = 0;
	for (int i = 0; i < e->orders->line_count; i++)
		hash = (hash * 31 + (uint64_t)point->passed[i]) * 2 + (uint64_t)point->inside[i];
	struct point **bucket = &e->table[hash % TABLE], **link = bucket;
	while (*link != NULL) {
		if (!merge(e, point, *link)) {
			link = &(*link)->next;
			continue;
		}
		*link = (*link)->next;
		e->count--;
		link = e->apart ? bucket : link;
	}
	point->next = *bucket;
	*bucket = point;
	e->count++;
}

static bool gated(const struct explorer *e, const struct visit *visit)
{
	return e->orders->stations[visit->station].rule == STATION_GATE;
}

/* Who has the common stream now: the line, until its job's last visit. */
static void pass_on(const struct explorer *e, struct point *point, int line, struct span end)
{
	const struct line *of = &e->orders->lines[line];
	if (of->common == 0)
		return;
	bool last = !point->inside[line] && (point->passed[line] == of->count || begins_in_common(e, point, line));
	point->holder[of->common - 1] = last ? 0 : line + 1;
	if (last)
		point->over[of->common - 1] = end;
}

static void go(struct explorer *e, struct arena *arena, const struct point *from, int line, struct span when)
{
	struct point *point = copy(e, arena, from);
	struct visit *visit = &e->orders->lines[line].visits[point->passed[line]];
	struct span end = when;
	point->since = when.from;
	if (gated(e, visit) && !point->inside[line]) {
		enter(e, point, line, when);
	} else {
		end = point->inside[line] ? when : served(e, visit, point, when);
		point->inside[line] = 0;
		point->out[line] = (struct span){0, 0};
		point->passed[line]++;
		visit->latest = checked_max(visit->latest, end.to);
		if (!visit->issued_before)
			point->issued[line].to = checked_sub(behind(from, line, visit).to, visit->stream_delay);
		point->last[line] = point->ended[e->first_stream[line] + visit->stream] = end;
	}
	pass_on(e, point, line, end);
	add(e, point);
}

#define TRANSIENT 64 /* times as many points as are allowed, while some may still become one */

/* All points of one more visit; how many there are. */
static int advance(struct explorer *e)
{
	int64_t most = (int64_t)e->orders->width * (e->apart ? TRANSIENT : 1);
	struct arena *arena = arena_create();
	struct point **before = e->table;
	e->table = arena_allocate(arena, TABLE, sizeof *e->table);
	e->count = 0;
	for (int b = 0; b < TABLE; b++)
		for (const struct point *point = before[b]; point != NULL && e->count <= most; point = point->next) {
			int64_t by = deadline(e, point);
			for (int i = 0; i < e->orders->line_count; i++) {
				struct span when;
				if (window(e, point, i, by, &when))
					go(e, arena, point, i, when);
			}
		}
	arena_destroy(e->layer);
	e->layer = arena;
	return e->count;
}

static void begin(struct explorer *e, struct arena *arena)
{
	struct orders *orders = e->orders;
	e->first_stream = arena_allocate(arena, (size_t)orders->line_count + 1, sizeof *e->first_stream);
	for (int i = 0; i < orders->line_count; i++) {
		e->first_stream[i] = e->stream_count;
		e->stream_count += orders->lines[i].streams;
	}
	e->layer = arena_create();
	e->table = arena_allocate(e->layer, TABLE, sizeof *e->table);
	struct point point = {.passed = arena_allocate(arena, (size_t)orders->line_count + 1, sizeof(int)),
		.last = arena_allocate(arena, (size_t)orders->line_count + 1, sizeof(struct span)),
		.issued = arena_allocate(arena, (size_t)orders->line_count + 1, sizeof(struct span)),
		.ended = arena_allocate(arena, (size_t)e->stream_count + 1, sizeof(struct span)),
		.slots = arena_allocate(arena, (size_t)orders->slot_count + 1, sizeof(struct span)),
		.over = arena_allocate(arena, (size_t)orders->common_count + 1, sizeof(struct span)),
		.holder = arena_allocate(arena, (size_t)orders->common_count + 1, sizeof(int)),
		.inside = arena_allocate(arena, (size_t)orders->line_count + 1, sizeof(int)),
		.out = arena_allocate(arena, (size_t)orders->line_count + 1, sizeof(struct span))};
	for (int i = 0; i < e->stream_count; i++)
		point.ended[i] = (struct span){-1, -1};
	add(e, copy(e, e->layer, &point));
}

static bool explore(struct arena *arena, struct orders *orders, bool apart)
{
	struct explorer explorer = {.orders = orders, .apart = apart};
	int64_t visits = 0, points = 1;
	for (int i = 0; i < orders->line_count; i++)
		for (int j = 0; j < orders->lines[i].count; j++)
			visits += gated(&explorer, &orders->lines[i].visits[j]) ? 2 : 1;
	begin(&explorer, arena);
	for (int64_t i = 0; i < visits; i++) {
		int count = advance(&explorer);
		if (count == 0 || count > orders->width || (points += count) > orders->total)
			break;
		if (i + 1 == visits) {
			arena_destroy(explorer.layer);
			return true;
		}
	}
	arena_destroy(explorer.layer);
	return visits == 0;
}

/* The points of the first way cover no more than those of the second one, which are fewer: what it gave up adds nothing. */
bool tt_orders_explore(struct arena *arena, struct orders *orders)
{
	bool apart = false;
	for (int i = 0; i < orders->station_count; i++)
		apart |= orders->stations[i].rule == STATION_LEVELS && orders->stations[i].slots > 1;
	return (apart && explore(arena, orders, true)) || explore(arena, orders, false);
}
