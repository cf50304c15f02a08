/* Finds the jobs in the recordings of a lane: from the order of its launches, and from where the host waited.
 *
 * The work of a lane is written as a word: a letter for each operation, a letter before and behind a graph launch, a letter where the host
 * waited for all before it. Jobs are the repetitions of the shortest word of which that is a power. Operations that merely repeat are no
 * jobs by themselves, since a job may repeat a layer: they are taken for jobs only where the host waited between them, where each begins
 * with a graph launch, or where the user says how many there are. */
#include "base/duration_text.h"
#include "import/plan.h"
#include "import/recorded.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LETTER_OPEN = -1, LETTER_CLOSE = -2, LETTER_WAIT = -3 }; /* others are items */

struct letter {
	int letter;
	int work; /* of the recording: the one that it is, or the next one; behind the last one, the last one */
};

/* What a recording has of one lane. */
struct view {
	struct import_build *build;
	const struct recording *recording;
	int lane;
	const int *works; /* of the recording, by begin */
	int count;
	const struct recorded_call **calls; /* of each of them; NULL: unknown */
	struct letter *word;
	int length, capacity;
	bool branched; /* operations of a graph overlapped, or were in other lanes, too */
};

static const struct recorded_work *work_at(const struct view *view, int i)
{
	return &view->recording->works[view->works[i]];
}

/* ---- calls */

static int key_with_call(const void *left, const void *right)
{
	const struct recorded_work *work = left;
	const struct recorded_call *call = right;
	if (work->process != call->process)
		return work->process < call->process ? -1 : 1;
	return (work->correlation > call->correlation) - (work->correlation < call->correlation);
}

static const struct recorded_call *call_of(const struct recording *recording, const struct recorded_work *work)
{
	if (recording->call_count == 0)
		return NULL;
	return bsearch(work, recording->calls, (size_t)recording->call_count, sizeof *recording->calls, key_with_call);
}

/* Waits of all threads, by process, thread and begin. */
struct waits {
	const struct recorded_call **items;
	int count;
};

static int waits_by_begin(const void *left, const void *right)
{
	const struct recorded_call *a = *(const struct recorded_call *const *)left, *b = *(const struct recorded_call *const *)right;
	const int64_t keys[][2] = {{a->process, b->process}, {a->thread, b->thread}, {a->start, b->start}, {a->row, b->row}};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return 0;
}

static struct waits find_waits(struct import_build *build, const struct recording *recording)
{
	struct waits waits = {arena_allocate(build->arena, (size_t)recording->call_count + 1, sizeof *waits.items), 0};
	for (int i = 0; i < recording->call_count; i++)
		if (recording->calls[i].waits)
			waits.items[waits.count++] = &recording->calls[i];
	if (waits.count > 1)
		qsort(waits.items, (size_t)waits.count, sizeof *waits.items, waits_by_begin);
	return waits;
}

/* The last wait of the thread that launches `next` which began before that launch; NULL: there is none. */
static const struct recorded_call *wait_before(const struct waits *waits, const struct recorded_call *next)
{
	int low = 0, high = waits->count;
	while (low < high) {
		int middle = (low + high) / 2;
		const struct recorded_call *wait = waits->items[middle];
		bool before = wait->process != next->process ? wait->process < next->process
			      : wait->thread != next->thread ? wait->thread < next->thread
							     : wait->start < next->start;
		low = before ? middle + 1 : low;
		high = before ? high : middle;
	}
	const struct recorded_call *wait = low > 0 ? waits->items[low - 1] : NULL;
	return wait != NULL && wait->process == next->process && wait->thread == next->thread ? wait : NULL;
}

/* The host launched `next` behind a wait that ended when the work before it was complete. */
static bool waited(
	const struct waits *waits, const struct recorded_call *before, const struct recorded_work *done, const struct recorded_call *next)
{
	if (before == NULL || next == NULL)
		return false;
	const struct recorded_call *wait = wait_before(waits, next);
	return wait != NULL && wait->end <= next->start && wait->end >= done->end && wait->start >= before->start;
}

/* ---- the word */

static void add_letter(struct view *view, int letter, int work)
{
	view->word = arena_grow(view->build->arena, view->word, &view->capacity, view->length + 1, sizeof *view->word);
	view->word[view->length++] = (struct letter){letter, work};
}

static bool is_graph(const struct view *view, int i)
{
	return work_at(view, i)->graph || (view->calls[i] != NULL && view->calls[i]->kind == CALL_GRAPH);
}

/* Both are of one launch of a graph. */
static bool same_launch(const struct view *view, int i, int k)
{
	const struct recorded_work *a = work_at(view, i), *b = work_at(view, k);
	return is_graph(view, i) && is_graph(view, k) && a->process == b->process && a->correlation == b->correlation;
}

static void spell(struct view *view, const struct waits *waits)
{
	for (int i = 0; i < view->count; i++) {
		bool graph = is_graph(view, i), first = i == 0 || !same_launch(view, i, i - 1);
		bool last = i + 1 == view->count || !same_launch(view, i, i + 1);
		if (first && i > 0 && waited(waits, view->calls[i - 1], work_at(view, i - 1), view->calls[i]))
			add_letter(view, LETTER_WAIT, i);
		if (graph && first)
			add_letter(view, LETTER_OPEN, i);
		add_letter(view, work_at(view, i)->item, i);
		if (graph && last)
			add_letter(view, LETTER_CLOSE, i);
		view->branched |= !first && work_at(view, i)->start < work_at(view, i - 1)->end;
	}
}

/* The length of the shortest word of which the first `length` letters are a power (the failure function of Knuth, Morris and Pratt). */
static int root_length(const struct view *view, int length)
{
	int *border = arena_allocate(view->build->arena, (size_t)length + 1, sizeof *border);
	for (int i = 1, k = 0; i < length; i++) {
		while (k > 0 && view->word[i].letter != view->word[k].letter)
			k = border[k - 1];
		k += view->word[i].letter == view->word[k].letter;
		border[i] = k;
	}
	int shortest = length - border[length - 1];
	return length % shortest == 0 ? shortest : length;
}

/* Jobs of the lane in one recording; a wait behind the last one is there or not. */
struct jobs {
	int count, length; /* letters of one */
	bool certain;      /* the host waited between them, or each begins with the launch of a graph */
};

static struct jobs find_jobs(struct view *view)
{
	int open = root_length(view, view->length);
	add_letter(view, LETTER_WAIT, view->count - 1);
	int closed = root_length(view, view->length);
	bool waits = view->length / closed > (view->length - 1) / open;
	struct jobs jobs = waits ? (struct jobs){view->length / closed, closed, true}
				 : (struct jobs){(view->length - 1) / open, open, view->word[0].letter == LETTER_OPEN};
	return jobs;
}

/* So many jobs as the user says, if the word is a power of their root. */
static struct jobs take_jobs(struct jobs found, int64_t wanted)
{
	int64_t letters = (int64_t)found.count * found.length;
	if (found.count % wanted != 0)
		return (struct jobs){0, 0, false};
	return (struct jobs){(int)wanted, (int)(letters / wanted), true};
}

/* ---- what is in a job */

static int64_t longer(int64_t a, int64_t b)
{
	return a == NONE || (b != NONE && b > a) ? b : a;
}

/* Up to when the host issued it: a call may end when its work has begun, and ends behind it if it waits. */
static int64_t issued_at(const struct view *view, int i)
{
	int64_t end = view->calls[i]->end, begin = work_at(view, i)->start;
	return end < begin ? end : begin;
}

/* From the completion of all before the wait to the end of the launch behind it. */
static int host_item(struct view *view, struct jobs jobs, int letter, int number)
{
	struct import_build *build = view->build;
	const struct recorded_work *row = NULL;
	struct import_item item =
		import_blank(OPERATION_HOST, arena_format(build->arena, "%s-host-%d", build->lanes[view->lane].stream_id, number));
	for (int job = 0; job < jobs.count; job++) {
		int i = view->word[job * jobs.length + letter].work;
		int64_t length = issued_at(view, i) - work_at(view, i - 1)->end + 2 * view->recording->cut;
		row = item.longest == NONE || length > item.longest ? work_at(view, i) : row;
		item.longest = longer(item.longest, length < 0 ? 0 : length);
	}
	item.samples = jobs.count;
	item.source = "recording: from the completion of what the host waited for to the end of the next launch";
	item.file = view->recording->path;
	item.row = arena_format(build->arena, "%s %" PRId64, view->recording->rows, row->row);
	item.lasting = true;
	return import_item(build, &item);
}

/* From the begin of the first operation to the end of the last one, in the job where that took longest. */
static int span_item(const struct view *view, struct jobs jobs, int letter, int length)
{
	struct import_build *build = view->build;
	const struct recorded_work *row = NULL;
	struct import_item item = import_blank(OPERATION_KERNEL, "graph");
	item.scope = SCOPE_GRID;
	item.measured = item.enlarge = item.single = true;
	for (int job = 0; job < jobs.count; job++) {
		const struct letter *run = &view->word[job * jobs.length + letter];
		const struct recorded_work *first = work_at(view, run[0].work);
		int64_t end = 0;
		for (int i = 0; i < length; i++)
			end = longer(end, work_at(view, run[i].work)->end);
		int64_t span = end - first->start + 2 * view->recording->cut;
		row = item.longest == NONE || span > item.longest ? first : row;
		item.longest = longer(item.longest, span);
	}
	item.samples = jobs.count;
	item.source = "recording: from the first begin to the last end of one launch";
	item.file = view->recording->path;
	item.row = arena_format(build->arena, "%s %" PRId64, view->recording->rows, row->row);
	item.board = build->items[view->word[letter].letter]->board;
	item.lasting = true;
	return import_item(build, &item);
}

struct shape { /* of one job: operations, and graphs in it */
	int *items, count, item_capacity;
	struct import_group *groups;
	int group_count, group_capacity;
	struct import_graph *graphs;
	int graph_count, graph_capacity;
};

/* Does the user say that memsets run on a copy engine? */
static bool sets_on_engine(const struct import_build *build)
{
	static const char name[] = "engine.memset=";
	for (int i = 0; i < build->options->declaration_count; i++)
		if (strncmp(build->options->declarations[i], name, strlen(name)) == 0)
			return strcmp(build->options->declarations[i] + strlen(name), "compute") != 0;
	return false;
}

/* What ends a run: what a copy engine may serve; in a branched graph nothing does. */
static bool ends_run(const struct view *view, int letter)
{
	if (letter < 0 || view->branched)
		return letter < 0;
	enum operation_kind kind = view->build->items[letter]->kind;
	return kind == OPERATION_COPY || (kind == OPERATION_MEMSET && sets_on_engine(view->build));
}

/* Is anything in the launch whose LETTER_OPEN this is no kernel? */
static bool is_mixed(const struct view *view, int open)
{
	for (int i = open + 1; view->word[i].letter != LETTER_CLOSE; i++)
		if (view->build->items[view->word[i].letter]->kind != OPERATION_KERNEL)
			return true;
	return false;
}

/* The run that begins with this letter of a graph. */
static void add_group(struct shape *shape, struct view *view, struct jobs jobs, int letter, bool mixed)
{
	int length = 0;
	while (!ends_run(view, view->word[letter + length].letter))
		length++;
	shape->groups =
		arena_grow(view->build->arena, shape->groups, &shape->group_capacity, shape->group_count + 1, sizeof *shape->groups);
	shape->groups[shape->group_count++] = (struct import_group){.from = shape->count,
		.to = shape->count + length,
		.span = span_item(view, jobs, letter, length),
		.branched = view->branched,
		.mixed = mixed};
}

/* Where the launch that begins with this letter begins, if it is to be told from its runs; it ends behind the last operation so far. */
static void begin_graph(struct shape *shape, struct view *view, int open)
{
	bool parted = false;
	for (int i = open + 1; view->word[i].letter != LETTER_CLOSE; i++)
		parted |= ends_run(view, view->word[i].letter);
	if (!parted)
		return;
	shape->graphs =
		arena_grow(view->build->arena, shape->graphs, &shape->graph_capacity, shape->graph_count + 1, sizeof *shape->graphs);
	shape->graphs[shape->graph_count++] = (struct import_graph){shape->count, shape->count};
}

static void end_graph(struct shape *shape)
{
	struct import_graph *last = shape->graph_count > 0 ? &shape->graphs[shape->graph_count - 1] : NULL;
	if (last != NULL && last->to == last->from)
		last->to = shape->count;
}

static struct shape describe(struct view *view, struct jobs jobs)
{
	struct import_build *build = view->build;
	struct shape shape = {0};
	int hosts = 0;
	bool graph = false, open = false, mixed = false; /* in a graph; in a run of it; it has more than kernels */
	for (int i = 0; i < jobs.length && shape.count <= JOB_OPERATIONS; i++) {
		int letter = view->word[i].letter;
		graph = letter == LETTER_OPEN || (graph && letter != LETTER_CLOSE);
		mixed = letter == LETTER_OPEN ? is_mixed(view, i) : mixed;
		if (letter == LETTER_OPEN)
			begin_graph(&shape, view, i);
		if (letter == LETTER_CLOSE)
			end_graph(&shape);
		if (graph && !open && !ends_run(view, letter))
			add_group(&shape, view, jobs, i, mixed);
		open = graph && !ends_run(view, letter);
		if (letter >= 0 || (letter == LETTER_WAIT && i > 0 && i + 1 < jobs.length)) {
			shape.items = arena_grow(build->arena, shape.items, &shape.item_capacity, shape.count + 1, sizeof *shape.items);
			shape.items[shape.count++] = letter >= 0 ? letter : host_item(view, jobs, i, ++hosts);
		}
	}
	end_graph(&shape); /* one that is longer than jobs may be */
	return shape;
}

static struct import_item *span_of(struct import_build *build, const struct import_group *group)
{
	return build->items[group->span];
}

/* Another recording of the lane: the same job, with the longer times. False: it is another one. */
static bool merge_shape(struct import_build *build, struct import_lane *lane, const struct shape *shape)
{
	if (lane->job_count != shape->count || lane->group_count != shape->group_count || lane->graph_count != shape->graph_count ||
		memcmp(lane->job, shape->items, (size_t)shape->count * sizeof *shape->items) != 0)
		return false;
	for (int i = 0; i < shape->group_count; i++) {
		if (lane->groups[i].from != shape->groups[i].from || lane->groups[i].to != shape->groups[i].to)
			return false;
		struct import_item *seen = span_of(build, &lane->groups[i]), *more = span_of(build, &shape->groups[i]);
		int64_t samples = seen->samples + more->samples;
		lane->groups[i].span = more->longest > seen->longest ? shape->groups[i].span : lane->groups[i].span;
		span_of(build, &lane->groups[i])->samples = samples;
		lane->groups[i].branched |= shape->groups[i].branched;
	}
	return true;
}

/* ---- releases, completions, and how far the host was ahead */

struct observed {
	int64_t jobs, least, most; /* of the distance of releases; NONE: there is one job */
	int64_t response;          /* the longest from release to completion */
	int64_t issue;      /* the longest by which a launch to a dry stream came behind its release or its segment; NONE: none did */
	int64_t fed, ahead; /* jobs enqueued before their first operation began; jobs in which the stream never ran dry */
	bool stamps;        /* the calls of all launches are known */
	int64_t *releases;  /* of all recordings; NONE between two of them */
	int release_count, release_capacity;
};

/* An operation that was launched when the one before it had ended: the stream was dry. Its launch came so late behind `from`. */
static void observe_dry(const struct view *view, int i, int64_t from, struct observed *seen, bool *ahead)
{
	const struct recorded_call *call = view->calls[i];
	if (call == NULL || call == view->calls[i - 1])
		return;
	int64_t issued = call->waits ? call->start : issued_at(view, i);
	if (issued <= work_at(view, i - 1)->end)
		return;
	*ahead = false;
	seen->issue = longer(seen->issue, issued - from);
}

/* The letters of one job, and what it is. */
static void observe_job(const struct view *view, const struct letter *word, int length, struct observed *seen)
{
	int first = word[0].work;
	bool fed = true, ahead = true, waited_for = false;
	const struct recorded_call *release = view->calls[first];
	int64_t end = 0, from = release == NULL ? 0 : release->start;
	for (int k = 0; k < length; k++) {
		waited_for = waited_for || word[k].letter == LETTER_WAIT;
		if (word[k].letter < 0)
			continue;
		int i = word[k].work;
		const struct recorded_call *call = view->calls[i];
		seen->stamps = seen->stamps && call != NULL;
		end = longer(end, work_at(view, i)->end);
		fed = fed && call != NULL && (call->end <= work_at(view, first)->start || (call == release && is_graph(view, i)));
		if (waited_for && call != NULL)
			from = issued_at(view, i); /* up to here the host segment has it */
		else if (i > first)
			observe_dry(view, i, from, seen, &ahead);
		waited_for = false;
	}
	seen->fed += fed;
	seen->ahead += ahead;
	if (release != NULL)
		seen->response = longer(seen->response, end - release->start);
}

static void add_release(struct import_build *build, struct observed *seen, int64_t release)
{
	seen->releases = arena_grow(build->arena, seen->releases, &seen->release_capacity, seen->release_count + 1, sizeof *seen->releases);
	seen->releases[seen->release_count++] = release;
}

static void observe(const struct view *view, struct jobs jobs, struct observed *seen)
{
	add_release(view->build, seen, NONE);
	for (int job = 0; job < jobs.count; job++) {
		const struct letter *word = view->word + (int64_t)job * jobs.length;
		const struct recorded_call *call = view->calls[word[0].work];
		observe_job(view, word, jobs.length, seen);
		const struct recorded_call *before = job == 0 ? NULL : view->calls[view->word[(job - 1) * jobs.length].work];
		if (call != NULL)
			add_release(view->build, seen, call->start);
		if (call == NULL || before == NULL)
			continue;
		int64_t distance = call->start - before->start;
		seen->least = seen->least == NONE || distance < seen->least ? distance : seen->least;
		seen->most = longer(seen->most, distance);
	}
	seen->jobs += jobs.count;
}

static const char *describe_observed(struct import_build *build, const struct observed *seen, bool hosts)
{
	struct output text = {0};
	if (seen->jobs == 1)
		output_add(&text, "all that was recorded stands as one job");
	else
		output_print(&text, "%" PRId64 " jobs were recorded", seen->jobs);
	if (seen->least != NONE)
		output_print(&text, ", released %s to %s apart", duration_exact(build->arena, seen->least),
			duration_exact(build->arena, seen->most));
	if (seen->response != NONE)
		output_print(&text, "; %s took %s from the begin of its first launch to the end of its last operation",
			seen->jobs == 1 ? "it" : "the longest", duration_exact(build->arena, seen->response));
	if (seen->stamps && !hosts)
		output_print(&text, "; all of a job was enqueued before its first operation began in %" PRId64 " of %" PRId64, seen->fed,
			seen->jobs);
	if (seen->stamps)
		output_print(&text, "; its stream never ran dry%s in %" PRId64 " of %" PRId64, hosts ? " but where the host waited" : "",
			seen->ahead, seen->jobs);
	const char *copy = arena_copy(build->arena, text.text);
	output_finish(&text);
	return copy;
}

/* ---- a lane */

struct lane_state {
	bool lost; /* its recordings do not agree */
	struct observed seen;
};

static int64_t wanted_jobs(const struct import_build *build, const struct import_lane *lane)
{
	return lane->jobs != NONE ? lane->jobs : build->options->jobs;
}

static void find_in_view(struct view *view, const struct waits *waits, struct lane_state *state)
{
	struct import_lane *lane = &view->build->lanes[view->lane];
	int64_t wanted = wanted_jobs(view->build, lane);
	spell(view, waits);
	struct jobs jobs = find_jobs(view);
	jobs = wanted != NONE ? take_jobs(jobs, wanted) : jobs;
	if (wanted == NONE && !jobs.certain)
		jobs = (struct jobs){1, jobs.count * jobs.length, true};
	if (jobs.count == 0) {
		state->lost = true;
		return;
	}
	struct shape shape = describe(view, jobs);
	observe(view, jobs, &state->seen);
	if (lane->job == NULL) {
		lane->job = shape.items;
		lane->job_count = shape.count;
		lane->groups = shape.groups;
		lane->group_count = shape.group_count;
		lane->graphs = shape.graphs;
		lane->graph_count = shape.graph_count;
	} else if (!merge_shape(view->build, lane, &shape)) {
		state->lost = true;
	}
}

/* Works of each lane, in the order of the recording: where they begin in one array. */
static int *sort_by_lane(struct import_build *build, const struct recording *recording, int *begin)
{
	int *works = arena_allocate(build->arena, (size_t)recording->work_count + 1, sizeof *works);
	int *at = arena_allocate(build->arena, (size_t)build->lane_count + 1, sizeof *at);
	for (int i = 0; i < recording->work_count; i++)
		begin[recording->works[i].lane + 1]++;
	for (int i = 0; i < build->lane_count; i++)
		at[i] = begin[i + 1] += begin[i];
	for (int i = recording->work_count; i-- > 0;)
		works[--at[recording->works[i].lane]] = i;
	return works;
}

/* Calls whose works are in more than one lane: branches of a graph. */
static bool *find_branches(struct import_build *build, const struct recording *recording)
{
	int *lane = arena_allocate(build->arena, (size_t)recording->call_count + 1, sizeof *lane);
	bool *branched = arena_allocate(build->arena, (size_t)build->lane_count + 1, sizeof *branched);
	for (int i = 0; i < recording->work_count; i++) {
		const struct recorded_work *work = &recording->works[i];
		const struct recorded_call *call = call_of(recording, work);
		if (call == NULL)
			continue;
		int *first = &lane[call - recording->calls];
		if (*first != 0 && *first != work->lane + 1)
			branched[work->lane] = branched[*first - 1] = true;
		*first = work->lane + 1;
	}
	return branched;
}

static void find_in_recording(struct import_build *build, const struct recording *recording, struct lane_state *states)
{
	int *begin = arena_allocate(build->arena, (size_t)build->lane_count + 2, sizeof *begin);
	const int *works = sort_by_lane(build, recording, begin);
	const bool *branched = find_branches(build, recording);
	struct waits waits = find_waits(build, recording);
	for (int lane = 0; lane < build->lane_count; lane++) {
		struct view view = {.build = build, .recording = recording, .lane = lane, .branched = branched[lane]};
		view.works = works + begin[lane];
		view.count = begin[lane + 1] - begin[lane];
		if (view.count == 0 || states[lane].lost)
			continue;
		view.calls = arena_allocate(build->arena, (size_t)view.count, sizeof *view.calls);
		for (int i = 0; i < view.count; i++)
			view.calls[i] = call_of(recording, work_at(&view, i));
		find_in_view(&view, &waits, &states[lane]);
	}
}

/* The least jitter with which releases of this period explain those that were seen; NONE: more than half of the period. */
static int64_t observed_jitter(const struct observed *seen, int64_t period)
{
	int64_t latest = NONE, jitter = 0; /* latest: the greatest of release - n * period so far */
	for (int i = 0, n = 0; i < seen->release_count && jitter <= period / 2; i++, n++) {
		if (seen->releases[i] == NONE) {
			latest = NONE;
			n = -1;
			continue;
		}
		int64_t nominal = checked_mul(n, period), late = nominal == NONE ? NONE : seen->releases[i] - nominal;
		if (late == NONE)
			return NONE;
		jitter = latest != NONE && latest - late > jitter ? latest - late : jitter;
		latest = latest == NONE || late > latest ? late : latest;
	}
	return jitter <= period / 2 ? jitter : NONE;
}

static int64_t time_of(const char *text)
{
	struct rational value;
	return text == NULL || units_parse(text, UNIT_TIME, RATIONAL_NONE, &value) != UNITS_OK ? NONE : rational_floor(value);
}

/* A period that the user gives, and jobs that came faster, or not on time. */
static void check_period(struct import_build *build, struct import_lane *lane, const struct observed *seen)
{
	int64_t period = time_of(lane->period != NULL ? lane->period : build->options->period), jitter = time_of(lane->jitter);
	if (period == NONE || seen->least == NONE)
		return;
	int64_t least = observed_jitter(seen, period);
	if (least == NONE && wanted_jobs(build, lane) == NONE)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_PERIOD, NULL, 0,
			"task '%s': the period is %s, but the %" PRId64
			" jobs that were found began as little as %s apart: if each of them is a job, and the program was recorded running "
			"faster than it will, confirm with --jobs "
			"(or "
			"jobs in a mapping); if several of them are one job, say so by the same",
			import_task_id(lane), duration_exact(build->arena, period), seen->jobs, duration_exact(build->arena, seen->least));
	if (least != NONE && least > (jitter == NONE ? 0 : jitter))
		lane->lateness = least;
}

static bool has_hosts(const struct import_build *build, const struct import_lane *lane)
{
	for (int i = 0; i < lane->job_count; i++)
		if (build->items[lane->job[i]]->kind == OPERATION_HOST)
			return true;
	return false;
}

/* A bound counts from the release as if all of a job were issued then, but for the jitter (A-HOST): launches that came later have to be in
 * it. */
static void note_issue(struct import_build *build, const struct import_lane *lane, const struct observed *seen)
{
	if (seen->issue == NONE)
		return;
	diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_ISSUE, NULL, 0,
		"task '%s': in %" PRId64 " of %" PRId64
		" jobs the host launched an operation when those before it had ended, up to %s behind the job's release, or behind the "
		"launch that a wait ended with: capture the job into a graph, or give that much jitter more than the releases need",
		import_task_id(lane), seen->jobs - seen->ahead, seen->jobs, duration_exact(build->arena, seen->issue));
}

static void finish_lane(struct import_build *build, struct import_lane *lane, const struct lane_state *state)
{
	if (state->lost || state->seen.jobs == 0) {
		lane->job = NULL;
		lane->job_count = lane->group_count = lane->graph_count = 0;
		return;
	}
	bool whole = state->seen.jobs == 1 && wanted_jobs(build, lane) == NONE; /* perhaps many jobs: the trace as one, as without calls */
	if (whole && !has_hosts(build, lane) && lane->group_count == 0) {
		lane->job = NULL;
		lane->job_count = 0;
		return;
	}
	lane->observed = describe_observed(build, &state->seen, has_hosts(build, lane));
	lane->distance = state->seen.least;
	note_issue(build, lane, &state->seen);
	check_period(build, lane, &state->seen);
}

void structure_find(struct import_build *build)
{
	if (build->options->after != NULL && build->recordings == NULL && build->diagnostics->errors == 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_UNSUPPORTED, NULL, 0,
			"expected a recording with the host's calls for --after: record with probe/recorder, or export SQLite from nsys");
	struct lane_state *states = arena_allocate(build->arena, (size_t)build->lane_count + 1, sizeof *states);
	for (int i = 0; i < build->lane_count; i++)
		states[i].seen = (struct observed){.least = NONE, .most = NONE, .response = NONE, .issue = NONE, .stamps = true};
	for (const struct recording *recording = build->recordings; recording != NULL; recording = recording->next)
		find_in_recording(build, recording, states);
	for (int i = 0; build->recordings != NULL && i < build->lane_count; i++)
		finish_lane(build, &build->lanes[i], &states[i]);
}
