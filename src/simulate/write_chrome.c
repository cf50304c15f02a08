/* A run in the Trace Event Format, which Perfetto and chrome://tracing show: tasks, streams, engines and SMs as processes. */
#include "simulate/run_record.h"

#include <inttypes.h>

enum process { PROCESS_TASKS = 1, PROCESS_STREAMS, PROCESS_ENGINES, PROCESS_SMS };

#define SLOTS_A_SM 64    /* threads of PROCESS_SMS: SM * SLOTS_A_SM + slot */
#define EXECUTION_TID 64 /* threads of PROCESS_ENGINES: copy engines, then the applications' turns on the execution engine */
#define STOPS_TID 1000

struct writing {
	const struct run_record *record;
	struct output *output;
	bool first;
};

static void add_string(struct output *output, const char *text)
{
	output_add(output, "\"");
	for (; *text != '\0'; text++)
		if (*text == '"' || *text == '\\')
			output_print(output, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			output_print(output, "\\u%04x", (unsigned)*text);
		else
			output_add_bytes(output, text, 1);
	output_add(output, "\"");
}

static void open(struct writing *writing, const char *phase, int process, int64_t thread, const char *name)
{
	output_add(writing->output, writing->first ? "\n" : ",\n");
	writing->first = false;
	output_print(writing->output, "{\"ph\":\"%s\",\"pid\":%d,\"tid\":%" PRId64 ",\"name\":", phase, process, thread);
	add_string(writing->output, name);
}

/* The format wants microseconds. */
static void add_time(struct writing *writing, const char *key, int64_t ns)
{
	output_print(writing->output, ",\"%s\":%" PRId64 ".%03d", key, ns / 1000, (int)(ns % 1000));
}

static void name_thread(struct writing *writing, int process, int64_t thread, const char *name)
{
	open(writing, "M", process, thread, "thread_name");
	output_add(writing->output, ",\"args\":{\"name\":");
	add_string(writing->output, name);
	output_add(writing->output, "}}");
	open(writing, "M", process, thread, "thread_sort_index");
	output_print(writing->output, ",\"args\":{\"sort_index\":%" PRId64 "}}", thread);
}

static void name_process(struct writing *writing, int process, const char *name)
{
	open(writing, "M", process, 0, "process_name");
	output_add(writing->output, ",\"args\":{\"name\":");
	add_string(writing->output, name);
	output_add(writing->output, "}}");
}

static void name_all(struct writing *writing)
{
	const struct taskset *set = writing->record->set;
	static const char *const processes[] = {
		[PROCESS_TASKS] = "tasks", [PROCESS_STREAMS] = "streams", [PROCESS_ENGINES] = "engines", [PROCESS_SMS] = "SMs"};
	for (int process = PROCESS_TASKS; process <= PROCESS_SMS; process++)
		name_process(writing, process, processes[process]);
	for (int t = 0; t < set->task_count; t++)
		name_thread(writing, PROCESS_TASKS, t, set->tasks[t].id);
	for (int s = 0; s < set->stream_count; s++)
		name_thread(writing, PROCESS_STREAMS, s, set->streams[s].id);
	for (int a = 0; a < set->application_count; a++)
		name_thread(writing, PROCESS_ENGINES, EXECUTION_TID + a,
			arena_format(writing->record->arena, "execution engine: %s", set->applications[a].id));
}

static void add_span(struct writing *writing, int process, int64_t thread, const char *name, int64_t begin, int64_t end)
{
	open(writing, "X", process, thread, name);
	add_time(writing, "ts", begin);
	add_time(writing, "dur", end - begin);
	output_add(writing->output, "}");
}

static void add_instant(struct writing *writing, int64_t thread, const char *name, int64_t time)
{
	open(writing, "i", PROCESS_TASKS, thread, name);
	add_time(writing, "ts", time);
	output_add(writing->output, ",\"s\":\"t\"}");
}

static const char *label(const struct writing *writing, const char *id, int64_t number)
{
	return arena_format(writing->record->arena, "%s #%" PRId64, id, number);
}

static void add_activity(struct writing *writing, const struct activity *activity)
{
	const struct operation *operation = &writing->record->set->operations[activity->operation];
	const char *name = label(writing, operation->id, activity->job);
	if (activity->end < 0)
		return;
	if (operation->kind == OPERATION_HOST)
		add_span(writing, PROCESS_TASKS, activity->task, name, activity->begin, activity->end);
	else
		add_span(writing, PROCESS_STREAMS, operation->stream, name, activity->begin, activity->end);
	if (activity->engine != NO_ID && activity->blocks == 0)
		add_span(writing, PROCESS_ENGINES, activity->engine, name, activity->begin, activity->end);
}

static void add_release(struct writing *writing, const struct event *event)
{
	const struct task *task = &writing->record->set->tasks[event->task];
	add_instant(writing, event->task, label(writing, "release", event->job), event->time);
	if (task->deadline != NONE)
		add_instant(writing, event->task, label(writing, "deadline", event->job), checked_add(event->nominal, task->deadline));
}

/* Blocks, slices and stops end where the event says so: their begins are remembered. */
struct begins {
	int64_t *blocks; /* by SM and slot, for each application */
	int64_t *slices; /* by application, the copies' last */
	int64_t stop;
};

static void add_block(struct writing *writing, const struct event *event, int64_t begin)
{
	const struct operation *operation = &writing->record->set->operations[event->operation];
	const char *name = arena_format(writing->record->arena, "%s #%" PRId64 " block %" PRId64, operation->id, event->job, event->block);
	add_span(writing, PROCESS_SMS, (int64_t)event->sm * SLOTS_A_SM + event->slot, name, begin, event->time);
}

static void add_event(struct writing *writing, struct begins *begins, const struct event *event)
{
	int applications = writing->record->set->application_count;
	int64_t sms = platform_value(writing->record->platform, PARAMETER_SM_COUNT);
	int application = event->application == NO_ID ? applications : event->application;
	int64_t *block = &begins->blocks[((int64_t)application * sms + (event->sm == NO_ID ? 0 : event->sm)) * SLOTS_A_SM + event->slot];
	if (event->kind == EVENT_RELEASE)
		add_release(writing, event);
	else if (event->kind == EVENT_BLOCK_BEGIN)
		*block = event->start;
	else if (event->kind == EVENT_BLOCK_END)
		add_block(writing, event, *block);
	else if (event->kind == EVENT_SLICE_BEGIN)
		begins->slices[application] = event->time;
	else if (event->kind == EVENT_SLICE_END)
		add_span(writing, PROCESS_ENGINES, EXECUTION_TID + application, "slice", begins->slices[application], event->time);
	else if (event->kind == EVENT_STOP_BEGIN)
		begins->stop = event->time;
	else if (event->kind == EVENT_STOP_END)
		add_span(writing, PROCESS_ENGINES, STOPS_TID, "stop", begins->stop, event->time);
}

static void name_sms(struct writing *writing)
{
	const struct run_record *record = writing->record;
	int64_t rows = platform_value(record->platform, PARAMETER_SM_COUNT) * SLOTS_A_SM;
	bool *used = arena_allocate(record->arena, (size_t)rows, sizeof *used);
	for (int i = 0; i < record->count; i++) {
		struct event event = run_record_event(record, i);
		if (event.kind == EVENT_BLOCK_BEGIN)
			used[event.sm * SLOTS_A_SM + event.slot] = true;
	}
	for (int64_t row = 0; row < rows; row++)
		if (used[row])
			name_thread(writing, PROCESS_SMS, row,
				arena_format(record->arena, "SM %d slot %d", (int)(row / SLOTS_A_SM), (int)(row % SLOTS_A_SM)));
}

void run_record_write_chrome(const struct run_record *record, struct output *output)
{
	struct writing writing = {record, output, true};
	struct activities activities = run_record_activities(record);
	size_t applications = (size_t)record->set->application_count + 1;
	size_t sms = (size_t)platform_value(record->platform, PARAMETER_SM_COUNT);
	struct begins begins = {.blocks = arena_allocate(record->arena, applications * sms * SLOTS_A_SM, sizeof *begins.blocks),
		.slices = arena_allocate(record->arena, applications, sizeof *begins.slices)};
	output_print(output, "{\"otherData\":{\"seed\":\"%" PRIu64 "\"},\"displayTimeUnit\":\"ns\",\"traceEvents\":[", record->seed);
	name_all(&writing);
	name_sms(&writing);
	for (int i = 0; i < activities.count; i++)
		add_activity(&writing, &activities.items[i]);
	for (int i = 0; i < record->count; i++) {
		struct event event = run_record_event(record, i);
		add_event(&writing, &begins, &event);
	}
	output_add(output, "\n]}\n");
}
