/* Operations: their times, copies and memsets. */
#include "input/validate_rules.h"

#include <inttypes.h>
#include <stddef.h>

/* Bytes a nanosecond that nothing on the market reaches: host links (NVLink-C2C: 450 GB/s a direction by NVIDIA's data sheets), device
 * memory (H200: 4.8 TB/s). A copy shorter than that has a wrong unit. */
static const int64_t fastest[DIRECTION_COUNT] = {
	[DIRECTION_H2D] = 1000,
	[DIRECTION_D2H] = 1000,
	[DIRECTION_PEER] = 1000,
	[DIRECTION_D2D] = 10000,
	[DIRECTION_MEMSET] = 10000,
};

static void hold_times(const struct validation *validation, const struct operation *operation)
{
	if (operation->kind == OPERATION_WAIT || operation->kind == OPERATION_RECORD)
		return;
	if (operation->frame != NULL || operation->program != NULL || operation->size_count > 0)
		return; /* it follows from the frame, from the program, from the SMs that it has */
	if (operation->wcet <= 0)
		diagnose(validation->diagnostics, DIAGNOSTIC_WCET_ZERO, validation->set->path, operation->line,
			"%s '%s' has a WCET of zero", operation_names[operation->kind], operation->id);
	else if (operation->bcet > operation->wcet)
		diagnose(validation->diagnostics, DIAGNOSTIC_BCET_ABOVE_WCET, validation->set->path, operation->line,
			"%s '%s' takes at least %" PRId64 "ns and at most %" PRId64 "ns", operation_names[operation->kind], operation->id,
			operation->bcet, operation->wcet);
}

/* One operation of a sequence takes no longer than all of it. */
static void hold_span(const struct validation *validation, const struct operation *operation)
{
	const struct measured_span *span = &operation->span;
	int64_t most = operation->wcet;
	for (int i = 0; i < operation->size_count; i++)
		most = checked_max(most == NONE ? 0 : most, operation->sizes[i].wcet);
	if (span->operations > 0 && span->longest != NONE && (span->longest <= 0 || span->longest > most))
		diagnose(validation->diagnostics, DIAGNOSTIC_SEQUENCE_LONGEST, validation->set->path, operation->line,
			"sequence '%s': expected longest above 0ns and at most wcet, %" PRId64 "ns; got %" PRId64 "ns", operation->id, most,
			span->longest);
}

/* A copy engine has no SMs. */
static void hold_sizes(const struct validation *validation, const struct operation *operation)
{
	bool transfer = operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET;
	if (operation->size_count > 0 && transfer && validation->platform->engine_of[operation->copy.direction] != ENGINE_COMPUTE)
		diagnose(validation->diagnostics, DIAGNOSTIC_SIZE_OFF_SMS, validation->set->path, operation->sizes[0].line,
			"%s '%s' does not run on the SMs of %s: expected the attribute \"wcet\"; got <at>",
			operation_names[operation->kind], operation->id, validation->platform->id);
}

/* A WCET may be loose, so that it contradicts nothing; but who vouches for it should have seen it. */
static void hold_order(const struct validation *validation, const struct operation *operation)
{
	const struct sized_time *sizes = operation->sizes;
	for (int i = 0; i < operation->size_count && platform_grants(validation->platform, ASSUMPTION_MORE_SMS); i++)
		for (int k = 0; k < operation->size_count; k++)
			if (sizes[i].gpc_count == 0 && sizes[k].gpc_count == 0 && sizes[k].sms < sizes[i].sms &&
				sizes[k].wcet < sizes[i].wcet) {
				diagnose(validation->diagnostics, DIAGNOSTIC_SIZE_ORDER, validation->set->path, sizes[i].line,
					"%s '%s': A-MORE-SMS is granted, and its WCET on %" PRId64 " SMs is above that on %" PRId64,
					operation_names[operation->kind], operation->id, sizes[i].sms, sizes[k].sms);
				return;
			}
}

/* said: of which directions; once is enough, however many copies there are. */
static void hold_engine(const struct validation *validation, const struct operation *operation, bool *said)
{
	const char *direction = direction_names[operation->copy.direction];
	if (validation->platform->engine_of[operation->copy.direction] == ENGINE_NONE && !said[operation->copy.direction])
		diagnose(validation->diagnostics, DIAGNOSTIC_COPY_NO_ENGINE, validation->set->path, operation->line,
			"nothing says which engine of %s serves %s '%s'; add <declare name=\"engine.%s\" value=\"...\" source=\"...\" "
			"by=\"...\"/>",
			validation->platform->id, direction, operation->id, direction);
	said[operation->copy.direction] = true;
}

static void hold_bytes(const struct validation *validation, const struct operation *operation)
{
	const struct copy *copy = &operation->copy;
	if (copy->bytes == NONE)
		return;
	if (copy->bytes <= 0)
		diagnose(validation->diagnostics, DIAGNOSTIC_BYTES_ZERO, validation->set->path, operation->line, "%s '%s' has no bytes",
			operation_names[operation->kind], operation->id);
	else if (operation->wcet > 0 && copy->bytes > checked_mul(operation->wcet, fastest[copy->direction]))
		diagnose(validation->diagnostics, DIAGNOSTIC_COPY_TOO_FAST, validation->set->path, operation->line,
			"%s '%s': %" PRId64 "B in at most %" PRId64 "ns is more than %" PRId64 " GB/s", operation_names[operation->kind],
			operation->id, copy->bytes, operation->wcet, fastest[copy->direction]);
}

void rules_operations(const struct validation *validation)
{
	bool said[DIRECTION_COUNT] = {false};
	for (int i = 0; i < validation->set->operation_count; i++) {
		const struct operation *operation = &validation->set->operations[i];
		hold_times(validation, operation);
		hold_span(validation, operation);
		hold_sizes(validation, operation);
		hold_order(validation, operation);
		if (operation->kind != OPERATION_COPY && operation->kind != OPERATION_MEMSET)
			continue;
		hold_engine(validation, operation, said);
		hold_bytes(validation, operation);
	}
}
