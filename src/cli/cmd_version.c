/* gpubound version. */
#include "cli/arguments.h"
#include "config.h"

const struct option options_version[] = {OPTIONS_END};

int command_version(const struct arguments *arguments)
{
	(void)arguments;
	printf("gpubound %s\nbuilt by %s\n", GPUBOUND_VERSION, GPUBOUND_COMPILER);
	return EXIT_FINE;
}
