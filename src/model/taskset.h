/* The workload as a task set states it.
 *
 * Requires: validated input (src/input), which gives it as a constant: nobody changes it afterwards. Who makes one has model/draft.h.
 * Provides: applications, streams, tasks with their operations in issue order, event edges, end-to-end flows, and the origin of every number.
 * Source:   [MODEL].
 */
#ifndef MODEL_TASKSET_H
#define MODEL_TASKSET_H

#include "model/platform.h"

#include <stddef.h>

/* Where numbers come from; inherited from the enclosing element. */
enum origin_kind { ORIGIN_MEASURED, ORIGIN_PROVEN, ORIGIN_DECLARED };
extern const char *const origin_names[];

enum kernel_memory { KERNEL_MEMORY_DEVICE, KERNEL_MEMORY_MANAGED, KERNEL_MEMORY_ZERO_COPY }; /* where a kernel has its data */

#define PLACEHOLDER_SOURCE "PLACEHOLDER of gpubound init" /* of an origin whose numbers are nobody's */

struct origin {
	const char *id;
	enum origin_kind kind;
	const char *source;                      /* what it is, for a reader */
	const char *file, *row, *by;             /* NULL: not given */
	int64_t samples;                         /* NONE: not given */
	const char *conditions[CONDITION_COUNT]; /* under which it was measured; NULL: not given */
	int64_t clock_sm, clock_memory;          /* Hz; NONE: not given */
	enum kernel_memory memory;               /* where the data of kernels lay */
	long line;
};

/* How often the context is in a round of the runlist ([BETWEEN]): levels rise. */
enum interleave { INTERLEAVE_LOW, INTERLEAVE_MEDIUM, INTERLEAVE_HIGH, INTERLEAVE_COUNT };
extern const char *const interleave_names[];

struct application { /* a process; one CUDA context, but where it is a client of MPS */
	const char *id;
	int64_t timeslice; /* ns; NONE: the platform's */
	int64_t priority;  /* of the context, 0 is the highest ([P-PRIO]); NONE: none is stated, behind all that are */
	long line;
	enum interleave interleave;
	const char *server; /* the MPS server of which it is a client; NULL: none that is named */
};

/* SMs that somebody has reserved: kernels of the streams that name it have them, and no others'. */
enum partition_kind { PARTITION_GREEN, PARTITION_MPS, PARTITION_MASK, PARTITION_MIG };
extern const char *const partition_names[];

#define PARTITION_WORDS 64 /* of 64 SMs each: no chip has more than 4,096 (input/read_sm_map.c) */

struct partition {
	const char *id;
	enum partition_kind kind;
	int64_t size;            /* SMs; NONE: neither their number nor their ids could be read */
	const uint64_t *members; /* a bit an SM, PARTITION_WORDS words; NULL: only their number is known */
	long line;
};

enum stream_kind { STREAM_BLOCKING, STREAM_NON_BLOCKING, STREAM_NULL };
extern const char *const stream_names[];

struct stream {
	const char *id;
	int application;
	int level; /* 0 is the highest priority */
	enum stream_kind kind;
	long line;
	bool stated;   /* the level stands in the file */
	bool by_cuda;  /* or the priority as CUDA has it does: */
	int cuda;      /* 0 is the lowest, lower numbers are higher */
	int partition; /* 1 + its place in partitions; 0: none, its kernels are the primary context's */
};

/* A processor core whose threads have fixed priorities or reservations, and preempt one another ([CORES]). */
struct core {
	const char *id;
	int64_t blocking;   /* ns: nothing that may not be preempted there, locks and the kernel's own work included, lasts longer */
	int64_t submission; /* ns: what a host segment issued is at the GPU so long after it was over; NONE: nobody says */
	int64_t overrun;    /* ns: a thread with a reservation goes on for so long at most when its runtime is used up */
	int64_t unit; /* ns: of which the scheduler counts whole ones where it compares what is left of a reservation; 0, 1: exactly */
	long line;
};

enum arrival_kind { ARRIVAL_PERIODIC, ARRIVAL_SPORADIC, ARRIVAL_CURVE };
extern const char *const arrival_names[];

struct curve_step {
	int64_t window; /* ns: in any half-open window of at most this length ... */
	int64_t count;  /* ... at most this many arrivals */
};

struct arrival {
	enum arrival_kind kind;
	int64_t period; /* ns; for sporadic the least distance of nominal releases; for a curve its horizon (windows beyond repeat it) */
	int64_t jitter; /* release jitter */
	int64_t min_distance;           /* sporadic with jitter: least distance of releases; NONE: none */
	const struct curve_step *steps; /* ascending in both */
	int step_count;
	bool rounded;         /* the period is up to 1 ns more than that: it stands rounded down */
	int64_t max_distance; /* sporadic: greatest distance of nominal releases; NONE, or 0: none is known */
};

enum operation_kind {
	OPERATION_COPY,
	OPERATION_MEMSET,
	OPERATION_KERNEL,
	OPERATION_FRAGMENT,
	OPERATION_HOST,
	OPERATION_WAIT,
	OPERATION_RECORD
};
extern const char *const operation_names[];

enum scope { SCOPE_BLOCK, SCOPE_GRID }; /* whose WCET: one block's, or the whole kernel's alone on the GPU */
enum cache_config { CACHE_NONE, CACHE_PREFER_SHARED, CACHE_PREFER_L1, CACHE_EQUAL };
extern const char *const scope_names[], *const cache_names[], *const kernel_memory_names[];

struct kernel {
	enum scope scope;
	int64_t grid[3], block[3];             /* blocks and threads in x, y, z; 0: not given */
	int64_t blocks;                        /* N, the grid's product; NONE: not given (scope grid) */
	int64_t threads;                       /* a block, its product; NONE: not given (scope grid) */
	int64_t registers;                     /* a thread; NONE: not given */
	int64_t shared_static, shared_dynamic; /* bytes a block, without the driver's reserve */
	enum cache_config cache;
	int64_t carveout;      /* percent; NONE: the default preference */
	bool warps_stay;       /* the room of a block's warps is given to others when the block has ended, and not before */
	int64_t active_blocks; /* blocks that do any work; NONE: all of them */
	enum access access;
	enum kernel_memory memory;
	int64_t footprint;    /* bytes; NONE: unknown, only factors measured for any footprint cover it */
	const int64_t *curve; /* block WCET with r+1 resident blocks of the kernel, at [r]; NULL: one number */
	int curve_count;
	struct launch_time {
		int64_t latency, work, once, last;
	} launch; /* from its program, in any order, ns: [WCET-LAUNCH]; all 0: its block times are those of an order */
};

struct copy { /* also memset */
	enum direction direction;
	int64_t bytes; /* NONE: not given */
	bool pageable;
	bool synchronous; /* the call blocks its host thread until the operation is complete */
};

/* Work of which only its span is known: from the first begin to the last end, alone on its SMs ([SPAN]). All zero: it is no such work. */
struct measured_span {
	int64_t operations; /* of a sequence: kernels, memsets and copies on the SMs in it, no more than so many; 0: it is one kernel */
	int64_t longest;    /* ns: none of them takes longer alone; NONE: nobody knows, the whole span */
	int64_t branches;   /* hardware queues that it may take */
	bool linear;        /* of a sequence: each begins when the one before is complete */
	bool plain;         /* of a sequence: linear, and none is a gang */
	bool single;        /* of a sequence: launched one by one, all of it enqueued before the first one may begin (A-FED) */
	bool gang;          /* one kernel with clusters, or launched cooperatively: blocks that wait for one another */
};

/* What an operation takes on so many SMs, and on no other number. [SIZES] */
struct sized_time {
	int64_t sms, wcet;
	const int64_t *gpcs; /* SMs in each GPC that has any of them, in any order; NULL: however they lie */
	int gpc_count;
	int origin;
	long line;
};

struct frame;   /* model/frame.h */
struct program; /* model/program.h */

struct operation {
	const char *id; /* unique in the task set */
	enum operation_kind kind;
	int stream;   /* NO_ID for host segments */
	int event;    /* wait, record: index in events; else NO_ID */
	int hold;     /* of which unit under a lock it is, numbered from 1 on as `holds`; 0: of none */
	int graph;    /* of whose launch it is a node, numbered from 1 on as they are issued; 0: issued by itself */
	int64_t wcet; /* ns, alone; for kernels the block's or the grid's by scope */
	int64_t bcet; /* ns; >= 0 */
	bool held;    /* kind HOST: the thread has the GPU for itself meanwhile, if nobody of higher priority has */
	int origin;
	long line;
	struct kernel kernel;           /* kind KERNEL */
	struct copy copy;               /* kinds COPY, MEMSET */
	struct measured_span span;      /* kind KERNEL, scope grid */
	const struct sized_time *sizes; /* the WCET is that of the SMs that it has (timing/sizes.h), NONE before that */
	int size_count;                 /* 0: it is given */
	bool smaller;                   /* with sizes: that of fewer SMs stands in for it (A-MORE-SMS) */
	const char *program_name;       /* kind KERNEL: its path as written; NULL: the WCET is given */
	const struct program *program;  /* its WCET and its curve follow from it (wcet/programs.h) and are NONE, NULL before that */
	const char *frame_name;         /* kind FRAGMENT: its path as written; NULL: the WCET is given */
	const struct frame *frame;      /* its WCET follows from it (g80/bound/frame_kernels.h) and is NONE before that */
	const int64_t *batches;         /* with it: the bound of each of its batches; NULL too where the WCET is another number */
};

enum lock_protocol { LOCK_PRIORITY, LOCK_FIFO }; /* who of those that wait is next: of the highest priority, or of all, who came first */
extern const char *const lock_names[];

struct lock { /* of the whole GPU, or of the partitions whose work is done under it */
	const char *id;
	enum lock_protocol protocol;
	long line;
};

/* A unit of a task: it takes the lock, issues its operations, sees all of them complete, releases the lock and hands it over. */
struct locked_unit {
	int lock, task;
	int64_t time; /* ns: all host time of it, from take to hand-over, while none of its operations is under way */
	int priority; /* 0 is the highest; 0 where the lock goes by order of requests */
	long line;
};

struct task {
	const char *id, *requirement; /* requirement: NULL where none */
	int application;              /* NO_ID: only host segments */
	struct arrival arrival;
	int64_t deadline; /* ns, relative to the nominal release; NONE: none, a response is reported without a verdict against one */
	int64_t offset;   /* ns; NONE: unknown phase */
	bool best_effort; /* needs no bound: without one, the verdict of the whole goes without it */
	int core;         /* 1 + its place in cores, on which its thread runs; 0: nothing is said of its thread */
	int fifo;         /* its thread's priority there, as SCHED_FIFO has it: the greatest first */
	int64_t sched_runtime, sched_deadline, sched_period; /* ns: or its reservation there, as SCHED_DEADLINE has it; 0: it has none */
	bool suspends;                        /* its thread leaves the core while it waits for the GPU; else it spins: task_spins */
	int first_operation, operation_count; /* in taskset.operations */
	int origin;
	long line;
};

enum end_to_end_kind { END_TO_END_REACTION, END_TO_END_AGE };
extern const char *const end_to_end_names[];

/* How a task of a chain gets what the one before it wrote. */
enum handover_kind { HANDOVER_REGISTER, HANDOVER_QUEUE };
enum overflow { OVERFLOW_NONE, OVERFLOW_OLDEST }; /* of a full queue: it may not be; the oldest entry is written over */
extern const char *const handover_names[], *const overflow_names[];

struct handover {
	enum handover_kind via;
	enum overflow overflow;
	int64_t capacity; /* entries of a queue; NONE: as many as are needed */
	int64_t take;     /* entries that a job takes from it at most; NONE: one */
};

/* Tasks of which each reads what the one before it wrote: a <chain> of the file. A chain alone is, here and in the theory, the operations
 * of one segment on one stream. */
struct end_to_end {
	const char *id, *requirement;
	enum end_to_end_kind kind;
	int64_t deadline;
	const int *tasks;
	int task_count;
	long line;
	bool reduced;                     /* a reaction from the first task's read on; an age when the last task writes */
	const struct handover *handovers; /* of each task, from the one before it; NULL: all read registers */
};

struct companion {
	int task;
	int64_t sms; /* on which its kernels ran in the measurement; 0: it had none */
};

/* By how much more than its span a sequence took while these tasks ran without pause: of all of it, not of any part ([COMPANY]). */
struct measured_company {
	int operation;
	int64_t sms; /* on which the sequence ran in the measurement */
	struct rational factor;
	const struct companion *tasks; /* each once, none its own */
	int task_count;
	int origin;
	long line;
};

/* What all reservations of a core come to ([RESERVATION]). */
struct reserved {
	struct rational share; /* of the core; no value: nobody knows */
	int64_t late;          /* ns: how long behind its deadline a runtime is used up at most, all of the core's blocking in it */
};

/* What the analysis found out about threads on cores, in a task set that is its own ([CORES]). */
struct core_times {
	const int64_t *delays;             /* [operation]: by how much a host segment may take longer than its WCET; NONE: nobody knows */
	const int64_t *responses;          /* [task]: from the release of a job on a core to its end; NONE: no bound */
	const char *const *const *reasons; /* [task][bound]: why there is none; NULL: there is one, or its operations on the GPU say why */
	const struct reserved *reserved;   /* [core] */
	uint64_t assumptions;              /* bit set: that these rest on */
};

struct taskset {
	const char *path;
	const char *text; /* the file's bytes, of which a report has the hash */
	int64_t bytes;    /* their number */
	const char *id, *title;
	const char *platform_name; /* as written: a name of a shipped model or a path */
	const struct origin *origins;
	int origin_count;
	const struct application *applications;
	int application_count;
	const struct partition *partitions;
	int partition_count;
	const struct stream *streams;
	int stream_count;
	const char **events;
	int event_count;
	const struct lock *locks;
	int lock_count;
	const struct locked_unit *holds;
	int hold_count;
	bool locked;             /* taskset_settle: all work on the GPU is done under locks */
	bool ranked;             /* taskset_settle: contexts have priorities */
	bool interleaved;        /* taskset_settle: contexts have different levels */
	bool served;             /* taskset_settle: several applications are one context (A-MPS) */
	const int *context_of;   /* [application], taskset_settle: the first application of its server; NULL: each is one of its own */
	bool best_effort_slices; /* those without one share by slices what the others leave; else there is one of them at most */
	bool exclusive;          /* taskset_settle: locked, all of it by one lock */
	bool host_memory;        /* taskset_settle: a kernel has data in host memory, pinned or managed ([HOST-MEMORY]) */
	const int *lock_of;      /* [stream], taskset_settle: 1 + the one under which all of its work is done; 0: there is none */
	const bool *together;    /* [stream][stream], taskset_settle: some unit under a lock has work on both; NULL: each is on one */
	const struct core *cores;
	int core_count;
	bool submits;                        /* taskset_settle: A-SUBMIT takes the place of A-HOST ([SUBMISSION]) */
	const struct core_times *core_times; /* NULL: as the task set was read */
	const struct task *tasks;
	int task_count;
	const struct operation *operations;
	int operation_count;
	const struct measured_company *companies;
	int company_count;
	const struct end_to_end *end_to_end;
	int end_to_end_count;
	bool merged_context; /* MPS: all applications are one context */
};

/* The application of an operation's task. */
static inline const struct operation *task_operation(const struct taskset *set, const struct task *task, int index)
{
	return &set->operations[task->first_operation + index];
}

/* All clients of one MPS server are one context, whose number is that of the first of them ([MPS]); its slice, priority and level are that
 * one's. */
static inline int taskset_context(const struct taskset *set, int application)
{
	return set->merged_context ? 0 : set->context_of != NULL ? set->context_of[application] : application;
}

static inline int taskset_context_of(const struct taskset *set, int stream)
{
	return taskset_context(set, set->streams[stream].application);
}

/* 1 + the greatest number of a context. Numbers of clients other than the first of a server are nobody's. */
int taskset_contexts(const struct taskset *set);
/* The applications whose context it is. */
int taskset_clients(const struct taskset *set, int context);

/* NULL: the stream is the primary context's. */
static inline const struct partition *taskset_partition(const struct taskset *set, int stream)
{
	int partition = set->streams[stream].partition;
	return partition > 0 ? &set->partitions[partition - 1] : NULL;
}

/* Does the job go on behind this operation only when it is complete? A synchronous call, and there is something behind it. What stands
 * before it in its segment is complete then, too: other input is refused (input/validate_joins.c). */
static inline bool task_returns(const struct taskset *set, const struct task *task, int index)
{
	return task_operation(set, task, index)->copy.synchronous && index + 1 < task->operation_count;
}

/* Does its thread keep its core while it waits for the GPU? One of host segments alone never waits. */
static inline bool task_spins(const struct task *task)
{
	return task->core > 0 && task->application != NO_ID && !task->suspends;
}

/* From the begin of a host segment to its end, at most, until what it issued is at the GPU included: its WCET where its thread has no core.
 */
static inline int64_t taskset_host_time(const struct taskset *set, const struct operation *host)
{
	int64_t delay = set->core_times == NULL ? 0 : set->core_times->delays[host - set->operations];
	return delay == NONE ? NONE : checked_add(host->wcet, delay);
}

/* Is the operation behind the segment one on the GPU, which its thread issues from a core that says when it is there? */
static inline bool taskset_submits(const struct taskset *set, const struct task *task, const struct operation *host)
{
	bool last = host - set->operations == task->first_operation + task->operation_count - 1;
	return task->core > 0 && set->cores[task->core - 1].submission != NONE && !last && host[1].kind != OPERATION_HOST;
}

/* Of its time, what passes from its end on until then ([SUBMISSION]). */
static inline int64_t taskset_submission(const struct taskset *set, const struct task *task, const struct operation *host)
{
	return taskset_submits(set, task, host) ? set->cores[task->core - 1].submission : 0;
}

/* Does the thread issue something whose way to the GPU is in the time of a host segment of its? */
static inline bool task_submits(const struct taskset *set, const struct task *task)
{
	bool found = false;
	for (const struct operation *host = set->operations + task->first_operation, *end = host + task->operation_count; host < end;
		host++)
		found |= host->kind == OPERATION_HOST && taskset_submits(set, task, host);
	return found;
}

/* Does its thread have a reservation on its core in place of a priority? */
static inline bool task_reserves(const struct task *task)
{
	return task->sched_runtime > 0;
}

/* May the thread of the one task keep that of the other one, which has a priority, from their core? All with reservations may, and of equal
 * priorities the first one. */
static inline bool task_interferes(const struct task *task, const struct task *with)
{
	bool first = task_reserves(task) || task->fifo >= with->fifo;
	return task != with && task->core != 0 && task->core == with->core && first && !task_reserves(with);
}

/* Does nothing say how long its turns are, and does it matter? Who is alone at its priority has the GPU until it is done. */
static inline bool taskset_lacks_slice(const struct taskset *set, int context)
{
	bool alone = set->ranked && (set->applications[context].priority != NONE || !set->best_effort_slices);
	return set->applications[context].timeslice == NONE && !alone;
}

/* Do threads of the context hold the GPU, whatever it has on it? */
bool taskset_holds(const struct taskset *set, int context);
/* Does the assumption say anything of this task set? */
bool taskset_concerns(const struct taskset *set, enum assumption assumption);
/* The claim by which the tool itself discharges it for this task set; NULL: it does not. */
const char *taskset_discharges(const struct taskset *set, enum assumption assumption);

/* Sets what follows of the rest. */
void taskset_settle(struct arena *arena, struct taskset *set);

/* Work on the GPU that is done under no lock, the first of it; NULL: there is none. */
const struct operation *taskset_outside_lock(const struct taskset *set);
/* Does a lock keep the work of the two streams apart? Of one unit's streams it does not. */
static inline bool taskset_keeps_apart(const struct taskset *set, int a, int b)
{
	bool one = set->exclusive || (set->locked && set->lock_of[a] != 0 && set->lock_of[a] == set->lock_of[b]);
	return one && (set->together == NULL || !set->together[a * set->stream_count + b]);
}

/* Do locks keep the work of the stream apart from that of all others? */
bool taskset_is_apart(const struct taskset *set, int stream);

/* How many operations of the task are issued at once, from this one on: the nodes of a graph, or one. */
static inline int task_launched(const struct taskset *set, const struct task *task, int index)
{
	int count = 1, graph = task_operation(set, task, index)->graph;
	while (graph != 0 && index + count < task->operation_count && task_operation(set, task, index + count)->graph == graph)
		count++;
	return count;
}

/* Is it known by its span alone, so that nothing may mix with it? */
static inline bool operation_is_span(const struct operation *operation)
{
	return operation->span.operations > 0 || operation->span.gang;
}

/* May blocks in it wait for one another, or kernels in it overlap, so that list scheduling says nothing of it? */
static inline bool operation_is_gang(const struct operation *operation)
{
	return operation->span.gang || (operation->span.operations > 0 && !operation->span.plain);
}

/* May operations in it overlap, so that another one comes first where a gap is shorter? */
static inline bool operation_overlaps(const struct operation *operation)
{
	return operation->span.operations > 1 && !operation->span.linear && !operation->span.plain;
}

/* Is it known what it takes beside tasks? */
static inline bool taskset_has_company(const struct taskset *set, int operation)
{
	for (int i = 0; i < set->company_count; i++)
		if (set->companies[i].operation == operation)
			return true;
	return false;
}

/* Does a WCET of fewer SMs stand in for one that nobody measured? */
static inline bool taskset_has_smaller(const struct taskset *set)
{
	bool smaller = false;
	for (int i = 0; i < set->operation_count; i++)
		smaller |= set->operations[i].smaller;
	return smaller;
}

/* The greatest distance of nominal releases; NONE: nobody says one. A period is rounded up. */
static inline int64_t arrival_apart(const struct arrival *arrival)
{
	if (arrival->kind != ARRIVAL_PERIODIC)
		return arrival->kind == ARRIVAL_SPORADIC && arrival->max_distance > 0 ? arrival->max_distance : NONE;
	return checked_add(arrival->period, arrival->rounded ? 1 : 0);
}

/* How the task gets its input; the first one has none. */
static inline struct handover end_to_end_handover(const struct end_to_end *flow, int index)
{
	bool first = index == 0 || flow->handovers == NULL;
	return first ? (struct handover){HANDOVER_REGISTER, OVERFLOW_NONE, NONE, NONE} : flow->handovers[index];
}

static inline bool end_to_end_has_queue(const struct end_to_end *flow)
{
	bool found = false;
	for (int i = 0; i < flow->task_count; i++)
		found |= end_to_end_handover(flow, i).via == HANDOVER_QUEUE;
	return found;
}

/* The program that an operation names, if no operation before it does: each program once. Else NULL. */
const struct program *taskset_new_program(const struct taskset *set, int operation);

/* Has it kernels whose blocks' dispatches are charged one by one, or that another level may break off? */
bool taskset_counts_dispatches(const struct taskset *set);

int64_t kernel_warps(const struct kernel *kernel); /* a block; NONE where threads are not given */

#endif
