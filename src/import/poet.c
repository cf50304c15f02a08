/* Task sets of POET (prosa.mpi-sws.org), fixed priority without preemption: YAML of one fixed layout.
 *
 * Source: the case studies of POET; a tick is taken as 1 us. An arrival curve is [horizon, [[length, count], ...]]: in windows of `length`
 * ticks or more, up to the next length, at most `count` arrivals. A higher number is a higher priority. */
#include "import/values.h"
#include "model/draft.h"
#include "import/write_imported.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TASKS 2000

struct poet_task {
	long line;
	int64_t id, wcet, deadline, priority, period, distance; /* ticks; NONE: not given */
	int64_t *numbers;                                       /* of the curve: horizon, then length and count by turns */
	int number_count, number_capacity;
};

struct poet {
	struct import_build *build;
	const char *path;
	struct poet_task *tasks;
	int count, capacity;
	bool in_curve, policy, preemption;
};

static void complain(struct poet *poet, long line, const char *text)
{
	diagnose(poet->build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, poet->path, line, "%s", text);
}

/* ---- reading */

static void add_task(struct poet *poet, long line)
{
	if (poet->count == TASKS) {
		diagnose(poet->build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, poet->path, line, "expected at most %d tasks", TASKS);
		return;
	}
	poet->tasks = arena_grow(poet->build->arena, poet->tasks, &poet->capacity, poet->count + 1, sizeof *poet->tasks);
	poet->tasks[poet->count++] = (struct poet_task){line, NONE, NONE, NONE, NONE, NONE, NONE, NULL, 0, 0};
}

static int64_t ticks(struct poet *poet, const char *text, const char *what, long line)
{
	int64_t value = value_read(poet->build, text, "", UNIT_COUNT, VALUE_EXACT, what, poet->path, line);
	if (*text == '\0')
		complain(poet, line, "expected a whole number of ticks");
	return value;
}

static void read_header(struct poet *poet, const char *key, const char *value, long line)
{
	if (strcmp(key, "scheduling policy") == 0 && strcmp(value, "FP") == 0)
		poet->policy = true;
	else if (strcmp(key, "preemption model") == 0 && strcmp(value, "NP") == 0)
		poet->preemption = true;
	else if (strcmp(key, "task set") != 0)
		complain(poet, line, "expected scheduling policy: FP, preemption model: NP, and the task set");
}

static void read_key(struct poet *poet, const char *key, const char *value, long line)
{
	if (strcmp(key, "id") == 0)
		add_task(poet, line);
	if (poet->count == 0) {
		read_header(poet, key, value, line);
		return;
	}
	struct poet_task *task = &poet->tasks[poet->count - 1];
	const struct {
		const char *key;
		int64_t *to;
	} keys[] = {{"id", &task->id}, {"worst-case execution time", &task->wcet}, {"deadline", &task->deadline},
		{"priority", &task->priority}, {"period", &task->period}, {"min interarrival", &task->distance}};
	poet->in_curve = strcmp(key, "arrival curve") == 0;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (strcmp(keys[i].key, key) != 0)
			continue;
		*keys[i].to = ticks(poet, value, key, line);
		return;
	}
	if (!poet->in_curve)
		complain(poet, line,
			"expected id, worst-case execution time, arrival curve, period, min interarrival, deadline or priority");
}

static void read_number(struct poet *poet, const char *text, long line)
{
	if (!poet->in_curve) {
		complain(poet, line, "expected a key and its value");
		return;
	}
	struct poet_task *task = &poet->tasks[poet->count - 1];
	task->numbers =
		arena_grow(poet->build->arena, task->numbers, &task->number_capacity, task->number_count + 1, sizeof *task->numbers);
	task->numbers[task->number_count++] = ticks(poet, text, "arrival curve", line);
}

static void read_line(struct poet *poet, char *text, long line)
{
	while (*text == ' ' || (text[0] == '-' && text[1] == ' '))
		text++;
	text = value_trim(text);
	if (*text == '\0' || *text == '#')
		return;
	char *colon = strchr(text, ':');
	if (colon == NULL) {
		read_number(poet, text, line);
		return;
	}
	*colon = '\0';
	read_key(poet, text, value_trim(colon + 1), line);
}

/* ---- checks */

static void check_curve(struct poet *poet, const struct poet_task *task)
{
	bool ordered = task->number_count >= 3 && task->number_count % 2 == 1 && task->numbers[1] == 1;
	for (int i = 3; ordered && i < task->number_count; i += 2)
		ordered = task->numbers[i] > task->numbers[i - 2] && task->numbers[i + 1] > task->numbers[i - 1];
	if (ordered && task->numbers[2] > 0 && task->numbers[task->number_count - 2] <= task->numbers[0])
		return;
	complain(poet, task->line,
		"expected an arrival curve: its horizon, then lengths from 1 up to the horizon, each with a greater count");
}

static void check_task(struct poet *poet, const struct poet_task *task)
{
	int arrivals = (task->period != NONE) + (task->distance != NONE) + (task->number_count > 0);
	if (task->id == NONE || task->wcet == NONE || task->priority == NONE || arrivals != 1)
		complain(poet, task->line,
			"expected of each task an id, its worst-case execution time, its priority, and one of arrival curve, "
			"period and min interarrival");
	if (task->number_count > 0)
		check_curve(poet, task);
}

static int by_id(const void *a, const void *b)
{
	int64_t left = ((const struct poet_task *)a)->id, right = ((const struct poet_task *)b)->id;
	return (left > right) - (left < right);
}

static void check_ids(struct poet *poet)
{
	struct poet_task *sorted = arena_allocate(poet->build->arena, (size_t)poet->count + 1, sizeof *sorted);
	if (poet->count > 0)
		memcpy(sorted, poet->tasks, (size_t)poet->count * sizeof *sorted);
	qsort(sorted, (size_t)poet->count, sizeof *sorted, by_id);
	for (int i = 1; i < poet->count; i++)
		if (sorted[i].id == sorted[i - 1].id)
			complain(poet, sorted[i].line, "expected ids that differ");
}

/* ---- the task set */

static int descending(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return (left < right) - (left > right);
}

/* Level 0 is the highest number; equal numbers are one level. */
static int level_of(const int64_t *sorted, int count, int64_t priority)
{
	int level = 0;
	for (int i = 0; i < count && sorted[i] > priority; i++)
		level += i + 1 == count || sorted[i + 1] != sorted[i];
	return level;
}

static const char *micros(struct import_build *build, int64_t ticks)
{
	return arena_format(build->arena, "%" PRId64 "us", ticks);
}

/* Ours: in windows of at most `window` at most `count`. Theirs holds from a length on, so each step ends a tick before the next. */
static const struct arrival *curve_of(struct import_build *build, const struct poet_task *task)
{
	struct arrival *curve = arena_allocate(build->arena, 1, sizeof *curve);
	*curve = (struct arrival){.kind = ARRIVAL_CURVE, .period = checked_mul(task->numbers[0], 1000)};
	curve->steps = arena_allocate(build->arena, (size_t)task->number_count, sizeof *curve->steps);
	for (int i = 1; i < task->number_count; i += 2) {
		int64_t end = i + 2 < task->number_count ? task->numbers[i + 2] - 1 : task->numbers[0];
		DRAFT(curve->steps)[curve->step_count++] = (struct curve_step){checked_mul(end, 1000), task->numbers[i + 1]};
	}
	return curve;
}

static void add_lane(struct poet *poet, const struct poet_task *task, int level)
{
	struct import_build *build = poet->build;
	const char *id = arena_format(build->arena, "t%" PRId64, task->id);
	struct import_item item = import_blank(OPERATION_KERNEL, arena_format(build->arena, "%s-job", id));
	item.scope = SCOPE_BLOCK;
	item.registers = 1;
	item.shared_static = item.shared_dynamic = 0;
	item.measured = item.enlarge = false;
	item.longest = checked_mul(task->wcet, 1000);
	item.source = "POET, worst-case execution time; a tick is 1 us";
	item.file = poet->path;
	item.row = arena_format(build->arena, "%ld", task->line);
	for (int i = 0; i < 3; i++)
		item.grid[i] = item.block[i] = 1;
	int number = import_lane(build, "cpu", id);
	struct import_lane *lane = &build->lanes[number];
	lane->task = id;
	lane->level = level;
	lane->one_job = true;
	lane->deadline = task->deadline != NONE ? micros(build, task->deadline) : NULL;
	lane->period = task->period != NONE ? micros(build, task->period) : task->distance != NONE ? micros(build, task->distance) : NULL;
	lane->arrival = task->distance != NONE ? "sporadic" : NULL;
	lane->curve = task->number_count > 0 ? curve_of(build, task) : NULL;
	import_launch(build, number, &item);
}

void import_read_poet(struct import_build *build, const char *path)
{
	struct poet poet = {.build = build, .path = path};
	size_t length;
	struct lines lines = {import_read_bytes(build, path, false, &length), 0};
	if (lines.next == NULL)
		return;
	for (char *line; (line = lines_next(&lines)) != NULL;)
		read_line(&poet, line, lines.number);
	if (!poet.policy || !poet.preemption || poet.count == 0)
		complain(&poet, 0, "expected scheduling policy: FP, preemption model: NP, and a task set");
	for (int i = 0; i < poet.count; i++)
		check_task(&poet, &poet.tasks[i]);
	check_ids(&poet);
	if (build->diagnostics->errors > 0)
		return;
	int64_t *priorities = arena_allocate(build->arena, (size_t)poet.count, sizeof *priorities);
	for (int i = 0; i < poet.count; i++)
		priorities[i] = poet.tasks[i].priority;
	qsort(priorities, (size_t)poet.count, sizeof *priorities, descending);
	build->levels = build->complete = true;
	for (int i = 0; i < poet.count; i++)
		add_lane(&poet, &poet.tasks[i], level_of(priorities, poet.count, poet.tasks[i].priority));
	if (build->platform != NULL)
		import_write_processor(build->platform, 1 + level_of(priorities, poet.count, priorities[poet.count - 1]));
}
