/* The blocks of a run as the trace CSV: a configuration an application, its kernels in the order in which they became engine-ready. */
#include "simulate/run_record.h"
#include "simulate/trace.h"

#include <stdlib.h>
#include <string.h>

#define MODE_BACK_TO_BACK 1

struct writing {
	const struct run_record *record;
	struct activities activities;
	int application;
	struct trace_configuration configuration;
	int *kernels; /* by instance: the kernel in the configuration; NO_ID: not in it */
};

static int compare(const void *a, const void *b)
{
	const struct activity *left = *(struct activity *const *)a, *right = *(struct activity *const *)b;
	return left->order < right->order ? -1 : left->order > right->order;
}

static int levels_of(const struct taskset *set)
{
	int levels = 0;
	for (int s = 0; s < set->stream_count; s++)
		levels = set->streams[s].level > levels ? set->streams[s].level : levels;
	return levels;
}

static struct trace_kernel describe(const struct writing *writing, const struct activity *activity)
{
	const struct taskset *set = writing->record->set;
	const struct operation *operation = &set->operations[activity->operation];
	bool known = operation->kind == OPERATION_KERNEL && operation->kernel.scope == SCOPE_BLOCK;
	struct trace_kernel kernel = {.stream = operation->stream,
		.priority = levels_of(set) - set->streams[operation->stream].level,
		.grid = {activity->blocks, 1, 1},
		.blocks = activity->blocks,
		.threads = activity->threads,
		.registers = known ? operation->kernel.registers : NONE,
		.shared_dynamic = known ? operation->kernel.shared_dynamic : 0,
		.shared_static = known ? operation->kernel.shared_static : 0,
		.carveout = known ? operation->kernel.carveout : NONE};
	if (known)
		memcpy(kernel.grid, operation->kernel.grid, sizeof kernel.grid);
	return kernel;
}

static void add_kernel(struct writing *writing, const struct activity *activity)
{
	struct trace_configuration *configuration = &writing->configuration;
	struct trace_kernel *kernel = &configuration->kernels[configuration->kernel_count];
	*kernel = describe(writing, activity);
	kernel->first_block = configuration->block_count;
	configuration->block_count += (int)activity->blocks;
	writing->kernels[activity->instance] = configuration->kernel_count++;
}

/* The application's kernels that have ended, in order. */
static void add_kernels(struct writing *writing)
{
	const struct run_record *record = writing->record;
	struct activity **own = arena_allocate(record->arena, (size_t)writing->activities.count + 1, sizeof(struct activity *));
	int count = 0;
	for (int i = 0; i < writing->activities.count; i++) {
		struct activity *activity = &writing->activities.items[i];
		if (activity->blocks > 0 && activity->end >= 0 && activity->application == writing->application)
			own[count++] = activity;
	}
	qsort(own, (size_t)count, sizeof *own, compare);
	writing->configuration.kernels = arena_allocate(record->arena, (size_t)count + 1, sizeof *writing->configuration.kernels);
	for (int i = 0; i < writing->activities.issued; i++)
		writing->kernels[i] = NO_ID;
	for (int i = 0; i < count; i++)
		add_kernel(writing, own[i]);
}

static int compare_begins(const void *a, const void *b)
{
	const struct trace_block *left = *(struct trace_block *const *)a, *right = *(struct trace_block *const *)b;
	if (left->begin != right->begin)
		return left->begin < right->begin ? -1 : 1;
	return left->ticket < right->ticket ? -1 : left->ticket > right->ticket;
}

/* Tickets in the order of begins, and times since the first one. */
static void number_blocks(struct writing *writing)
{
	struct trace_configuration *configuration = &writing->configuration;
	struct trace_block **order =
		arena_allocate(writing->record->arena, (size_t)configuration->block_count + 1, sizeof(struct trace_block *));
	for (int i = 0; i < configuration->block_count; i++)
		order[i] = &configuration->blocks[i];
	qsort(order, (size_t)configuration->block_count, sizeof *order, compare_begins);
	int64_t first = configuration->block_count > 0 ? order[0]->begin : 0;
	for (int i = 0; i < configuration->block_count; i++) {
		order[i]->ticket = i;
		order[i]->begin -= first;
		order[i]->end -= first;
	}
}

static void add_blocks(struct writing *writing)
{
	const struct run_record *record = writing->record;
	struct trace_configuration *configuration = &writing->configuration;
	configuration->blocks = arena_allocate(record->arena, (size_t)configuration->block_count + 1, sizeof *configuration->blocks);
	for (int i = 0; i < record->count; i++) {
		struct event event = run_record_event(record, i);
		if ((event.kind != EVENT_BLOCK_BEGIN && event.kind != EVENT_BLOCK_END) || writing->kernels[event.instance] == NO_ID)
			continue;
		const struct trace_kernel *kernel = &configuration->kernels[writing->kernels[event.instance]];
		struct trace_block *block = &configuration->blocks[kernel->first_block + event.block];
		if (event.kind == EVENT_BLOCK_BEGIN)
			*block = (struct trace_block){.begin = event.start, .ticket = i, .sm = event.sm};
		else
			block->end = event.time;
	}
	number_blocks(writing);
}

/* An application's id has no more bytes than a trace's reader takes. */
static void name(struct trace_configuration *configuration, const char *id)
{
	size_t length = strlen(id);
	length = length < TRACE_NAME_MOST ? length : TRACE_NAME_MOST - 1;
	memcpy(configuration->experiment, id, length);
	configuration->experiment[length] = '\0';
}

void run_record_write_trace(const struct run_record *record, struct output *output)
{
	struct writing writing = {.record = record, .activities = run_record_activities(record)};
	writing.kernels = arena_allocate(record->arena, (size_t)writing.activities.issued + 1, sizeof *writing.kernels);
	trace_write_header(output);
	for (int a = 0; a < record->set->application_count; a++) {
		writing.application = a;
		writing.configuration = (struct trace_configuration){.configuration = a, .mode = MODE_BACK_TO_BACK};
		name(&writing.configuration, record->set->applications[a].id);
		add_kernels(&writing);
		add_blocks(&writing);
		trace_write(output, &writing.configuration);
	}
}
