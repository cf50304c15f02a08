/* A recording as text: a line for each record, of words NAME=VALUE. */
#define _GNU_SOURCE
#include "record_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MOST 1300 /* bytes of a kernel's name, each of which may become three: lines have at most 4,095 */

struct name {
	char *text;
	uint64_t id;
};

struct record_writer {
	FILE *file;
	uint64_t records, lost, unwritten;
	struct name *names; /* by hash, a power of two */
	size_t name_count, name_capacity;
	bool failed;
};

struct record_writer *record_writer_open(const char *path)
{
	FILE *file = fopen(path, "w");
	struct record_writer *writer = file == NULL ? NULL : calloc(1, sizeof *writer);
	if (writer == NULL) {
		if (file != NULL)
			fclose(file);
		return NULL;
	}
	writer->file = file;
	fputs("gpubound-recording 1\n", file);
	return writer;
}

/* ---- words */

static void begin(struct record_writer *writer, const char *kind)
{
	fputs(kind, writer->file);
}

static void number(struct record_writer *writer, const char *name, uint64_t value)
{
	if (value != RECORD_UNKNOWN)
		fprintf(writer->file, " %s=%" PRIu64, name, value);
}

/* Blanks, '%' and control characters as %XX. */
static void text(struct record_writer *writer, const char *name, const char *value)
{
	if (value == NULL)
		return;
	fprintf(writer->file, " %s=", name);
	for (size_t i = 0; value[i] != '\0' && i < NAME_MOST; i++) {
		unsigned char c = (unsigned char)value[i];
		if (c <= ' ' || c == '%' || c == 0x7f)
			fprintf(writer->file, "%%%02X", c);
		else
			putc(c, writer->file);
	}
}

static void extents(struct record_writer *writer, const char *name, const int64_t value[3])
{
	if (value[0] > 0)
		fprintf(writer->file, " %s=%" PRId64 "x%" PRId64 "x%" PRId64, name, value[0], value[1], value[2]);
}

static void end(struct record_writer *writer)
{
	putc('\n', writer->file);
	writer->records++;
	writer->failed = writer->failed || ferror(writer->file) != 0;
	writer->unwritten += writer->failed;
}

static void place(struct record_writer *writer, const struct record_place *place)
{
	number(writer, "start", place->start);
	number(writer, "end", place->end);
	number(writer, "device", place->device);
	number(writer, "context", place->context);
	number(writer, "stream", place->stream);
	number(writer, "correlation", place->correlation);
	if (place->graph != 0)
		number(writer, "graph", place->graph);
	if (place->node != 0)
		number(writer, "node", place->node);
}

/* ---- names of kernels: each is written once */

static uint64_t hash_of(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (; *name != '\0'; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

static struct name *find_name(struct name *names, size_t capacity, const char *name)
{
	size_t at = (size_t)hash_of(name) & (capacity - 1);
	while (names[at].text != NULL && strcmp(names[at].text, name) != 0)
		at = (at + 1) & (capacity - 1);
	return &names[at];
}

static bool make_room(struct record_writer *writer)
{
	if (2 * (writer->name_count + 1) <= writer->name_capacity)
		return true;
	size_t capacity = writer->name_capacity == 0 ? 256 : 2 * writer->name_capacity;
	struct name *names = calloc(capacity, sizeof *names);
	if (names == NULL)
		return false;
	for (size_t i = 0; i < writer->name_capacity; i++)
		if (writer->names[i].text != NULL)
			*find_name(names, capacity, writer->names[i].text) = writer->names[i];
	free(writer->names);
	writer->names = names;
	writer->name_capacity = capacity;
	return true;
}

/* 0: there is no memory for it. A name that is too long ends in its hash, so that two of them stay two. */
static uint64_t name_of(struct record_writer *writer, const char *full)
{
	char shortened[NAME_MOST + 1];
	const char *name = full;
	if (strlen(full) > NAME_MOST) {
		snprintf(shortened, sizeof shortened, "%.*s~%016" PRIx64, NAME_MOST - 17, full, hash_of(full));
		name = shortened;
	}
	if (!make_room(writer))
		return 0;
	struct name *found = find_name(writer->names, writer->name_capacity, name);
	if (found->text != NULL)
		return found->id;
	found->text = strdup(name);
	if (found->text == NULL)
		return 0;
	found->id = ++writer->name_count;
	begin(writer, "name");
	number(writer, "id", found->id);
	text(writer, "text", name);
	end(writer);
	return found->id;
}

/* ---- records */

void record_device(struct record_writer *writer, const struct record_device *device)
{
	begin(writer, "device");
	number(writer, "id", device->id);
	number(writer, "major", device->major);
	number(writer, "minor", device->minor);
	number(writer, "sm.count", device->sms);
	number(writer, "sm.warps", device->warps);
	number(writer, "sm.registers", device->registers);
	number(writer, "sm.shared", device->shared);
	number(writer, "block.threads", device->block_threads);
	number(writer, "block.registers", device->block_registers);
	number(writer, "block.shared", device->block_shared);
	text(writer, "name", device->name);
	end(writer);
}

void record_context(struct record_writer *writer, const struct record_context *context)
{
	begin(writer, "context");
	number(writer, "id", context->id);
	number(writer, "device", context->device);
	number(writer, "null-stream", context->null_stream);
	if (context->green)
		number(writer, "green-sms", context->sms);
	if (context->parent > 0)
		number(writer, "parent", context->parent);
	end(writer);
}

void record_stream(struct record_writer *writer, const struct record_stream *stream)
{
	begin(writer, "stream");
	number(writer, "context", stream->context);
	number(writer, "id", stream->id);
	fprintf(writer->file, " priority=%" PRId64, stream->priority);
	text(writer, "kind", stream->kind);
	end(writer);
}

void record_kernel(struct record_writer *writer, const struct record_kernel *kernel)
{
	uint64_t name = name_of(writer, kernel->name != NULL ? kernel->name : "?");
	if (name == 0) {
		record_lost(writer, 1, "memory");
		return;
	}
	begin(writer, "kernel");
	place(writer, &kernel->place);
	number(writer, "name", name);
	extents(writer, "grid", kernel->grid);
	extents(writer, "block", kernel->block);
	number(writer, "registers", kernel->registers);
	number(writer, "shared-static", kernel->shared_static);
	number(writer, "shared-dynamic", kernel->shared_dynamic);
	extents(writer, "cluster", kernel->cluster);
	text(writer, "launch", kernel->launch);
	end(writer);
}

void record_transfer(struct record_writer *writer, const struct record_transfer *transfer)
{
	begin(writer, strcmp(transfer->kind, "memset") == 0 ? "memset" : "copy");
	place(writer, &transfer->place);
	number(writer, "bytes", transfer->bytes);
	text(writer, "kind", strcmp(transfer->kind, "memset") == 0 ? NULL : transfer->kind);
	text(writer, "source", transfer->source);
	text(writer, "target", transfer->target);
	end(writer);
}

void record_graph(struct record_writer *writer, const struct record_place *where)
{
	begin(writer, "graph");
	place(writer, where);
	end(writer);
}

void record_call(struct record_writer *writer, const struct record_call *call)
{
	begin(writer, "call");
	number(writer, "start", call->start);
	number(writer, "end", call->end);
	number(writer, "process", call->process);
	number(writer, "thread", call->thread);
	number(writer, "correlation", call->correlation);
	text(writer, "function", call->function);
	number(writer, "result", call->result);
	end(writer);
}

void record_lost(struct record_writer *writer, uint64_t records, const char *why)
{
	if (records == 0)
		return;
	writer->lost += records;
	begin(writer, "lost");
	number(writer, "records", records);
	text(writer, "why", why);
	end(writer);
}

uint64_t record_writer_close(struct record_writer *writer)
{
	uint64_t lost = writer->lost, records = writer->records;
	bool failed = fflush(writer->file) != 0 || writer->failed;
	if (!failed)
		fprintf(writer->file, "end records=%" PRIu64 " lost=%" PRIu64 "\n", records, lost);
	failed = fclose(writer->file) != 0 || failed;
	for (size_t i = 0; i < writer->name_capacity; i++)
		free(writer->names[i].text);
	free(writer->names);
	lost += failed ? (writer->unwritten > 0 ? writer->unwritten : 1) : 0; /* at least what was still in the buffer */
	free(writer);
	return lost;
}
