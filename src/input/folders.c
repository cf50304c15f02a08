/* Where the shipped models and schemas are. */
#include "config.h"
#include "input/input.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool exists(struct arena *arena, const char *folder, const char *name)
{
	return access(arena_format(arena, "%s/%s", folder, name), R_OK | X_OK) == 0;
}

#define MARK "gpubound-source-folder" /* a file in the root of a build folder; its line is the path of the sources */
#define MARK_ABOVE 4                  /* folders between it and a program, of tests too */

/* What the mark says, if it belongs to whom the program belongs to, so that nobody else puts one above an installed program. */
static const char *read_mark(struct arena *arena, const char *path, const struct stat *program)
{
	struct stat mark;
	char line[PATH_MAX];
	const char *source = NULL;
	FILE *file = lstat(path, &mark) == 0 && S_ISREG(mark.st_mode) && mark.st_uid == program->st_uid ? fopen(path, "r") : NULL;
	if (file == NULL)
		return NULL;
	if (fgets(line, sizeof line, file) != NULL && line[0] == '/')
		source = arena_format(arena, "%.*s", (int)strcspn(line, "\n"), line);
	fclose(file);
	return source;
}

/* The sources of the build folder that the running program lies in; NULL: in none. */
static const char *find_source(struct arena *arena)
{
	char program[PATH_MAX];
	struct stat status;
	ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	const char *source = NULL;
	if (length < 0 || stat("/proc/self/exe", &status) != 0)
		return NULL;
	program[length] = '\0';
	char *slash = strrchr(program, '/');
	for (int i = 0; i < MARK_ABOVE && source == NULL && slash != NULL; i++) {
		*slash = '\0';
		source = read_mark(arena, arena_format(arena, "%s/" MARK, program), &status);
		slash = strrchr(program, '/');
	}
	return source;
}

static const char *find_data(struct arena *arena)
{
	const char *given = getenv("GPUBOUND_DATA");
	if (given != NULL && *given != '\0')
		return given;
	const char *source = find_source(arena);
	if (source != NULL && exists(arena, source, "models") && exists(arena, source, "schema"))
		return source;
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
