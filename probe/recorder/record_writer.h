/* Writes a recording, the text that gpubound import recorder reads; gpubound-recording(5) says what stands in it.
 *
 * Requires: nothing of CUDA: a test can write a recording on any machine.
 * Provides: a line for each record, a count of all of them, and of those that were lost.
 * Fails:    what cannot be written (the disk is full) counts as lost; record_writer_close says so.
 */
#ifndef RECORD_WRITER_H
#define RECORD_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#define RECORD_UNKNOWN UINT64_MAX /* in place of a number: the line goes without it */

struct record_writer;

/* Where and when work ran on the GPU. */
struct record_place {
	uint64_t start, end;                                        /* ns */
	uint64_t device, context, stream, correlation, graph, node; /* graph and node 0: of no graph */
};

struct record_kernel {
	struct record_place place;
	const char *name;                      /* as the compiler mangled it */
	int64_t grid[3], block[3], cluster[3]; /* cluster 0: not said */
	uint64_t registers, shared_static, shared_dynamic;
	const char *launch; /* "regular", "cooperative", "device" */
};

struct record_transfer {
	struct record_place place;
	const char *kind;            /* h2d, d2h, d2d, peer, h2h, memset */
	const char *source, *target; /* of the memory: pageable, pinned, device, managed; NULL: not said */
	uint64_t bytes;
};

struct record_call {
	uint64_t start, end, process, thread, correlation;
	const char *function;
	uint64_t result; /* 0: it succeeded */
};

struct record_device {
	uint64_t id, major, minor, sms, warps, registers, shared, block_threads, block_registers, block_shared;
	const char *name;
};

struct record_context {
	uint64_t id, device, null_stream;
	bool green;
	uint64_t sms, parent; /* of a green one; parent 0: not said */
};

struct record_stream {
	uint64_t context, id;
	int64_t priority; /* CUDA's: lower numbers are higher */
	const char *kind; /* blocking, non-blocking, null */
};

struct record_writer *record_writer_open(const char *path); /* NULL with errno */

void record_device(struct record_writer *writer, const struct record_device *device);
void record_context(struct record_writer *writer, const struct record_context *context);
void record_stream(struct record_writer *writer, const struct record_stream *stream);
void record_kernel(struct record_writer *writer, const struct record_kernel *kernel);
void record_transfer(struct record_writer *writer, const struct record_transfer *transfer);
void record_graph(struct record_writer *writer, const struct record_place *place); /* one that was traced as a whole */
void record_call(struct record_writer *writer, const struct record_call *call);
void record_lost(struct record_writer *writer, uint64_t records, const char *why); /* one word */

/* Writes the end, closes, frees. How many records were lost, those that could not be written included. */
uint64_t record_writer_close(struct record_writer *writer);

#endif
