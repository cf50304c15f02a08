/* A file as it is read, written again.
 *
 * usage: rewrite TASKSET FOLDER        writes FOLDER/taskset.xml and FOLDER/platform.xml
 *        rewrite --model MODEL FOLDER  writes FOLDER/platform.xml */
#include "input/input.h"
#include "write/write.h"

#include <stdio.h>
#include <string.h>

static bool put(const char *folder, const char *name, const struct output *output)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return output_write(output, path);
}

int main(int count, char **arguments)
{
	bool model = count == 4 && strcmp(arguments[1], "--model") == 0;
	if (!model && count != 3)
		return 2;
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	struct input_folders folders = input_find_folders(arena);
	const struct platform *platform = NULL;
	const struct taskset *set = NULL;
	struct output of_platform = {0}, of_set = {0};
	if (model)
		platform = input_read_platform(arena, &diagnostics, &folders, arguments[2]);
	else
		set = input_read_taskset(arena, &diagnostics, &folders, arguments[1], &(struct input_wishes){0}, &platform);
	diagnostics_print(&diagnostics, 0, LEVEL_ERROR, false, stderr);
	bool fine = platform != NULL && (model || set != NULL);
	if (fine)
		write_platform(&of_platform, platform, NULL);
	if (fine && set != NULL)
		write_taskset(&of_set, set, "./platform.xml", NULL);
	fine = fine && put(arguments[count - 1], "platform.xml", &of_platform);
	fine = fine && (set == NULL || put(arguments[count - 1], "taskset.xml", &of_set));
	output_finish(&of_platform);
	output_finish(&of_set);
	arena_destroy(arena);
	return fine ? 0 : 3;
}
