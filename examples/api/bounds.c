/* The public interface in use: prints the bounds of a task set's tasks as comma-separated values.
 * cc bounds.c $(pkg-config --cflags --libs gpubound); the argument is a task set. */
#include <gpubound.h>

#include <inttypes.h>
#include <stdio.h>

static const char *const verdicts[] = {"proven", "not-proven", "no-bound"};

static void print_time(int64_t time)
{
	if (time != GPUBOUND_NONE)
		printf("%" PRId64, time);
	printf(",");
}

static void print_tasks(const struct gpubound *bound)
{
	printf("task,response_ns,deadline_ns,verdict,bound\n");
	for (int i = 0; i < gpubound_task_count(bound); i++) {
		const char *name = gpubound_task_bound(bound, i);
		printf("%s,", gpubound_task_id(bound, i));
		print_time(gpubound_task_response(bound, i));
		print_time(gpubound_task_deadline(bound, i));
		printf("%s,%s\n", verdicts[gpubound_task_verdict(bound, i)], name != NULL ? name : "");
	}
}

int main(int count, char **words)
{
	struct gpubound *bound = gpubound_create();
	bool accepted = count == 2 && gpubound_analyze(bound, words[1], NULL);
	for (int i = 0; i < gpubound_diagnostic_count(bound); i++)
		if (gpubound_diagnostic_level(bound, i) == GPUBOUND_ERROR)
			fprintf(stderr, "%s\n", gpubound_diagnostic_text(bound, i));
	if (accepted)
		print_tasks(bound);
	gpubound_destroy(bound);
	return accepted ? 0 : 3;
}
