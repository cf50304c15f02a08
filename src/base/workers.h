/* The same work in several threads.
 *
 * Requires: work that shares what it shares safely: each of them takes what is next until nothing is left.
 * Provides: each thread has a number, from 0 on; the one that calls works along.
 * Fails:    never: where no further thread can be started, those that were do all.
 */
#ifndef BASE_WORKERS_H
#define BASE_WORKERS_H

/* threads: at most so many, at least 1. Returns when all have ended, with how many they were. */
int workers_run(int threads, void (*work)(void *context, int number), void *context);

#endif
