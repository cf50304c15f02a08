#include "base/workers.h"

#include "base/memory.h"

#include <pthread.h>

struct worker {
	pthread_t thread;
	void (*work)(void *context, int number);
	void *context;
	int number;
};

static void *start(void *context)
{
	const struct worker *worker = context;
	worker->work(worker->context, worker->number);
	return NULL;
}

int workers_run(int threads, void (*work)(void *context, int number), void *context)
{
	struct worker *workers = memory_allocate((size_t)threads * sizeof *workers);
	int started = 0;
	for (int i = 0; i < threads; i++)
		workers[i] = (struct worker){.work = work, .context = context, .number = i};
	while (started + 1 < threads && pthread_create(&workers[started].thread, NULL, start, &workers[started]) == 0)
		started++;
	start(&workers[started]);
	for (int i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	memory_free(workers);
	return started + 1;
}
