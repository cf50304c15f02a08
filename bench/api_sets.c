/* Analyses files one after another through the public interface, as a program does that has many task sets (rates.py counts how many a
 * second). */
#include <gpubound.h>

#include <stdio.h>

int main(int count, char **words)
{
	struct gpubound_models *models = gpubound_models_create();
	for (int i = 1; i < count; i++) {
		struct gpubound *bound = gpubound_create_with(models);
		bool accepted = gpubound_analyze(bound, words[i], NULL) && gpubound_task_response(bound, 0) != GPUBOUND_NONE;
		gpubound_destroy(bound);
		if (!accepted) {
			printf("%s: no bound was found, so this counts something else\n", words[i]);
			return 3;
		}
	}
	gpubound_models_destroy(models);
	return 0;
}
