/* A recording of a program: the work of the GPU with its times, and the calls of the host by which it was launched.
 *
 * Requires: a build; works and calls in any order.
 * Provides: the launches of each lane in the order of their begin; for import_plan_jobs the jobs of a lane with what is in them: graph
 *           launches, segments between which the host waited, releases and completions.
 * Source:   what CUPTI says of correlation: a work has the number of the call that launched it, all works of a graph launch have the same.
 * Fails:    with diagnostics (import-correlation): a work that no call launched, a launch without work. Both mean that something was lost.
 */
#ifndef IMPORT_RECORDED_H
#define IMPORT_RECORDED_H

#include "import/build.h"

/* What the host called. A call of another kind is left out. */
enum recorded_call_kind {
	CALL_LAUNCH,   /* a kernel */
	CALL_TRANSFER, /* a copy or a memset */
	CALL_GRAPH,    /* a graph */
	CALL_WAIT,     /* of the host, for a stream, an event or the device */
	CALL_CAPTURE,  /* from now on calls of this thread are captured into a graph */
	CALL_CAPTURED, /* no longer */
	CALL_OTHER
};

struct recorded_call {
	int64_t start, end; /* ns */
	int64_t process, thread, correlation;
	enum recorded_call_kind kind;
	bool waits; /* it returns when its work is done: a wait, a synchronous copy */
	int64_t row;
};

struct recorded_work {
	int64_t start, end; /* ns, by the same clock */
	int64_t process, correlation;
	int item, lane;
	bool graph; /* of a graph launch, as the recording says; calls say so, too */
	int64_t row;
};

struct recording {
	struct recording *next;  /* that of an earlier file */
	const char *path, *rows; /* what a row is called: "event" */
	int run;
	int64_t cut;                 /* ns by which each begin and each duration may be more than what was recorded */
	int64_t prepared;            /* ns from the first call to the end of the last capture of a graph; NONE: there was none */
	struct recorded_work *works; /* after recording_close by begin */
	struct recorded_call *calls; /* after recording_close by process and correlation */
	int work_count, call_count, work_capacity, call_capacity;
};

/* The kind of a function of the runtime or the driver, by its name. *refused: why its work cannot be imported, or NULL. */
enum recorded_call_kind recording_call_kind(const char *name, bool *waits, const char **refused);

struct recording *recording_open(struct import_build *build, const char *path, const char *rows);
bool recording_work(struct import_build *build, struct recording *recording, const struct recorded_work *work); /* false: too many */
bool recording_call(struct import_build *build, struct recording *recording, const struct recorded_call *call);

/* All is there: launches go to their lanes, the recording to the build. */
void recording_close(struct import_build *build, struct recording *recording);

/* Finds the jobs of all lanes that recordings have, where that can be said for certain, and what a user asks for by --jobs. Lanes where it
 * cannot are left without a job. */
void structure_find(struct import_build *build);

#endif
