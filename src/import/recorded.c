/* Puts the works of a recording in order, and holds them against the calls. */
#include "import/recorded.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a call does */

static bool begins(const char *name, const char *word)
{
	return strncmp(name, word, strlen(word)) == 0;
}

/* "cudaLaunchKernel" and "cuLaunchKernel" are both "LaunchKernel". */
static const char *without_prefix(const char *name)
{
	return begins(name, "cuda") ? name + 4 : begins(name, "cu") ? name + 2 : "";
}

static const struct {
	const char *begin; /* of the name behind cuda or cu */
	enum recorded_call_kind kind;
	const char *refused;
} call_kinds[] = {
	{"LaunchHostFunc", CALL_OTHER,
		"expected no host function in a stream (cudaLaunchHostFunc): the stream waits for the CPU, which no task set can say"},
	{"StreamAddCallback", CALL_OTHER,
		"expected no callback in a stream (cudaStreamAddCallback): the stream waits for the CPU, which no task set can say"},
	{"LaunchCooperative", CALL_LAUNCH,
		"expected a regular launch; blocks of a cooperative one wait for each other, which no task set can say"},
	{"Launch", CALL_LAUNCH, NULL},
	{"GraphLaunch", CALL_GRAPH, NULL},
	{"Memcpy", CALL_TRANSFER, NULL},
	{"Memset", CALL_TRANSFER, NULL},
	{"StreamSynchronize", CALL_WAIT, NULL},
	{"DeviceSynchronize", CALL_WAIT, NULL},
	{"ThreadSynchronize", CALL_WAIT, NULL},
	{"CtxSynchronize", CALL_WAIT, NULL},
	{"EventSynchronize", CALL_WAIT, NULL},
	{"StreamBeginCapture", CALL_CAPTURE, NULL},
	{"StreamEndCapture", CALL_CAPTURED, NULL},
};

enum recorded_call_kind recording_call_kind(const char *name, bool *waits, const char **refused)
{
	const char *bare = without_prefix(name);
	*waits = false;
	*refused = NULL;
	for (size_t i = 0; i < sizeof call_kinds / sizeof *call_kinds; i++) {
		if (!begins(bare, call_kinds[i].begin))
			continue;
		enum recorded_call_kind kind = call_kinds[i].kind;
		*refused = call_kinds[i].refused;
		*waits = kind == CALL_WAIT || (kind == CALL_TRANSFER && begins(bare, "Memcpy") && strstr(bare, "Async") == NULL);
		return kind;
	}
	return CALL_OTHER;
}

/* ---- collecting */

struct recording *recording_open(struct import_build *build, const char *path, const char *rows)
{
	struct recording *recording = arena_allocate(build->arena, 1, sizeof *recording);
	*recording = (struct recording){.path = path, .rows = rows, .run = build->run};
	return recording;
}

static bool is_beyond(struct import_build *build, const struct recording *recording, int count)
{
	if (count < IMPORT_ROWS)
		return false;
	diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, recording->path, 0, "expected at most %d launches and as many calls",
		IMPORT_ROWS);
	return true;
}

bool recording_work(struct import_build *build, struct recording *recording, const struct recorded_work *work)
{
	if (is_beyond(build, recording, recording->work_count))
		return false;
	recording->works =
		arena_grow(build->arena, recording->works, &recording->work_capacity, recording->work_count + 1, sizeof *recording->works);
	recording->works[recording->work_count++] = *work;
	return true;
}

bool recording_call(struct import_build *build, struct recording *recording, const struct recorded_call *call)
{
	if (is_beyond(build, recording, recording->call_count))
		return false;
	recording->calls =
		arena_grow(build->arena, recording->calls, &recording->call_capacity, recording->call_count + 1, sizeof *recording->calls);
	recording->calls[recording->call_count++] = *call;
	return true;
}

/* ---- order: each of these is total, as rows differ */

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int works_by_begin(const void *left, const void *right)
{
	const struct recorded_work *a = left, *b = right;
	int order = compare(a->start, b->start);
	order = order != 0 ? order : compare(a->end, b->end);
	return order != 0 ? order : compare(a->row, b->row);
}

static int calls_by_correlation(const void *left, const void *right)
{
	const struct recorded_call *a = left, *b = right;
	int order = compare(a->process, b->process);
	order = order != 0 ? order : compare(a->correlation, b->correlation);
	return order != 0 ? order : compare(a->row, b->row);
}

static int calls_by_begin(const void *left, const void *right)
{
	const struct recorded_call *a = left, *b = right;
	int order = compare(a->process, b->process);
	order = order != 0 ? order : compare(a->thread, b->thread);
	order = order != 0 ? order : compare(a->start, b->start);
	return order != 0 ? order : compare(a->row, b->row);
}

static int key_with_call(const void *left, const void *right)
{
	const struct recorded_work *work = left;
	const struct recorded_call *call = right;
	int order = compare(work->process, call->process);
	return order != 0 ? order : compare(work->correlation, call->correlation);
}

/* A call of the runtime and the one of the driver inside it have one number: they are one call, which does what the inner one says. */
static void join_calls(struct recording *recording)
{
	int kept = 0;
	for (int i = 0; i < recording->call_count; i++) {
		struct recorded_call *call = &recording->calls[i], *last = kept > 0 ? &recording->calls[kept - 1] : NULL;
		if (last == NULL || last->process != call->process || last->correlation != call->correlation) {
			recording->calls[kept++] = *call;
			continue;
		}
		last->start = call->start < last->start ? call->start : last->start;
		last->end = call->end > last->end ? call->end : last->end;
		last->waits |= call->waits;
		last->kind = last->kind == CALL_OTHER ? call->kind : last->kind;
	}
	recording->call_count = kept;
}

/* ---- what was lost */

static bool launches(const struct recorded_call *call)
{
	return call->kind == CALL_LAUNCH || call->kind == CALL_TRANSFER || call->kind == CALL_GRAPH;
}

/* Works by number of the call: which calls have one. */
static bool *find_launched(struct import_build *build, const struct recording *recording, int *orphans, int64_t *orphan)
{
	bool *launched = arena_allocate(build->arena, (size_t)recording->call_count + 1, sizeof *launched);
	*orphans = 0;
	for (int i = 0; i < recording->work_count; i++) {
		const struct recorded_work *work = &recording->works[i];
		const struct recorded_call *call =
			recording->call_count == 0
				? NULL
				: bsearch(work, recording->calls, (size_t)recording->call_count, sizeof *call, key_with_call);
		if (call != NULL && launches(call))
			launched[call - recording->calls] = true;
		else if ((*orphans)++ == 0)
			*orphan = work->row;
	}
	return launched;
}

/* By process, thread and begin: a launch between the begin and the end of a capture by its thread becomes a node and launches nothing. */
static void drop_captured(struct recording *recording)
{
	int kept = 0, depth = 0;
	int64_t process = NONE, thread = NONE;
	for (int i = 0; i < recording->call_count; i++) {
		struct recorded_call *call = &recording->calls[i];
		depth = call->process == process && call->thread == thread ? depth : 0;
		process = call->process;
		thread = call->thread;
		depth += (call->kind == CALL_CAPTURE) - (call->kind == CALL_CAPTURED && depth > 0);
		if (depth == 0 || !launches(call))
			recording->calls[kept++] = *call;
	}
	recording->call_count = kept;
}

static void sort(void *items, int count, size_t size, int (*order)(const void *, const void *))
{
	if (count > 1)
		qsort(items, (size_t)count, size, order);
}

static void check_launched(struct import_build *build, const struct recording *recording)
{
	int orphans, empty = 0, all = 0, first = 0;
	int64_t orphan = 0;
	const bool *launched = find_launched(build, recording, &orphans, &orphan);
	for (int i = 0; i < recording->call_count; i++) {
		all += launches(&recording->calls[i]);
		if (!launches(&recording->calls[i]) || launched[i])
			continue;
		first = empty++ == 0 ? i : first;
	}
	if (orphans > 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_CORRELATION, recording->path, 0,
			"%d of %d operations of the GPU have a correlation that no call of the host has, first %s %" PRId64
			": the recording began behind their launches, or calls were lost",
			orphans, recording->work_count, recording->rows, orphan);
	if (empty > 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_CORRELATION, recording->path, 0,
			"%d of %d launches have no work on the GPU, first %s %" PRId64
			": their work was lost, or the recording ended before it",
			empty, all, recording->rows, recording->calls[first].row);
}

/* In a stream a kernel begins when the one before it has ended, unless it was launched to begin before (programmatic dependent launch).
 * What overlaps within one launch is a branch of a graph, which is found later. */
static void find_overlaps(struct import_build *build, const struct recording *recording)
{
	const struct recorded_work **last = arena_allocate(build->arena, (size_t)build->lane_count + 1, sizeof *last);
	for (int i = 0; i < recording->work_count; i++) {
		const struct recorded_work *work = &recording->works[i], *before = last[work->lane];
		struct import_item *item = build->items[work->item];
		last[work->lane] = work;
		if (before == NULL || work->start >= before->end || work->correlation == before->correlation ||
			item->kind != OPERATION_KERNEL || build->items[before->item]->kind != OPERATION_KERNEL)
			continue;
		if (item->launch == NULL)
			diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_STREAMS, recording->path, 0,
				"%s %" PRId64
				": the kernel began before the one before it in its stream had ended: a programmatic dependent launch, "
				"and written as one",
				recording->rows, work->row);
		item->launch = "programmatic";
	}
}

/* ---- preparations */

static int64_t first_call(const struct recording *recording)
{
	int64_t first = NONE;
	for (int i = 0; i < recording->call_count; i++)
		first = first == NONE || recording->calls[i].start < first ? recording->calls[i].start : first;
	return first;
}

static int64_t prepared_until(const struct recording *recording)
{
	int64_t first = first_call(recording), end = NONE;
	for (int i = 0; i < recording->call_count; i++)
		if (recording->calls[i].kind == CALL_CAPTURED && (end == NONE || recording->calls[i].end - first > end))
			end = recording->calls[i].end - first;
	return end;
}

/* What the program called in its first time, and the work that this launched, is left out where the user says so. */
static void drop_preparations(struct import_build *build, struct recording *recording)
{
	struct rational after;
	int works = 0, calls = 0;
	if (build->options->after == NULL || recording->call_count == 0 || build->diagnostics->errors > 0 ||
		units_parse(build->options->after, UNIT_TIME, RATIONAL_NONE, &after) != UNITS_OK)
		return;
	int64_t from = checked_add(first_call(recording), rational_ceil(after));
	for (int i = 0; i < recording->work_count; i++) {
		const struct recorded_call *call =
			bsearch(&recording->works[i], recording->calls, (size_t)recording->call_count, sizeof *call, key_with_call);
		if (call != NULL && call->start >= from)
			recording->works[works++] = recording->works[i];
	}
	for (int i = 0; i < recording->call_count; i++)
		if (recording->calls[i].start >= from)
			recording->calls[calls++] = recording->calls[i];
	if (works == 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, recording->path, 0,
			"expected work that was launched later than --after=%s; there is none: give less", build->options->after);
	recording->work_count = works;
	recording->call_count = calls;
}

/* ---- */

void recording_close(struct import_build *build, struct recording *recording)
{
	if (build->diagnostics->errors > 0)
		return;
	sort(recording->calls, recording->call_count, sizeof *recording->calls, calls_by_correlation);
	join_calls(recording);
	sort(recording->calls, recording->call_count, sizeof *recording->calls, calls_by_begin);
	recording->prepared = prepared_until(recording);
	drop_captured(recording);
	sort(recording->calls, recording->call_count, sizeof *recording->calls, calls_by_correlation);
	sort(recording->works, recording->work_count, sizeof *recording->works, works_by_begin);
	check_launched(build, recording);
	drop_preparations(build, recording);
	find_overlaps(build, recording);
	for (int i = 0; i < recording->work_count && build->diagnostics->errors == 0; i++)
		import_append(build, recording->works[i].lane, recording->works[i].item);
	recording->next = build->recordings;
	build->recordings = recording;
}
