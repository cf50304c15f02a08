/* The linker puts these functions around those of the analysis (--wrap, in meson.build). */
#include "bounds_timed.h"

#include "response/bounds/bound.h"

#include <time.h>

int64_t timed[PART_COUNT];

static int64_t started;

static int64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

void timed_start(void)
{
	for (int i = 0; i < PART_COUNT; i++)
		timed[i] = 0;
	started = now();
}

void timed_stop(void)
{
	timed[PART_ALL] = now() - started;
}

#define BOUND(symbol, name, file, scope, meaning, source)                                                                                  \
	void __real_##file##_compute(struct bounding *b, int context);                                                                     \
	void __wrap_##file##_compute(struct bounding *b, int context);                                                                     \
	void __wrap_##file##_compute(struct bounding *b, int context)                                                                      \
	{                                                                                                                                  \
		int64_t start = now();                                                                                                     \
		__real_##file##_compute(b, context);                                                                                       \
		timed[BOUND_##symbol] += now() - start;                                                                                    \
	}
#include "response/bounds/bounds.def"
#undef BOUND

const struct turns *__real_turns_build(const struct workload *workload, bool volume, struct bound_answer *const *answers);
const struct turns *__wrap_turns_build(const struct workload *workload, bool volume, struct bound_answer *const *answers);
const struct turns *__wrap_turns_build(const struct workload *workload, bool volume, struct bound_answer *const *answers)
{
	int64_t start = now();
	const struct turns *turns = __real_turns_build(workload, volume, answers);
	timed[PART_TURNS] += now() - start;
	return turns;
}

const struct turns *__real_turns_shorten(const struct workload *workload, const struct turns *serial, struct bound_answer *const *answers);
const struct turns *__wrap_turns_shorten(const struct workload *workload, const struct turns *serial, struct bound_answer *const *answers);
const struct turns *__wrap_turns_shorten(const struct workload *workload, const struct turns *serial, struct bound_answer *const *answers)
{
	int64_t start = now();
	const struct turns *turns = __real_turns_shorten(workload, serial, answers);
	timed[PART_TURNS] += now() - start;
	return turns;
}
