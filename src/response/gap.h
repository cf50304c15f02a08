/* What the gap between two slices of a context is made of: [DILATION] (9.1). Of terms only: bounds take its sum. */
#ifndef RESPONSE_GAP_H
#define RESPONSE_GAP_H

#include <stdbool.h>
#include <stdint.h>

struct gap_turn {       /* of another entry of the runlist */
	int context;    /* in the runlist */
	bool copies;    /* of its copies, not of its kernels */
	int64_t length; /* ns: its slice, and its overrun */
};

struct gap {
	struct gap_turn *turns;
	int count;
	int64_t switches, drain; /* ns: to each of them and back, and the own blocks that run out */
	int64_t length;          /* ns, of all of it */
};

/* How many gaps a cost has in it. */
struct gaps_lost {
	int64_t kernels, copies; /* between slices of its kernels, of its copies */
};

#endif
