/* Cases in threads, through the public interface alone: each thread takes one file after another, analyses it, and writes what it says.
 *
 * usage: api_threads FOLDER ROUNDS THREADS TASKSET...   (api_threads.py compares what it writes with what the command says)
 *
 * Thread T's files of task set N are FOLDER/T-N.txt, .csv and .xml. All threads begin at once, so that the first use of the libraries
 * below is in several threads, too. Exit status 1: a result or a file was wanting; it says which. */
#include "gpubound.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS_MOST 16

static const char *folder;
static char *const *sets;
static int set_count, rounds, threads;

static int write_all(const struct gpubound *bound, int thread, int set)
{
	static const char *const endings[] = {[GPUBOUND_TEXT] = "txt", [GPUBOUND_CSV] = "csv", [GPUBOUND_XML] = "xml"};
	int failures = 0;
	for (int format = GPUBOUND_TEXT; format <= GPUBOUND_XML; format++) {
		char path[4096];
		snprintf(path, sizeof path, "%s/%d-%d.%s", folder, thread, set, endings[format]);
		if (!gpubound_write(bound, (enum gpubound_format)format, path)) {
			perror(path);
			failures++;
		}
	}
	return failures;
}

static int one(int thread, int set)
{
	int failures = 0;
	struct gpubound *bound = gpubound_create();
	if (gpubound_analyze(bound, sets[set], NULL))
		failures = write_all(bound, thread, set);
	else if (gpubound_diagnostic_count(bound) == 0 || gpubound_diagnostic_text(bound, 0) == NULL) {
		fprintf(stderr, "%s: refused without a word\n", sets[set]);
		failures = 1;
	}
	gpubound_destroy(bound);
	return failures;
}

static void *run(void *number)
{
	int thread = *(const int *)number, *failures = number;
	int count = 0;
	for (int i = 0; i < rounds * set_count; i++)
		count += one(thread, (i + thread) % set_count);
	*failures = count;
	return NULL;
}

int main(int count, char **words)
{
	if (count < 5)
		return 2;
	folder = words[1];
	rounds = atoi(words[2]);
	threads = atoi(words[3]);
	sets = words + 4;
	set_count = count - 4;
	pthread_t all[THREADS_MOST];
	int numbers[THREADS_MOST], failures = 0;
	for (int i = 0; i < threads && i < THREADS_MOST; i++) {
		numbers[i] = i;
		if (pthread_create(&all[i], NULL, run, &numbers[i]) != 0)
			return 2;
	}
	for (int i = 0; i < threads && i < THREADS_MOST; i++) {
		pthread_join(all[i], NULL);
		failures += numbers[i];
	}
	return failures > 0;
}
