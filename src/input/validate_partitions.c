/* What a partition may be, and who may use it. */
#include "input/validate_rules.h"

#include <inttypes.h>
#include <stddef.h>

#define COMPLAIN(validation, code, line, ...)                                                                                              \
	diagnose((validation)->diagnostics, DIAGNOSTIC_##code, (validation)->set->path, line, __VA_ARGS__)

static bool has(const struct partition *partition, int64_t sm)
{
	return partition->members != NULL && (partition->members[sm / 64] >> (sm % 64) & 1) != 0;
}

/* ---- one partition */

static void hold_ids(const struct validation *validation, const struct partition *partition, int64_t sms)
{
	int64_t sm = sms;
	while (sm < 64 * PARTITION_WORDS && !has(partition, sm))
		sm++;
	if (sm < 64 * PARTITION_WORDS)
		COMPLAIN(validation, PARTITION_SMS, partition->line,
			"partition '%s': expected SMs of %s, which are 0 to %" PRId64 "; got %" PRId64, partition->id,
			validation->platform->id, sms - 1, sm);
}

/* Groups of so many SMs can be asked for, and once what is left over. */
static void hold_granularity(const struct validation *validation, const struct partition *partition, int64_t sms)
{
	int64_t unit = platform_value(validation->platform, PARAMETER_PARTITION_UNIT), size = partition->size;
	if (unit == NONE || partition->kind == PARTITION_MASK || size % unit == 0 || (size <= sms && (sms - size) % unit == 0))
		return;
	COMPLAIN(validation, PARTITION_GRANULARITY, partition->line,
		"partition '%s' has %" PRId64 " SMs: expected a multiple of partition.unit, which is %" PRId64
		" on %s, or what such multiples leave of %" PRId64,
		partition->id, size, unit, validation->platform->id, sms);
}

static void hold_kind(const struct validation *validation, const struct partition *partition)
{
	const struct platform *platform = validation->platform;
	if (partition->kind == PARTITION_MASK && platform->compute_capability >= 90)
		COMPLAIN(validation, PARTITION_MASK, partition->line,
			"partition '%s': expected kind=\"green\" or \"mps\" on compute capability %d.%d; nobody has calibrated which bit "
			"of a mask "
			"is which SM there",
			partition->id, platform->compute_capability / 10, platform->compute_capability % 10);
}

/* ---- all of them */

static void hold_sum(const struct validation *validation, int64_t sms)
{
	const struct taskset *set = validation->set;
	int64_t sum = 0;
	for (int i = 0; i < set->partition_count; i++) {
		int64_t before = sum;
		sum = checked_add(sum, set->partitions[i].size);
		if (sum > sms && before <= sms)
			COMPLAIN(validation, PARTITION_TOO_MANY, set->partitions[i].line,
				"partition '%s': expected at most %" PRId64
				" SMs in all partitions together, as %s has; these are %" PRId64,
				set->partitions[i].id, sms, validation->platform->id, sum);
	}
}

/* owners: [SM]: 1 + the partition that has it. */
static void hold_apart(const struct validation *validation, int index, int *owners)
{
	const struct partition *partition = &validation->set->partitions[index], *other = NULL;
	int64_t shared = 0;
	for (int64_t sm = 0; sm < 64 * PARTITION_WORDS; sm++) {
		if (!has(partition, sm))
			continue;
		if (owners[sm] > 0 && other == NULL) {
			other = &validation->set->partitions[owners[sm] - 1];
			shared = sm;
		}
		owners[sm] = 1 + index;
	}
	if (other != NULL)
		COMPLAIN(validation, PARTITION_OVERLAP, partition->line,
			"partitions '%s' (%s) and '%s' (%s) both have SM %" PRId64 ": expected SMs that no other partition has", other->id,
			partition_names[other->kind], partition->id, partition_names[partition->kind], shared);
}

/* ---- who uses them */

static void hold_streams(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	const struct stream **first =
		arena_allocate(validation->diagnostics->arena, (size_t)set->partition_count + 1, sizeof(const struct stream *));
	for (int i = 0; i < set->stream_count; i++) {
		const struct stream *stream = &set->streams[i];
		if (stream->partition == 0)
			continue;
		const struct partition *partition = &set->partitions[stream->partition - 1];
		const struct stream **before = &first[stream->partition - 1];
		if (stream->kind == STREAM_NULL)
			COMPLAIN(validation, PARTITION_STREAM, stream->line,
				"stream '%s' is a NULL stream: expected none in partition '%s', as that stream is the primary context's",
				stream->id, partition->id);
		if (partition->kind == PARTITION_MPS && *before == NULL && !set->merged_context &&
			set->applications[stream->application].server == NULL)
			COMPLAIN(validation, PARTITION_MPS, stream->line,
				"stream '%s' of application '%s' names partition '%s', which is one of MPS: expected mps-server in the "
				"application, or mps=\"merged\" of the task set",
				stream->id, set->applications[stream->application].id, partition->id);
		if (*before != NULL && taskset_context(set, (*before)->application) != taskset_context(set, stream->application))
			COMPLAIN(validation, PARTITION_STREAM, stream->line,
				"stream '%s' of application '%s' names partition '%s', which is one of application '%s': expected a "
				"partition of "
				"its own",
				stream->id, set->applications[stream->application].id, partition->id,
				set->applications[(*before)->application].id);
		*before = *before == NULL ? stream : *before;
	}
}

static void hold_fragments(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		if (operation->kind == OPERATION_FRAGMENT && set->streams[operation->stream].partition > 0)
			COMPLAIN(validation, PARTITION_STREAM, operation->line,
				"fragment work '%s' is on stream '%s' of a partition: expected it on the whole GPU", operation->id,
				set->streams[operation->stream].id);
	}
}

void rules_partitions(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	int64_t sms = platform_value(validation->platform, PARAMETER_SM_COUNT);
	if (set->partition_count == 0)
		return;
	int *owners = arena_allocate(validation->diagnostics->arena, 64 * PARTITION_WORDS, sizeof *owners);
	for (int i = 0; i < set->partition_count; i++) {
		if (sms != NONE && set->partitions[i].members != NULL)
			hold_ids(validation, &set->partitions[i], sms);
		if (sms != NONE)
			hold_granularity(validation, &set->partitions[i], sms);
		hold_kind(validation, &set->partitions[i]);
		hold_apart(validation, i, owners);
	}
	if (sms == NONE)
		COMPLAIN(validation, KERNEL_LIMIT_UNKNOWN, set->partitions[0].line,
			"partition '%s' needs sm.count, which %s does not state; add <declare name=\"sm.count\" value=\"...\" "
			"source=\"...\" by=\"...\"/>",
			set->partitions[0].id, validation->platform->id);
	else
		hold_sum(validation, sms);
	hold_streams(validation);
	hold_fragments(validation);
}
