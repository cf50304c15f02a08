/* Where the shipped models and schemas are. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "config.h"
#include "input/input.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool exists(struct arena *arena, const char *folder, const char *name)
{
	return access(arena_format(arena, "%s/%s", folder, name), R_OK | X_OK) == 0;
}

/* Is the running program one of the build folder's? */
static bool runs_from_build(void)
{
	char program[PATH_MAX], build[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	if (length < 0 || realpath(GPUBOUND_BUILD, build) == NULL)
		return false;
	program[length] = '\0';
	size_t prefix = strlen(build);
	return strncmp(program, build, prefix) == 0 && program[prefix] == '/';
}

static const char *find_data(struct arena *arena)
{
	const char *given = getenv("GPUBOUND_DATA");
	if (given != NULL && *given != '\0')
		return given;
	if (runs_from_build() && exists(arena, GPUBOUND_SOURCE, "models") && exists(arena, GPUBOUND_SOURCE, "schema"))
		return GPUBOUND_SOURCE;
	return GPUBOUND_DATADIR;
}

static const char *find_folder(struct arena *arena, const char *data, const char *name)
{
	return exists(arena, data, name) ? arena_format(arena, "%s/%s", data, name) : NULL;
}

struct input_folders input_find_folders(struct arena *arena)
{
	const char *data = find_data(arena);
	return (struct input_folders){.models = find_folder(arena, data, "models"), .schemas = find_folder(arena, data, "schema")};
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *const *input_list_models(struct arena *arena, const struct input_folders *folders, int *count)
{
	const char **names = arena_allocate(arena, 1, sizeof *names);
	int found = 0, capacity = 1;
	DIR *folder = folders->models != NULL ? opendir(folders->models) : NULL;
	if (count != NULL)
		*count = 0;
	if (folder == NULL)
		return NULL;
	for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		size_t length = strlen(entry->d_name);
		if (length <= 4 || strcmp(entry->d_name + length - 4, ".xml") != 0)
			continue;
		names = arena_grow(arena, names, &capacity, found + 2, sizeof *names);
		names[found++] = arena_format(arena, "%.*s", (int)(length - 4), entry->d_name);
	}
	closedir(folder);
	qsort(names, (size_t)found, sizeof *names, by_name);
	names[found] = NULL;
	if (count != NULL)
		*count = found;
	return names;
}
