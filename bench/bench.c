#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define BATCH_NS 1000000

static int64_t nanoseconds(struct timeval time)
{
	return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

/* Processor time, of ours and of programs that we ran: what else runs on the machine does not count, but for the caches that it takes. */
static int64_t now(void)
{
	struct timespec own;
	struct rusage others;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
	getrusage(RUSAGE_CHILDREN, &others);
	return (int64_t)own.tv_sec * 1000000000 + own.tv_nsec + nanoseconds(others.ru_utime) + nanoseconds(others.ru_stime);
}

static int64_t time_batch(int batch, void (*work)(void *), void *context)
{
	int64_t begin = now();
	for (int i = 0; i < batch; i++)
		work(context);
	return now() - begin;
}

/* How often the work has to be done to take a millisecond; warms up on the way. */
static int find_batch(void (*work)(void *), void *context)
{
	int batch = 1;
	while (batch < 1 << 20 && time_batch(batch, work, context) < BATCH_NS)
		batch *= 2;
	return batch;
}

static int compare(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return left < right ? -1 : left > right;
}

static void print_time(const char *label, int64_t ns)
{
	printf("  %s %9.3f us", label, (double)ns / 1000);
}

static int64_t print_times(const char *name, int64_t times[BENCH_REPETITIONS])
{
	qsort(times, BENCH_REPETITIONS, sizeof *times, compare);
	printf("%-44s", name);
	print_time("min", times[0]);
	print_time("median", times[BENCH_REPETITIONS / 2]);
	print_time("max", times[BENCH_REPETITIONS - 1]);
	return times[0];
}

static int64_t measure(const char *name, void (*work)(void *context), void *context)
{
	int64_t times[BENCH_REPETITIONS];
	int batch = find_batch(work, context);
	for (int i = 0; i < BENCH_REPETITIONS; i++)
		times[i] = time_batch(batch, work, context) / batch;
	return print_times(name, times);
}

void bench_pair(const char *const names[2], void (*const works[2])(void *context), void *context, int64_t least[2])
{
	int64_t times[2][BENCH_REPETITIONS];
	int batches[2];
	for (int w = 0; w < 2; w++)
		batches[w] = find_batch(works[w], context);
	for (int i = 0; i < BENCH_REPETITIONS; i++)
		for (int w = 0; w < 2; w++)
			times[w][i] = time_batch(batches[w], works[w], context) / batches[w];
	for (int w = 0; w < 2; w++) {
		least[w] = print_times(names[w], times[w]);
		printf("\n");
	}
}

int64_t bench_least(const char *name, void (*work)(void *context), void *context)
{
	int64_t least = measure(name, work, context);
	printf("\n");
	return least;
}

bool bench_run(const char *name, int64_t target_ns, void (*work)(void *context), void *context)
{
	int64_t least = measure(name, work, context);
	if (target_ns > 0)
		print_time(least <= target_ns ? "target" : "MISSED", target_ns);
	printf("\n");
	return target_ns == 0 || least <= target_ns;
}
