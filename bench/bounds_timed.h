/* How long the bounds take.
 *
 * Requires: one analysis between timed_start and timed_stop, in one thread; the options of bench/meson.build for the linker.
 * Provides: the time of each bound, of turns, and of all between the two.
 * Fails:    never.
 */
#ifndef BENCH_BOUNDS_TIMED_H
#define BENCH_BOUNDS_TIMED_H

#include "response/response.h"

enum { PART_TURNS = BOUND_COUNT, PART_ALL, PART_COUNT };

extern int64_t timed[PART_COUNT]; /* ns */

void timed_start(void);
void timed_stop(void);

#endif
