/* One operation of a task. */
#include "input/reader.h"
#include "model/draft.h"

#include <stdlib.h>
#include <string.h>

/* A sequence is a kernel of which only the makespan is known, and no more. */
static enum operation_kind kind_of(const struct xml_element *element)
{
	if (element_is(element, "sequence"))
		return OPERATION_KERNEL;
	for (int i = 0; operation_names[i] != NULL; i++)
		if (element_is(element, operation_names[i]))
			return (enum operation_kind)i;
	return OPERATION_FRAGMENT;
}

/* ---- kernels */

/* Between the measured points the next greater one counts, and no point is below one before it. [MODEL], [COMPOSE] */
static void fill_curve(struct kernel *kernel)
{
	int64_t next = NONE;
	for (int i = kernel->curve_count - 1; i >= 0; i--)
		next = DRAFT(kernel->curve)[i] = DRAFT(kernel->curve)[i] == NONE ? next : DRAFT(kernel->curve)[i];
	for (int i = 1; i < kernel->curve_count; i++)
		DRAFT(kernel->curve)[i] = checked_max(kernel->curve[i - 1], kernel->curve[i]);
}

static void read_curve(struct reader *reader, const struct xml_element *element, struct kernel *kernel)
{
	int capacity = 0;
	for (const struct xml_element *point = element->first; point != NULL; point = point->next) {
		if (!element_is(point, "resident"))
			continue;
		int blocks = (int)read_number(reader, point, "blocks", UNIT_COUNT, ROUND_NEVER, 1);
		kernel->curve = arena_grow(reader->arena, DRAFT(kernel->curve), &capacity, blocks, sizeof *kernel->curve);
		for (; kernel->curve_count < blocks; kernel->curve_count++)
			DRAFT(kernel->curve)[kernel->curve_count] = NONE;
		if (kernel->curve[blocks - 1] != NONE)
			COMPLAIN(reader, point, DUPLICATE_ID, "expected one WCET for %d resident blocks; got another one", blocks);
		DRAFT(kernel->curve)[blocks - 1] = read_number(reader, point, "wcet", UNIT_TIME, ROUND_UP, 0);
	}
	fill_curve(kernel);
}

static void check_curve(struct reader *reader, const struct xml_element *element, struct operation *operation)
{
	const struct kernel *kernel = &operation->kernel;
	if (kernel->curve == NULL)
		return;
	int64_t greatest = kernel->curve[kernel->curve_count - 1];
	if (operation->wcet == NONE)
		operation->wcet = greatest;
	if (operation->wcet != greatest)
		COMPLAIN(reader, element, CURVE_CONTRADICTS, "expected no wcet beside <resident>, or their greatest, %lldns; got %lldns",
			(long long)greatest, (long long)operation->wcet);
	if (kernel->scope == SCOPE_GRID)
		COMPLAIN(reader, element, CURVE_CONTRADICTS, "expected scope=\"block\" beside <resident>; got \"grid\"");
}

static void read_kernel_program(struct reader *reader, const struct xml_element *element, struct operation *operation)
{
	const struct xml_element *program = element_child(element, "program");
	if (program == NULL)
		return;
	int before = reader->diagnostics->errors;
	if (operation->wcet != NONE || operation->kernel.curve != NULL)
		COMPLAIN(reader, program, PROGRAM_CONTRADICTS,
			"expected neither wcet nor <resident> beside <program>, from which they follow");
	if (operation->kernel.scope == SCOPE_GRID)
		COMPLAIN(reader, program, UNSUPPORTED_PROGRAM,
			"expected scope=\"block\" beside <program>: the time of a block follows from it; got \"grid\"");
	if (reader->diagnostics->errors == before)
		operation->program_name = element_get(program, "file");
}

/* ---- WCETs by size */

static void read_gpcs(struct reader *reader, const struct xml_element *element, const char *text, struct sized_time *time)
{
	int64_t sum = 0;
	int64_t *gpcs = arena_allocate(reader->arena, strlen(text) / 2 + 1, sizeof *gpcs);
	for (char *end; *text != '\0'; text = end + strspn(end, " ")) {
		gpcs[time->gpc_count] = strtol(text, &end, 10);
		sum = checked_add(sum, gpcs[time->gpc_count++]);
	}
	time->gpcs = gpcs;
	if (sum != time->sms)
		COMPLAIN(reader, element, SIZE_GPCS, "expected gpcs that make %lld SMs together; these make %lld", (long long)time->sms,
			(long long)sum);
}

static bool is_twice(const struct operation *operation, const struct sized_time *time)
{
	for (int i = 0; i < operation->size_count; i++) {
		const struct sized_time *other = &operation->sizes[i];
		if (other->sms == time->sms && other->gpc_count == time->gpc_count &&
			(time->gpc_count == 0 || memcmp(other->gpcs, time->gpcs, (size_t)time->gpc_count * sizeof *time->gpcs) == 0))
			return true;
	}
	return false;
}

static void read_size(
	struct reader *reader, const struct xml_element *element, const struct known_names *names, struct operation *operation)
{
	struct sized_time *time = &DRAFT(operation->sizes)[operation->size_count];
	const char *gpcs = element_get(element, "gpcs");
	read_attributes(reader, element, ELEMENT_at, time);
	time->line = element->line;
	time->origin = operation->origin;
	if (element_get(element, "origin") != NULL)
		time->origin = read_reference(reader, element, "origin", &names->origins, "origin");
	if (gpcs != NULL)
		read_gpcs(reader, element, gpcs, time);
	if (gpcs != NULL)
		qsort(DRAFT(time->gpcs), (size_t)time->gpc_count, sizeof *time->gpcs, checked_compare);
	if (is_twice(operation, time))
		COMPLAIN(reader, element, SIZE_TWICE, "expected one WCET on %lld SMs%s; got another one", (long long)time->sms,
			gpcs != NULL ? " that lie so" : "");
	if (time->wcet == 0)
		COMPLAIN(reader, element, WCET_ZERO, "operation '%s' has a WCET of zero on %lld SMs", operation->id, (long long)time->sms);
	if (operation->bcet > time->wcet)
		COMPLAIN(reader, element, BCET_ABOVE_WCET, "'%s' takes at least %lldns, and on %lld SMs at most %lldns", operation->id,
			(long long)operation->bcet, (long long)time->sms, (long long)time->wcet);
	operation->size_count++;
}

static void read_sizes(
	struct reader *reader, const struct xml_element *element, const struct known_names *names, struct operation *operation)
{
	int count = element_count(element, "at");
	bool given = operation->wcet != NONE || operation->program_name != NULL;
	if (count == 0 && !given && (element_is(element, "sequence") || operation->kind != OPERATION_KERNEL))
		COMPLAIN(
			reader, element, SIZE_CONTRADICTS, "expected the attribute \"wcet\", or <at> with WCETs by size; there is neither");
	if (count > 0 && given)
		COMPLAIN(reader, element, SIZE_CONTRADICTS,
			"expected neither wcet nor <resident> nor <program> beside <at>, which gives the WCET of each size");
	operation->sizes = arena_allocate(reader->arena, (size_t)count, sizeof *operation->sizes);
	for (const struct xml_element *at = element->first; at != NULL; at = at->next)
		if (element_is(at, "at"))
			read_size(reader, at, names, operation);
}

/* ---- work known by its span */

static void read_gang(struct reader *reader, const struct xml_element *element, struct operation *operation)
{
	const char *cluster = element_get(element, "cluster"), *launch = element_get(element, "launch");
	bool clusters = cluster != NULL && strcmp(cluster, "1") != 0;
	operation->span.gang = clusters || (launch != NULL && strcmp(launch, "cooperative") == 0);
	if (operation->span.gang && operation->kernel.scope == SCOPE_BLOCK)
		COMPLAIN(reader, element, UNSUPPORTED_CLUSTER,
			"expected scope=\"grid\", the time of the whole kernel alone, with cluster=\"%s\" and launch=\"%s\"; got \"block\"",
			cluster == NULL ? "1" : cluster, launch == NULL ? "host" : launch);
}

static void read_sequence(struct reader *reader, const struct xml_element *element, struct operation *operation)
{
	operation->kernel = (struct kernel){.scope = SCOPE_GRID,
		.blocks = NONE,
		.threads = NONE,
		.registers = NONE,
		.carveout = NONE,
		.active_blocks = NONE,
		.footprint = NONE};
	read_attributes(reader, element, ELEMENT_sequence, operation);
	refuse_sequence(reader, element);
}

/* ---- what a kernel has to have */

static void require(struct reader *reader, const struct xml_element *element, const char *attribute, bool given)
{
	if (!given)
		COMPLAIN(reader, element, KERNEL_INCOMPLETE, "expected the attribute \"%s\" of a kernel with scope=\"%s\"; there is none",
			attribute, element_get(element, "scope"));
}

static int64_t product(const int64_t extents[3])
{
	return checked_mul(checked_mul(extents[0], extents[1]), extents[2]);
}

static void read_kernel(struct reader *reader, const struct xml_element *element, struct operation *operation)
{
	struct kernel *kernel = &operation->kernel;
	bool grid_given = element_get(element, "grid") != NULL, block_given = element_get(element, "block") != NULL;
	read_attributes(reader, element, ELEMENT_kernel, kernel);
	kernel->blocks = grid_given ? product(kernel->grid) : NONE;
	kernel->threads = block_given ? product(kernel->block) : NONE;
	read_gang(reader, element, operation);
	read_curve(reader, element, kernel);
	check_curve(reader, element, operation);
	require(reader, element, "grid", kernel->scope == SCOPE_GRID || grid_given);
	require(reader, element, "block", kernel->scope == SCOPE_GRID || block_given);
	read_kernel_program(reader, element, operation);
	require(reader, element, "wcet",
		element_get(element, "wcet") != NULL || kernel->curve != NULL || element_child(element, "program") != NULL ||
			element_child(element, "at") != NULL);
}

/* ---- fragment work */

static void read_fragment(struct reader *reader, const struct xml_element *element, struct operation *operation)
{
	read_attributes(reader, element, ELEMENT_fragment, operation);
	if ((operation->frame_name != NULL) == (element_get(element, "wcet") != NULL))
		COMPLAIN(reader, element, FRAGMENT_COST, "expected wcet or frame, and not both; got %s",
			operation->frame_name != NULL ? "both" : "neither");
}

struct operation read_operation(struct reader *reader, const struct xml_element *element, const struct known_names *names, int origin)
{
	struct operation operation = {
		.kind = kind_of(element),
		.stream = NO_ID,
		.event = NO_ID,
		.origin = origin,
		.line = element->line,
	};
	if (operation.kind != OPERATION_HOST)
		operation.stream = read_reference(reader, element, "stream", &names->streams, "stream");
	read_attributes(reader, element, ELEMENT_operation, &operation);
	if (operation.kind == OPERATION_WAIT || operation.kind == OPERATION_RECORD) {
		operation.wcet = 0;
		operation.event = read_reference(reader, element, "event", &names->events, "event");
		return operation;
	}
	read_attributes(reader, element, ELEMENT_work, &operation);
	if (operation.kind == OPERATION_HOST)
		read_attributes(reader, element, ELEMENT_host, &operation);
	if (element_is(element, "sequence"))
		read_sequence(reader, element, &operation);
	else if (operation.kind == OPERATION_KERNEL)
		read_kernel(reader, element, &operation);
	else if (operation.kind == OPERATION_FRAGMENT)
		read_fragment(reader, element, &operation);
	else if (operation.kind != OPERATION_HOST)
		read_attributes(reader, element, ELEMENT_transfer, &operation.copy);
	if (operation.kind != OPERATION_FRAGMENT && operation.kind != OPERATION_HOST)
		read_sizes(reader, element, names, &operation);
	return operation;
}
