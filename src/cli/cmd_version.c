/* gpubound version. */
#include "cli/arguments.h"
#include "report/build_environment.h"

#include <string.h>

const struct option options_version[] = {OPTIONS_END};

int command_version(const struct arguments *arguments)
{
	for (const struct build_environment_fact *fact = build_environment_facts(arguments->arena); fact->name != NULL; fact++) {
		if (strcmp(fact->name, "tool") == 0)
			printf("%s ", fact->value);
		else if (strcmp(fact->name, "version") == 0)
			printf("%s\n", fact->value);
		else if (fact->value != NULL)
			printf("%-18s %s\n", fact->name, fact->value);
	}
	return EXIT_FINE;
}
