/* Work, repeated and timed.
 *
 * Requires: work that does the same each time.
 * Provides: the least, the median and the greatest time of one piece of work over the repetitions, on one line with its target. Short
 *           work is timed in batches of at least a millisecond.
 * Fails:    bench_run returns false where even the least time is above the target; a target of 0 is none.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_REPETITIONS 21

int64_t bench_least(const char *name, void (*work)(void *context), void *context); /* without a target: the least time */
bool bench_run(const char *name, int64_t target_ns, void (*work)(void *context), void *context);

/* Two works against each other: their times are taken in turns, so that both see the same machine. least: of each. */
void bench_pair(const char *const names[2], void (*const works[2])(void *context), void *context, int64_t least[2]);

#endif
