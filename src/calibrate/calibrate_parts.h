/* What the readers of recordings and the writer of the model share. Only
 * calibrate/ includes this. */
#ifndef CALIBRATE_CALIBRATE_PARTS_H
#define CALIBRATE_CALIBRATE_PARTS_H

#include "calibrate/calibrate.h"
#include "calibrate/growth.h"

struct counts; /* simulate/judge.h */
struct delays;

struct finding { /* what was seen of an assumption */
	int64_t tries, broken;
	int64_t longest;      /* ns, by how much at most; 0: not a time */
	const char *breakers; /* what broke it, the first few */
	int breaker_count;
	const struct recording *recording; /* the first that looked for it */
	const char *note;                  /* what else is to be said of it; NULL: nothing */
	const struct recording *noted;     /* who says so, where nobody looked for it */
};

/* Another stream's work waits in a hardware queue, or not: beside work on the NULL stream, beside as many streams at work as queues, of one
 * partition of SMs beside others. */
enum queue_case { QUEUE_NULL, QUEUE_FULL, QUEUE_PARTITIONS, QUEUE_CASES };

struct calibration {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const struct calibrate_options *options;
	struct recording **recordings;
	int recording_count;
	struct platform *platform;
	struct finding findings[ASSUMPTION_COUNT];
	struct growth growths[PARAMETER_COUNT]; /* of times whose greatest is a parameter's value */
	struct delays *delays;                  /* of all kernels whose start delays were measured; NULL: of none */
	bool order_sought;                      /* the order of SMs, by a recording */
	bool exact;                             /* the policy predicts this board */
	struct growth spread, refill;           /* of blocks, for the note at overhead.block */
	int64_t nonempty, nonempty_tries;       /* the least number of SMs that held a block
						   while a kernel surely waited */
	const struct recording *nonempty_recording;
	struct tried {
		int64_t tries, waited;
	} queues[QUEUE_CASES]; /* of A-QUEUE, what its note says */
	struct notes {         /* for a reader */
		const char **of;
		int count, capacity;
	} notes;
};

/* One recording each; errors are counted in the diagnostics. */
void calibrate_limits(struct calibration *calibration, const struct recording *recording);
void calibrate_map(struct calibration *calibration, const struct recording *recording);
void calibrate_order(struct calibration *calibration, const struct recording *recording);
void calibrate_placement(struct calibration *calibration, const struct recording *recording);
void calibrate_overheads(struct calibration *calibration, const struct recording *recording);
void calibrate_stalls(struct calibration *calibration, const struct recording *recording);
void calibrate_starve(struct calibration *calibration, const struct recording *recording);
void calibrate_queues(struct calibration *calibration, const struct recording *recording);
void calibrate_memsets(struct calibration *calibration, const struct recording *recording);
void calibrate_quiet(struct calibration *calibration, const struct recording *recording);
void calibrate_partition(struct calibration *calibration, const struct recording *recording);
void calibrate_granularity(struct calibration *calibration, const struct recording *recording);

/* What rests on several recordings at once; after those. */
void calibrate_interference(struct calibration *calibration);
void calibrate_policy(struct calibration *calibration); /* which single TPCs share a ring; does the policy predict this board? */
void calibrate_slices(struct calibration *calibration); /* slices between processes, and how they take turns */
void calibrate_turns(struct calibration *calibration);  /* what a process keeps beside another one */
void calibrate_delays(struct calibration *calibration); /* how late blocks begin, and A-ORDER */

/* How the policy predicts a recording: added to the counts, and to the delays where they are not NULL. */
bool calibrate_predict(struct calibration *calibration, const struct recording *recording, struct counts *counts, struct delays *delays);
/* The longest time for which an SM was empty while a kernel of this trace surely waited; how many SMs beside such kernels were looked at.
 */
int64_t calibrate_empty(struct calibration *calibration, const struct recording *recording, int64_t *longest);

/* The next recording of this measurement from the i-th on; recording_count: there is none. */
int calibrate_next(const struct calibration *calibration, const char *measurement, int i);

/* A time whose greatest, with the margin, will be the parameter's value. */
void calibrate_sample(struct calibration *calibration, const struct recording *recording, enum parameter parameter, int64_t ns);
/* Sets the parameter to the greatest of its samples and the margin. Too few samples are an error; none leave it out. */
void calibrate_greatest(struct calibration *calibration, enum parameter parameter, const char *what);
void calibrate_number(
	struct calibration *calibration, const struct recording *recording, enum parameter parameter, int64_t value, const char *note);
/* After all judgements, which go by these recordings alone. */
void calibrate_keep_worse(struct calibration *calibration);
void calibrate_note(struct calibration *calibration, const char *note);

struct recorded_test { /* a row of a recording of direct tests */
	const struct recording_row *row;
	const char *test, *detail;
	int64_t tries, broken, longest;
};

/* Calls `see` for each row, up to one with a number that is none. */
void calibrate_each_test(struct calibration *calibration, const struct recording *recording,
	void (*see)(struct calibration *calibration, const struct recording *recording, const struct recorded_test *test));

/* Adds tries to a finding; breaker: what broke it, where something did. */
void calibrate_found(struct calibration *calibration, const struct recording *recording, enum assumption assumption, int64_t tries,
	int64_t broken, int64_t longest, const char *breaker);

void calibrate_write(struct calibration *calibration, struct output *output);

/* After calibrate_write. The i-th thing that bounds may be wanted for, NULL behind the last; what lacks, NULL: nothing, and what else to
 * do. */
const char *calibrate_use(const struct calibration *calibration, int i, const char **lacks, const char **discharge);
void calibrate_print_uses(const struct calibration *calibration, struct output *output);
void calibrate_write_page(struct calibration *calibration, struct output *output);

#endif
