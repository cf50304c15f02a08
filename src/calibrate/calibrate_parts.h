/* What the readers of recordings and the writer of the model share. Only
 * calibrate/ includes this. */
#ifndef CALIBRATE_CALIBRATE_PARTS_H
#define CALIBRATE_CALIBRATE_PARTS_H

#include "calibrate/calibrate.h"
#include "calibrate/recording.h"

struct finding { /* what was seen of an assumption */
	int64_t tries, broken;
	int64_t longest;      /* ns, by how much at most; 0: not a time */
	const char *breakers; /* what broke it, the first few */
	int breaker_count;
	const struct recording *recording; /* the first that looked for it */
	int recording_count;
};

struct calibration {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const struct calibrate_options *options;
	struct recording **recordings;
	int recording_count;
	struct platform *platform;
	struct finding findings[ASSUMPTION_COUNT];
	int64_t nonempty, nonempty_tries; /* the least number of SMs that held a block
					     while a kernel surely waited */
	const struct recording *nonempty_recording;
	const char *map_note, *order_note; /* for a reader; NULL: none */
};

/* One recording each; errors are counted in the diagnostics. */
void calibrate_limits(struct calibration *calibration, const struct recording *recording);
void calibrate_map(struct calibration *calibration, const struct recording *recording);
void calibrate_order(struct calibration *calibration, const struct recording *recording);
void calibrate_placement(struct calibration *calibration, const struct recording *recording);
void calibrate_overheads(struct calibration *calibration, const struct recording *recording);
void calibrate_slices(struct calibration *calibration, const struct recording *recording);
void calibrate_partition(struct calibration *calibration, const struct recording *recording);
void calibrate_granularity(struct calibration *calibration, const struct recording *recording);
void calibrate_interference(struct calibration *calibration, const struct recording *recording);

/* Sets a parameter to the greatest of so many samples and the margin. Too few
 * samples are an error. */
void calibrate_greatest(struct calibration *calibration, const struct recording *recording, enum parameter parameter, int64_t greatest,
	int64_t samples, const char *what);
void calibrate_number(
	struct calibration *calibration, const struct recording *recording, enum parameter parameter, int64_t value, const char *note);

/* Adds tries to a finding; breaker: what broke it, where something did. */
void calibrate_found(struct calibration *calibration, const struct recording *recording, enum assumption assumption, int64_t tries,
	int64_t broken, int64_t longest, const char *breaker);

void calibrate_write(struct calibration *calibration, struct output *output);

#endif
