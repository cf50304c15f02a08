/* Recorded or simulated block placements: the trace CSV, plain or gzipped.
 *
 * Requires: a path or "-"; no platform.
 * Provides: one configuration at a time (the kernels launched together, each with its blocks in index order), read as a stream, in memory
 *           that the largest configuration bounds; and the same written.
 * Source:   gpubound-validate(1), trace format. The columns are
 * exp,cfg,rep,mode,kernel,stream,prio,gx,gy,gz,threads,smem,variant,block,smid,
 *           ticket,t0,t1 in any order. Three more may follow, and are written where a number is known: registers (a thread), static (shared
 *           memory of a block, bytes), carveout (percent; empty or -1: the default preference). So may partition, the SMs of the kernel's
 *           partition (0-13 16-29; empty: it has none). Others are passed over, and so are lines
 *           that begin with '#', in which programs of probe/ say what they recorded. What begins with { or [ is not a CSV: the results of
 *           examiner.h.
 * Fails:    trace_next returns TRACE_REFUSED with a diagnostic that has file and line.
 */
#ifndef SIMULATE_TRACE_H
#define SIMULATE_TRACE_H

#include "base/checked.h"
#include "base/diagnostics.h"
#include "base/output.h"
#include "model/taskset.h"

#define TRACE_BLOCKS_MOST (4 * 1024 * 1024) /* of one configuration */
#define TRACE_KERNELS_MOST 65536            /* likewise */
#define TRACE_NAME_MOST 64                  /* bytes of an experiment's name */

struct trace_block {
	int64_t begin, end; /* ns since the configuration's first block */
	int64_t ticket;
	int sm;
	long line;
};

struct trace_kernel {
	int64_t stream, priority; /* priority > 0: before those of 0 */
	int64_t grid[3], blocks;
	int64_t threads, shared_dynamic, variant;
	int64_t registers, shared_static, carveout; /* NONE: the trace does not say */
	const uint64_t *members; /* its partition's SMs: a bit an SM, PARTITION_WORDS words; one address a set; NULL: all */
	int first_block;         /* in the configuration's blocks */
	const char *path;        /* of the file */
	long line;
};

struct trace_configuration {
	char experiment[TRACE_NAME_MOST];
	int64_t configuration, repetition;
	int mode; /* 0: a kernel is launched when all blocks of the one before have begun; 1: back to back */
	struct trace_kernel *kernels;
	int kernel_count;
	struct trace_block *blocks;
	int block_count;
	long line;
};

enum trace_status { TRACE_READ, TRACE_END, TRACE_REFUSED };

struct trace_reader;

/* NULL with a diagnostic. The reader is closed by trace_close, and before if the process runs out of memory. */
struct trace_reader *trace_open(struct diagnostics *diagnostics, const char *path);
enum trace_status trace_next(struct trace_reader *reader, struct trace_configuration *configuration); /* valid until the next call */
void trace_close(struct trace_reader *reader);

/* A file that begins like JSON is no CSV: trace_next does not read it. All of it instead, in the arena; NULL with a diagnostic. */
bool trace_is_json(const struct trace_reader *reader);
const char *trace_read_all(struct trace_reader *reader, struct arena *arena, size_t most, size_t *length);

void trace_write_header(struct output *output);
void trace_write(struct output *output, const struct trace_configuration *configuration);

#endif
