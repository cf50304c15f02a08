/* The rules D1-D9 and those of slices and stops, checked event by event from the books kept here. */
#include "watch.h"

#include <string.h>

void watch_init(struct watch *watch, const struct scene *scene)
{
	const struct platform *platform = &scene->platform;
	memset(watch, 0, sizeof *watch);
	watch->platform = platform;
	watch->set = &scene->set;
	watch->switches = &scene->options.switches;
	watch->slice = -1;
	watch->slowest = 1;
	watch->instant = scene->set.application_count == 1 && scene->options.switches.stops == STOPS_NONE &&
			 platform_value(platform, PARAMETER_OVERHEAD_LAUNCH) == 0 &&
			 platform_value(platform, PARAMETER_OVERHEAD_BLOCK) == 0;
}

static void require(struct watch *watch, bool holds, const char *rule)
{
	if (!holds && watch->broken == NULL)
		watch->broken = rule;
}

static const struct kernel *kernel_of(const struct watch *watch, const struct watched *instance)
{
	return &watch->set->operations[instance->operation].kernel;
}

static bool fits(const struct watch *watch, const struct watched *instance, int sm)
{
	const struct kernel *kernel = kernel_of(watch, instance);
	const struct watch_sm *books = &watch->sms[instance->context][sm];
	return books->warps + kernel->threads / THREADS_A_WARP <= platform_value(watch->platform, PARAMETER_SM_WARPS) &&
	       books->blocks < platform_value(watch->platform, PARAMETER_SM_BLOCKS) &&
	       books->shared + kernel->shared_static <= platform_value(watch->platform, PARAMETER_SM_SHARED);
}

static bool fits_somewhere(const struct watch *watch, const struct watched *instance)
{
	for (int sm = 0; sm < platform_value(watch->platform, PARAMETER_SM_COUNT); sm++)
		if (fits(watch, instance, sm))
			return true;
	return false;
}

static int busy_sms(const struct watch *watch, int context)
{
	int count = 0;
	for (int sm = 0; sm < WATCH_SMS; sm++)
		count += watch->sms[context][sm].blocks > 0;
	return count;
}

static bool is_kernel(const struct watch *watch, const struct watched *instance)
{
	return watch->set->operations[instance->operation].kind == OPERATION_KERNEL;
}

static bool waits(const struct watch *watch, const struct watched *instance)
{
	return instance->state == WATCH_READY && is_kernel(watch, instance);
}

/* D3: the first to become ready of the highest level that waits; fewer rules without priorities. */
static const struct watched *head(const struct watch *watch, int context)
{
	const struct watched *head = NULL;
	for (int64_t i = 0; i < watch->count; i++) {
		const struct watched *instance = &watch->instances[i];
		if (!waits(watch, instance) || instance->context != context)
			continue;
		bool first = head == NULL || instance->ready_order < head->ready_order;
		if (watch->switches->priorities == PRIORITIES_KEPT && head != NULL && instance->level != head->level)
			first = instance->level < head->level;
		head = first ? instance : head;
	}
	return head;
}

/* At the end of an instant: what the dispatcher had to do is done. */
static void check_instant(struct watch *watch)
{
	const struct switches *switches = watch->switches;
	const struct watched *first = head(watch, 0);
	if (first == NULL || !watch->instant)
		return;
	if (switches->dispatcher == DISPATCHER_LAZY)
		require(watch, busy_sms(watch, 0) >= platform_value(watch->platform, PARAMETER_DISPATCH_NONEMPTY), "A-WC(g)");
	else if (switches->dispatcher == DISPATCHER_STRICT &&
		 (switches->priorities == PRIORITIES_KEPT || switches->priorities == PRIORITIES_IGNORED))
		require(watch, !fits_somewhere(watch, first), "D5: the head waits though its block fits");
	else if (switches->dispatcher == DISPATCHER_BYPASS && switches->priorities == PRIORITIES_ANY)
		for (int64_t i = 0; i < watch->count; i++)
			require(watch, !waits(watch, &watch->instances[i]) || !fits_somewhere(watch, &watch->instances[i]),
				"bypass: a block waits though it fits");
}

static void see_issue(struct watch *watch, const struct event *event)
{
	assert(event->instance == watch->count && watch->count < WATCH_INSTANCES);
	watch->instances[watch->count++] = (struct watched){.operation = event->operation,
		.context = watch->set->merged_context ? 0 : event->application,
		.level = watch->set->streams[watch->set->operations[event->operation].stream].level,
		.blocks = event->blocks};
}

/* D1, D10: of all that was issued before, what this one waits for has ended. */
static void check_ready(struct watch *watch, int64_t number)
{
	const struct operation *operation = &watch->set->operations[watch->instances[number].operation];
	const struct stream *stream = &watch->set->streams[operation->stream];
	for (int64_t i = 0; i < number; i++) {
		const struct watched *other = &watch->instances[i];
		const struct operation *before = &watch->set->operations[other->operation];
		const struct stream *its = &watch->set->streams[before->stream];
		if (other->state == WATCH_ENDED)
			continue;
		require(watch, before->stream != operation->stream, "D1: two operations of a stream at once");
		bool ordered =
			its->application == stream->application && ((stream->kind == STREAM_NULL && its->kind == STREAM_BLOCKING) ||
									   (its->kind == STREAM_NULL && stream->kind == STREAM_BLOCKING));
		require(watch, !ordered, "D10: the NULL stream was passed");
	}
}

static void see_block_begin(struct watch *watch, const struct event *event)
{
	struct watched *instance = &watch->instances[event->instance];
	const struct kernel *kernel = kernel_of(watch, instance);
	struct watch_sm *books = &watch->sms[instance->context][event->sm];
	require(watch, kernel->scope == SCOPE_GRID || fits(watch, instance, event->sm), "D6: an SM holds more than it can");
	require(watch, waits(watch, instance), "a block begins before its kernel is ready or after its last block");
	if (watch->switches->dispatcher == DISPATCHER_STRICT && watch->set->application_count == 1 &&
		(watch->switches->priorities == PRIORITIES_KEPT || watch->switches->priorities == PRIORITIES_IGNORED))
		require(watch, head(watch, instance->context) == instance, "D3: a block of a kernel that is not the head");
	require(watch, watch->slice == -1 || watch->slice == event->application + 1, "D13: a block begins in another's slice");
	require(watch, !watch->stopped[event->sm >= (platform_value(watch->platform, PARAMETER_SM_COUNT) + 1) / 2],
		"A-ISO: a block begins on a half that is stopped");
	books->warps += kernel->threads / THREADS_A_WARP;
	books->shared += kernel->shared_static;
	books->blocks++;
	instance->begun++;
}

static void see_block_end(struct watch *watch, const struct event *event)
{
	struct watched *instance = &watch->instances[event->instance];
	const struct kernel *kernel = kernel_of(watch, instance);
	struct watch_sm *books = &watch->sms[instance->context][event->sm];
	books->warps -= kernel->threads / THREADS_A_WARP;
	books->shared -= kernel->shared_static;
	books->blocks--;
	instance->ended++;
	require(watch, !watch->stopped[event->sm >= (platform_value(watch->platform, PARAMETER_SM_COUNT) + 1) / 2],
		"A-ISO: a block ends on a half that is stopped");
}

static void see_copy_begin(struct watch *watch, const struct event *event)
{
	const struct watched *instance = &watch->instances[event->instance];
	int turn = watch->slice == 0 ? 1 + instance->context : 0;
	require(watch, watch->copying[turn][event->sm] == 0, "D9: two copies on an engine");
	watch->copying[turn][event->sm] = event->instance + 1;
	for (int64_t i = 0; i < watch->count && !watch->switches->copies_unordered; i++) {
		const struct watched *other = &watch->instances[i];
		bool same = watch->set->operations[other->operation].kind == OPERATION_COPY && other->state == WATCH_READY &&
			    watch->platform->engine_of[watch->set->operations[other->operation].copy.direction] == event->sm &&
			    (turn == 0 || other->context == instance->context);
		require(watch, !same || other == instance || other->begun > 0 || other->ready_order > instance->ready_order,
			"D9: a copy passed another one");
	}
	watch->instances[event->instance].begun = 1;
}

static void see_end(struct watch *watch, const struct event *event)
{
	struct watched *instance = &watch->instances[event->instance];
	if (is_kernel(watch, instance))
		require(watch, instance->begun == instance->blocks && instance->ended == instance->blocks,
			"a kernel ends with blocks left");
	for (int i = 0; i < 5 * WATCH_ENGINES; i++)
		if (watch->copying[i / WATCH_ENGINES][i % WATCH_ENGINES] == event->instance + 1)
			watch->copying[i / WATCH_ENGINES][i % WATCH_ENGINES] = 0;
	instance->state = WATCH_ENDED;
}

static void see_stop(struct watch *watch, const struct event *event)
{
	for (int half = 0; half < 2; half++)
		if (event->sm == NO_ID || event->sm == half)
			watch->stopped[half] = event->kind == EVENT_STOP_BEGIN;
}

static void see_instance(struct watch *watch, const struct event *event)
{
	struct watched *instance = &watch->instances[event->instance];
	if (event->kind == EVENT_READY) {
		check_ready(watch, event->instance);
		instance->state = WATCH_READY;
		instance->ready_order = watch->readies++;
	} else if (event->kind == EVENT_DISPATCH)
		instance->state = WATCH_DISPATCHED;
	else if (event->kind == EVENT_BEGIN && !is_kernel(watch, instance))
		see_copy_begin(watch, event);
	else if (event->kind == EVENT_END)
		see_end(watch, event);
}

static void add_to_hash(struct watch *watch, const struct event *event)
{
	const int64_t numbers[] = {event->time, event->kind, event->instance, event->sm, event->block, event->task, event->job};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		watch->hash = (watch->hash ^ (uint64_t)numbers[i]) * UINT64_C(0x100000001b3);
}

void watch_see(void *context, const struct event *event)
{
	struct watch *watch = context;
	require(watch, event->time >= watch->now, "time goes back");
	if (event->time > watch->now)
		check_instant(watch);
	watch->now = event->time;
	add_to_hash(watch, event);
	watch->releases += event->kind == EVENT_RELEASE;
	watch->completions += event->kind == EVENT_COMPLETE;
	if (event->kind == EVENT_ISSUE)
		see_issue(watch, event);
	else if (event->kind == EVENT_BLOCK_BEGIN)
		see_block_begin(watch, event);
	else if (event->kind == EVENT_BLOCK_END)
		see_block_end(watch, event);
	else if (event->kind == EVENT_SLICE_BEGIN)
		watch->slice = event->application + 1;
	else if (event->kind == EVENT_STOP_BEGIN || event->kind == EVENT_STOP_END)
		see_stop(watch, event);
	else if (event->instance != NO_ID)
		see_instance(watch, event);
}

void watch_finish(struct watch *watch, const struct simulate_result *result)
{
	require(watch, result->status == SIMULATE_DONE && result->drained, "the run does not drain");
	require(watch, watch->completions == watch->releases, "a job does not complete");
	for (int i = 0; i < watch->set->operation_count; i++)
		require(watch, result->operations[i].longest <= watch->set->operations[i].wcet * watch->slowest + watch->switches->lateness,
			"a block, a copy or a host segment takes longer than its WCET, slowed as it may be");
}
