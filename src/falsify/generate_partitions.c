/* SMs that are reserved for parts of the work: two or three partitions, half of them with several streams, over queues, grid slots and copy
 * engines of which there may be too few. */
#include "falsify/generate_parts.h"
#include "model/draft.h"
#include "model/sm_set.h"

#define PARTITIONS_MOST 3

static uint64_t *draw_members(struct arena *arena, struct draw *draw, int64_t sms, int64_t size, bool *taken)
{
	uint64_t *members = arena_allocate(arena, PARTITION_WORDS, sizeof *members);
	for (int64_t left = size; left > 0;) {
		int64_t sm = draw_range(draw, 0, sms - 1);
		while (taken[sm])
			sm = (sm + 1) % sms;
		taken[sm] = true;
		members[sm / 64] |= UINT64_C(1) << (sm % 64);
		left--;
	}
	return members;
}

/* Each has an SM at least; what is left over nobody has. */
static void draw_partitions(struct arena *arena, struct draw *draw, struct taskset *set, int64_t sms, int count)
{
	bool *taken = arena_allocate(arena, (size_t)sms, sizeof *taken), known = draw_percent(draw, 50);
	set->partitions = arena_allocate(arena, (size_t)count, sizeof *set->partitions);
	for (int64_t left = sms; set->partition_count < count;) {
		int more = count - set->partition_count - 1;
		int64_t most = left - more, size = draw_percent(draw, 60) && more == 0 ? most : draw_range(draw, 1, most);
		DRAFT(set->partitions)
		[set->partition_count] = (struct partition){.id = arena_format(arena, "p%d", set->partition_count),
			.kind = draw_percent(draw, 50) ? PARTITION_GREEN : PARTITION_MASK,
			.size = size,
			.members = known ? draw_members(arena, draw, sms, size, taken) : NULL};
		set->partition_count++;
		left -= size;
	}
}

static void give_partitions(struct draw *draw, struct taskset *set)
{
	bool crowded = draw_percent(draw, 50), primary = draw_percent(draw, 12);
	for (int i = 0; i < set->stream_count; i++) {
		struct stream *stream = &DRAFT(set->streams)[i];
		int own = taskset_context(set, stream->application), rest = taskset_contexts(set);
		int choice = crowded ? (int)draw_range(draw, 0, set->partition_count - 1) : i % set->partition_count;
		if (primary && draw_percent(draw, 40))
			continue;
		/* a partition is of one process: those of process a are a, a + the number of processes, ... */
		choice = own + (choice / rest) * rest;
		if (choice >= set->partition_count)
			continue;
		stream->partition = 1 + choice;
		stream->kind = stream->kind == STREAM_NULL ? STREAM_NON_BLOCKING : stream->kind;
	}
}

/* Two streams with kernels that might share a partition do. */
void generate_crowd(struct draw *draw, struct taskset *set)
{
	int first = NO_ID, from = (int)draw_range(draw, 0, set->operation_count - 1);
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[(from + i) % set->operation_count];
		if (operation->kind != OPERATION_KERNEL || set->streams[operation->stream].partition == 0)
			continue;
		struct stream *stream = &DRAFT(set->streams)[operation->stream];
		first = first == NO_ID ? operation->stream : first;
		bool together = taskset_context_of(set, operation->stream) == taskset_context_of(set, first);
		if (operation->stream == first || !together)
			continue;
		stream->partition = set->streams[first].partition;
		return;
	}
}

/* Kernels have fewer SMs now. */
static void lengthen_periods(struct draw *draw, struct taskset *set)
{
	int64_t most = draw_range(draw, 1, set->partition_count);
	for (int i = 0; i < set->task_count; i++) {
		struct arrival *arrival = &DRAFT(set->tasks)[i].arrival;
		arrival->period = checked_mul(arrival->period, most);
	}
}

/* ---- WCETs by size: the true one at the size that it has, or, where A-MORE-SMS is assumed, no less at a smaller one, and others beside it
 * that hold elsewhere */

static void add_size(struct operation *operation, int64_t sms, int64_t wcet)
{
	for (int i = 0; i < operation->size_count; i++)
		if (operation->sizes[i].sms == sms)
			return;
	DRAFT(operation->sizes)
	[operation->size_count++] =
		(struct sized_time){.sms = sms, .wcet = checked_max(wcet, checked_max(1, operation->bcet)), .origin = operation->origin};
}

static void draw_sizes(struct arena *arena, struct draw *draw, struct operation *operation, int64_t sms, bool fewer)
{
	operation->sizes = arena_allocate(arena, 4, sizeof *operation->sizes);
	if (fewer && sms > 1 && draw_percent(draw, 40)) {
		add_size(operation, sms - 1, draw_range(draw, operation->wcet, 2 * operation->wcet));
		for (int64_t i = draw_range(draw, 0, 2); i > 0; i--)
			add_size(operation, draw_percent(draw, 50) ? sms + i : checked_max(1, sms - 1 - i),
				draw_range(draw, 1, 2 * operation->wcet));
		return;
	}
	add_size(operation, sms, operation->wcet);
	for (int64_t i = draw_range(draw, 0, 3); i > 0; i--)
		add_size(operation, draw_range(draw, 1, sms + 4), draw_range(draw, 1, 2 * operation->wcet));
}

void generate_sizes(struct arena *arena, struct draw *draw, struct falsify_case *of)
{
	bool fewer = draw_percent(draw, 40);
	if (fewer)
		of->platform->assumptions[ASSUMPTION_MORE_SMS].status = STATUS_ASSUMED;
	for (int i = 0; i < of->set->operation_count; i++) {
		struct operation *operation = &DRAFT(of->set->operations)[i];
		int64_t sms = operation->stream == NO_ID ? NONE : sm_set_of_stream(of->platform, of->set, operation->stream).size;
		bool plain = operation->kind == OPERATION_KERNEL && operation->kernel.curve == NULL && operation->program_name == NULL;
		if (plain && sms != NONE && draw_percent(draw, 70))
			draw_sizes(arena, draw, operation, sms, fewer);
	}
}

void generate_partitions(struct arena *arena, struct draw *draw, struct platform *platform, struct taskset *set)
{
	int64_t sms = platform_value(platform, PARAMETER_SM_COUNT);
	int count = (int)draw_range(draw, 2, PARTITIONS_MOST);
	if (sms == NONE || set->stream_count == 0)
		return;
	if (sms < count) {
		sms = draw_range(draw, count, 2 * count);
		generate_set(platform, PARAMETER_SM_COUNT, sms);
		platform->sms = NULL;
		platform->map_source = NULL;
		platform->gpc_count = 0;
		platform->order = NULL;
		platform->order_source = NULL;
	}
	draw_partitions(arena, draw, set, sms, count);
	give_partitions(draw, set);
	lengthen_periods(draw, set);
	platform->assumptions[ASSUMPTION_PARTITION].status = STATUS_ASSUMED;
	if (draw_percent(draw, 70))
		generate_set(platform, PARAMETER_QUEUES_HARDWARE, draw_range(draw, set->stream_count + 1, 2 * set->stream_count + 8));
	else if (draw_percent(draw, 50))
		generate_set(platform, PARAMETER_QUEUES_HARDWARE, draw_range(draw, 1, set->stream_count));
	if (draw_percent(draw, 80))
		generate_set(platform, PARAMETER_QUEUES_GRIDS, draw_range(draw, 16, 128));
	if (draw_percent(draw, 80))
		platform->copy_runlist = COPY_RUNLIST_OWN;
	bool alike = draw_percent(draw, 80);
	for (int i = 0; i < set->operation_count && alike; i++) { /* nobody waits for the whole chip */
		DRAFT(set->operations)[i].kernel.carveout = NONE;
		DRAFT(set->operations)[i].kernel.cache = CACHE_NONE;
	}
}
