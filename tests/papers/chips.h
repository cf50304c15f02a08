/* Platforms built in a test, and kernels that run on them. */
#ifndef TESTS_PAPERS_CHIPS_H
#define TESTS_PAPERS_CHIPS_H

#include "placement/placement.h"

#define BUILT_SMS 132

/* What a test states of an SM; 0: not stated. */
struct built {
	int sms, warps, blocks, parts;
	int64_t registers, register_unit, shared, shared_unit;
	enum placement placement;
	const int *gpc;   /* by SM; NULL: unknown */
	const int *order; /* NULL: ascending */
};

struct bench { /* a chip, ready to place blocks on */
	struct arena *arena;
	struct platform *platform;
	struct sm_limits limits;
	struct chip chip;
	struct placer placer;
	const struct policy *policy;
};

extern const int even_then_odd_8[8];

void bench_open(struct bench *bench, const struct built *built);
void bench_open_platform(struct bench *bench, struct platform *platform, struct arena *arena, const struct allocation_options *options);
void bench_close(struct bench *bench);

struct kernel bench_kernel(int64_t blocks, int64_t threads);
/* Places as many blocks of a kernel as fit and notes their SMs by linear block id (NO_ID: it waits); how many were placed. */
int bench_launch(struct bench *bench, const struct kernel *kernel, int *sms);
/* The same for a kernel of so many blocks of so many warps. */
int bench_launch_warps(struct bench *bench, int64_t blocks, int64_t warps, int *sms);

#endif
