/* The options --set and --scale. */
#include "cli/changes.h"

#include <string.h>

const char *const *changes_given(const struct arguments *arguments, int *count)
{
	const char **words = arena_allocate(arguments->arena, (size_t)arguments->given_count + 1, sizeof *words);
	*count = 0;
	for (int i = 0; i < arguments->given_count; i++) {
		const char *name = arguments->given[i].option->name;
		if (strcmp(name, "set") == 0 || strcmp(name, "scale") == 0)
			words[(*count)++] = arena_format(arguments->arena, "--%s=%s", name, arguments->given[i].value);
	}
	return words;
}
