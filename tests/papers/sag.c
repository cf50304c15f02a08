/* usage: sag JOBS [PRECEDENCE|- [SLOTS [EXPECTED|--print]]]
 * Bounds the completion of each job of a set of the schedule-abstraction tool and, given what that tool printed, compares: exit status 1 if
 * a bound is below its worst-case completion time, or the responses are more than 5 % above its in the mean. --print prints the bounds:
 * task, job, completion. */
#include "papers/sag.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct comparison {
	int equal, below, above;
	int64_t ours, theirs; /* sums of worst-case response times */
};

static void compare_job(const struct sag *sag, const struct explore_result *result, const int64_t *printed, struct comparison *comparison)
{
	int job = sag_find(sag, printed[0], printed[1]);
	if (job < 0) {
		fprintf(stderr, "job %" PRId64 ",%" PRId64 " is not in the set\n", printed[0], printed[1]);
		exit(2);
	}
	comparison->equal += result->most[job] == printed[3];
	comparison->below += result->most[job] < printed[3];
	comparison->above += result->most[job] > printed[3];
	comparison->ours += result->most[job] - sag->jobs[job].release_least;
	comparison->theirs += printed[5];
}

/* Columns: task, job, best and worst completion, best and worst response. */
static int compare(const struct sag *sag, const struct explore_result *result, const char *path)
{
	FILE *file = fopen(path, "r");
	char header[512];
	struct comparison all = {0};
	int64_t v[6];
	if (file == NULL || fgets(header, sizeof header, file) == NULL) {
		fprintf(stderr, "%s: cannot be read\n", path);
		return 2;
	}
	while (fscanf(file, "%" SCNd64 " , %" SCNd64 " , %" SCNd64 " , %" SCNd64 " , %" SCNd64 " , %" SCNd64, v, v + 1, v + 2, v + 3, v + 4,
		       v + 5) == 6)
		compare_job(sag, result, v, &all);
	fclose(file);
	printf("%d equal, %d above, %d below, responses %.4f of theirs\n", all.equal, all.above, all.below,
		(double)all.ours / (double)all.theirs);
	return all.equal + all.above + all.below != sag->count || all.below > 0 || all.ours * 20 > all.theirs * 21;
}

static void print(const struct sag *sag, const struct explore_result *result)
{
	for (int i = 0; i < sag->count; i++)
		printf("%" PRId64 ", %" PRId64 ", %" PRId64 "\n", sag->jobs[i].task, sag->jobs[i].number, result->most[i]);
}

int main(int count, char **arguments)
{
	struct arena *arena = arena_create();
	int status = 0;
	if (count < 2) {
		fputs("usage: sag JOBS [PRECEDENCE|- [SLOTS [EXPECTED|--print]]]\n", stderr);
		return 2;
	}
	const char *precedence = count > 2 && strcmp(arguments[2], "-") != 0 ? arguments[2] : NULL;
	struct sag sag = sag_read(arena, arguments[1], precedence, count > 3 ? atoi(arguments[3]) : 1);
	struct explore_result result = explore_run(arena, &sag.explore);
	printf("%d jobs, %" PRId64 " states, %d at most at once\n", sag.count, result.states, result.widest);
	if (result.reason != NULL)
		puts(result.reason);
	else if (count > 4 && strcmp(arguments[4], "--print") == 0)
		print(&sag, &result);
	else if (count > 4)
		status = compare(&sag, &result, arguments[4]);
	arena_destroy(arena);
	return result.reason != NULL ? 1 : status;
}
