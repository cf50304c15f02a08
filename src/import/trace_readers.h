/* What the readers of traces have in common.
 *
 * Requires: a build.
 * Provides: labels of streams, the directions of copies, samples.
 * Source:   formats of Nsight Systems, 2021 to 2025.
 * Fails:    with diagnostics.
 */
#ifndef IMPORT_TRACE_READERS_H
#define IMPORT_TRACE_READERS_H

#include "import/build.h"
#include "model/platform.h"

#define DEFAULT_STREAM "7" /* the number under which the tools show a context's NULL stream */

#define CLUSTERED_SINCE 9 /* compute capability of the first parts with thread-block clusters */

#define TRACE_DEVICES 64

/* What an input says of a GPU; what it does not: NULL, NONE, and 0 where it does not name the GPU at all. */
struct trace_gpu {
	const char *board;
	int64_t major, minor, sms;
};

/* A lane for a stream of a context, both as the tool numbers them. */
int trace_lane(struct import_build *build, const char *context, const char *stream);

/* A number from 1 on, in the order of first appearance. */
int trace_number(struct import_build *build, struct trace_names *names, const char *text);

enum trace_work { TRACE_KERNEL, TRACE_TRANSFER, TRACE_HOST, TRACE_UNKNOWN };

/* "[CUDA memcpy HtoD]", "[CUDA memcpy Host-to-Device]", "[CUDA memset]": what it is, with kind and direction in *item. A name without
 * brackets is a kernel's. */
enum trace_work trace_classify(const char *name, struct import_item *item);

/* Where a sample comes from, and that it is one. */
void trace_sample(struct import_build *build, struct import_item *item, int64_t duration, const char *source, const char *path, long row);

/* The GPU of "NVIDIA H200 (0)", as the tools write a device; NULL: it has no name. */
const char *trace_board(struct import_build *build, const char *device);

/* Work was seen on the GPU of that number, which has to be the one of the platform model. Its board; NULL: the input does not say. */
const char *trace_on(struct import_build *build, const struct trace_gpu gpus[TRACE_DEVICES], int64_t device, const char *path);

/* Adds a new line that declares what the input says of the GPU; NONE: nothing. what: the input. */
void trace_limit(struct output *text, enum parameter parameter, int64_t value, const char *what);

/* Work without grid that is no transfer: a graph as one row, perhaps. */
void trace_note_unshaped(struct import_build *build, const char *name, const char *path, long row);

/* Shared memory in thousands of bytes was left out; `way` says how to get bytes. */
void trace_note_rounded(struct import_build *build, const char *way, const char *path, long row);

#endif
