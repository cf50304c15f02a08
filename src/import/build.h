/* What the readers of all formats fill: the work that was seen, by kernel and by stream, and what a compiler says of kernels.
 *
 * Requires: an arena, diagnostics.
 * Provides: items (a kernel of one shape, a copy of one size), lanes (a stream with its launches in order), resources of kernels.
 *           Equal items of all files are one, with the longest of their durations and its row.
 * Fails:    a reader that finds a fault diagnoses it and goes on where it can.
 */
#ifndef IMPORT_BUILD_H
#define IMPORT_BUILD_H

#include "import/import.h"
#include "model/taskset.h"

#define UNKNOWN_EXTENT 0

/* Work of one kind that may be launched many times. What is not known: NULL, NONE, an extent of UNKNOWN_EXTENT. */
struct import_item {
	enum operation_kind kind; /* COPY, MEMSET, KERNEL or HOST */
	const char *name;         /* as the input has it */
	const char *symbol;       /* the mangled name */
	bool lasting;             /* both stay where they are until the import ends */
	int64_t grid[3], block[3];
	int64_t registers, shared_static, shared_dynamic; /* shared: without the driver's reserve */
	int64_t cluster;                                  /* blocks of a cluster; NONE: none */
	const char *launch, *memory;                      /* attributes that the analysis refuses; NULL: the default */
	bool shared_rounded;                              /* the input rounds shared memory: it was left out */
	bool shared_sum;                                  /* only the sum is known: it stands as the dynamic part */
	enum scope scope;
	enum access access;
	enum direction direction;
	bool pageable;
	int64_t bytes;
	/* durations */
	bool measured;       /* else stated by a configuration or by the user */
	bool enlarge;        /* the margin applies */
	bool single;         /* never merged with an equal one: each has a figure of its own */
	int64_t longest;     /* ns */
	int64_t samples;     /* how many durations */
	const char *source;  /* what the input is, for a reader */
	const char *file;    /* of the longest duration */
	const char *row;     /* of the longest duration */
	const char *board;   /* on which the longest was seen; NULL: the input does not say */
	const char *figures; /* where registers and shared memory come from, when not from `file`; NULL */
};

struct import_launch {
	int item;
	int run; /* which of the files */
};

/* Kernels and memsets of one launch of a CUDA graph in a job, without a copy between them; of a branched one all that it launched. */
struct import_group {
	int from, to;  /* of the job's operations; `to` is none of them */
	int span;      /* an item: how long all of it took from the first begin to the last end */
	bool branched; /* its operations overlapped, or were in several streams */
	bool mixed;    /* the launch had more than kernels: it reaches the GPU in parts */
};

/* All of one launch of a CUDA graph in a job that is not branched and has copies: runs of kernels and memsets, and the copies between them.
 */
struct import_graph {
	int from, to; /* of the job's operations; `to` is none of them */
};

/* A stream, and the task that its launches make up. */
struct import_lane {
	const char *context, *stream;        /* together they tell lanes apart */
	const char *stream_id;               /* made of both */
	const char *process;                 /* the context of which this one is a part; NULL: it is none */
	const char *partition;               /* id of its context's SMs; NULL: all of the GPU */
	int64_t partition_sms;               /* how many these are */
	const char *task;                    /* id; NULL: that of the stream */
	const char *core;                    /* id of that on which its thread runs; NULL: the input does not say, or it may move */
	const char *fifo;                    /* its priority there, 1 to 99; NULL: not known */
	const char *runtime, *replenishment; /* or its reservation there, texts with units; NULL: it has none */
	bool suspends;                       /* its thread leaves its core while it waits for the GPU */
	int level;                           /* of the stream's priority; 0 is the highest */
	int64_t cuda_priority;               /* as CUDA numbers them; NONE: not known */
	enum stream_kind kind;
	struct import_launch *launches;
	int launch_count, launch_capacity;
	bool shares_stream; /* stream_id is that of an earlier lane */
	bool layered;       /* its operations are the layers, in order */
	bool one_job;       /* the launches are those of one job, not of a trace */
	/* what only the user knows, texts with units; NULL: not given */
	const char *arrival, *period, *jitter, *min_distance, *offset, *deadline, *requirement;
	const struct arrival *curve; /* NULL: not given */
	int64_t jobs;                /* NONE: not given */
	/* the plan: items of one job in order, and words for a reader on how they were found */
	int *job;
	int job_count;
	const char *note;
	/* of a recording with the host's calls, where its structure was found; see recorded.h */
	struct import_group *groups;
	int group_count;
	struct import_graph *graphs;
	int graph_count;
	const char *observed; /* words for a reader; NULL: none */
	int64_t lateness;     /* ns; the least jitter that explains the releases seen, where it is more than is stated; else NONE */
	int64_t distance;     /* ns; the shortest between the releases of two jobs; NONE: not seen */
};

/* A layer of a network, from a file that has no maximum. */
struct import_layer {
	const char *name;
	int64_t mean; /* ns */
	const char *path;
};

/* Registers and static shared memory of a kernel, for one architecture. */
struct import_resource {
	const char *symbol, *architecture; /* in the file's bytes; architecture: "sm_90"; NULL: not said */
	int64_t registers, shared_static;
	const char *file;
	long line;
};

/* What differs from run to run, as ids of processes do; numbered from 1 on by trace_number. */
struct trace_names {
	const char **items;
	int count, capacity;
};

struct import_build {
	struct arena *arena;
	struct arena *row; /* what the row that is being read needs; goes some rows later */
	int rows_since;    /* it was emptied */
	int64_t rows_read; /* of all files, those that are passed over too */
	struct diagnostics *diagnostics;
	const struct import_options *options;
	char **files; /* the bytes of those that were read; freed with the build */
	int file_count, file_capacity;
	size_t bytes; /* of all of them */
	int run;      /* of the file that is being read */
	struct import_item **items;
	int item_count, item_capacity;
	void **buckets; /* of items, by what makes them equal */
	struct import_lane *lanes;
	int lane_count, lane_capacity;
	struct import_resource *resources;
	int resource_count, resource_capacity;
	bool resources_beyond;        /* there are more */
	struct import_item **figures; /* launches that only lend their registers and shared memory to those of a trace */
	int figure_count, figure_capacity;
	struct import_layer *layers; /* in the order of their execution */
	int layer_count, layer_capacity;
	const char *device;           /* the one device that was seen; NULL: none yet */
	int64_t rows;                 /* read so far, of all files */
	bool levels;                  /* lanes have priorities that count */
	bool complete;                /* the format implies a platform that needs no declarations */
	const char *mps;              /* of the task set; NULL: off */
	struct trace_names processes; /* of results of one campaign */
	const char *title;            /* NULL: none */
	struct recording *recordings; /* those with the host's calls, the last one first */
	const char *limits;           /* lines that declare what the input says of the GPU; NULL: it says nothing */
	struct amalthea *amalthea;    /* the model whose files are being read; NULL: none */
	struct csv_tables *tables;    /* the file whose tables are being read; NULL: none */
	const char *changed;          /* a task set that was given, with what was read put into it; NULL: one is written of what was seen */
	size_t changed_length;
	const char *unclustered; /* kernels may have clusters of which the input says nothing: who should say it; NULL: no */
	struct output *platform; /* for the platform model that a format implies; NULL: not wanted */
};

/* Behind each row: what it left in build->row may go. Items are kept with copies of their texts. */
void import_row_end(struct import_build *build);

void import_finish(struct import_build *build); /* frees what is not in its arena */

/* A new item with nothing known but its kind and name. */
struct import_item import_blank(enum operation_kind kind, const char *name);

/* Adds a launch of an item to a lane. The item is merged with an equal one; longest NONE: no duration was seen. False: too many rows. */
bool import_launch(struct import_build *build, int lane, const struct import_item *item);

/* The number of an item, which is merged with an equal one. */
int import_item(struct import_build *build, const struct import_item *item);

/* Adds a launch of the item of that number. False: too many. */
bool import_append(struct import_build *build, int lane, int item);

/* The lane of this context and stream, made where there is none. */
int import_lane(struct import_build *build, const char *context, const char *stream);

void import_resource(struct import_build *build, const struct import_resource *resource);

/* A launch seen by a profiler beside a trace of the same program: it is in no stream, its figures count. False: too many. */
bool import_figure(struct import_build *build, const struct import_item *item);

/* False: the row is of another device than the one that counts. */
bool import_device(struct import_build *build, const char *device, const char *path, long line);

/* The readers, a file each. */
#define FORMAT(name, several, alone, meaning) void import_read_##name(struct import_build *build, const char *path);
#include "import/formats.def"
#undef FORMAT

#endif
