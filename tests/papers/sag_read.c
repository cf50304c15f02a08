#include "papers/sag.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_past_header(const char *path)
{
	FILE *file = fopen(path, "r");
	char header[512];
	if (file == NULL || fgets(header, sizeof header, file) == NULL) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(2);
	}
	return file;
}

static void read_jobs(struct sag *sag, struct arena *arena, const char *path)
{
	FILE *file = open_past_header(path);
	struct sag_job job;
	int capacity = 0;
	while (fscanf(file, "%" SCNd64 " , %" SCNd64 " , %" SCNd64 " , %" SCNd64 " , %" SCNd64 " , %" SCNd64 " , %" SCNd64 " , %" SCNd64,
		       &job.task, &job.number, &job.release_least, &job.release_most, &job.cost_least, &job.cost_most, &job.deadline,
		       &job.priority) == 8) {
		sag->jobs = arena_grow(arena, sag->jobs, &capacity, sag->count + 1, sizeof *sag->jobs);
		sag->jobs[sag->count++] = job;
	}
	fclose(file);
}

static int by_name(const void *a, const void *b)
{
	const struct sag_job *first = a, *second = b;
	if (first->task != second->task)
		return first->task < second->task ? -1 : 1;
	return (first->number > second->number) - (first->number < second->number);
}

int sag_find(const struct sag *sag, int64_t task, int64_t number)
{
	struct sag_job key = {.task = task, .number = number};
	const struct sag_job *found = bsearch(&key, sag->jobs, (size_t)sag->count, sizeof key, by_name);
	return found == NULL ? -1 : (int)(found - sag->jobs);
}

struct pair {
	int from, to;
};

static int by_target(const void *a, const void *b)
{
	const struct pair *first = a, *second = b;
	return first->to != second->to ? first->to - second->to : first->from - second->from;
}

static int read_pairs(const struct sag *sag, struct arena *arena, const char *path, struct pair **pairs)
{
	FILE *file = open_past_header(path);
	int64_t task, number, to_task, to_number;
	int count = 0, capacity = 0;
	while (fscanf(file, "%" SCNd64 " , %" SCNd64 "%*[, \t]%" SCNd64 " , %" SCNd64, &task, &number, &to_task, &to_number) == 4) {
		*pairs = arena_grow(arena, *pairs, &capacity, count + 1, sizeof **pairs);
		(*pairs)[count++] = (struct pair){sag_find(sag, task, number), sag_find(sag, to_task, to_number)};
	}
	fclose(file);
	if (count > 0)
		qsort(*pairs, (size_t)count, sizeof **pairs, by_target);
	return count;
}

struct rank {
	int64_t priority;
	int job;
};

static int by_priority(const void *a, const void *b)
{
	const struct rank *first = a, *second = b;
	if (first->priority != second->priority)
		return first->priority < second->priority ? -1 : 1;
	return first->job - second->job;
}

struct sag sag_read(struct arena *arena, const char *path, const char *precedence, int slots)
{
	struct sag sag = {0};
	struct pair *pairs = NULL;
	read_jobs(&sag, arena, path);
	qsort(sag.jobs, (size_t)sag.count, sizeof *sag.jobs, by_name);
	int count = precedence == NULL ? 0 : read_pairs(&sag, arena, precedence, &pairs);
	struct explore_job *jobs = arena_allocate(arena, (size_t)sag.count + 1, sizeof *jobs);
	struct explore_edge *edges = arena_allocate(arena, (size_t)count + 1, sizeof *edges);
	struct explore_engine *engine = arena_allocate(arena, 1, sizeof *engine);
	struct rank *ranks = arena_allocate(arena, (size_t)sag.count + 1, sizeof *ranks);
	for (int i = 0, next = 0; i < sag.count; i++) {
		const struct sag_job *job = &sag.jobs[i];
		jobs[i] = (struct explore_job){0, job->release_least, job->release_most, job->cost_least, job->cost_most, 0, 1, next, 0};
		ranks[i] = (struct rank){job->priority, i};
		for (; next < count && pairs[next].to == i; next++) {
			edges[next].from = pairs[next].from;
			jobs[i].edge_count++;
		}
	}
	qsort(ranks, (size_t)sag.count, sizeof *ranks, by_priority);
	for (int i = 0; i < sag.count; i++)
		jobs[ranks[i].job].level = i;
	*engine = (struct explore_engine){.order = EXPLORE_LEVEL, .slots = slots, .knows = true};
	sag.explore = (struct explore){jobs, sag.count, edges, count, engine, 1, 0};
	return sag;
}
