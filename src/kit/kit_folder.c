/* Folders with all that is in them. */
#include "kit/kit.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct list {
	struct arena *arena;
	const char **names;
	int count, capacity;
	bool folders; /* these alone, else regular files alone */
};

static void gather(struct list *list, const char *root, const char *below)
{
	DIR *folder = opendir(arena_format(list->arena, "%s/%s", root, below));
	if (folder == NULL)
		return;
	for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		struct stat status;
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		const char *name = arena_format(list->arena, "%s%s%s", below, *below == '\0' ? "" : "/", entry->d_name);
		if (lstat(arena_format(list->arena, "%s/%s", root, name), &status) != 0)
			continue;
		bool is_folder = S_ISDIR(status.st_mode);
		if (is_folder == list->folders) {
			list->names = arena_grow(list->arena, list->names, &list->capacity, list->count + 2, sizeof *list->names);
			list->names[list->count++] = name;
		}
		if (is_folder)
			gather(list, root, name);
	}
	closedir(folder);
}

static struct list gather_all(struct arena *arena, const char *folder, bool folders)
{
	struct list list = {.arena = arena, .folders = folders};
	list.names = arena_grow(arena, NULL, &list.capacity, 1, sizeof *list.names);
	gather(&list, folder, "");
	qsort(list.names, (size_t)list.count, sizeof *list.names, by_name);
	list.names[list.count] = NULL;
	return list;
}

const char *const *kit_folder_files(struct arena *arena, const char *folder)
{
	return gather_all(arena, folder, false).names;
}

void kit_folder_remove(struct arena *arena, const char *folder)
{
	for (const char *const *file = kit_folder_files(arena, folder); *file != NULL; file++)
		unlink(arena_format(arena, "%s/%s", folder, *file));
	const struct list list = gather_all(arena, folder, true);
	for (int i = list.count - 1; i >= 0; i--) /* what is inside of another one stands behind it */
		rmdir(arena_format(arena, "%s/%s", folder, list.names[i]));
	rmdir(folder);
}

bool kit_folder_make(struct arena *arena, const char *path)
{
	char *copy = arena_copy(arena, path);
	for (char *slash = strchr(copy + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0777) != 0 && errno != EEXIST)
			return false;
		*slash = '/';
	}
	return true;
}
